"""Commands about rules as text: list, validate, rules, diff, new, schema, show, test."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

GAMES = sorted(folder.name for folder in (Path(__file__).parents[2] / "games").iterdir())
DIAGNOSTIC = {"code", "severity", "file", "line", "column", "end_line", "end_column", "message", "help", "related"}

MUTATIONS = {
    "an unknown variable": ("mark of cell is nobody", "marc of cell is nobody"),
    "an unknown key": ("phases:", "fases:"),
    "a missing bracket": ("some(line in lines(3)", "some(line in lines(3"),
    "a wrong type": ("seat by seat, 9 times", "seat by seat, cell times"),
    "a tab": ("  cell:", "\tcell:"),
    "a language to come": ("rulespec: 1", "rulespec: 99"),
    "an anchor": ("title:", "title: &a"),
    "half a file": ("actions:", "actions: {"),
    "an unknown action": ("offer: [place]", "offer: [plaice]"),
    "a control character": ("place", "pl\x07ce"),
    "a name declared twice": ("winner:", "mark:"),
}


def test_list_names_games_and_variants(run) -> None:
    text = run("list").stdout
    for name in ("via_romana", "empate_desastroso", "limite_incondicional", "tic_tac_toe"):
        assert name in text


@pytest.mark.parametrize("arguments", [("list",), ("rules", "via_romana")], ids=["list", "rules"])
def test_what_goes_to_no_terminal_is_neither_cut_nor_folded(run, arguments: tuple[str, ...]) -> None:
    key = "file" if arguments == ("list",) else "help"
    rows = json.loads(run(*arguments, "--format", "json").stdout)
    lines = run(*arguments).stdout.splitlines()
    assert len(lines) == 1 + len(rows)
    assert max(len(line) for line in lines) > 80
    for row in rows:
        assert sum((row[key] or "") in line for line in lines) >= 1


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_without_errors(run, game: str) -> None:
    result = run("validate", game, "--format", "json")
    assert [each for each in json.loads(result.stdout) if each["severity"] == "error"] == []
    assert result.exit_code == 0


@pytest.mark.parametrize("change", MUTATIONS.values(), ids=MUTATIONS)
def test_a_spoilt_game_is_a_finding_and_not_a_crash(
    run, examples: Path, tmp_path: Path, change: tuple[str, str]
) -> None:
    text = (examples / "tic_tac_toe.yaml").read_text(encoding="utf-8")
    spoilt = tmp_path / "game.yaml"
    assert change[0] in text
    spoilt.write_text(text.replace(*change), encoding="utf-8")
    result = run("validate", spoilt, "--format", "json")
    found = json.loads(result.stdout)
    assert result.exit_code == 1
    assert found and all(set(each) >= DIAGNOSTIC for each in found)
    assert run("validate", spoilt).exit_code == 1
    assert run("simulate", spoilt, "--games", 1).exit_code == 1


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_game_with_any_line_left_out_never_crashes(run, games: Path, tmp_path: Path, game: str) -> None:
    lines = (games / game / "game.yaml").read_text(encoding="utf-8").splitlines()
    for number in range(0, len(lines), max(1, len(lines) // 15)):
        spoilt = tmp_path / "game.yaml"
        spoilt.write_text("\n".join(lines[:number] + lines[number + 1 :]), encoding="utf-8")
        assert run("validate", spoilt, "--format", "json").exit_code in (0, 1)


@pytest.mark.parametrize("form", ["text", "json", "sarif"])
def test_validate_has_three_forms(run, form: str) -> None:
    result = run("validate", "tic_tac_toe", "--format", form)
    assert result.exit_code == 0
    if form != "text":
        json.loads(result.stdout)


def test_validate_reads_standard_input(run, examples: Path) -> None:
    text = (examples / "tic_tac_toe.yaml").read_text(encoding="utf-8")
    assert run("validate", "-", input=text).exit_code == 0


def test_rules_lists_names(run) -> None:
    rules = {rule["name"]: rule for rule in json.loads(run("rules", "tic_tac_toe", "--format", "json").stdout)}
    assert rules["place"]["kind"] == "action"
    assert "choose" in rules["place"]["text"]


def test_diff_shows_the_rule_before_and_after(run) -> None:
    result = run("diff", "via_romana", "--variant", "empate_desastroso", "--format", "json")
    changes = json.loads(result.stdout)
    assert [change["rule"] for change in changes] == ["chip_winner"]
    assert changes[0]["change"] == "changed"
    assert "else base" in changes[0]["after"]["text"]
    assert "base" not in changes[0]["before"]["text"]


def test_a_new_game_validates_and_plays(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "my_game").exit_code == 0
    result = run("validate", "my_game/game.yaml", "--strict")
    assert result.exit_code == 0, result.output
    assert run("simulate", "my_game/game.yaml", "--games", 5).exit_code == 0
    assert run("new", "my_game").exit_code == 2


def test_a_new_variant_validates(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "my_variant", "--variant-of", "via_romana").exit_code == 0
    result = run("validate", "my_variant.yaml")
    assert result.exit_code == 0, result.output
    assert run("diff", "via_romana", "--variant", "my_variant.yaml").stdout == "these variants change no rule\n"


def test_schema_is_json(run) -> None:
    assert "$schema" in json.loads(run("schema").stdout)


def test_show_tells_what_there_is(run) -> None:
    result = run("show", "via_romana", "--seed", 1)
    assert result.exit_code == 0
    assert "hand_limit" in result.stdout


def test_a_path_without_scenarios_says_so(run, tmp_path: Path) -> None:
    result = run("test", tmp_path)
    assert result.exit_code == 0
    assert "no scenarios" in result.stdout


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_the_scenarios_of_every_game_pass(run, game: str) -> None:
    result = run("test", game)
    assert result.exit_code == 0, result.output


def test_a_scenario_that_does_not_hold_is_a_finding(run, tmp_path: Path, examples: Path) -> None:
    (tmp_path / "game.yaml").write_text((examples / "tic_tac_toe.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "scenarios.yaml").write_text(
        "rulespec: 1\n"
        "scenarios_of: tic_tac_toe\n"
        "scenarios:\n"
        "  - name: Nobody has won at the start\n"
        "    clauses: []\n"
        "    players: [cross, nought]\n"
        "    then: [winner is not nobody]\n",
        encoding="utf-8",
    )
    result = run("test", tmp_path)
    assert result.exit_code == 1, result.output
    assert "Nobody has won at the start" in result.stdout
