"""Formulas of a program as Python expressions.

What needs a loop becomes statements before the expression, so that no generator object is made; what is known when
loading is worked out here; small loops over known things are unrolled; small functions are written in place.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from interpreter.layout import BAG, LOOSE, NOTHING, SINGLE, STACK
from interpreter.specialise.cells import (
    cell_of,
    counter_cell,
    given,
    given_to_cell,
    is_single,
    nullable,
    offset,
    position,
    slot,
    slots,
    thing,
)
from interpreter.specialise.makers import make, maker, value_of
from interpreter.specialise.quote import const, expr, is_const, load, place, stmts, store, tuple_of
from interpreter.specialise.scope import Expr, Scope

INLINE_NODES = 80
INLINE_DEPTH = 8


# ------------------------------------------------------------------------------------------ leaves


@maker("lit")
def _literal(scope: Scope, tree: Expr) -> ast.expr:
    return const(tree[1])


@maker("local")
def _local(scope: Scope, tree: Expr) -> ast.expr:
    return scope.local(tree[1])


@maker("me")
def _me(scope: Scope, tree: Expr) -> ast.expr:
    return scope.me


@maker("active")
def _active(scope: Scope, tree: Expr) -> ast.expr:
    return expr("v[0]")


@maker("option")
def _option(scope: Scope, tree: Expr) -> ast.expr:
    return const(scope.layout.options[tree[1]])


@maker("players_count")
def _players_count(scope: Scope, tree: Expr) -> ast.expr:
    return const(scope.layout.players)


@maker("all")
def _all(scope: Scope, tree: Expr) -> ast.expr:
    members = scope.layout.members[tree[1]]
    return expr("everywhere_(v, _m)", _m=const(members)) if scope.layout.has_likes(tree[1]) else const(members)


# ------------------------------------------------------------------------------------------ places


@maker("var")
def _variable(scope: Scope, tree: Expr) -> ast.expr:
    block = scope.layout.variables[tree[1]]
    return expr("v[_c]", _c=cell_of(scope, block.base, block.keys, block.strides, tree[2:]))


@maker("counter")
def _counter(scope: Scope, tree: Expr) -> ast.expr:
    return expr("v[_c]", _c=counter_cell(scope, tree[1], tree[2]))


@maker("tokens")
def _tokens(scope: Scope, tree: Expr) -> ast.expr:
    zone = tree[1]
    mode = scope.layout.zones[zone["zone"]].mode
    if is_single(zone):
        cell = slot(scope, zone)
        if mode != SINGLE:
            return expr("v[_c]", _c=cell)
        token = scope.keep(expr("v[_c]", _c=cell))
        return expr("(_n,) if _n >= 0 else ()", _n=token)
    many = scope.keep(slots(scope, zone))
    if mode == SINGLE:
        return expr("[t for s in _m if (t := v[s]) >= 0]", _m=many)
    return expr("[t for s in _m for t in v[s]]", _m=many)


@maker("tokens_of_kind")
def _tokens_of_kind(scope: Scope, tree: Expr) -> ast.expr:
    source = scope.keep(make(scope, tree[1]))
    return expr("[t for t in _s if _c]", _s=source, _c=in_kind(scope, load("t"), tree[2]))


@maker("zone_size")
def _zone_size(scope: Scope, tree: Expr) -> ast.expr:
    zone = tree[1]
    single = scope.layout.zones[zone["zone"]].mode == SINGLE
    if is_single(zone):
        return expr("int(v[_c] >= 0)" if single else "len(v[_c])", _c=slot(scope, zone))
    return expr("sum([v[s] >= 0 for s in _m])" if single else "sum([len(v[s]) for s in _m])", _m=slots(scope, zone))


@maker("zone_empty")
def _zone_empty(scope: Scope, tree: Expr) -> ast.expr:
    zone = tree[1]
    single = scope.layout.zones[zone["zone"]].mode == SINGLE
    if is_single(zone):
        return expr("v[_c] < 0" if single else "not v[_c]", _c=slot(scope, zone))
    return expr("not any([v[s] >= 0 for s in _m])" if single else "not any([v[s] for s in _m])", _m=slots(scope, zone))


@maker("top")
def _top(scope: Scope, tree: Expr) -> ast.expr:
    zone = tree[1]
    mode = scope.layout.zones[zone["zone"]].mode
    if not is_single(zone):
        return expr("first_(_s)", _s=_tokens(scope, ["tokens", zone]))
    cell = slot(scope, zone)
    if mode == SINGLE:
        return expr("v[_c]", _c=cell)
    assert mode in (STACK, BAG, LOOSE)
    return expr("(v[_c] or none_)[-1]", _c=cell)


# ------------------------------------------------------------------------------------------ things


@maker("column")
def _column(scope: Scope, tree: Expr) -> ast.expr:
    table = scope.build.column(tree[1])
    of = thing(scope, tree[2])
    if is_const(of) and value_of(of) < len(table.values):
        value = table.values[value_of(of)]
        if len(tree) == 3:
            return const(value)
        cell: ast.expr = const(value)
    else:
        cell = expr("_t[_x]", _t=table.name, _x=of)
        if len(tree) == 3:
            return cell
    key = position(scope, table.key, thing(scope, tree[3]))
    if is_const(cell) and is_const(key):
        return const(value_of(cell)[value_of(key)])
    return expr("_c[_k]", _c=cell, _k=key)


@maker("row", "owner", "face", "is_down")
def _of_token(scope: Scope, tree: Expr) -> ast.expr:
    token = thing(scope, tree[1])
    layout = scope.layout
    match tree[0]:
        case "row":
            return expr("row_[_t]", _t=token)
        case "owner":
            return expr("owner_[_t]", _t=token)
        case "face":
            return expr("v[_c]", _c=offset(layout.face_base, [(token, 1)]))
    return expr("v[_c] == 1", _c=offset(layout.down_base, [(token, 1)]))


@maker("place")
def _place(scope: Scope, tree: Expr) -> ast.expr:
    cell = offset(scope.layout.where_base, [(thing(scope, tree[2]), 1)])
    return expr("_t[v[_c]]", _t=scope.build.places(tree[1]), _c=cell)


def in_kind(scope: Scope, node: ast.expr, kind: str) -> ast.expr:
    """Return the test whether a thing is of a kind."""
    ranges = scope.build.kind_ranges(kind)
    if is_const(node):
        return const(any(low <= value_of(node) < high for low, high in ranges))
    tests = [expr("_a <= _x < _b", _a=const(low), _x=node, _b=const(high)) for low, high in ranges]
    if not tests:
        return const(False)
    return tests[0] if len(tests) == 1 else ast.BoolOp(ast.Or(), tests)


@maker("is_kind")
def _is_kind(scope: Scope, tree: Expr) -> ast.expr:
    return in_kind(scope, scope.keep(make(scope, tree[1])), tree[2])


@maker("has_cell")
def _has_cell(scope: Scope, tree: Expr) -> ast.expr:
    return expr("_t[_x]", _t=scope.build.has_cell(tree[1]), _x=thing(scope, tree[2]))


# --------------------------------------------------------------------------------------- operators

ARITHMETIC = {"add": "_a + _b", "sub": "_a - _b", "mul": "_a * _b", "div": "_a // _b", "mod": "_a % _b"}
COMPARE = {"eq": "_a == _b", "ne": "_a != _b", "lt": "_a < _b", "le": "_a <= _b", "gt": "_a > _b", "ge": "_a >= _b"}


def fold(template: str, left: ast.expr, right: ast.expr) -> ast.expr:
    """Return an operator over two nodes, worked out where both are known."""
    if is_const(left) and is_const(right):
        try:
            return const(eval(template, {"__builtins__": {}}, {"_a": value_of(left), "_b": value_of(right)}))
        except ZeroDivisionError:
            pass
    return expr(template, _a=left, _b=right)


@maker(*ARITHMETIC, *COMPARE)
def _operator(scope: Scope, tree: Expr) -> ast.expr:
    left, right = two(scope, tree[1], tree[2])
    return fold((ARITHMETIC | COMPARE)[tree[0]], left, right)


def two(scope: Scope, first: Expr, second: Expr) -> tuple[ast.expr, ast.expr]:
    """Return two formulas in order; the first is kept if the second needs statements."""
    left = make(scope, first)
    with scope.block() as body:
        right = make(scope, second)
    if body:
        left = scope.keep(left)
        scope.out.extend(body)
    return left, right


@maker("neg")
def _negative(scope: Scope, tree: Expr) -> ast.expr:
    node = make(scope, tree[1])
    return const(-value_of(node)) if is_const(node) else expr("-_x", _x=node)


@maker("min", "max")
def _min_max(scope: Scope, tree: Expr) -> ast.expr:
    nodes = [scope.keep(make(scope, part)) for part in tree[1:]]
    if all(is_const(n) for n in nodes):
        return const((min if tree[0] == "min" else max)(value_of(n) for n in nodes))
    result = nodes[0]
    for node in nodes[1:]:
        template = "_a if _a <= _b else _b" if tree[0] == "min" else "_a if _a >= _b else _b"
        result = scope.keep(expr(template, _a=scope.keep(result), _b=node))
    return result


@maker("not")
def _not(scope: Scope, tree: Expr) -> ast.expr:
    node = make(scope, tree[1])
    if is_const(node):
        return const(not value_of(node))
    flipped = {ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt}
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in flipped:
        return ast.Compare(node.left, [flipped[type(node.ops[0])]()], node.comparators)
    return expr("not _x", _x=node)  # twice where it was one before: what is kept is a truth and not a set


@maker("and", "or")
def _logic(scope: Scope, tree: Expr) -> ast.expr:
    stops = tree[0] == "or"
    return junction(scope, stops, [lambda part=part: make(scope, part) for part in tree[1:]])  # type: ignore[misc]


def junction(scope: Scope, stops: bool, parts: list[Callable[[], ast.expr]]) -> ast.expr:
    """Return the `or` (stops at true) or `and` (stops at false) of parts, each made only when it is reached."""
    nodes: list[ast.expr] = []
    for i, part in enumerate(parts):
        with scope.block() as body:
            node = part()
        if body and nodes:
            name = scope.fresh()
            scope.emit(store(name, _join(stops, nodes)))
            with scope.block() as rest:
                scope.out.extend(body)
                scope.emit(store(name, junction(scope, stops, [_given(node), *parts[i + 1 :]])))
            scope.emit(stmts("if not _n:\n  _rest" if stops else "if _n:\n  _rest", _n=name, _rest=rest))
            return load(name)
        scope.out.extend(body)
        if is_const(node):
            if bool(value_of(node)) == stops:
                return _join(stops, [*nodes, const(stops)]) if nodes else const(stops)
            continue
        nodes.append(node)
    return _join(stops, nodes)


def _given(node: ast.expr) -> Callable[[], ast.expr]:
    return lambda: node


def _join(stops: bool, nodes: list[ast.expr]) -> ast.expr:
    if not nodes:
        return const(not stops)
    return nodes[0] if len(nodes) == 1 else ast.BoolOp(ast.Or() if stops else ast.And(), nodes)


@maker("if")
def _if(scope: Scope, tree: Expr) -> ast.expr:
    condition = make(scope, tree[1])
    if is_const(condition):
        return make(scope, tree[2] if value_of(condition) else tree[3])
    with scope.block() as first:
        then = make(scope, tree[2])
    with scope.block() as second:
        otherwise = make(scope, tree[3])
    if not first and not second:
        return expr("_a if _c else _b", _a=then, _c=condition, _b=otherwise)
    name = scope.fresh()
    first.append(store(name, then))
    second.append(store(name, otherwise))
    scope.emit(stmts("if _c:\n  _first\nelse:\n  _second", _c=condition, _first=first, _second=second))
    return load(name)


# -------------------------------------------------------------------------------------------- sets


@maker("set")
def _set(scope: Scope, tree: Expr) -> ast.expr:
    nodes = [scope.keep(make(scope, part)) for part in tree[1:]]
    if all(is_const(n) for n in nodes):
        return const(tuple(dict.fromkeys(value_of(n) for n in nodes)))
    return expr("tuple(dict.fromkeys(_t))", _t=tuple_of(nodes))


@maker("single")
def _single(scope: Scope, tree: Expr) -> ast.expr:
    node = make(scope, tree[1])
    if is_const(node):
        return const((value_of(node),) if value_of(node) != NOTHING else ())
    if not nullable(scope, tree[1]):
        return tuple_of([node])
    node = scope.keep(node)
    return expr("(_n,) if _n != -1 else ()", _n=node)


@maker("range")
def _range(scope: Scope, tree: Expr) -> ast.expr:
    low, high = two(scope, tree[1], tree[2])
    if is_const(low) and is_const(high):
        return const(tuple(range(value_of(low), value_of(high) + 1)))
    return expr("range(_a, _b + 1)", _a=low, _b=high)


@maker("union", "without")
def _union(scope: Scope, tree: Expr) -> ast.expr:
    left, right = two(scope, tree[1], tree[2])
    if tree[0] == "union":
        return expr("union_(_a, _b)", _a=left, _b=right)
    return expr("[x for x in _a if x not in _b]", _a=scope.keep(left), _b=scope.keep(right))


@maker("in")
def _in(scope: Scope, tree: Expr) -> ast.expr:
    if tree[2][0] == "tokens" and tree[1][0] in ("local", "first", "top") and tree[2][1]["keys"]:
        return _lies_in(scope, tree)
    left, right = two(scope, tree[1], tree[2])
    return fold("_a in _b", left, right)


def _lies_in(scope: Scope, tree: Expr) -> ast.expr:
    """A token is in a zone: ask the token where it lies."""
    token = make(scope, tree[1])
    if is_const(token) and value_of(token) == NOTHING:
        return const(False)
    may_be_nothing = not is_const(token) and nullable(scope, tree[1])
    if may_be_nothing:
        token = scope.keep(token)
    where = expr("v[_c]", _c=offset(scope.layout.where_base, [(token, 1)]))
    zone = tree[2][1]
    if is_single(zone):
        test = expr("_w == _s", _w=where, _s=slot(scope, zone))
    else:
        test = expr("_w in _s", _w=where, _s=slots(scope, zone))
    return expr("_t >= 0 and _x", _t=token, _x=test) if may_be_nothing else test


@maker("size")
def _size(scope: Scope, tree: Expr) -> ast.expr:
    if tree[1][0] == "tokens":
        return _zone_size(scope, ["zone_size", tree[1][1]])
    node = make(scope, tree[1])
    return const(len(value_of(node))) if is_const(node) else expr("len(_x)", _x=node)


@maker("is_empty")
def _is_empty(scope: Scope, tree: Expr) -> ast.expr:
    if tree[1][0] == "tokens":
        return _zone_empty(scope, ["zone_empty", tree[1][1]])
    if tree[1][0] == "those" and not (tree[1][1].get("order")):
        return _not(scope, ["not", ["some", tree[1][1]]])
    node = make(scope, tree[1])
    return const(not value_of(node)) if is_const(node) else expr("not _x", _x=node)


@maker("first")
def _first(scope: Scope, tree: Expr) -> ast.expr:
    node = make(scope, tree[1])
    if is_const(node):
        return const(value_of(node)[0] if value_of(node) else NOTHING)
    return expr("first_(_x)", _x=node)


# ------------------------------------------------------------------------------------------- calls


@maker("call")
def _call(scope: Scope, tree: Expr) -> ast.expr:
    build, rule = scope.build, scope.build.program["rules"][tree[1]]
    small = scope.depth < INLINE_DEPTH and build.weight(tree[1]) <= INLINE_NODES
    small = small and not build.mode.events  # a function written in place has no coverage counter of its own
    small = small and build.file_of(tree[1]) == build.file_of(scope.home)
    if rule.get("form") == "formula" and not scope.build.program["layers"].get(tree[1]) and small:
        inner = scope.inner(tree[1])
        for index, argument in enumerate(given(scope, tree[1], tree[2:])):
            inner.env[index] = scope.keep(argument)
        inner.out = scope.out
        found = make(inner, rule["body"])
        place([found], inner.at[0], inner.at[1])
        return found
    arguments = [scope.keep(argument) for argument in given(scope, tree[1], tree[2:])]
    return ast.Call(load(scope.build.function_name(tree[1])), [load("v"), *arguments], [])


@maker("base")
def _base(scope: Scope, tree: Expr) -> ast.expr:
    assert scope.base is not None, "`base` stands only in the rule of a layer"
    arguments = [scope.keep(argument) for argument in given(scope, scope.rule, tree[1:])]
    result = scope.base(arguments)
    assert isinstance(result, ast.expr)
    return result


@maker("cell")
def _cell(scope: Scope, tree: Expr) -> ast.expr:
    of = scope.keep(thing(scope, tree[2]))
    arguments = [scope.keep(argument) for argument in given_to_cell(scope, tree[1], tree[3:])]
    table = scope.build.formula_cell(tree[1])
    return ast.Call(expr("_t[_x]", _t=table, _x=of), [load("v"), *arguments], [])


@maker("score")
def _score(scope: Scope, tree: Expr) -> ast.expr:
    return expr("score_(v, _p)", _p=thing(scope, tree[1]))


@maker("next")
def _next(scope: Scope, tree: Expr) -> ast.expr:
    return fold("(_a + 1) % _b", thing(scope, tree[1]), const(scope.layout.players))


@maker("opponent")
def _opponent(scope: Scope, tree: Expr) -> ast.expr:
    return fold("_b - _a", thing(scope, tree[1]), const(1))


@maker("distance")
def _distance(scope: Scope, tree: Expr) -> ast.expr:
    left, right = two(scope, tree[2], tree[3])
    if tree[1] is None:
        return expr("abs(_a - _b)", _a=left, _b=right)
    table = scope.build.distances(tree[1])
    return expr("_t[_a][_b]", _t=table, _a=position(scope, tree[1], left), _b=position(scope, tree[1], right))


@maker("reachable")
def _reachable(scope: Scope, tree: Expr) -> ast.expr:
    start, members = two(scope, tree[2], tree[3])
    return expr("reachable_(_n, _a, _s)", _n=scope.build.neighbours(tree[1]), _a=start, _s=members)


@maker("connected")
def _connected(scope: Scope, tree: Expr) -> ast.expr:
    return expr("connected_(_n, _s)", _n=scope.build.neighbours(tree[1]), _s=make(scope, tree[2]))
