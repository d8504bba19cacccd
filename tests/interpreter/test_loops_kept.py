"""A position in the middle of a loop in a loop is read back."""

from __future__ import annotations

from pathlib import Path

import rulespec

SPEC = """\
rulespec: 1
game: loops
players: 2
seats: [red, blue]
variables: {said: {is: 0..3, start: 0}}
phases:
  whole_game:
    turns: each player clockwise from seat(1)
    repeat: round by round, 2 times
    do: |
      one by one, each player p where p is not me:
          choose number n from 0..1
          set said to n
"""


def test_the_place_of_an_outer_loop_is_not_measured_by_the_inner(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(SPEC, encoding="utf-8")
    state = rulespec.load(tmp_path / "game.yaml").new_initial_state()
    for _ in range(4):
        text = state.to_json()
        again = state.game.state_from_json(text)
        assert again.to_json() == text
        resampled = state.resample(0, 1).to_json()
        assert state.game.state_from_json(resampled).to_json() == resampled
        again.apply_action(1)
        state = again
    assert state.is_terminal()
