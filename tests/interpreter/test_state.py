"""What one state promises on its own; what all games promise is in tests/contract."""

from __future__ import annotations

import pytest

import rulespec
from interpreter import CHANCE, SIMULTANEOUS, TERMINAL, Game, IllegalActionError, SettingError


def test_a_clone_goes_its_own_way(tic_tac_toe: Game) -> None:
    state = tic_tac_toe.new_initial_state()
    other = state.clone()
    other.apply_action(0)
    assert state.history() == []
    assert other.history() == [0]
    assert state.legal_actions() == list(range(9))
    assert other.legal_actions() == list(range(1, 9))


def test_a_clone_with_a_new_seed_has_other_chance(kuhn_poker: Game) -> None:
    state = kuhn_poker.new_initial_state(seed=1)
    assert state.clone(reseed=77) == state
    assert (state.clone(reseed=77).seed, state.clone(reseed=77).counter) == (77, 0)


def test_who_decides_is_a_seat_or_a_constant(kuhn_poker: Game, matching_pennies: Game) -> None:
    state = kuhn_poker.new_initial_state(chance="explicit")
    assert (state.current_player(), state.pending_players()) == (CHANCE, [])
    for _ in range(2):
        state.apply_action(state.legal_actions()[0])
    assert (state.current_player(), state.pending_players()) == (0, [0])
    assert matching_pennies.new_initial_state().current_player() == SIMULTANEOUS
    for _ in range(2):
        state.apply_action(state.legal_actions()[-1])
    assert (state.current_player(), state.pending_players()) == (TERMINAL, [])


def test_without_a_player_the_lowest_pending_seat_answers(matching_pennies: Game) -> None:
    state = matching_pennies.new_initial_state()
    assert state.legal_actions() == state.legal_actions(0) == [0, 1]
    state.apply_action(1)
    assert state.pending_players() == [1]
    assert state.legal_actions(0) == []
    with pytest.raises(IllegalActionError):
        state.apply_action(0, 0)
    state.apply_action(1)
    assert state.returns() == [1.0, -1.0]


def test_nobody_sees_an_answer_before_the_last(matching_pennies: Game) -> None:
    state = matching_pennies.new_initial_state()
    before = state.information_state_string(1), state.events(1)
    state.apply_action(1, 0)
    assert (state.information_state_string(1), state.events(1)) == before
    assert [event["event"] for event in state.events(0)] == ["chose"]
    state.apply_action(0, 1)
    assert [e["action"] for e in state.events(1) if e["event"] == "chose" and e["player"] == 0] == [
        "show_coins(side=tails)"
    ]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"players": 3}, "is for 2 players, not 3"),
        ({"players": "2"}, "a number of players is a whole number, not '2'"),
        ({"options": {"speed": 1}}, "has no option `speed`; its options: none"),
        ({"chance": "lucky"}, "chance is `sampled` or `explicit`, not `lucky`"),
    ],
)
def test_settings_that_are_not_allowed_are_refused(tic_tac_toe: Game, settings: dict[str, object], said: str) -> None:
    with pytest.raises(SettingError, match=said):
        tic_tac_toe.new_initial_state(**settings)  # type: ignore[arg-type]


def test_the_length_of_a_game_counts_answers_and_not_chance(kuhn_poker: Game) -> None:
    state = kuhn_poker.new_initial_state(chance="explicit")
    for _ in range(4):
        state.apply_action(state.legal_actions()[-1])
    assert (state.decisions, len(state.history())) == (2, 4)


def test_a_state_says_what_it_is(tic_tac_toe: Game) -> None:
    assert repr(tic_tac_toe.new_initial_state()) == "<State of tic_tac_toe, 0 choices made, 0 to decide>"


@pytest.mark.slow
def test_events_call_things_by_name() -> None:
    game = rulespec.load("via_romana")
    state = game.new_initial_state(players=2, seed=3)
    picked, put = [event for event in state.events() if event["event"] in ("pick", "set")]
    assert picked["value"] in game.seats
    assert (put["variable"], put["value"]) == ("starter", picked["value"])


def test_what_a_state_lists_of_itself_is_for_callers(tic_tac_toe: Game) -> None:
    listed = set(dir(tic_tac_toe.new_initial_state()))
    assert {"apply_action", "legal_actions", "returns", "observation", "__class__"} <= listed
    assert not listed & {"v", "k", "ans", "sim", "queue", "look", "truth", "busy"}
