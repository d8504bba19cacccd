"""Faults of specs at the command line: told to people, and told apart from names that do not exist."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from interpreter.errors import SpecError
from rulespec.diagnostics import Diagnostic
from rulespec.render import render_text
from rulespec.source import SourceFile

UNKNOWN_NAMES = ("unknown-game", "unknown-variant")


def faults_of(error: SpecError) -> list[Diagnostic]:
    """Return the errors that a SpecError carries."""
    listed = [each for each in error.diagnostics if isinstance(each, Diagnostic)]
    return [each for each in listed if each.severity == "error"]


def unknown_name(error: SpecError) -> Diagnostic | None:
    """Return the fault if all that is wrong is a name that does not exist."""
    faults = faults_of(error)
    return faults[0] if faults and all(fault.code in UNKNOWN_NAMES for fault in faults) else None


def told(diagnostics: Iterable[Diagnostic], given: Mapping[str, SourceFile] | None = None) -> str:
    """Return diagnostics as text with the lines they speak of; *given* are texts that lie in no file."""
    listed = list(diagnostics)
    return render_text(listed, {**sources_of(listed), **(given or {})}).rstrip("\n")


def sources_of(diagnostics: Iterable[Diagnostic]) -> dict[str, SourceFile]:
    """Return the files that diagnostics speak of, as far as they can be read."""
    names = {span.file for each in diagnostics for span in (each.span, *(other.span for other in each.related))}
    return {name: source for name in sorted(names) if (source := _source(name)) is not None}


def _source(name: str) -> SourceFile | None:
    try:
        return SourceFile(name, Path(name).read_text(encoding="utf-8", errors="replace"))
    except (OSError, ValueError):
        return None
