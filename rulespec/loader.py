"""Reads files and turns YAML into a Document. The only importer of the YAML library.

Every scalar is read as text. What would lose the place of a text, or change it silently, is refused by name.
"""

from __future__ import annotations

import re
import textwrap
from functools import lru_cache
from pathlib import Path

import yaml
from yaml.composer import Composer
from yaml.resolver import BaseResolver

from interpreter.errors import reason_of
from rulespec.diagnostics import Diagnostic, Related, Report
from rulespec.documents import Document, Mapping, Origin, Scalar, Sequence, Value
from rulespec.source import Located, SourceFile, Span
from rulespec.yaml_faults import explain, refused_events, scan_depth

MAX_BYTES = 2_000_000
REFUSED_STYLES = {
    ">": ("folded-scalar", "a folded text (`>`) loses the place of what it holds", "write `|`"),
}

FOREIGN = (
    (
        ("entities", "language"),
        "a compiled program",
        "`play` and `simulate` take it as it is; what is checked and changed is the file it was compiled from",
    ),
    (("format", "moves"), "a save", "`rulespec replay FILE` and `rulespec play --load FILE` read saves"),
)
"""What is JSON of ours and no spec: keys that tell it, what it is, and what it is good for."""


def load_document(
    path: Path, root: Path | None = None, name: str | None = None, report: Report | None = None, at: Span | None = None
) -> tuple[Document, Report]:
    """Return the document of a file and what is wrong with it; *root* is the folder it must lie in.

    *name* is what diagnostics call the file: else its path as given; *at* is where another file names it. Never
    raises for what the file holds.
    """
    report = Report() if report is None else report
    name = name or path.as_posix()
    text = _read(path, root or path.parent, name, report, at)
    if text is None:
        return Document(SourceFile(name, ""), None), report
    return load_text(text, name, report)


def load_table(
    path: Path, root: Path, report: Report, name: str | None = None, at: Span | None = None
) -> SourceFile | None:
    """Return the text of a file that is not YAML (a CSV table), or None after reporting."""
    name = name or path.as_posix()
    text = _read(path, root, name, report, at)
    return None if text is None else SourceFile(name, text)


def load_text(text: str, name: str, report: Report | None = None) -> tuple[Document, Report]:
    """Return the document of a text and what is wrong with it."""
    report = Report() if report is None else report
    document, found = _document(SourceFile(name, _clean(text)))
    for diagnostic in found:
        report.add(diagnostic)
    return document, report


@lru_cache(maxsize=256)
def _document(source: SourceFile) -> tuple[Document, tuple[Diagnostic, ...]]:
    """Return the document of a text, and what is wrong with it; a text that comes again is not parsed again."""
    report = Report()
    root = _root(source, report)
    foreign = _foreign(source, root)
    if foreign is not None:
        return Document(source, None), (foreign,)
    if root is not None and not isinstance(root, Mapping):
        report.error("wrong-type", "expected a mapping of sections", root.span)
        root = None
    return Document(source, root), tuple(report.diagnostics)


def _foreign(source: SourceFile, root: Value | None) -> Diagnostic | None:
    """Return what is said of JSON of ours that is no spec."""
    if not isinstance(root, Mapping) or not source.text.lstrip().startswith("{"):
        return None
    for keys, what, help in FOREIGN:
        if all(root.key(key) is not None for key in keys):
            text = f"this is {what}, and no file of a game"
            return Diagnostic("not-a-spec", text, root.entries[0][0].span, help=help)
    return None


def _root(source: SourceFile, report: Report) -> Value | None:
    """Return the outermost value of a text; None after reporting what is no YAML or is refused."""
    scan_depth(source, report)
    if report.diagnostics:
        return None
    try:
        events = refused_events(source, report)
        if report.diagnostics:
            return None
        node = _Composer(events).get_single_node()
    except yaml.YAMLError as error:
        explain(error, source, report)
        return None
    if node is None:
        report.error("wrong-type", "expected a mapping of sections", Span(source.name, 1, 1, 1, 2))
        return None
    return _Reader(source, report).value(node)


