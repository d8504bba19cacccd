"""What a command loads before it does anything: modules are counted, since time depends on the machine."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import rulespec
from rulespec.cli.app import COMMANDS, main

ROOT = Path(__file__).parents[2]
CODE = """\
import sys
from rulespec.cli import main
sys.argv = ["rulespec", *sys.argv[1:]]
try:
    main()
finally:
    print("loaded", *sorted(sys.modules))
"""
GROUP = {"rulespec", "rulespec.cli", "rulespec.cli.app", "rulespec.cli.exits", "rulespec.cli.output"}
LIBRARIES = {"yaml", "lark", "jsonschema", "networkx", "rich"}


def loaded_by(*arguments: str) -> tuple[set[str], set[str]]:
    """Return our modules and the libraries that a command line has loaded when it ends."""
    line = [sys.executable, "-c", CODE, *arguments]
    said = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    names = set(said.splitlines()[-1].split()[1:])
    return {name for name in names if name.partition(".")[0] in ("rulespec", "interpreter")}, names & LIBRARIES


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_what_needs_no_command_loads_the_group_alone(argument: str) -> None:
    assert loaded_by(argument) == (GROUP, set())


def test_the_list_of_games_loads_nothing_that_reads_or_plays_them() -> None:
    assert loaded_by("list") == (GROUP | {"rulespec.library", "rulespec.cli.list_games"}, {"rich"})


def test_a_command_is_loaded_without_the_others() -> None:
    ours, libraries = loaded_by("perft", "--help")
    assert "rulespec.passes" not in ours
    assert ours & {f"rulespec.cli.{module}" for module, _ in COMMANDS.values()} == {"rulespec.cli.perft"}
    assert libraries == set()


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_is_there_under_its_name(name: str) -> None:
    command = main.get_command(main.make_context("rulespec", [name]), name)
    assert command is not None and command.name == name


def test_the_version_told_is_that_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert rulespec.__version__ == project["version"]
