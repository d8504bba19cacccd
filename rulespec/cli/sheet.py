"""A sheet of the rules: what a game is about, for people who are going to play it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from textwrap import dedent
from typing import Any

from interpreter import Game
from rulespec.cli.rule_listing import RuleEntry, list_rules, text_of

Program = Mapping[str, Any]
SECTIONS: tuple[tuple[str, Callable[[RuleEntry], bool]], ...] = (
    ("How a game goes", lambda rule: rule.kind == "phase"),
    ("What you may do", lambda rule: rule.kind == "action"),
    ("What happens then", lambda rule: rule.kind == "procedure"),
    ("When the game ends", lambda rule: rule.kind == "end"),
    ("What is scored", lambda rule: rule.kind == "score"),
)


def sheet(game: Game, lang: str | None) -> str:
    """Return the sheet as text: players, settings, and the rules that have something to say, by what they are."""
    program = game.program
    title = program["title"].get(lang or "en") or program["title"].get("en") or game.name
    players = program["players"]
    counts = " to ".join(str(n) for n in sorted({players["min"], players["max"]}))
    lines = [str(title), "=" * len(str(title)), "", f"{counts} players: {', '.join(players['seats'])}."]
    if game.variants:
        lines.append(f"With {' and '.join(game.variants)}.")
    lines += _settings(program, lang)
    rules = [rule for rule in list_rules(program, lang) if "~" not in rule.name]
    for heading, belongs in SECTIONS:
        told = [line for rule in rules if belongs(rule) for line in _rule(program, rule)]
        if told:
            lines += ["", heading, "-" * len(heading), *told]
    return "\n".join(lines)


def _settings(program: Program, lang: str | None) -> Iterator[str]:
    if program["options"]:
        yield ""
        yield "Settings"
        yield "--------"
    for option in program["options"]:
        title = text_of(program, "options", option["name"], lang) or option["name"].replace("_", " ")
        names = option["names"]
        allowed = f"{names[0]} to {names[-1]}" if len(names) > 8 else ", ".join(names)
        default = names[next(i for i, value in enumerate(option["values"]) if value == option["default"])]
        yield f"* {title} (`{option['name']}`): {allowed}; else {default}"


def _rule(program: Program, rule: RuleEntry) -> Iterator[str]:
    """Yield a rule's title and help; of one without help what its author wrote, without its name."""
    title = (rule.title or rule.name.replace("_", " ")).split("{")[0].strip().rstrip(":")
    clauses = f" [{', '.join(rule.clauses)}]" if rule.clauses else ""
    yield f"* {title}{clauses}" + (f": {rule.help}" if rule.help else "")
    if not rule.help:
        first, _, rest = rule.text.partition(":")[2].partition("\n")
        lines = [first.strip(" |"), *dedent(rest).splitlines()]
        yield from (f"      {said}" for line in lines if (said := line.split("  #")[0].rstrip()))
