"""Formulas written at random, mostly well typed: the part of `random_specs` that says what is true."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

NUM, BOOL, PLAYER = "number", "yes or no", "player"
KINDS = {"colour": "[amber, blue, coral]", "level": "1..3"}
"""A kind by name, and a kind of numbers."""


@dataclass(frozen=True)
class Token:
    """A kind of token: with an owner or not, printed on or not, a die or not."""

    kind: str
    owned: bool
    printed: bool
    die: bool


@dataclass(frozen=True)
class Zone:
    """A zone: its keys, what it holds, its order (or `single`), and who sees it."""

    name: str
    keys: tuple[str, ...]
    holds: Token
    order: str
    seen_by: str

    @property
    def is_open(self) -> bool:
        """Whether everybody sees what lies in it."""
        return self.seen_by == "all"


@dataclass
class Scope:
    """What may be named where something is written."""

    names: list[tuple[str, str]] = field(default_factory=list)
    """Names bound so far, with their types: a number, yes or no, a player, a kind, or `set of` a kind of token."""
    me: bool = False
    acts: bool = False
    """Whether this is a script in which something may happen."""
    asks: bool = False
    is_open: bool = False
    """Whether only what all may see may be read."""
    luck: bool = True
    """Whether chance may be used."""

    def inner(self, *more: tuple[str, str], **changes: bool) -> Scope:
        """Return the scope of a block in this one."""
        inner = Scope([*self.names, *more], self.me, self.acts, self.asks, self.is_open, self.luck)
        for name, value in changes.items():
            setattr(inner, name, value)
        return inner

    def of_type(self, kind: str) -> list[str]:
        return [name for name, found in self.names if found == kind]


class Writer:
    """Writes one game."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(f"random spec {seed}")
        self.fresh = 0
        self.tokens: list[Token] = []
        self.zones: list[Zone] = []
        self.variables: list[tuple[str, str, str]] = []  # name, key or "", type
        self.counters: list[str] = []
        self.functions: list[tuple[str, tuple[str, ...], str]] = []
        self.procedures: list[tuple[str, tuple[str, ...]]] = []
        self.actions: list[tuple[str, tuple[str, ...]]] = []
        self.lasting: list[tuple[str, tuple[str, ...]]] = []
        self.board = ""
        self.cells = False
        self.in_force: set[str] = set()

    # ------------------------------------------------------------------------------------------ chance

    def chance(self, percent: int) -> bool:
        return self.rng.randrange(100) < percent

    def any_of(self, *writers: Callable[[], str | None]) -> str:
        """Write one of several things; one that cannot be written now gives None, and another is tried."""
        for writer in self.rng.sample(writers, len(writers)):
            text = writer()
            if text is not None:
                return text
        raise AssertionError("nothing can be written here")

    def pick(self, things: list[str]) -> str | None:
        return self.rng.choice(things) if things else None

    def name(self, stem: str) -> str:
        self.fresh += 1
        return f"{stem}_{self.fresh}"

    # ------------------------------------------------------------------------------------------ numbers

    def number(self, scope: Scope, depth: int) -> str:
        plain = [lambda: str(self.rng.randrange(4)), lambda: self.pick(scope.of_type(NUM))]
        plain.append(lambda: self.pick(scope.of_type("level")))
        if depth <= 0:
            return self.any_of(*plain)
        return self.any_of(
            *plain,
            lambda: f"count({self.some_set(scope, depth - 1)})",
            lambda: self.counted(scope, depth - 1),
            lambda: self.stock(scope, depth - 1),
            lambda: self.variable(scope, depth - 1, NUM),
            lambda: self.printed_number(scope, depth - 1),
            lambda: self.arithmetic(scope, depth - 1),
            lambda: self.called(scope, depth - 1, NUM),
            lambda: self.summed(scope, depth - 1),
            lambda: self.steps(scope, depth - 1),
            lambda: self.bonus(scope, depth - 1),
            lambda: "count(all players)",
        )

    def arithmetic(self, scope: Scope, depth: int) -> str:
        one, other = self.number(scope, depth), self.number(scope, depth)
        form = self.rng.choice(
            ["({} + {})", "({} - {})", "min({}, {})", "max({}, {})", "({} * {})", "if", "div", "mod"]
        )
        if form == "if":
            return f"({one} if {self.condition(scope, depth)} else {other})"
        if form in ("div", "mod"):
            return f"({one} {form} {self.rng.randrange(1, 4)})"
        return form.format(one, other)

    def counted(self, scope: Scope, depth: int) -> str | None:
        bound = self.bound(scope, depth)
        return None if bound is None else f"count({bound[0]})"

    def summed(self, scope: Scope, depth: int) -> str | None:
        bound = self.bound(scope, depth)
        if bound is None:
            return None
        word = self.rng.choice(["sum", "min", "max"])
        return f"{word}({self.number(scope.inner(bound[1]), depth)} for {bound[0]})"

    def steps(self, scope: Scope, depth: int) -> str | None:
        """Write something of the board."""
        if not self.board:
            return None
        one, other = self.of_kind(scope, 0, "cell"), self.of_kind(scope, 0, "cell")
        cells = f"those(cell {self.name('l')} where {self.condition(scope, 0)})"
        forms = [f"distance({one}, {other})", f"count(reachable({one}, {cells}))", f"(1 if connected({cells}) else 0)"]
        return self.rng.choice(forms)

    def bonus(self, scope: Scope, depth: int) -> str | None:
        """Write a cell of a table that is a number."""
        tokens = [t for t in self.tokens if t.printed]
        thing = self.thing(scope, depth, self.rng.choice(tokens)) if tokens and self.cells else None
        return None if thing is None else f"({thing}).bonus({self.simple_player(scope)})"

    def stock(self, scope: Scope, depth: int) -> str | None:
        counter = self.pick(self.counters)
        return None if counter is None else f"{counter} of {self.simple_player(scope)}"

    def printed_number(self, scope: Scope, depth: int) -> str | None:
        tokens = [t for t in self.tokens if t.printed or t.die]
        if not tokens:
            return None
        token = self.rng.choice(tokens)
        thing = self.thing(scope, depth, token)
        if thing is None:
            return None
        return f"({thing}).worth" if token.printed else f"face of ({thing})"

    # --------------------------------------------------------------------------------------- conditions

    def condition(self, scope: Scope, depth: int) -> str:
        plain: list[Callable[[], str | None]] = [
            lambda: self.pick(scope.of_type(BOOL)),
            lambda: self.compared(scope, 0),
        ]
        if depth <= 0:
            return self.any_of(*plain, lambda: self.rng.choice(["yes", "no"]))
        return self.any_of(
            *plain,
            lambda: self.compared(scope, depth - 1),
            lambda: f"{self.some_set(scope, depth - 1)} is {self.rng.choice(['', 'not '])}empty",
            lambda: self.quantified(scope, depth - 1),
            lambda: f"not ({self.condition(scope, depth - 1)})",
            lambda: self.joined(scope, depth - 1),
            lambda: self.variable(scope, depth - 1, BOOL),
            lambda: self.called(scope, depth - 1, BOOL),
            lambda: self.same_player(scope, depth - 1),
            lambda: self.same_kind(scope, depth - 1),
            lambda: self.is_row(scope, depth - 1),
            lambda: self.is_something(scope, depth - 1),
        )

    def compared(self, scope: Scope, depth: int) -> str:
        sign = self.rng.choice(["is", "is not", "<", ">", "<=", ">="])
        return f"{self.number(scope, depth)} {sign} {self.number(scope, depth)}"

    def joined(self, scope: Scope, depth: int) -> str:
        word = self.rng.choice(["and", "or"])
        return f"(({self.condition(scope, depth)}) {word} ({self.condition(scope, depth)}))"

    def quantified(self, scope: Scope, depth: int) -> str | None:
        bound = self.bound(scope, depth)
        if bound is None:
            return None
        if self.chance(50):
            return f"some({bound[0]})"
        return f"every({self.condition(scope.inner(bound[1]), depth)} for {bound[0]})"

    def same_player(self, scope: Scope, depth: int) -> str:
        return f"{self.player(scope, depth)} is {self.rng.choice(['', 'not '])}{self.player(scope, depth)}"

    def same_kind(self, scope: Scope, depth: int) -> str | None:
        kinds = [kind for _, kind in scope.names if kind in ("colour", "cell")]
        if not kinds:
            return None
        kind = self.rng.choice(kinds)
        one, other = self.of_kind(scope, depth, kind), self.of_kind(scope, depth, kind)
        if kind == "cell" and self.chance(50):
            return f"{one} in ({other}).neighbours"
        return f"{one} is {other}"

    def is_row(self, scope: Scope, depth: int) -> str | None:
        tokens = [t for t in self.tokens if t.printed]
        if not tokens:
            return None
        thing = self.thing(scope, depth, self.rng.choice(tokens))
        return None if thing is None else f"{thing} is a {self.rng.choice(['fox', 'hen', 'owl'])}"

    def is_something(self, scope: Scope, depth: int) -> str | None:
        token = self.rng.choice(self.tokens)
        thing = self.thing(scope, depth, token)
        if thing is None:
            return None
        forms = [f"{thing} is not nothing"]
        forms += [f"{thing} has {self.rng.choice(['effect', 'power'])}"] if token.printed and self.cells else []
        return self.rng.choice(forms)

    # ------------------------------------------------------------------------------- players and things

    def player(self, scope: Scope, depth: int) -> str:
        if depth <= 0:
            return self.simple_player(scope)
        return self.any_of(
            lambda: self.simple_player(scope),
            lambda: f"next({self.player(scope, 0)})",
            lambda: self.variable(scope, depth - 1, PLAYER) if self.chance(20) else None,
            lambda: self.owner(scope, depth - 1),
        )

    def simple_player(self, scope: Scope) -> str:
        return self.any_of(
            lambda: "seat(1)",
            lambda: "seat(2)",
            *[lambda: self.pick(scope.of_type(PLAYER))] * 3,
            *[lambda: "me" if scope.me else None] * 3,
        )

    def owner(self, scope: Scope, depth: int) -> str | None:
        owned = [t for t in self.tokens if t.owned]
        thing = self.thing(scope, depth, self.rng.choice(owned)) if owned else None
        return None if thing is None else f"({thing}).owner"

    def of_kind(self, scope: Scope, depth: int, kind: str) -> str:
        """Write a value of a kind that is no token."""
        made: dict[str, Callable[[], str | None]] = {
            "colour": lambda: self.rng.choice(["amber", "blue", "coral"]),
            "level": lambda: str(self.rng.randrange(1, 4)),
            "cell": lambda: self.rng.choice(
                ["first(all cells)", *["first(cell where yes)"] * (not scope.of_type("cell"))]
            ),
            PLAYER: lambda: self.player(scope, depth),
            NUM: lambda: self.number(scope, depth),
            BOOL: lambda: self.condition(scope, depth),
        }
        return self.any_of(lambda: self.pick(scope.of_type(kind)), made.get(kind, lambda: "nothing"))

    def thing(self, scope: Scope, depth: int, token: Token) -> str | None:
        """Write one token of a kind, or None where nothing stands for one."""
        bound = scope.of_type(token.kind)
        if bound and self.chance(80):
            return self.rng.choice(bound)
        kept = [name for name, key, kind in self.variables if kind == token.kind and not key]
        if kept and not scope.is_open and self.chance(8):
            return self.rng.choice(kept)
        if self.chance(80):  # what is not bound may be nothing, and then a rule stops
            return self.pick(bound)
        slots = [
            z for z in self.zones if z.holds == token and z.order in ("stack", "single") and self.readable(scope, z)
        ]
        if slots and self.chance(50):
            return f"top of {self.slot(scope, self.rng.choice(slots))}"
        if depth <= 0:
            return self.pick(bound)
        return f"first({self.set_of(scope, depth - 1, token)})"

    # -------------------------------------------------------------------------------------------- zones

    def readable(self, scope: Scope, zone: Zone) -> bool:
        return zone.is_open or not scope.is_open

    def slot(self, scope: Scope, zone: Zone) -> str:
        """Write one slot of a zone."""
        if not zone.keys:
            return zone.name
        if zone.keys == (PLAYER,) and scope.me and self.chance(60):
            return f"my {zone.name}"
        keys = [self.of_kind(scope, 0, key) for key in zone.keys]
        return f"{zone.name}({', '.join(keys)})" if len(keys) > 1 or self.chance(30) else f"{zone.name} of {keys[0]}"

    def set_of(self, scope: Scope, depth: int, token: Token) -> str:
        """Write a set of tokens of a kind."""
        zones = [z for z in self.zones if z.holds == token and self.readable(scope, z)]
        if scope.me and scope.is_open and self.chance(60):
            zones += [z for z in self.zones if z.holds == token and z.seen_by == "owner" and z.keys == (PLAYER,)]
        if not zones:
            return "[]"
        zone = self.rng.choice(zones)
        if not zone.is_open and scope.is_open:
            return f"my {zone.name}"
        if depth <= 0 or self.chance(60):
            return zone.name if self.chance(20) else self.slot(scope, zone)
        form = self.rng.choice(["those", "+", "without", "bound"])
        if form == "those":
            inner = scope.inner((token.kind, token.kind))
            if scope.of_type(token.kind):
                return self.slot(scope, zone)
            return f"those({token.kind} in {self.slot(scope, zone)} where {self.condition(inner, depth - 1)})"
        if form == "bound":
            return self.pick(scope.of_type(f"set of {token.kind}")) or self.slot(scope, zone)
        return f"({self.set_of(scope, depth - 1, token)} {form} {self.set_of(scope, depth - 1, token)})"

    def some_set(self, scope: Scope, depth: int) -> str:
        return self.set_of(scope, depth, self.rng.choice(self.tokens))

    def bound(self, scope: Scope, depth: int) -> tuple[str, tuple[str, str]] | None:
        """Write a binder; return it with the name it binds and its type."""
        forms: list[str] = [
            PLAYER,
            "level",
            "colour",
            *(t.kind for t in self.tokens),
            *(["cell"] if self.board else []),
        ]
        kind = self.rng.choice(forms)
        name = kind if not scope.of_type(kind) and self.chance(60) else self.name(kind[0])
        token = next((t for t in self.tokens if t.kind == kind), None)
        source = f" in {self.set_of(scope, depth - 1, token)}" if token is not None else ""
        inner = scope.inner((name, kind))
        where = f" where {self.condition(inner, depth - 1)}" if self.chance(60) else ""
        order = ""
        if self.chance(25):
            order = f" with {self.rng.choice(['most', 'least'])} {self.number(inner, 1)}"
        elif kind == PLAYER and self.chance(30):
            order = f" clockwise from {self.player(scope, 0)}"
        elif self.chance(20):
            order = f" in order of {self.rng.choice(['most', 'least'])} {self.number(inner, 1)}"
        if not (source or where or order or name != kind):
            where = " where yes"
        return f"{kind}{'' if name == kind else ' ' + name}{source}{where}{order}", (name, kind)

    # --------------------------------------------------------------------------- variables and functions

    def variable(self, scope: Scope, depth: int, kind: str) -> str | None:
        found = [(name, key) for name, key, of in self.variables if of == kind]
        if not found:
            return None
        name, key = self.rng.choice(found)
        return f"{name} of {self.of_kind(scope, 0, key)}" if key else name

    def called(self, scope: Scope, depth: int, kind: str) -> str | None:
        found = [f for f in self.functions if f[2] == kind]
        if not found:
            return None
        name, params, _ = self.rng.choice(found)
        arguments = self.arguments(scope, depth, params)
        return None if arguments is None else name + arguments

    def arguments(self, scope: Scope, depth: int, params: tuple[str, ...]) -> str | None:
        written = []
        for kind in params:
            token = next((t for t in self.tokens if t.kind == kind), None)
            text = self.thing(scope, depth, token) if token is not None else self.of_kind(scope, depth, kind)
            if text is None:
                return None
            written.append(text)
        return f"({', '.join(written)})" if written else ""
