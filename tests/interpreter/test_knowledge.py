"""Who knows which token after each kind of effect, on a small game whose actions are one effect each.

A label of 0 in `labels` means that the player knows the face; equal numbers above are one pool.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rulespec
from interpreter import Game, State

HEAD = """\
rulespec: 1
game: effects
players: 2..3
seats: [red, blue, green]
"""

CARDS = (
    HEAD
    + """\
tokens: {card: {prints: rank, starts_in: deck}}
zones:
  deck:  {holds: card, order: shuffled, seen_by: nobody}
  hand:  {each: player, holds: card, seen_by: owner}
  table: {holds: card, seen_by: all, face_down_seen_by: nobody}
  pile:  {holds: card, order: stack, seen_by: nobody}
  spot:  {each: player, holds: card, at_most: 1, seen_by: all, face_down_seen_by: owner}
phases:
  whole_game:
    one_by_one: each player clockwise from seat(1)
    repeat: round by round, forever
    offer:
      - draw_card
      - play
      - hide
      - give
      - tell
      - tell_all
      - bury
      - bury_two
      - stir
      - put_back
      - peek
      - look_at_next
      - lay
      - turn_spot
      - take_back
      - scry
    pass: rest
actions:
  draw_card:
    do: draw 1 from deck to my hand
  play:
    choose:
      - card from my hand
    do: move card to table
  hide:
    choose:
      - card from my hand
    do: move card to table face down
  give:
    choose:
      - card from my hand
    do: move card to hand of next(me)
  tell:
    choose:
      - card from my hand
    do: show card to next(me)
  tell_all:
    do: show my hand to all players
  bury:
    choose:
      - card from my hand
    do: move card to pile
  bury_two:
    choose:
      - 2 cards from my hand
    do: move cards to pile
  stir:
    do: shuffle deck
  put_back:
    choose:
      - card from my hand
    do: move card to deck
  peek:
    if: {something_buried: pile is not empty}
    do: look at top of pile
  look_at_next:
    do: look at hand of next(me)
  lay:
    choose:
      - card from my hand
    if: {free: my spot is empty}
    do: move card to my spot face down
  turn_spot:
    if: {taken: my spot is not empty}
    do: turn up my spot
  take_back:
    if: {taken: my spot is not empty}
    do: move my spot to my hand
  scry:
    do: look at deck
ranking: most count(hand of player)
tables:
  rank:
    columns: {worth: 1..4, copies: 2..2}
    rows: {ace: [1, 2], two: [2, 2], king: [4, 2]}
"""
)

DICE = (
    HEAD
    + """\
tokens: {die: {each: player, count: 2, faces: 1..6, starts_in: cup of die.owner, plural: dice}}
zones:
  cup:   {each: player, holds: die, seen_by: owner}
  table: {holds: die, seen_by: all}
phases:
  whole_game:
    one_by_one: each player clockwise from seat(1)
    repeat: round by round, forever
    offer: [roll_all, roll_one, look_under, put_all]
    pass: rest
actions:
  roll_all:
    do: roll my cup
  roll_one:
    do: |
      pick die at random from my cup
      roll die
  look_under:
    do: look at cup of next(me)
  put_all:
    do: move my cup to table
