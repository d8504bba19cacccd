"""Declarations that cannot be are refused with their place, at once, whatever the numbers in them."""

from __future__ import annotations

import pytest

from rulespec.diagnostics import Diagnostic, Report
from rulespec.passes import build_text

HEAD = "rulespec: 1\ngame: g\nplayers: 2\n"
PLAY = "phases:\n  play: {do: end game}\n"
HEAP = "zones: {heap: {holds: stone, seen_by: all}}\n"
PRINTED = (
    "tokens: {stone: {prints: label, starts_in: heap}}\n"
    + HEAP
    + "tables:\n  label:\n    columns: {copies: -9..900000}\n    rows: {low: [VALUE]}\n"
)

SET = (
    "variables: {x: {is: 0..3, start: 0}, y: {each: player, is: 0..3, start: 0}}\n"
    "counters: {gold: {start: 1, bank: endless}}\n"
    "procedures:\n  tidy: SET\n"
    "tokens: {die: {faces: 1..6, starts_in: cup}, stone: {starts_in: cup}}\n"
    "zones: {cup: {holds: die or stone, seen_by: all}, deck: {holds: die, order: stack, seen_by: all}}\n"
)
CELLS = "tables:\n  label:\n    cells: {worth: 0..3 = DEFAULT}\n    rows: {low: [1]}\n    columns: {size: 1..3}\n"

