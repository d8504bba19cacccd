"""Choices: the parts of a decision, their variables, and the entry each makes in the layout of the action ids."""

from __future__ import annotations

from typing import Any

from rulespec import nodes
from rulespec.binders import members
from rulespec.coercions import amount, truth
from rulespec.diagnostics import said
from rulespec.scope import Asked, Frame
from rulespec.value_types import UNKNOWN, Int, Kind, SetOf, Truth, Type


def part(frame: Frame, choices: tuple[nodes.Choice, ...], ask: str | None = None) -> dict[str, Any]:
    """Lower choices made together; their variables stay bound in the present scope."""
    lowered, types, names = [], [], []
    chosen: dict[str, Any] | None = None
    for choice in choices:
        if choice.how_many is None:
            data, given, name = _one(frame, choice)
        else:
            if len(choices) > 1:
                frame.error("wrong-arguments", "a set is a part of its own", choice.span, help="write a part for each")
            data, given, name, chosen = _several(frame, choice, choice.how_many)
        lowered.append(data)
        types.append(given)
        names.append(name)
    name = ask or f"{said(frame.rule)}.{names[0]}"
    made: dict[str, Any] = {"ask": name, "vars": lowered, "set": chosen}
    span = choices[0].span.to(choices[-1].span)
    made["ask"] = _record(frame, Asked(frame.rule, name, made, tuple(types), tuple(names), span))
    return made


def _record(frame: Frame, asked: Asked) -> str:
    """Enter an ask; one of that name with other variables gets a number."""
    name, number_ = asked.name, 1
    while any(a.name == name and _shape(a) != _shape(asked) for a in frame.unit.asked):
        number_ += 1
        name = f"{asked.name}~{number_}"
    frame.unit.asked.append(Asked(asked.rule, name, asked.part, asked.types, asked.names, asked.span))
    return name


def _shape(asked: Asked) -> tuple[Any, ...]:
    sorts = tuple(t.name if isinstance(t, Kind) else type(t).__name__ for t in asked.types)
    return asked.rule, asked.names, sorts, asked.part["set"] is None


def _source(frame: Frame, choice: nodes.Choice, kind: str) -> tuple[Type, Any]:
    if choice.source is not None:
        found, source = members(frame, kind, choice.source)
        return found, source
    if kind == "number":
        frame.error("type-mismatch", "`number` needs a range: `number n from 1..6`", choice.kind.span)
        return UNKNOWN, ["set"]
    return frame.names.kind_type(kind), ["all", kind]


def _nothing() -> tuple[Type, Any]:
    """What a choice ranges over where its kind is wrong."""
    return UNKNOWN, ["set"]


def _one(frame: Frame, choice: nodes.Choice) -> tuple[dict[str, Any], Type, str]:
    kind = choice.kind.text
    if kind in frame.names.plurals:
        single = frame.names.plurals[kind]
        frame.error("unknown-kind", f"how many `{kind}`?", choice.kind.span, help=f"one: `{single}`; more: `2 {kind}`")
        kind = single
    if kind != "number" and kind not in frame.names.kinds:
        frame.unknown_kind(choice.kind)
        given, source = _nothing()
    else:
        frame.names.used.add(kind)
        given, source = _source(frame, choice, kind)
    name = (choice.name or choice.kind).text
    local = frame.bind(name, given, (choice.name or choice.kind).span)
    where = truth(frame, choice.where) if choice.where is not None else None
    if choice.such_that is not None:
        frame.error("wrong-arguments", "`such that` tests a set; one thing has `where`", choice.such_that.span)
    return {"local": local, "in": source, "where": where}, given, name


def _several(
    frame: Frame, choice: nodes.Choice, how_many: nodes.HowMany
) -> tuple[dict[str, Any], Type, str, dict[str, Any]]:
    found = frame.names.kind_named(choice.kind.text)
    low, high = _amounts(frame, how_many)
    if found is None:
        frame.unknown_kind(choice.kind)
        kind = plural = choice.kind.text
        given, source = _nothing()
    else:
        kind = found[0]
        frame.names.used.add(kind)
        plural = frame.names.kinds[kind].plural
        given, source = _source(frame, choice, kind)
    with frame.scope():
        local = frame.bind(kind, given, choice.kind.span)
        where = truth(frame, choice.where) if choice.where is not None else None
    name = choice.name.text if choice.name else plural
    item = given if isinstance(given, Kind | Int | Truth) else None
    index = frame.bind(name, SetOf(item) if item else UNKNOWN, (choice.name or choice.kind).span)
    such_that = truth(frame, choice.such_that) if choice.such_that is not None else None
    chosen = {"local": index, "min": low, "max": high, "such_that": such_that}
    return {"local": local, "in": source, "where": where}, given, name, chosen


def _amounts(frame: Frame, how_many: nodes.HowMany) -> tuple[Any, Any]:
    count = amount(frame, how_many.amount) if how_many.amount is not None else ["lit", 0]
    match how_many.form:
        case "exactly":
            return count, count
        case "up_to":
            return ["lit", 0], count
        case "at_least":
            return count, None
    return ["lit", 0], None


def passing(frame: Frame, name: str | None = None) -> str:
    """Return the name of the passing ask of this rule."""
    ask = name or f"{said(frame.rule)}.pass"
    frame.unit.passes[ask] = frame.rule
    return ask
