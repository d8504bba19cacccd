"""What is declared is kept while running: ranges, faces, room of counters, amounts."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulespec
from interpreter import RuleError

SPEC = """\
rulespec: 1
game: bounds
players: 2
tokens:
  die: {each: player, count: 1, faces: 1..6, starts_in: cup of die.owner, plural: dice}
  card: {count: 3, starts_in: pile}
zones:
  cup: {each: player, holds: die, seen_by: all}
  pile: {holds: card, order: stack, seen_by: all}
  hand: {each: player, holds: card, seen_by: all}
counters:
  money: {each: player, start: 0, bank: endless, at_most: 5}
variables:
  v: {is: 0..9, start: 5}
phases:
  whole_game:
    turns: each player clockwise from seat(1)
    offer: [rise, reface, earn, earn_some, take, draw_cards]
actions:
  rise: {do: set v to v * 20}
  reface:
    choose:
      - die from my cup
    do: set face of die to v * 2
  earn:
    do: gain 6 money from bank
  earn_some:
    do: gain 6 money from bank, as far as possible
  take: {do: move v - 9 card from pile to my hand}
  draw_cards: {do: draw v - 9 from pile to my hand}
ranking: most money of player
"""

FAULTS = {
    "rise": "100 is not in 0..9",
    "reface(die=1)": "10 is not in 1..6",
    "earn": "there is no room: 0 \\+ 6 is over 5",
    "take": "an amount cannot be -4",
    "draw_cards": "-4 is not in 0..",
}


@pytest.mark.parametrize("action", FAULTS)
def test_what_is_declared_is_kept(tmp_path: Path, action: str) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(SPEC, encoding="utf-8")
    state = rulespec.load(path).new_initial_state()
    number = next(a for a in state.legal_actions() if state.action_to_string(a).startswith(action.split("(")[0]))
    with pytest.raises(RuleError, match=FAULTS[action]):
        state.apply_action(number)


def test_as_far_as_possible_fills_what_room_there_is(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(SPEC, encoding="utf-8")
    state = rulespec.load(path).new_initial_state()
    state.apply_action(state.string_to_action("earn_some"))
    assert state.scores() == [5, 0]
