"""What YAML allows and we refuse, found before and while parsing, and YAML's own faults in our words.

A part of `loader`, and with it the only importer of the YAML library.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from rulespec.diagnostics import Report
from rulespec.source import SourceFile, Span

MAX_DEPTH = 64
HELP_DEEP = "a game needs no more than a handful of levels"


def scan_depth(source: SourceFile, report: Report) -> None:
    """Report tabs, unprintable characters and nesting over 64 levels, without calling itself.

    YAML's own reader calls itself at each level, so this looks at the text: open flow brackets outside quotes
    and comments, and levels of indentation and dashes.
    """
    found = re.search(r"[\x00-\x08\x0b-\x1f\x7f\x85\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff\t]", source.text)
    if found is not None:
        span = _span_at(source, found.start())
        tab = found.group() == "\t"
        message = "tabs are not allowed" if tab else "this character is not allowed"
        report.error("tab" if tab else "bad-character", message, span, help="use spaces" if tab else None)
        return
    depth, levels = 0, [0]
    for number, line in enumerate(source.text.split("\n"), 1):
        text = re.sub(r"\"[^\"]*\"|'[^']*'|(?:^| )#.*", lambda m: " " * len(m.group()), line)
        dashes = re.match(r" *(?:[-?:] +)*", text)
        for sign in re.finditer(r"[][{}]", text):
            depth += 1 if sign.group() in "[{" else -1 if depth else 0
            if depth > MAX_DEPTH:
                span = Span(source.name, number, sign.start() + 1, number, sign.start() + 2)
                report.error("too-deep", f"brackets are nested more than {MAX_DEPTH} deep", span, help=HELP_DEEP)
                return
        if not text.strip():
            continue
        indent = len(text) - len(text.lstrip(" "))
        while levels and levels[-1] > indent:
            levels.pop()
        levels += [indent] if not levels or levels[-1] < indent else []
        inner = len(re.findall(r"[-?:](?= )", dashes.group())) if dashes else 0
        if len(levels) + inner > MAX_DEPTH:
            span = Span(source.name, number, indent + 1, number, indent + 2)
            report.error("too-deep", f"this is nested more than {MAX_DEPTH} deep", span, help=HELP_DEEP)
            return


def _span_at(source: SourceFile, index: int) -> Span:
    line = source.text.count("\n", 0, index) + 1
    column = index - (source.text.rfind("\n", 0, index) + 1) + 1
    return Span(source.name, line, column, line, column + 1)


def refused_events(source: SourceFile, report: Report) -> list[yaml.Event]:
    """Report anchors, aliases, tags, directives and further documents; return all YAML says of the text."""
    documents = 0
    events = list(yaml.parse(source.text, Loader=yaml.BaseLoader))
    for event in events:
        mark: Any = event.start_mark
        span = Span(source.name, mark.line + 1, mark.column + 1, mark.line + 1, mark.column + 2)
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if event.version or event.tags:
                report.error("directive", "YAML directives (`%`) are not allowed", span)
            if documents > 1:
                report.error("several-documents", "a file holds one document", span, help="leave `---` out")
        elif isinstance(event, yaml.AliasEvent):
            report.error("alias", "aliases (`*name`) are not allowed", span, help="write the value out")
        elif isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent):
            if event.anchor is not None:
                report.error("anchor", "anchors (`&name`) are not allowed", span, help="leave the anchor out")
            if event.tag is not None:
                report.error("tag", "tags (`!name`) are not allowed", span, help="leave the tag out")
    return events


FAULTS: tuple[tuple[str, str, str, str | None], ...] = (
    (
        "mapping values are not allowed",
        "colon-in-text",
        "`: ` inside a text, or a key indented deeper than the keys before it",
        "quote the text, or write a `|` block",
    ),
    ("but found '}'", "bad-yaml", "no brace is open here for `}` to close", None),
    ("but found ']'", "bad-yaml", "no bracket is open here for `]` to close", None),
    ("expected ',' or ']'", "unclosed-bracket", "this `[` is not closed before here", None),
    ("expected ',' or '}'", "unclosed-bracket", "this `{` is not closed before here", None),
    ("found unexpected end of stream", "unclosed-quote", "a quotation mark is never closed", None),
    ("while scanning a quoted scalar", "unclosed-quote", "a quotation mark is never closed", None),
    (
        "could not find expected ':'",
        "missing-colon",
        "expected `:` after the key",
        "a key is followed by `: ` and its value",
    ),
    (
        "expected <block end>",
        "bad-indentation",
        "this line does not line up with the lines around it",
        "keys of one mapping begin in the same column",
    ),
    ("found undefined alias", "alias", "aliases (`*name`) are not allowed", "a text that begins with `*` is quoted"),
    ("found character", "bad-character", "a text cannot begin with this character", "quote the text"),
    ("found unknown escape", "escape-in-quotes", "escapes in quoted texts are not allowed", None),
    ("expected alphabetic", "bad-character", "a text cannot begin with `&`, `*` or `!`", "quote the text"),
    ("did not find expected", "bad-yaml", "this is no text, list or mapping", None),
)


def explain(error: yaml.YAMLError, source: SourceFile, report: Report) -> None:
    """Report a fault of YAML's reader in our words, at its line and column."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    start = getattr(error, "context_mark", None)
    said = f"{getattr(error, 'problem', '') or ''} {getattr(error, 'context', '') or ''}"
    code, message, help = "bad-yaml", "this is not YAML", None
    for words, found_code, found_message, found_help in FAULTS:
        if words in said:
            code, message, help = found_code, found_message, found_help
            break
    if code in ("unclosed-bracket", "unclosed-quote") and start is not None:
        mark = start
        message = message.replace("before here", "in the lines that follow")
    line, column = (mark.line, mark.column) if mark is not None else (0, 0)
    lines = source.text.split("\n")
    while line > 0 and (line >= len(lines) or not lines[line].strip()):
        line -= 1
        column = len(lines[line])
    report.error(code, message, Span(source.name, line + 1, column + 1, line + 1, column + 2), help=help)
