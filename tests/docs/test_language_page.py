"""Every fenced block of docs/language.md is compiled, and played where it stands in a game.

A block is the whole of a file (`<!-- whole -->`), a variant or scenarios of a context (`<!-- variant of: X -->`,
`<!-- scenarios of: X -->`), or declarations that take the place of those of the same names in a context
(`<!-- in: X -->`). Contexts are games: the published ones, and the files of `context/`.
"""

from __future__ import annotations

import re
import shutil
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import rulespec
from interpreter.scenario import run_scenario
from interpreter.simulate import Run, simulate
from rulespec.diagnostics import Diagnostic, Report
from rulespec.loader import load_text
from rulespec.passes import build
from rulespec.scenarios import build_scenarios

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
PAGE = ROOT / "docs" / "language.md"
FENCE = re.compile(r"(?:^<!-- (?P<how>whole|in|variant of|scenarios of)(?:: (?P<context>\w+))? -->\n)?"
                   r"^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)  # fmt: skip
PUBLISHED, ENDLESS = ("via_romana", "senator", "roma", "augustus"), "via_romana"
GAMES, FEW = 20, 3
LARGE = PUBLISHED
"""Contexts that take seconds to compile and play: left out of the quick tests."""
DEPTHS = {"tables": 4}
"""How far down declarations are laid over those of the context: to the keys of a row; else to a name in a section."""


@dataclass(frozen=True)
class Block:
    """A fenced block: the line its fence stands on, how it is to be read, in which context."""

    line: int
    how: str | None
    context: str | None
    language: str
    text: str


def blocks() -> list[Block]:
    page = PAGE.read_text(encoding="utf-8")
    return [
        Block(page[: m.start("text")].count("\n"), m["how"], m["context"], m["language"], m["text"])
        for m in FENCE.finditer(page)
    ]


BLOCKS = blocks()
FRAGMENTS = [block for block in BLOCKS if block.how == "in"]
CONTEXTS = sorted({block.context for block in FRAGMENTS if block.context})


@dataclass
class Part:
    """A key of a YAML text with its own lines and the keys indented below it."""

    key: str
    lines: list[str]
    parts: list[Part] = field(default_factory=list)

    def text(self) -> list[str]:
        return self.lines + [line for part in self.parts for line in part.text()]


def outline(text: str) -> Part:
    """Return the keys of a YAML text as a tree by their indentation; whatever is no key belongs to the key before."""
    root = Part("", [])
    path = [(-1, root)]
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        found = re.match(r"\s*([a-z_][\w ]*(?:\([^)]*\))?):(?: |$)", line)
        opened = path[-1][1].lines[:1] and path[-1][1].lines[0].rstrip().endswith("|") and indent > path[-1][0]
        if found is None or opened:
            path[-1][1].lines.append(line)
            continue
        while path[-1][0] >= indent:
            path.pop()
        part = Part(found[1], [line])
        path[-1][1].parts.append(part)
        path.append((indent, part))
    return root


def lay_over(below: Part, above: Part, depth: int) -> None:
    """Let the parts of *above* take the place of those of the same name, *depth* levels down."""
    named = {part.key.split("(")[0]: part for part in below.parts}
    for part in above.parts:
        old = named.get(part.key.split("(")[0])
        levels = DEPTHS.get(part.key, 1) if below.key == "" else depth - 1
        if old is None:
            below.parts.append(part)
        elif levels > 0 and part.parts and old.parts:
            lay_over(old, part, levels)
        else:
            old.key, old.lines, old.parts = part.key, part.lines, part.parts


def context_text(name: str) -> str:
    file = ROOT / "games" / name / "game.yaml" if name in PUBLISHED else HERE / "context" / f"{name}.yaml"
    return file.read_text(encoding="utf-8")


def written(folder: Path, name: str, fragments: list[Block]) -> Path:
    """Write a context with fragments laid over it, beside the files it reads."""
    if name in PUBLISHED:
        shutil.copytree(ROOT / "games" / name, folder, dirs_exist_ok=True)
    for file in [*(HERE / "context").glob("*.csv"), HERE / "context" / "map.yaml"] if name not in PUBLISHED else []:
        shutil.copy(file, folder)
    game = outline(context_text(name))
    for block in fragments:
        lay_over(game, outline(block.text), 1)
    file = folder / "game.yaml"
    file.write_text("\n".join(game.text()) + "\n", encoding="utf-8")
    return file


def faults(report: Report) -> list[Diagnostic]:
    return [each for each in report.in_order() if each.severity == "error"]


def assert_compiles(file: Path, variants: tuple[Path | str, ...] = ()) -> None:
    report = Report()
    build(file, variants, report)
    lines = file.read_text(encoding="utf-8").splitlines()
    assert not [(each.message, lines[each.span.line - 1]) for each in faults(report)]


def assert_plays(file: Path) -> None:
    game = rulespec.load(file)
    games = FEW if game.name in PUBLISHED else GAMES
    result = simulate(game, games, Run(players=game.program["players"]["min"], seed=1))
    assert (result["errors"], result["failures"]) == (0, [])
    assert result["terminal"] == games or game.name == ENDLESS, "of players at random some never come to its end"


def ids(found: list[Block]) -> list[str]:
    return [f"line {block.line}" for block in found]


def of_kind(how: str) -> list[Block]:
    return [block for block in BLOCKS if block.how == how]


def test_every_block_says_what_it_stands_in() -> None:
    assert not [block.line for block in BLOCKS if block.language != "yaml" or block.how is None]
    assert len(BLOCKS) == PAGE.read_text(encoding="utf-8").count("```") / 2
    assert set(PUBLISHED) <= set(CONTEXTS)


@pytest.mark.parametrize("block", BLOCKS, ids=ids(BLOCKS))
def test_a_block_is_a_document_of_ours(block: Block) -> None:
    assert load_text(block.text, "block.yaml")[1].diagnostics == []


def test_no_two_blocks_say_different_things_of_one_name() -> None:
    said: dict[tuple[str | None, str, str], set[str]] = defaultdict(set)
    for block in FRAGMENTS:
        for section in outline(block.text).parts:
            inner = section.parts if section.key != "tables" else []
            for part in inner:
                said[block.context, section.key, part.key].add("\n".join(part.text()).rstrip())
    assert not [name for name, texts in said.items() if len(texts) > 1]


@pytest.mark.parametrize("name", PUBLISHED)
def test_passages_of_a_published_game_stand_in_it_line_for_line(name: str) -> None:
    lines = {line.strip() for line in context_text(name).splitlines()}
    passages = [line for block in FRAGMENTS if block.context == name for line in block.text.splitlines()]
    assert [line for line in passages if line.strip() and line.strip() not in lines] == []


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow if n in LARGE else ()) for n in CONTEXTS])
def test_a_context_with_all_its_passages_compiles_and_plays(tmp_path: Path, name: str) -> None:
    file = written(tmp_path, name, [block for block in FRAGMENTS if block.context == name])
    assert_compiles(file)
    assert_plays(file)


