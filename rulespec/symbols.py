"""What the names of a game stand for: kinds, entities, columns, cells and the declared nouns and rules."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rulespec import nodes
from rulespec.source import Span
from rulespec.value_types import TRUTH, UNKNOWN, Int, Kind, Opt, SetOf, Truth, Type


@dataclass
class KindInfo:
    """A kind: `sort` as in the program; `values` maps the names of its members to ids, in their order."""

    name: str
    sort: str
    plural: str
    span: Span | None = None
    ranges: list[tuple[int, int]] = field(default_factory=list)
    numbers: tuple[int, int] | None = None
    members: tuple[str, ...] = ()
    values: dict[str, int] = field(default_factory=dict)

    @property
    def size(self) -> int:
        if self.numbers:
            return self.numbers[1] - self.numbers[0] + 1
        return sum(high - low for low, high in self.ranges)


@dataclass
class ColumnInfo:
    """A column, printed or built in; `values` as in the program."""

    kind: str
    name: str
    key: str | None
    type: Type
    values: list[Any] = field(default_factory=list)
    span: Span | None = None


@dataclass
class TokenInfo:
    """A kind of token: how many there are of each row (or in all) for each owner."""

    node: nodes.TokenKind
    table: str | None
    rows: list[int] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)


@dataclass
class Names:
    """The tables of names of one game."""

    game: nodes.Game
    seats: list[str] = field(default_factory=list)
    entities: list[str] = field(default_factory=list)
    kinds: dict[str, KindInfo] = field(default_factory=dict)
    plurals: dict[str, str] = field(default_factory=dict)
    tables: dict[str, nodes.Table] = field(default_factory=dict)
    columns: dict[str, ColumnInfo] = field(default_factory=dict)
    cells: dict[str, nodes.Cell] = field(default_factory=dict)
    tokens: dict[str, TokenInfo] = field(default_factory=dict)
    zones: dict[str, nodes.Zone] = field(default_factory=dict)
    counters: dict[str, nodes.Counter] = field(default_factory=dict)
    variables: dict[str, nodes.Variable] = field(default_factory=dict)
    options: dict[str, nodes.Option] = field(default_factory=dict)
    functions: dict[str, nodes.Function] = field(default_factory=dict)
    procedures: dict[str, nodes.Procedure] = field(default_factory=dict)
    phases: dict[str, nodes.Phase] = field(default_factory=dict)
    actions: dict[str, nodes.Action] = field(default_factory=dict)
    triggers: dict[str, nodes.Trigger] = field(default_factory=dict)
    lasting: dict[str, nodes.Lasting] = field(default_factory=dict)
    graphs: dict[str, Any] = field(default_factory=dict)
    lines: dict[int, str] = field(default_factory=dict)
    declared: dict[str, Span] = field(default_factory=dict)
    first_token: int = 0
    drawn: dict[str, Any] | None = None
    used: set[str] = field(default_factory=set)
    set_aside: frozenset[str] = frozenset()
    """Declarations already reported: what names them is not reported again."""

    def leaves(self, kind: str) -> frozenset[str]:
        """Return the kinds a thing of *kind* may be of: itself, or the members of a union."""
        info = self.kinds.get(kind)
        if info is None or info.sort != "union":
            return frozenset({kind})
        return frozenset().union(*(self.leaves(m) for m in info.members))

    def kind_type(self, kind: str) -> Int | Kind:
        """Return the type of one member of *kind*."""
        info = self.kinds.get(kind)
        if info and info.numbers:
            return Int(*info.numbers)
        return Kind(kind, self.leaves(kind))

    def union_of(self, kinds: tuple[str, ...]) -> Kind:
        """Return the kind that holds all *kinds*: the declared union, or one made here."""
        wanted = frozenset().union(*(self.leaves(k) for k in kinds))
        for name in self.kinds:
            if self.leaves(name) == wanted:
                return Kind(name, wanted)
        name = " or ".join(sorted(wanted))
        ranges = [r for k in sorted(wanted) for r in self.kinds[k].ranges]
        self.kinds[name] = KindInfo(name, "union", name, None, ranges, members=tuple(sorted(wanted)))
        return Kind(name, wanted)

    def holds(self, zone: nodes.Zone) -> Kind:
        """Return the kind of the tokens a zone holds."""
        names = tuple(n.text for n in zone.holds if n.text in self.kinds)
        return self.union_of(names) if names else Kind("nothing", frozenset())

    def size(self, given: Type | None) -> int:
        """Return how many things of a type there are at most."""
        if isinstance(given, Kind):
            return self.kinds[given.name].size if given.name in self.kinds else 0
        if isinstance(given, Int):
            return given.high - given.low + 1
        return 2

    def kind_named(self, text: str) -> tuple[str, bool] | None:
        """Return (kind, whether *text* is its plural), or None."""
        if text in self.kinds:
            return text, False
        return (self.plurals[text], True) if text in self.plurals else None

    def value(self, kind: str, text: str) -> int | None:
        """Return the id of the member *text* of *kind*."""
        for leaf in self.leaves(kind):
            info = self.kinds.get(leaf)
            if info and text in info.values:
                return info.values[text]
        return None

    def kinds_with(self, text: str) -> list[str]:
        """Return the kinds, unions left out, that have a member *text*."""
        return [k for k, info in self.kinds.items() if info.sort != "union" and text in info.values]

    def prints(self, kind: str) -> str | None:
        """Return the table a kind of token prints."""
        return self.tokens[kind].table if kind in self.tokens else None

    def is_lost(self, kind: Kind) -> bool:
        """Whether what is printed on a thing could not be read, and was reported."""
        infos = [self.tokens[leaf] for leaf in kind.leaves if leaf in self.tokens]
        tables = {i.node.prints.text for i in infos if i.node.prints is not None} | kind.leaves
        return bool(tables & self.set_aside)

    def written_type(self, written: nodes.TypeExpr) -> Type:
        """Return the type of a written type; UNKNOWN where it names what does not exist."""
        if written.form == "truth":
            return TRUTH
        if written.form == "range":
            return bounds_of(written)
        if written.form != "set":
            return self._named(written)
        item = bounds_of(written) if written.bounds else self._named(written)
        return SetOf(item) if isinstance(item, Kind | Int | Truth) else UNKNOWN

    def _named(self, written: nodes.TypeExpr) -> Type:
        texts = [n.text for n in written.names]
        kinds = tuple(t for t in texts if t not in ("nobody", "nothing"))
        if not kinds or any(k not in self.kinds for k in kinds):
            return UNKNOWN
        found = self.kind_type(kinds[0]) if len(kinds) == 1 else self.union_of(kinds)
        return Opt(found) if len(kinds) < len(texts) and isinstance(found, Kind) else found


def bounds_of(written: nodes.TypeExpr) -> Type:
    """Return the interval a written range stands for; UNKNOWN where its ends are no numbers."""
    if written.bounds is None:
        return UNKNOWN
    low, high = (constant(e) for e in written.bounds)
    return Int(low, high) if low is not None and high is not None else UNKNOWN


def constant(formula: nodes.Expr | None) -> int | None:
    """Return the number written, or None for any other formula."""
    if isinstance(formula, nodes.Number):
        return formula.value
    if isinstance(formula, nodes.Unary) and formula.operator == "-" and isinstance(formula.value, nodes.Number):
        return -formula.value.value
    return None
