"""The passes in order: from the file of a game and its variants to the program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from rulespec import checker, compiler, library, nodes, reader, resolver, schema, variants
from rulespec.blame import blame
from rulespec.checks import texts
from rulespec.diagnostics import Related, Report, suggestion
from rulespec.documents import Document, Mapping
from rulespec.loader import Folder, load_document, load_text
from rulespec.reading import entries
from rulespec.source import Span
from rulespec.value_types import assignable, describe, join


@dataclass(frozen=True, slots=True)
class Built:
    """What the passes made of a game: the tree with its variants, the checked rules, and the program if sound."""

    path: Path
    game: nodes.Game
    typed: checker.TypedGame
    program: dict[str, Any] | None


Chosen: TypeAlias = str | Path | Document
"""A variant to lay over a game: its name, its file, or its text already read."""
Laid: TypeAlias = tuple[nodes.Variant, tuple[str, str]]
"""A variant, with the name and the text of its file."""


def build(path: str | Path, chosen: Sequence[Chosen], report: Report) -> dict[str, Any] | None:
    """Return the program of a game with variants; None where *report* holds an error."""
    built = build_all(path, chosen, report)
    return built.program if built is not None else None


def build_all(path: str | Path, chosen: Sequence[Chosen], report: Report) -> Built | None:
    """Return all the passes made; None where the game cannot even be read."""
    try:
        file = library.find_game(path)
    except library.UnknownNameError as error:
        _unknown(error, str(path), report)
        return None
    game, document = _read(file, report)
    if game is None:
        return None
    return _build(file, game, document, chosen, report, sources_of(file))


def build_text(text: str, report: Report, name: str = "game.yaml", chosen: Sequence[Chosen] = ()) -> Built | None:
    """Return all the passes made of the text of a game that needs no other file."""
    document, _ = load_text(text, name, report)
    if not schema.check(document, "game", report):
        return None
    game = reader.read_game(document, None, report)
    if game is None:
        return None
    return _build(Path(name), game, document, chosen, report, {})


def _build(
    file: Path, game: nodes.Game, document: Document, chosen: Sequence[Chosen], report: Report, beside: dict[str, str]
) -> Built:
    before = len(report.diagnostics)
    laid = _variants(file, game, chosen, report)
    applied = variants.apply(replace(game, variants=()), [variant for variant, _ in laid], report)
    typed = _check(document, applied, report)
    _check_texts(file, document, typed, laid, report)
    if any(d.code == "type-mismatch" for d in report.diagnostics):
        _misfits(game, [variant for variant, _ in laid], typed, report)
    sources = beside | {document.source.name: document.source.text} | dict(source for _, source in laid)
    program = compiler.compile_game(typed, sources, prefix_of(file))
    if laid and any(d.severity == "error" for d in report.diagnostics[before:]):
        _blame(document, game, [variant for variant, _ in laid], report)
    return Built(file, applied, typed, program)


def _blame(document: Document, game: nodes.Game, laid: Sequence[nodes.Variant], report: Report) -> None:
    """Name the lines of variants with the faults that the game has under them alone."""
    alone = Report()
    typed = _check(document, replace(game, variants=()), alone)
    compiler.compile_game(typed, {})
    blame(report, alone, laid, typed.names.declared, document.source)


def _check(document: Document, game: nodes.Game, report: Report) -> checker.TypedGame:
    names = resolver.resolve(game, report, _set_aside(document, game, report))
    return checker.check(game, names, report)


def _check_texts(
    file: Path, document: Document, typed: checker.TypedGame, laid: Sequence[Laid], report: Report
) -> None:
    """Check the texts of a game, or of the variants laid over it: what is told of the game is checked without them."""
    if report.has_errors:
        return
    written = typed.game.texts if not laid else [text for variant, _ in laid for text in variant.adds.texts]
    game = typed.game

    @cache
    def elsewhere() -> set[str]:
        laid = (v for name in library.list_variants(file) for v, _ in _variants(file, game, [name], Report()))
        untold = tuple(replace(variant, adds=replace(variant.adds, texts=())) for variant in laid)
        return {part.text for part in checker.walk(untold) if isinstance(part, nodes.Name)}

    texts.check(typed.names, typed.rules.unit, written, document.source.name, elsewhere)


def _misfits(game: nodes.Game, laid: Sequence[nodes.Variant], typed: checker.TypedGame, report: Report) -> None:
    """Report each function that a variant makes give something else than in the game, where the variant says so."""
    below = Report()
    names = resolver.resolve(game, below)
    rules = checker.new_rules(names, below)
    bodies = {body.signature.name.text: body for variant in laid for body in variant.bodies}
    for name, body in bodies.items():
        if name not in names.functions or not isinstance(body, nodes.Function):
            continue
        had, given = rules.result_of(name), typed.rules.result_of(name)
        if join(had, given) is None and not assignable(given, had):
            span = body.formula.span if body.formula is not None else body.signature.name.span
            text = f"`{name}` gives {describe(had)} in the game, and {describe(given)} here"
            related = (Related(names.functions[name].signature.name.span, "declared here"),)
            report.error("type-mismatch", text, span, related=related)


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


def _variants(file: Path, game: nodes.Game, chosen: Sequence[Chosen], report: Report) -> list[Laid]:
    """Return the variants to lay over a game."""
    found: list[Laid] = []
    for name in chosen:
        document = name if isinstance(name, Document) else _variant_at(name, file, report)
        if document is None or not schema.check(document, "variant", report):
            continue
        variant = reader.read_variant(document, _below(game, [lower for lower, _ in found]), report)
        first = next((laid.name for laid, _ in found if variant and laid.name.text == variant.name.text), None)
        if variant is not None and first is not None:
            text, help = f"the variant `{first.text}` is laid over the game twice", "what it changes it has changed"
            there = (Related(first.span, "laid here first"),) if first.span != variant.name.span else ()
            report.error("variant-twice", text, variant.name.span, related=there, help=f"name it once; {help}")
        elif variant is not None:
            found.append((variant, (document.source.name, document.source.text)))
    return found


def _variant_at(name: str | Path, file: Path, report: Report) -> Document | None:
    try:
        path = library.find_variant(name, file)
    except library.UnknownNameError as error:
        _unknown(error, str(file), report)
        return None
    return load_document(path, path.parent, path.as_posix(), report)[0]


def _below(game: nodes.Game, lower: list[nodes.Variant]) -> nodes.Game:
    """Return the game a variant is read against: with what the variants below it add."""
    for variant in lower:
        game = variants.with_added(game, variant.adds)
    return game


def _is_own(path: Path) -> bool:
    """Say whether a file beside a game is one of its texts: a plain file, and no link to elsewhere."""
    return path.suffix in (".yaml", ".csv") and path.is_file() and not path.is_symlink()


def sources_of(file: Path) -> dict[str, str]:
    """Return the texts of the files that lie with a game, by their names in spans."""
    if file.name != "game.yaml":
        return {}
    paths = [p for p in sorted(file.parent.iterdir()) if _is_own(p) and p != file]
    return {p.as_posix(): p.read_text(encoding="utf-8", errors="replace") for p in paths}