@pytest.mark.slow
@pytest.mark.parametrize("block", FRAGMENTS, ids=ids(FRAGMENTS))
def test_a_passage_compiles_alone_in_its_context(tmp_path: Path, block: Block) -> None:
    assert block.context is not None
    assert_compiles(written(tmp_path, block.context, [block]))


@pytest.mark.parametrize("block", of_kind("whole"), ids=ids(of_kind("whole")))
def test_a_whole_game_of_the_page_compiles_and_plays(tmp_path: Path, block: Block) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(block.text, encoding="utf-8")
    assert_compiles(file)
    assert_plays(file)


@pytest.mark.slow
@pytest.mark.parametrize("block", of_kind("variant of"), ids=ids(of_kind("variant of")))
def test_a_variant_of_the_page_compiles_over_those_it_names(tmp_path: Path, block: Block) -> None:
    assert block.context is not None
    file = written(tmp_path, block.context, [])
    over = re.search(r"^over: \[(.*?)\]", block.text, re.MULTILINE)
    below = re.findall(r"\w+", over[1]) if over is not None else []
    (tmp_path / "of_the_page.yaml").write_text(block.text, encoding="utf-8")
    assert_compiles(file, (*below, tmp_path / "of_the_page.yaml"))


@pytest.mark.slow
@pytest.mark.parametrize("block", of_kind("scenarios of"), ids=ids(of_kind("scenarios of")))
def test_the_scenarios_of_the_page_pass(tmp_path: Path, block: Block) -> None:
    assert block.context is not None
    game = written(tmp_path, block.context, [])
    file = tmp_path / "scenarios.yaml"
    file.write_text(block.text, encoding="utf-8")
    report = Report()
    cases = build_scenarios(game, report, [file])
    assert faults(report) == []
    results = {case.scenario["name"]: run_scenario(rulespec.load(game), case.scenario).failures for case in cases}
    assert results and not any(results.values())
