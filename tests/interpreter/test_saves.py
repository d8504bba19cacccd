"""Saves: run again under the same rules, and under others, which is said with the first difference."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from interpreter import Game, ProgramError, SaveError, State
from rulespec.diagnostics import Report
from rulespec.passes import build_text

NIM = """\
rulespec: 1
game: heap
players: 2..3
seats: [red, blue, green]
options:
  fewest: {is: 1..2, default: 1}
tokens:
  coin: {count: 3, starts_in: chest}
zones:
  chest: {holds: coin, seen_by: all}
  purse: {each: player, holds: coin, seen_by: all}
variables:
  left: {is: 0..9, start: 9}
  last: {is: player or nobody, start: nobody}
phases:
  whole_game:
    turns: each player clockwise from seat(1)
    repeat: seat by seat, while left > 0
    offer: [take]
actions:
  take:
    choose:
      - number n from fewest..3
    if:
      enough: n <= left
    do: |
      set left to left - n
      set last to me
      if chest is not empty:
          move 1 coin from chest to my purse
ranking: most (1 if player is last else 0)
texts:
  take: {en: "take {n}"}
"""


def heap(*changes: tuple[str, str]) -> Game:
    """Return the game, its text changed."""
    text = NIM
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    report = Report()
    built = build_text(text, report)
    assert built is not None and built.program is not None, [each.message for each in report.diagnostics]
    return Game(built.program)


@pytest.fixture(scope="module")
def game() -> Game:
    return heap()


def played(game: Game, *takes: int) -> State:
    state = game.new_initial_state(2)
    for n in takes:
        state.apply_action(state.string_to_action(f"take(n={n})"))
    return state


def test_a_save_under_the_same_rules_says_nothing(game: Game) -> None:
    loaded = game.read_save(played(game, 3, 1).save())
    assert loaded.changes == ()
    assert loaded.state == played(game, 3, 1)


SAME_RULES = {
    "comments and places": ("phases:\n", "# what happens\n\nphases:\n"),
    "texts": ("take {n}", "{n} are taken"),
    "a title": ("players: 2..3", "title: {en: The heap}\nplayers: 2..3"),
}


@pytest.mark.parametrize("change", SAME_RULES.values(), ids=SAME_RULES)
def test_what_only_people_read_is_no_change_of_rules(game: Game, change: tuple[str, str]) -> None:
    assert heap(change).read_save(played(game, 3, 1).save()).changes == ()


def test_changed_rules_that_lead_to_the_same_position_are_named(game: Game) -> None:
    changed = heap(("number n from fewest..3", "number n from fewest..4"))
    loaded = changed.read_save(played(game, 3, 1).save())
    assert loaded.changes == ("the rules of `heap` have changed since",)
    loaded.state.apply_action(loaded.state.string_to_action("take(n=4)"))
    assert loaded.state.is_terminal() is False


def test_the_first_move_that_is_no_longer_possible_is_named(game: Game) -> None:
    changed = heap(("number n from fewest..3", "number n from fewest..2"))
    with pytest.raises(
        SaveError, match=r"move 2 of this save, `take\(n=3\)`, is not possible: .*rules .* have changed"
    ):
        changed.load_save(played(game, 1, 3).save())


DIFFERENCES = {
    "a variable": (("left - n", "left - n + 1"), "variables left was 5 and is 7"),
    "a zone": (("to my purse", "to purse of seat(1)"), "zones purse of blue was coin and is nothing"),
    "whose turn it is": (("from seat(1)", "from seat(2)"), "active was red and is blue"),
    "another name": (
        ("  left: {is", "  extras: {is: 0..3, start: 2}\n  left: {is"),
        "variables extras was nothing and is 2",
    ),
}


@pytest.mark.parametrize(("change", "said"), DIFFERENCES.values(), ids=DIFFERENCES)
def test_the_first_difference_of_the_position_is_named(game: Game, change: tuple[str, str], said: str) -> None:
    with pytest.raises(
        SaveError, match=f"lead to another position than the one saved: {said} .the save was made under"
    ):
        heap(change).load_save(played(game, 3, 1).save())


def test_settings_that_are_no_longer_allowed_are_named(game: Game) -> None:
    state = game.new_initial_state(3, options={"fewest": 2})
    with pytest.raises(SaveError, match="a game cannot be set up as in this save: heap is for 2 players, not 3"):
        heap(("2..3\nseats: [red, blue, green]", "2\nseats: [red, blue]")).load_save(state.save())
    with pytest.raises(SaveError, match="cannot be set up as in this save: option `fewest` cannot be 2"):
        heap(("{is: 1..2, default: 1}", "{is: 0..1, default: 1}")).load_save(state.save())


def test_a_save_altered_by_hand_names_the_first_difference(game: Game) -> None:
    text = played(game, 1, 2, 3).save()
    with pytest.raises(SaveError, match="lead to another position than the one saved: variables left was 3 and is 5"):
        game.load_save(text.replace("take(n=3)", "take(n=1)"))
    with pytest.raises(SaveError, match=r"move 3 of this save, `nonsense`, is not possible: no action is written"):
        game.load_save(text.replace("take(n=3)", "nonsense"))
    with pytest.raises(SaveError, match="what is being done or what players know is something else"):
        game.load_save(edited(text, position_hash="0" * 32))


def edited(text: str, **parts: Any) -> str:
    return json.dumps({**json.loads(text), **parts})


SETTINGS = {"players": 2, "options": {}, "seed": 1, "chance": "sampled", "extra": []}
REFUSED = {
    "another game": ({"game": "tower"}, "a save of `tower`, not of `heap`"),
    "another format": ({"format": 7}, "this save is of format 7; this version reads format"),
    "another language": ({"language": 2}, "this save is of language 2; this version reads language 1"),
    "a move that is none": ({"moves": [3]}, "move 1 of this save is not written as a move: 3"),
    "a seat that is none": ({"moves": [[True, "take(n=1)"]]}, "move 1 of this save is not written as a move"),
    "no position": ({"position": 3}, "this save has no usable `position`"),
    "moves that are none": ({"moves": {}}, "this save has no usable `moves`"),
    "a generator that is none": ({"generator": 5}, "this save has no usable `generator`"),
    "options that are none": ({"settings": {**SETTINGS, "options": {"fewest": 1}}}, "options of a save are texts"),
    "settings without a seed": (
        {"settings": {"players": 2, "options": {}}},
        "of this save has no usable `seed`",
    ),
    "no extra tokens": ({"settings": {**SETTINGS, "extra": None}}, "`settings` of this save has no usable `extra`"),
    "odd extra tokens": ({"settings": {**SETTINGS, "extra": [1]}}, "extra tokens are pairs of a row and a number"),
    "a start that is none": ({"start": {}}, "`start` has no usable `position`"),
    "a start of nothing": (
        {"start": {"position": {}, "shown": [], "unrevealed": []}},
        "this is no position of heap: it has no `zones`",
    ),
}


@pytest.mark.parametrize(("parts", "said"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_save_of_this_game_is_refused(game: Game, parts: dict[str, Any], said: str) -> None:
    with pytest.raises(ProgramError, match=said) as caught:
        game.load_save(edited(played(game, 1).save(), **parts))
    assert not isinstance(caught.value, SaveError)


PYTHON = re.compile(r"\w+Error|\bNone\w|object|unpack|iterable|subscript|attribute")


@pytest.mark.parametrize("part", ["game", "settings", "start", "record", "generator", "position", "moves"])
@pytest.mark.parametrize("value", [None, True, 5, "x", [None], [[]], {"a": 1}, ...], ids=str)
def test_whatever_is_wrong_with_a_state_or_a_save_is_said_in_words(game: Game, part: str, value: Any) -> None:
    state = played(game, 1)
    for text, read in ((state.to_json(), game.state_from_json), (state.save(), game.load_save)):
        data = json.loads(text)
        if part not in data or data[part] == value:
            continue
        changed = {**data, part: value} if value is not ... else {k: v for k, v in data.items() if k != part}
        with pytest.raises(ProgramError) as caught:
            read(json.dumps(changed))
        assert not PYTHON.search(str(caught.value)), str(caught.value)


def test_what_is_no_text_at_all_is_no_save(game: Game) -> None:
    with pytest.raises(ProgramError, match="this is not a save: it is no text"):
        game.load_save(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [-1, -(10**30), 10**30])
def test_any_whole_number_is_a_seed_that_a_save_keeps(kuhn_poker: Game, seed: int) -> None:
    state = kuhn_poker.new_initial_state(seed=seed)
    again = kuhn_poker.load_save(state.save())
    assert again == state
    assert kuhn_poker.state_from_json(again.to_json()).to_json() == state.to_json()


@pytest.mark.parametrize("text", ["[" * 100_000, '{"moves":' * 5_000, "NaN", '{"moves": Infinity}', "", "\ud800"])
def test_a_text_that_is_no_save_is_an_error_of_ours(game: Game, text: str) -> None:
    for read in (game.load_save, game.state_from_json):
        with pytest.raises(ProgramError, match="this is not a save"):
            read(text)


def test_where_the_rules_were_found_is_kept(game: Game) -> None:
    assert json.loads(played(game, 1).save({"game": "here"}))["origin"] == {"game": "here"}
