"""The readers: whole games, variants, tables, maps, texts, clauses, scenarios."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec import nodes, schema
from rulespec.diagnostics import Report
from rulespec.loader import Folder, load_text
from rulespec.reader import read_game, read_variant
from rulespec.scenario_reader import read_scenarios

GAME = """\
rulespec: 1
game: tic_tac_toe
title: {en: Tic-tac-toe, pt: Jogo do galo}
players: 2
seats: [cross, nought]
options:
  steps: {is: yes or no, default: no}
kinds:
  colour: [red, blue]
map:
  cell: {is: grid 3 by 3}
tokens:
  mark: {each: player, count: 5, starts_in: box of mark.owner}
counters:
  points: {each: player, start: 0, bank: endless}
zones:
  box:    {each: player, holds: mark, seen_by: all}
  square: {each: cell and player, holds: mark, at_most: 1, seen_by: all}
variables:
  last: {is: cell or nothing, start: nothing}
functions:
  owns(player, cell): some(mark in square of cell where mark.owner is player)
  best(player): |
    if owns(player, a1): return 1
    return 0
ends:
  row: some(player where owns(player, a1))
phases:
  whole_game:
    turns: each player clockwise from seat(1)
    repeat: seat by seat, while some(cell where square of cell is empty)
    offer: [place]
actions:
  place:
    choose:
      - cell where square of cell is empty, colour
    if:
      mine: yes
    do: move 1 mark from my box to square of cell
procedures:
  clear(cell): move square of cell to box of me
scoring:
  line: 1 if owns(player, a1) else 0
ranking: most score(player)
tables:
  sort:
    columns: {worth: 0..9, needs(colour): 0..2, near: set of cell}
    cells: {effect(mark performer): script, power: action, extra: 0..2 = 0, big: yes or no}
    rows:
      plain: [1, {red: 2}, [a1, a2]]
      rich:
        printed: [2, {}, []]
        effect: clear(a1)
        power:
          choose: [cell]
          do: clear(cell)
        changes:
          owns(player, cell): base or this is mark
texts:
  place: {en: "place: {cell}"}
"""


def game(text: str = GAME, files: Folder | None = None) -> tuple[nodes.Game, list[str]]:
    document, report = load_text(text, "game.yaml")
    assert schema.check(document, "game", report), report.diagnostics
    found = read_game(document, files, report)
    assert found is not None
    return found, [f"{one.code} {one.span.line}:{one.span.column}" for one in report.in_order()]


def test_a_game_is_read_whole() -> None:
    found, faults = game()
    assert faults == []
    assert (found.players, [s.text for s in found.seats]) == ((2, 2), ["cross", "nought"])
    assert found.counters[0].bank is None
    assert [name.text for name in found.zones[1].each] == ["cell", "player"]
    assert found.functions[1].script is not None and found.functions[0].formula is not None
    assert len(found.actions[0].choose) == 1 and len(found.actions[0].choose[0]) == 2
    text = found.texts[0]
    assert (text.section, text.name.text, text.language, text.text) == ("rules", "place", "en", "place: {cell}")
    assert [blank.text for blank in text.blanks] == ["cell"]


def test_rows_hold_values_cells_and_changes() -> None:
    (table,) = game()[0].tables
    plain, rich = table.rows
    assert isinstance(plain.values[2], nodes.SetLiteral)
    assert [name.text for name, _ in plain.values[1]] == ["red"]  # type: ignore[union-attr]
    assert [name.text for name, _ in rich.cells] == ["effect", "power"]
    assert isinstance(rich.cells[1][1], nodes.Action)
    assert rich.changes[0].signature.name.text == "owns"
    assert [cell.form for cell in table.cells] == ["script", "action", "formula", "formula"]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("players: 2", "players: two", None),
        ("seats: [cross, nought]", "seats: [cross]", "too-few-seats 5:8"),
        ("offer: [place]", "offer: [place]\n    do: stop", "bad-phase 29:3"),
        ("repeat: seat by seat, while", "repeat: while", "bad-repeat 31:13"),
        ("plain: [1, {red: 2}, [a1, a2]]", "plain: [1]", "wrong-row-length 50:14"),
        ("plain: [1, {red: 2}, [a1, a2]]", "plain: [1, 2, 3]", "wrong-type 50:18"),
        ("extra: 0..2 = 0", "extra: 0..2", "missing-default 48:67"),
        ("effect: clear(a1)", "efect: clear(a1)", "unknown-cell 53:9"),
        ("cell: {is: grid 3 by 3}", "cell: {is: 0..3}", "bad-place 11:14"),
        ("colour: [red, blue]", "colour: [red, red]", "declared-twice 9:17"),
        ("last:", "let:", "reserved-word 20:3"),
        ("last:", "Last:", "bad-name 20:3"),
        ("row: some(player where", "row: some(player whose", "bad-formula 27:26"),
    ],
)
def test_a_fault_is_reported_where_it_stands(old: str, new: str, fault: str | None) -> None:
    document, report = load_text(GAME.replace(old, new), "game.yaml")
    schema.check(document, "game", report)
    found = read_game(document, None, report)
    if fault is None:
        assert found is None
    else:
        assert fault in [f"{one.code} {one.span.line}:{one.span.column}" for one in report.diagnostics]


def test_a_faulty_rule_is_set_aside_and_the_rest_goes_on() -> None:
    found, faults = game(GAME.replace("else 0", "else"))
    assert faults == ["bad-formula 43:35"]
    assert (len(found.scoring), len(found.functions)) == (0, 2)


MAP = """\
nodes:
  - {id: a, colour: red, x: 1, y: -2.5}
  - {id: b, colour: blue}
