"""Faults in a game's own lines that it has only under a variant: the line of the variant is named with them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from rulespec import nodes
from rulespec.diagnostics import Diagnostic, Related, Report
from rulespec.resolver import SECTIONS, name_of
from rulespec.source import SourceFile, Span

MOST_NAMED = 3
"""Lines named with one fault."""
Cause = tuple[str, Related]
"""What a variant changes, and where."""


def blame(
    report: Report, alone: Report, laid: Sequence[nodes.Variant], declared: Mapping[str, Span], source: SourceFile
) -> None:
    """Name with each error of a game the line of the variant that causes it; *alone* are the faults without variants.

    *declared* are the places of the names of the game, *source* is its file.
    """
    before = {(d.code, d.span) for d in alone.diagnostics}
    files = {variant.name.span.file for variant in laid}
    causes = [cause for variant in laid for cause in _causes(variant)]
    for number, found in enumerate(report.diagnostics):
        places = {found.span.file, *(related.span.file for related in found.related)}
        if found.severity == "error" and (found.code, found.span) not in before and not places & files:
            named = _named(found, causes, declared, source) or [_laid(variant) for variant in laid]
            report.diagnostics[number] = replace(found, related=(*found.related, *named[:MOST_NAMED]))


def _causes(variant: nodes.Variant) -> Iterator[Cause]:
    """Yield all that a variant removes, changes and adds."""

    def cause(text: str, span: Span, what: str) -> Cause:
        return text, Related(span, f"`{variant.name.text}` {what} `{text}` here")

    yield from (cause(name.text, name.span, "removes") for name in variant.removes)
    yield from (cause(body.signature.name.text, body.signature.name.span, "changes") for body in variant.bodies)
    yield from (cause(change.rule.text, change.span, "changes") for change in variant.keys)
    for section in SECTIONS:
        for one in getattr(variant.adds, section):
            parts = (name_of(one), *(getattr(one, "members", None) or ()), *(r.name for r in getattr(one, "rows", ())))
            yield from (cause(name.text, name.span, "adds") for name in parts)


def _laid(variant: nodes.Variant) -> Related:
    return Related(variant.name.span, "it arises under this variant")


def _named(
    found: Diagnostic, causes: Iterable[Cause], declared: Mapping[str, Span], source: SourceFile
) -> list[Related]:
    """Return the changes of what a fault names, of what stands in its place, and of the rule it lies in."""
    words = set(re.findall(r"\w+", " ".join([*found.message.split("`")[1::2], _text_at(found.span, source)])))
    words |= {_around(found.span, declared)}
    near = [related for text, related in causes if text in words]
    return list(dict.fromkeys(near))


def _text_at(span: Span, source: SourceFile) -> str:
    if span.file != source.name:
        return ""
    end = span.end_column - 1 if span.end_line == span.line else None
    return source.line(span.line)[span.column - 1 : end]


def _around(span: Span, declared: Mapping[str, Span]) -> str:
    """Return what is declared last before a place."""
    above = [(each, name) for name, each in declared.items() if each.file == span.file and each <= span]
    return max(above)[1] if above else ""
