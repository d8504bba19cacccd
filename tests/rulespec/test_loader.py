"""The loader: what is read, what is refused and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.documents import Mapping, Scalar, plain
from rulespec.loader import load_document, load_text

REFUSED = [
    ("a: 1\na: 2", "duplicate-key", "2:1"),
    ("a: &x 1", "anchor", "1:4"),
    ("a: !!int 3", "tag", "1:4"),
    ("<<: {a: 1}", "merge-key", "1:1"),
    ("a: >\n  x\n", "folded-scalar", "1:4"),
    ("a: x\n  y\n", "multi-line-scalar", "1:4"),
    ('a: "x\n  y"\n', "multi-line-scalar", "1:4"),
    ('a: "x\\n"', "escape-in-quotes", "1:6"),
    ("a: 'it''s'", "escape-in-quotes", "1:7"),
    ("a:\tb", "tab", "1:3"),
    ("a: 1\n---\nb: 2", "several-documents", "2:1"),
    ("%YAML 1.1\n---\na: 1", "directive", "1:1"),
    ("a: b: c", "colon-in-text", "1:5"),
    ("a: [1, 2\nb: 3\n", "unclosed-bracket", "1:4"),
    ('a: "x\nb: 1', "unclosed-quote", "1:4"),
    ("a: f(x # y)\n", "cut-by-comment", "1:4"),
    ("{a: f(x, y)}", "cut-by-comma", "1:5"),
    ("a: {b: 1, c}", "cut-by-comma", "1:11"),
    ("a: |2\n    x\n", "block-indicator", "1:4"),
    ("a: @x", "bad-character", "1:4"),
    ("[a]: 1", "bad-key", "1:1"),
    ("- a", "wrong-type", "1:1"),
    ("", "wrong-type", "1:1"),
    ("a: 1\n b: 2", "colon-in-text", "2:3"),
    ("[" * 100_000, "too-deep", "1:65"),
    ("- " * 1000 + "a", "too-deep", "1:1"),
    ("\n".join(" " * i + "a:" for i in range(1000)), "too-deep", "65:65"),
]


@pytest.mark.parametrize(("text", "code", "place"), REFUSED, ids=[f"{c}-{t[:12]!r}" for t, c, _ in REFUSED])
def test_what_loses_places_or_changes_silently_is_refused(text: str, code: str, place: str) -> None:
    _, report = load_text(text, "g.yaml")
    assert [(one.code, str(one.span)) for one in report.diagnostics] == [(code, f"g.yaml:{place}")]


def test_scalars_are_texts() -> None:
    document, report = load_text("a: no\nb: 07\nc: on\nd: 1e3\ne: ~", "g.yaml")
    assert report.diagnostics == []
    assert document.root is not None
    assert plain(document.root) == {"a": "no", "b": "07", "c": "on", "d": "1e3", "e": "~"}


def scalar(text: str) -> Scalar:
    document, report = load_text(text, "g.yaml")
    assert report.diagnostics == [] and isinstance(document.root, Mapping)
    found = document.root.entries[0][1]
    assert isinstance(found, Scalar)
    return found


@pytest.mark.parametrize(
    ("text", "content", "line", "column"),
    [
        ("a: x is y  # why\n", "x is y", 1, 4),
        ("a: 'x is y'\n", "x is y", 1, 5),
        ("é: x\n", "x", 1, 4),
        ("a: |\n\n    x\n      y\n", "\nx\n  y\n", 2, 5),
        ("a: |-\n  x\n", "x", 2, 3),
    ],
)
def test_a_text_knows_its_first_character(text: str, content: str, line: int, column: int) -> None:
    found = scalar(text)
    assert (found.text, found.origin.line, found.origin.column) == (content, line, column)


def test_a_file_outside_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "game").mkdir()
    (tmp_path / "secret.yaml").write_text("a: 1")
    (tmp_path / "game" / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    _, report = load_document(tmp_path / "game" / "link.yaml", tmp_path / "game")
    assert [one.code for one in report.diagnostics] == ["outside-folder"]


@pytest.mark.parametrize(
    ("content", "code"), [(b"\xff\xfe", "not-utf-8"), (b"a" * 2_000_001, "file-too-large"), (None, "file-not-found")]
)
def test_an_unreadable_file_is_a_diagnostic(tmp_path: Path, content: bytes | None, code: str) -> None:
    if content is not None:
        (tmp_path / "g.yaml").write_bytes(content)
    _, report = load_document(tmp_path / "g.yaml")
    assert [one.code for one in report.diagnostics] == [code]


def test_a_file_that_the_system_does_not_read_is_told_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("")
    _, report = load_document(tmp_path / "plain" / "g.yaml", name="g.yaml")
    (told,) = report.diagnostics
    assert (told.code, told.message) == ("file-not-found", "`g.yaml` cannot be read: a part of its path is no folder")


@pytest.mark.parametrize("name", ["g.yaml", "h.yaml"])
def test_a_text_that_comes_again_is_told_the_same_of(name: str) -> None:
    for _ in range(2):
        document, report = load_text("a: 1\nb: 2\na: 3", name)
        assert [(one.code, str(one.span)) for one in report.diagnostics] == [("duplicate-key", f"{name}:3:1")]
        assert plain(document.root) == {"a": "1", "b": "2"}


def test_what_is_folded_is_read_as_it_stands_so_that_nothing_else_is_wrong_in_it() -> None:
    document, report = load_text("a:\n  do: >\n    if b:\n        stop\n\n    roll c\nd: 1", "g.yaml")
    assert [(one.code, str(one.span)) for one in report.diagnostics] == [("folded-scalar", "g.yaml:2:7")]
    assert plain(document.root) == {"a": {"do": "if b:\n    stop\n\nroll c\n"}, "d": "1"}


@pytest.mark.parametrize("text", ['{"language": 1, "entities": ["a\\n"]}', '{"format": 1, "moves": []}'])
def test_a_program_or_a_save_is_no_spec_and_nothing_else_is_said(text: str) -> None:
    document, report = load_text(text, "g.yaml")
    assert document.root is None
    assert [one.code for one in report.diagnostics] == ["not-a-spec"]
