"""Saves at the command line: the rules they were made under are found again, or what is missing is said."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

Run = Callable[..., Result]

GAME = """\
rulespec: 1
game: race
players: 2..3
options:
  goal: {is: 3..9, default: 5}
variables:
  steps: {each: player, is: 0..20, start: 0}
functions:
  stride(player): 1
phases:
  whole_game:
    turns: each player clockwise from seat(1)
    repeat: round by round, while every(steps of other_one < goal for player other_one)
    offer: [walk, wait]
actions:
  walk:
    do: set my steps to my steps + stride(me)
  wait:
    do: set my steps to my steps
ranking: most steps of player
"""
VARIANT = "rulespec: 1\nvariant: long_legs\nof: race\nchanges:\n  stride(player): base + 1\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a game, a variant that lies with it, and one that lies elsewhere."""
    (tmp_path / "race" / "variants").mkdir(parents=True)
    (tmp_path / "race" / "game.yaml").write_text(GAME)
    (tmp_path / "race" / "variants" / "long_legs.yaml").write_text(VARIANT)
    (tmp_path / "elsewhere.yaml").write_text(VARIANT.replace("long_legs", "longer_legs").replace("+ 1", "+ 2"))
    return tmp_path


def save(run: Run, folder: Path, *arguments: object, lines: str = "walk\nwalk\nquit\n") -> Path:
    file = folder / "game.save"
    game = folder / "race"
    result = run("play", game, "--agents", "human", "--seed", 1, "--save", file, *arguments, input=lines)
    assert result.exit_code == 0, result.output
    return file


def position(run: Run, *arguments: object) -> Any:
    result = run("replay", *arguments, "--format", "json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.parametrize("variants", [[], ["long_legs"], ["{}/elsewhere.yaml"], ["long_legs", "{}/elsewhere.yaml"]])
def test_play_and_replay_take_variants_from_the_save(run: Run, folder: Path, variants: list[str]) -> None:
    named = [each.format(folder) for each in variants]
    file = save(run, folder, *(word for each in named for word in ("--variant", each)))
    assert position(run, file)["variants"] == [Path(each).stem.replace("elsewhere", "longer_legs") for each in named]
    again = folder / "again.save"
    run("play", folder / "race", "--load", file, "--save", again, input="quit\n")
    assert json.loads(again.read_text()) == json.loads(file.read_text())


def test_a_save_is_found_its_game_from_another_folder(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    run("play", "race/game.yaml", "--agents", "human", "--save", "a.save", input="walk\nquit\n")
    (folder / "below").mkdir()
    monkeypatch.chdir(folder / "below")
    assert position(run, "../a.save")["choices"] == 1


def test_players_and_options_come_from_the_save(run: Run, folder: Path) -> None:
    file = save(run, folder, "--players", 3, "--option", "goal=7")
    again = folder / "again.save"
    assert run("play", folder / "race", "--load", file, "--save", again, input="quit\n").exit_code == 0
    assert json.loads(again.read_text())["settings"] == json.loads(file.read_text())["settings"]
    assert run("play", folder / "race", "--load", file, "--players", 3, input="quit\n").exit_code == 0


@pytest.mark.parametrize(
    ("option", "said"),
    [(("--players", 2), "this save is of 3 players, not of 2"), (("--option", "goal=9"), "`goal` is 7, not 9")],
)
def test_other_settings_than_those_of_the_save_are_refused(run: Run, folder: Path, option: Any, said: str) -> None:
    file = save(run, folder, "--players", 3, "--option", "goal=7")
    result = run("play", folder / "race", "--load", file, *option, input="quit\n")
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_variant_that_is_gone_is_named(run: Run, folder: Path) -> None:
    file = save(run, folder, "--variant", folder / "elsewhere.yaml")
    (folder / "elsewhere.yaml").rename(folder / "moved.yaml")
    result = run("replay", file)
    assert result.exit_code == 2
    assert "the variant `longer_legs` of this save is missing: there is no `" in result.stderr
    assert position(run, file, "--variant", folder / "moved.yaml")["variants"] == ["longer_legs"]


def test_a_game_that_is_gone_is_named(run: Run, folder: Path) -> None:
    file = save(run, folder)
    (folder / "race").rename(folder / "gone")
    result = run("replay", file)
    assert result.exit_code == 2
    assert "the game of this save, `race`, is missing" in result.stderr
    assert position(run, file, "--game", folder / "gone")["choices"] == 2


def test_changed_rules_that_lead_to_the_same_position_are_told(run: Run, folder: Path) -> None:
    file = save(run, folder)
    (folder / "race" / "game.yaml").write_text(GAME.replace("is: 0..20", "is: 0..30"))
    for command in (
        ("replay", file),
        ("play", folder / "race", "--load", file),
        ("show", folder / "race", "--load", file),
    ):
        result = run(*command, input="quit\n")
        assert result.exit_code == 0
        assert "made under other rules, and leads to the same position here; the rules of `race` have" in result.stderr
    assert position(run, file)["changes"] == ["the rules of `race` have changed since"]


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("pt", "este jogo foi guardado com outras regras e leva aqui à mesma posição; as regras de `race` mudaram"),
        ("pl", "ten zapis powstał przy innych zasadach i prowadzi tu do tej samej pozycji; zasady `race` zmieniły się"),
    ],
)
def test_changed_rules_are_told_in_the_language_asked_for(run: Run, folder: Path, lang: str, said: str) -> None:
    file = save(run, folder)
    (folder / "race" / "game.yaml").write_text(GAME.replace("is: 0..20", "is: 0..30"))
    assert said in run("replay", file, "--lang", lang).stderr
    changes = position(run, file, "--lang", lang)["changes"]
    assert changes == ["the rules of `race` have changed since"], "data are in one language"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("stride(player): 1", "stride(player): 2", "variables steps p1 was 1 and is 2"),
        ("[walk, wait]", "[wait]", "move 1 of this save, `walk`, is not possible"),
    ],
)
def test_the_first_difference_under_changed_rules_is_a_finding(
    run: Run, folder: Path, old: str, new: str, said: str
) -> None:
    file = save(run, folder)
    (folder / "race" / "game.yaml").write_text(GAME.replace(old, new))
    for command in (("replay", file), ("play", folder / "race", "--load", file)):
        result = run(*command, input="quit\n")
        assert result.exit_code == 1
        assert said in result.stderr
        assert "the rules of `race` have changed since" in result.stderr


