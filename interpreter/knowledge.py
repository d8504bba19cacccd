"""Who knows which token: what a player sees, as data, text and numbers, and worlds he cannot tell from this one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.chance import Bits, Generator, generator_from
from interpreter.errors import RuleError
from interpreter.layout import BAG, SINGLE, STACK
from interpreter.notation import canonical
from interpreter.position import chance_event, naming
from interpreter.runtime import Fault, Over
from interpreter.story import Story, seen_value
from interpreter.values import Values

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.layout import Layout
    from interpreter.state import State


MOST_DEALS = 200
"""How often hidden faces are dealt again where nobody could go on from them."""


class Knowledge:
    """Answers what players of one game know."""

    def __init__(self, game: Game) -> None:
        self.game = game

    # -------------------------------------------------------------------------------- observing

    def observation(self, state: State, player: int) -> dict[str, Any]:
        """Return what a player sees now, put together from nothing."""
        layout = state.code.layout
        labels = self._pool_numbers(state, player)
        return {
            "player": player,
            "current_player": state.current_player(),
            "pending": state.pending_players(),
            "active": state.v[0],
            "zones": {
                state.code.effects.slot_name(slot): self._slot(state, player, slot, labels)
                for slot in range(layout.slot_base, layout.slot_base + len(layout.slots))
            },
            "pools": self._pools(state, labels),
            "counters": {n: state.v[b.base : b.base + b.size + 1] for n, b in layout.counters.items()},
            "variables": self._variables(state, player),
            "lasting": self._lasting(state, player),
            "asked": [self.game.notation.action_notation(a) for a in state.legal_actions(player)]
            if player in state.pending_players()
            else [],
        }

    def _pool_numbers(self, state: State, player: int) -> list[int]:
        """Return a player's labels, pools numbered by what he sees of them: where their tokens lie, what is in them."""
        layout, v, know = state.code.layout, state.v, state.story.know[player]
        spots: dict[int, list[tuple[int, ...]]] = {label: [] for label in know if label}
        faces: dict[int, list[int]] = {label: [] for label in spots}
        for token in layout.tokens:
            label = know[token - layout.first_token]
            if label:
                slot, down = v[layout.where_base + token], v[layout.down_base + token]
                spot = (slot, self._rank_in(state, slot, token), down) if layout.sees_number(player, slot) else ()
                spots[label].append(spot)
                faces[label].append(layout.token_class[token - layout.first_token])
        ordered = sorted(spots, key=lambda label: (sorted(spots[label]), faces[label]))
        numbers = {label: n for n, label in enumerate(ordered, 1)}
        return [numbers.get(label, 0) for label in know]

    def _rank_in(self, state: State, slot: int, token: int) -> int:
        """Return a token's place in the known order of a slot, or -1."""
        layout, held = state.code.layout, state.v[slot]
        if not isinstance(held, tuple) or token in layout.loose(state.v, slot):
            return -1
        return held.index(token)

    def _value(self, state: State, player: int, kind: Any, value: Any) -> Any:
        """Return a value of a variable by name; tokens as this player sees them."""
        kinds = kind[1] if kind[0] == "set" else kind
        if kind == "bool" or kinds[0] not in ("kind", "opt"):
            return value
        if Values(state.code).is_token(kinds[1]):
            return seen_value(state, player, value)
        if self.game.program["kinds"].get(kinds[1], {}).get("sort") == "number":
            return value
        entities = self.game.program["entities"]
        if isinstance(value, tuple):
            return [entities[part] for part in value]
        return entities[value] if 0 <= value < len(entities) else value

    def _variables(self, state: State, player: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for variable in self.game.program["variables"]:
            block = state.code.layout.variables[variable["name"]]
            cells = state.v[block.base : block.base + block.size]
            found[variable["name"]] = [self._value(state, player, variable["type"], cell) for cell in cells]
        return found

    def _lasting(self, state: State, player: int) -> list[Any]:
        lasting = self.game.program["lasting"]
        return [
            [name, [self._value(state, player, kind, x) for kind, x in zip(lasting[name]["params"], values)], flag]
            for name, values, flag in state.v[state.code.layout.lasting_cell]
        ]

    def _slot(self, state: State, player: int, slot: int, labels: list[int]) -> Any:
        layout = state.code.layout
        mode = layout.slot_mode[slot - layout.slot_base]
        held = state.v[slot]
        tokens = [] if mode == SINGLE and held < 0 else [held] if mode == SINGLE else list(held)
        if not layout.sees_number(player, slot):
            return "?"
        known = state.v[layout.top_base + slot] if mode == BAG else len(tokens) if mode in (STACK, SINGLE) else 0
        texts = [self._token(state, player, t, labels) for t in tokens]
        loose = len(texts) - known
        return sorted(texts[:loose]) + texts[loose:]

    def _token(self, state: State, player: int, token: int, labels: list[int]) -> str:
        layout = state.code.layout
        i = token - layout.first_token
        down = " (face down)" if state.v[layout.down_base + token] else ""
        if labels[i]:
            return f"?{layout.token_kind[i]} {labels[i]}{down}"
        face = f" {state.v[layout.face_base + token]}" if token in state.code.faces else ""
        return state.code.program_name(token) + face + down

    def _pools(self, state: State, labels: list[int]) -> dict[str, list[str]]:
        layout = state.code.layout
        pools: dict[str, list[str]] = {}
        for token in layout.tokens:
            label = labels[token - layout.first_token]
            if label:
                name = state.code.program_name(token) + (" any face" if token in state.code.faces else "")
                pools.setdefault(str(label), []).append(name)
        return {label: sorted(names) for label, names in pools.items()}

    def observation_string(self, state: State, player: int) -> str:
        """Return what a player sees as canonical text."""
        return canonical(self.observation(state, player))

    def observation_tensor(self, state: State, player: int) -> list[float]:
        """Return what a player sees as numbers.

        Layout: for each slot, for each class a token there can have, how many are known to lie there, then how many
        unknown ones; then each counter cell, each variable cell, `active` and each pending seat as one number each.
        """
        layout, story = state.code.layout, state.story
        numbers: list[float] = []
        for i in range(len(layout.slots)):
            numbers += self._slot_numbers(state, layout, story, player, layout.slot_base + i)
        for block in layout.counters.values():
            numbers += [float(c) for c in state.v[block.base : block.base + block.size + 1]]
        for variable in self.game.program["variables"]:
            numbers += self._variable_numbers(state, variable)
        pending = state.pending_players()
        numbers.append(float(state.v[0]))
        return numbers + [float(p in pending) for p in range(layout.players)]

    def _variable_numbers(self, state: State, variable: dict[str, Any]) -> list[float]:
        """Return a variable's cells as numbers: of a set its size, of a token whether there is one."""
        block = state.code.layout.variables[variable["name"]]
        kind = variable["type"]
        is_token = kind != "bool" and kind[0] in ("kind", "opt") and Values(state.code).is_token(kind[1])
        return [
            float(len(cell)) if isinstance(cell, tuple) else float(cell >= 0) if is_token else float(cell)
            for cell in state.v[block.base : block.base + block.size]
        ]

    def _slot_numbers(self, state: State, layout: Layout, story: Story, player: int, slot: int) -> list[float]:
        zone = layout.zones[layout.slots[slot - layout.slot_base][0]]
        classes = [c for c, spec in enumerate(self.game.asks.classes) if spec[0] in zone.holds]
        counts = dict.fromkeys(classes, 0)
        unknown = 0
        held = state.v[slot]
        hidden = not layout.sees_number(player, slot)
        for token in () if hidden else held if isinstance(held, tuple) else (held,) if held >= 0 else ():
            i = token - layout.first_token
            if story.know[player][i]:
                unknown += 1
            else:
                counts[layout.token_class[i]] += 1
        return [*(float(counts[c]) for c in classes), float(unknown)]

    # ------------------------------------------------------------------------------- resampling

    def resampled(self, state: State, player: int, rng: int | Bits) -> State:
        """Return a state this player cannot tell from the given one: hidden faces dealt anew, answers redrawn.

        A deal under which a rule cannot be carried out, or somebody not be asked what he is asked now, is dealt again.
        """
        generator = generator_from(rng)
        for _ in range(MOST_DEALS):
            s = self._redealt(state, player, generator)
            if s is not None:
                break
        else:
            s = state.clone()
        self._begin_anew(s, player, generator)
        return s

    def _redealt(self, state: State, player: int, generator: Generator) -> State | None:
        """Return the state with what a player does not know dealt anew; None where nobody could go on from it."""
        s = state.clone()
        s.legal, s.look = ([] if s.over else None), None
        try:
            self._apply(s, self._deal(s, player, generator))
            self._reroll(s, player, generator)
            self._chances_anew(s)
            self._answer_anew(s, player, generator)
            s.legal, s.look = ([] if s.over else None), None
            possible = all(_can_answer(s, seat) for seat in s.pending_players())
        except (Fault, Over):
            return None
        return s if possible else None

    def _begin_anew(self, s: State, player: int, generator: Generator) -> None:
        """Start the record and the others' chains anew; replace the generator."""
        story: Story = s.story
        shown, keys = story.shown[player], story.keys[player]
        story.events = story.marks = None
        story.shown, story.keys = [None] * s.num_players(), [b""] * s.num_players()
        story.shown[player], story.keys[player] = shown, keys
        s.seed, s.counter = generator.getrandbits(64), 0
        s.record = None
        s.start = {key: value for key, value in s.start.items() if key not in ("scenario", "state")} | {"seed": s.seed}
        s.start = {**s.start, "state": s.clone()}

    def _deal(self, s: State, player: int, generator: Generator) -> dict[int, int]:
        """Return for each token of a pool the token that lies in its place now."""
        layout = s.code.layout
        pools: dict[int, list[int]] = {}
        for token in layout.tokens:
            label = s.story.know[player][token - layout.first_token]
            if label:
                pools.setdefault(label, []).append(token)
        change: dict[int, int] = {}
        for members in pools.values():
            left = list(members)
            for token in members:
                change[token] = left.pop(generator.below(len(left)))
        return change

    def _apply(self, s: State, change: dict[int, int]) -> None:
        layout, before = s.code.layout, s.v[:]

        def token(old: int) -> int:
            return change.get(old, old)

        Values(s.code).change_state(s, token)
        for slot in range(layout.slot_base, layout.slot_base + len(layout.slots)):
            s.v[slot] = self._dealt_slot(s, slot, before[slot], token)
        know = [labels[:] for labels in s.story.know]
        first = layout.first_token
        for old, new in change.items():
            s.v[layout.where_base + new] = before[layout.where_base + old]
            s.v[layout.down_base + new] = before[layout.down_base + old]
            for q, labels in enumerate(s.story.know):
                know[q][new - first] = labels[old - first]
        s.story.know = know
        s.story.in_view = frozenset((q, token(t)) for q, t in s.story.in_view)
        self._put_in_order(s)
        if not s.over:
            s.truth = s.code.truth_now(s.v)

    def _put_in_order(self, s: State) -> None:
        layout = s.code.layout
        for slot in range(layout.slot_base, layout.slot_base + len(layout.slots)):
            s.code.effects.sort_slot(s.v, slot)

    def _dealt_slot(self, s: State, slot: int, held: Any, token: Any) -> Any:
        layout = s.code.layout
        mode = layout.slot_mode[slot - layout.slot_base]
        if mode == SINGLE:
            return token(held) if held >= 0 else held
        dealt = [token(t) for t in held]
        return tuple(dealt)

    def _reroll(self, s: State, player: int, generator: Generator) -> None:
        for die, (low, high) in s.code.faces.items():
            if s.story.know[player][die - s.code.layout.first_token]:
                s.v[s.code.layout.face_base + die] = low + generator.below(high - low + 1)
        self._put_in_order(s)

    def _chances_anew(self, s: State) -> None:
        """Work out again what the chance event that waits may bring; the source of a draw lies in its frame."""
        if not s.is_chance_node():
            return
        kind, picked, held = chance_event(s)
        if kind == "draw":
            s.chances = s.code.effects.outcomes(s, held)
        elif kind == "pick" and s.code.layout.is_of_tokens(picked):
            s.chances = s.code.effects.heap_odds(s, held, naming(s))

    def _answer_anew(self, s: State, player: int, generator: Generator) -> None:
        """Draw the answers not yet revealed anew: others may have answered anything."""
        rule = Values(s.code).part_rule(s)
        if s.sim is None or rule is None:
            return
        given = s.story.hidden_answers
        s.story.hidden_answers = tuple(answer for answer in given if answer[0] == player)
        for seat, k, _ in s.sim:
            if seat != player:
                count = sum(1 for answer in given if answer[0] == seat) if k is not None else None
                entry = self._part_anew(s, self._part_start(s, rule, seat), seat, count, generator)
                s.sim = tuple(entry if each[0] == seat else each for each in s.sim)

    def _part_anew(self, s: State, start: Any, seat: int, count: int | None, generator: Generator) -> Any:
        """Return one seat's part answered anew, to its end or, if he is still asked, so many times."""
        trial = s.clone()
        entry = trial.code.advance(trial, seat, start)
        while entry[1] is not None and count != 0:
            trial.k = entry[1]
            options = trial.code.list_waiting(trial)
            if not options:
                raise Fault("no answer is left")
            trial.ans = options[generator.below(len(options))]
            following = trial.code.advance(trial, seat, trial.k)
            if count is not None and following[1] is None:
                break
            s.story.answered_hidden(s, seat, trial.ans)
            entry, count = following, None if count is None else count - 1
        return entry

    def _part_start(self, s: State, rule: str, seat: int) -> Any:
        """Return the frame a player's part begins with; what it knows of the outside is in every other part's."""
        number = s.code.numbers[rule]
        spec = s.code.program["rules"][rule]
        outer: tuple[Any, ...] = ()
        for _, k, _ in s.sim:
            at = k
            while at is not None and at[2] is not None and at[2][0] != 1:
                at = at[2]
            if at is not None:
                names = [n for n, _ in s.code.frames[(at[0], at[1])]]
                values = dict(zip(names, at[4:]))
                outer = tuple(values.get(f"l{i}", -1) for i in spec["outer"])
        return (number, 0, (1, 0, None, -1), seat, seat, *outer)


def _can_answer(s: State, seat: int) -> bool:
    """Say whether a seat has an answer."""
    try:
        return bool(s.legal_actions(seat))
    except RuleError:
        return False
