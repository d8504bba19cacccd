"""Functions that use one another: how deep the formulas of all of them, put in one another, would be."""

from __future__ import annotations

from collections.abc import Mapping

from rulespec import nodes
from rulespec.diagnostics import Report, said
from rulespec.source import Span

MOST_LEVELS = 80
"""Levels of formulas in one another, those of the functions they use counted in."""


def too_deep(functions: Mapping[str, nodes.Function], report: Report) -> list[str]:
    """Report the first function that is too deep with all it uses; return where chains are to be cut."""
    cut: list[str] = []
    found = {name: _own(node, functions) for name, node in functions.items()}
    totals: dict[str, int] = {}
    for name in _users_last(found):
        levels, used = found[name]
        totals[name] = levels + max((totals.get(each, 0) for each in used), default=0)
        if totals[name] <= MOST_LEVELS:
            continue
        if not cut:
            text = f"`{said(name)}` and the functions it uses are nested more than {MOST_LEVELS} deep"
            help = "let fewer functions stand between it and what it needs"
            report.error("too-deep", text, functions[name].signature.name.span, help=help)
        cut.append(name)
        totals[name] = 0
    return cut


def _own(node: nodes.Function, functions: Mapping[str, nodes.Function]) -> tuple[int, list[str]]:
    """Return how many levels a function has itself, and the functions it names."""
    deepest, used = 0, set()
    stack: list[tuple[object, int]] = [(node.formula if node.formula is not None else node.script, 1)]
    while stack:
        part, level = stack.pop()
        if isinstance(part, tuple):
            stack += [(each, level) for each in part]
        elif isinstance(part, nodes.Name):
            used.add(part.text)
        elif hasattr(part, "__dataclass_fields__") and not isinstance(part, Span):
            deepest = max(deepest, level)
            stack += [(getattr(part, each), level + 1) for each in part.__dataclass_fields__]
    return deepest, sorted(used & set(functions))


def _users_last(found: Mapping[str, tuple[int, list[str]]]) -> list[str]:
    """Return the functions, each after those it uses; a circle is cut where it closes."""
    order: dict[str, None] = {}
    seen: set[str] = set()
    for first in found:
        stack = [(first, False)]
        while stack:
            name, is_done = stack.pop()
            if is_done:
                order[name] = None
            elif name not in seen:
                seen.add(name)
                stack += [(name, True), *((each, False) for each in found[name][1])]
    return list(order)
