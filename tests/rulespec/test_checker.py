"""Faulty games give one diagnostic each: its code, its line, and what it suggests."""

from __future__ import annotations

import pytest

from rulespec.diagnostics import Diagnostic, Report
from rulespec.passes import build_text

GAME = """\
rulespec: 1
game: sample
players: 2
kinds:
  colour: [red, blue]
  shade: [red, grey]
  disc: 1..6
map:
  cell: {is: grid 3 by 3}
tokens:
  mark: {each: player, count: 5, starts_in: box of mark.owner}
  card: {prints: title, starts_in: deck}
  die:  {count: 1, faces: 1..6, starts_in: cup, plural: dice}
counters:
  points: {each: player, start: 0, bank: 20}
zones:
  box:    {each: player, holds: mark, seen_by: all}
  square: {each: cell, holds: mark, at_most: 1, seen_by: all}
  deck:   {holds: card, order: shuffled, seen_by: nobody}
  hand:   {each: player, holds: card, seen_by: owner}
  cup:    {holds: die, seen_by: all}
variables:
  turns_done: {is: 0..9, start: 0}
  favourite: {each: player, is: colour, start: red}
functions:
  owns(player, cell): some(mark in square of cell where mark.owner is player)
  liked(player): favourite of player
phases:
  whole_game:
    turns: each player clockwise from seat(1)
    repeat: seat by seat, 9 times
    offer: [place]
actions:
  place:
    choose:
      - cell where square of cell is empty
    do: |
      move 1 mark from my box to square of cell
      note_it
procedures:
  note_it: set turns_done to min(9, turns_done + 1)
  other_things: |
    gain 1 points from bank
    if owns(me, first(all cells)) and liked(me) is red: draw 1 from deck to my hand
    roll cup
scoring:
  points_won: points of player
ranking: most score(player)
tables:
  title:
    columns: {worth: 1..3, colour: colour}
    rows: {low: [1, red], high: [2, blue]}
"""


def check(text: str) -> list[Diagnostic]:
    report = Report()
    build_text(text, report)
    return report.in_order()


def with_procedure(body: str) -> str:
    """Return the game with one more procedure of one line."""
    return GAME.replace("procedures:\n", f"procedures:\n  faulty(number n, card): {body}\n")


def with_function(head: str, body: str) -> str:
    return GAME.replace("functions:\n", f"functions:\n  {head}: {body}\n")


def errors(text: str) -> list[Diagnostic]:
    return [d for d in check(text) if d.severity == "error"]


def test_the_sample_game_has_only_its_unused_procedure() -> None:
    assert [(d.code, d.severity) for d in check(GAME)] == [("unused", "warning")]


SCRIPTS = [
    ("move card to hnad of me", "unknown-name", "did you mean `hand`?"),
    ("set turns_don to 3", "unknown-name", "did you mean `turns_done`?"),
    ("note_itt", "unknown-rule", "did you mean `note_it`?"),
    ("note_it(3)", "wrong-arguments", "it is `note_it` without arguments"),
    ("set turns_done to red", "ambiguous-name", None),
    ("set turns_done to hand of me", "type-mismatch", "`count(hand)` counts the tokens in it"),
    ("if card.wroth > 1: note_it", "unknown-column", "did you mean `worth`?"),
    ("move card to hand", "type-mismatch", None),
    ("move card to my box", "type-mismatch", None),
    ("move top of deck to my hand", "top-of-unordered", "say `order: stack`, `at_most: 1`, or choose a token"),
    ("draw 1 from my hand to my hand", "top-of-unordered", None),
    ("let n = 3", "shadowed-name", None),
    ("let score = 3", "reserved-word", None),
    ("for each player: gain count(my hand) points from bank", "my-in-player-loop", None),
    ("for each crad in deck: move crad to my hand", "unknown-kind", "did you mean `card`?"),
    ("for each cards in deck: note_it", "unknown-kind", "write `card`"),
    ("place", "unknown-rule", "offer it: `must place` or `may place`"),
    ("begin blocked(n)", "unknown-rule", None),
    ("pay 1 pints to bank", "unknown-name", "did you mean `points`?"),
    ("move 1 marrk from my box to square of cell(1, 1)", "unknown-kind", "did you mean `mark`?"),
    ("roll my box", "type-mismatch", None),
    ("if n is card: note_it", "type-mismatch", None),
    ("if n and n > 2: note_it", "type-mismatch", None),
    ("if card is a hihg: note_it", "unknown-name", "did you mean `high`?"),
    ("set my favourite to grey", "type-mismatch", None),
    ("end gaem", "unknown-rule", "did you mean `game`?"),
    ("note_itt", "unknown-rule", "did you mean `note_it`?"),
    ("let x = base", "unknown-name", None),
    ("choose number m from points of bank..n", "unbounded-number", None),
    ("choose card second from my hand, card third from my hand, cell, cell beside", "too-many-actions", None),
]  # fmt: skip


