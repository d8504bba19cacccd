"""Rules and tests written where they are used do what they do when they are called."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulespec
from interpreter import RuleError, State

HEAD = """\
rulespec: 1
game: in_place
players: 2
kinds:
  spot: [a1, a2, b1, b2]
variables:
  total: {is: 0..1000, start: 1}
  got:   {each: player, is: 0..1000, start: 0}
  held:  {each: spot, is: player or nobody, start: nobody}
  full:  {is: set of spot, start: those(spot where spot is a1 or spot is b2)}
"""
TAIL = """
ranking: most got of player
tables:
  line:
    columns: {spots: set of spot}
    rows: {row_a: [[a1, a2]], row_b: [[b1, b2]], column_1: [[a1, b1]], column_2: [[a2, b2]]}
"""

GIVEN_ME_TO_A_PROCEDURE = """\
phases:
  play: {by: seat(2), offer: [act]}
actions:
  act: {do: give(me)}
procedures:
  give(player receiver): |
    one by one, each player:
        set got of receiver to got of receiver + 1
"""

GIVEN_ME_TO_AN_ACTION = """\
phases:
  play: {by: seat(2), do: must act(me)}
actions:
  act(player receiver):
    do: |
      one by one, each player:
          set got of receiver to got of receiver + 1
"""

GIVEN_WHAT_CHANGES = """\
phases:
  play: {turns: each player, do: must act(total)}
actions:
  act(number n):
    do: |
      set total to total + n
      set total to total + n
      set got of me to total
"""

SETS_IN_LINES = """\
functions:
  is_open(spot): some(line where spot in line.spots and spot in those(spot near in line.spots where near not in full))
phases:
  play: {turns: each player, offer: [act]}
actions:
  act: {do: set got of me to count(spot where is_open(spot))}
"""


def played(rules: str, folder: Path, is_told: bool) -> State:
    """Return the state after all have done the one thing they can."""
    (folder / "game.yaml").write_text(HEAD + rules + TAIL, encoding="utf-8")
    state = rulespec.load(folder / "game.yaml").new_initial_state()
    state = state.tracked() if is_told else state
    while not state.is_terminal():
        state.apply_action(*state.legal_actions())
    assert state.code.mode.events is is_told
    return state


@pytest.mark.parametrize("is_told", [False, True])
@pytest.mark.parametrize(
    ("rules", "scores"),
    [
        pytest.param(GIVEN_ME_TO_A_PROCEDURE, [0, 2], id="me-to-a-procedure"),
        pytest.param(GIVEN_ME_TO_AN_ACTION, [0, 2], id="me-to-an-action"),
        pytest.param(GIVEN_WHAT_CHANGES, [3, 9], id="what-changes"),
        pytest.param(SETS_IN_LINES, [2, 2], id="sets-in-lines"),
    ],
)
def test_what_is_given_stays_what_it_was(tmp_path: Path, rules: str, scores: list[int], is_told: bool) -> None:
    assert played(rules, tmp_path, is_told).scores() == scores


PLAY = "phases: {play: {turns: each player, offer: [act]}}\n"
BAD_FUNCTION = "functions:\n  bad(spot): got of held of spot\n"
BAD_LINES = """\
functions:
  bad(spot): |
    let worth = 1
    if some(line where spot in line.spots and got of held of spot is 1): return 2
    return worth
"""
TWO_IN_ONE_LINE = "procedures: {one_way: set got of me to 1, the_other: set got of held of a1 to 1}\n"
BAD_END = "ends:\n  never: total is 900\n  bad: total is 2 and got of held of a1 is 1\n"


@pytest.mark.parametrize("is_told", [False, True])
@pytest.mark.parametrize(
    ("rules", "rule", "place"),
    [
        pytest.param("actions: {act: {do: set total to bad(a1)}}\n" + BAD_FUNCTION, "bad", [14, 3], id="function"),
        pytest.param("actions: {act: {do: set total to bad(a1)}}\n" + BAD_LINES, "bad", [16, 5], id="lines"),
        pytest.param("actions: {act: {do: the_other}}\n" + TWO_IN_ONE_LINE, "the_other", [13, 54], id="one-line"),
        pytest.param("actions: {act: {do: set total to 2}}\n" + BAD_END, "bad", [15, 3], id="end"),
    ],
)
def test_errors_name_the_rule_that_is_written_in_place(
    tmp_path: Path, rules: str, rule: str, place: list[int], is_told: bool
) -> None:
    with pytest.raises(RuleError, match="there is nothing here") as raised:
        played(PLAY + rules, tmp_path, is_told)
    assert (raised.value.rule, list(raised.value.at)[1:3]) == (rule, place)


VARIANT = """\
rulespec: 1
variant: more
of: in_place

adds:
  functions:
    bad(spot): got of held of spot
  actions:
    other_act:
      do: set got of held of a1 to 1
changes:
  play: {offer: [ACTION]}
  value(spot): bad(spot)
"""


@pytest.mark.parametrize("is_told", [False, True])
@pytest.mark.parametrize(("action", "rule", "line"), [("act", "bad", 7), ("other_act", "other_act", 10)])
def test_errors_of_a_variant_name_its_file(tmp_path: Path, action: str, rule: str, line: int, is_told: bool) -> None:
    rules = PLAY + "actions: {act: {do: set total to value(a1)}}\nfunctions: {value(spot): 2}\n"
    (tmp_path / "game.yaml").write_text(HEAD + rules + TAIL, encoding="utf-8")
    (tmp_path / "more.yaml").write_text(VARIANT.replace("ACTION", action), encoding="utf-8")
    state = rulespec.load(tmp_path / "game.yaml", variants=[str(tmp_path / "more.yaml")]).new_initial_state()
    state = state.tracked() if is_told else state
    with pytest.raises(RuleError, match="there is nothing here") as raised:
        state.apply_action(*state.legal_actions())
    assert (raised.value.rule, raised.value.at[0][-9:], raised.value.at[1]) == (rule, "more.yaml", line)
