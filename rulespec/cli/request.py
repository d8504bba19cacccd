"""Which game, how many play, with which settings: the arguments that most commands share."""

from __future__ import annotations

import functools
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

import rulespec
from interpreter import Game, SettingError, State, load_program
from interpreter.simulate import read_options
from interpreter.words import languages_of
from rulespec import library
from rulespec.cli.exits import CommandError
from rulespec.cli.files import read_text
from rulespec.cli.output import note

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for. Nothing is read before `load`."""

    game: str
    variants: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    players: int | None = None
    seed: int | None = None
    lang: str | None = None

    def load(self) -> Game:
        """Return the game: a name or a path of a spec with its variants stacked, or a compiled program as it is."""
        game = self._loaded()
        known = languages_of(game.program)
        if self.lang is not None and self.lang not in known:
            raise SettingError(f"{game.name} cannot be told in `{self.lang}`; languages there are: {', '.join(known)}")
        return game

    def _loaded(self) -> Game:
        say_what_is_meant(self.game)
        text = program_text(self.game)
        if text is None:
            return rulespec.load(self.game, variants=list(self.variants))
        if self.game == "-" and text.lstrip()[:1] != "{":
            return rulespec.load_text(text, "<stdin>", list(self.variants))
        if self.variants:
            raise CommandError(
                "compiled-variant",
                f"`{self.game}` is a compiled program, and no variant can be laid over it",
                "compile the game with the variant: `rulespec compile GAME --variant V -o FILE`",
            )
        return load_program(text)

    def seats(self, game: Game) -> int:
        """Return how many play: as asked, or the game's own number."""
        return int(game.program["players"]["default"]) if self.players is None else self.players

    def new_state(self, game: Game, chance: str = "sampled", seed: int | None = None) -> State:
        """Return the first state of one game."""
        return game.new_initial_state(
            players=self.seats(game),
            seed=seed if seed is not None else self.seed or 0,
            options=read_options(game, self.options),
            chance=chance,
        )

    def seed_or_fresh(self) -> int:
        """Return the seed asked for, or a new one."""
        return secrets.randbits(32) if self.seed is None else self.seed


def with_game(function: F) -> F:
    """Give a command the argument GAME and the options all commands about a game share, as one Request."""
    return _with(function, click.argument("game", metavar="GAME"))


def with_game_or_save(function: F) -> F:
    """Do the same for a command that may be given a save instead of GAME, as `load_file`."""

    @functools.wraps(function)
    def command(request: Request, load_file: str | None, **others: Any) -> Any:
        if not request.game and load_file is None:
            raise CommandError("usage", "no game is named", "name one, or go on from a save: `--load FILE`")
        return function(request, load_file=load_file, **others)

    return _with(command, click.argument("game", metavar="[GAME]", default=""))  # type: ignore[return-value]


def _with(function: F, argument: Callable[[Any], Any]) -> F:
    @functools.wraps(function)
    def command(
        game: str,
        variant: tuple[str, ...],
        option: tuple[str, ...],
        players: int | None,
        seed: int | None,
        lang: str | None,
        **others: Any,
    ) -> Any:
        return function(Request(game, variant, option, players, seed, lang), **others)

    decorated: Any = command
    for decorate in reversed(
        (
            argument,
            click.option("--variant", multiple=True, metavar="V", help="a variant, by name or path; may be repeated"),
            click.option("--option", multiple=True, metavar="K=V", help="a setting of the game; may be repeated"),
            click.option("--players", type=click.IntRange(min=1), metavar="N", help="how many play"),
            click.option("--seed", type=int, metavar="S", help="a whole number; without it a fresh one, printed"),
            click.option("--lang", metavar="L", help="language of the texts, such as en or pt"),
        )
    ):
        decorated = decorate(decorated)
    return decorated  # type: ignore[no-any-return]


def say_what_is_meant(name: str, any_folder: bool = False) -> None:
    """Say so where a name means what lies here and not the packaged game of that name."""
    here = Path(name)
    is_taken = here.is_file() or (here / "game.yaml").is_file() or (any_folder and here.is_dir())
    if is_taken and library.hidden_by(here, name) is not None:
        kind = "folder" if here.is_dir() else "file"
        note(
            f"note: `{name}` is the {kind} of that name here, not the game that comes with rulespec; `./{name}` says so"
        )


def program_text(text: str) -> str | None:
    """Return the text of a compiled program or, for `-`, of standard input; None for a name, a spec, a folder."""
    if text == "-":
        return read_text(text)
    path = Path(text)
    return read_text(text) if path.is_file() and path.read_bytes().lstrip()[:1] == b"{" else None


def names_in(texts: str) -> Sequence[str]:
    """Return the names of a list with commas, such as `random,greedy`."""
    return [name.strip() for name in texts.split(",") if name.strip()]
