"""Agents: who answers for a seat. Each is a small object without memory, named on the command line."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.agents.agent import Agent
from interpreter.agents.greedy import GreedyAgent
from interpreter.agents.uniform import RandomAgent
from interpreter.errors import SettingError

__all__ = ["AGENTS", "Agent", "GreedyAgent", "RandomAgent", "agents_for_seats"]

AGENTS: dict[str, Agent] = {"greedy": GreedyAgent(), "random": RandomAgent()}
"""Every agent by its name."""


def agents_for_seats(names: Sequence[str], players: int) -> list[Agent]:
    """Return one agent a seat: one name serves all seats, otherwise there must be one name for each.

    >>> [type(agent).__name__ for agent in agents_for_seats(["random"], 2)]
    ['RandomAgent', 'RandomAgent']
    """
    for name in names:
        if name not in AGENTS:
            known = ", ".join(f"`{known}`" for known in sorted(AGENTS))
            raise SettingError(f"no agent is named `{name}`; there are {known}")
    if len(names) == 1:
        return [AGENTS[names[0]]] * players
    if len(names) != players:
        raise SettingError(f"{len(names)} agents for {players} players: name one for all, or one for each")
    return [AGENTS[name] for name in names]
