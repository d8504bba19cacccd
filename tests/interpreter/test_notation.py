"""Actions, outcomes and states as text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import rulespec
from interpreter import Game, IllegalActionError, NotationError, ProgramError, SettingError


def test_an_action_is_written_with_its_rule_and_values(tic_tac_toe: Game) -> None:
    state = tic_tac_toe.new_initial_state()
    assert state.action_to_string(4) == "place(cell=cell(2, 2))"
    assert state.action_to_string(4, "pt") == "Marcar: cell(2, 2)"
    assert state.action_to_dict(4) == {
        "id": 4, "rule": "place", "ask": "place", "passing": False, "values": {"cell": "cell(2, 2)"},
    }  # fmt: skip


@pytest.mark.parametrize("text", ["place(cell=cell(2, 2))", " place( cell = cell(2,2) ) ", "Mark: cell(2, 2)"])
def test_an_action_is_read_without_regard_to_spaces_and_by_its_texts(tic_tac_toe: Game, text: str) -> None:
    assert tic_tac_toe.new_initial_state().string_to_action(text) == 4


def test_reading_does_not_depend_on_what_others_are_offered(tic_tac_toe: Game) -> None:
    state = tic_tac_toe.new_initial_state()
    state.apply_action(4)
    assert state.string_to_action("Mark: cell(2, 2)") == 4


GIFTS = """\
rulespec: 1
game: gifts
title: {en: Gifts}
players: 2
seats: [red, blue]
tokens: {coin: {count: 1, starts_in: purse}}
zones:
  purse: {holds: coin, seen_by: all}
  plate: {holds: coin, seen_by: all}
phases:
  whole_game:
    do: |
      may lay by seat(1)
      may lay by seat(2)
actions:
  lay:
    do: move purse to plate
ranking: most count(plate)
texts:
  lay: {en: "Lay it"}
  whole_game: {en: "Coins"}
"""


@pytest.mark.parametrize(("texts", "said"), [("", "Coins: pass"), ("  whole_game.pass: {en: Keep it}\n", "Keep it")])
def test_declining_is_said_in_words_of_its_own_where_there_are_some(tmp_path: Path, texts: str, said: str) -> None:
    file = tmp_path / "gifts.yaml"
    file.write_text(GIFTS + texts, encoding="utf-8")
    state = rulespec.load(file).new_initial_state()
    assert {state.action_to_string(a, "en") for a in state.legal_actions()} == {"Lay it", said}
    assert state.string_to_action(said) == state.string_to_action("whole_game(pass)")


def test_a_text_that_names_no_action_is_answered_with_the_nearest(tic_tac_toe: Game) -> None:
    with pytest.raises(NotationError, match=r"no action is written `plaice\(cell=cell\(2,2\)\)`; did you mean `place"):
        tic_tac_toe.new_initial_state().string_to_action("plaice(cell=cell(2,2))")


def test_an_outcome_is_written_by_its_face(kuhn_poker: Game) -> None:
    state = kuhn_poker.new_initial_state(chance="explicit")
    assert [state.action_to_string(outcome) for outcome in state.legal_actions()] == ["jack", "queen", "king"]
    state.apply_action(state.legal_actions()[1])
    assert [state.action_to_string(outcome, "en") for outcome in state.legal_actions()] == ["jack", "king"]


def test_a_save_holds_outcomes_by_their_faces(kuhn_poker: Game) -> None:
    state = kuhn_poker.new_initial_state(chance="explicit")
    for _ in range(3):
        state.apply_action(state.legal_actions()[0])
    assert json.loads(state.save())["moves"] == [{"chance": "jack"}, {"chance": "queen"}, "bet"]
    with pytest.raises(
        ProgramError, match="move 2 of this save, `jack`, is not possible: chance cannot bring `jack` here"
    ):
        kuhn_poker.load_save(state.save().replace('"chance": "queen"', '"chance": "jack"'))


def test_a_state_of_other_rules_is_refused(kuhn_poker: Game, tic_tac_toe: Game) -> None:
    with pytest.raises(ProgramError, match="belongs to other rules"):
        kuhn_poker.state_from_json(tic_tac_toe.new_initial_state().to_json())


def test_a_position_that_its_record_does_not_lead_to_is_refused(tic_tac_toe: Game) -> None:
    state = tic_tac_toe.new_initial_state()
    state.apply_action(0)
    data = json.loads(state.to_json())
    data["position"]["variables"]["mark"][8] = 1
    with pytest.raises(ProgramError, match="another position than the one saved: variables mark"):
        tic_tac_toe.state_from_json(json.dumps(data))


def test_positions_that_differ_are_told_apart_part_by_part(tic_tac_toe: Game) -> None:
    one, two = tic_tac_toe.new_initial_state(), tic_tac_toe.new_initial_state()
    assert one.diff(two) == []
    two.apply_action(0)
    assert any(line.startswith("variables mark: ") for line in one.diff(two))


def test_equal_positions_reached_in_another_order_hash_alike(tic_tac_toe: Game) -> None:
    one, two = tic_tac_toe.new_initial_state(), tic_tac_toe.new_initial_state(seed=9)
    for first, second in zip((0, 4, 8), (8, 4, 0), strict=True):
        one.apply_action(first)
        two.apply_action(second)
    assert one == two
    assert one.position_hash() == two.position_hash()
    assert one.to_json() != two.to_json()


NAMED_SLOTS = """\
rulespec: 1
game: pegs
players: 2
kinds:
  icon: [star, moon]
