"""Programs with one rule disabled: a scenario that names a clause of the rule must notice.

A mutant is data: where in a rule what is put in the place of what. It is made of the compiled program, never of its
text; only the part that changes is copied.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from interpreter.coverage import is_formula, rule_keys
from interpreter.program import Program
from interpreter.specialise.analysis import Statement

Path = tuple[str | int, ...]
Change = tuple[tuple[Path, Any], ...]
"""Places in a rule (or in the columns of a program), and what is put there."""

Found = tuple[Path, int]
"""A number written in a rule: the way to it, its value."""

YES, NO = ["lit", True], ["lit", False]
NUMBERS = {
    *("add", "sub", "mul", "div", "mod", "neg", "min", "max", "size", "count", "sum", "min_of", "max_of"),
    *("zone_size", "counter", "score", "distance", "face", "players_count"),
}
"""Operators whose value is a number."""
OVER_NUMBERS = {"add", "sub", "mul", "div", "mod", "neg", "min", "max", "range", "lt", "le", "gt", "ge"}
"""Operators whose operands are numbers."""
ALIKE = {"eq", "ne", "in", "union", "without", "set"}
"""Operators whose operands are all numbers if one of them is."""


@dataclass(frozen=True)
class Mutant:
    """One change of one rule: in words, where it stands, and in which programs under which name it is made."""

    rule: str
    words: str
    file: str
    line: int
    clauses: tuple[str, ...]
    places: tuple[tuple[int, str, Change], ...]
    """The number of a program, the name of its rule ("" where a column is changed), the change."""

    @property
    def name(self) -> str:
        """The mutation as an explanation names it."""
        return f"{self.rule}: {self.words}"


def list_mutants(programs: Sequence[Program], clauses: dict[str, tuple[str, ...]]) -> list[Mutant]:
    """Return the mutants of all rules that clauses point to (by name of the rule), over programs of one game.

    The programs differ in their variants; the one with the fewest comes first. A rule with the same content in
    several is changed in all of them.
    """
    found: dict[Any, Mutant] = {}
    for number, program in enumerate(programs):
        for rule, key in rule_keys(program).items():
            ids = _clauses_of(key[0], clauses)
            if not ids or program["rules"][rule]["kind"] == "invariant":
                continue
            at = program["rules"][rule]["at"]
            for words, line, change in _numbered(_of_rule(program, program["rules"][rule])):
                name = _shown(key[0], program, programs[0], found, key)
                _put(found, (key, words), Mutant(name, words, at[0], line or at[1], ids, ((number, rule, change),)))
        for row, ids in clauses.items():
            for words, change in _of_row(program, row):
                _put(found, (row, words), Mutant(row, words, *_place_of(program, row), ids, ((number, "", change),)))
    return list(found.values())


def mutated(program: Program, rule: str, change: Change) -> Program:
    """Return a program with one change; the rest is shared with the program it was made of."""
    part = "rules" if rule else "columns"
    name = rule or str(change[0][0][0])
    made = deepcopy(program[part][name])
    for path, value in change:
        inner = made
        *way, last = path if rule else path[1:]
        for step in way:
            inner = inner[step]
        inner[last] = deepcopy(value)
    return {**program, part: {**program[part], name: made}}


def _put(found: dict[Any, Mutant], key: Any, mutant: Mutant) -> None:
    if key in found:
        known = found[key]
        mutant = Mutant(known.rule, known.words, known.file, known.line, known.clauses, known.places + mutant.places)
    found[key] = mutant


def _shown(name: str, program: Program, first: Program, found: dict[Any, Mutant], key: Any) -> str:
    """Return a rule's name; of one that is not as in the first program, with the variants before it."""
    known = next((m.rule for k, m in found.items() if k[0] == key), None)
    own = [variant for variant in program["variants"] if variant not in first["variants"]]
    return known or (f"{'+'.join(own)}/{name}" if own else name)


