"""What `explain` says, condition by condition."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulespec
from interpreter import Game

SHOP = """\
rulespec: 1
game: shop
players: 2
seats: [red, blue]
kinds:
  colour: [black, white]
tokens: {card: {prints: rank, starts_in: deck}}
counters: {coins: {each: player, start: 3, bank: 10}}
zones:
  deck: {holds: card, order: stack, seen_by: nobody}
  hand: {each: player, holds: card, seen_by: owner}
  shelf: {holds: card, seen_by: all}
variables: {trust: {each: colour, is: yes or no, start: no}}
functions:
  price(card): card.worth + 1
phases:
  whole_game:
    turns: each player clockwise from seat(1)
    repeat: seat by seat, forever
    offer: [fetch, buy, sell, rest_a_while]
actions:
  fetch:
    do: draw 1 from deck to shelf
  buy:
    choose:
      - card from shelf
    if:
      trusted: trust of black
    cost: pay price(card) coins to bank
    do: move card to my hand
  sell:
    if:
      rich: coins of me > 5
    do: gain 1 coins from bank
  rest_a_while:
    do: set trust of black to yes
ranking: most coins of player
tables:
  rank:
    columns: {worth: 1..4, copies: 1..1}
    rows: {ace: [1, 1], king: [4, 1]}
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path: Path = tmp_path_factory.mktemp("shop") / "shop.yaml"
    path.write_text(SHOP, encoding="utf-8")
    return rulespec.load(str(path))


def lines_with(game: Game, text: str) -> list[int]:
    return [n for n, line in enumerate(game.program["sources"]["shop.yaml"].splitlines(), 1) if text in line]


def test_a_named_condition_is_given_with_its_line_and_what_it_read(shop: Game) -> None:
    state = shop.new_initial_state()
    found = state.explain(state.string_to_action("sell"))
    assert (found.offered, found.reason, found.condition) == (False, "fails", "sell.rich")
    assert (found.file, found.line) == ("shop.yaml", lines_with(shop, "rich:")[0])
    assert found.values == {"coins of me": 3}
    said = "`sell` is not offered: `sell.rich` does not hold (coins of me > 5); coins of me is 3"
    assert found.text() == f"{said}; see shop.yaml:{found.line}"
    assert found.text("pt").startswith("`sell` não é oferecida: `sell.rich` não se verifica")


def test_a_thing_that_cannot_be_chosen_is_said_to_be_elsewhere(shop: Game) -> None:
    state = shop.new_initial_state()
    state.apply_action(state.string_to_action("rest_a_while"))
    found = state.explain(state.string_to_action("buy(card=ace)"))
    assert (found.reason, found.condition, found.evaluate()) == ("fails", "buy.card", False)


def test_a_price_that_cannot_be_paid_is_named(shop: Game) -> None:
    state = shop.new_initial_state()
    for text in ("rest_a_while", "fetch", "fetch"):
        state.apply_action(state.string_to_action(text))
    found = state.explain(state.string_to_action("buy(card=king)"))
    assert (found.reason, found.condition, found.evaluate()) == ("fails", "buy.cost", False)
    assert found.line == lines_with(shop, "pay price(card)")[0]
    assert found.values == {"coins of me": 3, "price(card)": 5}
    assert state.explain(state.string_to_action("buy(card=ace)")).offered


def test_an_offered_action_and_one_of_another_seat_are_told_apart(shop: Game) -> None:
    state = shop.new_initial_state()
    action = state.string_to_action("fetch")
    assert state.explain(action).text().startswith("`fetch` is offered by `fetch`")
    assert state.explain(action, 1).reason == "not_asked"


SETS = """\
rulespec: 1
game: sets
players: 2
seats: [red, blue]
tokens: {card: {each: player, prints: rank, starts_in: hand of card.owner}}
zones:
  hand:  {each: player, holds: card, own: yes, seen_by: all}
  table: {holds: card, seen_by: all}
functions:
  value_of(cards): sum(card.worth for card in cards)
phases:
  whole_game:
    turns: each player clockwise from seat(1)
    repeat: seat by seat, forever
    offer: [play]
actions:
  play:
    choose:
      - 1 or more cards from my hand where card.worth < 3 such that value_of(cards) > 1
    if:
      not_three: count(cards) < 3
    do: move cards to table
ranking: most count(hand of player)
tables:
  rank:
    columns: {worth: 1..3, copies: 1..2}
    rows: {ace: [1, 2], deuce: [2, 2], king: [3, 1]}
"""


@pytest.mark.parametrize(
    ("cards", "condition", "told"),
    [
        ("king", "play.cards", "card in hand of me and card.worth < 3"),
        ("ace", "play.cards", "value_of(cards) > 1"),
        ("ace, ace, deuce", "play.not_three", "count(cards) < 3"),
    ],
    ids=["a member that does not fit", "the set as a whole", "a named condition"],
)
def test_of_a_set_that_is_not_offered_the_condition_that_fails_is_named(
    tmp_path: Path, cards: str, condition: str, told: str
) -> None:
    file = tmp_path / "sets.yaml"
    file.write_text(SETS, encoding="utf-8")
    state = rulespec.load(file).new_initial_state()
    found = state.explain(state.string_to_action(f"play(cards=[{cards}])"))
    assert (found.reason, found.condition, found.formula) == ("fails", condition, told)
    assert not found.evaluate()
