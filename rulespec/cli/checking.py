"""Every kind of file checked by the passes it needs: games, variants, scenarios, clauses, texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from interpreter import Game
from interpreter.scenario import unknown_words
from rulespec import library, schema
from rulespec.cli.clauses import clauses_of, names_of
from rulespec.cli.exits import CommandError
from rulespec.cli.request import say_what_is_meant
from rulespec.diagnostics import Report, suggestion
from rulespec.documents import Document, Scalar
from rulespec.loader import load_document, load_text
from rulespec.passes import build, build_text
from rulespec.scenario_reader import read_scenarios
from rulespec.scenarios import Case, Programs, cases_in, scenario_files
from rulespec.source import Span

VARIANTS, SCENARIOS, TEXTS, CLAUSES = "variants", "scenarios", "texts", "clauses.yaml"
STDIN = "<stdin>"


def check_file(path: Path, report: Report) -> None:
    """Report every fault of a file: of a game with its scenarios and clauses, of any other with the game it is of."""
    if path.name == CLAUSES or path.parent.name == TEXTS:
        document = _document(path, report)
        is_sound = schema.check(document, "clauses" if path.name == CLAUSES else "texts", report)
        game = path.parent / "game.yaml"
        if is_sound and path.name == CLAUSES and game.is_file():
            _check_clauses(Programs(game, report), report)
        return
    document = _document(path, Report())
    match schema.kind_of(document):
        case "variant":
            _check_variant(path, _document(path, report), report)
        case "scenarios":
            _check_scenarios(path, _document(path, report), report)
        case _:
            _check_game(path, report)


def check_text(text: str, report: Report) -> None:
    """Report every fault of a text that lies in no file."""
    document, _ = load_text(text, STDIN, Report())
    match schema.kind_of(document):
        case "variant":
            _check_variant(Path(STDIN), load_text(text, STDIN, report)[0], report)
        case "scenarios":
            _check_scenarios(Path(STDIN), load_text(text, STDIN, report)[0], report)
        case _:
            build_text(text, report, STDIN)


def game_at(path: Path) -> Game | None:
    """Return what a sound file can be played as: a game, or a variant over its base; None where it is neither."""
    if path.name == CLAUSES or path.parent.name == TEXTS:
        return None
    return _playable(_document(path, Report()), path, lambda: build(path, [], Report()))


def game_in(text: str) -> Game | None:
    """Return what a sound text that lies in no file can be played as, as `game_at` does."""
    built = build_text(text, Report(), STDIN)
    return _playable(load_text(text, STDIN, Report())[0], Path(STDIN), lambda: built.program if built else None)


def _playable(document: Document, path: Path, alone: Callable[[], dict[str, Any] | None]) -> Game | None:
    program = None
    match schema.kind_of(document):
        case "game":
            program = alone()
        case "variant":
            base = _base_of_variant(path, document, Report())
            program = build(base, [document], Report()) if base is not None else None
    return Game(program) if program is not None else None


def files_of(game: Path) -> list[Path]:
    """Return the files that lie with a game and are not checked with it."""
    if game.name != "game.yaml":
        return []
    folder = game.parent
    return [file for part in (VARIANTS, TEXTS) for file in sorted((folder / part).glob("*.yaml")) if file.is_file()]


def file_of(name_or_path: str) -> Path:
    """Return the file that a name or path means; a CommandError suggests the nearest name."""
    say_what_is_meant(name_or_path)
    path = Path(name_or_path)
    if path.is_file():
        return path
    try:
        return library.find_game(name_or_path)
    except library.UnknownNameError as error:
        help, notes = suggestion(error.name, error.known, "games there are")
        help = help or (notes[0] if notes else "`rulespec list` names the games there are")
        raise CommandError("unknown-game", f"no game or file is named `{name_or_path}`", help) from None


def _document(path: Path, report: Report) -> Document:
    return load_document(path, path.parent, path.as_posix(), report)[0]


# ------------------------------------------------------------------------------------------------- each kind of file


def _check_game(path: Path, report: Report) -> None:
    """Check a game, its scenario files and its clauses."""
    programs = Programs(path, report)
    is_sound = programs.built(()) is not None
    cases: list[Case] = []
    for file in scenario_files(path):
        document = _document(file, report)
        if is_sound:
            cases += cases_in(document, file, programs)
        else:
            schema.check(document, "scenarios", report)
    if is_sound:
        _check_words(cases, report)
        _check_clauses(programs, report)


def _check_scenarios(path: Path, document: Document, report: Report) -> None:
    """Check scenarios together with the game they are of."""
    if not schema.check(document, "scenarios", report):
        return
    game = _base(document, "scenarios_of", path, report)
    if game is not None:
        _check_words(cases_in(document, path, Programs(game, report)), report)


def _check_variant(path: Path, document: Document, report: Report) -> None:
    """Check a variant over its base."""
    base = _base_of_variant(path, document, report) if document.root is not None else None
    if base is not None:
        build(base, [document], report)


def _base_of_variant(path: Path, document: Document, report: Report) -> Path | None:
    """Return the game a variant lies with, or the one it names; None after reporting that there is none."""
    beside = path.parent.parent / "game.yaml"
    if path.parent.name == VARIANTS and beside.is_file():
        return beside
    return _base(document, "of", path, report) if schema.check(document, "variant", report) else None


def _base(document: Document, key: str, path: Path, report: Report) -> Path | None:
    """Return the game that a document names; None after reporting that there is none."""
    named = document.root.get(key) if document.root is not None else None
    if not isinstance(named, Scalar):
        return None
    try:
        return library.find_base(named.text, path)
    except library.UnknownNameError as error:
        help, notes = suggestion(error.name, error.known, "games there are")
        place = f"there is no game at `{named.text}`" if library.is_path(named.text) else str(error)
        report.error("unknown-game", place, named.span, help=help, notes=notes)
        return None


def _check_words(cases: Sequence[Case], report: Report) -> None:
    """Report what scenarios write as actions or outcomes, and what no position of the game could offer."""
    games: dict[int, Game] = {}
    for case in cases:
        game = games.setdefault(id(case.program), Game(case.program))
        for at, message, help in unknown_words(game, case.scenario):
            report.error("unknown-action", message, Span(case.scenario["at"][0], *at), help=help)


# ------------------------------------------------------------------------------------------------------- clauses


def _check_clauses(programs: Programs, report: Report) -> None:
    """Check that clauses point to rules that are there, and that scenarios name clauses that are."""
    clauses = clauses_of(programs.game, report)
    known = _names_in_all(programs)
    if not clauses or known is None:
        return
    for clause in clauses.values():
        for rule in clause.rules:
            if rule.text not in known:
                help, _ = suggestion(rule.text, sorted(known), "")
                message = f"`{clause.id}` points to `{rule.text}`, and no rule or row is named so"
                report.error("unknown-rule", message, rule.span, help=help)
    for file in scenario_files(programs.game):
        _check_clause_names(_document(file, Report()), clauses, report)


def _names_in_all(programs: Programs) -> set[str] | None:
    """Return what clauses may point to in the game and in each of its variants; None where one has faults."""
    known: set[str] = set()
    for variant in (None, *library.list_variants(programs.game)):
        built = programs.built(() if variant is None else (variant,))
        if built is None or built.program is None:
            return None
        known |= names_of(built.program)
    return known


def _check_clause_names(document: Document, clauses: dict[str, Any], report: Report) -> None:
    for node in read_scenarios(document, Report()):
        for id in node.clauses:
            if id.value not in clauses:
                help, notes = suggestion(id.value, list(clauses), "clauses")
                report.error("unknown-clause", f"there is no clause `{id.value}`", id.span, help=help, notes=notes)
