"""What declarations can be at most: so many members, tokens, places, cells. A game needs far less than any of these."""

from __future__ import annotations

from math import prod

from rulespec import nodes
from rulespec.diagnostics import Report
from rulespec.symbols import Names, constant
from rulespec.value_types import LIMIT

MOST_MEMBERS = 10_000
"""Values of a kind of numbers or of an option."""
MOST_FACES = 1000
MOST_PLACES = 1024
"""Places of a generated board: distances and lines are worked out for all of them."""
MOST_TOKENS = 5000
MOST_CELLS = 200_000
"""Slots of a zone, or cells of a variable."""
LARGEST = LIMIT
"""Numbers written in a game lie between this and its negative."""


def sound_type(written: nodes.TypeExpr, report: Report) -> bool:
    """Report a range that holds nothing, a number too large, a board of no size or of too many places."""
    if written.board is not None:
        return _sound_board(written, report)
    ends = [constant(end) for end in written.bounds or ()]
    numbers = [end for end in ends if end is not None]
    if any(abs(number) > LARGEST for number in numbers):
        report.error("too-large", f"numbers go up to {LARGEST}", written.span)
        return False
    if len(numbers) == 2 and numbers[0] > numbers[1]:
        low, high = numbers
        report.error("empty-range", f"`{low}..{high}` holds no number", written.span, help=f"write `{high}..{low}`")
        return False
    return True


def _sound_board(written: nodes.TypeExpr, report: Report) -> bool:
    assert written.board is not None
    sizes = written.board[1]
    if min(sizes, default=1) < 1:
        report.error("empty-kind", "a board has at least one place", written.span)
        return False
    if prod(sizes) > MOST_PLACES:
        report.error("too-large", f"a board has at most {MOST_PLACES} places, this has {prod(sizes)}", written.span)
        return False
    return True


def count_of(written: nodes.TypeExpr) -> int:
    """Return how many numbers a written range holds; 0 where its ends are no written numbers."""
    low, high = (constant(end) for end in written.bounds or (None, None))
    return high - low + 1 if low is not None and high is not None else 0


def cells_fit(names: Names, name: nodes.Name, keys: tuple[nodes.Name, ...], what: str, report: Report) -> bool:
    """Report a zone or variable with too many slots or cells."""
    if any(key.text not in names.kinds for key in keys):
        return True
    count = prod(names.kinds[key.text].size for key in keys)
    if count > MOST_CELLS:
        message = f"`{name.text}` has {count} {what}; at most {MOST_CELLS} are possible"
        report.error("too-large", message, name.span, help="give it fewer keys, or keys with fewer members")
    return count <= MOST_CELLS
