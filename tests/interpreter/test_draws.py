"""Draws written out where they happen: what is known is drawn, and from nothing nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulespec
from interpreter import Game, RuleError

SPEC = """\
rulespec: 1
game: draws
players: 2
tokens: {card: {prints: title, starts_in: deck}}
zones:
  deck:  {holds: card, order: shuffled, seen_by: nobody}
  hand:  {each: player, holds: card, at_most: 1, seen_by: owner}
  trash: {holds: card, seen_by: all}
variables: {any_left: {is: yes or no, start: no}}
phases:
  play:
    turns: each player
    offer: [take, leave]
actions:
  leave:
    do: set any_left to not (deck is empty)
  take:
    do: |
      draw 1 from deck to my hand
      if count(hand) is 1:
          for each card in deck where card is a high: move card to trash
      set any_left to not (deck is empty)
ranking: most 1
tables:
  title:
    columns: {copies: 1..2}
    rows: {low: [COPIES], high: [1]}
"""


def made(folder: Path, copies: int) -> Game:
    (folder / "game.yaml").write_text(SPEC.replace("COPIES", str(copies)), encoding="utf-8")
    return rulespec.load(folder / "game.yaml")


def test_the_last_one_alike_is_drawn_whatever_was_answered(tmp_path: Path) -> None:
    state = made(tmp_path, 1).new_initial_state(chance="explicit")
    state.apply_action(state.string_to_action("take"))
    assert state.is_chance_node()
    low = next(o for o, _ in state.chance_outcomes() if "low" in state.action_to_string(o))
    state.apply_action(low)
    with pytest.raises(RuleError, match="nothing left to draw") as raised:
        state.apply_action(state.string_to_action("take"))
    assert raised.value.rule == "take"
    assert raised.value.at[1:] == [19, 7]


def test_a_truth_that_is_kept_is_a_truth(tmp_path: Path) -> None:
    state = made(tmp_path, 2).new_initial_state(chance="explicit")
    state.apply_action(state.string_to_action("leave"))
    assert state.observation(0)["variables"]["any_left"] == [True]
    assert state.game.state_from_json(state.to_json()) == state


def test_an_answer_is_not_taken_for_what_is_drawn(tmp_path: Path) -> None:
    state = made(tmp_path, 2).new_initial_state(chance="explicit")
    state.apply_action(state.string_to_action("take"))
    low = next(o for o, _ in state.chance_outcomes() if "low" in state.action_to_string(o))
    state.apply_action(low)
    state.apply_action(state.string_to_action("take"))
    assert state.is_terminal()
    layout = state.code.layout
    assert state.code.program_name(state.v[layout.zones["hand"].base]) == "low"
