"""A position as canonical data: tokens are named by their place, never by a number of their own."""

from __future__ import annotations

import json
from itertools import groupby, product
from typing import TYPE_CHECKING, Any

from interpreter.errors import ProgramError, Unfit, in_words
from interpreter.layout import BAG, NOBODY_TURN, NOTHING, SINGLE, STACK, Block
from interpreter.runtime import Outcomes
from interpreter.soundness import Sound
from interpreter.values import Values

if TYPE_CHECKING:
    from interpreter.state import State

Data = dict[str, Any]


def chance_event(s: State) -> tuple[str, Any, Any]:
    """Return what the chance event that waits is (`draw`, `roll`, `pick`), the type of what is picked, and the slot
    drawn from, the dice or the tokens to pick from.
    """
    kind, picked, name = s.code.build.chance_at[(s.k[0], s.k[1])]
    names = [held for held, _ in s.code.frames[(s.k[0], s.k[1])]]
    return kind, picked, s.k[4 + names.index(name)] if name else None


def naming(s: State) -> tuple[Any, ...]:
    """Return the values of the variables of the rule that waits that name tokens."""
    frame = s.code.frames[(s.k[0], s.k[1])]
    return tuple(
        value for (name, kind), value in zip(frame, s.k[4:]) if s.code.layout.is_of_tokens(kind) and name[-2:] != "h_"
    )


