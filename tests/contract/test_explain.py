"""Why an action is offered, and why another is not; and what may be taken back."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import rulespec
from interpreter import Game, IllegalActionError, State, explanation

Start = Callable[..., State]
Step = Callable[[State, random.Random], None]


def test_every_action_not_offered_has_one_reason_that_is_false(
    game: Game, start: Start, seeds: Any, step: Step
) -> None:
    wanted, rng = 200, random.Random(seeds[0])
    while wanted:
        state = start(rng.randrange(1000))
        while not state.is_terminal() and wanted:
            for seat in state.pending_players():
                legal = state.legal_actions(seat)
                for action in rng.sample(range(game.num_distinct_actions()), min(6, game.num_distinct_actions())):
                    found = state.explain(action, seat)
                    check_place(game, found.file, found.line)
                    assert found.offered is (action in legal)
                    assert found.text("en")
                    assert found.text("pt")
                    assert found.action == state.action_to_string(action)
                    if action in legal:
                        assert found.reason == "offered"
                        continue
                    assert found.reason in ("not_asked", "fails")
                    assert not found.evaluate()
                    assert bool(found.condition) is (found.reason == "fails")
                    wanted = max(0, wanted - 1)
            if game.num_distinct_actions() == sum(len(state.legal_actions(p)) for p in state.pending_players()):
                wanted = max(0, wanted - 1)
            step(state, rng)


def check_place(game: Game, file: str, line: int) -> None:
    assert file in game.program["sources"]
    assert 1 <= line <= len(game.program["sources"][file].splitlines())


def test_an_explanation_is_the_same_in_every_world_the_player_may_be_in(
    game: Game, start: Start, seeds: Any, step: Step
) -> None:
    for seed in seeds:
        state, rng = start(seed), random.Random(seed)
        for _ in range(25):
            if state.is_terminal():
                break
            for seat in state.pending_players():
                world = state.resample(seat, rng)
                for _ in range(3):
                    action = rng.randrange(game.num_distinct_actions())
                    assert state.explain(action, seat).text() == world.explain(action, seat).text()
            step(state, rng)


def test_an_action_that_does_not_exist_is_an_error(example: Callable[[str], Game]) -> None:
    state = example("tic_tac_toe").new_initial_state()
    for action in (-1, 9, 10**20):
        with pytest.raises(IllegalActionError, match="ids run from 0 to 8"):
            state.explain(action)


def test_the_condition_that_fails_is_named_with_what_it_reads(example: Callable[[str], Game]) -> None:
    state = example("kuhn_poker").new_initial_state(seed=1)
    found = state.explain(state.string_to_action("call"))
    assert (found.reason, found.condition) == ("fails", "call.something_to_match")
    assert found.values == {"bet_made": "no"}
    line = example("kuhn_poker").program["sources"][found.file].splitlines()[found.line - 1]
    assert "something_to_match" in line
    with pytest.raises(IllegalActionError, match="something_to_match"):
        state.apply_action(state.string_to_action("call"))


# ---------------------------------------------------------------------------------------------------- undo


def test_undo_goes_back_to_before_the_players_last_decision(start: Start, seeds: Any, step: Step) -> None:
    for seed in seeds:
        state, rng = start(seed), random.Random(seed)
        for _ in range(20):
            if state.is_terminal():
                break
            step(state, rng)
            for seat in range(state.num_players()):
                fair, reason = state.can_undo(seat)
                assert fair is (reason is None)
                decided = [e for e in state.events() if e["event"] == "chose" and e["player"] == seat]
                if not decided and not state.is_simultaneous_node():
                    assert reason == "there is no decision to take back"
                    with pytest.raises(IllegalActionError):
                        state.undo(seat)
                elif decided:
                    before = state.undo(seat)
                    assert seat in before.pending_players()
                    assert before.history() == state.history()[: len(before.history())]
                    assert len(before.history()) < len(state.history())


def test_taking_back_is_unfair_after_another_has_decided(example: Callable[[str], Game]) -> None:
    state = example("tic_tac_toe").new_initial_state()
    state.apply_action(4)
    assert state.can_undo(0) == (True, None)
    assert state.undo(0) == example("tic_tac_toe").new_initial_state()
    assert state.can_undo(1) == (False, "there is no decision to take back")
    state.apply_action(0)
    assert state.can_undo(0) == (False, "somebody else has decided")
    assert state.can_undo(1) == (True, None)
    assert state.undo(0).history() == []
    assert state.undo(1).history() == [4]


def test_taking_back_is_unfair_after_chance_or_a_look(compiled: Any) -> None:
    from pathlib import Path

    game = compiled(str(Path(__file__).parent / "games" / "hidden_things.yaml"), ())
    state = game.new_initial_state(seed=5)
    for text, reason in [("mark", None), ("draw_card", "chance was used"), ("reveal", "something hidden was shown")]:
        again = state.clone()
        action = next(a for a in again.legal_actions() if again.action_to_string(a).startswith(text))
        again.apply_action(action)
        assert again.can_undo(0) == (reason is None, reason)


def test_an_action_of_several_parts_is_taken_back_whole(compiled: Any) -> None:
    game = compiled("via_romana", ())
    state = game.new_initial_state(players=3, seed=2)
    while "play_no_more" not in map(state.action_to_string, state.legal_actions()):
        state.apply_action(state.legal_actions()[0])
    before = state.clone()
    seat = state.current_player()
    parts = ("mark_", "play_joker(", "build_castle(")
    state.apply_action(next(a for a in state.legal_actions() if state.action_to_string(a).startswith(parts)))
    assert state.current_player() == seat
    assert state.undo(seat) == before
    state.apply_action(state.legal_actions()[0])
    assert state.undo(seat) == before


STUCK = """\
rulespec: 1
game: stuck
players: 2
seats: [red, blue]
tokens: {coin: {count: 3, starts_in: purse of seat(2)}}
zones:
  chest: {holds: coin, seen_by: all}
  purse: {each: player, holds: coin, seen_by: all}
variables:
  rounds: {is: 0..9, start: 0}
phases:
  whole_game:
    turns: each player clockwise from seat(1)
    repeat: round by round, 2 times
    offer: [rob, stay]
actions:
  rob:
    do: rob_one
  stay:
    do: set rounds to 0
procedures:
  rob_one: |
    move purse of next(me) to chest
    choose coin from purse of next(me)
    move coin to my purse
ranking: most count(purse of player)
"""


def test_what_cannot_be_carried_to_its_end_names_the_rule_that_comes_to_a_stand() -> None:
    state = rulespec.load_text(STUCK).new_initial_state()
    found = state.explain(state.string_to_action("rob"))
    assert (found.reason, found.condition, found.line) == ("fails", "rob_one", 22)
    assert "it cannot be carried to its end: no choice is possible" in found.text()
    assert "não se pode levar até ao fim" in found.text("pt")
    assert not found.evaluate()


WIDE = STUCK.replace("    choose coin", "    choose number n from 1..9\n    choose number o from 1..9\n    choose coin")


@pytest.mark.parametrize(("most", "end", "rule"), [(3, "stands", "rob_one"), (2, "given_up", "rob")])
def test_the_search_for_what_stops_an_action_is_given_up_after_so_many_tries(
    monkeypatch: pytest.MonkeyPatch, most: int, end: str, rule: str
) -> None:
    monkeypatch.setattr(explanation, "MOST_TRIED", most)
    state = rulespec.load_text(WIDE).new_initial_state()
    found = state.explain(state.string_to_action("rob"))
    assert (found.end, found.condition) == (end, rule)
    assert ("was not found in 2 tries" in found.text()) == (end == "given_up")
