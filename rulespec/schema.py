"""The shape of our documents: known keys, required keys, kinds of value. The only importer of jsonschema."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from rulespec.diagnostics import Diagnostic, Report, nearest, suggestion
from rulespec.documents import Document, Mapping, Scalar, Sequence, Value, plain
from rulespec.source import Span

KINDS = ("game", "variant", "scenarios", "clauses", "texts")
NAMES = {"object": "a mapping", "array": "a list", "string": "a text"}


def text() -> str:
    """Return the JSON Schema of all documents, as JSON text."""
    return files("rulespec").joinpath("schema.json").read_text(encoding="utf-8")


@cache
def _schema() -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(text())
    return schema


@cache
def _validator(kind: str) -> Draft202012Validator:
    assert kind in KINDS, kind
    return Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": _schema()["$defs"]})


def kind_of(document: Document) -> str:
    """Return what a document says it is: "game", "variant" or "scenarios"."""
    root = document.root
    if root is not None and root.key("variant") is not None and root.key("game") is None:
        return "variant"
    return "scenarios" if root is not None and root.key("scenarios_of") is not None else "game"


def check(document: Document, kind: str, report: Report) -> bool:
    """Report every fault in a document's shape; return whether there is none."""
    if document.root is None:
        return False
    found = _faults(document.root, kind)
    for diagnostic in found:
        report.add(diagnostic)
    return not found


@lru_cache(maxsize=256)
def _faults(root: Mapping, kind: str) -> tuple[Diagnostic, ...]:
    """Return the faults in the shape of a document; one that comes again is not looked at again."""
    report = Report()
    for error in _validator(kind).iter_errors(plain(root)):
        _explain(error, root, report)
    return tuple(report.diagnostics)


def _walk(root: Value, path: list[str | int]) -> Iterator[tuple[str | int, Value, Span]]:
    """Go down a path; give each step, the value there and the place of its key."""
    here = root
    for step in path:
        if isinstance(here, Mapping):
            key = here.key(str(step))
            value = here.get(str(step))
            assert key is not None and value is not None
            yield step, value, key.span
            here = value
        else:
            assert isinstance(here, Sequence) and isinstance(step, int)
            here = here.items[step]
            yield step, here, here.span


def _explain(error: ValidationError, root: Mapping, report: Report) -> None:
    steps = list(_walk(root, list(error.absolute_path)))
    name, value, span = steps[-1] if steps else ("the document", root, _first_line(root))
    named = f"`{name}`" if isinstance(name, str) and steps else "the document" if not steps else "this item"
    wanted: Any = error.validator_value
    match error.validator:
        case "additionalProperties":
            _unknown_keys(error, value, report)
        case "required":
            for key in wanted:
                if isinstance(value, Mapping) and value.key(key) is None and not _misspelt(key, error, value):
                    report.error("missing-key", f"{named} lacks the key `{key}`", span)
        case "type":
            place = value.span if isinstance(value, Scalar) and value.text else span
            report.error("wrong-type", f"{named} wants {_wanted(wanted)}, found {_found(value)}", place)
        case "enum":
            allowed = [one for one in wanted if isinstance(one, str)]
            found = f"`{value.text}`" if isinstance(value, Scalar) else _found(value)
            listed = ", ".join(f"`{one}`" for one in allowed)
            place = value.span if isinstance(value, Scalar) and value.text else span
            report.error("bad-value", f"{named} is one of {listed}, found {found}", place)
        case _:
            raise AssertionError(f"schema.json uses {error.validator}, which has no message: the fault is ours")


def _first_line(root: Mapping) -> Span:
    return root.entries[0][0].span if root.entries else root.span


def _unknown_keys(error: ValidationError, value: Value, report: Report) -> None:
    assert isinstance(value, Mapping)
    schema: dict[str, Any] = dict(error.schema) if isinstance(error.schema, dict) else {}
    known = list(schema.get("properties", ()))
    for key, _ in value:
        if key.value not in known:
            help, notes = suggestion(key.value, known, "keys here")
            report.error("unknown-key", f"there is no key `{key.value}` here", key.span, help=help, notes=notes)


def _misspelt(key: str, error: ValidationError, value: Mapping) -> bool:
    """Say whether a key that is missing stands there spelt wrong, which is reported as unknown."""
    schema: dict[str, Any] = dict(error.schema) if isinstance(error.schema, dict) else {}
    known = list(schema.get("properties", ()))
    return any(nearest(written.value, known) == key for written, _ in value if written.value not in known)


def _wanted(types: str | list[str]) -> str:
    listed = [types] if isinstance(types, str) else types
    names = [NAMES[one] for one in listed if one in NAMES]
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]


def _found(value: Value) -> str:
    match value:
        case Mapping():
            return "a mapping"
        case Sequence():
            return "a list"
        case Scalar():
            return "a text" if value.text or value.style == "quoted" else "nothing"
