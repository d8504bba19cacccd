"""Which rule a place in the rules belongs to: the code of one may be written into that of another."""

from __future__ import annotations

from interpreter.faults import Place
from interpreter.program import Program
from interpreter.specialise.analysis import script_of, walk


class RulesByPlace:
    """The rules of a program by where they begin and where their statements stand."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.rules: dict[tuple[str, int, int], list[str]] = {}
        for name, rule in program["rules"].items():
            begins = rule["at"][1:3], *(statement["at"][:2] for statement in walk(script_of(rule)))
            for line, column in {*map(tuple, begins)}:
                self.rules.setdefault((rule["at"][0], line, column), []).append(name)

    def at(self, place: Place) -> str:
        """Return the rule a place lies in: that of the function running there, or one written into it."""
        rules = self.rules.get(place[:3], ())
        running = self._of_function(place.function)
        found: str = running if running in rules or not rules else rules[0]
        return found.split("~")[0]

    def _of_function(self, python_name: str) -> str:
        """Return the rule a generated function belongs to."""
        name: str
        for name in self.program["rules"]:
            safe = "".join(c if c.isalnum() else "_" for c in name)
            if python_name.removeprefix("f_").startswith(safe + "_"):
                rest = python_name.removeprefix("f_")[len(safe) + 1 :].split("_")[0]
                if rest.isdigit():
                    return name
        return python_name
