"""What a program's rules do, found before any code is made: which may pause, what they change, what they read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from interpreter.layout import ACTIVE, BAG, Layout
from interpreter.specialise.scope import Expr

Statement = dict[str, Any]
CHOSEN = "@chosen"
"""Behind the name of an action offered at the same time as others: the rule that asks its parts, and no more."""


@dataclass(frozen=True)
class Mode:
    """Which of the variants of a program's code is made."""

    chance: str = "sampled"
    """ "sampled", "explicit", or "barrier": what looks ahead stops at chance and at hidden things."""
    events: bool = False
    """Whether events, knowledge and coverage are kept."""
    skips: bool = False
    """Whether phases can be passed over, so that a scenario begins in the middle."""


def bodies(statement: Statement) -> Iterator[list[Statement]]:
    """Yield the blocks inside a statement."""
    for key in ("body", "otherwise", "else", "reveal"):
        if isinstance(statement.get(key), list):
            yield statement[key]
    for _, body in statement.get("cases", ()):
        yield body


def walk(statements: list[Statement]) -> Iterator[Statement]:
    """Yield every statement of a block, those inside others too."""
    for statement in statements:
        yield statement
        for body in bodies(statement):
            yield from walk(body)


def passes_unseen(program: dict[str, Any], statement: Statement) -> bool:
    """Say whether a statement is the beginning or end of a phase on which nothing hangs."""
    if statement["op"] not in ("enter", "leave"):
        return False
    phase = statement["phase"]
    resets = any(v["within"] == phase for v in program["variables"])
    return not resets and all(spec["lasts"]["phase"] != phase for spec in program["lasting"].values())


def script_of(rule: dict[str, Any]) -> list[Statement]:
    """Return all statements of a rule: its cost and its body."""
    if rule.get("form") == "formula" or rule["kind"] in ("function", "end", "score", "invariant"):
        return []
    body = rule["body"] if isinstance(rule["body"], list) else []
    return [*rule.get("cost", []), *body]


def calls_of(program: dict[str, Any], statement: Statement) -> list[str]:
    """Return the rules a statement performs."""
    match statement["op"]:
        case "perform":
            return [statement["rule"]]
        case "perform_cell":
            return list(program["cells"][statement["cell"]]["rules"].values())
        case "offer":
            names = [name for action in statement["actions"] for name in offered(program, action)]
            return [name + CHOSEN for name in names] if "keeps" in statement else names
    return []


def offered(program: dict[str, Any], action: dict[str, Any]) -> list[str]:
    """Return the action rules an offer's entry stands for."""
    if "rule" in action:
        return [action["rule"]]
    return list(program["cells"][action["cell"]]["rules"].values())


CHANCE = {"roll", "pick"}
ASKING = {"choose", "offer", "simultaneous"}


