"""Statements that change the position: moves, counters, draws, chance, sides, knowledge."""

from __future__ import annotations

from typing import Any

from rulespec import nodes
from rulespec.binders import members
from rulespec.coercions import amount, as_set, is_unknown, of_kind, player, players, tokens
from rulespec.diagnostics import suggestion
from rulespec.references import at_most_of, row_tokens
from rulespec.scope import Frame, Statement, Typed, mismatch
from rulespec.value_types import UNKNOWN, Kind, SetOf, ZoneOf, a_thing, assignable, describe, item_of, kind_of

A_ZONE = ZoneOf("", Kind("token", frozenset()), True)


def effect(frame: Frame, node: nodes.Stmt) -> Statement | None:
    """Lower an effect."""
    match node:
        case nodes.Move():
            return _move(frame, node)
        case nodes.Transfer():
            return _transfer(frame, node)
        case nodes.Create():
            return _create(frame, node)
        case nodes.Draw():
            return _draw(frame, node)
        case nodes.Shuffle():
            return {"op": "shuffle", "zone": _zone(frame, node.zone, single=False)}
        case nodes.Roll():
            return {"op": "roll", "dice": _dice(frame, node.dice)}
        case nodes.Pick():
            return _pick(frame, node)
        case nodes.Show():
            return {"op": "show", "tokens": tokens(frame, node.tokens).ir, "to": players(frame, node.to)}
        case nodes.LookAt():
            return {"op": "look", "tokens": tokens(frame, node.tokens).ir}
        case nodes.Turn():
            return {"op": "turn", "side": node.side, "tokens": tokens(frame, node.tokens).ir}
    raise AssertionError(f"a statement we do not know: {node!r}")


def _zone(frame: Frame, node: nodes.Expr, single: bool) -> Any:
    """Lower a zone; report anything else, or several slots where one is wanted."""
    value = frame.expr(node, A_ZONE)
    if is_unknown(value):
        return None
    if not isinstance(value.type, ZoneOf):
        return frame.error("type-mismatch", f"a zone is wanted, found {describe(value.type)}", node.span) and None
    if single and not value.type.single:
        declared = frame.names.zones[value.type.name]
        keys = " and ".join(k.text for k in declared.each)
        frame.error("type-mismatch", f"which `{value.type.name}`? there is one for each {keys}", node.span)
    return value.ir


def _kind_in(frame: Frame, zone: Any) -> Kind | None:
    return frame.names.holds(frame.names.zones[zone["zone"]]) if zone else None


# ------------------------------------------------------------------------------------------- tokens


def _move(frame: Frame, node: nodes.Move) -> Statement:
    if node.kind is not None and node.kind.text in frame.names.counters:
        return _move_counter(frame, node, node.kind.text)
    if node.kind is not None and not frame.unit.row_tokens and frame.names.kind_named(node.kind.text) is None:
        _no_such_kind(frame, node.kind, None)  # nor is it known then what its ends should be
        return {"op": "move"}
    count = amount(frame, node.amount) if node.amount is not None else None
    value = frame.expr(node.source)
    source = value.ir if isinstance(value.type, ZoneOf) else None
    what = _moved(frame, node, value)
    target = _zone(frame, node.target, single=True)
    held, kind = _kind_in(frame, target), kind_of(item_of(what.type)) if what.type != UNKNOWN else None
    if held and kind and not assignable(kind, held):
        name = target["zone"]
        frame.error("type-mismatch", f"`{name}` holds {held.name}, found {kind.name}", node.source.span)
    return {
        "op": "move", "what": what.ir, "amount": count, "to": target, "face": node.face, "as_far": node.as_far,
        "from": source,
    }  # fmt: skip


def _moved(frame: Frame, node: nodes.Move, value: Typed) -> Typed:
    """Return the set of tokens a move takes from."""
    several = as_set(frame, value, node.source.span)
    if is_unknown(several):
        return several
    kind = kind_of(item_of(several.type))
    if several.type != SetOf(None) and (kind is None or not all(k in frame.names.tokens for k in kind.leaves)):
        return mismatch(frame, value.type, SetOf(Kind("token", frozenset({"token"}))), node.source.span)
    if node.kind is None:
        return several
    found = frame.names.kind_named(node.kind.text)
    if found is not None:
        frame.names.used.add(found[0])
        return of_kind(frame, several, found[0], node.kind.span)
    of_row = row_tokens(frame, node.kind.text, kind, several) if frame.unit.row_tokens and kind is not None else None
    return of_row or _no_such_kind(frame, node.kind, kind)


