"""`rulespec show`: a game, or a position of it, at a glance."""

from __future__ import annotations

from pathlib import Path

import click

from interpreter import State
from interpreter.program import Program
from interpreter.words import word
from rulespec.cli.drawing import map_svg, phases_svg
from rulespec.cli.exits import DONE
from rulespec.cli.files import write_text
from rulespec.cli.narrator import DEFAULT_LANG
from rulespec.cli.output import note, print_table, say
from rulespec.cli.request import Request, with_game_or_save
from rulespec.cli.saved import open_save
from rulespec.cli.sheet import sheet, who_plays
from rulespec.cli.table_view import show_observation


@click.command("show")
@with_game_or_save
@click.option("--map", "map_file", metavar="FILE.svg", help="draw the map")
@click.option("--phases", "phases_file", metavar="FILE.svg", help="draw the tree of phases")
@click.option("--sheet", "as_sheet", is_flag=True, help="print a sheet of the rules")
@click.option("--load", "load_file", metavar="FILE", help="show the position of a save, hidden things and all")
def command(
    request: Request, map_file: str | None, phases_file: str | None, as_sheet: bool, load_file: str | None
) -> int:
    """Show who plays GAME, its settings and what lies where at the start, or in a save."""
    saved = open_save(load_file, request) if load_file is not None else None
    game = saved.game if saved is not None else request.load()
    program, lang = game.program, request.lang or DEFAULT_LANG
    drawings = ((map_file, map_svg), (phases_file, phases_svg))
    for file, draw in drawings:
        if file is not None:
            write_text(Path(file), draw(program, lang))
            note(word(lang, "notes", "wrote", file=file))
    if as_sheet:
        say(sheet(game, request.lang))
    if saved is not None:
        _show_position(saved.state, request.lang)
        return DONE
    if as_sheet or map_file or phases_file:
        return DONE
    state = request.new_state(game, seed=request.seed_or_fresh())
    title = program["title"].get(request.lang) or program["title"].get("en") or game.name
    say(f"{title} ({' + '.join([game.name, *game.variants])})")
    say(f"{who_plays(program, request.lang)}\n")
    _tell_nouns(program, request.lang)
    say()
    _show_position(state, request.lang)
    return DONE


def _tell_nouns(program: Program, lang: str | None) -> None:
    names = program["entities"]
    if program["options"]:
        print_table(
            [word(lang, "listing", key) for key in ("option", "default", "allowed")],
            [
                (option["name"], option["names"][option["values"].index(option["default"])], option["names"])
                for option in program["options"]
            ],
        )
        say()
    print_table(
        [word(lang, "listing", key) for key in ("zone", "for_each", "holds", "order", "seen_by")],
        [(zone["name"], zone["keys"], zone["holds"], zone["order"], zone["seen_by"]) for zone in program["zones"]],
    )
    say("\n" + word(lang, "listing", "counted", things=len(names), rules=len(program["rules"])))


def _show_position(state: State, lang: str | None) -> None:
    """Print what each player sees; together that is all there is but for what nobody sees."""
    for seat in range(state.num_players()):
        say(f"-- {word(lang, 'table', 'seat', name=state.game.seats[seat])}")
        show_observation(state.game, state.observation(seat), lang)
