"""A stranger's program, tested in full before anything is made of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from interpreter.errors import ProgramError
from interpreter.program import Program
from interpreter.wellformed import MOST_CELLS, Unsound, Walker

MOST_PLAYERS = 64
MOST_THINGS = 100_000
MOST_DECISIONS = 10**9

Test = Callable[["Validator", Any], None]


def validate_program(program: Program) -> None:
    """Raise ProgramError, saying where, if any part of a program is not as docs/program.md says."""
    validator = Validator(program)
    try:
        validator.program_parts()
    except Unsound as fault:
        place = ".".join(validator.path)
        raise ProgramError(f"this compiled program cannot be used: {place}: {fault}") from None
    except RecursionError:
        raise ProgramError("this compiled program cannot be used: its formulas are nested too deeply") from None


class Validator(Walker):
    """Tests what a program declares, and the rules that stand on it."""

    # ------------------------------------------------------------------------------------ nouns

    def program_parts(self) -> None:
        """Test all parts, the later with the help of the earlier."""
        program = self.program
        self.at("game", self.text, program["game"])
        self.each("variants", self.text)
        self.each("sources", self.text)
        self.each("title", self.text)
        self.each("texts", self.section)
        self.each("clauses", lambda names: [self.text(name) for name in self.items(names)])
        self.at("players", self.players, program["players"])
        self.each("entities", self.text)
        self.need(len(program["entities"]) <= MOST_THINGS, f"there are more than {MOST_THINGS} things")
        self.names = {part: self.named(part) for part in ("options", "zones", "counters", "variables")}
        self.asks = self.named("asks")
        self.at("first_token", self.whole, program["first_token"], 0, len(program["entities"]))
        self.each("kinds", self.kind)
        self.tokens()
        self.each("columns", self.column)
        self.each("distances", self.rows)
        for part, test in NOUNS.items():
            self.each(part, lambda value, test=test: test(self, value))  # type: ignore[misc]
        self.cells_bounded()
        for part, test in RULES.items():
            self.each(part, lambda value, test=test: test(self, value))  # type: ignore[misc]
        self.facts()

    def section(self, value: Any) -> None:
        """Test one section of the texts: for each name, a text a language."""
        for name, texts in self.record(value, "").items():
            for text in self.record(texts, "").values():
                self.at(name, self.text, text)

    def named(self, part: str) -> dict[str, Any]:
        """Return the items of a list by their names, which differ."""
        self.path.append(part)
        found = {self.text(self.record(one, "name")["name"]): one for one in self.program[part]}
        self.need(len(found) == len(self.program[part]), "a name stands twice")
        self.path.pop()
        return found

    def players(self, value: Any) -> None:
        seats = self.items(self.record(value, "min max default seats")["seats"], 1, MOST_PLAYERS)
        self.need(len({self.text(seat) for seat in seats}) == len(seats), "a seat is named twice")
        low, high = self.whole(value["min"], 1), self.whole(value["max"], 1)
        self.need(low <= self.whole(value["default"]) <= high <= len(seats), "numbers of players that do not fit")

    def kind(self, value: Any) -> None:
        self.word(self.record(value, "sort ranges numbers")["sort"], "sort")
        for pair in self.items(value["ranges"]):
            low, high = self.items(pair, 2, 2)
            self.need(0 <= self.whole(low) <= self.whole(high) <= len(self.program["entities"]), "ids out of range")
        if value["sort"] == "number":
            low, high = self.items(value["numbers"], 2, 2)
            self.need(0 <= self.whole(high) - self.whole(low) < MOST_THINGS, "numbers that are none or too many")

    def size_of(self, kind: str) -> int:
        """Return how many members a kind has, whoever plays."""
        info = self.program["kinds"][kind]
        if info["sort"] == "number":
            return int(info["numbers"][1] - info["numbers"][0] + 1)
        return sum(high - low for low, high in info["ranges"])

    def tokens(self) -> None:
        program = self.program
        count = len(program["entities"]) - program["first_token"]
        for part, most in (("token_rows", program["first_token"]), ("token_owners", len(program["players"]["seats"]))):
            self.need(len(program[part]) == count, f"`{part}` does not fit the number of tokens")
            self.each(part, lambda value, most=most: self.whole(value, -1, most - 1))  # type: ignore[misc]
        self.each("tokens", self.token)

    def token(self, value: Any) -> None:
        self.record(value, "table owned faces start in_force copies")
        if value["faces"] is not None:
            low, high = self.items(value["faces"], 2, 2)
            self.need(0 <= self.whole(low) <= self.whole(high) < MOST_THINGS, "faces that are none or too many")
        self.locals = 1
        self.at("start", self.zone, value["start"])

    def rows(self, value: Any) -> None:
        for row in self.items(value):
            self.items(row)

    def column(self, value: Any) -> None:
        self.name_in(self.record(value, "kind name key type values")["kind"], self.program["kinds"], "kind")
        self.type(value["type"])
        wide = 1
        if value["key"] is not None:
            self.name_in(value["key"], self.program["kinds"], "kind")
            wide = self.size_of(value["key"])
        rows = self.items(value["values"], self.size_of(value["kind"]), self.size_of(value["kind"]))
        for row in rows:
            for cell in self.items(row, wide, wide) if value["key"] is not None else (row,):
                self.value(cell)

    def option(self, value: Any) -> None:
        values = self.items(self.record(value, "name default values names")["values"], 1)
        names = self.items(value["names"], len(values), len(values))
        for one, name in zip(values, names):
            self.value(one)
            self.text(name)
        self.need(any(one == value["default"] and type(one) is type(value["default"]) for one in values), "no default")

    def keys(self, kinds: Any) -> None:
        for kind in self.items(kinds, 0, 8):
            self.name_in(kind, self.program["kinds"], "kind")

    def zone_declared(self, value: Any) -> None:
        self.keys(self.record(value, "keys holds order at_most seen_by face_down_seen_by number_seen_by")["keys"])
        for kind in self.items(value["holds"]):
            self.name_in(kind, self.program["tokens"], "kind of token")
        self.word(value["order"], "order")
        for key in ("seen_by", "face_down_seen_by", "number_seen_by"):
            self.word(value[key], "who")
        slots = prod(self.size_of(kind) for kind in value["keys"])
        limits = value["at_most"]
        for limit in self.items(limits, slots, slots) if isinstance(limits, list) else (limits,):
            if limit is not None:
                self.whole(limit, 0)
        self.locals = 0
        if value.get("refill_from") is not None:
            self.zone(value["refill_from"])

    def counter(self, value: Any) -> None:
        self.locals = 0
        self.at("start", self.expr, self.record(value, "owned start bank at_most")["start"])
        if value["bank"] is not None:
            self.at("bank", self.expr, value["bank"])
        if value["at_most"] is not None:
            self.whole(value["at_most"], 0)

    def variable(self, value: Any) -> None:
        self.keys(self.record(value, "keys type start within")["keys"])
        self.type(value["type"])
        self.locals = 0
        if value["start"] is not None:
            self.at("start", self.expr, value["start"])

    def cells_bounded(self) -> None:
        """See to it that a position fits into memory."""
        places = (
            prod(self.size_of(k) for k in one["keys"]) for part in ("zones", "variables") for one in self.program[part]
        )
        self.need(sum(places) <= MOST_CELLS, f"a position would have more than {MOST_CELLS} cells")

    # --------------------------------------------------------------------------------------- rules

    def rule(self, value: Any) -> None:
        self.word(self.record(value, "kind at params locals result body")["kind"], "rule_kind")
        self.text(self.items(value["at"], 5, 5)[0])
        self.place(value["at"], 5)
        for entry in self.items(value["locals"]):
            name, kind = self.items(entry, 2, 2)
            self.text(name)
            self.type(kind)
        self.locals = len(value["locals"])
        self.whole(value["params"], 0, self.locals)
        if value["result"] is not None:
            self.type(value["result"])
        self.at("body", self.expr if value.get("form") == "formula" else self.block, value["body"])
        if value["kind"] == "action":
            parts = self.items(self.record(value, "parts ifs cost")["parts"])
            first = self.record(parts[0], "ask")["ask"] if parts else self.path[-1]
            self.name_in(first, self.asks, "question")
        for part in self.items(value.get("parts", [])):
            self.at("parts", self.chosen_part, part)
        for one in self.items(value.get("ifs", [])):
            self.text(self.record(one, "name when at")["name"])
            self.at("ifs", self.expr, one["when"])
        self.at("cost", self.block, value.get("cost", []))

    def cell(self, value: Any) -> None:
        self.word(self.record(value, "form rules default")["form"], "cell_form")
        for row, rule in self.record(value["rules"], "").items():
            self.need(row.isascii() and row.isdecimal(), f"`{row[:40]}` is no row")
            self.name_in(rule, self.program["rules"], "rule")
        self.part("rule?", value["default"])

    def layer(self, value: Any) -> None:
        for one in self.items(value):
            self.name_in(self.record(one, "by rule")["rule"], self.program["rules"], "rule")
            if one["by"] == "row":
                self.whole(self.record(one, "row token zone")["row"], 0, len(self.program["entities"]) - 1)
                self.name_in(one["token"], self.program["tokens"], "kind of token")
                self.name_in(one["zone"], self.names["zones"], "zone")
            else:
                self.name_in(self.record(one, "lasting")["lasting"], self.program["lasting"], "lasting change")

    def lasting_declared(self, value: Any) -> None:
        for kind in self.items(self.record(value, "params lasts")["params"]):
            self.type(kind)
        self.word(self.record(value["lasts"], "form edge rule phase")["form"], "lasts")
        self.part("rule?", value["lasts"]["rule"])

    def ask(self, value: Any) -> None:
        self.record(value, "name rule variables domains set passing")
        self.name_in(value["rule"], self.program["rules"], "rule")
        domains = self.items(value["domains"], 0, 8)
        self.items(value["variables"], len(domains), len(domains))
        size = prod(self.domain(domain) for domain in domains)
        self.need(size <= MOST_CELLS, f"a question has more than {MOST_CELLS} answers")
        if value["set"] is not None:
            self.whole(self.record(value["set"], "most")["most"], 0, MOST_THINGS)

    def domain(self, value: Any) -> int:
        """Test a domain and return a number that it has at most so many values."""
        match value:
            case ["kind", str() as kind] if kind in self.program["kinds"]:
                return self.size_of(kind)
            case ["int", low, high]:
                return max(0, self.whole(high) - self.whole(low) + 1)
            case ["bool"]:
                return 2
            case ["class" | "face", kinds]:
                self.all_in(kinds, self.program["tokens"], "kind of token")
                return len(self.program["token_rows"]) * max(1, *(self.faces(kind) for kind in kinds), 1)
            case ["slot", zones]:
                self.all_in(zones, self.names["zones"], "zone")
                return self.slots(zones)
            case ["slot_class", zones, kinds]:
                self.all_in(zones, self.names["zones"], "zone")
                self.all_in(kinds, self.program["tokens"], "kind of token")
                return self.slots(zones)
        raise Unsound(f"`{str(value)[:60]}` is no domain")

    def all_in(self, names: Any, known: Any, what: str) -> None:
        for name in self.items(names):
            self.name_in(name, known, what)

    def faces(self, kind: str) -> int:
        faces = self.program["tokens"][kind]["faces"]
        return 1 if faces is None else int(faces[1] - faces[0] + 1)

    def slots(self, zones: Sequence[str]) -> int:
        return sum(prod(self.size_of(kind) for kind in self.names["zones"][name]["keys"]) for name in zones)

    def trigger(self, value: Any) -> None:
        self.record(value, "name loop when after order by do row")
        for key in ("when", "after", "by"):
            self.at(key, self.part, "rule?", value[key])
        self.name_in(value["do"], self.program["rules"], "rule")
        self.locals = self.program["rules"][value["when"]]["params"] if value["when"] is not None else 2
        if value["loop"] is not None:
            self.at("loop", self.loop, value["loop"])
        match value["order"]:
            case None:
                return
            case ["chosen", rule, ask]:
                self.name_in(rule, self.program["rules"], "rule")
                self.name_in(ask, self.asks, "question")
            case ["keys", keys]:
                for key in self.items(keys, 1):
                    direction, rule = self.items(key, 2, 2)
                    self.word(direction, "direction")
                    self.name_in(rule, self.program["rules"], "rule")
            case _:
                raise Unsound("an order that is none")

    def facts(self) -> None:
        """Test what says how a game ends and who wins."""
        rules = self.program["rules"]
        self.name_in(self.program["root"], rules, "rule")
        for part in ("ends", "invariants", "scoring"):
            self.each(part, lambda name: self.name_in(name, rules, "rule"))
        for key in self.program["ranking"]:
            self.word(self.record(key, "direction rule")["direction"], "direction")
            self.name_in(key["rule"], rules, "rule")
        if self.program.get("returns") is not None:
            self.name_in(self.program["returns"], rules, "rule")
        for bound in self.items(self.program.get("returns_bounds", [-1, 1]), 2, 2):
            self.whole(bound)
        if "decisions" in self.program["limits"]:
            self.at("limits", self.whole, self.program["limits"]["decisions"], 1, MOST_DECISIONS)


NOUNS: dict[str, Test] = {
    "options": Validator.option,
    "zones": Validator.zone_declared,
    "counters": Validator.counter,
    "variables": Validator.variable,
}
RULES: dict[str, Test] = {
    "rules": Validator.rule,
    "cells": Validator.cell,
    "layers": Validator.layer,
    "lasting": Validator.lasting_declared,
    "asks": Validator.ask,
    "triggers": Validator.trigger,
}
