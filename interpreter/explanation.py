"""Why an action is offered, and why another is not: the first condition that fails, with its place and what it read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from interpreter.errors import RuleError
from interpreter.faults import place_of
from interpreter.formulas import faces_read, formula_text, readings, value_type
from interpreter.runtime import Barrier, Dead, Over
from interpreter.specialise.plans import Plan
from interpreter.words import word

if TYPE_CHECKING:
    from interpreter.actions import Ask
    from interpreter.game import Game
    from interpreter.state import State

MOST_DEEP = 20
"""How many decisions behind an action are looked through for what cannot be done."""

MOST_TRIED = 1000
"""How many answers are tried out for it, whatever their depth."""


@dataclass(frozen=True)
class Explanation:
    """Why an action is offered, or not.

    `condition` is the name of the condition that fails, or None; `evaluate()` works it out again, alone.
    """

    action: str
    offered: bool
    reason: str
    rule: str
    condition: str | None
    formula: str
    file: str
    line: int
    values: dict[str, Any] = field(default_factory=dict)
    test: Callable[[], bool] = field(default=lambda: False, compare=False, repr=False)
    end: str | None = None
    """Of an action that cannot be carried to its end: whether it is known where it `stands` (`formula` says why), that
    is not known (`no_end`), or the search was `given_up`."""

    def evaluate(self) -> bool:
        """Return the value of the condition by itself."""
        return bool(self.test())

    def text(self, lang: str | None = None) -> str:
        """Return the explanation as one sentence, with the place of the condition."""
        shown = self.formula or word(lang, "explain", "choosable")
        if self.end is not None:
            shown = word(lang, "explain", self.end, text=self.formula, count=MOST_TRIED)
        values = {"action": self.action, "rule": self.rule, "condition": self.condition, "text": shown}
        said = [word(lang, "explain", self.reason, **values)]
        if self.values:
            said.append(", ".join(word(lang, "explain", "value", name=n, value=v) for n, v in self.values.items()))
        if self.file:
            said.append(word(lang, "explain", "place", file=self.file, line=self.line))
        return "; ".join(said)


class _Asked:
    """The question a seat has before it: the rule, the values bound, who is `me`."""

    def __init__(self, game: Game, state: State, seat: int) -> None:
        self.game, self.state = game, state
        k = state.k if state.sim is None else next((k for s, k, _ in state.sim if s == seat), None)
        self.k = k
        self.what: tuple[Any, ...] = ()
        self.values: dict[int, Any] = {}
        self.kept: dict[str, Any] = {}
        self.me = self.seat = seat
        if k is not None:
            self.what = state.code.build.asked_at.get((k[0], k[1]), ())
            names = [name for name, _ in state.code.frames.get((k[0], k[1]), [])]
            self.kept = dict(zip(names, k[4:]))
            self.values = {int(n[1:]): v for n, v in self.kept.items() if n[0] == "l" and n[1:].isdigit()}
            self.me = k[3]

    def evaluate(self, tree: Any, values: dict[int, Any]) -> Any:
        """Return the value of a formula with these locals."""
        count = max(values, default=-1) + 1
        return self.game.evaluate(
            self.state.code, self.state.v, tree, tuple(values.get(i, -1) for i in range(count)), self.me
        )

    def reading(self, values: dict[int, Any], tree: Any) -> Any:
        """Return what a part of a condition is now, by name; `hidden` where the seat asked does not know it."""
        watched = _Watched(self.state.v)
        count = max(values, default=-1) + 1
        given = tuple(values.get(i, -1) for i in range(count))
        value = self.game.evaluate(self.state.code, watched, tree, given, self.me)
        return "hidden" if self._is_hidden(tree, watched.read) else self._named(tree, value)

    def _is_hidden(self, tree: Any, cells: set[int]) -> bool:
        layout, v = self.state.code.layout, self.state.v
        faces: set[str] = faces_read(self.game.program, tree, set())
        unseen = []
        for cell in sorted(cells):
            if 0 <= cell - layout.slot_base < len(layout.slots):
                if not layout.sees_number(self.seat, cell):
                    return True
                held = v[cell] if isinstance(v[cell], tuple) else (v[cell],)
                unseen += [t for t in held if t >= 0 and layout.slots[cell - layout.slot_base][0] in faces]
            elif cell - layout.face_base in layout.tokens:
                unseen.append(cell - layout.face_base)
        where, down = layout.where_base, layout.down_base
        unseen = [t for t in unseen if not layout.sees(self.seat, v[where + t], v[down + t])]
        if not unseen:
            return False
        known = (self.state if self.state.story is not None else self.state.clone().tracked()).story.know[self.seat]
        return any(known[t - layout.first_token] for t in unseen)

    def _named(self, tree: Any, value: Any) -> Any:
        """Return a value in the words of the game."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        kind = value_type(self.game.program, tree)
        if isinstance(kind, list) and kind[0] == "set" and isinstance(value, (tuple, list)):
            return [self._thing(kind[1], part) for part in value]
        return self._thing(kind, value)

    def _thing(self, kind: Any, value: Any) -> Any:
        spec = self.game.program["kinds"].get(kind[1], {}) if isinstance(kind, list) and len(kind) == 2 else {}
        if not isinstance(value, int) or spec.get("sort", "number") == "number":
            return list(value) if isinstance(value, tuple) else value
        if value in self.state.code.layout.tokens:
            return self.state.code.program_name(value)
        return self.game.program["entities"][value] if value >= 0 else "nothing"


