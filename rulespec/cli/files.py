"""Files that a command reads and writes. What cannot be done is said in words, with the file and the reason."""

from __future__ import annotations

import sys
from pathlib import Path

from interpreter.errors import reason_of
from rulespec.cli.exits import CommandError


def read_text(path: str) -> str:
    """Return the text of a file, or of standard input for `-`."""
    file = Path(path)
    try:
        if path == "-":
            return sys.stdin.read()
        if file.exists() and not file.is_file():
            raise CommandError("unreadable-file", f"`{path}` is a folder or a device, and no file")
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        name = "standard input" if path == "-" else f"`{path}`"
        raise CommandError("unreadable-file", f"{name} is not a UTF-8 text") from None
    except OSError as fault:
        raise CommandError("unreadable-file", f"`{path}` cannot be read: {reason_of(fault)}") from None


def write_text(path: Path, text: str, folders: bool = False) -> None:
    """Write a file, with *folders* also those it lies in; a CommandError says why that cannot be done."""
    try:
        if folders:
            path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as fault:
        raise CommandError("unreadable-file", f"`{path}` cannot be written: {reason_of(fault)}") from None