ranking: most count(cup of player)
"""
)


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return compiled(tmp_path_factory.mktemp("cards"), CARDS)


@pytest.fixture(scope="module")
def dice(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return compiled(tmp_path_factory.mktemp("dice"), DICE)


def compiled(folder: Path, text: str) -> Game:
    path = folder / "effects.yaml"
    path.write_text(text, encoding="utf-8")
    return Game(rulespec.compile_program(str(path)))


def played(game: Game, *moves: str, players: int = 2) -> State:
    """Play moves written as `action` or as a chance outcome (`+ace`, `+3`); seats take turns, `-` passes."""
    state = game.new_initial_state(players=players, chance="explicit")
    for move in moves:
        if move[0] == "+":
            names = [state.action_to_string(outcome) for outcome in state.legal_actions()]
            state.apply_action(state.legal_actions()[names.index(move[1:])])
        else:
            state.apply_action(state.string_to_action("rest" if move == "-" else move))
    return state


def zone(state: State, player: int, name: str) -> list[str]:
    """Return what a player sees in a slot."""
    found: list[str] = state.observation(player)["zones"][name]
    return found


def labels(state: State, player: int, name: str) -> list[int]:
    """Return the pools of a slot's tokens for a player, 0 for a face he knows."""
    return [int(text.split()[1]) if text.startswith("?") else 0 for text in zone(state, player, name)]


def pool(state: State, player: int, name: str) -> list[str]:
    """Return the faces in the pool of a slot's first token."""
    found: list[str] = state.observation(player)["pools"][str(max(labels(state, player, name)))]
    return found


def faces(state: State, name: str) -> list[str]:
    """Return what really lies in a slot (omniscient)."""
    effects, layout = state.tracked().code.effects, state.code.layout
    slots = range(layout.slot_base, layout.slot_base + len(layout.slots))
    held = state.v[next(slot for slot in slots if effects.slot_name(slot) == name)]
    return [state.code.program_name(t) for t in ((held,) if isinstance(held, int) else held) if t >= 0]


def test_a_drawn_card_is_known_to_its_owner_and_in_the_pool_of_the_others(cards: Game) -> None:
    state = played(cards, "draw_card", "+ace")
    assert zone(state, 0, "hand of red") == ["ace"]
    assert zone(state, 1, "hand of red") == ["?card 1"]
    assert pool(state, 1, "hand of red") == ["ace", "ace", "king", "king", "two", "two"]
    assert pool(state, 0, "deck") == ["ace", "king", "king", "two", "two"]
    events = [state.events(player)[-1] for player in (0, 1)]
    assert [event["what"] for event in events] == ["ace", "card"]


def test_a_look_shows_faces_to_the_one_who_looks_alone(cards: Game) -> None:
    state = played(cards, "draw_card", "+ace", "look_at_next", players=2)
    assert zone(state, 1, "hand of red") == ["ace"]
    state = played(cards, "-", "-", "draw_card", "+ace", "-", "look_at_next", players=3)
    assert [zone(state, p, "hand of green") for p in range(3)] == [["?card 1"], ["ace"], ["ace"]]
    assert state.events(0)[-1] == {"event": "show", "in": ["hand of green"], "to": [1], "count": 1}


def test_a_card_shown_is_known_to_those_it_is_shown_to(cards: Game) -> None:
    moves = ("draw_card", "+ace", "-", "-", "draw_card", "+king", "-", "-")
    state = played(cards, *moves, "tell(card=king)", players=3)
    assert zone(state, 1, "hand of red") == ["?card 1", "king"]
    assert zone(state, 2, "hand of red") == ["?card 1", "?card 1"]
    assert zone(played(cards, *moves, "tell_all", players=3), 2, "hand of red") == ["ace", "king"]


def test_the_same_face_shown_twice_may_be_the_same_card(cards: Game) -> None:
    moves = ("draw_card", "+ace", "-", "draw_card", "+ace", "-", "tell(card=ace)", "-")
    twice = played(cards, *moves, "tell(card=ace)")
    other = played(cards, *(m if i != 4 else "+king" for i, m in enumerate(moves)), "tell(card=ace)")
    assert zone(twice, 1, "hand of red") == ["?card 1", "ace"] == zone(other, 1, "hand of red")
    assert twice.observation_string(1) == other.observation_string(1)


