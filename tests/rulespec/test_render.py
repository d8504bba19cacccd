"""Rendering of diagnostics: text, JSON, SARIF."""

from __future__ import annotations

import pytest

from rulespec.diagnostics import Diagnostic, Related
from rulespec.render import render_text, to_dicts, to_sarif
from rulespec.source import SourceFile, Span

SOURCE = SourceFile("game.yaml", "zones:\n  box: {}\n  do: move mark to bxo\n")
FAULT = Diagnostic(
    "unknown-zone",
    "no zone is named `bxo`",
    Span("game.yaml", 3, 20, 3, 23),
    help="did you mean `box`?",
    notes=("zones of this game: `box`",),
    related=(Related(Span("game.yaml", 2, 3, 2, 6), "declared here"),),
    label="not a zone",
)


def test_text_shows_the_line_the_carets_the_related_place_notes_and_help() -> None:
    assert render_text([FAULT], {"game.yaml": SOURCE}) == (
        "game.yaml:3:20: error[unknown-zone]: no zone is named `bxo`\n"
        "3 |   do: move mark to bxo\n"
        "  |                    ^^^ not a zone\n"
        " --> game.yaml:2:3\n"
        "2 |   box: {}\n"
        "  |   --- declared here\n"
        "  = zones of this game: `box`\n"
        "  = help: did you mean `box`?\n"
    )


def test_text_without_the_source_has_no_lines() -> None:
    assert render_text([Diagnostic("c", "m", Span("x", 1, 1, 1, 2), "warning")], {}) == "x:1:1: warning[c]: m\n"


def test_no_diagnostics_are_no_text() -> None:
    assert render_text([], {}) == ""


def test_carets_stop_at_the_end_of_the_line() -> None:
    text = render_text([Diagnostic("c", "m", Span("game.yaml", 1, 6, 3, 2))], {"game.yaml": SOURCE})
    assert text.splitlines()[2] == "  |      ^"


def test_dicts_hold_every_field() -> None:
    (found,) = to_dicts([FAULT])
    assert (found["code"], found["line"], found["end_column"], found["help"]) == (
        "unknown-zone",
        3,
        23,
        "did you mean `box`?",
    )
    assert found["related"][0]["message"] == "declared here"


def test_sarif_has_version_rule_and_region() -> None:
    run = to_sarif([FAULT])["runs"][0]
    assert run["tool"]["driver"]["rules"] == [{"id": "unknown-zone"}]
    region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 3, "startColumn": 20, "endLine": 3, "endColumn": 23}


@pytest.mark.parametrize("column", [1, 40, 3000, 5996])
def test_of_a_very_long_line_the_part_around_the_fault_is_shown(column: int) -> None:
    line = "a" * (column - 1) + "FAULT" + "a" * (6000 - column - 4)
    text = render_text([Diagnostic("c", "m", Span("g", 1, column, 1, column + 5))], {"g": SourceFile("g", line)})
    _, shown, carets = text.splitlines()
    assert len(shown) < 300
    assert shown.index("FAULT") == carets.index("^^^^^")
    assert carets.count("^") == 5
