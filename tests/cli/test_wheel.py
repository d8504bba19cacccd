"""What is installed from the wheel does what the source folder does, away from it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel and unpack it into an empty folder; return the folder."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    subprocess.run([*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", folder, ROOT], check=True)
    site = folder / "site"
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        wheel.extractall(site)
    return site


def rulespec(installed: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    command = [sys.executable, "-m", "rulespec.cli", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_wheel_has_two_packages_with_games_and_examples_inside(installed: Path) -> None:
    tops = {path.name for path in installed.iterdir() if not path.name.endswith(".dist-info")}
    assert tops == {"rulespec", "interpreter"}
    assert (installed / "rulespec" / "games" / "via_romana" / "game.yaml").is_file()
    assert (installed / "rulespec" / "examples" / "tic_tac_toe.yaml").is_file()
    assert (installed / "rulespec" / "py.typed").is_file() and (installed / "interpreter" / "py.typed").is_file()


@pytest.mark.slow
def test_games_are_found_away_from_the_source(installed: Path, tmp_path: Path) -> None:
    code = "import rulespec, interpreter; print(rulespec.__file__, interpreter.__file__)"
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    where = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert all(Path(file).is_relative_to(installed) for file in where.stdout.split())
    simulate = ("simulate", "via_romana", "--games", "3", "--seed", "1", "--format", "json")
    here, there = rulespec(ROOT, ROOT, *simulate), rulespec(installed, tmp_path, *simulate)
    assert there.returncode == 0, there.stderr
    assert json.loads(here.stdout)["state_hash"] == json.loads(there.stdout)["state_hash"]
