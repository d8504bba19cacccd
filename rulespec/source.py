"""Where things stand in the text: files, spans, values with their place. Imports nothing of ours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A text as read: `name` is its path relative to the rule set's folder, with forward slashes."""

    name: str
    text: str

    def line(self, number: int) -> str:
        """Return line *number* (from 1) without its end, or "" past the last."""
        lines = self.text.splitlines()
        return lines[number - 1] if 0 < number <= len(lines) else ""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of a file. Lines and columns count from 1, in code points; the end is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def to(self, other: Span) -> Span:
        """Return the span from the start of this one to the end of *other*."""
        return Span(self.file, self.line, self.column, other.end_line, other.end_column)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Located(Generic[T]):
    """A value and where it was written."""

    value: T
    span: Span
