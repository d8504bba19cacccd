"""`rulespec validate` reads all that lies with a game: scenarios, clauses, variants; each fault at its place."""

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
game: pairs
title: {en: Pairs}
players: 2
seats: [red, blue]
options:
  pace: {is: speed, default: slow}
kinds:
  speed: [slow, quick]
tokens: {card: {prints: label, starts_in: deck}}
zones:
  deck: {holds: card, order: shuffled, seen_by: nobody}
  hand: {each: player, holds: card, seen_by: owner}
functions:
  worth(player): sum(card.worth for card in hand of player)
phases:
  whole_game:
    turns: each player clockwise from seat(1)
    repeat: round by round, 2 times
    offer: [grab]
    pass: sit
actions:
  grab:
    do: draw 1 from deck to my hand
ranking: most worth(player)
tables:
  label:
    columns: {worth: 1..3, copies: 4..4}
    rows: {low: [1, 4], middle: [2, 4]}
"""
SCENARIO = """\
rulespec: 1
scenarios_of: pairs
scenarios:
  - name: A card is drawn
    clauses: [P-1]
    players: [red, blue]
    options: {pace: quick}
    extra: {low: 1}
    given: |
      move 1 low from deck to hand of blue
    begin: whole_game
    chance: [middle]
    play: [red answers grab]
    then: [worth(red) is 2]
    offered: [blue answers sit]
    knows:
      red: [count(hand of blue) is 1]
"""
CLAUSES = 'P-1: {says: "A card is drawn.", rules: [grab]}\n'
VARIANT = "rulespec: 1\nvariant: fast\nof: pairs\ntitle: {en: Fast}\nchanges:\n  worth(player): base + 1\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of a game with a variant, scenarios and clauses."""
    for name in ("variants", "scenarios"):
        (tmp_path / name).mkdir()
    (tmp_path / "game.yaml").write_text(GAME)
    (tmp_path / "variants" / "fast.yaml").write_text(VARIANT)
    (tmp_path / "scenarios" / "one.yaml").write_text(SCENARIO)
    (tmp_path / "clauses.yaml").write_text(CLAUSES)
    return tmp_path


def errors(result: Result) -> list[dict[str, Any]]:
    return [each for each in json.loads(result.stdout) if each["severity"] == "error"]


FAULTS = {
    "a zone in given": ("hand of blue\n", "hnad of blue\n", 10, "hand"),
    "a row in given": ("1 low from", "1 lwo from", 10, "low"),
    "a phase to begin": ("begin: whole_game", "begin: hole_game", 11, "whole_game"),
    "a face that chance brings": ("[middle]", "[midle]", 12, "middle"),
    "an action that is played": ("answers grab", "answers grub", 13, "grab"),
    "a seat that answers": ("red answers", "rad answers", 13, "red"),
    "a function in then": ("worth(red) is", "wroth(red) is", 14, "worth"),
    "a type in then": ("worth(red) is 2", "worth(red)", 14, None),
    "an action offered": ("answers sit", "answers sat", 15, "sit"),
    "a player who knows": ("      red: [", "      rid: [", 17, "red"),
    "a zone in knows": ("count(hand of", "count(hant of", 17, "hand"),
    "an option": ("pace: quick", "paec: quick", 7, "pace"),
    "a value of an option": ("pace: quick", "pace: quik", 7, "quick"),
    "a row more": ("extra: {low", "extra: {lwo", 8, "low"),
    "a player": ("[red, blue]", "[red, bleu]", 6, "blue"),
    "a clause": ("[P-1]", "[P-l]", 5, "P-1"),
    "a key": ("offered:", "ofered:", 15, "offered"),
    "a variant": ("    players:", "    variants: [fats]\n    players:", 6, "fast"),
}


