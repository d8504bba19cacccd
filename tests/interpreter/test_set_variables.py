"""Variables that hold a set."""

from __future__ import annotations

from pathlib import Path

import rulespec

SPEC = """\
rulespec: 1
game: stalls
players: 2
kinds: {fruit: [pear, plum]}
variables:
  banned: {is: set of fruit, start: those(fruit where no)}
  bag: {each: player, is: set of 1..3, start: 1..2}
phases:
  whole_game:
    offer: [ban]
    turns: each player clockwise from seat(1)
actions:
  ban:
    choose:
      - fruit
    do: |
      set banned to banned + fruit
      set my bag to my bag without 1
ranking: most count(bag of player)
"""


def test_a_set_in_a_variable_is_seen_saved_and_read(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(SPEC, encoding="utf-8")
    state = rulespec.load(path).new_initial_state()
    assert state.observation(0)["variables"] == {"banned": [[]], "bag": [(1, 2), (1, 2)]}
    state.apply_action(state.string_to_action("ban(fruit=plum)"))
    assert state.observation(1)["variables"] == {"banned": [["plum"]], "bag": [(2,), (1, 2)]}
    assert state.game.state_from_json(state.to_json()) == state
