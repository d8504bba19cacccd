"""The group of all commands, and the one place where errors become messages and exit codes."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NoReturn

import click

from rulespec.cli import (
    compile_game,
    diff,
    list_games,
    new,
    perft,
    play,
    replay,
    rules,
    schema,
    show,
    simulate,
    test,
    tree,
    validate,
)
from rulespec.cli.failures import DONE, FINDINGS, INTERRUPTED, CommandError, Failure, failure_of
from rulespec.cli.output import emit_json, note


class App(click.Group):
    """A group whose commands return their exit code, and which lets no traceback out."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> NoReturn:
        """Run the command line and exit with its code."""
        words = sys.argv[1:] if args is None else args
        closed = _open_what_is_closed()
        _forgive_encodings()
        try:
            if closed:
                raise CommandError("closed-output", "standard output is closed: there is nowhere to write the result")
            code = super().main(args, prog_name or "rulespec", complete_var, standalone_mode=False, **extra)
            sys.stdout.flush()
        except (KeyboardInterrupt, click.Abort):
            note("interrupted")
            code = INTERRUPTED
        except BrokenPipeError:
            code = _nobody_reads()
        except Exception as error:
            failure = failure_of(error)
            code = failure.exit_code
            try:
                _tell(failure, wants_json(words) and not closed)
                sys.stdout.flush()
            except BrokenPipeError:
                _nobody_reads()
        sys.exit(code or DONE)


def _nobody_reads() -> int:
    """Whoever read the output has gone: nothing more can be said, nor need it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FINDINGS


def _open_what_is_closed() -> bool:
    """Give a closed standard output or error a place to write to; say whether output was closed."""
    closed = sys.stdout is None
    if closed:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    return closed


def wants_json(words: Sequence[str]) -> bool:
    """Say whether a command line asks for JSON, also one that could not be read otherwise.

    >>> wants_json(["perft", "--format", "json"]), wants_json(["perft", "--format=text"])
    (True, False)
    """
    pairs = zip(words, [*words[1:], ""])
    return any(word == "--format=json" or (word == "--format" and value == "json") for word, value in pairs)


def _tell(failure: Failure, as_json: bool) -> None:
    if as_json:
        emit_json({"error": {"code": failure.code, "message": failure.message, "help": failure.help}})
        return
    spec = failure.code == "spec-error"
    note(failure.message if spec else f"error: {failure.message}")
    if failure.help:
        note(f"help: {failure.help}")


def _forgive_encodings() -> None:
    """Print a question mark for what the terminal cannot show, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _version() -> str:
    try:
        return version("rulespec")
    except PackageNotFoundError:
        return "(not installed)"


@click.group(cls=App, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(_version(), prog_name="rulespec")
def main() -> None:
    """Board games as data: check, play, simulate and compare their rules."""


for command in (
    list_games.command,
    validate.command,
    simulate.command,
    play.command,
    replay.command,
    test.command,
    perft.command,
    tree.command,
    rules.command,
    diff.command,
    show.command,
    new.command,
    schema.command,
    compile_game.command,
):
    main.add_command(command)
