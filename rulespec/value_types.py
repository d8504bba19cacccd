"""Static types of values, how they join, and how they are named in messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

LIMIT = 2**62
BOUND = 2**40
"""Intervals end here; a number that may pass BOUND counts as unbounded."""


@dataclass(frozen=True, slots=True)
class Truth:
    """`yes or no`."""


@dataclass(frozen=True, slots=True)
class Int:
    """A number from `low` to `high`, both inclusive; +-LIMIT where nothing bounds it."""

    low: int = -LIMIT
    high: int = LIMIT

    @property
    def bounded(self) -> bool:
        return self.low > -BOUND and self.high < BOUND


@dataclass(frozen=True, slots=True)
class Kind:
    """A thing of the kind `name`; `leaves` are the kinds it may be of, itself where it is no union."""

    name: str
    leaves: frozenset[str]


@dataclass(frozen=True, slots=True)
class Opt:
    """A thing of a kind, or `nobody` / `nothing`."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class SetOf:
    """A set of things or numbers; `item` None for the empty set literal, which fits everywhere."""

    item: Item | None


@dataclass(frozen=True, slots=True)
class ZoneOf:
    """A zone or some of its slots: the tokens in it, or a place to move to."""

    name: str
    kind: Kind
    single: bool


@dataclass(frozen=True, slots=True)
class Nothing:
    """`nobody` or `nothing` itself."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """What is already known to be wrong; it fits everywhere, so that nothing is reported twice."""


Item: TypeAlias = Kind | Int | Truth
Type: TypeAlias = Truth | Int | Kind | Opt | SetOf | ZoneOf | Nothing | Unknown

TRUTH = Truth()
NUMBER = Int()
NOTHING = Nothing()
UNKNOWN = Unknown()


def clamp(value: int) -> int:
    """Return *value* within +-LIMIT.

    >>> clamp(5)
    5
    """
    return max(-LIMIT, min(LIMIT, value))


def interval(*ends: int) -> Int:
    """Return the smallest interval that holds all *ends*."""
    return Int(clamp(min(ends)), clamp(max(ends)))


def join(left: Type, right: Type) -> Type | None:
    """Return the narrowest type that holds both, or None where there is none.

    >>> join(Int(0, 3), Int(2, 9))
    Int(low=0, high=9)
    """
    match left, right:
        case (Unknown(), _) | (_, Unknown()):
            return UNKNOWN
        case Int(), Int():
            return interval(left.low, left.high, right.low, right.high)
        case (Kind() | Opt() | Nothing(), Kind() | Opt() | Nothing()):
            return _join_things(left, right)
        case (ZoneOf() | SetOf(), _) | (_, ZoneOf() | SetOf()):
            return _join_sets(left, right)
        case Truth(), Truth():
            return TRUTH
    return None


def _join_things(left: Kind | Opt | Nothing, right: Kind | Opt | Nothing) -> Type | None:
    first, second = kind_of(left), kind_of(right)
    optional = not (isinstance(left, Kind) and isinstance(right, Kind))
    if first is None or second is None:
        kind = first or second
        return Opt(kind) if kind else NOTHING
    if first.leaves >= second.leaves:
        kind = first
    elif second.leaves >= first.leaves:
        kind = second
    else:
        return None
    return Opt(kind) if optional else kind


def _join_sets(left: Type, right: Type) -> Type | None:
    first, second = item_of(left), item_of(right)
    if first is None or second is None:
        return SetOf(first or second)
    both = join(first, second)
    return SetOf(both) if isinstance(both, Kind | Int | Truth) else None


def kind_of(given: Type | None) -> Kind | None:
    """Return the kind of a thing or of an optional thing."""
    if isinstance(given, Kind):
        return given
    return given.kind if isinstance(given, Opt) else None


def item_of(given: Type | None) -> Item | None:
    """Return what a value is a set of, a single thing counting as the set of it."""
    match given:
        case SetOf(item):
            return item
        case ZoneOf(_, kind, _) | Opt(kind):
            return kind
        case Kind() | Int() | Truth():
            return given
    return None


def is_set(given: Type) -> bool:
    """Whether the value is several things: a set or a zone."""
    return isinstance(given, SetOf | ZoneOf)


def related(left: Kind, right: Kind) -> bool:
    """Whether a thing may be of both kinds."""
    return bool(left.leaves & right.leaves)


def assignable(given: Type, wanted: Type) -> bool:
    """Whether *given* may stand where *wanted* is asked for, `nothing` and wider kinds being tested in play."""
    match given, wanted:
        case (Unknown(), _) | (_, Unknown()):
            return True
        case (Truth(), Truth()) | (Int(), Int()):
            return True
        case Nothing(), Kind() | Opt() | Nothing() | SetOf():
            return True
        case (Kind() | Opt(), Kind() | Opt()):
            first, second = kind_of(given), kind_of(wanted)
            return first is not None and second is not None and related(first, second)
        case _, SetOf(item):
            found = item_of(given)
            return item is None or (assignable(found, item) if found else is_set(given))
        case ZoneOf(), ZoneOf():
            return True
    return False


def a_thing(name: str) -> str:
    """Return a name with its article.

    >>> a_thing("card"), a_thing("agenda")
    ('a card', 'an agenda')
    """
    return f"an {name}" if name[:1] in "aeiou" else f"a {name}"


def describe(given: Type | None) -> str:
    """Return the type in the author's words.

    >>> describe(SetOf(Kind("card", frozenset({"card"}))))
    'a set of card'
    >>> describe(Int(3, 3)), describe(SetOf(Int(1, 3)))
    ('the number 3', 'a set of numbers 1..3')
    """
    match given:
        case Truth():
            return "yes or no"
        case Int():
            return _number(given, "a number", "the number")
        case Kind(name):
            return a_thing(name)
        case Opt(kind):
            return f"{a_thing(kind.name)} or {'nobody' if kind.name == 'player' else 'nothing'}"
        case SetOf(item):
            return f"a set of {_plain(item)}"
        case ZoneOf(name, _, _):
            return f"the zone `{name}`"
        case Nothing():
            return "nothing"
    return "unknown"


def _plain(item: Item | None) -> str:
    if item is None:
        return "nothing"
    if isinstance(item, Kind):
        return item.name
    return _number(item, "numbers", "the number") if isinstance(item, Int) else describe(item)


def _number(given: Int, several: str, one: str) -> str:
    if not given.bounded:
        return several
    return f"{one} {given.low}" if given.low == given.high else f"{several} {given.low}..{given.high}"


def to_json(given: Type) -> Any:
    """Return the type as the program writes it."""
    match given:
        case Truth():
            return "bool"
        case Int():
            return ["int", given.low, given.high]
        case Kind(name):
            return ["kind", name]
        case Opt(kind):
            return ["opt", kind.name]
        case SetOf(item):
            return ["set", to_json(item) if item else ["int", 0, 0]]
        case ZoneOf(_, kind, _):
            return ["set", ["kind", kind.name]]
    return ["opt", "player"]
