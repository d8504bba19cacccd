"""Frequent slips in formulas and scripts, recognised where the parser stops, and what is said of each.

Every entry holds an example of the slip; a test parses all of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MAX_DEPTH = 64


@dataclass(frozen=True, slots=True)
class Slip:
    """A slip: the start rule and text of an example, the pattern around the fault, message and help."""

    start: str
    example: str
    pattern: re.Pattern[str]
    message: str
    help: str | None = None


def _slip(start: str, example: str, pattern: str, message: str, help: str | None = None) -> Slip:
    return Slip(start, example, re.compile(pattern), message, help)


EQUALS = r"(?<![=<>!+*-])=(?!=)"

SLIPS = (
    _slip(
        "repetition",
        "until done",
        r"^\s*(until)\b.*",
        "`until` is tested after each time",
        "write `at least once, until CONDITION`",
    ),
    _slip("repetition", "3", r"^\s*\d+\s*$", "expected `times` after the number"),
    _slip(
        "who",
        "each player clockwise from a where b",
        r"\bwhere\b",
        "`where` stands before the order",
        "write `each KIND where CONDITION clockwise from P`",
    ),
    _slip("who", "player", r"^\s*(?!each\b)\w+", "expected `each` first", "write `each player ...`"),
    _slip("formula", "a == b", r"==", "expected `is`, found `==`", "`a is b` compares, `let a = b` names"),
    _slip("formula", "a != b", r"!=|<>", "expected `is not`, found an inequality sign", "write `a is not b`"),
    _slip("formula", "a && b", r"&&?", "expected `and`, found `&`"),
    _slip("formula", "a || b", r"\|\|?", "expected `or`, found `|`"),
    _slip("formula", "!a", r"!", "expected `not`, found `!`"),
    _slip("formula", "a => b", r"=>|->", "expected an operator, found an arrow", "write `not a or b`"),
    _slip("formula", "a =< b", r"=<", "expected `<=`, found `=<`"),
    _slip("formula", "a >> b", r">>|<<", "expected `<` or `>`, found a doubled sign"),
    _slip("formula", "a // b", r"//?", "expected `div`, found `/`", "`a div b` rounds down"),
    _slip("formula", "a % b", r"%", "expected `mod`, found `%`"),
    _slip("formula", "a * * b", r"\* ?\*", "there is no power operator", "write `a * a`"),
    _slip("script", "a += 1", r"[-+*]=", "there is no short form of `set`", "write `set V to V + 1`"),
    _slip("formula", 'a is "b"', r"[\"'][^\"']*[\"']?", "a formula holds no texts", "write the name without quotes"),
    _slip("formula", "{a, b}", r"[{}]", "braces do not stand in formulas", "a set is written `[a, b]`"),
    _slip("formula", "1.5 > a", r"\d+\.\d+", "numbers are whole", "multiply both sides instead"),
    _slip("formula", "x is Red", r"[A-Za-z0-9_]*[A-Z]\w*", "names have small letters only"),
    _slip("formula", "a ? b : c", r"\?", "expected `if`, found `?`", "write `A if CONDITION else B`"),
    _slip("formula", "if a then b else c", r"^\s*(if)\b.*", "a formula gives its value first", "write `A if C else B`"),
    _slip("formula", "not a = b", EQUALS, "expected `is`, found `=`", "`a is b` compares, `let a = b` names"),
    _slip(
        "script",
        "quantity = 3",
        EQUALS,
        "a line cannot begin with `NAME =`",
        "`let NAME = E` names a value, `set V to E` changes a variable",
    ),
    _slip(
        "formula",
        "any hand of me",
        r"\b(any)\b.*",
        "expected a formula, found `any`",
        "write `some(...)` or `is not empty`",
    ),
    _slip(
        "formula",
        "a is not in b",
        r"\b(is +not +in|is +in)\b.*",
        "`in` needs no `is`",
        "write `x in S` or `x not in S`",
    ),
    _slip(
        "formula",
        "count(hand of me where x)",
        r"\bwhere\b",
        "`where` follows a kind, not a formula",
        "name the kind first: `KIND in SET where CONDITION`",
    ),
    _slip(
        "script",
        "reveal my hand",
        r"^\s*reveal\b.*",
        "there is no statement `reveal`",
        "write `show S to all players` or `turn up S`",
    ),
    _slip(
        "script",
        "discard my hand",
        r"^\s*(discard|put|place|take|play) .*",
        "no statement begins like this",
        "tokens are moved with `move S to Z`",
    ),
    _slip("script", "end the game", r"\bend +the +game\b", "no statement begins like this", "write `end game`"),
    _slip(
        "script",
        "draw up to 2 from deck to my hand",
        r"\bdraw +up +to\b",
        "`draw` takes an exact number",
        "write `draw N from Z to Z, as far as possible`",
    ),
    _slip(
        "script",
        "move all from a to b",
        r"\b(move +all)\b.*",
        "`move` takes what it moves",
        "`move Z to Z` moves all of it",
    ),
    _slip(
        "script",
        "move a to b, or as many as there are",
        r", *or +as +many.*",
        "there is no `or as many as there are`",
        "write `, as far as possible`",
    ),
    _slip("script", "choose a from b if possible", r"(?<!, )\bif +possible\b", "expected `,` before `if possible`"),
    _slip("script", "for each p in q move p to r", r"(?<=\w) +move\b.*", "expected `:` before the block"),
    _slip(
        "script",
        "for p in q: stop",
        r"\bfor +(?!each\b)\w+",
        "expected `each` after `for`",
        "write `for each KIND [NAME] [in SET]:`",
    ),
    _slip("script", "elif a: stop", r"\b(elif|elsif|elseif)\b.*", "expected `else if`"),
)

WORDS = {
    "NAME": "a name",
    "NUMBER": "a number",
    "_NL": "the end of the line",
    "$END": "the end",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "_LP": "`(`",
    "_RP": "`)`",
    "LSQB": "`[`",
    "RSQB": "`]`",
    "COMMA": "`,`",
    "COLON": "`:`",
    "EQUAL": "`=`",
    "DOT": "`.`",
    "MINUS": "`-`",
    "RANGE": "`..`",
    "NUMBER_WORD": "`number`",
    "EDGE": "`start` or `end`",
    "SIDE": "`up` or `down`",
    "FACE": "`face up` or `face down`",
    "RANK": "`most` or `least`",
    "IN_ORDER_OF": "`in order of`",
    "OTHER": "`other`",
    "OFFER": "`may` or `must`",
    "BOARD": "a board",
    "_ARTICLE": "`a`",
}
"""What the grammar's symbols are called in messages; a word of the language is itself."""

