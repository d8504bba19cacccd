"""What the readers share: values taken out of a document, texts parsed, faulty things set aside."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from collections.abc import Sequence as Items
from typing import Protocol, TypeVar

from rulespec import nodes, parser
from rulespec.diagnostics import Report
from rulespec.documents import Document, Mapping, Origin, Scalar, Sequence, Value, origin_of
from rulespec.nodes import Name
from rulespec.source import Located, SourceFile, Span

T = TypeVar("T")
Parse = Callable[[str, Origin, Report], T | None]
NAME = re.compile(r"[a-z_][a-z0-9_]*")


class SetAside(Exception):
    """What is being read is faulty and already reported: leave it out and go on with the rest."""


class Files(Protocol):
    """The other files of a game (`loader.Folder`)."""

    def document(self, name: str, at: Span | None = None) -> Document: ...

    def table(self, name: str, at: Span | None = None) -> SourceFile | None: ...

    def has(self, name: str) -> bool: ...

    def names(self, folder: str) -> list[str]: ...


class Context:
    """Reads values; the shapes were checked by the schema, so a wrong one here is only set aside."""

    def __init__(self, report: Report, files: Files | None = None) -> None:
        self.report, self.files = report, files

    def fail(self, code: str, message: str, span: Span, help: str | None = None) -> SetAside:
        """Report an error; raise what this returns."""
        self.report.error(code, message, span, help=help)
        return SetAside()

    # ---------------------------------------------------------------------------------------------- shapes

    def mapping(self, value: Value | None) -> Mapping:
        if not isinstance(value, Mapping):
            raise SetAside
        return value

    def scalar(self, value: Value | None) -> Scalar:
        if not isinstance(value, Scalar) or self.is_cut(value.span):
            raise SetAside
        return value

    def is_cut(self, span: Span) -> bool:
        """Whether a comma or ` #` has cut the text of a place: that is reported, and what is left is not read."""
        return any(
            one.code in ("cut-by-comma", "cut-by-comment") and one.span == span for one in self.report.diagnostics
        )

    def items(self, value: Value | None) -> tuple[Value, ...]:
        """Return the items of a list; a single value counts as a list of one, nothing as an empty list."""
        if value is None:
            return ()
        return value.items if isinstance(value, Sequence) else (value,)

    def each(self, value: Value | None, read: Callable[[Located[str], Value], T]) -> tuple[T, ...]:
        """Read every entry of a mapping, setting aside what is faulty."""
        if not isinstance(value, Mapping):
            return ()
        found = (self.tried(lambda key=key, item=item: read(key, item)) for key, item in value)  # type: ignore[misc]
        return tuple(one for one in found if one is not None)

    def tried(self, read: Callable[[], T]) -> T | None:
        """Return what *read* makes, or None if it reported an error."""
        before = self.errors()
        try:
            made = read()
        except SetAside:
            return None
        return made if self.errors() == before else None

    def errors(self) -> int:
        return sum(1 for one in self.report.diagnostics if one.severity == "error")

    # ------------------------------------------------------------------------------------------- names, texts

    def name(self, text: str, span: Span) -> Name:
        """Return a name that is declared or used here."""
        if NAME.fullmatch(text) is None:
            help = "small letters, digits and `_`, with no digit first"
            raise self.fail("bad-name", f"`{text}` cannot be a name", span, help)
        return Name(text, span)

    def declared(self, key: Located[str]) -> Name:
        """Return a name that is declared by a key; words of the language are refused."""
        name = self.name(key.value, key.span)
        if name.text in parser.keywords():
            message = f"`{name.text}` is a word of the language and cannot be a name"
            raise self.fail("reserved-word", message, key.span)
        return name

    def name_of(self, value: Value | None) -> Name:
        scalar = self.scalar(value)
        return self.name(scalar.text, scalar.span)

    def maybe_name(self, value: Value | None) -> Name | None:
        return None if value is None else self.name_of(value)

    def names(self, value: Value | None, joined: str = "and|or") -> tuple[Name, ...]:
        """Return the names of a text such as `player and disc`, each with its place."""
        if value is None:
            return ()
        scalar = self.scalar(value)
        found = []
        for word in re.finditer(r"\S+", scalar.text):
            if re.fullmatch(joined, word.group()) is None:
                span = scalar.origin.span(1, word.start() + 1, 1, word.end() + 1)
                found.append(self.name(word.group(), span))
        return tuple(found)

    def parse(self, value: Value | None, parse: Parse[T]) -> T:
        """Parse a text of the language."""
        scalar = self.scalar(value)
        made = parse(scalar.text, scalar.origin, self.report)
        if made is None:
            raise SetAside
        return made

    def maybe(self, value: Value | None, parse: Parse[T]) -> T | None:
        return None if value is None else self.parse(value, parse)

    def formula(self, value: Value | None) -> nodes.Expr:
        scalar = self.scalar(value)
        made = parser.parse_formula(scalar.text, scalar.origin, self.report)
        if made is None:
            raise SetAside
        return made

    def maybe_formula(self, value: Value | None) -> nodes.Expr | None:
        return None if value is None else self.formula(value)

    def call(self, value: Value | None) -> nodes.Expr:
        scalar = self.scalar(value)
        made = parser.parse_call(scalar.text, scalar.origin, self.report)
        if made is None:
            raise SetAside
        return made

    def script(self, value: Value | None) -> nodes.Block:
        return self.parse(value, parser.parse_script)

    def signature(self, key: Located[str]) -> nodes.Signature:
        if self.is_cut(key.span):
            raise SetAside
        made = parser.parse_signature(key.value, origin_of(key), self.report)
        if made is None:
            raise SetAside
        return made

    def yes(self, mapping: Mapping, key: str) -> bool:
        value = mapping.get(key)
        return isinstance(value, Scalar) and value.text == "yes"

    def number(self, value: Value | None) -> int:
        scalar = self.scalar(value)
        if re.fullmatch(r"\d{1,9}", scalar.text) is None:
            raise self.fail("bad-value", f"expected a number, found `{scalar.text}`", scalar.span)
        return int(scalar.text)

    def unique(self, found: Items[T], name: Callable[[T], Name], what: str) -> None:
        """Report names that stand twice."""
        seen: set[str] = set()
        for one in found:
            if name(one).text in seen:
                self.report.error("declared-twice", f"{what} `{name(one).text}` stands twice", name(one).span)
            seen.add(name(one).text)


def entries(value: Value | None) -> Iterator[tuple[Located[str], Value]]:
    """Return the entries of a mapping, or none."""
    return iter(value) if isinstance(value, Mapping) else iter(())
