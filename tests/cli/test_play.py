"""A person at the terminal, typed by a pipe."""

from __future__ import annotations

from pathlib import Path

import pytest


def test_the_first_action_wherever_it_may_be_ends_the_game(run) -> None:
    result = run("play", "tic_tac_toe", "--seed", 1, input="1\n" * 9)
    assert result.exit_code == 0
    assert "the game is over" in result.stdout


def test_the_end_of_input_is_a_polite_end(run) -> None:
    result = run("play", "tic_tac_toe", "--seed", 1, input="")
    assert result.exit_code == 0
    assert "left unfinished" in result.stdout


@pytest.mark.parametrize("line", ["", "99", "nonsense", "why", "why nonsense", "why 1", "look", "undo", "help", "save"])
def test_no_line_breaks_the_game(run, line: str) -> None:
    result = run("play", "tic_tac_toe", "--seed", 1, input=f"{line}\nquit\n")
    assert result.exit_code == 0
    assert "left unfinished" in result.stdout


def test_why_names_the_rule(run) -> None:
    result = run("play", "tic_tac_toe", "--seed", 1, input="why 1\nquit\n")
    assert "place" in result.stdout


def test_undo_takes_back_a_decision_when_nobody_has_seen_it(run) -> None:
    result = run("play", "tic_tac_toe", "--agents", "human", input="1\nundo\nquit\n")
    assert result.exit_code == 0


def test_a_saved_game_goes_on_where_it_was(run, tmp_path: Path) -> None:
    file = tmp_path / "game.save"
    run("play", "tic_tac_toe", "--seed", 1, "--save", file, input="1\nquit\n")
    assert file.exists()
    result = run("play", "tic_tac_toe", "--load", file, input="1\n" * 9)
    assert result.exit_code == 0
    assert "the game is over" in result.stdout


def test_a_save_is_replayed_and_verified(run, tmp_path: Path) -> None:
    file = tmp_path / "game.save"
    run("play", "tic_tac_toe", "--seed", 1, "--save", file, input="1\n" * 9)
    assert run("replay", file).exit_code == 0
    assert run("replay", file, "--to", 2, "--trace").exit_code == 0


@pytest.mark.parametrize("text", ["", "not a save", "{}", "[1, 2]"])
def test_a_file_that_is_no_save_is_refused(run, tmp_path: Path, text: str) -> None:
    file = tmp_path / "game.save"
    file.write_text(text)
    assert run("replay", file).exit_code == 2


def test_people_see_the_table_as_their_seat_does(run) -> None:
    result = run("play", "via_romana", "--players", 2, "--seed", 1, input="quit\n")
    assert result.exit_code == 0
    assert "to choose:" in result.stdout
