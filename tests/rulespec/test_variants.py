"""Variants replace rules by name; `base` is what lies below; what does not fit together is reported."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulespec.diagnostics import Report
from rulespec.passes import build

GAME = """\
rulespec: 1
game: sample
players: 2
variables:
  stones: {is: 0..9, start: 9}
functions:
  most_taken(player): 3
  finished: stones is 0
phases:
  whole_game:
    turns: each player clockwise from seat(1)
    repeat: seat by seat, while not finished
    offer: [take]
actions:
  take:
    choose:
      - number n from 1..3
    if:
      enough_there: n <= stones
      allowed: n <= most_taken(me)
    do: remove(n)
procedures:
  remove(number n): set stones to max(0, stones - n)
scoring:
  took_last: 1 if stones is 0 and player is active else 0
ranking: most score(player)
"""


def variant(name: str, body: str) -> str:
    return f"rulespec: 1\nvariant: {name}\nof: sample\n{body}"


def run(folder: Path, *bodies: str) -> tuple[dict[str, Any] | None, Report]:
    (folder / "variants").mkdir(exist_ok=True)
    (folder / "game.yaml").write_text(GAME, encoding="utf-8")
    names = [f"v{i}" for i in range(1, len(bodies) + 1)]
    for name, body in zip(names, bodies, strict=True):
        (folder / "variants" / f"{name}.yaml").write_text(variant(name, body), encoding="utf-8")
    report = Report()
    return build(folder, names, report), report


def codes(report: Report) -> list[str]:
    return [d.code for d in report.in_order() if d.severity == "error"]


def test_a_new_body_without_base_replaces_the_old(tmp_path: Path) -> None:
    program, report = run(tmp_path, "changes:\n  most_taken(player): 2\n")
    assert program is not None, report.in_order()
    assert program["rules"]["most_taken"]["body"] == ["lit", 2]
    assert "most_taken~1" not in program["rules"]
    assert program["variants"] == ["v1"]


def test_base_calls_what_is_covered_with_the_same_arguments(tmp_path: Path) -> None:
    program, report = run(tmp_path, "changes:\n  most_taken(player p): min(base, 2)\n")
    assert program is not None, report.in_order()
    assert program["rules"]["most_taken"]["body"] == ["min", ["call", "most_taken~1", ["local", 0]], ["lit", 2]]
    assert program["rules"]["most_taken~1"]["body"] == ["lit", 3]


def test_variants_stack_and_the_lowest_is_one(tmp_path: Path) -> None:
    first, second = "changes:\n  most_taken(player): base + 1\n", "changes:\n  most_taken(player): base - 2\n"
    program, report = run(tmp_path, first, second)
    assert program is not None, report.in_order()
    rules = program["rules"]
    assert rules["most_taken~1"]["body"] == ["lit", 3]
    assert rules["most_taken~2"]["body"] == ["add", ["call", "most_taken~1", ["local", 0]], ["lit", 1]]
    assert rules["most_taken"]["body"] == ["sub", ["call", "most_taken~2", ["local", 0]], ["lit", 2]]


def test_base_of_a_procedure_takes_other_arguments(tmp_path: Path) -> None:
    program, report = run(tmp_path, "changes:\n  remove(number n): base(min(n, 2))\n")
    assert program is not None, report.in_order()
    line = program["rules"]["remove"]["body"][0]
    assert (line["op"], line["rule"]) == ("perform", "remove~1")
    assert line["args"] == [["min", ["local", 0], ["lit", 2]]]


def test_keys_and_items_are_changed_added_and_lifted(tmp_path: Path) -> None:
    body = (
        "changes:\n  take:\n    if:\n      enough_there: yes\n      allowed: base or n is 1\n      even: n mod 2 is 0\n"
    )
    program, report = run(tmp_path, body)
    assert program is not None, report.in_order()
    found = {item["name"]: item["when"][0] for item in program["rules"]["take"]["ifs"]}
    assert found == {"allowed": "or", "even": "eq"}


def test_base_in_a_script_key_is_the_script_below(tmp_path: Path) -> None:
    program, report = run(tmp_path, "changes:\n  take:\n    do: |\n      base\n      remove(1)\n")
    assert program is not None, report.in_order()
    assert [s["rule"] for s in program["rules"]["take"]["body"]] == ["remove", "remove"]


def test_rules_are_added_and_removed(tmp_path: Path) -> None:
    body = "adds:\n  functions:\n    limit: 1\nremoves: [took_last]\nchanges:\n  most_taken(player): limit\n"
    body += "  ranking: least most_taken(player)\n"
    program, report = run(tmp_path, body)
    assert program is not None, report.in_order()
    assert program["scoring"] == []
    assert "limit" in program["rules"]


def test_two_variants_that_replace_one_rule_are_a_conflict(tmp_path: Path) -> None:
    plain = "changes:\n  most_taken(player): 2\n"
    program, report = run(tmp_path, plain, plain.replace("2", "1"))
    assert program is None
    assert codes(report) == ["variant-conflict"]


def test_over_settles_the_conflict(tmp_path: Path) -> None:
    plain = "changes:\n  most_taken(player): 2\n"
    program, report = run(tmp_path, plain, f"over: [v1]\n{plain.replace('2', '1')}")
    assert program is not None, report.in_order()
    assert program["rules"]["most_taken"]["body"] == ["lit", 1]


def test_different_keys_of_one_action_do_not_conflict(tmp_path: Path) -> None:
    program, report = run(
        tmp_path, "changes:\n  take:\n    do: remove(1)\n", "changes:\n  take:\n    if:\n      allowed: yes\n"
    )
    assert program is not None, report.in_order()


@pytest.mark.parametrize(
    ("body", "code", "help"),
    [
        ("changes:\n  most_takne(player): 2\n", "unknown-rule", "did you mean `most_taken`?"),
        ("removes: [took_lats]\n", "unknown-rule", "did you mean `took_last`?"),
        ("changes:\n  most_taken(player, number n): 2\n", "wrong-arguments", "it takes (player)"),
        ("changes:\n  take:\n    if:\n      alowed: yes\n", "unknown-condition", "did you mean `allowed`?"),
    ],
    ids=["change", "removal", "signature", "condition lifted"],
)
def test_what_does_not_exist_is_one_error(tmp_path: Path, body: str, code: str, help: str) -> None:
    program, report = run(tmp_path, body)
    assert program is None
    found = [d for d in report.in_order() if d.severity == "error"]
    assert [(d.code, d.help) for d in found] == [(code, help)]


def test_a_condition_that_a_lower_variant_lifted_may_be_lifted_again(tmp_path: Path) -> None:
    lifts = "changes:\n  take:\n    if:\n      allowed: yes\n"
    program, report = run(tmp_path, lifts, f"over: [v1]\n{lifts}")
    assert program is not None, report.in_order()
    assert [item["name"] for item in program["rules"]["take"]["ifs"]] == ["enough_there"]


def test_a_condition_that_a_lower_variant_added_may_be_lifted(tmp_path: Path) -> None:
    adds = "changes:\n  take:\n    if:\n      even: n mod 2 is 0\n"
    program, report = run(tmp_path, adds, "over: [v1]\nchanges:\n  take:\n    if:\n      even: yes\n")
    assert program is not None, report.in_order()
    assert [item["name"] for item in program["rules"]["take"]["ifs"]] == ["enough_there", "allowed"]


@pytest.mark.parametrize(
    "body",
    ["player", "|\n    let found = player\n    return found"],
    ids=["formula", "script"],
)
def test_a_function_that_gives_something_else_is_reported_where_the_variant_says_so(tmp_path: Path, body: str) -> None:
    program, report = run(tmp_path, f"changes:\n  most_taken(player): {body}\n")
    assert program is None
    found = [d for d in report.in_order() if d.span.file.endswith("v1.yaml")]
    assert [(d.code, d.message, d.span.line) for d in found] == [
        ("type-mismatch", "`most_taken` gives the number 3 in the game, and a player here", 5)
    ]


def test_a_function_that_fits_is_not_blamed_for_another_fault(tmp_path: Path) -> None:
    body = "changes:\n  most_taken(player): 9\n  finished: stones\n"
    program, report = run(tmp_path, body)
    assert program is None
    assert [d.span.line for d in report.in_order() if d.span.file.endswith("v1.yaml")] == [6]


def test_an_unknown_variant_is_named(tmp_path: Path) -> None:
    run(tmp_path, "changes:\n  most_taken(player): 2\n")
    report = Report()
    assert build(tmp_path, ["v2"], report) is None
    assert codes(report) == ["unknown-variant"]


CARDS = """\
tokens: {card: {prints: title, starts_in: pile}}
zones: {pile: {holds: card, seen_by: all}}
tables:
  title:
    columns: {copies: 1..9}
    cells: {worth: 0..9 = 0}
    rows: {low: [2]}
