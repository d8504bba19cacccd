"""Scenarios are run as they say; what differs is told with its line; what was run is counted."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.coverage import Coverage
from interpreter.game import Game
from interpreter.mutation import Mutant, list_mutants, mutated
from interpreter.proving import Bench, Suite, Trial, run_suite, try_mutants
from interpreter.scenario import Result, run_scenario
from rulespec.diagnostics import Report
from rulespec.loader import load_text
from rulespec.passes import Built, build_text
from rulespec.scenario_reader import read_scenarios
from rulespec.scenarios import compile_scenarios

GAME = """\
rulespec: 1
game: pairs
title: {en: Pairs}
players: 2
seats: [red, blue]
tokens: {card: {prints: label, starts_in: deck}}
zones:
  deck:  {holds: card, order: shuffled, seen_by: nobody}
  hand:  {each: player, holds: card, seen_by: owner}
  table: {holds: card, seen_by: all}
functions:
  room: 4 - count(table)
  low_cards(player): those(card in hand of player where card.worth < 2)
phases:
  whole_game:
    steps: [deal, play, leave]
  deal:
    quiet: yes
    do: |
      for each player: draw 1 from deck to hand of player
  play:
    turns: each player clockwise from seat(1)
    repeat: round by round, 2 times
    offer: [lay]
    pass: wait
  leave:
    do: |
      if room > 3:
          at the same time, each player:
              choose any number of cards from my hand
          when all have chosen:
              move cards to table
actions:
  lay:
    choose:
      - card from my hand where card.worth < 3
    if:
      room_left: room > 1
    do: |
      move card to table
      draw 1 from deck to my hand
triggers:
  table_full:
    when: count(table) is 3
    do: move table to deck
ranking: most count(hand of player)
tables:
  label:
    columns: {worth: 1..3, copies: 4..4}
    rows: {low: [1, 4], middle: [2, 4], high: [3, 4]}
