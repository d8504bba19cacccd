"""Names in formulas: locals, values, zones and their slots, state, printed columns, rules and built-ins."""

from __future__ import annotations

from functools import reduce
from typing import Any

from rulespec import nodes
from rulespec.builtin_calls import call_builtin
from rulespec.calls import call_cell, call_function, missing, none_of
from rulespec.coercions import as_set, coerce, is_unknown, player
from rulespec.diagnostics import counted, nearest, suggestion
from rulespec.operations import FUNCTIONS
from rulespec.scope import WRONG, Frame, Typed, mismatch
from rulespec.source import Span
from rulespec.symbols import ColumnInfo, constant
from rulespec.value_types import (
    NOTHING,
    TRUTH,
    UNKNOWN,
    Int,
    Kind,
    Opt,
    SetOf,
    Type,
    ZoneOf,
    a_thing,
    item_of,
    join,
    kind_of,
    related,
)  # fmt: skip

CONTEXT = {"me": ["me"], "active": ["active"]}


def reference(frame: Frame, node: nodes.Reference, wanted: Type | None) -> Typed:
    """Lower a bare name, or a name with arguments."""
    text = node.name.text
    if node.args is not None:
        return _with_arguments(frame, node, text, node.args)
    if text in frame.bound:
        index = frame.bound[text]
        return Typed(["local", index], frame.types[index])
    special = _special(frame, node, text)
    if special is not None:
        return special
    value = _value(frame, text, wanted)
    if value is not None:
        return value
    if text in frame.names.zones:
        return zone(frame, node.name, [], node.span)
    found = _state(frame, node.name, [], node.span)
    if found is not None:
        return found
    return _loose_value(frame, node, wanted)


def _special(frame: Frame, node: nodes.Reference, text: str) -> Typed | None:
    thing = frame.thing("player")
    if text == "me" and not frame.has_me:
        return no_me(frame, node.span)
    if text in CONTEXT:
        return Typed(CONTEXT[text], thing if text == "me" else Opt(thing))
    if text in ("nobody", "nothing"):
        return Typed(["lit", -1], NOTHING)
    if text == "base":
        return base(frame, None, node.span)
    if text in ("game_over",) and frame.kind == "scenario":
        return Typed(["game_over"], TRUTH)
    return None


def no_me(frame: Frame, span: Span) -> Typed:
    """Report a `me` or `my` where nobody performs the rule."""
    if frame.kind in ("function", "score", "end", "invariant"):
        help = "a function has no `me`: give it the player as a parameter"
    else:
        help = "say who performs it: `by: P`"
    return frame.error("unknown-name", "`me` means nobody here", span, help=help)


def base(frame: Frame, args: tuple[nodes.Expr, ...] | None, span: Span) -> Typed:
    """Lower `base` or `base(x)`: what lies below this change."""
    if frame.base is None:
        return frame.error("unknown-name", "`base` stands only in `changes`", span)
    result, params = frame.base
    if args is None:
        return Typed(["base", *(["local", i] for i in params)], result)
    if len(args) != len(params):
        return frame.error(
            "wrong-arguments", f"`base` takes {counted(len(params), 'argument')}, found {len(args)}", span
        )
    lowered = [
        coerce(frame, frame.expr(a, frame.types[i]), frame.types[i], a.span) for a, i in zip(args, params, strict=True)
    ]
    return Typed(["base", *lowered], result)


def _value(frame: Frame, text: str, wanted: Type | None) -> Typed | None:
    """Return the value of the kind that is wanted."""
    kind = kind_of(item_of(wanted)) if wanted is not None else None
    if kind is None:
        return None
    found = frame.names.value(kind.name, text)
    if found is None:
        return row_tokens(frame, text, kind) if frame.unit.row_tokens else None
    owner = next(k for k in frame.names.leaves(kind.name) if text in frame.names.kinds[k].values)
    frame.names.used.add(owner)
    return Typed(["lit", found], Kind(owner, frozenset({owner})))


