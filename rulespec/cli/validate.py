"""`rulespec validate`: what is wrong with files, where, and what to write instead."""

from __future__ import annotations

from pathlib import Path

import click

import rulespec
from interpreter import Error, Game, RuleError
from interpreter.simulate import Run, simulate
from rulespec.cli.checking import STDIN, check_file, check_text, file_of, files_of, game_at, game_in
from rulespec.cli.exits import DONE, FINDINGS
from rulespec.cli.faults import told
from rulespec.cli.files import read_text
from rulespec.cli.output import emit_json, note, say
from rulespec.diagnostics import Diagnostic, Report, counted
from rulespec.render import to_dicts, to_sarif
from rulespec.source import SourceFile, Span

DEEP_GAMES = 10


@click.command("validate")
@click.argument("paths", metavar="PATH|NAME...", nargs=-1, required=True)
@click.option("--deep", is_flag=True, help="also all files beside a game, and a few games played with every check")
@click.option("--strict", is_flag=True, help="warnings count as errors")
@click.option("--format", "form", type=click.Choice(["text", "json", "sarif"]), default="text")
def command(paths: tuple[str, ...], deep: bool, strict: bool, form: str) -> int:
    """Report every fault of the files: its place, what is wrong, what to write instead. `-` is standard input."""
    report = Report()
    given: dict[str, SourceFile] = {}
    for path in paths:
        own = Report()
        if path == "-":
            given[STDIN] = SourceFile(STDIN, read_text(path))
            _check_text(given[STDIN].text, deep, own)
        else:
            _check_file(file_of(path), deep, own)
        for diagnostic in own.diagnostics:
            report.add(diagnostic)
    found = report.in_order()
    failed = [each for each in found if strict or each.severity == "error"]
    match form:
        case "json":
            emit_json(to_dicts(found))
        case "sarif":
            emit_json(to_sarif(found, rulespec.__version__))
        case _:
            if found:
                say(told(found, given))
            note(_sum(found))
    return FINDINGS if failed else DONE


def _check_text(text: str, deep: bool, report: Report) -> None:
    check_text(text, report)
    if deep and not report.has_errors:
        _play(game_in(text), Path(STDIN), report)


def _check_file(file: Path, deep: bool, report: Report) -> None:
    """Check a file; deeply, also what lies beside it, and play it if it is sound."""
    check_file(file, report)
    for other in files_of(file) if deep else ():
        check_file(other, report)
    if deep and not report.has_errors:
        _play(game_at(file), file, report)


def _play(game: Game | None, file: Path, report: Report) -> None:
    """Play a few games for each number of players with every check; what is no game is not played."""
    if game is None:
        return
    for players in range(game.program["players"]["min"], game.program["players"]["max"] + 1):
        try:
            result = simulate(game, DEEP_GAMES, Run(players=players, check=True))
        except Error as error:
            report.add(_diagnostic(file, error))
            continue
        for failure in result["failures"]:
            report.add(Diagnostic("failing-playout", f"with {players} players, {failure}", _start(file)))


def _diagnostic(file: Path, error: Error) -> Diagnostic:
    if isinstance(error, RuleError) and len(error.at) == 5:
        name, line, column, end_line, end_column = error.at
        span = Span(str(name), int(str(line)), int(str(column)), int(str(end_line)), int(str(end_column)))
        return Diagnostic("rule-error", str(error), span)
    return Diagnostic("rule-error", str(error), _start(file))


def _start(file: Path) -> Span:
    return Span(file.as_posix(), 1, 1, 1, 2)


def _sum(found: list[Diagnostic]) -> str:
    errors = sum(each.severity == "error" for each in found)
    warnings = counted(len(found) - errors, "warning")
    return f"{counted(errors, 'error')}, {warnings}" if found else "nothing wrong"
