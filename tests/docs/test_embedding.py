"""The examples of embedding run, and do what they say."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).parents[2] / "examples" / "embedding"


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"example_{name}", FOLDER / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_example_has_a_test() -> None:
    assert {path.stem for path in FOLDER.glob("*.py")} == {"bot", "learning", "save_and_replay"}


def test_the_bot_beats_random_players() -> None:
    assert example("bot").duel("tic_tac_toe", 3) > 0


@pytest.mark.parametrize("game", ["kuhn_poker", "matching_pennies"])
def test_the_bot_plays_what_is_hidden_and_what_is_simultaneous(game: str) -> None:
    assert example("bot").duel(game, 2) == example("bot").duel(game, 2)  # it ends, and its seeds decide how


def test_a_game_is_saved_and_told_again(capsys: pytest.CaptureFixture[str]) -> None:
    example("save_and_replay").main()
    told = capsys.readouterr().out
    assert "the same position: True True\n" in told
    assert "an altered save: move 3 of this save, `fold`, is not possible\n" in told
    assert "told again, chance and all: True " in told


@pytest.mark.slow
def test_learning_brings_more_than_none() -> None:
    before, after = example("learning").main(1500)
    assert after > before
