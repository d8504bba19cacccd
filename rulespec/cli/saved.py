"""Saves at the command line: which rules they were made under, where these lie, and whether they have changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from interpreter import Game, State
from interpreter.saves import Header, changes_since, header_of
from interpreter.simulate import read_options
from interpreter.words import word
from rulespec import library
from rulespec.cli.exits import CommandError
from rulespec.cli.files import read_text
from rulespec.cli.output import note
from rulespec.cli.request import Request, program_text


@dataclass(frozen=True, slots=True)
class Saved:
    """A save that was run again: its game, and the position it holds."""

    request: Request
    game: Game
    state: State
    changes: tuple[str, ...]
    """How the rules it was made under differ from those here."""


def open_save(file: str, request: Request) -> Saved:
    """Return what a save holds, run again under the rules of *request*.

    An empty `game` of the request, and variants that it does not name, are taken from the save.
    """
    text = read_text(file)
    header = header_of(text)
    whole = replace(request, game=request.game or _game_of(header))
    if not request.variants and whole.game != "-" and program_text(whole.game) is None:
        whole = replace(whole, variants=_variants_of(header, whole.game))
    game = whole.load()
    _no_other_table(whole, header, game)
    loaded = game.read_save(text)
    for change in changes_since(game, header, request.lang):
        note(word(request.lang, "notes", "other_rules", change=change))
    return Saved(whole, game, loaded.state, loaded.changes)


def origin_of(request: Request) -> dict[str, Any]:
    """Return what a save keeps so that its rules can be found: names, or whole paths of files."""
    game = library.find_game(request.game).resolve() if request.game != "-" else None
    return {"game": _place(request.game), "variants": [_place_of_variant(each, game) for each in request.variants]}


def _place(name_or_path: str) -> str:
    path = Path(name_or_path)
    return path.resolve().as_posix() if path.exists() else name_or_path


def _place_of_variant(name_or_path: str, game: Path | None) -> str:
    """Return the name of a variant that lies with its game, the whole path of any other."""
    if game is None:
        return _place(name_or_path)
    path = library.find_variant(name_or_path, game).resolve()
    return path.stem if path.parent == game.parent / "variants" else path.as_posix()


def _game_of(header: Header) -> str:
    """Return where the game of a save lies."""
    kept = header.origin.get("game") if isinstance(header.origin, Mapping) else None
    for place in (kept, header.game):
        if isinstance(place, str) and _is_there(place):
            return place
    if isinstance(kept, str) and kept not in (header.game, "-"):
        message = f"the game of this save, `{header.game}`, is missing: there is no `{kept}`"
        raise CommandError("missing-game", message, "say where it lies: `--game GAME`")
    return header.game


def _is_there(place: str) -> bool:
    try:
        library.find_game(place)
    except library.UnknownNameError:
        return False
    return True


def _variants_of(header: Header, game: str) -> tuple[str, ...]:
    """Return where the variants of a save lie, in order; a CommandError says which one is missing."""
    kept = header.origin.get("variants") if isinstance(header.origin, Mapping) else None
    places = [str(each) for each in kept] if isinstance(kept, list) and len(kept) == len(header.variants) else []
    file = library.find_game(game)
    return tuple(_variant_of(name, place, file) for name, place in zip(header.variants, places or header.variants))


def _variant_of(name: str, place: str, game: Path) -> str:
    for each in (place, name):
        try:
            library.find_variant(each, game)
        except library.UnknownNameError:
            continue
        return each
    where = f"there is no `{place}`" if place != name else f"it does not lie with `{game.as_posix()}`"
    message = f"the variant `{name}` of this save is missing: {where}"
    raise CommandError("missing-variant", message, "say where the variants lie, all of them in order: `--variant V`")


def _no_other_table(request: Request, header: Header, game: Game) -> None:
    """Refuse another number of players or other settings than those of the save."""
    if request.players not in (None, header.players):
        message = f"this save is of {header.players} players, not of {request.players}"
        raise CommandError("other-settings", message, "leave `--players` out: a save keeps it")
    for name, value in game.option_names(read_options(game, request.options)).items():
        saved = header.options.get(name)
        if saved != value:
            message = f"in this save `{name}` is {saved}, not {value}"
            raise CommandError("other-settings", message, "leave `--option` out: a save keeps its settings")
