"""Choices: what may be answered, and what an answer means. The frame says where the asking rule stands."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from interpreter.actions import Ask
from interpreter.specialise.analysis import Statement
from interpreter.specialise.cells import thing
from interpreter.specialise.domains import TOKEN_FORMS, id_of, index_of, value_at
from interpreter.specialise.loops import collect, run
from interpreter.specialise.makers import make
from interpreter.specialise.needs import matters, risky
from interpreter.specialise.quote import const, expr, function, is_const, load, place, stmts, store
from interpreter.specialise.scope import Scope
from interpreter.specialise.script import Script, references
from interpreter.specialise.statements import emit_block, emitter
from interpreter.specialise.straight import taken

NO_BOUND = 9999
Part = dict[str, Any]


def loop_of(variable: dict[str, Any]) -> dict[str, Any]:
    """Return a part's variable as a loop."""
    return {"local": variable["local"], "in": variable["in"], "where": variable["where"], "order": None}


# ------------------------------------------------------------------------------------------ offering


def options_function(script: Script, label: int, fill: Callable[[Scope], None]) -> None:
    """Make the function that lists the answers at a frame; *fill* emits what appends ids to `out`."""
    scope = Scope(script.build, script.rule, script.prefix)
    scope.env = {i: load(name) for name, _, i in script.live if i is not None}
    scope.at = script.at
    scope.emit(stmts("v = s.v"))
    fill(scope)
    scope.out[1:1] = taken(["me", *(name for name, _ in script.frames[label])], scope.out, 3)
    name = script.build.python_name(script.rule) + f"_{label}"
    script.build.add_options(
        script.rid, label, function(name, ["s", "k"], place(scope.out, *script.at[:2]), script.at[0]), script.rule
    )


def list_values(scope: Scope, part: Part, ask: Ask, rest: Callable[[Scope], ast.expr] | None) -> None:
    """Emit the listing of a part that is no set; *rest* says whether an answer can be completed."""
    variables = part["vars"]
    if len(variables) == 1 and rest is None and _short_list(scope, part, ask):
        return
    scope.emit(stmts("out = []"))

    def level(number: int) -> None:
        if number == len(variables):
            if rest is not None:
                good = rest(scope)
                if not (is_const(good) and good.value):  # type: ignore[attr-defined]
                    scope.emit(stmts("if not _g:\n  continue", _g=good))
            values = [scope.local(v["local"]) for v in variables]
            scope.emit(stmts("out.append(_i)", _i=id_of(scope, ask, values)))
            return
        run(scope, loop_of(variables[number]), lambda: level(number + 1))

    level(0)
    scope.emit(stmts("return sorted(set(out))"))


def _short_list(scope: Scope, part: Part, ask: Ask) -> bool:
    variable = part["vars"][0]
    with scope.block() as body:
        source = make(scope, variable["in"])
        name = scope.bind(variable["local"])
        test = make(scope, variable["where"]) if variable["where"] is not None else const(True)
        number = id_of(scope, ask, [load(name)])
    if body or not is_const(source) or ask.forms[0] in TOKEN_FORMS:
        return False
    values = source.value  # type: ignore[attr-defined]
    if list(values) != sorted(values):
        return False
    if not _board_list(scope, name, values, test, number):
        scope.emit(stmts("return [_i for _x in _s if _c]", _i=number, _x=name, _s=source, _c=test))
    return True


def _board_list(scope: Scope, name: str, values: tuple[int, ...], test: ast.expr, number: ast.expr) -> bool:
    """List members that lie side by side and are tested by one cell each: one pass over a stretch of the position."""
    if values != tuple(range(values[0], values[0] + len(values))) if values else True:
        return False
    if (
        not isinstance(test, ast.Compare)
        or not isinstance(test.left, ast.Subscript)
        or not is_const(test.comparators[0])
    ):
        return False
    cell, shift = _shift(name, test.left.slice), _shift(name, number)
    if cell is None or shift is None or not isinstance(test.left.value, ast.Name) or test.left.value.id != "v":
        return False
    first = values[0] + cell
    stretch = expr("v[_a:_b]", _a=const(first), _b=const(first + len(values)))
    check = ast.Compare(load("x_"), test.ops, test.comparators)
    template = "return [i_ for i_, x_ in enumerate(_v, _n) if _c]"
    scope.emit(stmts(template, _v=stretch, _n=const(values[0] + shift), _c=check))
    return True


def _shift(name: str, node: ast.expr) -> int | None:
    """Return what a node adds to a variable, or None where it is something else."""
    match node:
        case ast.Name(found) if found == name:
            return 0
        case ast.BinOp(ast.Name(found), ast.Add(), ast.Constant(int(shift))) if found == name:
            return shift
        case ast.BinOp(ast.Name(found), ast.Sub(), ast.Constant(int(shift))) if found == name:
            return -shift
    return None


