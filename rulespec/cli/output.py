"""Printing: results to standard output, everything else to standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table


def console() -> Console:
    """Return a console for results. Colours only where a terminal shows them and NO_COLOR is not set."""
    return Console(file=sys.stdout, highlight=False, markup=False, emoji=False, soft_wrap=True)


def messages() -> Console:
    """Return a console for progress and messages."""
    return Console(file=sys.stderr, highlight=False, markup=False, emoji=False, soft_wrap=True)


def say(text: str = "") -> None:
    """Print a line of the result."""
    console().print(text)


def note(text: str) -> None:
    """Print a message."""
    messages().print(text)


def emit_json(data: Any) -> None:
    """Print *data* as one JSON value."""
    ascii_only = (sys.stdout.encoding or "ascii").lower().replace("-", "") != "utf8"
    sys.stdout.write(json.dumps(data, ensure_ascii=ascii_only) + "\n")


def print_table(headers: Sequence[str], rows: Iterable[Sequence[object]], title: str | None = None) -> None:
    """Print rows under headers. Where no terminal sets a width, no cell is folded."""
    table = Table(*headers, title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for row in rows:
        table.add_row(*(_cell(value) for value in row))
    target = console()
    if target.is_terminal:
        target.print(table, soft_wrap=False)
        return
    with target.capture() as captured:
        target.print(table, soft_wrap=False, width=10_000)
    sys.stdout.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


def progress_bar() -> Progress:
    """Return a progress display on standard error; it shows nothing where no terminal is."""
    target = messages()
    return Progress(console=target, transient=True, disable=not target.is_terminal)


def _cell(value: object) -> str:
    if value is None:
        return ""
    return ", ".join(str(item) for item in value) if isinstance(value, list | tuple) else str(value)
