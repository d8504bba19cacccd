"""What has been looked at, shown or turned up by then: in a rule, in those it performs, in those that come to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from rulespec.asks import statements
from rulespec.scope import Unit

Zones: TypeAlias = frozenset[str]
Statements: TypeAlias = list[dict[str, Any]]


class Looks:
    """Finds the zones of which the faces may be known at a place of a rule."""

    def __init__(self, unit: Unit, zones_of: Callable[[Any, Any], Zones]) -> None:
        """Take the rules of *unit*; *zones_of* gives the zones of tokens in the body of a rule, none if unknown."""
        self.unit, self.zones_of = unit, zones_of
        self.everywhere = frozenset(unit.names.zones)
        self.inside: dict[str, Statements] = {name: list(statements(r["body"])) for name, r in unit.rules.items()}
        self.seen: dict[str, Zones] = {}
        self.callers: dict[str, list[tuple[str, int]]] = {}

    def before(self, rule: str, at: int) -> Zones:
        """Return what may be known before the statement *at* of a rule: of whatever looks there, everything."""
        own = self._seen(rule, self.inside[rule][:at])
        return self.everywhere if own else self._above(rule)

    def _above(self, rule: str) -> Zones:
        """Return what may be known when a rule begins; a rule that nobody performs may begin at any time."""
        found: Zones = frozenset()
        above, left = {rule}, [rule]
        while left:
            name = left.pop()
            for caller, at in self._callers(name):
                found |= self._seen(caller, self.inside[caller][:at])
                if caller not in above:
                    above.add(caller)
                    left.append(caller)
        return found

    def _callers(self, rule: str) -> list[tuple[str, int]]:
        """Return the rules that perform a rule, each with the place where; for a trigger the ends of all."""
        if not self.callers:
            for caller, inside in self.inside.items():
                for at, statement in enumerate(inside):
                    for name in self._performed(statement):
                        self.callers.setdefault(name, []).append((caller, at))
        if rule not in self.callers and self.unit.rules[rule]["kind"] == "hook":
            return [(name, len(inside)) for name, inside in self.inside.items()]
        return self.callers.get(rule, [])

    def _seen(self, rule: str, part: Iterable[dict[str, Any]]) -> Zones:
        """Return what statements of a rule let see, with those of the rules they perform."""
        found: Zones = frozenset()
        for statement in part:
            if statement["op"] in ("look", "show") or (statement["op"] == "turn" and statement["side"] == "up"):
                found |= self.zones_of(statement["tokens"], self.unit.rules[rule]["body"]) or self.everywhere
            for name in self._performed(statement):
                found |= self._all_seen(name)
        return found

    def _all_seen(self, rule: str) -> Zones:
        if rule not in self.seen:
            self.seen[rule] = frozenset()  # of a rule that performs itself, nothing more
            self.seen[rule] = self._seen(rule, self.inside[rule])
        return self.seen[rule]

    def _performed(self, statement: dict[str, Any]) -> list[str]:
        """Return the rules that a statement performs or offers."""
        found = []
        for each in (statement, *statement.get("actions", ())):
            if each.get("rule") in self.inside:
                found.append(each["rule"])
            elif each.get("cell") is not None:
                end = f".{each['cell'].split('.')[1]}"
                found += [name for name in self.inside if name.endswith(end)]
        return found
