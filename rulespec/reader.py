"""Documents made into the syntax tree: whole games and variants. Their shape was checked by `schema`.

A faulty rule is reported, set aside, and the rest is read on.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from rulespec import library, nodes, parser
from rulespec import reader_nouns as nouns
from rulespec import reader_rules as rules
from rulespec.diagnostics import Report, counted, suggestion
from rulespec.documents import Document, Mapping, Scalar, Value
from rulespec.nodes import Name
from rulespec.operations import SPECIAL
from rulespec.reader_tables import read_place, read_table
from rulespec.reader_texts import by_rule, read_clauses, read_texts, read_title
from rulespec.reading import Context, Files, SetAside, entries
from rulespec.source import Located, Span


def read_game(document: Document, files: Files | None, report: Report) -> nodes.Game | None:
    """Return the game of a document; None if not even its header can be read."""
    context = Context(report, files)
    root = document.root
    if root is None:
        return None
    try:
        name = context.name_of(root.get("game"))
        players = _players(context, root.get("players"))
    except SetAside:
        return None
    sections = _sections(context, root)
    variants = tuple(s.text for s in context.items(root.get("variants")) if isinstance(s, Scalar))
    return nodes.Game(
        name=name,
        title=read_title(context, root.get("title")),
        players=players,
        seats=_seats(context, root, players),
        variants=variants or tuple(files.names("variants") if files is not None else ()),
        clauses=by_rule(read_clauses(context)),
        span=root.span,
        **sections,
    )


def _players(context: Context, value: Value | None) -> tuple[int, int]:
    """Return the least and the greatest number of players."""
    scalar = context.scalar(value)
    found = re.fullmatch(r"(\d{1,2})(?: *\.\. *(\d{1,2}))?", scalar.text)
    if found is None or not 1 <= int(found[1]) <= int(found[2] or found[1]):
        help = "write `2` or `2..4`"
        raise context.fail("bad-players", "expected a number of players 1..99, or a range of them", scalar.span, help)
    return int(found[1]), int(found[2] or found[1])


def _seats(context: Context, root: Mapping, players: tuple[int, int]) -> tuple[Name, ...]:
    value = root.get("seats")
    if value is None:
        return ()
    read = (context.tried(lambda item=item: _seat(context, item)) for item in context.items(value))  # type: ignore[misc]
    seats = tuple(name for name in read if name is not None)
    context.unique(seats, lambda name: name, "the seat")
    named = len(context.items(value))
    if named < players[1]:
        message = f"{players[1]} players can play, but only {counted(named, 'seat')} have names"
        context.report.error("too-few-seats", message, value.span)
    return seats


def _seat(context: Context, item: Value) -> Name:
    """Return the name of a seat; words of the language are refused."""
    name = context.name_of(item)
    if name.text in SPECIAL or name.text in parser.keywords():
        message = f"`{name.text}` is a word of the language and cannot be a seat"
        raise context.fail("reserved-word", message, name.span)
    return name


def _limit(context: Context, key: Located[str], value: Value) -> tuple[str, int]:
    number = context.number(value)
    if number < 1:
        raise context.fail("out-of-range", f"`{key.value}` is at least 1", value.span)
    return key.value, number


def _sections(context: Context, root: Mapping, base_tables: tuple[nodes.Table, ...] = ()) -> dict[str, Any]:
    """Return the sections of a game, or of what a variant adds, by the names of the fields of Game.

    A variant may add rows to the tables of its game, *base_tables*.
    """

    def section(name: str, read: Any) -> tuple[Any, ...]:
        return context.each(root.get(name), lambda key, value: read(context, key, value))

    return {
        "options": section("options", nouns.read_option),
        "kinds": section("kinds", nouns.read_kind),
        "places": section("map", read_place),
        "tokens": section("tokens", nouns.read_token),
        "counters": section("counters", nouns.read_counter),
        "zones": section("zones", nouns.read_zone),
        "variables": section("variables", nouns.read_variable),
        "functions": section("functions", rules.read_function),
        "phases": section("phases", rules.read_phase),
        "actions": section("actions", rules.read_action),
        "triggers": section("triggers", rules.read_trigger),
        "ends": section("ends", rules.read_named),
        "procedures": section("procedures", rules.read_procedure),
        "lasting": section("lasting", rules.read_lasting),
        "scoring": section("scoring", rules.read_named),
        "ranking": context.tried(lambda: context.maybe(root.get("ranking"), parser.parse_ranking)) or (),
        "returns": context.tried(lambda: context.maybe_formula(root.get("returns"))),
        "limits": section("limits", _limit),
        "invariants": section("invariants", rules.read_named),
        "tables": section("tables", lambda c, key, value: read_table(c, key, value, base_tables)),
        "texts": read_texts(context, root.get("texts")),
    }


# -------------------------------------------------------------------------------------------------- variants


def read_variant(document: Document, base_game: nodes.Game, report: Report) -> nodes.Variant | None:
    """Return a variant; what it changes is looked up in *base_game*. None if its header cannot be read."""
    context = Context(report)
    root = document.root
    if root is None:
        return None
    try:
        name, base = context.name_of(root.get("variant")), _base_of(context, root.get("of"))
        over = tuple(context.name_of(item) for item in context.items(root.get("over")))
        removes = tuple(_rule_name(context, item) for item in context.items(root.get("removes")))
    except SetAside:
        return None
    adds = root.get("adds")
    sections = _sections(context, adds, base_game.tables) if isinstance(adds, Mapping) else {}
    title = read_title(context, root.get("title"))
    added = nodes.Game(name=base, title=(), players=base_game.players, seats=(), span=root.span, **sections)
    changes = _Changes(context, base_game)
    for key, value in entries(root.get("changes")):
        context.tried(lambda key=key, value=value: changes.read(key, value))  # type: ignore[misc]
    for removed in removes:
        changes.home(removed.text, removed.span)
    bodies, keys = tuple(changes.bodies), tuple(changes.keys)
    return nodes.Variant(name, base, over, title, added, removes, bodies, keys, root.span)


def _base_of(context: Context, value: Value | None) -> Name:
    """Return the name of the game a variant is of; `of:` may be a path to it, as seen from the variant's file."""
    scalar = context.scalar(value)
    if not library.is_path(scalar.text):
        return context.name_of(scalar)
    try:
        game = library.find_base(scalar.text, Path(scalar.span.file))
    except library.UnknownNameError:
        raise context.fail("unknown-game", f"there is no game at `{scalar.text}`", scalar.span) from None
    return Name(library.named_in(game, "game") or "", scalar.span)


