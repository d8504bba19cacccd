"""`rulespec perft`: sequences of actions, counted by depth."""

from __future__ import annotations

import click

from interpreter.tree import divide, perft
from rulespec.cli.exits import DONE
from rulespec.cli.output import FORMAT, emit_json, say
from rulespec.cli.request import Request, with_game

MOST_DEPTH = 1000


@click.command("perft")
@with_game
@click.option("--depth", type=click.IntRange(1, MOST_DEPTH), required=True, metavar="D", help="how many plies")
@click.option("--divide", "split", is_flag=True, help="count the sequences of D plies under each first one")
@FORMAT
def command(request: Request, depth: int, split: bool, form: str) -> int:
    """Print the number of sequences of 1, 2, ... D plies from the start of GAME.

    Every action, chance outcome and joint answer of simultaneous players is one ply.
    """
    state = request.new_state(request.load(), chance="explicit")
    if split:
        parts = [{"ply": text, "count": count} for text, count in divide(state, depth)]
        lines = [f"{part['ply']} {part['count']}" for part in parts]
    else:
        parts = [{"depth": ply, "count": count} for ply, count in enumerate(perft(state, depth), 1)]
        lines = [f"{part['depth']} {part['count']}" for part in parts]
    if form == "json":
        emit_json(parts)
    else:
        say("\n".join(lines))
    return DONE
