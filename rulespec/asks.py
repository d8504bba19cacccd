"""The layout of the action ids: one ASK for each decision, with the domains its answers come from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rulespec.scope import Asked, Unit
from rulespec.value_types import Int, Kind, Opt, Truth, Type

MOST_ACTIONS = 5000
WHOLE_SETS = 200


@dataclass(frozen=True, slots=True)
class Origins:
    """Where tokens may come from: the zones, and whether from several slots of one."""

    zones: frozenset[str]
    several: bool


EVERYWHERE = None


class Places:
    """Finds the zones the tokens of a lowered formula may lie in."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.depth = 0

    def of(self, ir: Any, rule: str) -> Origins | None:
        """Return the origins of a set of tokens; None where it may be any zone."""
        match ir:
            case ["tokens" | "top", dict() as zone]:
                several = any(k[0] != "one" for k in zone["keys"])
                return Origins(frozenset({zone["zone"]}), several)
            case ["tokens_of_kind" | "without" | "first" | "single", inner, *_]:
                return self.of(inner, rule)
            case ["those" | "first_of", dict() as loop]:
                return self.of(loop["in"], rule)
            case ["set" | "union", *parts]:
                return self.joined([self.of(p, rule) for p in parts])
            case ["if", _, then, otherwise]:
                return self.joined([self.of(then, rule), self.of(otherwise, rule)])
            case ["call", str() as name, *_]:
                return self.called(name)
            case ["local", int() as index]:
                return self.local(index, rule)
        return EVERYWHERE

    def joined(self, parts: list[Origins | None]) -> Origins | None:
        """Return the origins of a union."""
        if any(p is None for p in parts):
            return EVERYWHERE
        found = [p for p in parts if p is not None]
        zones: frozenset[str] = frozenset().union(*(p.zones for p in found))
        return Origins(zones, len(zones) > 1 or any(p.several for p in found) or len(found) > 1)

    def called(self, name: str) -> Origins | None:
        """Return the origins of what a function gives."""
        body = self.unit.rules.get(name)
        if body is None or body.get("form") != "formula" or self.depth > 20:
            return EVERYWHERE
        self.depth += 1
        found = self.of(body["body"], name)
        self.depth -= 1
        return found

    def local(self, index: int, rule: str) -> Origins | None:
        """Return the origins of a name given by `let` in the rule."""
        body = self.unit.rules.get(rule)
        given = [s["value"] for s in statements(body) if s["op"] == "let" and s["local"] == index] if body else []
        if len(given) != 1 or self.depth > 20:
            return EVERYWHERE
        self.depth += 1
        found = self.of(given[0], rule)
        self.depth -= 1
        return found


def statements(part: Any) -> Iterator[dict[str, Any]]:
    """Yield all statements of a rule, however deep."""
    if isinstance(part, dict):
        if "op" in part:
            yield part
        for value in part.values():
            yield from statements(value)
    elif isinstance(part, list):
        for value in part:
            yield from statements(value)


def layout(unit: Unit) -> list[dict[str, Any]]:
    """Return all asks in canonical order; report a rule with too many actions."""
    found: dict[str, dict[str, Any]] = {}
    for asked in unit.asked:
        made = _ask(unit, asked)
        _count(unit, asked, made)
        before = found.get(asked.name)
        found[asked.name] = _merged(before, made) if before else made
    ordered = sorted(unit.rules)
    for made in found.values():
        del made["zones"]
    plain = {name: _plain(name, rule, False) for name, rule in unit.plain_asks.items()}
    plain |= {name: _plain(name, rule, True) for name, rule in unit.passes.items()}
    asks = [*plain.values(), *found.values()]
    rank = {rule: i for i, rule in enumerate(ordered)}
    return sorted(asks, key=lambda a: (rank.get(a["rule"], len(rank)), a["passing"]))


def _plain(name: str, rule: str, passing: bool) -> dict[str, Any]:
    return {"name": name, "rule": rule, "variables": [], "domains": [], "set": None, "passing": passing}


def _ask(unit: Unit, asked: Asked) -> dict[str, Any]:
    sources = [_zones(unit, asked, given, v["in"]) for given, v in zip(asked.types, asked.part["vars"], strict=True)]
    domains = [_domain(unit, asked, given, zones) for given, zones in zip(asked.types, sources, strict=True)]
    most = {"most": _most(unit, asked)} if asked.part["set"] is not None else None
    return {
        "name": asked.name, "rule": asked.rule, "variables": list(asked.names), "domains": domains, "set": most,
        "passing": False, "zones": [zones for zones, _ in sources],
    }  # fmt: skip


def _most(unit: Unit, asked: Asked) -> int:
    size = unit.names.size(asked.types[0])
    high = asked.part["set"]["max"]
    return min(size, high[1]) if isinstance(high, list) and high[0] == "lit" else size


