"""Generated boards: which places lie beside which."""

from __future__ import annotations

import pytest

from rulespec.diagnostics import Report
from rulespec.passes import build_text

SPEC = """\
rulespec: 1
game: board
players: 2
map:
  cell: {is: BOARD}
phases:
  play: {do: end game}
"""

BOARDS = {
    "grid 3 by 3": [(1, 2), (2, 1), (2, 3), (3, 2)],
    "rhombus 3 by 3": [(1, 2), (1, 3), (2, 1), (2, 3), (3, 1), (3, 2)],
    "hex 3 by 3": [(1, 2), (1, 3), (2, 1), (2, 3), (3, 2), (3, 3)],
}


@pytest.mark.parametrize("board", BOARDS)
def test_the_middle_of_a_board_has_the_neighbours_of_its_kind(board: str) -> None:
    report = Report()
    built = build_text(SPEC.replace("BOARD", board), report)
    assert built is not None and built.program is not None and not report.has_errors
    names, column = built.program["entities"], built.program["columns"]["cell.neighbours"]
    first = built.program["kinds"]["cell"]["ranges"][0][0]
    near = column["values"][names.index("cell(2, 2)") - first]
    assert [names[each] for each in near] == [f"cell({row}, {column})" for row, column in BOARDS[board]]


def test_a_board_of_too_few_sizes_is_told_and_no_more() -> None:
    report = Report()
    build_text("rulespec: 1\ngame: g\nplayers: 2\nmap: {cell: {is: grid 3}}\nranking: most 1\n", report)
    assert report.has_errors
