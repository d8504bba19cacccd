"""A program turned into Python: one code object for each rule, under the rule's file and lines."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from interpreter.actions import Ask, AskTable
from interpreter.layout import NOTHING, Layout
from interpreter.specialise import chance_events, control, expressions, loops, offers, plans, statements, together  # noqa: F401
from interpreter.specialise.analysis import Analysis, Mode, Statement, bodies, script_of
from interpreter.specialise.at_once import simultaneous_rules, with_deferred
from interpreter.specialise.conditions import Conditions
from interpreter.specialise.makers import make
from interpreter.specialise.needs import guards_of
from interpreter.specialise.quote import expr, function, load, place, stmts, store
from interpreter.specialise.scope import Expr, Scope
from interpreter.specialise.script import Script, references

FIRST_RULE = 3
"""Numbers 0, 1 and 2 are the end of the game, the end of an answer given at the same time, and waiting triggers."""


@dataclass
class Column:
    """A printed column as a list by id, rows and tokens alike."""

    name: str
    values: list[Any]
    key: str


class Builder:
    """Makes all functions of one program, layout and mode."""

    def __init__(self, program: dict[str, Any], layout: Layout, asks: AskTable, mode: Mode) -> None:
        program = with_deferred(program)
        extra = simultaneous_rules(program)
        self.program = {**program, "rules": {**program["rules"], **extra}}
        self.layout, self.asks, self.mode = layout, asks, mode
        self.numbers = {name: FIRST_RULE + i for i, name in enumerate([*sorted(program["rules"]), *extra])}
        self.by_statement = {rule["of"]: name for name, rule in extra.items()}
        self.space: dict[str, Any] = {}
        self.options: dict[int, dict[int, str]] = {}
        self.frames: dict[tuple[int, int], list[tuple[str, Any]]] = {}
        self.points: dict[tuple[str, int], int] = {}
        self.passes: dict[tuple[int, int], tuple[int, str]] = {}
        self.asked_at: dict[tuple[int, int], tuple[Any, ...]] = {}
        self.chance_at: dict[tuple[int, int], tuple[str, Any, str]] = {}
        self.tables: list[str] = []
        self._constants: dict[Any, str] = {}
        self._columns: dict[str, Column] = {}
        self._weights: dict[str, int] = {}
        self._plans: dict[str, plans.Plan] = {}
        self._todo: list[tuple[str, str]] = []
        self._asked: set[tuple[str, str]] = set()
        around = [found for rule in program["rules"].values() for found in _rests(script_of(rule), [], ())]
        self._after = {id(statement): rest for statement, rest, _ in around}
        self._guards = {id(statement): guards for statement, _, guards in around}
        text = repr(program["rules"])
        self.uses_down = layout.uses_down or bool(program["layers"])
        self.has_quiet = "'op': 'quiet'" in text
        self.facts = Analysis(self.program, layout, mode)
        self.conditions = Conditions(self)
        self.tracks_turns = bool(program["lasting"]) or mode.events or self.facts.reads_active()
        self.facts.find_pausing()
        self.facts.pausing |= set(extra)

    # --------------------------------------------------------------------------------- naming

    def rule_number(self, name: str) -> int:
        return self.numbers[name]

    def python_name(self, name: str) -> str:
        """Return a rule's Python name: its own, made safe, with its number."""
        return "".join(c if c.isalnum() else "_" for c in name) + f"_{self.numbers[name]}"

    def waiting_name(self, name: str, label: int) -> str:
        """Return the name of what waits for an answer at a label: what lists the answers, and what goes on from one."""
        return f"{self.python_name(name)}_{label}_wait"

    def function_name(self, name: str) -> str:
        """Return the name of a function rule, and see to it that it is made."""
        self._want("function", name)
        return "f_" + self.python_name(name)

    def need(self, name: str) -> None:
        """See to it that a rule is made."""
        self._want("rule", name)

    def need_first(self, name: str) -> None:
        """See to it that the listing of an action's first answers is made."""
        self._want("first", name)

    def _want(self, what: str, name: str) -> None:
        if (what, name) not in self._asked:
            self._asked.add((what, name))
            self._todo.append((what, name))

    def constant(self, value: Any) -> str:
        """Return the global name of a value known when loading."""
        key = repr(value)
        if key not in self._constants:
            self._constants[key] = f"c{len(self._constants)}_"
            self.space[self._constants[key]] = value
        return self._constants[key]

    def coverage_point(self, rule: str, statement: Statement | None) -> int:
        """Return the number of a statement, or of a rule's start, for coverage."""
        line = statement["at"][0] if statement is not None and statement.get("at") else 0
        rule = self.program["rules"].get(rule, {}).get("said_in", rule)
        return self.points.setdefault((rule, line), len(self.points))

    # --------------------------------------------------------------------------------- tables

    def positions(self, kind: str) -> str:
        """Return a table from member to place among the members in play."""
        return self.constant({m: i for i, m in enumerate(self.layout.members[kind])})

    def kind_ranges(self, kind: str) -> list[tuple[int, int]]:
        """Return the ids of a kind as half-open ranges."""
        members = self.layout.members[kind]
        ranges: list[tuple[int, int]] = []
        for member in members:
            if ranges and ranges[-1][1] == member:
                ranges[-1] = (ranges[-1][0], member + 1)
            else:
                ranges.append((member, member + 1))
        return ranges

    def column(self, name: str) -> Column:
        """Return a printed column by id; what prints the table has its row's value."""
        if name not in self._columns:
            raw = self.program["columns"][name]
            values: list[Any] = [None] * (self.layout.first_token + len(self.layout.token_kind))
            for member, value in zip(self.layout.domain(raw["kind"]), raw["values"]):
                values[member] = _frozen(value)
            for token in self.layout.tokens:
                row = self.layout.token_row[token - self.layout.first_token]
                if row >= 0 and values[row] is not None:
                    values[token] = values[row]
            self._columns[name] = Column(self.constant(values), values, raw["key"])
        return self._columns[name]

    def places(self, kind: str) -> str:
        """Return a table from slot to its key of a kind, or nothing."""
        layout, kinds = self.layout, self.program["kinds"]
        table = [NOTHING] * (layout.slot_base + len(layout.slots))
        allowed = set(layout.members[kind])
        for i, (zone, values) in enumerate(layout.slots):
            keys = layout.zones[zone].keys
            for key, value in zip(keys, values):
                are_things = "number" not in (kinds[kind]["sort"], kinds[key]["sort"])
                if key == kind or (are_things and value in allowed):
                    table[layout.slot_base + i] = value
        return self.constant(table)

    def _by_thing(self, values: dict[int, Any], default: Any) -> list[Any]:
        table = [default] * (self.layout.first_token + len(self.layout.token_kind))
        for row, value in values.items():
            table[row] = value
        for token in self.layout.tokens:
            row = self.layout.token_row[token - self.layout.first_token]
            if row in values:
                table[token] = values[row]
        return table

    def has_cell(self, cell: str) -> str:
        rows = self.program["cells"][cell]["rules"]
        return self.constant(self._by_thing({int(r): True for r in rows}, False))

    def script_cell(self, cell: str) -> str:
        """Return a table from thing to the number of the rule printed on it, or 0."""
        rules = self.program["cells"][cell]["rules"]
        for name in rules.values():
            self.need(name)
        return self.constant(self._by_thing({int(r): self.numbers[n] for r, n in rules.items()}, 0))

    def formula_cell(self, cell: str) -> str:
        """Return the name of a table, filled when all is made, from thing to the function printed on it."""
        name = "cell_" + "".join(c if c.isalnum() else "_" for c in cell)
        if name not in self.space:
            spec = self.program["cells"][cell]
            names = {int(r): self.function_name(n) for r, n in spec["rules"].items()}
            default = self.function_name(spec["default"]) if spec["default"] else ""
            self.space[name] = self._by_thing(names, default)
            self.tables.append(name)
        return name

    def first_cell(self, cell: str) -> str:
        """Return the name of a table from thing to the listing of the action printed on it."""
        name = "first_" + "".join(c if c.isalnum() else "_" for c in cell)
        if name not in self.space:
            rules = self.program["cells"][cell]["rules"]
            for rule in rules.values():
                self.need_first(rule)
            names = {int(r): self.python_name(n) + "_first" for r, n in rules.items()}
            self.space[name] = self._by_thing(names, "no_action_")
            self.tables.append(name)
        return name

    def distances(self, kind: str) -> str:
        return self.constant([tuple(row) for row in self.program["distances"][kind]])

    def neighbours(self, kind: str) -> str:
        return self.column(f"{kind}.neighbours").name

    def class_positions(self, ask: Ask, number: int) -> str:
        """Return a table from token to the first place of its class in a domain."""
        place_of: dict[int, int] = {}
        for i, value in enumerate(ask.domains[number]):
            place_of.setdefault(value[1], i)
        if ask.forms[number] == "face":
            faces = {self.asks.classes[c][:2]: i for c, i in place_of.items()}
            place_of = {c: faces[spec[:2]] for c, spec in enumerate(self.asks.classes) if spec[:2] in faces}
        return self._by_token(place_of)

    def shown_faces(self, ask: Ask, number: int) -> str | None:
        """Return a table from token and shown face to how far on its place is, or None where there are no dice."""
        if not any(len(value) > 2 for value in ask.domains[number]):
            return None
        kinds, first = self.program["tokens"], self.layout.first_token
        table: dict[int, dict[int, int]] = {}
        for token in self.layout.tokens:
            faces = kinds[self.layout.token_kind[token - first]]["faces"]
            table[token] = {f: f - faces[0] for f in range(faces[0], faces[1] + 1)} if faces else {0: 0}
        return self.constant(table)

    def _by_token(self, place_of: dict[int, int]) -> str:
        first = self.layout.first_token
        return self.constant({t: place_of.get(self.layout.token_class[t - first], 0) for t in self.layout.tokens})

    def slot_positions(self, ask: Ask, number: int) -> str:
        """Return a table from slot to its place in a domain of slots."""
        place_of = {(d[1], d[2]): i for i, d in enumerate(ask.domains[number])}
        return self._by_slot(place_of)

    def _by_slot(self, place_of: dict[Any, int]) -> str:
        base = self.layout.slot_base
        return self.constant({base + i: place_of[slot] for i, slot in enumerate(self.layout.slots) if slot in place_of})

    def slot_class_positions(self, ask: Ask, number: int) -> tuple[str, str, int]:
        """Return tables from slot and from token to their places, and how many classes there are."""
        slots = list(dict.fromkeys((d[1], d[2]) for d in ask.domains[number]))
        classes = list(dict.fromkeys(d[3] for d in ask.domains[number]))
        return (
            self._by_slot({s: i for i, s in enumerate(slots)}),
            self._by_token({c: i for i, c in enumerate(classes)}),
            len(classes),
        )

    # ----------------------------------------------------------------------------------- facts

    def size_of(self, tree: Any) -> int:
        """Return how many operators a formula has, those of small functions it calls included."""
        if isinstance(tree, list):
            own = 1 if tree and isinstance(tree[0], str) else 0
            if tree and tree[0] == "call":
                own += self.weight(tree[1])
            return own + sum(self.size_of(part) for part in tree)
        if isinstance(tree, dict):
            return sum(self.size_of(part) for part in tree.values())
        return 0

    def weight(self, name: str) -> int:
        """Return the size of a function's formula."""
        if name not in self._weights:
            self._weights[name] = 10_000
            rule = self.program["rules"][name]
            self._weights[name] = self.size_of(rule["body"]) if rule.get("form") == "formula" else 10_000
        return self._weights[name]

    def result_type(self, tree: Expr) -> Any:
        """Return the type of a variable or column a formula reads."""
        if tree[0] == "column":
            return self.program["columns"][tree[1]]["type"]
        return next(v["type"] for v in self.program["variables"] if v["name"] == tree[1])

    def is_endless(self, counter: str) -> bool:
        return bool(next(c for c in self.program["counters"] if c["name"] == counter)["bank"] is None)

    def plan(self, action: str) -> plans.Plan:
        """Return what an action asks and needs."""
        if action not in self._plans:
            self._plans[action] = plans.Plan(self, action)
        return self._plans[action]

    def first_ask(self, action: str) -> Ask:
        """Return the question an action's first answer belongs to."""
        parts = self.program["rules"][action]["parts"]
        return self.asks.by_name[parts[0]["ask"] if parts else action]

    def after(self, statement: Statement) -> list[list[Statement]]:
        """Return what follows a statement in its rule: in its block, and in those around it."""
        return self._after.get(id(statement), [[{"op": "?"}]])

    def guards(self, statement: Statement) -> tuple[str, ...]:
        """Return what the conditions around a statement make sure of."""
        return self._guards.get(id(statement), ())

    def simultaneous_rule(self, statement: Statement) -> str:
        """Return the rule one player answers in a block done at the same time, and see to it that it is made."""
        name = self.by_statement[id(statement)]
        self.need(name)
        return name

    def add_options(self, rid: int, label: int, definition: ast.FunctionDef, rule: str) -> None:
        """Keep a function that lists the answers at a frame."""
        self.options.setdefault(rid, {})[label] = definition.name
        self.compile(definition, rule)

    def add_rule(self, name: str, rule: dict[str, Any]) -> None:
        """Take in a rule that is not in the program."""
        self.program["rules"][name] = rule
        self.numbers.setdefault(name, max(self.numbers.values()) + 1)
        self.facts.pausing.discard(name)
        if any(self.facts.pauses(s) for s in script_of(rule)):
            self.facts.pausing.add(name)
        self._asked.discard(("rule", name))
        self.need(name)

    # ---------------------------------------------------------------------------------- making

    def compile(self, definition: ast.FunctionDef, rule: str) -> None:
        """Compile a function under its rule's file."""
        exec(compile(ast.Module([definition], []), self.file_of(rule), "exec"), self.space)

    def file_of(self, rule: str) -> str:
        """Return the file a rule is written in."""
        return str(self.program["rules"][rule]["at"][0]) if rule in self.program["rules"] else "program"

    def build(self) -> None:
        """Make every rule that can be reached, and what tests conditions."""
        self.need(self.program["root"])
        self.conditions.make()
        for name in [*self.program["scoring"], *self._seat_rules()]:
            self.function_name(name)
        self.build_wanted()

    def _seat_rules(self) -> list[str]:
        return [spec["lasts"]["rule"] for spec in self.program["lasting"].values() if spec["lasts"]["rule"]]

    def build_wanted(self) -> None:
        """Make everything that has been asked for."""
        while self._todo:
            what, name = self._todo.pop()
            match what:
                case "function":
                    self._make_function(name)
                case "first":
                    self.compile(plans.first_function(self, name), name)
                case _:
                    self._make_rule(name)

    def _make_rule(self, name: str) -> None:
        rule = self.program["rules"][name]
        if rule["kind"] == "action" or rule.get("parts"):
            self._keep(*offers.action_script(self, name))
            return
        script = Script(self, name)
        if rule["kind"] == "part":
            parameters = [script.declare(i) for i in (rule["loop"], *rule["outer"])]
            script.later.append(references(rule["body"]) | set(rule["kept"]) | {rule["loop"], *rule["outer"]})
        else:
            parameters = [script.declare(i) for i in range(rule["params"])]
        if script.pausing:
            script.frames[0] = [(n, t) for n, t, _ in script.live]
            script.start(0)
        if self.mode.events:
            script.emit(stmts("cover_(_n)", _n=ast.Constant(self.coverage_point(name, None))))
        if rule["kind"] == "part":
            self._emit_part(script, rule)
        else:
            statements.emit_block(script, rule["body"])
            script.finish()
        self._keep(script, parameters)

    def _emit_part(self, script: Script, rule: dict[str, Any]) -> None:
        """The block one player answers: at its end what he chose is handed over."""
        for index in rule["kept"]:  # what a branch not taken leaves open is nothing
            kind = script.declared[index][1]
            empty: object = () if isinstance(kind, list) and kind[0] == "set" else NOTHING
            script.emit(store(script.declare(index), ast.Constant(empty)))  # type: ignore[arg-type]
        rest = [references(s) for s in rule["body"]]
        for i, statement in enumerate(rule["body"]):
            script.later.append(set().union(*rest[i:]) | set(rule["kept"]))
            script.at = statement["at"][:2]
            statements.EMITTERS[statement["op"]](script, statement)
            script.later.pop()
        values: list[ast.expr] = [script.local(i) for i in (rule["loop"], *rule["kept"])]
        script.emit(stmts("s.ret = _t\nreturn parent", _t=ast.Tuple(values, ast.Load())))
        script.closed = True

    def _keep(self, script: Script, parameters: list[str]) -> None:
        whole = script.function(parameters)
        self.compile(whole, script.rule)
        ways = {} if self.mode.events else dict(script.resumed())
        for label in script.waits:
            if label in ways:
                self.compile(ways[label], script.rule)
            on = self.space[ways[label].name if label in ways else whole.name]
            self.space[self.waiting_name(script.rule, label)] = (self.space.get(script.look(label)), on)
        for label, kept in script.frames.items():
            self.frames[(script.rid, label)] = kept

    def _make_function(self, name: str) -> None:
        if self.program["layers"].get(name):
            self._make_layers(name)
        else:
            self._make_plain(name, "f_" + self.python_name(name), ["v"], None)

    def _make_plain(self, name: str, python: str, before: list[str], base: Any) -> None:
        rule = self.program["rules"][name]
        line = rule["at"][1]
        script = Script(self, name)
        script.base = base
        parameters = [script.bind(i) for i in range(rule["params"])]
        if rule.get("form") == "formula":
            script.emit([ast.Return(make(script, rule["body"]))])
        else:
            statements.emit_block(script, rule["body"])
        if self.mode.events:
            script.out[:0] = place(stmts("cover_(_n)", _n=ast.Constant(self.coverage_point(name, None))), line, 1)
        self.compile(function(python, [*before, *parameters], place(script.out, line, 1), line), name)

    def _make_layers(self, name: str) -> None:
        """A function under changes: the layers in force are gathered, then asked from the top."""
        python = "f_" + self.python_name(name)
        rule = self.program["rules"][name]
        own = [f"a{i}" for i in range(rule["params"])]
        arguments = [load(p) for p in own]
        self._make_plain(name, python + "_base", ["v"], None)
        layers = []
        for number, layer in enumerate(self.program["layers"][name]):
            layer_name = f"{python}_layer{number}"
            self._make_plain(layer["rule"], layer_name, ["v", "layers_", "left_"], lambda given: _below(python, given))
            layers.append(
                (layer["by"], layer.get("row"), layer.get("token"), layer.get("zone"), layer.get("lasting"), layer_name)
            )
        self.space[python + "_spec"] = layers
        start = stmts("layers_ = layers_of_(v, _s)", _s=python + "_spec")
        call = ast.Call(load(python + "_on"), [load("v"), load("layers_"), expr("len(layers_)"), *arguments], [])
        self.compile(function(python, ["v", *own], place([*start, ast.Return(call)], 1, 1)), name)
        base = ast.Call(load(python + "_base"), [load("v"), *arguments], [])
        above = "_f, given_ = layers_[left_ - 1]\nreturn call_layer_(_f, v, layers_, left_ - 1, given_, _a)"
        body = stmts("if left_ == 0:\n  return _b\n", _b=base) + stmts(
            above, _f="f_", _a=ast.Tuple(list(arguments), ast.Load())
        )
        self.compile(function(python + "_on", ["v", "layers_", "left_", *own], place(body, 1, 1)), name)


def _below(python: str, arguments: list[ast.expr]) -> ast.expr:
    return ast.Call(load(python + "_on"), [load("v"), load("layers_"), load("left_"), *arguments], [])


def _frozen(value: Any) -> Any:
    return tuple(_frozen(part) for part in value) if isinstance(value, list) else value


def _rests(
    block: list[Statement], outer: list[list[Statement]], guards: tuple[str, ...]
) -> Iterator[tuple[Statement, list[list[Statement]], tuple[str, ...]]]:
    """Yield each statement with what follows it, in its block and around it, and what the conditions around it say."""
    for i, statement in enumerate(block):
        rest = [block[i + 1 :], *outer]
        yield statement, rest, guards
        cases = [(guards_of(condition), body) for condition, body in statement.get("cases", ())]
        inside = [body for _, body in cases]
        cases += [((), body) for body in bodies(statement) if body not in inside]
        for more, body in cases:
            yield from _rests(body, rest, guards + more)


__all__ = ["Builder", "Mode", "Scope"]
