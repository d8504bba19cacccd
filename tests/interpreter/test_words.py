"""The tools speak every language they have a table for: the same keys, the same values in them."""

from __future__ import annotations

import string
from collections.abc import Iterator

import pytest

import rulespec
from interpreter.words import known, languages, table, word
from rulespec.cli.narrator import Narrator, event_text


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def entries(lang: str) -> Iterator[tuple[str, str, set[str]]]:
    for section, words in table(lang).items():
        for key, text in words.items():
            yield section, key, placeholders(text)


def test_there_are_four_languages() -> None:
    assert languages() == ("en", "es", "pl", "pt")


@pytest.mark.parametrize("lang", ["es", "pl", "pt"])
def test_all_tables_have_the_same_keys_and_placeholders(lang: str) -> None:
    assert list(entries(lang)) == list(entries("en"))


@pytest.mark.parametrize("lang", ["en", "es", "pl", "pt"])
def test_no_text_is_empty(lang: str) -> None:
    assert all(text.strip() == text and text for words in table(lang).values() for text in words.values())


def test_a_language_without_a_table_reads_english() -> None:
    assert word("xx", "notation", "pass") == word(None, "notation", "pass") == "pass"
    assert known("pl", "events", "somersault") == "somersault"


PASSES = {"en": "pass", "pt": "passar", "pl": "pas", "es": "pasar"}


@pytest.mark.parametrize("lang", PASSES)
def test_explanations_events_and_endings_are_in_the_language_asked_for(lang: str) -> None:
    state = rulespec.load("kuhn_poker").new_initial_state(seed=1)
    call = state.string_to_action("call")
    assert word(lang, "explain", "place", file="kuhn_poker.yaml", line=40) in state.explain(call).text(lang)
    assert event_text({"event": "move", "what": "x", "to": "y"}, lang).split() == [
        word(lang, "events", "move"), "x", word(lang, "events", "to"), "y",
    ]  # fmt: skip
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    narrator = Narrator(state.game, lang)
    assert word(lang, "tell", "over", count=0) in narrator.ending(state)
