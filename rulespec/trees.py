"""Lark's trees made into the nodes of `rulespec.nodes`. With `parser` the only importer of Lark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import lark

from rulespec import nodes
from rulespec.diagnostics import Report
from rulespec.documents import Origin
from rulespec.nodes import Block, Expr, Name, Stmt
from rulespec.source import Span

LarkTree: TypeAlias = "lark.Tree[lark.Token]"
Child: TypeAlias = Any
"""A child of a Lark tree: a tree, a token or None. Lark does not type them."""


def parts(tree: LarkTree) -> list[Child]:
    """Return the children of a tree."""
    return list(tree.children)


COMPARISONS = {"is_": "is", "is_not": "is not", "in_": "in", "not_in": "not in", "range": ".."}


class Formulas:
    """Builds formulas, choices and binders; every method takes Lark's tree and returns a node."""

    def __init__(self, origin: Origin, report: Report, code: str, reserved: frozenset[str]) -> None:
        self.origin, self.report, self.code, self.reserved = origin, report, code, reserved
        self.named_allowed = False
        """Whether `NAME=VALUE` may stand among arguments: only in answers of scenarios."""

    # --------------------------------------------------------------------------------------- places, names

    def span(self, tree: LarkTree | lark.Token) -> Span:
        """Return where a tree or token stands in the file, brackets around it included."""
        at: Any = tree if isinstance(tree, lark.Token) else tree.meta
        if isinstance(at, lark.Token):
            return self.origin.span(at.line or 1, at.column or 1, at.end_line or 1, at.end_column or 1)
        line, column = getattr(at, "container_line", at.line), getattr(at, "container_column", at.column)
        end_line = getattr(at, "container_end_line", at.end_line)
        return self.origin.span(line, column, end_line, getattr(at, "container_end_column", at.end_column))

    def name(self, token: lark.Token) -> Name:
        return Name(str(token), self.span(token))

    def maybe_name(self, token: lark.Token | None) -> Name | None:
        return None if token is None else self.declared(token)

    def declared(self, token: lark.Token) -> Name:
        """Return a name that is bound here; words of the grammar are refused."""
        name = self.name(token)
        if name.text in self.reserved:
            self.error("reserved-word", f"`{name.text}` is a word of the language and cannot be a name", name.span)
        return name

    def error(self, code: str, message: str, span: Span, help: str | None = None) -> None:
        self.report.error(code, message, span, help=help)

    # -------------------------------------------------------------------------------------------- formulas

    def expr(self, tree: LarkTree) -> Expr:
        """Return the formula of a tree."""
        make: Callable[[LarkTree, Span], Expr] = getattr(self, "on_" + str(tree.data).rstrip("_"))
        return make(tree, self.span(tree))

    def maybe(self, tree: LarkTree | None) -> Expr | None:
        return None if tree is None else self.expr(tree)

    def args(self, tree: LarkTree | None) -> tuple[Expr, ...] | None:
        return None if tree is None else tuple(self.expr(child) for child in parts(tree) if child is not None)

    def on_number(self, tree: LarkTree, span: Span) -> Expr:
        digits = str(parts(tree)[0])
        if len(digits) > 18:
            self.error("number-too-large", "this number has more than 18 digits", span)
            return nodes.Number(0, span)
        return nodes.Number(int(digits), span)

    def on_yes(self, tree: LarkTree, span: Span) -> Expr:
        return nodes.Truth(True, span)

    def on_no(self, tree: LarkTree, span: Span) -> Expr:
        return nodes.Truth(False, span)

    def on_name(self, tree: LarkTree, span: Span) -> Expr:
        name, args = parts(tree)
        return nodes.Reference(self.name(name), self.args(args), span)

    def on_named(self, tree: LarkTree, span: Span) -> Expr:
        name, value = parts(tree)
        if not self.named_allowed:
            self.error(self.code, "named arguments stand only in answers of scenarios", span, "write the value alone")
        return nodes.NamedArg(self.name(name), self.expr(value), span)

    def on_my(self, tree: LarkTree, span: Span) -> Expr:
        name, args = parts(tree)
        return nodes.My(self.name(name), self.args(args), span)

    def on_all_of(self, tree: LarkTree, span: Span) -> Expr:
        return nodes.AllOf(self.name(parts(tree)[0]), span)

    def on_of(self, tree: LarkTree, span: Span) -> Expr:
        name, thing = parts(tree)
        return nodes.Of(self.name(name), self.expr(thing), span)

    def on_printed(self, tree: LarkTree, span: Span) -> Expr:
        thing, name, args = parts(tree)
        return nodes.Printed(self.expr(thing), self.name(name), self.args(args), span)

    def on_minus(self, tree: LarkTree, span: Span) -> Expr:
        return nodes.Unary("-", self.expr(parts(tree)[0]), span)

    def on_not(self, tree: LarkTree, span: Span) -> Expr:
        return nodes.Unary("not", self.expr(parts(tree)[0]), span)

    def on_binary(self, tree: LarkTree, span: Span) -> Expr:
        left, operator, right = parts(tree)
        return nodes.Binary(str(operator), self.expr(left), self.expr(right), span)

    on_compare = on_binary

    def _two(self, tree: LarkTree, span: Span) -> Expr:
        left, right = parts(tree)
        return nodes.Binary(COMPARISONS[str(tree.data)], self.expr(left), self.expr(right), span)

    on_is = on_is_not = on_in = on_not_in = on_range = _two

    def on_is_a(self, tree: LarkTree, span: Span) -> Expr:
        value, name = parts(tree)
        negated = str(tree.data) == "is_not_a"
        return nodes.IsA(self.expr(value), self.name(name), negated, span)

    on_is_not_a = on_is_a

    def on_is_empty(self, tree: LarkTree, span: Span) -> Expr:
        return nodes.IsEmpty(self.expr(parts(tree)[0]), str(tree.data) == "is_not_empty", span)

    on_is_not_empty = on_is_empty

    def on_has(self, tree: LarkTree, span: Span) -> Expr:
        value, cell = parts(tree)
        return nodes.Has(self.expr(value), self.name(cell), span)

    def on_all_true(self, tree: LarkTree, span: Span) -> Expr:
        word = "and" if str(tree.data) == "all_true" else "or"
        return nodes.Logic(word, tuple(self.expr(child) for child in parts(tree)), span)

    on_any_true = on_all_true

    def on_conditional(self, tree: LarkTree, span: Span) -> Expr:
        then, condition, otherwise = (self.expr(child) for child in parts(tree))
        return nodes.Conditional(condition, then, otherwise, span)

    def on_set_literal(self, tree: LarkTree, span: Span) -> Expr:
        return nodes.SetLiteral(self.args(tree) or (), span)

    def on_set_word(self, tree: LarkTree, span: Span) -> Expr:
        word, over = parts(tree)
        assert isinstance(over, lark.Tree)
        bound = str(over.data).startswith(("bound", "binder"))
        return nodes.SetWord(str(word), self.binder(over) if bound else self.expr(over), span)

    def on_for_word(self, tree: LarkTree, span: Span) -> Expr:
        word, value, binder = parts(tree)
        return nodes.ForWord(str(word), self.expr(value), self.binder(binder), span)

    def on_minmax(self, tree: LarkTree, span: Span) -> Expr:
        word, *values = parts(tree)
        return nodes.MinMax(str(word), tuple(self.expr(value) for value in values), span)

    # ------------------------------------------------------------------------------ binders, orders, choices

    def binder(self, tree: LarkTree) -> nodes.Binder:
        """Return a binder from any of its written forms."""
        children: list[Child] = parts(tree)
        match str(tree.data):
            case "binder":
                other, kind, name, source, where, order = children
            case "bound_named":
                other, (kind, name, source, where, order) = None, children
            case "bound_in":
                other, name, (kind, source, where, order) = None, None, children
            case "bound_where":
                other, name, source, (kind, where, order) = None, None, None, children
            case _:
                other, name, source, where, (kind, order) = None, None, None, None, children
        return nodes.Binder(
            self.name(kind),
            self.maybe_name(name),
            other is not None,
            self.maybe(source),
            self.maybe(where),
            None if order is None else self.order(order),
            self.span(tree),
        )

    def order(self, tree: LarkTree) -> nodes.Order:
        """Return the order at the end of a binder."""
        span = self.span(tree)
        first: Child = parts(tree)[0]
        match str(tree.data):
            case "clockwise_from":
                return nodes.Order("sorted", (nodes.Key("clockwise", self.expr(first), span),), span)
            case "all_with":
                value: Child = parts(tree)[1]
                key = nodes.Key(str(first), self.expr(value), self.span(first).to(self.span(value)))
                return nodes.Order("attaining", (key,), span)
            case _:
                return nodes.Order("sorted", self.keys(parts(tree)[1]), span)

    def keys(self, tree: LarkTree) -> tuple[nodes.Key, ...]:
        """Return sort keys: `most E then clockwise from P`."""
        return tuple(self._key(child) for child in parts(tree))

    def _key(self, tree: LarkTree) -> nodes.Key:
        children: list[Child] = parts(tree)
        if str(tree.data) == "rank":
            return nodes.Key(str(children[0]), self.expr(children[1]), self.span(tree))
        return nodes.Key("clockwise", self.expr(children[0]), self.span(tree))

    def choice(self, tree: LarkTree) -> nodes.Choice:
        """Return one choice."""
        many, kind, name, source, where, such = parts(tree)
        return nodes.Choice(
            None if many is None else self._how_many(many),
            self.name(kind),
            self.maybe_name(name),
            self.maybe(source),
            self.maybe(where),
            self.maybe(such),
            self.span(tree),
        )

    def _how_many(self, tree: LarkTree) -> nodes.HowMany:
        span = self.span(tree)
        if str(tree.data) == "any_number":
            return nodes.HowMany("any", None, span)
        amount: Child = parts(tree)[0]
        if isinstance(amount, lark.Token):
            return nodes.HowMany(str(tree.data), nodes.Number(int(amount[:18]), self.span(amount)), span)
        return nodes.HowMany(str(tree.data), self.expr(amount), span)

    def chosen(self, tree: LarkTree) -> tuple[nodes.Choice, ...]:
        """Return choices joined by commas; the grammar nests them to the left."""
        found: list[nodes.Choice] = []
        here: LarkTree | None = tree
        while here is not None:
            children: list[Child] = parts(here)
            found.append(self.choice(children[-1]))
            here = children[0] if len(children) == 2 else None
        return tuple(reversed(found))


