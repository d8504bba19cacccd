"""Where the packaged games lie, and which file a name or path means."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
FOLDERS = ("games", "examples", "examples/classics")


class UnknownNameError(LookupError):
    """No game or variant has that name; `known` are those there are."""

    def __init__(self, what: str, name: str, known: list[str]) -> None:
        super().__init__(f"no {what} is named `{name}`")
        self.what, self.name, self.known = what, name, known


def roots() -> list[Path]:
    """Return the folders of packaged games: in the wheel, or beside the package where the sources lie."""
    found = [base / folder for base in (HERE, HERE.parent) for folder in FOLDERS]
    return [folder for folder in found if folder.is_dir()]


def list_games() -> list[str]:
    """Return the names of all packaged games, sorted."""
    return sorted({name for root in roots() for name in _games_in(root)})


def _games_in(root: Path) -> list[str]:
    folders = [path.parent.name for path in root.glob("*/game.yaml") if path.is_file()]
    files = [path.stem for path in root.glob("*.yaml") if path.is_file() and _says_game(path)]
    return folders + files


def _says_game(path: Path) -> bool:
    """Whether a YAML file begins as a game does (a variant or scenarios beside it do not count)."""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return any(line.startswith("game:") for line in lines[:40])


def named_in(path: Path, key: str) -> str | None:
    """Return what a YAML file says at a key of its first level (`game`, `variant`, `scenarios_of`), or None."""
    if not path.is_file():
        return None
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    found = re.search(rf"^{key}:[ \t]*['\"]?([A-Za-z0-9_]+)", text, re.MULTILINE)
    return found.group(1) if found else None


def find_game(name_or_path: str | Path) -> Path:
    """Return the file of a game, named or given as a path to its file or folder; raise UnknownNameError."""
    text = str(name_or_path)
    path = Path(text)
    if path.is_dir() and (path / "game.yaml").is_file():
        return path / "game.yaml"
    if path.is_file():
        return path
    packaged = _packaged(text)
    if packaged is None:
        raise UnknownNameError("game", text, list_games())
    return packaged


def hidden_by(taken: Path, name: str) -> Path | None:
    """Return the packaged game of a name that is not meant because *taken* lies here under that name, or None."""
    packaged = None if is_path(name) else _packaged(name)
    game = taken / "game.yaml" if taken.is_dir() else taken
    return None if packaged is None or packaged.resolve() == game.resolve() else packaged


def _packaged(name: str) -> Path | None:
    candidates = (file for root in roots() for file in (root / name / "game.yaml", root / f"{name}.yaml"))
    return next((file for file in candidates if file.is_file()), None)


def list_variants(game: Path) -> list[str]:
    """Return the names of the variants that lie with a game, sorted."""
    files = [path for path in (game.parent / "variants").glob("*.yaml") if path.is_file()]
    return sorted(path.stem for path in files if game.name == "game.yaml" or named_in(path, "of") == game.stem)


def find_variant(name_or_path: str | Path, game: Path) -> Path:
    """Return the file of a variant of *game* (its file), by name or path; raise UnknownNameError."""
    path = Path(str(name_or_path))
    named = game.parent / "variants" / f"{name_or_path}.yaml"
    if path.suffix == ".yaml" and path.is_file():
        return path
    if named.is_file():
        return named
    raise UnknownNameError("variant", str(name_or_path), list_variants(game))


def find_base(name: str, file: Path) -> Path:
    """Return the game that a variant or scenarios in *file* are of; raise UnknownNameError.

    It is named, and lies near the file or among the packaged games; or the text is a path, as seen from the file.
    """
    if is_path(name):
        try:
            return find_game(file.parent / name)
        except UnknownNameError:
            raise UnknownNameError("game", name, []) from None
    for candidate in _near(file):
        if candidate.is_file() and named_in(candidate, "game") == name:
            return candidate
    packaged = _packaged(name)
    if packaged is None:
        raise UnknownNameError("game", name, list_games())
    return packaged


def is_path(text: str) -> bool:
    """Say whether the text after `of:` is a path and not a name."""
    return "/" in text or text.endswith(".yaml")


def _near(file: Path) -> Iterator[Path]:
    folder = file.resolve().parent
    for each in (folder.parent, folder):
        yield each / "game.yaml"
        yield from sorted(each.glob("*.yaml"))
    yield from sorted(folder.glob("*/game.yaml"))
