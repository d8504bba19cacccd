"""What ends the game, and what triggers wait for: tested only where an effect may have made it true."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from interpreter.layout import Layout
from interpreter.specialise.expressions import junction
from interpreter.specialise.makers import make
from interpreter.specialise.quote import const, expr, function, load, place
from interpreter.specialise.reads import Reads, Test, alternatives
from interpreter.specialise.scope import Scope

if TYPE_CHECKING:
    from interpreter.specialise.build import Builder

MOST_ALTERNATIVES = 400
Waiting = tuple[int, tuple[Any, ...]]


def binding_members(layout: Layout, kind: Any) -> tuple[Any, ...]:
    """Return all a trigger's variable may be bound to."""
    if kind[0] == "int":
        return tuple(range(kind[1], kind[2] + 1))
    return layout.members[kind[1]]


class Conditions:
    """The ends and triggers of a game, by the cells they read."""

    def __init__(self, build: Builder) -> None:
        self.build = build
        self.tests: list[list[tuple[Test, set[int]]]] = []
        self.ends: list[tuple[Test, set[int]]] = []
        self.waiting: dict[int, list[Waiting]] = {}
        self.all_bindings: list[list[Waiting]] = []
        for name in build.program["ends"]:
            self._add_end(name)
        build.facts.end_cells = set().union(*(cells for _, cells in self.ends))
        for spec in build.program["lasting"].values():
            if spec["lasts"]["form"] == "while":
                build.facts.while_cells |= self._read_while(spec["lasts"]["rule"])
        for index, trigger in enumerate(build.program["triggers"]):
            self._add_trigger(index, trigger)

    def _read_while(self, rule: str) -> set[int]:
        """Return the cells the condition of a lasting change reads, and the cell such changes lie in."""
        reads = Reads()
        count = self.build.program["rules"][rule]["params"]
        reads.rule(Scope(self.build, rule), rule, [load("unknown_")] * count)
        return reads.cells | {self.build.layout.lasting_cell}

    def _add_end(self, name: str) -> None:
        scope = Scope(self.build, name)
        scope.depth = 1
        found = list(alternatives(scope, self.build.program["rules"][name]["body"]))
        if len(found) > MOST_ALTERNATIVES:
            found = [(scope, self.build.program["rules"][name]["body"])]
        for test in found:
            reads = Reads()
            reads.add(*test)
            self.ends.append((test, reads.cells))

    def _add_trigger(self, index: int, trigger: dict[str, Any]) -> None:
        cells: set[int] = set()
        self.all_bindings.append([])
        if trigger["when"] is not None:
            for binding in self._bindings(trigger):
                read = self._read_by(trigger, binding)
                cells |= read
                self.all_bindings[index].append((index, binding))
                for cell in read:
                    self.waiting.setdefault(cell, []).append((index, binding))
        self.build.facts.trigger_cells.append(cells)

    def _bindings(self, trigger: dict[str, Any]) -> list[tuple[Any, ...]]:
        rule = self.build.program["rules"][trigger["when"]]
        layout = self.build.layout
        bindings: list[tuple[Any, ...]] = [()]
        if trigger["row"] is not None:
            tokens = layout.members[trigger["row"]["token"]]
            row = trigger["row"]["row"]
            bindings = [(t,) for t in tokens if layout.token_row[t - layout.first_token] == row]
        if trigger["loop"] is not None:
            kind = rule["locals"][len(bindings[0]) if bindings else 0][1]
            bindings = [(*b, m) for b in bindings for m in binding_members(layout, kind)]
        return bindings

    def _read_by(self, trigger: dict[str, Any], binding: tuple[Any, ...]) -> set[int]:
        rule = self.build.program["rules"][trigger["when"]]
        scope = Scope(self.build, trigger["when"])
        scope.depth = 1
        scope.env = {i: const(b) for i, b in enumerate(binding)}
        reads = Reads()
        if rule.get("form") == "formula":
            reads.add(scope, rule["body"])
        else:
            reads.script(scope, rule["body"])
        if trigger["loop"] is not None:
            reads.add(scope, trigger["loop"]["in"])
            reads.add(scope, trigger["loop"]["where"])
        if trigger["row"] is not None:
            block = scope.layout.zones[trigger["row"]["zone"]]
            reads.cells |= set(range(block.base, block.base + block.size))
            reads.cells |= {scope.layout.down_base + t for t in scope.layout.tokens}
        return reads.cells

    # ---------------------------------------------------------------------------------- making

    def make(self) -> None:
        """Make the functions that test ends, by cell, and the conditions of triggers."""
        build = self.build
        by_cell: dict[int, tuple[int, ...]] = {}
        for number, (_, cells) in enumerate(self.ends):
            for cell in cells:
                by_cell[cell] = (*by_cell.get(cell, ()), number)
        names = {numbers: f"end{i}_" for i, numbers in enumerate(dict.fromkeys(by_cell.values()))}
        for numbers, name in names.items():
            self._make_end(name, [self.ends[n][0] for n in numbers])
        self._make_end("end_all_", [test for test, _ in self.ends])
        build.space["end_names_"] = {cell: names[numbers] for cell, numbers in by_cell.items()}
        for index, trigger in enumerate(build.program["triggers"]):
            self._make_trigger(index, trigger)

    def _make_end(self, name: str, tests: list[Test]) -> None:
        rule = self.build.program["ends"][0] if self.build.program["ends"] else self.build.program["root"]
        scope = Scope(self.build, rule)

        def part(test: Test) -> ast.expr:
            inner, tree = test
            inner.out, inner._fresh, inner.home = scope.out, scope._fresh, rule
            if self.build.file_of(inner.rule) != self.build.file_of(rule):
                inner.at = scope.at
            found = make(inner, tree)
            place([found], *inner.at)
            return found

        result = junction(scope, True, [lambda t=test: part(t) for test in tests])  # type: ignore[misc]
        scope.emit([ast.Return(result)])
        self.build.compile(function(name, ["v"], place(scope.out, 1, 1)), rule)

    def _make_trigger(self, index: int, trigger: dict[str, Any]) -> None:
        build = self.build
        build.need(trigger["do"])
        for spec in (trigger["by"], *_order_rules(trigger)):
            if spec is not None:
                build.function_name(spec)
        if trigger["when"] is None:
            return
        rule = build.program["rules"][trigger["when"]]
        scope = Scope(build, trigger["when"])
        count = (trigger["row"] is not None) + (trigger["loop"] is not None)
        names = [scope.bind(i) for i in range(count)]
        parts = []
        if trigger["row"] is not None:
            parts.append(lambda: self._in_force(scope, trigger, names[0]))
        if trigger["loop"] is not None and trigger["loop"]["in"][0] != "all":
            parts.append(lambda: make(scope, ["in", ["local", count - 1], trigger["loop"]["in"]]))
        if trigger["loop"] is not None and trigger["loop"]["where"] is not None:
            parts.append(lambda: make(scope, trigger["loop"]["where"]))
        arguments = [["local", i] for i in range(rule["params"])]
        parts.append(lambda: make(scope, ["call", trigger["when"], *arguments]))
        result = junction(scope, False, parts)
        scope.emit([ast.Return(expr("bool(_x)", _x=result))])
        build.compile(function(f"when{index}_", ["v", *names], place(scope.out, *scope.at)), trigger["when"])

    def _in_force(self, scope: Scope, trigger: dict[str, Any], name: str) -> ast.expr:
        block = scope.layout.zones[trigger["row"]["zone"]]
        cells = range(block.base, block.base + block.size)
        where = expr(
            "_a <= v[_w + _t] < _b",
            _a=const(cells.start),
            _b=const(cells.stop),
            _w=const(scope.layout.where_base),
            _t=load(name),
        )
        up = expr("v[_d + _t] == 0", _d=const(scope.layout.down_base), _t=load(name))
        return ast.BoolOp(ast.And(), [where, up])


def _order_rules(trigger: dict[str, Any]) -> list[str | None]:
    order = trigger["order"]
    if order is None:
        return []
    return [order[1]] if order[0] == "chosen" else [key[1] for key in order[1]]