class _Watched(list[Any]):
    """The cells of a position that note which of them are read."""

    def __init__(self, cells: list[Any]) -> None:
        super().__init__(cells)
        self.read: set[int] = set()

    def __getitem__(self, at: Any) -> Any:
        self.read.update(range(*at.indices(len(self))) if isinstance(at, slice) else (at,))
        return super().__getitem__(at)


def explain(game: Game, state: State, action: int, player: int | None) -> Explanation:
    """Return why an action is, or is not, offered to a player (the lowest pending seat where none is given)."""
    pending = state.pending_players()
    seat = player if player is not None else pending[0] if pending else -1
    ask = game.asks.ask_of(action)
    text = game.notation.action_notation(action)
    rule = game.program["rules"].get(ask.rule, {"at": ["", 0]})
    at = (rule["at"][0], rule["at"][1])
    if state.is_terminal():
        return Explanation(text, False, "over", ask.rule, None, "", *at)
    if seat in pending and action in state.legal_actions(seat):
        return Explanation(text, True, "offered", ask.rule, None, "", *at)
    asked = _Asked(game, state, seat)
    plan, number, values, part = _question(game, asked, ask)
    if seat not in pending or part is None:
        return Explanation(text, False, "not_asked", ask.rule, None, "", *at)
    return _first_failing(game, asked, ask, action, plan, number, values, part, text, at)


def _question(game: Game, asked: _Asked, ask: Ask) -> tuple[Plan | None, int, dict[int, Any], Any]:
    """Return the plan, part number, values and part of the question an action belongs to, if it is asked now."""
    build = asked.state.code.build
    match asked.what:
        case ("choose", statement) if statement["part"]["ask"] == ask.name:
            return None, 0, asked.values, statement["part"]
        case ("part", name, number) if build.plan(name).parts[number]["ask"] == ask.name:
            return build.plan(name), number, asked.values, build.plan(name).parts[number]
        case ("offer", statement):
            for entry in statement["actions"]:
                names = (
                    [entry["rule"]] if "rule" in entry else list(game.program["cells"][entry["cell"]]["rules"].values())
                )
                if ask.rule in names and build.first_ask(ask.rule).name == ask.name:
                    values = {i: asked.evaluate(a, asked.values) for i, a in enumerate(entry["args"])}
                    plan = build.plan(ask.rule)
                    return plan, 0, values, plan.parts[0] if plan.parts else {"vars": [], "set": None}
    return None, 0, {}, None


