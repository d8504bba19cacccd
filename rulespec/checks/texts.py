"""Texts for people: of a rule or a noun that is there, with what that rule chooses in braces."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from rulespec import nodes
from rulespec.diagnostics import said, suggestion
from rulespec.scope import Unit
from rulespec.symbols import Names

NOUNS = {"zones": "zone", "counters": "counter", "variables": "variable", "options": "option"}
RULES, CONDITIONS = "rules", "conditions"


def check(
    names: Names, unit: Unit, texts: Iterable[nodes.Text], own_file: str, elsewhere: Callable[[], set[str]]
) -> None:
    """Report texts of nothing, and names in braces that are not chosen by then.

    *own_file* holds the texts that are of rules alone; *elsewhere* are names that only variants know.
    """
    known = {section: set(getattr(names, section)) for section in NOUNS}
    known |= {RULES: _rules(names, unit), CONDITIONS: _conditions(names), "values": _values(names)}
    chosen = _chosen(names, unit)
    for text in texts:
        if not _is_there(names, known[text.section], text):
            others = elsewhere()
            if text.name.text not in others and text.name.text.split(".")[0] not in others:
                _unknown(unit, known, text, own_file)
        elif text.section == RULES and text.blanks:
            _blanks(unit, text, chosen)


def _is_there(names: Names, known: set[str], text: nodes.Text) -> bool:
    """Say whether a text is of something; a place is a value by its zone and its keys, `side(red, 1)`."""
    if text.name.text in known or text.section != "values":
        return text.name.text in known
    words = re.findall(r"[a-z_][a-z0-9_]*", text.name.text)
    return len(words) > 1 and all(word in known or word in names.zones or word in ("of", "in") for word in words)


def _unknown(unit: Unit, known: dict[str, set[str]], text: nodes.Text, own_file: str) -> None:
    name, section = text.name.text, text.section
    others = [each for each in (*NOUNS, "values") if each != section and name in known[each]]
    if others and text.span.file == own_file:
        help = f"write it in `texts/{text.language}.yaml`, under `{others[0]}`"
        message = f"`{name}` is no rule, and texts here are of rules"
        unit.report.error("unknown-rule", message, text.name.span, help=help)
        return
    word = NOUNS.get(section, "value" if section == "values" else "condition" if section == CONDITIONS else "rule")
    help, notes = suggestion(name, sorted(known[section]), f"{word}s of this game")  # type: ignore[assignment]
    code = "unknown-rule" if section == RULES else "unknown-name"
    message = f"this is a text of `{name}`, and no {word} is named so"
    unit.report.error(code, message, text.name.span, help=help, notes=notes)


def _blanks(unit: Unit, text: nodes.Text, chosen: dict[str, list[str]]) -> None:
    name = text.name.text
    there = chosen.get(name, [])
    for blank in text.blanks:
        if blank.text not in there:
            help, notes = suggestion(blank.text, there, f"what is chosen in `{name}`")
            message = f"`{name}` chooses nothing named `{blank.text}`"
            unit.report.error("unknown-name", message, blank.span, help=help, notes=notes)


def _chosen(names: Names, unit: Unit) -> dict[str, list[str]]:
    """Return by name the variables of a rule's decisions and its parameters, and those of each decision for itself."""
    found: dict[str, list[str]] = {}
    for asked in unit.asked:
        for name in {said(asked.name), said(asked.rule)}:
            found.setdefault(name, []).extend(asked.names)
    for rule, made in unit.rules.items():
        found.setdefault(said(rule), []).extend(local[0] for local in made["locals"][: made["params"]])
    for name, lasting in names.lasting.items():
        found.setdefault(name, []).extend((param.name or param.kind).text for param in lasting.signature.params)
    return found


def _rules(names: Names, unit: Unit) -> set[str]:
    found = {name for name, rule in unit.rules.items() if rule["kind"] != "hook"}
    found |= {asked.name for asked in unit.asked} | set(unit.passes) | set(names.triggers) | set(names.lasting)
    found |= set(names.cells) | {p.passing.text for p in names.phases.values() if p.passing is not None}
    found |= {f"{r.name.text}.{t.name.text}" for table in names.tables.values() for r in table.rows for t in r.triggers}
    return {said(name) for name in found} | {name.split(".")[-1] for name in _conditions(names)}


def _conditions(names: Names) -> set[str]:
    found = {f"{name}.{item.name.text}" for name, action in names.actions.items() for item in action.conditions}
    for table in names.tables.values():
        for row in table.rows:
            for cell, body in row.cells:
                if isinstance(body, nodes.Action):
                    found |= {f"{row.name.text}.{cell.text}.{item.name.text}" for item in body.conditions}
    return found


def _values(names: Names) -> set[str]:
    """Return the names that values are told by: of things, of kinds, of what options may be."""
    parts = {part for entity in names.entities for part in entity.split("#")[0].split(".")}
    return parts | set(names.entities) | {name for kind in names.kinds.values() for name in (kind.name, kind.plural)}
