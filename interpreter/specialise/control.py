"""Branches, loops, calls of rules, and the turns of players."""

from __future__ import annotations

import ast
from typing import Any

from interpreter.specialise.analysis import Statement, passes_unseen, walk
from interpreter.specialise.cells import given, given_to_cell, thing
from interpreter.specialise.loops import UNROLL_MEMBERS, collect
from interpreter.specialise.makers import make, value_of
from interpreter.specialise.quote import const, expr, is_const, load, stmts, store
from interpreter.specialise.script import Script, references
from interpreter.specialise.statements import emit_block, emitter, fire

MOST_INLINED, MOST_NESTED = 6, 2
"""A rule of so many statements is written where it is performed, so deep."""

MOST_TURNS = 100_000
"""Turns of one loop in a function, which has no state to count its steps in."""

SHORT = {"set", "if", "let", "draw", "move", "transfer", "create", "destroy", "turn"}
SHORT |= {"show", "look", "shuffle", "pick", "roll", "stop"}
"""The statements that end by themselves: a few turns of a loop over them need not be counted."""

# -------------------------------------------------------------------------------------------- branches


def native(script: Script, body: list[Statement]) -> list[ast.stmt]:
    """Return a block that cannot pause, as Python statements."""
    with script.block() as out:
        emit_block(script, body)
    script.closed = False
    return out


@emitter("if")
def _if(script: Script, statement: Statement) -> None:
    if not script.build.facts.pauses(statement):
        _native_if(script, statement["cases"], statement["else"] or [])
        return
    label = script.labels(statement)
    _pausing_if(script, statement["cases"], statement["else"] or [], label)
    script.jump(label)
    script.start(label)


def _native_if(script: Script, cases: list[Any], otherwise: list[Statement]) -> None:
    if not cases:
        emit_block(script, otherwise)
        script.closed = False
        return
    condition = make(script, cases[0][0])
    body = native(script, cases[0][1])
    with script.block() as rest:
        _native_if(script, cases[1:], otherwise)
    script.closed = False
    if rest:
        script.emit(stmts("if _c:\n  _b\nelse:\n  _r", _c=condition, _b=body, _r=rest))
    else:
        script.emit(stmts("if _c:\n  _b", _c=condition, _b=body))


def _pausing_if(script: Script, cases: list[Any], otherwise: list[Statement], end: int) -> None:
    for condition, body in cases:
        test = make(script, condition)
        here = script.out
        with script.block() as inside:
            if any(script.build.facts.pauses(s) for s in body):
                start = script.spare_label()
                script.emit(stmts("pc = _l\ncontinue", _l=const(start)))
                outer = script.out
                script.start(start)
                emit_block(script, body)
                script.jump(end)
                script.out = outer
            else:
                emit_block(script, body)
                script.jump(end)
        script.out = here
        script.closed = False
        script.emit(stmts("if _c:\n  _b", _c=test, _b=inside))
    emit_block(script, otherwise)


# ----------------------------------------------------------------------------------------------- loops


@emitter("while", "until", "times", "forever")
def _while(script: Script, statement: Statement) -> None:
    op = statement["op"]
    with script.variables():
        if op == "times":
            left = script.hold("n", ["int", 0, 0])
            script.emit(store(left, make(script, statement["count"])))
        script.later.append(set())
        if script.build.facts.pauses(statement):
            _pausing_while(script, statement, left if op == "times" else "")
        else:
            _native_while(script, statement, left if op == "times" else "")
        script.later.pop()


def _leave_test(script: Script, statement: Statement, left: str, out: list[ast.stmt]) -> None:
    script.tick()
    if statement["op"] == "while":
        script.emit(stmts("if not _c:\n  _o", _c=make(script, statement["when"]), _o=out))
    elif statement["op"] == "times":
        script.emit(stmts("if _n <= 0:\n  _o\n_n -= 1", _n=left, _o=out))


def _native_while(script: Script, statement: Statement, left: str) -> None:
    script.loops.append(None)
    budget = script.fresh("b") if script.pure else ""
    if budget:
        script.emit(store(budget, const(MOST_TURNS)))
    with script.block() as body:
        if budget:
            script.emit(stmts("_n -= 1\nif _n < 0: too_long_()", _n=budget))
        _leave_test(script, statement, left, stmts("break"))
        emit_block(script, statement["body"])
        if statement["op"] == "until" and not script.closed:
            script.emit(stmts("if _c:\n  break", _c=make(script, statement["when"])))
    script.closed = False
    script.loops.pop()
    script.emit(stmts("while True:\n  _b", _b=body))


