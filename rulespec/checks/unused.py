"""Declarations nothing refers to."""

from __future__ import annotations

from rulespec.scope import Unit
from rulespec.symbols import Names

WORDS = {
    "functions": "function", "procedures": "procedure", "actions": "action", "zones": "zone",
    "variables": "variable", "counters": "counter", "options": "option", "lasting": "lasting change",
}  # fmt: skip


def check(names: Names, unit: Unit) -> None:
    """Warn of each declaration no rule names; what a variant covers is left out."""
    for section, word in WORDS.items():
        for name in getattr(names, section):
            if name not in names.used and "~" not in name and name in names.declared:
                unit.report.warning("unused", f"the {word} `{name}` is used nowhere", names.declared[name])
