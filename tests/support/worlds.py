"""Two worlds that a player cannot tell apart, made by play, for the tests that compare what he is given in both."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from interpreter import IllegalActionError, State
from interpreter.layout import BAG, SINGLE, STACK

Step = Callable[[State, random.Random], None]
Choice = tuple[int | None, int]


def may_see(seen_by: str, owner: int, player: int) -> bool:
    return seen_by == "all" or (seen_by == "owner" and owner == player)


def shown_token(state: State, slot: int, token: int, player: int) -> tuple[Any, ...]:
    """Return what the declaration of its zone lets a player see of a token."""
    layout = state.code.layout
    zone = layout.zones[layout.slots[slot - layout.slot_base][0]]
    number, down = token - layout.first_token, state.v[layout.down_base + token]
    seen_by = zone.face_down_seen_by if down else zone.seen_by
    behind = (layout.token_kind[number], down)
    if not may_see(seen_by, layout.slot_owner(slot), player):
        return behind
    return (*behind, layout.token_class[number], state.v[layout.face_base + token])


def shown_slot(state: State, slot: int, player: int) -> Any:
    """Return what the declaration of a zone lets a player see of one of its slots."""
    layout = state.code.layout
    zone = layout.zones[layout.slots[slot - layout.slot_base][0]]
    held, mode = state.v[slot], layout.slot_mode[slot - layout.slot_base]
    if not may_see(zone.number_seen_by, layout.slot_owner(slot), player):
        return None
    tokens = ([held] if held >= 0 else []) if mode == SINGLE else list(held)
    faces = [shown_token(state, slot, token, player) for token in tokens]
    ordered = {SINGLE: len(faces), STACK: len(faces), BAG: state.v[layout.top_base + slot]}.get(mode, 0)
    loose = len(faces) - ordered
    return (sorted(faces[:loose]), faces[loose:])


def shown_value(state: State, kind: Any, value: Any, player: int) -> Any:
    """Return a value of a variable; of a token, what may be seen of it where it lies."""
    if isinstance(value, tuple):
        return sorted(repr(shown_value(state, kind[1], part, player)) for part in value)
    is_thing = kind != "bool" and kind[0] in ("kind", "opt") and kind[1] in state.game.program["tokens"]
    if not is_thing or value < 0:
        return value
    slot = state.v[state.code.layout.where_base + value]
    return (slot, shown_token(state, slot, value, player))


def shown(state: State, player: int) -> Any:
    """Return all of a full state that a player may see by declaration."""
    layout, program = state.code.layout, state.game.program
    slots = range(layout.slot_base, layout.slot_base + len(layout.slots))
    lasting = state.v[layout.lasting_cell]
    return {
        "who": (state.current_player(), state.pending_players(), state.v[0], state.is_terminal()),
        "zones": [shown_slot(state, slot, player) for slot in slots],
        "counters": [state.v[b.base : b.base + b.size + 1] for b in layout.counters.values()],
        "variables": [
            [shown_value(state, variable["type"], cell, player) for cell in state.v[b.base : b.base + b.size]]
            for variable in program["variables"]
            for b in [layout.variables[variable["name"]]]
        ],
        "lasting": [
            (name, [shown_value(state, t, x, player) for t, x in zip(program["lasting"][name]["params"], values)])
            for name, values, _ in lasting
        ],
    }


def faces_shown(state: State, player: int) -> list[Any]:
    """Return the faces shown to a player so far, from the omniscient events."""
    return [event["what"] for event in state.events() if event["event"] == "show" and player in event["to"]]


def shown_on_the_way(state: State, player: int) -> list[Any]:
    """Return what has happened that the declarations may let a player see, from the omniscient events.

    Where a face was seen only if a token lay face up, it is counted as seen: two such worlds are not compared.
    """
    layout = state.code.layout
    slots = {
        state.code.effects.slot_name(slot): slot
        for slot in range(layout.slot_base, layout.slot_base + len(layout.slots))
    }

    def sees(name: str) -> bool:
        zone = layout.zones[layout.slots[slots[name] - layout.slot_base][0]]
        owner = layout.slot_owner(slots[name])
        return may_see(zone.seen_by, owner, player) or may_see(zone.face_down_seen_by, owner, player)

    found = []
    for event in state.events():
        places = [
            event[key] for key in ("from", "to", "die", "in") if isinstance(event.get(key), str) and event[key] in slots
        ]
        if event["event"] in ("chose", "show"):
            continue
        hidden = {"what", "value"} if places and not any(map(sees, places)) else set()
        hidden |= {"value"} if isinstance(event.get("value"), dict | list) else set()
        found.append({key: value for key, value in event.items() if key not in hidden})
    return found


def error_of(state: State, action: int, player: int) -> str:
    try:
        state.clone().apply_action(action, player)
    except IllegalActionError as error:
        return str(error)
    return "offered"


def given(state: State, player: int, tried: list[int]) -> dict[str, Any]:
    """Return everything a player is given in a state."""
    actions = state.legal_actions(player)
    return {
        "observation": state.observation_string(player),
        "tensor": state.observation_tensor(player),
        "key": state.information_state_key(player),
        "actions": actions,
        "texts": [state.action_to_string(a, lang) for a in actions for lang in ("en", "pt", None)],
        "events": state.events(player),
        "errors": [error_of(state, a, player) for a in tried] if player in state.pending_players() else [],
    }


def recorded(state: State, rng: random.Random, step: Step, most: int) -> tuple[list[Choice], list[int]]:
    """Play at random; return the choices (seat or None for chance, number) and where chance had another way."""
    choices: list[Choice] = []
    forks = []
    while not state.is_terminal() and len(choices) < most:
        if state.is_chance_node():
            forks.append(len(choices))
        before = len(state.entries())
        step(state, rng)
        entry = state.entries()[before]
        asked = entry[0] if isinstance(entry, tuple) else None
        choices.append((asked, state.history()[before]))
    return choices, forks


def fast_forward(state: State, choices: list[Choice]) -> None:
    for seat, action in choices:
        state.apply_action(action, seat)


class Pair:
    """Two worlds that were one up to a chance event, and the player who is to be unable to tell them apart."""

    def __init__(
        self, start: State, choices: list[Choice], fork: int, player: int, rng: random.Random, on_the_way: bool
    ) -> None:
        self.on_the_way = on_the_way
        fast_forward(start, choices[:fork])
        self.one, self.two = start.clone().tracked(), start.clone().tracked()
        self.player, self.rng = player, rng
        outcome = choices[fork][1]
        self.one.apply_action(outcome)
        self.two.apply_action(rng.choice([o for o, _ in start.chance_outcomes() if o != outcome]))
        self.left = choices[fork + 1 :]
        self.compared = 0

    def settle(self) -> bool:
        """Let chance decide in both worlds: as recorded, and in the other world the same where it can be.

        Say whether the player has seen no difference on the way, and somebody is asked in both.
        """
        while self.one.is_chance_node() or self.two.is_chance_node():
            both = self.one.is_chance_node() and self.two.is_chance_node()
            if both and shown(self.one, self.player) != shown(self.two, self.player):
                return False
            outcome = -1
            if self.one.is_chance_node():
                if not self.left:
                    return False
                outcome = self.left.pop(0)[1]
                self.one.apply_action(outcome)
            if self.two.is_chance_node():
                outcomes = self.two.legal_actions()
                self.two.apply_action(outcome if outcome in outcomes else self.rng.choice(outcomes))
        return shown(self.one, self.player) == shown(self.two, self.player)

    def run(self) -> int:
        """Compare step by step; return how many steps were compared."""
        while True:
            if not self.settle():
                return self.compared
            if faces_shown(self.one, self.player) != faces_shown(self.two, self.player):
                return self.compared
            if self.on_the_way and self.was_shown(self.one) != self.was_shown(self.two):
                return self.compared
            self.compare()
            if not self.left or self.one.is_terminal():
                return self.compared
            seat, action = self.left.pop(0)
            asked = self.one.pending_players()[0] if seat is None else seat
            if action not in self.two.legal_actions(asked):
                return self.compared
            self.one.apply_action(action, asked)
            self.two.apply_action(action, asked)

    def was_shown(self, state: State) -> list[Any]:
        return shown_on_the_way(state, self.player)

    def told_last(self, state: State) -> list[str]:
        return state.information_state_string(self.player).splitlines()[-6:]

    def compare(self) -> None:
        self.compared += 1
        count = self.one.game.num_distinct_actions()
        tried = [self.rng.randrange(count) for _ in range(2)]
        left, right = given(self.one, self.player, tried), given(self.two, self.player, tried)
        for name, value in left.items():
            told = [self.told_last(state) for state in (self.one, self.two)]
            assert value == right[name], f"player {self.player} can tell two worlds apart by `{name}`: {told}"
        if self.compared % 16 == 1 or self.one.is_terminal():
            told = [state.information_state_string(self.player) for state in (self.one, self.two)]
            assert told[0] == told[1]


def compare_worlds(
    begin: Callable[[int], State], seed: int, step: Step, pairs: int, most: int, on_the_way: bool = False
) -> int:
    """Play a trial and compare pairs made of it for every player; return how many states were compared.

    With *on_the_way*, worlds are not compared either where something may have been seen for a moment: of rules without
    sense, that show a thing and hide it again.
    """
    rng = random.Random(seed)
    choices, forks = recorded(begin(seed), rng, step, most)
    compared = 0
    for player in range(begin(seed).num_players()):
        for fork in rng.sample(forks, min(pairs, len(forks))):
            compared += Pair(begin(seed), choices, fork, player, rng, on_the_way).run()
    return compared
