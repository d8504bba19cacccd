"""What variables and counters start with: the zones are empty then, and nothing has been counted."""

from __future__ import annotations

from typing import Any

from rulespec import nodes
from rulespec.scope import Unit

READING = {"var", "counter", "tokens", "zone_size", "zone_empty", "top", "face", "is_down", "place", "score"}
"""Operators of formulas whose value depends on the position."""
HELP = "start with a value that needs no zone, counter or variable, and change it in the first phase"


def check(
    unit: Unit, counters: list[dict[str, Any]], variables: list[dict[str, Any]], cells: dict[str, dict[str, Any]]
) -> None:
    """Report every `start` and `bank` that depends on the position."""
    names = unit.names
    for made in counters:
        counter = names.counters[made["name"]]
        _known(unit, cells, made["start"], counter.start, f"what each has of `{made['name']}` at the start")
        _known(unit, cells, made["bank"], counter.bank, f"the bank of `{made['name']}` at the start")
    for made in variables:
        _known(unit, cells, made["start"], names.variables[made["name"]].start, f"the start of `{made['name']}`")


def _known(unit: Unit, cells: dict[str, dict[str, Any]], ir: Any, formula: nodes.Expr | None, what: str) -> None:
    if formula is not None and _reads(unit, cells, ir, set()):
        unit.error("not-constant", f"{what} must be known before play", formula.span, help=HELP)


def _reads(unit: Unit, cells: dict[str, dict[str, Any]], tree: Any, seen: set[str]) -> bool:
    """Say whether a lowered formula or script depends on the position, also by way of what it uses."""
    if isinstance(tree, dict):
        return any(_reads(unit, cells, part, seen) for part in tree.values())
    if not isinstance(tree, list):
        return False
    match tree:
        case [str() as operator, *_] if operator in READING:
            return True
        case ["call", str() as name, *_]:
            if name in unit.layered or _rule_reads(unit, cells, name, seen):
                return True
        case ["cell", str() as name, *_]:
            used = [*cells[name]["rules"].values(), cells[name]["default"]]
            if any(_rule_reads(unit, cells, rule, seen) for rule in used if rule is not None):
                return True
    return any(_reads(unit, cells, part, seen) for part in tree)


def _rule_reads(unit: Unit, cells: dict[str, dict[str, Any]], name: str, seen: set[str]) -> bool:
    if name in seen or name not in unit.rules:
        return False
    seen.add(name)
    return _reads(unit, cells, unit.rules[name]["body"], seen)
