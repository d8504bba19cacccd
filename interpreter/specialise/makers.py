"""The table of what makes the Python of each operator of a formula."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from interpreter.specialise.scope import Expr, Scope

Maker = Callable[[Scope, Expr], ast.expr]
MAKERS: dict[str, Maker] = {}


def maker(*operators: str) -> Callable[[Maker], Maker]:
    """Register a function as the maker of these operators."""

    def register(function: Maker) -> Maker:
        MAKERS.update(dict.fromkeys(operators, function))
        return function

    return register


def make(scope: Scope, tree: Expr) -> ast.expr:
    """Return the Python expression of a formula; what must be done before it is emitted into *scope*."""
    return MAKERS[tree[0]](scope, tree)


def value_of(node: ast.expr) -> Any:
    """Return the value of a constant node."""
    assert isinstance(node, ast.Constant)
    return node.value
