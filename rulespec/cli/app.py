"""The group of all commands, and the one place where errors become messages and exit codes."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

import click

import rulespec
from rulespec.cli.exits import DONE, FINDINGS, INTERRUPTED, CommandError
from rulespec.cli.output import emit_json, note

if TYPE_CHECKING:
    from rulespec.cli.failures import Failure

COMMANDS = {
    "list": ("list_games", "List games and variants, and where they are."),
    "validate": ("validate", "Check games, variants and scenarios."),
    "simulate": ("simulate", "Play many games with agents and sum them up."),
    "play": ("play", "Play at the terminal against agents."),
    "replay": ("replay", "Run a save again, verify it, show any position of it."),
    "test": ("test", "Run scenarios."),
    "perft": ("perft", "Count sequences of actions by depth."),
    "tree": ("tree", "Count the nodes of the whole game tree."),
    "rules": ("rules", "List every named rule with its help line."),
    "diff": ("diff", "Show what variants change, rule by rule."),
    "show": ("show", "Show a game or a position at a glance."),
    "new": ("new", "Write a commented start of a game or a variant."),
    "schema": ("schema", "Print the JSON Schema of game files, for editors."),
    "compile": ("compile_game", "Write a game as one JSON file that needs no parser."),
}
"""Each command: the module that holds it, which is imported when it is called, and its line in the list of all."""


class App(click.Group):
    """A group whose commands return their exit code, are imported when called, and let no traceback out."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, imported now."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"rulespec.cli.{COMMANDS[cmd_name][0]}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of all commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in self.list_commands(ctx)])

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
            code = _fail(error, wants_json(words) and not closed)
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


def _fail(error: Exception, as_json: bool) -> int:
    """Tell what went wrong and return the exit code."""
    from rulespec.cli.failures import failure_of

    failure = failure_of(error)
    try:
        _tell(failure, as_json)
        sys.stdout.flush()
    except OSError as fault:
        _nobody_reads()
        if not isinstance(fault, BrokenPipeError):
            _tell(failure, False)
    return failure.exit_code


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


@click.group(cls=App, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(rulespec.__version__, prog_name="rulespec")
def main() -> None:
    """Board games as data: check, play, simulate and compare their rules."""
