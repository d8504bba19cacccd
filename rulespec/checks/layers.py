"""Layers over one function whose order changes the result."""

from __future__ import annotations

import itertools
from typing import Any

from rulespec.diagnostics import Related, said
from rulespec.scope import Unit
from rulespec.source import Span


def check(unit: Unit, layers: dict[str, list[dict[str, Any]]]) -> None:
    """Warn of two layers that may be in force together and do not commute."""
    for function, found in layers.items():
        rules = list({entry["rule"]: entry for entry in found}.values())
        for first, second in itertools.combinations(rules, 2):
            if _together(unit, first, second) and not commute(_form(unit, first), _form(unit, second)):
                _warn(unit, function, first["rule"], second["rule"])


def _together(unit: Unit, first: dict[str, Any], second: dict[str, Any]) -> bool:
    """Whether both can be in force: two rows cannot in a single slot."""
    if first["by"] != "row" or second["by"] != "row" or first["zone"] != second["zone"]:
        return True
    zone = unit.names.zones[first["zone"]]
    return bool(zone.each) or getattr(zone.at_most, "value", None) != 1


def _warn(unit: Unit, function: str, first: str, second: str) -> None:
    here, there = (Span(*unit.rules[r]["at"]) for r in (second, first))
    text = f"`{first}` and `{second}` change `{said(function)}` so that their order matters"
    unit.report.warning(
        "layers-do-not-commute", text, here,
        related=(Related(there, "the lower layer"),), help="rows lie in table order, then lasting changes as begun",
    )  # fmt: skip


def _form(unit: Unit, entry: dict[str, Any]) -> Any:
    rule = unit.rules[entry["rule"]]
    return form_of(rule["body"]) if rule.get("form") == "formula" else "other"


def form_of(body: Any) -> Any:
    """Return how a layer changes what lies below: "same", "add", "or", "and", "min", "max", a constant or "other"."""
    match body:
        case ["base", *_]:
            return "same"
        case ["add" | "sub", ["base", *_], other] if not _reads_base(other):
            return "add"
        case ["add", other, ["base", *_]] if not _reads_base(other):
            return "add"
        case ["or" | "and" | "min" | "max" as word, *parts]:
            rest = [p for p in parts if p[0] != "base"]
            return word if len(rest) < len(parts) and not any(_reads_base(p) for p in rest) else "other"
        case ["if", condition, then, otherwise] if not _reads_base(condition):
            forms = {form_of(then), form_of(otherwise)} - {"same"}
            return forms.pop() if len(forms) == 1 else "same" if not forms else "other"
        case ["lit", value]:
            return ("constant", value)
    return "other"


def _reads_base(part: Any) -> bool:
    if isinstance(part, list):
        return part[:1] == ["base"] or any(_reads_base(p) for p in part)
    return isinstance(part, dict) and any(_reads_base(p) for p in part.values())


def commute(first: Any, second: Any) -> bool:
    """Whether two layers of these forms give the same in both orders.

    >>> commute("add", "add"), commute("add", "min")
    (True, False)
    """
    if "same" in (first, second):
        return True
    return bool(first == second) and first != "other"
