"""Augustus: its table adds up, its clauses have scenarios that notice every rule, all place at once in any order."""

from __future__ import annotations

import csv
import random
import re
from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest

import rulespec
from interpreter import Game, State
from interpreter.simulate import Run as Play
from interpreter.simulate import simulate
from rulespec.cli.proofs import clauses_of
from rulespec.diagnostics import Report
from rulespec.library import find_game
from rulespec.reader_texts import Clause

GAME = find_game("augustus")
FOLDER = Path(GAME).parent
HERE = Path(__file__).parent
CIVIL_WAR = HERE / "augustus_civil_war.yaml"
RULEBOOK, RULINGS = range(1, 63), range(101, 167)
SYMBOLS = ("sword", "shield", "chariot", "catapult", "standard", "dagger")
REWARDS = (
    *("three_senators", "three_greens", "one_of_each", "three_pinks", "three_oranges"),
    *("two_objectives", "three_objectives", "four_objectives", "five_objectives", "six_objectives"),
    *("gold_reward", "wheat_reward"),
)


@pytest.fixture(scope="module")
def objectives() -> list[dict[str, str]]:
    with (FOLDER / "objectives.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def clauses() -> dict[str, Clause]:
    report = Report()
    found = clauses_of(GAME, report)
    assert not report.diagnostics
    return found


@pytest.fixture(scope="module")
def scenario_lines() -> list[str]:
    texts = [path.read_text(encoding="utf-8") for path in sorted((FOLDER / "scenarios").glob("*.yaml"))]
    return "\n".join(texts).splitlines()


@pytest.fixture(scope="module")
def game() -> Game:
    return rulespec.load("augustus")


# ------------------------------------------------------------------------------------------- the table


def test_the_icons_of_the_deck_add_up(objectives: list[dict[str, str]]) -> None:
    assert [int(row["numeral"]) for row in objectives] == list(range(1, 89))
    totals = {symbol: sum(int(row[f"icons.{symbol}"]) for row in objectives) for symbol in SYMBOLS}
    assert list(totals.values()) == [96, 88, 72, 56, 48, 28]
    sizes = Counter(sum(int(row[f"icons.{symbol}"]) for symbol in SYMBOLS) for row in objectives)
    assert sizes == {2: 2, 3: 8, 4: 40, 5: 28, 6: 10}


def test_the_points_and_colours_of_the_deck_add_up(objectives: list[dict[str, str]]) -> None:
    assert Counter(row["colour"] for row in objectives) == {"senator": 34, "green": 28, "pink": 18, "orange": 8}
    points = Counter[str]()
    for row in objectives:
        points[row["colour"]] += int(row["points"])
    assert points == {"senator": 157, "green": 127, "pink": 108, "orange": 44}
    assert Counter(row["gives"] for row in objectives if row["gives"]) == {"gold": 5, "wheat": 5, "gold wheat": 2}


def power_of(row: dict[str, str]) -> tuple[str, ...]:
    return (row["power"], row["amount"], row["symbols"], row["cap"], row["colours"])


def test_each_of_the_33_kinds_of_power_is_on_two_objectives(objectives: list[dict[str, str]]) -> None:
    kinds = Counter(power_of(row) for row in objectives)
    assert kinds.pop(("none", "", "", "", "")) == 22
    assert len(kinds) == 33
    assert set(kinds.values()) == {2}
    named = Counter(row["power"] for row in objectives)
    scoring = sum(named[name] for name in ("score_symbols", "score_colours", "score_reds"))
    red = sum(named[name] for name in ("rivals_lose_legions", "rivals_clear_objective", "rivals_lose_controlled"))
    assert (scoring, named["swap_symbols"], red, named["place_legions"]) == (22, 10, 8, 16)


# ------------------------------------------------------------------------------------- clauses, scenarios


def test_every_sentence_and_every_ruling_is_a_clause(clauses: dict[str, Clause]) -> None:
    assert list(clauses) == [f"A-{number:02}" for number in (*RULEBOOK, *RULINGS)]


def test_a_clause_points_to_a_rule_and_a_ruling_says_why(clauses: dict[str, Clause]) -> None:
    assert [clause.id for clause in clauses.values() if not clause.rules or not clause.section] == []
    assert [f"A-{n}" for n in RULINGS if not clauses[f"A-{n}"].why] == []


def test_every_clause_is_named_by_a_scenario(clauses: dict[str, Clause], scenario_lines: list[str]) -> None:
    lists = re.findall(r"clauses: \[([^\]]*)\]", "\n".join(scenario_lines))
    assert {id.strip() for ids in lists for id in ids.split(",")} == set(clauses)


def test_every_kind_of_power_and_every_reward_is_in_a_scenario(
    objectives: list[dict[str, str]], scenario_lines: list[str]
) -> None:
    """A power: one of its objectives is resolved or controlled. A reward: it is won."""
    used = " ".join(line for line in scenario_lines if "begin:" in line or "waiting" in line or "controlled" in line)
    told = {power_of(row) for row in objectives if row["row"] in used}
    assert told == {power_of(row) for row in objectives}
    assert [name for name in REWARDS if f"{name} in won of " not in "\n".join(scenario_lines)] == []


# ----------------------------------------------------------------------------------------------- play


def test_few_actions_have_numbers(game: Game) -> None:
    assert game.num_distinct_actions() <= 2000
    assert game.num_players_range() == (2, 6)


def random_answer(state: State, seat: int, rng: random.Random) -> None:
    state.apply_action(rng.choice(state.legal_actions(seat)), seat)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 6])
