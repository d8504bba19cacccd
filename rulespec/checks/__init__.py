"""The game-wide checks: each family is one module with one function `check`."""

from __future__ import annotations

from typing import Any

from rulespec.checks import barriers, hidden, layers, performers, stops, unused
from rulespec.scope import Unit
from rulespec.symbols import Names


def run_checks(
    names: Names, unit: Unit, found: dict[str, list[dict[str, Any]]], triggers: list[dict[str, Any]]
) -> None:
    """Run every check; on rules that are wrong already none but the first is run."""
    if unit.report.has_errors:
        return
    performers.check(names, unit, triggers)
    stops.check(unit)
    hidden.check(unit)
    layers.check(unit, found)
    barriers.check(unit)
    unused.check(names, unit)
