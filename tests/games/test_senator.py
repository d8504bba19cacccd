"""Senator: its clauses are all proved, every rule is noticed, its texts are whole, a variant reaches everywhere."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import rulespec
from interpreter import Game
from interpreter.simulate import Run as Play
from interpreter.simulate import simulate
from rulespec.cli.proofs import clauses_of
from rulespec.diagnostics import Report
from rulespec.library import find_game
from rulespec.reader_texts import Clause

GAME = find_game("senator")
HERE = Path(__file__).parent
INTERREGNUM = HERE / "senator_interregnum.yaml"
RULEBOOK, RULINGS = range(1, 113), range(201, 238)
LANGUAGES = ("en", "pl")


@pytest.fixture(scope="module")
def clauses() -> dict[str, Clause]:
    report = Report()
    found = clauses_of(GAME, report)
    assert not report.diagnostics
    return found


@pytest.fixture(scope="module")
def senator() -> Game:
    return rulespec.load("senator")


# --------------------------------------------------------------------------------------------- clauses, scenarios


def test_every_sentence_and_every_ruling_is_a_clause(clauses: dict[str, Clause]) -> None:
    assert list(clauses) == [f"S-{number:02}" for number in (*RULEBOOK, *RULINGS)]


def test_a_clause_points_to_a_rule_and_a_ruling_says_why(clauses: dict[str, Clause]) -> None:
    assert [clause.id for clause in clauses.values() if not clause.rules or not clause.section] == []
    assert [f"S-{n}" for n in RULINGS if not clauses[f"S-{n}"].why] == []


# --------------------------------------------------------------------------------------------- what is in the box


@pytest.mark.slow
def test_the_box_holds_what_the_rulebook_counts(senator: Game) -> None:
    entities = senator.program["entities"]
    first = senator.program["first_token"]
    printed = Counter(entities[row] for row in senator.program["token_rows"] if row >= 0)
    assert {k: printed[k] for k in ("influence_1", "influence_2", "influence_5", "assassin")} == {
        "influence_1": 10, "influence_2": 15, "influence_5": 5, "assassin": 5,
    }  # fmt: skip
    kinds = ("public_works", "revolt", "taxes", "trade", "war", "imperium")
    assert [printed[kind] for kind in kinds] == [5] * 6
    assert sum(printed.values()) == 35 + 30 + 6
    assert len(entities) - first == 35 + 30 + 6 + 3


@pytest.mark.slow
def test_every_rule_and_everything_shown_has_a_text_in_both_languages(senator: Game) -> None:
    texts = senator.program["texts"]
    assert [(s, name) for s, named in texts.items() for name, by in named.items() if set(by) != set(LANGUAGES)] == []
    made = ("ranking.", ".when")
    rules = [rule for rule in senator.program["rules"] if not rule.startswith(made[0]) and not rule.endswith(made[1])]
    assert [rule for rule in rules if rule not in texts["rules"]] == []
    assert [zone["name"] for zone in senator.program["zones"] if zone["name"] not in texts["zones"]] == []
    assert [option["name"] for option in senator.program["options"] if option["name"] not in texts["options"]] == []
    shown = [name for name in senator.program["entities"] if not {"#", "."} & set(name)]
    assert [name for name in shown if name not in texts["values"]] == []


@pytest.mark.slow
def test_actions_are_few_and_told_apart_in_both_languages(senator: Game) -> None:
    assert senator.num_distinct_actions() == 91
    state = senator.new_initial_state(players=5)
    for lang in LANGUAGES:
        words = {state.action_to_string(action, lang) for action in range(senator.num_distinct_actions())}
        assert len(words) == senator.num_distinct_actions()


# --------------------------------------------------------------------------------------------- play


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"lone_debater": "wins_free", "barbarians_reach": "players_too"}], ids=str)
@pytest.mark.parametrize("players", [3, 4, 5])
def test_games_at_random_end_by_the_rules_with_every_invariant_kept(
    senator: Game, players: int, options: dict[str, str]
) -> None:
    result = simulate(senator, 4, Play(players=players, seed=1, options=options, check=True))
    assert (result["failures"], result["terminal"]) == ([], 4)


@pytest.mark.slow
def test_only_the_order_of_the_forum_and_of_the_events_is_unknown(senator: Game) -> None:
    state = senator.new_initial_state(players=3, seed=4, chance="explicit")
    drawn = []
    while state.is_chance_node():
        outcomes = state.chance_outcomes()
        drawn.append({state.action_to_string(outcome): odds for outcome, odds in outcomes})
        state.apply_action(outcomes[0][0])
    assert len(drawn[0]) == 3 and set(drawn[0].values()) == {1 / 3}
    assert drawn[1] == pytest.approx(dict.fromkeys(drawn[1], 1 / 6)) and len(drawn[1]) == 6
    assert drawn[8] == pytest.approx(dict.fromkeys(drawn[8], 1 / 6)) and "spartacus" in drawn[8]
    seen = state.observation(1)["zones"]
    hidden = [name for name, tokens in seen.items() if any(str(token).startswith("?") for token in tokens)]
    assert sorted(hidden) == ["event_deck", "forum"]


# --------------------------------------------------------------------------------------------- a variant of everything


@pytest.mark.slow
def test_a_variant_adds_changes_and_removes_without_touching_the_game(cases_of, run_case) -> None:
    cases = cases_of("senator", HERE / "scenarios" / "senator_interregnum.yaml")
    assert len(cases) == 6
    assert [run_case(case).failures for case in cases if not run_case(case).passed] == []


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 5])
def test_that_variant_is_played_to_its_end(players: int) -> None:
    game = rulespec.load("senator", variants=[str(INTERREGNUM)])
    asked = {ask["name"].partition(".")[0] for ask in game.program["asks"]}
    assert {"temples", "take_vow", "take_vows"} <= asked
    assert "play_assassin" not in asked
    result = simulate(game, 4, Play(players=players, seed=1, options={"vows": 2}, check=True))
    assert (result["failures"], result["terminal"]) == ([], 4)
