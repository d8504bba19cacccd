"""`rulespec list`: the games, variants and examples that come with it."""

from __future__ import annotations

import click

from rulespec import library
from rulespec.cli.exits import DONE
from rulespec.cli.output import FORMAT, emit_json, print_table


@click.command("list")
@FORMAT
def command(form: str) -> int:
    """List every game and example that comes with rulespec, its variants, and the file it lies in."""
    rows = []
    for name in library.list_games():
        file = library.find_game(name)
        rows.append({"game": name, "variants": library.list_variants(file), "file": str(file)})
    if form == "json":
        emit_json(rows)
    else:
        print_table(["game", "variants", "file"], [(row["game"], row["variants"], row["file"]) for row in rows])
    return DONE
