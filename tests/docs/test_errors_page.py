"""docs/errors.md: every input gives exactly the output below it, and every code has an entry."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulespec.cli.app import main
from rulespec.diagnostics import Report
from rulespec.passes import build
from rulespec.render import render_text
from rulespec.scenarios import build_scenarios
from rulespec.source import SourceFile
from rulespec.syntax_faults import SLIPS

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "errors.md"
ENTRY = re.compile(r"^### `(?P<code>[a-z0-9-]+)`\n(?P<body>.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
FENCE = re.compile(
    r"(?:^<!-- file: (?P<file>\S+) -->\n)?^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
REPORTING = ("error", "warning", "Diagnostic", "CommandError", "Fault", "cut", "fail", "Failure")
KEBAB = re.compile(r"[a-z]+(?:-[a-z0-9]+)+")
NO_CODES = {"utf-8"}
NO_INPUT = {
    "bad-notation", "closed-output", "compiled-variant", "failing-playout", "file-too-large", "illegal-action",
    "internal-error", "missing-engine", "missing-game", "missing-variant", "not-a-file", "not-utf-8", "other-settings",
    "rule-error", "save-differs", "too-long", "unknown-action", "unknown-clause", "unreadable-file", "variant-twice",
}  # fmt: skip
"""Codes whose input would be too long for a page, or is no text; other tests provoke them."""


@dataclass(frozen=True)
class Entry:
    """An entry of the page: its code, its files, the command if it is no check, and what is said."""

    code: str
    line: int
    files: tuple[tuple[str, str], ...]
    command: str | None
    output: str | None


def entries() -> list[Entry]:
    page = PAGE.read_text(encoding="utf-8") if PAGE.is_file() else ""
    found = []
    for match in ENTRY.finditer(page):
        fences = list(FENCE.finditer(match["body"]))
        texts = {kind: [f["text"] for f in fences if f["language"] == kind] for kind in ("console", "text")}
        files = tuple((f["file"] or "game.yaml", f["text"]) for f in fences if f["language"] not in texts)
        command, output = (next(iter(texts[kind]), None) for kind in ("console", "text"))
        found.append(Entry(match["code"], page[: match.start()].count("\n") + 1, files, command, output))
    return found


ENTRIES = entries()
SHOWN = [entry for entry in ENTRIES if entry.output is not None]


def output_of(entry: Entry, folder: Path) -> str:
    """Return what is said of the files of an entry, which are written to the current folder."""
    for name, text in entry.files:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    if entry.command is not None:
        result = CliRunner().invoke(main, entry.command.split()[1:], prog_name="rulespec")
        return str(result.stderr)
    report, names = Report(), [name for name, _ in entry.files]
    scenarios = [Path(name) for name in names if name.startswith("scenarios/")]
    if scenarios:
        build_scenarios(Path("game.yaml"), report, scenarios)
    else:
        build(Path("game.yaml"), [Path(name) for name in names if name.startswith("variants/")], report)
    return render_text(report.in_order(), {name: SourceFile(name, text) for name, text in entry.files})


@cache
def codes_in_the_code() -> set[str]:
    """Return every code that can be reported: what calls that report name, and all texts written like a code."""
    found: set[str] = set()
    for path in sorted((ROOT / "rulespec").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and KEBAB.fullmatch(node.value):
                found.add(node.value)
            if isinstance(node, ast.Call) and node.args and _name(node.func) in REPORTING:
                constants = [one.value for one in ast.walk(node.args[0]) if isinstance(one, ast.Constant)]
                found |= {one for one in constants if isinstance(one, str) and re.fullmatch(r"[a-z]+", one)}
    return found - NO_CODES


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def table_of_slips() -> str:
    """Return the table of the page: each frequent slip, and what is said of it."""
    rows = ["| written | said | help |", "|---|---|---|"]
    for slip in SLIPS:
        cells = (f"`{slip.example}`", slip.message, slip.help or "")
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(rows)


def test_every_code_has_one_entry_and_every_entry_a_code() -> None:
    listed = [entry.code for entry in ENTRIES]
    assert len(listed) == len(set(listed))
    assert codes_in_the_code() - set(listed) == set()
    assert set(listed) - codes_in_the_code() == set()


def test_every_entry_but_a_few_shows_an_input_and_its_output() -> None:
    assert {entry.code for entry in ENTRIES if entry.output is None} == NO_INPUT


def test_the_page_ends_with_the_frequent_slips() -> None:
    assert PAGE.read_text(encoding="utf-8").endswith("\n\n" + table_of_slips() + "\n")


@pytest.mark.parametrize("entry", SHOWN, ids=[f"{entry.code} (line {entry.line})" for entry in SHOWN])
def test_an_input_of_the_page_gives_its_output(entry: Entry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert output_of(entry, tmp_path) == entry.output
    if entry.command is None:
        assert entry.output is not None and re.findall(r"(?:error|warning)\[([a-z0-9-]+)\]", entry.output) == [
            entry.code
        ]
