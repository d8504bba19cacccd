"""Everything the project raises on bad input or a rule that cannot be carried out."""

from __future__ import annotations

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
