"""Within what a function stays that rows and lasting changes lie over: how far these may raise or lower it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulespec import nodes
from rulespec.expressions import interval_of
from rulespec.references import option_type
from rulespec.scope import Change, Frame
from rulespec.symbols import Names
from rulespec.value_types import LIMIT, NUMBER, Int, Type, interval, join

ROUNDS = 100
"""How often changes are laid over one another before what still grows counts as unbounded."""


def raised(frame: Frame, own: Int, changes: Iterable[Change]) -> Int:
    """Return the interval of a function with its changes: a row once for each token, a lasting change any number."""
    found, lasting = own, []
    for table, owner, change in changes:
        if table is None:
            lasting.append(change)
            continue
        for _ in range(_copies(frame.names, table, owner)):
            before, found = found, _over(frame, found, [change])
            if found == before:
                break
    return _settled(frame, found, lasting)


def _settled(frame: Frame, own: Int, changes: list[nodes.Function]) -> Int:
    """Return the narrowest interval we find that no further change leaves."""
    found = own
    for number in range(ROUNDS + 4):
        before, found = found, _over(frame, found, changes)
        if found == before:
            break
        if number >= ROUNDS:
            low = -LIMIT if found.low < before.low else found.low
            found = Int(low, LIMIT if found.high > before.high else found.high)
    for _ in range(2):  # what was taken to grow without end may yet be held by the change itself
        found = _joined([own, *(_given(frame, change.formula, found) for change in changes)])
    return found


def _over(frame: Frame, below: Int, changes: list[nodes.Function]) -> Int:
    return _joined([below, *(_given(frame, change.formula, below) for change in changes)])


def _joined(parts: list[Int]) -> Int:
    return interval(*(end for part in parts for end in (part.low, part.high)))


def _copies(names: Names, table: nodes.Table, row: nodes.Row | nodes.Lasting) -> int:
    id = names.kinds[table.name.text].values.get(row.name.text) if isinstance(row, nodes.Row) else None
    return sum(
        info.rows.count(id) for info in names.tokens.values() if info.table == table.name.text and id is not None
    )


def _given(frame: Frame, node: nodes.Expr | None, below: Int) -> Int:
    """Return the interval of the formula of a change over what gives *below*."""

    def inner(part: nodes.Expr) -> Int:
        return _given(frame, part, below)

    match node:
        case nodes.Number(value):
            return Int(value, value)
        case nodes.Reference(name) if name.text == "base":
            return below
        case nodes.Unary("-", value):
            found = inner(value)
            return interval(-found.low, -found.high)
        case nodes.Binary("+" | "-" | "*" | "div" | "mod" as operator, left, right):
            return interval_of(operator, inner(left), inner(right))
        case nodes.Conditional(_, then, otherwise):
            return _joined([inner(then), inner(otherwise)])
        case nodes.MinMax(word, values):
            ends = [inner(value) for value in values]
            pick: Callable[[Iterable[int]], int] = min if word == "min" else max
            return Int(pick(end.low for end in ends), pick(end.high for end in ends))
        case nodes.Reference(name) | nodes.Of(name) | nodes.Printed(name=name):
            found_type = _named(frame, name.text, isinstance(node, nodes.Printed))
            return found_type if isinstance(found_type, Int) else NUMBER
    return NUMBER


def _named(frame: Frame, name: str, printed: bool) -> Type | None:
    """Return the type of what is named in a change, where it is a noun, a function or a column."""
    names = frame.names
    if printed:
        columns = [info.type for info in names.columns.values() if info.name == name]
        found: Type | None = columns[0] if columns else None
        for each in columns[1:]:
            found = join(found, each) if found is not None else None
        return found
    if name in names.options:
        return option_type(frame, names.options[name])
    if name in names.variables:
        return names.written_type(names.variables[name].type)
    return frame.unit.result_of(name) if name in names.functions else None
