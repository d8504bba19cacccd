"""Ends and triggers while a game runs: tested after the effects that may make them true, carried out in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from interpreter.layout import NOTHING
from interpreter.runtime import Fault, Over, too_long
from interpreter.specialise.domains import TOKEN_FORMS

if TYPE_CHECKING:
    from interpreter.specialise.code import Code
    from interpreter.state import State

Frame = tuple[Any, ...]
MOST_WAITING = 64


class Firing:
    """The conditions of one code: what holds, what waits, what goes first."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.waiting = code.build.conditions.waiting
        self.all_bindings = code.build.conditions.all_bindings
        self.when: list[Callable[..., bool]] = []
        self.ends: dict[int, Callable[..., bool]] = {}
        self.end_all: Callable[..., bool] = lambda v: False

    def attach(self) -> None:
        """Take the functions that test conditions, once they are made."""
        space = self.code.space
        self.ends = {cell: space[name] for cell, name in space["end_names_"].items()}
        self.end_all = space["end_all_"]
        self.when = [space.get(f"when{i}_", always) for i in range(len(self.code.triggers))]

    def ended(self, v: list[Any], cells: Sequence[int]) -> None:
        """Test the ends of the game that read one of these cells."""
        for cell in cells:
            test = self.ends.get(cell)
            if test is not None and test(v):
                raise Over

    def notice(self, s: State, cells: Sequence[int]) -> None:
        """Test the triggers that read one of these cells; those that became true wait."""
        v = s.v
        truth: frozenset[Any] = s.truth
        for cell in cells:
            for item in self.waiting.get(cell, ()):
                holds = self.when[item[0]](v, *item[1])
                if holds == (item in truth):
                    continue
                truth = truth | {item} if holds else truth - {item}
                if holds and not v[self.code.layout.quiet_cell] and item not in s.queue:
                    s.queue = (*s.queue, item)
        s.truth = truth
        _check_room(s.queue)

    def settle(self, s: State) -> None:
        """Take all conditions as they are now; what is true does not fire. Ends hold, and are tested first."""
        if self.end_all(s.v):
            raise Over
        s.truth = self.truth_now(s.v)

    def truth_read(self, v: list[Any]) -> frozenset[Any]:
        """Return what `truth_now` does, for a position read back: what cannot be worked out there is not true yet."""
        found = set()
        for items in self.all_bindings:
            for item in items:
                with suppress(Fault):  # it is an error of its rule when it is next tested
                    if self.when[item[0]](v, *item[1]):
                        found.add(item)
        return frozenset(found)

    def truth_now(self, v: list[Any]) -> frozenset[Any]:
        """Return the bindings of all triggers that are true now."""
        return frozenset(item for items in self.all_bindings for item in items if self.when[item[0]](v, *item[1]))

    def done(self, s: State, index: int, arguments: tuple[Any, ...]) -> None:
        """A rule that a trigger waits for has been done."""
        if not s.v[self.code.layout.quiet_cell]:
            s.queue = (*s.queue, (index, arguments))
            _check_room(s.queue)

    def _first_waiting(self, s: State) -> list[Any]:
        """Return the waiting bindings of the trigger that goes first."""
        least = min(item[0] for item in s.queue)
        return [item for item in s.queue if item[0] == least]

    def _rank(self, v: list[Any], keys: list[Any], binding: tuple[Any, ...]) -> tuple[Any, ...]:
        ranks = []
        for direction, name in keys:
            value = self.code.call(v, name, binding)
            if direction == "clockwise":
                value = (binding[-1] - value) % self.code.layout.players if value >= 0 else binding[-1]
            ranks.append(-value if direction == "most" else value)
        return tuple(ranks)

    def choose_waiting(self, s: State) -> tuple[Any, bool]:
        """Return the waiting trigger that goes next, and whether a player has to choose it."""
        items = self._first_waiting(s)
        order = self.code.triggers[items[0][0]]["order"]
        if len(items) > 1 and order is not None and order[0] == "chosen":
            if self._chooser(s, items) >= 0:
                return items, True
            order = None  # there is nobody to choose
        if len(items) > 1 and order is not None:
            return min(items, key=lambda item: (self._rank(s.v, order[1], item[1]), self._place(s.v, item))), False
        if self.code.triggers[items[0][0]]["after"] is None:
            return min(items, key=lambda item: self._place(s.v, item)), False
        return items[0], False

    def _place(self, v: list[Any], item: Any) -> list[tuple[int, ...]]:
        """Return what puts bindings in order: things as they are declared, tokens as their faces and places."""
        index, binding = item
        kinds = self.code.program["rules"][self.code.triggers[index]["do"]]["locals"]
        layout, place_of = self.code.layout, self.code.effects.place_of
        return [place_of(v, x) if layout.is_of_tokens(t) and x >= 0 else (x,) for (_, t), x in zip(kinds, binding)]

    def trigger_options(self, s: State, k: Frame) -> list[int]:
        """List the triggers that may go next, for whom chooses their order."""
        items = self._first_waiting(s)
        return sorted({self._answer(s, item) for item in items})

    def _chooser(self, s: State, items: list[Any]) -> int:
        return int(self.code.call(s.v, self.code.triggers[items[0][0]]["order"][1], ()))

    def _answer(self, s: State, item: Any) -> int:
        """Return the answer that means a waiting trigger; those bound to tokens alike share one."""
        ask = self.code.asks.by_name[self.code.triggers[item[0]]["order"][2]]
        bound = item[1][-1]
        if ask.forms[0] not in TOKEN_FORMS:
            return int(ask.base + ask.domains[0].index(bound))
        layout = self.code.layout
        number = layout.token_class[bound - layout.first_token]
        slot = layout.slots[s.v[layout.where_base + bound] - layout.slot_base]
        face = s.v[layout.face_base + bound]
        looks = [("class", number), ("class", number, face), ("slot", *slot), ("slot_class", *slot, number)]
        return int(ask.base + next(i for i, value in enumerate(ask.domains[0]) if value in looks))

    def run_triggers(self, s: State, k: Frame) -> Frame | None:
        """Carry out waiting triggers one after another; a frame `(2, pc, parent, chooser)`."""
        parent = k[2]
        s.busy = True
        chosen = None
        if k[1] == 1:
            items = self._first_waiting(s)
            items.sort(key=lambda item: self._place(s.v, item))
            chosen = next(item for item in items if self._answer(s, item) == s.ans)
        while s.queue:
            self._tick(s)
            if chosen is None:
                chosen, asked = self.choose_waiting(s)
                if asked:
                    seat = self._chooser(s, chosen)
                    s.k, s.turn = (2, 1, parent, seat), seat
                    self.code.ask(s)
                    return None
            frame = self._fire(s, chosen, parent)
            chosen = None
            if frame is not None:
                return frame
        s.busy = False
        return parent  # type: ignore[no-any-return]

    def _tick(self, s: State) -> None:
        s.steps -= 1
        if s.steps < 0:
            too_long()

    def _fire(self, s: State, item: Any, parent: Any) -> Frame | None:
        """Take a trigger out of the queue and carry it out; a frame if it may pause."""
        s.queue = tuple(other for other in s.queue if other is not item)
        trigger = self.code.triggers[item[0]]
        if not self.when[item[0]](s.v, *item[1]):
            return None
        me = self.code.call(s.v, trigger["by"], item[1]) if trigger["by"] else NOTHING
        if me < 0 and trigger["by"]:
            raise Fault(f"nobody is there to carry out `{trigger['do'].split('~')[0]}`: its `by` is nobody")
        number = self.code.numbers[trigger["do"]]
        if number in self.code.pausing:
            return (number, 0, (2, 0, parent, -1), me, *item[1])
        self.code.plain[number](s, me, *item[1])
        return None

    def drain(self, s: State) -> None:
        """Carry out waiting triggers none of which may pause."""
        s.busy = True
        while s.queue:
            self._tick(s)
            item, _ = self.choose_waiting(s)
            self._fire(s, item, None)
        s.busy = False

    def after(self, s: State, cells: tuple[int, ...]) -> None:
        """Test ends and triggers after a change outside a statement."""
        self.notice(s, cells)
        if not s.v[self.code.layout.quiet_cell]:
            self.ended(s.v, cells)


def _check_room(queue: Sequence[Any]) -> None:
    if len(queue) > MOST_WAITING:
        raise Fault("too many triggers wait at once")


def always(v: list[Any], *binding: Any) -> bool:
    """The condition of a trigger that waits for an event: it has happened."""
    return True
