"""Scripts checked and lowered, statement by statement: decisions, performing, control. Effects are in `effects`."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from rulespec import nodes
from rulespec.binders import loop
from rulespec.calls import arguments
from rulespec.choices import part, passing
from rulespec.coercions import amount, check_range, coerce, plain, player, truth
from rulespec.diagnostics import Related, suggestion
from rulespec.effects import effect
from rulespec.scope import Frame, Statement, Typed, at
from rulespec.source import Span
from rulespec.value_types import UNKNOWN, Int, Nothing, Type, a_thing, kind_of

IN_FUNCTIONS = (nodes.Let, nodes.SetTo, nodes.If, nodes.ForEach, nodes.While, nodes.Return, nodes.Stop)
RETURN_ALWAYS = "end it with a `return` line, or give each `if` an `else:`"
NO_DECISION = (nodes.Choose, nodes.Offer, nodes.Roll, nodes.Pick, nodes.Shuffle, nodes.Draw, nodes.SameTime)


def block(frame: Frame, script: nodes.Block) -> list[Statement]:
    """Lower a block; names bound in it end with it."""
    with frame.scope():
        return lines(frame, script)


def lines(frame: Frame, script: nodes.Block) -> list[Statement]:
    """Lower statements in the present scope."""
    lowered = []
    for statement in script:
        if frame.kind in ("function", "layer") and not isinstance(statement, IN_FUNCTIONS):
            frame.error(
                "effect-in-function", "a function says what is true and changes nothing", statement.span,
                help="only `let`, `set` of a `let` name, `if`, `for each`, `while` and `return` stand here",
            )  # fmt: skip
            continue
        made = _statement(frame, statement)
        if made is not None:
            lowered.append({**made, "at": at(statement.span)})
    return lowered


def _statement(frame: Frame, node: nodes.Stmt) -> Statement | None:
    match node:
        case nodes.Let():
            return _let(frame, node)
        case nodes.SetTo():
            return _set(frame, node)
        case nodes.Perform():
            return perform(frame, node.rule, node.by, None)
        case nodes.Choose():
            return _choose(frame, node)
        case nodes.Offer():
            return _offer(frame, node)
        case nodes.Begin():
            return _begin(frame, node)
        case nodes.Stop():
            return {"op": "stop"}
        case nodes.Return():
            return _return(frame, node)
        case nodes.EndGame():
            return {"op": "end_game"}
    return _control(frame, node) or effect(frame, node)


def _control(frame: Frame, node: nodes.Stmt) -> Statement | None:
    match node:
        case nodes.If():
            cases = [[truth(frame, c), block(frame, b)] for c, b in node.cases]
            return {"op": "if", "cases": cases, "else": block(frame, node.otherwise) if node.otherwise else None}
        case nodes.While():
            return {"op": "while", "when": truth(frame, node.condition), "body": block(frame, node.body)}
        case nodes.Repeat():
            if node.times is None:
                return {"op": "forever", "body": block(frame, node.body)}
            return {"op": "times", "count": amount(frame, node.times), "body": block(frame, node.body)}
        case nodes.ForEach():
            return _for_each(frame, node)
        case nodes.SameTime():
            return _same_time(frame, node)
        case nodes.Together():
            return _together(frame, node)
    return None


# ------------------------------------------------------------------------------------- names and values


def _is_procedure(frame: Frame, node: nodes.Expr) -> bool:
    if isinstance(node, nodes.Reference) and node.name.text not in frame.bound:
        return node.name.text in frame.names.procedures
    return isinstance(node, nodes.Printed) and any(
        c.split(".")[1] == node.name.text and cell.form == "script" for c, cell in frame.names.cells.items()
    )


def _let(frame: Frame, node: nodes.Let) -> Statement:
    if _is_procedure(frame, node.value):
        made = perform(frame, node.value, None, -1)
        _gives(frame, made, node.value.span)
        given = frame.unit.result_of(made["rule"]) if made and "rule" in made else UNKNOWN
        local = frame.bind(node.name.text, given, node.name.span)
        return {**(made or {"op": "perform"}), "result": local}
    value = plain(frame.expr(node.value))
    local = frame.bind(node.name.text, value.type, node.name.span)
    return {"op": "let", "local": local, "value": value.ir}


def _gives(frame: Frame, made: Statement | None, taken: Span) -> None:
    """Report each procedure or cell whose value is taken, and that may come to its end without one."""
    names, found = frame.names, []
    if made is None:
        return
    if made["op"] == "perform":
        node = names.procedures[made["rule"]]
        found = [(made["rule"], node.signature.name.span, node.script)]
    else:
        table, cell = made["cell"].split(".")
        for row in names.tables[table].rows:
            bodies = [(name.span, body) for name, body in row.cells if name.text == cell]
            if not bodies and cell in frame.unit.asked_of_rows:
                continue  # rows without it are told apart with `has`
            span, body = bodies[0] if bodies else (row.name.span, ())
            found.append((f"{row.name.text}.{cell}", span, body if isinstance(body, tuple) else ()))
    for rule, span, script in found:
        if rule not in frame.unit.taken and (not always_returns(script) or _returns_nothing(script)):
            frame.unit.taken.add(rule)
            text = f"`{rule}` may come to its end without returning a value"
            related = (Related(taken, "its value is taken here"),)
            frame.error("missing-return", text, span, related=related, help=RETURN_ALWAYS)


def _returns_nothing(part: Any) -> bool:
    """Say whether a `return` without a value stands anywhere in a script."""
    if isinstance(part, tuple):
        return any(_returns_nothing(each) for each in part)
    if isinstance(part, nodes.Return):
        return part.value is None
    return isinstance(part, nodes.Stmt) and any(
        _returns_nothing(getattr(part, each)) for each in part.__dataclass_fields__
    )


def _set(frame: Frame, node: nodes.SetTo) -> Statement:
    target = frame.expr(node.target)
    form = target.ir[0] if isinstance(target.ir, list) and target.ir else None
    if target.type != UNKNOWN and form not in ("var", "face", "local"):
        frame.error("type-mismatch", "`set` gives a variable, a die's face or a `let` name a value", node.target.span)
        target = Typed(target.ir, UNKNOWN)
    if frame.kind in ("function", "layer") and form in ("var", "face"):
        frame.error("effect-in-function", "a function changes no variable", node.target.span)
    value = frame.expr(node.value, target.type)
    if form == "local" and target.type != UNKNOWN:
        _widen(frame, target, value.type)
    ir = coerce(frame, value, target.type, node.value.span)
    if form in ("var", "face"):
        check_range(frame, value, target.type, f"`{_set_name(node.target)}`", node.value.span)
    return {"op": "set", "target": target.ir, "value": ir}


def _set_name(target: nodes.Expr) -> str:
    return target.name.text if isinstance(target, nodes.Reference | nodes.My | nodes.Of) else "it"


def _widen(frame: Frame, target: Typed, given: Type) -> None:
    """A name that is given other values has no narrow interval."""
    index = target.ir[1]
    if isinstance(frame.types[index], Int):
        frame.types[index] = Int()
    elif isinstance(frame.types[index], Nothing) and kind_of(given) is not None:
        frame.types[index] = given


def _return(frame: Frame, node: nodes.Return) -> Statement:
    if node.value is None:
        if frame.kind in ("function", "layer"):
            frame.error("missing-return", "a function returns a value", node.span, help="write `return E`")
            frame.returns.append((UNKNOWN, node.span))
        return {"op": "return", "value": None}
    if not frame.takes_return:
        text = "nobody takes what is returned here: only a function or procedure gives something"
        frame.error("return-not-taken", text, node.value.span, help="write `return` alone")
    value = plain(frame.expr(node.value, frame.wanted))
    frame.returns.append((value.type, node.value.span))
    return {"op": "return", "value": value.ir}


def _stops(script: nodes.Block) -> bool:
    """Say whether a `stop` in a block leaves the loop around it."""
    for statement in script:
        match statement:
            case nodes.Stop():
                return True
            case nodes.If(cases, otherwise):
                if any(_stops(body) for body in (*(body for _, body in cases), otherwise or ())):
                    return True
            case nodes.Choose(_, _, _, body, otherwise) if _stops(body or ()) or _stops(otherwise or ()):
                return True
            case nodes.Offer() if _stops(statement.otherwise or ()):
                return True
            case nodes.Together(body) if _stops(body):
                return True
    return False


def always_returns(script: nodes.Block) -> bool:
    """Say whether a script comes to a `return` on every path."""
    for statement in script:
        match statement:
            case nodes.Return() | nodes.EndGame():
                return True
            case nodes.Repeat(None, body) if not _stops(body):
                return True
            case nodes.Together(body) if always_returns(body):
                return True
            case nodes.Choose(_, _, _, body, otherwise) if always_returns(body or ()) and always_returns(
                otherwise or ()
            ):
                return True
            case nodes.If(cases, otherwise) if otherwise is not None:
                if all(always_returns(body) for body in (*(body for _, body in cases), otherwise)):
                    return True
    return False


# ---------------------------------------------------------------------------------------- performing


def perform(frame: Frame, rule: nodes.Expr, by: nodes.Expr | None, result: int | None) -> Statement | None:
    """Lower a rule performed; `me` in its arguments is the player after `by`."""
    who = player(frame, by) if by is not None else None
    with frame.me(True, False) if by is not None else nullcontext():
        if isinstance(rule, nodes.Printed):
            return _perform_cell(frame, rule, who, result)
        if isinstance(rule, nodes.Reference):
            return _perform_rule(frame, rule, who, result)
    frame.error("unknown-rule", "this line performs nothing", rule.span)
    return None


def _perform_rule(frame: Frame, rule: nodes.Reference, who: Any, result: int | None) -> Statement | None:
    text, names = rule.name.text, frame.names
    params: tuple[nodes.Param, ...] = ()
    if text in names.procedures:
        params = names.procedures[text].signature.params
    elif text not in names.phases:
        _not_performed(frame, rule.name)
        return None
    names.used.add(text)
    lowered = arguments(frame, text, params, rule.args or (), rule.span)
    return {"op": "perform", "rule": text, "args": lowered or [], "by": who, "result": result}


def _not_performed(frame: Frame, name: nodes.Name) -> None:
    names = frame.names
    if name.text in names.actions:
        offer = f"offer it: `must {name.text}` or `may {name.text}`"
        frame.error("unknown-rule", f"`{name.text}` is an action: it is chosen, not performed", name.span, help=offer)
    elif name.text in names.functions:
        frame.error("unknown-rule", f"`{name.text}` is a function: it is true or not, and does nothing", name.span)
    elif name.text in names.lasting:
        frame.error("unknown-rule", f"`{name.text}` lasts", name.span, help=f"write `begin {name.text}`")
    else:
        known = [*names.procedures, *names.phases]
        help, notes = suggestion(name.text, known, "phases and procedures of this game")
        frame.error("unknown-rule", f"no phase or procedure is named `{name.text}`", name.span, help=help, notes=notes)


def _cell(frame: Frame, rule: nodes.Printed, form: str) -> tuple[str, Any, list[Any]] | None:
    """Lower a cell used as a rule: its name, the thing it is printed on, the arguments."""
    value = frame.expr(rule.of)
    thing = kind_of(value.type)
    if thing is None:
        if value.type != UNKNOWN:
            frame.error("type-mismatch", f"`.{rule.name.text}` needs one thing", rule.of.span)
        return None
    for leaf in sorted(thing.leaves):
        name = f"{frame.names.prints(leaf) or leaf}.{rule.name.text}"
        cell = frame.names.cells.get(name)
        if cell is not None and cell.form == form:
            frame.names.used.add(name)
            args = arguments(frame, rule.name.text, cell.signature.params, rule.args or (), rule.span)
            return name, value.ir, args or []
    if frame.names.is_lost(thing):
        return None
    known = [c.split(".")[1] for c, cell in frame.names.cells.items() if cell.form == form]
    help, notes = suggestion(rule.name.text, known, f"cells with {form}s")
    text = f"`{rule.name.text}` is no {form} printed on {a_thing(thing.name)}"
    frame.error("unknown-column", text, rule.name.span, help=help, notes=notes)
    return None


def _perform_cell(frame: Frame, rule: nodes.Printed, who: Any, result: int | None) -> Statement | None:
    found = _cell(frame, rule, "script")
    if found is None:
        return None
    return {"op": "perform_cell", "cell": found[0], "of": found[1], "args": found[2], "by": who, "result": result}


def _begin(frame: Frame, node: nodes.Begin) -> Statement | None:
    names, lasting = frame.names, node.lasting
    if not isinstance(lasting, nodes.Reference) or lasting.name.text not in names.lasting:
        text = lasting.name.text if isinstance(lasting, nodes.Reference) else "this"
        known = [*names.lasting, *(["game"] if node.form == "end" else [])]
        help, notes = suggestion(text, known, "what can end" if node.form == "end" else "lasting changes of this game")
        frame.error("unknown-rule", f"no lasting change is named `{text}`", lasting.span, help=help, notes=notes)
        return None
    names.used.add(lasting.name.text)
    params = names.lasting[lasting.name.text].signature.params
    args = arguments(frame, lasting.name.text, params, lasting.args or (), lasting.span)
    return {"op": node.form, "lasting": lasting.name.text, "args": args or []}


# ----------------------------------------------------------------------------------------- decisions


def _choose(frame: Frame, node: nodes.Choose) -> Statement:
    by = player(frame, node.by) if node.by is not None else None
    needs_me(frame, by, node.span)
    scope = frame.scope() if node.body is not None else nullcontext()
    with scope:
        with frame.me(True, False) if by is not None else nullcontext():
            made = part(frame, node.choices)
        body = block(frame, node.body) if node.body is not None else None
    otherwise = block(frame, node.otherwise) if node.otherwise is not None else None
    lowered = {"op": "choose", "part": made, "by": by, "mode": node.mode, "body": body, "otherwise": otherwise}
    passed = passing(frame) if node.mode == "may" else None
    return {**lowered, "pass": passed, "automatic": frame.automatic}


def needs_me(frame: Frame, by: Any, span: Span) -> None:
    """Report a decision nobody is there to take."""
    if by is None and not frame.has_me:
        frame.error("unknown-name", "nobody is there to decide", span, help="say who: `by P`")


def _offer(frame: Frame, node: nodes.Offer) -> Statement:
    by = player(frame, node.by) if node.by is not None else None
    needs_me(frame, by, node.span)
    with frame.me(True, False) if by is not None else nullcontext():
        actions = [a for a in (offered(frame, rule) for rule in node.actions) if a is not None]
    otherwise = block(frame, node.otherwise) if node.otherwise is not None else None
    passed = passing(frame) if node.mode == "may" else None
    return {
        "op": "offer", "actions": actions, "by": by, "mode": node.mode, "otherwise": otherwise, "pass": passed,
        "automatic": frame.automatic,
    }  # fmt: skip


def offered(frame: Frame, rule: nodes.Expr) -> dict[str, Any] | None:
    """Lower one action of an offer."""
    if isinstance(rule, nodes.Printed):
        found = _cell(frame, rule, "action")
        return None if found is None else {"cell": found[0], "of": found[1], "args": found[2]}
    names = frame.names
    if not isinstance(rule, nodes.Reference) or rule.name.text not in names.actions:
        text = rule.name.text if isinstance(rule, nodes.Reference) else "this"
        help, notes = suggestion(text, list(names.actions), "actions of this game")
        frame.error("unknown-rule", f"no action is named `{text}`", rule.span, help=help, notes=notes)
        return None
    names.used.add(rule.name.text)
    params = names.actions[rule.name.text].signature.params
    args = arguments(frame, rule.name.text, params, rule.args or (), rule.span)
    return {"rule": rule.name.text, "args": args or []}


def _same_time(frame: Frame, node: nodes.SameTime) -> Statement:
    _only_choices(frame, node.body)
    with frame.scope():
        found = loop(frame, node.binder)
        if not found.over_players and found.type != UNKNOWN:
            frame.error("type-mismatch", "`at the same time` is for players", node.binder.span)
        with frame.me(True, False):
            body = lines(frame, node.body)
            reveal = lines(frame, node.reveal) if node.reveal is not None else None
    return {"op": "simultaneous", "loop": found.data, "body": body, "reveal": reveal}


def _only_choices(frame: Frame, script: nodes.Block) -> None:
    """Report what is done before all have chosen: others would see it, or it would hang on who answers first."""
    for statement in script:
        match statement:
            case nodes.Let() if not _is_procedure(frame, statement.value):
                pass
            case nodes.If():
                for _, inner in (*statement.cases, (None, statement.otherwise or ())):
                    _only_choices(frame, inner)
            case nodes.Choose():
                _only_choices(frame, statement.body or ())
                _only_choices(frame, statement.otherwise or ())
            case nodes.Offer():
                _only_choices(frame, statement.otherwise or ())
            case _:
                frame.error(
                    "effect-before-all-chose", "players only choose here: nothing is done before all have chosen",
                    statement.span,
                    help="write it under `when all have chosen:`; only `let`, `if`, choices and offers stand here",
                )  # fmt: skip


# -------------------------------------------------------------------------------------------- control


def _for_each(frame: Frame, node: nodes.ForEach) -> Statement:
    with frame.scope():
        found = loop(frame, node.binder)
        if node.as_me and not found.over_players and found.type != UNKNOWN:
            frame.error("type-mismatch", "`one by one` is for players", node.binder.span, help="write `for each`")
        refused = frame.my_refused or found.over_players
        with frame.me(True, False) if node.as_me else frame.me(frame.has_me, refused):
            body = block(frame, node.body)
    return {"op": "for", "loop": found.data, "body": body, "as_me": node.as_me}


def _together(frame: Frame, node: nodes.Together) -> Statement:
    for statement in node.body:
        if isinstance(statement, NO_DECISION):
            frame.error(
                "decision-in-together", "`together` is one effect: it may not ask or use chance", statement.span
            )
    return {"op": "together", "body": block(frame, node.body)}
