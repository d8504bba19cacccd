"""Which cells of a position a condition reads, found when loading: an effect tests only what it may change."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from interpreter.specialise.cells import counter_cell, slots
from interpreter.specialise.makers import make, value_of
from interpreter.specialise.quote import const, is_const, load
from interpreter.specialise.scope import Expr, Scope

Test = tuple[Scope, Expr]
MOST_MEMBERS = 400


def known(scope: Scope, tree: Expr) -> Any:
    """Return the value of a formula if it is known when loading, else None."""
    with scope.block() as body:
        node = make(scope, tree)
    return value_of(node) if not body and is_const(node) else None


def alternatives(scope: Scope, tree: Expr) -> Iterator[Test]:
    """Yield conditions one of which must be true for *tree* to be true: `some` over known things is taken apart."""
    rules = scope.build.program["rules"]
    if tree[0] == "or":
        for part in tree[1:]:
            yield from alternatives(scope, part)
        return
    if tree[0] == "call" and rules[tree[1]].get("form") == "formula" and tree[1] not in scope.build.program["layers"]:
        arguments = [_argument(scope, a) for a in tree[2:]]
        if all(is_const(a) for a in arguments):
            yield from alternatives(with_locals(scope, tree[1], arguments), rules[tree[1]]["body"])
            return
    if tree[0] == "some" and tree[1]["order"] is None:
        members = known(scope, tree[1]["in"])
        if members is not None and len(members) <= MOST_MEMBERS:
            for member in members:
                inner = copied(scope)
                inner.env[tree[1]["local"]] = const(member)
                yield from alternatives(inner, tree[1]["where"] or ["lit", True])
            return
    yield scope, tree


def copied(scope: Scope) -> Scope:
    """Return a scope with the same locals, that may be given others."""
    inner = Scope(scope.build, scope.rule)
    inner.env = dict(scope.env)
    inner.depth, inner._fresh = max(scope.depth, 1), scope._fresh
    return inner


def with_locals(scope: Scope, rule: str, arguments: list[ast.expr]) -> Scope:
    """Return a scope for *rule* with its parameters given."""
    inner = Scope(scope.build, rule)
    inner.depth, inner._fresh = 1, scope._fresh
    inner.env = dict(enumerate(arguments))
    return inner


def _argument(scope: Scope, tree: Expr) -> ast.expr:
    value = known(scope, tree)
    return load("unknown_") if value is None else const(value)


def _scoring(program: dict[str, Any]) -> list[str]:
    """Return the rules a score is made of: the scoring items, or else the first key of the ranking."""
    keys = [key["rule"] for key in program["ranking"] if key["direction"] != "clockwise"]
    return program["scoring"] or keys[:1]


class Reads:
    """Collects the cells a condition reads."""

    def __init__(self) -> None:
        self.cells: set[int] = set()
        self._calls: list[str] = []

    def add(self, scope: Scope, tree: Any) -> None:
        """Add what *tree* reads; its locals are known where *scope* says so."""
        if not isinstance(tree, list) or not tree or not isinstance(tree[0], str):
            return
        if tree[0] in ("some", "count", "those", "first_of", "every", "sum", "distinct", "min_of", "max_of"):
            self._loop(scope, tree)
            return
        self._own(scope, tree)
        for part in tree[1:]:
            if isinstance(part, dict):
                for key in part.get("keys", ()):
                    self.add(scope, key[1] if len(key) > 1 else None)
            else:
                self.add(scope, part)

    def _own(self, scope: Scope, tree: Expr) -> None:
        layout = scope.layout
        match tree[0]:
            case "active":
                self.cells.add(0)
            case "all" if scope.layout.has_likes(tree[1]):
                self._where(scope)  # those alike come in the order of their places
            case "var":
                self._block(scope, tree)
            case "counter":
                self._counter(scope, tree)
            case "tokens" | "zone_size" | "zone_empty" | "top":
                self._zone(scope, tree[1])
            case "place":
                self._where(scope)
            case "in":
                if tree[2][0] == "tokens":
                    self._where(scope)
            case "face" | "is_down":
                base = layout.face_base if tree[0] == "face" else layout.down_base
                self.cells |= {base + t for t in layout.tokens}
                if tree[0] == "is_down":
                    self._where(scope)  # a move turns what it moves, and tells only the slots it changed
            case "call":
                self._call(scope, tree)
            case "cell":
                cell = scope.build.program["cells"][tree[1]]
                for name in (*cell["rules"].values(), *([cell["default"]] if cell["default"] else [])):
                    self._unknown(scope, name)
            case "score":
                for name in _scoring(scope.build.program):
                    self.rule(scope, name, [_argument(scope, tree[1])])

    def _block(self, scope: Scope, tree: Expr) -> None:
        block = scope.layout.variables[tree[1]]
        with scope.block() as body:
            cell = make(scope, tree)
        index = cell.slice if isinstance(cell, ast.Subscript) else None
        if not body and index is not None and is_const(index):
            self.cells.add(value_of(index))
        else:
            self.cells |= set(range(block.base, block.base + block.size))

    def _counter(self, scope: Scope, tree: Expr) -> None:
        block = scope.layout.counters[tree[1]]
        with scope.block() as body:
            cell = counter_cell(scope, tree[1], tree[2])
        if not body and is_const(cell):
            self.cells.add(value_of(cell))
        else:
            self.cells |= set(range(block.base, block.base + block.size + 1))

    def _zone(self, scope: Scope, zone: dict[str, Any]) -> None:
        block = scope.layout.zones[zone["zone"]]
        with scope.block() as body:
            cells = slots(scope, zone)
        if not body and is_const(cells):
            self.cells |= set(value_of(cells))
        else:
            self.cells |= set(range(block.base, block.base + block.size))

    def _where(self, scope: Scope) -> None:
        self.cells |= set(range(scope.layout.slot_base, scope.layout.slot_base + len(scope.layout.slots)))

    def _loop(self, scope: Scope, tree: Expr) -> None:
        loop = tree[1]
        self.add(scope, loop["in"])
        members = known(scope, loop["in"])
        known_members = members is not None and len(members) <= MOST_MEMBERS
        for member in [const(m) for m in members] if known_members else [load("unknown_")]:
            inner = copied(scope)
            inner.env[loop["local"]] = member
            parts = [loop["where"], *tree[2:]]
            if loop["order"]:
                parts += [loop["order"][2]] if loop["order"][0] == "attaining" else [k[1] for k in loop["order"][1]]
            for part in parts:
                self.add(inner, part)

    def _call(self, scope: Scope, tree: Expr) -> None:
        arguments = [_argument(scope, a) for a in tree[2:]]
        self.rule(scope, tree[1], arguments)
        for layer in scope.build.program["layers"].get(tree[1], ()):
            self.cells.add(scope.layout.lasting_cell)
            if layer["by"] == "row":
                block = scope.layout.zones[layer["zone"]]
                self.cells |= set(range(block.base, block.base + block.size))
                self.cells |= {scope.layout.down_base + t for t in scope.layout.tokens}
            self._unknown(scope, layer["rule"])

    def _unknown(self, scope: Scope, name: str) -> None:
        """Add what a rule reads, whatever its arguments are."""
        self.rule(scope, name, [load("unknown_")] * scope.build.program["rules"][name]["params"])

    def rule(self, scope: Scope, name: str, arguments: list[ast.expr]) -> None:
        """Add what a rule reads, given these arguments."""
        if name in self._calls:
            return
        self._calls.append(name)
        rule = scope.build.program["rules"][name]
        inner = with_locals(scope, name, arguments)
        if rule.get("form") == "formula":
            self.add(inner, rule["body"])
        else:
            self.script(inner, rule["body"])
        self._calls.pop()

    def script(self, scope: Scope, body: Any) -> None:
        """Add what a script reads; all its locals count as unknown."""
        if isinstance(body, list):
            if body and isinstance(body[0], str):
                self.add(scope, body)
            for part in body:
                self.script(scope, part)
        elif isinstance(body, dict):
            for part in body.values():
                self.script(scope, part)