class Scripts(Formulas):
    """Builds statements and blocks."""

    def block(self, tree: LarkTree) -> Block:
        """Return the statements of a script or block."""
        return tuple(self.stmt(child) for child in parts(tree))

    def maybe_block(self, tree: LarkTree | None) -> Block | None:
        return None if tree is None else self.block(tree)

    def stmt(self, tree: LarkTree) -> Stmt:
        """Return the statement of a tree."""
        make: Callable[..., Stmt] = getattr(self, "do_" + str(tree.data).rstrip("_"))
        return make(self.span(tree), *parts(tree))

    def do_let(self, span: Span, name: Child, value: Child) -> Stmt:
        return nodes.Let(self.declared(name), self.expr(value), span)

    def do_set(self, span: Span, target: Child, value: Child) -> Stmt:
        place = self.expr(target)
        if not isinstance(place, nodes.Reference | nodes.My | nodes.Of):
            self.error(self.code, "`set` wants a variable, `face of` a die, or the name of a `let`", place.span)
        return nodes.SetTo(place, self.expr(value), span)

    def do_perform(self, span: Span, rule: Child, by: Child) -> Stmt:
        made = self.expr(rule)
        if not isinstance(made, nodes.Reference | nodes.Printed):
            self.error(
                self.code,
                "expected a statement, found a formula",
                made.span,
                "a line of a script performs a rule, `RULE(x)`, or begins with a word such as `move` or `choose`",
            )
        return nodes.Perform(made, self.maybe(by), span)

    def do_choose(self, span: Span, chosen: Child, by: Child, as_far: Child) -> Stmt:
        mode = "must" if as_far is None else "as_far"
        return nodes.Choose(mode, self.chosen(chosen), self.maybe(by), None, None, span)

    def do_choose_if(self, span: Span, chosen: Child, by: Child, _: Child, body: Child, other: Child) -> Stmt:
        by_whom, block, otherwise = self.maybe(by), self.block(body), self.maybe_block(other)
        return nodes.Choose("if_possible", self.chosen(chosen), by_whom, block, otherwise, span)

    def do_may_choose(self, span: Span, chosen: Child, by: Child, body: Child, other: Child) -> Stmt:
        by_whom, block, otherwise = self.maybe(by), self.block(body), self.maybe_block(other)
        return nodes.Choose("may", self.chosen(chosen), by_whom, block, otherwise, span)

    def do_offer(self, span: Span, word: Child, *rest: Child) -> Stmt:
        *actions, by, possible = rest
        mode = "must_if_possible" if possible is not None else str(word)
        if str(word) == "may" and possible is not None:
            mode, place = "may", self.span(possible)
            self.error(self.code, "`may` needs no `if possible`", place, "leave `, if possible` out")
        return nodes.Offer(mode, tuple(self.expr(a) for a in actions), self.maybe(by), None, span)

    def do_offer_else(self, span: Span, offer: Child, other: Child) -> Stmt:
        made = self.stmt(offer)
        assert isinstance(made, nodes.Offer)
        if made.mode == "must":
            self.error(
                self.code,
                "after `must` there is no other way, so `otherwise` is never done",
                made.span,
                "write `must ..., if possible` before `otherwise:`",
            )
        return nodes.Offer(made.mode, made.actions, made.by, self.block(other), span)

    def _amount(self, what: Child) -> tuple[Expr | None, Name | None, Expr]:
        if str(what.data) != "amount":
            return None, None, self.expr(what)
        amount, kind, source = what.children
        return self.expr(amount), self.name(kind), self.expr(source)

    def do_move(self, span: Span, what: Child, target: Child, face: Child, as_far: Child) -> Stmt:
        amount, kind, source = self._amount(what)
        side = None if face is None else str(face).split()[-1]
        return nodes.Move(amount, kind, source, self.expr(target), side, as_far is not None, span)

    def do_draw(self, span: Span, many: Child, source: Child, target: Child, face: Child, far: Child) -> Stmt:
        side = None if face is None else str(face).split()[-1]
        values = self.expr(many), self.expr(source), self.expr(target)
        return nodes.Draw(*values, side, far is not None, span)

    def do_pay(self, span: Span, many: Child, counter: Child, holder: Child, far: Child) -> Stmt:
        return nodes.Transfer("pay", self.expr(many), self.name(counter), self.expr(holder), far is not None, span)

    def do_gain(self, span: Span, many: Child, counter: Child, holder: Child, far: Child) -> Stmt:
        return nodes.Transfer("gain", self.expr(many), self.name(counter), self.expr(holder), far is not None, span)

    def do_create(self, span: Span, many: Child, counter: Child, holder: Child) -> Stmt:
        return nodes.Create("create", self.expr(many), self.name(counter), self.expr(holder), span)

    def do_destroy(self, span: Span, many: Child, counter: Child, holder: Child) -> Stmt:
        return nodes.Create("destroy", self.expr(many), self.name(counter), self.expr(holder), span)

    def do_shuffle(self, span: Span, zone: Child) -> Stmt:
        return nodes.Shuffle(self.expr(zone), span)

    def do_roll(self, span: Span, dice: Child) -> Stmt:
        return nodes.Roll(self.expr(dice), span)

    def do_pick(self, span: Span, kind: Child, name: Child, source: Child) -> Stmt:
        return nodes.Pick(self.name(kind), self.maybe_name(name), self.expr(source), span)

    def do_show(self, span: Span, tokens: Child, to: Child) -> Stmt:
        return nodes.Show(self.expr(tokens), self.expr(to), span)

    def do_look(self, span: Span, tokens: Child) -> Stmt:
        return nodes.LookAt(self.expr(tokens), span)

    def do_turn(self, span: Span, side: Child, tokens: Child) -> Stmt:
        return nodes.Turn(str(side), self.expr(tokens), span)

    def do_begin(self, span: Span, lasting: Child) -> Stmt:
        return nodes.Begin("begin", self.expr(lasting), span)

    def do_end(self, span: Span, lasting: Child) -> Stmt:
        return nodes.Begin("end", self.expr(lasting), span)

    def do_stop(self, span: Span) -> Stmt:
        return nodes.Stop(span)

    def do_return(self, span: Span, value: Child) -> Stmt:
        return nodes.Return(self.maybe(value), span)

    def do_end_game(self, span: Span) -> Stmt:
        return nodes.EndGame(span)

    def do_if_stmt(self, span: Span, condition: Child, body: Child, *rest: Child) -> Stmt:
        *more, otherwise = rest
        cases = [(self.expr(condition), self.block(body))]
        cases += [(self.expr(parts(tree)[0]), self.block(parts(tree)[1])) for tree in more]
        return nodes.If(tuple(cases), self.maybe_block(otherwise), span)

    def do_while_stmt(self, span: Span, condition: Child, body: Child) -> Stmt:
        return nodes.While(self.expr(condition), self.block(body), span)

    def do_repeat_stmt(self, span: Span, times: Child, body: Child) -> Stmt:
        return nodes.Repeat(self.expr(times), self.block(body), span)

    def do_forever_stmt(self, span: Span, body: Child) -> Stmt:
        return nodes.Repeat(None, self.block(body), span)

    def do_for_stmt(self, span: Span, binder: Child, body: Child) -> Stmt:
        return nodes.ForEach(self.binder(binder), False, self.block(body), span)

    def do_one_by_one(self, span: Span, binder: Child, body: Child) -> Stmt:
        return nodes.ForEach(self.binder(binder), True, self.block(body), span)

    def do_same_time(self, span: Span, binder: Child, body: Child, reveal: Child) -> Stmt:
        return nodes.SameTime(self.binder(binder), self.block(body), self.maybe_block(reveal), span)

    def do_together_stmt(self, span: Span, body: Child) -> Stmt:
        return nodes.Together(self.block(body), span)
