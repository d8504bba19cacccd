"""The clauses that lie with a game, and what they may point to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rulespec.diagnostics import Report
from rulespec.loader import Folder
from rulespec.passes import prefix_of
from rulespec.reader_texts import Clause, read_clauses
from rulespec.reading import Context


def clauses_of(game: Path, report: Report) -> dict[str, Clause]:
    """Return the clauses that lie with a game, by id."""
    context = Context(report, Folder(game.parent, report, prefix_of(game)))
    return {clause.id: clause for clause in read_clauses(context)}


def names_of(program: dict[str, Any]) -> set[str]:
    """Return all names a clause may point to: rules, rows, and what else a game declares."""
    listed = ("zones", "counters", "variables", "options", "triggers")
    declared = {part["name"] for key in listed for part in program[key]}
    keyed = {name for key in ("kinds", "tokens", "cells", "lasting", "columns") for name in program[key]}
    rules = {name.split("~")[0] for name in program["rules"]} | ({"ranking"} if program["ranking"] else set())
    return rules | set(program["entities"]) | declared | keyed
