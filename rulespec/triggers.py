"""Triggers: their bindings, conditions, order and what they do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulespec import nodes
from rulespec.binders import loop
from rulespec.coercions import truth
from rulespec.diagnostics import suggestion
from rulespec.rules import Rules
from rulespec.scope import Asked, Frame
from rulespec.statements import block
from rulespec.value_types import NUMBER, TRUTH, UNKNOWN, Type

RowOf = tuple[str, nodes.Row, list[tuple[str, str]]]


def trigger(rules: Rules, node: nodes.Trigger, row: RowOf | None) -> dict[str, Any]:
    """Compile a trigger; with *row* it holds while a token with that row is in force, and `this` is the token."""
    name = node.name.text if row is None else f"{row[1].name.text}.{node.name.text}"
    maker = _Trigger(rules, node, row, name)
    tested = node.when is not None or node.binder is not None
    found = maker.when() if tested else None
    return {
        "name": name, "loop": found, "when": f"{name}.when" if tested else None,
        "after": maker.after(), "order": maker.order(), "by": maker.by(), "do": maker.do(), "row": maker.row_entry(),
    }  # fmt: skip


class _Trigger:
    """One trigger while it is compiled."""

    def __init__(self, rules: Rules, node: nodes.Trigger, row: RowOf | None, name: str) -> None:
        self.rules, self.node, self.row, self.name = rules, node, row, name
        self.bound: list[tuple[str, Type]] = []
        """The variable of the binding."""

    def bind_this(self, frame: Frame) -> None:
        if self.row is not None and self.row[2]:
            kinds = tuple(token for token, _ in self.row[2])
            frame.bind("this", self.rules.unit.names.union_of(kinds), self.row[1].name.span)

    def bind(self, frame: Frame) -> None:
        """Bind `this`, the parameters of the event, and the variable of the binding."""
        self.bind_event(frame)
        for text, given in self.bound:
            frame.bind(text, given, self.node.span)

    def bind_event(self, frame: Frame) -> None:
        """Bind `this` and the parameters of the event."""
        self.bind_this(frame)
        if self.node.after is not None:
            for param in self._event_params():
                frame.param(param)

    def _event_params(self) -> tuple[nodes.Param, ...]:
        names, event = self.rules.unit.names, self.node.after
        assert event is not None
        for table in (names.procedures, names.actions):
            if event.text in table:
                return table[event.text].signature.params
        for cell in names.cells.values():
            if event.text.split(".")[-1] == cell.signature.name.text and "." in event.text:
                return cell.signature.params
        return ()

    def when(self) -> Any:
        """Compile the condition; return the LOOP of the binding, which stands in the same rule."""
        frame = self.rules.frame(f"{self.name}.when", "hook", has_me=False)
        self.bind_event(frame)
        params = len(frame.locals)
        found = None
        if self.node.binder is not None:
            made = loop(frame, self.node.binder, frame.add_local("", UNKNOWN))
            found = made.data
            text = (self.node.binder.name or self.node.binder.kind).text
            self.bound = [(text, made.type)]
        params += len(self.bound)
        body = truth(frame, self.node.when) if self.node.when is not None else ["lit", True]
        self.rules.put(frame, self.node.span, params, TRUTH, body, form="formula")
        return found

    def after(self) -> str | None:
        """Return the event, reporting a rule that does not exist."""
        event, names = self.node.after, self.rules.unit.names
        if event is None:
            return None
        known = [*names.procedures, *names.actions, *names.phases]
        cells = [f"{r.name.text}.{c.text}" for t in names.tables.values() for r in t.rows for c, _ in r.cells]
        if event.text not in known and event.text not in cells:
            help, notes = suggestion(event.text, known + cells, "rules of this game")
            text = f"no action or procedure is named `{event.text}`"
            self.rules.unit.error("unknown-rule", text, event.span, help=help, notes=notes)
        names.used.add(event.text)
        return event.text

    def order(self) -> Any:
        """Compile the order of several bindings."""
        node = self.node
        if node.order_by == "chosen" and node.chooser is not None:
            self.rules.hook(f"{self.name}.chooser", node.chooser, self._player(), self.bind_this)
            self._ask()
            return ["chosen", f"{self.name}.chooser", self.name]
        keys = []
        for number, key in enumerate(node.keys, 1):
            rule = f"{self.name}.order.{number}"
            wanted: Type = self._player() if key.direction == "clockwise" else NUMBER
            binds: Callable[[Frame], None] = self.bind_this if key.direction == "clockwise" else self.bind
            self.rules.hook(rule, key.value, wanted, binds)
            keys.append([key.direction, rule])
        return ["keys", keys] if keys else None

    def _player(self) -> Type:
        return self.rules.unit.names.kind_type("player")

    def _ask(self) -> None:
        """Enter the decision which binding comes first."""
        if self.bound and self.node.binder is not None:
            text, given = self.bound[0]
            part = {"ask": self.name, "vars": [{"local": 0, "in": ["set"], "where": None}], "set": None}
            asked = Asked(self.name, self.name, part, (given,), (text,), self.node.span)
            self.rules.unit.asked.append(asked)

    def by(self) -> str | None:
        if self.node.by is None:
            return None
        self.rules.hook(f"{self.name}.by", self.node.by, self._player(), self.bind)
        return f"{self.name}.by"

    def do(self) -> str:
        """Compile what the trigger does."""
        frame = self.rules.frame(self.name, "hook", has_me=self.node.by is not None)
        frame.takes_return = False
        self.bind(frame)
        params = len(frame.locals)
        self.rules.put(frame, self.node.span, params, None, block(frame, self.node.do), form="script")
        return self.name

    def row_entry(self) -> dict[str, Any] | None:
        """Return where the token must lie; of several kinds of token that print the row, the first."""
        if self.row is None or not self.row[2]:
            return None
        table, row, places = self.row
        row_id = self.rules.unit.names.kinds[table].values[row.name.text]
        return {"row": row_id, "token": places[0][0], "zone": places[0][1]}
