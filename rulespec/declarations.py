"""The nouns of a game checked and made into plain data: columns, tokens, zones, counters, variables, options."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any

from rulespec import maps, nodes
from rulespec.bounds import LARGEST, MOST_TOKENS, cells_fit
from rulespec.coercions import coerce
from rulespec.diagnostics import suggestion
from rulespec.folding import NotConstant, fold, key_index
from rulespec.references import option_type
from rulespec.resolver import check_kind, check_type, set_union_ranges
from rulespec.rules import Rules
from rulespec.scope import Frame
from rulespec.source import Span
from rulespec.symbols import ColumnInfo, Names, constant
from rulespec.value_types import NUMBER, UNKNOWN, Int, Opt, SetOf, Truth, Type, ZoneOf, to_json


@dataclass
class Declared:
    """The data of the nouns, as the program holds it."""

    options: list[dict[str, Any]] = field(default_factory=list)
    tokens: dict[str, dict[str, Any]] = field(default_factory=dict)
    zones: list[dict[str, Any]] = field(default_factory=list)
    counters: list[dict[str, Any]] = field(default_factory=list)
    variables: list[dict[str, Any]] = field(default_factory=list)


def declarations(rules: Rules) -> Declared:
    """Check all nouns; fill in the values of the columns and the ids of the tokens."""
    made = Declared()
    names = rules.unit.names
    made.options = [_option(rules, o) for o in names.options.values()]
    for owner, table in names.tables.items():
        _fill_columns(rules, owner, table)
    maps.use_printed_neighbours(names)
    _allocate_tokens(rules, made)
    set_union_ranges(names)
    for zone in names.zones.values():
        _check_zone(rules, zone)
    for kind, info in names.tokens.items():
        made.tokens[kind] |= _token(rules, kind, info.node)
    made.zones = [_zone(rules, z) for z in names.zones.values()]
    made.counters = [_counter(rules, c) for c in names.counters.values()]
    made.variables = [_variable(rules, v) for v in names.variables.values()]
    return made


def _frame(rules: Rules, name: str) -> Frame:
    return rules.frame(name, "hook", has_me=False)


def value_of(rules: Rules, formula: nodes.Expr, wanted: Type, what: str) -> Any:
    """Return the value of a formula that must be known before play; report where it is not."""
    before = len(rules.unit.report.diagnostics)
    frame = _frame(rules, what)
    ir = coerce(frame, frame.expr(formula, wanted), wanted, formula.span)
    if len(rules.unit.report.diagnostics) > before:
        return None
    try:
        return fold(rules.unit.names, ir)
    except NotConstant:
        rules.unit.error("not-constant", f"the value of {what} must be known before play", formula.span)
        return None


# ------------------------------------------------------------------------------------ options, columns


def _option(rules: Rules, option: nodes.Option) -> dict[str, Any]:
    names, name = rules.unit.names, option.name.text
    check_type(names, option.type, rules.unit.report)
    given = option_type(_frame(rules, name), option)
    default = value_of(rules, option.default, given, f"`{name}`")
    values: list[Any] = []
    match given:
        case Truth():
            values, words = [False, True], ["no", "yes"]
        case Int(low, high) if given.bounded:
            values, words = list(range(low, high + 1)), [str(v) for v in range(low, high + 1)]
        case _:
            kind = given.kind if isinstance(given, Opt) else given
            info = names.kinds.get(getattr(kind, "name", ""))
            values, words = (list(info.values.values()), list(info.values)) if info else ([], [])
    if default is not None and values and default not in values:
        rules.unit.error("bad-default", f"the default of `{name}` is none of its values", option.default.span)
    return {"name": name, "type": to_json(given), "default": default, "values": values, "names": words}


def _empty(given: Type) -> Any:
    match given:
        case Truth():
            return False
        case SetOf():
            return []
        case Int():
            return 0
    return -1


def _fill_columns(rules: Rules, owner: str, table: nodes.Table) -> None:
    names = rules.unit.names
    for index, column in enumerate(table.columns):
        info = names.columns.get(f"{owner}.{column.name.text}")
        if info is None or info.span != column.name.span:
            continue
        for row in table.rows:
            value = row.values[index] if index < len(row.values) else ()
            info.values.append(_printed_value(rules, info, value, row.name.span))


def _printed_value(rules: Rules, info: ColumnInfo, value: Any, span: Span) -> Any:
    names, what = rules.unit.names, f"`{info.name}`"
    if info.key is None or info.key not in names.kinds:
        if isinstance(value, tuple):
            return _empty(info.type)
        found = value_of(rules, value, info.type, what)
        _check_range(rules, info, found, value.span)
        return found
    size = names.kinds[info.key].size
    filled = [_empty(info.type) for _ in range(size)]
    for key, item in value if isinstance(value, tuple) else ():
        id = _key(names, info.key, key.text)
        if id is None:
            known = list(names.kinds[info.key].values)
            help, notes = suggestion(key.text, known, f"values of `{info.key}`")
            text = f"`{info.key}` has no value `{key.text}`"
            rules.unit.error("unknown-name", text, key.span, help=help, notes=notes)
            continue
        filled[key_index(names, info.key, id)] = value_of(rules, item, info.type, what)
        _check_range(rules, info, filled[key_index(names, info.key, id)], item.span)
    if isinstance(info.type, Int) and not info.type.low <= 0 <= info.type.high and len(value) < size:
        text = f"{what} is {info.type.low}..{info.type.high}, and what a row leaves out is 0"
        rules.unit.error("out-of-range", text, span, help=f"write every `{info.key}` in each row, or let 0 be possible")
    return filled


def _key(names: Names, kind: str, text: str) -> int | None:
    numbers = names.kinds[kind].numbers
    if numbers:
        return int(text) if text.isdigit() and numbers[0] <= int(text) <= numbers[1] else None
    return names.value(kind, text)


def _check_range(rules: Rules, info: ColumnInfo, value: Any, span: Span) -> None:
    given = info.type.item if isinstance(info.type, SetOf) else info.type
    numbers = value if isinstance(value, list) else [value]
    if not isinstance(given, Int):
        return
    for one in numbers:
        if isinstance(one, int) and not given.low <= one <= given.high:
            text = f"`{info.name}` is {given.low}..{given.high}, found {one}"
            rules.unit.error("out-of-range", text, span)


# -------------------------------------------------------------------------------------------- tokens


def _allocate_tokens(rules: Rules, made: Declared) -> None:
    names = rules.unit.names
    names.first_token = len(names.entities)
    for kind, info in names.tokens.items():
        node, start = info.node, len(names.entities)
        if info.table is not None and info.table not in names.tables:
            _unknown_table(rules, node)
            info.table = None
        rows = _rows(rules, info.table)
        most, copies = _count(rules, node)
        owners = range(len(names.seats)) if node.owned else [-1]
        for row, owner in itertools.product(rows, owners):
            number = most if most is not None else _copies(rules, info.table, row)
            if len(names.entities) + number - names.first_token > MOST_TOKENS:
                text = f"with `{kind}` there are more than {MOST_TOKENS} tokens in all"
                rules.unit.error("too-large", text, node.count.span if node.count else node.name.span)
                break
            for copy in range(number):
                names.entities.append(_token_name(names, kind, row, owner, copy + 1 if number > 1 else None))
                info.rows.append(row)
                info.owners.append(owner)
        names.kinds[kind].ranges = [(start, len(names.entities))]
        made.tokens[kind] = {"table": info.table, "owned": node.owned, "copies": copies}


def _unknown_table(rules: Rules, node: nodes.TokenKind) -> None:
    assert node.prints is not None
    help, notes = suggestion(node.prints.text, list(rules.unit.names.tables), "tables of this game")
    rules.unit.error(
        "unknown-name", f"no table is named `{node.prints.text}`", node.prints.span, help=help, notes=notes
    )


def _rows(rules: Rules, table: str | None) -> list[int]:
    if table is None:
        return [-1]
    rules.unit.names.used.add(table)
    return list(rules.unit.names.kinds[table].values.values())


def _count(rules: Rules, node: nodes.TokenKind) -> tuple[int | None, Any]:
    """Return how many tokens there are at most (None: as the table says), and the formula where it varies."""
    if node.count is None:
        return (None, None) if node.prints is not None else (1, None)
    frame = _frame(rules, node.name.text)
    value = frame.expr(node.count, NUMBER)
    ir = coerce(frame, value, NUMBER, node.count.span)
    if value.type == UNKNOWN:
        return 0, None
    try:
        number = fold(rules.unit.names, ir)
        return number if _is_in(rules, number, 0, MOST_TOKENS, "a count of tokens", node.count.span) else 0, None
    except NotConstant:
        bound = value.type.high if isinstance(value.type, Int) and value.type.bounded else 0
        return bound, ir


def _is_in(rules: Rules, value: Any, low: int, high: int, what: str, span: Span) -> bool:
    """Report a number that is out of its bounds; return whether it is within them."""
    fits = not isinstance(value, int) or low <= value <= high
    if not fits:
        wanted = f"{low}..{high}" if high < LARGEST else f"at least {low}"
        rules.unit.error("out-of-range", f"{what} is {wanted}, found {value}", span)
    return fits


def _known(rules: Rules, ir: Any, local: tuple[int, ...] = ()) -> Any:
    """Return the value of a formula if it is known before play, else None; *local* are its first locals."""
    try:
        return fold(rules.unit.names, ir, local) if ir is not None else None
    except NotConstant:
        return None


def _copies(rules: Rules, table: str | None, row: int) -> int:
    names = rules.unit.names
    column = names.columns.get(f"{table}.copies")
    if column is None or table is None:
        return 1
    index = row - names.kinds[table].ranges[0][0]
    value = column.values[index]
    is_number = isinstance(value, int) and _is_in(
        rules, value, 0, MOST_TOKENS, "`copies`", names.tables[table].rows[index].name.span
    )
    return value if is_number else 0


def _token_name(names: Names, kind: str, row: int, owner: int, number: int | None) -> str:
    """Return the name of a token; without a number there is no other of that row and owner."""
    parts = [names.entities[row] if row >= 0 else kind]
    if owner >= 0:
        parts.append(names.seats[owner])
    return ".".join(parts) + (f"#{number}" if number is not None else "")


def _token(rules: Rules, kind: str, node: nodes.TokenKind) -> dict[str, Any]:
    names = rules.unit.names
    frame = _frame(rules, kind)
    frame.bind(kind, frame.thing(kind), node.name.span)
    start = frame.expr(node.starts_in, ZoneOf("", frame.thing(kind), True))
    if start.type != UNKNOWN and not isinstance(start.type, ZoneOf):
        rules.unit.error("type-mismatch", f"`{kind}` starts in a zone", node.starts_in.span)
    elif isinstance(start.type, ZoneOf) and not start.type.kind.leaves >= {kind}:
        text = f"`{start.type.name}` holds {start.type.kind.name}, not {kind}"
        rules.unit.error("type-mismatch", text, node.starts_in.span)
    elif isinstance(start.type, ZoneOf) and not start.type.single:
        _which_slot(rules, kind, node, names.zones[start.type.name])
    elif isinstance(start.type, ZoneOf):
        _slots_exist(rules, kind, node, start.ir)
    if node.in_force is not None and node.in_force.text not in names.zones:
        help, notes = suggestion(node.in_force.text, list(names.zones), "zones of this game")
        text = f"no zone is named `{node.in_force.text}`"
        rules.unit.error("unknown-zone", text, node.in_force.span, help=help, notes=notes)
    faces = names.written_type(node.faces) if node.faces else None
    return {
        "faces": [faces.low, faces.high] if isinstance(faces, Int) else None,
        "start": start.ir if isinstance(start.type, ZoneOf) else None,
        "in_force": node.in_force.text if node.in_force else None,
    }


def _which_slot(rules: Rules, kind: str, node: nodes.TokenKind, zone: nodes.Zone) -> None:
    """Report a token that starts in a zone of several slots, and no word which."""
    keys = [key.text for key in zone.each]
    if keys == ["player"]:
        which = f"{zone.name.text} of {kind}.owner" if node.owned else f"{zone.name.text} of seat(1)"
    else:
        which = f"{zone.name.text}({', '.join(key.upper() for key in keys)})"
    text = f"`{zone.name.text}` is kept for each {' and '.join(keys)}: `{kind}` starts in one of them"
    rules.unit.error("type-mismatch", text, node.starts_in.span, help=f"say which: `starts_in: {which}`")


def _slots_exist(rules: Rules, kind: str, node: nodes.TokenKind, place: dict[str, Any]) -> None:
    """Report a token that starts in a slot that is not there: that of an owner it has not, or of `nothing`."""
    names = rules.unit.names
    zone, info, first = names.zones[place["zone"]], names.tokens[kind], names.kinds[kind].ranges[0][0]
    alike = {pair: first + i for i, pair in reversed(list(enumerate(zip(info.rows, info.owners, strict=True))))}
    for (_, owner), token in sorted(alike.items(), key=lambda item: item[1]):
        for key, (_, ir) in zip(zone.each, place["keys"], strict=True):
            value = owner if ir == ["owner", ["local", 0]] else _known(rules, ir, (token,))
            if value is not None and key.text in names.kinds and value not in _members(names, key.text):
                text = f"`{zone.name.text}` is kept for each {key.text}, and for `{names.entities[token]}` that is none"
                help = f"say whose: `starts_in: {zone.name.text} of seat(1)`" if key.text == "player" else None
                rules.unit.error("type-mismatch", text, node.starts_in.span, help=help)
                return


# ------------------------------------------------------------------------- zones, counters, variables


def _check_zone(rules: Rules, zone: nodes.Zone) -> None:
    names, report = rules.unit.names, rules.unit.report
    for kind in (*zone.each, *zone.holds):
        check_kind(names, kind, report)
        names.used.add(kind.text)
    for held in zone.holds:
        if held.text in names.kinds and not names.leaves(held.text) <= set(names.tokens):
            rules.unit.error("type-mismatch", f"a zone holds tokens, and `{held.text}` is none", held.span)


def _zone(rules: Rules, zone: nodes.Zone) -> dict[str, Any]:
    frame = _frame(rules, zone.name.text)
    refill = None
    if zone.refill_from is not None:
        value = frame.expr(zone.refill_from, ZoneOf("", frame.thing("player"), True))
        refill = value.ir if isinstance(value.type, ZoneOf) else None
        if refill is None and value.type != UNKNOWN:
            rules.unit.error("type-mismatch", "`refill_from` names a zone", zone.refill_from.span)
    holds = sorted(frame.names.holds(zone).leaves, key=list(frame.names.kinds).index) if zone.holds else []
    return {
        "name": zone.name.text, "keys": [k.text for k in zone.each], "holds": holds, "order": zone.order,
        "at_most": _at_most(rules, zone), "seen_by": zone.seen_by, "face_down_seen_by": zone.face_down_seen_by,
        "number_seen_by": zone.number_seen_by, "refill_from": refill, "own": _own(rules, zone),
    }  # fmt: skip


def _own(rules: Rules, zone: nodes.Zone) -> bool:
    """Return whether a zone holds only its owner's tokens; such a zone is each player's."""
    if zone.own and "player" not in [k.text for k in zone.each]:
        text = f"`{zone.name.text}` is nobody's own: only a zone of `each: player` is"
        rules.unit.error("type-mismatch", text, zone.name.span)
    return zone.own


def _at_most(rules: Rules, zone: nodes.Zone) -> Any:
    """Return the bound of a zone: a number, or a list by slot where it depends on the keys."""
    names = rules.unit.names
    cells_fit(names, zone.name, zone.each, "slots", rules.unit.report)
    if zone.at_most is None or constant(zone.at_most) is not None:
        if zone.at_most is not None:
            _is_in(rules, constant(zone.at_most), 0, LARGEST, "`at_most`", zone.at_most.span)
        return constant(zone.at_most)
    if any(k.text not in names.kinds for k in zone.each):
        return None
    frame = _frame(rules, zone.name.text)
    for key in zone.each:
        frame.bind(key.text, names.kind_type(key.text), key.span)
    ir = coerce(frame, frame.expr(zone.at_most, NUMBER), NUMBER, zone.at_most.span)
    slots = itertools.product(*(_members(names, k.text) for k in zone.each))
    try:
        return [fold(names, ir, slot) for slot in slots]
    except NotConstant:
        rules.unit.error("not-constant", "how many fit must be known before play", zone.at_most.span)
        return None


def _members(names: Names, kind: str) -> list[int]:
    info = names.kinds[kind]
    if info.numbers:
        return list(range(info.numbers[0], info.numbers[1] + 1))
    return [i for low, high in info.ranges for i in range(low, high)]


def _counter(rules: Rules, counter: nodes.Counter) -> dict[str, Any]:
    frame = _frame(rules, counter.name.text)

    def lowered(formula: nodes.Expr | None) -> Any:
        return coerce(frame, frame.expr(formula, NUMBER), NUMBER, formula.span) if formula is not None else None

    most = value_of(rules, counter.at_most, NUMBER, "`at_most`") if counter.at_most is not None else None
    start, bank = lowered(counter.start), lowered(counter.bank)
    if counter.at_most is not None:
        _is_in(rules, most, 0, LARGEST, "`at_most`", counter.at_most.span)
    high = most if isinstance(most, int) and most >= 0 else LARGEST
    _is_in(rules, _known(rules, start), 0, high, f"what each has of `{counter.name.text}`", counter.start.span)
    if counter.bank is not None:
        _is_in(rules, _known(rules, bank), 0, LARGEST, f"the bank of `{counter.name.text}`", counter.bank.span)
    return {"name": counter.name.text, "owned": counter.owned, "start": start, "bank": bank, "at_most": most}


def _variable(rules: Rules, variable: nodes.Variable) -> dict[str, Any]:
    names, report = rules.unit.names, rules.unit.report
    check_type(names, variable.type, report)
    for key in variable.each:
        check_kind(names, key, report)
        names.used.add(key.text)
    given = names.written_type(variable.type)
    frame = _frame(rules, variable.name.text)
    start = None
    if variable.start is not None:
        start = coerce(frame, frame.expr(variable.start, given), given, variable.start.span)
        if isinstance(given, Int):
            what = f"`{variable.name.text}`"
            _is_in(rules, _known(rules, start), given.low, given.high, what, variable.start.span)
    cells_fit(names, variable.name, variable.each, "cells", report)
    if variable.within is not None and variable.within.text not in names.phases:
        help, notes = suggestion(variable.within.text, list(names.phases), "phases of this game")
        text = f"no phase is named `{variable.within.text}`"
        rules.unit.error("unknown-rule", text, variable.within.span, help=help, notes=notes)
    within = variable.within.text if variable.within else None
    return {
        "name": variable.name.text, "keys": [k.text for k in variable.each], "type": to_json(given), "start": start,
        "within": within,
    }  # fmt: skip
