"""Printing: results to standard output, everything else to standard error. Rich is loaded by what first prints."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

FORMAT = click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", help="text for people, or one JSON value"
)

WIDEST = 1_000_000
"""The width of what goes to a file or another program: no line is that long."""


def console(width: int | None = None) -> Console:
    """Return a console for results. Colours only where a terminal shows them and NO_COLOR is not set."""
    from rich.console import Console

    return Console(file=sys.stdout, width=width, highlight=False, markup=False, emoji=False, soft_wrap=True)


def messages() -> Console:
    """Return a console for progress and messages."""
    from rich.console import Console

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
    """Print rows under headers. A terminal sets a width, at which cells are folded; elsewhere each row is one line."""
    from rich.table import Column, Table

    columns = [Column(header, overflow="fold") for header in headers]
    table = Table(*columns, title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for row in rows:
        table.add_row(*(_cell(value) for value in row))
    target = console()
    if target.is_terminal:
        target.print(table, soft_wrap=False)
        return
    target = console(width=WIDEST)
    with target.capture() as captured:
        target.print(table, soft_wrap=False)
    sys.stdout.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


def progress_bar() -> Progress:
    """Return a progress display on standard error; it shows nothing where no terminal is."""
    from rich.progress import Progress

    target = messages()
    return Progress(console=target, transient=True, disable=not target.is_terminal)


def _cell(value: object) -> str:
    if value is None:
        return ""
    return ", ".join(str(item) for item in value) if isinstance(value, list | tuple) else str(value)