edges:
  - {id: ab, source: a, target: b, length: 2}
"""
NOUNS = """\
  city: {nodes_of: map.yaml, plural: cities, columns: {colour: colour}}
  road: {edges_of: map.yaml, columns: {length: 1..4, closed: set of colour}, spaces: length}
"""


def folder(path: Path, **files: str) -> Folder:
    for name, text in files.items():
        target = path / name.replace("__", "/").replace("_csv", ".csv").replace("_yaml", ".yaml")
        target.parent.mkdir(exist_ok=True)
        target.write_text(text)
    return Folder(path, Report())


def test_places_are_read_from_the_map_file(tmp_path: Path) -> None:
    files = folder(tmp_path, map_yaml=MAP)
    found, faults = game(GAME.replace("tokens:\n", NOUNS + "tokens:\n"), files)
    assert faults == [] and files.report.diagnostics == []
    _, city, road = found.places
    assert city.coordinates == ((1.0, -2.5), None)
    assert [(a.text, b.text) for a, b in road.ends] == [("a", "b")]
    assert road.table is not None and isinstance(road.table.rows[0].values[1], nodes.SetLiteral)


def test_an_edge_to_an_unknown_node_is_reported(tmp_path: Path) -> None:
    files = folder(tmp_path, map_yaml=MAP.replace("target: b", "target: c"))
    _, faults = game(GAME.replace("tokens:\n", NOUNS + "tokens:\n"), files)
    assert "unknown-node 5:33" in faults


def test_rows_are_read_from_a_csv_file(tmp_path: Path) -> None:
    rows = "row,near,worth,needs.red\nplain,a1 a2,3,1\nempty,,,\n"
    files = folder(tmp_path, sort_csv=rows)
    head, _ = GAME.split("    rows:\n")
    found, faults = game(head + "    rows: sort.csv\n", files)
    assert faults == []
    plain, empty = found.tables[0].rows
    assert len(plain.values[2].items) == 2  # type: ignore[union-attr]
    assert (str(plain.values[0].span)).endswith("sort.csv:2:13")  # type: ignore[union-attr]
    assert empty.values[1] == ()


def test_texts_and_clauses_are_found_in_the_folder(tmp_path: Path) -> None:
    files = folder(tmp_path, texts__pt_yaml="rules: {place: por}", clauses_yaml="T-1: {says: one, rules: [place, row]}")
    found, faults = game(GAME, files)
    assert faults == []
    assert (found.texts[-1].language, found.texts[-1].text) == ("pt", "por")
    assert found.clauses == (("place", ("T-1",)), ("row", ("T-1",)))


VARIANT = """\
rulespec: 1
variant: misere
of: tic_tac_toe
adds:
  functions:
    twice(number n): n + n
removes: [row]
changes:
  owns(player, cell): not base
  clear(cell): base(a1)
  line: 1 - base
  ranking: least score(player)
  whole_game:
    repeat: seat by seat, forever
  place:
    if: {mine: yes, other_one: no}
    do: stop
  rich.effect: clear(a2)
"""


def variant(text: str) -> tuple[nodes.Variant | None, list[str]]:
    document, report = load_text(text, "misere.yaml")
    schema.check(document, "variant", report)
    found = read_variant(document, game()[0], report)
    return found, [f"{one.code} {one.span.line}:{one.span.column}" for one in report.in_order()]


def test_a_variant_changes_what_its_base_declares() -> None:
    found, faults = variant(VARIANT)
    assert faults == [] and found is not None
    assert [type(body).__name__ for body in found.bodies] == ["Function", "Procedure", "Function"]
    keys = {(change.rule.text, change.key): change.value for change in found.keys}
    assert keys["place", "if.mine"] is None
    assert ("whole_game", "repeat") in keys and ("rich.effect", "do") in keys and ("ranking", "ranking") in keys
    assert [f.signature.name.text for f in found.adds.functions] == ["twice"]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("owns(player", "own(player", "unknown-rule 9:3"),
        ("removes: [row]", "removes: [rows]", "unknown-rule 7:11"),
        ("    repeat: seat", "    cost: seat", "unknown-key 14:5"),
    ],
)
def test_a_variant_that_changes_nothing_known_is_told_so(old: str, new: str, fault: str) -> None:
    assert variant(VARIANT.replace(old, new))[1] == [fault]


SCENARIOS = """\
rulespec: 1
scenarios_of: tic_tac_toe
scenarios:
  - name: a row wins
    clauses: [T-1]
    players: [cross, nought]
    given: |
      move 2 mark from box of cross to square of a1
    begin: whole_game by cross
    chance: [4]
    play:
      - cross answers place(cell=a3)
    then:
      - game_over
    not_offered: nought answers place(cell=a3)
    knows: {cross: hand is empty}
    extra: {plain: 2}
  - name: faulty
    then: a ==
"""


def test_scenarios_are_read_and_faulty_ones_set_aside() -> None:
    document, report = load_text(SCENARIOS, "s.yaml")
    assert schema.check(document, "scenarios", report)
    (found,) = read_scenarios(document, report)
    assert [one.code for one in report.diagnostics] == ["bad-formula"]
    assert found.begin is not None and found.begin.by is not None
    assert (len(found.given), len(found.play), len(found.not_offered)) == (1, 1, 1)
    assert (found.chance[0].value, found.extra[0][1], found.knows[0].player.text) == ("4", 2, "cross")
