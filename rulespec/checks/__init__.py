"""The game-wide checks: each family is one module with one function `check`."""

from __future__ import annotations

from typing import Any

from rulespec.checks import barriers, crowding, hidden, layers, performers, scores, starts, stops, unused
from rulespec.scope import Unit
from rulespec.symbols import Names


def run_checks(
    names: Names,
    unit: Unit,
    found: dict[str, list[dict[str, Any]]],
    triggers: list[dict[str, Any]],
    nouns: dict[str, Any],
    cells: dict[str, dict[str, Any]],
) -> None:
    """Run every check, on rules that are sound so far; *nouns* are those of the program."""
    if unit.report.has_errors:
        return
    performers.check(names, unit, triggers)
    scores.check(names, unit, found)
    stops.check(unit)
    starts.check(unit, nouns["counters"], nouns["variables"], cells)
    crowding.check(unit, nouns["zones"], nouns["tokens"])
    hidden.check(unit)
    layers.check(unit, found)
    barriers.check(unit)
    unused.check(names, unit)
