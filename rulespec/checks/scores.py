"""Scores that ask for themselves: `score` in what is added up to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulespec.scope import Unit
from rulespec.source import Span
from rulespec.symbols import Names


def check(names: Names, unit: Unit, layers: dict[str, list[dict[str, Any]]]) -> None:
    """Report what makes a score and asks for it, in its own formula or in a function it uses."""
    for rule in _made_of(names):
        if "score" in _asked(rule, unit, layers):
            _report(rule, names, unit)


def _made_of(names: Names) -> list[str]:
    """Return the rules that are added up to a score: the scoring items, or else the first key of the ranking."""
    if names.game.scoring:
        return [item.name.text for item in names.game.scoring]
    keys = [number for number, key in enumerate(names.game.ranking, 1) if key.direction != "clockwise"]
    return [f"ranking.{number}" for number in keys[:1]]


def _asked(rule: str, unit: Unit, layers: dict[str, list[dict[str, Any]]]) -> set[str]:
    """Return "score" and every rule that *rule* may ask for, through others too."""
    seen: set[str] = set()
    rest = [rule]
    while rest:
        for name in _words(unit.rules[rest.pop()].get("body")):
            if name not in seen:
                seen.add(name)
                rest += [name] if name in unit.rules else []
                rest += [entry["rule"] for entry in layers.get(name, ())]
    return seen


def _words(part: Any) -> Iterator[str]:
    """Yield "score" where it is asked, and the names of functions called."""
    if isinstance(part, dict):
        for inner in part.values():
            yield from _words(inner)
    elif isinstance(part, list):
        match part:
            case ["score", _]:
                yield "score"
            case ["call", str(name), *_]:
                yield name
        for inner in part:
            yield from _words(inner)


def _report(rule: str, names: Names, unit: Unit) -> None:
    if names.game.scoring:
        text = f"`{rule}` is part of `score`, and asks for `score` itself"
        help = "write what it counts, or move it to `ranking`"
    else:
        text = "without `scoring` this key is what `score` gives, and it asks for `score` itself"
        help = "add an item to `scoring`, or write here what is counted"
    unit.report.error("recursive-score", text, Span(*unit.rules[rule]["at"]), help=help)
