"""Reads what is for people: titles, texts by language, clauses of the rulebook."""

from __future__ import annotations

from dataclasses import dataclass

from rulespec import nodes, schema
from rulespec.documents import Document, Scalar, Value
from rulespec.nodes import Name
from rulespec.reading import Context, entries
from rulespec.source import Span


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of the rulebook: what it says in our words, where it stands, the rules that serve it."""

    id: str
    says: str
    section: str | None
    rules: tuple[Name, ...]
    silent: bool
    why: str | None
    span: Span
    survives: tuple[tuple[str, str], ...] = ()
    """Mutations of these rules that no scenario can notice, by `RULE: MUTATION`, and why."""


def read_title(value: Value | None) -> tuple[tuple[str, str], ...]:
    """Return a title by language; a single text is English."""
    if isinstance(value, Scalar):
        return (("en", value.text),)
    return tuple((key.value, text.text) for key, text in entries(value) if isinstance(text, Scalar))


def read_texts(context: Context, value: Value | None) -> tuple[nodes.Text, ...]:
    """Return the texts of a game file and of the files `texts/LANG.yaml`."""
    found = [
        nodes.Text("rules", name.value, language.value, text.text.rstrip("\n"), text.span)
        for name, by_language in entries(value)
        for language, text in entries(by_language)
        if isinstance(text, Scalar)
    ]
    for language_name in context.files.names("texts") if context.files is not None else ():
        assert context.files is not None
        document = context.files.document(f"texts/{language_name}.yaml")
        if schema.check(document, "texts", context.report):
            found += _texts_of(document, language_name)
    return tuple(found)


def _texts_of(document: Document, language: str) -> list[nodes.Text]:
    return [
        nodes.Text(section.value, name.value, language, text.text.rstrip("\n"), text.span)
        for section, names in entries(document.root)
        for name, text in entries(names)
        if isinstance(text, Scalar)
    ]


def read_clauses(context: Context) -> tuple[Clause, ...]:
    """Return the clauses of `clauses.yaml`, if the folder has one."""
    if context.files is None or not context.files.has("clauses.yaml"):
        return ()
    document = context.files.document("clauses.yaml")
    if not schema.check(document, "clauses", context.report):
        return ()
    return context.each(document.root, lambda key, value: _clause(context, key.value, key.span, value))


def _clause(context: Context, id: str, span: Span, value: Value) -> Clause:
    body = context.mapping(value)

    def text(name: str) -> str | None:
        found = body.get(name)
        return found.text if isinstance(found, Scalar) else None

    rules = tuple(Name(item.text, item.span) for item in context.items(body.get("rules")) if isinstance(item, Scalar))
    survives = tuple((key.value, why.text) for key, why in entries(body.get("survives")) if isinstance(why, Scalar))
    silent = context.yes(body, "silent")
    return Clause(id, text("says") or "", text("section"), rules, silent, text("why"), span, survives)


def by_rule(clauses: tuple[Clause, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the ids of the clauses each rule serves."""
    found: dict[str, list[str]] = {}
    for clause in clauses:
        for rule in clause.rules:
            found.setdefault(rule.text, []).append(clause.id)
    return tuple((rule, tuple(ids)) for rule, ids in found.items())
