"""Twelve specs of a screenful each, one for every construct that is hard to say: valid, short, and proved."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.cli.checking import check_file
from rulespec.cli.scenario_paths import game_of
from rulespec.diagnostics import Report

HERE = Path(__file__).parent
SPECS = sorted(HERE.glob("*.yaml"))
MARKED = [pytest.param(path, marks=pytest.mark.slow if path.stem[:2] == "12" else ()) for path in SPECS]
"""The twelfth is a variant of a large game, which takes seconds to compile."""

LEAST_LINES, MOST_LINES = 10, 40


def names(paths: list[Path]) -> list[str]:
    return [path.stem for path in paths]


def test_there_are_twelve_each_with_scenarios() -> None:
    assert len(SPECS) == 12
    assert names(sorted((HERE / "scenarios").glob("*.yaml"))) == names(SPECS)


@pytest.mark.parametrize("spec", SPECS, ids=names(SPECS))
def test_a_micro_spec_has_ten_to_forty_lines(spec: Path) -> None:
    assert LEAST_LINES <= len(spec.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


@pytest.mark.parametrize("spec", MARKED, ids=names(SPECS))
def test_a_micro_spec_is_valid(spec: Path) -> None:
    report = Report()
    check_file(spec, report)
    assert [each.message for each in report.in_order() if each.severity == "error"] == []


@pytest.mark.parametrize("spec", MARKED, ids=names(SPECS))
def test_the_scenarios_of_a_micro_spec_pass(cases_of, run_case, spec: Path) -> None:
    file = HERE / "scenarios" / spec.name
    cases = cases_of(game_of(file), file)
    assert len(cases) >= 2
    assert {case.scenario["name"]: run_case(case).failures for case in cases} == {
        case.scenario["name"]: [] for case in cases
    }
