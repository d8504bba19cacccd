"""Actions carried out, and the offers that ask for one of them."""

from __future__ import annotations

import ast
from typing import Any

from interpreter.specialise.analysis import CHOSEN, Statement, offered, walk
from interpreter.specialise.asks import (
    bounds,
    decode,
    list_values,
    options_function,
    take_only,
    take_set_answer,
)
from interpreter.specialise.cells import given, given_to_cell, thing
from interpreter.specialise.control import MOST_INLINED, kept_me
from interpreter.specialise.makers import make
from interpreter.specialise.plans import Plan, last_part, list_first, list_set, rest_possible
from interpreter.specialise.quote import const, expr, load, stmts, store
from interpreter.specialise.reads import Reads
from interpreter.specialise.scope import Expr, Scope
from interpreter.specialise.script import Script, references
from interpreter.specialise.statements import emit_block, emitter, fire

# ------------------------------------------------------------------------------------ doing an action

PART_STEP = 6
MOST_KEYS = 3
"""How many cells may decide what is offered, for the answers to be kept by their values."""

MOST_KEPT = 1000


def action_script(build: Any, name: str) -> tuple[Script, list[str]]:
    """Return the script that carries out an action from its first answer (`s.ans`), and its parameters."""
    plan = build.plan(name)
    rule = plan.rule
    script = Script(build, name)
    parameters = [script.declare(i) for i in range(rule["params"])]
    counts = [_count(build, trigger) for trigger in build.program["triggers"] if trigger["after"] == name]
    handed = set(range(max([rule.get("hands_over", 0), *counts])))  # what is done afterwards is given them too
    script.later.append(references([rule["parts"], rule["ifs"], rule["cost"], rule["body"]]) | handed)
    if script.pausing:
        script.frames[0] = [(n, t) for n, t, _ in script.live]
        script.start(0)
    if build.mode.events:
        script.emit(stmts("cover_(_n)", _n=const(build.coverage_point(name, None))))
    for number in range(len(plan.parts)):
        _do_part(script, plan, number)
    if "hands_over" in rule:
        values = [script.env.get(i, const(-1)) for i in range(rule["hands_over"])]
        script.finish(ast.Tuple([const(script.rid), *values], ast.Load()))
        return script, parameters
    script.later.pop()
    script.later.append(references(rule["body"]) | handed)
    emit_block(script, rule["cost"])
    script.later[-1] = handed
    emit_block(script, rule["body"])
    script.later.pop()
    for index, trigger in enumerate(build.program["triggers"]):
        if trigger["after"] == name and not script.closed:
            values = [
                script.local(i)
                for i in range(len(build.program["rules"][trigger["do"]]["locals"][: _count(build, trigger)]))
            ]
            script.emit(stmts("done_(s, _i, _a)", _i=const(index), _a=ast.Tuple(values, ast.Load())))
    script.finish()
    return script, parameters


def _count(build: Any, trigger: dict[str, Any]) -> int:
    return int(build.program["rules"][trigger["do"]]["params"])


def _do_part(script: Script, plan: Plan, number: int) -> None:
    part, ask = plan.parts[number], plan.ask(number)
    label = 1 + number * PART_STEP
    if part["set"]:
        _do_set(script, plan, number, label)
        return
    if number > 0:
        script.build.asked_at[(script.rid, label)] = ("part", plan.name, number)
        script.wait(label)

        def fill(scope: Scope) -> None:
            list_values(
                scope, part, ask, None if last_part(plan, number) else lambda at: rest_possible(at, plan, number)
            )

        options_function(script, label, fill)
        script.start(label)
    decode(script, part, ask, script.declare)


