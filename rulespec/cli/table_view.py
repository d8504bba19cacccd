"""What a player may see, as tables. It reads an observation and nothing else, so it cannot show more."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from interpreter import Game
from interpreter.words import DEFAULT, word
from rulespec.cli.output import print_table, say

PARTS = ("zones", "counters", "variables", "lasting")
"""The parts of an observation that lie on the table; the rest says who is asked what, which is told elsewhere."""

UNKNOWN = re.compile(r"\?(\w+) (\d+)\Z")
"""A token whose face is hidden: its kind, and the pool it belongs to."""


def show_observation(game: Game, observation: Mapping[str, Any], lang: str | None = None) -> None:
    """Print what lies on the table, part by part, without what is empty; then what hidden things there are."""

    def named(text: str) -> str:
        if text in ("yes", "no"):
            return word(lang, "tell", text)
        return game.notation.names_in(text, lang or DEFAULT)

    for name in PARTS:
        part = observation.get(name)
        if isinstance(part, Mapping):
            rows = [(named(key), words(value, named)) for key, value in part.items() if not _is_empty(value)]
        else:
            rows = [(str(number), words(value, named)) for number, value in enumerate(part or [], 1)]
        if rows:
            print_table([word(lang, "table", name), ""], rows)
            say()
    pools = observation.get("pools")
    if pools:
        print_table(
            [word(lang, "table", each) for each in ("unknown", "one_each_of")],
            [(f"?{pool}", words(faces, named)) for pool, faces in pools.items()],
        )
        say()


def words(value: Any, named: Callable[[str], str] = str) -> str:
    """Return any value in one cell, names as *named* says them; things alike are counted.

    >>> words(["mark", "mark", "stone", "?card 1", "?card 1"])
    '2× mark, stone, 2× card ?1'
    """
    match value:
        case None | -1:
            return "-"
        case bool():
            return named("yes" if value else "no")
        case Mapping():
            return "; ".join(f"{named(key)}: {words(each, named)}" for key, each in value.items()) or "-"
        case list() | tuple():
            texts = [words(each, named) for each in value]
            if all(isinstance(each, str) and each != "-" for each in value):
                texts = [text if count == 1 else f"{count}× {text}" for text, count in Counter(texts).items()]
            return ", ".join(texts) or "-"
        case str():
            hidden = UNKNOWN.match(value)
            return f"{named(hidden[1])} ?{hidden[2]}" if hidden else named(value)
        case _:
            return str(value)


def _is_empty(value: Any) -> bool:
    return value is None or value == [] or value == {}
