"""Phases as rules: who performs them, how often, and what is offered in them."""

from __future__ import annotations

from typing import Any

from rulespec import nodes
from rulespec.binders import Loop, loop
from rulespec.choices import passing
from rulespec.coercions import amount, player, truth
from rulespec.scope import Frame, Statement, at
from rulespec.statements import block, needs_me, offered, perform
from rulespec.value_types import UNKNOWN


def phase(frame: Frame, node: nodes.Phase) -> list[Statement]:
    """Return the body of the rule of a phase."""
    frame.automatic = node.automatic
    span = at(node.span)
    who = player(frame, node.by) if node.by is not None else None
    with frame.me(True, False) if who is not None else frame.me(frame.has_me, False):
        condition = truth(frame, node.condition) if node.condition is not None else None
        if node.turns is not None or node.one_by_one is not None:
            inner = [_rounds(frame, node)]
        else:
            inner = _repeated(frame, node)
    name = node.name.text
    body: list[Statement] = [{"op": "enter", "phase": name}, *inner, {"op": "leave", "phase": name}]
    if node.quiet:
        body = [{"op": "quiet", "body": _placed(body, span)}]
    if condition is not None:
        body = [{"op": "if", "cases": [[condition, _placed(body, span)]], "else": None}]
    if who is not None:
        body = [{"op": "as_player", "player": who, "body": _placed(body, span)}]
    return _placed(body, span)


def _placed(statements: list[Statement], span: list[int]) -> list[Statement]:
    return [s if "at" in s else {**s, "at": span} for s in statements]


def _rounds(frame: Frame, node: nodes.Phase) -> Statement:
    """Lower a phase in which each seat has its go."""
    binder = node.turns or node.one_by_one
    assert binder is not None
    pace = _seat_pace(frame, node.repeat)
    with frame.scope():
        found: Loop = loop(frame, binder)
        if not found.over_players and found.type != UNKNOWN:
            frame.error("type-mismatch", "seats are players: `each player`", binder.span)
        with frame.me(True, False):
            if node.repeat is not None and node.repeat.value is not None and node.repeat.form in ("while", "until"):
                pace["value"] = truth(frame, node.repeat.value)
            body = _once(frame, node, in_loop=False)
    role = "turns" if node.turns is not None else "one_by_one"
    return {
        "op": "rounds", "loop": found.data, "role": role, "pace": pace, "body": body, "phase": node.name.text,
        "at": at(node.span),
    }  # fmt: skip


def _seat_pace(frame: Frame, pace: nodes.Pace | None) -> dict[str, Any]:
    if pace is None:
        return {"form": "once", "value": None, "by": None}
    value = amount(frame, pace.value) if pace.form == "times" and pace.value is not None else None
    return {"form": pace.form, "value": value, "by": pace.by}


def _repeated(frame: Frame, node: nodes.Phase) -> list[Statement]:
    pace, span = node.repeat, at(node.span)
    body = _once(frame, node, in_loop=pace is not None)
    if pace is None:
        return body
    if pace.value is None:
        return [{"op": "forever", "body": body, "at": span}]
    if pace.form == "times":
        return [{"op": "times", "count": amount(frame, pace.value), "body": body, "at": span}]
    return [{"op": pace.form, "when": truth(frame, pace.value), "body": body, "at": span}]


def _once(frame: Frame, node: nodes.Phase, in_loop: bool) -> list[Statement]:
    """Lower what one time of the phase is."""
    if node.do is not None:
        return block(frame, node.do)
    if node.steps is not None:
        lowered = [(step, perform(frame, step, None, None)) for step in node.steps]
        return [{**made, "at": at(step.span)} for step, made in lowered if made is not None]
    needs_me(frame, None, node.name.span)
    actions = [a for a in (offered(frame, rule) for rule in node.offer or ()) if a is not None]
    name = passing(frame, f"{frame.rule}.{node.passing.text}") if node.passing is not None else None
    span = at(node.offer[0].span.to(node.offer[-1].span)) if node.offer else at(node.span)
    otherwise = [{"op": "stop", "at": span}] if name is not None and in_loop else None
    return [
        {
            "op": "offer", "actions": actions, "by": None, "mode": "must", "otherwise": otherwise, "pass": name,
            "automatic": node.automatic, "at": span,
        }
    ]  # fmt: skip