@pytest.mark.parametrize(("body", "code", "help"), SCRIPTS, ids=[s[0] for s in SCRIPTS])
def test_a_faulty_script_gives_one_error(body: str, code: str, help: str | None) -> None:
    text = GAME if code != "too-many-actions" else GAME.replace("grid 3 by 3", "grid 9 by 9")
    found = errors(text.replace("procedures:\n", f"procedures:\n  faulty(number n, card): |\n    {body}\n"))
    assert [d.code for d in found] == [code], found
    assert found[0].span.line == GAME.splitlines().index("procedures:") + 3
    if help is not None:
        assert found[0].help == help


FORMULAS = [
    ("mine(cell)", "owns(me, cell)", "unknown-name"),
    ("twice(player)", "own(player, cell(1, 1))", "unknown-rule"),
    ("many", "count(my box)", "unknown-name"),
    ("plain", "cell", "unknown-name"),
    ("endless(number n)", "endless(n) + 1", "recursive-function"),
    ("owns", "yes", "duplicate-name"),
    ("next", "yes", "reserved-word"),
    ("wrong_arguments", "owns(seat(1))", "wrong-arguments"),
    ("mixed", "1 if yes else seat(1)", "type-mismatch"),
    ("steps", "distance(seat(1), seat(2))", "type-mismatch"),
    ("third", "seat(3)", "type-mismatch"),
    ("all_of_one", "count(all cell)", "unknown-kind"),
]


@pytest.mark.parametrize(("head", "body", "code"), FORMULAS, ids=[f[0] for f in FORMULAS])
def test_a_faulty_function_gives_one_error(head: str, body: str, code: str) -> None:
    if code == "duplicate-name":
        text = GAME.replace("procedures:\n", f"procedures:\n  {head}: set turns_done to 1\n")
    else:
        text = with_function(head, body)
    found = errors(text)
    assert [d.code for d in found] == [code], found


SCRIPTED = [
    ("if n > 2: return 3", "may come to its end without `return`"),
    ("for each player: return 3", "may come to its end without `return`"),
    ("while n > 2: return 3", "may come to its end without `return`"),
    ("if n > 2: return 3\nelse if n > 1: return 2", "may come to its end without `return`"),
    ("if n > 2: return 3\nelse:\n  let m = n", "may come to its end without `return`"),
    ("if n > 2: return\nreturn 3", "a function returns a value"),
    ("if n > 2: return 3\nreturn 1", None),
    ("if n > 2: return 3\nelse if n > 1: return 2\nelse: return 1", None),
    ("if n > 2:\n  for each player: return 3\n  return 2\nelse: return 1", None),
]


@pytest.mark.parametrize(("script", "said"), SCRIPTED, ids=[s[0] for s in SCRIPTED])
def test_a_function_returns_a_value_on_every_path(script: str, said: str | None) -> None:
    lines = "".join(f"\n    {line}" for line in script.split("\n"))
    found = [
        (d.code, said is not None and said in d.message)
        for d in errors(with_function("some_of(number n)", "|" + lines))
    ]
    assert found == ([] if said is None else [("missing-return", True)])


def test_what_is_wrong_already_raises_no_second_error() -> None:
    text = with_function("broken(player)", "nonsense of player").replace(
        "owns(me, first(all cells))", "broken(me) is red and broken(me) > 3"
    )
    assert [d.code for d in errors(text)] == ["unknown-name"]


