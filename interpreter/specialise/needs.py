"""What an action needs to be carried to its end: the look-ahead, as far as it can be told from the text alone.

The plain numbers, payments and choices that follow a choice, up to the first barrier, become conditions. Where one
depends on what was changed on the way there, the action is marked as searched: then the choice is tried out.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from interpreter.specialise.analysis import Statement, bodies, walk
from interpreter.specialise.scope import Expr

BARRIERS = {"draw", "roll", "pick", "shuffle", "show", "look", "simultaneous"}
SHIFT = 1000


@dataclass
class Needs:
    """Conditions to be met, and whether trying out is needed besides."""

    conditions: list[tuple[str, Expr, list[Any]]] = field(default_factory=list)
    searched: bool = False
    stopped: bool = False
    written: set[str] = field(default_factory=set)


def needs_of(program: dict[str, Any], rule: dict[str, Any]) -> Needs:
    """Return what the cost and the body of an action need."""
    needs = Needs()
    for part, block in (("cost", rule["cost"]), ("do", rule["body"])):
        _walk(program, block, needs, {}, ["me"], 0, part, rule["at"][0])
    return needs


def _walk(
    program: dict[str, Any],
    block: list[Statement],
    needs: Needs,
    local: dict[int, Expr],
    me: Expr,
    depth: int,
    part: str,
    file: str,
) -> None:
    for statement in block:
        if needs.stopped:
            return
        if not _one(program, statement, needs, local, me, depth, part, file):
            return


def _one(
    program: dict[str, Any],
    statement: Statement,
    needs: Needs,
    local: dict[int, Expr],
    me: Expr,
    depth: int,
    part: str,
    file: str,
) -> bool:
    """Take one statement into account; False ends the walk of this block."""
    op = statement["op"]
    if op in BARRIERS or op in ("return", "stop", "end_game"):
        needs.stopped = True
        return False
    at = [file, *statement["at"]] if statement.get("at") else [file, 1, 1, 1, 1]
    for condition in requirements(program, statement):
        condition = substitute(condition, local, me)
        if condition is None or names_in(condition) & needs.written:
            needs.searched = True
        else:
            needs.conditions.append((part, condition, at))
    if op == "let":
        local[statement["local"]] = substitute(statement["value"], local, me) or ["lit", None]
        return True
    if op == "perform":
        _into(program, statement, needs, local, me, depth, part)
        return True
    if op == "choose":
        _chosen(program, statement, needs, me)
    elif op in ("perform_cell", "offer") or risky(program, _substituted(statement, local, me)):
        needs.searched = True
    needs.written |= written_names(program, statement)
    return not needs.searched


def _substituted(statement: Statement, local: dict[int, Expr], me: Expr) -> list[Statement]:
    """Return a statement as a block, with what is known of its locals put in; nothing if it has no inside."""
    if not any(True for _ in bodies(statement)):
        return []
    found = substitute(statement, local, me)
    return [found if found is not None else statement]


def _into(
    program: dict[str, Any], statement: Statement, needs: Needs, local: dict[int, Expr], me: Expr, depth: int, part: str
) -> None:
    rule = program["rules"][statement["rule"]]
    if depth > 6:
        needs.searched = True
        return
    arguments = [substitute(a, local, me) or ["lit", None] for a in statement["args"]]
    inner: dict[int, Expr] = dict(enumerate(arguments))
    inner |= {i: ["local", SHIFT * (depth + 1) + i] for i in range(len(arguments), len(rule["locals"]))}
    who = me if statement["by"] is None else substitute(statement["by"], local, me)
    if who is None:
        needs.searched = True
        return
    _walk(program, rule["body"], needs, inner, who, depth + 1, part, rule["at"][0])
    if statement["result"] is not None:
        local[statement["result"]] = ["lit", None]


def _chosen(program: dict[str, Any], statement: Statement, needs: Needs, me: Expr) -> None:
    if statement["by"] is not None and statement["by"] != me:
        needs.stopped = True
        return
    if statement["mode"] in ("must", "as_far") and (len(statement["part"]["vars"]) > 1 or statement["part"]["set"]):
        needs.searched = True
    if any(risky(program, body) for body in bodies(statement)):
        needs.searched = True
    if statement["mode"] == "must":
        needs.written.add("?")


def requirements(program: dict[str, Any], statement: Statement) -> list[Expr]:
    """Return the conditions one statement needs itself."""
    match statement["op"]:
        case "move" if statement["amount"] is not None and not statement["as_far"]:
            if statement["amount"] == ["lit", 1]:
                return [["not", ["is_empty", statement["what"]]]]
            return [["ge", ["size", statement["what"]], statement["amount"]]]
        case "transfer" if not statement["as_far"]:
            holder = statement["from"][1] if statement["from"][0] == "player" else ["bank"]
            endless = [counter["name"] for counter in program["counters"] if counter["bank"] is None]
            if holder == ["bank"] and statement["counter"] in endless:
                return []
            return [["ge", ["counter", statement["counter"], holder], statement["amount"]]]
        case "choose" if (
            statement["mode"] == "must" and len(statement["part"]["vars"]) == 1 and not statement["part"]["set"]
        ):
            variable = statement["part"]["vars"][0]
            return [
                ["some", {"local": variable["local"], "in": variable["in"], "where": variable["where"], "order": None}]
            ]
    return []


def substitute(tree: Any, local: dict[int, Expr], me: Expr) -> Any:
    """Return a formula with locals and `me` replaced; None where one of them is not known."""
    if isinstance(tree, list):
        if tree and tree[0] == "local" and len(tree) == 2:
            found = local.get(tree[1], tree)
            return None if found == ["lit", None] else found
        if tree == ["me"]:
            return me
        parts = [substitute(part, local, me) for part in tree]
        return None if any(new is None and old is not None for new, old in zip(parts, tree)) else parts
    if isinstance(tree, dict):
        new_dict: dict[str, Any] = {}
        for key, part in tree.items():
            new = local.get(part, ["local", part])[1] if key == "local" else substitute(part, local, me)
            if new is None and part is not None:
                return None
            new_dict[key] = new
        return new_dict
    return tree


def names_in(tree: Any) -> set[str]:
    """Return the zones, counters and variables a formula reads by name."""
    found: set[str] = set()
    if isinstance(tree, list):
        if tree and tree[0] in ("var", "counter"):
            found.add(tree[1])
        for part in tree:
            found |= names_in(part)
    elif isinstance(tree, dict):
        if "zone" in tree:
            found.add(tree["zone"])
        for part in tree.values():
            found |= names_in(part)
    return found


def written_names(program: dict[str, Any], statement: Statement) -> set[str]:
    """Return the zones, counters and variables a statement may change."""
    found: set[str] = set()
    holds = {zone["name"]: set(zone["holds"]) for zone in program["zones"]}
    for inner in walk([statement]):
        for key in ("to", "from", "zone"):
            if isinstance(inner.get(key), dict):
                found.add(inner[key]["zone"])
        if inner["op"] == "move":
            named = {name for name in names_in(inner["what"]) if name in holds}
            kinds = holds[inner["to"]["zone"]]
            found |= named or {name for name, held in holds.items() if held & kinds}
        if "counter" in inner:
            found.add(inner["counter"])
        if inner["op"] == "set" and inner["target"][0] == "var":
            found.add(inner["target"][1])
    return found


def risky(program: dict[str, Any], block: list[Statement], guards: tuple[str, ...] = (), depth: int = 0) -> bool:
    """Say whether a block holds a plain number, payment or choice that no condition around it makes sure of."""
    for statement in block:
        op = statement["op"]
        if op in BARRIERS:
            return False
        if any(_key(condition) not in guards for condition in requirements(program, statement)):
            return True
        if (op == "offer" and statement["mode"] == "must") or op == "perform_cell":
            return True
        if (
            op == "choose"
            and statement["mode"] == "must"
            and (statement["part"]["set"] or len(statement["part"]["vars"]) > 1)
        ):
            return True
        if op == "perform" and (depth > 6 or risky(program, _inlined(program, statement), guards, depth + 1)):
            return True
        cases = [(guards_of(condition), body) for condition, body in statement.get("cases", ())]
        plain = [((), statement[key]) for key in ("body", "otherwise", "else") if isinstance(statement.get(key), list)]
        if any(risky(program, body, guards + more, depth) for more, body in [*cases, *plain]):
            return True
    return False


def _inlined(program: dict[str, Any], statement: Statement) -> list[Statement]:
    rule = program["rules"][statement["rule"]]
    local = dict(enumerate(statement["args"]))
    who = statement["by"] or ["me"]
    body = substitute(rule["body"], local, who)
    return body if isinstance(body, list) else []


def guards_of(condition: Expr) -> tuple[str, ...]:
    """Return what a condition makes sure of."""
    if condition[0] == "and":
        return tuple(key for part in condition[1:] for key in guards_of(part))
    return (_key(condition),)


def _key(condition: Expr) -> str:
    """Return one text for all ways to say that a set is not empty."""
    match condition:
        case ["not", ["is_empty", members]]:
            return json.dumps(["some", members])
        case ["not", ["zone_empty", zone]]:
            return json.dumps(["some", ["tokens", zone]])
        case ["some", {"in": members, "where": None}]:
            return json.dumps(["some", members])
        case ["some", {"in": members, "where": where, "local": local}]:
            return json.dumps(["some", members, substitute(where, {local: ["local", -1]}, ["me"])])
        case ["ge", ["size", members], ["lit", 1]] | ["gt", ["size", members], ["lit", 0]]:
            return json.dumps(["some", members])
    return json.dumps(condition)


def matters(program: dict[str, Any], rest: list[Statement], chosen: set[int]) -> bool:
    """Say whether it may depend on a choice, or on what was changed since, that the statements after it can be done."""
    return _matters(program, rest, chosen, set(), 0)


def _matters(program: dict[str, Any], block: list[Statement], chosen: set[int], written: set[str], depth: int) -> bool:
    for statement in block:
        op = statement["op"]
        if op in BARRIERS:
            return False
        wanted: list[Any] = list(requirements(program, statement))
        if op == "choose" and statement["mode"] == "must":
            wanted.append(statement["part"])
        if op == "perform_cell" or (op == "offer" and statement["mode"] == "must"):
            return True
        if any(references(tree) & chosen or names_in(tree) & written for tree in wanted):
            return True
        inner = _inlined(program, statement) if op == "perform" else []
        if depth > 6 or any(_matters(program, b, chosen, written, depth + 1) for b in [inner, *bodies(statement)]):
            return True
        if op == "let" and references(statement["value"]) & chosen:
            chosen = chosen | {statement["local"]}
        for done in [statement, *inner]:
            written |= written_names(program, done)
    return False


def references(tree: Any) -> set[int]:
    """Return the locals a piece of program reads."""
    if isinstance(tree, list):
        if len(tree) == 2 and tree[0] == "local" and isinstance(tree[1], int):
            return {tree[1]}
        return {i for part in tree for i in references(part)}
    if isinstance(tree, dict):
        return {i for part in tree.values() for i in references(part)}
    return set()