def candidates(scope: Scope, part: Part) -> ast.expr:
    """Return the members a set may be chosen from, as a list."""
    return scope.keep(collect(scope, loop_of(part["vars"][0])))


def bounds(scope: Scope, part: Part) -> tuple[ast.expr, ast.expr]:
    """Return the least and the greatest size of a set."""
    spec = part["set"]
    most = const(NO_BOUND) if spec["max"] is None else make(scope, spec["max"])
    return scope.keep(make(scope, spec["min"])), scope.keep(most)


def list_items(scope: Scope, part: Part, ask: Ask, got: ast.expr, low: ast.expr, high: ast.expr) -> None:
    """Emit the listing of the next items of a set, into `out`."""
    members = candidates(scope, part)
    member = load("x_")
    ids = expr("[_i for x_ in _m if x_ not in _g]", _i=index_of(scope, ask, 0, member), _m=members, _g=got)
    chosen = expr("[_i for x_ in _g]", _i=index_of(scope, ask, 0, member), _g=got)
    template = "out = items_(_ids, _got, _lo, _hi, _base, _done)"
    scope.emit(stmts(template, _ids=ids, _got=chosen, _lo=low, _hi=high, _base=const(ask.base), _done=const(ask.done)))


def list_wholes(
    scope: Scope, part: Part, ask: Ask, low: ast.expr, high: ast.expr, rest: Callable[[Scope], ast.expr] | None
) -> None:
    """Emit the listing of whole sets, into `out`."""
    members = candidates(scope, part)
    ids = scope.keep(expr("[_i for x_ in _m]", _i=index_of(scope, ask, 0, load("x_")), _m=members))
    scope.emit(stmts("out = []"))
    name = scope.bind(part["set"]["local"])
    number = scope.fresh()
    with scope.block() as body:
        scope.emit(
            stmts(
                "_j = members_(_w[_n], _ids, _m)",
                _j=name,
                _w=scope.build.constant(ask.whole),
                _n=number,
                _ids=ids,
                _m=members,
            )
        )
        if part["set"]["such_that"] is not None:
            scope.emit(stmts("if not _c:\n  continue", _c=make(scope, part["set"]["such_that"])))
        if rest is not None:
            scope.emit(stmts("if not _c:\n  continue", _c=rest(scope)))
        scope.emit(stmts("out.append(_n + _b)", _n=number, _b=const(ask.base)))
    source = expr("wholes_(_w, _ids, _lo, _hi)", _w=scope.build.constant(ask.whole), _ids=ids, _lo=low, _hi=high)
    scope.emit(stmts("for _n in _s:\n  _b", _n=number, _s=source, _b=body))


# ----------------------------------------------------------------------------------------- answering


def decode(script: Scope, part: Part, ask: Ask, declare: Callable[[int], str]) -> None:
    """Emit what an answer means: the part's variables get their values."""
    variables = part["vars"]
    index: ast.expr = expr("s.ans - _b", _b=const(ask.base)) if ask.base else expr("s.ans")
    sizes = [len(d) for d in ask.domains]
    if len(variables) > 1:
        index = script.keep(index)
    divisor = 1
    places: list[ast.expr] = []
    for number in reversed(range(len(variables))):
        node = index if divisor == 1 else expr("_i // _d", _i=index, _d=const(divisor))
        places.append(node if number == 0 else expr("(_i) % _s", _i=node, _s=const(sizes[number])))
        divisor *= sizes[number]
    for number, variable in enumerate(variables):
        where = places[len(variables) - 1 - number]
        if ask.forms[number] in TOKEN_FORMS:
            wanted = script.keep(where)
            members = script.keep(collect(script, loop_of(variable)))
            found = expr(
                "[x_ for x_ in _m if _i == _w]", _m=members, _i=index_of(script, ask, number, load("x_")), _w=wanted
            )
            script.env.pop(variable["local"], None)
            script.emit(store(declare(variable["local"]), expr("one_(s, _f)", _f=found)))
        else:
            script.emit(store(declare(variable["local"]), value_at(script, ask, number, where)))


def decode_item(script: Script, part: Part, ask: Ask, got: str) -> None:
    """Emit the adding of one item to a set."""
    members = candidates(script, part)
    found = expr(
        "[x_ for x_ in _m if _i == s.ans - _b and x_ not in _g]",
        _m=members,
        _i=index_of(script, ask, 0, load("x_")),
        _b=const(ask.base),
        _g=got,
    )
    script.emit(stmts("_g = (*_g, one_(s, _f))", _g=got, _f=found))


# --------------------------------------------------------------------------------- choose in a script


