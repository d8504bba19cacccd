"""The first cells of a position, by name: what every game's position holds."""

from __future__ import annotations

from typing import Any

from interpreter.layout import (
    BUSY,
    CHANCES,
    COUNTER,
    DECISIONS,
    FRAME,
    LEGAL,
    LOOK,
    OVER,
    PARTS,
    QUEUE,
    RECORD,
    SEED,
    START,
    STORY,
    TRUNCATED,
    TRUTH,
    TURN,
)


def _in_cell(cell: int, doc: str) -> Any:
    """Return a property that lies in a cell of the position."""

    def read(self: Cells) -> Any:
        return self.v[cell]

    def write(self: Cells, value: Any) -> None:
        self.v[cell] = value

    return property(read, write, doc=doc)


class Cells:
    """A position as one list, its first cells by name."""

    __slots__ = ("v",)

    v: list[Any]

    queue = _in_cell(QUEUE, "The triggers that wait, with what they are bound to.")
    busy = _in_cell(BUSY, "Whether a trigger is being carried out.")
    truth = _in_cell(TRUTH, "The bindings of triggers whose condition is true.")
    decisions = _in_cell(DECISIONS, "How many answers were given so far.")
    sim = _in_cell(PARTS, "What is answered at the same time: (seat, frame or None, what was handed over), or None.")
    chances = _in_cell(CHANCES, "The outcomes of the chance event that waits, with their weights.")
    truncated = _in_cell(TRUNCATED, "Whether the game was cut off at its limit.")
    k = _in_cell(FRAME, "The frame that waits.")
    turn = _in_cell(TURN, "Who is asked: a seat, CHANCE, SIMULTANEOUS, or NOBODY_TURN.")
    legal = _in_cell(LEGAL, "The answers that may be given, where they are known.")
    look = _in_cell(LOOK, "What lists the answers where they are not known, and what goes on from one; or None.")
    record = _in_cell(RECORD, "The choices and outcomes so far, as a chain.")
    seed = _in_cell(SEED, "The seed of the generator.")
    counter = _in_cell(COUNTER, "How many numbers were drawn from the generator.")
    over = _in_cell(OVER, "Whether the game is over.")
    start = _in_cell(START, "What the record starts from.")
    story = _in_cell(STORY, "What was told so far, or None.")
