"""Texts of the language made into nodes: formulas, scripts and the small phrases of a game file.

With `trees` the only importer of Lark. Every `parse_` takes a text, where it stands, and a report; it gives
the node, or None after reporting what is wrong and exactly where.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import lark
from lark.indenter import Indenter

from rulespec import nodes
from rulespec.bounds import sound_type
from rulespec.diagnostics import Report, nearest
from rulespec.documents import Origin
from rulespec.scenario_nodes import Answer
from rulespec.source import Span
from rulespec.syntax_faults import WORDS, Fault, check_brackets, expected, recognise, without_comment, words_of
from rulespec.trees import LarkTree, Scripts, parts

T = TypeVar("T")

STARTS = [
    "script",
    "formula",
    "signature",
    "choices",
    "who",
    "binding",
    "order",
    "ranking",
    "call",
    "performed",
    "answer",
    "repetition",
    "duration",
    "type_of",
]
CODES = {
    "script": "bad-script",
    "formula": "bad-formula",
    "signature": "bad-signature",
    "choices": "bad-choice",
    "who": "bad-binder",
    "binding": "bad-binder",
    "order": "bad-order",
    "ranking": "bad-ranking",
    "call": "bad-call",
    "performed": "bad-call",
    "answer": "bad-answer",
    "repetition": "bad-repeat",
    "duration": "bad-duration",
    "type_of": "bad-type",
}
WHAT = {"who": "`each` and a kind", "binding": "a kind", "type_of": "a type", "script": "a statement"}
MAX_LENGTH = 20_000
MAX_NESTING = 120


class Layout(Indenter):
    """Blocks by indentation; inside brackets a line end means nothing."""

    NL_type = "_NL"
    OPEN_PAREN_types: ClassVar = ["_LP", "LPAR", "LSQB"]
    CLOSE_PAREN_types: ClassVar = ["_RP", "RPAR", "RSQB"]
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8


class HasPlace:
    """Says which tokens give a rule its place: not those of the layout. Equal text in every process, as caches want."""

    def __call__(self, node: Any) -> bool:
        return not (isinstance(node, lark.Token) and node.type in ("_NL", "_INDENT", "_DEDENT"))

    def __repr__(self) -> str:
        return "HasPlace()"


def make_parser(strict: bool = False) -> lark.Lark:
    """Return Lark's parser of `grammar.lark`; *strict* refuses conflicts (needs interegular)."""
    return lark.Lark(
        files("rulespec").joinpath("grammar.lark").read_text(encoding="utf-8"),
        parser="lalr",
        start=STARTS,
        strict=strict,
        propagate_positions=HasPlace(),
        maybe_placeholders=True,
        postlex=Layout(),
        cache=False if strict else _cache_file(),
    )


def _cache_file() -> str | bool:
    """Return where Lark keeps the tables it works out of the grammar; they are made again where nothing can be kept."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rulespec"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return False
    version = f"{lark.__version__}-{sys.version_info.major}.{sys.version_info.minor}"
    return str(folder / f"grammar-{version}") if os.access(folder, os.W_OK) else False


@cache
def _parser() -> lark.Lark:
    return make_parser()


@cache
def keywords() -> frozenset[str]:
    """Return the words of the grammar that can never be names."""
    strings = {t.pattern.value for t in _parser().terminals if t.pattern.type == "str"}
    written = {word for word in strings if word.isalpha()}
    others = [
        "most",
        "least",
        "up",
        "down",
        "start",
        "end",
        "may",
        "must",
        "other",
        "a",
        "an",
        "without",
        "div",
        "mod",
        "face",
    ]
    return frozenset(written | set(others)) - {"seat", "next", "empty", "game"}


# --------------------------------------------------------------------------------------------- the parsing


def _parse(start: str, text: str, origin: Origin, report: Report) -> LarkTree | None:
    """Return Lark's tree of a text, or None with a diagnostic."""
    fault = check_brackets(text) or _check_size(start, text)
    tree: LarkTree | None = None
    if fault is None:
        try:
            tree = _tree(start, text if text.endswith("\n") else text + "\n")
            fault = _check_nesting(tree)
        except lark.exceptions.UnexpectedInput as error:
            fault = _explain(start, text, error)
        except lark.indenter.DedentError:
            fault = _bad_dedent(text)
    if fault is None:
        return tree
    span = origin.span(fault.line, fault.column, fault.line, max(fault.end_column, fault.column + 1))
    report.error(fault.code or CODES[start], fault.message, span, help=fault.help)
    return None


