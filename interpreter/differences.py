"""What was so where a formula of a scenario does not hold: its first part that fails, and the values it compares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.layout import NOTHING

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State

SIGNS = {"eq": " is ", "ne": " is not ", "lt": " < ", "le": " <= ", "gt": " > ", "ge": " >= ", "in": " in "}
THINGS = {"first_of", "first", "top", "place", "active", "owner", "row", "next", "opponent"}


def difference(game: Game, state: State, tree: Any, text: str) -> str:
    """Return what was so in a state where a formula, written as *text*, does not hold; "" where that says no more."""
    if tree[0] == "and":
        parts = text.split(" and ")
        texts = parts if len(parts) == len(tree) - 1 else [""] * (len(tree) - 1)
        for part, own in zip(tree[1:], texts):
            if not _value(game, state, part):
                found = difference(game, state, part, own)
                return found or (f"`{own}` is no" if own else "")
    if tree[0] == "some" and tree[1]["where"] is not None:
        return "nothing fits"
    if tree[0] not in SIGNS:
        return ""
    sides = text.split(SIGNS[tree[0]])
    left, right = sides if len(sides) == 2 else ("the left side", "the right side")
    known = tree[2][0] == "lit"
    said = f"{_quoted(left)} is {_shown(game, state, tree[1], tree[2])}"
    return said if known else f"{said}, {_quoted(right)} is {_shown(game, state, tree[2], tree[1])}"


def _quoted(text: str) -> str:
    return text if text.startswith("the ") else f"`{text.strip()}`"


def _value(game: Game, state: State, tree: Any) -> Any:
    return game.evaluate(state.code, state.v, tree)


def _shown(game: Game, state: State, tree: Any, other: Any) -> str:
    """Return the value of a formula for people; what it is compared with may tell things from numbers."""
    value = _value(game, state, tree)
    things = _is_thing(game, tree) or _is_thing(game, other)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return _name(game, state, value) if things else str(value)
    return "[" + ", ".join(_name(game, state, part) if things else str(part) for part in value) + "]"


def _name(game: Game, state: State, value: int) -> str:
    if value == NOTHING:
        return "nothing"
    if value >= state.code.layout.first_token:
        return state.code.program_name(value)
    entities = game.program["entities"]
    return str(entities[value]) if value < len(entities) else str(value)


def _is_thing(game: Game, tree: Any) -> bool:
    """Say whether a formula's value is surely a thing, or a set of things."""
    program = game.program
    match tree:
        case ["call", name, *_]:
            kind = program["rules"][name]["result"]
        case ["var", name, *_]:
            kind = next(v["type"] for v in program["variables"] if v["name"] == name)
        case ["column", name, *_]:
            kind = program["columns"][name]["type"]
        case [op, *_]:
            return op in THINGS
        case _:
            return False
    while kind and kind[0] == "set":
        kind = kind[1]
    return isinstance(kind, list) and kind[0] in ("kind", "opt")
