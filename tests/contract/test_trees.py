"""Counts of whole trees, known from elsewhere, and information states along random games."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from interpreter import Game, State
from interpreter.tree import TreeCounts, after, count_tree, perft, plies

Start = Callable[..., State]
Step = Callable[[State, random.Random], None]
Example = Callable[[str], Game]

PERFT = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]


def test_sequences_of_four_marks_are_counted(example: Example) -> None:
    assert perft(example("tic_tac_toe").new_initial_state(chance="explicit"), 4) == PERFT[:4]


@pytest.mark.slow
def test_all_sequences_of_marks_are_counted(example: Example) -> None:
    assert perft(example("tic_tac_toe").new_initial_state(chance="explicit"), 9) == PERFT


@pytest.mark.slow
def test_complete_games_and_positions_are_counted(example: Example) -> None:
    games: dict[str, int] = {}

    def count(state: State) -> int:
        key = state.position_hash()
        if key not in games:
            games[key] = 1 if state.is_terminal() else sum(count(after(state, ply)) for ply in plies(state))
        return games[key]

    assert count(example("tic_tac_toe").new_initial_state()) == 255_168
    assert len(games) == 5_478


def test_the_small_card_game_has_its_known_tree(example: Example) -> None:
    state = example("kuhn_poker").new_initial_state(chance="explicit")
    assert count_tree(state) == TreeCounts(chance=4, decision=24, terminal=30, information_states=12)


def test_the_coins_are_one_joint_decision(example: Example) -> None:
    state = example("matching_pennies").new_initial_state(chance="explicit")
    assert (state.is_simultaneous_node(), state.pending_players()) == (True, [0, 1])
    assert [len(state.legal_actions(seat)) for seat in (0, 1)] == [2, 2]
    assert perft(state, 1) == [4]
    results = [after(state, ply) for ply in plies(state)]
    assert all(each.is_terminal() for each in results)
    assert sorted(each.returns() for each in results) == [[-1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, -1.0]]


def test_keys_of_information_states_part_states_as_their_texts_do(start: Start, seeds: Any, step: Step) -> None:
    keys: dict[str, str] = {}
    texts: dict[str, str] = {}
    observations: dict[str, Any] = {}  # but for who else is still asked: seen, and no matter of memory
    for seed in range(seeds[0], seeds[0] + 3 * len(seeds)):
        state, rng = start(seed % 4), random.Random(seed)
        earlier: list[set[str]] = [set() for _ in range(state.num_players())]
        for _ in range(25):
            for seat in range(state.num_players()):
                key, text = state.information_state_key(seat), state.information_state_string(seat)
                assert keys.setdefault(text, key) == key
                assert texts.setdefault(key, text) == text
                observed = {k: v for k, v in state.observation(seat).items() if k not in ("pending", "current_player")}
                assert observations.setdefault(text, observed) == observed
            if state.is_terminal():
                break
            mover = rng.choice(state.pending_players()) if not state.is_chance_node() else None
            if mover is None:
                step(state, rng)
            else:
                key = state.information_state_key(mover)
                assert key not in earlier[mover], "the player has forgotten that he was asked before"
                earlier[mover].add(key)
                state.apply_action(rng.choice(state.legal_actions(mover)), mover)