@pytest.mark.parametrize("path", ["", "scenarios/one.yaml"])
@pytest.mark.parametrize(("old", "new", "line", "near"), FAULTS.values(), ids=FAULTS)
def test_a_fault_in_a_scenario_is_told_at_its_place(
    run: Run, folder: Path, old: str, new: str, line: int, near: str | None, path: str
) -> None:
    if path and new == "[P-l]":
        return  # clauses are a matter of the whole game
    file = folder / "scenarios" / "one.yaml"
    assert SCENARIO.count(old) == 1
    file.write_text(SCENARIO.replace(old, new))
    result = run("validate", folder / path, "--format", "json")
    found = errors(result)
    assert result.exit_code == 1
    assert [(each["file"], each["line"]) for each in found] == [(file.as_posix(), line)], found
    assert near is None or near in str(found[0]["help"])


def test_sound_scenarios_and_clauses_are_nothing_wrong(run: Run, folder: Path) -> None:
    for path in ("", "scenarios/one.yaml", "clauses.yaml", "variants/fast.yaml"):
        assert run("validate", folder / path).exit_code == 0
    assert run("validate", folder, "--deep").exit_code == 0


@pytest.mark.parametrize("path", ["game.yaml", "scenarios/one.yaml", "clauses.yaml", "variants/fast.yaml"])
def test_each_kind_of_file_may_be_checked_deeply(run: Run, folder: Path, path: str) -> None:
    result = run("validate", folder / path, "--deep", "--format", "json")
    assert result.exit_code == 0
    assert {each["code"] for each in json.loads(result.stdout)} <= {"unused"}


FAILING = GAME.replace("do: draw 1 from deck to my hand", "do: draw 7 from deck to my hand")


@pytest.mark.parametrize("given", ["failing.yaml", "-"])
def test_games_that_fail_are_found_deeply(run: Run, tmp_path: Path, given: str) -> None:
    (tmp_path / "failing.yaml").write_text(FAILING, encoding="utf-8")
    path = given if given == "-" else tmp_path / given
    assert run("validate", path, input=FAILING).exit_code == 0
    result = run("validate", path, "--deep", "--format", "json", input=FAILING)
    assert result.exit_code == 1
    assert {each["code"] for each in json.loads(result.stdout)} == {"unused", "failing-playout"}


CLAUSE_FAULTS = {
    "a rule": ("[grab]", "[grob]", "unknown-rule", "grab"),
    "a key": ("says:", "sais:", "unknown-key", "says"),
}


@pytest.mark.parametrize("path", ["", "clauses.yaml"])
@pytest.mark.parametrize(("old", "new", "code", "near"), CLAUSE_FAULTS.values(), ids=CLAUSE_FAULTS)
def test_a_fault_in_clauses_is_told_at_its_place(
    run: Run, folder: Path, old: str, new: str, code: str, near: str, path: str
) -> None:
    (folder / "clauses.yaml").write_text(CLAUSES.replace(old, new))
    found = errors(run("validate", folder / path, "--format", "json"))
    told = [each for each in found if each["code"] == code]
    assert [(each["file"], each["line"]) for each in told] == [((folder / "clauses.yaml").as_posix(), 1)]
    assert near in told[0]["help"]


def test_clauses_may_point_to_what_a_variant_adds(run: Run, folder: Path) -> None:
    (folder / "variants" / "fast.yaml").write_text(VARIANT + "adds:\n  functions:\n    pace_of(player): 3\n")
    (folder / "clauses.yaml").write_text(CLAUSES.replace("[grab]", "[grab, pace_of]"))
    assert run("validate", folder).exit_code == 0


def test_scenarios_of_no_game_are_told_where_they_say_so(run: Run, folder: Path) -> None:
    file = folder / "scenarios" / "one.yaml"
    file.write_text(SCENARIO.replace("scenarios_of: pairs", "scenarios_of: tic_tac_to"))
    (found,) = errors(run("validate", file, "--format", "json"))
    assert (found["code"], found["file"], found["line"], found["column"]) == ("unknown-game", file.as_posix(), 2, 15)
    assert "tic_tac_toe" in found["help"]