def test_all_faults_are_reported_in_one_run() -> None:
    text = with_function("broken", "nonsense").replace("set turns_done to min", "set turns_don to min")
    assert [d.code for d in errors(text)] == ["unknown-name", "unknown-name"]


def test_an_unknown_zone_is_named_with_those_that_exist() -> None:
    found = errors(GAME.replace("draw 1 from deck", "draw 1 from dekc"))
    assert [d.code for d in found] == ["unknown-zone"]
    assert found[0].help == "did you mean `deck`?"


def test_a_condition_may_not_read_what_the_chooser_cannot_see() -> None:
    text = GAME.replace(
        "    do: |\n      move 1 mark",
        "    if:\n      rich: some(card in hand of opponent(me) where card.worth > 1)\n    do: |\n      move 1 mark",
    )
    assert [d.code for d in errors(text)] == ["hidden-condition"]


def test_a_condition_may_read_the_own_hand_through_a_function() -> None:
    text = with_function("rich(player)", "some(card in hand of player where card.worth > 1)")
    mine = text.replace("    do: |\n      move 1 mark", "    if:\n      rich: rich(me)\n    do: |\n      move 1 mark")
    theirs = mine.replace("rich: rich(me)", "rich: rich(opponent(me))")
    assert errors(mine) == []
    assert [d.code for d in errors(theirs)] == ["hidden-condition"]


def test_a_plain_choice_behind_a_barrier_is_a_warning() -> None:
    text = GAME.replace("    roll cup\n", "    roll cup\n    choose card from my hand\n")
    assert "unproved-choice" in {d.code for d in check(text)}
    assert "unproved-choice" not in {
        d.code for d in check(text.replace("card from my hand", "card from my hand, if possible:\n        note_it"))
    }


def test_a_value_is_looked_up_by_the_type_that_is_wanted() -> None:
    assert errors(with_procedure("set my favourite to red")) == []
    assert errors(with_function("likes_red(player)", "liked(player) is red")) == []
    assert errors(with_function("red_cards", "count(card where red is card.colour)")) == []


def at_once(*lines: str) -> str:
    """Return the game with a procedure in whose first block of `at the same time` these lines stand."""
    first = "".join(f"        {line}\n" for line in lines)
    block = f"at the same time, each player:\n{first}    when all have chosen:\n        note_it"
    game = GAME.replace("  other_things: |\n", "  give_one: return 1\n  other_things: |\n")
    return game.replace("procedures:\n", f"procedures:\n  faulty(number n, card): |\n    {block}\n")


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        (["set my favourite to blue"], 1),
        (["choose number m from 0..2", "note_it"], 2),
        (["let found = give_one"], 1),
        (["move 1 mark from my box to square of cell(1, 1)"], 1),
        (["if n > 2: end game"], 1),
        (["if n > 2: let m = 3", "else: roll cup"], 2),
        (["may choose number m from 0..2:", "    set turns_done to m"], 2),
        (["may choose number m from 0..2:", "    let k = m", "otherwise:", "    stop"], 4),
        (["may place", "otherwise:", "    return"], 3),
        (["for each cell:", "    note_it"], 1),
    ],
    ids=["set", "procedure", "procedure by let", "move", "if", "else", "choice", "no choice", "no offer", "loop"],
)
def test_nothing_is_done_before_all_have_chosen(lines: list[str], line: int) -> None:
    found = errors(at_once(*lines))
    assert [d.code for d in found] == ["effect-before-all-chose"], found
    assert found[0].span.line == GAME.splitlines().index("procedures:") + 3 + line
    assert "when all have chosen" in str(found[0].help)


def test_before_all_have_chosen_stand_choices_and_offers_with_their_blocks() -> None:
    chosen = ["may choose number m from 0..2:", "    let k = m", "    if k > 1: choose number l from 0..k"]
    assert errors(at_once("let few = n", "if few > 1: may place", *chosen, "otherwise:", "    must place")) == []


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("set my favourite to 3", "expected a colour, found the number 3"),
        ("set my favourite to n", "expected a colour, found a number"),
        ("let x = owns(1..3, first(all cells))", "expected a player, found a set of numbers 1..3"),
        ("let x = card.wrth", "`wrth` is not printed on a card"),
        ("let x = item is colour", "expected an item, found a colour"),
    ],
)
def test_types_are_named_in_plain_words(body: str, said: str) -> None:
    text = GAME.replace("  disc: 1..6\n", "  disc: 1..6\n  item: [nut, egg]\n")
    found = errors(text.replace("procedures:\n", f"procedures:\n  faulty(number n, card, item, colour): {body}\n"))
    assert [d.message for d in found] == [said]


