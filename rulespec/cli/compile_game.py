"""`rulespec compile`: a game as one JSON file that plays without the parser."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from interpreter.words import word
from rulespec.cli.exits import DONE
from rulespec.cli.files import write_text
from rulespec.cli.output import note
from rulespec.cli.request import Request, with_game


@click.command("compile")
@with_game
@click.option("-o", "--output", required=True, metavar="FILE", help="where to write it; - for standard output")
def command(request: Request, output: str) -> int:
    """Compile GAME with its variants. `python -m interpreter simulate FILE` plays the result."""
    game = request.load()
    text = game.to_json() + "\n"
    if output == "-":
        sys.stdout.write(text)
    else:
        write_text(Path(output), text)
        note(word(request.lang, "notes", "wrote_characters", file=output, count=len(text)))
    return DONE
