"""Chance: drawing, rolling, picking and shuffling, and the events that are surfaced in explicit mode."""

from __future__ import annotations

import ast
from typing import Any

from interpreter.layout import CHANCES, FRAME, LEGAL, LOOK, SINGLE, TURN
from interpreter.program import LARGEST
from interpreter.specialise.analysis import Statement
from interpreter.specialise.cells import offset, slot, slots
from interpreter.specialise.makers import make
from interpreter.specialise.quote import const, expr, load, stmts, store, tuple_of
from interpreter.specialise.script import Script
from interpreter.specialise.statements import DOWN, effect, emitter, in_range

WAIT_FOR_CHANCE = f"v[{FRAME}] = _f\nv[{TURN}] = -1\nv[{LEGAL}] = o_.ids\nv[{LOOK}] = _w\nreturn None"


@emitter("shuffle")
def _shuffle(script: Script, statement: Statement) -> None:
    if script.build.mode.chance == "barrier":
        script.emit(stmts("raise Barrier_"))
    effect(script, statement, expr("shuffle_(s, _z)", _z=slot(script, statement["zone"])))


@emitter("draw")
def _draw(script: Script, statement: Statement) -> None:
    chancy = script.build.facts.is_bag(statement["from"]["zone"])
    if script.build.mode.chance == "barrier" and chancy:
        script.emit(stmts("raise Barrier_"))
    with script.variables():
        if _draw_one(script, statement, chancy):
            return
        left, source, target = (script.hold(letter, ["int", 0, 0]) for letter in "nab")
        script.emit(store(left, in_range(script, make(script, statement["amount"]), 0, LARGEST)))
        script.emit(store(source, slot(script, statement["from"])), store(target, slot(script, statement["to"])))
        explicit = chancy and script.build.mode.chance == "explicit"
        _draw_loop(script, statement, left, source, target, explicit)


def _draw_one(script: Script, statement: Statement, chancy: bool) -> bool:
    """One token from a bag that is never refilled, where no one keeps events: written out."""
    zone = script.layout.zones[statement["from"]["zone"]]
    if script.build.mode.events or not chancy or statement["amount"] != ["lit", 1] or statement["as_far"]:
        return False
    facts = script.build.facts
    if zone.refill_from or facts.fired_by(statement) or facts.may_end(statement) or facts.may_lapse(statement):
        return False
    source, target = slot(script, statement["from"]), slot(script, statement["to"])
    down = const(DOWN[statement["face"]])
    if script.build.mode.chance != "explicit":
        script.emit(stmts("draw_one_(s, _a, _b, _d, None)", _a=source, _b=target, _d=down))
        return True
    label = script.labels(statement) + 1
    pause = stmts(WAIT_FOR_CHANCE, _f=script.frame(label), _w=script.waiting(label))
    ready = f"v[{CHANCES}] = o_ = outcomes_(s, _a)\nif len(o_) > 1:\n  _p\ns.ans = o_.ids[0] if o_ else -1"
    script.emit(stmts(ready, _a=source, _p=pause))
    script.jump(label)
    script.start(label)
    source, target = slot(script, statement["from"]), slot(script, statement["to"])
    by_call = stmts("draw_one_(s, _a, _b, _d, s.ans)", _a=source, _b=target, _d=down)
    to = script.layout.zones[statement["to"]["zone"]]
    script.emit(
        by_call if to.mode != SINGLE or to.own else _draw_here(script, source, script.keep(target), down, by_call)
    )
    return True


def _draw_here(
    script: Script, source: ast.expr, target: ast.expr, down: ast.expr, by_call: list[ast.stmt]
) -> list[ast.stmt]:
    """Return a draw whose outcomes are at hand, to where there is room for one."""
    sides = stmts("v[_d] = _v", _d=offset(script.layout.down_base, [(load("t_"), 1)]), _v=down)
    return stmts(
        f"if v[{CHANCES}].taken is None:\n  _c\nelse:\n"
        "  if v[_b] >= 0: full_(s, _b)\n  t_, v[_a] = v[_t].taken[s.ans]\n  v[_b] = t_\n  v[_w] = _b\n  _d",
        _a=source, _b=target, _c=by_call, _w=offset(script.layout.where_base, [(load("t_"), 1)]), _t=const(CHANCES),
        _d=sides if script.build.uses_down else [],
    )  # fmt: skip


