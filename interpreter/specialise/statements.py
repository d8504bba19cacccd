"""Statements that ask nobody: values, moves, payments, chance, branches, loops, calls."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from interpreter.layout import LOOSE, SINGLE
from interpreter.program import LARGEST
from interpreter.specialise.analysis import Statement, passes_unseen
from interpreter.specialise.cells import cell_of, counter_cell, is_single, offset, slot, thing, wanted
from interpreter.specialise.loops import collect
from interpreter.specialise.makers import make, value_of
from interpreter.specialise.quote import const, expr, is_const, load, stmts, store, tuple_of
from interpreter.specialise.script import Script, references

Emitter = Callable[[Script, Statement], None]
EMITTERS: dict[str, Emitter] = {}
"""For each statement, what emits its Python."""


def emitter(*operators: str) -> Callable[[Emitter], Emitter]:
    """Register a function as the emitter of these statements."""

    def register(function: Emitter) -> Emitter:
        EMITTERS.update(dict.fromkeys(operators, function))
        return function

    return register


def emit_block(script: Script, statements: list[Statement]) -> None:
    """Emit statements in order, in a scope of their own."""
    with script.variables():
        rest = [references(s) for s in statements]
        for i, statement in enumerate(statements):
            if script.closed:
                return
            script.later.append(set().union(*rest[i:]))
            script.at = statement["at"][:2] if statement.get("at") else script.at
            if script.build.mode.events:
                point = const(script.build.coverage_point(script.rule, statement))
                script.emit(stmts("cover_(_n)" if script.pure else "at_(s, _n)", _n=point))
            EMITTERS[statement["op"]](script, statement)
            script.later.pop()


def after_effect(script: Script, statement: Statement, cells: ast.expr | None) -> None:
    """Test what an effect may have made true; *cells* are those it changed."""
    if not script.firing:
        return
    facts = script.build.facts
    ends = facts.may_end(statement)
    fired = facts.fired_by(statement)
    if facts.may_lapse(statement):
        script.emit(stmts("lapse_(s)"))
    if not ends and not fired:
        return
    changed = script.keep(cells if cells is not None else const(tuple(sorted(facts.cells_written(statement)))))
    quiet = expr("not v[_q]", _q=const(script.layout.quiet_cell)) if script.build.has_quiet else const(True)
    if fired:
        script.emit(stmts("notice_(s, _c)", _c=changed))
    if ends:
        script.emit(stmts("if _q:\n  ended_(v, _c)", _q=quiet, _c=changed))
    if fired:
        fire(script, statement, 7)


def fire(script: Script, statement: Statement, label: int) -> None:
    """Let waiting triggers go off before the next statement."""
    if script.build.facts.fires_pausing(statement):
        after = script.labels(statement) + label
        call = stmts("return (2, 0, _f, -1)", _f=script.frame(after))
        script.emit(stmts("if s.queue and not s.busy:\n  _call\npc = _l\ncontinue", _call=call, _l=const(after)))
        script.start(after)
    else:
        script.emit(stmts("if s.queue and not s.busy:\n  drain_(s)"))


# ------------------------------------------------------------------------------------------- values


@emitter("let")
def _let(script: Script, statement: Statement) -> None:
    value = make(script, statement["value"])
    kind = script.declared[statement["local"]][1]
    if isinstance(kind, list) and kind[0] == "set":
        value = expr("tuple(_v)", _v=value)
    script.emit(store(script.declare(statement["local"]), value))


@emitter("set")
def _set(script: Script, statement: Statement) -> None:
    target = statement["target"]
    wants_thing = target[0] == "var" and script.build.result_type(target)[0] == "kind"
    value = (thing if wants_thing else make)(script, statement["value"])
    if target[0] == "local":
        name = script.local(target[1])
        assert isinstance(name, ast.Name)
        if script.declared[target[1]][1][0] == "int":
            value = in_range(script, value, -LARGEST, LARGEST)
        script.emit(store(name.id, value))
        return
    if target[0] == "var" and script.build.result_type(target)[0] == "set":
        value = expr("tuple(_v)", _v=value)
    if target[0] == "var":
        kind = script.build.result_type(target)
        value = in_range(script, value, kind[1], kind[2]) if kind[0] == "int" else value
    value = script.keep(value)
    if target[0] == "face":
        die = script.keep(thing(script, target[1]))
        test = "_a, _b = faces_[_d]\nif not _a <= _v <= _b:\n  out_of_range_(_v, _a, _b)"
        value = script.keep(value)
        script.emit(stmts(test, _a=script.fresh(), _b=script.fresh(), _d=die, _v=value))
        cell = offset(script.layout.face_base, [(die, 1)])
        name_of = "face"
    else:
        block = script.layout.variables[target[1]]
        cell = cell_of(script, block.base, block.keys, block.strides, target[2:])
        name_of = target[1]
    cell = script.keep(cell)
    if script.build.mode.events or target[0] == "face":
        script.emit(stmts("assign_(s, _c, _v, _n)", _c=cell, _v=value, _n=const(name_of)))
    else:
        script.emit(stmts("v[_c] = _v", _c=cell, _v=value))
    after_effect(script, statement, tuple_of([cell]))


def in_range(script: Script, value: ast.expr, low: int, high: int) -> ast.expr:
    """Return a number, with a test where it is not known to lie in a range."""
    if is_const(value) and low <= value_of(value) <= high:
        return value
    number = script.keep(value)
    script.emit(stmts("if not _a <= _v <= _b:\n  out_of_range_(_v, _a, _b)", _v=number, _a=const(low), _b=const(high)))
    return number


# -------------------------------------------------------------------------------------------- moving

DOWN = {"up": 0, "down": 1, None: 0}


@emitter("move")
def _move(script: Script, statement: Statement) -> None:
    if _move_one(script, statement):
        return
    what = script.keep(make(script, statement["what"]))
    if statement["amount"] is not None:
        amount = make(script, statement["amount"])
        what = script.keep(expr("take_(s, _w, _n, _s)", _w=what, _n=amount, _s=const(statement["as_far"])))
    target = slot(script, statement["to"])
    call = expr("move_(s, _w, _t, _d)", _w=what, _t=target, _d=const(DOWN[statement["face"]]))
    effect(script, statement, call)


def effect(script: Script, statement: Statement, call: ast.expr) -> None:
    """Emit an effect, and the tests of what it may have changed."""
    facts = script.build.facts
    if script.firing and (facts.may_end(statement) or facts.fired_by(statement) or facts.may_lapse(statement)):
        name = script.fresh()
        script.emit(store(name, call))
        after_effect(script, statement, load(name))
    else:
        script.emit(ast.Expr(call))


def _move_one(script: Script, statement: Statement) -> bool:
    """The commonest move, written out: one token from one slot to another, where no one keeps events."""
    source = statement["from"]
    if script.build.mode.events or not source or not is_single(source) or statement["amount"] != ["lit", 1]:
        return False
    zones = script.layout.zones
    if statement["as_far"] or statement["what"] != ["tokens", source] or zones[source["zone"]].mode != LOOSE:
        return False
    if zones[statement["to"]["zone"]].mode != SINGLE or zones[statement["to"]["zone"]].own:
        return False
    start = script.keep(slot(script, source))
    target = script.keep(slot(script, statement["to"]))
    held, token = script.fresh(), script.fresh()
    script.emit(
        stmts(
            "_h = v[_a]\nif not _h: give_up_('one is wanted and none is there')\n"
            "if v[_b] >= 0: full_(s, _b)\n_t = _h[0]\nv[_a] = _h[1:]\nv[_b] = _t",
            _h=held, _t=token, _a=start, _b=target,
        )
    )  # fmt: skip
    cell = offset(script.layout.where_base, [(load(token), 1)])
    script.emit(stmts("v[_w] = _b", _w=cell, _b=target))
    if script.build.uses_down:
        script.emit(
            stmts(
                "v[_d] = _v", _d=offset(script.layout.down_base, [(load(token), 1)]), _v=const(DOWN[statement["face"]])
            )
        )
    after_effect(script, statement, tuple_of([target, start]))
    return True


@emitter("transfer")
def _transfer(script: Script, statement: Statement) -> None:
    name = statement["counter"]
    amount = script.keep(make(script, statement["amount"]))
    ends = [_holder(script, name, statement[side]) for side in ("from", "to")]
    bank = script.layout.counters[name].base + script.layout.counters[name].size
    endless = bank if script.build.is_endless(name) else -1
    call = expr(
        "transfer_(s, _a, _b, _n, _e, _s)",
        _a=ends[0],
        _b=ends[1],
        _n=amount,
        _e=const(endless),
        _s=const(statement["as_far"]),
    )
    effect(script, statement, call)


def _holder(script: Script, counter: str, holder: list[Any]) -> ast.expr:
    return counter_cell(script, counter, holder[1] if holder[0] == "player" else ["bank"])


@emitter("create", "destroy")
def _create(script: Script, statement: Statement) -> None:
    amount = script.keep(make(script, statement["amount"]))
    holder = statement["holder"]
    cell = counter_cell(script, statement["counter"], holder[1] if holder[0] == "player" else holder)
    effect(script, statement, expr("_f(s, _c, _n)", _f=statement["op"] + "_", _c=cell, _n=amount))


@emitter("turn")
def _turn(script: Script, statement: Statement) -> None:
    tokens = make(script, statement["tokens"])
    effect(script, statement, expr("turn_(s, _t, _d)", _t=tokens, _d=const(DOWN[statement["side"]])))


@emitter("show", "look")
def _show(script: Script, statement: Statement) -> None:
    if script.build.mode.chance == "barrier":
        script.emit(stmts("raise Barrier_"))
    if not script.build.mode.events:
        return
    tokens = script.keep(make(script, statement["tokens"]))
    players = tuple_of([script.me]) if statement["op"] == "look" else make(script, statement["to"])
    script.emit(stmts("show_(s, _t, _p)", _t=tokens, _p=players))


# -------------------------------------------------------------------------------- lasting, end, blocks


@emitter("begin", "end")
def _begin(script: Script, statement: Statement) -> None:
    kinds = script.build.program["lasting"][statement["lasting"]]["params"]
    arguments = tuple_of([script.keep(a) for a in wanted(script, kinds, statement["args"])])
    call = expr("_f(s, _n, _a)", _f=statement["op"] + "_", _n=const(statement["lasting"]), _a=arguments)
    effect(script, statement, call)


@emitter("enter", "leave")
def _enter(script: Script, statement: Statement) -> None:
    if not passes_unseen(script.build.program, statement):
        effect(script, statement, expr("_f(s, _p)", _f=statement["op"] + "_", _p=const(statement["phase"])))


@emitter("end_game")
def _end_game(script: Script, statement: Statement) -> None:
    script.emit(stmts("s.finish()\nreturn None") if script.pausing or script.inlined else stmts("raise Over_"))
    script.closed = True


@emitter("quiet")
def _quiet(script: Script, statement: Statement) -> None:
    cell = const(script.layout.quiet_cell)
    script.emit(stmts("v[_c] = 1", _c=cell))
    emit_block(script, statement["body"])
    script.emit(stmts("v[_c] = 0\nsettle_(s)", _c=cell))


@emitter("together")
def _together(script: Script, statement: Statement) -> None:
    outer, script.firing = script.firing, False
    emit_block(script, statement["body"])
    script.firing = outer
    after_effect(script, statement, None)


@emitter("return")
def _return(script: Script, statement: Statement) -> None:
    value = statement["value"]
    script.finish(None if value is None else make(script, value))


@emitter("as_player")
def _as_player(script: Script, statement: Statement) -> None:
    player = script.keep(make(script, statement["player"]))
    with script.variables():
        old = script.hold("m", ["opt", "player"])
        script.emit(stmts("_m = me", _m=old))
        after = script.labels(statement) + 1
        if script.build.facts.pauses(statement):
            script.emit(stmts("if _p < 0:\n  pc = _l\n  continue\nme = _p", _p=player, _l=const(after)))
            emit_block(script, statement["body"])
            script.jump(after)
            script.start(after)
        else:
            with script.block() as body:
                script.emit(stmts("me = _p", _p=player))
                emit_block(script, statement["body"])
            script.closed = False
            script.emit(stmts("if _p >= 0:\n  _b", _p=player, _b=body))
        script.emit(stmts("me = _m", _m=old))


__all__ = ["EMITTERS", "after_effect", "collect", "emit_block", "emitter", "fire"]
