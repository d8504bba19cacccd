"""A bot of some thirty lines: it plays games out at random from worlds it cannot tell from the real one.

    python examples/embedding/bot.py tic_tac_toe 20

It cannot cheat: `resample` deals anew all that its seat does not know, and gives chance another course.
"""

from __future__ import annotations

import random
import sys

import rulespec
from rulespec import State

WORLDS = 12
"""How many games are played out for each action."""


def choose(state: State, seat: int, rng: random.Random) -> int:
    """Return the action after which random play does best for a seat."""
    actions = state.legal_actions(seat)
    if len(actions) == 1:
        return actions[0]
    totals = dict.fromkeys(actions, 0.0)
    for _ in range(WORLDS):
        world = state.resample(seat, rng)
        for action in actions:
            trial = world.clone(reseed=rng.getrandbits(64))
            trial.apply_action(action, seat)
            totals[action] += finish_at_random(trial, rng)[seat]
    return max(actions, key=totals.__getitem__)


def finish_at_random(state: State, rng: random.Random) -> list[float]:
    """Play a game to its end with any legal actions; return what each player gets."""
    while not state.is_terminal():
        seat = state.pending_players()[0]
        state.apply_action(rng.choice(state.legal_actions(seat)), seat)
    return state.returns()


def duel(name: str, games: int, seed: int = 1) -> float:
    """Return what the bot in the first seat wins on average against random players."""
    game, rng = rulespec.load(name), random.Random(seed)
    total = 0.0
    for number in range(games):
        state = game.new_initial_state(seed=seed + number)
        while not state.is_terminal():
            seat = state.pending_players()[0]
            action = choose(state, seat, rng) if seat == 0 else rng.choice(state.legal_actions(seat))
            state.apply_action(action, seat)
        total += state.returns()[0]
    return total / games


if __name__ == "__main__":
    name = sys.argv[1] if len(sys.argv) > 1 else "tic_tac_toe"
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    print(f"{name}: the bot wins {duel(name, games):+.2f} a game against random players")
