"""Scenarios of a game built, run and told: what was said, what was so."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interpreter.proving import Suite, run_suite
from interpreter.scenario import Result
from rulespec.cli.scenario_paths import Group
from rulespec.diagnostics import Report
from rulespec.scenarios import Case, Programs, Unread, cases_of

FAILURE = re.compile(r"(?:line (\d+): )?(.*)", re.DOTALL)
CANNOT_READ = "it cannot be read; what is wrong with it is told below"
Advance = Callable[[], None]


@dataclass
class Run:
    """A scenario that has been run."""

    case: Case
    result: Result

    @property
    def place(self) -> tuple[str, int]:
        """The file and line of the scenario."""
        return self.case.scenario["at"][0], self.case.scenario["at"][1]

    def to_dict(self) -> dict[str, Any]:
        """Return the run as JSON values."""
        file, line = self.place
        return {
            "file": file,
            "line": line,
            "name": self.result.name,
            "clauses": self.result.clauses,
            "variants": list(self.case.program["variants"]),
            "passed": self.result.passed,
            "failures": [{"line": at, "message": text} for at, text in self.failures()],
        }

    def failures(self) -> list[tuple[int, str]]:
        """Return what differs, each with its line."""
        found = []
        for text in self.result.failures:
            match = FAILURE.fullmatch(text)
            assert match is not None
            found.append((int(match.group(1) or self.place[1]), match.group(2)))
        return found

    def told(self) -> str:
        """Return a failed run as text: the scenario, and below it what was said and what was so."""
        file, line = self.place
        under = f" under {' + '.join(self.case.program['variants'])}" if self.case.program["variants"] else ""
        lines = [f"{file}:{line}: failed{under}: {self.result.name}"]
        return "\n".join(lines + [f"  {file}:{at}: {text}" for at, text in self.failures()])


@dataclass(frozen=True)
class Cases:
    """The scenarios of a group that can be run, and those that cannot be read."""

    ready: list[Case]
    unread: list[Unread]


def cases_in(group: Group, report: Report) -> Cases:
    """Return the scenarios of a group, compiled; what is wrong is reported."""
    programs = Programs(group.game, report)
    cases = [case for file in group.files for case in cases_of(file, programs)]
    ready = [case for case in cases if group.only is None or group.only in case.scenario["variants"]]
    return Cases(ready, programs.unread)


def unread_dict(unread: Unread) -> dict[str, Any]:
    """Return a scenario that cannot be read as a failed one, in the form of `Run.to_dict`."""
    place = {"file": unread.span.file, "line": unread.span.line, "name": unread.name}
    failure = {"line": unread.span.line, "message": CANNOT_READ}
    return {**place, "clauses": [], "variants": [], "passed": False, "failures": [failure]}


def told_unread(unread: Unread) -> str:
    """Return a scenario that cannot be read as text."""
    return f"{unread.span.file}:{unread.span.line}: failed: {unread.name}\n  {CANNOT_READ}"


def cases_under(group: Group, variants: Sequence[Path | str], report: Report) -> list[Case]:
    """Return the scenarios of a group that list no variant, compiled under these."""
    programs = Programs(group.game, report)
    return [case for file in group.files for case in cases_of(file, programs, variants)]


def suite_of(cases: Sequence[Case]) -> Suite:
    """Return cases of one game as the runtime takes them: the program with the fewest variants comes first."""
    programs: dict[int, dict[str, Any]] = {id(case.program): case.program for case in cases}
    ordered = sorted(programs.values(), key=lambda program: len(program["variants"]))
    numbers = {id(program): number for number, program in enumerate(ordered)}
    return Suite(tuple(ordered), tuple((numbers[id(case.program)], case.scenario) for case in cases))


def run_cases(cases: Sequence[Case], workers: int, advance: Advance = lambda: None) -> list[Run]:
    """Run scenarios of one game, in their order."""
    results: dict[int, Result] = {}
    for number, result in run_suite(suite_of(cases), workers):
        results[number] = result
        advance()
    return [Run(case, results[number]) for number, case in enumerate(cases)]