def _no_such_kind(frame: Frame, name: nodes.Name, kind: Kind | None) -> Typed:
    """Report a name of no token or counter; in scenarios a row may stand there too."""
    names = frame.names
    known = [*names.tokens, *names.counters]
    for leaf in sorted(kind.leaves) if frame.unit.row_tokens and kind is not None else ():
        table = names.prints(leaf)
        known += names.kinds[table].values if table else ()
    help, notes = suggestion(name.text, known, "tokens and counters of this game")
    return frame.error("unknown-kind", f"no token or counter is named `{name.text}`", name.span, help=help, notes=notes)


def _draw(frame: Frame, node: nodes.Draw) -> Statement:
    count = amount(frame, node.amount)
    source = _zone(frame, node.source, single=True)
    target = _zone(frame, node.target, single=True)
    if source and frame.names.zones[source["zone"]].order == "unordered":
        declared = frame.names.zones[source["zone"]]
        if at_most_of(declared) != 1:
            frame.error(
                "top-of-unordered", f"`{declared.name.text}` has no top to draw from", node.source.span,
                help="say `order: shuffled` or `order: stack`, or use `move`",
            )  # fmt: skip
    from_kind, to_kind = _kind_in(frame, source), _kind_in(frame, target)
    if from_kind and to_kind and not assignable(from_kind, to_kind):
        text = f"`{target['zone']}` holds {to_kind.name}, found {from_kind.name}"
        frame.error("type-mismatch", text, node.target.span)
    return {
        "op": "draw", "amount": count, "from": source, "to": target, "face": node.face, "as_far": node.as_far
    }  # fmt: skip


def _dice(frame: Frame, node: nodes.Expr) -> Any:
    value = tokens(frame, node)
    kind = kind_of(item_of(value.type)) if value.type != UNKNOWN else None
    if kind and not all(frame.names.tokens[k].node.faces for k in kind.leaves):
        frame.error("type-mismatch", f"`roll` takes dice, and {a_thing(kind.name)} has no faces", node.span)
    return value.ir


def _pick(frame: Frame, node: nodes.Pick) -> Statement:
    kind = node.kind.text
    if kind != "number" and kind not in frame.names.kinds:
        frame.unknown_kind(node.kind)
        given, source = UNKNOWN, ["set"]
    else:
        given, source = members(frame, kind, node.source)  # type: ignore[assignment]
    local = frame.bind((node.name or node.kind).text, given, (node.name or node.kind).span)
    return {"op": "pick", "local": local, "from": source}


# ----------------------------------------------------------------------------------------- counters


def holder(frame: Frame, node: nodes.Expr) -> list[Any]:
    """Lower a holder of counters: a player or the bank."""
    if isinstance(node, nodes.Reference) and node.name.text == "bank" and node.args is None:
        return ["bank"]
    return ["player", player(frame, node)]


def _move_counter(frame: Frame, node: nodes.Move, name: str) -> Statement:
    frame.names.used.add(name)
    count = amount(frame, node.amount) if node.amount is not None else None
    ends = holder(frame, node.source), holder(frame, node.target)
    return {
        "op": "transfer", "counter": name, "amount": count, "from": ends[0], "to": ends[1], "as_far": node.as_far
    }  # fmt: skip


def _counter(frame: Frame, name: nodes.Name) -> str:
    if name.text not in frame.names.counters:
        help, notes = suggestion(name.text, list(frame.names.counters), "counters of this game")
        frame.error("unknown-name", f"no counter is named `{name.text}`", name.span, help=help, notes=notes)
    frame.names.used.add(name.text)
    return name.text


def _transfer(frame: Frame, node: nodes.Transfer) -> Statement:
    name = _counter(frame, node.counter)
    if not frame.has_me:
        frame.error("unknown-name", f"who is to {node.form}?", node.span, help="write `move N counter from P to Q`")
    ends = ["player", ["me"]], holder(frame, node.holder)
    source, target = ends if node.form == "pay" else ends[::-1]
    count = amount(frame, node.amount)
    return {"op": "transfer", "counter": name, "amount": count, "from": source, "to": target, "as_far": node.as_far}


def _create(frame: Frame, node: nodes.Create) -> Statement:
    name = _counter(frame, node.counter)
    return {
        "op": node.form, "counter": name, "amount": amount(frame, node.amount), "holder": holder(frame, node.holder)
    }  # fmt: skip
