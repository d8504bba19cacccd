"""Playouts, simulation and trees: documented seeds, equal results, known counts."""

from __future__ import annotations

from hashlib import blake2b

import pytest

from interpreter import Game, SettingError, State
from interpreter.agents import AGENTS, GreedyAgent, RandomAgent, agents_for_seats
from interpreter.chance import Generator, derive
from interpreter.playout import Playout, draw_outcome
from interpreter.simulate import Run, new_state, play_game, read_options, simulate
from interpreter.tree import TreeCounts, after, count_tree, divide, perft, plies

UNTIMED = ("seconds", "decisions_per_second")


def complete_games(state: State, known: dict[str, int]) -> int:
    """Return how many games go on from *state*; *known* gathers that number for every position met, by its hash."""
    key = state.position_hash()
    if key not in known:
        following = [] if state.is_terminal() else [after(state, ply) for ply in plies(state)]
        known[key] = sum(complete_games(child, known) for child in following) if following else 1
    return known[key]


def untimed(result: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in result.items() if key not in UNTIMED}


def test_seeds_are_the_documented_hash() -> None:
    digest = blake2b(b"7,3,1", digest_size=8).digest()
    assert derive(7, 3, 1) == int.from_bytes(digest, "little")


def test_game_and_agents_have_seeds_of_their_own() -> None:
    playout = Playout(agents_for_seats(["random"], 2), seed=7, index=3)
    assert [generator.seed for generator in playout.generators] == [derive(7, 3, 0), derive(7, 3, 1)]


def test_a_game_depends_on_its_number_alone(tic_tac_toe: Game) -> None:
    run = Run(players=2, seed=5)
    alone = play_game(tic_tac_toe, run, 9)
    after_others = [play_game(tic_tac_toe, run, index) for index in range(10)][9]
    assert alone == after_others
    assert alone.error is None


@pytest.mark.parametrize("chance", ["sampled", "explicit"])
def test_a_playout_ends_with_a_terminal_state(kuhn_poker: Game, chance: str) -> None:
    state = kuhn_poker.new_initial_state(players=2, seed=1, chance=chance)
    decisions = Playout(agents_for_seats(["random"], 2), 1).finish(state)
    assert state.is_terminal()
    assert decisions in (2, 3)


def test_simultaneous_seats_are_each_asked_once(matching_pennies: Game) -> None:
    asked: list[int] = []
    state = matching_pennies.new_initial_state(players=2, seed=1)
    playout = Playout(agents_for_seats(["random"], 2), 1)
    assert playout.finish(state, lambda _, seat, __: asked.append(seat)) == 2
    assert asked == [0, 1]


def test_outcomes_are_drawn_with_their_probability(kuhn_poker: Game) -> None:
    state = kuhn_poker.new_initial_state(players=2, chance="explicit")
    rng = Generator(1)
    drawn = [draw_outcome(state, rng) for _ in range(3000)]
    for outcome, probability in state.chance_outcomes():
        assert drawn.count(outcome) / 3000 == pytest.approx(probability, abs=0.04)


def test_an_agent_that_looks_is_shown_a_copy(kuhn_poker: Game) -> None:
    shown: list[State] = []

    class Curious(GreedyAgent):
        def choose(self, state: State, seat: int, rng: Generator) -> int:
            shown.append(state)
            return super().choose(state, seat, rng)

    state = kuhn_poker.new_initial_state(players=2, seed=1)
    Playout([Curious(), Curious()], 1).finish(state)
    assert shown and all(each is not state for each in shown)


def test_greedy_takes_a_win(tic_tac_toe: Game) -> None:
    state = tic_tac_toe.new_initial_state(players=2)
    for cell in (0, 3, 1, 4):  # ids follow the order of the cells, row by row
        state.apply_action(cell)
    assert state.child(AGENTS["greedy"].choose(state, 0, Generator(1))).is_terminal()


@pytest.mark.parametrize("workers", [1, 2])
def test_the_result_does_not_depend_on_workers(tic_tac_toe: Game, workers: int) -> None:
    run = Run(players=2, seed=11)
    done: list[int] = []
    result = simulate(tic_tac_toe, 40, run, workers, progress=done.append)
    assert untimed(result) == untimed(simulate(tic_tac_toe, 40, run))
    assert done[-1] == 40 and done == sorted(done)
    assert (result["terminal"], result["errors"]) == (40, 0)
    assert sum(result["wins"]) == pytest.approx(40)


def test_a_failing_game_is_counted_and_described(tic_tac_toe: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong(RandomAgent):
        def choose(self, state: State, seat: int, rng: Generator) -> int:
            return -5

    monkeypatch.setitem(AGENTS, "wrong", Wrong())
    result = simulate(tic_tac_toe, 3, Run(players=2, seed=1, agents=("random", "wrong")))
    assert (result["errors"], result["terminal"]) == (3, 0)
    assert result["failures"][0].startswith("game 0 of seed 1: ")


@pytest.mark.parametrize(
    "run",
    [
        Run(players=9),
        Run(players=2, agents=("wizard",)),
        Run(players=2, agents=("random",) * 3),
        Run(2, options={"a": 1}),
    ],
    ids=["players", "agent", "agents", "option"],
)
def test_bad_settings_are_refused_before_any_game(tic_tac_toe: Game, run: Run) -> None:
    with pytest.raises(SettingError):
        simulate(tic_tac_toe, 1, run)


@pytest.mark.parametrize("text", ["nothing", "no_such=1"])
def test_an_option_must_be_declared(tic_tac_toe: Game, text: str) -> None:
    with pytest.raises(SettingError):
        read_options(tic_tac_toe, [text])


def test_every_state_passes_its_own_check(kuhn_poker: Game) -> None:
    assert play_game(kuhn_poker, Run(players=2, check=True), 0).error is None


def test_new_state_is_dealt_from_the_game_seed(kuhn_poker: Game) -> None:
    one = new_state(kuhn_poker, Run(players=2, seed=3), 4)
    assert one == kuhn_poker.new_initial_state(players=2, seed=derive(3, 4))


@pytest.mark.parametrize(
    ("game", "counts"),
    [("kuhn_poker", TreeCounts(4, 24, 30, 12)), ("matching_pennies", TreeCounts(0, 1, 4, 2))],
)
def test_tree_counts_are_known(request: pytest.FixtureRequest, game: str, counts: TreeCounts) -> None:
    state = request.getfixturevalue(game).new_initial_state(players=2, chance="explicit")
    assert count_tree(state) == counts


def test_perft_of_kuhn_poker(kuhn_poker: Game) -> None:
    state = kuhn_poker.new_initial_state(players=2, chance="explicit")
    assert perft(state, 6) == [3, 6, 12, 24, 12, 0]


def test_simultaneous_players_have_two_actions_each(matching_pennies: Game) -> None:
    state = matching_pennies.new_initial_state(players=2)
    assert state.is_simultaneous_node()
    assert [len(state.legal_actions(seat)) for seat in state.pending_players()] == [2, 2]
    assert len(divide(state, 1)) == 4


@pytest.mark.slow
def test_all_of_tic_tac_toe(tic_tac_toe: Game) -> None:
    known: dict[str, int] = {}
    assert complete_games(tic_tac_toe.new_initial_state(players=2), known) == 255_168
    assert len(known) == 5_478
