"""`rulespec diff`: what variants change, rule by rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

import rulespec
from rulespec import documents, library
from rulespec.cli.exits import DONE, CommandError
from rulespec.cli.output import FORMAT, emit_json, say
from rulespec.cli.request import Request, with_game
from rulespec.cli.rule_listing import RuleEntry, block_at, list_rules
from rulespec.loader import load_document
from rulespec.source import Located, SourceFile

RULE_NAME = re.compile(r"[\w.]+")
BASE = re.compile(r"\bbase\b")


@click.command("diff")
@with_game
@FORMAT
def command(request: Request, form: str) -> int:
    """Print every rule of GAME that the variants change, add or remove, before and after."""
    if not request.variants:
        raise CommandError("usage", "there is nothing to compare", "name a variant: `rulespec diff GAME --variant V`")
    request.load()  # all that is said below is about variants that fit the game
    base = {entry.name: entry for entry in list_rules(rulespec.load(request.game).program)}
    game = library.find_game(request.game)
    changes = [change for name in request.variants for change in _changes(library.find_variant(name, game), base)]
    if form == "json":
        emit_json(changes)
        return DONE
    say("\n\n".join(_paragraph(change) for change in changes) or "these variants change no rule")
    return DONE


def _changes(path: Path, base: Mapping[str, RuleEntry]) -> Iterator[dict[str, Any]]:
    """Yield what one variant does, in the order it says so."""
    document, _ = load_document(path)
    root = document.root
    assert root is not None, "the variant was loaded before"
    for key, _ in _entries(root.get("changes")):
        after = _written(document.source, key)
        yield _change("changed", "changes", _rule_name(key.value), base, after)
    for section, things in _entries(root.get("adds")):
        for key, _ in _entries(things):
            yield _change("added", section.value, _rule_name(key.value), {}, _written(document.source, key))
    removed = root.get("removes")
    for item in removed.items if isinstance(removed, documents.Sequence) else ():
        if isinstance(item, documents.Scalar):
            yield _change("removed", "removes", item.text, base, None)


def _entries(value: documents.Value | None) -> tuple[tuple[Located[str], documents.Value], ...]:
    return value.entries if isinstance(value, documents.Mapping) else ()


def _rule_name(signature: str) -> str:
    found = RULE_NAME.match(signature)
    return found.group(0) if found else signature


def _written(source: SourceFile, key: Located[str]) -> dict[str, Any]:
    span = key.span
    return {"file": span.file, "line": span.line, "text": block_at(source.text, span.line, span.column)}


def _change(
    change: str, section: str, name: str, base: Mapping[str, RuleEntry], after: dict[str, Any] | None
) -> dict[str, Any]:
    entry = base.get(name)
    return {
        "rule": name,
        "change": change,
        "section": section,
        "keeps_base": after is not None and BASE.search(after["text"]) is not None,
        "before": None if entry is None else {"file": entry.file, "line": entry.line, "text": entry.text},
        "after": after,
    }


def _paragraph(change: Mapping[str, Any]) -> str:
    word = f"{change['rule']} ({change['section']})" if change["change"] == "added" else str(change["rule"])
    lines = [f"{change['change']} {word}"]
    for sign, side in (("-", change["before"]), ("+", change["after"])):
        if side is not None:
            lines.append(f"  {side['file']}:{side['line']}")
            lines += [f"  {sign} {line}" for line in side["text"].splitlines()]
    return "\n".join(lines)
