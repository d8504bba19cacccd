"""Actions, the offers that ask for one of them, and decisions made at the same time."""

from __future__ import annotations

import ast
from typing import Any

from interpreter.actions import Ask
from interpreter.specialise.analysis import Statement, offered
from interpreter.specialise.asks import (
    Part,
    bounds,
    candidates,
    collect_set,
    decode,
    list_items,
    list_values,
    list_wholes,
    loop_of,
    options_function,
    take_set_answer,
)
from interpreter.specialise.cells import thing
from interpreter.specialise.domains import index_of
from interpreter.specialise.loops import collect, run
from interpreter.specialise.makers import make
from interpreter.specialise.needs import Needs, needs_of
from interpreter.specialise.quote import const, expr, function, load, place, stmts, store
from interpreter.specialise.scope import Expr, Scope
from interpreter.specialise.script import Script, references
from interpreter.specialise.statements import emit_block, emitter, fire

# ---------------------------------------------------------------------------------- what is possible


class Plan:
    """What an action asks and needs: each condition stands at the first part after which it can be tested."""

    def __init__(self, build: Any, name: str) -> None:
        self.build = build
        self.name = name
        self.rule = build.program["rules"][name]
        self.parts: list[Part] = self.rule["parts"]
        self.needs: Needs = needs_of(build.program, self.rule)
        self.bound: list[set[int]] = []
        for part in self.parts:
            own = {v["local"] for v in part["vars"]} | ({part["set"]["local"]} if part["set"] else set())
            self.bound.append(own)
        self.conditions: dict[int, list[Expr]] = {}
        for condition in [i["when"] for i in self.rule["ifs"]] + [c for _, c, _ in self.needs.conditions]:
            self.conditions.setdefault(self.stage(condition), []).append(condition)

    def stage(self, condition: Expr) -> int:
        """Return the last part a condition reads, or -1."""
        read = references(condition)
        return max((i for i, own in enumerate(self.bound) if own & read), default=-1)

    def reads_set(self, number: int) -> bool:
        """Say whether anything after a set reads which set it is."""
        local = self.parts[number]["set"]["local"]
        later: list[Any] = [self.parts[number + 1 :], *self.conditions.get(number, ())]
        later += [c for i, cs in self.conditions.items() if i > number for c in cs]
        return self.parts[number]["set"]["such_that"] is not None or local in references(later)

    def ask(self, number: int) -> Ask:
        """Return the question of a part."""
        found = self.build.asks.by_name[self.parts[number]["ask"]]
        assert isinstance(found, Ask)
        return found

    def test(self, scope: Scope, stage: int) -> ast.expr:
        """Return the conditions of a stage as one."""
        return make(scope, ["and", *self.conditions.get(stage, ())])

    def completes(self, scope: Scope, number: int) -> ast.expr:
        """Return whether the parts from *number* on can be answered."""
        if number == len(self.parts):
            return const(True)
        name = scope.fresh("e")
        scope.emit(store(name, const(False)))
        self._level(scope, number, name)
        return load(name)

    def _level(self, scope: Scope, number: int, flag: str) -> None:
        if number == len(self.parts):
            scope.emit(store(flag, const(True)))
            return
        if self.parts[number]["set"]:
            self._set_level(scope, number, flag)
        else:
            self._variable_level(scope, number, 0, flag)

    def _variable_level(self, scope: Scope, number: int, variable: int, flag: str) -> None:
        part = self.parts[number]
        if variable == len(part["vars"]):
            test = self.test(scope, number)
            if not (isinstance(test, ast.Constant) and test.value):
                scope.emit(stmts("if not _c:\n  continue", _c=test))
            self._level(scope, number + 1, flag)
            scope.emit(stmts("if _f:\n  break", _f=flag))
            return

        def body() -> None:
            self._variable_level(scope, number, variable + 1, flag)
            if variable + 1 < len(part["vars"]):
                scope.emit(stmts("if _f:\n  break", _f=flag))

        run(scope, loop_of(part["vars"][variable]), body)

    def _set_level(self, scope: Scope, number: int, flag: str) -> None:
        part = self.parts[number]
        low, high = bounds(scope, part)
        members = candidates(scope, part)
        if not self.reads_set(number):
            with scope.block() as body:
                test = self.test(scope, number)
                with scope.block() as inner:
                    self._level(scope, number + 1, flag)
                scope.emit(stmts("if _c:\n  _i", _c=test, _i=inner))
            scope.emit(stmts("if len(_m) >= _l:\n  _b", _m=members, _l=low, _b=body))
            return
        ask = self.ask(number)
        ids = scope.keep(expr("[_i for x_ in _m]", _i=index_of(scope, ask, 0, load("x_")), _m=members))
        name, combo = scope.bind(part["set"]["local"]), scope.fresh()
        with scope.block() as body:
            scope.emit(stmts("_j = members_(_c, _ids, _m)", _j=name, _c=combo, _ids=ids, _m=members))
            such = [part["set"]["such_that"]] if part["set"]["such_that"] is not None else []
            test = make(scope, ["and", *such, *self.conditions.get(number, ())])
            scope.emit(stmts("if not _c:\n  continue", _c=test))
            self._level(scope, number + 1, flag)
            scope.emit(stmts("if _f:\n  break", _f=flag))
        scope.emit(stmts("for _c in sets_(_ids, _l, _h):\n  _b", _c=combo, _ids=ids, _l=low, _h=high, _b=body))


