"""The numbers of actions: each question of a game owns a run of ids, the same for all player counts and settings."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from interpreter.layout import Layout
from interpreter.program import Program

WHOLE_SETS = 200
"""A set is asked whole where it has at most so many values, else item by item."""

Value = tuple[Any, ...]


@dataclass(frozen=True)
class Ask:
    """One question: the ids it owns and what they stand for.

    `domains` lists for each variable the values in order: ids of things, numbers, truths, classes of tokens (as
    `("class", number)`), slots (as `("slot", zone, keys)`), or slots with classes.
    """

    name: str
    rule: str
    variables: tuple[str, ...]
    base: int
    size: int
    domains: tuple[tuple[Any, ...], ...]
    forms: tuple[str, ...]
    whole: tuple[tuple[int, ...], ...] | None
    is_set: bool
    passing: bool

    @property
    def said(self) -> str:
        """The rule as people name it: what a variant covers keeps its name."""
        return self.rule.split("~")[0]

    @property
    def done(self) -> int:
        """The id that ends a set asked item by item."""
        return self.base + self.size - 1


class AskTable:
    """All questions of a rule set."""

    def __init__(self, program: Program) -> None:
        self.program = program
        most = len(program["players"]["seats"])
        self.full = Layout(program, most, {o["name"]: o["default"] for o in program["options"]})
        self.classes = self.full.classes()
        self.copies = [self.full.token_class.count(i) for i in range(len(self.classes))]
        self.asks: list[Ask] = []
        self.by_name: dict[str, Ask] = {}
        base = 0
        for raw in program["asks"]:
            ask = self._ask(raw, base)
            base += ask.size
            self.asks.append(ask)
            self.by_name[ask.name] = ask
        self.count = base
        self._bases = [ask.base for ask in self.asks]

    def _ask(self, raw: dict[str, Any], base: int) -> Ask:
        domains = tuple(self.domain(d) for d in raw["domains"])
        forms = tuple(d[0] for d in raw["domains"])
        whole = None
        size = prod(len(d) for d in domains)
        if raw["set"]:
            whole = self._whole(raw["domains"][0], len(domains[0]), raw["set"]["most"])
            size = len(whole) if whole is not None else size + 1
        variables = tuple(raw["variables"])
        return Ask(
            raw["name"], raw["rule"], variables, base, size, domains, forms, whole, bool(raw["set"]), raw["passing"]
        )

    def domain(self, raw: list[Any]) -> tuple[Any, ...]:
        """Return the values a domain runs through, in order."""
        match raw[0]:
            case "kind":
                return self.full.domain(raw[1])
            case "int":
                return tuple(range(raw[1], raw[2] + 1))
            case "bool":
                return (False, True)
            case "class" | "face":
                return tuple(self._faces(raw[1], raw[0] == "face"))
            case "slot":
                return tuple(("slot", *slot) for slot in self._slots(raw[1]))
            case _:
                kinds = [i for i, c in enumerate(self.classes) if c[0] in raw[2]]
                return tuple(("slot_class", *slot, i) for slot in self._slots(raw[1]) for i in kinds)

    def _faces(self, kinds: list[str], owned_alike: bool) -> Iterator[tuple[Any, ...]]:
        """Yield what tokens of these kinds may look like: their class, and for dice the face they show.

        Where all are the chooser's own, the owner does not count: the class of the first owner stands for all.
        """
        seen: set[tuple[str, int]] = set()
        for number, (kind, row, _) in enumerate(self.classes):
            if kind not in kinds or (owned_alike and (kind, row) in seen):
                continue
            seen.add((kind, row))
            faces = self.program["tokens"][kind]["faces"]
            yield from (
                (("class", number, face) for face in range(faces[0], faces[1] + 1)) if faces else [("class", number)]
            )

    def _slots(self, zones: list[str]) -> list[tuple[str, tuple[int, ...]]]:
        """Return the slots of zones, those left out in which nothing may ever lie."""
        found = []
        for zone in (self.full.zones[name] for name in zones):
            slots = product(*(self.full.domain(key) for key in zone.keys))
            found += [(zone.name, values) for values, limit in zip(slots, zone.limits, strict=True) if limit != 0]
        return found

    def _whole(self, domain: list[Any], size: int, most: int) -> tuple[tuple[int, ...], ...] | None:
        """Return every set of positions in the domain, or None where there are too many."""
        if domain[0] in ("class", "face"):
            copies = [self.copies[value[1]] for value in self.domain(domain)]
        else:
            copies = [1] * size
        found: list[tuple[int, ...]] = [()]
        level: list[tuple[int, ...]] = [()]
        for _ in range(most):
            level = [(*s, i) for s in level for i in range(s[-1] if s else 0, size) if s.count(i) < copies[i]]
            found += level
            if len(found) > WHOLE_SETS:
                return None
            if not level:
                break
        return tuple(found)

    def ask_of(self, action: int) -> Ask:
        """Return the question an id belongs to."""
        return self.asks[bisect_right(self._bases, action) - 1]

    def values(self, action: int) -> Value:
        """Return what an id stands for: one value for each variable; `("done",)` ends a set; a set is one tuple."""
        ask = self.ask_of(action)
        index = action - ask.base
        if ask.whole is not None:
            return (tuple(ask.domains[0][i] for i in ask.whole[index]),)
        if ask.is_set:
            return ("done",) if action == ask.done else (ask.domains[0][index],)
        values = []
        for domain in reversed(ask.domains):
            index, i = divmod(index, len(domain))
            values.append(domain[i])
        return tuple(reversed(values))


def asked_zones(program: Program) -> dict[str, frozenset[str]]:
    """Return for each question the zones that what it names may lie in.

    Where that cannot be read off (a named set, a printed formula) it is every zone that may hold such tokens.
    """
    raw = {ask["name"]: ask for ask in program["asks"]}
    found: dict[str, set[str]] = {}
    for rule in program["rules"].values():
        for part in _nodes(rule):
            if isinstance(part, dict) and "ask" in part and "vars" in part:
                trees = [variable["in"] for variable in part["vars"]]
                zones, is_all = _sources(program, trees, set())
                if is_all or any(_is_named_set(tree) for tree in trees):
                    zones |= _holding(program, raw.get(part["ask"], {"domains": []}))
                found.setdefault(part["ask"], set()).update(zones)
    return {name: frozenset(names) for name, names in found.items()}


def _nodes(tree: Any) -> Iterator[Any]:
    """Yield a tree and everything inside it."""
    yield tree
    for part in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ():
        yield from _nodes(part)


def _is_named_set(tree: Any) -> bool:
    """Say whether members come from a name given before: the local itself, or parts of it."""
    bound = {node["local"] for node in _nodes(tree) if isinstance(node, dict) and "local" in node and "in" in node}
    match tree:
        case ["local", number]:
            return number not in bound
        case ["union" | "without" | "tokens_of_kind" | "those" | "first_of" | "single" | "set" | "if", *parts]:
            inner = [part["in"] if isinstance(part, dict) and "in" in part else part for part in parts]
            return any(_is_named_set(part) for part in inner)
    return False


def _sources(program: Program, tree: Any, seen: set[str]) -> tuple[set[str], bool]:
    """Return the zones a formula reads, functions it calls included, and whether it reads what is not known here."""
    zones: set[str] = set()
    is_all = False
    for node in _nodes(tree):
        if isinstance(node, dict) and "zone" in node and "keys" in node:
            zones.add(node["zone"])
        elif isinstance(node, list) and len(node) > 1 and node[0] in ("cell", "var"):
            is_all = True
        elif isinstance(node, list) and len(node) > 1 and node[0] == "call" and node[1] not in seen:
            seen.add(node[1])
            rules = [node[1], *(layer["rule"] for layer in program["layers"].get(node[1], ()))]
            for name in rules:
                inner, unknown = _sources(program, program["rules"][name]["body"], seen)
                zones, is_all = zones | inner, is_all or unknown
    return zones, is_all


def _holding(program: Program, ask: dict[str, Any]) -> set[str]:
    """Return every zone that may hold tokens of the kinds a question names by their faces."""
    kinds = {kind for domain in ask["domains"] if "class" in domain[0] for kind in domain[-1]}
    return {zone["name"] for zone in program["zones"] if kinds & set(zone["holds"])}
