"""Reads tables and places: columns, cells, rows, from the game file, from CSV files, from the map file."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rulespec import nodes, parser
from rulespec.diagnostics import Related, counted, suggestion
from rulespec.documents import Mapping, Origin, Scalar, Sequence, Value
from rulespec.nodes import Expr, Name
from rulespec.reader_rules import read_action_body, read_functions, read_trigger
from rulespec.reading import Context, SetAside, entries
from rulespec.source import Located, SourceFile, Span

RowValue = Expr | tuple[tuple[Name, Expr], ...]


def read_columns(context: Context, value: Value | None) -> tuple[nodes.Column, ...]:
    """Return the columns of a table or place."""
    return context.each(value, lambda key, body: _column(context, key, body))


def _column(context: Context, key: Located[str], value: Value) -> nodes.Column:
    signature = context.signature(key)
    if len(signature.params) > 1 or any(param.name for param in signature.params):
        raise context.fail("bad-column", "a column has at most one key, a kind", key.span)
    kind = signature.params[0].kind if signature.params else None
    return nodes.Column(signature.name, kind, context.parse(value, parser.parse_type), key.span)


def _cell(context: Context, key: Located[str], value: Value) -> nodes.Cell:
    signature = context.signature(key)
    scalar = context.scalar(value)
    if scalar.text in ("script", "action"):
        return nodes.Cell(signature, scalar.text, None, key.span)
    kind = context.parse(value, parser.parse_type)
    default = kind.default
    if default is None:
        if kind.form != "truth":
            help = "write the value of an empty cell after `=`: `0..20 = 0`"
            raise context.fail("missing-default", f"the cell `{signature.name.text}` has no default", value.span, help)
        default = nodes.Truth(False, kind.span)
    kind = nodes.TypeExpr(kind.form, kind.names, kind.bounds, kind.board, default, kind.span)
    return nodes.Cell(signature, "formula", kind, key.span)


def read_table(
    context: Context, key: Located[str], value: Value, base_tables: tuple[nodes.Table, ...] = ()
) -> nodes.Table:
    """Return a table with its rows; faulty rows are set aside. Rows alone may be more rows for one of *base_tables*."""
    body = context.mapping(value)
    base = next((table for table in base_tables if table.name.text == key.value), None)
    if base is not None and body.get("columns") is None and body.get("cells") is None:
        rows = _rows(context, body.get("rows"), base.columns, base.cells)
        return nodes.Table(context.declared(key), base.columns, base.cells, rows, key.span, is_more=True)
    columns = read_columns(context, body.get("columns"))
    if len(columns) < sum(1 for _ in entries(body.get("columns"))):
        raise SetAside  # no row would fit the columns that are left
    cells = context.each(body.get("cells"), lambda name, kind: _cell(context, name, kind))
    rows = _rows(context, body.get("rows"), columns, cells)
    return nodes.Table(context.declared(key), columns, cells, rows, key.span)


def _rows(
    context: Context, written: Value | None, columns: tuple[nodes.Column, ...], cells: tuple[nodes.Cell, ...]
) -> tuple[nodes.Row, ...]:
    if isinstance(written, Scalar):
        return read_csv(context, written, columns)
    return context.each(written, lambda name, row: _row(context, name, row, columns, cells))


def _row(
    context: Context,
    key: Located[str],
    value: Value,
    columns: tuple[nodes.Column, ...],
    cells: tuple[nodes.Cell, ...],
) -> nodes.Row:
    name = context.declared(key)
    if isinstance(value, Sequence):
        return nodes.Row(name, _printed(context, value, columns, key), (), (), (), key.span)
    body = context.mapping(value)
    printed = body.get("printed") or Sequence((), key.span)
    if not isinstance(printed, Sequence):
        raise SetAside
    known = {cell.signature.name.text: cell for cell in cells}
    filled = tuple(
        _filled(context, cell_key, item, known)
        for cell_key, item in body
        if cell_key.value not in ("printed", "changes", "triggers")
    )
    triggers = context.each(body.get("triggers"), lambda k, v: read_trigger(context, k, v))
    changes = read_functions(context, body.get("changes"))
    return nodes.Row(name, _printed(context, printed, columns, key), filled, changes, triggers, key.span)


def _filled(
    context: Context, key: Located[str], value: Value, known: dict[str, nodes.Cell]
) -> tuple[Name, nodes.Block | nodes.Action | Expr]:
    cell = known.get(key.value)
    if cell is None:
        help, notes = suggestion(key.value, [*known, "printed", "changes", "triggers"], "keys of a row")
        context.report.error("unknown-cell", f"no cell is named `{key.value}`", key.span, help=help, notes=notes)
        raise SetAside
    name = Name(key.value, key.span)
    if cell.form == "action":
        if not isinstance(value, Mapping):
            raise context.fail("wrong-type", f"the cell `{key.value}` wants an action, a mapping", value.span)
        unknown = [k for k, _ in value if k.value not in ("choose", "if", "cost", "do")]
        for one in unknown:
            context.report.error("unknown-key", f"there is no key `{one.value}` here", one.span)
        return name, read_action_body(context, cell.signature, value, key)
    if not isinstance(value, Scalar):
        wanted = "a script" if cell.form == "script" else "a formula"
        raise context.fail("wrong-type", f"the cell `{key.value}` wants {wanted}, a text", value.span)
    return name, context.script(value) if cell.form == "script" else context.formula(value)


def _printed(
    context: Context, value: Sequence, columns: tuple[nodes.Column, ...], key: Located[str]
) -> tuple[RowValue, ...]:
    if len(value.items) != len(columns):
        names = ", ".join(f"`{column.name.text}`" for column in columns)
        values, wanted = counted(len(value.items), "value"), counted(len(columns), "column")
        message = f"the row `{key.value}` has {values}, the table {wanted}"
        raise context.fail("wrong-row-length", message, value.span, f"the columns are {names}" if names else None)
    return tuple(printed_value(context, item, column) for item, column in zip(value.items, columns, strict=True))


def printed_value(context: Context, value: Value, column: nodes.Column) -> RowValue:
    """Return what a row holds in a column: a formula, a list as a set, a mapping where the column has a key."""
    match value:
        case Mapping():
            if column.key is None:
                raise context.fail("wrong-type", f"the column `{column.name.text}` has no key", value.span)
            return tuple((context.name(k.value, k.span), _single(context, v)) for k, v in value)
        case _ if column.key is not None:
            message = f"the column `{column.name.text}` wants a mapping by `{column.key.text}`"
            raise context.fail("wrong-type", message, value.span, "write `{key: value}`")
        case _:
            return _single(context, value)


def _single(context: Context, value: Value) -> Expr:
    if isinstance(value, Sequence):
        return nodes.SetLiteral(tuple(context.formula(item) for item in value.items), value.span)
    return context.formula(value)


def nothing(context: Context, column: nodes.Column, span: Span, key: str) -> RowValue:
    """Return what an empty field holds: 0, no, the empty set, the empty mapping; else an error."""
    if column.key is not None:
        return ()
    match column.type.form:
        case "range":
            return nodes.Number(0, span)
        case "truth":
            return nodes.Truth(False, span)
        case "set":
            return nodes.SetLiteral((), span)
        case _:
            message = f"`{key}` has no value in the column `{column.name.text}`"
            raise context.fail("missing-value", message, span)


# ------------------------------------------------------------------------------------------------- CSV tables


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a CSV line and where it stands."""

    text: str
    origin: Origin

    @property
    def span(self) -> Span:
        return self.origin.span(1, 1, 1, max(len(self.text), 1) + 1)