def _do_set(script: Script, plan: Plan, number: int, label: int) -> None:
    part, ask = plan.parts[number], plan.ask(number)
    kind = script.declared[part["set"]["local"]][1]
    low, high, got = script.hold("lo", ["int", 0, 0]), script.hold("hi", ["int", 0, 0]), script.hold("g", kind)
    least, most = bounds(script, part)
    script.emit(stmts("_l = _a\n_h = _b\n_g = ()", _l=low, _a=least, _h=high, _b=most, _g=got))
    done = stmts("pc = _l\ncontinue", _l=const(label + 4))
    script.build.asked_at[(script.rid, label + 1)] = ("part", plan.name, number)
    if number == 0:
        script.jump(label + 1)
    else:
        script.jump(label)
    script.start(label)
    script.emit(stmts("if len(_g) >= _h:\n  _d", _g=got, _h=high, _d=done))
    script.pause(label + 1)
    script.emit(stmts("if o_ == [_e]:\n  _d", _e=const(ask.done if ask.whole is None else -1), _d=done))
    script.emit(stmts("if not o_: give_up_('no choice is possible')\ns.legal = o_\ns.look = None\nreturn None"))
    script.closed = True

    def fill(scope: Scope) -> None:
        list_set(scope, plan, number, load(got), load(low), load(high))
        scope.emit(stmts("return out"))

    options_function(script, label + 1, fill)
    script.start(label + 1)
    take_set_answer(script, part, ask, got, done, label)
    script.start(label + 4)
    script.emit(store(script.declare(part["set"]["local"]), load(got)))
    if script.build.mode.events:
        script.emit(stmts("chose_(s, me, _g)", _g=got))


# ---------------------------------------------------------------------------------------------- offers


@emitter("offer")
def _offer(script: Script, statement: Statement) -> None:
    label = script.labels(statement)
    with script.variables():
        old = script.hold("m", ["opt", "player"]) if statement["by"] is not None else ""
        if old:
            script.emit(stmts("_m = me\nme = _p", _m=old, _p=thing(script, statement["by"])))
        _pause_offer(script, statement, label)
        _answer_offer(script, statement, label)
        if old:
            script.emit(stmts("me = _m", _m=old))
        script.jump(label + 6)
        script.start(label + 5)
        if old:
            script.emit(stmts("me = _m", _m=old))
        if statement["otherwise"] is not None:
            emit_block(script, statement["otherwise"])
        script.jump(label + 6)
        script.start(label + 6)


def _pause_offer(script: Script, statement: Statement, label: int) -> None:
    passing = script.build.asks.by_name[statement["pass"]].base if statement["pass"] else None
    script.build.asked_at[(script.rid, label + 1)] = ("offer", statement)
    may = statement["mode"] == "may"
    lazy = statement["mode"] == "must" and not statement.get("automatic")
    memo = _memo_of(script, statement) if lazy else None
    if lazy:
        script.wait(label + 1, memo and expr("_m.get(_k)", _m=memo[0], _k=memo[1]))
    else:
        script.pause(label + 1)
        hidden = any(_hides(script, name) for a in statement["actions"] for name in offered(script.build.program, a))
        refuse = stmts("pc = _l\ncontinue", _l=const(label + 5))
        if statement["mode"] == "must_if_possible" or (may and not hidden):
            script.emit(stmts("if not o_:\n  _r", _r=refuse))
        if passing is not None:
            script.build.passes[(script.rid, label + 1)] = (passing, "")
            script.emit(stmts("o_.append(_p)\no_.sort()", _p=const(passing)))
        script.emit(take_only(statement, label + 1))
        script.emit(
            stmts("if not o_: give_up_('none of the actions can be done')\ns.legal = o_\ns.look = None\nreturn None")
        )
        script.closed = True
    own_pass = passing if lazy else None

    def fill(scope: Scope) -> None:
        if memo is not None:
            scope.emit(stmts("out = _m.get(_k)\nif out is not None:\n  return out", _m=memo[0], _k=memo[1]))
        _list_offer(scope, script, statement, own_pass)
        if memo is not None:
            keep = stmts("if out and len(_m) < _n:\n  _m[_k] = out", _m=memo[0], _k=memo[1], _n=const(MOST_KEPT))
            scope.out[-1:-1] = keep

    options_function(script, label + 1, fill)


def _memo_of(script: Script, statement: Statement) -> tuple[str, ast.expr] | None:
    """Return where the answers to an offer are kept and under which key, where they depend on a few cells alone."""
    build = script.build
    if not all("rule" in a and not a["args"] and not build.plan(a["rule"]).parts for a in statement["actions"]):
        return None
    plans = [build.plan(action["rule"]) for action in statement["actions"]]
    tests = [test for plan in plans for test in plan.conditions.get(-1, ())]
    reads = Reads()
    for test in tests:
        reads.add(Scope(build, script.rule), test)
    if len(plans) < 2 or any(plan.needs.searched for plan in plans) or not 0 < len(reads.cells) <= MOST_KEYS:
        return None
    keys = [expr("v[_c]", _c=const(cell)) for cell in sorted(reads.cells)]
    keys += [load("me")] if _asks_me(tests) else []
    name = f"memo{len(build.space)}_"
    build.space[name] = {}
    return name, keys[0] if len(keys) == 1 else ast.Tuple(keys, ast.Load())