def _draw_loop(script: Script, statement: Statement, left: str, source: str, target: str, explicit: bool) -> None:
    refill = script.layout.zones[statement["from"]["zone"]].refill_from
    watched = script.build.facts.fired_by(statement) or script.build.facts.may_end(statement)
    again = (
        stmts("after_(s, refill_(s, _a, _r))" if watched else "refill_(s, _a, _r)", _a=source, _r=slots(script, refill))
        if refill
        else []
    )
    empty = "v[_a] < 0" if script.layout.zones[statement["from"]["zone"]].mode == SINGLE else "not v[_a]"
    short = stmts("break") if statement["as_far"] else stmts("give_up_('there is nothing left to draw')")
    pausing = script.build.facts.pauses_itself(statement)
    down = const(DOWN[statement["face"]])
    if not pausing:
        with script.block() as body:
            script.emit(stmts("_n -= 1", _n=left))
            script.emit(
                stmts(f"if {empty}:\n  _r\n  if {empty}:\n    _s", _a=source, _r=again or [ast.Pass()], _s=short)
            )
            effect(script, statement, expr("move_(s, (next_token_(s, _a),), _b, _d)", _a=source, _b=target, _d=down))
        script.emit(stmts("while _n > 0:\n  _body", _n=left, _body=body))
        return
    label = script.labels(statement)
    script.jump(label)
    script.start(label)
    out = stmts("pc = _l\ncontinue", _l=const(label + 6))
    script.emit(stmts("if _n <= 0:\n  _o\n_n -= 1", _n=left, _o=out))
    if statement["as_far"]:
        short = out
    script.emit(stmts(f"if {empty}:\n  _r\n  if {empty}:\n    _s", _a=source, _r=again or [ast.Pass()], _s=short))
    name = script.fresh()
    if explicit:
        ask_chance(script, label + 1, ("draw", None, source), expr("outcomes_(s, _a)", _a=source), name)
        token = expr("next_token_(s, _a, _o)", _a=source, _o=name)
    else:
        token = expr("next_token_(s, _a)", _a=source)
    effect(script, statement, expr("move_(s, (_t,), _b, _d)", _t=token, _b=target, _d=down))
    script.jump(label)
    script.start(label + 6)


def ask_chance(script: Script, label: int, event: tuple[str, Any, str], outcomes: ast.expr, name: str) -> None:
    """Surface a chance event with more than one outcome; the outcome is left in *name*.

    *event* is what happens (`draw`, `roll`, `pick`), the type of what is picked, and the variable that keeps the
    source, the dice or the tokens meanwhile.
    """
    script.build.chance_at[(script.rid, label)] = event
    pause = stmts(WAIT_FOR_CHANCE, _f=script.frame(label), _w=script.waiting(label))
    ready = f"v[{CHANCES}] = o_ = _o\nif len(o_) > 1:\n  _p\ns.ans = o_.ids[0]"
    script.emit(stmts(ready, _o=outcomes, _p=pause))
    script.jump(label)
    script.start(label)
    script.emit(store(name, expr("s.ans")))


@emitter("roll")
def _roll(script: Script, statement: Statement) -> None:
    if script.build.mode.chance == "barrier":
        script.emit(stmts("raise Barrier_"))
    with script.variables():
        dice = script.hold("d", ["set", ["kind", "token"]])
        script.emit(store(dice, expr("tuple(_d)", _d=make(script, statement["dice"]))))
        if not script.build.facts.pauses_itself(statement):
            with script.block() as body:
                effect(script, statement, expr("roll_(s, x_)"))
            script.emit(stmts("for x_ in _d:\n  _body", _d=dice, _body=body))
            return
        label = script.labels(statement)
        script.jump(label)
        script.start(label)
        script.emit(stmts("if not _d:\n  pc = _l\n  continue", _d=dice, _l=const(label + 6)))
        if script.build.mode.chance == "explicit":
            name = script.fresh()
            ask_chance(script, label + 1, ("roll", None, dice), expr("sides_(_d[0])", _d=dice), name)
            call = expr("rolled_(s, _d[0], _o)", _d=dice, _o=name)
        else:
            call = expr("roll_(s, _d[0])", _d=dice)
        effect(script, statement, call)
        script.emit(stmts("_d = _d[1:]", _d=dice))
        script.jump(label)
        script.start(label + 6)


@emitter("pick")
def _pick(script: Script, statement: Statement) -> None:
    if script.build.mode.chance == "barrier":
        script.emit(stmts("raise Barrier_"))
    kind = script.declared[statement["local"]][1]
    if script.layout.is_of_tokens(kind):
        _pick_token(script, statement)
        return
    members = script.keep(make(script, statement["from"]))
    if script.build.mode.chance == "explicit":
        name = script.fresh()
        ask_chance(script, script.labels(statement), ("pick", kind, ""), expr("alike_(_m)", _m=members), name)
        value: ast.expr = load(name)
        if script.build.mode.events:
            script.emit(stmts("picked_(s, _v)", _v=name))
    else:
        value = expr("pick_(s, _m)", _m=members)
    script.emit(store(script.declare(statement["local"]), value))


def _pick_token(script: Script, statement: Statement) -> None:
    """A token is picked out of heaps of tokens alike, whose numbers are the outcomes."""
    with script.variables():
        members = script.hold("p", ["set", ["kind", "token"]])
        script.emit(store(members, expr("tuple(_m)", _m=make(script, statement["from"]))))
        named = tuple_of([load(name) for name in script.naming()])
        if script.build.mode.chance == "explicit":
            name, kind = script.fresh(), script.declared[statement["local"]][1]
            odds = expr("heap_odds_(s, _m, _n)", _m=members, _n=named)
            ask_chance(script, script.labels(statement), ("pick", kind, members), odds, name)
            named = tuple_of([load(name) for name in script.naming()])
            value = expr("from_heap_(s, _m, _n, _o)", _m=members, _n=named, _o=name)
        else:
            value = expr("pick_token_(s, _m, _n)", _m=members, _n=named)
        found = script.fresh()
        script.emit(store(found, value))
        if script.build.mode.chance == "explicit" and script.build.mode.events:
            script.emit(stmts("picked_(s, _v)", _v=found))
    script.emit(store(script.declare(statement["local"]), load(found)))
