"""What goes wrong is said in words, with the right exit code, and never with a traceback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

BAD_USAGE = {
    "no such command": ("dance",),
    "no such game": ("simulate", "chesss"),
    "no such variant": ("simulate", "via_romana", "--variant", "no_such_variant"),
    "no such file": ("validate", "no/such/file.yaml"),
    "no such option": ("simulate", "via_romana", "--option", "no_such=1"),
    "no such value": ("simulate", "via_romana", "--option", "hand_limit=1000"),
    "an option without a value": ("simulate", "via_romana", "--option", "hand_limit"),
    "too many players": ("simulate", "tic_tac_toe", "--players", "7"),
    "no such agent": ("simulate", "tic_tac_toe", "--agents", "wizard"),
    "too many agents": ("simulate", "tic_tac_toe", "--agents", "random,random,random"),
    "a number that is none": ("simulate", "tic_tac_toe", "--games", "many"),
    "no games": ("simulate", "tic_tac_toe", "--games", "0"),
    "no depth": ("perft", "tic_tac_toe"),
    "show as data": ("simulate", "tic_tac_toe", "--show", "--format", "json"),
    "nothing to compare": ("diff", "via_romana"),
}


@pytest.mark.parametrize("arguments", BAD_USAGE.values(), ids=BAD_USAGE)
def test_bad_usage_is_exit_2_with_an_error_as_json(run, arguments: tuple[str, ...]) -> None:
    as_data = arguments if "--format" in arguments else (*arguments, "--format", "json")
    result = run(*as_data)
    assert result.exit_code == 2, result.output
    error = json.loads(result.stdout)
    assert set(error) == {"error"}
    assert set(error["error"]) == {"code", "message", "help"}


@pytest.mark.parametrize("arguments", BAD_USAGE.values(), ids=BAD_USAGE)
def test_bad_usage_as_text_prints_no_result(run, arguments: tuple[str, ...]) -> None:
    if "json" in arguments:
        return
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")


def test_a_near_name_is_suggested(run) -> None:
    result = run("simulate", "tic_tac_to")
    assert "tic_tac_toe" in result.stderr


def test_a_variant_cannot_be_laid_over_a_compiled_program(run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    run("compile", "via_romana", "-o", file)
    result = run("simulate", file, "--variant", "empate_desastroso")
    assert result.exit_code == 2
    assert "rulespec compile" in result.stderr


@pytest.mark.parametrize("text", ["{", "{}", '{"language": 99}', "{]"])
def test_a_file_that_is_no_program_is_refused(run, tmp_path: Path, text: str) -> None:
    file = tmp_path / "game.json"
    file.write_text(text)
    assert run("simulate", file).exit_code == 2


def test_version_and_help_need_no_game(run) -> None:
    assert "rulespec" in run("--version").stdout
    assert "simulate" in run("--help").stdout
