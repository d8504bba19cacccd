"""The compiled form of a game: plain data, to JSON and back. Its keys are described in docs/program.md."""

from __future__ import annotations

import json
from typing import Any, cast

from interpreter.errors import ProgramError

LANGUAGE = 1
LARGEST = 2**62
"""The largest number a program writes and a position holds, both ways."""

Program = dict[str, Any]
"""A compiled game, as JSON values."""

SECTIONS: dict[str, type | tuple[type, ...]] = {
    "language": int,
    "game": str,
    "variants": list,
    "title": dict,
    "rules_hash": str,
    "sources": dict,
    "players": dict,
    "options": list,
    "entities": list,
    "kinds": dict,
    "tokens": dict,
    "token_rows": list,
    "token_owners": list,
    "first_token": int,
    "columns": dict,
    "distances": dict,
    "zones": list,
    "counters": list,
    "variables": list,
    "rules": dict,
    "cells": dict,
    "layers": dict,
    "lasting": dict,
    "asks": list,
    "root": str,
    "triggers": list,
    "ends": list,
    "invariants": list,
    "scoring": list,
    "ranking": list,
    "limits": dict,
    "texts": dict,
    "clauses": dict,
}
"""What every program has, and the JSON type of each."""


def parse_program(text: str) -> Program:
    """Read a program from JSON text.

    Raises ProgramError when the text is not JSON, was made for another version, or lacks a part.
    """
    return check_program(read_json(text, "a compiled program"))


def read_json(text: str, what: str) -> Any:
    """Return the value of a stranger's JSON text, or raise ProgramError saying that it is not *what* it should be."""
    if not isinstance(text, str | bytes | bytearray):
        raise ProgramError(f"this is not {what}: it is no text")
    try:
        return json.loads(text, parse_constant=_refuse)
    except RecursionError:
        raise ProgramError(f"this is not {what}: its brackets are nested too deeply") from None
    except json.JSONDecodeError as fault:
        place = f"line {fault.lineno}, column {fault.colno}"
        raise ProgramError(f"this is not {what}: it is no JSON, or damaged at {place}") from None
    except (ValueError, TypeError) as fault:
        raise ProgramError(f"this is not {what}: {fault}") from None


def _refuse(name: str) -> None:
    """JSON has no such number."""
    raise ValueError(f"`{name}` is no number")


def check_program(data: object) -> Program:
    """Return *data* as a program, or raise ProgramError saying what is missing."""
    if not isinstance(data, dict):
        raise ProgramError("this is not a compiled program: expected one JSON object")
    if data.get("language") != LANGUAGE:
        raise ProgramError(
            f"this program is of language version {data.get('language')!r}; this runtime plays {LANGUAGE}"
        )
    for name, kind in SECTIONS.items():
        if not isinstance(data.get(name), kind):
            raise ProgramError(f"this compiled program has no usable `{name}`")
    if data["root"] not in data["rules"]:
        raise ProgramError(f"this compiled program names a root phase `{data['root']}` that it does not hold")
    return cast(Program, data)


def format_program(program: Program) -> str:
    """Return the program as JSON text; `parse_program` reads it back."""
    return json.dumps(program, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
