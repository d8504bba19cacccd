"""Two worlds that a player cannot tell apart, made by play: what he is shown in both must be the same.

A random trial is replayed with one chance outcome changed. As long as nothing differs that the player may see by the
declarations of zones and variables (worked out here from the cells, without the knowledge code), everything he is
given must be equal. The pair ends where something he may see differs, where faces shown to him differ, or where a
recorded choice is not offered in the other world.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from worlds import compare_worlds

from interpreter import Game, State

Start = Callable[..., State]
Step = Callable[[State, random.Random], None]


def test_a_player_cannot_tell_apart_worlds_that_look_alike_to_him(start: Start, seeds: Any, step: Step) -> None:
    for seed in seeds:
        compare_worlds(lambda s: start(s, "explicit"), seed, step, 2 if len(seeds) == 1 else 8, 60 * len(seeds) + 40)


@pytest.mark.parametrize("name", ["kuhn_poker"])
def test_pairs_of_worlds_are_long_enough_to_mean_something(
    example: Callable[[str], Game], name: str, step: Step
) -> None:
    game = example(name)
    compared = sum(
        compare_worlds(lambda _: game.new_initial_state(chance="explicit"), seed, step, 3, 99) for seed in range(20)
    )
    assert compared > 40
