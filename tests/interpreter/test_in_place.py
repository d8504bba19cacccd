"""Rules and tests written where they are used do what they do when they are called."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulespec
from interpreter import State

HEAD = """\
rulespec: 1
game: in_place
players: 2
kinds:
  spot: [a1, a2, b1, b2]
variables:
  total: {is: 0..1000, start: 1}
  got:   {each: player, is: 0..1000, start: 0}
  full:  {is: set of spot, start: those(spot where spot is a1 or spot is b2)}
"""
TAIL = """
ranking: most got of player
tables:
  line:
    columns: {spots: set of spot}
    rows: {row_a: [[a1, a2]], row_b: [[b1, b2]], column_1: [[a1, b1]], column_2: [[a2, b2]]}
"""

GIVEN_ME_TO_A_PROCEDURE = """\
phases:
  play: {by: seat(2), offer: [act]}
actions:
  act: {do: give(me)}
procedures:
  give(player receiver): |
    one by one, each player:
        set got of receiver to got of receiver + 1
"""

GIVEN_ME_TO_AN_ACTION = """\
phases:
  play: {by: seat(2), do: must act(me)}
actions:
  act(player receiver):
    do: |
      one by one, each player:
          set got of receiver to got of receiver + 1
"""

GIVEN_WHAT_CHANGES = """\
phases:
  play: {turns: each player, do: must act(total)}
actions:
  act(number n):
    do: |
      set total to total + n
      set total to total + n
      set got of me to total
"""

SETS_IN_LINES = """\
functions:
  is_open(spot): some(line where spot in line.spots and spot in those(spot near in line.spots where near not in full))
phases:
  play: {turns: each player, offer: [act]}
actions:
  act: {do: set got of me to count(spot where is_open(spot))}
"""


def played(rules: str, folder: Path, is_told: bool) -> State:
    """Return the state after all have done the one thing they can."""
    (folder / "game.yaml").write_text(HEAD + rules + TAIL, encoding="utf-8")
    state = rulespec.load(folder / "game.yaml").new_initial_state()
    state = state.tracked() if is_told else state
    while not state.is_terminal():
        state.apply_action(*state.legal_actions())
    assert state.code.mode.events is is_told
    return state


@pytest.mark.parametrize("is_told", [False, True])
@pytest.mark.parametrize(
    ("rules", "scores"),
    [
        pytest.param(GIVEN_ME_TO_A_PROCEDURE, [0, 2], id="me-to-a-procedure"),
        pytest.param(GIVEN_ME_TO_AN_ACTION, [0, 2], id="me-to-an-action"),
        pytest.param(GIVEN_WHAT_CHANGES, [3, 9], id="what-changes"),
        pytest.param(SETS_IN_LINES, [2, 2], id="sets-in-lines"),
    ],
)
def test_what_is_given_stays_what_it_was(tmp_path: Path, rules: str, scores: list[int], is_told: bool) -> None:
    assert played(rules, tmp_path, is_told).scores() == scores
