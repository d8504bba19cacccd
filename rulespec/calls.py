"""Calls of functions and formula cells, and the reports of names that do not exist."""

from __future__ import annotations

from rulespec import nodes
from rulespec.coercions import coerce
from rulespec.diagnostics import counted, suggestion
from rulespec.scope import IR, WRONG, Frame, Typed
from rulespec.source import Span
from rulespec.value_types import NUMBER, TRUTH, UNKNOWN, Int, Kind, SetOf, Type, ZoneOf, a_thing


def arguments(
    frame: Frame, rule: str, params: tuple[nodes.Param, ...], args: tuple[nodes.Expr, ...], span: Span
) -> list[IR] | None:
    """Lower the arguments of a call; report a wrong number of them."""
    if len(params) != len(args):
        written = ", ".join((f"{p.kind.text} {p.name.text}" if p.name else p.kind.text) for p in params)
        takes = f"`{rule}({written})`" if params else f"`{rule}` without arguments"
        frame.error(
            "wrong-arguments",
            f"`{rule}` takes {counted(len(params), 'argument')}, found {len(args)}",
            span,
            help=f"it is {takes}",
        )
        return None
    lowered = []
    for param, arg in zip(params, args, strict=True):
        wanted = frame.param_type(param)
        lowered.append(coerce(frame, frame.expr(arg, wanted), wanted, arg.span))
    return lowered


def call_function(frame: Frame, name: nodes.Name, args: tuple[nodes.Expr, ...], span: Span) -> Typed:
    """Lower the call of a function."""
    frame.names.used.add(name.text)
    signature = frame.names.functions[name.text].signature
    lowered = arguments(frame, name.text, signature.params, args, span)
    if lowered is None:
        return Typed(["lit", -1], UNKNOWN)
    return Typed(["call", name.text, *lowered], frame.unit.result_of(name.text))


def cell_result(frame: Frame, cell: nodes.Cell) -> Type:
    """Return the type of a formula cell."""
    return frame.names.written_type(cell.type) if cell.type else UNKNOWN


def call_cell(frame: Frame, name: str, value: Typed, node: nodes.Printed) -> Typed:
    """Lower the use of a formula cell; scripts and actions are no formulas."""
    cell = frame.names.cells[name]
    frame.names.used.add(name)
    if cell.form != "formula":
        return frame.error(
            "type-mismatch", f"`{node.name.text}` is {a_thing(cell.form)}, and not a value", node.name.span
        )
    lowered = arguments(frame, node.name.text, cell.signature.params, node.args or (), node.span)
    if lowered is None:
        return Typed(["lit", -1], UNKNOWN)
    return Typed(["cell", name, value.ir, *lowered], cell_result(frame, cell))


def none_of(frame: Frame, code: str, message: str, span: Span, help: str | None, notes: tuple[str, ...]) -> Typed:
    """Report a name that does not exist."""
    return frame.error(code, message, span, help=help, notes=notes)


def missing(frame: Frame, name: nodes.Name, wanted: Type | None) -> Typed:
    """Report a bare name that is nothing here, in the words of what was wanted."""
    names = frame.names
    if isinstance(wanted, ZoneOf):
        help, notes = suggestion(name.text, list(names.zones), "zones of this game")
        return frame.error("unknown-zone", f"no zone is named `{name.text}`", name.span, help=help, notes=notes)
    item = wanted.item if isinstance(wanted, SetOf) else wanted
    if isinstance(item, Kind) and not all(leaf in names.kinds for leaf in names.leaves(item.name)):
        return WRONG  # the kind is wrong already
    known = [*frame.bound, *names.zones, *names.functions, *names.variables, *names.options, *names.counters]
    if isinstance(item, Kind):
        values = [v for leaf in names.leaves(item.name) for v in names.kinds[leaf].values]
        help, notes = suggestion(name.text, values + known, "names known here")
        what = a_thing(item.name)
    else:
        help, notes = suggestion(name.text, known, "names known here")
        what = (
            {NUMBER: "a number", TRUTH: "a condition"}.get(wanted, "") if isinstance(wanted, Int | type(TRUTH)) else ""
        )
    found = f"nothing is named `{name.text}`" + (f", where {what} is wanted" if what else "")
    return frame.error("unknown-name", found, name.span, help=help, notes=notes)
