"""Runs a scenario: a position built by statements, answers in notation, and what must hold then."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import permutations
from typing import TYPE_CHECKING, Any

from interpreter.chance import Generator
from interpreter.differences import difference
from interpreter.errors import Error, NotationError, RuleError
from interpreter.layout import NOTHING
from interpreter.runtime import Fault, Over, pick_weighted
from interpreter.specialise.analysis import walk
from interpreter.specialise.code import class_name

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State

WORLDS = 30
MOST_CHANCE = 5_000
COVERED = re.compile(r"~\d+\b")
"""What the compiler adds to the name of a rule that a variant covers."""


@dataclass
class Result:
    """What came of one scenario: what was not as it says, and which rules were used."""

    name: str
    clauses: list[str]
    failures: list[str] = field(default_factory=list)
    covered: set[tuple[str, int]] = field(default_factory=set)

    @property
    def passed(self) -> bool:
        return not self.failures


def unknown_words(game: Game, scenario: dict[str, Any]) -> Iterator[tuple[list[int], str, str | None]]:
    """Yield the place of each answer and outcome that no position of the game could offer, what is said of it, help."""
    for key in ("play", "offered", "not_offered"):
        for answer in scenario[key]:
            if not any(game.notation.is_action(text) for text in _written(game, answer["text"])):
                near = game.notation.nearest_action(answer["text"])
                help = f"did you mean `{near}`?" if near else None
                yield answer["at"], f"no action is written `{answer['text']}`", help
    rules = sorted({COVERED.sub("", name) for ask in game.asks.asks for name in (ask.rule, ask.name)})
    for answer in scenario["asked"]:
        if answer["text"] not in rules:
            yield answer["at"], f"nothing that is asked is named `{answer['text']}`", _near(answer["text"], rules)
    faces = {class_name(game.program, each) for each in game.asks.classes} | set(game.program["entities"])
    for text, at in zip(scenario["chance"], scenario["chance_at"]):
        if text not in faces and not text.removeprefix("-").isdecimal():
            yield at, f"chance can bring no `{text}`", _near(text, sorted(faces))


def _near(text: str, known: list[str]) -> str | None:
    found = get_close_matches(text, known, n=1)
    return f"did you mean `{found[0]}`?" if found else None


def _written(game: Game, text: str) -> Iterator[str]:
    """Yield an answer as it is written, and as it is called where a variant covers its rule."""
    yield text
    name = text.partition("(")[0]
    for rule in game.program["rules"]:
        if rule.startswith(f"{name}~"):
            yield rule + text[len(name) :]


def run_scenario(game: Game, scenario: dict[str, Any]) -> Result:
    """Run a scenario and say what differs from it."""
    result = Result(scenario["name"], list(scenario["clauses"]))
    runner = _Runner(game, scenario)
    code = runner.code
    before, code.covered = code.covered, set()
    code.space["cover_"] = code.covered.add
    try:
        state = runner.play(scenario["play"])
        result.failures += runner.check(state)
        if scenario["invariant_to_order"]:
            result.failures += runner.check_order(state)
    except (Error, Fault) as fault:
        result.failures.append(str(fault))
    points = list(code.points)
    result.covered = {points[i] for i in code.covered if i < len(points)}
    code.covered |= before
    return result


class _Unexpected(Error):
    """A scenario's answer that is not offered."""