REFUSED = {
    "a count below 0": ("tokens: {stone: {count: -3, starts_in: heap}}\n" + HEAP, "4:25", "0..5000, found -3"),
    "a count too large": ("tokens: {stone: {count: 9000000, starts_in: heap}}\n" + HEAP, "4:25", "found 9000000"),
    "too many of all kinds": (
        "tokens: {stone: {each: player, count: 3000, starts_in: heap}}\n" + HEAP, "4:39", "more than 5000 tokens",
    ),
    "copies below 0": (PRINTED.replace("VALUE", "-4"), "9:12", "`copies` is 0..5000, found -4"),
    "copies too many": (PRINTED.replace("VALUE", "900000"), "9:12", "`copies` is 0..5000, found 900000"),
    "a start out of range": ("variables: {x: {is: 0..5, start: 9}}\n", "4:34", "`x` is 0..5, found 9"),
    "a start below 0": ("counters: {money: {start: -1, bank: 5}}\n", "4:27", "is at least 0, found -1"),
    "a start over `at_most`": ("counters: {money: {start: 9, bank: endless, at_most: 5}}\n", "4:27", "is 0..5"),
    "a bank below 0": ("counters: {money: {start: 0, bank: -5}}\n", "4:36", "bank of `money` is at least 0"),
    "`at_most` below 0": ("counters: {money: {start: 0, bank: endless, at_most: -5}}\n", "4:54", "is at least 0"),
    "a zone for fewer than none": (
        "tokens: {stone: {starts_in: heap}}\nzones: {heap: {holds: stone, at_most: -1, seen_by: all}}\n",
        "5:39", "`at_most` is at least 0, found -1",
    ),
    "faces backwards": ("tokens: {stone: {faces: 3..1, starts_in: heap}}\n" + HEAP, "4:25", "holds no number"),
    "faces that are none": (
        "kinds: {colour: [red]}\ntokens: {stone: {faces: colour, starts_in: heap}}\n" + HEAP, "5:25", "are numbers",
    ),
    "too many faces": ("tokens: {stone: {faces: 1..99999999, starts_in: heap}}\n" + HEAP, "4:25", "at most 1000"),
    "a kind without values": ("kinds: {colour: []}\n", "4:17", "the kind `colour` has no values"),
    "a table without rows": ("tables:\n  label: {columns: {worth: 1..3}, rows: {}}\n", "5:3", "has no rows"),
    "a range backwards": ("kinds: {n: 5..2}\n", "4:12", "`5..2` holds no number"),
    "a kind too large": ("kinds: {n: 1..99999999999}\n", "4:12", "99999999999 members of `n` are too many"),
    "an option too large": ("options: {o: {is: 0..99999999999, default: 1}}\n", "4:19", "at most 10000"),
    "an option backwards": ("options: {o: {is: 3..1, default: 1}}\n", "4:19", "`3..1` holds no number"),
    "a grid too large": ("map: {cell: {is: grid 99999 by 99999}}\n", "4:18", "at most 1024 places"),
    "a board of nothing": ("map: {cell: {is: grid 0 by 3}}\n", "4:18", "at least one place"),
    "a path too long": ("map: {cell: {is: path 5000}}\n", "4:18", "at most 1024 places, this has 5000"),
    "a seat named by a word": ("seats: [player, red]\n", "4:9", "`player` is a word of the language"),
    "a seat named by grammar": ("seats: [red, while]\n", "4:14", "`while` is a word of the language"),
    "a seat named twice": ("seats: [red, red]\n", "4:14", "the seat `red` stands twice"),
    "too many cells": (
        "kinds: {n: 1..9000}\nvariables: {x: {each: n and n, is: 0..1, start: 0}}\n", "5:13", "`x` has 81000000 cells",
    ),
    "too many slots": (
        "kinds: {n: 1..3000}\ntokens: {stone: {starts_in: heap}}\n"
        "zones: {heap: {holds: stone, seen_by: all}, spot: {each: n and player and n, holds: stone, seen_by: all}}\n",
        "6:45", "`spot` has 18000000 slots",
    ),
    "no decisions": ("limits: {decisions: 0}\n", "4:21", "`decisions` is at least 1"),
    "a token that starts in no slot": (
        "tokens: {stone: {starts_in: heap}}\nzones: {heap: {each: player, holds: stone, seen_by: all}}\n",
        "4:29", "`heap` is kept for each player: `stone` starts in one of them",
    ),
    "an owned token that starts in no slot": (
        "tokens: {stone: {each: player, starts_in: heap}}\nzones: {heap: {each: player, holds: stone, seen_by: all}}\n",
        "4:43", "`heap` is kept for each player: `stone` starts in one of them",
    ),
    "a token that starts with an owner it has not": (
        "tokens: {stone: {starts_in: heap of stone.owner}}\n"
        "zones: {heap: {each: player, holds: stone, seen_by: all}}\n",
        "4:29", "`heap` is kept for each player, and for `stone` that is none",
    ),
    "a token that starts where its row prints nothing": (
        "kinds: {colour: [red, blue]}\ntokens: {stone: {prints: label, starts_in: heap of stone.hue}}\n"
        "zones: {heap: {each: colour, holds: stone, seen_by: all}}\n"
        "tables:\n  label:\n    columns: {hue: colour or nothing}\n    rows: {low: [red], high: [nothing]}\n",
        "5:44", "`heap` is kept for each colour, and for `high` that is none",
    ),
    "a start that reads itself": (
        "variables: {x: {is: 0..5, start: x}}\n", "4:34", "the start of `x` must be known before play",
    ),
    "a start that counts a zone": (
        "tokens: {stone: {starts_in: heap}}\n" + HEAP + "variables: {x: {is: 0..9, start: count(heap) + 5}}\n",
        "6:34", "the start of `x` must be known before play",
    ),
    "a start of a counter that reads a variable": (
        "variables: {x: {is: 0..5, start: 1}}\ncounters: {money: {each: player, start: x, bank: 5}}\n",
        "5:41", "what each has of `money` at the start must be known before play",
    ),
    "a bank that reads a counter by way of functions": (
        "counters: {money: {start: 1, bank: 5}, gold: {start: 1, bank: twice}}\n"
        "functions:\n  twice: 2 * single\n  single: |\n    let n = money of bank\n    return n\n",
        "4:63", "the bank of `gold` at the start must be known before play",
    ),
    "functions in a chain too long": (
        "functions:\n" + "".join(f"  f{i}: f{i + 1}\n" for i in range(1500)) + "  f1500: 1\n",
        "1425:3", "`f1420` and the functions it uses are nested more than 80 deep",
    ),
    "functions in a chain, the lowest first": (
        "functions:\n  f0: 1\n" + "".join(f"  f{i}: 1 + (2 * f{i - 1})\n" for i in range(1, 99)),
        "32:3", "`f27` and the functions it uses are nested more than 80 deep",
    ),
    "a stop in no loop": ("procedures:\n  tidy: stop\n", "5:9", "`stop` leaves a loop"),
    "a division by 0": ("functions: {f: 3 div 0}\n", "4:22", "`div` by 0"),
    "a remainder by what comes to 0": ("functions: {f: 3 mod (2 - 2)}\n", "4:22", "`mod` by 0"),
    "a set beyond its variable": (SET.replace("SET", "set x to 4"), "7:18", "`x` is 0..3, found 4"),
    "a set below its cell": (SET.replace("SET", "set y of seat(1) to -1"), "7:29", "`y` is 0..3, found -1"),
    "a set beyond the faces": (SET.replace("SET", "set face of first(all dies) to 7"), "7:40", "is 1..6, found 7"),
    "a range of a formula backwards": ("functions: {f: count(3..1)}\n", "4:22", "`3..1` holds no number"),
    "a move of fewer than none": (SET.replace("SET", "move -1 die from cup to cup"), "7:14", "at least 0, found -1"),
    "a transfer of fewer than none": (SET.replace("SET", "move 1 - 2 gold from bank to bank"), "7:14", "found -1"),
    "a payment of fewer than none": (SET.replace("SET", "pay -3 gold to bank"), "7:13", "found -3"),
    "what is created below none": (SET.replace("SET", "create -2 gold for me"), "7:16", "found -2"),
    "a draw of fewer than none": (SET.replace("SET", "draw -2 from deck to cup"), "7:14", "found -2"),
    "a choice of fewer than none": (SET.replace("SET", "choose up to -2 dies from cup"), "7:22", "found -2"),
    "a repetition of fewer than none": (SET.replace("SET", "|\n    repeat -2 times: stop"), "8:12", "found -2"),
    "a cell's default out of range": (CELLS.replace("DEFAULT", "9"), "6:27", "`worth` is 0..3, found 9"),
    "a cell too large": (CELLS.replace("DEFAULT", "1").replace("[1]", "{printed: [1], worth: 7}"), "7:39", "found 7"),
    "a key left out where 0 is out of range": (
        "tables:\n  label: {columns: {needs(player): 1..2}, rows: {low: [{p1: 1}]}}\n", "5:50", "leaves out is 0",
    ),
    "a column and a cell": (CELLS.replace("DEFAULT", "1").replace("size:", "worth:"), "6:13", "a column and a cell"),
    "a cell twice": (CELLS.replace("DEFAULT", "1, worth(player): 0..3 = 1"), "6:30", "`worth` is a cell twice"),
    "a zone too full at the start": (
        "tokens: {stone: {count: 3, starts_in: heap}}\n" + HEAP.replace("stone,", "stone, at_most: 2,"),
        "4:39", "3 tokens start in `heap`, more than its `at_most`",
    ),
    "a slot too full at the start": (
        "tokens: {stone: {each: player, starts_in: heap of stone.owner}, chip: {starts_in: heap of seat(2)}}\n"
        "zones: {heap: {each: player, holds: stone or chip, at_most: 1, seen_by: all}}\n",
        "4:83", "2 tokens start in `heap`",
    ),
}  # fmt: skip