def split_line(source: SourceFile, number: int, line: str) -> list[Field]:
    """Return the fields of a CSV line; quotation marks protect commas.

    >>> [field.text for field in split_line(SourceFile("t.csv", ""), 1, 'a, b,"c,d"')]
    ['a', 'b', 'c,d']
    """
    fields = []
    for found in re.finditer(r'(?:^|,) *(?:"([^"]*)" *(?=,|$)|([^,]*))', line):
        group = 1 if found.group(1) is not None else 2
        text = found.group(group).rstrip() if group == 2 else found.group(1)
        fields.append(Field(text, Origin(source.name, number, found.start(group) + 1)))
    return fields


def read_csv(context: Context, name: Scalar, columns: tuple[nodes.Column, ...]) -> tuple[nodes.Row, ...]:
    """Return the rows of a CSV file: a header with `row` and the columns in any order, a line for each row."""
    if context.files is None or not name.text.endswith(".csv"):
        raise context.fail("wrong-type", "`rows` wants a mapping or the name of a `.csv` file", name.span)
    source = context.files.table(name.text, name.span)
    if source is None:
        raise SetAside
    lines = [(n, line) for n, line in enumerate(source.text.split("\n"), 1) if line.strip()]
    if not lines:
        raise context.fail("empty-table", f"`{name.text}` is empty", name.span)
    header = split_line(source, *lines[0])
    _check_header(context, header, columns)
    rows = []
    for number, line in lines[1:]:
        row = context.tried(lambda n=number, t=line: _csv_row(context, header, split_line(source, n, t), columns))  # type: ignore[misc]
        rows += [row] if row is not None else []
    context.unique(rows, lambda row: row.name, "the row")
    return tuple(rows)