def _pausing_while(script: Script, statement: Statement, left: str) -> None:
    label = script.labels(statement)
    script.jump(label)
    script.start(label)
    script.loops.append(label + 1)
    _leave_test(script, statement, left, stmts("pc = _l\ncontinue", _l=const(label + 1)))
    emit_block(script, statement["body"])
    if statement["op"] == "until" and not script.closed:
        script.emit(stmts("if _c:\n  pc = _l\n  continue", _c=make(script, statement["when"]), _l=const(label + 1)))
    script.loops.pop()
    script.jump(label)
    script.start(label + 1)


@emitter("stop")
def _stop(script: Script, statement: Statement) -> None:
    target = script.loops[-1]
    if target is None:
        script.emit(stmts("break"))
        script.closed = True
    else:
        script.jump(target)


@emitter("for")
def _for(script: Script, statement: Statement) -> None:
    loop, as_me = statement["loop"], statement["as_me"]
    members = collect(script, loop)
    members = const(tuple(value_of(members))) if is_const(members) else expr("tuple(_m)", _m=members)
    script.env.pop(loop["local"], None)
    with script.variables():
        old = script.hold("m", ["opt", "player"]) if as_me else ""
        if as_me:
            script.emit(stmts("_m = me", _m=old))
        if script.build.facts.pauses(statement):
            _pausing_for(script, statement, members)
        else:
            script.loops.append(None)
            with script.block() as body:
                _tick_unless_short(script, statement, members)
                name = script.declare(loop["local"])
                if as_me:
                    script.emit(stmts("me = _x", _x=name))
                emit_block(script, statement["body"])
            script.closed = False
            script.loops.pop()
            script.emit(stmts("for _x in _m:\n  _b", _x=name, _m=members, _b=body))
        if as_me:
            script.emit(stmts("me = _m", _m=old))


def _tick_unless_short(script: Script, statement: Statement, members: ast.expr) -> None:
    """Count a turn of a loop, but not where it is over a few known members and nothing in it takes long."""
    is_short = is_const(members) and len(value_of(members)) <= UNROLL_MEMBERS
    if not (is_short and all(s["op"] in SHORT for s in walk(statement["body"]))):
        script.tick()


def _pausing_for(script: Script, statement: Statement, members: ast.expr) -> None:
    loop = statement["loop"]
    label = script.labels(statement)
    kind = script.declared[loop["local"]][1]
    left = script.hold("q", ["set", kind])
    script.emit(store(left, members))
    script.jump(label)
    script.start(label)
    _tick_unless_short(script, statement, members)
    script.emit(stmts("if not _q:\n  pc = _l\n  continue", _q=left, _l=const(label + 1)))
    name = script.declare(loop["local"])
    script.emit(stmts("_x = _q[0]\n_q = _q[1:]", _x=name, _q=left))
    if statement["as_me"]:
        script.emit(stmts("me = _x", _x=name))
    script.loops.append(label + 1)
    emit_block(script, statement["body"])
    script.loops.pop()
    script.jump(label)
    script.start(label + 1)


# ----------------------------------------------------------------------------------------------- calls


@emitter("perform")
def _perform(script: Script, statement: Statement) -> None:
    arguments = [script.keep(a) for a in given(script, statement["rule"], statement["args"])]
    who = script.keep(thing(script, statement["by"])) if statement["by"] is not None else script.me
    name = statement["rule"]
    if name in script.build.facts.recursive:
        script.tick()
    script.build.need(name)
    skips = script.build.mode.skips and script.build.program["rules"][script.rule]["kind"] == "phase"
    if skips:
        passed = script.labels(statement) + 3
        number = const(script.build.rule_number(name))
        if script.build.facts.pauses_itself(statement):
            script.emit(stmts("if skips_(s, _n):\n  pc = _l\n  continue", _n=number, _l=const(passed)))
            _perform_named(script, statement, name, who, arguments)
            script.jump(passed)
            script.start(passed)
        else:
            with script.block() as body:
                _perform_named(script, statement, name, who, arguments)
            script.emit(stmts("if not skips_(s, _n):\n  _b", _n=number, _b=body))
        return
    _perform_named(script, statement, name, who, arguments)


def _perform_named(script: Script, statement: Statement, name: str, who: ast.expr, arguments: list[ast.expr]) -> None:
    if name in script.build.facts.pausing:
        start = ast.Tuple(
            [const(script.build.rule_number(name)), const(0), load("parent_"), who, *arguments], ast.Load()
        )
        _call_pausing(script, statement, start)
    elif _can_inline(script, statement):
        _inline(script, name, arguments)
    else:
        value = ast.Call(load(script.build.python_name(name)), [load("s"), who, *arguments], [])
        _call_plain(script, statement, value)
    _after_rule(script, statement)


