"""Where everything of a position stands, and who may see what of it."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulespec
from interpreter import Game
from interpreter.layout import BAG, SINGLE, Layout


@pytest.fixture
def layout(kuhn_poker: Game) -> Layout:
    return kuhn_poker.new_initial_state().code.layout


def test_slots_keep_tokens_as_their_zone_says(layout: Layout) -> None:
    assert [(name, mode) for (name, _), mode in zip(layout.slots, layout.slot_mode, strict=True)] == [
        ("deck", BAG), ("hand", SINGLE), ("hand", SINGLE),
    ]  # fmt: skip


def test_a_slot_is_found_by_the_values_of_its_keys(layout: Layout) -> None:
    assert [layout.slot_of("hand", (seat,)) - layout.slot_base for seat in (0, 1)] == [1, 2]
    assert [layout.slot_owner(layout.slot_of("hand", (seat,))) for seat in (0, 1)] == [0, 1]
    assert layout.slot_owner(layout.slot_of("deck", ())) == -1


def test_faces_are_seen_as_the_zone_declares(layout: Layout) -> None:
    hand, deck = layout.slot_of("hand", (0,)), layout.slot_of("deck", ())
    assert [layout.sees(player, hand, 0) for player in (0, 1)] == [True, False]
    assert [layout.sees(player, hand, 1) for player in (0, 1)] == [False, False]
    assert [layout.sees(player, deck, 0) for player in (0, 1)] == [False, False]
    assert [layout.sees_number(player, hand) for player in (0, 1)] == [True, True]


def test_only_what_has_no_order_is_loose(kuhn_poker: Game, layout: Layout) -> None:
    v = list(kuhn_poker.new_initial_state().v)
    deck, hand = layout.slot_of("deck", ()), layout.slot_of("hand", (0,))
    assert layout.loose(v, deck) == v[deck]
    assert layout.loose(v, hand) == ()
    v[layout.top_base + deck] = 1
    assert layout.loose(v, deck) == v[deck][:-1]


def test_tokens_alike_have_one_class(layout: Layout) -> None:
    assert layout.classes() == [("card", row, -1) for row in sorted(layout.token_row)]
    assert layout.token_class == [0, 1, 2]


def test_the_position_grows_with_the_players_and_no_seat_is_laid_out_that_does_not_play(tic_tac_toe: Game) -> None:
    full = tic_tac_toe.new_initial_state().code.layout
    assert full.members["player"] == (0, 1) == full.domain("player")
    assert full.position_in("player") == {0: 0, 1: 1}


TABLE_OF_THREE = """\
rulespec: 1
game: table_of_three
title: {en: Table of three}
players: 2..3
seats: [red, blue, green]
kinds:
  piece: disc or peg
tokens:
  coin: {each: player, count: 2, starts_in: purse of coin.owner}
  disc: {count: 2, starts_in: pile}
  peg:  {count: 1, starts_in: pile}
zones:
  purse: {each: player, holds: coin, seen_by: all}
  pile:  {holds: piece, seen_by: all}
phases:
  whole_game:
    by: seat(1)
    do: |
      choose piece
      move piece to pile
ranking: most count(pile)
"""


def test_a_union_has_the_tokens_in_play_of_its_kinds_though_they_are_one_range(tmp_path: Path) -> None:
    file = tmp_path / "table_of_three.yaml"
    file.write_text(TABLE_OF_THREE, encoding="utf-8")
    game = rulespec.load(file)
    assert len(game.program["kinds"]["piece"]["ranges"]) == 1
    for players in (2, 3):
        members = game.new_initial_state(players=players).code.layout.members
        assert members["piece"] == members["disc"] + members["peg"]
