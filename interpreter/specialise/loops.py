"""Formulas that range over things: some, count, those, first, every, sum, distinct, min, max."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from interpreter.layout import NOTHING, SINGLE
from interpreter.specialise.cells import is_single, slot
from interpreter.specialise.dispatch import by_value
from interpreter.specialise.expressions import in_kind, junction
from interpreter.specialise.makers import make, maker, value_of
from interpreter.specialise.quote import const, expr, is_const, load, stmts, store
from interpreter.specialise.scope import Expr, Scope

UNROLL_MEMBERS = 12
UNROLL_NODES = 500


def unrolled(scope: Scope, loop: dict[str, Any], inner: Expr | None) -> tuple[int, ...] | None:
    """Return the members of a loop that is known and small enough to be written out, else None."""
    if loop["order"] is not None:
        return None
    with scope.block() as body:
        source = make(scope, loop["in"])
    if body or not is_const(source):
        return None
    members: tuple[int, ...] = tuple(value_of(source))
    weight = 1 + sum(scope.build.size_of(part) for part in (loop["where"], inner) if part is not None)
    return members if len(members) <= UNROLL_MEMBERS and weight * len(members) <= UNROLL_NODES else None


def each_member(
    scope: Scope, loop: dict[str, Any], members: tuple[int, ...], inner: Expr
) -> list[Callable[[], ast.expr]]:
    """Return for each known member what makes `where and inner` for it."""

    def part(member: int) -> Callable[[], ast.expr]:
        def build() -> ast.expr:
            scope.env[loop["local"]] = const(member)
            return make(scope, inner)

        return build

    return [part(member) for member in members]


def test_of(loop: dict[str, Any]) -> Expr:
    return loop["where"] if loop["where"] is not None else ["lit", True]


def without_order(scope: Scope, loop: dict[str, Any]) -> dict[str, Any]:
    """Return a loop whose result does not depend on the order of its members: they come in any."""
    order = None if loop["order"] and loop["order"][0] == "sorted" else loop["order"]
    source = loop["in"] if loop["in"][0] != "all" else ["lit", scope.layout.members[loop["in"][1]]]
    return {**loop, "in": source, "order": order}


@maker("some", "every")
def _some(scope: Scope, tree: Expr) -> ast.expr:
    loop = tree[1]
    every = tree[0] == "every"
    inner: Expr = test_of(loop)
    if every:
        inner = tree[2] if loop["where"] is None else ["or", ["not", loop["where"]], tree[2]]
    loop = {**without_order(scope, loop), "where": None}
    members = unrolled(scope, loop, inner)
    if members is not None:
        return by_value(scope, junction(scope, not every, each_member(scope, loop, members, inner)))
    token = _one_slot(scope, loop)
    if token is not None:
        return _in_one_slot(scope, loop, inner, every, token)
    name = scope.fresh()
    scope.emit(store(name, const(every)))

    def body() -> None:
        test = make(scope, inner)
        hit = "if not _c:\n  _n = False\n  break" if every else "if _c:\n  _n = True\n  break"
        scope.emit(stmts(hit, _c=test, _n=name))

    run(scope, loop, body)
    return load(name)


def _one_slot(scope: Scope, loop: dict[str, Any]) -> ast.expr | None:
    """Return the cell a loop over the tokens of one single slot reads, else None."""
    source = loop["in"]
    if source[0] == "tokens_of_kind":
        source = source[1]
    if loop["order"] is not None or source[0] != "tokens" or not is_single(source[1]):
        return None
    if scope.layout.zones[source[1]["zone"]].mode != SINGLE:
        return None
    return expr("v[_c]", _c=slot(scope, source[1]))


def _in_one_slot(scope: Scope, loop: dict[str, Any], inner: Expr, every: bool, token: ast.expr) -> ast.expr:
    name = scope.bind(loop["local"])
    first: ast.expr = expr("(_n := _t) >= 0", _n=name, _t=token)
    kind = loop["in"][2] if loop["in"][0] == "tokens_of_kind" else None
    parts: list[Callable[[], ast.expr]] = [lambda: first]
    if kind is not None:
        parts.append(lambda: in_kind(scope, load(name), kind))
    if every:
        parts.append(lambda: expr("not _x", _x=make(scope, inner)))
        return expr("not _x", _x=junction(scope, False, parts))
    parts.append(lambda: make(scope, inner))
    return junction(scope, False, parts)


def run(scope: Scope, loop: dict[str, Any], body: Callable[[], None]) -> None:
    """Emit a `for` over the members that fit, in order; *body* emits what is done for each."""
    if loop["order"] is not None:
        members = collect(scope, loop)
        name = scope.bind(loop["local"])
        with scope.block() as inside:
            body()
        scope.emit(stmts("for _x in _m:\n  _body", _x=name, _m=members, _body=inside))
        return
    source = make(scope, loop["in"])
    name = scope.bind(loop["local"])
    with scope.block() as inside:
        if loop["where"] is not None:
            test = make(scope, loop["where"])
            scope.emit(stmts("if not _c:\n  continue", _c=test))
        body()
    scope.emit(stmts("for _x in _m:\n  _body", _x=name, _m=source, _body=inside))


def collect(scope: Scope, loop: dict[str, Any]) -> ast.expr:
    """Return the members that fit, in order, as a list."""
    order = loop["order"]
    plain = {**loop, "order": None}
    if order is None:
        if loop["where"] is None:
            return make(scope, loop["in"])
        return _plain_list(scope, plain)
    keys = [[order[1], order[2]]] if order[0] == "attaining" else order[1]
    known = _known_order(scope, loop, keys)
    if known is not None:
        return const(known)
    pairs = scope.fresh()
    scope.emit(store(pairs, expr("[]")))
    starts = {i: scope.keep(make(scope, key[1])) for i, key in enumerate(keys) if key[0] == "clockwise"}

    def body() -> None:
        member = scope.local(loop["local"])
        ranks = [_rank(scope, key, member, starts.get(i)) for i, key in enumerate(keys)]
        rank: ast.expr = ranks[0] if len(ranks) == 1 else ast.Tuple(ranks, ast.Load())
        scope.emit(stmts("_p.append((_k, _x))", _p=pairs, _k=rank, _x=member))

    run(scope, plain, body)
    return expr("attaining_(_p)" if order[0] == "attaining" else "in_order_(_p)", _p=pairs)


def _known_order(scope: Scope, loop: dict[str, Any], keys: list[Any]) -> tuple[int, ...] | None:
    """Return players in seat order where the first of them is known when loading."""
    if len(keys) != 1 or keys[0][0] != "clockwise" or loop["where"] is not None:
        return None
    with scope.block() as body:
        source, start = make(scope, loop["in"]), make(scope, keys[0][1])
    if body or not is_const(source) or not is_const(start):
        return None
    first, count = value_of(start), scope.layout.players
    return tuple(sorted(value_of(source), key=lambda p: (p - first) % count if first >= 0 else p))


def _plain_list(scope: Scope, loop: dict[str, Any]) -> ast.expr:
    source = scope.keep(make(scope, loop["in"]))
    name = scope.bind(loop["local"])
    with scope.block() as inside:
        test = make(scope, loop["where"])
    if not inside:
        return expr("[_x for _x in _m if _c]", _x=name, _m=source, _c=test)
    found = scope.fresh()
    scope.emit(store(found, expr("[]")))
    with scope.block() as body:
        scope.out.extend(inside)
        scope.emit(stmts("if _c:\n  _f.append(_x)", _c=test, _f=found, _x=name))
    scope.emit(stmts("for _x in _m:\n  _body", _x=name, _m=source, _body=body))
    return load(found)


def _rank(scope: Scope, key: list[Any], member: ast.expr, start: ast.expr | None) -> ast.expr:
    if key[0] == "clockwise":
        assert start is not None
        return expr("(_x - _p) % _n if _p >= 0 else _x", _x=member, _p=start, _n=const(scope.layout.players))
    value = make(scope, key[1])
    return expr("-_v", _v=value) if key[0] == "most" else value


@maker("those")
def _those(scope: Scope, tree: Expr) -> ast.expr:
    members = unrolled(scope, tree[1], None)
    if members is not None and tree[1]["where"] is None:
        return const(members)
    return collect(scope, tree[1])


@maker("count")
def _count(scope: Scope, tree: Expr) -> ast.expr:
    loop = tree[1]
    if loop["order"] is not None:
        return expr("len(_m)", _m=collect(scope, loop))
    if loop["where"] is None:
        return make(scope, ["size", loop["in"]])
    return _total(scope, loop, None)


@maker("sum")
def _sum(scope: Scope, tree: Expr) -> ast.expr:
    return _total(scope, tree[1], tree[2])


def _total(scope: Scope, loop: dict[str, Any], value: Expr | None) -> ast.expr:
    name = scope.fresh()
    scope.emit(store(name, const(0)))

    def body() -> None:
        scope.emit(stmts("_n += _v", _n=name, _v=const(1) if value is None else make(scope, value)))

    run(scope, without_order(scope, loop), body)
    return load(name)


@maker("first_of")
def _first_of(scope: Scope, tree: Expr) -> ast.expr:
    loop = tree[1]
    if loop["order"] is not None and loop["order"][0] == "attaining":
        return _first_attaining(scope, loop)
    if loop["order"] is not None:
        return expr("first_(_m)", _m=collect(scope, loop))
    name = scope.fresh()
    scope.emit(store(name, const(NOTHING)))

    def body() -> None:
        scope.emit(stmts("_n = _x\nbreak", _n=name, _x=scope.local(loop["local"])))

    run(scope, loop, body)
    return load(name)


def _first_attaining(scope: Scope, loop: dict[str, Any]) -> ast.expr:
    """Return the first of those that attain the most or least, in one pass."""
    _, direction, value = loop["order"]
    found, best = scope.fresh(), scope.fresh()
    better = "_r > _b" if direction == "most" else "_r < _b"
    plain = {**loop, "order": None}
    members = unrolled(scope, plain, value) if loop["where"] is None else None
    if members:
        for i, member in enumerate(members):
            scope.env[loop["local"]] = const(member)
            rank = make(scope, value)
            if i == 0:
                scope.emit(stmts("_f = _x\n_b = _r", _f=found, _b=best, _r=rank, _x=const(member)))
                continue
            test = f"if {better}:\n  _b = _r\n  _f = _x" if i < len(members) - 1 else f"if {better}:\n  _f = _x"
            scope.emit(stmts(test, _b=best, _r=scope.keep(rank), _f=found, _x=const(member)))
        return load(found)
    scope.emit(stmts("_f = -1\n_b = None", _f=found, _b=best))

    def body() -> None:
        rank = scope.keep(make(scope, value))
        test = f"if _b is None or {better}:\n  _b = _r\n  _f = _x"
        scope.emit(stmts(test, _b=best, _r=rank, _f=found, _x=scope.local(loop["local"])))

    run(scope, plain, body)
    return load(found)


@maker("distinct")
def _distinct(scope: Scope, tree: Expr) -> ast.expr:
    name = scope.fresh()
    scope.emit(store(name, expr("{}")))

    def body() -> None:
        scope.emit(stmts("_n[_v] = None", _n=name, _v=make(scope, tree[2])))

    run(scope, tree[1], body)
    return expr("tuple(_n)", _n=name)


@maker("min_of", "max_of")
def _extreme(scope: Scope, tree: Expr) -> ast.expr:
    name = scope.fresh()
    scope.emit(store(name, expr("[]")))

    def body() -> None:
        scope.emit(stmts("_n.append(_v)", _n=name, _v=make(scope, tree[2])))

    run(scope, without_order(scope, tree[1]), body)
    return expr("min(_n, default=0)" if tree[0] == "min_of" else "max(_n, default=0)", _n=name)
