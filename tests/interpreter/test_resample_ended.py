"""A game that has ended can be resampled and read back, whatever its triggers would read."""

from __future__ import annotations

from pathlib import Path

import rulespec

SPEC = """\
rulespec: 1
game: over_before_it_began
players: 2
tokens:
  card: {prints: animal, starts_in: deck}
zones:
  deck: {holds: card, order: shuffled, seen_by: nobody}
  spot: {holds: card, at_most: 1, seen_by: all}
phases:
  whole_game:
    by: seat(1)
    do: choose number n from 0..1
triggers:
  owl_seen:
    when: (top of spot).height > 1
    do: shuffle deck
ends:
  at_once: count(deck) is 3
ranking: most count(deck)
tables:
  animal: {columns: {height: 1..3}, rows: {fox: [1], hen: [2], owl: [3]}}
"""


def test_what_a_trigger_reads_is_not_looked_for_when_the_game_is_over(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(SPEC, encoding="utf-8")
    state = rulespec.load(tmp_path / "game.yaml").new_initial_state()
    assert state.is_terminal()
    again = state.resample(0, 1)
    assert again.is_terminal()
    assert again.observation_string(0) == state.observation_string(0)
    for each in (state, again):
        assert state.game.state_from_json(each.to_json()).to_json() == each.to_json()
        assert state.game.state_from_json(each.to_json()) == each
