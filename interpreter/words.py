"""The words of the tools themselves, one file a language in `languages/`; the words of a game are in its texts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

DEFAULT = "en"
Table = Mapping[str, Mapping[str, str]]


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that have a table."""
    found = (file.name for file in files("interpreter").joinpath("languages").iterdir())
    return tuple(sorted(name.removesuffix(".json") for name in found if name.endswith(".json")))


@cache
def table(lang: str) -> Table:
    """Return all words of a language, by section and key."""
    text = files("interpreter").joinpath("languages", f"{lang}.json").read_text(encoding="utf-8")
    found: Table = json.loads(text)
    return found


def word(lang: str | None, section: str, key: str, **values: Any) -> str:
    """Return a word or sentence in a language, in English where that has no table, with these values in it."""
    words = table(lang if lang in languages() else DEFAULT)[section]
    return words[key].format(**values) if values else words[key]


def known(lang: str | None, section: str, key: str) -> str:
    """Return a word in a language; a key that no table has stands for itself."""
    return word(lang, section, key) if key in table(DEFAULT)[section] else key


def languages_of(program: Mapping[str, Any]) -> list[str]:
    """Return the languages in which a game can be told: those of the tools, and those of its own texts."""
    texts = [program["title"], *(said for section in program["texts"].values() for said in section.values())]
    return sorted({*languages(), *(lang for said in texts for lang in said)})