def _check_header(context: Context, header: list[Field], columns: tuple[nodes.Column, ...]) -> None:
    known = ["row", *(column.name.text for column in columns)]
    seen: dict[str, Span] = {}
    for field in header:
        if field.text.split(".")[0] not in known:
            help, notes = suggestion(field.text, known, "columns of this table")
            message = f"no column is named `{field.text}`"
            context.report.error("unknown-column", message, field.span, help=help, notes=notes)
        if field.text in seen:
            message = f"the column `{field.text}` stands twice"
            related = (Related(seen[field.text], "it stands here too"),)
            context.report.error("duplicate-column", message, field.span, related=related)
        seen[field.text] = field.span
    found = {field.text.split(".")[0] for field in header}
    if not found <= set(known) or len(seen) < len(header):
        raise SetAside
    keyed = {column.name.text for column in columns if column.key is not None}
    _check_keys(context, header, keyed)
    missing = [name for name in known if name not in found and name not in keyed]
    if missing:
        raise context.fail("missing-column", f"the header lacks the column `{missing[0]}`", header[0].span)


def _check_keys(context: Context, header: list[Field], keyed: set[str]) -> None:
    """See to it that columns with a key, and only these, are written `column.key`."""
    for field in header:
        name, dot, _ = field.text.partition(".")
        if bool(dot) != (name in keyed):
            wants = f"`{name}.KEY`, once for each key it has" if name in keyed else f"`{name}`"
            message = f"`{field.text}` is no heading of the column `{name}`"
            raise context.fail("unknown-column", message, field.span, help=f"write {wants}")


def _csv_row(
    context: Context, header: list[Field], fields: list[Field], columns: tuple[nodes.Column, ...]
) -> nodes.Row:
    if len(fields) != len(header):
        message = f"this line has {counted(len(fields), 'field')}, the header {len(header)}"
        raise context.fail("wrong-row-length", message, fields[0].span)
    by_name = {head.text: field for head, field in zip(header, fields, strict=True)}
    first = by_name["row"]
    name = context.name(first.text, first.span)
    return nodes.Row(name, tuple(_csv_value(context, by_name, column) for column in columns), (), (), (), name.span)


def _csv_value(context: Context, fields: dict[str, Field], column: nodes.Column) -> RowValue:
    name = column.name.text
    if column.key is not None:
        keyed = [(head.split(".", 1)[1], field) for head, field in fields.items() if head.startswith(name + ".")]
        return tuple(
            (context.name(key, field.span), _csv_single(context, field, column)) for key, field in keyed if field.text
        )
    field = fields[name]
    return (
        _csv_single(context, field, column) if field.text else nothing(context, column, field.span, fields["row"].text)
    )


def _csv_single(context: Context, field: Field, column: nodes.Column) -> Expr:
    if column.type.form != "set":
        made = parser.parse_formula(field.text, field.origin, context.report)
        if made is None:
            raise SetAside
        return made
    words = []
    for word in re.finditer(r"\S+", field.text):
        origin = Origin(field.origin.file, field.origin.line, field.origin.column + word.start())
        made = parser.parse_formula(word.group(), origin, context.report)
        words += [made] if made is not None else []
    return nodes.SetLiteral(tuple(words), field.span)


# ---------------------------------------------------------------------------------------------------- the map


