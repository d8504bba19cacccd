"""Counts of the small classics that are known from elsewhere: sequences of plies, and nodes of whole trees."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from interpreter import Game
from interpreter.tree import TreeCounts, count_tree, perft
from rulespec.cli.app import main

CLASSICS = Path(__file__).parent.parent.parent / "examples" / "classics"
IDS = [
    "breakthrough", "chess_pawns", "connect_four", "goofspiel", "hex", "leduc_poker", "liars_dice", "nim",
    "nine_mens_morris", "pig",
]  # fmt: skip
MOST_LINES = 80

PERFT = {
    "connect_four": [7, 49, 343, 2401, 16807, 117649, 823536],
    "nim": [16, 206, 2116, 17338, 113912],
    "hex": [25, 600, 13800, 303600],
    "nine_mens_morris": [24, 552, 12144, 255024],
    "breakthrough": [16, 256, 4308, 71478, 1248290],
    "pig": [2, 8, 20, 68, 188, 596, 1724, 5300, 15644],
    "leduc_poker": [6, 30, 60, 150, 390, 780, 1800, 2640, 2280, 1080, 240],
    "liars_dice": [6, 36, 432, 2808, 10296, 25740],
    "chess_pawns": [5, 25, 125, 588, 2554, 9954],
}
"""Sequences of 1, 2, ... plies; a chance outcome is a ply."""

SHORT = {"leduc_poker": 6, "pig": 7}
QUICK = {name: SHORT.get(name, 3) for name in PERFT if name != "nine_mens_morris"}

TREES = {
    "goofspiel": ((), (0, 161, 576, 322)),
    "goofspiel-hidden": (("hidden_bids",), (0, 501, 576, 162)),
    "leduc_poker": ((), (157, 3780, 5520, 936)),
    "liars_dice": ((), (7, 147456, 147420, 24576)),
}
"""Chance, decision and terminal nodes, and information states. Bids that are shown are remembered: 2 * 161 states."""

SLOW, LONG = (pytest.mark.slow,), (pytest.mark.slow, pytest.mark.long)
MARKS_OF_TREES = {"goofspiel": SLOW, "goofspiel-hidden": SLOW, "leduc_poker": SLOW, "liars_dice": LONG}
LONG_COUNT = 500_000
"""As many sequences of plies as this take long to count."""

Classic = Callable[..., Game]


@pytest.fixture(scope="module")
def run() -> Callable[..., str]:
    """Return a function that runs a command and gives what it printed."""

    def run_command(*arguments: object) -> str:
        result = CliRunner().invoke(main, [str(each) for each in arguments])
        assert result.exit_code == 0, result.output
        return result.stdout

    return run_command


def depths() -> list[pytest.ParameterSet]:
    quick = [pytest.param(name, depth, id=f"{name}-{depth}") for name, depth in QUICK.items()]
    full = {name: len(counts) for name, counts in PERFT.items()}
    return quick + [
        pytest.param(n, d, id=f"{n}-{d}", marks=SLOW if PERFT[n][d - 1] < LONG_COUNT else LONG)
        for n, d in full.items()
        if d > QUICK.get(n, 0)
    ]


@pytest.mark.parametrize(("name", "depth"), depths())
def test_sequences_of_plies_are_as_many_as_known(classic: Classic, name: str, depth: int) -> None:
    assert perft(classic(name).new_initial_state(players=2, chance="explicit"), depth) == PERFT[name][:depth]


@pytest.mark.parametrize("name", [pytest.param(name, marks=MARKS_OF_TREES.get(name, ())) for name in TREES])
def test_whole_trees_have_the_nodes_that_are_known(classic: Classic, name: str) -> None:
    variants, counts = TREES[name]
    state = classic(name.split("-")[0], *variants).new_initial_state(chance="explicit")
    assert count_tree(state) == TreeCounts(*counts)


@pytest.mark.slow
def test_the_commands_find_a_classic_and_its_variant_by_name(run: Callable[..., str]) -> None:
    assert run("perft", "nim", "--depth", 2) == "1 16\n2 206\n"
    assert json.loads(run("tree", "goofspiel", "--variant", "hidden_bids", "--format", "json"))["decision"] == 501


def test_the_classics_are_found_by_name_with_their_variant(run: Callable[..., str]) -> None:
    listed = {each["game"]: each for each in json.loads(run("list", "--format", "json"))}
    assert set(IDS) <= set(listed)
    assert {name: listed[name]["variants"] for name in IDS if listed[name]["variants"]} == {
        "goofspiel": ["hidden_bids"]
    }


@pytest.mark.parametrize("name", IDS)
def test_a_classic_is_short_and_nothing_is_wrong_with_it(run: Callable[..., str], name: str) -> None:
    assert len((CLASSICS / f"{name}.yaml").read_text(encoding="utf-8").splitlines()) <= MOST_LINES
    run("validate", "--strict", name)


@pytest.mark.slow
@pytest.mark.parametrize("name", IDS)
def test_a_classic_is_played_with_every_check(run: Callable[..., str], name: str) -> None:
    run("validate", "--strict", "--deep", name)


def test_no_other_file_lies_among_the_classics() -> None:
    assert sorted(path.stem for path in CLASSICS.glob("*")) == sorted([*IDS, "variants"])
