"""What is asked of every published game: short clauses, scenarios that pass and run everything, mutations noticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.coverage import Coverage
from rulespec.cli.proofs import clauses_of, prove
from rulespec.cli.scenario_runs import Run
from rulespec.diagnostics import Report
from rulespec.library import find_game

FEWEST_MUTATIONS = {"via_romana": 190, "senator": 130, "roma": 200, "augustus": 320}


@pytest.fixture(scope="module", params=list(FEWEST_MUTATIONS))
def name(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture(scope="module")
def runs(name: str, cases_of, run_case) -> list[Run]:
    return [Run(case, run_case(case)) for case in cases_of(name)]


def test_every_published_game_is_asked() -> None:
    assert set(FEWEST_MUTATIONS) == {
        path.parent.name for path in (Path(__file__).parents[2] / "games").glob("*/game.yaml")
    }


def test_a_clause_is_short_enough_for_one_line(name: str) -> None:
    clauses = clauses_of(find_game(name), Report())
    assert [clause.id for clause in clauses.values() if not 0 < len(clause.says) <= 100] == []


@pytest.mark.slow
def test_every_scenario_passes(runs: list[Run]) -> None:
    assert [run.told() for run in runs if not run.result.passed] == []


@pytest.mark.slow
def test_scenarios_run_every_rule_and_branch(runs: list[Run]) -> None:
    covered = Coverage()
    for run in runs:
        covered.add(run.case.program, run.result.covered)
    assert covered.gaps() == []


@pytest.mark.slow
@pytest.mark.long
def test_no_mutation_survives_unexplained_and_every_clause_has_a_scenario(name: str, runs: list[Run]) -> None:
    proof = prove(find_game(name), runs, Report(), 2, lambda done, total: None)
    assert proof.told().splitlines()[:-1] == [line for line in proof.told().splitlines() if "explained: " in line]
    assert proof.complete and not proof.needless
    assert proof.mutants >= FEWEST_MUTATIONS[name]
