"""The passes in order: from the file of a game and its variants to the program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rulespec import checker, compiler, library, nodes, reader, resolver, schema, variants
from rulespec.diagnostics import Report, suggestion
from rulespec.documents import Document, Mapping
from rulespec.loader import Folder, load_document, load_text
from rulespec.reading import entries
from rulespec.source import Span


@dataclass(frozen=True, slots=True)
class Built:
    """What the passes made of a game: the tree with its variants, the checked rules, and the program if sound."""

    path: Path
    game: nodes.Game
    typed: checker.TypedGame
    program: dict[str, Any] | None


def build(path: str | Path, chosen: Sequence[str | Path], report: Report) -> dict[str, Any] | None:
    """Return the program of a game with variants; None where *report* holds an error."""
    built = build_all(path, chosen, report)
    return built.program if built is not None else None


def build_all(path: str | Path, chosen: Sequence[str | Path], report: Report) -> Built | None:
    """Return all the passes made; None where the game cannot even be read."""
    try:
        file = library.find_game(path)
    except library.UnknownNameError as error:
        _unknown(error, str(path), report)
        return None
    game, document = _read(file, report)
    if game is None:
        return None
    applied = variants.apply(replace(game, variants=()), _variants(file, game, chosen, report), report)
    typed = _check(document, applied, report)
    program = compiler.compile_game(typed, sources_of(file, chosen), prefix_of(file))
    return Built(file, applied, typed, program)


def build_text(text: str, report: Report, name: str = "game.yaml") -> Built | None:
    """Return all the passes made of the text of a game that needs no other file."""
    document, _ = load_text(text, name, report)
    if not schema.check(document, "game", report):
        return None
    game = reader.read_game(document, None, report)
    if game is None:
        return None
    typed = _check(document, replace(game, variants=()), report)
    return Built(Path(name), game, typed, compiler.compile_game(typed, {name: document.source.text}))


def _check(document: Document, game: nodes.Game, report: Report) -> checker.TypedGame:
    names = resolver.resolve(game, report, _set_aside(document, game, report))
    return checker.check(game, names, report)


def _unknown(error: library.UnknownNameError, text: str, report: Report) -> None:
    help, notes = suggestion(error.name, error.known, f"{error.what}s there are")
    report.error(f"unknown-{error.what}", str(error), Span(text, 1, 1, 1, 2), help=help, notes=notes)


def read_game(file: Path, report: Report) -> nodes.Game | None:
    """Return the tree of a game's file; None after reporting where its shape is wrong."""
    return _read(file, report)[0]


def _read(file: Path, report: Report) -> tuple[nodes.Game | None, Document]:
    folder = Folder(file.parent, report, prefix_of(file))
    document = folder.document(file.name)
    if not schema.check(document, "game", report):
        return None, document
    return reader.read_game(document, folder, report), document


def _set_aside(document: Document, game: nodes.Game, report: Report) -> frozenset[str]:
    """Return the names written in the sections of a game's document that the reader had to leave out."""
    if not report.has_errors:
        return frozenset()
    written = {key.value.split("(")[0].strip() for _, part in entries(document.root) for key, _ in entries(part)}
    read = {resolver.name_of(d).text for section in resolver.SECTIONS for d in getattr(game, section)}
    for _, table in entries(document.root.get("tables") if document.root else None):
        rows = table.get("rows") if isinstance(table, Mapping) else None
        written |= {key.value for key, _ in entries(rows)}
    read |= {row.name.text for table in game.tables for row in table.rows}
    return frozenset(written - read)


def prefix_of(file: Path) -> str:
    """Return what stands before the names of a game's files in spans: its folder."""
    return f"{file.parent.as_posix()}/" if file.parent != Path(".") else ""


def _variants(file: Path, game: nodes.Game, chosen: Sequence[str | Path], report: Report) -> list[nodes.Variant]:
    found: list[nodes.Variant] = []
    for name in chosen:
        try:
            path = library.find_variant(name, file)
        except library.UnknownNameError as error:
            _unknown(error, str(file), report)
            continue
        document, _ = load_document(path, path.parent, path.as_posix(), report)
        if not schema.check(document, "variant", report):
            continue
        variant = reader.read_variant(document, _below(game, found), report)
        if variant is not None:
            found.append(variant)
    return found


def _below(game: nodes.Game, lower: list[nodes.Variant]) -> nodes.Game:
    """Return the game a variant is read against: with what the variants below it add."""
    for variant in lower:
        game = variants.with_added(game, variant.adds)
    return game


def _is_own(path: Path) -> bool:
    """Say whether a file beside a game is one of its texts: a plain file, and no link to elsewhere."""
    return path.suffix in (".yaml", ".csv") and path.is_file() and not path.is_symlink()


def sources_of(file: Path, chosen: Sequence[str | Path]) -> dict[str, str]:
    """Return the texts of the game's files and of its variants, by their names in spans."""
    paths = [file]
    if file.name == "game.yaml":
        paths += [p for p in sorted(file.parent.iterdir()) if _is_own(p) and p != file]
    for name in chosen:
        try:
            paths.append(library.find_variant(name, file))
        except library.UnknownNameError:
            continue
    return {p.as_posix(): p.read_text(encoding="utf-8", errors="replace") for p in paths}