def _asks_me(tree: Any) -> bool:
    """Say whether a formula reads `me`, also in its zones and loops, which are objects."""
    if isinstance(tree, dict):
        return any(map(_asks_me, tree.values()))
    return tree == ["me"] or (isinstance(tree, list) and any(map(_asks_me, tree)))


def _hides(script: Script, action: str) -> bool:
    from interpreter.specialise.needs import names_in

    rule = script.build.program["rules"][action]
    zones = script.layout.zones
    return any(
        n in zones and zones[n].seen_by != "all" for n in names_in([rule["parts"], [i["when"] for i in rule["ifs"]]])
    )


def _list_offer(scope: Scope, script: Script, statement: Statement, passing: int | None) -> None:
    build = script.build
    plain = all("rule" in action for action in statement["actions"])
    names = [name for action in statement["actions"] for name in offered(build.program, action)]
    searched = any(build.plan(name).needs.searched for name in names)
    if plain and len(names) == 1 and not searched and passing is None:
        _list_in_place(scope, build.plan(names[0]), statement["actions"][0]["args"])
        return
    scope.emit(stmts("out = []"))
    actions = (
        sorted(statement["actions"], key=lambda a: build.first_ask(a["rule"]).base) if plain else statement["actions"]
    )
    for action in actions:
        if "rule" in action and not build.plan(action["rule"]).parts and not action["args"]:
            plan = build.plan(action["rule"])
            add = stmts("out.append(_b)", _b=const(build.asks.by_name[action["rule"]].base))
            scope.emit(stmts("if _c:\n  _a", _c=plan.test(scope, -1), _a=add))
        else:
            scope.emit(stmts("out += _f", _f=_listing(scope, script, action)))
    if searched:
        ranges = tuple(
            (build.first_ask(n).base, build.first_ask(n).done + 1) for n in names if build.plan(n).needs.searched
        )
        scope.emit(stmts("out = looked_(s, k, out, _r)", _r=const(ranges)))
    scope.emit(stmts("out.append(_p)", _p=const(passing)) if passing is not None else [])
    scope.emit(stmts("return out") if plain and passing is None else stmts("out.sort()\nreturn out"))


def _list_in_place(scope: Scope, plan: Plan, arguments: list[Expr]) -> None:
    """List the first answers of the only action offered."""
    inner = Scope(scope.build, plan.name, "a")
    inner.env = {i: scope.keep(make(scope, tree)) for i, tree in enumerate(arguments)}
    inner.out, inner._fresh, inner.at, inner.home = scope.out, scope._fresh, scope.at, scope.home
    list_first(inner, plan)


def _given(scope: Scope, action: dict[str, Any]) -> list[ast.expr]:
    """Return what is given to an offered action."""
    if "rule" in action:
        return given(scope, action["rule"], action["args"])
    return given_to_cell(scope, action["cell"], action["args"])


def _listing(scope: Scope, script: Script, action: dict[str, Any]) -> ast.expr:
    """Return the call that lists an offered action's first answers."""
    arguments = [scope.keep(a) for a in _given(scope, action)]
    if "rule" in action:
        script.build.need_first(action["rule"])
        name = script.build.python_name(action["rule"]) + "_first"
        return ast.Call(load(name), [load("s"), load("me"), *arguments], [])
    table = script.build.first_cell(action["cell"])
    return ast.Call(expr("_t[_x]", _t=table, _x=thing(scope, action["of"])), [load("s"), load("me"), *arguments], [])


def _answer_offer(script: Script, statement: Statement, label: int) -> None:
    script.start(label + 1)
    if statement["pass"]:
        passing = script.build.asks.by_name[statement["pass"]].base
        script.emit(stmts("if s.ans == _p:\n  pc = _l\n  continue", _p=const(passing), _l=const(label + 5)))
    for action in statement["actions"]:
        for name in offered(script.build.program, action):
            _carry_out(script, statement, action, name, label)
    if "keeps" in statement:
        _keep_chosen(script, statement["keeps"], label)
        return
    script.start(label + 2)
    if script.build.mode.chance == "barrier":
        script.emit(stmts("raise Barrier_"))
    if script.build.facts.after_triggers(statement):
        fire(script, statement, 7)