TAKEN = [
    ("if n > 2: return 3", True),
    ("note_it", True),
    ("if n > 2: return\nreturn 3", True),
    ("repeat:\n  if n > 2: stop\n  else: return 3", True),
    ("may choose cell:\n  return 1", True),
    ("if n > 2: return 3\nreturn 1", False),
    ("if n > 2: return 3\nelse: end game", False),
    ("repeat:\n  if n > 2: return 3\n  repeat 2 times: stop", False),
    ("may choose cell:\n  return 1\notherwise: return 2", False),
]


@pytest.mark.parametrize(("script", "is_missing"), TAKEN, ids=[t[0] for t in TAKEN])
def test_a_procedure_whose_value_is_taken_returns_one_on_every_path(script: str, is_missing: bool) -> None:
    lines = "".join(f"\n    {line}" for line in script.split("\n"))
    text = with_procedure("let m = some_of(n)").replace(
        "procedures:\n", f"procedures:\n  some_of(number n): |{lines}\n"
    )
    found = [(d.code, d.span.line, d.related[0].span.line) for d in errors(text)]
    place = text.splitlines().index("  some_of(number n): |") + 1
    assert found == ([("missing-return", place, place + 1 + lines.count("\n"))] if is_missing else [])


def test_a_procedure_whose_value_nobody_takes_may_return_none() -> None:
    assert errors(with_procedure("|\n    if n > 2: return 3")) == []


def test_a_cell_whose_value_is_taken_returns_one_in_every_row() -> None:
    rows = "    cells: {effect: script}\n    rows:\n      low: {printed: [1, red], effect: return 2}\n"
    rows += "      high: [2, blue]\n"
    text = with_procedure("let m = card.effect").replace("    rows: {low: [1, red], high: [2, blue]}\n", rows)
    line = text.splitlines().index("      high: [2, blue]") + 1
    said = "`high.effect` may come to its end without returning a value"
    assert [(d.message, d.span.line) for d in errors(text)] == [(said, line)]


SCORE = {
    "an item": ("  points_won: points of player", "  points_won: score(player) + 1", True),
    "a function of an item": ("  points_won: points of player", "  points_won: doubled(player)", True),
    "the key that is the score": ("scoring:\n  points_won: points of player\n", "", True),
    "the second key": (
        "scoring:\n  points_won: points of player\nranking: most score(player)",
        "ranking: most points of player then least score(player)",
        False,
    ),
}


@pytest.mark.parametrize(("old", "new", "wrong"), SCORE.values(), ids=SCORE)
def test_a_score_may_not_ask_for_itself(old: str, new: str, wrong: bool) -> None:
    text = GAME.replace(old, new).replace("functions:\n", "functions:\n  doubled(player): score(player) * 2\n")
    report = Report()
    build_text(text, report)
    assert [each.code for each in report.in_order() if each.severity == "error"] == ["recursive-score"] * wrong


MISSPELT = {
    "the word that is found": ("ranking: most", "ranking: mots", "did you mean `most`?"),
    "the word before it": ("each player clockwise from", "each player clokwise from", "is it meant by `clokwise`?"),
    "the first word of a line": ("      note_it", "      shuffel deck", "is it meant by `shuffel`?"),
    "a name beside it": ("ranking: most score(player)", "ranking: most score(player) liked", None),
}


@pytest.mark.parametrize(("old", "new", "said"), MISSPELT.values(), ids=MISSPELT)
def test_a_misspelt_word_of_the_language_is_told(old: str, new: str, said: str | None) -> None:
    report = Report()
    build_text(GAME.replace(old, new, 1), report)
    (fault,) = [each for each in report.in_order() if each.severity == "error"]
    assert (said is None and fault.help is None) or (said or "-") in (fault.help or "")
