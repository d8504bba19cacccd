"""What one rule knows while it is checked: its locals, who `me` is, and the game-wide context behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from rulespec import nodes
from rulespec.diagnostics import Related, Report, said, suggestion
from rulespec.operations import RESERVED
from rulespec.source import Span
from rulespec.symbols import Names
from rulespec.value_types import LIMIT, NUMBER, UNKNOWN, Kind, SetOf, Type, describe, to_json

IR: TypeAlias = list[Any]
Statement: TypeAlias = dict[str, Any]
Change: TypeAlias = tuple[nodes.Table | None, nodes.Row | nodes.Lasting, nodes.Function]
"""A change of a function: the table and the row it is printed on, or None and the lasting change it is of."""


@dataclass(frozen=True, slots=True)
class Typed:
    """A lowered formula and its type. For a zone `ir` is the ZONE object of the program."""

    ir: Any
    type: Type


WRONG = Typed(["lit", -1], UNKNOWN)


@dataclass(frozen=True, slots=True)
class Asked:
    """A choice made somewhere in a rule, for the layout of the action ids."""

    rule: str
    name: str
    part: dict[str, Any]
    types: tuple[Type, ...]
    names: tuple[str, ...]
    span: Span


@dataclass
class Unit:
    """The game-wide context of all rules: names, results, and what was compiled so far."""

    names: Names
    report: Report
    lower: Callable[[Frame, nodes.Expr, Type | None], Typed]
    result_of: Callable[[str], Type]
    """The result of a function or procedure, compiled first where it has not been."""
    rules: dict[str, dict[str, Any]] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    passes: dict[str, str] = field(default_factory=dict)
    """Names of the passing asks and the rule of each."""
    plain_asks: dict[str, str] = field(default_factory=dict)
    layered: dict[str, list[Change]] = field(default_factory=dict)
    """Functions with layers, and the changes over each in the order they are laid."""
    measured: set[str] = field(default_factory=set)
    """Kinds of place whose distances are used."""
    created: set[str] = field(default_factory=set)
    """Counters whose total changes."""
    asked_of_rows: set[str] = field(default_factory=set)
    """Cells of which some formula asks whether a row has them."""
    taken: set[str] = field(default_factory=set)
    """Procedures and cells reported already, because their value is taken and may not be there."""
    row_tokens: bool = False
    """Scenarios only: a row or place may stand where a token is wanted."""

    def error(self, code: str, message: str, span: Span, **more: Any) -> Typed:
        """Report an error; return what stands for the wrong formula."""
        if code.startswith("unknown-") and self.names.set_aside.intersection(message.split("`")[1::2]):
            return WRONG
        if more.get("help"):
            more["help"] = said(more["help"])
        self.report.error(code, said(message), span, **more)
        return WRONG


@dataclass
class Frame:
    """One rule while it is checked. `kind` is the kind of rule as in the program."""

    unit: Unit
    rule: str
    kind: str
    has_me: bool
    locals: list[list[Any]] = field(default_factory=list)
    types: list[Type] = field(default_factory=list)
    bound: dict[str, int] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)
    my_refused: bool = False
    base: tuple[Type, list[int]] | None = None
    """In the rule of a layer: the type below, and the locals that are its arguments."""
    returns: list[tuple[Type, Span | None]] = field(default_factory=list)
    automatic: bool = False
    wanted: Type | None = None
    """What `return` should give, where it is known."""
    takes_return: bool = True
    """Whether somebody may take what `return` gives."""

    @property
    def names(self) -> Names:
        return self.unit.names

    def expr(self, node: nodes.Expr, wanted: Type | None = None) -> Typed:
        """Check and lower a formula; a bare name of a value is looked up in the type *wanted*."""
        return self.unit.lower(self, node, wanted)

    def error(self, code: str, message: str, span: Span, **more: Any) -> Typed:
        return self.unit.error(code, message, span, **more)

    def add_local(self, name: str, given: Type) -> int:
        """Add a local that no name reaches, or that `bind` names."""
        self.locals.append([name, to_json(given)])
        self.types.append(given)
        return len(self.locals) - 1

    def bind(self, name: str, given: Type, span: Span, reserved: int | None = None) -> int:
        """Bind *name* in the present scope, to the local *reserved* if given; report a name bound or reserved."""
        if name in self.bound:
            related = (Related(self.spans[name], "bound here first"),) if name in self.spans else ()
            self.error(
                "shadowed-name", f"`{name}` is already bound here", span, related=related,
                help=f"give it another name: `{name} other_{name}`" if name in self.names.kinds else None,
            )  # fmt: skip
        elif name in RESERVED and name not in ("player", "this", "number"):
            self.error("reserved-word", f"`{name}` is a word of the language and cannot be a name", span)
        elif name in self.names.declared and name not in self.names.kinds:
            related = (Related(self.names.declared[name], "declared here"),)
            self.error("shadowed-name", f"`{name}` already names something of this game", span, related=related)
        if reserved is None:
            index = self.add_local(name, given)
        else:
            index = reserved
            self.locals[index], self.types[index] = [name, to_json(given)], given
        self.bound[name] = index
        self.spans[name] = span
        return index

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Names bound inside are forgotten at the end."""
        bound, spans = dict(self.bound), dict(self.spans)
        try:
            yield
        finally:
            self.bound, self.spans = bound, spans

    @contextmanager
    def me(self, has_me: bool, my_refused: bool) -> Iterator[None]:
        """Inside, `me` is somebody (else), and `my` may be refused."""
        before = self.has_me, self.my_refused
        self.has_me, self.my_refused = has_me, my_refused
        try:
            yield
        finally:
            self.has_me, self.my_refused = before

    def param(self, param: nodes.Param) -> Type:
        """Bind a parameter; return its type."""
        given = self.param_type(param)
        self.bind(param.name.text if param.name else param.kind.text, given, (param.name or param.kind).span)
        return given

    def param_type(self, param: nodes.Param) -> Type:
        """Return the type of a parameter."""
        text = param.kind.text
        if text == "number":
            return NUMBER
        found = self.names.kind_named(text)
        if found is None:
            self.unknown_kind(param.kind)
            return UNKNOWN
        self.names.used.add(found[0])
        given = self.names.kind_type(found[0])
        return SetOf(given) if found[1] else given

    def unknown_kind(self, name: nodes.Name) -> None:
        from_kinds = [k for k in self.names.kinds if " " not in k] + list(self.names.plurals)
        help, notes = suggestion(name.text, from_kinds, "kinds of this game")
        self.error("unknown-kind", f"no kind is named `{name.text}`", name.span, help=help, notes=notes)

    def thing(self, kind: str) -> Kind:
        return Kind(kind, self.names.leaves(kind))


def mismatch(frame: Frame, given: Type, wanted: Type, span: Span) -> Typed:
    """Report that one type stands where another is wanted."""
    help = None
    related: tuple[Related, ...] = ()
    name = getattr(given, "name", None)
    if name in frame.names.zones:
        related = (Related(frame.names.zones[name].name.span, "declared here"),)
        help = f"`count({name})` counts the tokens in it" if not isinstance(wanted, Kind) else f"`top of {name}`?"
    return frame.error(
        "type-mismatch", f"expected {describe(wanted)}, found {describe(given)}", span, related=related, help=help
    )


def at(span: Span) -> list[int]:
    """Return a span as statements carry it.

    >>> at(Span("a", 1, 2, 1, 5))
    [1, 2, 1, 5]
    """
    return [span.line, span.column, span.end_line, span.end_column]


def where(span: Span | None) -> list[Any]:
    """Return a span as rules carry it."""
    return [span.file, *at(span)] if span else ["", 0, 0, 0, 0]


def unbounded(given: Type) -> bool:
    """Whether a number has no bound within the limits."""
    return getattr(given, "high", 0) >= LIMIT
