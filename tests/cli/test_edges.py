"""What the world does to a command: closed pipes, interrupts, odd files; and what is too large."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import Result

import rulespec
from interpreter.words import word

Run = Callable[..., Result]
ROOT = Path(__file__).parents[2]
TABLE_GAME = """\
rulespec: 1
game: g
players: 2
tables:
  title:
    columns: {worth: 1..3, mark(colour): 0..2}
    rows: title.csv
kinds:
  colour: [red, blue]
phases:
  play: {do: end game}
"""


def shell(line: str, **more: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "RULESPEC": f"{sys.executable} -m rulespec.cli", **more}
    return subprocess.run(
        ["sh", "-c", line], cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=60
    )


def some_slow(first: str, *more: str) -> list[object]:
    """Return command lines that are tried with a process each, all but the first in the slow run."""
    return [first, *(pytest.param(each, marks=pytest.mark.slow) for each in more)]


@pytest.mark.slow
@pytest.mark.parametrize("arguments", some_slow("list", "list --format json", "simulate no_such --format json"))
def test_closed_output_is_said_and_no_traceback(arguments: str) -> None:
    result = shell(f"$RULESPEC {arguments} >&-")
    assert result.returncode == 2
    assert result.stderr == "error: standard output is closed: there is nowhere to write the result\n"


@pytest.mark.parametrize("arguments", some_slow("schema", "list --format json", "simulate no_such --format json"))
def test_a_reader_who_has_gone_is_no_traceback(arguments: str) -> None:
    result = shell(f"$RULESPEC {arguments} | true")
    assert "Traceback" not in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("output", "code", "said"),
    [
        ("| true", 0, ""),
        (">&-", 2, "error: standard output is closed: there is nowhere to write the result\n"),
        (">/dev/full", 2, "error: the result cannot be written: the disk is full\n"),
    ],
)
def test_the_player_of_programs_says_too_that_nobody_reads(tmp_path: Path, output: str, code: int, said: str) -> None:
    if output == ">/dev/full" and not Path("/dev/full").exists():
        pytest.skip("there is no full device here")
    file = tmp_path / "game.json"
    file.write_text(json.dumps(rulespec.compile_program("tic_tac_toe")))
    result = shell(f"$PYTHON -m interpreter simulate {file} --games 1 {output}", PYTHON=sys.executable)
    assert (result.returncode, result.stderr) == (code, said)


@pytest.mark.slow
def test_both_outputs_closed_is_still_an_exit_code() -> None:
    assert shell("$RULESPEC list --format json >&- 2>&-").returncode == 2


def test_an_interrupt_while_modules_are_loaded_is_exit_130() -> None:
    code = (
        "import sys\n"
        "class Stop:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'click': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Stop())\n"
        "from rulespec.cli import main\n"
        "main()\n"
    )
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (130, "", "")


@pytest.mark.parametrize("command", [("simulate", "tic_tac_toe"), ("perft", "tic_tac_toe", "--depth", 1)])
def test_twenty_digits_of_players_are_too_many(run: Run, command: tuple[object, ...]) -> None:
    result = run(*command, "--players", "9" * 20)
    assert result.exit_code == 2
    assert "tic_tac_toe is for 2 players, not 99999999999999999999" in result.stderr


def test_twenty_digits_of_depth_are_too_many(run: Run) -> None:
    assert run("perft", "tic_tac_toe", "--depth", "9" * 20).exit_code == 2


# ----------------------------------------------------------------------------------------------------- odd files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "game.yaml").write_text(TABLE_GAME)
    (tmp_path / "title.csv").write_text("row,worth,mark.red\nlow,1,2\n")
    return tmp_path


def test_a_sound_table_is_read(run: Run, folder: Path) -> None:
    assert run("validate", folder).exit_code == 0


@pytest.mark.parametrize("kind", ["fifo", "folder", "link out", "link to a fifo", "link to nothing"])
def test_a_table_that_is_no_file_of_the_game_is_an_error_at_once(run: Run, folder: Path, kind: str) -> None:
    table = folder / "title.csv"
    table.unlink()
    match kind:
        case "fifo":
            os.mkfifo(table)
        case "folder":
            table.mkdir()
        case "link out":
            table.symlink_to("/etc/hostname")
        case "link to a fifo":
            os.mkfifo(folder / "pipe")
            table.symlink_to("pipe")
        case _:
            table.symlink_to("gone")
    result = run("validate", folder)
    assert result.exit_code == 1
    assert "game.yaml:7:11: error[" in result.stdout


HEADERS = {
    "a column twice": ("row,worth,worth", "1:11: error[duplicate-column]: the column `worth` stands twice"),
    "a key twice": ("row,worth,mark.red,mark.red", "1:20: error[duplicate-column]: the column `mark.red` stands twice"),
    "a key too many": ("row,worth.red", "1:5: error[unknown-column]: `worth.red` is no heading of the column `worth`"),
    "a key too few": ("row,worth,mark", "1:11: error[unknown-column]: `mark` is no heading of the column `mark`"),
}


@pytest.mark.parametrize(("header", "said"), HEADERS.values(), ids=HEADERS)
def test_each_column_has_one_heading(run: Run, folder: Path, header: str, said: str) -> None:
    line = ",".join(["low", *"1" * header.count(",")])
    (folder / "title.csv").write_text(f"{header}\n{line}\n")
    result = run("validate", folder)
    assert result.exit_code == 1
    assert said in result.stdout


def test_folders_named_like_files_are_passed_over(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for place in ("variants/odd.yaml", "scenarios/odd.yaml", "texts/odd.yaml", "odd.yaml", "clauses.yaml"):
        (folder / place).mkdir(parents=True)
    assert run("validate", folder, "--deep").exit_code == 0
    assert run("test", folder).exit_code == 0
    assert run("simulate", folder, "--games", 1).exit_code == 0
    result = run("validate", folder / "odd.yaml")
    assert result.exit_code == 2
    assert "no game or file is named" in result.stderr


def test_a_save_that_is_a_folder_is_refused(run: Run, tmp_path: Path) -> None:
    result = run("replay", tmp_path)
    assert result.exit_code == 2
    assert "is a folder or a device, and no file" in result.stderr


# -------------------------------------------------------------------------------------------------------- trees


@pytest.mark.parametrize(
    "game", [pytest.param("via_romana", marks=pytest.mark.slow), "tests/micro/11_until_his_next_turn_ends.yaml"]
)
def test_a_tree_that_is_too_large_is_given_up(run: Run, game: str) -> None:
    result = run("tree", game if game == "via_romana" else ROOT / game, "--most", 200)
    assert result.exit_code == 1
    assert "the tree has more than 200 nodes; counted so far: " in result.stderr
    assert "`--most N` counts more" in result.stderr


# --------------------------------------------------------------------------------------------------------- play


def test_why_without_values_lists_the_forms(run: Run) -> None:
    lines = "why place\nwhy Mark\nwhy place(cell=cell(1, 1))\nwhy nonsense\nquit\n"
    told = run("play", "tic_tac_toe", "--seed", 1, input=lines).stdout
    forms = [f"`place(cell=cell({r}, {c}))`" for r in (1, 2, 3) for c in (1, 2, 3)]
    listed = ", ".join(forms[:8])
    assert f"which `place`? {listed} and 1 more" in told
    assert f"which `Mark`? {listed} and 1 more" in told
    assert "`place(cell=cell(1, 1))` is offered by `place`" in told
    assert "`nonsense` names no action of this game" in told


# ---------------------------------------------------------------------------------------------------------- new


def test_a_new_game_has_a_scenario_that_passes(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "stones").exit_code == 0
    assert run("validate", "stones", "--strict", "--deep").exit_code == 0
    assert run("test", "stones").stdout == "2 passed, 0 failed\n"


@pytest.mark.parametrize("place", ["stones", "stones/game.yaml", "deep/down/stones", "../outside/stones"])
def test_a_new_variant_of_a_path_validates(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    game = Path(place.removesuffix("/game.yaml"))
    game.parent.mkdir(parents=True, exist_ok=True)
    assert run("new", "stones").exit_code == 0
    if game != Path("stones"):
        Path("stones").rename(game)
    assert run("new", "mine", "--variant-of", place).exit_code == 0
    result = run("validate", "mine.yaml")
    assert result.exit_code == 0, result.output
    assert run("diff", place, "--variant", "mine.yaml").stdout == "these variants change no rule\n"


# -------------------------------------------------------------------------------------------------------- names

LOCAL = {
    "a game": ("validate", "stones"),
    "a game that is played": ("simulate", "stones", "--games", 1),
    "its scenarios": ("test", "stones"),
    "a variant of it": ("new", "mine", "--variant-of", "stones"),
}
MEANT = "note: `{name}` is the {kind} of that name here, not the game that comes with rulespec; `./{name}` says so\n"


@pytest.mark.parametrize("arguments", LOCAL.values(), ids=LOCAL)
def test_a_game_that_lies_here_goes_before_a_packaged_one_and_that_is_said(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[object, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert MEANT.format(name="nim", kind="folder") in run("new", "nim").stderr
    assert "note:" not in run("new", "nobody_has_this").stderr
    named = ["nim" if each == "stones" else each for each in arguments]
    said = MEANT.format(name="nim", kind="folder")
    assert run(*named).stderr.count(said) == 1
    Path("mine.yaml").unlink(missing_ok=True)
    assert "note:" not in run(*["./nim" if each == "nim" else each for each in named]).stderr


def test_a_file_and_a_folder_of_scenarios_hide_a_packaged_game_too(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("hex").mkdir()
    assert MEANT.format(name="hex", kind="folder") in run("test", "hex").stderr
    assert "note:" not in run("rules", "hex").stderr, "a folder without a game hides none"
    Path("pig").write_text((ROOT / "examples/classics/pig.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    assert MEANT.format(name="pig", kind="file") in run("rules", "pig").stderr


def test_a_packaged_game_is_not_hidden_by_itself(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "games")
    assert "note:" not in run("rules", "via_romana").stderr


# --------------------------------------------------------------------------------------------------------- show


@pytest.mark.parametrize("game", ["via_romana", "tic_tac_toe", "hex"])
def test_a_map_is_drawn_with_every_place(run: Run, tmp_path: Path, game: str) -> None:
    file = tmp_path / "map.svg"
    assert run("show", game, "--map", file).exit_code == 0
    root = ElementTree.parse(file).getroot()
    drawn = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert len(drawn) == len(set(drawn)) >= 9
    assert root.find("{http://www.w3.org/2000/svg}line") is not None


def test_a_map_is_drawn_where_its_file_puts_it(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "map.svg"
    run("show", "via_romana", "--map", file)
    root = ElementTree.parse(file).getroot()
    circles = [each.get("class") for each in root.iter("{http://www.w3.org/2000/svg}circle")]
    lines = list(root.iter("{http://www.w3.org/2000/svg}line"))
    graph = rulespec.load("via_romana").graph()
    assert circles.count("place") == graph.number_of_nodes()
    assert len(lines) == graph.number_of_edges()
    assert circles.count("space") > 0


def test_names_of_a_map_are_in_the_language_asked_for(run: Run, tmp_path: Path) -> None:
    texts = []
    for lang in ("en", "pt"):
        run("show", "via_romana", "--phases", tmp_path / "p.svg", "--lang", lang)
        texts.append((tmp_path / "p.svg").read_text(encoding="utf-8"))
    assert texts[0] != texts[1]


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["es", "pl", "pt"])
def test_headings_and_drawings_say_nothing_in_english(run: Run, tmp_path: Path, lang: str) -> None:
    file = tmp_path / "phases.svg"
    told = run("show", "tic_tac_toe", "--phases", file, "--lang", lang)
    assert told.stderr == word(lang, "notes", "wrote", file=file) + "\n"
    turns = word(lang, "drawing", "in_turn", pace=word(lang, "drawing", "seat"))
    assert turns in file.read_text(encoding="utf-8")
    listed = run("rules", "tic_tac_toe", "--lang", lang).stdout.split()
    assert word(lang, "listing", "rule") == listed[1]
    shown = run("show", "via_romana", "--seed", 1, "--lang", lang).stdout
    assert word(lang, "listing", "seen_by") in shown and "seen by" not in shown
    assert word(lang, "listing", "option") in shown


def test_phases_are_drawn_with_what_they_offer(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "phases.svg"
    assert run("show", "tic_tac_toe", "--phases", file).exit_code == 0
    kinds = [each.get("class") for each in ElementTree.parse(file).getroot().iter("{http://www.w3.org/2000/svg}rect")]
    assert kinds == ["phase", "action"]


def test_a_sheet_says_what_players_need(run: Run) -> None:
    told = run("show", "via_romana", "--sheet").stdout
    for heading in ("Settings", "How a game goes", "What you may do", "What is scored"):
        assert f"\n{heading}\n" in told
    assert "2 to 4 players" in told
    assert "Title" not in run("show", "tic_tac_toe", "--sheet", "--lang", "pt").stdout
    assert run("show", "tic_tac_toe", "--sheet", "--lang", "pt").stdout.startswith("Jogo do galo\n")
    assert "\nO que se pode fazer\n" in run("show", "tic_tac_toe", "--sheet", "--lang", "pt").stdout


def test_a_save_is_shown_beside_what_is_drawn(run: Run, tmp_path: Path) -> None:
    save, drawing = tmp_path / "save.json", tmp_path / "map.svg"
    save.write_text(rulespec.load("tic_tac_toe").new_initial_state().save(), encoding="utf-8")
    result = run("show", "tic_tac_toe", "--load", save, "--map", drawing, "--sheet")
    assert drawing.is_file()
    assert "What you may do" in result.stdout and "-- seat" in result.stdout


def test_nothing_is_shown_for_a_number_of_players_there_is_not(run: Run) -> None:
    result = run("show", "tic_tac_toe", "--players", 7)
    assert (result.exit_code, result.stdout) == (2, "")


# ------------------------------------------------------------------------------------------------------ engines


@pytest.mark.parametrize("engine", ["dask", "ray"])
def test_an_engine_gives_the_same_games_or_says_how_to_get_it(run: Run, engine: str) -> None:
    arguments = ("simulate", "kuhn_poker", "--games", 4, "--seed", 1, "--format", "json")
    result = run(*arguments, "--engine", engine, "--workers", 2)
    if importlib.util.find_spec(engine) is None:
        assert result.exit_code == 2
        assert f"the engine `{engine}` is not installed" in result.stdout
        assert f"pip install 'rulespec[{engine}]'" in result.stdout
        return
    assert json.loads(result.stdout)["state_hash"] == json.loads(run(*arguments).stdout)["state_hash"]