def row_tokens(frame: Frame, text: str, kind: Kind, within: Typed | None = None) -> Typed | None:
    """In scenarios a row stands for the tokens that print it, all or those *within* a set; for the one there is."""
    for leaf in sorted(kind.leaves):
        table = frame.names.prints(leaf)
        row = frame.names.kinds[table].values.get(text) if table else None
        if row is None:
            continue
        thing = frame.thing(leaf) if within is None else kind
        local = frame.add_local(leaf, thing)
        where = ["eq", ["row", ["local", local]], ["lit", row]]
        source = ["all", leaf] if within is None else within.ir
        data = {"local": local, "in": source, "where": where, "order": None}
        if within is None and frame.names.tokens[leaf].rows.count(row) == 1:
            return Typed(["first_of", data], thing)
        return Typed(["those", data], SetOf(thing) if within is None else within.type)
    return None


def _loose_value(frame: Frame, node: nodes.Reference, wanted: Type | None) -> Typed:
    """Look a name up in all kinds, where the type wanted does not tell."""
    text, names = node.name.text, frame.names
    kinds = names.kinds_with(text)
    if len(kinds) == 1:
        names.used.add(kinds[0])
        return Typed(["lit", names.kinds[kinds[0]].values[text]], names.kind_type(kinds[0]))
    if kinds and wanted == UNKNOWN:
        return WRONG
    if kinds:
        listed = ", ".join(f"`{k}`" for k in sorted(kinds))
        return frame.error("ambiguous-name", f"`{text}` is a value of {listed}: which one is not clear", node.span)
    if text in names.kinds or text in names.plurals:
        return _unbound_kind(frame, text, node.span)
    return missing(frame, node.name, wanted)


def _unbound_kind(frame: Frame, text: str, span: Span) -> Typed:
    kind, plural = frame.names.kind_named(text) or (text, False)
    word = frame.names.kinds[kind].plural
    return frame.error(
        "unknown-name", f"no {'set' if plural else 'variable'} `{text}` is bound here", span,
        help=f"all of them are `all {word}`",
    )  # fmt: skip


def _state(frame: Frame, name: nodes.Name, args: list[nodes.Expr], span: Span) -> Typed | None:
    """Lower a variable, option, function or counter by its name."""
    text, names = name.text, frame.names
    if text in names.variables:
        return variable(frame, name, args, span)
    if text in names.options and not args:
        names.used.add(text)
        option = names.options[text]
        return Typed(["option", text], option_type(frame, option))
    if text in names.functions:
        return call_function(frame, name, tuple(args), span)
    if text in names.counters and args:
        return counter(frame, name, args[0], span)
    for word, table in (("counter", names.counters), ("procedure", names.procedures), ("action", names.actions)):
        if text in table:
            return frame.error("type-mismatch", f"`{text}` is {a_thing(word)}, and not a value", name.span)
    return None


def option_type(frame: Frame, option: nodes.Option) -> Type:
    """Return the type of an option: its own enumeration, or the type written."""
    if option.type.form == "values":
        return frame.thing(option.name.text)
    return frame.names.written_type(option.type)


def _with_arguments(frame: Frame, node: nodes.Reference, text: str, args: tuple[nodes.Expr, ...]) -> Typed:
    names = frame.names
    if text == "base":
        return base(frame, args, node.span)
    if text in FUNCTIONS:
        return call_builtin(frame, node, args)
    if text == "place" and frame.kind == "scenario" and len(args) == 1 and text not in names.functions:
        return Typed(["final_place", player(frame, args[0])], Int(1, names.game.players[1]))
    if text in names.zones:
        return zone(frame, node.name, list(args), node.span)
    if text in names.kinds and names.kinds[text].sort == "place":
        return _place(frame, node, text, args)
    found = _state(frame, node.name, list(args), node.span)
    if found is not None:
        return found
    known = [*names.functions, *names.zones, *names.variables, *FUNCTIONS, *names.procedures]
    help, notes = suggestion(text, known, "rules of this game")
    return none_of(frame, "unknown-rule", f"no rule is named `{text}`", node.name.span, help, notes)


