"""A game ready to be played: its program, and the code made of it. Immutable, and shared by threads."""

from __future__ import annotations

import ast
import threading
from functools import cached_property
from typing import TYPE_CHECKING, Any

from interpreter import arguments
from interpreter import knowledge as knowledge_module
from interpreter import notation as notation_module
from interpreter.actions import AskTable
from interpreter.chance import Bits
from interpreter.errors import IllegalActionError, ProgramError, SettingError, in_words
from interpreter.explanation import Explanation, explain
from interpreter.faults import FAULTS, Place
from interpreter.layout import BAG, BLANK, FIRST_CELL, LOOSE, NOTHING, SINGLE, START, Layout
from interpreter.program import Program, check_program, format_program, parse_program
from interpreter.rule_places import RulesByPlace
from interpreter.runtime import Effects
from interpreter.saves import Loaded, read_save, save_text
from interpreter.specialise import Code, Mode, make_code
from interpreter.specialise.cells import slot
from interpreter.specialise.code import DEFAULT_LIMIT
from interpreter.specialise.makers import make
from interpreter.specialise.quote import function, place
from interpreter.specialise.scope import Scope
from interpreter.state import State
from interpreter.stepping import states_of
from interpreter.story import Story, TrackedEffects, asked_zones
from interpreter.validity import validate_program

if TYPE_CHECKING:
    from collections.abc import Callable


NOT_CODE = (LookupError, TypeError, ValueError, AttributeError, AssertionError, RecursionError, SyntaxError)
"""What making code of a program raises that does not fit together."""


