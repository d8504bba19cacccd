"""Clauses of a rulebook proved: each has a scenario, and each rule it points to is noticed when it is disabled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from interpreter.mutation import Mutant, list_mutants
from interpreter.proving import Trial, setting_of, try_mutants
from rulespec.cli.clauses import clauses_of, names_of
from rulespec.cli.scenario_runs import Run, suite_of
from rulespec.diagnostics import Report, counted
from rulespec.reader_texts import Clause

Progress = Callable[[int, int], None]


@dataclass
class Proof:
    """What came of proving the clauses of one game."""

    game: Path
    clauses: dict[str, Clause]
    mutants: int = 0
    survivors: list[Mutant] = field(default_factory=list)
    explained: list[tuple[Mutant, str]] = field(default_factory=list)
    unproved: list[Clause] = field(default_factory=list)
    """Clauses that no scenario names."""
    unknown_rules: list[tuple[Clause, str]] = field(default_factory=list)
    unknown_clauses: list[tuple[Run, str]] = field(default_factory=list)
    broken: list[tuple[Mutant, str]] = field(default_factory=list)
    """Mutants that could not be tried, through a fault that is not the game's."""
    needless: list[tuple[Clause, str]] = field(default_factory=list)
    """Explanations of mutations that do not survive, or that there are not."""

    @property
    def complete(self) -> bool:
        """Whether nothing is left to mend."""
        return not (self.survivors or self.unproved or self.unknown_rules or self.unknown_clauses or self.broken)

    def place(self, mutant: Mutant) -> str:
        """Return the file and line of a mutation."""
        beside = self.game.parent / mutant.file
        return f"{beside.as_posix() if beside.is_file() else mutant.file}:{mutant.line}"

    def to_dict(self) -> dict[str, Any]:
        """Return the proof as JSON values."""
        return {
            "game": self.game.as_posix(),
            "clauses": len(self.clauses),
            "mutations": self.mutants,
            "survivors": [self._entry(mutant) for mutant in self.survivors],
            "explained": [{**self._entry(mutant), "why": why} for mutant, why in self.explained],
            "not_tried": [{**self._entry(mutant), "fault": fault} for mutant, fault in self.broken],
            "clauses_without_scenario": [clause.id for clause in self.unproved],
            "unknown_rules": [{"clause": clause.id, "rule": rule} for clause, rule in self.unknown_rules],
            "unknown_clauses": [{"scenario": run.result.name, "clause": id} for run, id in self.unknown_clauses],
            "needless_explanations": [{"clause": clause.id, "mutation": name} for clause, name in self.needless],
        }

    def _entry(self, mutant: Mutant) -> dict[str, Any]:
        file, _, line = self.place(mutant).rpartition(":")
        return {"file": file, "line": int(line), "mutation": mutant.name, "clauses": list(mutant.clauses)}

    def told(self) -> str:
        """Return the proof as text: what is to be mended, what is explained, the figures."""
        lines = [f"{clause.span.file}:{clause.span.line}: {clause.id} has no scenario" for clause in self.unproved]
        lines += [f"{c.span.file}:{c.span.line}: {c.id}: no rule or row is named `{r}`" for c, r in self.unknown_rules]
        lines += [f"{run.place[0]}:{run.place[1]}: there is no clause `{id}`" for run, id in self.unknown_clauses]
        lines += [f"{self.place(m)}: survives: {m.name} ({', '.join(m.clauses)})" for m in self.survivors]
        lines += [f"{self.place(m)}: explained: {m.name}: {why}" for m, why in self.explained]
        lines += [f"{c.span.file}:{c.span.line}: needless explanation: `{name}`" for c, name in self.needless]
        lines += [f"{self.place(m)}: cannot be tried: {m.name}: {fault}" for m, fault in self.broken]
        noticed = self.mutants - len(self.survivors) - len(self.explained) - len(self.broken)
        figures = f"{counted(len(self.clauses), 'clause')}, {counted(self.mutants, 'mutation')}: {noticed} noticed"
        figures += f", {len(self.explained)} explained, {len(self.survivors)} survive"
        return "\n".join([*lines, figures + (f", {len(self.broken)} not tried" if self.broken else "")])


def prove(game: Path, runs: Sequence[Run], report: Report, workers: int, progress: Progress) -> Proof:
    """Return what is proved by scenarios of a game that have been run; those that fail prove nothing."""
    proof = Proof(game, clauses_of(game, report))
    sound = [run for run in runs if run.result.passed]
    named = {id for run in sound for id in run.result.clauses}
    proof.unproved = [clause for clause in proof.clauses.values() if clause.id not in named]
    if not proof.clauses or not sound:
        return proof
    proof.unknown_clauses = [(run, id) for run in runs for id in run.result.clauses if id not in proof.clauses]
    suite = suite_of([run.case for run in sound])
    known = {name for program in suite.programs for name in names_of(program)}
    proof.unknown_rules = [(c, r.text) for c in proof.clauses.values() for r in c.rules if r.text not in known]
    mutants = list_mutants(suite.programs, _by_rule(proof.clauses))
    trials = [_trial(mutant, sound) for mutant in mutants]
    proof.mutants = len(trials)
    for number, (mutant, verdict) in enumerate(try_mutants(suite, trials, workers), 1):
        progress(number, len(trials))
        if verdict.fault is not None:
            proof.broken.append((mutant, verdict.fault))
        elif verdict.noticed_by is None:
            _survived(proof, mutant)
    explained = {mutant.name for mutant, _ in proof.explained}
    proof.needless = [(c, name) for c in proof.clauses.values() for name, _ in c.survives if name not in explained]
    return proof


def _by_rule(clauses: dict[str, Clause]) -> dict[str, tuple[str, ...]]:
    """Return the clauses of each rule or row; one that silent clauses alone point to is left out."""
    found: dict[str, list[str]] = {}
    for clause in clauses.values():
        for rule in clause.rules:
            found.setdefault(rule.text, []).append(clause.id)
    return {rule: tuple(ids) for rule, ids in found.items() if not all(clauses[id].silent for id in ids)}


def _trial(mutant: Mutant, runs: Sequence[Run]) -> Trial:
    """Return a mutant with the scenarios that name one of its clauses: those that ran its rule come first."""
    suite = suite_of([run.case for run in runs])
    rules = {number: rule for number, rule, _ in mutant.places}
    wanted = set(mutant.clauses)
    numbers = [n for n, run in enumerate(runs) if wanted & set(run.result.clauses) and suite.scenarios[n][0] in rules]

    def order(number: int) -> tuple[bool, int, str, int]:
        program = suite.scenarios[number][0]
        ran = any(name == rules[program] for name, _ in runs[number].result.covered)
        return (not ran, program, setting_of(suite, number), number)

    return Trial(mutant, tuple(sorted(numbers, key=order)))


def _survived(proof: Proof, mutant: Mutant) -> None:
    for id in mutant.clauses:
        why = dict(proof.clauses[id].survives).get(mutant.name)
        if why is not None:
            proof.explained.append((mutant, why))
            return
    proof.survivors.append(mutant)
