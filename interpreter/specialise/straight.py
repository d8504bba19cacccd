"""The way from one question to the next, written as straight code: no numbered places, nothing unused taken along.

The function of a rule that may pause can be entered at each of its labels and goes from block to block. Most answers
take a short way through it, without a loop: that way is written out once more, as a function of its own.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from interpreter.specialise.quote import load, nodes_in

MOST_BLOCKS = 8
MOST_NODES = 1000
"""How many nodes of code one way may have; a longer one is gone block by block."""

Blocks = dict[int, list[ast.stmt]]


class TooLong(Exception):
    """The way is too long, or leads back to where it has been."""


def taken(names: list[str], body: list[ast.stmt], first: int) -> list[ast.stmt]:
    """Return what takes from the frame `k` those of its values that *body* uses; *first* is the place of the first."""
    used = {node.id for node in nodes_in(body) if isinstance(node, ast.Name)}
    wanted = [(i, name) for i, name in enumerate(names) if name in used]
    if len(wanted) > 2 and first + len(names) < 3 * len(wanted):
        all_names = ["_"] * first + [name if name in used else "_" for name in names]
        target = ast.Tuple([ast.Name(name, ast.Store()) for name in all_names], ast.Store())
        return [ast.Assign([target], load("k"))]
    return [
        ast.Assign([ast.Name(name, ast.Store())], ast.Subscript(load("k"), ast.Constant(first + i), ast.Load()))
        for i, name in wanted
    ]


def read_once(body: list[ast.stmt]) -> list[ast.stmt]:
    """Return a way on which the answer, if it is compared more than once and stays what it is, is read once."""
    answers = [node for node in nodes_in(body) if isinstance(node, ast.Attribute) and node.attr == "ans"]
    if len(answers) < 2 or not all(map(_is_answer, answers)):
        return body
    return [ast.Assign([ast.Name("ans_", ast.Store())], _ANSWER), *(_Answer().visit(top) for top in body)]


_ANSWER = ast.Attribute(load("s"), "ans", ast.Load())


def _is_answer(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "ans" and isinstance(node.ctx, ast.Load)


class _Answer(ast.NodeTransformer):
    """Copies code with the answer read from a variable."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        fields = {name: list(value) if isinstance(value, list) else value for name, value in ast.iter_fields(node)}
        return super().generic_visit(_where(type(node)(**fields), node))

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        return _where(load("ans_"), node) if _is_answer(node) else self.generic_visit(node)


def _where(new: ast.AST, old: ast.AST) -> ast.AST:
    """Give a copy the place of what it is a copy of, if that has one."""
    return ast.copy_location(new, old) if hasattr(old, "lineno") else new


class Way:
    """The way on from a label of a rule. *frames* makes the frame of a label that can be entered."""

    def __init__(self, blocks: Blocks, frames: Callable[[int], ast.expr | None]) -> None:
        self.blocks = blocks
        self.frames = frames
        self._sizes: dict[int, int] = {}
        self._left = 0

    def from_label(self, label: int) -> list[ast.stmt] | None:
        """Return the code to wherever it leaves the rule or comes back to where it was; None where it is too long."""
        self._left = MOST_NODES
        try:
            return self._written(label, ())
        except TooLong:
            return None

    def _take(self, node: ast.AST) -> None:
        """Count what is written, as often as it is."""
        if id(node) not in self._sizes:
            self._sizes[id(node)] = sum(1 for _ in nodes_in([node]))
        self._left -= self._sizes[id(node)]
        if self._left < 0:
            raise TooLong

    def _written(self, label: int, path: tuple[int, ...]) -> list[ast.stmt]:
        if label in path or len(path) > MOST_BLOCKS:
            frame = self.frames(label)
            if frame is None:
                raise TooLong
            return [ast.Return(frame)]
        return list(self._followed(self.blocks[label], (*path, label)))

    def _followed(self, block: list[ast.stmt], path: tuple[int, ...]) -> Iterator[ast.stmt]:
        """Yield a block with each jump replaced by what lies there."""
        i = 0
        while i < len(block):
            statement = block[i]
            target = _jump(block[i : i + 2])
            if target is not None:
                yield from self._written(target, path)
                return
            if isinstance(statement, ast.If):
                self._take(statement.test)
                yield ast.If(
                    statement.test,
                    list(self._followed(statement.body, path)),
                    list(self._followed(statement.orelse, path)),
                )
            elif isinstance(statement, (ast.For, ast.While, ast.Try, ast.With)) and _jumps_inside(statement):
                raise TooLong
            else:
                self._take(statement)
                yield statement
            i += 1


def _jump(pair: list[ast.stmt]) -> int | None:
    """Return where two statements jump to, else None."""
    if len(pair) == 2 and isinstance(pair[0], ast.Assign) and isinstance(pair[1], ast.Continue):
        target, value = pair[0].targets[0], pair[0].value
        if isinstance(target, ast.Name) and target.id == "pc" and isinstance(value, ast.Constant):
            return int(value.value)  # type: ignore[arg-type]
    return None


def _jumps_inside(statement: ast.stmt) -> bool:
    return any(isinstance(node, ast.Name) and node.id == "pc" for node in nodes_in([statement]))
