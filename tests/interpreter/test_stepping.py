"""States are of a class made for their code; what is known when loading is written into the code."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest

import rulespec
from interpreter import Game, RuleError
from interpreter.state import MOST_STEPS, State

LINES, FEW_STEPS = 8, 5000


def test_states_of_one_way_of_running_share_a_class_with_its_code(kuhn_poker: Game) -> None:
    sampled, explicit = kuhn_poker.new_initial_state(), kuhn_poker.new_initial_state(chance="explicit")
    assert type(sampled) is type(kuhn_poker.new_initial_state(seed=3)) is not type(explicit)
    assert isinstance(explicit, State) and explicit.code.mode.chance == "explicit"
    assert type(explicit).apply_action.__doc__ == State.apply_action.__doc__


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda state: pickle.loads(pickle.dumps(state))])
def test_copies_go_on_alike(kuhn_poker: Game, copied: Callable[[State], State]) -> None:
    state = kuhn_poker.new_initial_state(chance="explicit").child(0)
    other = copied(state)
    assert other == state
    other.apply_action(1)
    assert other == state.child(1)


def test_a_story_changes_the_class_and_nothing_else(kuhn_poker: Game) -> None:
    state = kuhn_poker.new_initial_state(chance="explicit").child(0).child(1)
    before, legal = type(state), state.legal_actions()
    state.observation(0)
    assert type(state) is not before and state.code.mode.events
    assert state.legal_actions() == legal


def test_of_lines_through_a_cell_only_those_are_looked_at(tic_tac_toe: Game) -> None:
    space = tic_tac_toe.new_initial_state().code.space
    (table,) = [value for name, value in space.items() if name.startswith("by") and isinstance(value, dict)]
    read = {cell: len(test.__code__.co_code) for cell, test in table.items()}
    centre, corner, edge = (read[2 + cell] for cell in (4, 0, 1))
    assert len(read) == LINES + 1
    assert centre > corner > edge


LOOPS = """\
rulespec: 1
game: loops
players: 2
variables: {total: {is: 0..100, start: 0}}
phases:
  play: {do: "BODY"}
procedures:
  grow: |
    for each player: set total to total + 1
ranking: most total
"""


@pytest.mark.parametrize(
    ("body", "counted"),
    [
        ("for each player: set total to 1", 0),
        ("for each player: grow", 1),
        ("while total < 0: set total to 0", 1),
    ],
)
def test_only_loops_that_may_take_long_are_counted(tmp_path: Path, body: str, counted: int) -> None:
    (tmp_path / "game.yaml").write_text(LOOPS.replace("BODY", body), encoding="utf-8")
    code = rulespec.load(tmp_path / "game.yaml").new_initial_state().code
    made = [function for function in code.plain.values() if function is not None]
    assert sum("steps" in function.__code__.co_names for function in made) == counted


ENDLESS = """\
rulespec: 1
game: endless
players: 2
tokens: {stone: {count: 50, starts_in: heap}}
zones: {heap: {holds: stone, seen_by: all}, pit: {holds: stone, seen_by: all}}
variables: {rounds: {is: 0..200000, start: 0}}
phases:
  play: {turns: each player, offer: [shift]}
actions:
  shift:
    do: |
      repeat:
          move heap to pit
          move pit to heap
ranking: most 1
"""

ENDLESS_IN_ONE_LINE = """\
rulespec: 1
game: endless
players: 2
tokens: {stone: {count: 2, starts_in: bag}}
zones:
  bag: {holds: stone, order: shuffled, refill_from: pit, seen_by: nobody}
  pit: {holds: stone, seen_by: all}
phases:
  play: {turns: each player, offer: [shift]}
actions:
  shift: {do: draw 4000000000 from bag to pit}
ranking: most 1
"""

ENDLESS_TURNS = """\
rulespec: 1
game: endless
players: 2
variables: {is_on: {is: yes or no, start: yes}}
phases:
  play:
    turns: each player
    repeat: seat by seat, forever
    do: |
      if not is_on: stop
      must leave
actions:
  leave: {do: set is_on to no}
ranking: most 1
"""


@pytest.mark.parametrize("is_told", [False, True])
@pytest.mark.parametrize("text", [ENDLESS_IN_ONE_LINE, ENDLESS_TURNS])
def test_what_has_no_end_is_stopped(tmp_path: Path, text: str, is_told: bool) -> None:
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    with patch("interpreter.stepping.MOST_STEPS", 1000):
        state = rulespec.load(tmp_path / "game.yaml").new_initial_state()
        state = state.tracked() if is_told else state
        with pytest.raises(RuleError, match="goes on too long"):
            state.apply_action(state.legal_actions()[0])


@pytest.mark.parametrize("is_told", [False, True])
def test_going_round_for_ever_is_stopped_by_what_it_moves(tmp_path: Path, is_told: bool) -> None:
    (tmp_path / "game.yaml").write_text(ENDLESS, encoding="utf-8")
    with patch("interpreter.stepping.MOST_STEPS", FEW_STEPS):
        state = rulespec.load(tmp_path / "game.yaml").new_initial_state()
        state = state.tracked() if is_told else state
    moved = 0
    remove = state.code.effects.remove

    def counted(v: list[object], token: int) -> int:
        nonlocal moved
        moved += 1
        return remove(v, token)

    with patch.object(state.code.effects, "remove", counted), pytest.raises(RuleError, match="goes on too long"):
        state.apply_action(state.legal_actions()[0])
    assert moved <= FEW_STEPS < MOST_STEPS


DEAD_END = """\
rulespec: 1
game: dead_end
players: 2
variables: {is_on: {is: yes or no, start: no}}
phases:
  play: {turns: each player, offer: [hush, shout]}
actions:
  hush: {if: {ready: is_on}, do: set is_on to no}
  shout: {if: {loud: is_on}, do: set is_on to yes}
ranking: most 1
"""


@pytest.mark.parametrize("is_told", [False, True])
def test_a_dead_end_is_one_whenever_it_is_asked(tmp_path: Path, is_told: bool) -> None:
    (tmp_path / "game.yaml").write_text(DEAD_END, encoding="utf-8")
    state = rulespec.load(tmp_path / "game.yaml").new_initial_state()
    state = state.tracked() if is_told else state
    for _ in range(2):
        with pytest.raises(RuleError, match="no choice is possible"):
            state.legal_actions()
        with pytest.raises(RuleError, match="no choice is possible"):
            state.apply_action(0)
        state = state.game.new_initial_state()