tokens:
  goal: {prints: side, starts_in: goals}
  peg:  {count: 9, starts_in: supply}
zones:
  goals:  {holds: goal, seen_by: all}
  supply: {holds: peg, seen_by: all}
  post:   {each: goal and icon, holds: peg, at_most: goal.icons(icon), seen_by: all}
phases:
  whole_game:
    do: |
      for each goal:
          for each icon: move goal.icons(icon) peg from supply to post(goal, icon)
      choose peg from post by seat(1)
tables:
  side:
    columns: {icons(icon): 0..3}
    rows:
      low:  [{star: 1}]
      high: [{star: 2, moon: 3}]
"""


def test_where_nothing_may_ever_lie_has_no_number(tmp_path: Path) -> None:
    (tmp_path / "pegs.yaml").write_text(NAMED_SLOTS, encoding="utf-8")
    state = rulespec.load(tmp_path / "pegs.yaml").new_initial_state()
    assert [state.action_to_string(a) for a in range(state.game.num_distinct_actions())] == [
        f"whole_game(peg=peg in post({goal}, {icon}))"
        for goal, icon in (("low", "star"), ("high", "star"), ("high", "moon"))
    ]
    assert state.legal_actions() == [0, 1, 2]
    assert state.action_to_string(2, "pt") == "whole game: peg (post: high, moon)"


WORDS = """\
rulespec: 1
game: bidding
players: 2
counters: {coins: {each: player, start: 3, bank: endless, at_most: 9}}
phases:
  whole_game:
    turns: each player clockwise from seat(1)
    offer: [bid]
actions:
  bid:
    choose:
      - number low from 1..2, number high from 3..4
    do: |
      choose number tip from 1..2
      may choose number extra from 1..2:
          gain tip + extra coins from bank
ranking: most coins of player
texts:
  bid:          {en: "From {low}", pt: "De {low} a {high}"}
  bid.tip:      {en: "Tip {tip} coins", pt: "Gorjeta"}
  bid.pass:     {en: "No more"}
"""


def test_a_decision_inside_a_rule_has_its_own_text_with_the_values_where_it_names_them(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(WORDS, encoding="utf-8")
    state = rulespec.load(tmp_path).new_initial_state()
    for action, told in {
        "bid(low=1, high=4)": {"en": "From 1, 4", "pt": "De 1 a 4"},
        "bid(tip=2)": {"en": "Tip 2 coins", "pt": "Gorjeta: 2"},
        "bid(extra=1)": {"en": "From: 1", "pt": "De: 1"},
        "bid(pass)": {"en": "No more", "pt": "No more"},
    }.items():
        assert {lang: state.action_to_string(state.string_to_action(action), lang) for lang in told} == told
        assert state.string_to_action(told["en"]) == state.string_to_action(action)


UNSET = """\
rulespec: 1
game: lots
players: 2
variables: {starter: {is: player}}
phases:
  whole_game:
    steps: [pick_starter, say_so]
  pick_starter:
    do: |
      pick player at random from all players
      set starter to player
  say_so:
    by: starter
    offer: [speak]
actions: {speak: {}}
ranking: most (1 if player is starter else 0)
"""


def test_a_position_is_read_before_its_variables_have_a_value(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(UNSET, encoding="utf-8")
    game = rulespec.load(tmp_path)
    state = game.new_initial_state(chance="explicit").resample(0, 1)
    assert game.state_from_json(state.to_json()) == state
    state.apply_action(state.legal_actions()[1])
    with pytest.raises(ProgramError, match="`starter` is no player: 7"):
        game.state_from_json(state.resample(0, 1).to_json().replace('"starter":[1]', '"starter":[7]'))


@pytest.mark.parametrize("action", [9999, -1, 10**30, "place", None, 1.5])
def test_an_action_that_is_none_has_no_text(tic_tac_toe: Game, action: Any) -> None:
    state = tic_tac_toe.new_initial_state()
    for told in (state.action_to_string, state.action_to_dict, lambda each: state.action_to_string(each, "en")):
        with pytest.raises(IllegalActionError, match=r"there is no action|an action is a whole number"):
            told(action)


def test_a_language_that_is_no_text_is_refused(tic_tac_toe: Game) -> None:
    with pytest.raises(SettingError, match=r"a language is a text such as 'en', not \['en'\]"):
        tic_tac_toe.new_initial_state().action_to_string(0, ["en"])  # type: ignore[arg-type]