def _place(frame: Frame, node: nodes.Reference, kind: str, args: tuple[nodes.Expr, ...]) -> Typed:
    """Lower `space(r25, 1)` or `cell(1, 2)`: a place by its written number."""
    words = [
        str(a.value) if isinstance(a, nodes.Number) else getattr(getattr(a, "name", None), "text", "?") for a in args
    ]
    label = f"{kind}({', '.join(words)})"
    values = frame.names.kinds[kind].values
    if label in values:
        return Typed(["lit", values[label]], frame.thing(kind))
    near = nearest(label, values)
    return frame.error(
        "unknown-name", f"there is no `{label}`", node.span, help=f"did you mean `{near}`?" if near else None
    )


# ------------------------------------------------------------------------------------ zones, variables


def zone(frame: Frame, name: nodes.Name, args: list[nodes.Expr], span: Span, me: bool = False) -> Typed:
    """Lower a zone with the keys given; keys that are not given stand for all."""
    declared = frame.names.zones[name.text]
    frame.names.used.add(name.text)
    kinds = [k.text for k in declared.each]
    slots: list[Any] = [None] * len(kinds)
    if me and "player" in kinds:
        slots[kinds.index("player")] = ["one", ["me"]]
    if len(args) > slots.count(None):
        text = f"`{name.text}` has {len(kinds)} keys, found {len(args) + (len(kinds) - slots.count(None))}"
        return frame.error("wrong-arguments", text, span)
    for arg in args:
        if not _fill_slot(frame, kinds, slots, arg, len(args) == slots.count(None), name):
            return WRONG
    keys = [slot or ["all"] for slot in slots]
    single = all(k[0] == "one" for k in keys)
    return Typed({"zone": name.text, "keys": keys}, ZoneOf(name.text, frame.names.holds(declared), single))


def _fill_slot(
    frame: Frame, kinds: list[str], slots: list[Any], arg: nodes.Expr, in_order: bool, name: nodes.Name
) -> bool:
    """Put one argument into the first free key it fits."""
    free = [i for i, s in enumerate(slots) if s is None]
    wanted = free[:1] if in_order or len(free) == 1 else [i for i in free if _names_one(frame, arg, kinds[i])]
    value = frame.expr(arg, frame.names.kind_type(kinds[wanted[0]]) if len(wanted) == 1 else None)
    if is_unknown(value):
        return False
    item = item_of(value.type)
    for index in free:
        key = frame.names.kind_type(kinds[index])
        fits = (isinstance(item, Int) and isinstance(key, Int)) or (
            isinstance(item, Kind) and isinstance(key, Kind) and related(item, key)
        )
        if fits or value.type in (NOTHING, SetOf(None)):
            several = isinstance(value.type, SetOf | ZoneOf) or _is_line(frame, value.type)
            slots[index] = ["many", as_set(frame, value, arg.span).ir] if several else ["one", value.ir]
            return True
        if in_order or len(free) == 1:
            mismatch(frame, value.type, key, arg.span)
            return False
    listed = " and ".join(kinds)
    frame.error("type-mismatch", f"`{name.text}` is kept for each {listed}, found another kind", arg.span)
    return False


def _names_one(frame: Frame, arg: nodes.Expr, kind: str) -> bool:
    """Say whether an argument is the bare name of a member of *kind*."""
    if not isinstance(arg, nodes.Reference) or arg.args is not None:
        return False
    return _value(frame, arg.name.text, frame.names.kind_type(kind)) is not None


def _is_line(frame: Frame, given: Type) -> bool:
    return isinstance(given, Kind) and frame.names.kinds[given.name].sort == "line"


def variable(frame: Frame, name: nodes.Name, args: list[nodes.Expr], span: Span, me: bool = False) -> Typed:
    """Lower a variable with all its keys."""
    declared = frame.names.variables[name.text]
    frame.names.used.add(name.text)
    kinds = [k.text for k in declared.each]
    keys: list[Any] = [None] * len(kinds)
    if me and "player" in kinds:
        keys[kinds.index("player")] = ["me"]
    free = [i for i, k in enumerate(keys) if k is None]
    if len(free) != len(args):
        text = f"`{name.text}` is kept for each {' and '.join(kinds)}" if kinds else f"`{name.text}` has no keys"
        return frame.error("wrong-arguments", text, span)
    for index, arg in zip(free, args, strict=True):
        wanted = frame.names.kind_type(kinds[index])
        keys[index] = coerce(frame, frame.expr(arg, wanted), wanted, arg.span)
    return Typed(["var", name.text, *keys], frame.names.written_type(declared.type))


