"""Reads the rules of a game: functions, phases, actions, triggers, procedures, lasting changes."""

from __future__ import annotations

import re

from rulespec import nodes, parser
from rulespec.documents import Mapping, Scalar, Value
from rulespec.nodes import Name
from rulespec.reading import Context, SetAside, entries
from rulespec.source import Located

SCRIPT = re.compile(r"^[^#\n]*\breturn\b|\A\s*(?:let|set|if|while|for each)\b", re.MULTILINE)


def read_function(context: Context, key: Located[str], value: Value) -> nodes.Function:
    """Return a function: a formula, or a `|` block of statements, which has a `return` or begins like one."""
    signature = context.signature(key)
    scalar = context.scalar(value)
    if scalar.style == "block" and SCRIPT.search(scalar.text):
        return nodes.Function(signature, None, context.script(value), key.span)
    return nodes.Function(signature, context.formula(value), None, key.span)


def read_functions(context: Context, value: Value | None) -> tuple[nodes.Function, ...]:
    """Return the functions of a section, or the `changes` of a row or lasting change."""
    return context.each(value, lambda key, body: read_function(context, key, body))


def read_procedure(context: Context, key: Located[str], value: Value) -> nodes.Procedure:
    """Return a procedure."""
    return nodes.Procedure(context.signature(key), context.script(value), key.span)


def read_calls(context: Context, value: Value | None) -> tuple[nodes.Expr, ...] | None:
    """Return the rules named in `steps` or `offer`."""
    if value is None:
        return None
    return tuple(context.call(item) for item in context.items(value))


def read_phase(context: Context, key: Located[str], value: Value) -> nodes.Phase:
    """Return a phase."""
    body = context.mapping(value)
    phase = nodes.Phase(
        context.declared(key),
        context.maybe(body.get("turns"), parser.parse_each),
        context.maybe(body.get("one_by_one"), parser.parse_each),
        context.maybe_formula(body.get("by")),
        context.maybe_formula(body.get("if")),
        context.maybe(body.get("repeat"), parser.parse_pace),
        read_calls(context, body.get("steps")),
        read_calls(context, body.get("offer")),
        context.maybe_name(body.get("pass")),
        context.maybe(body.get("do"), parser.parse_script),
        context.yes(body, "quiet"),
        context.yes(body, "automatic"),
        key.span,
    )
    _check_phase(context, phase, body)
    return phase


def _check_phase(context: Context, phase: nodes.Phase, body: Mapping) -> None:
    what = [name for name in ("steps", "offer", "do") if body.key(name) is not None]
    if len(what) != 1:
        found = " and ".join(f"`{name}`" for name in what) or "none of them"
        raise context.fail("bad-phase", f"a phase has one of `steps`, `offer` or `do`, found {found}", phase.span)
    who = [name for name in ("turns", "one_by_one", "by") if body.key(name) is not None]
    if len(who) > 1:
        raise context.fail("bad-phase", f"a phase has only one of `{'`, `'.join(who)}`", phase.span)
    seats = phase.turns is not None or phase.one_by_one is not None
    if phase.repeat is not None and seats != (phase.repeat.by is not None):
        help = "write `round by round, ...` or `seat by seat, ...` with `turns` or `one_by_one`, and only there"
        what_time = "is one time of this phase" if seats else "a phase without seats repeats"
        message = f"it is not said what {what_time}" if seats else "there are no seats here to go by"
        raise context.fail("bad-repeat", message, phase.repeat.span, help)


def read_parts(context: Context, value: Value | None) -> tuple[tuple[nodes.Choice, ...], ...]:
    """Return the parts of `choose`."""
    return tuple(context.parse(item, parser.parse_choices) for item in context.items(value))


def read_action_body(context: Context, signature: nodes.Signature, value: Value, key: Located[str]) -> nodes.Action:
    """Return an action whose signature is known (an action, or an action cell of a row)."""
    body = context.mapping(value)
    conditions = tuple(
        nodes.Item(context.declared(name), context.formula(text), name.span) for name, text in entries(body.get("if"))
    )
    return nodes.Action(
        signature,
        read_parts(context, body.get("choose")),
        conditions,
        context.maybe(body.get("cost"), parser.parse_script) or (),
        context.maybe(body.get("do"), parser.parse_script) or (),
        key.span,
    )


def read_action(context: Context, key: Located[str], value: Value) -> nodes.Action:
    """Return an action."""
    return read_action_body(context, context.signature(key), value, key)


def read_trigger(context: Context, key: Located[str], value: Value) -> nodes.Trigger:
    """Return a trigger."""
    body = context.mapping(value)
    when, after = body.get("when"), body.get("after")
    if (when is None) == (after is None):
        raise context.fail("bad-trigger", "a trigger has either `when` or `after`", key.span)
    order_by, chooser, keys = read_order(context, body.get("order"))
    return nodes.Trigger(
        context.declared(key),
        context.maybe(body.get("for"), parser.parse_binder),
        context.maybe_formula(when),
        _event(context, after),
        order_by,
        chooser,
        keys,
        context.maybe_formula(body.get("by")),
        context.script(body.get("do")),
        key.span,
    )


def _event(context: Context, value: Value | None) -> Name | None:
    """Return the rule a trigger comes after: its name, or `ROW.CELL`."""
    if isinstance(value, Scalar) and re.fullmatch(r"[a-z_][a-z0-9_]*\.[a-z_][a-z0-9_]*", value.text):
        return Name(value.text, value.span)
    return context.maybe_name(value)


Order = tuple[str | None, nodes.Expr | None, tuple[nodes.Key, ...]]


def read_order(context: Context, value: Value | None) -> Order:
    """Return how a trigger's bindings are ordered: "chosen" with who chooses, or "keys"."""
    if value is None:
        return None, None, ()
    scalar = context.scalar(value)
    made = parser.parse_order(scalar.text, scalar.origin, context.report)
    if made is None:
        raise SetAside
    return ("keys", None, made) if isinstance(made, tuple) else ("chosen", made, ())


def read_named(context: Context, key: Located[str], value: Value) -> nodes.Named:
    """Return an end, a scoring item or an invariant."""
    return nodes.Named(context.declared(key), context.formula(value), key.span)


def read_lasting(context: Context, key: Located[str], value: Value) -> nodes.Lasting:
    """Return a lasting change."""
    body = context.mapping(value)
    signature = context.signature(key)
    lasts = context.parse(body.get("lasts"), parser.parse_duration)
    changes = context.mapping(body.get("changes"))
    return nodes.Lasting(signature, lasts, read_functions(context, changes), key.span)


def read_key(context: Context, key: str, value: Value) -> object:
    """Return what one key of a phase, action or trigger holds, for a variant that changes only that key."""
    match key:
        case "turns" | "one_by_one":
            return context.parse(value, parser.parse_each)
        case "by" | "when" | "if":
            return context.formula(value)
        case "repeat":
            return context.parse(value, parser.parse_pace)
        case "steps" | "offer":
            return read_calls(context, value)
        case "pass":
            return context.name_of(value)
        case "after":
            return _event(context, value)
        case "do" | "cost":
            return context.script(value)
        case "quiet" | "automatic":
            return context.scalar(value).text == "yes"
        case "choose":
            return read_parts(context, value)
        case "for":
            return context.parse(value, parser.parse_binder)
        case "order":
            return read_order(context, value)
        case _:
            raise AssertionError(f"the schema lets the key {key} pass")
