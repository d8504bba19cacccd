"""`rulespec tree`: the nodes of a whole game, counted by kind."""

from __future__ import annotations

import click

from interpreter.tree import count_tree
from rulespec.cli.failures import DONE
from rulespec.cli.output import emit_json, say
from rulespec.cli.request import FORMAT, Request, with_game


@click.command("tree", short_help="Count the nodes of the whole game tree.")
@with_game
@FORMAT
def command(request: Request, form: str) -> int:
    """Walk every path of GAME and print how many chance, decision and terminal nodes and information states it has.

    Meant for small games: the time grows with the number of paths.
    """
    counts = count_tree(request.new_state(request.load(), chance="explicit")).to_dict()
    if form == "json":
        emit_json(counts)
    else:
        say("\n".join(f"{name.replace('_', ' ')} {count}" for name, count in counts.items()))
    return DONE
