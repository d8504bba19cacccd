"""The clauses of Via Romana are all there, each has a scenario, every scenario passes, and every rule is noticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.cli.proofs import clauses_of
from rulespec.diagnostics import Report
from rulespec.library import find_game
from rulespec.reader_texts import Clause

GAME = find_game("via_romana")
RULEBOOK, RULINGS = range(1, 91), range(101, 133)


@pytest.fixture(scope="module")
def clauses() -> dict[str, Clause]:
    report = Report()
    found = clauses_of(GAME, report)
    assert not report.diagnostics
    return found


def test_every_sentence_and_every_ruling_is_a_clause(clauses: dict[str, Clause]) -> None:
    assert list(clauses) == [f"V-{number:02}" for number in (*RULEBOOK, *RULINGS)]


def test_a_clause_points_to_a_rule_and_a_ruling_says_why(clauses: dict[str, Clause]) -> None:
    assert [clause.id for clause in clauses.values() if not clause.rules or not clause.section] == []
    assert [f"V-{n}" for n in RULINGS if not clauses[f"V-{n}"].why] == []


def test_every_clause_is_named_by_a_scenario(clauses: dict[str, Clause]) -> None:
    folder = Path(GAME).parent / "scenarios"
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.yaml")))
    lines = [line for line in text.splitlines() if line.strip().startswith("clauses: [")]
    named = {id.strip() for line in lines for id in line.partition("[")[2].rstrip("]").split(",")}
    assert named == set(clauses)
