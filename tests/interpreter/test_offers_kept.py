"""Answers to an offer that depend on a few cells are kept: for each player his own, and out of reach of callers."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulespec
from interpreter import Game

SPEC = """\
rulespec: 1
game: kept
players: 2
kinds: {spot: [left, right]}
tokens:
  stone: {count: 1, starts_in: heap of seat(1)}
zones:
  heap: {each: player, holds: stone, seen_by: all}
variables:
  mark:   {each: spot, is: player or nobody, start: seat(1)}
  rounds: {is: 0..9, start: 0}
phases:
  PHASE
actions:
  boast:
    if: {can: CONDITION}
    do: set rounds to 1
  idle:
    do: set rounds to 2
ranking: most count(heap of player)
"""
IN_TURN = "play: {turns: each player, repeat: 'seat by seat, 4 times', offer: [boast, idle]}"
AT_ONCE = """play:
    do: |
      at the same time, each player:
          must boast or idle
      when all have chosen:
          set rounds to 3
"""


def game(folder: Path, phase: str, condition: str) -> Game:
    (folder / "game.yaml").write_text(SPEC.replace("PHASE", phase).replace("CONDITION", condition), encoding="utf-8")
    return rulespec.load(folder / "game.yaml")


@pytest.mark.parametrize("condition", ["my heap is not empty", "some(spot where mark(spot) is me)", "mark(left) is me"])
def test_what_one_player_may_do_is_not_what_another_may(tmp_path: Path, condition: str) -> None:
    state = game(tmp_path, IN_TURN, condition).new_initial_state()
    for offered in (["boast", "idle"], ["idle"]) * 2:
        assert [state.action_to_string(action) for action in state.legal_actions()] == offered
        state.apply_action(state.string_to_action("idle"))


@pytest.mark.parametrize("phase", [IN_TURN, AT_ONCE], ids=["in turn", "at once"])
def test_a_caller_may_do_with_the_list_of_actions_as_he_likes(tmp_path: Path, phase: str) -> None:
    made = game(tmp_path, phase, "rounds < 5")
    made.new_initial_state().legal_actions(0).clear()
    assert len(made.new_initial_state().legal_actions(0)) == 2