def can_inline(build: Any, name: str, host: str) -> bool:
    """Say whether an action that cannot pause is short enough to be written where it is offered."""
    rule = build.program["rules"][name]
    inside = list(walk([*rule["cost"], *rule["body"]]))
    after = any(trigger["after"] == name for trigger in build.program["triggers"])
    is_short = len(inside) <= MOST_INLINED and all(s["op"] != "return" for s in inside)
    return is_short and not after and not build.mode.events and build.file_of(name) == build.file_of(host)


def _inline_action(script: Script, name: str, arguments: list[ast.expr]) -> None:
    """Emit an action's parts, cost and body in the function that offers it."""
    plan = script.build.plan(name)
    action = Script(script.build, name, "a")
    action.out, action._fresh, action.inlined, action.pausing = script.out, script._fresh, True, False
    action.env = dict(enumerate(kept_me(script, [*plan.rule["cost"], *plan.rule["body"]], arguments)))
    for number in range(len(plan.parts)):
        decode(action, plan.parts[number], plan.ask(number), action.declare)
    emit_block(action, plan.rule["cost"])
    emit_block(action, plan.rule["body"])
    script.closed = action.closed


def _ask_parts(script: Script, name: str, arguments: list[ast.expr], label: int) -> None:
    """Emit the asking of the parts of an action offered at the same time as others; `s.ret` is what was chosen."""
    build, rule = script.build, name + CHOSEN
    build.need(rule)
    if rule in build.facts.pausing:
        start = [const(build.rule_number(rule)), const(0), script.frame(label + 2), load("me"), *arguments]
        script.emit([ast.Return(ast.Tuple(start, ast.Load()))])
        return
    call = ast.Call(load(build.python_name(rule)), [load("s"), load("me"), *arguments], [])
    script.emit(stmts("s.ret = _c", _c=call))
    script.jump(label + 2)


def _keep_chosen(script: Script, keeps: dict[str, Any], label: int) -> None:
    """Emit the keeping of what was chosen: which action, and the values of its parts."""
    script.start(label + 2)
    for name, chosen in keeps["actions"].items():
        names = ["_", *(script.declare(i) for i in chosen["locals"])]
        kept = ast.Assign([ast.Tuple([ast.Name(n, ast.Store()) for n in names], ast.Store())], expr("s.ret"))
        number = store(script.declare(keeps["chosen"]), const(chosen["number"]))
        rid = const(script.build.rule_number(name + CHOSEN))
        script.emit(stmts("if s.ret[0] == _r:\n  _b", _r=rid, _b=[kept, number]))


def _carry_out(script: Script, statement: Statement, action: dict[str, Any], name: str, label: int) -> None:
    build = script.build
    ask = build.first_ask(name)
    with script.block() as body:
        arguments = _given(script, action)
        if "keeps" in statement:
            _ask_parts(script, name, arguments, label)
        elif name in build.facts.pausing:
            build.need(name)
            frame = script.frame(label + 2)
            start = ast.Tuple([const(build.rule_number(name)), const(0), frame, load("me"), *arguments], ast.Load())
            script.emit([ast.Return(start)])
        elif can_inline(build, name, script.rule):
            _inline_action(script, name, [script.keep(a) for a in arguments])
        else:
            build.need(name)
            script.emit(ast.Expr(ast.Call(load(build.python_name(name)), [load("s"), load("me"), *arguments], [])))
        if name not in build.facts.pausing and "keeps" not in statement:
            script.jump(label + 2)
    script.closed = False
    test: ast.expr = expr("_a <= s.ans < _b", _a=const(ask.base), _b=const(ask.base + ask.size))
    if len(statement["actions"]) == 1 and "rule" in action:
        test = const(True)
    elif ask.size == 1:
        test = expr("s.ans == _a", _a=const(ask.base))
    script.emit(body if isinstance(test, ast.Constant) else stmts("if _t:\n  _b", _t=test, _b=body))


__all__ = ["action_script", "can_inline"]