def counter(frame: Frame, name: nodes.Name, of: nodes.Expr | None, span: Span) -> Typed:
    """Lower how much of a counter somebody (None: `me`) or the bank has."""
    frame.names.used.add(name.text)
    if of is None:
        holder: Any = ["me"]
    elif isinstance(of, nodes.Reference) and of.name.text == "bank" and of.args is None:
        holder = ["bank"]
    else:
        holder = player(frame, of)
    return Typed(["counter", name.text, holder], counter_type(frame, name.text))


def counter_type(frame: Frame, name: str) -> Int:
    """Return the interval of a counter: its bound for one holder, or all there is of it."""
    declared = frame.names.counters[name]
    most, start, bank = (constant(e) for e in (declared.at_most, declared.start, declared.bank))
    if most is not None:
        return Int(0, most)
    if start is None or bank is None or name in frame.unit.created:
        return Int(0)
    return Int(0, bank + start * len(frame.names.seats))


def my(frame: Frame, node: nodes.My) -> Typed:
    """Lower `my X`."""
    name, args, names = node.name, list(node.args or ()), frame.names
    if not frame.has_me:
        return no_me(frame, node.span)
    if frame.my_refused:
        frame.error(
            "my-in-player-loop", "`my` in a loop over players: it still means `me`, not the player of the loop",
            node.span, help=f"write `{name.text} of player`, or `{name.text} of me`",
        )  # fmt: skip
        return WRONG
    if name.text in names.zones:
        return zone(frame, name, args, node.span, me=True)
    if name.text in names.variables:
        return variable(frame, name, args, node.span, me=True)
    if name.text in names.counters and not args:
        return counter(frame, name, None, node.span)
    return _no_state(frame, name)


def _no_state(frame: Frame, name: nodes.Name) -> Typed:
    names = frame.names
    if name.text in names.functions or name.text in names.procedures:
        return frame.error(
            "wrong-arguments", f"`{name.text}` is a rule, and not state", name.span, help=f"write `{name.text}(x)`"
        )
    known = [*names.zones, *names.variables, *names.counters]
    help, notes = suggestion(name.text, known, "zones, variables and counters of this game")
    return none_of(
        frame, "unknown-name", f"no zone, variable or counter is named `{name.text}`", name.span, help, notes
    )


def of(frame: Frame, node: nodes.Of) -> Typed:
    """Lower `X of y`: state of a thing, or a key of the zone a token lies in."""
    name, names = node.name, frame.names
    if name.text == "top":
        return _top(frame, node)
    if name.text == "face":
        return _face(frame, node)
    if name.text in names.zones:
        return zone(frame, name, [node.of], node.span)
    if name.text in names.variables:
        return variable(frame, name, [node.of], node.span)
    if name.text in names.counters:
        return counter(frame, name, node.of, node.span)
    if name.text in names.kinds:
        return _key_of(frame, node)
    return _no_state(frame, name)


def _top(frame: Frame, node: nodes.Of) -> Typed:
    value = frame.expr(node.of)
    if is_unknown(value):
        return WRONG
    if not isinstance(value.type, ZoneOf):
        return frame.error("type-mismatch", "`top of` takes a zone", node.of.span)
    declared = frame.names.zones[value.type.name]
    if declared.order != "stack" and at_most_of(declared) != 1:
        return frame.error(
            "top-of-unordered", f"`{declared.name.text}` has no top: it is no stack", node.span,
            help="say `order: stack`, `at_most: 1`, or choose a token",
        )  # fmt: skip
    if not value.type.single:
        return frame.error("type-mismatch", f"`top of` takes one slot of `{declared.name.text}`", node.of.span)
    return Typed(["top", value.ir], Opt(value.type.kind))


