"""Changes in force while a game runs: printed on tokens, or lasting until their end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from interpreter.runtime import Fault
from interpreter.specialise.firing import MOST_WAITING

if TYPE_CHECKING:
    from interpreter.specialise.code import Code
    from interpreter.state import State


class LastingChanges:
    """The layers over functions, and what begins and ends with turns and phases."""

    def __init__(self, code: Code) -> None:
        self.code = code

    def layers_of(self, v: list[Any], spec: list[Any]) -> list[Any]:
        """Return the layers in force, from below: printed ones in table order, lasting ones in the order begun."""
        found: list[Any] = []
        layout = self.code.layout
        for by, row, _token, zone, _, name in spec:
            if by != "row":
                continue
            block = layout.zones[zone]
            for slot in range(block.base, block.base + block.size):
                held = v[slot] if isinstance(v[slot], tuple) else (v[slot],)
                for token in held:
                    if (
                        token >= 0
                        and layout.token_row[token - layout.first_token] == row
                        and not v[layout.down_base + token]
                    ):
                        found.append((self.code.space[name], (token,)))
        by_name = {lasting: name for by, _, _, _, lasting, name in spec if by == "lasting"}
        for instance in v[layout.lasting_cell]:
            if instance[0] in by_name:
                found.append((self.code.space[by_name[instance[0]]], instance[1]))
        return found

    def call_layer(self, function: Any, v: list[Any], layers: Any, left: int, given: Any, arguments: Any) -> Any:
        """Ask one layer."""
        return function(v, layers, left, *given, *arguments)

    def begin(self, s: State, name: str, arguments: tuple[Any, ...]) -> tuple[int, ...]:
        """A lasting change starts."""
        cell = self.code.layout.lasting_cell
        s.v[cell] = (*s.v[cell], (name, arguments, 0))
        if len(s.v[cell]) > MOST_WAITING:
            raise Fault("too many lasting changes at once")
        return (cell,)

    def end(self, s: State, name: str, arguments: tuple[Any, ...]) -> tuple[int, ...]:
        """The oldest lasting change of this name and arguments ends."""
        cell = self.code.layout.lasting_cell
        items = list(s.v[cell])
        found = next((i for i in items if i[0] == name and i[1] == arguments), None)
        if found is not None:
            items.remove(found)
            s.v[cell] = tuple(items)
        return (cell,)

    def _keep_lasting(self, s: State, keep: Callable[[Any], Any]) -> None:
        cell = self.code.layout.lasting_cell
        before = s.v[cell]
        if before:
            s.v[cell] = tuple(new for new in (keep(item) for item in before) if new is not None)
            if s.v[cell] != before:
                self.code.firing.after(s, (cell,))

    def _lasts(self, item: Any) -> dict[str, Any]:
        found: dict[str, Any] = self.code.program["lasting"][item[0]]["lasts"]
        return found

    def lapse(self, s: State) -> None:
        """End the changes that last while something holds that no longer does."""

        def keep(item: Any) -> Any:
            lasts = self._lasts(item)
            holds = lasts["form"] != "while" or self.code.call(s.v, lasts["rule"], item[1])
            return item if holds else None

        self._keep_lasting(s, keep)

    def turn_starts(self, s: State, me: int) -> None:
        """A turn starts: it is this player's, and changes that wait for it begin to end."""
        s.v[0] = me
        if s.story is not None:
            s.story.turn(s, me)

        def keep(item: Any) -> Any:
            lasts = self._lasts(item)
            if lasts["form"] == "next_turn" and self.code.call(s.v, lasts["rule"], item[1]) == me:
                return None if lasts["edge"] == "start" else (item[0], item[1], 1)
            return item

        self._keep_lasting(s, keep)
        self.code.firing.after(s, (0,))

    def turn_ends(self, s: State, me: int) -> None:
        """A turn ends, and with it the changes that last until then."""
        self._keep_lasting(s, lambda i: None if self._lasts(i)["form"] == "turn" or i[2] == 1 else i)

    def enter(self, s: State, phase: str) -> tuple[int, ...]:
        """A phase begins: its variables are set to their start."""
        cells: list[int] = []
        for variable in self.code.program["variables"]:
            if variable["within"] == phase:
                block = self.code.layout.variables[variable["name"]]
                value = s.game.start_value(self.code.layout, variable)
                for cell in range(block.base, block.base + block.size):
                    s.v[cell] = value
                    cells.append(cell)
        return tuple(cells)

    def leave(self, s: State, phase: str) -> tuple[int, ...]:
        """A phase ends: its variables are at their start again, and changes that last until then end."""
        self._keep_lasting(
            s, lambda i: None if self._lasts(i)["form"] == "phase" and self._lasts(i)["phase"] == phase else i
        )
        return self.enter(s, phase)
