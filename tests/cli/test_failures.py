"""What goes wrong is said in words, with the right exit code, and never with a traceback."""

from __future__ import annotations

import errno
import json
import subprocess
import sys
from pathlib import Path

import pytest

import rulespec
from interpreter.__main__ import main as play_compiled
from interpreter.errors import REASONS
from interpreter.simulate import Run, simulate
from rulespec.cli.failures import failure_of

FILES = {
    "a program in no folder": (
        ("compile", "tic_tac_toe", "-o", "no/x.json"),
        "`no/x.json` cannot be written",
        "ENOENT",
    ),
    "a map below a file": (("show", "hex", "--map", "plain/x.svg"), "`plain/x.svg` cannot be written", "ENOTDIR"),
    "phases into a folder": (("show", "hex", "--phases", "folder"), "`folder` cannot be written", "EISDIR"),
    "a game where a file is": (("new", "plain"), "`plain/game.yaml` cannot be written", "EEXIST"),
    "a save that is not there": (("replay", "no.json"), "`no.json` cannot be read", "ENOENT"),
    "a save to go on with": (("play", "hex", "--load", "no.json"), "`no.json` cannot be read", "ENOENT"),
}

BAD_USAGE = {
    "no such command": ("dance",),
    "no such game": ("simulate", "chesss"),
    "no such variant": ("simulate", "via_romana", "--variant", "no_such_variant"),
    "no such file": ("validate", "no/such/file.yaml"),
    "no such option": ("simulate", "via_romana", "--option", "no_such=1"),
    "no such value": ("simulate", "via_romana", "--option", "hand_limit=1000"),
    "an option without a value": ("simulate", "via_romana", "--option", "hand_limit"),
    "an option with two values": ("simulate", "via_romana", "--option", "hand_limit=5", "--option", "hand_limit=6"),
    "no such language": ("rules", "via_romana", "--lang", "xx"),
    "no language": ("simulate", "via_romana", "--lang", ""),
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


def test_a_wrong_language_or_option_says_what_is_allowed(run) -> None:
    told = run("rules", "tic_tac_toe", "--lang", "xx").stderr
    assert told == "error: tic_tac_toe cannot be told in `xx`; languages there are: en, es, pl, pt\n"
    twice = run("simulate", "via_romana", "--option", "hand_limit=5", "--option", "hand_limit=6").stderr
    assert twice == "error: option `hand_limit` cannot be both `5` and `6`; give it one value\n"


def test_an_option_may_say_the_same_twice_and_a_game_bring_a_language(run, examples: Path, tmp_path: Path) -> None:
    same = ("--option", "hand_limit=5", "--option", "hand_limit=5")
    assert run("simulate", "via_romana", "--games", "1", *same).exit_code == 0
    file = tmp_path / "game.yaml"
    text = (examples / "tic_tac_toe.yaml").read_text(encoding="utf-8")
    file.write_text(text.replace("title: {", "title: {de: Drei gewinnt, "), encoding="utf-8")
    assert run("show", file, "--sheet", "--lang", "de").stdout.startswith("Drei gewinnt\n")


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


# -------------------------------------------------------------------------------------------------------- files


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "folder").mkdir()
    (tmp_path / "plain").write_text("")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("arguments", "said", "why"), FILES.values(), ids=FILES)
def test_a_file_that_cannot_be_used_is_named_with_the_reason(
    run, folder: Path, arguments: tuple[str, ...], said: str, why: str
) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"error: {said}: {REASONS[getattr(errno, why)]}\n"


def test_what_no_command_looks_out_for_is_said_in_the_same_words() -> None:
    fault = PermissionError(errno.EACCES, "Permission denied", "game.yaml")
    assert failure_of(fault).message == "`game.yaml` cannot be read: permission denied"


def test_a_save_that_is_no_text_is_named(run, folder: Path) -> None:
    assert run("replay", "bytes").stderr == "error: `bytes` is not a UTF-8 text\n"


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("no.json", "`no.json` cannot be read: there is no such file or folder"),
        ("folder", "`folder` cannot be read: it is a folder"),
        ("bytes", "`bytes` is not a UTF-8 text"),
    ],
)
def test_a_compiled_program_that_cannot_be_read_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str], file: str, said: str
) -> None:
    assert play_compiled(["simulate", file]) == 2
    assert capsys.readouterr().err == f"error: {said}\n"


def test_a_game_that_cannot_be_saved_is_said_in_the_language_of_the_player(run, folder: Path) -> None:
    told = run("play", "tic_tac_toe", "--lang", "pt", input="save plain/x\nquit\n").stdout
    assert "não foi possível guardar: uma parte do caminho não é uma pasta\n" in told


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device is full here")
@pytest.mark.parametrize("form", ["text", "json"])
def test_a_full_disk_is_said_and_no_traceback(form: str) -> None:
    command = [sys.executable, "-m", "rulespec.cli", "list", "--format", form]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "error: the system refuses: the disk is full\n")


def test_no_command_at_all_is_told_with_the_list_of_them(run) -> None:
    result = run()
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: no command is named\n")
    assert "validate  Check games" in result.stderr


def test_thousands_of_workers_are_refused_and_idle_ones_not_started(run) -> None:
    result = run("simulate", "tic_tac_toe", "--games", "2", "--workers", "100000")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "100000 workers are too many" in result.stderr
    chunks: list[int] = []
    game = rulespec.load("tic_tac_toe")
    simulate(game, 2, Run(2, 1), 500, lambda work, parts, n: chunks.append(n) or map(work, parts))
    assert chunks == [2]


def test_what_is_no_json_is_told_without_words_of_the_machine(run, tmp_path: Path) -> None:
    (tmp_path / "x").write_text("one\n")
    assert (
        run("replay", tmp_path / "x").stderr
        == "error: this is not a save: it is no JSON, or damaged at line 1, column 1\n"
    )