def _rule_name(context: Context, value: Value) -> Name:
    scalar = context.scalar(value)
    return Name(scalar.text, scalar.span)


class _Changes:
    """Collects the changes of a variant."""

    def __init__(self, context: Context, game: nodes.Game) -> None:
        self.context, self.game = context, game
        self.bodies: list[nodes.Function | nodes.Procedure] = []
        self.keys: list[nodes.KeyChange] = []
        self.homes = rule_homes(game)

    def home(self, name: str, span: Span) -> str | None:
        """Return the section a rule is declared in, or None after reporting."""
        found = self.homes.get(name)
        if found is None:
            help, _ = suggestion(name, list(self.homes), "rules")
            message = f"`{self.game.name.text}` has no rule `{name}`"
            self.context.report.error("unknown-rule", message, span, help=help)
        return found

    def read(self, key: Located[str], value: Value) -> None:
        bare = key.value.split("(")[0].strip()
        span = key.span
        place = Span(span.file, span.line, span.column, span.line, span.column + len(bare))
        match self.home(bare, place):
            case None:
                return
            case "procedures":
                self.bodies.append(rules.read_procedure(self.context, key, self._text(value, bare)))
            case "phases" | "actions" | "triggers" as section:
                if section == "actions":
                    self.context.signature(key)
                self._keys(Name(bare, place), value, section)
            case "script" | "formula" | "action" as form:
                self._cell(Name(bare, place), value, form)
            case "ranking":
                ranking = self.context.parse(value, parser.parse_ranking)
                self.keys.append(nodes.KeyChange(Name(bare, place), "ranking", ranking, span))
            case _:
                self.bodies.append(rules.read_function(self.context, key, self._text(value, bare)))

    def _text(self, value: Value, name: str) -> Scalar:
        if not isinstance(value, Scalar):
            raise self.context.fail("wrong-type", f"`{name}` wants its new body, a text", value.span)
        return value

    def _cell(self, rule: Name, value: Value, form: str) -> None:
        if form == "action":
            self._keys(rule, value, "actions")
            return
        text = self._text(value, rule.text)
        made = self.context.script(text) if form == "script" else self.context.formula(text)
        self.keys.append(nodes.KeyChange(rule, "do" if form == "script" else "formula", made, rule.span))

    def _keys(self, rule: Name, value: Value, section: str) -> None:
        if not isinstance(value, Mapping):
            message = f"for the {section[:-1]} `{rule.text}` the keys that differ are given, in a mapping"
            raise self.context.fail("wrong-type", message, value.span)
        for key, body in value:
            self.context.tried(lambda key=key, body=body: self._key(rule, key, body, section))  # type: ignore[misc]

    def _key(self, rule: Name, key: Located[str], body: Value, section: str) -> None:
        known = KEYS[section]
        if key.value not in known:
            help, _ = suggestion(key.value, known, "keys")
            message = f"a{'n' if section == 'actions' else ''} {section[:-1]} has no key `{key.value}`"
            raise self.context.fail("unknown-key", message, key.span, help)
        if section == "actions" and key.value == "if":
            for item, condition in entries(body):
                lifted = isinstance(condition, Scalar) and condition.text == "yes"
                made = None if lifted else self.context.formula(condition)
                self.keys.append(nodes.KeyChange(rule, f"if.{item.value}", made, item.span))
            return
        made_value = rules.read_key(self.context, key.value, body)
        self.keys.append(nodes.KeyChange(rule, key.value, made_value, key.span))


KEYS = {
    "phases": ["turns", "one_by_one", "by", "if", "steps", "offer", "pass", "do", "quiet", "automatic", "repeat"],
    "actions": ["choose", "if", "cost", "do"],
    "triggers": ["for", "when", "after", "order", "by", "do"],
}


def rule_homes(game: nodes.Game) -> dict[str, str]:
    """Return where each rule of a game is declared; a cell `ROW.CELL` by its form."""
    homes: dict[str, str] = {"ranking": "ranking", "returns": "returns"}
    for table in game.tables:
        forms = {cell.signature.name.text: cell.form for cell in table.cells}
        for row in table.rows:
            homes |= {f"{row.name.text}.{cell}": form for cell, form in forms.items()}
    for section in ("phases", "triggers", "ends", "scoring", "invariants"):
        homes |= {rule.name.text: section for rule in getattr(game, section)}
    for section in ("functions", "procedures", "actions", "lasting"):
        homes |= {rule.signature.name.text: section for rule in getattr(game, section)}
    return homes
