"""Diagnostics made into text for people, dictionaries for JSON, and SARIF. The only place that does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from rulespec.diagnostics import Diagnostic
from rulespec.source import SourceFile, Span

LONG = 240
"""So many characters of a line are quoted; of a longer one, the part around the fault."""

Sources = Mapping[str, SourceFile]
"""The files spoken of, by name; of a missing one no line is shown."""


def render_text(diagnostics: Iterable[Diagnostic], sources: Sources) -> str:
    """Return diagnostics as text, a blank line between them, ending in a line end (empty: "")."""
    blocks = [render_one(one, sources) for one in diagnostics]
    return "\n\n".join(blocks) + "\n" if blocks else ""


def render_one(diagnostic: Diagnostic, sources: Sources) -> str:
    """Return one diagnostic: its head, the line with carets, the places that explain it, notes, help."""
    lines = [f"{diagnostic.span}: {diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}"]
    width = max(len(str(span.line)) for span in (diagnostic.span, *(one.span for one in diagnostic.related)))
    lines += _quoted(diagnostic.span, "^", diagnostic.label, sources, width)
    for one in diagnostic.related:
        lines.append(f"{' ' * width}--> {one.span}")
        quoted = _quoted(one.span, "-", one.message, sources, width)
        lines += quoted or [f"{' ' * width} = {one.message}"]
    margin = " " * width
    lines += [f"{margin} = {note}" for note in diagnostic.notes]
    if diagnostic.help is not None:
        lines.append(f"{margin} = help: {diagnostic.help}")
    return "\n".join(lines)


def _quoted(span: Span, sign: str, label: str | None, sources: Sources, width: int) -> list[str]:
    source = sources.get(span.file)
    if source is None:
        return []
    line = source.line(span.line)
    end = span.end_column if span.end_line == span.line else len(line) + 1
    line, column, end = _window(line, span.column, end)
    marks = sign * max(1, min(end, len(line) + 1) - column)
    under = " " * (column - 1) + marks + (f" {label}" if label else "")
    return [f"{span.line:>{width}} | {line.replace(chr(9), ' ')}", f"{' ' * width} | {under}"]


def _window(line: str, column: int, end: int) -> tuple[str, int, int]:
    """Return the part of a very long line around a span, and the columns of the span there.

    >>> _window("a" * 50 + "b", 51, 52)
    ('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab', 51, 52)
    """
    if len(line) <= LONG:
        return line, column, end
    left = max(0, min(column - 1 - LONG // 3, len(line) - LONG))
    right = left + LONG
    shown = line[left:right]
    before, after = "..." * (left > 0), "..." * (right < len(line))
    moved = len(before) - left
    return before + shown + after, column + moved, min(end, right + 1) + moved


def to_dicts(diagnostics: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    """Return diagnostics as plain data for JSON."""
    return [
        {
            "code": one.code,
            "severity": one.severity,
            **_place(one.span),
            "message": one.message,
            "help": one.help,
            "notes": list(one.notes),
            "related": [{**_place(other.span), "message": other.message} for other in one.related],
        }
        for one in diagnostics
    ]


def _place(span: Span) -> dict[str, Any]:
    return {
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def to_sarif(diagnostics: Iterable[Diagnostic], version: str = "0") -> dict[str, Any]:
    """Return diagnostics as a SARIF 2.1.0 log; columns count code points."""
    listed = list(diagnostics)
    codes = sorted({one.code for one in listed})
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "rulespec", "version": version, "rules": [{"id": c} for c in codes]}},
                "columnKind": "unicodeCodePoints",
                "results": [_result(one, codes) for one in listed],
            }
        ],
    }


def _result(one: Diagnostic, codes: list[str]) -> dict[str, Any]:
    words = [one.message, *one.notes] + ([f"help: {one.help}"] if one.help else [])
    result: dict[str, Any] = {
        "ruleId": one.code,
        "ruleIndex": codes.index(one.code),
        "level": one.severity,
        "message": {"text": "\n".join(words)},
        "locations": [_location(one.span)],
    }
    if one.related:
        result["relatedLocations"] = [
            {"id": n, "message": {"text": other.message}, **_location(other.span)}
            for n, other in enumerate(one.related)
        ]
    return result


def _location(span: Span) -> dict[str, Any]:
    region = {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
    return {"physicalLocation": {"artifactLocation": {"uri": quote(span.file)}, "region": region}}
