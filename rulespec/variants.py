"""Variants applied to a game: rules added, removed and replaced by name, `base` tied to what it covers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeAlias

from rulespec import nodes
from rulespec.diagnostics import Related, Report, suggestion
from rulespec.source import Span

Body: TypeAlias = nodes.Function | nodes.Procedure

TUPLES = (
    "options", "kinds", "places", "tokens", "counters", "zones", "variables", "functions", "phases", "actions",
    "triggers", "ends", "procedures", "lasting", "scoring", "invariants", "tables", "texts",
)  # fmt: skip
REMOVABLE = ("phases", "actions", "triggers", "ends", "procedures", "functions", "scoring", "invariants", "lasting")
EXCLUSIVE = (("steps", "offer", "do"), ("turns", "one_by_one", "by"))


def apply(game: nodes.Game, variants: Sequence[nodes.Variant], report: Report) -> nodes.Game:
    """Return the game as the variants, the later over the earlier, leave it; report what does not fit."""
    state = _State(game, report)
    for variant in variants:
        state.apply(variant)
    return replace(state.game, variants=(*game.variants, *(v.name.text for v in variants)))


def with_added(game: nodes.Game, adds: nodes.Game) -> nodes.Game:
    """Return the game with the sections of *adds* behind its own."""
    more: dict[str, Any] = {name: getattr(game, name) + getattr(adds, name) for name in TUPLES}
    more["tables"] = _with_rows(game.tables, adds.tables)
    if adds.ranking:
        more["ranking"] = adds.ranking
    if adds.returns is not None:
        more["returns"] = adds.returns
    more["limits"] = tuple({**dict(game.limits), **dict(adds.limits)}.items())
    return replace(game, **more)


def _with_rows(tables: tuple[nodes.Table, ...], added: tuple[nodes.Table, ...]) -> tuple[nodes.Table, ...]:
    """Return the tables with those added, and the rows that are more for one of them behind its own."""
    rows = {table.name.text: table.rows for table in added if table.is_more}
    grown = tuple(replace(table, rows=table.rows + rows.get(table.name.text, ())) for table in tables)
    return grown + tuple(table for table in added if not table.is_more)


def name_of(rule: Any) -> str:
    """Return the name of a declaration."""
    name = getattr(rule, "name", None) or rule.signature.name
    return str(name.text)


@dataclass
class _State:
    """The game while variants are applied, and who replaced which rule without `base`."""

    game: nodes.Game
    report: Report
    covered: dict[str, int] = field(default_factory=dict)
    """How many bodies lie under each function or procedure."""
    replaced: dict[str, tuple[str, Span]] = field(default_factory=dict)
    """The last variant that replaced a rule (or `RULE.KEY`) without `base`, and where."""

    def apply(self, variant: nodes.Variant) -> None:
        if variant.of.text != self.game.name.text:
            text = f"`{variant.name.text}` is a variant of `{variant.of.text}`, not of `{self.game.name.text}`"
            help, notes = suggestion(variant.of.text, [self.game.name.text], "the game it lies with")
            self.report.error("wrong-game", text, variant.of.span, help=help, notes=notes)
            return
        self.game = with_added(self.game, variant.adds)
        for name in variant.removes:
            self._remove(name)
        for body in variant.bodies:
            self._replace_body(variant, body)
        for change in variant.keys:
            self._change_key(variant, change)

    # ------------------------------------------------------------------------------------ helpers

    def unknown(self, name: nodes.Name) -> None:
        """Report a rule that does not exist."""
        known = [name_of(rule) for section in REMOVABLE for rule in getattr(self.game, section)]
        help, notes = suggestion(name.text, [k for k in known if "~" not in k], "rules of this game")
        text = f"`{self.game.name.text}` has no rule `{name.text}`"
        if not any(d.code == "unknown-rule" and d.span == name.span for d in self.report.diagnostics):
            self.report.error("unknown-rule", text, name.span, help=help, notes=notes)

    def conflict(self, variant: nodes.Variant, name: str, span: Span, reads_base: bool) -> None:
        """Note who replaced a rule; report two that do so without `base` or `over`."""
        before = self.replaced.get(name)
        over = {n.text for n in variant.over}
        if reads_base:
            return
        if before is not None and before[0] != variant.name.text and before[0] not in over:
            self.report.error(
                "variant-conflict", f"`{variant.name.text}` and `{before[0]}` both replace `{name}`", span,
                related=(Related(before[1], f"replaced by `{before[0]}`"),),
                help=f"use `base`, or say `over: [{before[0]}]`",
            )  # fmt: skip
        self.replaced[name] = variant.name.text, span

    def section(self, name: str) -> str | None:
        """Return the section a rule is declared in."""
        for section in REMOVABLE:
            if any(name_of(rule) == name for rule in getattr(self.game, section)):
                return section
        return None

    def swap(self, section: str, name: str, change: Callable[[Any], Any]) -> None:
        """Replace one rule of a section by what *change* makes of it."""
        rules = tuple(change(r) if name_of(r) == name else r for r in getattr(self.game, section))
        self.game = replace(self.game, **{section: rules})  # type: ignore[arg-type]

    # ------------------------------------------------------------------------- removing, new bodies

    def _remove(self, name: nodes.Name) -> None:
        section = self.section(name.text)
        if section is None:
            self.unknown(name)
            return
        kept = tuple(rule for rule in getattr(self.game, section) if name_of(rule) != name.text)
        self.game = replace(self.game, **{section: kept})  # type: ignore[arg-type]

    def _replace_body(self, variant: nodes.Variant, body: Body) -> None:
        name = body.signature.name
        section = self.section(name.text)
        reads = reads_base(body)
        if name.text == "returns" and isinstance(body, nodes.Function) and body.formula is not None:
            self._returns(body.formula)
        elif section in ("ends", "scoring", "invariants") and isinstance(body, nodes.Function):
            self._named(section, name.text, body)
        elif section in ("functions", "procedures"):
            self._cover(section, body)
        else:
            self.unknown(name)
            return
        self.conflict(variant, name.text, name.span, reads)

    def _returns(self, formula: nodes.Expr) -> None:
        below = self.game.returns
        self.game = replace(self.game, returns=_with_base(formula, below) if below is not None else formula)

    def _named(self, section: str, name: str, body: nodes.Function) -> None:
        if body.formula is None:
            text = f"`{name}` is a formula"
            self.report.error("type-mismatch", text, body.span)
            return
        formula = body.formula
        self.swap(section, name, lambda old: replace(old, formula=_with_base(formula, old.formula)))

    def _cover(self, section: str, body: Body) -> None:
        """Keep what is covered as `NAME~k` where the new body reads it, and let `base` call it."""
        name = body.signature.name
        old = next(rule for rule in getattr(self.game, section) if name_of(rule) == name.text)
        if not self._same_parameters(old.signature, body.signature):
            return
        if not reads_base(body):
            self.swap(section, name.text, lambda _: body)
            return
        depth = self.covered[name.text] = self.covered.get(name.text, 0) + 1
        lower = nodes.Name(f"{name.text}~{depth}", old.signature.name.span)
        kept = replace(old, signature=replace(old.signature, name=lower))
        self.swap(section, name.text, lambda _: _tied(body, lower))
        self.game = replace(self.game, **{section: (*getattr(self.game, section), kept)})  # type: ignore[arg-type]

    def _same_parameters(self, old: nodes.Signature, new: nodes.Signature) -> bool:
        if [p.kind.text for p in old.params] == [p.kind.text for p in new.params]:
            return True
        kinds = ", ".join(p.kind.text for p in old.params)
        self.report.error(
            "wrong-arguments", f"`{new.name.text}` has other parameters here than in the game", new.span,
            related=(Related(old.span, "declared here"),), help=f"it takes ({kinds})",
        )  # fmt: skip
        return False

    # --------------------------------------------------------------------------------- changed keys

    def _change_key(self, variant: nodes.Variant, change: nodes.KeyChange) -> None:
        name = change.rule.text
        label = name if name == "ranking" else f"{name}.{change.key}"
        if name == "ranking":
            self.game = replace(self.game, ranking=change.value)  # type: ignore[arg-type]
        elif "." in name:
            if not self._change_cell(change, label):
                self.unknown(change.rule)
                return
        else:
            section = self.section(name)
            if section not in ("phases", "actions", "triggers"):
                self.unknown(change.rule)
                return
            rule = next(rule for rule in getattr(self.game, section) if name_of(rule) == name)
            self._lifts(rule, label, change)
            self.swap(section, name, lambda rule: _with_key(rule, change.key, change.value))
        self.conflict(variant, label, change.span, reads_base(change.value))

    def _lifts(self, rule: Any, label: str, change: nodes.KeyChange) -> None:
        """Report a condition that is lifted and was never there."""
        if not change.key.startswith("if.") or change.value is not None or label in self.replaced:
            return
        item, known = change.key.removeprefix("if."), []
        if isinstance(rule, nodes.Action):
            known = [one.name.text for one in rule.conditions]
        if item not in known:
            help, notes = suggestion(item, known, f"conditions of `{change.rule.text}`")
            text = f"`{change.rule.text}` has no condition `{item}` to lift"
            self.report.error("unknown-condition", text, change.span, help=help, notes=notes)

    def _change_cell(self, change: nodes.KeyChange, label: str) -> bool:
        """Change the cell of a row, `ROW.CELL`."""
        row_name, cell_name = change.rule.text.split(".", 1)
        for table in self.game.tables:
            if any(c.signature.name.text == cell_name for c in table.cells):
                for row in table.rows:
                    if row.name.text == row_name:
                        self._lifts(next((b for n, b in row.cells if n.text == cell_name), None), label, change)
                        self._put_row(table, _changed_row(row, table, cell_name, change))
                        return True
        return False

    def _put_row(self, table: nodes.Table, row: nodes.Row) -> None:
        rows = tuple(row if r.name.text == row.name.text else r for r in table.rows)
        made = replace(table, rows=rows)
        tables = tuple(made if t.name.text == table.name.text else t for t in self.game.tables)
        self.game = replace(self.game, tables=tables)


def _changed_row(row: nodes.Row, table: nodes.Table, cell_name: str, change: nodes.KeyChange) -> nodes.Row:
    old = next((body for name, body in row.cells if name.text == cell_name), None)
    cell = next(c for c in table.cells if c.signature.name.text == cell_name)
    new: Any
    if cell.form == "action":
        action = old if isinstance(old, nodes.Action) else nodes.Action(cell.signature, (), (), (), (), change.span)
        new = _with_key(action, change.key, change.value)
    elif cell.form == "script":
        new = _spliced(change.value, old if isinstance(old, tuple) else ())
    else:
        below = old if old is not None else cell.type.default if cell.type else None
        new = _with_base(change.value, below)
    others = tuple((n, b) for n, b in row.cells if n.text != cell_name)
    return replace(row, cells=(*others, (nodes.Name(cell_name, change.rule.span), new)))


# --------------------------------------------------------------------------------------------- base


def rewritten(part: Any, change: Callable[[Any], Any | None]) -> Any:
    """Return a tree in which each node that *change* answers for is replaced by its answer."""
    if isinstance(part, tuple):
        return tuple(rewritten(p, change) for p in part)
    if not hasattr(part, "__dataclass_fields__") or isinstance(part, Span):
        return part
    found = change(part)
    if found is not None:
        return found
    new = {f.name: rewritten(getattr(part, f.name), change) for f in fields(part)}
    return replace(part, **new) if any(new[k] is not getattr(part, k) for k in new) else part


def _is_base(part: Any) -> bool:
    return isinstance(part, nodes.Reference) and part.name.text == "base"


def reads_base(part: Any) -> bool:
    """Whether `base` stands anywhere in a tree."""
    if isinstance(part, tuple):
        return any(reads_base(p) for p in part)
    if not hasattr(part, "__dataclass_fields__") or isinstance(part, Span):
        return False
    return _is_base(part) or any(reads_base(getattr(part, f.name)) for f in fields(part))


def _tied(body: Body, lower: nodes.Name) -> Body:
    """Return the body with each `base` a call of the rule *lower*, with the same arguments where none are given."""
    own = tuple(nodes.Reference(p.name or p.kind, None, p.span) for p in body.signature.params)

    def tie(part: Any) -> Any | None:
        if not _is_base(part):
            return None
        args = tuple(rewritten(a, tie) for a in part.args) if part.args is not None else own
        name = nodes.Name(lower.text, part.name.span)
        return nodes.Reference(name, args or None, part.span)

    tied: Body = rewritten(body, tie)
    return tied


def _with_base(formula: Any, below: Any) -> Any:
    """Return the formula with what lies below in the place of `base`."""
    return rewritten(formula, lambda part: below if _is_base(part) and below is not None else None)


def _spliced(script: Any, below: nodes.Block) -> Any:
    """Return the script with the one below in the place of each line `base`."""
    lines: list[nodes.Stmt] = []
    for line in script:
        if isinstance(line, nodes.Perform) and _is_base(line.rule):
            lines += below
        else:
            lines.append(_spliced_inside(line, below))
    return tuple(lines)


def _spliced_inside(line: Any, below: nodes.Block) -> Any:
    """Splice in the blocks a statement holds."""

    def inner(value: Any) -> Any:
        if isinstance(value, tuple) and value and hasattr(value[0], "span") and reads_base(value):
            return _spliced(value, below)
        if isinstance(value, tuple):
            return tuple(inner(v) for v in value)
        return value

    if not reads_base(line):
        return line
    return replace(line, **{f.name: inner(getattr(line, f.name)) for f in fields(line)})


def _with_key(rule: Any, key: str, value: Any) -> Any:
    """Return a phase, action or trigger with one key changed."""
    if key.startswith("if."):
        return _with_item(rule, key.removeprefix("if."), value)
    if key == "order":
        order_by, chooser, keys = value if value is not None else (None, None, ())
        return replace(rule, order_by=order_by, chooser=chooser, keys=keys)
    name = {"if": "condition", "pass": "passing", "for": "binder"}.get(key, key)
    old = getattr(rule, name)
    if isinstance(rule, nodes.Action) and name in ("choose", "cost", "do") and value is None:
        value = ()
    if name in ("do", "cost"):
        value = _spliced(value, old or ()) if value is not None else value
    elif name in ("condition", "when", "by"):
        value = _with_base(value, old)
    changed = {name: value}
    if isinstance(rule, nodes.Phase):
        for group in EXCLUSIVE:
            if name in group:
                changed |= {other: None for other in group if other != name}
    return replace(rule, **changed)


def _with_item(rule: nodes.Action, item: str, value: Any) -> nodes.Action:
    """Change, add or (None) lift one named condition of an action."""
    old = next((i for i in rule.conditions if i.name.text == item), None)
    if value is None:
        return replace(rule, conditions=tuple(i for i in rule.conditions if i.name.text != item))
    name = old.name if old is not None else nodes.Name(item, value.span)
    new = nodes.Item(name, _with_base(value, old.condition if old else None), value.span)
    if old is None:
        return replace(rule, conditions=(*rule.conditions, new))
    return replace(rule, conditions=tuple(new if i.name.text == item else i for i in rule.conditions))
