"""What an action asks and needs, and the listing of its answers: each is offered only if the rest can be done."""

from __future__ import annotations

import ast
from typing import Any

from interpreter.actions import Ask
from interpreter.specialise.asks import Part, bounds, candidates, list_items, list_values, list_wholes, loop_of
from interpreter.specialise.domains import index_of
from interpreter.specialise.loops import run
from interpreter.specialise.makers import make
from interpreter.specialise.needs import Needs, needs_of, references
from interpreter.specialise.quote import const, expr, function, load, place, stmts, store
from interpreter.specialise.scope import Expr, Scope


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
    list_first(scope, plan)
    line = rule["at"][1]
    return function(build.python_name(name) + "_first", ["s", "me", *parameters], place(scope.out, line, 1), line)


def list_first(scope: Scope, plan: Plan) -> None:
    """Emit the listing of an action's first answers, and its return."""
    test = plan.test(scope, -1)
    if not (isinstance(test, ast.Constant) and test.value):
        scope.emit(stmts("if not _c:\n  return []", _c=test))
    if not plan.parts:
        scope.emit(stmts("return [_b]", _b=const(scope.build.asks.by_name[plan.name].base)))
    elif plan.parts[0]["set"]:
        _first_set(scope, plan)
    else:
        list_values(
            scope, plan.parts[0], plan.ask(0), None if last_part(plan, 0) else lambda at: rest_possible(at, plan, 0)
        )


def last_part(plan: Plan, number: int) -> bool:
    return number + 1 == len(plan.parts) and not plan.conditions.get(number)


def rest_possible(scope: Scope, plan: Plan, number: int) -> ast.expr:
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
        list_wholes(scope, part, ask, low, high, lambda at: rest_possible(at, plan, number))
        return
    if plan.reads_set(number):
        _list_dependent_items(scope, plan, number, got, low, high)
        return
    good = rest_possible(scope, plan, number)
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
        scope.emit(stmts("if not _c:\n  continue", _c=rest_possible(scope, plan, number)))
        scope.emit(stmts("found_[n_] = True"))
    scope.emit(stmts("for _c in sets_(_ids, _l, _h):\n  _b", _c=combo, _ids=ids, _l=low, _h=high, _b=body))
    scope.emit(
        stmts(
            "out = [(_e if i < 0 else i + _b) for i in sorted(found_)]\nout.sort()",
            _e=const(ask.done),
            _b=const(ask.base),
        )
    )