def test_a_save_under_a_variant_is_another_game_without_it(run: Run, folder: Path) -> None:
    file = save(run, folder)
    result = run("play", folder / "race", "--load", file, "--variant", "long_legs", input="quit\n")
    assert result.exit_code == 1
    assert "(the save was made under other rules; variants: none then, `long_legs` now)" in result.stderr


def test_a_compiled_game_reads_its_saves(run: Run, folder: Path) -> None:
    compiled = folder / "race.json"
    run("compile", folder / "race", "--variant", "long_legs", "-o", compiled)
    file = save(run, folder, "--variant", "long_legs")
    assert run("play", compiled, "--load", file, input="quit\n").exit_code == 0
    other = folder / "other.save"
    run("play", compiled, "--agents", "human", "--save", other, input="walk\nquit\n")
    assert position(run, other)["variants"] == ["long_legs"]


def test_a_save_of_another_game_is_refused(run: Run, folder: Path) -> None:
    result = run("play", "tic_tac_toe", "--load", save(run, folder), input="quit\n")
    assert result.exit_code == 2
    assert "this is a save of `race`, not of `tic_tac_toe`" in result.stderr


@pytest.mark.parametrize("seed", [-7, 2**70])
def test_every_seed_makes_a_save_that_can_be_read(run: Run, tmp_path: Path, seed: int) -> None:
    file = tmp_path / "game.save"
    run("play", "kuhn_poker", f"--seed={seed}", "--save", file, input="1\nquit\n")
    assert run("replay", file).exit_code == 0


@pytest.mark.parametrize("text", ["[" * 100_000, "{" * 100_000, '{"game":' * 3000, "\x00", "NaN"])
@pytest.mark.parametrize("command", [("replay",), ("play", "tic_tac_toe", "--load"), ("show", "tic_tac_toe", "--load")])
def test_garbage_is_no_save(run: Run, tmp_path: Path, text: str, command: tuple[str, ...]) -> None:
    file = tmp_path / "game.save"
    file.write_text(text)
    result = run(*command, file)
    assert result.exit_code == 2
    assert "this is not a save" in result.stderr


def test_a_save_leads_to_its_game_by_itself(run: Run, folder: Path) -> None:
    file = save(run, folder)
    again = folder / "again.save"
    assert run("play", "--load", file, "--save", again, input="walk\nquit\n").exit_code == 0
    assert position(run, again)["choices"] == position(run, file)["choices"] + 2
    assert run("show", "--load", file).exit_code == 0


@pytest.mark.parametrize("command", ["play", "show"])
def test_neither_game_nor_save_is_bad_usage(run: Run, command: str) -> None:
    result = run(command)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "name one, or go on from a save: `--load FILE`" in result.stderr


def test_a_game_that_could_not_be_saved_is_told_by_the_exit_code(run: Run, tmp_path: Path) -> None:
    result = run("play", "tic_tac_toe", "--save", tmp_path / "no" / "x.json", input="quit\n")
    assert result.exit_code == 2
    assert "could not save: there is no such file or folder" in result.stdout
