"""All rules and declarations of a game checked: types, names, scopes, then the game-wide checks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rulespec import expressions, nodes
from rulespec.chains import too_deep
from rulespec.checks import phases, run_checks
from rulespec.declarations import Declared, declarations
from rulespec.diagnostics import Report, suggestion
from rulespec.rules import Rules
from rulespec.scope import Change, Frame, Unit
from rulespec.source import Span
from rulespec.symbols import Names
from rulespec.triggers import trigger
from rulespec.value_types import NUMBER, TRUTH, UNKNOWN, Kind, Type, to_json


@dataclass
class TypedGame:
    """A checked game: its names, its rules in program form, and the lists that order them."""

    game: nodes.Game
    names: Names
    unit: Unit
    rules: Rules
    declared: Declared
    layers: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    lasting: dict[str, Any] = field(default_factory=dict)
    cells: dict[str, Any] = field(default_factory=dict)
    triggers: list[dict[str, Any]] = field(default_factory=list)
    ranking: list[dict[str, Any]] = field(default_factory=list)
    returns: str | None = None


def new_rules(names: Names, report: Report) -> Rules:
    """Return the (still empty) rules of a game."""
    unit = Unit(names, report, expressions.lower, lambda name: rules.result_of(name))
    rules = Rules(unit)
    for change in _changes(names.game):
        unit.layered.setdefault(change[2].signature.name.text, []).append(change)
    parts = [part for part in walk(names.game) if isinstance(part, nodes.Create | nodes.Has)]
    unit.created = {part.counter.text for part in parts if isinstance(part, nodes.Create)}
    unit.asked_of_rows = {part.cell.text for part in parts if isinstance(part, nodes.Has)}
    return rules


def check(game: nodes.Game, names: Names, report: Report) -> TypedGame:
    """Check and compile every rule of a game; report everything that is wrong."""
    rules = new_rules(names, report)
    rules.results |= dict.fromkeys(too_deep(names.functions, report), UNKNOWN)
    typed = TypedGame(game, names, rules.unit, rules, declarations(rules))
    for name in [*names.functions, *names.procedures]:
        rules.result_of(name)
    for action in names.actions.values():
        rules.action(action)
    for phase in names.phases.values():
        rules.phase(phase)
    _check_phases(typed, report)
    for kind, section in (("end", game.ends), ("invariant", game.invariants), ("score", game.scoring)):
        for named in section:
            if names.declared.get(named.name.text) == named.name.span:
                rules.named(named, kind)
    _cells(typed)
    _lasting(typed)
    _layers(typed)
    typed.triggers = [trigger(rules, t, None) for t in names.triggers.values()]
    typed.triggers += [trigger(rules, t, row) for row in _row_triggers(typed) for t in row[1].triggers]
    _results(typed)
    run_checks(typed.names, rules.unit, typed.layers, typed.triggers, vars(typed.declared), typed.cells)
    if not (game.ranking or game.returns or report.has_errors):
        help = "write `ranking: most E`, or a formula in `returns`"
        report.warning("no-ranking", "nothing says who wins: all players end alike", game.name.span, help=help)
    return typed


def walk(part: object) -> Iterator[Any]:
    """Yield all nodes of a tree."""
    if isinstance(part, tuple):
        for inner in part:
            yield from walk(inner)
    elif hasattr(part, "__dataclass_fields__") and not isinstance(part, Span):
        yield part
        for name in part.__dataclass_fields__:
            yield from walk(getattr(part, name))


def _changes(game: nodes.Game) -> Iterator[Change]:
    """Yield every change of a row or a lasting change."""
    for table in game.tables:
        for row in table.rows:
            yield from ((table, row, change) for change in row.changes)
    for lasting in game.lasting:
        yield from ((None, lasting, change) for change in lasting.changes)


def _check_phases(typed: TypedGame, report: Report) -> None:
    """Report a phase no other names as a step, and a game without phases."""
    if not typed.game.phases:
        if report.has_errors:
            return  # they may be there, and have been set aside
        span = typed.game.span or typed.game.name.span
        report.error("no-phases", "the game has no phases: nothing happens in it", span)
        return
    phases.check(typed.names, report)
    for phase in typed.game.phases[1:]:
        if phase.name.text not in typed.names.used:
            report.warning("unused", f"the phase `{phase.name.text}` is a step of no other", phase.name.span)


# ------------------------------------------------------------------------------------------- cells


def _cells(typed: TypedGame) -> None:
    for full, cell in typed.names.cells.items():
        table = full.split(".")[0]
        info: dict[str, Any] = {"table": table, "form": cell.form, "rules": {}, "default": None}
        for row in typed.names.tables[table].rows:
            for name, body in row.cells:
                if name.text == cell.signature.name.text:
                    rule = f"{row.name.text}.{name.text}"
                    if rule in typed.unit.rules:
                        rule = f"{table}.{rule}"
                    typed.rules.cell(cell, rule, body, name.span)
                    info["rules"][str(typed.names.kinds[table].values[row.name.text])] = rule
        if cell.type is not None and cell.type.default is not None:
            typed.rules.cell(cell, full, cell.type.default, cell.span)
            info["default"] = full
        typed.cells[full] = info


# ------------------------------------------------------------------------------- lasting and layers


def _lasting(typed: TypedGame) -> None:
    for name, node in typed.names.lasting.items():
        frame = typed.rules.frame(name, "hook", False)
        types = [to_json(frame.param_type(p)) for p in node.signature.params]
        lasts = node.lasts
        rule = _lasts_rule(typed, name, node)
        phase = lasts.phase.text if lasts.phase else None
        if lasts.phase is not None and lasts.phase.text not in typed.names.phases:
            help, notes = suggestion(lasts.phase.text, list(typed.names.phases), "phases of this game")
            text = f"no phase is named `{lasts.phase.text}`"
            typed.unit.error("unknown-rule", text, lasts.phase.span, help=help, notes=notes)
        typed.lasting[name] = {
            "params": types, "lasts": {"form": lasts.form, "edge": lasts.edge, "rule": rule, "phase": phase}
        }  # fmt: skip


def _lasts_rule(typed: TypedGame, name: str, node: nodes.Lasting) -> str | None:
    formula = node.lasts.condition or node.lasts.player
    if formula is None:
        return None
    wanted: Type = TRUTH if node.lasts.condition is not None else _player(typed)

    def bind(frame: Frame) -> None:
        for param in node.signature.params:
            frame.param(param)

    typed.rules.hook(f"{name}.lasts", formula, wanted, bind)
    return f"{name}.lasts"


def _player(typed: TypedGame) -> Kind:
    return Kind("player", typed.names.leaves("player"))


def _layers(typed: TypedGame) -> None:
    """Compile the layers of rows in table order, then those of lasting changes."""
    for table, owner, change in _changes(typed.game):
        name = change.signature.name
        if name.text not in typed.names.functions:
            help, notes = suggestion(name.text, list(typed.names.functions), "functions of this game")
            text = f"no function is named `{name.text}`"
            typed.unit.error("unknown-rule", text, name.span, help=help, notes=notes)
        elif table is not None and isinstance(owner, nodes.Row):
            _row_layer(typed, table.name.text, owner, change)
        elif isinstance(owner, nodes.Lasting):
            _lasting_layer(typed, owner, change)


def _row_layer(typed: TypedGame, table: str, row: nodes.Row, change: nodes.Function) -> None:
    below, rule = change.signature.name.text, f"{row.name.text}.{change.signature.name.text}"
    places = list(_in_force(typed, table, row.name.span))
    if not places:
        return
    this = typed.names.union_of(tuple(token for token, _ in places))
    typed.rules.layer(rule, change, [("this", this, row.name.span)])
    row_id = typed.names.kinds[table].values[row.name.text]
    for token, zone in places:
        entry = {"by": "row", "row": row_id, "token": token, "zone": zone, "rule": rule}
        typed.layers.setdefault(below, []).append(entry)


def _in_force(typed: TypedGame, table: str, span: Span) -> Iterator[tuple[str, str]]:
    """Yield the kinds of token that print a table, each with the zone its changes hold in."""
    found = False
    for kind, info in typed.names.tokens.items():
        if info.table == table and info.node.in_force is not None and info.node.in_force.text in typed.names.zones:
            found = True
            yield kind, info.node.in_force.text
    if not found:
        text = "no token that prints this row says where its changes hold"
        typed.unit.error("no-in-force", text, span, help="say `in_force: ZONE` on the token")


def _lasting_layer(typed: TypedGame, lasting: nodes.Lasting, change: nodes.Function) -> None:
    name, below = lasting.signature.name.text, change.signature.name.text
    frame = typed.rules.frame(name, "hook", False)
    before = [((p.name or p.kind).text, frame.param_type(p), (p.name or p.kind).span) for p in lasting.signature.params]
    typed.rules.layer(f"{name}.{below}", change, before)
    entry = {"by": "lasting", "lasting": name, "rule": f"{name}.{below}"}
    typed.layers.setdefault(below, []).append(entry)


def _row_triggers(typed: TypedGame) -> Iterator[tuple[str, nodes.Row, list[tuple[str, str]]]]:
    for table in typed.names.tables.values():
        for row in table.rows:
            if row.triggers:
                yield table.name.text, row, list(_in_force(typed, table.name.text, row.name.span))


# -------------------------------------------------------------------------------- who has won


def _results(typed: TypedGame) -> None:
    """Compile `ranking` and `returns`, functions of the player."""

    def bind(frame: Frame) -> None:
        frame.bind("player", _player(typed), typed.game.name.span)

    for number, key in enumerate(typed.game.ranking, 1):
        rule = f"ranking.{number}"
        if key.direction == "clockwise":
            typed.rules.hook(rule, key.value, _player(typed))
        else:
            typed.rules.hook(rule, key.value, NUMBER, bind)
        typed.ranking.append({"direction": key.direction, "rule": rule})
    if typed.game.returns is not None:
        typed.returns = "returns"
        typed.rules.hook("returns", typed.game.returns, NUMBER, bind)