OPERATORS = frozenset(
    [
        "ADD",
        "MUL",
        "COMPARE",
        "IS",
        "IN",
        "NOT",
        "HAS",
        "AND",
        "OR",
        "IF",
        "DOT",
        "OF",
        "FOR",
        "EMPTY",
        "RANGE",
        "MINUS",
        "_ARTICLE",
    ]
)
VALUES = frozenset(
    ["NAME", "NUMBER", "MY", "ALL", "YES", "NO", "SETWORD", "FORWORD", "MINMAX", "MINUS", "LSQB", "_LP", "NOT"]
)
STATEMENTS = frozenset(["LET", "SET", "CHOOSE", "MOVE", "PAY", "GAIN", "SHUFFLE", "ROLL", "STOP"])


def words_of(symbol: str) -> list[str]:
    """Return the words that a symbol of the grammar stands for.

    >>> words_of("RANK"), words_of("FROM"), words_of("COMMA")
    (['most', 'least'], ['from'], [','])
    """
    return [each for each in WORDS.get(symbol, f"`{symbol.lower()}`").split("`")[1::2] if each]


def expected(symbols: set[str]) -> str:
    """Say what could have stood here.

    >>> expected({"COLON", "BY"})
    '`by` or `:`'
    """
    words: list[str] = []
    rest = set(symbols)
    if rest >= STATEMENTS:
        return "a statement"
    if {"NAME", "NUMBER", "MY"} <= rest:
        words, rest = ["a formula"], rest - VALUES
    elif rest & {"ADD", "MUL", "IS", "COMPARE"}:
        only_range = "RANGE" in rest and "IS" not in rest
        rest = rest - OPERATORS | ({"RANGE"} if only_range else set())
    for symbol in sorted(rest - {"_NL", "$END"}):
        words += WORDS.get(symbol, f"`{symbol.lower()}`").split(" or ")
    if rest & {"_NL", "$END"}:
        words.append("the end of the line")
    if not words:
        return "an operator"
    shown = words[:6]
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " or " + shown[-1]


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in a text: code, place (line and columns from 1, end exclusive), message and help."""

    code: str | None
    line: int
    column: int
    end_column: int
    message: str
    help: str | None = None


def without_comment(line: str) -> str:
    """Return a line up to its comment."""
    return line.split("#", 1)[0]


def check_brackets(text: str) -> Fault | None:
    """Return the first unbalanced or too deep bracket of a text; None code: the fault of the text's kind."""
    pairs = {")": "(", "]": "["}
    opened: list[tuple[str, int, int]] = []
    for number, line in enumerate(text.split("\n"), 1):
        for column, sign in enumerate(without_comment(line), 1):
            if sign in "([":
                opened.append((sign, number, column))
                if len(opened) > MAX_DEPTH:
                    message = f"brackets are nested more than {MAX_DEPTH} deep"
                    return Fault("too-deep", number, column, column + 1, message, "name a part in `functions`")
            elif sign in pairs:
                if not opened or opened[-1][0] != pairs[sign]:
                    return Fault(None, number, column, column + 1, f"no bracket is open here for `{sign}` to close")
                opened.pop()
    if not opened:
        return None
    sign, number, column = opened[-1]
    return Fault(None, number, column, column + 1, f"this `{sign}` is never closed")