class _Runner:
    def __init__(self, game: Game, scenario: dict[str, Any]) -> None:
        self.game, self.scenario = game, scenario
        players, options = game.settings(len(scenario["players"]), scenario["options"])
        rows = game.program["entities"]
        extra = tuple(sorted((rows.index(row), count) for row, count in scenario["extra"].items()))
        self.players, self.options, self.extra = players, options, extra
        self.code = game.code_for(game.layout_for(players, options, extra), "explicit", True, True)
        self.forced: list[str] = []
        self.generator = Generator(0)

    # ------------------------------------------------------------------------------------ start

    def start(self) -> State:
        """Return the state after `given` and the beginning of what `begin` names."""
        s = self.game.blank(self.players, self.options, 0, "explicit", True, self.extra)
        s.run_by(self.code)
        s.start = {**s.start, "scenario": lambda game, events: self._again()}
        layout = s.code.layout
        s.v[layout.quiet_cell] = 1
        if self.scenario["given"] is not None:
            self._perform(s, self.scenario["given"])
        s.v[layout.quiet_cell] = 0
        s.queue, s.record = (), None
        s.truth = s.code.truth_now(s.v)
        s.story.look_afresh(s)
        s.story.events = s.story.marks = None
        self._begin(s)
        return s

    def _again(self) -> State:
        self.forced = list(self.scenario["chance"])
        return self.start()

    def _perform(self, s: State, rule: dict[str, Any]) -> None:
        number = s.code.add_rule("scenario.given", rule)
        s.code.run_rule(s, number, NOTHING, (), idle=True)
        self._settle_chance(s)

    def _begin(self, s: State) -> None:
        begin = self.scenario["begin"]
        if begin is None:
            s.code.begin_play(s)
            return
        me = begin["by"] if begin["by"] is not None else NOTHING
        if begin["by"] is not None:
            s.v[0] = me
        arguments = tuple(self.game.evaluate(s.code, s.v, tree, (), me) for tree in begin["args"])
        try:
            s.code.settle(s)
        except Over:
            s.finish()
            return
        number = s.code.numbers[begin["rule"]]
        runs_alone = begin["by"] is not None or self.game.program["rules"][begin["rule"]]["kind"] != "phase"
        path = None if runs_alone else self._path(begin["rule"])
        if path is not None:
            if begin["rule"] != self.game.program["root"]:
                s.story.target, s.story.path = number, path
            s.code.run_rule(s, s.code.numbers[self.game.program["root"]], NOTHING, ())
            if s.story.target is None:
                return
            raise _Unexpected(f"`{begin['rule']}` is never begun from here")
        if s.code.need_rule(begin["rule"]):
            self.game.code_for(s.code.layout, "barrier", False).need_rule(begin["rule"])
        s.code.run_rule(s, number, me, arguments, idle=True)

    def _path(self, rule: str) -> frozenset[int] | None:
        """Return the phases a phase lies in, if there is one way to it from the root."""
        rules = self.game.program["rules"]
        path = [rule]
        while path[-1] != self.game.program["root"]:
            above = [
                n
                for n, r in rules.items()
                if r["kind"] == "phase"
                for s in walk(r["body"])
                if s.get("rule") == path[-1]
            ]
            if len(above) != 1 or above[0] in path:
                return None
            path.append(above[0])
        return frozenset(self.code.numbers[n] for n in path)

    # ------------------------------------------------------------------------------------- play

    def play(self, answers: list[dict[str, Any]]) -> State:
        """Return the state after these answers."""
        self.forced = list(self.scenario["chance"])
        self.generator = Generator(0)
        s = self.start()
        self._settle_chance(s)
        for answer in answers:
            seat = self._seat(s, answer)
            action = self._action(s, answer)
            if action not in _offered_to(s, seat):
                raise _Unexpected(f"line {answer['at'][0]}: " + s.explain(action, seat).text())
            s.apply_action(action, seat)
            self._settle_chance(s)
        return s

    def _seat(self, s: State, answer: dict[str, Any]) -> int | None:
        """Return who answers: the seat named, else the lowest that is asked, else nobody."""
        if answer["seat"] is not None:
            return int(answer["seat"])
        return min(s.pending_players(), default=None)

    def _action(self, s: State, answer: dict[str, Any]) -> int:
        found, fault = [], None
        for text in _written(self.game, answer["text"]):
            try:
                found.append(s.string_to_action(text))
            except NotationError as error:
                fault = fault or error
        if not found:
            raise _Unexpected(f"line {answer['at'][0]}: {fault}")
        offered = _offered_to(s, self._seat(s, answer))
        return next((action for action in found if action in offered), found[0])

    def _settle_chance(self, s: State) -> None:
        for _ in range(MOST_CHANCE):
            if not s.is_chance_node():
                return
            s.apply_action(self._outcome(s))
        raise RuleError("chance goes on for ever")

    def _outcome(self, s: State) -> int:
        outcomes = list(s.chances)
        if self.forced:
            text = self.forced.pop(0)
            for outcome, _ in outcomes:
                if text in self._names(s, outcome):
                    return int(outcome)
            raise _Unexpected(f"chance cannot bring `{text}` here")
        return pick_weighted(outcomes, self.generator.below(sum(weight for _, weight in outcomes)))

    def _names(self, s: State, outcome: int) -> list[str]:
        """Return all that an outcome may be called: as it is written, and by its face or row alone."""
        text = self.game.notation.outcome_text(s, outcome)
        return [text, re.split(r" of | in ", text)[0]]

    # ------------------------------------------------------------------------------------ check

    def check(self, s: State) -> list[str]:
        """Return what does not hold after the last answer."""
        return [*self._unused(), *self._then(s), *self._offered(s), *self._asked(s), *self._knows(s)]

    def _unused(self) -> Iterator[str]:
        """Tell what chance was to bring and was never asked for."""
        left = len(self.forced)
        if left:
            listed = ", ".join(f"`{text}`" for text in self.forced)
            line = self.scenario["chance_at"][-left][0]
            yield f"line {line}: chance was never asked for {listed}"

    def _then(self, s: State) -> Iterator[str]:
        for item in self.scenario["then"]:
            if not self._holds(s, item):
                tree = _settled(item["rule"]["body"], s)
                so = difference(self.game, s, tree, item["text"])
                yield f"line {item['at'][0]}: `{item['text']}` does not hold" + (f": {so}" if so else "")

    def _holds(self, s: State, item: dict[str, Any]) -> bool:
        tree = _settled(item["rule"]["body"], s)
        return bool(self.game.evaluate(s.code, s.v, tree))

    def _offered(self, s: State) -> Iterator[str]:
        for wanted, key in ((True, "offered"), (False, "not_offered")):
            for answer in self.scenario[key]:
                seat = self._seat(s, answer)
                action = self._action(s, answer)
                if (action in _offered_to(s, seat)) != wanted:
                    said = "should be offered" if wanted else "should not be offered"
                    yield f"line {answer['at'][0]}: {said}, but {s.explain(action, seat).text()}"

    def _asked(self, s: State) -> Iterator[str]:
        for answer in self.scenario["asked"]:
            seat = self._seat(s, answer)
            asks = {self.game.asks.ask_of(a) for a in _offered_to(s, seat)}
            names = {COVERED.sub("", name) for ask in asks for name in (ask.rule, ask.name)}
            if answer["text"] not in names:
                listed = ", ".join(sorted(names)) or "nothing"
                yield f"line {answer['at'][0]}: `{answer['text']}` is not asked; asked: {listed}"

    def _knows(self, s: State) -> Iterator[str]:
        for entry in self.scenario["knows"]:
            worlds = [s.resample(entry["seat"], i) for i in range(WORLDS)] if entry["formulas"] else []
            for item in entry["formulas"]:
                if not all(self._holds(world, item) for world in [s, *worlds]):
                    yield f"line {item['at'][0]}: {self.game.seats[entry['seat']]} does not know that `{item['text']}`"

    def check_order(self, s: State) -> list[str]:
        """Return whether answers given at the same time lead elsewhere in another order."""
        answers = self.scenario["play"]
        for order in permutations(range(len(answers))):
            seats = [answers[i]["seat"] for i in order]
            by_seat = {seat: [i for i in order if answers[i]["seat"] == seat] for seat in seats}
            if any(own != sorted(own) for own in by_seat.values()):
                continue
            other = self.play([answers[i] for i in order])
            if other != s:
                return [f"in another order of answers the position differs: {'; '.join(s.diff(other)[:3])}"]
        return []


def _offered_to(s: State, seat: int | None) -> list[int]:
    """Return the actions offered to a seat; to nobody, none."""
    return [] if seat is None else s.legal_actions(seat)


def _settled(tree: Any, s: State) -> Any:
    """Return a formula with what only scenarios may ask replaced by what is so: is the game over, who came where."""
    if isinstance(tree, list):
        if tree == ["game_over"]:
            return ["lit", s.is_terminal()]
        inner = [_settled(part, s) for part in tree]
        return _place_of(inner[1], s.ranking()) if tree and tree[0] == "final_place" else inner
    if isinstance(tree, dict):
        return {key: _settled(part, s) for key, part in tree.items()}
    return tree


def _place_of(player: Any, places: list[int]) -> Any:
    """Return the formula that gives each player his place, and nobody none."""
    found: Any = ["lit", 0]
    for seat, place in enumerate(places):
        found = ["if", ["eq", player, ["lit", seat]], ["lit", place], found]
    return found