def depends_on_hidden(script: Script, part: Part) -> bool:
    """Say whether what can be chosen depends on a zone that not all see."""
    zones = script.layout.zones
    from interpreter.specialise.needs import names_in

    return any(name in zones and zones[name].seen_by != "all" for name in names_in([v["in"] for v in part["vars"]]))


@emitter("choose")
def _choose(script: Script, statement: Statement) -> None:
    part = statement["part"]
    ask = script.build.asks.by_name[part["ask"]]
    label = script.labels(statement)
    with script.variables():
        old = script.hold("m", ["opt", "player"]) if statement["by"] is not None else ""
        if old:
            script.emit(stmts("_m = me\nme = _p", _m=old, _p=thing(script, statement["by"])))
        keep_open = statement["body"] is None and statement["otherwise"] is None
        declared: list[tuple[str, Any, int | None]] = []
        if part["set"]:
            ask_set(script, part, ask, label, statement, declared)
        else:
            _ask_one(script, part, ask, label, statement, declared)
        if old:
            script.emit(stmts("me = _m", _m=old))
        if not keep_open:
            if statement["body"] is not None:
                emit_block(script, statement["body"])
            script.live = [entry for entry in script.live if entry not in declared]
            _otherwise(script, statement, label)
            declared = []
    script.live += declared
    for name, _, index in declared:
        assert index is not None
        script.env[index] = load(name)


def _otherwise(script: Script, statement: Statement, label: int) -> None:
    script.jump(label + 6)
    script.start(label + 5)
    if statement["by"] is not None:
        script.emit(
            stmts("me = _m", _m=next(n for n, _, i in reversed(script.live) if n.startswith("m") and i is None))
        )
    if statement["otherwise"] is not None:
        emit_block(script, statement["otherwise"])
    script.jump(label + 6)
    script.start(label + 6)


def _searched(script: Script, statement: Statement) -> bool:
    """Say whether a choice has to be tried out: whether what comes after it can be done may depend on it."""
    part = statement["part"]
    chosen = {v["local"] for v in part["vars"]} | ({part["set"]["local"]} if part["set"] else set())
    program, body = script.build.program, statement["body"] or []
    if statement["mode"] in ("may", "if_possible") and risky(program, body, script.build.guards(statement)):
        return True
    rest = [body, *script.build.after(statement)]
    return statement["mode"] != "as_far" and any(matters(program, block, chosen) for block in rest)


def pause(script: Script, statement: Statement, label: int, refused: int | None, passing: int | None) -> None:
    """Emit the asking itself: list the answers, and wait."""
    script.build.asked_at[(script.rid, label + 1)] = ("choose", statement)
    if refused is None and passing is None and not statement.get("automatic"):
        script.wait(label + 1)
        return
    script.pause(label + 1)
    if passing is not None:
        script.build.passes[(script.rid, label + 1)] = (passing, "")
    hidden = depends_on_hidden(script, statement["part"]) if "part" in statement else False
    more = stmts("_o.append(_p)", _o="o_", _p=const(passing)) if passing is not None else []
    none = stmts("give_up_('no choice is possible')")
    if refused is not None:
        none = stmts("pc = _l\ncontinue", _l=const(refused))
    if not (hidden and passing is not None):
        script.emit(stmts("if not o_:\n  _n", _n=none))
    script.emit(more, take_only(statement, label + 1), stmts("s.legal = sorted(o_)\ns.look = None\nreturn None"))
    script.closed = True


def take_only(statement: Statement, label: int) -> list[ast.stmt]:
    """Return what takes the only answer left without asking, where the phase says so."""
    if not statement.get("automatic"):
        return []
    return stmts("if len(o_) == 1:\n  s.ans = o_[0]\n  pc = _l\n  continue", _l=const(label))


def _ask_one(
    script: Script, part: Part, ask: Ask, label: int, statement: Statement, declared: list[tuple[str, Any, int | None]]
) -> None:
    refused = label + 5 if statement["mode"] in ("if_possible", "may", "as_far") else None
    passing = script.build.asks.by_name[statement["pass"]].base if statement["mode"] == "may" else None
    pause(script, statement, label, refused, passing)
    searched = _searched(script, statement)

    def fill(scope: Scope) -> None:
        list_values(scope, part, ask, None)
        if searched:
            _filter(scope)

    options_function(script, label + 1, fill)
    script.start(label + 1)
    if passing is not None:
        script.emit(stmts("if s.ans == _p:\n  pc = _l\n  continue", _p=const(passing), _l=const(label + 5)))
    depth = len(script.live)
    decode(script, part, ask, script.declare)
    declared += script.live[depth:]
    if statement["body"] is None and statement["otherwise"] is None and refused is not None:
        script.jump(label + 6)
        script.start(label + 5)
        script.emit(*[store(name, const(-1)) for name, _, _ in declared])
        script.jump(label + 6)
        script.start(label + 6)


