"""One set-up of a game: how many play, with which settings, and where everything stands in a position.

A position is one flat list of cells. A cell holds a number, a thing's id, or the tuple of the tokens in a zone. The
layout says which cell is what; it is worked out once for each number of players and choice of settings.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any

from interpreter.program import LARGEST, Program

NOTHING = -1
ACTIVE, QUEUE, BUSY, TRUTH, DECISIONS, PARTS, CHANCES, TRUNCATED = range(8)
"""The first cells: whose turn it is; triggers that wait, whether one is carried out, which conditions are true;
how many answers were given; what is answered at the same time; the outcomes of a chance event; whether cut off."""

FRAME, TURN, LEGAL, LOOK, RECORD, SEED, COUNTER, OVER, START, STORY = range(8, 18)
"""The cells behind them: the frame that waits; who is asked, his answers if they are known and what lists them; the
record; the generator; whether the game is over; what the record starts from; what is told. A copy is one list."""

NOBODY_TURN = -3
"""Nobody is asked: what was begun by itself has come to its end."""

BLANK = (
    NOTHING, (), False, frozenset[Any](), 0, None, None, False,
    None, NOBODY_TURN, None, None, None, 0, 0, False, None, None,
)  # fmt: skip
"""What these cells hold before anything is done."""

FIRST_CELL = len(BLANK)

SINGLE, LOOSE, STACK, BAG = 0, 1, 2, 3
"""How a slot keeps its tokens: one token or -1; a sorted tuple; a tuple, top last; a sorted tuple under a known top."""


@dataclass
class Block:
    """The cells of one zone, variable or counter: `base` plus the sum of key position times stride."""

    name: str
    base: int
    keys: tuple[str, ...]
    strides: tuple[int, ...]
    size: int


@dataclass
class ZoneBlock(Block):
    """The slots of one zone."""

    mode: int = LOOSE
    limits: tuple[int | None, ...] = ()
    holds: tuple[str, ...] = ()
    seen_by: str = "all"
    face_down_seen_by: str = "nobody"
    number_seen_by: str = "all"
    owner_key: int | None = None
    refill_from: Any = None
    own: bool = False


@dataclass
class Layout:
    """Where everything of a position stands, for one number of players and one choice of settings."""

    program: Program
    players: int
    options: dict[str, Any]
    extra: tuple[tuple[int, int], ...] = ()
    members: dict[str, tuple[int, ...]] = field(default_factory=dict)
    zones: dict[str, ZoneBlock] = field(default_factory=dict)
    variables: dict[str, Block] = field(default_factory=dict)
    counters: dict[str, Block] = field(default_factory=dict)
    token_kind: list[str] = field(default_factory=list)
    token_row: list[int] = field(default_factory=list)
    token_owner: list[int] = field(default_factory=list)
    token_class: list[int] = field(default_factory=list)
    slots: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)
    slot_mode: list[int] = field(default_factory=list)
    size: int = FIRST_CELL

    def __post_init__(self) -> None:
        self.first_token = int(self.program["first_token"])
        self.uses_down = _turns_down(self.program["rules"])
        self.has_sides = self.uses_down or any(token["faces"] for token in self.program["tokens"].values())
        self._lay_out_kinds()
        self._lay_out_tokens()
        self._lay_out_state()
        self.naming = [v for v in self.program["variables"] if self.is_of_tokens(v["type"])]
        self.naming_cells = self._naming_cells()

    # ------------------------------------------------------------------------------------ kinds

    def _lay_out_kinds(self) -> None:
        for name, kind in self.program["kinds"].items():
            if kind["sort"] == "token":
                continue
            if kind["sort"] == "number":
                low, high = kind["numbers"]
                self.members[name] = tuple(range(low, high + 1))
            else:
                self.members[name] = tuple(i for low, high in kind["ranges"] for i in range(low, high))
        self.members["player"] = tuple(range(self.players))

    def position_in(self, kind: str) -> dict[int, int]:
        """Return the place of each member of *kind* among all members (players and tokens not in play included)."""
        return {member: i for i, member in enumerate(self.domain(kind))}

    def domain(self, kind: str) -> tuple[int, ...]:
        """Return all members of *kind*, whoever plays."""
        if kind == "player":
            return tuple(range(len(self.program["players"]["seats"])))
        return self.members[kind]

    # ----------------------------------------------------------------------------------- tokens

    def _lay_out_tokens(self) -> None:
        program = self.program
        extra = dict(self.extra)
        counts: dict[tuple[str, int, int], int] = {}
        ranges = [
            (low, high, name)
            for name, kind in program["kinds"].items()
            if kind["sort"] == "token"
            for low, high in kind["ranges"]
        ]
        for low, high, name in sorted(ranges):
            for i in range(low - self.first_token, high - self.first_token):
                key = (name, program["token_rows"][i], program["token_owners"][i])
                if key[2] < self.players:
                    counts[key] = counts.get(key, 0) + 1
        classes = self.classes()
        at: dict[str, list[int]] = {name: [] for _, _, name in ranges}
        for number, key in enumerate(classes):
            name, row, owner = key
            how_many = counts.get(key, 0) + (extra.get(row, 0) if counts.get(key, 0) and row >= 0 else 0)
            for _ in range(how_many):
                at[name].append(self.first_token + len(self.token_kind))
                self.token_kind.append(name)
                self.token_row.append(row)
                self.token_owner.append(owner)
                self.token_class.append(number)
        for name, kind in program["kinds"].items():
            if kind["sort"] == "token":
                self.members[name] = tuple(at.get(name, ()))
            elif kind["sort"] == "union":
                self._join_tokens(name, kind, at)

    def _join_tokens(self, name: str, kind: dict[str, Any], at: dict[str, list[int]]) -> None:
        """A union of kinds of token has the tokens in play of each; such kinds in a row are one range of it."""
        parts = [
            n
            for n, k in self.program["kinds"].items()
            if k["sort"] == "token"
            and any(a <= low and high <= b for low, high in k["ranges"] for a, b in kind["ranges"])
        ]
        if parts:
            self.members[name] = tuple(t for part in parts for t in at[part])

    def classes(self) -> list[tuple[str, int, int]]:
        """Return every (kind, row, owner) a token of this rule set can have, in order of ids, whoever plays."""
        program = self.program
        ranges = sorted(
            (low, high, name)
            for name, kind in program["kinds"].items()
            if kind["sort"] == "token"
            for low, high in kind["ranges"]
        )
        found: dict[tuple[str, int, int], None] = {}
        for low, high, name in ranges:
            for i in range(low - self.first_token, high - self.first_token):
                found[(name, program["token_rows"][i], program["token_owners"][i])] = None
        return list(found)

    @cached_property
    def several_of_class(self) -> tuple[int, ...]:
        """The tokens in play that are not the only one of their class, and may lie where somebody does not see them."""
        open_to_all = {name for name in self.program["tokens"] if not self._may_be_hidden(name)}
        return tuple(
            token
            for tokens in self.of_class.values()
            for token in tokens
            if len(tokens) > 1 and self.token_kind[token - self.first_token] not in open_to_all
        )

    def _may_be_hidden(self, kind: str) -> bool:
        """Say whether some zone for tokens of a kind hides them from somebody."""
        zones = [zone for zone in self.zones.values() if kind in zone.holds]
        return any(z.seen_by != "all" or (self.uses_down and z.face_down_seen_by != "all") for z in zones)

    @cached_property
    def of_class(self) -> dict[int, list[int]]:
        """The tokens in play of each class."""
        found: dict[int, list[int]] = {}
        for token in self.tokens:
            found.setdefault(self.token_class[token - self.first_token], []).append(token)
        return found

    @property
    def tokens(self) -> range:
        """All tokens in play."""
        return range(self.first_token, self.first_token + len(self.token_kind))

    # ------------------------------------------------------------------------------------ state

    def _lay_out_state(self) -> None:
        program = self.program
        for variable in program["variables"]:
            self.variables[variable["name"]] = self._block(variable["name"], variable["keys"])
        for counter in program["counters"]:
            block = self._block(counter["name"], ["player"] if counter["owned"] else [])
            self.counters[counter["name"]] = block
            self.size += 1  # the bank stands behind the players' cells
        self.slot_base = self.size
        for zone in program["zones"]:
            self.zones[zone["name"]] = self._zone(zone)
        self.top_base = self._take(len(self.slots)) - self.slot_base  # known order on top of a bag, by slot
        self.where_base = self._take(len(self.token_kind)) - self.first_token
        self.down_base = self._take(len(self.token_kind)) - self.first_token
        self.face_base = self._take(len(self.token_kind)) - self.first_token
        self.lasting_cell = self._take(1)
        self.quiet_cell = self._take(1)

    def _take(self, count: int) -> int:
        base = self.size
        self.size += count
        return base

    def _block(self, name: str, keys: list[str]) -> Block:
        strides, size = self._strides(keys)
        return Block(name, self._take(size), tuple(keys), strides, size)

    def _strides(self, keys: list[str]) -> tuple[tuple[int, ...], int]:
        sizes = [len(self.members[key]) for key in keys]
        strides = []
        size = 1
        for count in reversed(sizes):
            strides.append(size)
            size *= count
        return tuple(reversed(strides)), size

    def _zone(self, zone: dict[str, Any]) -> ZoneBlock:
        keys = list(zone["keys"])
        strides, size = self._strides(keys)
        limit = zone["at_most"]
        limits = tuple(limit) if isinstance(limit, list) else (limit,) * size
        mode = {"unordered": LOOSE, "stack": STACK, "shuffled": BAG}[zone["order"]]
        if limit == 1 and mode != BAG:
            mode = SINGLE
        block = ZoneBlock(
            zone["name"], self._take(size), tuple(keys), strides, size, mode, limits, tuple(zone["holds"]),
            zone["seen_by"], zone["face_down_seen_by"], zone["number_seen_by"],
            keys.index("player") if "player" in keys else None, zone["refill_from"],
        )  # fmt: skip
        block.own = bool(zone.get("own"))
        for values in product(*(self.members[key] for key in keys)):
            self.slots.append((zone["name"], values))
            self.slot_mode.append(mode)
        return block

    def slot_of(self, name: str, values: tuple[int, ...]) -> int:
        """Return the cell of the slot of zone *name* with these key values."""
        zone = self.zones[name]
        return zone.base + sum(self.members[k].index(x) * s for k, x, s in zip(zone.keys, values, zone.strides))

    def slot_owner(self, slot: int) -> int:
        """Return the seat whose slot this is, or -1."""
        name, values = self.slots[slot - self.slot_base]
        key = self.zones[name].owner_key
        return NOTHING if key is None else values[key]

    def room(self) -> dict[int, int]:
        """Return how many points each cell of a counter may hold."""
        most = {counter["name"]: counter["at_most"] for counter in self.program["counters"]}
        return {
            cell: LARGEST if most[name] is None else most[name]
            for name, block in self.counters.items()
            for cell in range(block.base, block.base + block.size)
        } | {block.base + block.size: LARGEST for block in self.counters.values()}

    def _naming_cells(self) -> tuple[int, ...]:
        """Return the cells of variables that hold tokens or sets of them."""
        blocks = [self.variables[variable["name"]] for variable in self.naming]
        return tuple(cell for block in blocks for cell in range(block.base, block.base + block.size))

    def is_of_tokens(self, kind: Any) -> bool:
        """Say whether values of a type are tokens, or sets of them."""
        inner = kind[1] if kind[0] == "set" else kind
        if inner[0] not in ("kind", "opt"):
            return False
        ranges = self.program["kinds"][inner[1]]["ranges"] if inner[1] != "token" else [[self.first_token, 0]]
        return bool(ranges and ranges[0][0] >= self.first_token)

    def has_likes(self, kind: str) -> bool:
        """Say whether a kind has tokens of one face, which are told apart by their places alone."""
        if not self.is_of_tokens(["kind", kind]):
            return False
        found = [self.token_class[token - self.first_token] for token in self.members[kind]]
        return len(set(found)) < len(found)

    # --------------------------------------------------------------------------------- who sees

    def sees(self, player: int, slot: int, down: int) -> bool:
        """Say whether a player sees the faces of tokens of this side in a slot, by its declaration."""
        zone = self.zones[self.slots[slot - self.slot_base][0]]
        seen_by = zone.face_down_seen_by if down else zone.seen_by
        return seen_by == "all" or (seen_by == "owner" and self.slot_owner(slot) == player)

    def sees_number(self, player: int, slot: int) -> bool:
        """Say whether a player sees how many tokens lie in a slot."""
        seen_by = self.zones[self.slots[slot - self.slot_base][0]].number_seen_by
        return seen_by == "all" or (seen_by == "owner" and self.slot_owner(slot) == player)

    def loose(self, v: list[Any], slot: int) -> tuple[int, ...]:
        """Return the tokens of a slot that lie there in no order."""
        mode, held = self.slot_mode[slot - self.slot_base], v[slot]
        if mode == LOOSE:
            return tuple(held)
        return tuple(held[: len(held) - v[self.top_base + slot]]) if mode == BAG else ()


def _turns_down(tree: Any) -> bool:
    """Say whether a piece of program lays a token face down, turns one over, or asks which side is up."""
    if isinstance(tree, dict):
        return tree.get("op") == "turn" or tree.get("face") == "down" or any(map(_turns_down, tree.values()))
    if isinstance(tree, list):
        return tree[:1] == ["is_down"] or any(map(_turns_down, tree))
    return False