@pytest.mark.parametrize("place", ["fast.yaml", "variants/fast.yaml"])
def test_a_misspelt_of_is_told_where_it_stands(run: Run, folder: Path, place: str) -> None:
    file = folder / place
    file.write_text(VARIANT.replace("of: pairs", "of: pears"))
    (found,) = errors(run("validate", file, "--format", "json"))
    assert (found["file"], found["line"], found["column"]) == (file.as_posix(), 3, 5)


def test_a_variant_may_name_its_game_by_a_path(run: Run, folder: Path) -> None:
    (folder / "below").mkdir()
    file = folder / "below" / "mine.yaml"
    for path in ("..", "../game.yaml"):
        file.write_text(VARIANT.replace("of: pairs", f"of: {path if '/' in path else '../'}"))
        assert run("validate", file).exit_code == 0
        assert run("simulate", folder, "--variant", file, "--games", 1).exit_code == 0
    file.write_text(VARIANT.replace("of: pairs", "of: ../nowhere"))
    (found,) = errors(run("validate", file, "--format", "json"))
    assert (found["code"], found["line"]) == ("unknown-game", 3)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (GAME.replace("hand of player)", "hant of player)"), 15),
        (VARIANT.replace("of: pairs", "of: tic_tac_toe"), 6),
        ("rulespec: 1\nscenarios_of: tic_tac_toe\nscenarios:\n  - name: x\n    then: [winer is nobody]\n", 5),
    ],
    ids=["a game", "a variant", "scenarios"],
)
def test_standard_input_is_called_so(run: Run, text: str, line: int) -> None:
    found = errors(run("validate", "-", "--format", "json", input=text))
    assert [(each["file"], each["line"]) for each in found] == [("<stdin>", line)]
    told = run("validate", "-", input=text)
    assert told.stdout.startswith(f"<stdin>:{line}:")
    assert f"{line} | {text.splitlines()[line - 1]}" in told.stdout


def test_a_game_on_standard_input_is_played(run: Run) -> None:
    assert run("simulate", "-", "--games", 2, input=GAME).exit_code == 0
    broken = run("simulate", "-", "--games", 2, input=GAME.replace("[grab]", "[grob]"))
    assert broken.exit_code == 1
    assert broken.stderr.startswith("<stdin>:20:13: error[")


@pytest.mark.parametrize(("count", "said"), [(1, "1 error, 0 warnings"), (2, "2 errors, 0 warnings")])
def test_faults_are_counted_in_good_grammar(run: Run, folder: Path, count: int, said: str) -> None:
    text = GAME.replace("hand of player)", "hant of player)")
    (folder / "game.yaml").write_text(text.replace("to my hand", "to my hadn") if count == 2 else text)
    assert run("validate", folder).stderr == said + "\n"


UNREAD = {
    "a name in it": ("hand of blue\n", "hnad of blue\n"),
    "its text": ("then: [worth(red) is 2]", "then: [worth(red is 2]"),
    "its shape": ("then:", "thne:"),
    "its variant": ("    players:", "    variants: [fats]\n    players:"),
}


@pytest.mark.parametrize(("old", "new"), UNREAD.values(), ids=UNREAD)
def test_a_scenario_that_cannot_be_read_has_failed(run: Run, folder: Path, old: str, new: str) -> None:
    good = SCENARIO.partition("scenarios:\n")[2].replace("A card is drawn", "Another")
    file = folder / "scenarios" / "one.yaml"
    file.write_text(SCENARIO.replace(old, new) + (good if old != "then:" else ""))
    result = run("test", folder)
    assert result.exit_code == 1
    assert result.stdout.endswith("0 passed, 1 failed\n" if old == "then:" else "1 passed, 1 failed\n")
    assert f"failed: {'the whole file' if old == 'then:' else 'A card is drawn'}\n" in result.stdout
    data = json.loads(run("test", folder, "--format", "json").stdout)
    assert data["failed"] == 1
    assert [each["passed"] for each in data["scenarios"]].count(False) == 1
