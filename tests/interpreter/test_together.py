"""Answers given at the same time that not every player is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulespec
from interpreter import IllegalActionError, State

SPEC = """\
rulespec: 1
game: second_thoughts
players: 2
seats: [red, blue]
variables:
  guess: {each: player, is: 0..9, start: 0}
phases:
  whole_game:
    do: |
      at the same time, each player:
          choose number n from 0..2
          if n > 0:
              choose number m from 0..2
      when all have chosen:
          set my guess to n
"""


def test_a_part_asked_of_some_players_only_may_be_left_out(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(SPEC, encoding="utf-8")
    state = rulespec.load(path).new_initial_state()
    state.apply_action(state.string_to_action("whole_game(n=0)"), 0)
    assert state.pending_players() == [1]
    state.apply_action(state.string_to_action("whole_game(n=2)"), 1)
    again = state.game.state_from_json(state.to_json())
    again.apply_action(again.string_to_action("whole_game(m=1)"), 1)
    assert again.is_terminal()
    assert again.observation(0)["variables"]["guess"] == [0, 2]


def test_a_joint_answer_is_given_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(SPEC, encoding="utf-8")
    state = rulespec.load(path).new_initial_state()
    before = state.position_hash()
    with pytest.raises(IllegalActionError):
        state.apply_actions([state.legal_actions(0)[0], 99])
    assert state.position_hash() == before


OFFERED = """\
rulespec: 1
game: together
players: 3
seats: [red, blue, green]
kinds: {spot: 1..3}
tokens:
  man: {each: player, count: 4, starts_in: reserve of man.owner, plural: men}
zones:
  reserve: {each: player, holds: man, seen_by: all}
  post: {each: spot, holds: man, seen_by: all}
counters:
  coins: {each: player, start: 3, bank: endless}
variables:
  sent: {is: 0..99, start: 0}
  last: {is: player or nobody, start: nobody}
phases:
  place_all:
    do: |
      at the same time, each player clockwise from seat(2):
          may send or bribe
          choose number bid from 0..1
      when all have chosen:
          pay bid coins to bank
actions:
  send:
    choose:
      - man from my reserve
      - spot
    do: |
      move man to post of spot
      set last to me
      if count(post of spot) > 1:
          choose spot second where second is not spot
          move 1 man from my reserve to post of second
  bribe:
    choose:
      - 2 men from my reserve
    cost: pay 1 coins to bank
    do: move men to post of 1
triggers:
  someone_sent:
    after: send
    do: set sent to sent + 1
ranking: most sent + coins of player
"""


def offered(tmp_path: Path) -> State:
    path = tmp_path / "together.yaml"
    path.write_text(OFFERED, encoding="utf-8")
    return rulespec.load(path).new_initial_state(chance="explicit")


ANSWERS = {
    0: ["send(man=man of red)", "send(spot=2)", "place_all(bid=1)"],
    1: ["bribe(men=[man of blue, man of blue])", "place_all(bid=0)"],
    2: ["send(man=man of green)", "send(spot=2)", "place_all(bid=1)"],
}


def answered(state: State, order: list[int]) -> State:
    left = {seat: list(texts) for seat, texts in ANSWERS.items()}
    for seat in order:
        state.apply_action(state.string_to_action(left[seat].pop(0)), seat)
    return state


def test_an_action_offered_at_the_same_time_waits_for_the_last_answer(tmp_path: Path) -> None:
    state = offered(tmp_path)
    before = {seat: state.observation(seat)["zones"] for seat in range(3)}
    answered(state, [0, 0, 0, 2, 2, 2, 1])
    assert {seat: state.observation(seat)["zones"] for seat in range(3)} == before
    assert state.pending_players() == [1]
    assert state.game.state_from_json(state.to_json()) == state
    state.apply_action(state.string_to_action("place_all(bid=0)"), 1)
    assert state.current_player() == 0  # blue has bribed, green has sent; red is second at his spot
    assert [state.observation(0)["zones"][f"post of {spot}"] for spot in (1, 2)] == [
        ["man of blue", "man of blue"],
        ["man of green", "man of red"],
    ]
    state.apply_action(state.string_to_action("send(second=3)"))
    assert state.is_terminal()
    assert state.observation(0)["counters"]["coins"][:3] == [2, 2, 2]
    assert state.observation(0)["variables"] == {"last": ["red"], "sent": [2]}


@pytest.mark.parametrize("order", [[1, 1, 2, 0, 2, 0, 2, 0], [2, 2, 2, 1, 1, 0, 0, 0], [0, 1, 2, 0, 1, 2, 0, 2]])
def test_actions_offered_at_the_same_time_may_be_answered_in_any_order(tmp_path: Path, order: list[int]) -> None:
    assert answered(offered(tmp_path), order) == answered(offered(tmp_path), [0, 0, 0, 1, 1, 2, 2, 2])
