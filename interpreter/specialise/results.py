"""Who wins: scores, places and payoffs, from the functions of one code."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from interpreter.runtime import MOST_KEPT

if TYPE_CHECKING:
    from interpreter.specialise.code import Code

Function = Callable[..., Any]


class Results:
    """The results of a position, for one code."""

    def __init__(self, code: Code) -> None:
        program = code.program
        self.players = range(code.layout.players)
        self.scoring: list[Function] = [code.function(name) for name in program["scoring"]]
        self.keys = [(key["direction"], code.function(key["rule"])) for key in program["ranking"]]
        self.payoff: Function | None = code.function(program["returns"]) if program.get("returns") else None
        only = self.keys[0] if len(self.keys) == 1 and self.keys[0][0] != "clockwise" else None
        self.single: Function | None = only[1] if only else None
        self._shares: dict[tuple[int, ...], list[float]] = {}

    def score(self, v: list[Any], player: int) -> int:
        """Return a player's score: the sum of the scoring items, or else the first key of the ranking."""
        if self.scoring:
            total = 0
            for item in self.scoring:
                total += item(v, player)
            return total
        for direction, key in self.keys:
            if direction != "clockwise":
                return int(key(v, player)) if direction == "most" else -int(key(v, player))
        return 0

    def places(self, v: list[Any]) -> list[int]:
        """Return each player's place, from 1; equal on all keys share."""
        if not self.keys:
            ranks: list[Any] = [-self.score(v, p) for p in self.players]
        elif len(self.keys) == 1:
            ranks = [self._rank(v, *self.keys[0], p) for p in self.players]
        else:
            ranks = [tuple([self._rank(v, *key, p) for key in self.keys]) for p in self.players]
        ordered = sorted(ranks)
        return [ordered.index(rank) + 1 for rank in ranks]

    def _rank(self, v: list[Any], direction: str, key: Function, player: int) -> int:
        if direction == "clockwise":
            start: int = key(v)
            return (player - start) % len(self.players) if start >= 0 else player
        value: int = key(v, player)
        return -value if direction == "most" else value

    def returns(self, v: list[Any], truncated: bool) -> list[float]:
        """Return each player's payoff: what the game says, or +1 shared by the first and -1 by the rest."""
        if self.payoff is not None and not truncated:
            payoff = self.payoff
            return [float(payoff(v, p)) for p in self.players]
        if self.single is not None:
            key = self.single
            values = tuple([key(v, p) for p in self.players])
            known = self._shares.get(values)
            if known is not None:
                return known[:]
            shares = self._shared(tuple(self.places(v)))
            if len(self._shares) < MOST_KEPT:
                self._shares[values] = shares
            return shares[:]
        return self._shared(tuple(self.places(v)))

    def _shared(self, places: tuple[int, ...]) -> list[float]:
        """Return +1 shared by the first and -1 by the rest; nothing where all are first."""
        first, rest = places.count(1), len(places) - places.count(1)
        return [1 / first if place == 1 else -1 / rest for place in places] if rest else [0.0] * first