def recognise(start: str, text: str, line: int, column: int) -> Fault | None:
    """Return the slip that covers a place in the text, if it is a frequent one."""
    lines = text.split("\n")
    here = without_comment(lines[line - 1]) if line <= len(lines) else ""
    mixed = _mixed(here, column)
    if mixed is not None:
        message = "`and` and `or` do not mix without brackets"
        return Fault(None, line, column, column + len(mixed), message, "put brackets around one of the two")
    for slip in SLIPS:
        if slip.pattern.pattern.startswith(r"^\s*(if)") and start == "script":
            continue
        if slip.start not in ("formula", start) or (
            slip.pattern.pattern == EQUALS and _other_equals(slip, start, here)
        ):
            continue
        for found in slip.pattern.finditer(here):
            if found.start() < column <= found.end() + 1:
                left, right = found.span(1 if slip.pattern.groups else 0)
                left += len(here[left:right]) - len(here[left:right].lstrip())
                return Fault(None, line, left + 1, right + 1, slip.message, slip.help)
    return None


def _other_equals(slip: Slip, start: str, line: str) -> bool:
    """Whether this is the wrong one of the two slips with `=`: a script's line that begins `NAME =`, and the rest."""
    begins = start == "script" and re.match(r"\s*[\w() ]+=", line) is not None
    return (slip.start == "script") != begins


def _mixed(line: str, column: int) -> str | None:
    """Return `and` or `or` at a column if the other one stands before it at the same depth of brackets."""
    found = re.match(r"and\b|or\b", line[column - 1 :])
    if found is None:
        return None
    other = "or" if found.group() == "and" else "and"
    depth, before = 0, line[: column - 1]
    for word in reversed(re.findall(r"\w+|[()\[\],]", before)):
        depth += (word in ")]") - (word in "([")
        if depth < 0:
            return None
        if depth == 0 and word == other:
            return found.group()
    return None
