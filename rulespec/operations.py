"""The vocabulary table: every built-in function, property and statement, with one line of help."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Operation:
    """A built-in word: what it takes, what it gives, and what it is for."""

    name: str
    parameters: tuple[str, ...]
    result: str
    help: str


def _table(*entries: tuple[str, str, str, str]) -> dict[str, Operation]:
    return {e[0]: Operation(e[0], tuple(e[1].split(", ")) if e[1] else (), e[2], e[3]) for e in entries}


FUNCTIONS = _table(
    ("opponent", "player", "player", "the other of two players"),
    ("next", "player", "player", "the next player in seat order"),
    ("seat", "number", "player", "the player at a seat, counted from 1"),
    ("score", "player", "number", "the sum of the scoring items"),
    ("lines", "number", "set of line", "all straight lines of so many cells of the grid"),
    ("distance", "place or number, place or number", "number", "the steps from one to the other"),
    ("reachable", "place, set", "set", "what can be reached through members of the set"),
    ("connected", "set", "yes or no", "whether the places hang together"),
)
"""Functions written `name(x)`."""

PROPERTIES = _table(
    ("top", "zone", "token or nothing", "the end of a zone where tokens arrive and are drawn from"),
    ("face", "die", "number", "the face a die shows"),
    ("owner", "token", "player", "whose token it is"),
)
"""State and properties written `name of x` or `x.name`."""

SETS = _table(
    ("count", "set", "number", "how many there are"),
    ("some", "set", "yes or no", "whether there is one"),
    ("those", "binder", "set", "all that fit"),
    ("first", "set", "thing or nothing", "the first that fits"),
    ("sum", "formula for binder", "number", "the sum over all that fit"),
    ("every", "formula for binder", "yes or no", "whether it holds for all"),
    ("distinct", "formula for binder", "set", "the values, equal ones once"),
    ("min", "formula for binder", "number", "the smallest value"),
    ("max", "formula for binder", "number", "the largest value"),
)
"""Words over sets."""

STATEMENTS = _table(
    ("let", "name, formula", "", "names a value"),
    ("set", "variable, formula", "", "gives a variable another value"),
    ("choose", "choice", "", "the player decides"),
    ("may", "actions", "", "offers actions beside passing"),
    ("must", "actions", "", "offers actions without passing"),
    ("move", "tokens, zone", "", "moves tokens or counters"),
    ("pay", "amount, counter, holder", "", "moves counters away from the performer"),
    ("gain", "amount, counter, holder", "", "moves counters to the performer"),
    ("create", "amount, counter, holder", "", "makes new counters"),
    ("destroy", "amount, counter, holder", "", "takes counters out of the game"),
    ("draw", "amount, zone, zone", "", "draws from the top"),
    ("shuffle", "zone", "", "puts a zone into an unknown order"),
    ("roll", "dice", "", "gives dice random faces"),
    ("pick", "kind, set", "", "takes one at random"),
    ("turn", "tokens", "", "turns tokens face up or down"),
    ("show", "tokens, players", "", "makes faces known"),
    ("look", "tokens", "", "makes faces known to the performer"),
    ("together", "block", "", "makes the block one effect"),
    ("if", "condition, block", "", "does the block where the condition holds"),
    ("while", "condition, block", "", "repeats the block as long as the condition holds"),
    ("repeat", "number, block", "", "repeats the block"),
    ("for", "binder, block", "", "does the block for each"),
    ("begin", "lasting change", "", "starts a lasting change"),
    ("end", "lasting change", "", "ends a lasting change, or the game"),
    ("stop", "", "", "leaves the innermost loop"),
    ("return", "formula", "", "leaves the rule"),
)
"""Statements by their first word."""

SPECIAL = ("me", "active", "nobody", "nothing", "this", "base", "bank", "player", "number")
"""Names with a meaning of their own."""

RESERVED = frozenset((*FUNCTIONS, *PROPERTIES, *SETS, *SPECIAL))
"""The built-in names no declaration may use; words of the grammar are refused by the reader."""