def test_a_shuffle_forgets_places_and_never_contents(cards: Game) -> None:
    moves = ("draw_card", "+ace", "-", "put_back(card=ace)", "-")
    state = played(cards, *moves)
    assert zone(state, 0, "deck")[-1] == "ace"
    assert labels(state, 1, "deck") == [1] * 6
    state = played(cards, *moves, "stir")
    assert labels(state, 0, "deck") == [1] * 6
    assert pool(state, 0, "deck") == ["ace", "ace", "king", "king", "two", "two"]


def test_a_draw_from_what_was_looked_through_is_not_known(cards: Game) -> None:
    state = played(cards, "scry", "draw_card", "+ace")
    assert set(labels(state, 0, "deck")) == {1}
    assert labels(state, 0, "hand of blue") == [1]
    assert pool(state, 0, "deck") == ["ace", "ace", "king", "king", "two", "two"]


def test_an_unseen_choice_out_of_a_hand_merges_what_it_may_have_been(cards: Game) -> None:
    moves = ("draw_card", "+ace", "-", "-", "draw_card", "+king", "-", "-", "tell_all", "-", "-")
    known = played(cards, *moves, players=3)
    assert zone(known, 2, "hand of red") == ["ace", "king"]
    state = played(cards, *moves, "give(card=ace)", players=3)
    assert zone(state, 2, "hand of red") == ["?card 2"]
    assert zone(state, 2, "hand of blue") == ["?card 2"]
    assert sorted(pool(state, 2, "hand of red")) == ["ace", "king"]
    assert zone(state, 1, "hand of blue") == ["ace"]
    assert zone(state, 1, "hand of red") == ["king"]


def test_a_card_that_leaves_openly_takes_its_knowledge_with_it(cards: Game) -> None:
    moves = ("draw_card", "+ace", "-", "draw_card", "+king", "-", "tell(card=ace)", "-")
    played_known = played(cards, *moves, "play(card=ace)")
    assert zone(played_known, 1, "hand of red") == ["?card 1"]
    played_other = played(cards, *moves, "play(card=king)")
    assert zone(played_other, 1, "hand of red") == ["ace"]
    assert zone(played_other, 1, "table") == ["king"]


def test_a_face_that_could_come_of_two_pools_joins_them(cards: Game) -> None:
    moves = ("draw_card", "+ace", "-", "-", "draw_card", "+two", "-", "-", "tell_all", "-", "-")
    moves = (*moves, "give(card=ace)", "draw_card", "+ace")
    state = played(cards, *moves, players=3)
    assert len(set(labels(state, 2, "hand of blue"))) == 2
    state = played(cards, *moves, "-", "-", "play(card=ace)", players=3)
    assert labels(state, 2, "hand of blue") == labels(state, 2, "hand of red") == [1]
    assert labels(state, 2, "deck") == [1, 1, 1]
    assert pool(state, 2, "deck") == ["ace", "king", "king", "two", "two"]


def test_a_token_laid_face_down_is_followed_by_its_place(cards: Game) -> None:
    moves = ("draw_card", "+ace", "-", "tell_all", "-", "lay(card=ace)")
    state = played(cards, *moves)
    assert zone(state, 1, "spot of red") == ["ace (face down)"]
    unseen = played(cards, "draw_card", "+ace", "-", "lay(card=ace)")
    assert zone(unseen, 1, "spot of red") == ["?card 1 (face down)"]
    assert zone(unseen, 0, "spot of red") == ["ace (face down)"]
    assert unseen.events(1)[-1]["what"] == "card"
    turned = played(cards, "draw_card", "+ace", "-", "lay(card=ace)", "-", "turn_spot")
    assert zone(turned, 1, "spot of red") == ["ace"]
    back = played(cards, "draw_card", "+ace", "-", "lay(card=ace)", "-", "turn_spot", "-", "take_back")
    assert zone(back, 1, "hand of red") == ["ace"]


