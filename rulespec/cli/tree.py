"""`rulespec tree`: the nodes of a whole game, counted by kind."""

from __future__ import annotations

import click

from interpreter.tree import MOST_NODES, TreeTooLargeError, count_tree
from rulespec.cli.exits import DONE, FINDINGS, CommandError
from rulespec.cli.output import FORMAT, emit_json, progress_bar, say
from rulespec.cli.request import Request, with_game


@click.command("tree")
@with_game
@click.option(
    "--most", type=click.IntRange(min=1), default=MOST_NODES, metavar="N", help=f"stop after N nodes ({MOST_NODES})"
)
@FORMAT
def command(request: Request, most: int, form: str) -> int:
    """Walk every path of GAME and print how many chance, decision and terminal nodes and information states it has.

    Meant for small games: the time grows with the number of paths. A tree with more nodes than --most is given up.
    """
    state = request.new_state(request.load(), chance="explicit")
    with progress_bar() as bar:
        task = bar.add_task("nodes", total=None)
        try:
            counts = count_tree(state, most, lambda nodes: bar.update(task, completed=nodes)).to_dict()
        except TreeTooLargeError as error:
            raise CommandError("tree-too-large", str(error), "`--most N` counts more", FINDINGS) from None
    if form == "json":
        emit_json(counts)
    else:
        say("\n".join(f"{name.replace('_', ' ')} {count}" for name, count in counts.items()))
    return DONE
