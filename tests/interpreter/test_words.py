"""The tools speak every language they have a table for: the same keys, the same values in them."""

from __future__ import annotations

import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import rulespec
from interpreter.errors import REASONS
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


def test_reasons_of_files_are_in_every_table() -> None:
    assert set(table("en")["files"]) == set(REASONS.values())
    assert all(text == key for key, text in table("en")["files"].items())


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


PURSES = """\
rulespec: 1
game: purses
title: {en: Purses}
players: 2
seats: [red, blue]
tokens: {coin: {each: player, count: 2, starts_in: purse of coin.owner}}
zones:
  purse: {each: player, holds: coin, seen_by: all}
  box:   {holds: coin, seen_by: all}
variables: {payer: {is: player, start: red}}
phases:
  whole_game:
    turns: each player clockwise from seat(1)
    offer: [spend]
actions:
  spend:
    do: |
      set payer to me
      move 1 coin from my purse to box
ranking: most count(purse of player)
"""
POLISH = """\
rules: {spend: "Zapłać"}
values: {red: Czerwony, blue: Niebieski, coin: Moneta}
zones: {purse: Sakiewka, box: Skrzynka}
variables: {payer: Płatnik}
"""


def test_events_are_told_in_the_words_of_the_game(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "pl.yaml").write_text(POLISH, encoding="utf-8")
    (tmp_path / "game.yaml").write_text(PURSES, encoding="utf-8")
    state = rulespec.load(tmp_path).new_initial_state()
    for _ in range(2):
        state.apply_action(state.legal_actions()[0])
    red, chose = Narrator(state.game, "pl", seat=0), known("pl", "events", "chose")
    told = "\n".join(red.news(state))
    assert f"{chose} Niebieski Zapłać" in told
    assert f"{chose} Czerwony" not in told
    link = {name: word("pl", "events", name) for name in ("move", "from", "to", "set", "value")}
    coin = "{move} Moneta (Niebieski) {from} Sakiewka (Niebieski) {to} Skrzynka"
    assert coin.format(**link) in told
    assert "{set} Płatnik {value} Niebieski".format(**link) in told


@pytest.mark.parametrize("text", ["purse of red", "space(2, 1)", "?card 3", "box"])
def test_names_without_a_text_are_told_as_they_are(text: str) -> None:
    game = rulespec.load("matching_pennies")
    assert game.notation.names_in(text, "pl") == text


def test_what_another_chose_in_secret_is_told_by_its_title_alone(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(
        "rulespec: 1\ngame: secrets\nplayers: 2\ntokens: {card: {prints: suit, starts_in: hand of seat(2)}}\n"
        "zones:\n  hand: {each: player, holds: card, seen_by: owner}\n  heap: {holds: card, seen_by: nobody}\n"
        "phases:\n  whole_game: {by: seat(2), offer: [hide]}\nactions:\n"
        "  hide:\n    choose:\n      - card from my hand\n"
        "    do: move card to heap\nranking: most count(hand of player)\n"
        "tables: {suit: {columns: {worth: 1..2}, rows: {low: [1], high: [2]}}}\n"
        'texts:\n  hide: {en: "Hide it: {card}"}\n',
        encoding="utf-8",
    )
    state = rulespec.load(tmp_path / "game.yaml").new_initial_state()
    state.apply_action(state.string_to_action("hide(card=low)"))
    told = list(Narrator(state.game, "en", seat=0).news(state))
    assert any(line.strip().endswith("Hide it") for line in told)
    assert not any("{" in line or "low" in line for line in told)
