"""A state: a position, and the record of how it came about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from interpreter import arguments
from interpreter.cells import Cells
from interpreter.errors import Error, IllegalActionError, RuleError, SettingError
from interpreter.faults import UNFIT, in_rules, message_of, place_of
from interpreter.layout import (
    CHANCES,
    DECISIONS,
    NOBODY_TURN,
    TRUNCATED,
    TURN,
)

if TYPE_CHECKING:
    from interpreter.explanation import Explanation
    from interpreter.game import Game
    from interpreter.specialise.code import Code

CHANCE, SIMULTANEOUS, TERMINAL = -1, -2, -4
MOST_STEPS = 100_000
"""Loop turns, rule calls and moved tokens of one decision: far more than any game needs, and soon over."""


class State(Cells):
    """One position of a game and its record. Made by `Game.new_initial_state`; changed only by applying actions.

    The states of a program are of a class of their own, made for its code (`stepping`): that has what is asked at every
    node of a search, which is only declared here.
    """

    __slots__ = ("ans", "ret", "steps")

    ans: Any
    ret: Any
    steps: int
    code: Code

    @classmethod
    def of(cls, v: list[Any], start: dict[str, Any]) -> State:
        """Return a state of these cells; what it starts from is written into them."""
        s = cls()
        s.v, s.start = v, start
        s.ans = s.ret = None
        s.steps = MOST_STEPS
        return s

    def __dir__(self) -> list[str]:
        """Return the names that callers use; those of cells are the runtime's own."""
        inner = {name for name in (*vars(Cells), *State.__slots__) if not name.startswith("_")}
        return [name for name in super().__dir__() if name not in inner]

    @property
    def game(self) -> Game:
        """The game this is a state of."""
        return self.code.game

    @property
    def explicit(self) -> bool:
        """Whether chance is surfaced."""
        chance: str = self.code.mode.chance
        return chance == "explicit"

    # ------------------------------------------------------------------------------------- who

    def num_players(self) -> int:
        """Return how many play."""
        return self.code.layout.players

    def current_player(self) -> int:
        """Return the seat that decides, or CHANCE, SIMULTANEOUS or TERMINAL."""
        raise NotImplementedError

    def is_terminal(self) -> bool:
        """Say whether the game is over (by its rules, or cut off at its limit)."""
        raise NotImplementedError

    def is_truncated(self) -> bool:
        """Say whether the game was cut off at its limit of decisions."""
        return bool(self.v[TRUNCATED])

    def is_chance_node(self) -> bool:
        """Say whether chance is to be decided (explicit mode only)."""
        raise NotImplementedError

    def is_simultaneous_node(self) -> bool:
        """Say whether players answer at the same time, each once or still."""
        return self.v[TURN] == SIMULTANEOUS  # type: ignore[no-any-return]

    def pending_players(self) -> list[int]:
        """Return the seats that are asked now, in order."""
        if self.over or self.turn == CHANCE:
            return []
        if self.sim is not None:
            return sorted(seat for seat, k, _ in self.sim if k is not None)
        return [] if self.turn == NOBODY_TURN else [self.turn]

    def seat(self, player: Any, error: type[Error] = SettingError) -> int:
        """Return the number of a seat that plays; raise an error where there is none such."""
        return arguments.seat(player, self.game.seats[: self.code.layout.players], error)

    # --------------------------------------------------------------------------------- actions

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the ids of the actions offered to a seat, ascending; without a seat, to the lowest pending one.

        At a chance node, the outcomes. [] for a seat that is not asked; SettingError for one that there is not.
        """
        raise NotImplementedError

    def _list_actions(self, player: int | None) -> list[int]:
        """List actions where nothing is at hand."""
        if player is not None:
            player = self.seat(player)
        if self.over or self.turn == NOBODY_TURN:
            return []
        if self.turn == CHANCE:
            return list(self.v[CHANCES].ids) if player is None else []
        if self.turn == SIMULTANEOUS:
            return list(self._legal_at_once(player))
        if player is not None and player != self.turn:
            return []
        with in_rules(self.rule_error):
            legal = self.code.list_waiting(self)
        if not legal:
            raise self.code.dead_end(self)
        self.legal = legal
        return list(legal)

    def _legal_at_once(self, player: int | None) -> list[int]:
        seat = self.pending_players()[0] if player is None else player
        k = next((k for s, k, _ in self.sim if s == seat), None)
        if k is None:
            return []
        outer, self.k = self.k, k
        try:
            with in_rules(self.rule_error):
                legal = self.code.list_waiting(self)
            if not legal:
                raise self.code.dead_end(self)
            return legal
        finally:
            self.k = outer

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        """Return 1 for each action offered and 0 for each other, by id."""
        mask = [0] * (self.game.max_chance_outcomes() if self.is_chance_node() else self.game.num_distinct_actions())
        for action in self.legal_actions(player):
            mask[action] = 1
        return mask

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return (outcome, probability) of the chance event that waits."""
        raise NotImplementedError

    def apply_action(self, action: int, player: int | None = None) -> None:
        """Apply an action, or an outcome at a chance node.

        Raises IllegalActionError, which leaves the state as it was, or RuleError when a rule cannot be carried out.
        """
        raise NotImplementedError

    def _checked(self, action: Any, player: Any) -> tuple[int, int | None, list[int] | None]:
        """Return an action and a seat that there are, and what may be answered: None where several answer at once."""
        if type(action) is not int:
            action = arguments.whole(action, "an action", IllegalActionError)
        if player is not None:
            player = self.seat(player, IllegalActionError)
        return action, player, None if self.turn == SIMULTANEOUS else self.legal_actions(player)

    def _cut_off(self) -> None:
        """The limit of decisions is reached; chance that is under way is told first."""
        if self.turn != CHANCE:
            self.truncated = True
            self.finish()

    def _refuse(self, action: int, player: int | None) -> None:
        seat = self.turn if player is None else player
        if seat >= 0 and not self.over and self.turn != CHANCE:
            raise IllegalActionError(self.explain(action, seat).text())
        chance = "it is no outcome of this chance event" if player is None else "chance decides now"
        raise IllegalActionError(f"{action} is not offered: {'the game is over' if self.over else chance}")

    def rule_error(self, fault: BaseException) -> RuleError:
        """Return the error of a rule, with the rule and its place taken from where it happened."""
        place = place_of(fault.__traceback__, self.game.program)
        if place is None and isinstance(fault, UNFIT):
            raise fault  # it is in no rule: a fault of ours
        if place is None:
            return RuleError(message_of(fault))
        return RuleError(message_of(fault), self.game.rule_at(place), place[:3])

    def _apply_at_once(self, action: int, player: int | None) -> None:
        seat = self.pending_players()[0] if player is None else player
        if action not in self._legal_at_once(seat):
            raise IllegalActionError(self.explain(action, seat).text())
        self.record = (self.record, (seat, action))
        self.decisions += 1
        if self.story is not None:
            self.story.answered(self, seat, action)
        entries = list(self.sim)
        at = next(i for i, entry in enumerate(entries) if entry[0] == seat)
        outer, self.ans, self.steps = self.k, action, MOST_STEPS
        try:
            with in_rules(self.rule_error):
                entries[at] = self.code.advance(self, seat, entries[at][1])
        finally:
            self.k = outer
        self.legal = None
        if any(k is not None for _, k, _ in entries):
            self.sim, self.turn = tuple(entries), SIMULTANEOUS
            return
        self.sim, self.turn = None, NOBODY_TURN
        if self.story is not None:
            self.story.revealed(self)
        self.ret = tuple(ret for _, _, ret in entries)
        self.steps = MOST_STEPS
        with in_rules(self.rule_error):
            self.code.run(self, self.k)
        if self.v[DECISIONS] >= self.code.limit and not self.over:
            self._cut_off()

    def apply_actions(self, actions: Sequence[int]) -> None:
        """Apply one part of every pending seat's answer; entries of seats not asked are ignored."""
        seats = self.pending_players()
        if not seats:
            raise IllegalActionError("nobody is asked now: " + ("the game is over" if self.over else "chance decides"))
        arguments.answers(actions)
        if len(actions) != self.num_players():
            raise IllegalActionError(f"{len(actions)} answers for {self.num_players()} seats: there is one for each")
        for seat in seats:
            if actions[seat] not in self.legal_actions(seat):
                raise IllegalActionError(self.explain(actions[seat], seat).text())
        for seat in seats:
            self.apply_action(actions[seat], seat)

    def child(self, action: int) -> State:
        """Return a new state in which the action has been applied."""
        state = self.clone()
        state.apply_action(action)
        return state

    def clone(self, reseed: int | None = None) -> State:
        """Return an independent copy; with *reseed*, its chance takes another course."""
        raise NotImplementedError

    def __copy__(self) -> State:
        return self.clone()

    def __deepcopy__(self, memo: Any) -> State:
        return self.clone()

    def reseed(self, seed: int) -> None:
        """From here on chance takes another course."""
        self.seed, self.counter = arguments.whole(seed, "a seed") & 0xFFFFFFFFFFFFFFFF, 0

    def scratch(self) -> State:
        """Return a copy for looking ahead: it stops at chance and at what is hidden."""
        s = self.clone()
        s.run_by(self.game.code_for(self.code.layout, "barrier", False))
        s.legal = s.story = None
        return s

    def run_by(self, code: Code) -> None:
        """Go on with the code of another way of running; frames mean the same in all of them."""
        self.__class__ = code.states
        self.look = None

    def finish(self, frame: object = None) -> None:
        """End the game; it takes a frame as what is run next does."""
        raise NotImplementedError

    # -------------------------------------------------------------------------------- results

    def scores(self) -> list[int]:
        """Return each player's score so far (omniscient)."""
        with in_rules(self.rule_error):
            return [self.game.score(self, p) for p in range(self.num_players())]

    def ranking(self) -> list[int]:
        """Return each player's place, from 1; equal places are shared (omniscient)."""
        with in_rules(self.rule_error):
            return self.game.ranking(self)

    def returns(self) -> list[float]:
        """Return each player's payoff; 0 while the game goes on."""
        if not self.over:
            return [0.0] * self.num_players()
        with in_rules(self.rule_error):
            return self.code.results.returns(self.v, self.v[TRUNCATED])

    def rewards(self) -> list[float]:
        """Return what the last action brought: the returns when the game ends, else 0."""
        return self.returns()

    # ------------------------------------------------------------------------------------ record

    def entries(self) -> list[Any]:
        """Return the record: answers, outcomes and (seat, answer) given at the same time, in order."""
        found = []
        at = self.record
        while at is not None:
            at, entry = at
            found.append(entry)
        return found[::-1]

    def history(self) -> list[int]:
        """Return all actions and outcomes applied so far, in order."""
        return [entry[1] if isinstance(entry, tuple) else entry for entry in self.entries()]

    def tracked(self) -> State:
        """Return this state with its story (knowledge, events, what each player was shown), told from its start."""
        if self.story is None:
            self.game.tell_story(self)
        return self

    def events(self, player: int | None = None) -> list[dict[str, Any]]:
        """Return what happened so far: all of it (omniscient), or as one player saw it."""
        seat = None if player is None else self.seat(player)
        story = self.tracked().story
        return cast("list[dict[str, Any]]", story.seen_by(seat))

    def can_undo(self, player: int) -> tuple[bool, str | None]:
        """Say whether a player may take back his last decision, or the first event that makes it unfair."""
        return self.game.can_undo(self, self.seat(player))

    def undo(self, player: int) -> State:
        """Return the state before a player's last decision.

        Raises IllegalActionError when he has made none.
        """
        return self.game.undone(self, self.seat(player))

    # ------------------------------------------------------------------------------------- texts

    def action_to_string(self, action: int, lang: str | None = None) -> str:
        """Return an action as a reader of this language would say it; without one, in notation."""
        return self.game.notation.action_text(self, action, lang)

    def action_to_dict(self, action: int) -> dict[str, Any]:
        """Return an action as data: the rule and the values by name."""
        return self.game.notation.action_dict(self, action)

    def string_to_action(self, text: str) -> int:
        """Return the id of an action written in notation, or as a text of the actions now offered.

        Raises NotationError when the text names no action.
        """
        return self.game.notation.parse_action(self, text)

    def explain(self, action: int, player: int | None = None) -> Explanation:
        """Say which rule offers an action, or which condition keeps it from being offered."""
        known = arguments.action(action, self.game.num_distinct_actions())
        with in_rules(self.rule_error):
            return self.game.explain(self, known, None if player is None else self.seat(player))

    # -------------------------------------------------------------------------------- knowledge

    def observation(self, player: int) -> dict[str, Any]:
        """Return what a player sees now."""
        return self.game.knowledge.observation(self.tracked(), self.seat(player))

    def observation_string(self, player: int) -> str:
        """Return what a player sees now, as text; equal observations give equal texts."""
        return self.game.knowledge.observation_string(self.tracked(), self.seat(player))

    def observation_tensor(self, player: int) -> list[float]:
        """Return what a player sees now, as numbers in a fixed layout."""
        return self.game.knowledge.observation_tensor(self.tracked(), self.seat(player))

    def information_state_string(self, player: int) -> str:
        """Return all a player has been shown and asked so far, as text."""
        return cast(str, self.tracked().story.information(self, self.seat(player)))

    def information_state_key(self, player: int) -> str:
        """Return a short name for what a player has been shown and asked (BLAKE2b)."""
        return cast(str, self.tracked().story.key(self, self.seat(player)))

    def resample(self, player: int, rng: Any) -> State:
        """Return a state that player cannot tell from this one: what he does not know is dealt anew."""
        with in_rules(self.rule_error):
            return self.game.knowledge.resampled(self.tracked(), self.seat(player), rng)

    # --------------------------------------------------------------------------------- comparing

    def to_json(self) -> str:
        """Return position and record as canonical JSON; `Game.state_from_json` reads it back."""
        return self.game.notation.state_text(self)

    def position_hash(self) -> str:
        """Return the BLAKE2b of the position, the generator left out: equal positions, equal hashes, everywhere."""
        return self.game.notation.position_hash(self)

    def final_digest(self) -> bytes:
        """Return the BLAKE2b of the position without knowledge and generator, and of the returns."""
        return self.game.notation.final_digest(self)

    def diff(self, other: State) -> list[str]:
        """Return what differs between two positions, a line each (omniscient)."""
        if not isinstance(other, State) or not self.game.same_rules(other.game):
            raise SettingError("only positions of one game, with the same rules, can be compared")
        return self.game.notation.difference(self, other)

    def save(self, origin: Any = None) -> str:
        """Return a save: settings, seed, actions and outcomes in notation, and the position.

        *origin*, any JSON value, is kept in it: where whoever writes it found the rules.
        """
        return self.game.save_text(self, origin)

    def check_invariants(self) -> list[str]:
        """Return the names of the invariants that do not hold (omniscient)."""
        with in_rules(self.rule_error):
            return self.game.broken_invariants(self)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, State)
            and self.game.same_rules(other.game)
            and self.position_hash() == other.position_hash()
        )

    def __hash__(self) -> int:
        return hash(self.position_hash())

    def __repr__(self) -> str:
        return f"<State of {self.game.name}, {len(self.history())} choices made, {self.current_player()} to decide>"

    def __reduce__(self) -> Any:
        return read_back, (self.game, self.to_json())


def read_back(game: Game, text: str) -> State:
    """Return a state from its game and its JSON."""
    return game.state_from_json(text)
