"""Choices that share a name, and choices that cannot be answered."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulespec
from interpreter import Game, RuleError

SPEC = """\
rulespec: 1
game: choices
players: 2
tokens:
  stone: {prints: colour, starts_in: bag}
zones:
  bag:  {holds: stone, seen_by: all}
  pile: {each: player, holds: stone, seen_by: all}
  spot: {each: player, holds: stone, at_most: 1, seen_by: all}
phases:
  whole_game:
    do: |
SCRIPT
ranking: most count(pile of player)
tables:
  colour: {columns: {copies: 2..2}, rows: {black: [2], white: [2]}}
"""


def game(folder: Path, script: str) -> Game:
    lines = "\n".join(f"      {line}" for line in script.split("\n"))
    (folder / "game.yaml").write_text(SPEC.replace("SCRIPT", lines), encoding="utf-8")
    return rulespec.load(folder / "game.yaml")


@pytest.mark.parametrize("second", ["pile", "spot", "pile + bag"])
def test_two_choices_of_one_name_are_each_made_from_their_own_zones(tmp_path: Path, second: str) -> None:
    script = (
        "one by one, each player:\n    choose stone from bag\n    move stone to my pile\n"
        "    if spot of me is empty: move 1 stone from bag to my spot\n"
        f"one by one, each player:\n    choose stone from {second}\n    move stone to bag"
    )
    state = game(tmp_path, script).new_initial_state()
    for number in range(4):
        actions = state.legal_actions()
        texts = [state.action_to_string(action) for action in actions]
        assert [state.string_to_action(text) for text in texts] == actions
        assert len(set(texts)) == len(texts) > 0, number
        state.apply_action(actions[0])
    assert state.is_terminal()


def test_a_choice_at_the_same_time_that_nobody_can_answer_is_an_error_of_its_rule(tmp_path: Path) -> None:
    script = (
        "at the same time, each player:\n    choose stone from my pile\nwhen all have chosen:\n    move stone to bag"
    )
    state = game(tmp_path, script).new_initial_state()
    for seat in (None, 0, 1):
        with pytest.raises(RuleError, match="no choice is possible"):
            state.legal_actions(seat)


def test_a_ranking_that_reads_what_is_not_there_is_an_error_of_its_rule(tmp_path: Path) -> None:
    text = SPEC.replace("SCRIPT", "      choose stone from bag by seat(1)").replace(
        "most count(pile of player)", "most (top of spot of player).worth"
    )
    text = text.replace("{copies: 2..2}, rows: {black: [2], white: [2]}", "{copies: 2..2, worth: 1..2}, rows: ROWS")
    text = text.replace("ROWS", "{black: [2, 1], white: [2, 2]}")
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    state = rulespec.load(tmp_path / "game.yaml").new_initial_state()
    for read in (state.scores, state.ranking):
        with pytest.raises(RuleError, match="there is nothing here"):
            read()
    state.apply_action(state.legal_actions()[0])
    with pytest.raises(RuleError, match=r"game\.yaml:14.*there is nothing here"):
        state.returns()
