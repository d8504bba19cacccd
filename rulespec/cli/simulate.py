"""`rulespec simulate`: many games with agents, or a few shown choice by choice."""

from __future__ import annotations

import click

from interpreter import Game, State
from interpreter.agents import agents_for_seats
from interpreter.playout import Playout
from interpreter.simulate import Run, new_state, read_options, report_text, simulate
from interpreter.words import word
from rulespec.cli.engines import ENGINES, mapper_of
from rulespec.cli.exits import DONE, FINDINGS, CommandError
from rulespec.cli.narrator import Narrator
from rulespec.cli.output import FORMAT, emit_json, note, progress_bar, say
from rulespec.cli.request import Request, names_in, with_game

DEFAULT_GAMES = 100


@click.command("simulate")
@with_game
@click.option(
    "--games", type=click.IntRange(min=1), metavar="N", help=f"how many (default {DEFAULT_GAMES}; 1 with --show)"
)
@click.option("--agents", default="random", metavar="A[,A...]", help="one for all seats, or one for each")
@click.option("--workers", type=click.IntRange(min=1), default=1, metavar="N", help="processes")
@click.option("--engine", type=click.Choice(ENGINES), default="local", help="what spreads the work over workers")
@click.option("--check", is_flag=True, help="test invariants, action lists and state texts at every decision")
@click.option("--show", is_flag=True, help="tell each game choice by choice")
@FORMAT
def command(
    request: Request, games: int | None, agents: str, workers: int, engine: str, check: bool, show: bool, form: str
) -> int:
    """Play GAME many times and print who wins, how long games last, and a hash over all final positions.

    Equal seeds give equal results, whatever the number of workers or the engine.
    """
    game = request.load()
    run = Run(
        players=request.seats(game),
        seed=request.seed_or_fresh(),
        options=read_options(game, request.options),
        agents=tuple(names_in(agents)) or ("random",),
        check=check,
    )
    if show:
        if form == "json":
            raise CommandError("usage", "--show tells a game in words; it does not go with --format json")
        return _show(game, run, games or 1, request.lang)
    with progress_bar() as bar:
        task = bar.add_task(game.name, total=games or DEFAULT_GAMES)
        result = simulate(
            game,
            games or DEFAULT_GAMES,
            run,
            workers,
            mapper_of(engine),
            lambda done: bar.update(task, completed=done),
        )
    if form == "json":
        emit_json(result)
    else:
        say(report_text(result, request.lang))
    return FINDINGS if result["errors"] or result["truncated"] else DONE


def _show(game: Game, run: Run, games: int, lang: str | None) -> int:
    """Tell *games* games; return the exit code."""
    game.settings(run.players, dict(run.options))
    truncated = False
    note(word(lang, "notes", "seed", seed=run.seed))
    for index in range(games):
        state = new_state(game, run, index)
        _tell(state, Narrator(game, lang), run, index)
        truncated = truncated or state.is_truncated()
    return FINDINGS if truncated else DONE


def _tell(state: State, narrator: Narrator, run: Run, index: int) -> None:
    """Play game *index* of *run* and tell it while it is played."""
    say(narrator.heading(state, index))
    agents = agents_for_seats(run.agents, run.players)
    Playout(agents, run.seed, index).finish(state, lambda *choice: say(narrator.choice(*choice)))
    say(narrator.ending(state))
