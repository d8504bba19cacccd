"""Between values and action ids, in generated code."""

from __future__ import annotations

import ast
from typing import Any

from interpreter.actions import Ask
from interpreter.specialise.cells import offset
from interpreter.specialise.quote import const, expr
from interpreter.specialise.scope import Scope

TOKEN_FORMS = ("class", "face", "slot", "slot_class")


def index_of(scope: Scope, ask: Ask, number: int, value: ast.expr) -> ast.expr:
    """Return the place of a value in the domain of variable *number* of a question."""
    form = ask.forms[number]
    where = offset(scope.layout.where_base, [(value, 1)])
    match form:
        case "bool":
            return expr("int(_x)", _x=value)
        case "kind" | "int":
            return _plain_index(scope, ask.domains[number], value)
        case "class" | "face":
            return _class_index(scope, ask, number, value)
        case "slot":
            return expr("_t[v[_w]]", _t=scope.build.slot_positions(ask, number), _w=where)
    slots, classes, count = scope.build.slot_class_positions(ask, number)
    return expr("_s[v[_w]] * _n + _c[_x]", _s=slots, _w=where, _n=const(count), _c=classes, _x=value)


def _class_index(scope: Scope, ask: Ask, number: int, value: ast.expr) -> ast.expr:
    """Return the place of a token's class; the class of a die includes the face it shows."""
    first = expr("_t[_x]", _t=scope.build.class_positions(ask, number), _x=value)
    shown = scope.build.shown_faces(ask, number)
    if shown is None:
        return first
    face = expr("v[_f]", _f=offset(scope.layout.face_base, [(value, 1)]))
    return expr("_a + _t[_x][v_]", _a=first, _t=shown, _x=value, v_=face)


def _plain_index(scope: Scope, domain: tuple[Any, ...], value: ast.expr) -> ast.expr:
    low = domain[0] if domain else 0
    if domain == tuple(range(low, low + len(domain))):
        return value if low == 0 else expr("_x - _l", _x=value, _l=const(low))
    table = scope.build.constant({member: i for i, member in enumerate(domain)})
    return expr("_t[_x]", _t=table, _x=value)


def id_of(scope: Scope, ask: Ask, values: list[ast.expr]) -> ast.expr:
    """Return the id of an answer."""
    total: ast.expr | None = None
    for number, value in enumerate(values):
        index = index_of(scope, ask, number, value)
        if total is None:
            total = index
        else:
            total = expr("(_a) * _n + _b", _a=total, _n=const(len(ask.domains[number])), _b=index)
    if total is None:
        return const(ask.base)
    if isinstance(total, ast.BinOp) and isinstance(total.op, ast.Sub) and isinstance(total.right, ast.Constant):
        assert isinstance(total.right.value, int)
        shift = ask.base - total.right.value
        return expr("_a + _b" if shift >= 0 else "_a - _b", _a=total.left, _b=const(abs(shift)))
    return expr("_a + _b", _a=total, _b=const(ask.base)) if ask.base else total


def value_at(scope: Scope, ask: Ask, number: int, index: ast.expr) -> ast.expr:
    """Return the value at a place of a domain that is no token's."""
    domain = ask.domains[number]
    if ask.forms[number] == "bool":
        return expr("_i == 1", _i=index)
    low = domain[0] if domain else 0
    if domain == tuple(range(low, low + len(domain))):
        if isinstance(index, ast.BinOp) and isinstance(index.op, ast.Sub) and isinstance(index.right, ast.Constant):
            assert isinstance(index.right.value, int)
            shift = low - index.right.value
            return expr("_i + _l" if shift >= 0 else "_i - _l", _i=index.left, _l=const(abs(shift)))
        return index if low == 0 else expr("_i + _l", _i=index, _l=const(low))
    return expr("_t[_i]", _t=scope.build.constant(domain), _i=index)
