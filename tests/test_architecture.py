"""The house rules of docs/architecture.md, kept by reading the source."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("interpreter", "rulespec")

LAYERS: dict[str, list[set[str]]] = {
    "interpreter": [
        {"errors", "values", "words"},
        {"chance"},
        {"arguments", "program", "shapes"},
        {"formulas", "layout", "wellformed"},
        {"actions", "cells", "differences", "labels", "runtime", "soundness", "validity"},
        {"faults", "position", "specialise", "story"},
        {"state"},
        {"agents", "coverage", "explanation", "notation", "rule_places", "scenario", "stepping", "tree"},
        {"knowledge", "mutation", "saves"},
        {"game"},
        {"playout", "proving"},
        {"simulate"},
        {"__init__"},
        {"__main__"},
    ],
    "rulespec": [
        {"source", "operations", "library"},
        {"diagnostics", "documents", "nodes", "value_types"},
        {"render", "schema", "symbols", "syntax_faults", "yaml_faults", "trees", "scenario_nodes", "variants"},
        {"bounds", "chains"},
        {"loader", "parser", "maps", "folding", "scope"},
        {"asks", "coercions", "reading", "resolver"},
        {
            "reader_nouns",
            "reader_rules",
            "reader_texts",
            "scenario_reader",
            "binders",
            "builtin_calls",
            "calls",
            "checks",
        },
        {"reader_tables", "choices", "references"},
        {"reader", "effects", "expressions"},
        {"statements", "raising"},
        {"phases"},
        {"rules"},
        {"triggers", "declarations"},
        {"checker"},
        {"compiler", "blame"},
        {"passes"},
        {"scenarios"},
        {"__init__"},
        {"cli"},
    ],
}
"""Who may import whom: a module imports from the rows before its own, never from its own. A folder is one room."""

NAMED_FOR_TYPES = {
    "interpreter.explanation",
    "interpreter.game",
    "interpreter.specialise.build",
    "interpreter.specialise.code",
    "interpreter.state",
}
"""What modules above it may name under `if TYPE_CHECKING`, and there alone: a state holds the code that takes the
state, and a game the parts that take the game. The list may shrink and not grow."""

LONG_MODULE, LONG_FUNCTION = 500, 40
ALLOWED_LONG_MODULES = {"rulespec.nodes"}
ALLOWED_LONG_FUNCTIONS: set[str] = set()
"""What is longer all the same. The lists may shrink and not grow."""

THIRD_PARTY = {
    "yaml": {"rulespec.loader", "rulespec.yaml_faults"},
    "lark": {"rulespec.parser", "rulespec.trees", "rulespec.syntax_faults"},
    "jsonschema": {"rulespec.schema"},
    "networkx": {"rulespec.maps", "interpreter.game"},
}
"""The modules that import each library; the interpreter does so only when a graph is asked for."""

MAY_USE_THE_INTERPRETER = {"rulespec.cli", "rulespec.load"}

NOUNS = (
    "via[_ ]romana|senator|augustus|roma|turris|forum|legion(?:s|arius)?|castles?|consuls?|veto|chariots?|catapults?"
    "|praetorian[a-z]*|sestert[a-z]*|docket|milestones?|nero|assassin|scaenicus|essedum|centurio|basilica|templum"
    "|architectus|gladius|poker|pennies|empate|limite"
)
NOUN = re.compile(rf"(?<![a-z])({NOUNS})(?![a-z])", re.IGNORECASE)


def module_name(path: Path) -> str:
    """Return the dotted name of a source file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def sources() -> dict[str, Path]:
    """Return the file of every module of both packages."""
    files = (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))
    return {module_name(path): path for path in files}


@cache
def text_of(module: str) -> str:
    """Return the source of a module."""
    return sources()[module].read_text(encoding="utf-8")


@cache
def nodes_of(module: str) -> list[ast.AST]:
    """Return every node of the syntax tree of a module."""
    return list(ast.walk(ast.parse(text_of(module))))


@cache
def imports_of(module: str) -> frozenset[str]:
    """Return every name a module imports anywhere: at the top, for types only, or inside functions."""
    found: set[str] = set()
    for node in nodes_of(module):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative import"
            base = node.module or ""
            found.update(
                f"{base}.{alias.name}" if f"{base}.{alias.name}" in sources() else base for alias in node.names
            )
    return frozenset(found)


@cache
def type_imports_of(module: str) -> frozenset[str]:
    """Return the modules that a module imports under `if TYPE_CHECKING` alone."""
    blocks = [node for node in nodes_of(module) if isinstance(node, ast.If)]
    found: set[str] = set()
    for block in blocks:
        if isinstance(block.test, ast.Name) and block.test.id == "TYPE_CHECKING":
            found.update(node.module or "" for node in block.body if isinstance(node, ast.ImportFrom))
    return frozenset(found)


@cache
def own_imports(module: str) -> frozenset[str]:
    """Return the modules of the same package that a module imports, without what is allowed for types."""
    package = module.partition(".")[0]
    found = {name for name in imports_of(module) if name in sources() and name.partition(".")[0] == package}
    return frozenset(name for name in found if name != module and not is_allowed_for_types(module, name))


def is_allowed_for_types(module: str, name: str) -> bool:
    """Say whether a module imports another for types only, and may."""
    return name in NAMED_FOR_TYPES and name in type_imports_of(module)


def row_of(module: str) -> int:
    """Return the layer of a module; a folder is one room."""
    package, _, rest = module.partition(".")
    room = rest.partition(".")[0] or "__init__"
    rows = [row for row, rooms in enumerate(LAYERS[package]) if room in rooms]
    assert rows, f"{module} has no row in LAYERS of tests/test_architecture.py: give it one"
    return rows[0]