class Analysis:
    """Facts about all rules of one layout and mode."""

    def __init__(self, program: dict[str, Any], layout: Layout, mode: Mode) -> None:
        self.program = program
        self.layout = layout
        self.mode = mode
        self.trigger_cells: list[set[int]] = []
        self.end_cells: set[int] = set()
        self.while_cells: set[int] = set()
        self.pausing: set[str] = set()
        self.recursive = self._recursive_rules()

    def _recursive_rules(self) -> set[str]:
        """Return the rules that may perform themselves, directly or through others."""
        calls = {
            name: {c for s in walk(script_of(rule)) for c in calls_of(self.program, s)}
            for name, rule in self.program["rules"].items()
        }
        found = set()
        for name in calls:
            reached, todo = set[str](), list(calls[name])
            while todo:
                called = todo.pop()
                if called not in reached:
                    reached.add(called)
                    todo += calls.get(called, ())
            if name in reached:
                found.add(name)
        return found

    # --------------------------------------------------------------------------------- pausing

    def find_pausing(self) -> None:
        """Work out which rules may pause: a fixed point over who performs whom and what fires."""
        rules = self.program["rules"]
        changed = True
        while changed:
            changed = False
            for name, rule in rules.items():
                if name in self.pausing or rule["kind"] == "function":
                    continue
                parts = (bool(rule.get("parts")) and len(rule["parts"]) > 1) or any(
                    p["set"] for p in rule.get("parts", ())
                )
                if parts or any(self.pauses_itself(s) for s in script_of(rule)) or self._pauses_deep(rule):
                    self.pausing.add(name)
                    changed = True

    def _pauses_deep(self, rule: dict[str, Any]) -> bool:
        return any(self.pauses_itself(s) for s in walk(script_of(rule)))

    def pauses_itself(self, statement: Statement) -> bool:
        """Say whether a statement may pause, what stands inside it not counted."""
        op = statement["op"]
        if op in ASKING:
            return True
        if self.mode.chance == "explicit" and (
            op in CHANCE or (op == "draw" and self.is_bag(statement["from"]["zone"]))
        ):
            return True
        if any(name in self.pausing for name in calls_of(self.program, statement)):
            return True
        return self.fires_pausing(statement)

    def pauses(self, statement: Statement) -> bool:
        """Say whether a statement, or one inside it, may pause."""
        if statement["op"] == "together":
            return self.fires_pausing(statement)
        return self.pauses_itself(statement) or any(self.pauses(s) for body in bodies(statement) for s in body)

    def is_bag(self, zone: str) -> bool:
        """Say whether tokens are drawn from this zone by chance."""
        return self.layout.zones[zone].mode == BAG

    def fires_pausing(self, statement: Statement) -> bool:
        """Say whether an effect may set off a trigger that may pause, directly or through other triggers."""
        cells = self.cells_written(statement)
        seen: set[int] = set()
        todo = [i for i, read in enumerate(self.trigger_cells) if read & cells]
        todo += self.after_triggers(statement)
        while todo:
            index = todo.pop()
            if index in seen:
                continue
            seen.add(index)
            trigger = self.program["triggers"][index]
            if trigger["do"] in self.pausing or (trigger["order"] and trigger["order"][0] == "chosen"):
                return True
            written = self.rule_writes(trigger["do"], set())
            todo += [i for i, read in enumerate(self.trigger_cells) if read & written]
        return False

    def after_triggers(self, statement: Statement) -> list[int]:
        """Return the triggers that fire after a rule this statement performs."""
        rules = self.program["rules"]
        called = {rules[name].get("stands_for", name) for name in calls_of(self.program, statement)}
        return [i for i, t in enumerate(self.program["triggers"]) if t["after"] in called]

    def fired_by(self, statement: Statement) -> list[int]:
        """Return the triggers whose condition an effect may change."""
        cells = self.cells_written(statement)
        return [i for i, read in enumerate(self.trigger_cells) if read & cells]

    def may_end(self, statement: Statement) -> bool:
        """Say whether an effect may make an end of the game true."""
        return bool(self.end_cells & self.cells_written(statement))

    def reads_active(self) -> bool:
        """Say whether an end or a trigger reads whose turn it is."""
        return any(ACTIVE in cells for cells in (self.end_cells, *self.trigger_cells))

    def may_lapse(self, statement: Statement) -> bool:
        """Say whether an effect may end a change that lasts while something holds."""
        return bool(self.while_cells & self.cells_written(statement))

    # -------------------------------------------------------------------------------- writing

    def rule_writes(self, name: str, seen: set[str]) -> set[int]:
        """Return the cells a rule may change, also through the rules it performs."""
        if name in seen:
            return set()
        seen.add(name)
        cells: set[int] = set()
        for statement in walk(script_of(self.program["rules"][name])):
            cells |= self.cells_written(statement)
            for called in calls_of(self.program, statement):
                cells |= self.rule_writes(called, seen)
        return cells

    def cells_written(self, statement: Statement) -> set[int]:
        """Return the cells one statement itself may change."""
        match statement["op"]:
            case "set":
                return self._target(statement["target"])
            case "move":
                return self._zones({statement["to"]["zone"], *self.source_zones(statement)})
            case "draw":
                zones = {statement["from"]["zone"], statement["to"]["zone"]}
                refill = self.layout.zones[statement["from"]["zone"]].refill_from
                return self._zones(zones | ({refill["zone"]} if refill else set()))
            case "transfer" | "create" | "destroy":
                block = self.layout.counters[statement["counter"]]
                return set(range(block.base, block.base + block.size + 1))
            case "roll":
                return self._tokens_at(self.layout.face_base)
            case "turn":
                return self._tokens_at(self.layout.down_base)
            case "rounds":
                return {0, self.layout.lasting_cell} if statement["role"] == "turns" else set()
            case "begin" | "end" | "leave" | "enter":
                return {self.layout.lasting_cell} | self._within(statement)
            case "together":
                return {c for s in walk(statement["body"]) for c in self.cells_written(s) | self._called(s)}
        return set()

    def _called(self, statement: Statement) -> set[int]:
        return {c for name in calls_of(self.program, statement) for c in self.rule_writes(name, set())}

    def _within(self, statement: Statement) -> set[int]:
        names = [v["name"] for v in self.program["variables"] if v["within"] == statement.get("phase", "")]
        return {c for name in names for c in self._block(name)}

    def _block(self, name: str) -> set[int]:
        block = self.layout.variables[name]
        return set(range(block.base, block.base + block.size))

    def _target(self, target: Expr) -> set[int]:
        match target[0]:
            case "var":
                return self._block(target[1])
            case "face":
                return self._tokens_at(self.layout.face_base)
        return set()

    def _tokens_at(self, base: int) -> set[int]:
        return {base + t for t in self.layout.tokens}

    def _zones(self, names: set[str]) -> set[int]:
        return {
            c
            for n in names
            for c in range(self.layout.zones[n].base, self.layout.zones[n].base + self.layout.zones[n].size)
        }

    def source_zones(self, statement: Statement) -> set[str]:
        """Return the zones the tokens of a `move` may come from."""
        if statement["from"]:
            return {statement["from"]["zone"]}
        found = self._zones_of(statement["what"])
        return found if found is not None else set(self.layout.zones)

    def _zones_of(self, tree: Expr) -> set[str] | None:
        match tree[0]:
            case "tokens" | "top":
                return {tree[1]["zone"]}
            case "tokens_of_kind" | "single" | "first":
                return self._zones_of(tree[1])
            case "those" | "first_of":
                return self._zones_of(tree[1]["in"])
            case "lit":
                return set()
        return None
