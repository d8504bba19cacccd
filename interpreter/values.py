"""The typed values that lie in a position: which of them are tokens, and how they are written and read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.specialise.code import Code
    from interpreter.state import State

Type = Any
Change = Callable[[int], Any]


class Values:
    """Walks over everything in a position that may refer to a token."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.kinds = code.program["kinds"]
        params = {name: spec["params"] for name, spec in code.program["lasting"].items()}
        self.naming = {name for name, kinds in params.items() if any(map(code.layout.is_of_tokens, kinds))}
        """The lasting changes that are begun with tokens."""

    def is_token(self, kind: str) -> bool:
        """Say whether things of a kind are tokens."""
        if kind == "token":
            return True
        spec = self.kinds.get(kind)
        if spec is None or not spec["ranges"]:
            return False
        return bool(spec["ranges"][0][0] >= self.code.program["first_token"])

    def change(self, kind: Type, value: Any, token: Change) -> Any:
        """Return a value with each token in it replaced; -1 stays."""
        if isinstance(kind, str) or value is None:
            return value
        match kind[0]:
            case "kind" | "opt":
                return token(value) if value >= 0 and self.is_token(kind[1]) else value
            case "set":
                return tuple(self.change(kind[1], part, token) for part in value)
            case "answers":
                return tuple(self._answer(kind[1], part, token) for part in value)
        return value

    def answer_types(self, rule: str) -> list[Type]:
        """Return the types of what one player's part hands over."""
        spec = self.code.program["rules"][rule]
        return [spec["locals"][i][1] for i in (spec["loop"], *spec["kept"])]

    def _answer(self, rule: str, values: tuple[Any, ...], token: Change) -> tuple[Any, ...]:
        return tuple(self.change(t, v, token) for t, v in zip(self.answer_types(rule), values))

    def frame(self, k: Any, token: Change) -> Any:
        """Return a frame, and those it will return to, with tokens replaced."""
        if k is None or k[0] in (0, 1):
            return k
        parent = self.frame(k[2], token)
        if k[0] == 2:
            return (2, k[1], parent, k[3])
        kinds = [kind for _, kind in self.code.frames[(k[0], k[1])]]
        return (k[0], k[1], parent, k[3], *(self.change(t, v, token) for t, v in zip(kinds, k[4:])))

    def part_rule(self, s: State) -> str | None:
        """Return the rule of the parts answered at the same time now."""
        if s.sim is None:
            return None
        for _, k, _ in s.sim:
            at = k
            while at is not None and at[2] is not None and at[2][0] != 1:
                at = at[2]
            if at is not None:
                return str(self.code.names[at[0]])
        return None

    def change_state(self, s: State, token: Change) -> None:
        """Replace every token a state refers to outside its zones."""
        rule = self.part_rule(s)
        s.k = self.frame(s.k, token)
        if s.sim is not None and rule is not None:
            s.sim = tuple(
                (seat, self.frame(k, token), None if ret is None else self._answer(rule, ret, token))
                for seat, k, ret in s.sim
            )
        s.queue = tuple((i, self.binding(i, values, token)) for i, values in s.queue)
        self.change_cells(s, token)

    def binding(self, index: int, values: tuple[Any, ...], token: Change) -> tuple[Any, ...]:
        """Return a waiting trigger's binding with tokens replaced."""
        rule = self.code.program["rules"][self.code.triggers[index]["do"]]
        return tuple(self.change(t, v, token) for (_, t), v in zip(rule["locals"], values))

    def change_cells(self, s: State, token: Change) -> None:
        """Replace the tokens in variables and lasting changes."""
        layout = self.code.layout
        for variable in layout.naming:
            block = layout.variables[variable["name"]]
            for cell in range(block.base, block.base + block.size):
                s.v[cell] = self.change(variable["type"], s.v[cell], token)
        params = self.code.program["lasting"]
        s.v[layout.lasting_cell] = tuple(
            (name, tuple(self.change(t, v, token) for t, v in zip(params[name]["params"], args)), flag)
            if name in self.naming
            else (name, args, flag)
            for name, args, flag in s.v[layout.lasting_cell]
        )

    def held(self, s: State) -> list[int]:
        """Return the tokens a state refers to outside its zones, in order."""
        found: list[int] = []

        def note(token: int) -> int:
            found.append(token)
            return token

        cells = s.v[:]
        self.change_state_copy(s, note)
        s.v = cells
        return list(dict.fromkeys(found))

    def change_state_copy(self, s: State, token: Change) -> None:
        """Walk over everything `change_state` changes, in its order, and put it back."""
        kept = (s.k, s.sim, s.queue)
        self.change_state(s, token)
        s.k, s.sim, s.queue = kept
