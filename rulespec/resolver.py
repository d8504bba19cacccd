"""All declarations of a game made into tables of names: one name space, kinds, entities, columns, cells."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulespec import maps, nodes
from rulespec.diagnostics import Related, Report, suggestion
from rulespec.operations import RESERVED
from rulespec.source import Span
from rulespec.symbols import ColumnInfo, KindInfo, Names, TokenInfo, bounds_of
from rulespec.value_types import UNKNOWN, Int

SECTIONS = (
    "options", "kinds", "places", "tokens", "counters", "zones", "variables", "functions", "phases", "actions",
    "triggers", "ends", "procedures", "lasting", "scoring", "invariants", "tables",
)  # fmt: skip


def name_of(declaration: object) -> nodes.Name:
    """Return the name a declaration gives."""
    found = getattr(declaration, "name", None) or declaration.signature.name  # type: ignore[attr-defined]
    assert isinstance(found, nodes.Name)
    return found


def resolve(game: nodes.Game, report: Report, set_aside: frozenset[str] = frozenset()) -> Names:
    """Return the names of *game*; what is declared twice or wrongly is reported and left out.

    *set_aside* are names of declarations that could not be read: nothing that names them is reported again.
    """
    names = Names(game, set_aside=set_aside)
    _declare_all(names, report)
    _add_players(names)
    _add_enumerations(names, report)
    _add_tables(names, report)
    maps.add_places(names)
    _add_token_kinds(names)
    _add_unions(names, report)
    maps.add_unions(names)
    _add_plurals(names, report)
    _check_columns(names, report)
    _add_cells(names, report)
    return names


# -------------------------------------------------------------------------------------- one name space


def _declare_all(names: Names, report: Report) -> None:
    tables: dict[str, Any] = {
        "options": names.options, "counters": names.counters, "zones": names.zones, "variables": names.variables,
        "functions": names.functions, "phases": names.phases, "actions": names.actions, "triggers": names.triggers,
        "procedures": names.procedures, "lasting": names.lasting, "tables": names.tables,
    }  # fmt: skip
    for section in SECTIONS:
        for declaration in getattr(names.game, section):
            name = name_of(declaration)
            if declare(names, name, report) and section in tables:
                tables[section][name.text] = declaration


def declare(names: Names, name: nodes.Name, report: Report) -> bool:
    """Enter *name* into the one name space; report a reserved word or a name used before."""
    if name.text in RESERVED:
        report.error("reserved-word", f"`{name.text}` is a word of the language and cannot be a name", name.span)
    if name.text in names.declared:
        first = Related(names.declared[name.text], "declared here first")
        report.error("duplicate-name", f"`{name.text}` is declared twice", name.span, related=(first,))
        return False
    names.declared[name.text] = name.span
    return True


def _members(names: Names, kind: str, members: Iterable[nodes.Name], report: Report) -> list[str]:
    found: dict[str, Span] = {}
    for member in members:
        if member.text in found and not any(d.span == member.span for d in report.diagnostics):
            report.error(
                "duplicate-name", f"`{member.text}` stands twice in `{kind}`", member.span,
                related=(Related(found[member.text], "here first"),),
            )  # fmt: skip
        found.setdefault(member.text, member.span)
    return list(found)


def _new_kind(names: Names, name: str, sort: str, plural: nodes.Name | None, span: Span | None) -> KindInfo:
    info = KindInfo(name, sort, plural.text if plural else name + "s", span)
    names.kinds[name] = info
    return info


def _fill(names: Names, info: KindInfo, members: Iterable[str]) -> None:
    first = len(names.entities)
    info.values = maps.new_ids(names, members)
    info.ranges = [(first, len(names.entities))]


# ------------------------------------------------------------------------------ seats, kinds and tables


def _add_players(names: Names) -> None:
    least = names.game.players[1]
    names.seats = [s.text for s in names.game.seats] or [f"p{i + 1}" for i in range(least)]
    _fill(names, _new_kind(names, "player", "player", None, None), names.seats)


def _add_enumerations(names: Names, report: Report) -> None:
    for kind in names.game.kinds:
        if kind.name.text not in names.declared:
            continue
        if kind.members is not None:
            info = _new_kind(names, kind.name.text, "enum", kind.plural, kind.name.span)
            _fill(names, info, _members(names, kind.name.text, kind.members, report))
        elif kind.type is not None and kind.type.form == "range":
            bounds = bounds_of(kind.type)
            info = _new_kind(names, kind.name.text, "number", kind.plural, kind.name.span)
            info.numbers = (bounds.low, bounds.high) if isinstance(bounds, Int) else (0, 0)
    for option in names.game.options:
        members = getattr(option.type, "names", ())
        if option.type.form == "values" and option.name.text not in names.kinds:
            info = _new_kind(names, option.name.text, "enum", None, option.name.span)
            _fill(names, info, _members(names, option.name.text, members, report))


def _add_tables(names: Names, report: Report) -> None:
    for table in list(names.tables.values()):
        if not table.rows and not report.has_errors:
            report.error("empty-kind", f"the table `{table.name.text}` has no rows", table.name.span)
        info = _new_kind(names, table.name.text, "row", None, table.name.span)
        _fill(names, info, _members(names, table.name.text, (r.name for r in table.rows), report))


def _add_token_kinds(names: Names) -> None:
    for token in names.game.tokens:
        if names.declared.get(token.name.text) == token.name.span:
            _new_kind(names, token.name.text, "token", token.plural, token.name.span)
            names.tokens[token.name.text] = TokenInfo(token, token.prints.text if token.prints else None)


def _add_unions(names: Names, report: Report) -> None:
    """Add unions until none is left that only waits for another."""
    waiting = [k for k in names.game.kinds if k.members is None and k.type is not None and k.type.form == "kind"]
    for _ in range(len(waiting)):
        for kind in [k for k in waiting if k.name.text not in names.kinds]:
            assert kind.type is not None
            if all(n.text in names.kinds for n in kind.type.names):
                info = _new_kind(names, kind.name.text, "union", kind.plural, kind.name.span)
                info.members = tuple(n.text for n in kind.type.names)
    for kind in waiting:
        if kind.name.text not in names.kinds and kind.type is not None:
            for member in kind.type.names:
                check_kind(names, member, report)
    set_union_ranges(names)


def set_union_ranges(names: Names) -> None:
    """Give each union the ranges of its members, neighbouring ranges as one."""
    for info in names.kinds.values():
        if info.sort == "union":
            ranges = sorted(r for leaf in names.leaves(info.name) for r in names.kinds[leaf].ranges)
            info.ranges = []
            for low, high in ranges:
                if info.ranges and info.ranges[-1][1] == low:
                    info.ranges[-1] = (info.ranges[-1][0], high)
                else:
                    info.ranges.append((low, high))


def _add_plurals(names: Names, report: Report) -> None:
    for info in names.kinds.values():
        if not info.plural or info.plural == info.name:
            continue
        other = names.plurals.get(info.plural) or (info.plural if info.plural in names.kinds else None)
        if other and info.span:
            report.error(
                "duplicate-name", f"`{info.plural}` is the plural of `{info.name}` and of `{other}`", info.span
            )
        names.plurals.setdefault(info.plural, info.name)


# ---------------------------------------------------------------------------------- columns and cells


def check_kind(names: Names, name: nodes.Name, report: Report, *also: str) -> bool:
    """Report a kind that does not exist; return whether it does."""
    if name.text in names.kinds or name.text in also:
        return True
    if name.text in names.set_aside:
        return False
    known = [k for k in names.kinds if " " not in k]
    help, notes = suggestion(name.text, [*known, *also], "kinds of this game")
    if name.text in names.plurals:
        help = f"name the kind: `{names.plurals[name.text]}`"
    report.error("unknown-kind", f"no kind is named `{name.text}`", name.span, help=help, notes=notes)
    return False


def check_type(names: Names, written: nodes.TypeExpr, report: Report) -> bool:
    """Report every kind of a written type that does not exist; return whether it is right."""
    if written.form not in ("kind", "set"):
        return True
    checked = [check_kind(names, n, report, "nobody", "nothing") for n in written.names]
    return all(checked)


def _check_columns(names: Names, report: Report) -> None:
    for owner, table in names.tables.items():
        seen: dict[str, Span] = {}
        for column in table.columns:
            name = column.name.text
            _once(seen, column.name, f"`{name}` is a column twice", report)
            right = check_type(names, column.type, report)
            if column.key is not None:
                right = check_kind(names, column.key, report) and right
            given = names.written_type(column.type) if right else UNKNOWN
            key = column.key.text if column.key else None
            names.columns[f"{owner}.{name}"] = ColumnInfo(owner, name, key, given, [], column.name.span)


def _once(seen: dict[str, Span], name: nodes.Name, twice: str, report: Report) -> None:
    """Note where a name is declared; report one that is declared already."""
    if name.text in seen:
        first = Related(seen[name.text], "declared here first")
        report.error("duplicate-name", twice, name.span, related=(first,))
    seen.setdefault(name.text, name.span)


def _add_cells(names: Names, report: Report) -> None:
    for owner, table in names.tables.items():
        columns = {column.name.text: column.name.span for column in table.columns}
        seen = dict(columns)
        for cell in table.cells:
            name = cell.signature.name
            what = "a column and a cell" if name.text in columns else "a cell twice"
            _once(seen, name, f"`{name.text}` is {what}", report)
            names.cells.setdefault(f"{owner}.{name.text}", cell)
