"""Values of a position read from a stranger's text: each of its type, in range, in a place that may hold it."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from interpreter.errors import Unfit
from interpreter.layout import NOTHING, Layout
from interpreter.program import LARGEST

if TYPE_CHECKING:
    from interpreter.specialise.code import Code


class Sound:
    """Tests the values of a position with one layout. What does not fit raises Unfit."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.layout: Layout = code.layout
        self.program = code.program
        self.members = cache(self._members)

    def _members(self, kind: str) -> frozenset[int]:
        return frozenset(self.layout.tokens if kind == "token" else self.layout.members.get(kind, ()))

    def whole(self, value: Any, low: int, high: int, what: str) -> int:
        """Return a whole number within bounds."""
        if type(value) is not int or not low <= value <= high:
            raise Unfit(f"{what} is a whole number from {low} to {high}, not {str(value)[:40]}")
        return value

    def truth(self, value: Any, what: str) -> None:
        """Test that a value is yes or no."""
        if type(value) is not bool:
            raise Unfit(f"{what} is true or false, not {str(value)[:40]}")

    def seat(self, value: Any, what: str) -> None:
        """Test that a value is a player, or nobody."""
        self.whole(value, NOTHING, self.layout.players - 1, what)

    def value(self, kind: Any, value: Any, what: str) -> None:
        """Test a value of a type of the program; None where the program keeps nothing yet."""
        if value is None:
            return
        match kind:
            case "bool":
                self.truth(value, what)
            case ["int", low, high]:
                self.whole(value, low, high, what)
            case ["kind", name]:
                self._member(name, value, what, False)
            case ["opt", name]:
                self._member(name, value, what, True)
            case ["set", inner]:
                if not isinstance(value, tuple) or len(set(value)) != len(value):
                    raise Unfit(f"{what} is a set, not {str(value)[:40]}")
                for part in value:
                    self.value(inner, part, what)

    def _member(self, kind: str, value: Any, what: str, may_be_nothing: bool) -> None:
        if may_be_nothing and type(value) is int and value == NOTHING:
            return
        if type(value) is not int or value not in self.members(kind):
            raise Unfit(f"{what} is no {kind}: {str(value)[:40]}")

    def held(self, name: str, kind: Any, value: Any, others: dict[str, Any]) -> None:
        """Test a value that a frame keeps; those of generated code have names of their own (`i3h_`)."""
        if type(value) is int and value == NOTHING:
            return  # not given yet, or never asked for
        if not name.endswith("h_") or kind[0] != "int":
            self.value(kind, value, "what a frame keeps")
            return
        if name[0] in "ab":
            first = self.layout.slot_base
            self.whole(value, first, first + len(self.layout.slots) - 1, "a slot")
            return
        self.whole(value, 0, LARGEST, "a number that a frame keeps")
        place = re.fullmatch(r"i(\d+)(\D*)", name)
        if place is not None:
            seats = others.get(f"q{int(place[1]) - 1}{place[2]}")  # kept before it, unless they are always the same
            most = len(seats) if isinstance(seats, tuple) else self.layout.players
            if value > most:
                raise Unfit(f"a loop is at place {value} of {most}")

    def counters(self, name: str, values: Any) -> None:
        """Test what players and bank have of a counter."""
        block = self.layout.counters[name]
        most = next(one["at_most"] for one in self.program["counters"] if one["name"] == name)
        if len(values) != block.size + 1:
            raise Unfit(f"`{name}` has {block.size} holders and a bank")
        for value in values[:-1]:
            self.whole(value, 0, LARGEST if most is None else most, f"`{name}`")
        self.whole(values[-1], 0, LARGEST, f"the bank of `{name}`")

    def token(self, token: int, slot: int, down: Any, face: Any) -> None:
        """Test that a token may lie in a slot as it does."""
        layout = self.layout
        kind = layout.token_kind[token - layout.first_token]
        zone = layout.zones[layout.slots[slot - layout.slot_base][0]]
        self.whole(down, 0, 1, "a side")
        faces = self.program["tokens"][kind]["faces"] or [0, 0]
        self.whole(face, faces[0], faces[1], "a face")
        if kind not in zone.holds:
            raise Unfit(f"no {kind} may lie in `{zone.name}`")
        owner = layout.token_owner[token - layout.first_token]
        if zone.own and owner != layout.slot_owner(slot):
            raise Unfit(f"a {kind} of another player lies in `{zone.name}`")

    def number_in(self, slot: int, count: int) -> None:
        """Test that a slot may hold so many tokens."""
        name, _ = self.layout.slots[slot - self.layout.slot_base]
        zone = self.layout.zones[name]
        limit = zone.limits[slot - zone.base]
        if limit is not None and count > limit:
            raise Unfit(f"{count} tokens lie in `{name}`, where {limit} may")
