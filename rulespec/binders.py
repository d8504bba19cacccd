"""Binders and their orders: `[other] KIND [NAME] [in SET] [where CONDITION] [ORDER]` as a LOOP."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulespec import nodes
from rulespec.coercions import number, of_kind, player, the_set, truth
from rulespec.scope import IR, Frame
from rulespec.value_types import UNKNOWN, Int, Item, Kind, Truth, Type


@dataclass(frozen=True, slots=True)
class Loop:
    """A lowered binder: the LOOP of the program, what it ranges over, whether over players, and how many there are."""

    data: dict[str, Any]
    type: Type
    over_players: bool
    size: int


def loop(frame: Frame, binder: nodes.Binder, reserved: int | None = None) -> Loop:
    """Lower a binder; its variable, in the local *reserved* if given, stays bound in the present scope."""
    kind, item, source = _source(frame, binder)
    over_players = kind == "player"
    clockwise = _clockwise(frame, binder)
    name = binder.name or binder.kind
    index = frame.bind(name.text, item, name.span, reserved)
    with frame.me(frame.has_me, frame.my_refused or over_players):
        conditions = [truth(frame, binder.where)] if binder.where is not None else []
        order = _order(frame, binder.order, clockwise)
    if binder.other:
        conditions.insert(0, ["ne", ["local", index], _left_out(frame, binder, clockwise)])
    where = None if not conditions else conditions[0] if len(conditions) == 1 else ["and", *conditions]
    data = {"local": index, "in": source, "where": where, "order": order}
    return Loop(data, item, over_players, frame.names.size(item) if isinstance(item, Kind | Int) else 2)


def _source(frame: Frame, binder: nodes.Binder) -> tuple[str | None, Type, Any]:
    """Return the kind, the type of a member, and the set it ranges over."""
    text = binder.kind.text
    kind = "number" if text == "number" else text if text in frame.names.kinds else None
    if kind is None:
        if binder.source is not None:
            frame.expr(binder.source)
        _no_kind(frame, binder.kind)
        return None, UNKNOWN, ["set"]
    frame.names.used.add(kind)
    if binder.source is None:
        if kind == "number":
            frame.error("type-mismatch", "`number` needs a range: `number n in 1..6`", binder.kind.span)
            return kind, UNKNOWN, ["set"]
        return kind, frame.names.kind_type(kind), ["all", kind]
    return kind, *members(frame, kind, binder.source)


def _no_kind(frame: Frame, name: nodes.Name) -> None:
    if name.text in frame.names.plurals:
        kind = frame.names.plurals[name.text]
        frame.error("unknown-kind", f"name one `{kind}` here, not `{name.text}`", name.span, help=f"write `{kind}`")
    else:
        frame.unknown_kind(name)


def members(frame: Frame, kind: str, source: nodes.Expr) -> tuple[Item | Type, Any]:
    """Return the type and the set of the members of *kind* in a formula."""
    wanted = Int() if kind == "number" else frame.names.kind_type(kind)
    value = the_set(frame, source, wanted)
    if kind == "number":
        item = getattr(value.type, "item", None)
        if value.type != UNKNOWN and not isinstance(item, Int):
            frame.error("type-mismatch", "expected a set of numbers", source.span)
        return (item if isinstance(item, Int) else UNKNOWN), value.ir
    filtered = of_kind(frame, value, kind, source.span)
    item = getattr(filtered.type, "item", None)
    return (item if isinstance(item, Kind | Int | Truth) else wanted), filtered.ir


def _clockwise(frame: Frame, binder: nodes.Binder) -> IR | None:
    """Lower the player seats are counted from, before the variable is bound."""
    for key in binder.order.keys if binder.order else ():
        if key.direction == "clockwise":
            return player(frame, key.value)
    return None


def _left_out(frame: Frame, binder: nodes.Binder, clockwise: IR | None) -> IR:
    if clockwise is not None:
        return clockwise
    if not frame.has_me:
        frame.error("unknown-name", "`other` than whom?", binder.span, help="say `clockwise from P`: P is left out")
    return ["me"]


def _order(frame: Frame, order: nodes.Order | None, clockwise: IR | None) -> IR | None:
    if order is None:
        return None
    if order.form == "attaining":
        return ["attaining", order.keys[0].direction, number(frame, order.keys[0].value).ir]
    keys = []
    for key in order.keys:
        value = clockwise if key.direction == "clockwise" else number(frame, key.value).ir
        keys.append([key.direction, value])
    return ["sorted", keys]
