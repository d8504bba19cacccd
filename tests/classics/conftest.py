"""The small classics, each compiled once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

import rulespec
from interpreter import Game


@pytest.fixture(scope="session")
def classic() -> Callable[..., Game]:
    """Return a function that gives a game by name, with the variants named."""

    @cache
    def load(name: str, *variants: str) -> Game:
        return rulespec.load(name, variants=list(variants))

    return load
