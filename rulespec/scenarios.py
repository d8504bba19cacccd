"""Scenarios compiled to plain data for the interpreter (docs/program.md, Scenarios)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulespec import library, nodes, schema
from rulespec.calls import arguments
from rulespec.coercions import coerce
from rulespec.diagnostics import Report, suggestion
from rulespec.documents import Document
from rulespec.loader import load_document
from rulespec.passes import Built, build_all
from rulespec.scenario_nodes import Answer, ScenarioNode
from rulespec.scenario_reader import read_scenarios
from rulespec.scope import Frame, at
from rulespec.source import Located, Span
from rulespec.statements import block
from rulespec.symbols import Names
from rulespec.value_types import TRUTH


@dataclass(frozen=True, slots=True)
class Case:
    """A scenario ready to run: the program it is about, with its variants, and the compiled scenario."""

    program: dict[str, Any]
    scenario: dict[str, Any]
    file: str


@dataclass(frozen=True, slots=True)
class Unread:
    """A scenario, or a whole file of them, that cannot be run because of a fault that is reported."""

    name: str
    span: Span


class Programs:
    """The programs of one game, each made once: by the variants laid over it, in order."""

    def __init__(self, game: Path, report: Report) -> None:
        self.game, self.report = game, report
        self.unread: list[Unread] = []
        self._built: dict[tuple[Path | str, ...], Built | None] = {}

    def built(self, variants: Sequence[Path | str]) -> Built | None:
        """Return what was made of the game with these variants; None where it has faults, which are reported."""
        key = tuple(variants)
        if key not in self._built:
            own = Report()  # a fault elsewhere must not keep this program from being made
            found = build_all(self.game, key, own)
            for diagnostic in own.diagnostics:
                self.report.add(diagnostic)
            self._built[key] = found if found is not None and found.program is not None else None
        return self._built[key]


def build_scenarios(name_or_path: str | Path, report: Report, files: Sequence[Path] | None = None) -> list[Case]:
    """Return the scenarios of a game, each with the program of its variants; report what is wrong.

    *files* are the scenario files to read: without them all that lie with the game.
    """
    game = library.find_game(name_or_path)
    programs = Programs(game, report)
    return [case for path in (scenario_files(game) if files is None else files) for case in cases_of(path, programs)]


def cases_of(path: Path, programs: Programs, over: Sequence[Path | str] | None = None) -> list[Case]:
    """Return the scenarios of one file; with *over*, those without variants, under these variants."""
    document, _ = load_document(path, path.parent, path.as_posix(), programs.report)
    return cases_in(document, path, programs, over)


def cases_in(
    document: Document, path: Path, programs: Programs, over: Sequence[Path | str] | None = None
) -> list[Case]:
    """Return the scenarios of a document that lies, or could lie, at *path*; what cannot be run is noted as unread."""
    report = programs.report
    if not schema.check(document, "scenarios", report):
        programs.unread.append(Unread("the whole file", Span(document.source.name, 1, 1, 1, 2)))
        return []
    sources = {document.source.name: document.source.text}
    aside: list[Located[str]] = []
    nodes_read = read_scenarios(document, report, aside)
    programs.unread += [Unread(each.value, each.span) for each in aside]
    cases = []
    for node in nodes_read:
        if over is not None and node.variants:
            continue
        chosen = _chosen(node, programs, path) if over is None else over
        found = programs.built(chosen) if chosen is not None else None
        made = compile_scenarios(found, [node], report, sources) if found is not None else []
        if found is not None and found.program is not None:
            cases += [Case(found.program, scenario, path.name) for scenario in made]
        if not made:
            programs.unread.append(Unread(node.name, node.span))
    return cases


def _chosen(node: ScenarioNode, programs: Programs, path: Path) -> list[Path | str] | None:
    """Return the variants of a scenario; None after reporting one that there is not."""
    found = [find_variant(v.text, programs.game, path) for v in node.variants]
    unknown = False
    for name, variant in zip(node.variants, found):
        try:
            library.find_variant(variant, programs.game)
        except library.UnknownNameError as error:
            unknown = True
            help, notes = suggestion(error.name, error.known, "variants there are")
            programs.report.error("unknown-variant", str(error), name.span, help=help, notes=notes)
    return None if unknown else found


def scenario_files(game: Path) -> list[Path]:
    """Return the scenario files of a game: in `scenarios/`, and `scenarios.yaml` beside it.

    Where several games share a folder each has those whose `scenarios_of` names it.
    """
    found = [*sorted((game.parent / "scenarios").glob("*.yaml")), game.parent / "scenarios.yaml"]
    name = library.named_in(game, "game")
    shared = game.name != "game.yaml"
    return [path for path in found if path.is_file() and (not shared or library.named_in(path, "scenarios_of") == name)]


def find_variant(name: str, game: Path, scenarios: Path) -> Path | str:
    """Return the file of a variant: one of the game's, or one beside the folder of the scenarios that name it."""
    if not (game.parent / "variants" / f"{name}.yaml").is_file():
        for folder in (scenarios.parent.parent, scenarios.parent.parent / "variants", scenarios.parent):
            for path in sorted(folder.glob("*.yaml")):
                if library.named_in(path, "variant") == name:
                    return path
    return name


