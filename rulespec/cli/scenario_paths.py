"""Which scenarios a PATH of `rulespec test` means: a game by name or file, a variant, a scenario file, a folder."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulespec import library
from rulespec.cli.checking import file_of
from rulespec.cli.exits import CommandError
from rulespec.cli.request import say_what_is_meant
from rulespec.diagnostics import suggestion
from rulespec.scenarios import scenario_files


@dataclass
class Group:
    """The scenario files of one game that are to run; with *only*, the scenarios that list this variant."""

    game: Path
    files: list[Path]
    only: str | None = None

    @property
    def name(self) -> str:
        """The name of the game, as its file says it."""
        return library.named_in(self.game, "game") or self.game.stem


def groups_of(paths: Sequence[str]) -> list[Group]:
    """Return the scenarios that paths mean, by game; without paths those of all games that come with rulespec.

    Raises CommandError for a name that does not exist.
    """
    groups: dict[tuple[Path, str | None], Group] = {}
    for path in paths or library.list_games():
        for found in _groups_at(path):
            group = groups.setdefault((found.game.resolve(), found.only), Group(_short(found.game), [], found.only))
            group.files += [file for file in map(_short, found.files) if file not in group.files]
    return [group for group in groups.values() if group.files]


def _short(path: Path) -> Path:
    """Return a path as it is told: from the current folder where it lies below it."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_absolute() and path.is_relative_to(here) else path


def _groups_at(text: str) -> Iterable[Group]:
    path = Path(text)
    if path.is_dir() and not (path / "game.yaml").is_file():
        say_what_is_meant(text, any_folder=True)
        files = [file for file in sorted(path.rglob("*.yaml")) if library.named_in(file, "scenarios_of") is not None]
        return [Group(game_of(file), [file]) for file in files]
    file = file_of(text)
    if library.named_in(file, "scenarios_of") is not None:
        return [Group(game_of(file), [file])]
    variant = library.named_in(file, "variant")
    if variant is not None:
        return _of_variant(file, variant)
    return [Group(file, scenario_files(file))]


def _of_variant(file: Path, variant: str) -> list[Group]:
    """Return the scenario files that lie with a variant and name it."""
    folders = (file.parent / "scenarios", file.parent.parent / "scenarios")
    found = [path for folder in folders for path in sorted(folder.glob("*.yaml"))]
    naming = [
        path for path in found if path.is_file() and variant in path.read_text(encoding="utf-8", errors="replace")
    ]
    return [
        Group(game_of(path), [path], variant) for path in naming if library.named_in(path, "scenarios_of") is not None
    ]


def game_of(scenarios: Path) -> Path:
    """Return the game a scenario file is about: one that lies with it, or one that comes with rulespec."""
    name = library.named_in(scenarios, "scenarios_of") or ""
    try:
        return library.find_base(name, scenarios)
    except library.UnknownNameError as error:
        help, notes = suggestion(name, error.known, "games there are")
        message = f"the scenarios of `{scenarios}` are of `{name}`, and no game is named so"
        raise CommandError("unknown-game", message, help or (notes[0] if notes else None)) from None
