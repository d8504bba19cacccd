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


NOBODY_BY = """\
rulespec: 1
game: nobody_by
players: 2
variables:
  holder: {is: player or nobody, start: nobody}
  total: {is: 0..9, start: 0}
phases:
  play: {turns: each player, offer: [add]}
actions:
  add: {do: set total to 5}
triggers:
  reward:
    when: total > 4
    by: holder
    do: set holder to me
ranking: most 1
"""


def test_a_trigger_that_nobody_is_to_carry_out_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(NOBODY_BY, encoding="utf-8")
    state = rulespec.load(tmp_path / "game.yaml").new_initial_state()
    with pytest.raises(RuleError, match="nobody is there to carry out `reward`"):
        state.apply_action(0)


AFTER = """\
rulespec: 1
game: after
players: 2
kinds: {colour: [amber, blue]}
variables: {seen: {is: colour or nothing, start: nothing}}
phases:
  play:
    turns: each player
    do: must paint(blue)
actions:
  paint(colour):
    do: |
      choose number from 0..1
      choose number second from 0..1
triggers:
  note:
    after: paint
    do: set seen to colour
ranking: most 1
"""


def test_what_comes_after_an_action_knows_what_it_was_done_with(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(AFTER, encoding="utf-8")
    for chance in ("sampled", "explicit"):
        state = rulespec.load(tmp_path / "game.yaml").new_initial_state(chance=chance)
        while len(state.history()) < 3:
            state.apply_action(state.legal_actions()[0])
        assert state.v[state.code.layout.variables["seen"].base] == state.code.layout.members["colour"][1]
        assert state.game.state_from_json(state.to_json()) == state
