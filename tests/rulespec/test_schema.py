"""The schema: faults in a document's shape, all in one run, at the line of the key."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from rulespec import schema
from rulespec.loader import load_text

HEAD = "rulespec: 1\ngame: tic_tac_toe\nplayers: 2\nphases: {whole_game: {steps: [play]}}\n"


def faults(text: str, kind: str = "game") -> list[tuple[str, int, int]]:
    document, report = load_text(text, "g.yaml")
    schema.check(document, kind, report)
    return [(one.code, one.span.line, one.span.column) for one in report.in_order()]


FAULTS = [
    ("zoness: {}", [("unknown-key", 5, 1)]),
    ("zones: {box: {hold: mark, seen_by: all}}", [("unknown-key", 5, 15)]),
    ("zones: {box: {holds: mark, seen_by: me}}", [("bad-value", 5, 37)]),
    ("zones: [a]", [("wrong-type", 5, 1)]),
    ("functions:", [("wrong-type", 5, 1)]),
    ("functions: {f: [a]}", [("wrong-type", 5, 13)]),
    ("actions: {place: {do: stop, chose: [cell]}}", [("unknown-key", 5, 29)]),
    ("title: [a]\nseats: a", [("wrong-type", 5, 1), ("wrong-type", 6, 8)]),
    ("tables: {t: {columns: {a: 0..1}, rows: {r: a}}}", [("wrong-type", 5, 44)]),
]


@pytest.mark.parametrize(("text", "expected"), FAULTS, ids=[text for text, _ in FAULTS])
def test_faults_of_shape_are_reported_at_their_key(text: str, expected: list[tuple[str, int, int]]) -> None:
    assert faults(HEAD + text) == expected


def test_a_good_document_has_no_fault() -> None:
    assert faults(HEAD) == []


def test_all_missing_keys_are_reported_once_each() -> None:
    assert [code for code, _, _ in faults("rulespec: 1")] == ["missing-key"] * 3


def test_the_nearest_key_is_offered() -> None:
    document, report = load_text(HEAD + "zoness: {}", "g.yaml")
    schema.check(document, "game", report)
    assert report.diagnostics[0].help == "did you mean `zones`?"


@pytest.mark.parametrize(
    ("text", "kind"), [("game: a", "game"), ("variant: a\nof: b", "variant"), ("scenarios_of: a", "scenarios")]
)
def test_the_kind_of_a_document_is_seen_from_its_keys(text: str, kind: str) -> None:
    assert schema.kind_of(load_text(text, "g.yaml")[0]) == kind


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(json.loads(schema.text()))


@pytest.mark.parametrize("kind", ["game", "variant"])
def test_the_shape_of_a_document_that_comes_again_is_told_the_same_of(kind: str) -> None:
    told = []
    for _ in range(2):
        document, report = load_text(HEAD + "zoness: {}", "g.yaml")
        assert not schema.check(document, kind, report)
        told.append([(one.code, str(one.span)) for one in report.in_order()])
    assert told[0] == told[1] != []
