"""What every state of every game promises to a caller, checked along random games."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import rulespec
from interpreter import CHANCE, SIMULTANEOUS, TERMINAL, Game, IllegalActionError, NotationError, State

Start = Callable[..., State]
Step = Callable[[State, random.Random], None]


def walk(state: State, rng: random.Random, step: Step) -> Iterator[State]:
    """Yield the states of a random game, the same object changed each time."""
    yield state
    while not state.is_terminal():
        step(state, rng)
        yield state


def looked_at(state: State, rng: random.Random, step: Step) -> Iterator[State]:
    """Yield about one state in ten of a long random game, all of a short one, and the last."""
    for number, each in enumerate(walk(state, rng, step)):
        if number < 10 or rng.random() < 0.06 or each.is_terminal():
            yield each


def offered(state: State) -> list[tuple[int, int]]:
    """Return each pending seat with each action offered to it."""
    return [(seat, action) for seat in state.pending_players() for action in state.legal_actions(seat)]


@pytest.mark.parametrize("chance", ["sampled", "explicit"])
def test_actions_are_unique_ascending_and_there_exactly_until_the_end(
    start: Start, seeds: Any, chance: str, step: Step
) -> None:
    for seed in seeds:
        for state in walk(start(seed, chance), random.Random(seed), step):
            seats = [None] if state.is_chance_node() else [*range(state.num_players()), None]
            lists = [list(state.legal_actions(seat)) for seat in seats]
            assert all(actions == sorted(set(actions)) for actions in lists)
            assert any(lists) is not state.is_terminal()
            asked = [seat for seat in range(state.num_players()) if state.legal_actions(seat)]
            assert asked == state.pending_players()
            if asked:
                assert state.legal_actions() == state.legal_actions(asked[0])


@pytest.mark.parametrize("chance", ["sampled", "explicit"])
def test_masks_and_current_player_agree_with_the_actions(start: Start, seeds: Any, chance: str, step: Step) -> None:
    for seed in seeds:
        for state in looked_at(start(seed, chance), random.Random(seed), step):
            seats = [None] if state.is_chance_node() else [*range(state.num_players()), None]
            for seat in seats:
                mask = state.legal_actions_mask(seat)
                assert [a for a, bit in enumerate(mask) if bit] == state.legal_actions(seat)
                assert set(mask) <= {0, 1}
            kinds = {CHANCE: state.is_chance_node(), SIMULTANEOUS: state.is_simultaneous_node()}
            kinds[TERMINAL] = state.is_terminal()
            assert [kind for kind, holds in kinds.items() if holds] == [k for k in kinds if k == state.current_player()]
            if state.current_player() >= 0:
                assert state.pending_players() == [state.current_player()]
            assert (CHANCE, SIMULTANEOUS, TERMINAL) == (-1, -2, -4)


@pytest.mark.parametrize("chance", ["sampled", "explicit"])
def test_each_action_applies_to_a_clone_and_leaves_the_state_alone(
    start: Start, seeds: Any, chance: str, step: Step
) -> None:
    for seed in seeds:
        rng = random.Random(seed)
        for state in looked_at(start(seed, chance), rng, step):
            before, text = state.position_hash(), state.to_json()
            choices: list[Any] = (
                [(None, o) for o in state.legal_actions()] if state.is_chance_node() else offered(state)
            )
            for seat, action in rng.sample(choices, min(4, len(choices))):
                other = state.clone()
                other.apply_action(action, seat)
                assert len(other.history()) > len(state.history())
                if seat in (None, state.current_player()):
                    assert state.clone(reseed=3).child(action).history()[: len(state.history())] == state.history()
                    assert state.child(action) == other
            assert state.position_hash() == before
            assert state.to_json() == text


def test_probabilities_sum_to_one_and_outcomes_are_below_the_bound(start: Start, seeds: Any, step: Step) -> None:
    for seed in seeds:
        for state in walk(start(seed, "explicit"), random.Random(seed), step):
            outcomes = state.chance_outcomes()
            assert bool(outcomes) is state.is_chance_node()
            if outcomes:
                assert abs(sum(p for _, p in outcomes) - 1) < 1e-12
                assert all(p > 0 and 0 <= o < state.game.max_chance_outcomes() for o, p in outcomes)
                assert [o for o, _ in outcomes] == state.legal_actions()


def test_texts_of_offered_actions_differ_and_parse_back(start: Start, seeds: Any, step: Step) -> None:
    for seed in seeds:
        for state in looked_at(start(seed), random.Random(seed), step):
            for seat in state.pending_players():
                actions = state.legal_actions(seat)
                assert [state.string_to_action(state.action_to_string(a)) for a in actions] == actions
                for lang in ("en", "pt"):
                    texts = [state.action_to_string(a, lang) for a in actions]
                    assert len(set(texts)) == len(texts), [t for t in texts if texts.count(t) > 1]
                    assert [state.string_to_action(text) for text in texts] == actions
                assert all(state.action_to_dict(a)["id"] == a for a in actions)


def test_notation_of_every_action_parses_back(game: Game, start: Start, seeds: Any) -> None:
    state = start(seeds[0])
    for action in range(game.num_distinct_actions()):
        text = state.action_to_string(action)
        assert state.action_to_string(state.string_to_action(text)) == text
    for text in ("", "nonsense", "a(b=c)", "(", "=\u2603"):
        with pytest.raises(NotationError):
            state.string_to_action(text)


def test_an_illegal_action_leaves_the_state_untouched(game: Game, start: Start, seeds: Any, step: Step) -> None:
    for seed in seeds:
        rng = random.Random(seed)
        for state in looked_at(start(seed), rng, step):
            text = state.to_json()
            for seat in (None, *range(state.num_players())):
                legal = state.legal_actions(seat)
                wrong = rng.sample(range(game.num_distinct_actions()), min(3, game.num_distinct_actions()))
                for action in [a for a in [*wrong, -1, game.num_distinct_actions(), 10**30] if a not in legal]:
                    with pytest.raises(IllegalActionError):
                        state.apply_action(action, seat)
            assert state.to_json() == text


def test_games_and_states_are_pickled_and_copied(game: Game, start: Start, seeds: Any, step: Step) -> None:
    again = pickle.loads(pickle.dumps(game))
    assert again.same_rules(game)
    assert copy.deepcopy(game).same_rules(game)
    rng = random.Random(seeds[0])
    for number, state in enumerate(looked_at(start(seeds[0]), rng, step)):
        copied = copy.deepcopy(state)
        assert copied == state
        assert hash(copied) == hash(state)
        assert copied.to_json() == state.to_json()
        if number % 8 == 0:
            assert pickle.loads(pickle.dumps(state)).to_json() == state.to_json()


def test_playouts_end_within_the_length_with_returns_in_bounds(
    game: Game, start: Start, seeds: Any, step: Step
) -> None:
    for seed in range(seeds[0], seeds[0] + 5 * len(seeds)):
        state = start(seed)
        for each in walk(state, random.Random(seed), step):
            if not each.is_terminal():
                assert each.returns() == [0.0] * each.num_players()
        returns = state.returns()
        assert state.decisions <= game.max_game_length(state.num_players())
        assert len(returns) == state.num_players() == len(state.scores()) == len(state.ranking())
        assert all(game.min_utility() <= r <= game.max_utility() for r in returns)
        if game.utility_sum() is not None:
            assert abs(sum(returns) - game.utility_sum()) < 1e-9
        assert state.rewards() == returns
        assert not state.is_truncated()


def test_invariants_hold_along_every_game(start: Start, seeds: Any, step: Step) -> None:
    for seed in seeds:
        for state in walk(start(seed), random.Random(seed + 100), step):
            assert state.check_invariants() == []


def test_joint_answers_equal_single_ones_in_any_order(start: Start, seeds: Any, step: Step) -> None:
    for seed in seeds:
        rng = random.Random(seed)
        for state in looked_at(start(seed), rng, step):
            if not state.is_simultaneous_node():
                continue
            seats = state.pending_players()
            answers = [rng.choice(state.legal_actions(p)) if p in seats else -7 for p in range(state.num_players())]
            joint = state.clone()
            joint.apply_actions(answers)
            for order in (seats, seats[::-1], rng.sample(seats, len(seats))):
                single = state.clone()
                for seat in order:
                    assert single.is_simultaneous_node()
                    single.apply_action(answers[seat], seat)
                assert single == joint
                told = [single.events(p)[len(state.events(p)) :] for p in range(state.num_players())]
                same = [joint.events(p)[len(state.events(p)) :] for p in range(state.num_players())]
                assert told == same


def test_equal_seeds_give_equal_games_and_clones_go_on_alike(start: Start, seeds: Any, step: Step) -> None:
    for seed in seeds:
        one, two = start(seed), start(seed)
        rng, same = random.Random(seed), random.Random(seed)
        for number, state in enumerate(walk(one, rng, step)):
            if number == 5:
                two = two.clone()
            if not state.is_terminal():
                step_of_two = two.is_terminal()
                assert not step_of_two
            if number:
                step(two, same)
        assert one == two
        assert one.returns() == two.returns()
        assert one.history() == two.history()


COUNTING = """\
rulespec: 1
game: counting
players: 2
counters: {points: {each: player, start: 0, bank: endless}}
phases:
  whole_game:
    turns: each player clockwise from seat(1)
    repeat: seat by seat, forever
    offer: [count_on]