def first_function(build: Any, name: str) -> ast.FunctionDef:
    """Make the function that lists the first answers of an action: `first(s, me, arguments)`."""
    plan = build.plan(name)
    rule = plan.rule
    scope = Scope(build, name)
    scope.at = rule["at"][1:3]
    scope.emit(stmts("v = s.v"))
    parameters = [scope.bind(i) for i in range(rule["params"])]
    test = plan.test(scope, -1)
    if not (isinstance(test, ast.Constant) and test.value):
        scope.emit(stmts("if not _c:\n  return []", _c=test))
    if not plan.parts:
        scope.emit(stmts("return [_b]", _b=const(build.asks.by_name[name].base)))
    elif plan.parts[0]["set"]:
        _first_set(scope, plan)
    else:
        list_values(scope, plan.parts[0], plan.ask(0), None if _last(plan, 0) else lambda at: _rest(at, plan, 0))
    line = rule["at"][1]
    return function(build.python_name(name) + "_first", ["s", "me", *parameters], place(scope.out, line, 1), line)


def _last(plan: Plan, number: int) -> bool:
    return number + 1 == len(plan.parts) and not plan.conditions.get(number)


def _rest(scope: Scope, plan: Plan, number: int) -> ast.expr:
    """Return whether the conditions of a part hold and the parts after it can be answered."""
    test = plan.test(scope, number)
    if number + 1 == len(plan.parts):
        return test
    if isinstance(test, ast.Constant) and test.value:
        return plan.completes(scope, number + 1)
    name = scope.fresh("g")
    scope.emit(store(name, test))
    with scope.block() as body:
        scope.emit(store(name, plan.completes(scope, number + 1)))
    scope.emit(stmts("if _n:\n  _b", _n=name, _b=body))
    return load(name)


def _first_set(scope: Scope, plan: Plan) -> None:
    low, high = bounds(scope, plan.parts[0])
    list_set(scope, plan, 0, const(()), low, high)
    scope.emit(stmts("return out"))


def list_set(scope: Scope, plan: Plan, number: int, got: ast.expr, low: ast.expr, high: ast.expr) -> None:
    """Emit the listing of a set of an action into `out`, with what comes after it."""
    part, ask = plan.parts[number], plan.ask(number)
    if ask.whole is not None:
        list_wholes(scope, part, ask, low, high, lambda at: _rest(at, plan, number))
        return
    if plan.reads_set(number):
        _list_dependent_items(scope, plan, number, got, low, high)
        return
    good = _rest(scope, plan, number)
    with scope.block() as body:
        list_items(scope, part, ask, got, low, high)
    scope.emit(stmts("out = []\nif _g:\n  _b", _g=good, _b=body))