def _clauses_of(rule: str, clauses: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the clauses of a rule: those that name it, or the row or trigger it belongs to."""
    if rule in clauses:
        return clauses[rule]
    owner, dot, _ = rule.partition(".")
    return clauses.get(owner, ()) if dot else ()


def _numbered(mutations: Iterator[tuple[str, int, Change]]) -> Iterator[tuple[str, int, Change]]:
    """Give mutations of equal words a number."""
    times: dict[str, int] = {}
    for words, line, change in mutations:
        times[words] = times.get(words, 0) + 1
        yield (words if times[words] == 1 else f"{words} ({times[words]})"), line, change


# --------------------------------------------------------------------------------------------- rules


def _of_rule(program: Program, rule: dict[str, Any]) -> Iterator[tuple[str, int, Change]]:
    """Yield the mutations of a rule: words, line (0: the rule's own), change."""
    if is_formula(rule) or rule["kind"] in ("function", "end", "score"):
        yield from _of_result(rule)
    else:
        yield "body skipped", 0, ((("body",), []),)
    if rule.get("cost"):
        yield "cost skipped", rule["cost"][0]["at"][0], ((("cost",), []),)
    for i, item in enumerate(rule.get("ifs", ())):
        yield from _condition(f"condition {item['name']}", _line(item), ("ifs", i, "when"))
    for i, part in enumerate(rule.get("parts", ())):
        yield from _of_part(rule, part, 0, ("parts", i))
    for place, statement in _with_paths(rule):
        yield from _of_statement(rule, statement, place)
    for paths, value, line in _literals(program, rule):
        for other in (value + 1, value - 1) if value > 0 else (value + 1,):
            yield f"{value} becomes {other}", line, tuple((path, ["lit", other]) for path in paths)


def _of_result(rule: dict[str, Any]) -> Iterator[tuple[str, int, Change]]:
    """Yield what a function may always give instead of its value."""
    result = rule["result"]
    values: list[tuple[str, Any]] = []
    match result:
        case "bool":
            values = [("true", YES), ("false", NO)]
        case ["int", _, _]:
            values = [("0", ["lit", 0])]
        case ["opt", _]:
            values = [("nothing", ["lit", -1])]
        case ["set", _]:
            values = [("empty", ["set"])]
    for word, value in values:
        if value == rule["body"]:
            continue
        script = [{"op": "return", "value": value, "at": rule["at"][1:]}]
        yield f"always {word}", 0, ((("body",), value if is_formula(rule) else script),)


def _condition(name: str, line: int, path: Path) -> Iterator[tuple[str, int, Change]]:
    yield f"{name} true", line, ((path, YES),)
    yield f"{name} false", line, ((path, NO),)


def _of_part(rule: dict[str, Any], part: dict[str, Any], line: int, path: Path) -> Iterator[tuple[str, int, Change]]:
    """Yield the mutations of what a player chooses: the conditions of its variables and of the set."""
    for i, variable in enumerate(part["vars"]):
        if variable["where"] is not None:
            yield from _condition(f"where of {rule['locals'][variable['local']][0]}", line, (*path, "vars", i, "where"))
    if part["set"] and part["set"]["such_that"] is not None:
        yield from _condition("such that", line, (*path, "set", "such_that"))


def _of_statement(rule: dict[str, Any], statement: Statement, path: Path) -> Iterator[tuple[str, int, Change]]:
    line = _line(statement)
    match statement["op"]:
        case "if":
            for i in range(len(statement["cases"])):
                yield from _condition("if", line, (*path, "cases", i, 0))
        case "while" | "until" as word:
            yield from _condition(word, line, (*path, "when"))
        case "choose":
            yield from _of_part(rule, statement["part"], line, (*path, "part"))
        case "rounds" if statement["pace"]["form"] in ("while", "until"):
            yield from _condition(statement["pace"]["form"], line, (*path, "pace", "value"))
    loop = statement.get("loop")
    if loop and loop["where"] is not None:
        yield from _condition("where", line, (*path, "loop", "where"))


def _with_paths(rule: dict[str, Any]) -> Iterator[tuple[Path, Statement]]:
    """Yield every statement of a rule with the way to it."""
    for key in ("cost", "body"):
        if rule.get(key) and not (key == "body" and is_formula(rule)):
            yield from _below(rule[key], (key,))


def _below(block: list[Statement], path: Path) -> Iterator[tuple[Path, Statement]]:
    for i, statement in enumerate(block):
        here = (*path, i)
        yield here, statement
        for key in ("body", "otherwise", "else", "reveal"):
            if isinstance(statement.get(key), list):
                yield from _below(statement[key], (*here, key))
        for number, (_, body) in enumerate(statement.get("cases", ())):
            yield from _below(body, (*here, "cases", number, 1))


def _line(part: dict[str, Any]) -> int:
    at = part.get("at") or [0]
    return int(at[1] if isinstance(at[0], str) else at[0])


# ------------------------------------------------------------------------------------------- numbers


def _literals(program: Program, rule: dict[str, Any]) -> Iterator[tuple[tuple[Path, ...], int, int]]:
    """Yield each number written in a rule: the places it stands at, its value, its line (0: the rule's own)."""
    reader = _Numbers(program, rule)
    found: list[tuple[Found, int]] = []
    if is_formula(rule):
        found += [(one, 0) for one in reader.found(rule["body"], ("body",), _is_int(rule["result"]))]
    for i, item in enumerate(rule.get("ifs", ())):
        found += [(one, _line(item)) for one in reader.found(item["when"], ("ifs", i, "when"), False)]
    for i, part in enumerate(rule.get("parts", ())):
        found += [(one, 0) for one in reader.of_part(part, ("parts", i))]
    for path, statement in _with_paths(rule):
        found += [(one, _line(statement)) for one in reader.of_statement(statement, path)]
    yield from ((_both(rule, path), value, line) for (path, value), line in found)


def _both(rule: dict[str, Any], path: Path) -> tuple[Path, ...]:
    """Return the places of a number: "exactly E cards" has E as least and as most, and is written once."""
    if "set" in path and "max" in path:
        at = path.index("max")
        part: Any = rule
        for step in path[:at]:
            part = part[step]
        if part["min"] == part["max"]:
            return (path, (*path[:at], "min", *path[at + 1 :]))
    return (path,)


class _Numbers:
    """Finds the literals of a rule that are numbers, not things: ids look the same."""

    def __init__(self, program: Program, rule: dict[str, Any]) -> None:
        self.program, self.rule = program, rule

    def of_part(self, part: dict[str, Any], path: Path) -> Iterator[Found]:
        for i, variable in enumerate(part["vars"]):
            yield from self.found(variable["in"], (*path, "vars", i, "in"), False)
            yield from self.found(variable["where"], (*path, "vars", i, "where"), False)
        if part["set"]:
            same = part["set"]["min"] == part["set"]["max"]
            for key in ("max",) if same else ("min", "max"):
                yield from self.found(part["set"][key], (*path, "set", key), True)
            yield from self.found(part["set"]["such_that"], (*path, "set", "such_that"), False)

    def of_statement(self, statement: Statement, path: Path) -> Iterator[Found]:
        for key in ("amount", "count"):
            yield from self.found(statement.get(key), (*path, key), True)
        for key in ("when", "what", "tokens", "dice", "from", "to", "by"):
            yield from self.found(statement.get(key), (*path, key), False)
        if "value" in statement:
            yield from self.found(statement["value"], (*path, "value"), self._wants_number(statement))
        if "pace" in statement:
            times = statement["pace"]["form"] == "times"
            yield from self.found(statement["pace"]["value"], (*path, "pace", "value"), times)
        for i, (condition, _) in enumerate(statement.get("cases", ())):
            yield from self.found(condition, (*path, "cases", i, 0), False)
        if "part" in statement:
            yield from self.of_part(statement["part"], (*path, "part"))
        if statement.get("loop"):
            yield from self._in_loop(statement["loop"], (*path, "loop"))
        if statement["op"] == "perform":
            yield from self._arguments(statement["rule"], statement["args"], (*path, "args"), 0)

    def _wants_number(self, statement: Statement) -> bool:
        match statement["op"]:
            case "let":
                return _is_int(self.rule["locals"][statement["local"]][1])
            case "return":
                return _is_int(self.rule["result"])
            case "set":
                return self.is_number(statement["target"])
        return False

    def found(self, tree: Any, path: Path, wanted: bool) -> Iterator[Found]:
        """Yield the numbers of a formula; *wanted* says whether it is to be a number itself."""
        if isinstance(tree, dict):
            yield from self._in_loop(tree, path)
            return
        if not isinstance(tree, list) or not tree or not isinstance(tree[0], str):
            return
        op = tree[0]
        if op == "lit":
            if wanted and type(tree[1]) is int:
                yield path, tree[1]
            return
        if op == "call":
            yield from self._arguments(tree[1], tree[2:], path, 2)
            return
        alike = op in ALIKE and (wanted or any(self.is_number(part) for part in tree[1:]))
        for i, part in enumerate(tree[1:], 1):
            inner = op in OVER_NUMBERS or alike or (op == "if" and wanted and i > 1)
            inner = inner or (op in ("sum", "min_of", "max_of") and i == 2)
            yield from self.found(part, (*path, i), inner)

    def _arguments(self, rule: str, args: list[Any], path: Path, first: int) -> Iterator[Found]:
        types = [kind for _, kind in self.program["rules"][rule]["locals"]]
        for i, part in enumerate(args):
            yield from self.found(part, (*path, first + i), _is_int(types[i]))

    def _in_loop(self, loop: dict[str, Any], path: Path) -> Iterator[Found]:
        if "zone" in loop:
            for i, key in enumerate(loop["keys"]):
                yield from self.found(key[1] if len(key) > 1 else None, (*path, "keys", i, 1), False)
            return
        for key in ("in", "where"):
            yield from self.found(loop.get(key), (*path, key), False)

    def is_number(self, tree: Any) -> bool:
        """Say whether a formula's value is surely a number (or a set of numbers)."""
        match tree:
            case ["local", i]:
                return i < len(self.rule["locals"]) and _is_int(self.rule["locals"][i][1])
            case ["call", name, *_]:
                return _is_int(self.program["rules"][name]["result"])
            case ["var", name, *_]:
                return any(v["name"] == name and _is_int(v["type"]) for v in self.program["variables"])
            case ["option", name]:
                return any(o["name"] == name and _is_int(o["type"]) for o in self.program["options"])
            case ["column", name, *_]:
                return _is_int(self.program["columns"][name]["type"])
            case ["if", _, left, right]:
                return self.is_number(left) or self.is_number(right)
            case [str(op), *_]:
                return op in NUMBERS or op == "range"
        return False


def _is_int(kind: Any) -> bool:
    """Say whether a type is one of numbers, or of sets of numbers."""
    return isinstance(kind, list) and (kind[0] == "int" or (kind[0] == "set" and _is_int(kind[1])))


# ---------------------------------------------------------------------------------------------- rows


def _of_row(program: Program, row: str) -> Iterator[tuple[str, Change]]:
    """Yield the mutations of what is printed on a row: each number one more, each truth turned over.

    How many tokens print a row is no part of a rule: they have been made when the program is there.
    """
    printed = {token["table"] for token in program["tokens"].values()}
    for name, column in program["columns"].items():
        kind = program["kinds"][column["kind"]]
        if kind["sort"] != "row" or (column["name"] == "copies" and column["kind"] in printed):
            continue
        ids = [i for low, high in kind["ranges"] for i in range(low, high)]
        for number, id in enumerate(ids):
            if program["entities"][id] == row:
                value = column["values"][number]
                for words, inner, other in _other_values(program, column, value):
                    yield f"{column['name']}{words}", (((name, "values", number, *inner), other),)


def _other_values(program: Program, column: dict[str, Any], value: Any) -> Iterator[tuple[str, Path, Any]]:
    if column["key"] is not None and isinstance(value, list):
        kind = program["kinds"][column["key"]]
        members = [i for low, high in kind["ranges"] for i in range(low, high)]
        for i, part in enumerate(value):
            key = program["entities"][members[i]] if i < len(members) else str(i)
            for words, inner, other in _other_values(program, {**column, "key": None}, part):
                yield f"({key}){words}", (i, *inner), other
    elif isinstance(value, bool):
        yield f" {'yes' if value else 'no'} turned over", (), not value
    elif _is_int(column["type"]) and isinstance(value, int):
        yield f" {value} becomes {value + 1}", (), value + 1


def _place_of(program: Program, row: str) -> tuple[str, int]:
    """Return the file and line a row stands in: the first line that begins with its name."""
    for file, text in program["sources"].items():
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip().startswith((f"{row},", f"{row}:")):
                return file, number
    return "", 0
