"""The finished code of a program, and the loop that runs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import RLock
from typing import TYPE_CHECKING, Any

from interpreter import runtime
from interpreter.actions import AskTable
from interpreter.errors import RuleError
from interpreter.layout import NOBODY_TURN, NOTHING, Layout
from interpreter.runtime import Barrier, Dead, Effects, Fault, Outcomes, Over
from interpreter.specialise.analysis import Mode
from interpreter.specialise.build import Builder
from interpreter.specialise.firing import Firing
from interpreter.specialise.lasting import LastingChanges
from interpreter.specialise.results import Results
from interpreter.specialise.sets import members_of, next_item, next_items, whole_sets

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State

Frame = tuple[Any, ...]
MOST_TRIED = 1000
DEFAULT_LIMIT = 10_000
OFFERED_NAMES = (
    ("runtime", "check first union grid in_order attaining reachable connected give_up alike out_of_range"),
    ("effects", "move take transfer create destroy assign refill outcomes next_token shuffle rolled roll pick picked"),
    ("effects", "draw_one everywhere heap_odds from_heap pick_token"),
    ("effects", "turn show chose"),
    ("firing", "notice ended drain done settle after"),
    ("lasting", "begin end enter leave turn_starts turn_ends layers_of call_layer lapse"),
    ("code", "full score at ask sides looked one known_first"),
)
"""What generated code may call, by where it is kept."""


class Code:
    """All functions of a program for one layout and mode, and what they call."""

    game: Game
    """The game this is code of; set by whoever makes it, as is what follows."""

    states: type[State]
    """The class of the states that are played by this code."""

    def __init__(self, build: Builder, effects: Effects) -> None:
        self.lock = RLock()
        self.layout = build.layout
        self.mode = build.mode
        self.program = build.program
        self.asks = build.asks
        self.limit: int = build.program["limits"].get("decisions", DEFAULT_LIMIT)
        self.effects = effects
        self.frames = build.frames
        self.passes = build.passes
        self.asks_names = [class_name(self.program, c) for c in self.asks.classes]
        self.build = build
        self.numbers = build.numbers
        self.names = {number: name for name, number in build.numbers.items()}
        self.points = build.points
        self._point_rules: list[str] = []
        self.covered: set[int] = set()
        self.functions: dict[str, Callable[..., Any]] = {}
        self.faces = self._faces()
        self.triggers = build.program["triggers"]
        self.firing = Firing(self)
        self.lasting = LastingChanges(self)
        self.space = build.space
        self.space.update(self._names())
        build.build()
        self.finish_wanted()
        self.firing.attach()
        self._collect()
        self.results = Results(self)

    def _collect(self) -> None:
        """Put what was made in order: rules that may pause by number, plain ones, and listings of answers by frame."""
        build, space = self.build, self.space
        last = max(build.numbers.values(), default=2)
        self.code: list[Any] = [None] * (last + 1)
        self.code[1], self.code[2] = part_done, self.firing.run_triggers
        for name, number in build.numbers.items():
            if name in build.facts.pausing:
                self.code[number] = space.get(build.python_name(name))
        self.pausing = {build.numbers[n] for n in build.facts.pausing}
        self.plain: dict[int, Any] = {
            number: space.get(build.python_name(name)) for name, number in build.numbers.items()
        }
        self.options: dict[int, dict[int, Any]] = {
            r: {p: space[n] for p, n in at.items()} for r, at in build.options.items()
        }
        self.options[2] = {1: self.firing.trigger_options}

    def finish_wanted(self) -> None:
        """Make what a formula compiled later has asked for."""
        known = set(self.build.tables)
        self.build.build_wanted()
        for name in self.build.tables:
            if name not in known or any(isinstance(entry, str) for entry in self.space[name]):
                self.space[name] = [self.space[n] if isinstance(n, str) and n else n for n in self.space[name]]

    def _faces(self) -> dict[int, tuple[int, int]]:
        kinds = self.program["tokens"]
        first = self.layout.first_token
        return {
            t: tuple(kinds[self.layout.token_kind[t - first]]["faces"])
            for t in self.layout.tokens
            if kinds[self.layout.token_kind[t - first]]["faces"]
        }

    def _names(self) -> dict[str, Any]:
        """Return what generated code finds under fixed names: each its own, with `_` behind it."""
        pad = [NOTHING] * self.layout.first_token
        found: dict[str, Any] = {"none_": (NOTHING,), "faces_": self.faces}
        found |= {"row_": pad + self.layout.token_row, "owner_": pad + self.layout.token_owner}
        found |= {"Over_": Over, "Barrier_": Barrier, "sets_": runtime.sets_of, "too_long_": runtime.too_long}
        found |= {"cover_": self.covered.add, "options_": self.list_options, "together_": self.start_together}
        found |= {"start_": self.start_cell, "perform_": self.perform_cell, "no_action_": no_action, "skips_": skips}
        found |= {"nowhere_": nowhere}
        found |= {"items_": next_items, "members_": members_of, "wholes_": whole_sets, "next_item_": next_item}
        for owner, names in OFFERED_NAMES:
            source: Any = {
                "runtime": runtime,
                "effects": self.effects,
                "firing": self.firing,
                "lasting": self.lasting,
            }.get(owner, self)
            found |= {f"{name}_": getattr(source, name) for name in names.split()}
        return found

    # -------------------------------------------------------------------------------- running

    def run(self, s: State, k: Frame | None) -> None:
        """Run frames until somebody is asked, chance is to be surfaced, or the game ends."""
        code = self.code
        try:
            while k is not None:
                k = code[k[0]](s, k)
        except Over:
            s.finish()

    def begin_play(self, s: State) -> None:
        """Run from the start of the game to the first question."""
        root = self.numbers[self.program["root"]]
        try:
            if not self.build.has_quiet:
                self.firing.settle(s)
        except Over:
            s.finish()
            return
        self.run_rule(s, root, NOTHING, ())

    def run_rule(self, s: State, number: int, me: int, arguments: tuple[Any, ...], idle: bool = False) -> None:
        """Run one rule as the whole of the game; with *idle*, the game does not end with it, but nobody is asked."""
        s.legal = None
        if number in self.pausing:
            self.run(s, (number, 0, (1 if idle else 0, 0, None, -1), me, *arguments))
        else:
            try:
                self.plain[number](s, me, *arguments)
            except Over:
                s.finish()
        if not idle:
            if number not in self.pausing:
                s.finish()
        elif s.k is None and not s.over:
            s.turn, s.legal = NOBODY_TURN, []

    def need_rule(self, name: str) -> bool:
        """See to it that a rule is made which the root phase may not reach; say whether it had to be made."""
        with self.lock:
            if self.space.get(self.build.python_name(name)) is not None:
                return False
            self.build.need(name)
            self.finish_wanted()
            self._enter_rules()
            return True

    def add_rule(self, name: str, rule: dict[str, Any]) -> int:
        """Make a rule that is not in the program, in the place of an earlier one of this name."""
        with self.lock:
            self.build.add_rule(name, rule)
            self.finish_wanted()
            self._enter_rules()
            return self.build.numbers[name]

    def _enter_rules(self) -> None:
        """Put in order what has been made since: a rule that was asked for, and all that it may lead to."""
        self.code += [None] * (max(self.build.numbers.values(), default=2) + 1 - len(self.code))
        for name, number in self.build.numbers.items():
            function = self.space.get(self.build.python_name(name))
            self.plain[number] = function
            if name in self.build.facts.pausing:
                self.pausing.add(number)
                self.code[number] = function
            else:
                self.pausing.discard(number)
        for rid, at in self.build.options.items():
            self.options[rid] = {**self.options.get(rid, {}), **{p: self.space[n] for p, n in at.items()}}

    def ask(self, s: State) -> None:
        """List the answers at the frame that waits; there must be one."""
        found = self.list_options(s)
        if not found:
            raise Dead("no choice is possible")
        s.legal, s.look = found, None

    def list_options(self, s: State) -> list[int]:
        """List the answers at the frame that waits."""
        k = s.k
        assert k is not None
        found: list[int] = self.options[k[0]][k[1]](s, k)
        return found

    def list_waiting(self, s: State) -> list[int]:
        """List all answers at the frame that waits, passing included."""
        assert s.k is not None
        found = self.list_options(s)
        passing = self.passes.get((s.k[0], s.k[1]))
        if passing is not None:
            names = [name for name, _ in self.frames[(s.k[0], s.k[1])]]
            if not passing[1] or not s.k[4 + names.index(passing[1])]:
                found = sorted([*found, passing[0]])
        return found

    def dead_end(self, s: State) -> RuleError:
        """Return the error of a question that has no answer."""
        name = self.names.get(s.k[0], "")
        rule = self.program["rules"].get(name, {"at": ["", 0, 0]})
        return RuleError("no choice is possible", name, rule["at"])

    def one(self, s: State, found: Sequence[int]) -> int:
        """Return which of several tokens alike is meant: the first; where knowledge is kept, most players know it."""
        if s.story is not None and len(found) > 1:
            s.story.arrange(s, found)
        return found[0]

    def score(self, v: list[Any], player: int) -> int:
        """Return a player's score."""
        return self.results.score(v, player)

    def known_first(self, s: State, tokens: Sequence[int]) -> Sequence[int]:
        """Return tokens; of those alike the first are those most players know."""
        s.story.arrange(s, tokens)
        return tokens

    def sides(self, die: int) -> Outcomes:
        """Return what a die may show."""
        low, high = self.faces[die]
        return runtime.alike(range(low, high + 1))

    def program_name(self, token: int) -> str:
        """Return the name of a token's face: its row, or its kind; with its owner's name if it has one."""
        return self.asks_names[self.layout.token_class[token - self.layout.first_token]]

    def call(self, v: list[Any], name: str, binding: tuple[Any, ...]) -> Any:
        """Return the value of a function of the game; of a binding it takes what it has parameters for."""
        count = self.program["rules"][name]["params"]
        return self.space["f_" + self.build.python_name(name)](v, *binding[:count])

    def function(self, name: str) -> Callable[..., Any]:
        """Return a function of the game: of the cells and its parameters."""
        if name not in self.functions:
            with self.lock:
                python = self.build.function_name(name)
                self.finish_wanted()
                self.functions[name] = self.space[python]
        return self.functions[name]

    def settle(self, s: State) -> None:
        """Take all conditions as they are now: what is true does not fire, ends hold."""
        self.firing.settle(s)

    def truth_now(self, v: list[Any]) -> frozenset[Any]:
        """Return the bindings of all triggers that are true now."""
        return self.firing.truth_now(v)

    def rule_at(self, point: int) -> str | None:
        """Return the rule a point of coverage lies in."""
        if len(self._point_rules) < len(self.points):
            self._point_rules = [rule for rule, _ in self.points]
        return self._point_rules[point] if 0 <= point < len(self._point_rules) else None

    def at(self, s: State, point: int) -> None:
        """Note which statement is carried out."""
        self.covered.add(point)
        s.story.point = point

    def full(self, s: State, slot: int) -> None:
        """Raise what says that a slot is taken."""
        raise Fault(f"there is no room in `{self.effects.slot_name(slot)}`")

    # ---------------------------------------------------------------------------- at the same time

    def start_together(self, s: State, starts: list[tuple[int, Frame]]) -> Any:
        """Start what each player is asked; None when nobody is asked anything."""
        frame = s.k
        entries = []
        for seat, start in starts:
            entries.append(self.advance(s, seat, start))
        s.k = frame
        if all(k is None for _, k, _ in entries):
            s.ret = tuple(ret for _, _, ret in entries)
            return None
        s.turn, s.legal = -2, None
        return tuple(entries)

    def advance(self, s: State, seat: int, k: Frame) -> tuple[int, Frame | None, Any]:
        """Run one player's part until he is asked or has no part left."""
        s.k = None
        s.look = None
        frame: Frame | None = k
        while frame is not None:
            frame = self.code[frame[0]](s, frame)
        return (seat, s.k, None if s.k is not None else s.ret)

    # ------------------------------------------------------------------------------- looking ahead

    def looked(self, s: State, k: Frame, ids: list[int], ranges: Sequence[tuple[int, int]] = ()) -> list[int]:
        """Keep the answers that can be carried to their end; of an offer, only those in *ranges* are in doubt."""
        if self.mode.chance == "barrier":
            return ids
        tried = [0]

        def good(action: int) -> bool:
            if ranges and not any(low <= action < high for low, high in ranges):
                return True
            return self._possible(s, k, action, tried)

        return [a for a in ids if good(a)]

    def _possible(self, s: State, k: Frame, action: int, tried: list[int]) -> bool:
        tried[0] += 1
        if tried[0] > MOST_TRIED:
            return True
        trial = s.scratch()
        seat = s.turn if s.turn >= 0 else k[3]
        trial.ans = action
        code = trial.code
        try:
            frame: Frame | None = k
            while frame is not None:
                frame = code.code[frame[0]](trial, frame)
        except (Barrier, Over):
            return True
        except Dead:
            return False
        if trial.turn != seat or trial.k is None:
            return True
        try:
            answers = trial.legal_actions()
        except RuleError:
            return False
        return any(self._possible(trial, trial.k, a, tried) for a in answers)

    # -------------------------------------------------------------------------------------- cells

    def start_cell(self, s: State, number: int, me: int, arguments: tuple[Any, ...]) -> Frame | None:
        """Return the parts of a frame for a printed script that may pause; one that may not is carried out."""
        if number == 0:
            s.ret = None
            return None
        if number in self.pausing:
            return (number, me, *arguments)
        s.ret = self.plain[number](s, me, *arguments)
        return None

    def perform_cell(self, s: State, number: int, me: int, arguments: tuple[Any, ...]) -> Any:
        """Carry out a printed script that may not pause."""
        return None if number == 0 else self.plain[number](s, me, *arguments)


def class_name(program: dict[str, Any], spec: tuple[str, int, int]) -> str:
    """Return the name of a class of tokens: its row, or its kind; with its owner's name if it has one."""
    kind, row, owner = spec
    name: str = program["entities"][row] if row >= 0 else kind
    return name if owner < 0 else f"{name} of {program['players']['seats'][owner]}"


def part_done(s: State, k: Frame) -> None:
    """What one player was asked at the same time as others is answered, or a rule begun by itself is done."""
    s.k = None
    s.turn, s.legal = NOBODY_TURN, []


def skips(s: State, number: int) -> bool:
    """Say whether a phase is passed over on the way to where a scenario begins."""
    target: int | None = s.story.target
    if target is None:
        return False
    if number == target:
        s.story.target = None
        return False
    return number not in s.story.path


def no_action(s: State, me: int, *arguments: Any) -> list[int]:
    """Nothing is printed there."""
    return []


def nowhere(*values: Any) -> bool:
    """A value is in none of the things it might be in."""
    return False


def make_code(program: dict[str, Any], layout: Layout, asks: AskTable, mode: Mode, effects: Effects) -> Code:
    """Make the code of a program for one layout and mode."""
    return Code(Builder(program, layout, asks, mode), effects)
