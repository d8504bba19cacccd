"""Formulas checked and lowered in one walk: every node gives its program form and its type."""

from __future__ import annotations

from typing import Any

from rulespec import nodes, references
from rulespec.binders import loop
from rulespec.coercions import as_set, coerce, is_unknown, number, plain, the_set, truth, written_number
from rulespec.diagnostics import suggestion
from rulespec.scope import WRONG, Frame, Typed, mismatch
from rulespec.source import Span
from rulespec.value_types import (
    NUMBER,
    TRUTH,
    UNKNOWN,
    Int,
    Kind,
    Opt,
    SetOf,
    Truth,
    Type,
    Unknown,
    ZoneOf,
    a_thing,
    assignable,
    clamp,
    describe,
    interval,
    is_set,
    item_of,
    join,
    kind_of,
    related,
)  # fmt: skip

COMPARISONS = {"is": "eq", "is not": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "div": "div", "mod": "mod"}
ONLY_CONTEXT = ("me", "active", "nobody", "nothing", "base")


def lower(frame: Frame, node: nodes.Expr, wanted: Type | None) -> Typed:
    """Check and lower a formula; *wanted* tells in which kind a bare value name is looked up."""
    match node:
        case nodes.Number():
            return Typed(["lit", node.value], Int(node.value, node.value))
        case nodes.Truth():
            return Typed(["lit", node.value], TRUTH)
        case nodes.Reference():
            return references.reference(frame, node, wanted)
        case nodes.My():
            return references.my(frame, node)
        case nodes.Of():
            return references.of(frame, node)
        case nodes.Printed():
            return references.printed(frame, node)
        case nodes.AllOf():
            return _all_of(frame, node)
        case nodes.Unary():
            return _unary(frame, node)
        case nodes.Binary():
            return _binary(frame, node, wanted)
        case nodes.Logic():
            return Typed([node.operator, *(truth(frame, v) for v in node.values)], TRUTH)
        case nodes.NamedArg():
            return frame.error("wrong-arguments", "arguments have no names here", node.span)
    return _lower_words(frame, node, wanted)


def _lower_words(frame: Frame, node: Any, wanted: Type | None) -> Typed:
    match node:
        case nodes.IsA():
            return _is_a(frame, node)
        case nodes.IsEmpty():
            return _negated(_is_empty(frame, node.value), node.negated)
        case nodes.Has():
            return _has(frame, node)
        case nodes.Conditional():
            return _conditional(frame, node, wanted)
        case nodes.SetLiteral():
            return _set_literal(frame, node, wanted)
        case nodes.SetWord():
            with frame.scope():
                return _set_word(frame, node, wanted)
        case nodes.ForWord():
            with frame.scope():
                return _for_word(frame, node, wanted)
        case nodes.MinMax():
            return _min_max(frame, node)
    raise AssertionError(f"a formula we do not know: {node!r}")


def _negated(value: Typed, negated: bool) -> Typed:
    return Typed(["not", value.ir], TRUTH) if negated else value


def _all_of(frame: Frame, node: nodes.AllOf) -> Typed:
    found = frame.names.kind_named(node.plural.text)
    if found is None:
        frame.unknown_kind(node.plural)
        return WRONG
    if not found[1] and frame.names.kinds[found[0]].plural != found[0]:
        plural = frame.names.kinds[found[0]].plural
        return frame.error("unknown-kind", f"`all` takes the plural: `all {plural}`", node.plural.span)
    frame.names.used.add(found[0])
    return Typed(["all", found[0]], SetOf(frame.names.kind_type(found[0])))


def _unary(frame: Frame, node: nodes.Unary) -> Typed:
    if node.operator == "not":
        return Typed(["not", truth(frame, node.value)], TRUTH)
    value = number(frame, node.value)
    assert isinstance(value.type, Int)
    if value.ir[0] == "lit":
        return Typed(["lit", -value.ir[1]], interval(-value.ir[1]))
    return Typed(["neg", value.ir], interval(-value.type.low, -value.type.high))


# -------------------------------------------------------------------------------------- two operands


def _bare(frame: Frame, node: nodes.Expr) -> bool:
    """Whether a formula is a bare name that only the type wanted can explain."""
    if isinstance(node, nodes.SetLiteral):
        return bool(node.items) and all(_bare(frame, i) for i in node.items)
    if not isinstance(node, nodes.Reference) or node.args is not None:
        return False
    text = node.name.text
    return text not in frame.bound and text not in ONLY_CONTEXT and bool(frame.names.kinds_with(text))


