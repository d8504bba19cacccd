"""The state of generating one Python function: its statements so far, its names, where it stands in the spec."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from interpreter.specialise.quote import load, place, store

if TYPE_CHECKING:
    from interpreter.specialise.build import Builder

Expr = list[Any]


class Scope:
    """Where formulas and statements of one function are put together.

    They are of *rule*; the function is compiled under the file of *home*, the rule that *rule* may be written into.
    """

    def __init__(self, build: Builder, rule: str, prefix: str = "l") -> None:
        self.build = build
        self.layout = build.layout
        self.rule = self.home = rule
        self.prefix = prefix
        self.env: dict[int, ast.expr] = {}
        self.out: list[ast.stmt] = []
        self.me: ast.expr = load("me")
        self.at: list[int] = list(build.program["rules"][rule]["at"][1:3]) if rule in build.program["rules"] else [1, 1]
        self.depth = 0
        self.base: Any = None
        self._fresh = [0]

    def inner(self, rule: str) -> Scope:
        """Return a scope for a rule written into this one: other locals, the same statements and fresh names."""
        scope = Scope(self.build, rule)
        scope.out, scope._fresh, scope.depth, scope.home = self.out, self._fresh, self.depth + 1, self.home
        return scope

    # ------------------------------------------------------------------------------------ names

    def fresh(self, letter: str = "t") -> str:
        """Return a name not used before in this function."""
        self._fresh[0] += 1
        return f"{letter}{self._fresh[0]}_"

    def local(self, index: int) -> ast.expr:
        """Return a reading of a local."""
        if index not in self.env:
            self.env[index] = load(f"{self.prefix}{index}" if self.depth == 0 else self.fresh("n"))
        return self.env[index]

    def bind(self, index: int) -> str:
        """Make a local a variable of its own and return its name."""
        name = f"{self.prefix}{index}" if self.depth == 0 else self.fresh("n")
        self.env[index] = load(name)
        return name

    # ------------------------------------------------------------------------------- statements

    def emit(self, *nodes: ast.stmt | list[ast.stmt]) -> None:
        """Append statements, at the place of the spec now being translated."""
        for node in nodes:
            self.out.extend(place(node if isinstance(node, list) else [node], self.at[0], self.at[1]))

    def keep(self, value: ast.expr) -> ast.expr:
        """Return *value* in a form that may be used twice: a constant or variable, else put into a fresh one."""
        if isinstance(value, (ast.Constant, ast.Name)):
            return value
        name = self.fresh()
        self.emit(store(name, value))
        return load(name)

    @contextmanager
    def block(self) -> Iterator[list[ast.stmt]]:
        """Collect what is emitted meanwhile in a list of its own."""
        outer, self.out = self.out, []
        try:
            yield self.out
        finally:
            self.out = outer
