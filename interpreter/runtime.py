"""What generated code calls: effects on a position, chance, small helpers. Nothing here knows a rule."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any, NoReturn

from interpreter.chance import GOLDEN, MASK
from interpreter.layout import BAG, CHANCES, COUNTER, LOOSE, NOTHING, SEED, SINGLE, Layout

if TYPE_CHECKING:
    from interpreter.state import State

MOST_KEPT = 4096
"""So many different bags are remembered with what may be drawn from them."""


FEW = 12
"""Of a bag with so many tokens or fewer, what is left behind each outcome is worked out at once."""


class Over(Exception):
    """The game has ended, perhaps in the middle of an effect."""


class Fault(Exception):
    """A rule that cannot be carried out; becomes a RuleError naming the rule and its place."""


class Dead(Fault):
    """A choice, number or payment that cannot be met."""


class Barrier(Exception):
    """What looks ahead has come to something it may not know."""


class Outcomes(list[tuple[int, int]]):
    """The outcomes of a chance event, with whole weights; what is worked out from them is kept."""

    __slots__ = ("ids", "odds", "taken")

    taken: dict[int, tuple[int, tuple[int, ...]]] | None
    """For a draw from what lies in no known order: by outcome, the token drawn and those that are left."""

    def __init__(self, pairs: Iterable[tuple[int, int]]) -> None:
        super().__init__(pairs)
        total = sum([weight for _, weight in self])
        self.ids = [outcome for outcome, _ in self]
        self.odds = [(outcome, weight / total) for outcome, weight in self]
        self.taken = None


def alike(members: Iterable[int]) -> Outcomes:
    """Return equally likely outcomes."""
    return Outcomes([(member, 1) for member in sorted(members)])


def check(thing: int) -> int:
    """Return a thing that has to be there."""
    if thing < 0:
        raise Fault("there is nothing here: test for `nothing` first")
    return thing


def first(members: Sequence[int]) -> int:
    """Return the first of a set, or nothing."""
    return members[0] if members else NOTHING


def union(left: Iterable[int], right: Iterable[int]) -> tuple[int, ...]:
    """Return the members of both, equal ones once."""
    return tuple(dict.fromkeys((*left, *right)))


def grid(base: int, axes: Sequence[Sequence[int]], strides: Sequence[int]) -> list[int]:
    """Return base plus every sum of one position of each axis times its stride."""
    cells = [base]
    for axis, stride in zip(axes, strides):
        cells = [c + i * stride for c in cells for i in axis]
    return cells


def in_order(pairs: list[tuple[Any, int]]) -> list[int]:
    """Return members sorted by their rank; equal ranks keep their order."""
    pairs.sort(key=lambda pair: pair[0])
    return [member for _, member in pairs]


def attaining(pairs: list[tuple[Any, int]]) -> list[int]:
    """Return the members of the least rank, in their order."""
    if not pairs:
        return []
    best = min(rank for rank, _ in pairs)
    return [member for rank, member in pairs if rank == best]


def reachable(neighbours: Sequence[Sequence[int]], start: int, members: Iterable[int]) -> tuple[int, ...]:
    """Return what can be reached from *start* over neighbours that are members; start itself if it is one."""
    allowed = set(members)
    found = {start} & allowed
    todo = list(found)
    while todo:
        for near in neighbours[todo.pop()]:
            if near in allowed and near not in found:
                found.add(near)
                todo.append(near)
    return tuple(sorted(found))


def connected(neighbours: Sequence[Sequence[int]], members: Sequence[int]) -> bool:
    """Say whether every member can be reached from every other through members; true of no member."""
    return not members or len(reachable(neighbours, next(iter(members)), members)) == len(set(members))


def below(s: State, n: int) -> int:
    """Return a whole number under n from the generator in the state: the numbers of `chance.Generator.below`."""
    limit = MASK + 1 - (MASK + 1) % n
    v = s.v
    while True:
        v[COUNTER] += 1
        z: int = (v[SEED] + v[COUNTER] * GOLDEN) & MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        z ^= z >> 31
        if z < limit:
            return z % n


def sets_of(ids: Sequence[int], least: int, most: int) -> Iterable[tuple[int, ...]]:
    """Yield the sets of these ids (with repeats as often as they occur), smallest first."""
    counts = {i: ids.count(i) for i in ids}
    kinds = sorted(counts)
    for size in range(least, min(most, len(ids)) + 1):
        for found in combinations_with_replacement(kinds, size):
            if all(found.count(i) <= counts[i] for i in set(found)):
                yield found


def give_up(message: str) -> NoReturn:
    """Raise what says that a plain number or choice cannot be met."""
    raise Dead(message)


def out_of_range(value: int, low: int, high: int) -> NoReturn:
    """A variable or a die is to hold what it cannot."""
    raise Fault(f"{value} is not in {low}..{high}")


def too_long() -> NoReturn:
    """Too many steps for one decision."""
    raise Fault("this goes on too long: more loop turns and rule calls than are allowed for one decision")


class Effects:
    """The changes a statement can make, for one layout. Each returns the cells it changed."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.slot_base = layout.slot_base
        self.mode = layout.slot_mode
        self.where = layout.where_base
        self.down = layout.down_base
        self.face = layout.face_base
        self.tops = layout.top_base
        self.drawn: dict[tuple[int, ...], Outcomes] = {}
        self.class_of = [NOTHING] * layout.first_token + layout.token_class
        self.owner_of = [NOTHING] * layout.first_token + layout.token_owner
        slots = [layout.slot_base + i for i in range(len(layout.slots))]
        self.own = [
            layout.slot_owner(s) if layout.zones[layout.slots[s - layout.slot_base][0]].own else NOTHING for s in slots
        ]
        self.limits = [limit for zone in layout.zones.values() for limit in zone.limits]
        self.one_sided = not layout.has_sides
        self.room = layout.room()

    # ------------------------------------------------------------------------------------ moving

    def remove(self, v: list[Any], token: int) -> int:
        """Take a token out of its slot and return the slot."""
        slot: int = v[self.where + token]
        mode = self.mode[slot - self.slot_base]
        if mode == SINGLE:
            v[slot] = NOTHING
            return slot
        held: tuple[int, ...] = v[slot]
        at = held.index(token)
        v[slot] = held[:at] + held[at + 1 :]
        if mode == BAG:
            known = v[self.tops + slot]
            if known and at >= len(held) - known:
                v[self.tops + slot] = known - 1
        return slot

    def put(self, v: list[Any], token: int, slot: int) -> None:
        """Lay a token into a slot."""
        index = slot - self.slot_base
        mode = self.mode[index]
        v[self.where + token] = slot
        if self.own[index] >= 0 and self.owner_of[token] != self.own[index]:
            raise Fault(f"`{self.slot_name(slot)}` holds its owner's tokens only")
        if mode == SINGLE:
            if v[slot] >= 0:
                raise Fault(f"there is no room in `{self.slot_name(slot)}`")
            v[slot] = token
            return
        held: tuple[int, ...] = v[slot]
        limit = self.limits[index]
        if limit is not None and len(held) >= limit:
            raise Fault(f"there is no room in `{self.slot_name(slot)}`: it holds at most {limit}")
        if mode == LOOSE and held and not (self.one_sided and held[-1] < token):
            members = list(held)
            insort(members, token, key=lambda t: self.rank_in(v, t))
            v[slot] = tuple(members)
            return
        v[slot] = (*held, token)
        if mode == BAG:
            v[self.tops + slot] += 1

    def rank_in(self, v: list[Any], token: int) -> tuple[int, int, int]:
        """Return what puts tokens that lie in no order in one: face and side. Those alike stay as they came."""
        return self.class_of[token], v[self.down + token], v[self.face + token]

    def place_of(self, v: list[Any], token: int) -> tuple[int, ...]:
        """Return what puts tokens in order wherever they lie: their face, then their place; never a serial number."""
        slot = v[self.where + token]
        held = v[slot]
        return self.class_of[token], slot, held.index(token) if type(held) is tuple else 0

    def sort_slot(self, v: list[Any], slot: int) -> None:
        """Put what lies in no order in a slot in its order again, after a side or a face has changed."""
        mode = self.mode[slot - self.slot_base]
        if mode in (LOOSE, BAG):
            held = v[slot]
            loose = len(held) - v[self.tops + slot]
            v[slot] = (*sorted(held[:loose], key=lambda t: self.rank_in(v, t)), *held[loose:])

    def everywhere(self, v: list[Any], tokens: Iterable[int]) -> list[int]:
        """Return tokens in the order of their faces, those alike in that of their places."""
        return sorted(tokens, key=lambda t: self.place_of(v, t))

    def slot_name(self, slot: int) -> str:
        """Return a slot as a player would write it."""
        name, values = self.layout.slots[slot - self.slot_base]
        program = self.layout.program
        numbers = [program["kinds"][key]["sort"] == "number" for key in self.layout.zones[name].keys]
        names = [str(v) if number else program["entities"][v] for v, number in zip(values, numbers)]
        return f"{name}({', '.join(names)})" if len(names) > 1 else f"{name} of {names[0]}" if names else name

    def move(self, s: State, tokens: Iterable[int], slot: int, down: int = 0) -> tuple[int, ...]:
        """Move tokens to a slot, in order, face up or down."""
        v = s.v
        cells = [slot]
        for token in tokens:
            cells.append(self.remove(v, token))
            v[self.down + token] = down
            self.put(v, token, slot)
        s.steps -= len(cells)
        if s.steps < 0:
            too_long()
        return tuple(cells)

    def take(self, s: State, tokens: Sequence[int], amount: int, short: bool) -> Sequence[int]:
        """Return the first *amount* of tokens that are alike."""
        if amount > len(tokens):
            if not short:
                raise Dead(f"{amount} are wanted and {len(tokens)} are there")
            return tokens
        if amount < 0:
            raise Fault(f"an amount cannot be {amount}")
        return tokens[:amount]

    # ----------------------------------------------------------------------------------- counters

    def transfer(self, s: State, source: int, target: int, amount: int, endless: int, short: bool) -> tuple[int, ...]:
        """Move points between two holders; *endless* is the cell of an endless bank, or -1."""
        v = s.v
        if amount < 0:
            raise Fault(f"an amount cannot be {amount}")
        if source != endless and v[source] < amount:
            if not short:
                raise Dead(f"{amount} are wanted and {v[source]} are there")
            amount = v[source]
        if target != endless:
            if v[target] + amount > self.room[target]:
                if not short:
                    raise Fault(f"there is no room: {v[target]} + {amount} is over {self.room[target]}")
                amount = self.room[target] - v[target]
            v[target] += amount
        if source != endless:
            v[source] -= amount
        return (source, target)

    def create(self, s: State, cell: int, amount: int) -> tuple[int, ...]:
        """Make new points for a holder."""
        if amount < 0:
            raise Fault(f"an amount cannot be {amount}")
        if s.v[cell] + amount > self.room[cell]:
            raise Fault(f"there is no room: {s.v[cell]} + {amount} is over {self.room[cell]}")
        s.v[cell] += amount
        return (cell,)

    def destroy(self, s: State, cell: int, amount: int) -> tuple[int, ...]:
        """Take points of a holder out of the game."""
        if not 0 <= amount <= s.v[cell]:
            raise Dead(f"{amount} are wanted and {s.v[cell]} are there")
        s.v[cell] -= amount
        return (cell,)

    def assign(self, s: State, cell: int, value: Any, name: str) -> tuple[int, ...]:
        """Give a variable, or the face of a die, a value."""
        s.v[cell] = value
        if name == "face":
            self.sort_slot(s.v, s.v[self.where + cell - self.face])
        return (cell,)

    # ------------------------------------------------------------------------------------- chance

    def refill(self, s: State, slot: int, sources: Iterable[int]) -> tuple[int, ...]:
        """Shuffle what lies in the sources into an empty slot that is to be drawn from."""
        v = s.v
        if v[slot] if self.mode[slot - self.slot_base] != SINGLE else v[slot] >= 0:
            return ()
        tokens = [
            t for source in sources for t in (v[source] if isinstance(v[source], tuple) else (v[source],)) if t >= 0
        ]
        if not tokens:
            return ()
        cells = self.move(s, tokens, slot, 0)
        return cells + self.shuffle(s, slot)

    def outcomes(self, s: State, slot: int) -> Outcomes:
        """Return (class, how many) of what may be drawn next; one entry where it is known."""
        held = s.v[slot]
        found = self.drawn.get(held) if type(held) is tuple else None
        if found is not None and not s.v[self.tops + slot]:
            return found
        classes = self.class_of
        if s.v[self.tops + slot] if self.mode[slot - self.slot_base] == BAG else True:
            return Outcomes([(classes[held[-1]], 1)] if held else [])
        counts: dict[int, int] = {}
        for token in held:
            counts[classes[token]] = counts.get(classes[token], 0) + 1
        found = Outcomes(sorted(counts.items()))
        if 0 < len(held) <= FEW:  # of those alike the first is drawn
            places = reversed([*enumerate(held)])
            found.taken = {classes[token]: (token, held[:at] + held[at + 1 :]) for at, token in places}
        if len(self.drawn) < MOST_KEPT:
            self.drawn[held] = found
        return found

    def next_token(self, s: State, slot: int, outcome: int | None = None) -> int:
        """Return the token drawn next from a slot: its top, or by chance (*outcome*: the class that came up)."""
        held = s.v[slot]
        mode = self.mode[slot - self.slot_base]
        if mode == SINGLE:
            return int(held)
        if mode != BAG or s.v[self.tops + slot]:
            return int(held[0] if mode == LOOSE else held[-1])
        if outcome is None:
            choices = self.outcomes(s, slot)
            if len(choices) == 1:
                return int(held[0])
            outcome = pick_weighted(choices, below(s, len(held)))
            s.record = (s.record, outcome)
        classes = self.class_of
        return int(next(t for t in held if classes[t] == outcome))

    def draw_one(self, s: State, source: int, target: int, down: int, outcome: int | None) -> None:
        """Draw one token by chance: what `next_token` and `move` do, in one. An outcome is one of `s.chances`."""
        v = s.v
        taken = None if outcome is None else v[CHANCES].taken
        if taken is not None:
            token, v[source] = taken[outcome]
        elif v[source]:
            token = self.next_token(s, source, outcome)
            self.remove(v, token)
        else:
            raise Dead("there is nothing left to draw")
        v[self.down + token] = down
        self.put(v, token, target)

    def shuffle(self, s: State, slot: int) -> tuple[int, ...]:
        """Make a slot a bag again: its order is forgotten."""
        s.v[self.tops + slot] = 0
        self.sort_slot(s.v, slot)
        return (slot,)

    def rolled(self, s: State, die: int, value: int) -> tuple[int, ...]:
        """A die shows what came up."""
        s.v[self.face + die] = value
        self.sort_slot(s.v, s.v[self.where + die])
        return (self.face + die,)

    def roll(self, s: State, die: int) -> tuple[int, ...]:
        """Roll a die by the state's own generator."""
        low, high = s.code.faces[die]
        value = low + below(s, high - low + 1)
        s.record = (s.record, value)
        return self.rolled(s, die, value)

    def heaps(self, s: State, members: Iterable[int], named: Iterable[Any]) -> list[list[int]]:
        """Return tokens in canonical order, those together that nothing tells apart: face, side, place, or a name.

        *named* are the values of variables in scope: a token one of them names is not like its likes.
        """
        v, apart = s.v, self._named(s.v, named)
        heaps: dict[tuple[int, ...], list[int]] = {}
        for token in sorted(members, key=lambda t: self.place_of(v, t)):
            slot = v[self.where + token]
            is_apart = token in apart or token not in self.layout.loose(v, slot)
            at = v[slot].index(token) + 1 if is_apart and type(v[slot]) is tuple else 0
            key = (self.class_of[token], slot, v[self.down + token], v[self.face + token], at)
            heaps.setdefault(key, []).append(token)
        return [heaps[key] for key in sorted(heaps)]

    def _named(self, v: list[Any], named: Iterable[Any]) -> set[int]:
        """Return the tokens that variables name, those of the game and those given."""
        values = [*named, *(v[cell] for cell in self.layout.naming_cells)]
        return {token for value in values for token in (value if type(value) is tuple else (value,))}

    def heap_odds(self, s: State, members: Iterable[int], named: Iterable[Any]) -> Outcomes:
        """Return which of the heaps chance may pick from, with how many tokens lie in each."""
        return Outcomes([(i, len(heap)) for i, heap in enumerate(self.heaps(s, members, named))])

    def from_heap(self, s: State, members: Iterable[int], named: Iterable[Any], outcome: int) -> int:
        """Return the token that is picked from a heap."""
        return self.heaps(s, members, named)[outcome][0]

    def pick_token(self, s: State, members: Sequence[int], named: Iterable[Any]) -> int:
        """Pick a token by the state's own generator."""
        if not members:
            raise Dead("there is nothing to pick from")
        odds = self.heap_odds(s, members, named)
        outcome = 0
        if len(odds) > 1:
            outcome = pick_weighted(odds, below(s, len(members)))
            s.record = (s.record, outcome)
        return self.from_heap(s, members, named, outcome)

    def pick(self, s: State, members: Sequence[int]) -> int:
        """Pick a member by the state's own generator."""
        if not members:
            raise Dead("there is nothing to pick from")
        if len(members) == 1:
            return members[0]
        value = sorted(members)[below(s, len(members))]
        s.record = (s.record, value)
        return value

    def picked(self, s: State, value: int) -> None:
        """Chance has picked a member."""

    # ---------------------------------------------------------------------------------- knowledge

    def turn(self, s: State, tokens: Iterable[int], down: int) -> tuple[int, ...]:
        """Turn tokens face up or down."""
        cells = []
        for token in tokens:
            slot = s.v[self.where + token]
            s.v[self.down + token] = down
            self.sort_slot(s.v, slot)
            cells += [self.down + token, slot]
        return tuple(cells)

    def show(self, s: State, tokens: Iterable[int], players: Iterable[int]) -> tuple[int, ...]:
        """Make faces known to players."""
        return ()

    def chose(self, s: State, seat: int, members: Iterable[int]) -> None:
        """A set was chosen whole."""


def pick_weighted(choices: Sequence[tuple[int, int]], number: int) -> int:
    """Return the outcome that a whole number under the sum of weights falls to."""
    for outcome, weight in choices:
        if number < weight:
            return outcome
        number -= weight
    raise AssertionError("our fault: a number over the sum of the weights")