def _pair(frame: Frame, left: nodes.Expr, right: nodes.Expr, wanted: Type | None = None) -> tuple[Typed, Typed]:
    """Lower two operands of like type, the one that tells its type first."""
    if _bare(frame, left) and not _bare(frame, right):
        second = frame.expr(right, wanted)
        return frame.expr(left, second.type), second
    first = frame.expr(left, wanted)
    return first, frame.expr(right, wanted if wanted is not None and first.type == UNKNOWN else first.type)


def _binary(frame: Frame, node: nodes.Binary, wanted: Type | None) -> Typed:
    match node.operator:
        case "is" | "is not":
            return _equal(frame, node)
        case "<" | "<=" | ">" | ">=":
            sides = number(frame, node.left).ir, number(frame, node.right).ir
            return Typed([COMPARISONS[node.operator], *sides], TRUTH)
        case "in" | "not in":
            return _member(frame, node)
        case "..":
            low, high = number(frame, node.left), number(frame, node.right)
            _runs_forward(frame, low, high, node.span)
            both = join(low.type, high.type)
            return Typed(["range", low.ir, high.ir], SetOf(both if isinstance(both, Int) else Int()))
        case "without":
            return _sets(frame, node, "without", wanted)
    left, right = _pair(frame, node.left, node.right, wanted)
    if node.operator == "+" and (not isinstance(left.type, Int) or not isinstance(right.type, Int)):
        return _join_sets(frame, node, "union", left, right)
    return _arithmetic(frame, node, left, right)


def _runs_forward(frame: Frame, low: Typed, high: Typed, span: Span) -> None:
    """Report a range that is written backwards."""
    first, last = written_number(low), written_number(high)
    if first is not None and last is not None and first > last:
        text = f"`{first}..{last}` holds no number"
        frame.error("empty-range", text, span, help=f"write `{last}..{first}`")


def _arithmetic(frame: Frame, node: nodes.Binary, left: Typed, right: Typed) -> Typed:
    sides = coerce(frame, left, NUMBER, node.left.span), coerce(frame, right, NUMBER, node.right.span)
    if node.operator in ("div", "mod") and written_number(right) == 0:
        frame.error("division-by-zero", f"`{node.operator}` by 0 has no value", node.right.span)
    if not isinstance(left.type, Int) or not isinstance(right.type, Int):
        return Typed([ARITHMETIC[node.operator], *sides], UNKNOWN)
    return Typed([ARITHMETIC[node.operator], *sides], interval_of(node.operator, left.type, right.type))


