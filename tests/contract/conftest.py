"""Every game of the project, compiled once a session, in the numbers of players and variants the contract is kept for.

A test that takes `case` and `seeds` runs over all of them: small by default, all cases and more seeds in the slow run.
Of games that take seconds a test, those in `games/` before all, the slow run that is not long takes none.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import rulespec
from interpreter import Game, State

ROOT = Path(__file__).parent.parent.parent
Step = Callable[[State, random.Random], None]


@dataclass(frozen=True)
class Case:
    """One game with its variants and a number of players (None: the default)."""

    game: str
    players: int | None = None
    variants: tuple[str, ...] = ()
    is_quick: bool = True

    def __str__(self) -> str:
        name = Path(self.game).stem + "".join(f"+{Path(v).stem}" for v in self.variants)
        return name + (f"-{self.players}" if self.players else "")


BIG = Case("via_romana", 3)
BIG_ONES = {
    "test_texts_of_offered_actions_differ_and_parse_back",
    "test_a_player_cannot_tell_apart_worlds_that_look_alike_to_him",
}
"""The tests that the quick run makes of the biggest game too; it takes seconds to compile."""

BOTH = ("empate_desastroso", "limite_incondicional")
MICRO = sorted((ROOT / "tests" / "micro").glob("*.yaml"))
CASES = [
    *(Case(str(path)) for path in sorted((ROOT / "examples").glob("*.yaml"))),
    *(
        Case(str(path), None, (), path.name[:2] in ("01", "02", "06"))
        for path in MICRO
        if "\ngame: " in path.read_text(encoding="utf-8")
    ),
    *(Case(str(path)) for path in sorted((Path(__file__).parent / "games").glob("*.yaml"))),
    Case(str(Path(__file__).parent / "games" / "hidden_things.yaml"), 3, (), False),
    BIG,
    Case("via_romana", 2, (), False),
    Case("via_romana", 4, (), False),
    *(Case("via_romana", players, (variant,), False) for variant in BOTH for players in (2, 4)),
    Case("via_romana", 3, BOTH, False),
    Case("via_romana", 3, (*BOTH, str(ROOT / "tests" / "micro" / "12_variant_on_a_variant.yaml")), False),
    *(Case("senator", players, (), False) for players in (3, 5)),
    Case("senator", 4, (str(ROOT / "tests" / "games" / "senator_interregnum.yaml"),), False),
    Case("augustus", 2, (), False),
    Case("augustus", 3, (str(ROOT / "tests" / "games" / "augustus_civil_war.yaml"),), False),
    *(Case(path.stem, None, (), False) for path in sorted((ROOT / "examples" / "classics").glob("*.yaml"))),
    Case("goofspiel", 2, ("hidden_bids",), False),
    Case("pig", 4, (), False),
    Case("roma", None, (), False),
    Case(str(ROOT / "tests" / "micro" / "01_exchange_then_lay.yaml"), 4, (), False),
    Case(str(ROOT / "tests" / "micro" / "09_end_in_mid_payout.yaml"), 4, (), False),
]
MANY_MOVES = {"breakthrough", "chess_pawns", "nine_mens_morris"}
"""The classics that take as long as a large game: a choice offers dozens of moves."""


def marks_of(case: Case) -> list[pytest.MarkDecorator]:
    """Return the marks of a case's longer run."""
    is_large = (ROOT / "games" / case.game).is_dir() or case.game in MANY_MOVES
    return [pytest.mark.slow, *([pytest.mark.long] if is_large else [])]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give `case` and `seeds` to the tests that take them."""
    if {"case", "seeds"} <= set(metafunc.fixturenames):
        is_big = metafunc.function.__name__ in BIG_ONES
        quick = [pytest.param(c, (1,), id=str(c)) for c in CASES if c.is_quick and (is_big or c != BIG)]
        more = [pytest.param(c, range(2, 4), id=f"{c}-more", marks=marks_of(c)) for c in CASES]
        metafunc.parametrize(("case", "seeds"), [*quick, *more])


@pytest.fixture(scope="session")
def compiled() -> Callable[[str, tuple[str, ...]], Game]:
    """Return a function that compiles each game once."""
    games: dict[tuple[str, tuple[str, ...]], Game] = {}

    def load(name: str, variants: tuple[str, ...]) -> Game:
        if (name, variants) not in games:
            games[name, variants] = rulespec.load(name, variants=list(variants))
        return games[name, variants]

    return load


@pytest.fixture(scope="session")
def cases() -> list[Case]:
    """Return all cases."""
    return CASES


@pytest.fixture
def game(case: Case, compiled: Callable[[str, tuple[str, ...]], Game]) -> Game:
    """Return the game of a case."""
    return compiled(case.game, case.variants)


@pytest.fixture
def start(case: Case, game: Game) -> Callable[..., State]:
    """Return a function that starts the case's game with a seed, chance sampled or explicit."""

    def begin(seed: int, chance: str = "sampled") -> State:
        return game.new_initial_state(players=case.players, seed=seed, chance=chance)

    return begin


@pytest.fixture(scope="session")
def step() -> Step:
    """Return a function that makes one random choice: of a pending seat, or of chance."""

    def choose(state: State, rng: random.Random) -> None:
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            state.apply_action(rng.choices([o for o, _ in outcomes], [w for _, w in outcomes])[0])
        else:
            seat = rng.choice(state.pending_players())
            state.apply_action(rng.choice(state.legal_actions(seat)), seat)

    return choose


@pytest.fixture(scope="session")
def example(compiled: Callable[[str, tuple[str, ...]], Game]) -> Callable[[str], Game]:
    """Return a function that gives one of the small examples by name."""

    def named(name: str) -> Game:
        return compiled(str(ROOT / "examples" / f"{name}.yaml"), ())

    return named
