"""Programs have the shape docs/program.md promises."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulespec.compiler import rules_hash
from rulespec.diagnostics import Report
from rulespec.passes import build, build_text

ROOT = Path(__file__).parents[2]
FILES = [
    *sorted((ROOT / "examples").glob("*.yaml")),
    *sorted((ROOT / "tests" / "micro").glob("[01]*.yaml")),
    *sorted((ROOT / "games").glob("*/game.yaml")),
]
GAMES = [f for f in FILES if "\nvariant:" not in f.read_text(encoding="utf-8")]


def compiled(path: Path) -> dict[str, Any]:
    report = Report()
    program = build(path, [], report)
    assert program is not None, [f"{d.span}: {d.message}" for d in report.in_order()]
    return program


@pytest.fixture(scope="module")
def tic_tac_toe() -> dict[str, Any]:
    return compiled(ROOT / "examples" / "tic_tac_toe.yaml")


@pytest.fixture(scope="module", params=GAMES, ids=lambda p: p.stem if p.stem != "game" else p.parent.name)
def program(request: pytest.FixtureRequest) -> dict[str, Any]:
    return compiled(request.param)


def formulas(part: Any) -> Iterator[list[Any]]:
    if isinstance(part, dict):
        for value in part.values():
            yield from formulas(value)
    elif isinstance(part, list):
        if part and isinstance(part[0], str):
            yield part
        for value in part:
            yield from formulas(value)


def objects(part: Any) -> Iterator[dict[str, Any]]:
    if isinstance(part, dict):
        yield part
        for value in part.values():
            yield from objects(value)
    elif isinstance(part, list):
        for value in part:
            yield from objects(value)


def test_a_program_is_plain_data(program: dict[str, Any]) -> None:
    assert json.loads(json.dumps(program)) == program


def test_the_hash_is_of_the_rules_alone(program: dict[str, Any]) -> None:
    assert program["rules_hash"] == rules_hash({**program, "sources": {}, "title": {}, "texts": {}})


def test_ids_run_without_gaps_from_seats_to_tokens(program: dict[str, Any]) -> None:
    ranges = sorted(
        r for name, k in program["kinds"].items() if k["sort"] != "union" and " " not in name for r in k["ranges"]
    )
    ends = [0, *(high for _, high in ranges)]
    assert [low for low, _ in ranges] == ends[:-1]
    assert ends[-1] == len(program["entities"])
    assert len(program["token_rows"]) == len(program["token_owners"]) == ends[-1] - program["first_token"]


def test_every_local_is_declared_in_its_rule(program: dict[str, Any]) -> None:
    for name, rule in program["rules"].items():
        used = [f[1] for f in formulas(rule) if f[0] == "local" and len(f) == 2 and isinstance(f[1], int)]
        used += [o["local"] for o in objects(rule) if isinstance(o.get("local"), int)]
        assert all(0 <= local < len(rule["locals"]) for local in used), name


def test_every_name_that_is_called_exists(program: dict[str, Any]) -> None:
    zones, variables = ({z["name"] for z in program[key]} for key in ("zones", "variables"))
    for rule in program["rules"].values():
        for formula in formulas(rule.get("body")):
            if formula[0] == "call":
                assert formula[1] in program["rules"]
            if formula[0] == "column":
                assert formula[1] in program["columns"]
            if formula[0] == "var":
                assert formula[1] in variables
        for found in objects(rule):
            if found.get("op") == "perform":
                assert found["rule"] in program["rules"]
            if "keys" in found and "zone" in found:
                assert found["zone"] in zones


def test_every_statement_says_where_it_stands(program: dict[str, Any]) -> None:
    for rule in program["rules"].values():
        assert len(rule["at"]) == 5
        for found in objects(rule):
            assert "op" not in found or len(found["at"]) == 4


def test_every_choice_has_its_ask(program: dict[str, Any]) -> None:
    asks = {a["name"]: a for a in program["asks"]}
    assert len(asks) == len(program["asks"])
    for rule in program["rules"].values():
        for found in objects(rule):
            if "ask" in found and "vars" in found:
                assert len(asks[found["ask"]]["domains"]) == len(found["vars"])
            if found.get("op") in ("choose", "offer") and found["pass"] is not None:
                assert asks[found["pass"]]["passing"]


def test_columns_have_a_value_for_each_member(program: dict[str, Any]) -> None:
    for name, column in program["columns"].items():
        kind = program["kinds"][column["kind"]]
        assert len(column["values"]) == sum(high - low for low, high in kind["ranges"]), name


def test_compiling_twice_gives_equal_programs() -> None:
    path = ROOT / "examples" / "tic_tac_toe.yaml"
    assert json.dumps(compiled(path)) == json.dumps(compiled(path))


def test_tic_tac_toe_has_its_cells_lines_and_action(tic_tac_toe: dict[str, Any]) -> None:
    assert tic_tac_toe["kinds"]["cell"]["ranges"] == [[2, 11]]
    assert tic_tac_toe["kinds"]["line"]["sort"] == "line"
    assert len(tic_tac_toe["columns"]["line.cells"]["values"]) == 8
    assert tic_tac_toe["columns"]["cell.neighbours"]["values"][4] == [3, 5, 7, 9]
    assert [a["name"] for a in tic_tac_toe["asks"]] == ["place"]
    assert tic_tac_toe["asks"][0]["domains"] == [["kind", "cell"]]
    rounds = tic_tac_toe["rules"]["whole_game"]["body"][1]
    assert (rounds["op"], rounds["role"], rounds["pace"]["by"]) == ("rounds", "turns", "seat")


def micro(name: str) -> dict[str, Any]:
    return compiled(next((ROOT / "tests" / "micro").glob(f"*_{name}.yaml")))


def test_layers_of_rows_stand_in_table_order() -> None:
    program = micro("modifiers_that_stack")
    assert [layer["rule"] for layer in program["layers"]["defence"]] == ["wall.defence", "shrine.defence"]
    assert program["rules"]["wall.defence"]["params"] == 2
    assert any(f == ["base", ["local", 1]] for f in formulas(program["rules"]["wall.defence"]))


def test_a_lasting_change_has_its_parameters_before_those_of_the_function() -> None:
    program = micro("until_his_next_turn_ends")
    layer = program["layers"]["blocked"][0]
    assert layer == {"by": "lasting", "lasting": "block", "rule": "block.blocked"}
    assert [name for name, _ in program["rules"]["block.blocked"]["locals"][:4]] == ["player", "disc", "p", "d"]
    assert program["lasting"]["block"]["lasts"]["form"] == "next_turn"


def test_a_script_cell_is_performed_on_a_thing() -> None:
    program = micro("copy_a_card")
    assert program["cells"]["title.effect"]["rules"].keys() == {
        str(program["entities"].index(row)) for row in ("miner", "bomb", "mimic")
    }
    lines = [o for o in objects(program["rules"]["mimic.effect"]) if o.get("op") == "perform_cell"]
    assert [line["cell"] for line in lines] == ["title.effect"]


def test_a_simultaneous_choice_has_two_blocks() -> None:
    program = micro("exchange_then_lay")
    found = next(o for o in objects(program["rules"]["exchange"]) if o.get("op") == "simultaneous")
    assert [s["op"] for s in found["body"]] == ["choose"]
    assert [s["op"] for s in found["reveal"]] == ["move"]


def test_tokens_that_may_lie_in_single_slots_are_named_by_their_slot() -> None:
    text = """\