def interval_of(operator: str, left: Int, right: Int) -> Int:
    """Return the interval of a sum, difference, product, quotient or remainder."""
    ends = [(a, b) for a in (left.low, left.high) for b in (right.low, right.high)]
    match operator:
        case "+":
            return interval(*(a + b for a, b in ends))
        case "-":
            return interval(left.low - right.high, left.high - right.low)
        case "*":
            return interval(*(a * b for a, b in ends))
        case "div" if right.low > 0:
            return interval(*(a // b for a, b in ends))
        case "mod" if right.low > 0:
            return Int(0, clamp(right.high - 1))
    return Int()


def _equal(frame: Frame, node: nodes.Binary) -> Typed:
    left, right = _pair(frame, node.left, node.right)
    left, right = plain(left), plain(right)
    if not is_unknown(left, right) and join(left.type, right.type) is None:
        first, second = kind_of(left.type), kind_of(right.type)
        if first is None or second is None or not related(first, second):
            return _unlike(frame, left.type, right.type, node.right.span)
    if is_set(left.type) != is_set(right.type):
        left, right = as_set(frame, left, node.left.span), as_set(frame, right, node.right.span)
    return Typed([COMPARISONS[node.operator], left.ir, right.ir], TRUTH)


def _unlike(frame: Frame, left: Type, right: Type, span: Span) -> Typed:
    help = "`is a` tests what is printed" if isinstance(kind_of(right), Kind) else None
    return frame.error("type-mismatch", f"expected {describe(left)}, found {describe(right)}", span, help=help)


def _member(frame: Frame, node: nodes.Binary) -> Typed:
    if _bare(frame, node.left):
        several = the_set(frame, node.right)
        thing = frame.expr(node.left, several.type)
    else:
        thing = frame.expr(node.left)
        several = as_set(frame, frame.expr(node.right, thing.type), node.right.span)
    if is_unknown(thing, several):
        return WRONG
    item = item_of(several.type)
    if frame.unit.row_tokens and isinstance(thing.type, SetOf) and isinstance(thing.type.item, Kind):
        local = frame.add_local(thing.type.item.name, thing.type.item)
        data = {"local": local, "in": several.ir, "where": ["in", ["local", local], thing.ir], "order": None}
        return _negated(Typed(["some", data], TRUTH), node.operator == "not in")
    if (item is not None and not assignable(thing.type, item)) or is_set(thing.type):
        return _unlike(frame, item if item is not None else several.type, thing.type, node.left.span)
    return _negated(Typed(["in", thing.ir, several.ir], TRUTH), node.operator == "not in")


def _sets(frame: Frame, node: nodes.Binary, operator: str, wanted: Type | None) -> Typed:
    left, right = _pair(frame, node.left, node.right, wanted)
    return _join_sets(frame, node, operator, left, right)


def _join_sets(frame: Frame, node: nodes.Binary, operator: str, left: Typed, right: Typed) -> Typed:
    first, second = as_set(frame, left, node.left.span), as_set(frame, right, node.right.span)
    if is_unknown(first, second):
        return WRONG
    both = _wider(frame, first.type, second.type)
    if operator == "without" and both is not None:
        both = first.type
    if both is None:
        return _unlike(frame, first.type, second.type, node.right.span)
    return Typed([operator, first.ir, second.ir], both)


def _wider(frame: Frame, left: Type, right: Type) -> Type | None:
    """Join two sets; of two kinds of token that is a set of either."""
    both = join(left, right)
    if both is not None:
        return both
    first, second = kind_of(item_of(left)), kind_of(item_of(right))
    if first is None or second is None:
        return None
    sorts = {frame.names.kinds[k].sort for k in first.leaves | second.leaves}
    return SetOf(frame.names.union_of((first.name, second.name))) if len(sorts) == 1 else None


# ------------------------------------------------------------------------------------------- tests


def _is_a(frame: Frame, node: nodes.IsA) -> Typed:
    value = frame.expr(node.value)
    if is_unknown(value):
        return WRONG
    thing, text = kind_of(value.type), node.name.text
    if thing is None:
        return mismatch(frame, value.type, Kind("thing", frozenset()), node.value.span)
    if text in frame.names.kinds and related(frame.thing(text), thing):
        frame.names.used.add(text)
        return _negated(Typed(["is_kind", value.ir, text], TRUTH), node.negated)
    for leaf in sorted(thing.leaves):
        table = frame.names.prints(leaf) or leaf
        row = frame.names.kinds[table].values.get(text) if table in frame.names.kinds else None
        if row is not None and frame.names.kinds[table].sort == "row":
            frame.names.used.add(table)
            printed = value.ir if table == leaf else ["row", value.ir]
            return _negated(Typed(["eq", printed, ["lit", row]], TRUTH), node.negated)
    if frame.names.is_lost(thing):
        return WRONG
    known = [*frame.names.leaves(thing.name)]
    for leaf in thing.leaves:
        known += list(frame.names.kinds[frame.names.prints(leaf) or leaf].values)
    help, notes = suggestion(text, known, f"what {a_thing(thing.name)} can be")
    return frame.error("unknown-name", f"no {thing.name} is a `{text}`", node.name.span, help=help, notes=notes)


def _is_empty(frame: Frame, node: nodes.Expr) -> Typed:
    value = frame.expr(node)
    if isinstance(value.type, ZoneOf):
        return Typed(["zone_empty", value.ir], TRUTH)
    return Typed(["is_empty", as_set(frame, value, node.span).ir], TRUTH)


def _has(frame: Frame, node: nodes.Has) -> Typed:
    value = frame.expr(node.value)
    thing = kind_of(value.type)
    if is_unknown(value):
        return WRONG
    if thing is None:
        return mismatch(frame, value.type, Kind("thing", frozenset()), node.value.span)
    for leaf in sorted(thing.leaves):
        cell = f"{frame.names.prints(leaf) or leaf}.{node.cell.text}"
        if cell in frame.names.cells:
            frame.names.used.add(cell)
            return Typed(["has_cell", cell, value.ir], TRUTH)
    if frame.names.is_lost(thing):
        return WRONG
    known = [c.split(".")[1] for c in frame.names.cells]
    help, notes = suggestion(node.cell.text, known, "cells of this game")
    return frame.error(
        "unknown-column",
        f"`{node.cell.text}` is no cell of {a_thing(thing.name)}",
        node.cell.span,
        help=help,
        notes=notes,
    )


def _conditional(frame: Frame, node: nodes.Conditional, wanted: Type | None) -> Typed:
    condition = truth(frame, node.condition)
    left, right = _pair(frame, node.then, node.otherwise, wanted)
    if isinstance(left.type, ZoneOf) != isinstance(right.type, ZoneOf) or is_set(left.type) != is_set(right.type):
        left, right = as_set(frame, left, node.then.span), as_set(frame, right, node.otherwise.span)
    left, right = plain(left), plain(right)
    both = join(left.type, right.type)
    if both is None:
        return _unlike(frame, left.type, right.type, node.otherwise.span)
    return Typed(["if", condition, left.ir, right.ir], both)


# -------------------------------------------------------------------------------------- sets, words


def _set_literal(frame: Frame, node: nodes.SetLiteral, wanted: Type | None) -> Typed:
    item: Type | None = item_of(wanted) if wanted is not None else None
    lowered: list[Any] = []
    found: Type | None = None
    for part in node.items:
        value = frame.expr(part, item)
        if isinstance(value.type, Unknown):
            return WRONG
        if is_set(value.type):
            return mismatch(frame, value.type, item or Kind("thing", frozenset()), part.span)
        joined = value.type if found is None else join(found, value.type)
        if joined is None:
            return _unlike(frame, found or value.type, value.type, part.span)
        found, item = joined, item or value.type
        lowered.append(value.ir)
    thing: Type | None = found.kind if isinstance(found, Opt) else found
    return Typed(["set", *lowered], SetOf(thing if isinstance(thing, Kind | Int | Truth) else None))


def _set_word(frame: Frame, node: nodes.SetWord, wanted: Type | None) -> Typed:
    if isinstance(node.over, nodes.Binder):
        return _over_binder(frame, node.word, node.over)
    value = frame.expr(node.over, SetOf(_item(wanted)) if node.word in ("first", "those") else None)
    if isinstance(value.type, ZoneOf) and node.word in ("count", "some"):
        if node.word == "count":
            return Typed(["zone_size", value.ir], Int(0, frame.names.size(value.type.kind)))
        return Typed(["not", ["zone_empty", value.ir]], TRUTH)
    several = as_set(frame, value, node.over.span)
    item = item_of(several.type)
    match node.word:
        case "count":
            return Typed(["size", several.ir], Int(0, clamp(frame.names.size(item))))
        case "some":
            return Typed(["not", ["is_empty", several.ir]], TRUTH)
        case "first":
            return Typed(["first", several.ir], _one(item))
    return several


def _item(wanted: Type | None) -> Any:
    return item_of(wanted) if wanted is not None else None


def _one(item: Any) -> Type:
    return Opt(item) if isinstance(item, Kind) else item if item is not None else UNKNOWN


def _over_binder(frame: Frame, word: str, binder: nodes.Binder) -> Typed:
    found = loop(frame, binder)
    item = found.type
    match word:
        case "count":
            return Typed(["count", found.data], Int(0, clamp(found.size)))
        case "some":
            return Typed(["some", found.data], TRUTH)
        case "first":
            return Typed(["first_of", found.data], _one(item))
    return Typed(["those", found.data], SetOf(item) if isinstance(item, Kind | Int | Truth) else UNKNOWN)


def _for_word(frame: Frame, node: nodes.ForWord, wanted: Type | None) -> Typed:
    found = loop(frame, node.binder)
    with frame.me(frame.has_me, frame.my_refused or found.over_players):
        if node.word == "every":
            return Typed(["every", found.data, truth(frame, node.value)], TRUTH)
        if node.word == "distinct":
            value = frame.expr(node.value, _item(wanted))
            item = value.type.kind if isinstance(value.type, Opt) else value.type
            if not isinstance(item, Kind | Int | Truth):
                return WRONG if is_unknown(value) else mismatch(frame, value.type, NUMBER, node.value.span)
            return Typed(["distinct", found.data, value.ir], SetOf(item))
        value = number(frame, node.value)
    assert isinstance(value.type, Int)
    if node.word == "sum":
        return Typed(
            ["sum", found.data, value.ir], interval(0, value.type.low * found.size, value.type.high * found.size)
        )
    return Typed([f"{node.word}_of", found.data, value.ir], interval(0, value.type.low, value.type.high))


def _min_max(frame: Frame, node: nodes.MinMax) -> Typed:
    values = [number(frame, v) for v in node.values]
    ends = [v.type for v in values if isinstance(v.type, Int)]
    pick = min if node.word == "min" else max
    given = Int(pick(e.low for e in ends), pick(e.high for e in ends))
    return Typed([node.word, *(v.ir for v in values)], given)
