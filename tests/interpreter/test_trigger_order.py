"""Triggers that wait together, bound to tokens: who chooses the order names them as he sees them."""

from __future__ import annotations

from pathlib import Path

import rulespec

SPEC = """\
rulespec: 1
game: order
players: 2
tokens: {stone: {prints: colour, starts_in: bag}}
zones:
  bag:  {holds: stone, seen_by: all}
  heap: {holds: stone, seen_by: all}
  row:  {holds: stone, order: stack, seen_by: all}
phases:
  whole_game:
    TURNS
    do: |
      together:
          move bag to heap
triggers:
  fallen:
    for: stone
    when: stone in heap
    order: chosen by active
    do: move stone to row
ranking: most count(row)
tables: {colour: {columns: {copies: 1..2}, rows: {red: [2], blue: [1]}}}
"""


def played(tmp_path: Path, turns: str, answers: list[str]) -> list[str]:
    path = tmp_path / "game.yaml"
    path.write_text(SPEC.replace("TURNS", turns), encoding="utf-8")
    state = rulespec.load(path).new_initial_state()
    for answer in answers:
        assert "fallen(stone=red)" in [state.action_to_string(action) for action in state.legal_actions()]
        state.apply_action(state.string_to_action(answer))
    zones = state.observation(0)["zones"]
    assert zones["heap"] == []
    return list(zones["row"])


def test_the_active_player_chooses_and_those_alike_are_one_answer(tmp_path: Path) -> None:
    turns = "turns: each player where player is seat(1) clockwise from seat(1)"
    assert played(tmp_path, turns, ["fallen(stone=red)", "fallen(stone=blue)"]) == ["red", "blue", "red"]


def test_with_nobody_to_choose_they_go_in_order(tmp_path: Path) -> None:
    assert played(tmp_path, "quiet: no", []) == ["red", "red", "blue"]