def _list_dependent_items(scope: Scope, plan: Plan, number: int, got: ast.expr, low: ast.expr, high: ast.expr) -> None:
    """Items of a set that later parts read: an item is offered if some whole set with it can be completed."""
    part, ask = plan.parts[number], plan.ask(number)
    members = candidates(scope, part)
    ids = scope.keep(expr("[_i for x_ in _m]", _i=index_of(scope, ask, 0, load("x_")), _m=members))
    chosen = scope.keep(expr("tuple([_i for x_ in _g])", _i=index_of(scope, ask, 0, load("x_")), _g=got))
    name, combo = scope.bind(part["set"]["local"]), scope.fresh()
    scope.emit(stmts("found_ = {}"))
    with scope.block() as body:
        scope.emit(stmts("n_ = next_item_(_c, _g, found_)\nif n_ is None: continue", _c=combo, _g=chosen))
        scope.emit(stmts("_j = members_(_c, _ids, _m)", _j=name, _c=combo, _ids=ids, _m=members))
        such = [part["set"]["such_that"]] if part["set"]["such_that"] is not None else []
        scope.emit(stmts("if not _c:\n  continue", _c=make(scope, ["and", *such])))
        scope.emit(stmts("if not _c:\n  continue", _c=_rest(scope, plan, number)))
        scope.emit(stmts("found_[n_] = True"))
    scope.emit(stmts("for _c in sets_(_ids, _l, _h):\n  _b", _c=combo, _ids=ids, _l=low, _h=high, _b=body))
    scope.emit(
        stmts(
            "out = [(_e if i < 0 else i + _b) for i in sorted(found_)]\nout.sort()",
            _e=const(ask.done),
            _b=const(ask.base),
        )
    )


# ------------------------------------------------------------------------------------ doing an action

PART_STEP = 6


def action_script(build: Any, name: str) -> tuple[Script, list[str]]:
    """Return the script that carries out an action from its first answer (`s.ans`), and its parameters."""
    plan = build.plan(name)
    rule = plan.rule
    script = Script(build, name)
    parameters = [script.declare(i) for i in range(rule["params"])]
    script.later.append(references([rule["parts"], rule["ifs"], rule["cost"], rule["body"]]))
    if script.pausing:
        script.frames[0] = [(n, t) for n, t, _ in script.live]
        script.start(0)
    if build.mode.events:
        script.emit(stmts("cover_(_n)", _n=const(build.coverage_point(name, None))))
    for number in range(len(plan.parts)):
        _do_part(script, plan, number)
    script.later.pop()
    script.later.append(references(rule["body"]))
    emit_block(script, rule["cost"])
    script.later.pop()
    emit_block(script, rule["body"])
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
        script.pause(label)
        script.emit(stmts("if not o_: give_up_('no choice is possible')\ns.legal = o_\nreturn None"))

        def fill(scope: Scope) -> None:
            list_values(scope, part, ask, None if _last(plan, number) else lambda at: _rest(at, plan, number))

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
    script.emit(stmts("if not o_: give_up_('no choice is possible')\ns.legal = o_\nreturn None"))
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
        _answer_offer(script, statement, label, old)
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
    single = _single_listing(script, statement)
    script.pause(label + 1, single is None)
    if single is not None:
        script.emit(stmts("o_ = _f", _f=single))
    may = statement["mode"] == "may"
    hidden = any(_hides(script, name) for a in statement["actions"] for name in offered(script.build.program, a))
    refuse = stmts("pc = _l\ncontinue", _l=const(label + 5))
    if statement["mode"] == "must" and passing is None and not statement.get("automatic"):
        script.emit(stmts("if not o_: give_up_('none of the actions can be done')\ns.legal = o_\nreturn None"))
    else:
        if statement["mode"] == "must_if_possible" or (may and not hidden):
            script.emit(stmts("if not o_:\n  _r", _r=refuse))
        if passing is not None:
            script.build.passes[(script.rid, label + 1)] = (passing, "")
            script.emit(stmts("o_.append(_p)\no_.sort()", _p=const(passing)))
        if statement.get("automatic"):
            script.emit(stmts("if len(o_) == 1:\n  s.ans = o_[0]\n  pc = _l\n  continue", _l=const(label + 1)))
        script.emit(stmts("if not o_: give_up_('none of the actions can be done')\ns.legal = o_\nreturn None"))
    script.closed = True
    options_function(script, label + 1, lambda scope: _list_offer(scope, script, statement, passing))


