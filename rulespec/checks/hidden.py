"""Conditions of actions that read faces the chooser cannot see, and choices among such faces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from rulespec.asks import at_most_one, statements
from rulespec.checks.looks import Looks
from rulespec.scope import Asked, Unit
from rulespec.source import Span
from rulespec.value_types import Kind, Opt, Type

Seen: TypeAlias = frozenset[tuple[str, bool]]
"""Zones a token may lie in, each with whether its owner is the chooser."""

FACES = ("column", "row", "has_cell", "cell", "face")
PERFORMERS = ("rounds", "simultaneous")
DEPTH = 12


def check(unit: Unit) -> None:
    """Report each condition, `where` included, that reads a face hidden from the chooser, and each choice of one."""
    turned, looks = _zones_with_face_down(unit), Looks(unit, lambda tokens, body: _zones_of(unit, tokens, body))
    refused = {asked.span for asked in unit.asked if _is_refused(unit, asked, turned, looks)}
    for name, rule in unit.rules.items():
        if "parts" not in rule:
            continue
        reader = Reader(unit, known=looks.before(name, 0))
        env: dict[int, Seen | bool] = {}
        for asked in [a for a in unit.asked if a.rule == name and a.part in rule["parts"]]:
            for var in asked.part["vars"]:
                env[var["local"]] = reader.places(var["in"], env)
                if asked.span not in refused:
                    _report(unit, reader.hidden(var["where"], env), asked.span)
            if asked.part["set"] is not None:
                env[asked.part["set"]["local"]] = env[asked.part["vars"][0]["local"]]
                _report(unit, reader.hidden(asked.part["set"]["such_that"], env), asked.span)
        for item in rule["ifs"]:
            _report(unit, reader.hidden(item["when"], env), Span(rule["at"][0], *item["at"]))


def _zones_with_face_down(unit: Unit) -> set[str]:
    """Return the zones in which tokens may lie face down."""
    found: set[str] = set()
    for rule in unit.rules.values():
        for statement in statements(rule):
            if statement["op"] in ("move", "draw") and statement["face"] == "down":
                found.add(statement["to"]["zone"])
            elif statement["op"] == "turn" and statement["side"] == "down":
                found |= {zone for zone, _ in Reader(unit).places(statement["tokens"], {})} or {*unit.names.zones}
    return found


def _zones_of(unit: Unit, tokens: Any, body: Any) -> frozenset[str]:
    """Return the zones that tokens named in the body of a rule lie in; none where they are not known."""
    reader, env = Reader(unit), dict[int, Seen | bool]()
    reader.follow(body, env)
    return frozenset(zone for zone, _ in reader.places(tokens, env))


def _is_refused(unit: Unit, asked: Asked, turned: set[str], looks: Looks) -> bool:
    """Report a choice by face among tokens the chooser cannot see: what is offered would tell him what lies there."""
    is_refused = False
    inside = looks.inside[asked.rule]
    at = next((i for i, s in enumerate(inside) if s.get("part") is asked.part), 0)  # an action asks before its script
    by = next((s["by"] for s in inside if s["op"] == "choose" and s["part"] is asked.part), None)
    reader = Reader(unit, by)
    env: dict[int, Seen | bool] = {s["loop"]["local"]: True for s in inside if s["op"] in PERFORMERS}
    for var, given in zip(asked.part["vars"], asked.types):
        places = reader.places(var["in"], env) if _has_faces(unit, given) else frozenset()
        hidden = reader.unseen(places)
        doubtful = [z for z in (hidden, *reader.lying_down(places)) if z is not None and (z == hidden or z in turned)]
        zone = next((z for z in doubtful if not at_most_one(unit, z) and z not in looks.before(asked.rule, at)), None)
        if zone is None:
            continue
        if zone == hidden:
            is_refused = True
            unit.error(
                "hidden-condition", f"this choice is among faces in `{zone}`, which the chooser cannot see", asked.span,
                help="write `pick ... at random`, or `look at` them before",
            )  # fmt: skip
        else:
            unit.report.warning(
                "choice-face-down", f"tokens may lie face down in `{zone}`, and this choice is among their faces",
                asked.span, help="`turn up` or `look at` them before, or write `pick ... at random`",
            )  # fmt: skip
    return is_refused


def _has_faces(unit: Unit, given: Type) -> bool:
    """Say whether things of a type are tokens that differ by what is printed on them, or by what they show."""
    kind = given.kind if isinstance(given, Opt) else given
    tokens = [unit.names.tokens.get(leaf) for leaf in kind.leaves] if isinstance(kind, Kind) else []
    return any(token is not None and (token.table is not None or token.node.faces is not None) for token in tokens)


def _report(unit: Unit, zone: str | None, span: Span) -> None:
    if zone is not None:
        unit.error(
            "hidden-condition", f"this condition reads what lies in `{zone}`, which the chooser cannot see", span,
            help="a condition may read only what the chooser knows",
        )  # fmt: skip


@dataclass
class Reader:
    """Follows formulas, calls included, to the faces they read."""

    unit: Unit
    by: Any = None
    """Who chooses, where the choice says so: a formula."""

    known: frozenset[str] = frozenset()
    """Zones in which the chooser may have seen the faces by then."""

    depth: int = 0
    done: set[tuple[str, Any]] = field(default_factory=set)

    def hidden(self, ir: Any, env: dict[int, Seen | bool]) -> str | None:
        """Return a zone with a face the formula reads and the chooser cannot see."""
        if ir is None:
            return None
        env = dict(env)
        for loop in _own_loops(ir):
            env[loop["local"]] = self.places(loop["in"], env)
        for part in self._parts(ir, env):
            if part[0] in FACES:
                thing = part[2] if part[0] in ("column", "has_cell", "cell") else part[1]
                found = self.unseen(self.places(thing, env))
                if found is not None:
                    return found
            if part[0] == "call":
                found = self._called(part, env)
                if found is not None:
                    return found
        return None

    def _parts(self, ir: Any, env: dict[int, Seen | bool]) -> Iterator[list[Any]]:
        """Yield all formulas inside, binding the variables of loops on the way."""
        if isinstance(ir, dict):
            if "local" in ir and "in" in ir:
                env[ir["local"]] = self.places(ir["in"], env)
            if ir.get("op") == "let":
                env[ir["local"]] = self.places(ir["value"], env)
            for value in ir.values():
                yield from self._parts(value, env)
        elif isinstance(ir, list):
            if ir and isinstance(ir[0], str) and ir[0] not in ("one", "many", "all"):
                yield ir
            for value in ir:
                yield from self._parts(value, env)

    def follow(self, ir: Any, env: dict[int, Seen | bool]) -> None:
        """Bind the names that a script gives on the way."""
        for _ in self._parts(ir, env):
            pass

    def _called(self, call: list[Any], env: dict[int, Seen | bool]) -> str | None:
        rule = self.unit.rules.get(call[1])
        if rule is None or self.depth > DEPTH:
            return None
        inner = self._arguments(call, env)
        key = (call[1], tuple(sorted(inner.items(), key=lambda e: e[0])))
        if key in self.done:
            return None
        self.done.add(key)
        self.depth += 1
        found = self.hidden(rule["body"], inner)
        self.depth -= 1
        return found

    def _arguments(self, call: list[Any], env: dict[int, Seen | bool]) -> dict[int, Seen | bool]:
        inner: dict[int, Seen | bool] = {}
        for index, arg in enumerate(call[2:]):
            inner[index] = self.places(arg, env) or self._is_me(arg, env)
        return inner

    def _is_me(self, ir: Any, env: dict[int, Seen | bool]) -> bool:
        return ir == ["me"] or (self.by is not None and ir == self.by) or (ir[0] == "local" and env.get(ir[1]) is True)

    def places(self, ir: Any, env: dict[int, Seen | bool]) -> Seen:
        """Return the zones tokens come from; none where they are not known."""
        match ir:
            case ["tokens" | "top", dict() as zone]:
                keys = self.unit.names.zones[zone["zone"]].each
                mine = any(
                    k.text == "player" and s[0] == "one" and self._is_me(s[1], env)
                    for k, s in zip(keys, zone["keys"], strict=True)
                )
                return frozenset({(zone["zone"], mine)})
            case ["tokens_of_kind" | "without" | "first" | "single", inner, *_]:
                return self.places(inner, env)
            case ["those" | "first_of", dict() as loop]:
                return self.places(loop["in"], env)
            case ["set" | "union", *parts]:
                return frozenset().union(*(self.places(p, env) for p in parts))
            case ["if", _, then, otherwise]:
                return self.places(then, env) | self.places(otherwise, env)
            case ["local", int() as index]:
                found = env.get(index, frozenset())
                return found if isinstance(found, frozenset) else frozenset()
            case ["call", str(), *_] if self.depth <= DEPTH:
                return self._result(ir, env)
        return frozenset()

    def _result(self, call: list[Any], env: dict[int, Seen | bool]) -> Seen:
        rule = self.unit.rules.get(call[1])
        if rule is None:
            return frozenset()
        inner = self._arguments(call, env)
        given = [rule["body"]]
        if rule.get("form") != "formula":
            self.follow(rule["body"], inner)
            given = [s["value"] for s in statements(rule["body"]) if s["op"] == "return"]
        self.depth += 1
        found = frozenset[tuple[str, bool]]().union(*(self.places(value, inner) for value in given))
        self.depth -= 1
        return found

    def lying_down(self, seen: Seen) -> Iterator[str]:
        """Yield those of some zones in which the chooser cannot see what lies face down."""
        for zone, mine in sorted(seen):
            declared = self.unit.names.zones[zone].face_down_seen_by
            if declared == "nobody" or (declared == "owner" and not mine):
                yield zone

    def unseen(self, seen: Seen) -> str | None:
        """Return the first of some zones whose faces the chooser cannot see, or None."""
        for zone, mine in sorted(seen):
            if zone in self.known:
                continue
            declared = self.unit.names.zones[zone]
            owned = any(k.text == "player" for k in declared.each)
            if declared.seen_by == "nobody" or (declared.seen_by == "owner" and owned and not mine):
                return zone
        return None


def _own_loops(ir: Any) -> Iterator[dict[str, Any]]:
    if isinstance(ir, list) and len(ir) > 1 and isinstance(ir[1], dict) and "local" in ir[1] and "in" in ir[1]:
        yield ir[1]
