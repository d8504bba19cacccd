"""Triggers printed on rows, triggers after a rule, and changes that last while something holds."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulespec
from interpreter import Game, State


@pytest.fixture(scope="module")
def game() -> Game:
    return rulespec.load(Path(__file__).parent / "row_things.yaml")


def after(game: Game, *actions: str) -> State:
    state = game.new_initial_state()
    for action in actions:
        state.apply_action(state.string_to_action(action))
    return state


def value(state: State, formula: str) -> object:
    return state.game.call(state, formula)


def stones(state: State, zone: str) -> int:
    return len(state.observation(0)["zones"][zone])


def test_a_trigger_of_a_row_fires_when_it_comes_into_force_with_its_condition_true(game: Game) -> None:
    state = after(game, "lay", "lay", "storm")
    assert (stones(state, "table"), stones(state, "gone")) == (0, 2)


def test_a_trigger_of_a_row_in_force_fires_as_its_condition_becomes_true(game: Game) -> None:
    state = after(game, "storm", "lay")
    assert (stones(state, "table"), stones(state, "gone")) == (0, 1)


def test_a_trigger_of_a_row_is_silent_once_the_row_is_out_of_force(game: Game) -> None:
    state = after(game, "storm", "lift", "lay")
    assert stones(state, "table") == 1


def test_a_trigger_after_a_rule_fires_each_time(game: Game) -> None:
    state = after(game, "lay", "end_turn", "lay")
    assert state.observation(0)["variables"]["noted"] == [2]


def test_a_change_that_lasts_while_something_holds_ends_with_it_for_good(game: Game) -> None:
    assert value(after(game, "boost"), "worth") == 2
    assert value(after(game, "boost", "boost"), "worth") == 3
    assert value(after(game, "boost", "lay"), "worth") == 1
    assert value(after(game, "boost", "lay", "storm"), "worth") == 1


def test_what_is_in_force_goes_into_the_text_of_a_state_and_back(game: Game) -> None:
    state = after(game, "boost", "storm")
    again = game.state_from_json(state.to_json())
    assert again == state
    assert value(again, "worth") == value(state, "worth")
