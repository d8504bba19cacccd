"""Tokens alike have no number of their own: what is told, written down or read back goes on as what it came from."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import rulespec
from interpreter import Game, State
from interpreter.layout import FIRST_CELL
from interpreter.position import Restorer

Start = Callable[..., State]
Step = Callable[[State, random.Random], None]

ROUNDS = """\
rulespec: 1
game: rounds
players: 2
tokens: {chip: {prints: colour, starts_in: bag}}
zones:
  bag: {holds: chip, order: shuffled, seen_by: nobody}
  hand: {each: player, holds: chip, seen_by: all}
phases:
  whole_game:
    turns: each player clockwise from seat(1)
    repeat: round by round, 3 times
    offer: [take]
actions:
  take: {do: draw 1 from bag to my hand}
ranking: most count(hand of player)
tables: {colour: {columns: {copies: 4..4}, rows: {white: [4], black: [4]}}}
"""


def written_and_read(game: Game, state: State) -> State:
    """Return a state made of nothing but a position as data: its tokens are numbered anew."""
    start = state.start
    position = json.loads(json.dumps(game.notation.position(state.clone())))
    other = game.notation.blank_from(start, state.num_players(), start["options"], start["chance"], True)
    Restorer(other, position).read()
    other.seed, other.counter = state.seed, state.counter
    return other


def last(state: State) -> tuple[int | None, int]:
    entry = state.record[1]
    return entry if isinstance(entry, tuple) else (None, entry)


def test_a_position_read_goes_on_as_the_one_it_was_written_from(
    game: Game, start: Start, seeds: Any, step: Step
) -> None:
    for seed in seeds:
        state, rng, copies = start(seed, "explicit"), random.Random(seed), []
        for number in range(25):
            if state.is_terminal():
                break
            if number % 8 == 2:
                copies.append(written_and_read(game, state))
            step(state, rng)
            seat, action = last(state)
            for copy in copies:
                copy.apply_action(action, seat)
            assert {copy.position_hash() for copy in copies} <= {state.clone().position_hash()}


def test_the_same_tokens_move_whether_the_story_is_told_or_not(start: Start, seeds: Any, step: Step) -> None:
    for seed in seeds:
        state, told, rng = start(seed), start(seed).tracked(), random.Random(seed)
        for _ in range(60):
            if state.is_terminal():
                break
            seat = rng.choice(state.pending_players())
            action = rng.choice(state.legal_actions(seat))
            state.apply_action(action, seat)
            told.apply_action(action, seat)
            assert told.v[FIRST_CELL:] == state.v[FIRST_CELL:]
            assert told.entries() == state.entries()


def test_chance_picks_from_heaps_of_tokens_alike() -> None:
    game = rulespec.load(Path(__file__).parent / "games" / "coins_alike.yaml")
    state = game.new_initial_state(players=2, seed=3, chance="explicit")
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])  # gold for all but the last hand
    assert state.action_to_string(state.string_to_action("steal")) == "steal"
    other = state.child(state.string_to_action("steal"))
    texts = [other.action_to_string(outcome) for outcome in other.legal_actions()]
    assert len(texts) == len(set(texts)) == len(other.observation(1)["zones"]["hand of blue"]) - repeats(other)


def repeats(state: State) -> int:
    """Return how many tokens of blue's hand are like another there."""
    hand = state.observation(1)["zones"]["hand of blue"]
    return len(hand) - len(set(hand))


def test_an_action_written_where_it_is_offered_leaves_the_rounds_alone(tmp_path: Path) -> None:
    path = tmp_path / "rounds.yaml"
    path.write_text(ROUNDS, encoding="utf-8")
    state = rulespec.load(path).new_initial_state(seed=1)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert len([entry for entry in state.tracked().events() if entry["event"] == "chose"]) == 6
