"""A stranger's formulas and scripts, tested in full: every operator, key, name and number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from interpreter.program import LARGEST, Program
from interpreter.shapes import EXPRESSIONS, STATEMENTS, WORDS

MOST_CELLS = 1_000_000
"""How many cells a position may have, and values one question."""


class Unsound(ValueError):
    """Something in a program is not as it must be."""


class Walker:
    """Walks through a program; `path` says where it is. What is declared is looked up by its name."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.path: list[str] = []
        self.locals = 0
        self.names: dict[str, dict[str, Any]] = {}
        self.asks: dict[str, Any] = {}

    # ------------------------------------------------------------------------------------ helpers

    def at(self, step: object, test: Callable[..., object], *values: Any) -> None:
        """Test a part."""
        self.path.append(str(step))
        test(*values)
        self.path.pop()

    def each(self, name: str, test: Callable[[Any], object]) -> None:
        """Test every item of a list, or every value of an object, of the program."""
        part = self.program[name]
        self.path.append(name)
        for step, value in enumerate(part) if isinstance(part, list) else part.items():
            self.at(step, test, value)
        self.path.pop()

    def need(self, holds: bool, message: str) -> None:
        if not holds:
            raise Unsound(message)

    def record(self, value: Any, keys: str) -> dict[str, Any]:
        """Return an object that has these keys."""
        if not isinstance(value, dict):
            raise Unsound("expected an object")
        missing = [key for key in keys.split() if key not in value]
        self.need(not missing, f"`{''.join(missing[:1])}` is missing")
        return value

    def items(self, value: Any, least: int = 0, most: int = MOST_CELLS) -> list[Any]:
        if not isinstance(value, list) or not least <= len(value) <= most:
            raise Unsound(
                "expected a list" if not isinstance(value, list) else f"{len(value)} items are too few or many"
            )
        return value

    def whole(self, value: Any, low: int = -LARGEST, high: int = LARGEST) -> int:
        if type(value) is not int or not low <= value <= high:
            raise Unsound(f"expected a whole number from {low} to {high}, found {str(value)[:40]}")
        return value

    def text(self, value: Any) -> str:
        if not isinstance(value, str):
            raise Unsound(f"expected a text, found {str(value)[:40]}")
        return value

    def name_in(self, value: Any, known: Any, what: str) -> None:
        self.need(isinstance(value, str) and value in known, f"there is no {what} `{str(value)[:60]}`")

    def word(self, value: Any, group: str) -> None:
        self.need(value in WORDS[group], f"`{str(value)[:40]}` is none of {', '.join(WORDS[group])}")

    def value(self, value: Any) -> None:
        """Test a value: a number, a truth, or a set of them."""
        for one in value if isinstance(value, list) else (value,):
            if type(one) is not bool:
                self.whole(one)

    def type(self, value: Any) -> None:
        match value:
            case "bool":
                return
            case ["int", low, high]:
                self.need(self.whole(low) <= self.whole(high), "an empty range of numbers")
            case ["kind" | "opt", kind]:
                self.name_in(kind, {*self.program["kinds"], "token"}, "kind")
            case ["set", inner]:
                self.need(not (isinstance(inner, list) and inner[:1] == ["set"]), "a set of sets")
                self.type(inner)
            case _:
                raise Unsound(f"`{str(value)[:40]}` is no type")

    # ------------------------------------------------------------------------------------ formulas

    def expr(self, tree: Any) -> None:
        """Test a formula."""
        if not isinstance(tree, list) or not tree or not isinstance(tree[0], str) or tree[0] not in EXPRESSIONS:
            raise Unsound(f"`{str(tree)[:60]}` is no formula")
        operands, wanted = tree[1:], EXPRESSIONS[tree[0]].split()
        if wanted and wanted[-1].endswith("*"):
            *wanted, last = wanted
            wanted += [last[:-1]] * max(0, len(operands) - len(wanted))
        if wanted in (["var"], ["column_read"], ["called"]):
            getattr(self, wanted[0])(operands)
            return
        self.need(len(operands) == len(wanted), f"`{tree[0]}` takes {len(wanted)} operands, found {len(operands)}")
        for operand, what in zip(operands, wanted):
            self.part(what, operand)

    def part(self, what: str, value: Any) -> None:
        """Test an operand, or the value of a statement's key, of one sort."""
        if what.endswith("?"):
            if value is None:
                return
            what = what[:-1]
        if what in WORDS:
            self.word(value, what)
        elif what in NAMED:
            self.name_in(value, NAMED[what](self), what)
        else:
            getattr(self, what)(value)

    def local(self, value: Any) -> None:
        self.whole(value, 0, self.locals - 1)

    def flag(self, value: Any) -> None:
        self.need(type(value) is bool, "expected true or false")

    def var(self, operands: Sequence[Any]) -> None:
        self.name_in(operands[0] if operands else None, self.names["variables"], "variable")
        keys = self.names["variables"][operands[0]]["keys"]
        self.need(len(operands) == len(keys) + 1, f"`{operands[0]}` has {len(keys)} keys")
        for key in operands[1:]:
            self.expr(key)

    def column_read(self, operands: Sequence[Any]) -> None:
        self.name_in(operands[0] if operands else None, self.program["columns"], "column")
        wide = 2 if self.program["columns"][operands[0]]["key"] is None else 3
        self.need(len(operands) == wide, f"`{operands[0]}` takes {wide - 1} operands")
        for operand in operands[1:]:
            self.expr(operand)

    def called(self, operands: Sequence[Any]) -> None:
        self.name_in(operands[0] if operands else None, self.program["rules"], "rule")
        rule = self.record(self.program["rules"][operands[0]], "kind params")
        self.need(rule["kind"] in ("function", "score", "end", "invariant"), f"`{operands[0]}` is no function")
        self.need(len(operands) - 1 == rule["params"], f"`{operands[0]}` takes {rule['params']} arguments")
        for operand in operands[1:]:
            self.expr(operand)

    def args(self, value: Any) -> None:
        for one in self.items(value):
            self.expr(one)

    def loop(self, value: Any) -> None:
        self.local(self.record(value, "local in where order")["local"])
        self.expr(value["in"])
        self.part("expr?", value["where"])
        match value["order"]:
            case None:
                return
            case ["attaining", "most" | "least", tree]:
                self.expr(tree)
            case ["sorted", keys]:
                for key in self.items(keys, 1):
                    direction, tree = self.items(key, 2, 2)
                    self.word(direction, "direction")
                    self.expr(tree)
            case _:
                raise Unsound("an order that is none")

    def zone(self, value: Any) -> None:
        self.name_in(self.record(value, "zone keys")["zone"], self.names["zones"], "zone")
        keys = self.names["zones"][value["zone"]]["keys"]
        for key in self.items(value["keys"], len(keys), len(keys)):
            match key:
                case ["one" | "many", tree]:
                    self.expr(tree)
                case ["all"]:
                    continue
                case _:
                    raise Unsound("a key of a zone that is none")

    def holder(self, value: Any) -> None:
        match value:
            case ["bank"]:
                return
            case ["player", tree]:
                self.expr(tree)
            case _:
                raise Unsound("a holder that is none")

    def holder_now(self, value: Any) -> None:
        if value != ["bank"]:
            self.expr(value)

    # ---------------------------------------------------------------------------------- statements

    def block(self, value: Any) -> None:
        """Test a block of statements."""
        for number, statement in enumerate(self.items(value)):
            self.at(number, self.statement, statement)

    def statement(self, value: Any) -> None:
        op = self.record(value, "op at")["op"]
        self.need(isinstance(op, str) and op in STATEMENTS, f"there is no statement `{str(op)[:40]}`")
        self.place(value["at"], 4)
        for entry in STATEMENTS[op].split():
            key, _, what = entry.partition(":")
            if key not in value:
                raise Unsound(f"`{op}` lacks `{key}`")
            self.at(key, self.part, what, value[key])

    def place(self, value: Any, count: int) -> None:
        for number in self.items(value, count, count)[count - 4 :]:
            self.whole(number, 0, 10**9)

    def target(self, value: Any) -> None:
        self.need(isinstance(value, list) and value[:1] in (["var"], ["face"], ["local"]), "nothing that can be set")
        self.expr(value)

    def cases(self, value: Any) -> None:
        for case in self.items(value, 1):
            when, body = self.items(case, 2, 2)
            self.expr(when)
            self.block(body)

    def pace(self, value: Any) -> None:
        self.word(self.record(value, "form value by")["form"], "pace_form")
        self.part("expr?", value["value"])
        self.part("pace_by?", value["by"])

    def chosen_part(self, value: Any) -> None:
        self.name_in(self.record(value, "ask vars set")["ask"], self.asks, "question")
        for variable in self.items(value["vars"], 1):
            self.local(self.record(variable, "local in where")["local"])
            self.expr(variable["in"])
            self.part("expr?", variable["where"])
        if value["set"] is not None:
            self.local(self.record(value["set"], "local min max such_that")["local"])
            self.expr(value["set"]["min"])
            self.part("expr?", value["set"]["max"])
            self.part("expr?", value["set"]["such_that"])

    def offered(self, value: Any) -> None:
        for entry in self.items(value, 1):
            self.args(self.record(entry, "args")["args"])
            if "rule" in entry:
                self.name_in(entry["rule"], self.program["rules"], "rule")
            else:
                self.name_in(self.record(entry, "cell of")["cell"], self.program["cells"], "cell")
                self.expr(entry["of"])


NAMED: dict[str, Callable[[Walker], Any]] = {
    "option": lambda v: v.names["options"],
    "counter": lambda v: v.names["counters"],
    "kind": lambda v: v.program["kinds"],
    "cell": lambda v: v.program["cells"],
    "rule": lambda v: v.program["rules"],
    "lasting": lambda v: v.program["lasting"],
    "ask": lambda v: v.asks,
}
"""What a name of each sort must be found in."""
