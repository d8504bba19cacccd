"""The exit codes of commands, and what a command raises that cannot do what was asked.

0 done; 1 findings, differences, errors or truncated games; 2 bad usage, unknown name, unreadable file; 130 interrupted.
"""

from __future__ import annotations

DONE, FINDINGS, USAGE, INTERRUPTED = 0, 1, 2, 130


class CommandError(Exception):
    """A command cannot do what was asked. `code` names the fault, `exit_code` is what the process ends with."""

    def __init__(self, code: str, message: str, help: str | None = None, exit_code: int = USAGE) -> None:
        super().__init__(message)
        self.code = code
        self.help = help
        self.exit_code = exit_code
