"""The named rules of a compiled game, with their texts and places: what `rules` and `diff` print."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import takewhile
from textwrap import dedent
from typing import Any

HIDDEN_KINDS = ("hook",)
"""Kinds of rule that the compiler makes for itself: formulas of phases, triggers and rankings."""


@dataclass(frozen=True, slots=True)
class RuleEntry:
    """One named rule. `text` is the rule as its author wrote it, without common indentation."""

    name: str
    kind: str
    title: str | None
    help: str | None
    clauses: tuple[str, ...]
    file: str
    line: int
    text: str

    def to_dict(self) -> dict[str, Any]:
        """Return the entry as JSON values."""
        return {**asdict(self), "clauses": list(self.clauses)}


def list_rules(program: Mapping[str, Any], lang: str | None = None) -> list[RuleEntry]:
    """Return the rules of *program* in the order of kinds and names, without those the compiler made for itself."""
    rules = [_entry(program, name, rule, lang) for name, rule in program["rules"].items()]
    named = [rule for rule in rules if rule.kind not in HIDDEN_KINDS]
    return sorted(named, key=lambda rule: (rule.kind, rule.file, rule.line, rule.name))


def text_of(program: Mapping[str, Any], section: str, name: str, lang: str | None) -> str | None:
    """Return a text for people in *lang*, else in English, else None."""
    texts: Mapping[str, str] = program["texts"].get(section, {}).get(name, {})
    return texts.get(lang or "en") or texts.get("en")


def block_at(text: str, line: int, column: int) -> str:
    """Return what is written from a key on: the rest of its line, and the lines indented deeper below it.

    >>> block_at("a:\\n  b: |\\n    c\\n  d: 1\\n", 2, 3)
    'b: |\\n  c'
    """
    lines = text.splitlines()[line - 1 :]
    if not lines:
        return ""
    body = takewhile(lambda each: not each.strip() or _indent(each) >= column, lines[1:])
    return dedent("\n".join([" " * (column - 1) + lines[0][column - 1 :], *body])).strip()


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _entry(program: Mapping[str, Any], name: str, rule: Mapping[str, Any], lang: str | None) -> RuleEntry:
    at = list(rule["at"])
    return RuleEntry(
        name=name,
        kind=rule["kind"],
        title=text_of(program, "rules", name, lang),
        help=text_of(program, "help", name, lang),
        clauses=tuple(program["clauses"].get(name, ())),
        file=at[0],
        line=at[1],
        text=block_at(program["sources"].get(at[0], ""), at[1], at[2]),
    )