def test_a_stack_keeps_known_cards_in_their_order(cards: Game) -> None:
    moves = ("draw_card", "+ace", "-", "draw_card", "+king", "-", "tell_all", "-")
    state = played(cards, *moves, "bury(card=ace)", "-", "bury(card=king)")
    assert zone(state, 0, "pile") == ["ace", "king"]
    assert zone(state, 1, "pile") == ["?card 2", "?card 2"]
    state = played(cards, *moves, "bury(card=ace)", "-", "bury(card=king)", "peek")
    assert zone(state, 1, "pile") == ["?card 2", "king"]
    assert faces(state, "pile") == ["ace", "king"]


def test_two_known_cards_laid_on_a_stack_unseen_lose_their_order(cards: Game) -> None:
    moves = ("draw_card", "+ace", "-", "draw_card", "+king", "-", "tell_all", "-")
    state = played(cards, *moves, "bury_two(cards=[ace, king])")
    assert labels(state, 1, "pile") == [2, 2]
    assert sorted(pool(state, 1, "pile")) == ["ace", "king"]
    assert labels(state, 0, "pile") == [0, 0]


def test_of_several_alike_the_one_most_others_know_is_moved(cards: Game) -> None:
    moves = ("draw_card", "+king", "-", "-", "draw_card", "+king", "-", "-", "tell(card=king)", "-", "-")
    state = played(cards, *moves, "play(card=king)", players=3)
    assert zone(state, 1, "hand of red") == ["?card 1"]
    assert zone(state, 2, "hand of red") == ["?card 1"]
    assert pool(state, 1, "hand of red") == ["ace", "ace", "king", "two", "two"]


def test_a_world_dealt_anew_keeps_what_is_known_and_deals_the_rest(cards: Game) -> None:
    state = played(cards, "draw_card", "+ace", "draw_card", "+king", "-", "-", "tell_all")
    found = {tuple(faces(state.resample(1, seed), "deck")) for seed in range(30)}
    assert found == {("ace", "two", "two", "king")}
    hidden = played(cards, "draw_card", "+ace", "draw_card", "+king")
    assert {tuple(faces(hidden.resample(1, s), "hand of red")) for s in range(60)} == {("ace",), ("two",), ("king",)}
    assert {tuple(faces(hidden.resample(1, s), "hand of blue")) for s in range(20)} == {("king",)}


# ------------------------------------------------------------------------------------------------------ dice


def test_dice_in_a_cup_are_seen_by_their_owner_alone(dice: Game) -> None:
    state = played(dice, "roll_all", "+3", "+5")
    assert zone(state, 0, "cup of red") == ["die of red 3", "die of red 5"]
    assert zone(state, 1, "cup of red") == ["?die 1", "?die 1"] or len(set(labels(state, 1, "cup of red"))) == 2
    told: list[dict[str, Any]] = [event for event in state.events(1) if event["event"] == "roll"]
    assert told == [{"event": "roll", "die": "cup of red"}] * 2


def test_hidden_dice_are_rolled_again_in_another_world(dice: Game) -> None:
    state = played(dice, "roll_all", "+3", "+5")
    worlds = [zone(state.resample(1, seed), 0, "cup of red") for seed in range(200)]
    assert {text for world in worlds for text in world} == {f"die of red {n}" for n in range(1, 7)}
    assert zone(state.resample(0, 1), 0, "cup of red") == zone(state, 0, "cup of red")


def test_a_roll_nobody_else_sees_makes_looked_at_dice_unknown(dice: Game) -> None:
    state = played(dice, "roll_all", "+3", "+5", "look_under")
    assert zone(state, 1, "cup of red") == ["die of red 3", "die of red 5"]
    which = state.clone()
    which.apply_action(which.string_to_action("roll_one"))
    which.apply_action(which.legal_actions()[0])
    which.apply_action(which.legal_actions()[0])
    assert 0 not in labels(which, 1, "cup of red")
    table = played(dice, "roll_all", "+3", "+5", "-", "put_all")
    assert zone(table, 1, "table") == ["die of red 3", "die of red 5"]