class Describer:
    """Writes one position down."""

    def __init__(self, s: State, with_knowledge: bool) -> None:
        self.s = s
        self.code = s.code
        self.layout = s.code.layout
        self.values = Values(s.code)
        self.know = s.story.know if with_knowledge and s.story is not None else []
        self.named = set(self.values.held(s))
        self.signatures = s.story.signatures(s) if self.know else []
        self.order = {slot: self._ordered(slot) for slot in self._slots()}
        self.pools: list[dict[int, int]] = [{0: 0} for _ in self.know]
        self.place = {t: (slot, i) for slot, tokens in self.order.items() for i, t in enumerate(tokens)}

    def _slots(self) -> range:
        return range(self.layout.slot_base, self.layout.slot_base + len(self.layout.slots))

    def _tokens(self, slot: int) -> tuple[int, ...]:
        held = self.s.v[slot]
        if self.layout.slot_mode[slot - self.layout.slot_base] == SINGLE:
            return () if held < 0 else (held,)
        return tuple(held)

    def _ordered(self, slot: int) -> list[int]:
        """Return the tokens of a slot: those in no order by face and side, those alike by what is known of them.

        A token that something names keeps its place among its likes.
        """
        tokens = self._tokens(slot)
        mode = self.layout.slot_mode[slot - self.layout.slot_base]
        if mode == STACK:
            return list(tokens)
        known = self.s.v[self.layout.top_base + slot] if mode == BAG else 0
        loose = sorted(tokens[: len(tokens) - known], key=lambda t: self.code.effects.rank_in(self.s.v, t))
        if self.know:
            for _, heap in groupby(list(loose), key=lambda t: self.code.effects.rank_in(self.s.v, t)):
                free = [t for t in heap if t not in self.named]
                for at, token in zip([loose.index(t) for t in free], sorted(free, key=self._known)):
                    loose[at] = token
        return [*loose, *tokens[len(tokens) - known :]]

    def _known(self, token: int) -> tuple[Any, ...]:
        assert self.s.story is not None
        return self.s.story.known_of(self.signatures, token)  # type: ignore[no-any-return]

    # ------------------------------------------------------------------------------------ parts

    def reference(self, token: int) -> list[int]:
        """Return where a token lies: slot and place in it."""
        slot, i = self.place[token]
        return [slot - self.layout.slot_base, i]

    def token(self, token: int) -> list[Any]:
        """Return a token as data: class, side, face, and each player's label."""
        i = token - self.layout.first_token
        v = self.s.v
        labels = [self.pools[p].setdefault(known[i], len(self.pools[p])) for p, known in enumerate(self.know)]
        down, face = v[self.layout.down_base + token], v[self.layout.face_base + token]
        return [self.layout.token_class[i], int(down), face, labels]

    def zones(self) -> Data:
        """Return what lies in each slot that is not empty."""
        found: Data = {}
        for slot in self._slots():
            tokens = [self.token(t) for t in self.order[slot]]
            if tokens:
                known = self.s.v[self.layout.top_base + slot]
                found[self.code.effects.slot_name(slot)] = [tokens, known] if known else [tokens]
        return found

    def write(self) -> Data:
        """Return the position as data."""
        s, layout = self.s, self.layout
        token = self.reference
        copy = s.clone()
        copy.story = None
        self.values.change_state(copy, token)
        variables = {n: copy.v[b.base : b.base + b.size] for n, b in layout.variables.items()}
        counters = {n: s.v[b.base : b.base + b.size + 1] for n, b in layout.counters.items()}
        return {
            "active": s.v[0],
            "asked": s.turn,
            "busy": s.busy,
            "chances": s.chances if s.is_chance_node() else None,
            "counters": counters,
            "decisions": s.decisions,
            "followed": self._followed(),
            "frames": self._frames(copy.k),
            "lasting": copy.v[layout.lasting_cell],
            "over": s.over,
            "parts": None if s.sim is None else [[seat, self._frames(k), ret] for seat, k, ret in copy.sim],
            "quiet": s.v[layout.quiet_cell],
            "truncated": s.truncated,
            "variables": variables,
            "waiting": copy.queue,
            "zones": self.zones(),
        }

    # ---------------------------------------------------------------------------------- by name

    def told(self) -> Data:
        """Return what lies where and what holds, by name: readable under other rules too, and not enough to go on."""
        s, layout = self.s, self.layout
        seats = s.game.seats
        lasting = self.code.program["lasting"]
        return {
            "active": seats[s.v[0]] if s.v[0] >= 0 else None,
            "asked": [seats[seat] for seat in s.pending_players()],
            "counters": {name: self._told_counter(block) for name, block in layout.counters.items()},
            "decisions": s.decisions,
            "lasting": [
                [name, [self._name_of(kind, x) for kind, x in zip(lasting[name]["params"], values)]]
                for name, values, _ in s.v[layout.lasting_cell]
            ],
            "over": s.over,
            "variables": {v["name"]: self._told_variable(v) for v in self.code.program["variables"]},
            "zones": {name: held for name, held in map(self._told_slot, self._slots()) if held},
        }

    def _told_counter(self, block: Block) -> Data:
        held = self.s.v[block.base : block.base + block.size + 1]
        return dict(zip([*self.s.game.seats[: block.size], "bank"] if block.keys else ["all", "bank"], held))

    def _told_variable(self, variable: Data) -> Any:
        block = self.layout.variables[variable["name"]]
        values = [self._name_of(variable["type"], x) for x in self.s.v[block.base : block.base + block.size]]
        if not block.keys:
            return values[0]
        members = product(*(self.layout.members[key] for key in block.keys))
        kinds = [["kind", key] for key in block.keys]
        names = [", ".join(str(self._name_of(kind, x)) for kind, x in zip(kinds, each)) for each in members]
        return dict(zip(names, values))

    def _told_slot(self, slot: int) -> tuple[str, list[str]]:
        mode = self.layout.slot_mode[slot - self.layout.slot_base]
        names = [self._token_name(token) for token in self._tokens(slot)]
        known = len(names) if mode in (STACK, SINGLE) else self.s.v[self.layout.top_base + slot] if mode == BAG else 0
        held = [*sorted(names[: len(names) - known]), *names[len(names) - known :]]
        return self.code.effects.slot_name(slot), held

    def _token_name(self, token: int) -> str:
        face = f" {self.s.v[self.layout.face_base + token]}" if token in self.code.faces else ""
        return (
            self.code.program_name(token) + face + (" (face down)" if self.s.v[self.layout.down_base + token] else "")
        )

    def _name_of(self, kind: Any, value: Any) -> Any:
        """Return a value of a type by name; a token with the place where it lies."""
        if value is None or kind == "bool" or kind[0] not in ("kind", "opt", "set"):
            return value
        if kind[0] == "set":
            return sorted((self._name_of(kind[1], part) for part in value), key=str)
        if self.code.program["kinds"].get(kind[1], {}).get("sort") == "number":
            return value
        if value < 0:
            return None
        if self.values.is_token(kind[1]):
            slot = self.s.v[self.layout.where_base + value]
            return f"{self._token_name(value)} in {self.code.effects.slot_name(slot)}"
        return self.code.program["entities"][value]

    def _followed(self) -> list[Any]:
        """Return who has seen which token since the last answer, and follows it."""
        if not self.know:
            return []
        return sorted([player, self.reference(token)] for player, token in self.s.story.in_view)

    def _frames(self, k: Any) -> Any:
        found = []
        while k is not None:
            name = {0: "", 1: "", 2: ""}.get(k[0], self.code.names.get(k[0], ""))
            found.append([k[0] if k[0] < 3 else name, k[1], k[3], list(k[4:])])
            k = k[2]
        return found


