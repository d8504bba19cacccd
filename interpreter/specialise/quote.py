"""Python code as `ast` nodes, written as templates with holes.

A template is text of ours; what comes from a spec is put in as nodes, never as text.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, TypeVar

Node = TypeVar("Node", bound=ast.AST)


@cache
def _parsed(template: str) -> ast.Module:
    return ast.parse(template)


class _Fill:
    """Copies a tree, with the names that are holes replaced."""

    def __init__(self, holes: dict[str, Any]) -> None:
        self.holes = holes

    def node(self, tree: Any) -> Any:
        if isinstance(tree, ast.Name) and tree.id in self.holes:
            hole = self.holes[tree.id]
            return ast.Name(hole, tree.ctx) if isinstance(hole, str) else hole
        if isinstance(tree, ast.AST):
            return type(tree)(**{name: self.field(value) for name, value in ast.iter_fields(tree)})
        return tree

    def field(self, value: Any) -> Any:
        if isinstance(value, list):
            return [new for item in value for new in self.items(item)]
        return self.node(value)

    def items(self, item: Any) -> list[Any]:
        """A statement that is only a hole filled with statements is replaced by them."""
        if isinstance(item, ast.Expr) and isinstance(item.value, ast.Name) and item.value.id in self.holes:
            hole = self.holes[item.value.id]
            if isinstance(hole, list):
                return hole or [ast.Pass()]
        return [self.node(item)]


def expr(template: str, **holes: Any) -> ast.expr:
    """Return the expression of *template*; a hole is a node, or a name as text."""
    statement = _parsed(template).body[0]
    assert isinstance(statement, ast.Expr)
    filled = _Fill(holes).node(statement.value)
    assert isinstance(filled, ast.expr)
    return filled


def stmts(template: str, **holes: Any) -> list[ast.stmt]:
    """Return the statements of *template*; a hole standing alone on a line may be a list of statements."""
    filled = _Fill(holes).field(_parsed(template).body)
    assert isinstance(filled, list)
    return filled


def const(value: object) -> ast.Constant:
    """Return a constant: a number, a truth, text, or a tuple of them."""
    return ast.Constant(value)  # type: ignore[arg-type]


def load(name: str) -> ast.expr:
    """Return a reading of the variable *name*."""
    return ast.Name(name, ast.Load())


def store(name: str, value: ast.expr) -> ast.stmt:
    """Return `name = value`."""
    return ast.Assign([ast.Name(name, ast.Store())], value)


def tuple_of(items: list[ast.expr]) -> ast.expr:
    """Return a tuple; of constants alone a constant."""
    if all(isinstance(item, ast.Constant) for item in items):
        return const(tuple(item.value for item in items))  # type: ignore[attr-defined]
    return ast.Tuple(items, ast.Load())


def is_const(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant)


def nodes_in(tops: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield nodes and all that is inside them, in no order; whether a name is read or written is no node here."""
    todo = list(tops)
    while todo:
        node = todo.pop()
        yield node
        for name in node._fields:
            value = getattr(node, name, None)
            if type(value) is list:
                todo += [item for item in value if isinstance(item, ast.AST)]
            elif isinstance(value, ast.AST) and not isinstance(value, ast.expr_context):
                todo.append(value)


def place(nodes: list[Node], line: int, column: int) -> list[Node]:
    """Give every node that has no place the line and column (from 1) of the text it came from.

    What stands inside a node that has a place has one too.
    """
    todo: list[Any] = list(nodes)
    offset = max(column - 1, 0)
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.stmt, ast.expr, ast.keyword)):
            if hasattr(node, "lineno"):
                continue
            node.lineno = node.end_lineno = line
            node.col_offset = node.end_col_offset = offset
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, list):
                todo += [item for item in value if isinstance(item, ast.AST)]
            elif isinstance(value, ast.AST) and not isinstance(value, ast.expr_context):
                todo.append(value)
    return nodes


def function(name: str, parameters: list[str], body: list[ast.stmt], line: int = 1) -> ast.FunctionDef:
    """Return `def name(parameters): body`."""
    arguments = ast.arguments([], [ast.arg(p) for p in parameters], None, [], [], None, [])
    definition = ast.FunctionDef(name, arguments, body or [ast.Pass()], [], None, None)
    headers: list[Any] = [definition, *arguments.args]
    for node in headers:
        node.lineno = node.end_lineno = line
        node.col_offset = node.end_col_offset = 0
    return definition
