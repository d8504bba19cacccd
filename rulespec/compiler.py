"""A checked game made into the program of docs/program.md: plain data, every array a list."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from rulespec import maps
from rulespec.asks import layout
from rulespec.checker import TypedGame
from rulespec.symbols import Names
from rulespec.value_types import LIMIT, to_json

LANGUAGE = 1
MOST_DECISIONS = 10_000
NOT_RULES = ("rules_hash", "sources", "texts", "title", "clauses")


def compile_game(typed: TypedGame, sources: dict[str, str], folder: str = "") -> dict[str, Any] | None:
    """Return the program of a game; None where an error stands.

    In the program files are named relative to *folder*, so that it is the same wherever the game lies.
    """
    asks = layout(typed.unit)
    if typed.unit.report.has_errors:
        return None
    parts = {**_header(typed, sources), **_nouns(typed), **_rules(typed), "asks": asks}
    program: dict[str, Any] = _plain(parts)
    program["sources"] = {name.removeprefix(folder): text for name, text in program["sources"].items()}
    for rule in program["rules"].values():
        rule["at"][0] = rule["at"][0].removeprefix(folder)
    program["rules_hash"] = rules_hash(program)
    return program


def _header(typed: TypedGame, sources: dict[str, str]) -> dict[str, Any]:
    game = typed.game
    texts: dict[str, dict[str, dict[str, str]]] = {}
    for text in game.texts:
        texts.setdefault(text.section, {}).setdefault(text.name.text, {})[text.language] = text.text
    return {
        "language": LANGUAGE, "game": game.name.text, "variants": list(game.variants), "title": dict(game.title),
        "sources": dict(sources), "texts": texts, "clauses": {rule: list(ids) for rule, ids in game.clauses},
        "players": {
            "min": game.players[0], "max": game.players[1], "default": game.players[0], "seats": typed.names.seats,
        },
        "options": typed.declared.options, "limits": {"decisions": MOST_DECISIONS, **dict(game.limits)},
    }  # fmt: skip


def _nouns(typed: TypedGame) -> dict[str, Any]:
    names, declared = typed.names, typed.declared
    return {
        "entities": names.entities,
        "kinds": {k.name: _kind(k) for k in names.kinds.values()},
        "tokens": declared.tokens,
        "token_rows": [r for info in names.tokens.values() for r in info.rows],
        "token_owners": [o for info in names.tokens.values() for o in info.owners],
        "first_token": names.first_token,
        "columns": {name: _column(c) for name, c in names.columns.items()},
        "distances": _distances(names, typed.unit.measured),
        "zones": declared.zones, "counters": declared.counters, "variables": declared.variables, "map": names.drawn,
    }  # fmt: skip


def _kind(info: Any) -> dict[str, Any]:
    numbers = list(info.numbers) if info.numbers else None
    return {"sort": info.sort, "plural": info.plural, "ranges": [list(r) for r in info.ranges], "numbers": numbers}


def _column(info: Any) -> dict[str, Any]:
    return {
        "kind": info.kind, "name": info.name, "key": info.key, "type": to_json(info.type), "values": info.values,
    }  # fmt: skip


def _distances(names: Names, measured: set[str]) -> dict[str, Any]:
    """Return the distances of the kinds that are measured or walked on."""
    return {kind: maps.distances(names, kind) for kind in sorted(measured)}


def _rules(typed: TypedGame) -> dict[str, Any]:
    game = typed.game

    def named(section: Any) -> list[str]:
        return [n.name.text for n in section if n.name.text in typed.unit.rules]

    return {
        "rules": typed.unit.rules, "cells": typed.cells, "layers": typed.layers, "lasting": typed.lasting,
        "root": game.phases[0].name.text, "triggers": typed.triggers, "ends": named(game.ends),
        "invariants": named(game.invariants), "scoring": named(game.scoring), "ranking": typed.ranking,
        "returns": typed.returns, "returns_bounds": _bounds(typed),
    }  # fmt: skip


def _bounds(typed: TypedGame) -> list[int]:
    """Return what a return lies between: the interval of the formula, -1..1 without one."""
    if typed.returns is None:
        return [-1, 1]
    written = typed.unit.rules["returns"]["result"]
    low, high = written[1], written[2]
    return [max(low, -LIMIT), min(high, LIMIT)]


def _plain(part: Any) -> Any:
    """Return the data with every tuple a list and nothing shared."""
    if isinstance(part, dict):
        return {key: _plain(value) for key, value in part.items()}
    if isinstance(part, list | tuple):
        return [_plain(value) for value in part]
    return part


def rules_hash(program: dict[str, Any]) -> str:
    """Return the hash of what the rules say: the program without spans, sources, texts, title and clauses."""
    kept = {key: value for key, value in program.items() if key not in NOT_RULES}
    text = json.dumps(_unplaced(kept), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _unplaced(part: Any) -> Any:
    if isinstance(part, dict):
        return {key: _unplaced(value) for key, value in part.items() if key != "at"}
    return [_unplaced(value) for value in part] if isinstance(part, list) else part