class Restorer:
    """Reads a position back into a blank state."""

    def __init__(self, s: State, data: Data) -> None:
        self.s = s
        self.data = data
        self.layout = s.code.layout
        self.values = Values(s.code)
        self.sound = Sound(s.code)
        self.place: dict[tuple[int, int], int] = {}

    def read(self) -> None:
        """Fill the state. Raises ProgramError where the data are not a position of this game."""
        try:
            self._zones()
            self._cells()
            self._rest()
            again = Describer(self.s, self.s.story is not None).write()
            if json.dumps(again, sort_keys=True) != json.dumps(self.data, sort_keys=True):
                raise Unfit("it is not written as the runtime writes it")
            for seat in self.s.pending_players():
                self.s.legal_actions(seat)
        except ProgramError:
            raise
        except Exception as fault:  # a stranger's text: whatever goes wrong with it is its fault
            raise ProgramError(f"this is no position of {self.s.game.name}: {in_words(fault)}") from fault

    def _zones(self) -> None:
        s, layout = self.s, self.layout
        free: dict[int, list[int]] = {}
        for token in reversed(layout.tokens):
            free.setdefault(layout.token_class[token - layout.first_token], []).append(token)
        names = {s.code.effects.slot_name(layout.slot_base + i): layout.slot_base + i for i in range(len(layout.slots))}
        for slot in names.values():
            s.v[slot] = NOTHING if layout.slot_mode[slot - layout.slot_base] == SINGLE else ()
            s.v[layout.top_base + slot] = 0
        order = {name: i for i, name in enumerate(names)}
        for name in sorted(self.data["zones"], key=order.__getitem__):
            slot, held = names[name], self.data["zones"][name]
            tokens = [self._token(free, spec, slot) for spec in held[0]]
            self.sound.number_in(slot, len(tokens))
            for i, token in enumerate(tokens):
                s.v[layout.where_base + token] = slot
                self.place[(slot - layout.slot_base, i)] = token
            mode = layout.slot_mode[slot - layout.slot_base]
            known = self.sound.whole(held[1], 0, len(tokens), "a known order") if len(held) > 1 else 0
            s.v[slot] = tokens[0] if mode == SINGLE else self._kept(tokens, mode, known)
            s.v[layout.top_base + slot] = known
        if any(free.values()):
            raise Unfit("tokens are missing")
        if s.story is not None:
            s.story.in_view = frozenset((player, self._token_at(where)) for player, where in self.data["followed"])

    def _kept(self, tokens: list[int], mode: int, known: int) -> tuple[int, ...]:
        if mode == STACK:
            return tuple(tokens)
        loose = tokens[: len(tokens) - known]
        return (*sorted(loose, key=lambda t: self.s.code.effects.rank_in(self.s.v, t)), *tokens[len(tokens) - known :])

    def _token(self, free: dict[int, list[int]], spec: list[Any], slot: int) -> int:
        s, layout = self.s, self.layout
        number, down, face, labels = spec
        if not free.get(number):
            raise Unfit("more tokens are alike than the game has, or of no kind of it")
        token = free[number].pop()
        self.sound.token(token, slot, down, face)
        if s.story is not None and len(labels) != layout.players:
            raise Unfit("what players know of a token is one number for each")
        s.v[layout.down_base + token], s.v[layout.face_base + token] = down, face
        if s.story is not None:
            for player, label in enumerate(labels):
                self.sound.whole(label, 0, len(layout.tokens), "what a player knows")
                s.story.know[player][token - layout.first_token] = label
                s.story.fresh = max(s.story.fresh, label + 1)
        return token

    def _token_at(self, reference: Any) -> int:
        return self.place[(reference[0], reference[1])]

    def _cells(self) -> None:
        s, layout, data = self.s, self.layout, self.data
        self.sound.seat(data["active"], "whose turn it is")
        self.sound.whole(data["quiet"], 0, 1000, "how deep quiet is")
        s.v[0], s.v[layout.quiet_cell] = data["active"], data["quiet"]
        for name, values in data["counters"].items():
            self.sound.counters(name, values)
            block = layout.counters[name]
            s.v[block.base : block.base + block.size + 1] = values
        for variable in self.s.code.program["variables"]:
            block = layout.variables[variable["name"]]
            values = [self.value(variable["type"], v) for v in data["variables"][variable["name"]]]
            for value in values:
                if value != NOTHING or variable["start"] is not None:  # else it was not given a value yet
                    self.sound.value(variable["type"], value, f"`{variable['name']}`")
            s.v[block.base : block.base + block.size] = values
        s.v[layout.lasting_cell] = tuple(self._lasting(*one) for one in data["lasting"])

    def _lasting(self, name: str, args: list[Any], flag: Any) -> tuple[Any, ...]:
        kinds = self.s.code.program["lasting"][name]["params"]
        values = tuple(self.value(t, v) for t, v in zip(kinds, args, strict=True))
        for kind, value in zip(kinds, values):
            self.sound.value(kind, value, f"what `{name}` lasts for")
        return name, values, flag

    def value(self, kind: Any, value: Any) -> Any:
        """Return a value read from data."""
        if isinstance(kind, str) or value is None:
            return value
        match kind[0]:
            case "kind" | "opt":
                return self._token_at(value) if isinstance(value, list) else value
            case "set":
                return tuple(self.value(kind[1], part) for part in value)
            case "answers":
                types = self.values.answer_types(kind[1])
                return tuple(tuple(self.value(t, v) for t, v in zip(types, part)) for part in value)
        return value

    def _frame(self, frames: Any) -> Any:
        k: Any = None
        for name, pc, me, values in reversed(frames or []):
            if isinstance(name, int):
                k = (name, pc, k, me)
                continue
            number = self.s.code.numbers[name]
            kept = self.s.code.frames[(number, pc)]
            held = {name: self.value(t, v) for (name, t), v in zip(kept, values, strict=True)}
            for (name, kind), value in zip(kept, held.values(), strict=True):
                self.sound.held(name, kind, value, held)
            self.sound.seat(me, "who performs a rule")
            k = (number, pc, k, me, *held.values())
        return k

    def _rest(self) -> None:
        s, data = self.s, self.data
        s.k = self._frame(data["frames"])
        s.over, s.truncated, s.busy, s.decisions = data["over"], data["truncated"], data["busy"], data["decisions"]
        for name in ("over", "truncated", "busy"):
            self.sound.truth(data[name], name)
        self.sound.whole(data["decisions"], 0, s.code.limit, "the number of decisions")
        s.turn = self.sound.whole(data["asked"], NOBODY_TURN, self.layout.players - 1, "who is asked")
        if data["parts"] is not None:
            s.sim = tuple((seat, self._frame(frames) if frames else None, ret) for seat, frames, ret in data["parts"])
            rule = self.values.part_rule(s)
            types = self.values.answer_types(rule) if rule else []
            s.sim = tuple(
                (seat, k, None if ret is None else tuple(self.value(t, v) for t, v in zip(types, ret)))
                for seat, k, ret in s.sim
            )
        rules = s.code.program["rules"]
        for index, values in data["waiting"]:
            kinds = [t for _, t in rules[s.code.triggers[index]["do"]]["locals"]]
            bound = tuple(self.value(t, v) for t, v in zip(kinds, values))
            for kind, value in zip(kinds, bound):
                self.sound.value(kind, value, "what a trigger is bound to")
            s.queue = (*s.queue, (index, bound))
        s.truth = frozenset() if s.over else s.code.firing.truth_read(s.v)  # those of a game that is over are not read
        s.legal = [] if s.over else None
        if data["chances"] is not None:
            s.chances = Outcomes((outcome, weight) for outcome, weight in data["chances"])
