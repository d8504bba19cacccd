"""`rulespec test` runs scenarios, compares variants with their base, and says what is not run and not proved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

GAME = """\
rulespec: 1
game: coins
title: {en: Coins}
players: 2
seats: [red, blue]
counters: {money: {each: player, start: 0, bank: endless}}
functions:
  wage: 2
phases:
  whole_game:
    turns: each player clockwise from seat(1)
    repeat: round by round, 2 times
    offer: [earn]
    pass: rest
actions:
  earn: {do: gain wage money from bank}
procedures:
  fine: pay 1 money to bank
ranking: most money of player
"""
VARIANT = """\
rulespec: 1
variant: rich
of: coins
title: {en: Rich}
changes:
  wage: base + 1
"""
SCENARIOS = """\
rulespec: 1
scenarios_of: coins
scenarios:
  - name: work is paid
    clauses: [C-1]
    play: [red answers earn]
    then:
      - money of red is 2
  - name: rest is not
    clauses: [C-2]
    play: [red answers rest]
    then: [money of red is 0]
  - name: rich work is paid better
    clauses: [C-1]
    variants: [rich]
    play: [red answers earn]
    then: [money of red is 3]
"""
CLAUSES = """\
C-1: {says: "Work is paid.", rules: [wage, earn]}
C-2: {says: "Rest is not.", rules: [whole_game], silent: yes}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of a game with a variant, scenarios and clauses."""
    for name in ("variants", "scenarios"):
        (tmp_path / name).mkdir()
    (tmp_path / "game.yaml").write_text(GAME)
    (tmp_path / "variants" / "rich.yaml").write_text(VARIANT)
    (tmp_path / "scenarios" / "work.yaml").write_text(SCENARIOS)
    (tmp_path / "clauses.yaml").write_text(CLAUSES)
    return tmp_path


def break_one(folder: Path) -> Path:
    """Make the first scenario say what is not so."""
    file = folder / "scenarios" / "work.yaml"
    file.write_text(SCENARIOS.replace("money of red is 2", "money of red is 5"))
    return file


PATHS = {
    "the folder": "",
    "the game": "game.yaml",
    "a scenario file": "scenarios/work.yaml",
    "the folder of scenarios": "scenarios",
}


@pytest.mark.parametrize("path", PATHS.values(), ids=PATHS)
def test_scenarios_are_found_by(run, folder: Path, path: str) -> None:
    result = run("test", folder / path)
    assert (result.exit_code, result.stdout) == (0, "3 passed, 0 failed\n")


def test_a_variant_has_the_scenarios_that_list_it(run, folder: Path) -> None:
    assert run("test", folder / "variants" / "rich.yaml").stdout == "1 passed, 0 failed\n"


def test_games_in_one_folder_have_the_scenarios_that_name_them(run, folder: Path) -> None:
    other = folder / "other"
    (other / "scenarios").mkdir(parents=True)
    for name in ("coins", "pence"):
        (other / f"{name}.yaml").write_text(GAME.replace("game: coins", f"game: {name}"))
        (other / "scenarios" / f"of_{name}.yaml").write_text(
            SCENARIOS.partition("  - name: rich")[0].replace("scenarios_of: coins", f"scenarios_of: {name}")
        )
    assert run("test", other / "pence.yaml").stdout == "2 passed, 0 failed\n"
    assert run("test", other).stdout == "4 passed, 0 failed\n"


def test_a_failure_is_exit_1_and_shows_what_was_said_and_what_was_so(run, folder: Path) -> None:
    file = break_one(folder)
    result = run("test", folder)
    assert result.exit_code == 1
    assert result.stdout == (
        f"{file}:4: failed: work is paid\n"
        f"  {file}:8: `money of red is 5` does not hold: `money of red` is 2\n"
        "2 passed, 1 failed\n"
    )


def test_json_has_every_scenario_and_nothing_else_is_printed(run, folder: Path) -> None:
    break_one(folder)
    data = json.loads(run("test", folder, "--format", "json").stdout)
    assert (data["passed"], data["failed"]) == (2, 1)
    assert [each["passed"] for each in data["scenarios"]] == [False, True, True]
    assert data["scenarios"][0]["failures"][0]["line"] == 8


def test_a_path_without_scenarios_is_exit_0_and_says_so(run, tmp_path: Path) -> None:
    (tmp_path / "coins.yaml").write_text(GAME)
    result = run("test", tmp_path / "coins.yaml")
    assert result.exit_code == 0
    assert "no scenarios in" in result.stdout


def test_an_unknown_name_is_exit_2(run) -> None:
    assert run("test", "no_such_game").exit_code == 2


def test_a_fault_in_a_scenario_is_told_with_its_place(run, folder: Path) -> None:
    file = folder / "scenarios" / "work.yaml"
    file.write_text(SCENARIOS.replace("money of red is 2", "monny of red is 2"))
    result = run("test", folder)
    assert result.exit_code == 1
    assert f"{file}:8:" in result.stderr and "monny" in result.stderr


def test_a_variant_names_the_clauses_it_changes(run, folder: Path) -> None:
    result = run("test", folder, "--variant", "rich")
    assert result.exit_code == 1
    assert "clauses this variant changes (rich): C-1\n" in result.stdout
    assert result.stdout.endswith("2 passed, 1 failed\n")


def test_a_variant_that_changes_nothing_is_exit_0(run, folder: Path) -> None:
    (folder / "variants" / "same.yaml").write_text(VARIANT.replace("rich", "same").replace("base + 1", "base + 0"))
    result = run("test", folder, "--variant", "same")
    assert result.exit_code == 0
    assert "same changes no clause of coins" in result.stdout


def test_an_unknown_variant_is_exit_2(run, folder: Path) -> None:
    result = run("test", folder, "--variant", "poor")
    assert result.exit_code == 2
    assert "`rich`" in result.stderr


def test_coverage_names_rules_never_started(run, folder: Path) -> None:
    result = run("test", folder, "--coverage")
    assert result.exit_code == 0
    assert f"{folder}/game.yaml:18: `fine`: never started\n" in result.stdout


def test_mutations_that_scenarios_notice_prove_the_clauses(run, folder: Path) -> None:
    result = run("test", folder, "--mutate", "--workers", "1")
    assert result.exit_code == 0
    assert "2 clauses, 7 mutations: 7 noticed, 0 explained, 0 survive\n" in result.stdout


def test_a_mutation_that_survives_is_exit_1_until_it_is_explained(run, folder: Path) -> None:
    file = folder / "clauses.yaml"
    file.write_text(CLAUSES.replace("[wage, earn]", "[wage, earn, fine]"))
    result = run("test", folder, "--mutate", "--workers", "1")
    assert result.exit_code == 1
    assert f"{folder}/game.yaml:18: survives: fine: body skipped (C-1)\n" in result.stdout
    why = ", ".join(f'"fine: {words}": "nobody is fined"' for words in ("body skipped", "1 becomes 2", "1 becomes 0"))
    file.write_text(CLAUSES.replace("[wage, earn]", "[wage, earn, fine], survives: {" + why + "}"))
    result = run("test", folder, "--mutate", "--workers", "1")
    assert result.exit_code == 0
    assert "explained: fine: body skipped: nobody is fined" in result.stdout


FAULTS = {
    "a clause without a scenario": (CLAUSES + 'C-3: {says: "More.", rules: [earn]}\n', "C-3 has no scenario"),
    "a rule there is not": (CLAUSES.replace("earn]", "burn]"), "C-1: no rule or row is named `burn`"),
    "a scenario's clause there is not": (CLAUSES.replace("C-2", "C-9"), "there is no clause `C-2`"),
}


@pytest.mark.parametrize(("clauses", "told"), FAULTS.values(), ids=FAULTS)
def test_clauses_are_matched_with_scenarios_and_rules(run, folder: Path, clauses: str, told: str) -> None:
    (folder / "clauses.yaml").write_text(clauses)
    result = run("test", folder, "--mutate", "--workers", "1")
    assert result.exit_code == 1
    assert told in result.stdout