def errors(text: str) -> list[Diagnostic]:
    report = Report()
    build_text(HEAD + text + PLAY, report)
    return [each for each in report.in_order() if each.severity == "error"]


@pytest.mark.parametrize(("text", "place", "said"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_is_refused_once_at_its_place(text: str, place: str, said: str) -> None:
    (found,) = errors(text)
    assert (f"{found.span.line}:{found.span.column}", said in found.message) == (place, True), found.message


ACCEPTED = {
    "no tokens of a kind": "tokens: {stone: {count: 0, starts_in: heap}}\n" + HEAP,
    "starts that functions, options and seats give": (
        "options: {o: {is: 1..5, default: 2}}\nfunctions: {twice: 2 * o, row: sum(o for player)}\n"
        "counters: {money: {each: player, start: twice, bank: row}}\n"
        "variables: {x: {is: player, start: seat(2)}, y: {is: 0..9, start: o}}\n"
    ),
    "functions in a chain": "functions:\n" + "".join(f"  f{i}: f{i + 1}\n" for i in range(79)) + "  f79: 1\n",
    "functions of loops in a chain": (
        "functions:\n" + "".join(f"  f{i}: sum(f{i + 1} for player)\n" for i in range(39)) + "  f39: 1\n"
    ),
    "tokens that start with their owners, in slots named": (
        "tokens: {stone: {each: player, starts_in: heap of stone.owner}, chip: {starts_in: heap of seat(2)}}\n"
        "zones: {heap: {each: player, holds: stone or chip, seen_by: all}}\n"
    ),
    "numbers below 0": "variables: {x: {is: -5..-2, start: -3}}\n",
    "a large plain number": "variables: {x: {is: 0..999999999, start: 5}}\n",
    "more seats than players": "seats: [red, blue, green]\n",
    "a large board": "map: {cell: {is: grid 32 by 32}}\n",
    "full zones, and those for whom the number of players counts": (
        "tokens: {stone: {count: 2, starts_in: heap}, chip: {each: player, starts_in: own of chip.owner}}\n"
        "zones: {heap: {holds: stone, at_most: 2, seen_by: all}, own: {each: player, holds: chip, at_most: 1, "
        "seen_by: all}}\n"
    ),
    "divisions and ranges that hang on the position": (
        "functions: {none: 0, f(number n): n div none, g: count(1..none), h(number n): n - 1 mod (n - n)}\n"
    ),
    "what is written at the ends of a range": SET.replace("SET", "set x to 3"),
    "no times": SET.replace("SET", "|\n    repeat 0 times: stop"),
    "a cell at the end of its range": CELLS.replace("DEFAULT", "3"),
    "every key written": "tables:\n  label: {columns: {needs(player): 1..2}, rows: {low: [{p1: 1, p2: 2}]}}\n",
    "a stop in a loop": "procedures:\n  tidy: |\n    while 1 < 2: stop\n",
}


@pytest.mark.parametrize("text", ACCEPTED.values(), ids=ACCEPTED)
def test_what_can_be_is_accepted(text: str) -> None:
    assert errors(text) == []