"""


def run_with_cards(folder: Path, *bodies: str) -> tuple[dict[str, Any] | None, Report]:
    (folder / "variants").mkdir()
    (folder / "game.yaml").write_text(GAME + CARDS, encoding="utf-8")
    for number, body in enumerate(bodies):
        (folder / "variants" / f"v{number}.yaml").write_text(variant(f"v{number}", body), encoding="utf-8")
    report = Report()
    return build(folder, [f"v{number}" for number in range(len(bodies))], report), report


def more_rows(rows: str) -> str:
    return f"adds:\n  tables:\n    title:\n      rows: {rows}\n"


def test_a_variant_adds_rows_behind_those_of_a_table(tmp_path: Path) -> None:
    first, second = more_rows("{high: {printed: [3], worth: 5}}"), more_rows("{joker: [1]}")
    program, report = run_with_cards(tmp_path, first, second)
    assert codes(report) == []
    assert program is not None
    rows = [program["entities"][row] for row in program["token_rows"]]
    assert rows == ["low", "low", "high", "high", "high", "joker"]
    assert [program["rules"][rule]["body"] for rule in program["cells"]["title.worth"]["rules"].values()] == [
        ["lit", 5]
    ]


@pytest.mark.parametrize(
    ("rows", "code"),
    [("{low: [1]}", "duplicate-name"), ("{high: [1, 2]}", "wrong-row-length"), ("{high: {power: 1}}", "unknown-cell")],
    ids=["a row there is", "too many values", "a cell there is not"],
)
def test_added_rows_are_checked_like_those_of_the_game(tmp_path: Path, rows: str, code: str) -> None:
    program, report = run_with_cards(tmp_path, more_rows(rows))
    assert (program, codes(report)) == (None, [code])


COVERED = {
    "a covered function called wrongly": "  most_taken(player): base(player, player) + 1\n",
    "a covered function in a circle": "  most_taken(player): base + most_taken(player)\n",
    "a name near a covered rule": "  most_taken(player): base + most_takn(player)\n  remove(number n): base(m)\n",
    "a number nothing bounds in a covered procedure": (
        "  remove(number n): |\n    base\n    choose number m from 1..n\n    choose number m2 from 1..n\n"
    ),
}


@pytest.mark.parametrize("changes", COVERED.values(), ids=COVERED)
def test_what_is_covered_is_called_by_its_own_name(tmp_path: Path, changes: str) -> None:
    program, report = run(tmp_path, f"changes:\n{changes}")
    assert program is None
    for found in report.in_order():
        assert "~" not in " ".join([found.message, found.help or "", *found.notes]), found


def test_a_function_in_a_circle_is_not_named_twice_in_a_row(tmp_path: Path) -> None:
    _, report = run(tmp_path, "changes:\n  most_taken(player): base\n  finished: base and finished\n")
    assert [d.message for d in report.in_order()] == ["a function may not use itself: `finished` uses `finished`"]


CAUSED = {
    "a rule removed": ("removes: [remove]\n", "unknown-rule", 21, (4, "`v1` removes `remove` here")),
    "a choice of another name": (
        "changes:\n  take:\n    choose: [number m from 1..3]\n", "unknown-name", 20, (6, "`v1` changes `take` here"),
    ),
    "another type": ("changes:\n  finished: 3\n", "type-mismatch", 12, (5, "`v1` changes `finished` here")),
}  # fmt: skip


@pytest.mark.parametrize(("body", "code", "line", "related"), CAUSED.values(), ids=CAUSED)
def test_a_fault_of_the_game_under_a_variant_names_the_variants_line(
    tmp_path: Path, body: str, code: str, line: int, related: tuple[int, str]
) -> None:
    _, report = run(tmp_path, body)
    in_game = [d for d in report.in_order() if d.severity == "error" and d.span.file.endswith("game.yaml")]
    found = [(d.code, d.span.line, [(r.span.line, r.message) for r in d.related]) for d in in_game]
    assert (code, line, [related]) in found, found
    assert all(any(r.span.file.endswith("v1.yaml") for r in d.related) for d in in_game), found


def test_a_fault_that_the_game_has_alone_is_not_put_on_a_variant(tmp_path: Path) -> None:
    (tmp_path / "variants").mkdir()
    (tmp_path / "game.yaml").write_text(GAME.replace("do: remove(n)", "do: removes(n)"), encoding="utf-8")
    (tmp_path / "variants" / "v1.yaml").write_text(variant("v1", "changes:\n  finished: yes\n"), encoding="utf-8")
    report = Report()
    build(tmp_path, ["v1"], report)
    assert [(d.code, d.related) for d in report.in_order() if d.severity == "error"] == [("unknown-rule", ())]


def test_a_variant_is_laid_over_a_game_once() -> None:
    report = Report()
    assert build("via_romana", ["empate_desastroso", "limite_incondicional", "empate_desastroso"], report) is None
    (fault,) = report.in_order()
    assert (fault.code, fault.span.file.endswith("empate_desastroso.yaml"), fault.span.line) == (
        "variant-twice",
        True,
        2,
    )


def test_two_variants_of_one_name_are_both_shown(tmp_path: Path) -> None:
    finished = "changes:\n  finished: yes\n"
    run(tmp_path, finished)
    again = tmp_path / "variants" / "again.yaml"
    again.write_text(variant("v1", finished), encoding="utf-8")
    report = Report()
    build(tmp_path, ["v1", again], report)
    (fault,) = report.in_order()
    assert (fault.code, Path(fault.span.file).name) == ("variant-twice", "again.yaml")
    assert [(Path(r.span.file).name, r.message) for r in fault.related] == [("v1.yaml", "laid here first")]
