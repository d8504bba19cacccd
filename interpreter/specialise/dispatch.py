"""Tests of one of several known things, told apart by a value: each value has a function of its own for those it is in.

Of `x in (0, 1, 2) and A or x in (0, 3, 6) and B or ...` only the parts that fit a value of `x` are ever looked at.
"""

from __future__ import annotations

import ast

from interpreter.specialise.makers import value_of
from interpreter.specialise.quote import expr, function, is_const, load, nodes_in, place
from interpreter.specialise.scope import Scope

FEWEST_PARTS = 4
"""A call costs about as much as three tests whether a number is in a tuple."""


def by_value(scope: Scope, node: ast.expr) -> ast.expr:
    """Return an `or` whose parts all begin with the membership of one name in known tuples, told apart by its value."""
    if not isinstance(node, ast.BoolOp) or not isinstance(node.op, ast.Or) or len(node.values) < FEWEST_PARTS:
        return node
    names = {_asked(part) for part in node.values}
    asked = names.pop()
    if names or asked is None or any(isinstance(inner, ast.NamedExpr) for inner in nodes_in([node])):
        return node
    rests: dict[int, list[ast.expr]] = {}
    for part in node.values:
        assert isinstance(part, ast.BoolOp) and isinstance(part.values[0], ast.Compare)
        rest = part.values[1] if len(part.values) == 2 else ast.BoolOp(ast.And(), part.values[1:])
        for value in value_of(part.values[0].comparators[0]):
            rests.setdefault(value, []).append(rest)
    space = scope.build.space
    names_in = [n for rest in rests.values() for n in nodes_in(rest) if isinstance(n, ast.Name)]
    bound = {n.id for n in names_in if isinstance(n.ctx, ast.Store)}
    free = sorted({n.id for n in names_in} - bound - space.keys())
    found = expr("_f.get(_x, nowhere_)", _f=_functions(scope, rests, free), _x=asked)
    return ast.Call(found, [load(name) for name in free], [])


def _functions(scope: Scope, rests: dict[int, list[ast.expr]], free: list[str]) -> str:
    """Make a function for each value, and return the name of the table they are in."""
    build = scope.build
    space = build.space
    name = f"by{len(space)}_"
    rule = f"{build.python_name(scope.rule)}_" if scope.rule in build.numbers else ""
    space[name] = {}
    for value, rest in rests.items():
        test = rest[0] if len(rest) == 1 else ast.BoolOp(ast.Or(), rest)
        body: list[ast.stmt] = place([ast.Return(test)], scope.at[0], scope.at[1])
        test_name = f"{rule}{name}{value}_"
        build.compile(function(test_name, free, body, scope.at[0]), scope.home)
        space[name][value] = space.pop(test_name)
    return name


def _asked(part: ast.expr) -> str | None:
    """Return the name whose membership in a known tuple comes first in a conjunction, else None."""
    if not isinstance(part, ast.BoolOp) or not isinstance(part.op, ast.And):
        return None
    test = part.values[0]
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.In) or not is_const(test.comparators[0]):
        return None
    return test.left.id if isinstance(test.left, ast.Name) and len(test.ops) == 1 else None
