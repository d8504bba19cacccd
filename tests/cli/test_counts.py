"""`perft` and `tree` give the counts that are known from elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

TIC_TAC_TOE = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
TREES = {
    "kuhn_poker": {"chance": 4, "decision": 24, "terminal": 30, "information_states": 12},
    "matching_pennies": {"chance": 0, "decision": 1, "terminal": 4, "information_states": 2},
}


@pytest.mark.parametrize("depth", [5, pytest.param(9, marks=pytest.mark.slow)])
def test_perft_counts_the_sequences_of_tic_tac_toe(run, examples: Path, depth: int) -> None:
    result = run("perft", examples / "tic_tac_toe.yaml", "--depth", depth)
    assert result.exit_code == 0
    assert result.stdout.split("\n")[:-1] == [f"{ply} {count}" for ply, count in enumerate(TIC_TAC_TOE[:depth], 1)]


def test_perft_as_json_is_a_list_of_depths_and_counts(run) -> None:
    result = run("perft", "tic_tac_toe", "--depth", 2, "--format", "json")
    assert json.loads(result.stdout) == [{"depth": 1, "count": 9}, {"depth": 2, "count": 72}]


def test_perft_divided_adds_up(run) -> None:
    result = run("perft", "tic_tac_toe", "--depth", 3, "--divide", "--format", "json")
    assert [part["count"] for part in json.loads(result.stdout)] == [56] * 9


@pytest.mark.parametrize("game", TREES)
def test_tree_counts_the_nodes_of_a_small_game(run, game: str) -> None:
    result = run("tree", game, "--format", "json")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == TREES[game]


def test_a_joint_answer_is_one_ply(run) -> None:
    result = run("perft", "matching_pennies", "--depth", 2)
    assert result.stdout == "1 4\n2 0\n"