def _read(path: Path, root: Path, name: str, report: Report, at: Span | None) -> str | None:
    """Return a file's text: UTF-8, of bounded size, inside *root* also after links are followed."""
    span = at or Span(name, 1, 1, 1, 2)
    try:
        real = path.resolve()
        if not real.is_relative_to(root.resolve()):
            report.error("outside-folder", f"`{name}` does not lie in the folder of its game", span)
            return None
        if real.exists() and not real.is_file():
            report.error("not-a-file", f"`{name}` is a folder or a device, and no file", span)
            return None
        if real.stat().st_size > MAX_BYTES:
            report.error("file-too-large", f"`{name}` has more than {MAX_BYTES} bytes", span)
            return None
        return _clean(real.read_bytes().decode("utf-8"))
    except UnicodeDecodeError:
        report.error("not-utf-8", f"`{name}` is not a UTF-8 text", span)
    except OSError as fault:
        is_missing = isinstance(fault, FileNotFoundError)
        message = (
            f"there is no readable file `{name}`" if is_missing else f"`{name}` cannot be read: {reason_of(fault)}"
        )
        report.error("file-not-found", message, span)
    except RuntimeError:
        report.error("file-not-found", f"there is no readable file `{name}`", span)
    return None


def _clean(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


class _Composer(Composer, BaseResolver):
    """Makes YAML's nodes from events that have been read: the text is not parsed a second time."""

    def __init__(self, events: list[yaml.Event]) -> None:
        Composer.__init__(self)
        BaseResolver.__init__(self)
        self.events, self.at = events, 0

    def check_event(self, *choices: type[yaml.Event]) -> bool:
        """Say whether an event comes next, and one of these kinds."""
        return self.at < len(self.events) and (not choices or isinstance(self.events[self.at], choices))

    def peek_event(self) -> yaml.Event:
        """Return the next event."""
        return self.events[self.at]

    def get_event(self) -> yaml.Event:
        """Return the next event and go on."""
        self.at += 1
        return self.events[self.at - 1]


class _Reader:
    """Turns YAML nodes into ours and refuses what loses places. Depth is bounded before it runs."""

    def __init__(self, source: SourceFile, report: Report) -> None:
        self.source, self.report = source, report
        self.lines = source.text.split("\n")
        self.cut_lines: set[int] = set()

    def span(self, node: yaml.Node) -> Span:
        start, end = node.start_mark, node.end_mark
        if isinstance(node, yaml.ScalarNode) and node.style in ("|", ">"):
            return Span(self.source.name, start.line + 1, start.column + 1, start.line + 1, start.column + 2)
        if end.line > start.line and end.column == 0:
            last = end.line - 1
            while last > start.line and not self.lines[last].split("#")[0].strip():
                last -= 1
            return Span(self.source.name, start.line + 1, start.column + 1, last + 1, len(self.lines[last]) + 1)
        return Span(self.source.name, start.line + 1, start.column + 1, end.line + 1, end.column + 1)

    def value(self, node: yaml.Node) -> Value:
        if isinstance(node, yaml.MappingNode):
            return self.mapping(node)
        if isinstance(node, yaml.SequenceNode):
            return Sequence(tuple(self.value(item) for item in node.value), self.span(node))
        assert isinstance(node, yaml.ScalarNode)
        return self.scalar(node)

    def mapping(self, node: yaml.MappingNode) -> Mapping:
        entries: list[tuple[Located[str], Value]] = []
        first: dict[str, Span] = {}
        for key_node, value_node in node.value:
            key = self.key(key_node)
            if key is None:
                continue
            if key.value in first:
                self.duplicate(key, first[key.value])
                continue
            first[key.value] = key.span
            if node.flow_style and self.cut_by_comma(value_node, key):
                continue
            entries.append((key, self.value(value_node)))
        return Mapping(tuple(entries), self.span(node))

    def key(self, node: yaml.Node) -> Located[str] | None:
        span = self.span(node)
        if not isinstance(node, yaml.ScalarNode) or span.line != span.end_line:
            self.report.error("bad-key", "a key is a short text on one line", span)
            return None
        if node.value == "<<":
            self.report.error("merge-key", "merge keys (`<<`) are not allowed", span, help="write the keys out")
            return None
        if node.style is None:
            self.check_plain(node, span)
        return Located(node.value, span)

    def duplicate(self, key: Located[str], first: Span) -> None:
        related = (Related(first, "first written here"),)
        self.report.error("duplicate-key", f"the key `{key.value}` stands twice", key.span, related=related)

    def cut_by_comma(self, node: yaml.Node, key: Located[str]) -> bool:
        """Refuse a key without a value in braces: usually the rest of a formula that a comma has cut."""
        if not isinstance(node, yaml.ScalarNode) or node.style is not None or node.value != "":
            return False
        message = f"`{key.value}` has no value: inside braces a comma ends the value before it"
        self.cut("cut-by-comma", message, key.span, "write one key a line instead of braces")
        return True

    def cut(self, code: str, message: str, span: Span, help: str) -> None:
        """Report a text that is cut, once a line: what follows on it is its rest."""
        if span.line not in self.cut_lines:
            self.cut_lines.add(span.line)
            self.report.error(code, message, span, help=help)

    def scalar(self, node: yaml.ScalarNode) -> Scalar:
        span = self.span(node)
        name, text = self.source.name, node.value
        if node.style == "|":
            return Scalar(text, "block", span, self.block_origin(node))
        if node.style in REFUSED_STYLES:
            code, message, help = REFUSED_STYLES[node.style]
            self.report.error(code, message, span, help=help)
            return Scalar(self.as_written(node), "block", span, self.block_origin(node))
        if span.line != span.end_line:
            self.report.error("multi-line-scalar", "a text over several lines is written with `|`", span)
        elif node.style in ("'", '"'):
            self.check_quoted(node, span)
            return Scalar(text, "quoted", span, Origin(name, span.line, span.column + 1))
        else:
            self.check_plain(node, span)
        return Scalar(text, "plain", span, Origin(name, span.line, span.column))

    def block_origin(self, node: yaml.ScalarNode) -> Origin:
        """Return where the first line of a `|` block begins, its indentation removed."""
        header = node.start_mark.line
        written = self.lines[header][node.start_mark.column :].split("#")[0]
        indent = 0
        if re.search(r"\d", written):
            span = self.span(node)
            self.report.error("block-indicator", "a number after `|` is not allowed", span, help="write `|` alone")
        for line in self.lines[header + 1 :]:
            if line.strip():
                indent = len(line) - len(line.lstrip(" "))
                break
        return Origin(self.source.name, header + 2, indent + 1)

    def as_written(self, node: yaml.ScalarNode) -> str:
        """Return the lines of a folded text as they stand, so that nothing else is found wrong in it."""
        lines = self.lines[node.start_mark.line + 1 : node.end_mark.line + (node.end_mark.column > 0)]
        return textwrap.dedent("\n".join(lines)).rstrip() + "\n"

    def check_quoted(self, node: yaml.ScalarNode, span: Span) -> None:
        raw = self.lines[span.line - 1][span.column : span.end_column - 2]
        sign = "\\" if node.style == '"' else "''"
        if sign in raw:
            at = span.column + 1 + raw.index(sign)
            place = Span(self.source.name, span.line, at, span.line, at + len(sign))
            help = "quote with the other quotation marks, or write the text as a `|` block"
            self.report.error("escape-in-quotes", "escapes in quoted texts are not allowed", place, help=help)

    def check_plain(self, node: yaml.ScalarNode, span: Span) -> None:
        """Refuse a plain text that a ` #` or a comma has cut in the middle: its brackets do not balance."""
        text = node.value
        if text.count("(") == text.count(")") and text.count("[") == text.count("]"):
            return
        rest = self.lines[span.line - 1][span.end_column - 1 :].lstrip()
        at = Span(self.source.name, span.line, span.column, span.line, span.end_column)
        if rest.startswith("#"):
            self.cut("cut-by-comment", "` #` ends this text in the middle", at, "use a `|` block")
        elif rest.startswith(","):
            message = "a comma inside braces or brackets ends this text in the middle"
            help = "write one key a line instead of braces, or use a `|` block"
            self.cut("cut-by-comma", message, at, help)


class Folder:
    """The files of one game: YAML documents and CSV tables by their name inside its folder, each read once."""

    def __init__(self, root: Path, report: Report, prefix: str = "") -> None:
        self.root, self.report, self.prefix = root, report, prefix
        self._documents: dict[str, Document] = {}

    def document(self, name: str, at: Span | None = None) -> Document:
        """Return the document of a file, named *at* a place; without a root after reporting what is wrong with it."""
        if name not in self._documents:
            found, _ = load_document(self.root / name, self.root, self.prefix + name, self.report, at)
            self._documents[name] = found
        return self._documents[name]

    def table(self, name: str, at: Span | None = None) -> SourceFile | None:
        """Return the text of a CSV table, named *at* a place, or None after reporting."""
        return load_table(self.root / name, self.root, self.report, self.prefix + name, at)

    def has(self, name: str) -> bool:
        """Whether there is such a file."""
        return (self.root / name).is_file()

    def names(self, folder: str) -> list[str]:
        """Return the names of the YAML files in a folder below, without `.yaml`, sorted."""
        return sorted(path.stem for path in (self.root / folder).glob("*.yaml") if path.is_file())
