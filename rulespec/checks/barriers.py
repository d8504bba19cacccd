"""Plain choices behind a barrier: what is offered cannot promise that they can be met."""

from __future__ import annotations

from typing import Any

from rulespec.asks import statements
from rulespec.scope import Unit
from rulespec.source import Span

BARRIERS = ("draw", "shuffle", "roll", "pick", "look", "show", "simultaneous")
LOOPS = ("for", "while", "times", "forever", "until", "rounds", "together", "as_player", "quiet")


def check(unit: Unit) -> None:
    """Warn of each plain choice behind a barrier that stands under no condition."""
    walls = _with_barriers(unit)
    for rule in unit.rules.values():
        body = rule["body"]
        if isinstance(body, list) and (not body or isinstance(body[0], dict)):
            _Walk(unit, walls, rule["at"][0]).block([*rule.get("cost", ()), *body], behind=False)


def _with_barriers(unit: Unit) -> set[str]:
    """Return the rules that contain a barrier, also in the rules they perform."""
    found: set[str] = set()
    while True:
        more = {
            n for n, r in unit.rules.items() if n not in found and any(_is_barrier(s, found) for s in statements(r))
        }
        if not more:
            return found
        found |= more


def _is_barrier(statement: dict[str, Any], walls: set[str]) -> bool:
    operator = statement["op"]
    if operator in BARRIERS or (operator in ("choose", "offer") and statement.get("by") is not None):
        return True
    return operator == "perform" and statement["rule"] in walls


class _Walk:
    """Goes through a rule in order, knowing whether a barrier lies behind."""

    def __init__(self, unit: Unit, walls: set[str], file: str) -> None:
        self.unit, self.walls, self.file = unit, walls, file

    def block(self, body: list[dict[str, Any]], behind: bool) -> bool:
        """Walk a block; return whether a barrier lies behind its end."""
        for statement in body:
            if behind:
                self.test(statement)
            behind = self.inner(statement, behind) or behind or _is_barrier(statement, self.walls)
        return behind

    def inner(self, statement: dict[str, Any], behind: bool) -> bool:
        """Walk the blocks inside a statement; a condition is taken to be enough."""
        found = False
        for _, body in statement.get("cases", ()):
            found = self.block(body, behind=False) or found
        for key in ("else", "otherwise", "reveal"):
            found = self.block(statement.get(key) or [], behind=False) or found
        if isinstance(statement.get("body"), list):
            found = self.block(statement["body"], behind and statement["op"] in LOOPS) or found
        return found

    def test(self, statement: dict[str, Any]) -> None:
        if statement["op"] not in ("choose", "offer") or statement["mode"] != "must" or statement.get("pass"):
            return
        chosen = (statement.get("part") or {}).get("set")
        if _always_met(statement.get("part")) or (chosen is not None and chosen["min"] == ["lit", 0]):
            return
        self.unit.report.warning(
            "unproved-choice", "this choice stands behind a barrier: nothing proves that it can be met",
            Span(self.file, *statement["at"]), help="say `, if possible`, or put it under a condition",
        )  # fmt: skip


def _always_met(part: dict[str, Any] | None) -> bool:
    """Say whether single things are asked for of what is always there: all of a kind, written numbers."""
    if part is None or part["set"] is not None:
        return False
    return all(var["where"] is None and (var["in"][0] == "all" or _is_written(var["in"])) for var in part["vars"])


def _is_written(source: Any) -> bool:
    return source[0] == "range" and all(end[0] == "lit" for end in source[1:])
