"""Lowered formulas brought to the type that is wanted: sets of zones, sets of single things, numbers, holders."""

from __future__ import annotations

from typing import Any

from rulespec import nodes
from rulespec.folding import written
from rulespec.scope import IR, WRONG, Frame, Typed, mismatch
from rulespec.source import Span
from rulespec.value_types import (
    NUMBER,
    TRUTH,
    UNKNOWN,
    Int,
    Item,
    Kind,
    Nothing,
    Opt,
    SetOf,
    Truth,
    Type,
    Unknown,
    ZoneOf,
    assignable,
    item_of,
    kind_of,
)  # fmt: skip


def coerce(frame: Frame, value: Typed, wanted: Type, span: Span) -> IR:
    """Return the formula as a value of the type *wanted*; report where it cannot be one."""
    if isinstance(value.type, Unknown) or isinstance(wanted, Unknown):
        return plain(value).ir  # type: ignore[no-any-return]
    if isinstance(wanted, SetOf):
        return _to_set(frame, value, wanted, span)
    if not assignable(value.type, wanted):
        return mismatch(frame, value.type, wanted, span).ir  # type: ignore[no-any-return]
    return value.ir  # type: ignore[no-any-return]


def _to_set(frame: Frame, value: Typed, wanted: SetOf, span: Span) -> IR:
    as_given = as_set(frame, value, span)
    if isinstance(as_given.type, Unknown):
        return WRONG.ir  # type: ignore[no-any-return]
    if not assignable(as_given.type, wanted):
        return mismatch(frame, value.type, wanted, span).ir  # type: ignore[no-any-return]
    return as_given.ir  # type: ignore[no-any-return]


def as_set(frame: Frame, value: Typed, span: Span) -> Typed:
    """Return the value as a set: the tokens of a zone, the cells of a line, the set of one thing."""
    match value.type:
        case Unknown() | SetOf():
            return value
        case ZoneOf(_, kind, _):
            return Typed(["tokens", value.ir], SetOf(kind))
        case Kind(name) if frame.names.kinds[name].sort == "line":
            return Typed(["column", "line.cells", value.ir], frame.names.columns["line.cells"].type)
        case Nothing():
            return Typed(["set"], SetOf(None))
        case Kind() | Opt() | Int():
            return Typed(["single", value.ir], SetOf(item_of(value.type)))
    return mismatch(frame, value.type, SetOf(None), span)


def plain(value: Typed) -> Typed:
    """Return a zone as the set of its tokens, anything else as it is."""
    if isinstance(value.type, ZoneOf):
        return Typed(["tokens", value.ir], SetOf(value.type.kind))
    return value


def truth(frame: Frame, node: nodes.Expr) -> IR:
    """Return a condition."""
    return coerce(frame, frame.expr(node, TRUTH), TRUTH, node.span)


def number(frame: Frame, node: nodes.Expr) -> Typed:
    """Return a number and its interval (0..0 for what is wrong already)."""
    value = frame.expr(node, NUMBER)
    ir = coerce(frame, value, NUMBER, node.span)
    return Typed(ir, value.type if isinstance(value.type, Int) else Int(0, 0))


def amount(frame: Frame, node: nodes.Expr) -> IR:
    """Return a number of things or of times; report one that is written and below 0."""
    given = number(frame, node)
    value = written_number(given)
    if value is not None and value < 0:
        frame.error("out-of-range", f"an amount is at least 0, found {value}", node.span)
    return given.ir  # type: ignore[no-any-return]


def written_number(value: Typed) -> int | None:
    """Return the number that a formula of written numbers comes to; None for any other, and for what is wrong."""
    found = written(value.ir) if isinstance(value.type, Int) else None
    return found if found is not None and value.type.low <= found <= value.type.high else None  # type: ignore[union-attr]


def check_range(frame: Frame, value: Typed, wanted: Type, what: str, span: Span) -> None:
    """Report a written number that lies outside the range it is for."""
    found = written_number(value)
    if isinstance(wanted, Int) and found is not None and not wanted.low <= found <= wanted.high:
        frame.error("out-of-range", f"{what} is {wanted.low}..{wanted.high}, found {found}", span)


def player(frame: Frame, node: nodes.Expr) -> IR:
    """Return a player."""
    thing = frame.thing("player")
    return coerce(frame, frame.expr(node, thing), thing, node.span)


def players(frame: Frame, node: nodes.Expr) -> IR:
    """Return a set of players."""
    wanted = SetOf(frame.thing("player"))
    return coerce(frame, frame.expr(node, wanted), wanted, node.span)


def the_set(frame: Frame, node: nodes.Expr, wanted: Item | None = None) -> Typed:
    """Return a formula as a set."""
    return as_set(frame, frame.expr(node, SetOf(wanted) if wanted else None), node.span)


def tokens(frame: Frame, node: nodes.Expr, wanted: Kind | None = None) -> Typed:
    """Return a set of tokens; report a set of anything else."""
    value = the_set(frame, node, wanted)
    kind = kind_of(item_of(value.type)) if not isinstance(value.type, Unknown) else None
    if isinstance(value.type, Unknown) or value.type == SetOf(None):
        return value
    if kind is None or not all(frame.names.kinds[k].sort == "token" for k in kind.leaves):
        return mismatch(frame, value.type, SetOf(Kind("token", frozenset({"token"}))), node.span)
    return value


def of_kind(frame: Frame, value: Typed, kind: str, span: Span) -> Typed:
    """Return the members of a set that are of *kind*; report a kind that cannot be among them."""
    wanted = frame.names.kind_type(kind)
    item = item_of(value.type)
    if isinstance(value.type, Unknown) or item is None:
        return Typed(value.ir, SetOf(wanted))
    if isinstance(item, Int) and isinstance(wanted, Int):
        return Typed(value.ir, SetOf(item))
    if not assignable(item, wanted) or isinstance(item, Truth):
        return mismatch(frame, value.type, SetOf(wanted), span)
    if isinstance(item, Kind) and isinstance(wanted, Kind) and not item.leaves <= wanted.leaves:
        if all(frame.names.kinds[leaf].sort == "token" for leaf in item.leaves):
            return Typed(["tokens_of_kind", value.ir, kind], SetOf(wanted))
        return Typed(_filtered(frame, value.ir, kind, wanted), SetOf(wanted))
    return Typed(value.ir, SetOf(item if isinstance(item, Kind) and isinstance(wanted, Kind) else wanted))


def _filtered(frame: Frame, ir: Any, kind: str, wanted: Type) -> IR:
    local = frame.add_local(kind, wanted)
    return ["those", {"local": local, "in": ir, "where": ["is_kind", ["local", local], kind], "order": None}]


def is_unknown(*values: Typed) -> bool:
    """Whether one of the values is already known to be wrong."""
    return any(v.type == UNKNOWN for v in values)
