"""The documents of this folder: prose, and small files in which every line that is wrong says so.

`# error: [code]` (or `# warning: [code]`) stands on the line that must be reported, several codes apart by a comma;
what is reported on any other line fails too. Fences of one section, from one heading to the next, are files of one
game: the first is `game.yaml`, those with a comment `<!-- file: NAME -->` above them are what that says.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import pytest

from rulespec.diagnostics import Report
from rulespec.passes import build

HERE = Path(__file__).parent
SECTION = re.compile(r"^## (?P<title>[^\n]+)\n(?P<body>.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"(?:^<!-- file: (?P<file>\S+) -->\n)?^```\w+\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = re.compile(r"# (error|warning): \[([a-z0-9, -]+)\]")
DOCUMENTS = sorted(HERE.glob("*.md"))

Said = dict[tuple[str, int], list[str]]
"""What is reported by file and line: `error unknown-zone`."""


@dataclass(frozen=True)
class Example:
    """A section of a document with its files."""

    title: str
    files: tuple[tuple[str, str], ...]

    def expected(self) -> Said:
        """Return what the lines of the files say of themselves."""
        said: Said = defaultdict(list)
        for name, text in self.files:
            for number, line in enumerate(text.splitlines(), 1):
                for found in MARK.finditer(line):
                    said[name, number] += [f"{found[1]} {code.strip()}" for code in found[2].split(",")]
        return {place: sorted(codes) for place, codes in said.items()}


def examples(document: Path) -> list[Example]:
    found = []
    for section in SECTION.finditer(document.read_text(encoding="utf-8")):
        files = tuple((each["file"] or "game.yaml", each["text"]) for each in FENCE.finditer(section["body"]))
        found.append(Example(section["title"], files))
    return found


def reported(example: Example) -> Said:
    """Return what is reported of an example, whose files are written to the current folder."""
    for name, text in example.files:
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")
    report, said = Report(), defaultdict(list)
    build(Path("game.yaml"), [Path(name) for name, _ in example.files if name.startswith("variants/")], report)
    for each in report.in_order():
        said[each.span.file, each.span.line].append(f"{each.severity} {each.code}")
    return {place: sorted(codes) for place, codes in said.items()}


CASES = [
    pytest.param(example, id=f"{document.stem}: {example.title}")
    for document in DOCUMENTS
    for example in examples(document)
]


@pytest.mark.parametrize("example", CASES)
def test_what_a_document_marks_is_reported_and_nothing_else(
    example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert example.files, "a section without a file"
    assert reported(example) == example.expected()


@pytest.mark.parametrize("document", DOCUMENTS, ids=[document.stem for document in DOCUMENTS])
def test_a_document_marks_faults_in_several_sections(document: Path) -> None:
    assert sum(bool(example.expected()) for example in examples(document)) >= 3
