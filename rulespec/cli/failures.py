"""Exceptions as they are told: a code, a message, help, and the exit code of the process."""

from __future__ import annotations

from dataclasses import dataclass

import click

from interpreter.errors import (
    Error,
    IllegalActionError,
    NotationError,
    ProgramError,
    RuleError,
    SaveError,
    SettingError,
    SpecError,
    reason_of,
)
from rulespec.cli.exits import FINDINGS, USAGE, CommandError
from rulespec.cli.faults import faults_of, told, unknown_name


@dataclass(frozen=True, slots=True)
class Failure:
    """An exception as it is told to a person or a program."""

    code: str
    message: str
    help: str | None
    exit_code: int


CODES: tuple[tuple[type[Exception], str, int], ...] = (
    (SettingError, "bad-setting", USAGE),
    (SaveError, "save-differs", FINDINGS),
    (ProgramError, "bad-program", USAGE),
    (NotationError, "bad-notation", USAGE),
    (IllegalActionError, "illegal-action", FINDINGS),
    (RuleError, "rule-error", FINDINGS),
    (Error, "error", FINDINGS),
)


def failure_of(error: Exception) -> Failure:
    """Return what is to be said of *error*, whatever it is."""
    if isinstance(error, CommandError):
        return Failure(error.code, str(error), error.help, error.exit_code)
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return Failure("usage", "no command is named", f"write one of these\n\n{error.format_message()}", USAGE)
    if isinstance(error, click.UsageError):
        context = error.ctx.command_path if error.ctx else "rulespec"
        return Failure("usage", error.format_message(), f"`{context} --help` lists what it takes", USAGE)
    if isinstance(error, click.ClickException):
        return Failure("usage", error.format_message(), None, USAGE)
    if isinstance(error, SpecError):
        return _failure_of_spec(error)
    if isinstance(error, OSError):
        failed = f"`{error.filename}` cannot be read" if error.filename is not None else "the system refuses"
        return Failure("unreadable-file", f"{failed}: {reason_of(error)}", None, USAGE)
    for kind, code, exit_code in CODES:
        if isinstance(error, kind):
            return Failure(code, str(error), None, exit_code)
    text = f"{type(error).__name__}: {error}"
    return Failure("internal-error", f"this is a fault of rulespec, not of the game: {text}", None, FINDINGS)


def _failure_of_spec(error: SpecError) -> Failure:
    """Return a name that does not exist as bad usage, faults in a spec as findings."""
    unknown = unknown_name(error)
    if unknown is not None:
        return Failure(unknown.code, unknown.message, unknown.help or "; ".join(unknown.notes) or None, USAGE)
    faults = faults_of(error)
    help = "`rulespec validate` lists them with every detail" if faults else None
    return Failure("spec-error", told(faults) or str(error), help, FINDINGS)
