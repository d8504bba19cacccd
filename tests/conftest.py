"""Scenarios of games, compiled once in a session, and games built once for each program."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from interpreter.game import Game
from interpreter.proving import Bench
from interpreter.scenario import Result, run_scenario
from rulespec.diagnostics import Report
from rulespec.scenarios import Case, build_scenarios


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Run on all cores, where pytest-xdist is there and no file was named: `-n 0` runs everything in one process."""
    is_worker = hasattr(config, "workerinput") or "PYTEST_XDIST_WORKER" in os.environ
    is_all = config.args == config.getini("testpaths") and not config.option.usepdb and not config.option.collectonly
    if is_all and not is_worker and getattr(config.option, "numprocesses", 0) is None:
        config.option.numprocesses = os.cpu_count()
        config.option.dist = "loadfile"  # so that what a file compiles once is compiled in one process


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse a test that is long and not slow: it would run while people work."""
    wrong = [item.nodeid for item in items if item.get_closest_marker("long") and not item.get_closest_marker("slow")]
    if wrong:
        raise pytest.UsageError(f"marked long and not slow: {', '.join(wrong)}")


def pytest_collection_finish() -> None:
    """Spare the collector of garbage what stays to the end, modules and tests: looking at them is a tenth of a run."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000)


@pytest.fixture(scope="session")
def cases_of() -> Callable[..., list[Case]]:
    """Return a function that compiles the scenarios of a game (and of given files), each program once."""

    @cache
    def build(game: str | Path, *files: Path) -> list[Case]:
        report = Report()
        cases = build_scenarios(game, report, files or None)
        assert [str(each.message) for each in report.in_order() if each.severity == "error"] == []
        return cases

    return build


@pytest.fixture(scope="session")
def run_case() -> Callable[[Case], Result]:
    """Return a function that runs a scenario; the code of a program is made once for each of its settings."""
    games: dict[int, Game] = {}

    def run(case: Case) -> Result:
        if id(case.program) not in games:
            games[id(case.program)] = Bench(case.program)
        return run_scenario(games[id(case.program)], case.scenario)

    return run