def _filter(scope: Scope) -> None:
    """Turn the `return X` that ends a listing into one that keeps only what can be carried to its end."""
    last = scope.out.pop()
    assert isinstance(last, ast.Return) and last.value is not None
    scope.emit(ast.Return(expr("looked_(s, k, _o)", _o=last.value)))


def ask_set(
    script: Script, part: Part, ask: Ask, label: int, statement: Statement, declared: list[tuple[str, Any, int | None]]
) -> None:
    """Emit the choice of a set, whole or item by item."""
    low, high, got = (
        script.hold("lo", ["int", 0, 0]),
        script.hold("hi", ["int", 0, 0]),
        script.hold("g", _set_type(script, part)),
    )
    least, most = bounds(script, part)
    script.emit(stmts("_l = _a\n_h = _b\n_g = ()", _l=low, _a=least, _h=high, _b=most, _g=got))
    mode = statement["mode"]
    if mode == "as_far":
        script.emit(
            stmts("_n = len(_m)\nif _n < _l: _l = _h = _n", _n="n_", _m=candidates(script, part), _l=low, _h=high)
        )
    passing = script.build.asks.by_name[statement["pass"]].base if mode == "may" else None
    names = (load(got), load(low), load(high))
    refused = label + 5 if mode in ("may", "if_possible") else None
    if refused is not None:
        test = expr("len(_m) < max(_l, 1)", _m=candidates(script, part), _l=low)
        script.emit(stmts("if _t:\n  pc = _r\n  continue", _t=test, _r=const(refused)))
    script.build.asked_at[(script.rid, label + 1)] = ("choose", statement)
    with script.variables():
        collect_set(script, statement, ask, label, names, passing, refused)
    depth = len(script.live)
    script.emit(store(script.declare(part["set"]["local"]), load(got)))
    if script.build.mode.events:
        script.emit(stmts("chose_(s, me, _g)", _g=got))
    declared += script.live[depth:]


def _set_type(script: Script, part: Part) -> Any:
    return script.declared[part["set"]["local"]][1]


def collect_set(
    script: Script, statement: Statement, ask: Ask, label: int, names: tuple[ast.expr, ast.expr, ast.expr],
    passing: int | None, refused: int | None,
) -> None:  # fmt: skip
    """Emit the loop that asks for a set; the members are left in the first of *names*."""
    part: Part = statement["part"]
    got, low, high = names
    assert isinstance(got, ast.Name)
    done = stmts("pc = _l\ncontinue", _l=const(label + 4))
    script.jump(label)
    script.start(label)
    script.emit(stmts("if len(_g) >= _h:\n  _d", _g=got, _h=high, _d=done))
    script.pause(label + 1)
    script.emit(stmts("if o_ == [_e]:\n  _d", _e=const(ask.done if ask.whole is None else -1), _d=done))
    if passing is not None:
        script.build.passes[(script.rid, label + 1)] = (passing, got.id)
        script.emit(stmts("if not _g: o_.append(_p)", _g=got, _p=const(passing)))
    script.emit(stmts("if not o_: give_up_('no choice is possible')"), take_only(statement, label + 1))
    script.emit(stmts("s.legal = sorted(o_)\ns.look = None\nreturn None"))
    script.closed = True

    def fill(scope: Scope) -> None:
        if ask.whole is None:
            list_items(scope, part, ask, got, low, high)
        else:
            list_wholes(scope, part, ask, low, high, None)
        scope.emit(stmts("return out"))

    options_function(script, label + 1, fill)
    script.start(label + 1)
    if passing is not None:
        script.emit(stmts("if s.ans == _p:\n  pc = _l\n  continue", _p=const(passing), _l=const(refused)))
    take_set_answer(script, part, ask, got.id, done, label)
    script.start(label + 4)


def take_set_answer(script: Script, part: Part, ask: Ask, got: str, done: list[ast.stmt], label: int) -> None:
    """Emit what one answer of a set means."""
    if ask.whole is None:
        script.emit(stmts("if s.ans == _e:\n  _d", _e=const(ask.done), _d=done))
        decode_item(script, part, ask, got)
        script.jump(label)
        return
    members = candidates(script, part)
    if script.build.mode.events:
        members = script.keep(expr("known_first_(s, _m)", _m=members))
    ids = expr("[_i for x_ in _m]", _i=index_of(script, ask, 0, load("x_")), _m=members)
    whole = expr("_w[s.ans - _b]", _w=script.build.constant(ask.whole), _b=const(ask.base))
    script.emit(stmts("_g = members_(_w, _i, _m)", _g=got, _w=whole, _i=ids, _m=members))
    script.jump(label + 4)


__all__ = [
    "ask_set",
    "bounds",
    "candidates",
    "decode",
    "list_items",
    "list_values",
    "list_wholes",
    "loop_of",
    "references",
    "take_only",
]
