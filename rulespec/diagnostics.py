"""What is wrong with a spec, as data. `render` alone turns it into text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Literal

from rulespec.source import Span

COVERED = re.compile(r"(?<=[a-z0-9_])~\d+\b")
Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Related:
    """A second place that explains the first, with a few words under its caret."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One fault: its code, what is said of it, the narrowest place, and what to write instead."""

    code: str
    message: str
    span: Span
    severity: Severity = "error"
    help: str | None = None
    notes: tuple[str, ...] = ()
    related: tuple[Related, ...] = ()
    label: str | None = None


@dataclass
class Report:
    """Collects diagnostics over all passes; the same fault at the same place counts once."""

    diagnostics: list[Diagnostic] = field(default_factory=list)

    def add(self, diagnostic: Diagnostic) -> None:
        if diagnostic not in self.diagnostics:
            self.diagnostics.append(diagnostic)

    def error(self, code: str, message: str, span: Span, **more: object) -> None:
        """Add an error; *more* are the other fields of Diagnostic."""
        self.add(Diagnostic(code, message, span, "error", **more))  # type: ignore[arg-type]

    def warning(self, code: str, message: str, span: Span, **more: object) -> None:
        """Add a warning; *more* are the other fields of Diagnostic."""
        self.add(Diagnostic(code, message, span, "warning", **more))  # type: ignore[arg-type]

    @property
    def has_errors(self) -> bool:
        return any(d.severity == "error" for d in self.diagnostics)

    def in_order(self) -> list[Diagnostic]:
        """Return all diagnostics by file, line and column."""
        return sorted(self.diagnostics, key=lambda d: (d.span, d.severity, d.code))


def counted(number: int, what: str) -> str:
    """Return a number with what it counts.

    >>> counted(1, "argument"), counted(2, "argument")
    ('1 argument', '2 arguments')
    """
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def said(text: str) -> str:
    """Return a text with the names authors know: of a rule that a variant covers, the name it had.

    >>> said("`place~1` takes 1 argument")
    '`place` takes 1 argument'
    """
    return COVERED.sub("", text)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name most likely meant by *name*, or None.

    >>> nearest("discrad", ["deck", "discard", "hand"])
    'discard'
    """
    found = get_close_matches(name, sorted(set(known)), n=1, cutoff=0.6)
    return found[0] if found else None


def suggestion(name: str, known: Sequence[str], what: str) -> tuple[str | None, tuple[str, ...]]:
    """Return (help, notes) for an unknown name: the nearest one, or the list of the few that exist.

    >>> suggestion("hnad", ["hand", "deck"], "zones of this game")
    ('did you mean `hand`?', ('zones of this game: `deck`, `hand`',))
    """
    names = sorted({said(each) for each in known})
    near = nearest(name, names)
    listed = (f"{what}: " + ", ".join(f"`{n}`" for n in names),) if 0 < len(names) <= 12 else ()
    return (f"did you mean `{near}`?" if near else None), listed