class Game:
    """The rules of one game, with its variants, ready to be played."""

    def __init__(self, program: Program, is_strange: bool = False) -> None:
        self.program = check_program(program)
        self.is_strange = is_strange
        """Whether the program comes from elsewhere: what cannot be made of it is then its fault and not ours."""
        self.name: str = program["game"]
        self.variants: list[str] = list(program["variants"])
        self.seats: list[str] = list(program["players"]["seats"])
        self.asks = AskTable(program)
        self.limit: int = program["limits"].get("decisions", DEFAULT_LIMIT)
        self.notation = notation_module.Notation(self)
        self.knowledge = knowledge_module.Knowledge(self)
        self._layouts: dict[Any, Layout] = {}
        self._codes: dict[Any, Code] = {}
        self._starts: dict[Any, State] = {}
        self._functions: dict[Any, Callable[..., Any]] = {}
        self._lock = threading.RLock()

    def __getstate__(self) -> Any:
        return self.program

    def __setstate__(self, program: Program) -> None:
        self.__init__(program)  # type: ignore[misc]

    def __deepcopy__(self, memo: Any) -> Game:
        return self

    def __repr__(self) -> str:
        return f"<Game {self.name}{''.join(' + ' + v for v in self.variants)}>"

    def same_rules(self, other: Game) -> bool:
        """Say whether another game has the same rules."""
        return self is other or bool(self.program["rules_hash"] == other.program["rules_hash"])

    # -------------------------------------------------------------------------------- settings

    def settings(self, players: int | None, options: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Return number of players and options as the program holds them, or raise SettingError."""
        bounds = self.program["players"]
        count = bounds["default"] if players is None else players
        count = arguments.whole(count, "a number of players")
        if not bounds["min"] <= count <= bounds["max"]:
            allowed = " to ".join(str(n) for n in sorted({bounds["min"], bounds["max"]}))
            raise SettingError(f"{self.name} is for {allowed} players, not {arguments.shown(count)}")
        if not isinstance(options, dict):
            raise SettingError(f"options are given by name, `{{name: value}}`, not as {arguments.shown(options)}")
        known = {o["name"]: o for o in self.program["options"]}
        chosen = {name: o["default"] for name, o in known.items()}
        for name, value in options.items():
            if name not in known:
                listed = ", ".join(f"`{n}`" for n in known) or "none"
                raise SettingError(f"{self.name} has no option `{name}`; its options: {listed}")
            chosen[name] = self._option_value(known[name], value)
        return count, chosen

    def _option_value(self, option: dict[str, Any], value: Any) -> Any:
        for allowed, name in zip(option["values"], option["names"]):
            if str(value) == name or (value == allowed and type(value) is type(allowed)):
                return allowed
        names = option["names"]
        listed = f"{names[0]} to {names[-1]}" if len(names) > 8 else ", ".join(names)
        raise SettingError(f"option `{option['name']}` cannot be {arguments.short(str(value))}; it may be {listed}")

    def option_names(self, options: dict[str, Any]) -> dict[str, str]:
        """Return options with their values as names."""
        by_name = {o["name"]: o for o in self.program["options"]}
        return {n: by_name[n]["names"][_index(by_name[n]["values"], v)] for n, v in sorted(options.items())}

    def layout_for(self, players: int, options: dict[str, Any], extra: tuple[tuple[int, int], ...] = ()) -> Layout:
        """Return the layout for a number of players, options and extra tokens, made once."""
        key = (players, tuple(sorted((n, repr(v)) for n, v in options.items())), extra)
        with self._lock:
            if key not in self._layouts:
                layout = Layout(self.program, players, options, extra)
                layout.key = key  # type: ignore[attr-defined]
                self._layouts[key] = layout
            return self._layouts[key]

    def code_for(self, layout: Layout, chance: str, events: bool, skips: bool = False) -> Code:
        """Return the code for a layout and way of running, made once."""
        key = (layout.key, chance, events, skips)  # type: ignore[attr-defined]
        with self._lock:
            if key not in self._codes:
                effects = TrackedEffects(layout) if events else Effects(layout)
                code = self._make(layout, Mode(chance, events, skips), effects)
                code.game = self
                code.states = states_of(code)
                if isinstance(effects, TrackedEffects):
                    effects.attach(code)
                self._codes[key] = code
            return self._codes[key]

    def _make(self, layout: Layout, mode: Mode, effects: Effects) -> Code:
        """Return new code; of a stranger's program it may be that none can be made."""
        try:
            return make_code(self.program, layout, self.asks, mode, effects)
        except NOT_CODE as fault:
            if self.is_strange:
                raise ProgramError(f"no code can be made of this compiled program: {in_words(fault)}") from fault
            raise

    # ---------------------------------------------------------------------------------- states

    def new_initial_state(
        self,
        players: int | None = None,
        seed: int = 0,
        options: dict[str, Any] | None = None,
        chance: str = "sampled",
    ) -> State:
        """Return the state before the first decision.

        Raises SettingError, saying what is allowed, for a number of players, option or chance mode there is not.
        """
        if type(seed) is not int:
            seed = arguments.whole(seed, "a seed")
        if chance == "explicit" and not options and (players is None or type(players) is int):
            first = self._starts.get(players)
            if first is not None:
                return first.clone() if seed == first.v[START]["seed"] else self._reseeded(first, seed)
        if chance not in ("sampled", "explicit"):
            raise SettingError(f"chance is `sampled` or `explicit`, not `{arguments.short(str(chance))}`")
        count, chosen = self.settings(players, {} if options is None else options)
        state = self._fresh(count, chosen, seed, chance, False)
        if chance == "explicit" and not options:
            self._starts[players] = state.clone()
        return state

    def _reseeded(self, first: State, seed: int) -> State:
        """Return a copy of a first state, with another seed."""
        state = first.clone()
        state.start = {**state.start, "seed": seed}
        state.seed = seed & 0xFFFFFFFFFFFFFFFF
        return state

    def _fresh(self, players: int, options: dict[str, Any], seed: int, chance: str, events: bool) -> State:
        state = self.blank(players, options, seed, chance, events)
        try:
            state.code.begin_play(state)
        except FAULTS as fault:
            raise state.rule_error(fault) from fault
        return state

    def blank(
        self,
        players: int,
        options: dict[str, Any],
        seed: int,
        chance: str,
        events: bool,
        extra: tuple[tuple[int, int], ...] = (),
    ) -> State:
        """Return a state with everything at its start and nothing done."""
        layout = self.layout_for(players, options, extra)
        code = self.code_for(layout, chance, events)
        start = {"players": players, "options": options, "seed": seed, "chance": chance, "extra": extra}
        state = code.states.of(self._template(layout, code), start)
        state.seed = seed & 0xFFFFFFFFFFFFFFFF
        if events:
            state.story = Story.begun(state)
        return state

    def _template(self, layout: Layout, code: Code) -> list[Any]:
        """Return the cells before anything is done."""
        found = getattr(layout, "template", None)
        if found is None:
            found = self._make_template(layout, code)
            layout.template = found  # type: ignore[attr-defined]
        return list(found)

    def _make_template(self, layout: Layout, code: Code) -> list[Any]:
        v: list[Any] = [NOTHING] * layout.size
        v[:FIRST_CELL] = BLANK
        v[layout.lasting_cell], v[layout.quiet_cell] = (), 0
        for i, mode in enumerate(layout.slot_mode):
            v[layout.slot_base + i] = NOTHING if mode == SINGLE else ()
            v[layout.top_base + layout.slot_base + i] = 0
        for variable in self.program["variables"]:
            block = layout.variables[variable["name"]]
            v[block.base : block.base + block.size] = [self.start_value(layout, variable)] * block.size
        for counter in self.program["counters"]:
            counter_block = layout.counters[counter["name"]]
            value = self.evaluate(code, v, counter["start"])
            v[counter_block.base : counter_block.base + counter_block.size] = [value] * counter_block.size
            bank = counter["bank"]
            v[counter_block.base + counter_block.size] = 0 if bank is None else self.evaluate(code, v, bank)
        self._lay_tokens(layout, code, v)
        return v

    def _lay_tokens(self, layout: Layout, code: Code, v: list[Any]) -> None:
        for token in layout.tokens:
            kind = self.program["tokens"][layout.token_kind[token - layout.first_token]]
            cell = self.evaluate_slot(code, v, kind["start"], token)
            v[layout.where_base + token], v[layout.down_base + token] = cell, 0
            v[layout.face_base + token] = kind["faces"][0] if kind["faces"] else 0
            mode = layout.slot_mode[cell - layout.slot_base]
            if mode == SINGLE:
                v[cell] = token
            elif mode in (BAG, LOOSE):
                v[cell] = (*v[cell], token)
            else:
                v[cell] = (token, *v[cell])

    def start_value(self, layout: Layout, variable: dict[str, Any]) -> Any:
        """Return what a variable is set to at the start."""
        start = variable["start"]
        if start is not None:
            code = self.code_for(layout, "sampled", False)
            value = self.evaluate(code, [NOTHING] * layout.size, start)
            return tuple(value) if isinstance(value, (list, range)) else value
        kind = variable["type"]
        if kind == "bool":
            return False
        if kind[0] == "int":
            return kind[1]
        return () if kind[0] == "set" else NOTHING

    def evaluate(
        self, code: Code, v: list[Any], tree: list[Any], values: tuple[Any, ...] = (), me: int = NOTHING
    ) -> Any:
        """Return the value of a formula in a position, its first locals given."""
        return self._compiled(code, tree, len(values), False)(v, me, *values)

    def evaluate_slot(self, code: Code, v: list[Any], zone: dict[str, Any], token: int) -> int:
        """Return the slot a token's `starts_in` names."""
        cell = self._compiled(code, zone, 1, True)(v, NOTHING, token)
        assert isinstance(cell, int)
        return cell

    def _compiled(self, code: Code, tree: Any, count: int, is_slot: bool) -> Callable[..., Any]:
        key = (id(code), repr(tree), count)
        if key not in self._functions:
            with code.lock:
                scope = Scope(code.build, self.program["root"])
                names = [f"l{i}" for i in range(count)]
                value = slot(scope, tree) if is_slot else make(scope, tree)
                body = place([*scope.out, ast.Return(value)], 1, 1)
                code.build.compile(function("evaluate_", ["v", "me", *names], body), "")
                code.finish_wanted()
                self._functions[key] = code.build.space["evaluate_"]
        return self._functions[key]

    def state_from_json(self, text: str) -> State:
        """Read a state; raises ProgramError when the text is not one of this game."""
        return self.notation.parse_state(text)

    def load_save(self, text: str) -> State:
        """Read a save and verify it; `read_save` says besides whether it was made under other rules.

        Raises ProgramError where the text is no save of this game, SaveError naming the first difference.
        """
        return self.read_save(text).state

    def read_save(self, text: str) -> Loaded:
        """Read a save, run it again and verify it; `changes` of what it returns says how its rules differ."""
        return read_save(self, text)

    def save_text(self, state: State, origin: Any) -> str:
        """Return a save of a state."""
        return save_text(state, origin)

    # ----------------------------------------------------------------------------------- facts

    def num_distinct_actions(self) -> int:
        """Return how many action ids there are, over all player counts and settings."""
        return self.asks.count

    @cached_property
    def _most_outcomes(self) -> int:
        faces = [kind["faces"][1] + 1 for kind in self.program["tokens"].values() if kind["faces"]]
        text = repr(self.program["rules"])
        picked = len(self.program["entities"]) if "'op': 'pick'" in text else 0
        return int(max([len(self.asks.classes), picked, *faces, 1]))

    def max_chance_outcomes(self) -> int:
        """Return a number above every chance outcome."""
        return self._most_outcomes

    def max_game_length(self, players: int | None = None) -> int:
        """Return the most decisions in one game."""
        self.settings(players, {})
        return self.limit

    def num_players_range(self) -> tuple[int, int]:
        """Return the least and the greatest number of players."""
        return self.program["players"]["min"], self.program["players"]["max"]

    def min_utility(self) -> float:
        """Return the least payoff."""
        return float(self.program.get("returns_bounds", [-1, 1])[0])

    def max_utility(self) -> float:
        """Return the greatest payoff."""
        return float(self.program.get("returns_bounds", [-1, 1])[1])

    def utility_sum(self) -> float | None:
        """Return the sum of all payoffs where it is the same in all games, else None."""
        return 0.0 if self.program.get("returns") is None else None

    def observation_tensor_shape(self, players: int | None = None) -> list[int]:
        """Return the shape of observation tensors for a number of players."""
        state = self.new_initial_state(players)
        return [len(state.observation_tensor(0))]

    def to_json(self) -> str:
        """Return the compiled program; `interpreter.load_program` reads it back."""
        return format_program(self.program)

    def graph(self) -> Any:
        """Return the map as a networkx graph: the drawn one as its file has it, else the places and their neighbours.

        Raises SettingError for a game without a map.
        """
        import networkx

        if not self.program.get("map"):
            graph: Any = networkx.Graph()
            names = self.program["entities"]
            for column in self.program["columns"].values():
                if column["name"] == "neighbours":
                    kind = self.program["kinds"][column["kind"]]
                    places = [i for low, high in kind["ranges"] for i in range(low, high)]
                    graph.add_nodes_from(names[place] for place in places)
                    edges = ((names[a], names[b]) for a, near in zip(places, column["values"]) for b in near)
                    graph.add_edges_from(edges)
            if not graph:
                raise SettingError(f"{self.name} has no map")
            return graph
        read: Any = networkx.node_link_graph
        return read({"directed": False, "multigraph": True, "graph": {}, **self.program["map"]}, edges="edges")

    def rule_at(self, place: Place) -> str:
        """Return the rule a place lies in, as its author names it."""
        return self._rules_by_place.at(place)

    @cached_property
    def _rules_by_place(self) -> RulesByPlace:
        return RulesByPlace(self.program)

    # --------------------------------------------------------------------------------- results

    def score(self, state: State, player: int) -> int:
        """Return a player's score: the sum of the scoring items, or else the first key of the ranking."""
        return state.code.results.score(state.v, player)

    def call(self, state: State, rule: str, *values: Any) -> Any:
        """Return the value of a function of the game in a state."""
        return state.code.function(rule)(state.v, *values)

    def ranking(self, state: State) -> list[int]:
        """Return each player's place, from 1; equal on all keys share."""
        return state.code.results.places(state.v)

    def returns(self, state: State) -> list[float]:
        """Return each player's payoff at the end."""
        return state.code.results.returns(state.v, state.truncated)

    def broken_invariants(self, state: State) -> list[str]:
        """Return the names of the invariants that do not hold."""
        return [name for name in self.program["invariants"] if not self.call(state, name)]

    # ---------------------------------------------------------------------------------- stories

    def replay(self, state: State, entries: list[Any], events: bool = True) -> State:
        """Return a state of the same start to which these entries of a record have been applied."""
        again = self.restart(state.start, events)
        for entry in entries:
            if isinstance(entry, tuple):
                again.apply_action(entry[1], entry[0])
            else:
                again.apply_action(entry)
        if not state.explicit:
            again.run_by(self.code_for(state.code.layout, "sampled", events))
        again.seed, again.counter, again.start = state.seed, state.counter, state.start
        return again

    def restart(self, start: dict[str, Any], events: bool) -> State:
        """Return the state a record starts from, with chance to be told."""
        if "state" in start:
            return self.notation.restarted(start, events)
        if "scenario" in start:
            again: State = start["scenario"](self, events)
            return again
        return self._fresh(start["players"], start["options"], start["seed"], "explicit", events)

    def zones_asked(self, ask: str) -> frozenset[str]:
        """Return the zones the tokens of a question may lie in."""
        return self._asked_zones.get(ask, frozenset())

    @cached_property
    def _asked_zones(self) -> dict[str, frozenset[str]]:
        return asked_zones(self.program)

    def tell_story(self, state: State) -> None:
        """Give a state its story, by telling its record from the start."""
        told = self.replay(state, state.entries())
        state.v = told.v
        state.run_by(told.code)
        if state.turn >= 0 and not state.over:
            state.legal = None

    def can_undo(self, state: State, player: int) -> tuple[bool, str | None]:
        """Say whether a player may take back his last decision, or what makes it unfair."""
        story = state.tracked().story
        reason = story.unfair_since(player)
        return reason is None, reason

    def undone(self, state: State, player: int) -> State:
        """Return the state before a player's last decision (before the first part of his last action)."""
        story = state.tracked().story
        length = story.before_last(player)
        if length is None:
            raise IllegalActionError(f"{self.seats[player]} has made no decision to take back")
        return self.replay(state, state.entries()[:length])

    def explain(self, state: State, action: int, player: int | None) -> Explanation:
        """Say which rule offers an action, or which condition keeps it from being offered."""
        return explain(self, state, action, player)


def _index(values: list[Any], value: Any) -> int:
    return next(i for i, v in enumerate(values) if v == value and type(v) is type(value))


def load_program(text: str) -> Game:
    """Return the game of a compiled program. Raises ProgramError when the text is not one."""
    program = parse_program(text)
    validate_program(program)
    try:
        return Game(program, is_strange=True)
    except ProgramError:
        raise
    except Exception as fault:  # a stranger's text: whatever goes wrong with it is its fault
        raise ProgramError(f"this compiled program cannot be used: {in_words(fault)}") from fault


__all__ = ["Bits", "Game", "load_program"]
