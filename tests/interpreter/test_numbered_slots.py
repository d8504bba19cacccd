"""Zones whose slots have numbers beside players: a number is no player, though both are written as small integers."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulespec
from interpreter import Game, RuleError

SPEC = """\
rulespec: 1
game: shelves
players: 2
kinds: {shelf: 1..3}
tokens: {jar: {count: 4, starts_in: pantry}}
zones:
  pantry: {holds: jar, seen_by: all}
  board: {each: player and shelf, holds: jar, at_most: 1, seen_by: all}
counters: {pence: {each: player, start: 0, bank: endless, at_most: 9}}
phases:
  whole_game:
    turns: each player clockwise from seat(1)
    repeat: seat by seat, forever
    offer: [put_up]
actions:
  put_up:
    choose:
      - shelf
    do: |
      let jar = first(pantry)
      move jar to board(me, shelf)
      move shelf of jar pence from bank to player of jar
ranking: most pence of player
"""


@pytest.fixture
def shelves(tmp_path: Path) -> Game:
    path = tmp_path / "game.yaml"
    path.write_text(SPEC, encoding="utf-8")
    return rulespec.load(path)


def test_a_token_lies_with_the_player_of_its_slot_whatever_the_number(shelves: Game) -> None:
    state = shelves.new_initial_state()
    for shelf, pence in ((1, [1, 0]), (1, [1, 1]), (2, [3, 1])):
        state.apply_action(state.string_to_action(f"put_up(shelf={shelf})"))
        assert state.scores() == pence


def test_a_full_slot_is_named_by_its_number(shelves: Game) -> None:
    state = shelves.new_initial_state()
    for shelf in (1, 3):
        state.apply_action(state.string_to_action(f"put_up(shelf={shelf})"))
    with pytest.raises(RuleError, match=r"board\(p1, 1\)"):
        state.apply_action(state.string_to_action("put_up(shelf=1)"))