rulespec: 1
game: sample
players: 2
map:
  cell: {is: grid 2 by 2}
tokens:
  mark: {each: player, count: 2, starts_in: box of mark.owner}
zones:
  box:    {each: player, holds: mark, seen_by: all}
  square: {each: cell, holds: mark, at_most: 1, seen_by: all}
functions:
  marks_of(player): those(mark in square where mark.owner is player)
phases:
  whole_game:
    by: seat(1)
    offer: [lift, bring, touch]
actions:
  lift:
    choose:
      - mark from marks_of(me)
    do: move mark to my box
  bring:
    choose:
      - mark from my box
    do: move mark to square of cell(1, 1)
  touch:
    choose:
      - mark from my box + marks_of(me)
    do: move mark to my box
"""
    report = Report()
    built = build_text(text, report)
    assert built is not None and built.program is not None, report.in_order()
    domains = {a["name"]: a["domains"][0] for a in built.program["asks"]}
    assert domains["lift"] == ["slot", ["square"]]
    assert domains["bring"] == ["class", ["mark"]]
    assert domains["touch"] == ["slot_class", ["box", "square"], ["mark"]]


def test_a_bound_by_slot_is_a_list() -> None:
    text = """\
rulespec: 1
game: sample
players: 2
kinds:
  icon: [star, moon]
tokens:
  goal: {prints: side, starts_in: goals}
  peg:  {count: 9, starts_in: supply}
zones:
  goals:  {holds: goal, seen_by: all}
  supply: {holds: peg, seen_by: all}
  post:   {each: goal and icon, holds: peg, at_most: goal.icons(icon), seen_by: all}
phases:
  whole_game:
    do: |
      for each goal: move 1 peg from supply to post(goal, star)
tables:
  side:
    columns: {icons(icon): 0..3}
    rows:
      low:  [{star: 1}]
      high: [{star: 2, moon: 3}]
"""
    report = Report()
    built = build_text(text, report)
    assert built is not None and built.program is not None, report.in_order()
    zones = {z["name"]: z for z in built.program["zones"]}
    assert zones["post"]["at_most"] == [1, 0, 2, 3]
