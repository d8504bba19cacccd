"""Reads what is for people: titles, texts by language, clauses of the rulebook."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rulespec import nodes, schema
from rulespec.diagnostics import suggestion
from rulespec.documents import Document, Scalar, Value
from rulespec.nodes import Name
from rulespec.reading import Context, entries
from rulespec.source import Located, Span

LANGUAGES = (
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en "
    "eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv "
    "ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne "
    "ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss "
    "st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu"
)
"""The codes of ISO 639-1."""
SPOKEN = ("en", "es", "pl", "pt")


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


def read_title(context: Context, value: Value | None) -> tuple[tuple[str, str], ...]:
    """Return a title by language; a single text is English."""
    if isinstance(value, Scalar):
        return (("en", value.text),)
    return tuple((key.value, text.text) for key, text in _by_language(context, value))


def read_texts(context: Context, value: Value | None) -> tuple[nodes.Text, ...]:
    """Return the texts of a game file and of the files `texts/LANG.yaml`."""
    found = [
        _text("rules", name, language.value, text)
        for name, by_language in entries(value)
        for language, text in _by_language(context, by_language)
    ]
    for language_name in context.files.names("texts") if context.files is not None else ():
        assert context.files is not None
        document = context.files.document(f"texts/{language_name}.yaml")
        if schema.check(document, "texts", context.report):
            _known_language(context, language_name, Span(document.source.name, 1, 1, 1, 2))
            found += _texts_of(document, language_name)
    return tuple(found)


def _texts_of(document: Document, language: str) -> list[nodes.Text]:
    return [
        _text(section.value, name, language, text)
        for section, names in entries(document.root)
        for name, text in entries(names)
        if isinstance(text, Scalar)
    ]


def _text(section: str, name: Located[str], language: str, text: Scalar) -> nodes.Text:
    blanks = []
    for line, written in enumerate(text.text.split("\n"), 1):
        for blank in re.finditer(r"\{(\w+)\}", written):
            blanks.append(Name(blank[1], text.origin.span(line, blank.start() + 1, line, blank.end() + 1)))
    return nodes.Text(
        section, Name(name.value, name.span), language, text.text.rstrip("\n"), text.span, tuple(blanks)
    )  # fmt: skip


def _by_language(context: Context, value: Value | None) -> Iterator[tuple[Located[str], Scalar]]:
    """Yield texts by language; warn of a language that there is not."""
    for language, text in entries(value):
        _known_language(context, language.value, language.span)
        if isinstance(text, Scalar):
            yield language, text


def _known_language(context: Context, language: str, span: Span) -> None:
    if re.split("[-_]", language)[0] in LANGUAGES.split():
        return
    help, notes = suggestion(language, SPOKEN, "languages the tools speak")
    message = f"`{language}` is none of the two-letter codes of languages"
    context.report.warning("unknown-language", message, span, help=help, notes=notes)


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
