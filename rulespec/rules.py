"""Each rule of a game checked and compiled to a RULE of the program, functions and procedures on first use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

from rulespec import nodes
from rulespec.choices import part
from rulespec.coercions import check_range, coerce, plain, truth
from rulespec.diagnostics import said
from rulespec.phases import phase
from rulespec.raising import raised
from rulespec.scope import Frame, Unit, mismatch, where
from rulespec.source import Span
from rulespec.statements import RETURN_ALWAYS, always_returns, block
from rulespec.value_types import (
    NOTHING,
    NUMBER,
    TRUTH,
    UNKNOWN,
    Int,
    Kind,
    Opt,
    Type,
    Unknown,
    join,
    to_json,
)  # fmt: skip


class Rules:
    """Compiles the rules of one game into `unit.rules`; a rule is compiled once, when it is first needed."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.results: dict[str, Type] = {}
        self.waiting: list[str] = []

    # ---------------------------------------------------------------------- functions and procedures

    def result_of(self, name: str) -> Type:
        """Return the result of a function or procedure."""
        if name in self.results:
            return self.results[name]
        names = self.unit.names
        if name in self.waiting:
            return self._circle(name)
        self.waiting.append(name)
        if name in names.functions:
            result = self._function(names.functions[name])
        elif name in names.procedures:
            result = self._procedure(names.procedures[name])
        else:
            result = UNKNOWN
        self.waiting.remove(name)
        self.results[name] = result
        return result

    def _circle(self, name: str) -> Type:
        names = self.unit.names
        circle = self.waiting[self.waiting.index(name) :]
        if name in names.functions:
            shown = [each for each, _ in groupby(said(n) for n in [*circle, name])]
            listed = " uses ".join(f"`{n}`" for n in (shown if len(shown) > 1 else [*shown, *shown]))
            text = f"a function may not use itself: {listed}"
            self.unit.error("recursive-function", text, names.functions[name].span)
        return UNKNOWN

    def _function(self, node: nodes.Function) -> Type:
        name = node.signature.name.text
        frame = self.frame(name, "function", has_me=False)
        for param in node.signature.params:
            frame.param(param)
        result = self._function_body(frame, node, None, node.span)
        if name in self.unit.layered and isinstance(result, Int):
            self.results[name] = NUMBER  # what the changes use may use this function in turn
            result = raised(frame, result, self.unit.layered[name])
            self.unit.rules[name]["result"] = to_json(result)
        return result

    def _function_body(self, frame: Frame, node: nodes.Function, wanted: Type | None, span: Span) -> Type:
        params = len(frame.locals)
        frame.wanted = wanted
        if node.formula is not None:
            value = plain(frame.expr(node.formula, wanted))
            result, body = value.type, value.ir
            if wanted is not None and wanted != UNKNOWN:
                body = coerce(frame, value, wanted, node.formula.span)
        else:
            body = block(frame, node.script or ())
            result = self._returned(frame, span)
            if frame.returns and not always_returns(node.script or ()):
                text = "this function may come to its end without `return`"
                frame.error("missing-return", text, span, help=RETURN_ALWAYS)
        form = "formula" if node.formula is not None else "script"
        self.put(frame, span, params, result, body, form=form)
        return result

    def _returned(self, frame: Frame, span: Span) -> Type:
        """Join what all `return` lines give."""
        result: Type | None = None
        for given, place in frame.returns:
            joined = given if result is None else join(result, given)
            if joined is None:
                mismatch(frame, given, result or given, place or span)
                return UNKNOWN
            result = joined
        if result is None and frame.kind in ("function", "layer"):
            frame.error("missing-return", "this function returns nothing", span)
        return UNKNOWN if result is None else result

    def _procedure(self, node: nodes.Procedure) -> Type:
        frame = self.frame(node.signature.name.text, "procedure", has_me=True)
        for param in node.signature.params:
            frame.param(param)
        params = len(frame.locals)
        body = block(frame, node.script)
        result = self._returned(frame, node.span) if frame.returns else NOTHING
        self.put(frame, node.span, params, result if frame.returns else None, body)
        return result

    # --------------------------------------------------------------------------------- other rules

    def frame(self, name: str, kind: str, has_me: bool) -> Frame:
        """Return a fresh frame for a rule."""
        return Frame(self.unit, name, kind, has_me)

    def put(self, frame: Frame, span: Span | None, params: int, result: Type | None, body: Any, **more: Any) -> None:
        """Enter a finished rule."""
        written = None if result is None or isinstance(result, Unknown) else to_json(result)
        kind = {"layer": "function"}.get(frame.kind, frame.kind)
        self.unit.rules[frame.rule] = {
            "kind": kind, "at": where(span), "params": params, "locals": frame.locals, "result": written,
            "body": body, **more,
        }  # fmt: skip

    def action(self, node: nodes.Action, name: str | None = None, extra: tuple[nodes.Param, ...] = ()) -> None:
        """Compile an action, or the action cell of a row."""
        rule = name or node.signature.name.text
        frame = self.frame(rule, "action" if name is None else "cell", has_me=True)
        frame.takes_return = False
        for param in (*node.signature.params, *extra):
            frame.param(param)
        params = len(frame.locals)
        parts = [part(frame, choices, rule if i == 0 else None) for i, choices in enumerate(node.choose)]
        if not parts:
            self.unit.plain_asks[rule] = rule
        ifs = [
            {"name": i.name.text, "when": truth(frame, i.condition), "at": list(where(i.span)[1:])}
            for i in node.conditions
        ]
        cost, do = block(frame, node.cost), block(frame, node.do)
        self.put(frame, node.span, params, None, do, parts=parts, ifs=ifs, cost=cost)

    def phase(self, node: nodes.Phase) -> None:
        """Compile a phase."""
        frame = self.frame(node.name.text, "phase", has_me=True)
        frame.takes_return = False
        self.put(frame, node.span, 0, None, phase(frame, node))

    def named(self, node: nodes.Named, kind: str) -> None:
        """Compile an end, an invariant, or a scoring item."""
        frame = self.frame(node.name.text, kind, has_me=False)
        if kind == "score":
            frame.bind("player", frame.thing("player"), node.name.span)
        wanted: Type = NUMBER if kind == "score" else TRUTH
        value = frame.expr(node.formula, wanted)
        body = coerce(frame, value, wanted, node.formula.span)
        result = value.type if isinstance(value.type, Int) else wanted
        self.put(frame, node.span, len(frame.locals) and 1 if kind == "score" else 0, result, body, form="formula")

    def hook(self, name: str, formula: nodes.Expr, wanted: Type, bind: Callable[[Frame], None] | None = None) -> Type:
        """Compile a formula of its own, with the locals *bind* gives it; return its type."""
        frame = self.frame(name, "hook", has_me=False)
        if bind is not None:
            bind(frame)
        params = len(frame.locals)
        value = frame.expr(formula, wanted)
        body = coerce(frame, value, wanted, formula.span)
        result = value.type if isinstance(value.type, Int) else wanted
        self.put(frame, formula.span, params, result, body, form="formula")
        return result

    def layer(self, name: str, node: nodes.Function, before: Sequence[tuple[str, Type, Span]]) -> None:
        """Compile the rule of a layer over a function: *before* are `this`, or the parameters of a lasting change."""
        below = node.signature.name.text
        declared = self.unit.names.functions.get(below)
        if declared is None:
            return
        frame = self.frame(name, "layer", has_me=False)
        for text, given, span in before:
            frame.bind(text, given, span)
        params = declared.signature.params
        wanted_types = [self.frame(below, "function", False).param_type(p) for p in params]
        if len(node.signature.params) != len(params):
            text = f"`{below}` takes {len(params)} parameters, found {len(node.signature.params)}"
            self.unit.error("wrong-arguments", text, node.signature.span)
            return
        found = [frame.param(p) for p in node.signature.params]
        for given, wanted, param in zip(found, wanted_types, node.signature.params, strict=True):
            if given != wanted and UNKNOWN not in (given, wanted):
                mismatch(frame, given, wanted, param.span)
        result = self.result_of(below)
        frame.base = result, list(range(len(before), len(frame.locals)))
        frame.names.used.add(below)
        self._function_body(frame, node, _layer_type(result), node.span)

    # ------------------------------------------------------------------------------------- cells

    def cell(self, cell: nodes.Cell, name: str, body: Any, span: Span) -> None:
        """Compile the cell of a row, or (formula cells) the default of the table."""
        if isinstance(body, nodes.Action):
            self.action(nodes.Action(cell.signature, body.choose, body.conditions, body.cost, body.do, body.span), name)
            return
        frame = self.frame(name, "cell", has_me=cell.form == "script")
        if cell.form == "formula":
            frame.kind = "function"
        for param in cell.signature.params:
            frame.param(param)
        params = len(frame.locals)
        if cell.form == "formula":
            assert cell.type is not None
            wanted = self.unit.names.written_type(cell.type)
            given = frame.expr(body, wanted)
            value = coerce(frame, given, wanted, body.span)
            check_range(frame, given, wanted, f"`{cell.signature.name.text}`", body.span)
            frame.kind = "cell"
            self.put(frame, span, params, wanted, value, form="formula")
        else:
            self.put(frame, span, params, None, block(frame, body), form="script")


def _layer_type(result: Type) -> Type:
    """What a layer may give: what lies below may be a thing, and then nothing as well."""
    if isinstance(result, Kind):
        return Opt(result)
    return NUMBER if isinstance(result, Int) else result
