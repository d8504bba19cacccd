"""Every kind of file checked by the passes it needs: games, variants, scenarios, clauses, texts."""

from __future__ import annotations

from pathlib import Path

from rulespec import library, schema
from rulespec.cli.failures import CommandError
from rulespec.diagnostics import Report, suggestion
from rulespec.documents import Document, Scalar
from rulespec.loader import load_document
from rulespec.passes import build
from rulespec.scenario_reader import read_scenarios

VARIANTS, SCENARIOS, TEXTS, CLAUSES = "variants", "scenarios", "texts", "clauses.yaml"


def check_file(path: Path, report: Report) -> None:
    """Report every fault of a file. A variant is checked together with the game it changes."""
    if path.name == CLAUSES or path.parent.name == TEXTS:
        schema.check(_document(path, report), "clauses" if path.name == CLAUSES else "texts", report)
        return
    document = _document(path, Report())
    match schema.kind_of(document):
        case "variant":
            _check_variant(path, document, report)
        case "scenarios":
            document = _document(path, report)
            if schema.check(document, "scenarios", report):
                read_scenarios(document, report)
        case _:
            build(path, [], report)


def files_of(game: Path) -> list[Path]:
    """Return the other files that lie with a game and can be checked by themselves."""
    if game.name != "game.yaml":
        return []
    folder = game.parent
    found = [file for part in (VARIANTS, SCENARIOS, TEXTS) for file in sorted((folder / part).glob("*.yaml"))]
    return found + [file for file in (folder / CLAUSES,) if file.is_file()]


def file_of(name_or_path: str) -> Path:
    """Return the file that a name or path means; a CommandError suggests the nearest name."""
    path = Path(name_or_path)
    if path.is_file():
        return path
    try:
        return library.find_game(name_or_path)
    except library.UnknownNameError as error:
        help, notes = suggestion(error.name, error.known, "games there are")
        raise CommandError("unknown-game", f"no game or file is named `{name_or_path}`", help or notes[0]) from None


def _document(path: Path, report: Report) -> Document:
    return load_document(path, path.parent, path.as_posix(), report)[0]


def _check_variant(path: Path, document: Document, report: Report) -> None:
    """Check a variant over its base: the game beside it, or the one it names."""
    base = path.parent.parent / "game.yaml"
    if path.parent.name != VARIANTS or not base.is_file():
        named = document.root.get("of") if document.root is not None else None
        base = Path(named.text) if isinstance(named, Scalar) else path
    build(base, [path], report)