def _first_failing(
    game: Game, asked: _Asked, ask: Ask, action: int, plan: Plan | None, number: int,
    values: dict[int, Any], part: Any, text: str, at: tuple[str, int],
) -> Explanation:  # fmt: skip
    """Return the first condition that keeps an action of the question asked from being offered."""
    for stage in (-1,) if plan is not None else ():
        found = _failing_condition(asked, plan, stage, values, text, ask.rule, at)
        if found is not None:
            return found
    worlds = _values_of(game, asked, ask, action, part, values)
    if not worlds:
        name = f"{ask.rule}.{ask.variables[0]}" if ask.variables else ask.rule
        tree = _membership(part)
        shown = formula_text(game.program, ask.rule, tree) if tree is not None else ""
        return Explanation(
            text,
            False,
            "fails",
            ask.rule,
            name,
            shown,
            *at,
            {},
            lambda: bool(_values_of(game, asked, ask, action, part, values)),
        )
    failing_set = _failing_set(asked, ask, part, worlds[0], text, at)
    if failing_set is not None:
        return failing_set
    for stage in range(number, number + 1) if plan is not None else ():
        failing = [_failing_condition(asked, plan, stage, world, text, ask.rule, at) for world in worlds]
        if all(f is not None for f in failing):
            first = failing[0]
            assert first is not None
            return first
    return _cannot_end(game, asked, ask, action, text, at)


def _cannot_end(game: Game, asked: _Asked, ask: Ask, action: int, text: str, at: tuple[str, int]) -> Explanation:
    """The action could begin but not be carried to its end: name the rule in which it comes to a stand, and where."""
    state = asked.state
    search = _Search(asked)
    found = search.obstacle(state, asked.k, action)
    rule, said, place = found or (ask.rule, "", at)
    end = "stands" if found else "no_end" if search.left else "given_up"
    return Explanation(
        text, False, "fails", ask.rule, rule, said, *place, {}, lambda: action in state.legal_actions(asked.seat), end
    )  # fmt: skip


class _Search:
    """Looks for the rule that comes to a stand behind an action, through so many decisions and no more."""

    def __init__(self, asked: _Asked) -> None:
        self.asked, self.left = asked, MOST_TRIED

    def obstacle(self, state: State, k: Any, action: int, depth: int = 0) -> tuple[str, str, tuple[str, int]] | None:
        """Return the rule, what is said there, and the place; None where nothing was found, or the search given up."""
        if self.left == 0:
            return None
        self.left -= 1
        trial = state.scratch()
        trial.ans = action
        program = self.asked.game.program
        try:
            while k is not None:
                k = trial.code.code[k[0]](trial, k)
            if trial.k is None or depth > MOST_DEEP:
                return None
            answers = trial.legal_actions()
        except (Barrier, Over):
            return None
        except Dead as fault:
            place = place_of(fault.__traceback__, program)
            return None if place is None else (self.asked.game.rule_at(place), str(fault), place[:2])
        except RuleError as error:
            return (
                (error.rule, error.message, (str(error.at[0]), int(str(error.at[1]))))
                if error.rule and error.at
                else None
            )
        found = (self.obstacle(trial, trial.k, each, depth + 1) for each in answers)
        return next((each for each in found if each is not None), None)


def _failing_condition(
    asked: _Asked, plan: Plan | None, stage: int, values: dict[int, Any], text: str, rule: str, at: tuple[str, int]
) -> Explanation | None:
    assert plan is not None
    named = [(f"{rule}.{i['name']}", i["when"], i["at"]) for i in plan.rule["ifs"]]
    named += [(f"{rule}.{part}", tree, place) for part, tree, place in plan.needs.conditions]
    for name, tree, place in named:
        if plan.stage(tree) == stage and not asked.evaluate(tree, values):
            shown = formula_text(asked.game.program, rule, tree)
            read = readings(asked.game.program, rule, tree, set(values), partial(asked.reading, values))
            file, line = (place[0], place[1]) if isinstance(place[0], str) else (at[0], place[0])
            test = partial(asked.evaluate, tree, values)
            return Explanation(text, False, "fails", rule, name, shown, file, line, read, test)
    return None