def read_place(context: Context, key: Located[str], value: Value) -> nodes.Place:
    """Return a kind of place: a generated board, or the nodes or edges of a map file."""
    body = context.mapping(value)
    forms = [name for name in ("is", "nodes_of", "edges_of") if body.key(name) is not None]
    if len(forms) != 1:
        raise context.fail("bad-place", "a place has one of `is`, `nodes_of` or `edges_of`", key.span)
    name, plural = context.declared(key), context.maybe_name(body.get("plural"))
    if forms[0] == "is":
        board = context.parse(body.get("is"), parser.parse_type)
        if board.form != "board":
            help = "`grid 3 by 3`, `hex 3 by 3`, `rhombus 5 by 5`, `path 5`, `cycle 8` or `complete 4`"
            raise context.fail("bad-place", "expected a board", board.span, help)
        return nodes.Place(name, plural, board, "board", None, (), None, (), key.span)
    form = forms[0].removesuffix("_of")
    columns = read_columns(context, body.get("columns"))
    spaces = context.maybe_name(body.get("spaces"))
    if spaces is not None and spaces.text not in {column.name.text for column in columns}:
        raise context.fail("unknown-column", f"no column is named `{spaces.text}`", spaces.span)
    rows, ends, places = _map_rows(context, context.scalar(body.get(forms[0])), form, columns)
    table = nodes.Table(name, columns, (), rows, key.span)
    return nodes.Place(name, plural, None, form, table, ends, spaces, places, key.span)


MapRows = tuple[tuple[nodes.Row, ...], tuple[tuple[Name, Name], ...], tuple[tuple[float, float] | None, ...]]


def _map_rows(context: Context, name: Scalar, form: str, columns: tuple[nodes.Column, ...]) -> MapRows:
    if context.files is None:
        raise context.fail("file-not-found", f"there is no file `{name.text}`", name.span)
    root = context.files.document(name.text, name.span).root
    if root is None:
        raise SetAside
    ids = {_id(item) for item in context.items(root.get("nodes"))}
    rows, ends, places = [], [], []
    for item in context.items(root.get(form)):
        row = context.tried(lambda item=item: _map_row(context, item, columns))  # type: ignore[misc]
        between = None if form == "nodes" else context.tried(lambda item=item: _ends(context, item, ids))  # type: ignore[misc]
        if row is None or (form == "edges" and between is None):
            continue
        rows.append(row)
        ends += [between] if between is not None else []
        places.append(_coordinates(context, item) if form == "nodes" else None)
    if not context.items(root.get(form)):
        raise context.fail("empty-table", f"`{name.text}` has no `{form}`", name.span)
    context.unique(rows, lambda row: row.name, "the place")
    return tuple(rows), tuple(ends), tuple(places) if form == "nodes" else ()


def _id(item: Value) -> str | None:
    found = item.get("id") if isinstance(item, Mapping) else None
    return found.text if isinstance(found, Scalar) else None


def _map_row(context: Context, item: Value, columns: tuple[nodes.Column, ...]) -> nodes.Row:
    if not isinstance(item, Mapping) or _id(item) is None:
        raise context.fail("missing-key", "this item of the map has no `id`", item.span)
    name = context.name_of(item.get("id"))
    values: list[RowValue] = []
    for column in columns:
        value = item.get(column.name.text)
        if value is None:
            values.append(nothing(context, column, name.span, name.text))
        else:
            values.append(printed_value(context, value, column))
    return nodes.Row(name, tuple(values), (), (), (), name.span)


def _ends(context: Context, item: Value, ids: set[str | None]) -> tuple[Name, Name]:
    found = []
    for key in ("source", "target"):
        value = context.mapping(item).get(key)
        if value is None:
            raise context.fail("missing-key", f"this edge has no `{key}`", item.span)
        name = context.name_of(value)
        if name.text not in ids:
            help, _ = suggestion(name.text, [one for one in ids if one], "nodes")
            raise context.fail("unknown-node", f"no node has the id `{name.text}`", name.span, help)
        found.append(name)
    return found[0], found[1]


def _coordinates(context: Context, item: Value) -> tuple[float, float] | None:
    found = {key.value: value for key, value in entries(item) if key.value in ("x", "y")}
    if len(found) < 2:
        return None
    numbers = []
    for value in found.values():
        scalar = context.scalar(value)
        if re.fullmatch(r"-?\d{1,9}(\.\d{1,9})?", scalar.text) is None:
            context.report.error("bad-value", f"expected a number, found `{scalar.text}`", scalar.span)
            return None
        numbers.append(float(scalar.text))
    order = list(found)
    return numbers[order.index("x")], numbers[order.index("y")]