def test_a_game_is_ended_by_its_rules_and_every_position_holds(game: Game, players: int) -> None:
    state, rng = game.new_initial_state(players=players, seed=players), random.Random(players)
    while not state.is_terminal():
        assert state.check_invariants() == []
        random_answer(state, state.pending_players()[0], rng)
    assert not state.is_truncated()
    controlled = [len(state.observation(0)["zones"][f"controlled of {game.seats[seat]}"]) for seat in range(players)]
    assert max(controlled) >= 7
    assert state.decisions * 5 < game.max_game_length(players)


def answers_of(state: State, seat: int, rng: random.Random) -> list[int]:
    """Return what a player answers in one round until he is asked no more."""
    alone, given = state.clone(), list[int]()
    while seat in alone.pending_players():
        given.append(rng.choice(alone.legal_actions(seat)))
        alone.apply_action(given[-1], seat)
    return given


def joined(state: State, order: tuple[int, ...], answers: dict[int, list[int]], saved: bool) -> State:
    """Return the state after all answers, seat after seat, read back from its text between two if *saved*."""
    after = state.clone()
    for seat in order:
        for action in answers[seat]:
            after.apply_action(action, seat)
            if saved:
                after = after.game.state_from_json(after.to_json())
    return after


@pytest.mark.slow
def test_simultaneous_placement_comes_to_the_same_in_any_order_also_when_saved_between(game: Game) -> None:
    state, rng = game.new_initial_state(players=3, seed=7), random.Random(7)
    compared = 0
    while compared < 6:
        if state.is_simultaneous_node() and len(state.pending_players()) == 3 and rng.random() < 0.4:
            answers = {seat: answers_of(state, seat, rng) for seat in range(3)}
            found = {joined(state, order, answers, False).position_hash() for order in permutations(range(3))}
            found.add(joined(state, (2, 0, 1), answers, True).position_hash())
            assert len(found) == 1
            compared += 1
        random_answer(state, rng.choice(state.pending_players()), rng)


# ------------------------------------------------------------------------------------------- a variant


@pytest.mark.slow
def test_a_variant_adds_changes_and_removes_without_touching_the_game(cases_of, run_case) -> None:
    cases = cases_of("augustus", HERE / "scenarios" / "augustus_civil_war.yaml")
    assert len(cases) == 6
    assert [run_case(case).failures for case in cases if not run_case(case).passed] == []


@pytest.mark.slow
def test_that_variant_is_played_to_its_end() -> None:
    game = rulespec.load("augustus", variants=[str(CIVIL_WAR)])
    asked = {ask["name"].partition(".")[0] for ask in game.program["asks"]}
    assert "retreat_from" in asked and "claim" not in asked
    result = simulate(game, 1, Play(players=2, seed=1, check=True))
    assert (result["failures"], result["terminal"]) == ([], 1)
