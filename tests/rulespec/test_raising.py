"""What is asked for is bounded by a function, also where rows and lasting changes raise it, if they can only so far."""

from __future__ import annotations

import pytest

from rulespec.diagnostics import Report
from rulespec.passes import build_text

GAME = """\
rulespec: 1
game: g
players: 2
options: {goal: {is: 2..6, default: 3}}
tokens: {card: {prints: title, starts_in: front, in_force: front}}
zones: {front: {holds: card, seen_by: all}}
functions:
  limit(player): 3
  twice: 2 * sum(limit(player) for player)
lasting:
  opened(player):
    lasts: until the end of the turn
    changes:
      limit(player p): LASTING
phases:
  play: {turns: each player, offer: [take]}
actions:
  take:
    choose:
      - number n from 0..limit(me)
    do: begin opened(me)
tables:
  title:
    columns: {worth: 1..2, copies: 1..4}
    rows:
      wall: {printed: [1, 4], changes: {limit(player): ROW}}
ranking: most twice
"""

BOUNDED = {
    "another number": ("5 if p is player else base", "base", (0, 5)),
    "more, up to a number": ("min(1000, base + 1)", "base", (0, 1000)),
    "more, up to an option": ("min(goal, base + 2)", "base", (0, 6)),
    "less, down to a number": ("max(-2, base - 2)", "base", (-2, 3)),
    "the greater": ("max(base, 7)", "base", (0, 7)),
    "more for each token of a row": ("base", "base + 1", (0, 7)),
    "what is printed, for each token of a row": ("base", "base + this.worth", (0, 11)),
    "both": ("max(base, 5)", "base * 2", (0, 48)),
    "another function, which this one is used in": ("max(base, min(9, twice))", "base", (0, 9)),
}


def asked(lasting: str, row: str) -> tuple[list[int] | None, list[str]]:
    """Return the bounds of the number asked for, and the codes of the errors."""
    report = Report()
    text = GAME.replace("LASTING", lasting).replace("ROW", row)
    built = build_text(text, report)
    errors = [each.code for each in report.in_order() if each.severity == "error"]
    if built is None or built.program is None:
        return None, errors
    (domain,) = next(ask["domains"] for ask in built.program["asks"] if ask["name"] == "take")
    return domain[1:], errors


@pytest.mark.parametrize(("lasting", "row", "bounds"), BOUNDED.values(), ids=BOUNDED)
def test_changes_that_go_only_so_far_leave_a_bound(lasting: str, row: str, bounds: tuple[int, int]) -> None:
    assert asked(lasting, row) == ([*bounds], [])


@pytest.mark.parametrize("lasting", ["base + 1", "base * 2", "twice", "base + count(front)"])
def test_changes_that_may_add_up_without_end_leave_none(lasting: str) -> None:
    assert asked(lasting, "base") == (None, ["unbounded-number"])