def _can_inline(script: Script, statement: Statement) -> bool:
    """Say whether a rule that cannot pause is short enough to be written where it is performed."""
    build, name = script.build, statement["rule"]
    rule = build.program["rules"][name]
    inside = list(walk(rule["body"])) if rule["kind"] == "procedure" else []
    return (
        0 < len(inside) <= MOST_INLINED and script.nesting < MOST_NESTED and rule["at"][0] == build.file_of(script.rule)
        and not build.mode.events and statement["by"] is None and statement["result"] is None
        and name not in build.facts.recursive and all(s["op"] != "return" for s in inside)
    )  # fmt: skip


def _inline(script: Script, name: str, arguments: list[ast.expr]) -> None:
    """Emit the body of a rule in the one that performs it."""
    inner = Script(script.build, name, script.fresh("p"))
    inner.out, inner._fresh, inner.nesting = script.out, script._fresh, script.nesting + 1
    inner.inlined, inner.pausing = script.inlined or script.pausing, False
    body = script.build.program["rules"][name]["body"]
    inner.env = dict(enumerate(kept_me(script, body, arguments)))
    emit_block(inner, body)
    script.closed = inner.closed


def kept_me(script: Script, body: list[Statement], arguments: list[ast.expr]) -> list[ast.expr]:
    """Return what is given to a rule written in place, with who `me` is now kept where others are `me` in the rule."""
    if not any(statement.get("as_me") for statement in walk(body)):
        return arguments
    me = script.fresh()
    script.emit(store(me, script.me))
    return [load(me) if isinstance(a, ast.Name) and a.id == "me" else a for a in arguments]


@emitter("perform_cell")
def _perform_cell(script: Script, statement: Statement) -> None:
    of = script.keep(thing(script, statement["of"]))
    arguments = [script.keep(a) for a in given_to_cell(script, statement["cell"], statement["args"])]
    who = script.keep(thing(script, statement["by"])) if statement["by"] is not None else script.me
    script.tick()
    table = script.build.script_cell(statement["cell"])
    if script.build.facts.pauses_itself(statement):
        number = expr("_t[_x]", _t=table, _x=of)
        start = expr("start_(s, _n, _w, _a)", _n=number, _w=who, _a=ast.Tuple(arguments, ast.Load()))
        label = script.labels(statement) + 2
        script.emit(
            stmts(
                "k = _c\nif k is not None:\n  return (k[0], 0, _f, *k[1:])\npc = _l\ncontinue",
                _c=start,
                _f=script.frame(label),
                _l=const(label),
            )
        )
        script.start(label)
        _take_result(script, statement, expr("s.ret"))
        return
    call = expr("perform_(s, _t[_x], _w, _a)", _t=table, _x=of, _w=who, _a=ast.Tuple(arguments, ast.Load()))
    _call_plain(script, statement, call)


def _call_pausing(script: Script, statement: Statement, start: ast.Tuple) -> None:
    label = script.labels(statement) + 2
    start.elts[2] = script.frame(label)
    if _ends_phase(script, statement):  # what comes back goes straight on to whoever waits for the phase
        start.elts[2] = load("parent")
    script.emit([ast.Return(start)])
    script.start(label)
    _take_result(script, statement, expr("s.ret"))


def _ends_phase(script: Script, statement: Statement) -> bool:
    """Say whether a phase has nothing more to do when the rule it performs here is done."""
    mode, rule = script.build.mode, script.build.program["rules"][script.rule]
    if mode.events or mode.skips or rule["kind"] != "phase" or script.build.facts.after_triggers(statement):
        return False
    last = [s for s in rule["body"] if not passes_unseen(script.build.program, s)][-1]
    return last is statement and statement["result"] is None


def _call_plain(script: Script, statement: Statement, value: ast.expr) -> None:
    if statement["result"] is None:
        script.emit(ast.Expr(value))
    else:
        _take_result(script, statement, value)


def _take_result(script: Script, statement: Statement, value: ast.expr) -> None:
    if statement["result"] is not None:
        script.emit(store(script.declare(statement["result"]), value))


def _after_rule(script: Script, statement: Statement) -> None:
    fired = script.build.facts.after_triggers(statement)
    if not fired:
        return
    for index in fired:
        count = script.build.program["rules"][script.build.program["triggers"][index]["do"]]["params"]
        arguments = ast.Tuple([make(script, a) for a in statement["args"][:count]], ast.Load())
        script.emit(stmts("done_(s, _i, _a)", _i=const(index), _a=arguments))
    fire(script, statement, 7)


# ----------------------------------------------------------------------------------------------- turns