def _membership(part: Any) -> Any:
    """Return a part's own condition as one formula."""
    if not part["vars"]:
        return None
    variable = part["vars"][-1]
    inside = ["in", ["local", variable["local"]], variable["in"]]
    return inside if variable["where"] is None else ["and", inside, variable["where"]]


def _values_of(
    game: Game, asked: _Asked, ask: Ask, action: int, part: Any, values: dict[int, Any]
) -> list[dict[int, Any]]:
    """Return the values of a part's variables an action can mean: those that its own conditions allow."""
    if part["set"]:
        return _set_values(game, asked, ask, action, part, values)
    wanted = list(game.asks.values(action)) if ask.domains else []
    worlds = [values]
    for i, variable in enumerate(part["vars"]):
        found = []
        for world in worlds:
            for member in asked.evaluate(variable["in"], world):
                inner = {**world, variable["local"]: member}
                if variable["where"] is not None and not asked.evaluate(variable["where"], inner):
                    continue
                if _means(asked.state, ask.forms[i], wanted[i], member):
                    found.append(inner)
        worlds = found
    return worlds


def _means(state: State, form: str, wanted: Any, member: Any) -> bool:
    """Say whether a domain's value stands for a member."""
    layout = state.code.layout
    if form in ("kind", "int", "bool"):
        return bool(wanted == member)
    number = layout.token_class[member - layout.first_token]
    slot = layout.slots[state.v[layout.where_base + member] - layout.slot_base]
    if form in ("class", "face"):
        classes = state.game.asks.classes
        shown = len(wanted) < 3 or wanted[2] == state.v[layout.face_base + member]
        same = wanted[1] == number or (form == "face" and classes[wanted[1]][:2] == classes[number][:2])
        return bool(same and shown)
    return bool((wanted[1], wanted[2]) == slot and (form == "slot" or wanted[3] == number))


def _set_values(
    game: Game, asked: _Asked, ask: Ask, action: int, part: Any, values: dict[int, Any]
) -> list[dict[int, Any]]:
    """Return the values with the set a whole answer means; an item is possible if the set can be completed with it."""
    if ask.whole is None:
        return [values] if action in asked.state.legal_actions(asked.seat) else []
    variable, chosen = part["vars"][0], part["set"]
    left = [m for m in asked.evaluate(variable["in"], values) if _fits(asked, variable, values, m)]
    members = []
    for wanted in game.asks.values(action)[0]:
        member = next((m for m in left if _means(asked.state, ask.forms[0], wanted, m)), None)
        if member is None:
            return []
        left.remove(member)
        members.append(member)
    if len(members) < asked.evaluate(chosen["min"], values):
        return []
    if chosen["max"] is not None and len(members) > asked.evaluate(chosen["max"], values):
        return []
    return [{**values, chosen["local"]: tuple(sorted(members))}]


def _fits(asked: _Asked, variable: Any, values: dict[int, Any], member: int) -> bool:
    where = variable["where"]
    return where is None or bool(asked.evaluate(where, {**values, variable["local"]: member}))


def _failing_set(
    asked: _Asked, ask: Ask, part: Any, values: dict[int, Any], text: str, at: tuple[str, int]
) -> Explanation | None:
    """Return the condition on a set as a whole where that is what fails."""
    tree = part["set"]["such_that"] if part["set"] and ask.whole is not None else None
    if tree is None or asked.evaluate(tree, values):
        return None
    program, name = asked.game.program, f"{ask.rule}.{ask.variables[0]}"
    read = readings(program, ask.rule, tree, set(values), partial(asked.reading, values))
    shown = formula_text(program, ask.rule, tree)
    return Explanation(text, False, "fails", ask.rule, name, shown, *at, read, partial(asked.evaluate, tree, values))
