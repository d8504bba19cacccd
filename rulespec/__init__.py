"""Board games as data: their rules read from YAML, checked, compiled and played.

`load` gives a game that can be played; `compile_program` the plain data it is made from. What plays it lies in
the package `interpreter`, whose public names can be read here too.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.game import Game
    from rulespec.diagnostics import Report

__version__ = "0.1.0"


def compile_program(name_or_path: str | Path, variants: Sequence[str | Path] | None = ()) -> dict[str, Any]:
    """Return the program of a game, by the name of a packaged one or the path of its file.

    Raises SpecError, which carries the diagnostics, where anything is wrong.
    """
    from rulespec.diagnostics import Report
    from rulespec.passes import build

    report = Report()
    return _sound(build(name_or_path, _listed(variants), report), str(name_or_path), report)


def load(name_or_path: str | Path, variants: Sequence[str | Path] | None = ()) -> Game:
    """Return a game ready to be played, by the name of a packaged one or the path of its file."""
    from interpreter.game import Game

    return Game(compile_program(name_or_path, variants))


def load_text(text: str, name: str = "game.yaml", variants: Sequence[str | Path] | None = ()) -> Game:
    """Return a game ready to be played, by its text, which needs no other file; *name* is what faults call it."""
    from interpreter.errors import SettingError
    from interpreter.game import Game
    from rulespec.diagnostics import Report
    from rulespec.passes import build_text

    if not isinstance(text, str) or not isinstance(name, str):
        raise SettingError("`load_text` takes the text of a game, and what to call it; `load` takes a name or a path")
    report = Report()
    built = build_text(text, report, name, _listed(variants))
    return Game(_sound(built.program if built is not None else None, name, report))


def _listed(variants: Sequence[str | Path] | None) -> Sequence[str | Path]:
    """Return the variants given, none for None; raise SettingError for what is no list of names or paths."""
    from interpreter.errors import SettingError

    if variants is None:
        return ()
    if isinstance(variants, str | Path):
        raise SettingError(f"variants are given in a list, also a single one: [{str(variants)!r}]")
    if not isinstance(variants, Sequence) or not all(isinstance(one, str | Path) for one in variants):
        raise SettingError(f"variants are given in a list of names or paths, not as {variants!r}")
    return variants


def _sound(program: dict[str, Any] | None, name: str, report: Report) -> dict[str, Any]:
    """Return a program that was made, or raise SpecError."""
    from interpreter.errors import SpecError
    from rulespec.diagnostics import counted

    if program is None or report.has_errors:
        errors = [d for d in report.in_order() if d.severity == "error"]
        first = f"{errors[0].span}: {errors[0].message}" if errors else "it cannot be read"
        raise SpecError(f"{counted(len(errors), 'fault')} in `{name}`; {first}", report.in_order())
    return program


def __getattr__(name: str) -> Any:
    """Give the public names of the interpreter when they are first asked for; modules of our own need none of it."""
    is_own = name.startswith("_") or find_spec(f"rulespec.{name}") is not None
    if is_own or not hasattr(interpreter := import_module("interpreter"), name):
        raise AttributeError(f"module `rulespec` has no attribute `{name}`")
    return getattr(interpreter, name)