def at_most_of(declared: nodes.Zone) -> int | None:
    """Return the written bound of a zone."""
    return declared.at_most.value if isinstance(declared.at_most, nodes.Number) else None


def _face(frame: Frame, node: nodes.Of) -> Typed:
    value = frame.expr(node.of)
    kind = kind_of(value.type)
    if is_unknown(value):
        return WRONG
    infos = [frame.names.tokens.get(k) for k in kind.leaves] if kind else []
    faces = [i.node.faces for i in infos if i and i.node.faces]
    if not faces:
        return mismatch(frame, value.type, Kind("die", frozenset()), node.of.span)
    given = [frame.names.written_type(each) for each in faces]
    return Typed(["face", value.ir], reduce(lambda both, each: join(both, each) or UNKNOWN, given))


def _key_of(frame: Frame, node: nodes.Of) -> Typed:
    """Lower `player of card`: the key of that kind of the zone the token lies in."""
    kind = node.name.text
    value = frame.expr(node.of)
    if is_unknown(value):
        return WRONG
    thing = kind_of(value.type)
    if thing is None or not all(k in frame.names.tokens for k in thing.leaves):
        return mismatch(frame, value.type, Kind("token", frozenset()), node.of.span)
    given = frame.names.kind_type(kind)
    return Typed(["place", kind, value.ir], Opt(given) if isinstance(given, Kind) else given)


# ------------------------------------------------------------------------------------------- printed


def printed(frame: Frame, node: nodes.Printed) -> Typed:
    """Lower `x.NAME` or `x.NAME(y)`: a column, a cell, the row, the owner."""
    value = frame.expr(node.of)
    if is_unknown(value):
        return WRONG
    kind = kind_of(value.type)
    if kind is None:
        text = f"`.{node.name.text}` needs one thing"
        return frame.error("type-mismatch", text, node.of.span, help="name one: `top of Z`, `first(S)`")
    if node.name.text == "owner" and node.args is None and any(k in frame.names.tokens for k in kind.leaves):
        return Typed(["owner", value.ir], Opt(frame.thing("player")))
    for leaf in sorted(kind.leaves):
        table = frame.names.prints(leaf)
        if table == node.name.text and node.args is None:
            return Typed(["row", value.ir], frame.thing(table))
    owners = _owners(frame, kind)
    for owner in owners:
        column = frame.names.columns.get(f"{owner}.{node.name.text}")
        if column is not None:
            return _column(frame, node, column, value)
        if f"{owner}.{node.name.text}" in frame.names.cells:
            return call_cell(frame, f"{owner}.{node.name.text}", value, node)
    return WRONG if frame.names.is_lost(kind) else _no_column(frame, node, owners)


def _owners(frame: Frame, kind: Kind) -> list[str]:
    leaves = sorted(kind.leaves)
    tables = [t for t in (frame.names.prints(leaf) for leaf in leaves) if t is not None]
    return [kind.name, *leaves, *tables]


def _column(frame: Frame, node: nodes.Printed, column: ColumnInfo, value: Typed) -> Typed:
    name = f"{column.kind}.{column.name}"
    frame.names.used.add(name)
    if (column.key is None) != (node.args is None) or len(node.args or ()) > 1:
        wanted = f"`.{column.name}({column.key})`" if column.key else f"`.{column.name}` without brackets"
        return frame.error("wrong-arguments", f"write {wanted}", node.span)
    if column.key is None or node.args is None:
        return Typed(["column", name, value.ir], column.type)
    wanted_key = frame.names.kind_type(column.key)
    key = coerce(frame, frame.expr(node.args[0], wanted_key), wanted_key, node.args[0].span)
    return Typed(["column", name, value.ir, key], column.type)


def _no_column(frame: Frame, node: nodes.Printed, owners: list[str]) -> Typed:
    names = frame.names
    known = [c.split(".")[1] for c in [*names.columns, *names.cells] if c.split(".")[0] in owners]
    help, notes = suggestion(node.name.text, known, "what is printed on it")
    return none_of(
        frame,
        "unknown-column",
        f"`{node.name.text}` is not printed on {a_thing(owners[0])}",
        node.name.span,
        help,
        notes,
    )