def _zones(unit: Unit, asked: Asked, given: Type, source: Any) -> tuple[list[str], bool]:
    """Return the zones that what is asked for may lie in, if it is a token, and whether it may lie in several slots."""
    kind = given.kind if isinstance(given, Opt) else given
    names = unit.names
    if not isinstance(kind, Kind) or not all(leaf in names.tokens for leaf in kind.leaves):
        return [], False
    places = Places(unit).of(source, asked.rule)
    if places is None:
        return [z for z, d in names.zones.items() if names.holds(d).leaves & kind.leaves], True
    return [z for z in names.zones if z in places.zones], places.several


def _domain(unit: Unit, asked: Asked, given: Type, source: tuple[list[str], bool]) -> list[Any]:
    match given:
        case Truth():
            return ["bool"]
        case Int():
            if not given.bounded:
                unit.error(
                    "unbounded-number", f"nothing bounds the number asked for in `{asked.name}`", asked.span,
                    help="give the counter an `at_most`, choose from a written range, or write `min(9, E)` at its end",
                )  # fmt: skip
                return ["int", 0, 0]
            return ["int", given.low, given.high]
        case Opt(kind):
            return _things(unit, kind, source)
        case Kind():
            return _things(unit, given, source)
    return ["bool"]


def _things(unit: Unit, kind: Kind, source: tuple[list[str], bool]) -> list[Any]:
    names = unit.names
    if not all(leaf in names.tokens for leaf in kind.leaves):
        return ["kind", kind.name]
    kinds = [k for k in names.tokens if k in kind.leaves]
    zones, several = source
    if zones and all(at_most_one(unit, z) for z in zones):
        return ["slot", zones]
    if several and (len(zones) > 1 or any(names.zones[z].each for z in zones)):
        return ["slot_class", zones, kinds]
    return ["face" if zones and not several and all(names.zones[z].own for z in zones) else "class", kinds]


def at_most_one(unit: Unit, zone: str) -> bool:
    """Say whether a place of a zone holds one token only."""
    bound = unit.names.zones[zone].at_most
    return getattr(bound, "value", None) == 1


def _merged(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """Join two asks of one name, for the same variables of one rule."""
    sources = [list(dict.fromkeys([*a, *b])) for a, b in zip(first["zones"], second["zones"], strict=True)]
    domains = [_wider(*pair) for pair in zip(first["domains"], second["domains"], sources, strict=True)]
    most = None
    if first["set"] is not None and second["set"] is not None:
        most = {"most": max(first["set"]["most"], second["set"]["most"])}
    return {**first, "domains": domains, "set": most, "zones": sources}


def _wider(first: list[Any], second: list[Any], zones: list[str]) -> list[Any]:
    """Return the domain of two, of which tokens come from these zones."""
    if first == second:
        return first
    if first[0] == "int" and second[0] == "int":
        return ["int", min(first[1], second[1]), max(first[2], second[2])]
    if first[0] == "slot" and second[0] == "slot":
        return ["slot", first[1] + [z for z in second[1] if z not in first[1]]]
    kinds = [k for d in (first, second) if d[0] in ("class", "face", "slot_class") for k in d[-1]]
    if kinds and {"slot", "slot_class"} & {first[0], second[0]}:
        return ["slot_class", zones, list(dict.fromkeys(kinds))]
    return ["class", list(dict.fromkeys(kinds))] if kinds else first


def _count(unit: Unit, asked: Asked, ask: dict[str, Any]) -> None:
    total = 1
    if any(isinstance(t, Int) and not t.bounded for t in asked.types):
        return
    for given, domain in zip(asked.types, ask["domains"], strict=True):
        total *= domain_size(unit, given, domain)
    if total > MOST_ACTIONS:
        unit.error(
            "too-many-actions", f"`{asked.name}` would need {total} actions, more than {MOST_ACTIONS}", asked.span,
            help="ask in several parts: each item of `choose` is asked on its own",
        )  # fmt: skip


def domain_size(unit: Unit, given: Type, domain: list[Any]) -> int:
    """Return how many answers a domain has."""
    match domain:
        case ["slot", zones]:
            return sum(_slots(unit, z) for z in zones)
        case ["class", kinds]:
            return sum(_classes(unit, k) for k in kinds)
        case ["slot_class", zones, kinds]:
            return sum(_slots(unit, z) for z in zones) * sum(_classes(unit, k) for k in kinds)
    return unit.names.size(given)


def _slots(unit: Unit, zone: str) -> int:
    size = 1
    for key in unit.names.zones[zone].each:
        size *= unit.names.kinds[key.text].size if key.text in unit.names.kinds else 1
    return size


def _classes(unit: Unit, kind: str) -> int:
    info = unit.names.tokens[kind]
    faces = unit.names.written_type(info.node.faces) if info.node.faces else None
    alike = len(set(zip(info.rows, info.owners, strict=True)))
    return alike * (faces.high - faces.low + 1) if isinstance(faces, Int) else alike