@lru_cache(maxsize=4096)
def _tree(start: str, text: str) -> LarkTree:
    """Return Lark's tree of a sound text, for reading alone; a text that comes again is not parsed again."""
    return _parser().parse(text, start=start)


def _check_size(start: str, text: str) -> Fault | None:
    if not any(without_comment(line).strip() for line in text.split("\n")):
        return Fault(None, 1, 1, 2, f"expected {WHAT.get(start, 'a ' + CODES[start][4:])}, found nothing")
    if len(text) > MAX_LENGTH:
        return Fault("too-long", 1, 1, 2, f"this text has more than {MAX_LENGTH} characters")
    return None


def _check_nesting(tree: LarkTree) -> Fault | None:
    """Refuse trees too deep for passes that call themselves; walks without doing so itself."""
    stack: list[tuple[LarkTree, int]] = [(tree, 1)]
    while stack:
        node, depth = stack.pop()
        if depth > MAX_NESTING:
            at: Any = tree.meta
            message = f"this is nested more than {MAX_NESTING} deep"
            return Fault("too-deep", at.line, at.column, at.column + 1, message, "name a part of it")
        stack += [(child, depth + 1) for child in parts(node) if isinstance(child, lark.Tree)]
    return None


def _bad_dedent(text: str) -> Fault:
    """Find the line that goes back to an indentation no block has."""
    levels = [0]
    for number, line in enumerate(text.split("\n"), 1):
        if not without_comment(line).strip():
            continue
        indent = len(line) - len(line.lstrip(" "))
        while levels and indent < levels[-1]:
            levels.pop()
        if not levels or (indent > levels[-1] and number > 1 and _dedented(text, number, indent)):
            message = "this line is indented like none of the blocks around it"
            return Fault(None, number, 1 + indent, 2 + indent, message, "line it up with the block it belongs to")
        if indent > levels[-1]:
            levels.append(indent)
    return Fault(None, 1, 1, 2, "the lines of this script are indented unevenly")


def _dedented(text: str, number: int, indent: int) -> bool:
    """Whether a line is indented less than the line of text before it."""
    before = [line for line in text.split("\n")[: number - 1] if without_comment(line).strip()]
    return bool(before) and len(before[-1]) - len(before[-1].lstrip(" ")) > indent


def _explain(start: str, text: str, error: lark.exceptions.UnexpectedInput) -> Fault:
    """Say in our words what Lark did not expect."""
    lines = text.split("\n")
    token = getattr(error, "token", None)
    line, column = _place(lines, error, token)
    known = recognise(start, text, line, column)
    if known is not None:
        return known
    symbols = _accepted(error)
    if start != "script" and "$END" not in symbols:
        symbols.discard("_NL")  # a text may begin with an empty line
    if token is None:
        sign = lines[line - 1][column - 1 : column]
        return Fault(None, line, column, column + 1, f"`{sign}` does not stand in a {CODES[start][4:]}")
    if token.type in ("_NL", "$END", "_DEDENT"):
        if "COLON" in symbols:
            help = "a block follows `:`, on the same line or indented below"
            return Fault(None, line, column, column + 1, "expected `:` at the end of this line", help)
        return Fault(None, line, column, column + 1, f"expected {expected(symbols)}, found the end of the line")
    if token.type == "_INDENT" or (column > 1 and not lines[line - 1][: column - 1].strip() and "_INDENT" in symbols):
        message = "this line is indented, but no `:` stands before it"
        return Fault(None, line, column, column + len(str(token).strip()), message)
    end = column + len(str(token))
    if "_INDENT" in symbols:
        return Fault(None, line, column, end, "expected an indented block after `:`", "indent the lines of the block")
    if str(token) in keywords() and symbols & {"NAME"} and "MY" not in symbols:
        message = f"`{token}` is a word of the language and cannot be a name"
        return Fault("reserved-word", line, column, end, message)
    found = f"`{token}`" if token.type not in WORDS or token.type in ("NAME", "NUMBER") else WORDS[token.type]
    meant = _meant(lines[line - 1][: column - 1], str(token), symbols)
    return Fault(None, line, column, end, f"expected {expected(symbols)}, found {found}", meant)


