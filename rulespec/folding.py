"""Lowered formulas whose value is known before play: printed values, options, bounds of slots."""

from __future__ import annotations

from typing import Any

from rulespec.symbols import Names


class NotConstant(Exception):
    """The formula depends on the position."""


def fold(names: Names, ir: Any, local: tuple[int, ...] = ()) -> Any:
    """Return the value of a lowered formula; *local* are the values of its first locals."""
    operator, *rest = ir
    match operator:
        case "lit":
            return rest[0]
        case "local" if rest[0] < len(local):
            return local[rest[0]]
        case "set":
            return sorted({fold(names, e, local) for e in rest})
        case "single":
            return [fold(names, rest[0], local)]
        case "range":
            low, high = (fold(names, e, local) for e in rest)
            return list(range(low, high + 1))
        case "all":
            return _all(names, rest[0])
        case "row":
            return _row(names, fold(names, rest[0], local))
        case "column":
            return _column(names, rest[0], [fold(names, e, local) for e in rest[1:]])
        case "if":
            return fold(names, rest[1] if fold(names, rest[0], local) else rest[2], local)
    return _compute(operator, [fold(names, e, local) for e in rest if isinstance(e, list)])


def written(ir: Any) -> int | None:
    """Return the number that a formula of written numbers alone comes to; None for any other."""
    operator, *rest = ir
    if operator == "lit":
        return rest[0] if type(rest[0]) is int else None
    if operator not in ("add", "sub", "mul", "div", "mod", "neg", "min", "max"):
        return None
    values = [written(each) for each in rest]
    try:
        return None if None in values else _compute(operator, values)
    except NotConstant:
        return None


def _all(names: Names, kind: str) -> list[int]:
    info = names.kinds[kind]
    if info.numbers:
        return list(range(info.numbers[0], info.numbers[1] + 1))
    if info.sort in ("player", "token"):
        raise NotConstant
    return [i for low, high in info.ranges for i in range(low, high)]


def _row(names: Names, token: int) -> int:
    offset = token - names.first_token
    rows = [r for info in names.tokens.values() for r in info.rows]
    return rows[offset] if 0 <= offset < len(rows) else -1


def _column(names: Names, name: str, args: list[int]) -> Any:
    column = names.columns[name]
    thing = args[0]
    if names.tokens and thing >= names.first_token:
        thing = _row(names, thing)
    place = 0
    for low, high in names.kinds[column.kind].ranges:
        if low <= thing < high:
            value = column.values[place + thing - low]
            return value if column.key is None else value[key_index(names, column.key, args[1])]
        place += high - low
    raise NotConstant


def key_index(names: Names, kind: str, value: int) -> int:
    """Return the place of a member among all members of a kind."""
    info = names.kinds[kind]
    if info.numbers:
        return value - info.numbers[0]
    place = 0
    for low, high in info.ranges:
        if low <= value < high:
            return place + value - low
        place += high - low
    raise NotConstant


def _compute(operator: str, values: list[Any]) -> Any:
    match operator:
        case "add":
            return values[0] + values[1]
        case "sub":
            return values[0] - values[1]
        case "mul":
            return values[0] * values[1]
        case "div" | "mod" if values[1] != 0:
            return values[0] // values[1] if operator == "div" else values[0] % values[1]
        case "neg":
            return -values[0]
        case "min" | "max":
            return min(values) if operator == "min" else max(values)
        case "eq" | "ne":
            return (values[0] == values[1]) == (operator == "eq")
        case "lt" | "le" | "gt" | "ge":
            return _compare(operator, values[0], values[1])
        case "not":
            return not values[0]
        case "and" | "or":
            return all(values) if operator == "and" else any(values)
        case "union":
            return sorted({*values[0], *values[1]})
        case "size":
            return len(values[0])
    raise NotConstant


def _compare(operator: str, left: int, right: int) -> bool:
    return {"lt": left < right, "le": left <= right, "gt": left > right, "ge": left >= right}[operator]
