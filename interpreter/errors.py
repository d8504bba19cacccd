"""Everything the project raises on bad input or a rule that cannot be carried out."""

from __future__ import annotations

import errno
from collections.abc import Sequence


class Error(Exception):
    """Base of all errors of the project."""


class SpecError(Error):
    """A spec with faults. `diagnostics` holds them, in file order."""

    def __init__(self, message: str, diagnostics: Sequence[object] = ()) -> None:
        super().__init__(message)
        self.diagnostics = list(diagnostics)


class ProgramError(Error):
    """A compiled program, or a saved state, that is not what it should be."""


class SaveError(ProgramError):
    """A save that can be read but not run again here: its first difference is named."""


class NotationError(Error):
    """A text that names no action or no state of this game."""


class SettingError(Error):
    """A number of players or an option outside what the game allows."""


class IllegalActionError(Error):
    """An action that is not offered. The state is as it was."""


class RuleError(Error):
    """A rule that could not be carried out while running: a bound passed, an empty choice, a missing thing."""

    def __init__(self, message: str, rule: str | None = None, at: Sequence[object] = ()) -> None:
        place = f"{at[0]}:{at[1]}:{at[2]}: " if len(at) >= 3 else ""
        super().__init__(f"{place}{message}" + (f" (in rule `{rule}`)" if rule else ""))
        self.message = message
        self.rule = rule
        self.at = list(at)


class Unfit(ValueError):
    """A value of a stranger's text is not what it should be, and the message says so."""


def in_words(fault: Exception) -> str:
    """Return what is wrong with a stranger's text; Python's own words for it say nothing to its reader.

    >>> in_words(KeyError("zones")), in_words(TypeError("'int' object is not iterable"))
    ('it has no `zones`', 'a part of it is of another kind than it should be')
    """
    if isinstance(fault, Error | Unfit):
        return str(fault)
    if isinstance(fault, KeyError) and fault.args and isinstance(fault.args[0], str):
        return f"it has no `{fault.args[0][:60]}`"
    return "a part of it is of another kind than it should be"


REASONS = {
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.ENOENT: "there is no such file or folder",
    errno.EEXIST: "a file lies where a folder is to be made",
    errno.EISDIR: "it is a folder",
    errno.ENOTDIR: "a part of its path is no folder",
    errno.ENOSPC: "the disk is full",
    errno.EROFS: "the disk is for reading only",
    errno.ENAMETOOLONG: "its name is too long",
    errno.ELOOP: "its links lead in a circle",
}


def reason_of(fault: OSError) -> str:
    """Return in words why the system does not read or write a file.

    >>> reason_of(PermissionError(13, "Permission denied", "game.yaml"))
    'permission denied'
    """
    return REASONS.get(fault.errno or 0) or (fault.strerror or str(fault) or "the system does not say why").lower()
