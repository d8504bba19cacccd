"""`rulespec new`: a commented start that validates."""

from __future__ import annotations

import os
import re
from importlib.resources import files
from pathlib import Path

import click

import rulespec
from rulespec import library
from rulespec.cli.exits import DONE, CommandError
from rulespec.cli.files import write_text
from rulespec.cli.output import say
from rulespec.cli.request import say_what_is_meant
from rulespec.cli.rule_listing import list_rules

NAME = re.compile(r"[a-z][a-z0-9_]*\Z")


@click.command("new")
@click.argument("name", metavar="NAME")
@click.option("--variant-of", "base", metavar="GAME", help="a variant of this game, in NAME.yaml")
def command(name: str, base: str | None) -> int:
    """Write NAME/game.yaml, a small game with comments, and its first scenario.

    With --variant-of, a variant in NAME.yaml.
    """
    if not NAME.match(name):
        raise CommandError("usage", f"`{name}` cannot be a name", "use lower-case letters, digits and underscores")
    path = Path(f"{name}.yaml") if base else Path(name) / "game.yaml"
    if path.exists():
        raise CommandError("file-exists", f"`{path}` is already there", "choose another name, or move it away")
    text = _variant(name, base) if base else _game(name)
    write_text(path, text, folders=True)
    if base:
        say(f"wrote {path}; now: rulespec validate {path}")
        return DONE
    scenarios = path.parent / "scenarios" / "first.yaml"
    write_text(scenarios, _filled("scenarios.yaml", {"NAME": name}), folders=True)
    say_what_is_meant(name)
    say(f"wrote {path} and {scenarios}; now: rulespec validate {name}, then rulespec test {name}")
    return DONE


def _game(name: str) -> str:
    return _filled("game.yaml", {"NAME": name, "TITLE": _title(name)})


def _variant(name: str, base: str) -> str:
    """Return the start of a variant, with the first function of its base as the example of a change."""
    say_what_is_meant(base)
    game = rulespec.load(base)
    functions = [rule for rule in list_rules(game.program) if rule.kind == "function" and ": " in rule.text]
    signature = functions[0].text.partition(":")[0] if functions else "some_rule"
    return _filled(
        "variant.yaml",
        {
            "NAME": name,
            "of: BASE": f"of: {_reference(game.name, base)}",
            "BASE": base if re.fullmatch(r"[\w./-]+", base) else "GAME",
            "TITLE": _title(name),
            "RULE: SIGNATURE": f"{signature}: base",
        },
    )


def _reference(name: str, base: str) -> str:
    """Return what `of:` says in a file of this folder: the game's name, or where that does not lead to it a path."""
    file = library.find_game(base).resolve()
    try:
        if library.find_base(name, Path("variant.yaml")).resolve() == file:
            return name
    except library.UnknownNameError:
        pass
    path = Path(os.path.relpath(file.parent if file.name == "game.yaml" else file)).as_posix()
    return f'"{path}"' if "/" in path or path.endswith(".yaml") else f'"./{path}"'


def _filled(template: str, words: dict[str, str]) -> str:
    text = (files("rulespec.cli") / "templates" / template).read_text(encoding="utf-8")
    for word in sorted(words, key=len, reverse=True):
        text = text.replace(word, words[word])
    return text


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()
