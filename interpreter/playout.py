"""A playout: one game carried to its end by agents.

Seeds: game *i* of a run is dealt with `derive(seed, i)`, the agent of seat *s* in it draws from `derive(seed, i, s)`,
and where chance is explicit its outcomes are drawn from `derive(seed, i, -1)`. So a game depends on nothing else: not
on the games before it, on who plays it, or when.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interpreter.agents import Agent
from interpreter.chance import Generator, derive
from interpreter.game import Game
from interpreter.state import CHANCE, TERMINAL, State

CHANCE_SEAT = -1
"""The number that stands for chance where a seed is derived for each seat."""

Watcher = Callable[[State, int, int], None]
"""Called before each choice with the state, the seat (-1 for chance) and the action or outcome."""


class Playout:
    """The agents of one game with their generators; `finish` plays, `choose` asks for a single answer."""

    def __init__(self, agents: Sequence[Agent], seed: int, index: int = 0) -> None:
        self.agents = agents
        self.generators = [Generator(derive(seed, index, seat)) for seat in range(len(agents))]
        self.chance = Generator(derive(seed, index, CHANCE_SEAT))

    def choose(self, state: State, seat: int) -> int:
        """Return the answer of *seat*'s agent; an agent that looks is shown a resampled state."""
        agent, generator = self.agents[seat], self.generators[seat]
        shown = state.resample(seat, generator) if agent.looks else state
        return agent.choose(shown, seat, generator)

    def draw(self, state: State) -> int:
        """Return an outcome of the chance event *state* waits for, with the declared probabilities."""
        return draw_outcome(state, self.chance)

    def finish(self, state: State, watch: Watcher | None = None) -> int:
        """Play *state* to its end, in place, and return the number of decisions the players took."""
        decisions = 0
        while (player := state.current_player()) != TERMINAL:
            if player >= 0:
                action = self.choose(state, player)
                decisions += 1
            elif player == CHANCE:
                action = self.draw(state)
            else:
                decisions += self._answer_together(state, watch)
                continue
            if watch is not None:
                watch(state, player, action)
            state.apply_action(action)
        return decisions

    def _answer_together(self, state: State, watch: Watcher | None) -> int:
        """Ask every pending seat for one part; return how many were asked."""
        pending = state.pending_players()
        for seat in pending:
            action = self.choose(state, seat)
            if watch is not None:
                watch(state, seat, action)
            state.apply_action(action, seat)
        return len(pending)


def draw_outcome(state: State, rng: Generator) -> int:
    """Return one of the outcomes of a chance node, drawn with its probability.

    The last outcome takes what rounding leaves of the sum.
    """
    outcomes = state.chance_outcomes()
    left = rng.getrandbits(53) / (1 << 53)
    for outcome, probability in outcomes:
        left -= probability
        if left < 0:
            return outcome
    return outcomes[-1][0]


def retold(end: State, to: int | None = None, watch: Watcher | None = None) -> State:
    """Return the state after the first *to* choices of a record (all by default), chance outcomes counted."""
    entries = end.entries()[:to]
    if watch is not None:
        _tell_record(end.game, end, entries, watch)
    return end.game.replay(end, entries)


def _tell_record(game: Game, end: State, entries: Sequence[int | tuple[int, int]], watch: Watcher) -> None:
    """Go through a record from its start, and tell each choice before it is made."""
    state = game.restart(end.start, True)
    for entry in entries:
        seat, action = entry if isinstance(entry, tuple) else (state.current_player(), entry)
        watch(state, seat, action)
        state.apply_action(action, seat if isinstance(entry, tuple) else None)