def compile_scenarios(
    built: Built, scenarios: Sequence[ScenarioNode], report: Report, sources: Mapping[str, str] | None = None
) -> list[dict[str, Any]]:
    """Return scenarios as plain data; one with a fault is reported and left out.

    *built* is the game with the variants of these scenarios; *sources* gives the text of their files.
    """
    compiler = _Compiler(built, report, sources or {})
    made = []
    for scenario in scenarios:
        before = sum(d.severity == "error" for d in report.diagnostics)
        data = compiler.scenario(scenario)
        if sum(d.severity == "error" for d in report.diagnostics) == before:
            made.append(data)
    return made


class _Compiler:
    """Compiles the scenarios of one program; its rules stay as they are."""

    def __init__(self, built: Built, report: Report, sources: Mapping[str, str]) -> None:
        self.rules, self.report, self.sources = built.typed.rules, report, sources
        self.names: Names = self.rules.unit.names
        self.declared = built.typed.declared.options

    def scenario(self, node: ScenarioNode) -> dict[str, Any]:
        unit = self.rules.unit
        before, unit.report, unit.row_tokens = unit.report, self.report, True
        try:
            return self._scenario(node)
        finally:
            unit.report, unit.row_tokens = before, False

    def _scenario(self, node: ScenarioNode) -> dict[str, Any]:
        if node.game.text != self.names.game.name.text:
            text = f"these scenarios are of `{node.game.text}`, not of `{self.names.game.name.text}`"
            self.report.error("wrong-game", text, node.game.span)
        seats = [s for s in (self._seat(p) for p in node.players) if s is not None]
        return {
            "name": node.name,
            "clauses": [clause.value for clause in node.clauses],
            "players": seats or list(range(self.names.game.players[0])),
            "options": dict(self._options(node)),
            "variants": [v.text for v in node.variants],
            "extra": dict(self._extra(node)),
            "given": self._given(node),
            "begin": self._begin(node),
            "chance": [c.value for c in node.chance],
            "chance_at": [at(c.span) for c in node.chance],
            "play": [self._answer(a) for a in node.play],
            "then": [self._formula(f) for f in node.then],
            "offered": [self._answer(a) for a in node.offered],
            "not_offered": [self._answer(a) for a in node.not_offered],
            "asked": [self._answer(a) for a in node.asked],
            "knows": [
                {"seat": self._seat(k.player), "formulas": [self._formula(f) for f in k.formulas]} for k in node.knows
            ],
            "invariant_to_order": node.invariant_to_order,
            "source": node.source,
            "at": [node.span.file, *at(node.span)],
        }

    # -------------------------------------------------------------------------------- the setting

    def _seat(self, name: nodes.Name) -> int | None:
        found = self.names.value("player", name.text)
        if found is None:
            help, notes = suggestion(name.text, self.names.seats, "seats of this game")
            self.report.error("unknown-name", f"no seat is named `{name.text}`", name.span, help=help, notes=notes)
        return found

    def _options(self, node: ScenarioNode) -> Iterator[tuple[str, Any]]:
        """Yield each option with its value, one of the `values` of the program."""
        for name, text in node.options:
            option = self.names.options.get(name.text)
            if option is None:
                help, notes = suggestion(name.text, list(self.names.options), "options of this game")
                message = f"no option is named `{name.text}`"
                self.report.error("unknown-name", message, name.span, help=help, notes=notes)
                continue
            yield name.text, self._value(option, text)

    def _value(self, option: nodes.Option, text: Located[str]) -> Any:
        if option.type.form == "truth" and text.value in ("yes", "no"):
            return text.value == "yes"
        if option.type.form == "range" and text.value.isdigit():
            return int(text.value)
        kinds = [option.name.text] if option.type.form == "values" else [n.text for n in option.type.names]
        for kind in kinds:
            found = self.names.value(kind, text.value)
            if found is not None:
                return found
        message = f"`{text.value}` is no value of `{option.name.text}`"
        declared: list[str] = next((o["names"] for o in self.declared if o["name"] == option.name.text), [])
        help, notes = suggestion(text.value, declared, "its values")
        self.report.error("unknown-name", message, text.span, help=help, notes=notes)
        return None

    def _extra(self, node: ScenarioNode) -> Iterator[tuple[str, int]]:
        for name, number in node.extra:
            rows = [k for k in self.names.kinds_with(name.text) if self.names.kinds[k].sort == "row"]
            if not rows:
                known = [row for kind in self.names.kinds.values() if kind.sort == "row" for row in kind.values]
                help, notes = suggestion(name.text, known, "rows")
                message = f"no row is named `{name.text}`"
                self.report.error("unknown-name", message, name.span, help=help, notes=notes)
            yield name.text, number

    # ---------------------------------------------------------------------------------- rules

    def _take(self, frame: Frame) -> dict[str, Any]:
        """Return the rule just made and take it out of the program's."""
        return self.rules.unit.rules.pop(frame.rule)

    def _given(self, node: ScenarioNode) -> dict[str, Any] | None:
        if not node.given:
            return None
        frame = self.rules.frame("scenario.given", "procedure", has_me=False)
        self.rules.put(frame, node.given[0].span, 0, None, block(frame, node.given), form="script")
        return self._take(frame)

    def _begin(self, node: ScenarioNode) -> dict[str, Any] | None:
        if node.begin is None:
            return None
        call, frame = node.begin.call, self.rules.frame("scenario.begin", "hook", has_me=node.begin.by is not None)
        rule, args = self._begun(frame, call)
        by = self._player(node.begin.by) if node.begin.by is not None else None
        return {"rule": rule, "args": args, "by": by, "locals": frame.locals}

    def _begun(self, frame: Frame, call: nodes.Expr) -> tuple[str, list[Any]]:
        """Return the phase, procedure or cell a scenario begins with, and its arguments."""
        names = self.names
        params: tuple[nodes.Param, ...] | None = None
        text, written = "", getattr(call, "args", None) or ()
        match call:
            case nodes.Reference(name):
                text = name.text
                if text in names.procedures:
                    params = names.procedures[text].signature.params
                elif text in names.phases:
                    params = ()
            case nodes.Printed(nodes.Reference(row), name):
                text = f"{row.text}.{name.text}"
                cells = [c for c in names.cells.values() if c.signature.name.text == name.text]
                params = cells[0].signature.params if cells and text in self.rules.unit.rules else None
        if params is None:
            help, notes = suggestion(text, [*names.phases, *names.procedures], "phases and procedures")
            message = f"no phase or procedure is named `{text}`"
            self.report.error("unknown-rule", message, call.span, help=help, notes=notes)
            return text, []
        return text, arguments(frame, text, params, written, call.span) or []

    def _formula(self, formula: nodes.Expr) -> dict[str, Any]:
        frame = self.rules.frame("scenario.then", "scenario", has_me=False)
        body = coerce(frame, frame.expr(formula, TRUTH), TRUTH, formula.span)
        self.rules.put(frame, formula.span, 0, TRUTH, body, form="formula")
        rule = {**self._take(frame), "kind": "function"}
        return {"rule": rule, "text": self._text(formula.span), "at": at(formula.span)}

    # --------------------------------------------------------------------------------- answers

    def _answer(self, answer: Answer) -> dict[str, Any]:
        seat = self._player(answer.player) if answer.player is not None else None
        return {"seat": seat, "text": answer_text(answer.rule), "at": at(answer.span)}

    def _player(self, formula: nodes.Expr) -> int | None:
        if isinstance(formula, nodes.Reference):
            if formula.name.text == "seat" and formula.args and isinstance(formula.args[0], nodes.Number):
                return formula.args[0].value - 1
            return self._seat(formula.name)
        self.report.error("unknown-name", "a seat is wanted here", formula.span)
        return None

    def _text(self, span: Span) -> str:
        """Return the text of a formula, or nothing where its file is not known."""
        lines = self.sources.get(span.file, "").splitlines()[span.line - 1 : span.end_line]
        if not lines:
            return ""
        lines[-1] = lines[-1][: span.end_column - 1]
        lines[0] = lines[0][span.column - 1 :]
        return " ".join(line.strip() for line in lines)


def answer_text(answer: nodes.Expr) -> str:
    """Return an answer as the notation of actions writes it."""
    match answer:
        case nodes.Number(value):
            return str(value)
        case nodes.Truth(value):
            return "yes" if value else "no"
        case nodes.NamedArg(name, value):
            return f"{name.text}={answer_text(value)}"
        case nodes.SetLiteral(items):
            return "[" + ", ".join(answer_text(i) for i in items) + "]"
        case nodes.Reference(name, args):
            return name.text + _arguments(args)
        case nodes.Printed(of, name, args):
            return f"{answer_text(of)}.{name.text}{_arguments(args)}"
        case nodes.Of(name, of):
            return f"{name.text} of {answer_text(of)}"
        case nodes.Unary("-", value):
            return f"-{answer_text(value)}"
        case nodes.Binary("in", thing, place):
            return f"{answer_text(thing)} in {answer_text(place)}"
    return "?"


def _arguments(args: tuple[nodes.Expr, ...] | None) -> str:
    return "" if args is None else "(" + ", ".join(answer_text(a) for a in args) + ")"
