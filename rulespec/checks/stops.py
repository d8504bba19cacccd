"""A `stop` leaves the innermost loop: where there is none, it means nothing."""

from __future__ import annotations

from typing import Any

from rulespec.scope import Unit
from rulespec.source import Span

LOOPS = {"while", "times", "forever", "until", "for", "rounds"}


def check(unit: Unit) -> None:
    """Report every `stop` that stands in no loop of its rule."""
    for rule in unit.rules.values():
        for part in ("cost", "body"):
            _walk(unit, rule["at"][0], rule.get(part), False)


def _walk(unit: Unit, file: str, tree: Any, in_loop: bool) -> None:
    if isinstance(tree, dict):
        if tree.get("op") == "stop" and not in_loop and "at" in tree:
            help = "`return` leaves the rule, `end game` the game"
            unit.error(
                "stop-outside-loop", "`stop` leaves a loop, and here is none", Span(file, *tree["at"]), help=help
            )
        in_loop = in_loop or tree.get("op") in LOOPS
        tree = list(tree.values())
    for part in tree if isinstance(tree, list) else ():
        _walk(unit, file, part, in_loop)
