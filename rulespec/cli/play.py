"""`rulespec play`: a person at the terminal against agents, or several at one terminal."""

from __future__ import annotations

from collections.abc import Sequence

import click

from interpreter import State
from interpreter.agents import agents_for_seats
from interpreter.playout import Playout
from interpreter.words import word
from rulespec.cli.exits import CommandError
from rulespec.cli.output import note
from rulespec.cli.request import Request, names_in, with_game_or_save
from rulespec.cli.saved import open_save, origin_of
from rulespec.cli.session import Session

HUMAN = "human"


@click.command("play")
@with_game_or_save
@click.option(
    "--agents", metavar="A[,A...]", help="one for each seat: human, random, greedy (default: human, then random)"
)
@click.option("--save", "save_file", metavar="FILE", help="write the game there when leaving")
@click.option("--load", "load_file", metavar="FILE", help="go on with a saved game")
def command(request: Request, agents: str | None, save_file: str | None, load_file: str | None) -> int:
    """Play GAME. You see what your seat may see, choose by number, and can ask `why ACTION`.

    Lines are read from standard input; `help` lists what you can say. With --load, the game and its variants,
    options and players are those of the save.
    """
    seed = request.seed_or_fresh()
    if load_file is not None:
        saved = open_save(load_file, request)
        request, state = saved.request, saved.state
    else:
        game = request.load()
        note(word(request.lang, "notes", "seed", seed=seed))
        state = request.new_state(game, seed=seed)
    names = seat_agents(names_in(agents or HUMAN), state.num_players(), padded=agents is None)
    return session(request, state, names, seed, save_file).run()


def seat_agents(names: Sequence[str], players: int, padded: bool = False) -> list[str]:
    """Return one name a seat; a short list is filled with `random` where *padded*.

    >>> seat_agents(["human"], 3, padded=True)
    ['human', 'random', 'random']
    """
    if padded:
        return [*names, *["random"] * (players - len(names))]
    if len(names) == 1:
        return list(names) * players
    if len(names) != players:
        message = f"{len(names)} agents for {players} players"
        raise CommandError("usage", message, "name one for all seats, or one for each, such as `human,random`")
    return list(names)


def session(request: Request, state: State, names: Sequence[str], seed: int, save_file: str | None) -> Session:
    """Return a session in which the seats named `human` are asked at the terminal."""
    people = [seat for seat, name in enumerate(names) if name == HUMAN]
    agents = agents_for_seats([name if name != HUMAN else "random" for name in names], state.num_players())
    return Session(state.game, state, people, Playout(agents, seed), request.lang, save_file, origin_of(request))
