"""Small games, compiled once."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulespec
from interpreter import Game

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


@pytest.fixture(scope="session")
def tic_tac_toe() -> Game:
    return rulespec.load(str(EXAMPLES / "tic_tac_toe.yaml"))


@pytest.fixture(scope="session")
def kuhn_poker() -> Game:
    return rulespec.load(str(EXAMPLES / "kuhn_poker.yaml"))


@pytest.fixture(scope="session")
def matching_pennies() -> Game:
    return rulespec.load(str(EXAMPLES / "matching_pennies.yaml"))