actions:
  count_on:
    choose:
      - number n from 1..2
    do: gain n points from bank
ranking: most points of player
limits: {decisions: 6}
"""


def test_a_game_is_cut_off_at_its_limit_and_ranked_as_it_stands(tmp_path: Path) -> None:
    (tmp_path / "counting.yaml").write_text(COUNTING, encoding="utf-8")
    game = rulespec.load(str(tmp_path / "counting.yaml"))
    state = game.new_initial_state()
    assert game.max_game_length(2) == 6
    for number in range(6):
        assert not state.is_terminal()
        assert not state.is_truncated()
        state.apply_action(state.legal_actions()[number % 2])
    assert (state.is_terminal(), state.is_truncated(), state.current_player()) == (True, True, TERMINAL)
    assert (state.legal_actions(), state.pending_players()) == ([], [])
    assert state.returns() == [-1.0, 1.0]
    with pytest.raises(IllegalActionError):
        state.apply_action(0)
    assert game.state_from_json(state.to_json()).is_truncated()


ROLLING = """\
rulespec: 1
game: rolling
players: 2
tokens: {die: {count: 1, faces: 1..6, starts_in: cup, plural: dice}}
zones: {cup: {holds: die, at_most: 1, seen_by: all}}
phases:
  whole_game:
    turns: each player clockwise from seat(1)
    repeat: seat by seat, forever
    offer: [roll_it]
actions:
  roll_it: {do: roll cup}
ranking: most face of top of cup
limits: {decisions: 3}
"""


def test_a_game_is_cut_off_behind_the_chance_of_its_last_decision(tmp_path: Path) -> None:
    (tmp_path / "rolling.yaml").write_text(ROLLING, encoding="utf-8")
    game = rulespec.load(str(tmp_path / "rolling.yaml"))
    state, again = game.new_initial_state(seed=4), game.new_initial_state(seed=4, chance="explicit")
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert len(state.history()) == 6
    for number, action in enumerate(state.history()):
        assert again.is_chance_node() is bool(number % 2)
        again.apply_action(action)
    assert again.is_truncated()
    assert again.position_hash() == state.position_hash()
