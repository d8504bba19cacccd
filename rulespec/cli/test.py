"""`rulespec test`: scenarios run and compared, under variants too; what they leave out; what they prove."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from interpreter.coverage import Coverage
from rulespec import library
from rulespec.cli.exits import DONE, FINDINGS, CommandError
from rulespec.cli.faults import told
from rulespec.cli.output import FORMAT, emit_json, note, progress_bar, say
from rulespec.cli.proofs import Proof, prove
from rulespec.cli.scenario_paths import Group, groups_of
from rulespec.cli.scenario_runs import Run, cases_in, run_cases, told_unread, unread_dict
from rulespec.cli.variant_runs import Comparison, compare
from rulespec.diagnostics import Report
from rulespec.render import to_dicts
from rulespec.scenarios import Unread, scenario_files


@click.command("test")
@click.argument("paths", metavar="[PATH...]", nargs=-1)
@click.option("--variant", multiple=True, metavar="V", help="lay a variant over the scenarios that list none")
@click.option("--coverage", is_flag=True, help="say which rules and branches no scenario used")
@click.option("--mutate", is_flag=True, help="switch off each rule with a clause; a scenario must notice")
@click.option("--workers", type=click.IntRange(min=1), metavar="N", help="processes (default: one for each core)")
@FORMAT
def command(
    paths: tuple[str, ...], variant: tuple[str, ...], coverage: bool, mutate: bool, workers: int | None, form: str
) -> int:
    """Run the scenarios of games, variants, folders or files; without any, those of all games that come with rulespec.

    With --variant the scenarios that list no variant run under it: those that fail name the clauses it changes.
    """
    if variant and mutate:
        raise CommandError("usage", "--mutate runs scenarios as they are; it does not go with --variant")
    groups = groups_of(paths)
    session = Session(workers or os.cpu_count() or 1, form == "text")
    if not groups:
        session.tell(f"no scenarios in {', '.join(paths) if paths else 'any game'}")
    for group in groups:
        if mutate:
            group.files = list(dict.fromkeys([*group.files, *scenario_files(group.game)]))
    if variant:
        session.run_under(groups, variant, coverage)
    else:
        session.run(groups, coverage, mutate)
    return session.finish()


class Session:
    """One call of the command: what has been run so far, told as it comes or at the end as JSON."""

    def __init__(self, workers: int, as_text: bool) -> None:
        self.workers, self.as_text = workers, as_text
        self.report = Report()
        self.runs: list[Run] = []
        self.unread: list[Unread] = []
        self.comparisons: list[Comparison] = []
        self.proofs: list[Proof] = []
        self.gaps: list[dict[str, Any]] | None = None

    def tell(self, text: str) -> None:
        """Print a line of the result, unless JSON is wanted."""
        if self.as_text:
            say(text)

    def run(self, groups: Sequence[Group], coverage: bool, mutate: bool) -> None:
        """Run the scenarios of all groups as they are."""
        for group in groups:
            runs = self._run_group(group)
            if coverage:
                self._tell_coverage(group, runs)
            if mutate:
                self._prove(group, runs)

    def run_under(self, groups: Sequence[Group], variants: Sequence[str], coverage: bool) -> None:
        """Run the scenarios that list no variant under these, stacked in this order."""
        comparisons = [found for group in groups if (found := compare(group, variants, self.report, self.workers))]
        if groups and not comparisons:
            known = sorted({name for group in groups for name in library.list_variants(group.game)})
            listed = ", ".join(f"`{name}`" for name in known) or "none"
            message = f"no variant of these games is named `{variants[0]}`"
            raise CommandError("unknown-variant", message, f"variants there are: {listed}")
        for comparison in comparisons:
            self.comparisons.append(comparison)
            self.runs += comparison.runs
            self._tell_unread(comparison.unread)
            self.tell(comparison.told())
            if coverage:
                self._tell_coverage(comparison.group, comparison.runs)

    def finish(self) -> int:
        """Tell the figures and return the exit code."""
        faults = [each for each in self.report.in_order() if each.severity == "error"]
        failed = sum(not run.result.passed for run in self.runs) + sum(len(c.refused) for c in self.comparisons)
        failed += len(self.unread)
        passed = sum(run.result.passed for run in self.runs)
        if self.as_text:
            if faults:
                note(told(faults))
            say(f"{passed} passed, {failed} failed")
        else:
            listed = [*(run.to_dict() for run in self.runs), *(unread_dict(each) for each in self.unread)]
            data: dict[str, Any] = {"passed": passed, "failed": failed, "scenarios": listed}
            data |= {"faults": to_dicts(faults), "variants": [each.to_dict() for each in self.comparisons]}
            emit_json(data | {"coverage": self.gaps, "mutation": [proof.to_dict() for proof in self.proofs]})
        unproved = any(not proof.complete for proof in self.proofs)
        return FINDINGS if failed or faults or unproved else DONE

    def _run_group(self, group: Group) -> list[Run]:
        found = cases_in(group, self.report)
        cases = found.ready
        self._tell_unread(found.unread)
        with progress_bar() as bar:
            task = bar.add_task(group.name, total=len(cases))
            runs = run_cases(cases, self.workers, lambda: bar.advance(task))
        for run in runs:
            if not run.result.passed:
                self.tell(run.told())
        self.runs += runs
        return runs

    def _tell_unread(self, unread: Sequence[Unread]) -> None:
        self.unread += unread
        for each in unread:
            self.tell(told_unread(each))

    def _tell_coverage(self, group: Group, runs: Sequence[Run]) -> None:
        covered = Coverage()
        for run in runs:
            covered.add(run.case.program, run.result.covered)
        self.gaps = self.gaps or []
        for gap in covered.gaps():
            file = _beside(group.game, gap.file)
            self.gaps.append({"game": group.name, "rule": gap.rule, "file": file, "line": gap.line, "what": gap.what})
            self.tell(f"{file}:{gap.line}: `{gap.rule}`: {gap.what}")
        count = len({name for name, _ in covered.rules})
        self.tell(f"{group.name}: {count} rules, {len(covered.gaps())} rules or branches never run")

    def _prove(self, group: Group, runs: Sequence[Run]) -> None:
        with progress_bar() as bar:
            task = bar.add_task(f"{group.name}: mutations", total=None)
            proof = prove(
                group.game,
                runs,
                self.report,
                self.workers,
                lambda done, total: bar.update(task, completed=done, total=total),
            )
        self.proofs.append(proof)
        self.tell(
            proof.told()
            if proof.clauses
            else f"{group.name}: no clauses to prove; `clauses.yaml` lists them, with their rules"
        )


def _beside(game: Path, file: str) -> str:
    """Return the path of a file of a game, as a program names it."""
    path = game.parent / file
    return path.as_posix() if path.is_file() else file