def room_of(module: str) -> str:
    """Return the first two parts of a dotted name."""
    return ".".join(module.split(".")[:2])


def cycle_from(module: str) -> list[str] | None:
    """Return a chain of imports that leads from a module back to itself, or None."""
    waiting, seen = [[module]], {module}
    while waiting:
        chain = waiting.pop()
        for following in sorted(own_imports(chain[-1])):
            if following == module:
                return [*chain, module]
            if following not in seen:
                seen.add(following)
                waiting.append([*chain, following])
    return None


def lengths_of_functions(module: str) -> Iterator[tuple[str, int]]:
    """Yield (module:function, lines) for each function."""
    for node in nodes_of(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            yield f"{module}:{node.name}", node.end_lineno - node.lineno + 1


def modules_of(package: str) -> list[str]:
    """Return the modules of one package."""
    return [module for module in sources() if module.partition(".")[0] == package]


def tops_of(module: str) -> set[str]:
    """Return the packages and libraries that a module imports."""
    return {name.partition(".")[0] for name in imports_of(module)}


def only_faults(found: dict[str, object]) -> dict[str, object]:
    """Return the modules of which something was found."""
    return {module: fault for module, fault in found.items() if fault}


def test_a_module_imports_only_from_rows_above_its_own() -> None:
    def wrong(module: str) -> list[str]:
        others = [other for other in sorted(own_imports(module)) if room_of(other) != room_of(module)]
        return [other for other in others if row_of(other) >= row_of(module)]

    assert only_faults({module: wrong(module) for module in sources()}) == {}, "imports from its own row or below"


def test_every_module_has_a_row() -> None:
    assert all(row_of(module) >= 0 for module in sources())


def test_a_module_does_not_import_itself_by_a_detour() -> None:
    assert only_faults({module: cycle_from(module) for module in sources()}) == {}, "a cycle"


def test_the_interpreter_knows_nothing_of_the_language() -> None:
    assert [module for module in modules_of("interpreter") if "rulespec" in tops_of(module)] == []


def test_the_interpreter_imports_the_standard_library_alone() -> None:
    def wrong(module: str) -> set[str]:
        asked_for = {library for library, owners in THIRD_PARTY.items() if module in owners}
        return tops_of(module) - {"interpreter"} - asked_for - set(sys.stdlib_module_names)

    assert only_faults({module: wrong(module) for module in modules_of("interpreter")}) == {}


def test_the_language_knows_of_the_interpreter_only_what_it_makes() -> None:
    def wrong(module: str) -> set[str]:
        if module == "rulespec" or room_of(module) in MAY_USE_THE_INTERPRETER:
            return set()
        used = {room_of(name) for name in imports_of(module) if name.partition(".")[0] == "interpreter"}
        return used - {"interpreter.program", "interpreter.errors"}

    assert only_faults({module: wrong(module) for module in modules_of("rulespec")}) == {}


def test_each_library_has_its_importers() -> None:
    def wrong(module: str) -> list[str]:
        return [library for library in THIRD_PARTY.keys() & tops_of(module) if module not in THIRD_PARTY[library]]

    assert only_faults({module: wrong(module) for module in sources()}) == {}


@pytest.mark.parametrize("package", ["interpreter"])
def test_importing_the_interpreter_loads_no_parser(package: str) -> None:
    code = f"import sys, {package}; print(*sorted({set(THIRD_PARTY)!r} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.split() == []


def test_no_game_is_named_in_code() -> None:
    found = {module: sorted({match.group(0) for match in NOUN.finditer(text_of(module))}) for module in sources()}
    assert only_faults(found) == {}, "speaks of one game"


@pytest.mark.parametrize("name", sorted(path.name for path in (ROOT / "games").iterdir() if path.is_dir()))
def test_no_folder_of_games_is_named_in_code(name: str) -> None:
    assert [module for module in sources() if name in text_of(module)] == []


def test_only_the_command_line_prints() -> None:
    def prints(module: str) -> list[int]:
        calls = [node for node in nodes_of(module) if isinstance(node, ast.Call)]
        return [call.lineno for call in calls if isinstance(call.func, ast.Name) and call.func.id == "print"]

    quiet = [each for each in sources() if not each.startswith("rulespec.cli") and each != "interpreter.__main__"]
    assert only_faults({module: prints(module) for module in quiet}) == {}


def test_no_randomness_but_that_of_chance() -> None:
    assert only_faults({module: {"random", "numpy", "uuid"} & tops_of(module) for module in sources()}) == {}


def test_a_module_is_short_enough_to_read() -> None:
    lines = {module: len(text_of(module).splitlines()) for module in sources()}
    assert {each for each, count in lines.items() if count > LONG_MODULE} <= ALLOWED_LONG_MODULES, lines


def test_a_function_is_short_enough_to_read() -> None:
    lengths = [each for module in sources() for each in lengths_of_functions(module)]
    long = [(name, lines) for name, lines in lengths if lines >= LONG_FUNCTION]
    assert [each for each in long if each[0] not in ALLOWED_LONG_FUNCTIONS] == []


def test_what_is_allowed_to_be_long_still_is() -> None:
    long = {name for module in sources() for name, lines in lengths_of_functions(module) if lines >= LONG_FUNCTION}
    assert long >= ALLOWED_LONG_FUNCTIONS, "take these off the list"
    longest = {name for name in sources() if len(text_of(name).splitlines()) > LONG_MODULE}
    assert longest >= ALLOWED_LONG_MODULES, "take these off the list"


def test_what_may_be_named_for_types_is_named() -> None:
    named = {name for module in sources() for name in type_imports_of(module)}
    assert named >= NAMED_FOR_TYPES, "take these off the list"
