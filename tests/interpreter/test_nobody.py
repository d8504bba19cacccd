"""`nobody` given where a player is wanted is an error while running, not the slot of somebody else."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulespec
from interpreter import RuleError

SPEC = """\
rulespec: 1
game: holders
players: 2
tokens: {card: {count: 4, starts_in: pile}}
zones:
  pile: {holds: card, seen_by: all}
  hand: {each: player, holds: card, seen_by: all}
variables:
  holder: {is: player or nobody, start: nobody}
functions:
  held(player): count(hand of player)
phases:
  whole_game:
    turns: each player clockwise from seat(1)
    offer: [compare, hand_over, favour_him]
actions:
  compare:
    do: |
      if held(holder) < 3: set holder to me
  hand_over:
    do: give(holder)
  favour_him:
    do: begin favour(holder)
lasting:
  favour(player darling):
    lasts: for the rest of the game
    changes:
      held(player): base + 1 if player is darling else base
procedures:
  give(player): move 1 card from pile to hand of player
ranking: most held(player)
"""


@pytest.mark.parametrize("action", ["compare", "hand_over", "favour_him"])
def test_nobody_is_no_player(tmp_path: Path, action: str) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(SPEC, encoding="utf-8")
    state = rulespec.load(path).new_initial_state()
    with pytest.raises(RuleError, match="test for `nothing` first"):
        state.apply_action(state.string_to_action(action))
