"""A YAML document as we keep it: mappings, sequences and texts, each with its place. No YAML type is in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from rulespec.source import Located, SourceFile, Span


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a piece of language text stands: its first character, and the column at which its lines begin.

    A one-line text has one line; all lines of a `|` block begin in the same column, their indentation removed.
    Lines and columns count from 1, in code points.
    """

    file: str
    line: int = 1
    column: int = 1

    def span(self, line: int, column: int, end_line: int, end_column: int) -> Span:
        """Return the place in the file of a stretch of the text (lines and columns from 1).

        >>> str(Origin("a.yaml", 7, 5).span(2, 3, 2, 4))
        'a.yaml:8:7'
        """
        down, right = self.line - 1, self.column - 1
        return Span(self.file, line + down, column + right, end_line + down, end_column + right)


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text. `style` is "plain", "quoted" or "block" (`|`); `origin` places its first character."""

    text: str
    style: str
    span: Span
    origin: Origin

    @property
    def is_null(self) -> bool:
        """Nothing was written where a value may stand."""
        return self.style == "plain" and self.text == ""


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list, in `[...]` or with dashes."""

    items: tuple[Value, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Mapping:
    """Keys and values in the order written; no key stands twice. `keys` hold the origin of each key's text."""

    entries: tuple[tuple[Located[str], Value], ...]
    span: Span

    def get(self, name: str) -> Value | None:
        """Return the value of a key, or None."""
        return next((value for key, value in self.entries if key.value == name), None)

    def key(self, name: str) -> Located[str] | None:
        """Return a key with its place, or None."""
        return next((key for key, _ in self.entries if key.value == name), None)

    def __iter__(self) -> Iterator[tuple[Located[str], Value]]:
        return iter(self.entries)


Value: TypeAlias = Scalar | Sequence | Mapping


@dataclass(frozen=True, slots=True)
class Document:
    """A file read: its source and its outermost mapping (None where the file could not be read)."""

    source: SourceFile
    root: Mapping | None


def plain(value: Value) -> object:
    """Return a value as dictionaries, lists and texts."""
    match value:
        case Scalar():
            return value.text
        case Sequence():
            return [plain(item) for item in value.items]
        case Mapping():
            return {key.value: plain(item) for key, item in value.entries}


def origin_of(key: Located[str]) -> Origin:
    """Return the origin of a key's text (keys are plain, on one line)."""
    return Origin(key.span.file, key.span.line, key.span.column)
