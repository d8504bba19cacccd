"""Decisions made at the same time: what each player is asked, and what follows when all have answered."""

from __future__ import annotations

import ast

from interpreter.specialise.analysis import Statement
from interpreter.specialise.loops import collect
from interpreter.specialise.quote import const, expr, load, stmts
from interpreter.specialise.script import Script
from interpreter.specialise.statements import emit_block, emitter


@emitter("simultaneous")
def _simultaneous(script: Script, statement: Statement) -> None:
    label = script.labels(statement)
    loop = statement["loop"]
    members = script.keep(expr("tuple(_m)", _m=collect(script, loop)))
    script.env.pop(loop["local"], None)
    name = script.build.simultaneous_rule(statement)
    outer = [script.local(i) for i in script.build.program["rules"][name]["outer"]]
    number = const(script.build.rule_number(name))
    script.emit(stmts("s.k = _f", _f=script.frame(label + 1)))
    start = ast.Tuple([number, const(0), const((1, 0, None, -1)), load("x_"), load("x_"), *outer], ast.Load())
    script.emit(stmts("s.sim = together_(s, [(x_, _c) for x_ in _m])", _c=start, _m=members))
    script.emit(stmts("if s.sim is None:\n  pc = _l\n  continue\nreturn None", _l=const(label + 1)))
    script.closed = True
    script.start(label + 1)
    if statement["reveal"] is None:
        return
    _reveal(script, statement, name, label)


def _reveal(script: Script, statement: Statement, name: str, label: int) -> None:
    rule = script.build.program["rules"][name]
    kept = rule["kept"]
    with script.variables():
        old, left = script.hold("m", ["opt", "player"]), script.hold("r", ["answers", name])
        script.emit(stmts("_m = me\n_r = s.ret", _m=old, _r=left))
        pausing = any(script.build.facts.pauses(s) for s in statement["reveal"])
        if pausing:
            script.jump(label + 2)
            script.start(label + 2)
            script.emit(stmts("if not _r:\n  pc = _l\n  continue", _r=left, _l=const(label + 3)))
            _bind_answers(script, statement, kept, expr("_r[0]", _r=left))
            script.emit(stmts("_r = _r[1:]", _r=left))
            emit_block(script, statement["reveal"])
            script.jump(label + 2)
            script.start(label + 3)
        else:
            with script.block() as body:
                _bind_answers(script, statement, kept, load("y_"))
                emit_block(script, statement["reveal"])
            script.closed = False
            script.emit(stmts("for y_ in _r:\n  _b", _r=left, _b=body))
        script.emit(stmts("me = _m", _m=old))


def _bind_answers(script: Script, statement: Statement, kept: list[int], answers: ast.expr) -> None:
    names = [script.declare(i) for i in (statement["loop"]["local"], *kept)]
    target = ast.Tuple([ast.Name(n, ast.Store()) for n in names], ast.Store())
    script.emit([ast.Assign([target], answers)], stmts("me = _x", _x=names[0]))
