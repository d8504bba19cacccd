"""The built-in functions: `next(p)`, `score(p)`, `distance(a, b)` ..."""

from __future__ import annotations

from rulespec import nodes
from rulespec.coercions import as_set, coerce, is_unknown, player
from rulespec.diagnostics import counted
from rulespec.operations import FUNCTIONS
from rulespec.scope import WRONG, Frame, Typed, mismatch
from rulespec.symbols import constant
from rulespec.value_types import NUMBER, TRUTH, Int, Kind, SetOf, item_of, kind_of


def call_builtin(frame: Frame, node: nodes.Reference, args: tuple[nodes.Expr, ...]) -> Typed:
    """Lower the call of a built-in function."""
    name = node.name.text
    wanted = len(FUNCTIONS[name].parameters)
    if len(args) != wanted:
        listed = ", ".join(FUNCTIONS[name].parameters)
        takes = counted(wanted, "argument")
        return frame.error("wrong-arguments", f"`{name}({listed})` takes {takes}, found {len(args)}", node.span)
    match name:
        case "opponent" | "next":
            return _of_player(frame, name, args[0], node)
        case "score":
            return Typed(["score", player(frame, args[0])], NUMBER)
        case "seat":
            return _seat(frame, args[0])
        case "lines":
            return _lines(frame, args[0])
        case "distance":
            return _distance(frame, args, node)
    return _walks(frame, name, args)


def _of_player(frame: Frame, name: str, arg: nodes.Expr, node: nodes.Reference) -> Typed:
    if name == "opponent" and frame.names.game.players[1] != 2:
        return frame.error(
            "wrong-arguments", "`opponent` needs a game for two players", node.span, help="use `next(p)`"
        )
    return Typed([name, player(frame, arg)], frame.thing("player"))


def _seat(frame: Frame, arg: nodes.Expr) -> Typed:
    number = constant(arg)
    if number is None or not 1 <= number <= len(frame.names.seats):
        return frame.error("type-mismatch", f"`seat` takes a written number 1..{len(frame.names.seats)}", arg.span)
    return Typed(["lit", number - 1], frame.thing("player"))


def _lines(frame: Frame, arg: nodes.Expr) -> Typed:
    kind = frame.names.lines.get(constant(arg) or 0)
    if kind is None:
        return frame.error("wrong-arguments", "`lines` takes a written length of a grid", arg.span)
    return Typed(["all", kind], SetOf(Kind("line", frozenset({"line"}))))


def _distance(frame: Frame, args: tuple[nodes.Expr, ...], node: nodes.Reference) -> Typed:
    left = frame.expr(args[0])
    right = frame.expr(args[1], left.type)
    if is_unknown(left, right):
        return WRONG
    if isinstance(left.type, Int) and isinstance(right.type, Int):
        return Typed(["distance", None, left.ir, right.ir], Int(0, max(left.type.high, right.type.high)))
    first, second = kind_of(left.type), kind_of(right.type)
    if first is None or second is None:
        return mismatch(frame, left.type, NUMBER, args[0].span)
    kind = _graph_kind(frame, first.leaves | second.leaves)
    if kind is None:
        return frame.error("type-mismatch", "`distance` takes two places of one map or two numbers", node.span)
    frame.unit.measured.add(kind)
    return Typed(["distance", kind, left.ir, right.ir], Int(-1, frame.names.kinds[kind].size))


def _graph_kind(frame: Frame, leaves: frozenset[str]) -> str | None:
    """Return the smallest kind of place with a graph that holds all *leaves*."""
    fitting = [k for k in frame.names.graphs if leaves <= frame.names.leaves(k)]
    return min(fitting, key=lambda k: len(frame.names.leaves(k)), default=None)


def _walks(frame: Frame, name: str, args: tuple[nodes.Expr, ...]) -> Typed:
    first = frame.expr(args[0])
    several = as_set(frame, first if len(args) == 1 else frame.expr(args[1]), args[-1].span)
    if is_unknown(first, several):
        return WRONG
    thing = kind_of(item_of(first.type))
    kind = _graph_kind(frame, thing.leaves) if thing else None
    if kind is None:
        return frame.error("type-mismatch", f"`{name}` takes places of a map", args[0].span)
    place = frame.thing(kind)
    if name == "connected":
        return Typed(["connected", kind, several.ir], TRUTH)
    members = coerce(frame, several, SetOf(place), args[1].span)
    return Typed(["reachable", kind, first.ir, members], SetOf(place))
