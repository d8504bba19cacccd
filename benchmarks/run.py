"""Speeds against hand-written engines and, where it is installed, against pyspiel: `python -m benchmarks.run`.

Everything runs in one process on one thread. Repeats are interleaved (A, B, C, A, B, C, ...), so that a slow moment of
the machine strikes all alike; medians of processor time are compared. Two loops, the same for every engine, in
explicit chance:

- *playouts*: random games, the list of legal actions (or of chance outcomes) made at every node;
- *tree*: every node of the tree to a depth, each reached by a clone and one applied action.
"""

from __future__ import annotations

import argparse
import cProfile
import io
import pstats
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import rulespec
from benchmarks.handwritten.kuhn_poker import KuhnPoker
from benchmarks.handwritten.tic_tac_toe import TicTacToe
from interpreter.agents import agents_for_seats
from interpreter.playout import Playout
from interpreter.simulate import Run, new_state

EXAMPLES = Path(__file__).parent.parent / "examples"
SHOWN_FUNCTIONS = 10

NewState = Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Case:
    """One game and how much of it is played in a repeat."""

    game: str
    depth: int
    playouts: int
    slow_playouts: int
    """Playouts of engines that are known to be slow, so that a repeat does not take minutes."""

    handwritten: NewState


CASES = (
    Case("tic_tac_toe", 6, 1000, 200, TicTacToe),
    Case("kuhn_poker", 5, 3000, 1000, KuhnPoker),
)


def play(new_state: NewState, playouts: int, seed: int) -> int:
    """Play random games and return how many nodes were passed, chance included."""
    draw = random.Random(seed).random
    nodes = 0
    for _ in range(playouts):
        state = new_state()
        while not state.is_terminal():
            nodes += 1
            if state.is_chance_node():
                left = draw()
                chosen = 0
                for outcome, probability in state.chance_outcomes():
                    chosen = outcome
                    left -= probability
                    if left < 0:
                        break
                state.apply_action(chosen)
            else:
                actions = state.legal_actions()
                state.apply_action(actions[int(draw() * len(actions))])
    return nodes


def walk(state: Any, depth: int) -> int:
    """Reach every node down to *depth* by clone and apply, and return how many there are."""
    if depth == 0 or state.is_terminal():
        return 1
    nodes = 1
    for action in state.legal_actions():
        child = state.clone()
        child.apply_action(action)
        nodes += walk(child, depth - 1)
    return nodes


def engines(case: Case) -> dict[str, NewState]:
    """Return what makes a first state of the game, for every engine there is. The first is ours."""
    game = rulespec.load(str(EXAMPLES / f"{case.game}.yaml"))
    found: dict[str, NewState] = {
        "rulespec": lambda: game.new_initial_state(chance="explicit"),
        "hand-written": case.handwritten,
    }
    try:
        import open_spiel.python.games  # noqa: F401 -- registers the games written in Python
        import pyspiel
    except ImportError:
        return found
    native = pyspiel.load_game(case.game)
    python = pyspiel.load_game(f"python_{case.game}")
    return {**found, "pyspiel C++": native.new_initial_state, "pyspiel Python": python.new_initial_state}


def timed(function: Callable[[], int]) -> float:
    """Return the nodes a second of one call."""
    started = time.process_time()
    nodes = function()
    return nodes / (time.process_time() - started)


def compare(case: Case, repeats: int) -> None:
    """Print, for both loops, the median nodes a second of every engine and what ours is of it."""
    rates: dict[tuple[str, str], list[float]] = {}
    makers = engines(case)
    for repeat in range(repeats):
        for engine, make in makers.items():
            playouts = case.slow_playouts if engine == "pyspiel Python" else case.playouts
            depth = case.depth - 2 if engine == "pyspiel Python" else case.depth
            for loop, function in (
                ("playouts", lambda n=make, p=playouts, r=repeat: play(n, p, r)),
                ("tree", lambda n=make, d=depth: walk(n(), d)),
            ):
                rates.setdefault((loop, engine), []).append(timed(function))
    for loop in ("playouts", "tree"):
        ours = median(rates[loop, "rulespec"])
        for engine in makers:
            rate = median(rates[loop, engine])
            print(f"{case.game:<12} {loop:<9} {engine:<15} {rate:>11,.0f} nodes/s   ours/this {ours / rate:6.2f}")


def speed_of(name: str, players: int, games: int) -> None:
    """Print the decisions a second of random sampled games, and the functions that take most of the time."""
    game = rulespec.load(name)
    run = Run(players=players, seed=1)
    agents = agents_for_seats(["random"], players)

    def playouts() -> int:
        return sum(Playout(agents, 1, i).finish(new_state(game, run, i)) for i in range(games))

    playouts()
    rate = median(timed(playouts) for _ in range(3))
    print(f"\n{name} ({players} players): {rate:,.0f} decisions/s over {games} games")
    profile = cProfile.Profile()
    profile.runcall(playouts)
    text = io.StringIO()
    pstats.Stats(profile, stream=text).sort_stats("tottime").print_stats(SHOWN_FUNCTIONS)
    table = text.getvalue()
    print(table[table.index("ncalls") :].rstrip() if "ncalls" in table else table)


def main() -> None:
    """Run everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--game", default="via_romana", help="whose decisions a second are measured and profiled")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--games", type=int, default=20)
    options = parser.parse_args()
    for case in CASES:
        compare(case, options.repeats)
    speed_of(options.game, options.players, options.games)


if __name__ == "__main__":
    main()
