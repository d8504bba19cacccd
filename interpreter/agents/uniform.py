"""The agent that takes any action, each equally likely."""

from __future__ import annotations

from interpreter.chance import Generator
from interpreter.state import State


class RandomAgent:
    """Takes each legal action with equal probability."""

    looks = False

    def choose(self, state: State, seat: int, rng: Generator) -> int:
        """Return a legal action of *seat*."""
        actions = state.legal_actions(seat)
        return actions[rng.below(len(actions))]

    def __repr__(self) -> str:
        return "RandomAgent()"