@emitter("rounds")
def _rounds(script: Script, statement: Statement) -> None:
    loop, pace = statement["loop"], statement["pace"]
    members = collect(script, {**loop, "where": None})
    members = members if is_const(members) else expr("tuple(_m)", _m=members)
    script.env.pop(loop["local"], None)
    script.later.append(references(statement))
    with script.variables():
        old = script.hold("m", ["opt", "player"]) if script.needs_me_after(statement) else ""
        seats: ast.expr = members
        if not is_const(members):
            name = script.hold("q", ["set", ["kind", "player"]])
            script.emit(store(name, members))
            seats = load(name)
        at = script.hold("i", ["int", 0, 0])
        played = script.hold("p", ["int", 0, 1]) if loop["where"] is not None or not is_const(members) else ""
        left = script.hold("n", ["int", 0, 0]) if pace["form"] == "times" else ""
        if left:
            script.emit(store(left, make(script, pace["value"])))
        script.emit(stmts("_m = me", _m=old) if old else [], stmts("_i = 0", _i=at))
        script.emit(stmts("_p = 0", _p=played) if played else [])
        _turn_loop(script, statement, seats, at, played, left)
        script.emit(stmts("me = _m", _m=old) if old else [])
    script.later.pop()


def _turn_loop(script: Script, statement: Statement, seats: ast.expr, at: str, played: str, left: str) -> None:
    label = script.labels(statement)
    if script.build.facts.pauses(statement):
        script.jump(label)
        script.start(label)
        out, again = stmts("pc = _l\ncontinue", _l=const(label + 1)), stmts("pc = _l\ncontinue", _l=const(label))
        script.loops.append(label)
        _one_go(script, statement, (seats, at, played, left), out, again)
        script.loops.pop()
        script.jump(label)
        script.start(label + 1)
        return
    script.loops.append(None)
    with script.block() as body:
        _one_go(script, statement, (seats, at, played, left), stmts("break"), stmts("continue"))
    script.loops.pop()
    script.closed = False
    script.emit(stmts("while True:\n  _b", _b=body))


def _one_go(
    script: Script,
    statement: Statement,
    names: tuple[ast.expr, str, str, str],
    out: list[ast.stmt],
    again: list[ast.stmt],
) -> None:
    """Emit the go of one seat, with the tests before and after it."""
    seats, at, played, left = names
    pace, loop = statement["pace"], statement["loop"]
    by_seat = pace["by"] == "seat"
    with script.block() as ends:
        if pace["form"] == "once":
            script.emit(out)
        else:
            script.emit(stmts("if not _p:\n  _o", _p=played, _o=out) if played else [])
            if not by_seat:
                _pace_after(script, pace, out)
            script.emit(stmts("_i = 0", _i=at), stmts("_p = 0", _p=played) if played else [])
    if not always_asks(statement["body"]):
        script.tick()
    count = const(len(value_of(seats))) if is_const(seats) else expr("len(_q)", _q=seats)
    script.emit(stmts("if _i >= _c:\n  _r", _i=at, _c=count, _r=ends))
    with script.block() as before:
        _pace_before(script, pace, left, out)
    if before and not by_seat:
        script.emit(stmts("if _i == 0:\n  _b", _i=at, _b=before))
    name = script.declare(loop["local"])
    all_in_order = is_const(seats) and list(value_of(seats)) == list(range(len(value_of(seats))))
    script.emit(stmts("_x = _i" if all_in_order else "_x = _q[_i]", _x=name, _q=seats, _i=load(at)))
    script.emit(stmts("_i += 1", _i=at))
    if loop["where"] is not None:
        script.emit(stmts("if not _c:\n  _a", _c=make(script, loop["where"]), _a=again))
    if by_seat:
        script.out.extend(before)
    script.emit(stmts("_p = 1", _p=played) if played else [], stmts("me = _x", _x=name))
    _one_turn(script, statement)
    if by_seat and not script.closed:
        _pace_after(script, pace, out)


def always_asks(body: list[Statement]) -> bool:
    """Say whether a block cannot be gone through without somebody being asked."""
    for statement in body:
        if statement["op"] == "offer" and statement["mode"] == "must" and not statement.get("automatic"):
            return True
        if any(inside["op"] == "stop" for inside in walk([statement])):
            return False
    return False


def _one_turn(script: Script, statement: Statement) -> None:
    turns = statement["role"] == "turns"
    if turns:
        script.emit(stmts("turn_starts_(s, me)" if script.build.tracks_turns else "v[0] = me"))
    emit_block(script, statement["body"])
    if turns and script.build.tracks_turns and not script.closed:
        script.emit(stmts("turn_ends_(s, me)"))


def _pace_before(script: Script, pace: dict[str, Any], left: str, out: list[ast.stmt]) -> None:
    if pace["form"] == "while":
        script.emit(stmts("if not _c:\n  _o", _c=make(script, pace["value"]), _o=out))
    elif pace["form"] == "times":
        script.emit(stmts("if _n <= 0:\n  _o\n_n -= 1", _n=left, _o=out))


def _pace_after(script: Script, pace: dict[str, Any], out: list[ast.stmt]) -> None:
    if pace["form"] == "until":
        script.emit(stmts("if _c:\n  _o", _c=make(script, pace["value"]), _o=out))
