"""The game-wide checks: each family is one module with one function `check`."""

from __future__ import annotations

from typing import Any

from rulespec.checks import barriers, hidden, layers, performers, starts, stops, unused
from rulespec.scope import Unit
from rulespec.symbols import Names


def run_checks(
    names: Names,
    unit: Unit,
    found: dict[str, list[dict[str, Any]]],
    triggers: list[dict[str, Any]],
    nouns: tuple[list[dict[str, Any]], list[dict[str, Any]]],
    cells: dict[str, dict[str, Any]],
) -> None:
    """Run every check, on rules that are sound so far; *nouns* are the counters and the variables."""
    if unit.report.has_errors:
        return
    performers.check(names, unit, triggers)
    stops.check(unit)
    starts.check(unit, *nouns, cells)
    hidden.check(unit)
    layers.check(unit, found)
    barriers.check(unit)
    unused.check(names, unit)
