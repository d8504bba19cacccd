"""Rules that nobody performs, and in which something is nevertheless decided or done by `me`."""

from __future__ import annotations

from typing import Any

from rulespec.scope import Unit
from rulespec.source import Span
from rulespec.symbols import Names

Statement = dict[str, Any]


def check(names: Names, unit: Unit, triggers: list[dict[str, Any]]) -> None:
    """Report each `me` of a rule that is performed from the first phase on, or by a trigger, without a player."""
    waiting = [phase.name.text for phase in names.game.phases[:1]]
    waiting += [trigger["do"] for trigger in triggers if trigger["by"] is None]
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        rule = unit.rules.get(name)
        if rule is None or name in seen:
            continue
        seen.add(name)
        walk = _Alone(unit, name, rule["at"][0])
        walk.block(rule["body"])
        waiting += walk.begun


class _Alone:
    """Goes through a rule as far as nobody performs it."""

    def __init__(self, unit: Unit, rule: str, file: str) -> None:
        self.unit, self.rule, self.file = unit, rule, file
        self.begun: list[str] = []

    def block(self, body: Any) -> None:
        """Walk a block."""
        for statement in body if isinstance(body, list) else ():
            self.statement(statement)

    def statement(self, statement: Statement) -> None:
        """Walk a statement; what stands under a player is left out."""
        match statement["op"]:
            case "choose" | "offer" | "look" if statement.get("by") is None:
                self.fault(statement)
            case "choose" | "offer":
                self.reads(statement, statement["by"])
                self.block(statement.get("body"))
                self.block(statement["otherwise"])
            case "perform" | "perform_cell":
                self.perform(statement)
            case "rounds" | "simultaneous":
                self.reads(statement, statement["loop"]["in"])
            case "for" if statement["as_me"]:
                self.reads(statement, statement["loop"]["in"])
            case "as_player":
                self.reads(statement, statement["player"])
            case _:
                self.inner(statement)

    def perform(self, statement: Statement) -> None:
        """Walk the performing of a rule: without `by` it has no player either."""
        if statement["by"] is not None:
            self.reads(statement, statement["by"])
            return
        self.reads(statement, statement["args"])
        if statement["op"] == "perform":
            self.begun.append(statement["rule"])
        else:
            cell = statement["cell"].split(".")[1]
            self.begun += [n for n, r in self.unit.rules.items() if r["kind"] == "cell" and n.endswith(f".{cell}")]

    def inner(self, statement: Statement) -> None:
        """Walk the formulas and blocks of any other statement."""
        for condition, body in statement.get("cases", ()):
            self.reads(statement, condition)
            self.block(body)
        for key, value in statement.items():
            if key in ("body", "else"):
                self.block(value)
            elif key not in ("cases", "at", "op"):
                self.reads(statement, value)

    def reads(self, statement: Statement, formula: Any) -> None:
        """Report a formula that reads `me`."""
        if _names_me(formula):
            self.fault(statement)

    def fault(self, statement: Statement) -> None:
        self.unit.error(
            "nobody-acts", f"nobody is `me` here: `{self.rule}` is performed by no player",
            Span(self.file, *statement["at"]),
            help="say who it is: `by P`, or `turns` or `one_by_one` in a phase around it",
        )  # fmt: skip


def _names_me(formula: Any) -> bool:
    if isinstance(formula, dict):
        return any(_names_me(part) for part in formula.values())
    return isinstance(formula, list) and (formula == ["me"] or any(_names_me(part) for part in formula))
