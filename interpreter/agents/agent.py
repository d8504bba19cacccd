"""What an agent is."""

from __future__ import annotations

from typing import Protocol

from interpreter.chance import Generator
from interpreter.state import State


class Agent(Protocol):
    """Answers for a seat.

    An agent whose `looks` is true is given a copy of the state in which everything its seat does not know was dealt
    anew, so that it can neither see hidden things nor foresee chance, whatever it does with it. The others read only
    the list of legal actions and are given the state itself.
    """

    @property
    def looks(self) -> bool:
        """Whether the agent reads more than the list of legal actions."""

    def choose(self, state: State, seat: int, rng: Generator) -> int:
        """Return one of the legal actions of *seat*, using no randomness but *rng*'s."""
