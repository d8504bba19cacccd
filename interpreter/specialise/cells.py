"""Where things stand in a position, as Python expressions: cells of variables and counters, slots of zones."""

from __future__ import annotations

import ast
from typing import Any

from interpreter.layout import NOTHING
from interpreter.specialise.makers import make, value_of
from interpreter.specialise.quote import const, expr, is_const, load, tuple_of
from interpreter.specialise.scope import Expr, Scope


def nullable(scope: Scope, tree: Expr) -> bool:
    """Say whether a formula may be nothing, so that its use as a thing has to be checked."""
    match tree[0]:
        case "first" | "first_of" | "top" | "place" | "active" | "base" | "cell":
            return True
        case "lit":
            return bool(tree[1] == NOTHING) and tree[1] is not False
        case "var" | "column":
            return bool(scope.build.result_type(tree)[0] == "opt")
        case "local":
            rule = scope.build.program["rules"].get(scope.rule)
            if rule is None or tree[1] >= len(rule["locals"]):
                return True
            kind = rule["locals"][tree[1]][1]
            return isinstance(kind, list) and kind[0] == "opt"
        case "call":
            result = scope.build.program["rules"][tree[1]]["result"]
            return isinstance(result, list) and result[0] == "opt"
        case "if":
            return nullable(scope, tree[2]) or nullable(scope, tree[3])
    return False


def thing(scope: Scope, tree: Expr) -> ast.expr:
    """Return a formula that has to be a thing, with a check where it may be nothing."""
    node = make(scope, tree)
    if is_const(node):
        if value_of(node) == NOTHING and value_of(node) is not False:
            return expr("check_(_x)", _x=node)
        return node
    return checked(node) if nullable(scope, tree) else node


def checked(node: ast.expr) -> ast.expr:
    """Return a thing with the check that it is there; what is read at once is read twice, which is quicker."""
    is_read = isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and is_const(node.slice)
    if is_read or isinstance(node, ast.Name):
        return expr("_x if _x >= 0 else check_(_x)", _x=node)
    return expr("check_(_x)", _x=node)


def given(scope: Scope, rule: str, arguments: list[Expr]) -> list[ast.expr]:
    """Return what is given to a rule."""
    return wanted(scope, [kind for _, kind in scope.build.program["rules"][rule]["locals"]], arguments)


def wanted(scope: Scope, kinds: list[Any], arguments: list[Expr]) -> list[ast.expr]:
    """Return values of these types; where a thing is wanted, with a check of what may be nothing."""
    things = [isinstance(kind, list) and kind[0] == "kind" for kind in kinds]
    return [thing(scope, tree) if is_thing else make(scope, tree) for tree, is_thing in zip(arguments, things)]


def given_to_cell(scope: Scope, cell: str, arguments: list[Expr]) -> list[ast.expr]:
    """Return what is given to the rule printed in a cell: all of one column want the same."""
    spec = scope.build.program["cells"][cell]
    rules = [*spec["rules"].values(), *([spec["default"]] if spec.get("default") else [])]
    return given(scope, rules[0], arguments) if rules else [make(scope, tree) for tree in arguments]


def position(scope: Scope, kind: str, node: ast.expr) -> ast.expr:
    """Return the place of a thing among the members of a kind."""
    members = scope.layout.members[kind]
    if is_const(node) and not isinstance(value_of(node), tuple):
        if value_of(node) in members:
            return const(members.index(value_of(node)))
        return expr("check_(-1)")
    low = members[0] if members else 0
    if members == tuple(range(low, low + len(members))):
        return node if low == 0 else expr("_x - _low", _x=node, _low=const(low))
    return expr("_table[_x]", _table=scope.build.positions(kind), _x=node)


def offset(base: int, parts: list[tuple[ast.expr, int]]) -> ast.expr:
    """Return base + sum of part times stride, with the known parts added up."""
    total = base
    result: ast.expr | None = None
    for node, stride in parts:
        if is_const(node):
            total += value_of(node) * stride
            continue
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and is_const(node.right):
            total -= value_of(node.right) * stride
            node = node.left
        term = node if stride == 1 else expr("_x * _s", _x=node, _s=const(stride))
        result = term if result is None else expr("_a + _b", _a=result, _b=term)
    if result is None:
        return const(total)
    if total == 0:
        return result
    return expr("_a + _b" if total > 0 else "_a - _b", _a=result, _b=const(abs(total)))


def cell_of(scope: Scope, base: int, keys: tuple[str, ...], strides: tuple[int, ...], args: list[Expr]) -> ast.expr:
    """Return the cell of a variable or counter for these keys."""
    parts = [(position(scope, k, thing(scope, a)), s) for k, s, a in zip(keys, strides, args)]
    return offset(base, parts)


def counter_cell(scope: Scope, name: str, holder: Expr) -> ast.expr:
    """Return the cell of a counter for a player, or of its bank."""
    block = scope.layout.counters[name]
    if holder[0] == "bank":
        return const(block.base + block.size)
    return cell_of(scope, block.base, block.keys, block.strides, [holder] if block.keys else [])


def is_single(zone: dict[str, Any]) -> bool:
    """Say whether a zone reference names one slot."""
    return all(key[0] == "one" for key in zone["keys"])


def slot(scope: Scope, zone: dict[str, Any]) -> ast.expr:
    """Return the cell of the one slot a zone reference names."""
    block = scope.layout.zones[zone["zone"]]
    return cell_of(scope, block.base, block.keys, block.strides, [key[1] for key in zone["keys"]])


def slots(scope: Scope, zone: dict[str, Any]) -> ast.expr:
    """Return the cells of all slots a zone reference fits, as a tuple or list."""
    block = scope.layout.zones[zone["zone"]]
    if all(key[0] == "all" for key in zone["keys"]):
        return const(tuple(range(block.base, block.base + block.size)))
    axes: list[ast.expr] = []
    for key, kind in zip(zone["keys"], block.keys):
        match key[0]:
            case "one":
                axes.append(tuple_of([position(scope, kind, thing(scope, key[1]))]))
            case "all":
                axes.append(const(tuple(range(len(scope.layout.members[kind])))))
            case _:
                axes.append(_positions(scope, kind, make(scope, key[1])))
    if len(axes) == 1:
        if is_const(axes[0]):
            return const(tuple(block.base + i for i in value_of(axes[0])))
        return expr("[_b + i for i in _axis]", _b=const(block.base), _axis=scope.keep(axes[0]))
    return expr("grid_(_b, _axes, _strides)", _b=const(block.base), _axes=tuple_of(axes), _strides=const(block.strides))


def _positions(scope: Scope, kind: str, members: ast.expr) -> ast.expr:
    table = scope.layout.position_in(kind) if kind != "player" else {p: p for p in scope.layout.members["player"]}
    if is_const(members):
        return const(tuple(table[m] for m in value_of(members)))
    return expr("[_p for x in _m]", _p=position(scope, kind, load("x")), _m=scope.keep(members))
