"""Formulas of a program as text again, and the values they read: what `why not` shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.program import Program

SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "div", "mod": "mod", "union": "+", "without": "without"}
TESTS = {"eq": "is", "ne": "is not", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "in": "in"}

READ = ("call", "var", "counter", "zone_size", "size", "column")
"""The parts of a condition whose values are told beside it."""


def formula_text(program: Program, rule: str, tree: Any) -> str:
    """Return a formula in the words of the language."""
    return _Writer(program, rule).text(tree)


class _Writer:
    def __init__(self, program: Program, rule: str) -> None:
        self.program = program
        self.names = [name for name, _ in program["rules"].get(rule, {"locals": []})["locals"]]

    def name(self, index: int) -> str:
        return self.names[index % 1000] if index % 1000 < len(self.names) else "it"

    def text(self, tree: Any) -> str:
        match tree:
            case ["lit", value]:
                return self._literal(value)
            case ["local", i]:
                return self.name(i)
            case ["me"] | ["active"] | ["bank"]:
                return str(tree[0])
            case ["option", name]:
                return str(name)
            case ["all", kind]:
                return f"all {kind}"
            case ["not", ["is_empty", inner]]:
                return f"{self.text(inner)} is not empty"
            case ["is_empty", inner]:
                return f"{self.text(inner)} is empty"
            case ["not", inner]:
                return f"not {self.text(inner)}"
            case ["and" | "or", *parts]:
                return f" {tree[0]} ".join(self.text(p) for p in parts) or "yes"
            case ["if", condition, then, otherwise]:
                return f"{self.text(then)} if {self.text(condition)} else {self.text(otherwise)}"
            case [sign, left, right] if sign in SIGNS or sign in TESTS:
                return f"{self.text(left)} {(SIGNS | TESTS)[sign]} {self.text(right)}"
        return self._more(tree)

    def _more(self, tree: Any) -> str:
        match tree:
            case ["call" | "cell", name, *args]:
                return f"{name}({', '.join(self.text(a) for a in args)})" if args else str(name)
            case ["var", name, *keys]:
                return f"{name} of {self.text(keys[0])}" if len(keys) == 1 else self._call(name, keys)
            case ["counter", name, holder]:
                return f"{name} of {self.text(holder)}"
            case ["tokens", zone]:
                return self.zone(zone)
            case ["zone_size", zone]:
                return f"count({self.zone(zone)})"
            case ["zone_empty", zone]:
                return f"{self.zone(zone)} is empty"
            case ["top", zone]:
                return f"top of {self.zone(zone)}"
            case ["tokens_of_kind", inner, kind]:
                return f"{kind} in {self.text(inner)}"
            case ["column", name, of, *keys]:
                return f"{self.text(of)}.{name.split('.')[-1]}" + (f"({self.text(keys[0])})" if keys else "")
            case ["place", kind, of]:
                return f"{kind} of {self.text(of)}"
            case ["size" | "single" | "first", inner]:
                return (
                    self.text(inner)
                    if tree[0] == "single"
                    else f"{'count' if tree[0] == 'size' else 'first'}({self.text(inner)})"
                )
            case [word, dict() as loop, *rest]:
                return self._loop(word, loop, rest)
        return self._call(tree[0], tree[1:]) if isinstance(tree, list) else str(tree)

    def _call(self, name: str, args: Any) -> str:
        return f"{name}({', '.join(self.text(a) if isinstance(a, list) else str(a) for a in args)})" if args else name

    def _loop(self, word: str, loop: dict[str, Any], rest: list[Any]) -> str:
        words = {"first_of": "first", "min_of": "min", "max_of": "max"}
        binder = f"{self.name(loop['local'])} in {self.text(loop['in'])}"
        if loop["where"] is not None:
            binder += f" where {self.text(loop['where'])}"
        head = f"{self.text(rest[0])} for " if rest else ""
        return f"{words.get(word, word)}({head}{binder})"

    def zone(self, zone: dict[str, Any]) -> str:
        keys = [self.text(k[1]) for k in zone["keys"] if k[0] != "all"]
        if not keys:
            return str(zone["zone"])
        return f"{zone['zone']} of {keys[0]}" if len(zone["keys"]) == 1 else f"{zone['zone']}({', '.join(keys)})"

    def _literal(self, value: Any) -> str:
        if isinstance(value, bool):
            return "yes" if value else "no"
        return "nothing" if value == -1 else str(value)


def readings(program: Program, rule: str, tree: Any, bound: set[int], look: Callable[[Any], Any]) -> dict[str, Any]:
    """Return what *look* gives for the rules, variables, counters and sizes a condition reads, by their text."""
    found: dict[str, Any] = {}
    writer = _Writer(program, rule)

    def visit(part: Any, inner: frozenset[int]) -> None:
        if not isinstance(part, list) or not part:
            return
        own = _locals(part)
        if part[0] in READ and not (own & inner) and own <= bound:
            found[writer.text(part)] = look(part)
            return
        for child in part[1:]:
            if isinstance(child, dict) and "local" in child:
                visit(child["in"], inner)
                visit(child["where"], inner | {child["local"]})
            else:
                visit(child, inner)

    visit(tree, frozenset())
    return found


def value_type(program: Program, tree: Any) -> Any:
    """Return the type of what a condition reads, where it is declared, else None."""
    match tree:
        case ["call", rule, *_]:
            return program["rules"][rule]["result"]
        case ["column", name, *_]:
            return program["columns"][name]["type"]
        case ["var", name, *_]:
            return next(v["type"] for v in program["variables"] if v["name"] == name)
    return None


def faces_read(program: Program, tree: Any, seen: set[str]) -> set[str]:
    """Return the zones of which a formula reads more than how many tokens lie there; called rules included."""
    match tree:
        case ["zone_size" | "zone_empty", zone]:
            return faces_read(program, zone["keys"], seen)
        case ["size" | "is_empty", ["tokens", zone]]:
            return faces_read(program, zone["keys"], seen)
        case ["call", rule, *arguments]:
            found = faces_read(program, arguments, seen)
            names = [rule, *(layer["rule"] for layer in program["layers"].get(rule, ()))]
            for name in set(names) - seen:
                found |= faces_read(program, program["rules"][name]["body"], seen | set(names))
            return found
        case ["cell", name, *arguments]:
            cell = program["cells"][name]
            rules = {*cell["rules"].values(), *([cell["default"]] if cell["default"] else [])} - seen
            bodies = [program["rules"][rule]["body"] for rule in rules]
            return faces_read(program, [*arguments, *bodies], seen | rules)
        case {"zone": str(name), "keys": keys}:
            return {name} | faces_read(program, keys, seen)
    parts = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return {name for part in parts for name in faces_read(program, part, seen)}


def _locals(tree: Any) -> set[int]:
    if isinstance(tree, list):
        own = {tree[1]} if len(tree) == 2 and tree[0] == "local" else set()
        return own | {i for part in tree for i in _locals(part)}
    if isinstance(tree, dict):
        return {i for part in tree.values() for i in _locals(part)} | ({tree["local"]} if "local" in tree else set())
    return set()
