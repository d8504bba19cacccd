"""`rulespec replay`: a save run again, verified, and shown at any choice."""

from __future__ import annotations

from typing import Any

import click

from interpreter import Game, State
from interpreter.playout import retold
from interpreter.words import word
from rulespec.cli.exits import DONE
from rulespec.cli.narrator import Narrator
from rulespec.cli.output import FORMAT, emit_json, say
from rulespec.cli.play import seat_agents, session
from rulespec.cli.request import Request, names_in
from rulespec.cli.saved import open_save
from rulespec.cli.table_view import show_observation


@click.command("replay")
@click.argument("file", metavar="FILE")
@click.option("--game", "source", metavar="GAME", help="the game, where the save's own name does not lead to it")
@click.option("--variant", multiple=True, metavar="V", help="other variants than those of the save; may be repeated")
@click.option("--to", type=click.IntRange(min=0), metavar="N", help="stop after N choices")
@click.option("--trace", is_flag=True, help="tell every choice")
@click.option("--play", "go_on", is_flag=True, help="go on playing from there")
@click.option("--agents", default="human,random", metavar="A[,A...]", help="with --play: one for each seat")
@click.option("--lang", metavar="L", help="language of the texts")
@FORMAT
def command(
    file: str,
    source: str | None,
    variant: tuple[str, ...],
    to: int | None,
    trace: bool,
    go_on: bool,
    agents: str,
    lang: str | None,
    form: str,
) -> int:
    """Run the choices of the save FILE again and verify that they lead to the position it holds."""
    saved = open_save(file, Request(source or "", variant, lang=lang))
    request, game = saved.request, saved.game
    narrator = Narrator(game, lang)
    watch = (lambda *choice: say(narrator.choice(*choice))) if trace and form == "text" else None
    state = retold(saved.state, to, watch)
    if form == "json":
        emit_json({**_summary(game, state), "changes": list(saved.changes)})
        return DONE
    if go_on:
        names = seat_agents(names_in(agents), state.num_players(), padded=True)
        return session(request, state, names, request.seed_or_fresh(), None).run()
    for seat in range(state.num_players()):
        say(f"-- {narrator.seat_name(seat)}")
        show_observation(state.game, state.observation(seat), lang)
    say(narrator.ending(state) if state.is_terminal() else word(lang, "tell", "after", count=len(state.history())))
    return DONE


def _summary(game: Game, state: State) -> dict[str, Any]:
    return {
        "game": game.name,
        "variants": list(game.variants),
        "choices": len(state.history()),
        "terminal": state.is_terminal(),
        "position": state.position_hash(),
        "scores": state.scores(),
        "returns": state.returns(),
    }
