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
from rulespec.cli.failures import DONE, FINDINGS, INTERRUPTED, Failure, failure_of
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
        _forgive_encodings()
        try:
            code = super().main(args, prog_name or "rulespec", complete_var, standalone_mode=False, **extra)
            sys.stdout.flush()
        except (KeyboardInterrupt, click.Abort):
            note("interrupted")
            code = INTERRUPTED
        except BrokenPipeError:
            # whoever read the output has gone; nothing more can be said, nor need it
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            code = FINDINGS
        except Exception as error:
            failure = failure_of(error)
            _tell(failure, wants_json(words))
            code = failure.exit_code
        sys.exit(code or DONE)


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
