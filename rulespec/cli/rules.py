"""`rulespec rules`: every named rule of a game."""

from __future__ import annotations

import click

from interpreter.words import word
from rulespec.cli.exits import DONE
from rulespec.cli.output import FORMAT, emit_json, print_table
from rulespec.cli.request import Request, with_game
from rulespec.cli.rule_listing import list_rules


@click.command("rules")
@with_game
@FORMAT
def command(request: Request, form: str) -> int:
    """List every named rule of GAME: what it is, what it is called, where it stands, and the clauses it serves.

    These are the names that variants, scenarios, saves and errors use.
    """
    entries = list_rules(request.load().program, request.lang)
    if form == "json":
        emit_json([entry.to_dict() for entry in entries])
        return DONE
    print_table(
        [word(request.lang, "listing", key) for key in ("kind", "rule", "title", "help", "clauses", "place")],
        [
            (entry.kind, entry.name, entry.title, entry.help, entry.clauses, f"{entry.file}:{entry.line}")
            for entry in entries
        ],
    )
    return DONE