def _single_listing(script: Script, statement: Statement) -> ast.expr | None:
    """Return the listing of an offer of one action, where it can be asked straight away."""
    action = statement["actions"][0]
    if len(statement["actions"]) > 1 or "rule" not in action or script.build.plan(action["rule"]).needs.searched:
        return None
    return _listing(script, script, action)


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
    if plain and len(names) == 1 and not searched:
        scope.emit([ast.Return(_listing(scope, script, statement["actions"][0]))])
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
        scope.emit(stmts("out = looked_(s, k, out)"))
    scope.emit(stmts("return out") if plain else stmts("out.sort()\nreturn out"))


def _listing(scope: Scope, script: Script, action: dict[str, Any]) -> ast.expr:
    """Return the call that lists an offered action's first answers."""
    arguments = [scope.keep(make(scope, a)) for a in action["args"]]
    if "rule" in action:
        script.build.need_first(action["rule"])
        name = script.build.python_name(action["rule"]) + "_first"
        return ast.Call(load(name), [load("s"), load("me"), *arguments], [])
    table = script.build.first_cell(action["cell"])
    return ast.Call(expr("_t[_x]", _t=table, _x=thing(scope, action["of"])), [load("s"), load("me"), *arguments], [])


def _answer_offer(script: Script, statement: Statement, label: int, old: str) -> None:
    script.start(label + 1)
    if statement["pass"]:
        passing = script.build.asks.by_name[statement["pass"]].base
        script.emit(stmts("if s.ans == _p:\n  pc = _l\n  continue", _p=const(passing), _l=const(label + 5)))
    for action in statement["actions"]:
        for name in offered(script.build.program, action):
            _carry_out(script, statement, action, name, label)
    script.start(label + 2)
    if script.build.mode.chance == "barrier":
        script.emit(stmts("raise Barrier_"))
    if script.build.facts.after_triggers(statement):
        fire(script, statement, 7)


def _carry_out(script: Script, statement: Statement, action: dict[str, Any], name: str, label: int) -> None:
    build = script.build
    build.need(name)
    ask = build.first_ask(name)
    with script.block() as body:
        arguments = [make(script, a) for a in action["args"]]
        if name in build.facts.pausing:
            frame = script.frame(label + 2)
            start = ast.Tuple([const(build.rule_number(name)), const(0), frame, load("me"), *arguments], ast.Load())
            script.emit([ast.Return(start)])
        else:
            script.emit(ast.Expr(ast.Call(load(build.python_name(name)), [load("s"), load("me"), *arguments], [])))
            script.emit(stmts("pc = _l\ncontinue", _l=const(label + 2)))
    script.closed = False
    test: ast.expr = expr("_a <= s.ans < _b", _a=const(ask.base), _b=const(ask.base + ask.size))
    if len(statement["actions"]) == 1 and "rule" in action:
        test = const(True)
    elif ask.size == 1:
        test = expr("s.ans == _a", _a=const(ask.base))
    script.emit(body if isinstance(test, ast.Constant) else stmts("if _t:\n  _b", _t=test, _b=body))


# ---------------------------------------------------------------------------------- at the same time


@emitter("simultaneous")
def _simultaneous(script: Script, statement: Statement) -> None:
    label = script.labels(statement)
    loop = statement["loop"]
    members = script.keep(expr("tuple(_m)", _m=collect(script, loop)))
    script.env.pop(loop["local"], None)
    name = script.build.simultaneous_rule(script, statement)
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


__all__ = ["action_script", "collect_set", "first_function"]
