"""Scenarios of a game run under variants they do not list: what fails names the clauses the variants change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulespec import library
from rulespec.cli.scenario_paths import Group
from rulespec.cli.scenario_runs import Run, cases_in, cases_under, run_cases
from rulespec.diagnostics import Report
from rulespec.passes import build_all
from rulespec.scenarios import Case, Unread, find_variant


@dataclass
class Comparison:
    """What came of running a game's scenarios under variants."""

    group: Group
    variants: tuple[str, ...]
    runs: list[Run]
    """The scenarios without variants, run under these, and those that list just these."""
    changed: list[Run]
    """Scenarios that fail under the variants and pass without."""
    refused: list[tuple[Case, str]]
    """Scenarios that name what is no longer there under the variants, and what is wrong."""
    unread: list[Unread]
    """Scenarios that cannot be read, whatever the variants."""

    @property
    def clauses(self) -> list[str]:
        """The clauses these variants change."""
        named = [run.result.clauses for run in self.changed] + [case.scenario["clauses"] for case, _ in self.refused]
        return sorted({id for ids in named for id in ids}, key=lambda id: (len(id), id))

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON values."""
        return {
            "game": self.group.name,
            "variants": list(self.variants),
            "changed_clauses": self.clauses,
            "changed_scenarios": [run.to_dict() for run in self.changed],
            "refused_scenarios": [{"name": case.scenario["name"], "message": text} for case, text in self.refused],
        }

    def told(self) -> str:
        """Return the comparison as text: every scenario that fails, and the clauses they name."""
        lines = [run.told() for run in self.runs if not run.result.passed]
        for case, text in self.refused:
            file, line = case.scenario["at"][:2]
            lines.append(f"{file}:{line}: cannot be told under {self._name}: {case.scenario['name']}\n  {text}")
        ids = ", ".join(self.clauses)
        if self.changed or self.refused:
            lines.append(f"clauses this variant changes ({self._name}): {ids or 'none that a scenario names'}")
        else:
            lines.append(f"{self._name} changes no clause of {self.group.name}")
        return "\n".join(lines)

    @property
    def _name(self) -> str:
        return " + ".join(self.variants)


def compare(group: Group, names: Sequence[str], report: Report, workers: int) -> Comparison | None:
    """Return what variants change in the scenarios of a game; None where they are no variants of it."""
    chosen = [_resolved(name, group) for name in names]
    if any(each is None for each in chosen):
        return None
    paths = [each for each in chosen if each is not None]
    own = Report()
    built = build_all(group.game, paths, own)
    if built is None or built.program is None:
        for diagnostic in own.diagnostics:
            report.add(diagnostic)
        return Comparison(group, tuple(names), [], [], [], [])
    variants = tuple(built.program["variants"])
    read = cases_in(group, report)
    cases = read.ready
    plain = run_cases([case for case in cases if not case.scenario["variants"]], workers)
    faults = Report()
    under = run_cases(cases_under(group, paths, faults), workers)
    listing = run_cases([case for case in cases if tuple(case.program["variants"]) == variants], workers)
    sound = {run.place for run in plain if run.result.passed}
    changed = [run for run in under if not run.result.passed and run.place in sound]
    told = {run.place for run in under}
    refused = [(run.case, _fault_of(run, faults)) for run in plain if run.place not in told]
    return Comparison(group, variants, [*under, *listing], changed, refused, read.unread)


def _resolved(name: str, group: Group) -> Path | None:
    """Return the file of a variant of a group's game, or None."""
    path = Path(name)
    if path.is_file():
        return path if library.named_in(path, "of") == group.name else None
    found = find_variant(name, group.game, group.files[0])
    try:
        return library.find_variant(found, group.game)
    except library.UnknownNameError:
        return None


def _fault_of(run: Run, faults: Report) -> str:
    """Return the first fault within a scenario."""
    file, line = run.place
    end = run.case.scenario["at"][3]
    for fault in faults.in_order():
        if fault.span.file == file and fault.severity == "error" and line <= fault.span.line:
            return f"{fault.span}: {fault.message}"
    return f"{file}:{end}: it does not fit"
