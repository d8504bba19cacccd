"""Learning by trial: a table of values for what a player knows, and each game's return as the reward.

    python examples/embedding/learning.py 3000

The shape of the loop is that of any reinforcement learning library: what is seen, which actions are legal, an action,
a reward. `observation_tensor` and `legal_actions_mask` give the same as numbers, for a network.
"""

from __future__ import annotations

import random
import sys
from collections import defaultdict

import rulespec
from rulespec import Game

Values = defaultdict[str, dict[int, float]]
RATE, CURIOSITY = 0.05, 0.2


def episode(game: Game, values: Values, rng: random.Random, seed: int, learns: bool) -> float:
    """Play one game as the second player against a random first one; return the reward."""
    state = game.new_initial_state(seed=seed)
    taken: list[tuple[str, int]] = []
    while not state.is_terminal():
        seat = state.current_player()
        legal = state.legal_actions()
        action = rng.choice(legal)
        if seat == 1:
            key = state.information_state_key(seat)
            known = values[key]
            if not (learns and rng.random() < CURIOSITY):
                action = max(legal, key=lambda each, known=known: known.get(each, 0.0))
            taken.append((key, action))
        state.apply_action(action)
    reward = state.rewards()[1]
    for key, action in taken if learns else ():
        old = values[key].get(action, 0.0)
        values[key][action] = old + RATE * (reward - old)
    return reward


def average(game: Game, values: Values, rng: random.Random, games: int) -> float:
    """Return the average reward without learning."""
    return sum(episode(game, values, rng, 10_000_000 + i, False) for i in range(games)) / games


def main(episodes: int) -> tuple[float, float]:
    """Learn Kuhn poker; return what the player wins a game before and after."""
    game, rng = rulespec.load("kuhn_poker"), random.Random(1)
    values: Values = defaultdict(dict)
    before = average(game, values, rng, 500)
    for number in range(episodes):
        episode(game, values, rng, number, True)
    return before, average(game, values, rng, 500)


if __name__ == "__main__":
    before, after = main(int(sys.argv[1]) if len(sys.argv) > 1 else 3000)
    print(f"chips a game against a random player: {before:+.2f} before learning, {after:+.2f} after")
