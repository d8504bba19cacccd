"""Answers given at the same time that not every player is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulespec
from interpreter import IllegalActionError

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
