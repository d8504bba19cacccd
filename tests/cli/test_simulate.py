"""`simulate`: the same result whoever does the work, and every fact a tool needs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter.words import word

KEYS = [
    *("game", "variants", "players", "games", "seed", "options", "agents", "decisions", "seconds"),
    *("decisions_per_second", "terminal", "truncated", "errors", "wins", "mean_returns", "mean_scores"),
    *("mean_decisions", "state_hash"),
]
GAMES = pytest.mark.parametrize("game", ["kuhn_poker", pytest.param("via_romana", marks=pytest.mark.slow)])


def simulate(game: str, seed: int = 1) -> tuple[str, ...]:
    return ("simulate", game, "--games", "6", "--seed", str(seed), "--format", "json")


def result_of(run, *arguments: object) -> dict:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@GAMES
def test_the_result_has_every_promised_key(run, game: str) -> None:
    result = result_of(run, *simulate(game))
    assert set(KEYS) <= set(result)
    assert (result["games"], result["terminal"], result["truncated"], result["errors"]) == (6, 6, 0, 0)
    assert sum(result["wins"]) == pytest.approx(6)


@pytest.mark.parametrize(
    "players", [2, pytest.param(3, marks=pytest.mark.slow), pytest.param(4, marks=pytest.mark.slow)]
)
def test_every_number_of_players_ends_by_the_rules(run, players: int) -> None:
    result = result_of(run, *simulate("via_romana"), "--players", players)
    assert (result["players"], result["terminal"], result["errors"]) == (players, 6, 0)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize(("players", "games"), [(2, 60), (3, 300), (4, 60)])
def test_hundreds_of_games_end_by_the_rules_with_any_number_of_workers(run, players: int, games: int) -> None:
    long = ("simulate", "via_romana", "--players", players, "--games", games, "--seed", 1, "--format", "json")
    one, two = result_of(run, *long), result_of(run, *long, "--workers", 2)
    assert (one["terminal"], one["errors"]) == (games, 0)
    assert one["state_hash"] == two["state_hash"]


@GAMES
def test_two_workers_give_what_one_gives(run, game: str) -> None:
    one, two = result_of(run, *simulate(game)), result_of(run, *simulate(game), "--workers", 2)
    for key in set(one) - {"seconds", "decisions_per_second"}:
        assert one[key] == two[key], key


@pytest.mark.slow
@GAMES
@pytest.mark.parametrize("hash_seed", ["0", "12345"])
def test_neither_hash_seed_nor_folder_matters(run, tmp_path: Path, game: str, hash_seed: str) -> None:
    command = [sys.executable, "-m", "rulespec.cli", *simulate(game)]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(Path(__file__).parent.parent.parent)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["state_hash"] == result_of(run, *simulate(game))["state_hash"]


@GAMES
def test_another_seed_gives_other_games(run, game: str) -> None:
    assert result_of(run, *simulate(game, 2))["state_hash"] != result_of(run, *simulate(game))["state_hash"]


def test_a_fresh_seed_is_printed_and_repeats_the_run(run) -> None:
    first = result_of(run, "simulate", "tic_tac_toe", "--games", 5, "--format", "json")
    again = result_of(run, "simulate", "tic_tac_toe", "--games", 5, "--seed", first["seed"], "--format", "json")
    assert first["state_hash"] == again["state_hash"]


@GAMES
def test_check_finds_nothing_wrong(run, game: str) -> None:
    assert result_of(run, *simulate(game), "--games", 1, "--check")["errors"] == 0


def test_greedy_beats_random(run) -> None:
    arguments = ("simulate", "tic_tac_toe", "--games", 60, "--seed", 3, "--format", "json", "--agents", "random,greedy")
    wins = result_of(run, *arguments)["wins"]
    assert wins[1] > wins[0]


def test_show_tells_a_game_choice_by_choice(run) -> None:
    result = run("simulate", "tic_tac_toe", "--games", 1, "--seed", 1, "--show")
    assert result.exit_code == 0
    assert "   1  " in result.stdout
    assert "the game is over after" in result.stdout


def test_text_is_for_people(run) -> None:
    result = run("simulate", "tic_tac_toe", "--games", 3, "--seed", 1)
    assert result.exit_code == 0
    assert result.stdout.startswith("tic_tac_toe: 3 games, 2 players, seed 1\n")


@pytest.mark.slow
@pytest.mark.parametrize("command", [("simulate", "--games", "3"), ("perft", "--depth", "2"), ("tree",)])
def test_a_compiled_program_plays_the_same_without_the_parser(run, tmp_path: Path, command: tuple[str, ...]) -> None:
    file = tmp_path / "game.json"
    assert run("compile", "kuhn_poker", "-o", file).exit_code == 0
    arguments = [command[0], str(file), *command[1:], "--seed", "4", "--format", "json"]
    done = subprocess.run([sys.executable, "-m", "interpreter", *arguments], capture_output=True, text=True, check=True)
    ours, theirs = json.loads(run(*arguments).stdout), json.loads(done.stdout)
    for result in (ours, theirs):
        if isinstance(result, dict):
            result.pop("seconds", None)
            result.pop("decisions_per_second", None)
    assert ours == theirs


@pytest.mark.parametrize("lang", ["en", "es", "pl", "pt"])
def test_a_result_is_told_in_the_language_asked_for(run, lang: str) -> None:
    told = run("simulate", "tic_tac_toe", "--games", 2, "--seed", 1, "--lang", lang).stdout.splitlines()
    heads = [word(lang, "report", key) for key in ("seat", "agent", "wins", "mean_return", "mean_score")]
    assert [each.strip() for each in told[4].split("  ") if each.strip()] == heads
    assert len({len(line) for line in told[4:7]}) == 1, "figures stand below their headings"
    assert told[1] == word(lang, "report", "ended", terminal=2, truncated=0, errors=0)
    shown = run("simulate", "tic_tac_toe", "--show", "--seed", 1, "--lang", lang)
    assert shown.stderr == word(lang, "notes", "seed", seed=1) + "\n"
