"""A sheet of the rules: what a game is about, for people who are going to play it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import dedent
from typing import Any

from interpreter import Game
from interpreter.words import word
from rulespec.cli.rule_listing import RuleEntry, list_rules, text_of

Program = Mapping[str, Any]
KINDS = ("phase", "action", "procedure", "end", "score")
"""The kinds of rule that have a section of their own, in this order."""


def sheet(game: Game, lang: str | None) -> str:
    """Return the sheet as text: players, settings, and the rules that have something to say, by what they are."""
    program = game.program
    title = program["title"].get(lang or "en") or program["title"].get("en") or game.name
    lines = [str(title), "=" * len(str(title)), "", f"{who_plays(program, lang)}."]
    if game.variants:
        lines.append(f"{word(lang, 'sheet', 'with', names=', '.join(game.variants))}.")
    lines += _settings(program, lang)
    rules = [rule for rule in list_rules(program, lang) if "~" not in rule.name]
    for kind in KINDS:
        told = [line for rule in rules if rule.kind == kind for line in _rule(program, rule)]
        if told:
            lines += [*_heading(kind, lang), *told]
    return "\n".join(lines)


def who_plays(program: Program, lang: str | None) -> str:
    """Return how many may play, and the names of the seats."""
    players = program["players"]
    low, high = players["min"], players["max"]
    count = str(low) if low == high else word(lang, "sheet", "between", low=low, high=high)
    return word(lang, "sheet", "players", count=count, seats=", ".join(players["seats"]))


def _heading(key: str, lang: str | None) -> tuple[str, str, str]:
    text = word(lang, "sheet", key)
    return "", text, "-" * len(text)


def _settings(program: Program, lang: str | None) -> Iterator[str]:
    if program["options"]:
        yield from _heading("settings", lang)
    for option in program["options"]:
        title = text_of(program, "options", option["name"], lang) or option["name"].replace("_", " ")
        names = option["names"]
        ends = word(lang, "sheet", "between", low=names[0], high=names[-1])
        allowed = ends if len(names) > 8 else ", ".join(names)
        default = names[next(i for i, value in enumerate(option["values"]) if value == option["default"])]
        yield f"* {title} (`{option['name']}`): {word(lang, 'sheet', 'allowed', allowed=allowed, default=default)}"


def _rule(program: Program, rule: RuleEntry) -> Iterator[str]:
    """Yield a rule's title and help; of one without help what its author wrote, without its name."""
    title = (rule.title or rule.name.replace("_", " ")).split("{")[0].strip().rstrip(":")
    clauses = f" [{', '.join(rule.clauses)}]" if rule.clauses else ""
    yield f"* {title}{clauses}" + (f": {rule.help}" if rule.help else "")
    if not rule.help:
        first, _, rest = rule.text.partition(":")[2].partition("\n")
        lines = [first.strip(" |"), *dedent(rest).splitlines()]
        yield from (f"      {said}" for line in lines if (said := line.split("  #")[0].rstrip()))
