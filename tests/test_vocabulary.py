"""Which specs use each word of the vocabulary: a word is there for two games at least, or the decisions say for which.

The specs are the games and examples that come with rulespec.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulespec import nodes, operations
from rulespec.diagnostics import Report
from rulespec.passes import read_game

ROOT = Path(__file__).parent.parent
SPECS = [
    *((path.parent.name, path) for path in ROOT.glob("games/*/game.yaml")),
    *((path.stem, path) for folder in ("examples", "examples/classics") for path in (ROOT / folder).glob("*.yaml")),
]
WORDS = {
    nodes.Let: "let", nodes.SetTo: "set", nodes.Move: "move", nodes.Draw: "draw", nodes.Shuffle: "shuffle",
    nodes.Roll: "roll", nodes.Pick: "pick", nodes.Turn: "turn", nodes.Show: "show", nodes.LookAt: "look",
    nodes.Together: "together", nodes.If: "if", nodes.While: "while", nodes.Repeat: "repeat", nodes.ForEach: "for",
    nodes.Stop: "stop", nodes.Return: "return", nodes.EndGame: "end",
}  # fmt: skip
"""Statements that are one word each."""

BOARDS = ("grid", "hex", "rhombus", "path", "cycle", "complete")
VOCABULARY = [*operations.FUNCTIONS, *operations.PROPERTIES, *operations.SETS, *operations.STATEMENTS, *BOARDS]


def parts(node: Any) -> Iterator[Any]:
    """Yield every node of a tree."""
    if isinstance(node, tuple):
        for each in node:
            yield from parts(each)
    elif is_dataclass(node):
        yield node
        for field in fields(node):
            yield from parts(getattr(node, field.name))


def words(node: Any) -> set[str]:
    """Return the words of the vocabulary that a node stands for."""
    match node:
        case nodes.Reference(name=name) if node.args is not None and name.text in operations.FUNCTIONS:
            return {name.text}
        case nodes.Of(name=name) | nodes.Printed(name=name) if name.text in operations.PROPERTIES:
            return {name.text}
        case nodes.SetWord(word=word) | nodes.ForWord(word=word) | nodes.MinMax(word=word):
            return {word}
        case nodes.Choose(mode=mode) | nodes.Offer(mode=mode):
            offer = "must" if mode.startswith("must") else mode
            return {"choose", *({"may"} & {mode})} if isinstance(node, nodes.Choose) else {offer}
        case nodes.Transfer(form=form) | nodes.Create(form=form) | nodes.Begin(form=form):
            return {form}
        case nodes.TypeExpr(board=(board, _)):
            return {board.text}
    return {WORDS[type(node)]} if type(node) in WORDS else set()


@cache
def users() -> dict[str, list[str]]:
    """Return, for each word of the vocabulary, the specs that use it."""
    found: dict[str, set[str]] = {word: set() for word in VOCABULARY}
    for name, path in SPECS:
        report = Report()
        game = read_game(path, report)
        assert game is not None and not report.has_errors, path
        for node in parts(tuple(getattr(game, field.name) for field in fields(game))):
            for word in words(node):
                found[word].add(name)
    return {word: sorted(names) for word, names in found.items()}


def explained() -> dict[str, str]:
    """Return the words of which the decisions say which published games would use them."""
    text = (ROOT / "docs" / "decisions.md").read_text(encoding="utf-8")
    section = text.split("## Words that one spec uses, or none yet\n")[1].split("\n## ")[0]
    return dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", section, re.MULTILINE))


@pytest.mark.parametrize("word", VOCABULARY)
def test_a_word_has_two_specs_or_the_decisions_name_two_games(word: str, record_property: Any) -> None:
    names = users()[word]
    record_property("specs", ", ".join(names))
    if len(names) < 2:
        assert word in explained(), f"`{word}` is used by {names or 'no spec'} and explained nowhere"
        assert len(re.findall(r"\*[^*]+\*", explained()[word])) >= 2, "two published games are named"
    else:
        assert word not in explained(), f"`{word}` is used by {', '.join(names)}: take it off the list"
