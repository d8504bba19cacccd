"""The command line, called as a function."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulespec.cli.app import main

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def run() -> Callable[..., Result]:
    """Return a function that runs `rulespec` with these arguments and this input."""

    def call(*arguments: object, input: str | None = None) -> Result:
        result = CliRunner().invoke(main, [str(each) for each in arguments], input=input)
        assert "Traceback" not in result.output
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    return call


@pytest.fixture
def examples() -> Path:
    """Return the folder of examples."""
    return ROOT / "examples"


@pytest.fixture
def games() -> Path:
    """Return the folder of games."""
    return ROOT / "games"
