"""Saves: a game written down by name, so that it outlives changes of the numbering, and other rules can be tried."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.arguments import shown
from interpreter.errors import Error, NotationError, ProgramError, SaveError, SettingError, in_words
from interpreter.notation import FORMAT, SETTINGS, STATE, Shape, canonical, need
from interpreter.position import Describer
from interpreter.program import LANGUAGE, read_json
from interpreter.words import word

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State

MOST_SAID = 200
"""How many characters of a value a difference quotes."""

SAVE: Shape = {**STATE, "moves": list, "position_hash": str}
"""What every save has, and the JSON type of each."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a save says of itself before anything of it is run again."""

    game: str
    variants: tuple[str, ...]
    rules: str
    players: int
    options: dict[str, str]
    origin: Any
    """Where whoever wrote the save found the rules; None if he did not say."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A save that was run again and led where it led before. `changes` says how its rules differ from those here."""

    state: State
    changes: tuple[str, ...]


def save_text(state: State, origin: Any = None) -> str:
    """Return a save: everything by name. *origin* is kept as it is, for whoever looks for the rules later."""
    game = state.game
    moves: list[Any] = []
    at = game.restart(state.start, True)
    for entry in state.entries():
        if isinstance(entry, tuple):
            moves.append([entry[0], game.notation.action_notation(entry[1])])
            at.apply_action(entry[1], entry[0])
        else:
            is_chance = at.is_chance_node()
            text = game.notation.outcome_text(at, entry) if is_chance else game.notation.action_notation(entry)
            moves.append({"chance": text} if is_chance else text)
            at.apply_action(entry)
    data = game.notation.state_data(state)
    del data["record"]
    data |= {"language": LANGUAGE, "moves": moves, "position_hash": state.position_hash()}
    data |= {"position": Describer(state, False).told(), "origin": origin}
    try:
        return json.dumps(data, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    except (TypeError, ValueError, RecursionError):
        raise SettingError(f"the origin of a save is a JSON value, not {shown(origin)}") from None


def header_of(text: str) -> Header:
    """Return what a save says of itself. Raises ProgramError where the text is no save of this version."""
    return _header(_shaped(text))


def read_save(game: Game, text: str) -> Loaded:
    """Read a save and run it again under the rules of *game*.

    Raises ProgramError where the text is no save of this game, and SaveError, naming the first difference, where its
    choices are not possible or lead to another position.
    """
    data = _shaped(text)
    if data["game"] != game.name:
        raise ProgramError(f"this is a save of `{data['game']}`, not of `{game.name}`")
    changes = changes_since(game, _header(data))
    try:
        state = _run_again(game, data, changes)
        _compare(state, data, changes)
    except ProgramError:
        raise
    except Exception as fault:  # a stranger's text: whatever goes wrong with it is its fault
        raise ProgramError(f"this is no save of {game.name}: {in_words(fault)}") from fault
    return Loaded(state, changes)


def _shaped(text: str) -> dict[str, Any]:
    """Return the data of a save, its parts being of the right kinds."""
    data = read_json(text, "a save")
    if not isinstance(data, dict) or "moves" not in data:
        raise ProgramError("this file is not a save")
    for name, known in (("format", FORMAT), ("language", LANGUAGE)):
        if data.get(name) != known:
            raise ProgramError(f"this save is of {name} {_short(data.get(name))}; this version reads {name} {known}")
    need(data, SAVE, "this save")
    if not all(isinstance(name, str) for name in data["variants"]):
        raise ProgramError("the variants of a save are names")
    need(data["settings"], SETTINGS, "`settings` of this save")
    if not all(isinstance(value, str) for value in data["settings"]["options"].values()):
        raise ProgramError("the options of a save are texts")
    for number, move in enumerate(data["moves"], 1):
        if not _is_move(move):
            raise ProgramError(f"move {number} of this save is not written as a move: {_short(move)}")
    return data


def _is_move(move: Any) -> bool:
    match move:
        case str() | {"chance": str()}:
            return True
        case [int() as seat, str()]:
            return type(seat) is int
    return False


def _header(data: dict[str, Any]) -> Header:
    settings = data["settings"]
    variants = tuple(data["variants"])
    return Header(
        data["game"], variants, data["rules"], settings["players"], dict(settings["options"]), data.get("origin")
    )


def changes_since(game: Game, header: Header, lang: str | None = None) -> tuple[str, ...]:
    """Return how the rules a save was made under differ from those of *game*, in words of a language."""
    if header.rules == game.program["rules_hash"]:
        return ()
    then, now = (_listed(names, lang) for names in (header.variants, game.variants))
    if list(header.variants) != game.variants:
        return (word(lang, "notes", "variants", then=then, now=now),)
    return (word(lang, "notes", "changed", names=_listed([game.name, *game.variants], lang)),)


def _listed(names: Sequence[str], lang: str | None) -> str:
    return ", ".join(f"`{name}`" for name in names) or word(lang, "notes", "none")


def _run_again(game: Game, data: dict[str, Any], changes: tuple[str, ...]) -> State:
    """Return the state that the moves of a save lead to."""
    if changes and data["start"] is not None:
        text = "this save begins in the middle of a game, from a position that only the same rules can read"
        raise SaveError(text + _under(changes))
    try:
        begun = game.notation.begun(data)
        state = game.restart(begun.start, True)
    except SettingError as fault:
        raise SaveError(f"a game cannot be set up as in this save: {fault}{_under(changes)}") from None
    for number, move in enumerate(data["moves"], 1):
        _repeat(state, move, number, changes)
    state.run_by(begun.code)
    state.start = begun.start
    state.seed, state.counter = begun.seed, begun.counter
    return state


def _repeat(state: State, move: Any, number: int, changes: tuple[str, ...]) -> None:
    try:
        if isinstance(move, dict):
            state.apply_action(_outcome(state, move["chance"]))
        elif isinstance(move, list):
            state.apply_action(state.string_to_action(move[1]), move[0])
        else:
            state.apply_action(state.string_to_action(move))
    except Error as fault:
        said = move["chance"] if isinstance(move, dict) else move[1] if isinstance(move, list) else move
        text = f"move {number} of this save, `{_short(said)}`, is not possible: {fault}"
        raise SaveError(text + _under(changes)) from None


def _outcome(state: State, text: str) -> int:
    """Return the outcome of the chance event that waits which is written so."""
    for outcome in state.legal_actions() if state.is_chance_node() else ():
        if state.game.notation.outcome_text(state, outcome) == text:
            return outcome
    raise NotationError(f"chance cannot bring `{text}` here")


def _compare(state: State, data: dict[str, Any], changes: tuple[str, ...]) -> None:
    """See to it that the moves have led to the position beside them."""
    saved, found = data["position"], Describer(state, False).told()
    for part in sorted({*saved, *found}):
        said = _difference(part, saved.get(part), found.get(part))
        if said is not None:
            raise SaveError(
                f"the moves of this save lead to another position than the one saved: {said}{_under(changes)}"
            )
    if not changes and state.position_hash() != data["position_hash"]:
        text = "the moves of this save lead to another position than the one saved: its things lie where they lay,"
        raise SaveError(f"{text} but what is being done or what players know is something else")


def _difference(part: str, saved: Any, found: Any) -> str | None:
    """Return the first difference between one part of two positions, or None."""
    if isinstance(saved, dict) and isinstance(found, dict):
        for name in sorted({*saved, *found}):
            said = _difference(f"{part} {name}", saved.get(name), found.get(name))
            if said is not None:
                return said
        return None
    if canonical(saved) == canonical(found):
        return None
    return f"{part} was {_short(saved)} and is {_short(found)}"


def _under(changes: tuple[str, ...]) -> str:
    return f" (the save was made under other rules; {'; '.join(changes)})" if changes else ""


def _short(value: Any) -> str:
    """Return any value in a few words."""
    if value is None or value == []:
        return "nothing"
    text = ", ".join(str(each) for each in value) if isinstance(value, list) else str(value)
    return text if len(text) <= MOST_SAID else text[:MOST_SAID] + "..."


__all__ = ["Header", "Loaded", "changes_since", "header_of", "read_save", "save_text"]
