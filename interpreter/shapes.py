"""What formulas and statements of a compiled program are made of, as data (docs/program.md says what they mean)."""

from __future__ import annotations

EXPRESSIONS: dict[str, str] = {
    "lit": "value", "local": "local", "me": "", "active": "", "option": "option", "players_count": "", "all": "kind",
    "set": "expr*", "range": "expr expr", "union": "expr expr", "without": "expr expr", "single": "expr",
    "var": "var", "counter": "counter holder_now", "tokens": "zone", "tokens_of_kind": "expr kind", "zone_size": "zone",
    "zone_empty": "zone", "top": "zone", "column": "column_read", "row": "expr", "owner": "expr", "face": "expr",
    "is_down": "expr", "place": "kind expr", "is_kind": "expr kind", "has_cell": "cell expr",
    "add": "expr expr", "sub": "expr expr", "mul": "expr expr", "div": "expr expr", "mod": "expr expr", "neg": "expr",
    "min": "expr expr*", "max": "expr expr*", "eq": "expr expr", "ne": "expr expr", "lt": "expr expr",
    "le": "expr expr", "gt": "expr expr", "ge": "expr expr", "in": "expr expr", "not": "expr", "and": "expr expr*",
    "or": "expr expr*", "if": "expr expr expr", "size": "expr", "is_empty": "expr", "first": "expr",
    "some": "loop", "count": "loop", "those": "loop", "first_of": "loop", "every": "loop expr", "sum": "loop expr",
    "distinct": "loop expr", "min_of": "loop expr", "max_of": "loop expr", "call": "called", "base": "expr*",
    "cell": "cell expr expr*", "next": "expr", "opponent": "expr", "score": "expr", "distance": "kind? expr expr",
    "reachable": "kind expr expr", "connected": "kind expr",
}  # fmt: skip
"""Each operator with its operands: `*` behind the last means any number of them, `?` that null may stand there."""

STATEMENTS: dict[str, str] = {
    "let": "local:local value:expr", "set": "target:target value:expr",
    "perform": "rule:rule args:args by:expr? result:local?",
    "perform_cell": "cell:cell of:expr args:args by:expr? result:local?",
    "move": "what:expr amount:expr? to:zone face:side? as_far:flag from:zone?",
    "transfer": "counter:counter amount:expr from:holder to:holder as_far:flag",
    "create": "counter:counter amount:expr holder:holder", "destroy": "counter:counter amount:expr holder:holder",
    "draw": "amount:expr from:zone to:zone face:side? as_far:flag", "shuffle": "zone:zone", "roll": "dice:expr",
    "pick": "local:local from:expr", "turn": "side:side tokens:expr", "show": "tokens:expr to:expr",
    "look": "tokens:expr", "together": "body:block", "if": "cases:cases else:block?", "while": "when:expr body:block",
    "times": "count:expr body:block", "forever": "body:block", "until": "body:block when:expr",
    "for": "loop:loop body:block as_me:flag", "rounds": "loop:loop role:role pace:pace body:block phase:rule",
    "as_player": "player:expr body:block", "quiet": "body:block", "enter": "phase:rule", "leave": "phase:rule",
    "simultaneous": "loop:loop body:block reveal:block?",
    "choose": "part:chosen_part by:expr? mode:choose_mode body:block? otherwise:block? pass:ask? automatic:flag",
    "offer": "actions:offered by:expr? mode:offer_mode otherwise:block? pass:ask? automatic:flag",
    "begin": "lasting:lasting args:args", "end": "lasting:lasting args:args", "stop": "", "return": "value:expr?",
    "end_game": "",
}  # fmt: skip
"""Each statement with its keys, and what stands at each."""

WORDS: dict[str, tuple[str, ...]] = {
    "side": ("up", "down"),
    "role": ("turns", "one_by_one"),
    "choose_mode": ("must", "if_possible", "as_far", "may"),
    "offer_mode": ("must", "may", "must_if_possible"),
    "pace_form": ("once", "times", "while", "until", "forever"),
    "pace_by": ("round", "seat"),
    "rule_kind": ("function", "procedure", "phase", "action", "cell", "end", "score", "invariant", "hook"),
    "sort": ("player", "enum", "row", "place", "line", "token", "union", "number"),
    "order": ("unordered", "stack", "shuffled"),
    "who": ("all", "owner", "nobody"),
    "direction": ("most", "least", "clockwise"),
    "cell_form": ("script", "formula", "action"),
    "lasts": ("turn", "next_turn", "phase", "while", "game"),
}
"""Words that stand for themselves."""
