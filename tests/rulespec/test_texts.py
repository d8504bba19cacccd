"""Texts for people are checked: what they are of, what stands in braces in them, their languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.words import languages
from rulespec.diagnostics import Diagnostic, Report
from rulespec.passes import build, build_text
from rulespec.reader_texts import SPOKEN

GAME = """\
rulespec: 1
game: g
title: {en: A game, pt: Um jogo}
players: 2
kinds: {colour: [red, blue]}
tokens: {stone: {count: 3, starts_in: heap}}
zones: {heap: {holds: stone, seen_by: all}}
phases:
  play: {by: seat(1), offer: [take], pass: leave}
actions:
  take:
    choose: [number n from 1..2, colour]
    if: {allowed: me is seat(1)}
    do: ask(n)
procedures:
  ask(number limit_now): |
    may choose stone from heap: move stone to heap
    if limit_now > 1: end game
ranking: most 1
"""
SOUND = """\
texts:
  play: {en: Play}
  take: {en: "Take {n}", de: "{n} nehmen"}
  take.colour: {pt-BR: "{colour}"}
  ask.stone: {en: "Choose {stone}"}
  ask: {en: "Of {limit_now}: {stone}"}
  ask.pass: {en: Nothing}
  leave: {en: Leave}
  allowed: {en: It is allowed}
"""

UNDER_ZONES = "write it in `texts/en.yaml`, under `zones`"
FAULTY = {
    "a rule that is not there": ("  tke: {en: x}", "21:3", "`tke`", "did you mean `take`?"),
    "a decision that is not there": ("  ask.stones: {en: x}", "21:3", "`ask.stones`", "did you mean `ask.stone`?"),
    "a zone among rules": ("  heap: {en: Heap}", "21:3", "`heap` is no rule", UNDER_ZONES),
    "a variable that is not chosen": ('  take: {en: "Take {m}, {n}"}', "21:20", "nothing named `m`", None),
    "a variable misspelt": ('  ask.stone: {en: A, pt: "B {stonne}"}', "21:29", "`stonne`", "did you mean `stone`?"),
    "a variable in a block": ("  take:\n    en: |\n      one\n      two {x}", "24:11", "nothing named `x`", None),
    "a variable of passing": ('  ask.pass: {en: "No {stone}"}', "21:22", "`ask.pass` chooses nothing", None),
    "a language that is none": ("  take: {en: x, eng: y}", "21:17", "`eng` is none of", "did you mean `en`?"),
}  # fmt: skip


def check(text: str) -> list[Diagnostic]:
    report = Report()
    build_text(text, report)
    return report.in_order()


def test_sound_texts_are_accepted() -> None:
    assert check(GAME + SOUND) == []


@pytest.mark.parametrize(("texts", "place", "said", "help"), FAULTY.values(), ids=FAULTY)
def test_faulty_texts_are_reported_at_their_place(texts: str, place: str, said: str, help: str | None) -> None:
    (found,) = check(f"{GAME}texts:\n{texts}\n")
    assert (f"{found.span.line}:{found.span.column}", said in found.message) == (place, True), found.message
    assert found.help == help


LASTING = """\
functions: {bonus(colour): 1}
lasting:
  better(colour, number by_how_much):
    lasts: for the rest of the game
    changes: {bonus(colour other_one): base + by_how_much if other_one is colour else base}
texts:
  better: {en: "{colour} is worth {by_how_much} more"}
"""


def test_a_text_of_a_lasting_change_may_name_what_it_was_begun_with() -> None:
    game = GAME.replace("if limit_now > 1: end game", "begin better(red, bonus(red))") + LASTING
    assert check(game) == []
    (found,) = check(game.replace("{by_how_much}", "{by_what}"))
    assert (found.code, found.message) == ("unknown-name", "`better` chooses nothing named `by_what`")


def in_folder(folder: Path, **files: str) -> Path:
    """Write a game with files beside it; return the game's file."""
    for name, text in {"game": GAME, **files}.items():
        path = folder / f"{name.replace('_of_', '/')}.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder / "game.yaml"


def faults(game: Path, *variants: str) -> list[str]:
    report = Report()
    build(game, variants, report)
    return [f"{Path(d.span.file).name}:{d.span.line}:{d.span.column} {d.message}" for d in report.in_order()]


def test_texts_of_nouns_are_checked_in_their_files(tmp_path: Path) -> None:
    texts = "zones:\n  heep: Heap\nconditions:\n  take.allowed: Yes\nvalues:\n  rad: Red\n  stone: Stone\n"
    assert faults(in_folder(tmp_path, texts_of_en=texts, texts_of_xx="rules: {}\n")) == [
        "en.yaml:2:3 this is a text of `heep`, and no zone is named so",
        "en.yaml:6:3 this is a text of `rad`, and no value is named so",
        "xx.yaml:1:1 `xx` is none of the two-letter codes of languages",
    ]


VARIANT = """\
rulespec: 1
variant: more
of: g
adds:
  functions: {limit: 3}
  texts:
    TEXTS
removes: [leave_it]
changes:
  take:
    if: {enough: limit > 2}
"""


def test_texts_may_be_of_what_a_variant_adds_or_removes(tmp_path: Path) -> None:
    texts = "rules:\n  limit: The limit\n  leave_it: Leave\nconditions:\n  take.enough: Enough\n"
    more = VARIANT.replace("TEXTS", "limit: {en: The limit}")
    game = in_folder(tmp_path, texts_of_en=texts, variants_of_more=more)
    game.write_text(GAME.replace("actions:\n", "actions:\n  leave_it: {do: end game}\n"))
    assert [fault for fault in faults(game) if "text" in fault] == []
    assert faults(game, "more") == []


def test_texts_of_a_variant_are_checked_with_it(tmp_path: Path) -> None:
    more = VARIANT.replace("TEXTS", "limt: {en: The limit}").replace("removes: [leave_it]\n", "")
    assert faults(in_folder(tmp_path, variants_of_more=more), "more") == [
        "more.yaml:7:5 this is a text of `limt`, and no rule is named so"
    ]


def test_the_languages_named_in_help_are_those_of_the_tools() -> None:
    assert languages() == SPOKEN
