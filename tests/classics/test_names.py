"""Every name of the embedding interface works on every classic, with chance sampled and chance explicit."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from interpreter import CHANCE, SIMULTANEOUS, TERMINAL, Game, SettingError, State
from interpreter.tree import after, plies

IDS = [
    "breakthrough", "chess_pawns", "connect_four", "goofspiel", "hex", "leduc_poker", "liars_dice", "nim",
    "nine_mens_morris", "pig",
]  # fmt: skip

WITH_MANY_MOVES = {"breakthrough", "chess_pawns"}
"""Of these the quick run makes no walk: every node of it looks at all moves."""

PLACES = {
    "breakthrough": 36, "chess_pawns": 25, "connect_four": 42, "hex": 25, "nine_mens_morris": 24,
}  # fmt: skip


def has_its_map(game: Game) -> bool:
    """Say whether a game gives its board as a graph, or says that it has none."""
    if game.name in PLACES:
        return len(game.graph()) == PLACES[game.name]
    try:
        game.graph()
    except SettingError:
        return True
    return False


OF_GAMES: dict[str, Callable[[Game], Any]] = {
    "num_distinct_actions": lambda game: game.num_distinct_actions() > 0,
    "max_chance_outcomes": lambda game: game.max_chance_outcomes() >= 0,
    "max_game_length": lambda game: game.max_game_length(2) > 0,
    "num_players_range": lambda game: game.num_players_range()[0] == 2,
    "min_utility": lambda game: game.min_utility() < 0,
    "max_utility": lambda game: game.max_utility() > 0,
    "utility_sum": lambda game: game.utility_sum() in (0.0, None),
    "observation_tensor_shape": lambda game: len(game.observation_tensor_shape(2)) == 1,
    "to_json": lambda game: game.to_json().startswith("{"),
    "graph": lambda game: has_its_map(game),
}

OF_STATES: dict[str, Callable[[State], Any]] = {
    "num_players": lambda state: state.num_players() == 2,
    "is_truncated": lambda state: not state.is_truncated(),
    "is_chance_node": lambda state: state.is_chance_node() is (state.current_player() == CHANCE),
    "is_simultaneous_node": lambda state: state.is_simultaneous_node() is (state.current_player() == SIMULTANEOUS),
    "is_terminal": lambda state: state.is_terminal() is (state.current_player() == TERMINAL),
    "legal_actions_mask": lambda s: s.legal_actions() == [i for i, bit in enumerate(s.legal_actions_mask()) if bit],
    "chance_outcomes": lambda state: (
        [o for o, _ in state.chance_outcomes()] == state.legal_actions()
        if state.is_chance_node()
        else state.chance_outcomes() == []
    ),
    "returns": lambda state: len(state.returns()) == 2,
    "rewards": lambda state: len(state.rewards()) == 2,
    "scores": lambda state: len(state.scores()) == 2,
    "ranking": lambda state: len(state.ranking()) == 2,
    "child": lambda state: all(after(state, ply) != state for ply in list(plies(state))[:3]),
    "clone": lambda state: state.clone() == state and state.clone(reseed=5) == state,
    "position_hash": lambda state: state.position_hash() == state.clone().position_hash(),
    "to_json": lambda state: state.game.state_from_json(state.to_json()).to_json() == state.to_json(),
    "save": lambda state: state.game.load_save(state.save()) == state,
    "diff": lambda state: state.diff(state.clone()) == [],
    "history": lambda state: len(state.history()) == len(state.entries()),
    "check_invariants": lambda state: state.check_invariants() == [],
}

OF_PLAYERS: dict[str, Callable[[State, int], Any]] = {
    "legal_actions": lambda state, seat: (
        bool(state.legal_actions(seat)) is (seat in state.pending_players()) or state.is_chance_node()
    ),
    "observation": lambda state, seat: isinstance(state.observation(seat), dict),
    "observation_string": lambda state, seat: state.observation_string(seat),
    "observation_tensor": lambda s, seat: [len(s.observation_tensor(seat))] == s.game.observation_tensor_shape(2),
    "information_state_string": lambda state, seat: state.information_state_string(seat),
    "information_state_key": lambda state, seat: state.information_state_key(seat),
    "resample": lambda state, seat: (
        state.resample(seat, 3).information_state_key(seat) == state.information_state_key(seat)
    ),
    "events": lambda state, seat: isinstance(state.events(seat), list),
    "undo": lambda state, seat: not state.can_undo(seat)[0] or len(state.undo(seat).history()) < len(state.history()),
}

OF_ACTIONS: dict[str, Callable[[State, int, int], Any]] = {
    "action_to_string": lambda state, action, seat: (
        state.string_to_action(state.action_to_string(action, "pt")) == action
    ),
    "action_to_dict": lambda state, action, seat: state.action_to_dict(action)["id"] == action,
    "explain": lambda state, action, seat: state.explain(action, seat),
}


@pytest.mark.parametrize("chance", ["explicit", pytest.param("sampled", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow if n in WITH_MANY_MOVES else ()) for n in IDS])
def test_every_name_works_along_a_game(classic: Callable[..., Game], name: str, chance: str) -> None:
    game, rng = classic(name), random.Random(2)
    assert [each for each, holds in OF_GAMES.items() if not holds(game)] == []
    state = game.new_initial_state(players=2, seed=2, chance=chance)
    for number in range(9):
        assert [each for each, holds in OF_STATES.items() if not holds(state)] == [], number
        for seat in range(2):
            assert [each for each, holds in OF_PLAYERS.items() if not holds(state, seat)] == [], number
        for seat in state.pending_players():
            for action in state.legal_actions(seat)[:2]:
                assert [each for each, holds in OF_ACTIONS.items() if not holds(state, action, seat)] == [], number
        if state.is_terminal():
            break
        state = after(state, rng.choice(list(plies(state))))
    assert len(state.history()) > 2
