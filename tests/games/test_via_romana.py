"""The clauses of Via Romana are all there, each has a scenario, every scenario passes, and every rule is noticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.coverage import Coverage
from rulespec.cli.proofs import clauses_of, prove
from rulespec.cli.scenario_runs import Run
from rulespec.diagnostics import Report
from rulespec.library import find_game
from rulespec.reader_texts import Clause

GAME = find_game("via_romana")
RULEBOOK, RULINGS = range(1, 91), range(101, 133)
FEWEST_MUTATIONS = 190


@pytest.fixture(scope="module")
def clauses() -> dict[str, Clause]:
    report = Report()
    found = clauses_of(GAME, report)
    assert not report.diagnostics
    return found


@pytest.fixture(scope="module")
def runs(cases_of, run_case) -> list[Run]:
    return [Run(case, run_case(case)) for case in cases_of("via_romana")]


def test_every_sentence_and_every_ruling_is_a_clause(clauses: dict[str, Clause]) -> None:
    assert list(clauses) == [f"V-{number:02}" for number in (*RULEBOOK, *RULINGS)]


def test_a_clause_points_to_a_rule_and_a_ruling_says_why(clauses: dict[str, Clause]) -> None:
    assert [clause.id for clause in clauses.values() if not clause.rules or not clause.section] == []
    assert [f"V-{n}" for n in RULINGS if not clauses[f"V-{n}"].why] == []


def test_a_clause_is_short_enough_for_one_line(clauses: dict[str, Clause]) -> None:
    assert [clause.id for clause in clauses.values() if not 0 < len(clause.says) <= 100] == []


def test_every_clause_is_named_by_a_scenario(clauses: dict[str, Clause]) -> None:
    folder = Path(GAME).parent / "scenarios"
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.yaml")))
    lines = [line for line in text.splitlines() if line.strip().startswith("clauses: [")]
    named = {id.strip() for line in lines for id in line.partition("[")[2].rstrip("]").split(",")}
    assert named == set(clauses)


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
def test_no_mutation_survives_unexplained(runs: list[Run]) -> None:
    proof = prove(GAME, runs, Report(), 2, lambda done, total: None)
    assert proof.told().splitlines()[:-1] == [line for line in proof.told().splitlines() if "explained: " in line]
    assert proof.complete and not proof.needless
    assert proof.mutants >= FEWEST_MUTATIONS
