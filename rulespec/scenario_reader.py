"""Reads scenario files (docs/language.md, section 14). Their shape was checked by `schema`."""

from __future__ import annotations

from rulespec import parser
from rulespec.diagnostics import Report
from rulespec.documents import Document, Mapping, Scalar, Sequence, Value
from rulespec.nodes import Name
from rulespec.reading import Context, SetAside, entries
from rulespec.scenario_nodes import Answer, BeginAt, Knows, ScenarioNode
from rulespec.source import Located


def read_scenarios(
    document: Document, report: Report, aside: list[Located[str]] | None = None
) -> tuple[ScenarioNode, ...]:
    """Return the scenarios of a document; faulty ones are set aside, their names put into *aside*."""
    context = Context(report)
    if document.root is None:
        return ()
    game = context.tried(lambda: context.name_of(document.root.get("scenarios_of") if document.root else None))
    listed = document.root.get("scenarios")
    if not isinstance(listed, Sequence):
        return ()
    found = []
    for item in listed.items:
        read = context.tried(lambda item=item: _scenario(context, item, game)) if game is not None else None  # type: ignore[misc]
        if read is not None:
            found.append(read)
        elif aside is not None:
            aside.append(_called(item))
    return tuple(found)


def _called(item: Value) -> Located[str]:
    """Return what a scenario that cannot be read is called, and where it begins."""
    if not isinstance(item, Mapping) or not item.entries:
        return Located("a scenario", item.span)
    name = item.get("name")
    return Located(name.text if isinstance(name, Scalar) else "a scenario", item.entries[0][0].span)


def _scenario(context: Context, value: Value, game: Name) -> ScenarioNode:
    body = context.mapping(value)
    source = body.get("source")
    return ScenarioNode(
        name=context.scalar(body.get("name")).text,
        game=game,
        clauses=tuple(_located(context, item) for item in context.items(body.get("clauses"))),
        players=_names(context, body, "players"),
        options=tuple((context.name(k.value, k.span), _located(context, v)) for k, v in entries(body.get("options"))),
        variants=_names(context, body, "variants"),
        extra=tuple((context.name(k.value, k.span), context.number(v)) for k, v in entries(body.get("extra"))),
        given=context.maybe(body.get("given"), parser.parse_script) or (),
        begin=_begin(context, body.get("begin")),
        chance=tuple(_located(context, item) for item in context.items(body.get("chance"))),
        play=_answers(context, body, "play"),
        then=tuple(context.formula(item) for item in context.items(body.get("then"))),
        offered=_answers(context, body, "offered"),
        not_offered=_answers(context, body, "not_offered"),
        asked=_answers(context, body, "asked"),
        knows=tuple(_knows(context, k, v) for k, v in entries(body.get("knows"))),
        invariant_to_order=context.yes(body, "invariant_to_order"),
        source=source.text if isinstance(source, Scalar) else None,
        span=body.entries[0][0].span,
    )


def _names(context: Context, body: Mapping, key: str) -> tuple[Name, ...]:
    return tuple(context.name_of(item) for item in context.items(body.get(key)))


def _located(context: Context, value: Value) -> Located[str]:
    scalar = context.scalar(value)
    return Located(scalar.text, scalar.span)


def _answers(context: Context, body: Mapping, key: str) -> tuple[Answer, ...]:
    return tuple(context.parse(item, parser.parse_answer) for item in context.items(body.get(key)))


def _begin(context: Context, value: Value | None) -> BeginAt | None:
    made = context.maybe(value, parser.parse_performed)
    return None if made is None else BeginAt(made.rule, made.by, made.span)


def _knows(context: Context, key: Located[str], value: Value) -> Knows:
    formulas = tuple(context.formula(item) for item in context.items(value))
    if not formulas:
        raise SetAside
    return Knows(context.name(key.value, key.span), formulas, key.span)
