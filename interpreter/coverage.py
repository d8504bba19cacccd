"""Which rules and branches of programs were never run: gathered from scenarios, told by file and line.

Programs of one game with different variants share most rules. A rule is the same where its content is the same; so
what one program's scenarios run counts for all.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from interpreter.program import Program
from interpreter.specialise.analysis import Statement, bodies, script_of, walk

RuleKey = tuple[str, str]
"""The name of a rule, and its content."""

NOT_COUNTED = ("invariant", "end")
"""Kinds of rule that are tested at every effect or decision, and are no branch of play."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A rule never started, or a statement of one never run."""

    rule: str
    file: str
    line: int
    what: str


@dataclass
class Coverage:
    """What has been run so far, over all programs taken in."""

    rules: dict[RuleKey, dict[str, Any]] = field(default_factory=dict)
    run: set[tuple[RuleKey, int]] = field(default_factory=set)
    _known: dict[int, tuple[Program, dict[str, RuleKey]]] = field(default_factory=dict)

    def add(self, program: Program, covered: Iterable[tuple[str, int]]) -> None:
        """Take in a program and what one of its scenarios has run: pairs of rule and line, 0 for a rule's start."""
        if id(program) not in self._known:
            self._take(program)
        _, keys = self._known[id(program)]
        for name, line in covered:
            rule, _, number = name.partition("@")
            if rule not in keys:
                continue
            self.run.add((keys[rule], line))
            if number.isdigit():
                self.run |= {(keys[rule], each) for each in _lines_asked(program["rules"][rule], int(number))}

    def _take(self, program: Program) -> None:
        keys = rule_keys(program)
        self._known[id(program)] = (program, keys)
        tested = set(_called_by_ends(program))
        for name, key in keys.items():
            rule = program["rules"][name]
            if rule["kind"] in NOT_COUNTED or (rule["kind"] == "hook" and is_formula(rule)):
                continue
            self.rules.setdefault(key, rule)
            if name in tested:
                self.run.add((key, 0))

    def gaps(self) -> list[Gap]:
        """Return the rules never started, and of the others the statements never run, in the order of the files."""
        found = [gap for key, rule in self.rules.items() for gap in self._gaps_of(key, rule)]
        return sorted(dict.fromkeys(found), key=lambda gap: (gap.file, gap.line, gap.rule))

    def _gaps_of(self, key: RuleKey, rule: dict[str, Any]) -> Iterator[Gap]:
        file, line = rule["at"][0], rule["at"][1]
        lines = {at for known, at in self.run if known == key}
        if not lines:
            yield Gap(key[0], file, line, "never started")
            return
        for statement in _never_run([*rule.get("cost", []), *statements_of(rule)], lines):
            yield Gap(key[0], file, statement["at"][0], f"`{statement['op']}` never run")


def rule_keys(program: Program) -> dict[str, RuleKey]:
    """Return what each rule of a program is known by: its name without the number a variant gave it, its content."""
    return {
        name: (name.split("~")[0], json.dumps([rule["at"], rule["params"], rule["body"], rule.get("ifs")]))
        for name, rule in program["rules"].items()
    }


def is_formula(rule: dict[str, Any]) -> bool:
    """Say whether the body of a rule is one formula."""
    return bool(rule["body"]) and isinstance(rule["body"][0], str)


def statements_of(rule: dict[str, Any]) -> list[Statement]:
    """Return the statements of a rule's body; none where it is a formula."""
    return [] if is_formula(rule) else list(rule["body"])


def _never_run(statements: list[Statement], lines: set[int]) -> Iterator[Statement]:
    """Yield the outermost statements whose line was never run."""
    for statement in statements:
        at = statement.get("at")
        if at and at[0] not in lines:
            yield statement
            continue
        for body in bodies(statement):
            yield from _never_run(body, lines)


def _lines_asked(rule: dict[str, Any], number: int) -> Iterator[int]:
    """Yield the lines of a block done at the same time: RULE@N is what one player is asked in it, counted as one."""
    blocks = [each for each in walk(script_of(rule)) if each["op"] == "simultaneous"]
    yield from (each["at"][0] for each in blocks[number]["body"])


def _called_by_ends(program: Program) -> Iterator[str]:
    """Yield the functions the ends of the game call, directly or not: they are tested whenever the ends are."""
    waiting, seen = list(program["ends"]), set(program["ends"])
    while waiting:
        name = waiting.pop()
        yield name
        for called in _calls(program["rules"][name]["body"]):
            if called not in seen:
                seen.add(called)
                waiting.append(called)


def _calls(tree: Any) -> Iterator[str]:
    if isinstance(tree, dict):
        for part in tree.values():
            yield from _calls(part)
    elif isinstance(tree, list):
        if len(tree) > 1 and tree[0] == "call":
            yield tree[1]
        for part in tree:
            yield from _calls(part)


__all__ = ["Coverage", "Gap", "is_formula", "rule_keys", "statements_of"]