"""

LAY = "begin: play\n    given: move 1 low from deck to hand of red\n    "


def scenario(body: str, name: str = "s") -> str:
    return f"  - name: {name}\n    players: [red, blue]\n    {body}\n"


@pytest.fixture(scope="module")
def built() -> Built:
    report = Report()
    found = build_text(GAME, report)
    assert found is not None and found.program is not None, [d.message for d in report.in_order()]
    return found


@pytest.fixture(scope="module")
def game(built: Built) -> Game:
    assert built.program is not None
    return Bench(built.program)


def compiled(built: Built, *scenarios: str) -> list[dict[str, Any]]:
    report = Report()
    text = "rulespec: 1\nscenarios_of: pairs\nscenarios:\n" + "".join(scenarios)
    document, _ = load_text(text, "s.yaml", report)
    made = compile_scenarios(built, read_scenarios(document, report), report, {"s.yaml": text})
    assert not report.has_errors, [d.message for d in report.in_order()]
    return made


def run(built: Built, game: Game, body: str) -> Result:
    return run_scenario(game, compiled(built, scenario(body))[0])


PASSING = {
    "from the start": "then: [count(hand of red) is 1]",
    "a phase without by goes on": (
        LAY + "play: [red answers lay(card=low), blue answers wait]\n    offered: [red answers wait]"
    ),
    "without by the phases that follow run too": "begin: deal\n    offered: [red answers wait]",
    "with by the phase runs alone": (
        "begin: deal by red\n    not_offered: [red answers wait]\n    then: [active is red]"
    ),
    "the root phase": "begin: whole_game\n    offered: [red answers wait]",
    "nothing fires in given": (
        "given: move 3 middle from deck to table\n    begin: play\n    then: [count(table) is 3]"
    ),
    "not offered": (
        "given: move 1 high from deck to hand of red\n    begin: play\n    not_offered: [red answers lay(card=high)]"
    ),
    "what is asked": "begin: play\n    asked: [red answers play]",
    "what an owner knows": LAY + "knows: {red: [some(card in hand of red where card is a low)]}",
    "answers in any order": (
        "begin: leave\n    play:\n      - red answers leave(cards=[])\n      - blue answers leave(cards=[])\n"
        "    invariant_to_order: yes"
    ),
}


@pytest.mark.parametrize("body", PASSING.values(), ids=PASSING)
def test_a_scenario_that_tells_what_is_so_passes(built: Built, game: Game, body: str) -> None:
    assert run(built, game, body).failures == []


def test_what_a_rule_that_nobody_performs_leads_to_is_made_with_it(built: Built) -> None:
    assert built.program is not None
    unplayed = Bench(mutated(built.program, "whole_game", ((("body",), []),)))
    laid = "given: move 2 low from deck to hand of red\n    begin: play by red\n"
    played = "    play: [red answers lay(card=low)]\n    then: [count(table) is 1]"
    assert run(built, unplayed, laid + played).failures == []


FAILING = {
    "a number": (
        "then: [count(hand of red) is 2]",
        "line 6: `count(hand of red) is 2` does not hold: `count(hand of red)` is 1",
    ),
    "one part of several": (
        "then: [table is empty and count(deck) > 20]",
        "line 6: `table is empty and count(deck) > 20` does not hold: `count(deck)` is 10",
    ),
    "a player": ("begin: play\n    then: [active is blue]", "line 7: `active is blue` does not hold: `active` is red"),
    "an answer not offered": ("begin: play\n    play: [blue answers wait]", "line 7: "),
    "said to be offered": ("begin: play\n    offered: [red answers lay(card=high)]", "line 7: should be offered, but "),
    "said not to be offered": (
        "begin: play\n    not_offered: [red answers wait]",
        "line 7: should not be offered, but ",
    ),
    "not asked": ("begin: play\n    asked: [red answers leave]", "line 7: `leave` is not asked; asked: "),
    "not known": (
        LAY + "chance: [low]\n    play: [red answers lay(card=low)]\n"
        "    knows: {red: [some(card in hand of red where card is a low)], blue: [low_cards(red) is not empty]}",
        "line 10: blue does not know that `low_cards(red) is not empty`",
    ),
}


@pytest.mark.parametrize(("body", "told"), FAILING.values(), ids=FAILING)
def test_what_differs_is_told_with_its_line_and_what_was_so(built: Built, game: Game, body: str, told: str) -> None:
    failures = run(built, game, body).failures
    assert len(failures) == 1
    assert failures[0].startswith(told), failures


def test_what_was_never_run_is_told(built: Built, game: Game) -> None:
    result = run(built, game, LAY + "play: [red answers lay(card=low)]")
    covered = Coverage()
    assert built.program is not None
    covered.add(built.program, result.covered)
    assert [(gap.rule, gap.what) for gap in covered.gaps()] == [
        ("low_cards", "never started"),
        ("deal", "never started"),
        ("leave", "never started"),
        ("table_full", "never started"),
    ]


def test_a_branch_never_run_is_told_by_its_line(built: Built, game: Game) -> None:
    covered = Coverage()
    assert built.program is not None
    result = run(built, game, "given: move 2 low from deck to table\n    begin: leave")
    covered.add(built.program, result.covered)
    gaps = [gap for gap in covered.gaps() if gap.rule == "leave"]
    assert [GAME.splitlines()[gap.line - 1].strip() for gap in gaps] == ["at the same time, each player:"]


def test_a_small_function_is_counted_where_it_is_called(built: Built, game: Game) -> None:
    assert ("room", 0) in run(built, game, LAY + "offered: [red answers lay(card=low)]").covered


def mutants(built: Built, rule: str) -> dict[str, Mutant]:
    assert built.program is not None
    return {mutant.words: mutant for mutant in list_mutants([built.program], {rule: ("c",)})}


MUTATIONS = {
    "room": ["always 0", "4 becomes 5", "4 becomes 3"],
    "low_cards": ["always empty", "2 becomes 3", "2 becomes 1"],
    "lay": [
        *("body skipped", "condition room_left true", "condition room_left false"),
        *("where of card true", "where of card false", "1 becomes 2", "1 becomes 0", "3 becomes 4", "3 becomes 2"),
        *("1 becomes 2 (2)", "1 becomes 0 (2)"),
    ],
    "table_full": ["always true", "always false", "3 becomes 4", "3 becomes 2", "body skipped"],
    "ranking": ["always 0"],
}


@pytest.mark.parametrize(("rule", "words"), MUTATIONS.items(), ids=MUTATIONS)
def test_a_rule_is_disabled_in_every_way(built: Built, rule: str, words: list[str]) -> None:
    assert set(words) <= set(mutants(built, rule))


def test_of_a_row_what_is_printed_is_changed_but_not_how_many_print_it(built: Built) -> None:
    assert set(mutants(built, "middle")) == {"worth 2 becomes 3"}


def test_ids_of_things_are_no_numbers(built: Built) -> None:
    assert set(mutants(built, "play")) == {"body skipped", "2 becomes 3", "2 becomes 1"}


def test_the_number_of_copies_is_no_mutation_for_the_tokens_are_made(built: Built) -> None:
    assert set(mutants(built, "middle")) == {"worth 2 becomes 3"}


def test_a_mutant_leaves_the_program_it_is_made_of_alone(built: Built) -> None:
    assert built.program is not None
    before = repr(built.program)
    _, rule, change = mutants(built, "lay")["body skipped"].places[0]
    assert mutated(built.program, rule, change)["rules"]["lay"]["body"] == []
    assert repr(built.program) == before


@pytest.mark.parametrize("workers", [1, 2])
def test_a_scenario_notices_a_disabled_rule_or_the_mutant_survives(built: Built, workers: int) -> None:
    assert built.program is not None
    laid = scenario(LAY + "play: [red answers lay(card=low)]\n    then: [count(table) is 1]", "laid")
    suite = Suite((built.program,), tuple((0, each) for each in compiled(built, laid)))
    assert [result.passed for _, result in run_suite(suite, workers)] == [True]
    found = mutants(built, "lay")
    trials = [Trial(found[words], (0,)) for words in ("body skipped", "where of card false", "3 becomes 2")]
    noticed = [(mutant.words, verdict.noticed_by) for mutant, verdict in try_mutants(suite, trials, workers)]
    assert noticed == [("body skipped", "laid"), ("where of card false", "laid"), ("3 becomes 2", None)]


def test_a_mutant_whose_code_cannot_be_made_is_not_noticed(built: Built) -> None:
    assert built.program is not None
    (one,) = compiled(built, scenario(LAY + "play: [red answers lay(card=low)]", "laid"))
    change = ((("body",), [{"op": "no such statement", "at": [1, 1, 1, 1]}]),)
    mutant = Mutant("lay", "body nonsense", "game.yaml", 1, (), ((0, "lay", change),))
    ((_, verdict),) = try_mutants(Suite((built.program,), ((0, one),)), [Trial(mutant, (0,))])
    assert verdict.noticed_by is None
    assert verdict.fault is not None and "no such statement" in verdict.fault


def test_a_place_is_what_the_ranking_says(built: Built, game: Game) -> None:
    deal = "given: move 2 low from deck to hand of red\n    begin: play by red\n    "
    assert run(built, game, deal + "then: [place(red) is 1 and place(blue) is 2]").passed
    assert run(built, game, "then: [every(place(player) is 1 for player)]").passed
    assert run(built, game, deal + "then: [place(first(player where place(player) is 2)) is 2]").passed
    failed = run(built, game, deal + "then:\n      - place(blue) is 1").failures
    assert failed == ["line 9: `place(blue) is 1` does not hold: `place(blue)` is 2"]


@pytest.mark.parametrize(("chance", "left"), [("[low, high]", None), ("[low, high, low]", "`low`")])
def test_chance_that_is_never_asked_for_is_a_failure(built: Built, game: Game, chance: str, left: str | None) -> None:
    failures = run(built, game, f"chance: {chance}\n    begin: deal by red").failures
    assert failures == ([] if left is None else [f"line 6: chance was never asked for {left}"])
