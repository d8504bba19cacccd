"""The rules a block done at the same time becomes: what one player is asked, and what he chose carried out later.

Each offered action A becomes two rules. `A@chosen` asks its parts and hands over what they hold; `A@done` is its cost
and body with these values. What was handed over is kept with the other answers of that player.
"""

from __future__ import annotations

from typing import Any

from interpreter.specialise.analysis import CHOSEN, Statement, offered, script_of, walk
from interpreter.specialise.needs import references

DONE = "@done"
UNCHOSEN = -1
Program = dict[str, Any]
Rule = dict[str, Any]


def with_deferred(program: Program) -> Program:
    """Return a program in which what is offered at the same time is carried out after the last answer."""
    rules: dict[str, Rule] = dict(program["rules"])
    for name in sorted(program["rules"]):
        if any(_offers(s) for s in walk(script_of(rules[name])) if s["op"] == "simultaneous"):
            rule = {**rules[name], "locals": list(rules[name]["locals"])}
            rule["cost"], rule["body"] = (
                _block(program, rules, rule, rule.get(part) or []) for part in ("cost", "body")
            )
            rules[name] = rule
    return {**program, "rules": rules}


def _offers(statement: Statement) -> list[Statement]:
    return [s for s in walk(statement["body"]) if s["op"] == "offer"]


def _block(program: Program, rules: dict[str, Rule], rule: Rule, block: list[Statement]) -> list[Statement]:
    """Return a block with the offers made at the same time, in it or inside it, deferred."""
    return [_statement(program, rules, rule, statement) for statement in block]


def _statement(program: Program, rules: dict[str, Rule], rule: Rule, statement: Statement) -> Statement:
    if statement["op"] == "simultaneous":
        return _deferred(program, rules, rule, statement)
    changed = dict(statement)
    for key in ("body", "otherwise", "else", "reveal"):
        if isinstance(statement.get(key), list):
            changed[key] = _block(program, rules, rule, statement[key])
    if "cases" in statement:
        changed["cases"] = [[test, _block(program, rules, rule, body)] for test, body in statement["cases"]]
    return changed


def _deferred(program: Program, rules: dict[str, Rule], rule: Rule, statement: Statement) -> Statement:
    """Return a block that keeps what is offered in it, and carries it out when all have chosen."""
    done: list[Statement] = []
    kept: dict[int, dict[str, Any]] = {}
    for offer in _offers(statement):
        chosen = _new_local(rule, "chosen", ["int", UNCHOSEN, len(program["rules"])])
        actions: dict[str, Any] = {}
        for number, name in enumerate(n for action in offer["actions"] for n in offered(program, action)):
            handed = _split(rules, name)
            values = [_new_local(rule, *rules[name]["locals"][i]) for i in range(handed)]
            actions[name] = {"number": number, "locals": values}
            done.append(_carry_out(offer, chosen, number, name, values))
        kept[id(offer)] = {"chosen": chosen, "actions": actions}
    return {
        **statement,
        "body": _keeping(statement["body"], kept),
        "reveal": [*done, *(_block(program, rules, rule, statement["reveal"] or []))],
    }


def _new_local(rule: Rule, name: str, kind: Any) -> int:
    rule["locals"].append([name, kind])
    return len(rule["locals"]) - 1


def _split(rules: dict[str, Rule], name: str) -> int:
    """Make the two rules an offered action becomes; return how many of its variables are handed over."""
    action = rules[name]
    made = [v["local"] for part in action["parts"] for v in part["vars"]]
    made += [part["set"]["local"] for part in action["parts"] if part["set"]]
    handed = int(max([action["params"] - 1, *made]) + 1)
    rules[name + CHOSEN] = {**action, "cost": [], "body": [], "hands_over": handed, "said_in": name}
    rules[name + DONE] = {
        **action, "kind": "procedure", "params": handed, "parts": [], "ifs": [], "cost": [],
        "body": [*action["cost"], *action["body"]], "stands_for": name, "said_in": name,
    }  # fmt: skip
    return handed


def _carry_out(offer: Statement, chosen: int, number: int, name: str, values: list[int]) -> Statement:
    """Return the statement that carries out an action if it was chosen."""
    arguments = [["local", i] for i in values]
    perform = {"op": "perform", "rule": name + DONE, "args": arguments, "by": offer["by"], "result": None}
    test = ["eq", ["local", chosen], ["lit", number]]
    return {
        "op": "if", "cases": [[test, [{**perform, "at": offer["at"]}]]], "else": None, "at": offer["at"],
    }  # fmt: skip


def _keeping(block: list[Statement], kept: dict[int, dict[str, Any]]) -> list[Statement]:
    """Return a block whose offers know where to keep what is chosen."""
    found = []
    for statement in block:
        changed = {**statement, "keeps": kept[id(statement)]} if id(statement) in kept else dict(statement)
        for key in ("body", "otherwise", "else"):
            if isinstance(statement.get(key), list):
                changed[key] = _keeping(statement[key], kept)
        if "cases" in statement:
            changed["cases"] = [[test, _keeping(body, kept)] for test, body in statement["cases"]]
        found.append(changed)
    return found


def simultaneous_rules(program: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return a rule for each block done at the same time: what one player is asked."""
    found: dict[str, dict[str, Any]] = {}
    for name in sorted(program["rules"]):
        rule = program["rules"][name]
        blocks = [s for s in walk(script_of(rule)) if s["op"] == "simultaneous"]
        for number, statement in enumerate(blocks):
            made = {i for s in walk(statement["body"]) for i in made_by(s)}
            own = {statement["loop"]["local"]} | made
            outer = sorted(references(statement["body"]) - own - inner_locals(statement["body"]))
            found[f"{name}@{number}"] = {
                **rule, "kind": "part", "body": statement["body"], "parts": [], "cost": [], "ifs": [], "params": 0,
                "outer": outer, "kept": sorted(made), "loop": statement["loop"]["local"], "of": id(statement),
            }  # fmt: skip
    return found


def made_by(statement: Statement) -> set[int]:
    """Return the locals a statement makes for those after it."""
    if statement["op"] == "choose":
        own = statement["part"]["set"]["local"] if statement["part"]["set"] else None
        return {own} if own is not None else {v["local"] for v in statement["part"]["vars"]}
    if "keeps" in statement:
        values = [i for action in statement["keeps"]["actions"].values() for i in action["locals"]]
        return {statement["keeps"]["chosen"], *values}
    return {statement["local"]} if statement["op"] == "let" else set()


def inner_locals(tree: Any) -> set[int]:
    """Return the locals bound inside formulas and loops of a piece of program."""
    found: set[int] = set()
    if isinstance(tree, dict):
        if isinstance(tree.get("local"), int):
            found.add(tree["local"])
        for part in tree.values():
            found |= inner_locals(part)
    elif isinstance(tree, list):
        for part in tree:
            found |= inner_locals(part)
    return found