def _meant(before: str, found: str, symbols: set[str]) -> str | None:
    """Return the word of the language that was meant: by what stands here, or by the word before it."""
    here = nearest(found, {word for symbol in symbols for word in words_of(symbol)} & keywords())
    if here is not None and found not in keywords():
        return f"did you mean `{here}`?"
    last = re.search(r"([a-z_]{4,})\s*$", before)
    if last is None or last[1] in keywords():
        return None
    meant = nearest(last[1], keywords())
    return f"`{meant}` is a word of the language; is it meant by `{last[1]}`?" if meant else None


def _place(lines: list[str], error: lark.exceptions.UnexpectedInput, token: lark.Token | None) -> tuple[int, int]:
    """Return line and column of a fault; what is missing at the end of a line is missed after its last word."""
    line, column = max(error.line, 1), max(error.column, 1)
    if token is None or token.type not in ("_NL", "$END", "_DEDENT", "_INDENT"):
        return line, column
    if token.type == "_INDENT":
        down = token.end_line or line
        while down < len(lines) and not without_comment(lines[down - 1]).strip():
            down += 1
        return down, len(lines[down - 1]) - len(lines[down - 1].lstrip()) + 1
    if token.type != "_NL" or line > len(lines):
        line = len(lines)
    while line > 1 and not without_comment(lines[line - 1]).strip():
        line -= 1
    return line, len(without_comment(lines[line - 1]).rstrip()) + 1


def _accepted(error: lark.exceptions.UnexpectedInput) -> set[str]:
    """Return the symbols that could have stood at the fault."""
    if isinstance(error, lark.exceptions.UnexpectedToken) and error.interactive_parser is not None:
        parser: Any = error.interactive_parser
        return set(parser.accepts())
    return set(getattr(error, "allowed", None) or ())


def _build(start: str, text: str, origin: Origin, report: Report, make: Callable[[Scripts, Any, Span], T]) -> T | None:
    """Parse and make the node; None when either found a fault."""
    tree = _parse(start, text, origin, report)
    if tree is None:
        return None
    before = len(report.diagnostics)
    builder = Scripts(origin, report, CODES[start], keywords())
    builder.named_allowed = start in ("answer", "performed")
    node = make(builder, parts(tree), builder.span(tree))
    return node if len(report.diagnostics) == before else None


# -------------------------------------------------------------------------------------------- what is parsed


def parse_formula(text: str, origin: Origin, report: Report) -> nodes.Expr | None:
    """Return the formula of a text."""
    return _build("formula", text, origin, report, lambda b, p, _: b.expr(p[0]))


def parse_script(text: str, origin: Origin, report: Report) -> nodes.Block | None:
    """Return the statements of a text."""
    return _build("script", text, origin, report, lambda b, p, _: tuple(b.stmt(tree) for tree in p))


def parse_signature(text: str, origin: Origin, report: Report) -> nodes.Signature | None:
    """Return `NAME(KIND [NAME], ...)`."""

    def make(builder: Scripts, children: list[Any], span: Span) -> nodes.Signature:
        name, *params = children
        made = (_param(builder, tree) for tree in params if tree is not None)
        return nodes.Signature(builder.declared(name), tuple(made), span)

    return _build("signature", text, origin, report, make)


def _param(builder: Scripts, tree: LarkTree) -> nodes.Param:
    kind, name = parts(tree)
    return nodes.Param(builder.name(kind), builder.maybe_name(name), builder.span(tree))


def parse_choices(text: str, origin: Origin, report: Report) -> tuple[nodes.Choice, ...] | None:
    """Return one part of an action's `choose`: choices joined by commas."""
    return _build("choices", text, origin, report, lambda b, p, _: tuple(b.choice(tree) for tree in p))


def parse_each(text: str, origin: Origin, report: Report) -> nodes.Binder | None:
    """Return the binder of `each BINDER` (`turns`, `one_by_one`)."""
    return _build("who", text, origin, report, lambda b, p, _: b.binder(p[0]))


def parse_binder(text: str, origin: Origin, report: Report) -> nodes.Binder | None:
    """Return a bare binder (a trigger's `for`)."""
    return _build("binding", text, origin, report, lambda b, p, _: b.binder(p[0]))


