"""A phase that is automatic takes the only answer left, wherever it is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulespec

SPEC = """\
rulespec: 1
game: last_stones
players: 2
tokens:
  stone: {each: player, count: 2, starts_in: hand of stone.owner, prints: colour}
zones:
  hand:  {each: player, holds: stone, seen_by: owner, own: yes}
  taken: {holds: stone, seen_by: all}
phases:
  whole_game:
    repeat: while some(stone in hand)
    automatic: yes
DO
tables:
  colour: {columns: {copies: 1..1}, rows: {black: [1], white: [1]}}
"""

FORMS = {
    "choose": ("choose stone from hand of seat(1) by seat(1)\nmove stone to taken", [0]),
    "choose if possible": ("choose stone from hand of seat(1) by seat(1), if possible:\n    move stone to taken", [0]),
    "set": ("choose 1 stones from hand of seat(1) by seat(1)\nmove stones to taken", [0]),
    "at the same time": (
        "at the same time, each player:\n    choose stone from my hand\nwhen all have chosen:\n    move stone to taken",
        [0, 1],
    ),
    "one by one": ("one by one, each player:\n    choose stone from my hand\n    move stone to taken", [0, 1]),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("automatic", [True, False])
def test_only_the_first_of_two_is_asked_for(tmp_path: Path, form: str, automatic: bool) -> None:
    script, asked = FORMS[form]
    lines = "".join(f"      {line}\n" for line in script.split("\n"))
    text = SPEC.replace("DO\n", f"    do: |\n{lines}").replace(", count: 2", "")
    if asked == [0]:
        text = text.replace("some(stone in hand)", "hand of seat(1) is not empty")
    if not automatic:
        text = text.replace("    automatic: yes\n", "")
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    state = rulespec.load(tmp_path / "game.yaml").new_initial_state()
    decisions = 0
    while not state.is_terminal():
        assert len(state.legal_actions()) == 2 or not automatic
        state.apply_action(state.legal_actions()[0])
        decisions += 1
    assert decisions == len(asked) * (1 if automatic else 2)


def test_a_set_that_can_be_nothing_else_is_taken_whole(tmp_path: Path) -> None:
    text = SPEC.replace(", count: 2", "").replace("some(stone in hand)", "hand of seat(1) is not empty")
    text = text.replace(
        "DO\n", "    do: |\n      choose 2 stones from hand of seat(1) by seat(1)\n      move stones to taken\n"
    )
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    assert rulespec.load(tmp_path / "game.yaml").new_initial_state().is_terminal()