def parse_order(text: str, origin: Origin, report: Report) -> nodes.Expr | tuple[nodes.Key, ...] | None:
    """Return a trigger's order: who chooses it (`chosen by P`), or sort keys."""

    def make(builder: Scripts, children: list[Any], _: Span) -> nodes.Expr | tuple[nodes.Key, ...]:
        tree = children[0]
        return builder.expr(parts(tree)[0]) if str(tree.data) == "chosen_by" else builder.keys(tree)

    return _build("order", text, origin, report, make)


def parse_ranking(text: str, origin: Origin, report: Report) -> tuple[nodes.Key, ...] | None:
    """Return the keys of `ranking`."""
    return _build("ranking", text, origin, report, lambda b, p, _: b.keys(p[0]))


def parse_call(text: str, origin: Origin, report: Report) -> nodes.Expr | None:
    """Return a rule with its arguments, or a place (`starts_in`): a formula without operators."""
    return _build("call", text, origin, report, lambda b, p, _: b.expr(p[0]))


def parse_performed(text: str, origin: Origin, report: Report) -> nodes.Perform | None:
    """Return `RULE(x) [by P]`."""

    def make(builder: Scripts, children: list[Any], _: Span) -> nodes.Perform:
        made = builder.stmt(children[0])
        assert isinstance(made, nodes.Perform)
        return made

    return _build("performed", text, origin, report, make)


def parse_answer(text: str, origin: Origin, report: Report) -> Answer | None:
    """Return `[PLAYER answers] RULE(NAME=VALUE, ...)`."""
    return _build("answer", text, origin, report, lambda b, p, span: Answer(b.maybe(p[0]), b.expr(p[1]), span))


def parse_pace(text: str, origin: Origin, report: Report) -> nodes.Pace | None:
    """Return the value of `repeat`."""
    forms = {"tested_before": "while", "tested_after": "until"}

    def make(builder: Scripts, children: list[Any], span: Span) -> nodes.Pace:
        tree = children[0]
        by = {"by_round": "round", "by_seat": "seat"}.get(str(tree.data))
        pace = tree if by is None else parts(tree)[0]
        value = builder.expr(parts(pace)[0]) if parts(pace) else None
        return nodes.Pace(forms.get(str(pace.data), str(pace.data)), value, by, span)

    return _build("repetition", text, origin, report, make)


def parse_duration(text: str, origin: Origin, report: Report) -> nodes.Duration | None:
    """Return the value of `lasts`."""

    def make(builder: Scripts, children: list[Any], span: Span) -> nodes.Duration:
        tree = children[0]
        values = parts(tree)
        match str(tree.data):
            case "whole_game":
                return nodes.Duration("game", None, None, None, None, span)
            case "as_long_as":
                return nodes.Duration("while", None, builder.expr(values[0]), None, None, span)
            case "this_turn":
                return nodes.Duration("turn", str(values[0]), None, None, None, span)
            case "next_turn":
                return nodes.Duration("next_turn", str(values[0]), None, builder.expr(values[1]), None, span)
            case _:
                return nodes.Duration("phase", str(values[0]), None, None, builder.name(values[1]), span)

    return _build("duration", text, origin, report, make)


def parse_type(text: str, origin: Origin, report: Report) -> nodes.TypeExpr | None:
    """Return a written type, with the default after `=` if there is one."""

    def make(builder: Scripts, children: list[Any], span: Span) -> nodes.TypeExpr:
        tree, default = children
        form, names, bounds, board = _type_parts(builder, tree)
        return nodes.TypeExpr(form, names, bounds, board, builder.maybe(default), span)

    made = _build("type_of", text, origin, report, make)
    return made if made is not None and sound_type(made, report) else None


_Board = tuple[nodes.Name, tuple[int, ...]]


def _type_parts(
    builder: Scripts, tree: LarkTree
) -> tuple[str, tuple[nodes.Name, ...], tuple[nodes.Expr, nodes.Expr] | None, _Board | None]:
    values = parts(tree)
    match str(tree.data):
        case "truth_type":
            return "truth", (), None, None
        case "kind_type":
            return "kind", tuple(builder.name(token) for token in values), None, None
        case "set_type":
            return "set", (builder.name(values[0]),), None, None
        case "board_type":
            sizes = tuple(int(str(token)[:9]) for token in values[1:] if token is not None)
            return "board", (), None, (builder.name(values[0]), sizes)
        case form:
            bounds = builder.expr(values[0]), builder.expr(values[1])
            return ("range" if form == "range_type" else "set"), (), bounds, None
