"""States and actions as text, both ways."""

from __future__ import annotations

import json
import re
from difflib import get_close_matches
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from interpreter.errors import Error, NotationError, ProgramError, SettingError
from interpreter.position import Describer, Restorer
from interpreter.specialise.code import class_name
from interpreter.story import Story

if TYPE_CHECKING:
    from interpreter.actions import Ask
    from interpreter.game import Game
    from interpreter.state import State

FORMAT = 1


def canonical(data: Any) -> str:
    """Return data as JSON text that is equal for equal data."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


class Notation:
    """Writes and reads the actions and states of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game

    # ----------------------------------------------------------------------------------- values

    def value_text(self, value: Any, form: str, ask: Ask, number: int) -> str:
        """Return one value of an answer in notation."""
        entities = self.game.program["entities"]
        match form:
            case "kind":
                kind = self._is_number_kind(ask, number)
                return str(value) if kind else str(entities[value])
            case "int":
                return str(value)
            case "bool":
                return "yes" if value else "no"
            case "class":
                return self._class(value[1])
            case "slot":
                return self._slot(value[1], value[2])
        return f"{self._class(value[3])} in {self._slot(value[1], value[2])}"

    def _is_number_kind(self, ask: Ask, number: int) -> bool:
        raw = next(a for a in self.game.program["asks"] if a["name"] == ask.name)["domains"][number]
        return bool(self.game.program["kinds"][raw[1]]["sort"] == "number")

    def _class(self, number: int) -> str:
        return class_name(self.game.program, self.game.asks.classes[number])

    def _slot(self, name: str, keys: tuple[int, ...]) -> str:
        zone = self.game.asks.full.zones[name]
        numbers = {k for k in zone.keys if self.game.program["kinds"].get(k, {}).get("sort") == "number"}
        texts = [str(v) if k in numbers else self.game.program["entities"][v] for k, v in zip(zone.keys, keys)]
        return f"{name}({', '.join(texts)})" if len(texts) > 1 else f"{name} of {texts[0]}" if texts else name

    # ---------------------------------------------------------------------------------- actions

    def action_notation(self, action: int) -> str:
        """Return an action in notation: `RULE(variable=value, ...)`, a pass name, or `RULE(variable=done)`."""
        ask = self.game.asks.ask_of(action)
        if ask.passing:
            rule, _, name = ask.name.rpartition(".")
            return f"{rule}(pass)" if re.fullmatch(r"pass\d*", name) else name
        if not ask.domains:
            return ask.rule if ask.rule == ask.name else ask.name
        values = self.game.asks.values(action)
        if ask.is_set and values == ("done",):
            return f"{ask.rule}({ask.variables[0]}=done)"
        if ask.whole is not None:
            members = ", ".join(self.value_text(v, ask.forms[0], ask, 0) for v in values[0])
            return f"{ask.rule}({ask.variables[0]}=[{members}])"
        texts = (
            f"{n}={self.value_text(v, f, ask, i)}" for i, (n, v, f) in enumerate(zip(ask.variables, values, ask.forms))
        )
        return f"{ask.rule}({', '.join(texts)})"

    @cached_property
    def _actions(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for action in range(self.game.asks.count):
            found.setdefault(_plain(self.action_notation(action)), action)
            ask = self.game.asks.ask_of(action)
            if ask.passing:
                found.setdefault(_plain(f"{ask.name.rpartition('.')[0]}(pass)"), action)
                found.setdefault(_plain(ask.name), action)
        return found

    def parse_action(self, state: State, text: str) -> int:
        """Return the id of an action in notation, or of an offered action by its text.

        Raises NotationError, naming the nearest action.
        """
        found = self._actions.get(_plain(text))
        if found is not None:
            return found
        languages = {lang for texts in self.game.program["texts"].values() for t in texts.values() for lang in t}
        for player in state.pending_players():
            for action in state.legal_actions(player):
                if text.strip() in [self.action_text(state, action, lang) for lang in sorted(languages)]:
                    return action
        near = get_close_matches(_plain(text), self._actions, n=1)
        raise NotationError(f"no action is written `{text}`" + (f"; did you mean `{near[0]}`?" if near else ""))

    def action_dict(self, state: State, action: int) -> dict[str, Any]:
        """Return an action as data."""
        if state.is_chance_node():
            return {"chance": action}
        ask = self.game.asks.ask_of(action)
        found: dict[str, Any] = {"id": action, "rule": ask.rule, "ask": ask.name, "passing": ask.passing, "values": {}}
        if ask.domains:
            values = self.game.asks.values(action)
            if ask.is_set and values == ("done",):
                found["values"] = {ask.variables[0]: "done"}
            elif ask.whole is not None:
                found["values"] = {ask.variables[0]: [self.value_text(v, ask.forms[0], ask, 0) for v in values[0]]}
            else:
                for i, (name, value) in enumerate(zip(ask.variables, values)):
                    found["values"][name] = self.value_text(value, ask.forms[i], ask, i)
        return found

    # ------------------------------------------------------------------------------------ texts

    def text_of(self, section: str, name: str, lang: str) -> str:
        """Return a text for people: in this language, else in English, else the name."""
        texts = self.game.program["texts"].get(section, {}).get(name, {})
        return str(texts.get(lang) or texts.get("en") or name.replace("_", " "))

    def action_text(self, state: State, action: int, lang: str | None) -> str:
        """Return an action as a person reads it; without a language, in notation."""
        if state.is_chance_node():
            return self.outcome_text(state, action)
        if lang is None:
            return self.action_notation(action)
        ask = self.game.asks.ask_of(action)
        if ask.passing:
            rule, _, name = ask.name.rpartition(".")
            generic = {"pt": "passar", "pl": "pas", "es": "pasar"}.get(lang, "pass")
            if re.fullmatch(r"pass\d*", name):
                return f"{self.title(rule, lang)}: {generic}"
            return self.text_of("rules", name, lang)
        title = self.title(ask.rule, lang)
        values = self._value_texts(ask, action, lang)
        return f"{title}: {', '.join(values)}" if values else title

    def title(self, rule: str, lang: str) -> str:
        """Return a rule's title: its text up to the values in it."""
        return self.text_of("rules", rule, lang).split("{")[0].strip().rstrip(":").strip()

    def _value_texts(self, ask: Ask, action: int, lang: str) -> list[str]:
        if not ask.domains:
            return []
        values = self.game.asks.values(action)
        if ask.is_set and values == ("done",):
            return [{"pt": "terminado", "pl": "koniec", "es": "listo"}.get(lang, "done")]
        if ask.whole is not None:
            return [self._people(self.value_text(v, ask.forms[0], ask, 0), lang) for v in values[0]]
        return [self._people(self.value_text(v, f, ask, i), lang) for i, (v, f) in enumerate(zip(values, ask.forms))]

    def _people(self, text: str, lang: str) -> str:
        """Return a value in a reader's words, with the names inside it too."""
        values = self.game.program["texts"].get("values", {})
        if text in values:
            return self.text_of("values", text, lang)
        return re.sub(
            r"[a-z_][a-z0-9_]*", lambda m: self.text_of("values", m[0], lang) if m[0] in values else m[0], text
        )

    def outcome_text(self, state: State, outcome: int) -> str:
        """Return a chance outcome in words: a face drawn, a number rolled, a thing picked."""
        return str(outcome)

    # ----------------------------------------------------------------------------------- states

    def position(self, state: State) -> dict[str, Any]:
        """Return a state's position as canonical data, knowledge included."""
        return Describer(state.tracked(), True).write()

    def position_hash(self, state: State) -> str:
        """Return the BLAKE2b of the position and settings."""
        settings = [state.num_players(), self.game.option_names(state.code.layout.options)]
        return blake2b(canonical([self.position(state), settings]).encode(), digest_size=16).hexdigest()

    def final_digest(self, state: State) -> bytes:
        """Return the BLAKE2b of the position without knowledge, and the returns."""
        data = [Describer(state, False).write(), state.returns()]
        return blake2b(canonical(data).encode(), digest_size=32).digest()

    def state_text(self, state: State) -> str:
        """Return position and record as canonical JSON."""
        return canonical(self._state_data(state))

    def _state_data(self, state: State) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "game": self.game.name,
            "variants": self.game.variants,
            "rules": self.game.program["rules_hash"],
            "settings": self._settings(state),
            "start": self.start_data(state.start),
            "record": state.entries(),
            "generator": [state.seed, state.counter],
            "position": self.position(state),
        }

    def _settings(self, state: State) -> dict[str, Any]:
        start = state.start
        return {
            "players": start["players"],
            "options": self.game.option_names(start["options"]),
            "seed": start["seed"],
            "chance": start["chance"],
            "extra": [list(pair) for pair in start["extra"]],
        }

    def start_data(self, start: dict[str, Any]) -> Any:
        """Return what a record starts from, where that is not the start of the game."""
        if "state" not in start:
            return None
        return {"position": start["state"], "shown": start["shown"]}

    def parse_state(self, text: str) -> State:
        """Read a state. Raises ProgramError where the text is not one of this game."""
        try:
            data = json.loads(text)
            if not isinstance(data, dict) or data.get("format") != FORMAT:
                raise ProgramError("this is not a saved state")
            if data["game"] != self.game.name or data["rules"] != self.game.program["rules_hash"]:
                raise ProgramError(f"this state belongs to other rules: {data['game']} {data['variants']}")
            return self._restore(data)
        except ProgramError:
            raise
        except (Error, ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as fault:
            raise ProgramError(f"this is no state of {self.game.name}: {fault!r}") from None

    def _restore(self, data: dict[str, Any]) -> State:
        settings = data["settings"]
        players, options = self.game.settings(settings["players"], settings["options"])
        extra = tuple((row, count) for row, count in settings["extra"])
        start: dict[str, Any] = {**settings, "options": options, "extra": extra}
        if data["start"] is not None:
            start |= {"state": data["start"]["position"], "shown": data["start"]["shown"]}
        state = self.blank_from(start, players, options, settings["chance"], True)
        Restorer(state, data["position"]).read()
        state.seed, state.counter = data["generator"]
        for entry in data["record"]:
            state.record = (state.record, tuple(entry) if isinstance(entry, list) else entry)
        story = self.game.replay(state, state.entries()).story
        story.know = state.story.know
        story.fresh = max(story.fresh, state.story.fresh)
        state.story = story
        return state

    def blank_from(
        self, start: dict[str, Any], players: int, options: dict[str, Any], chance: str, events: bool
    ) -> State:
        """Return a blank state that keeps where its record starts."""
        state = self.game.blank(players, options, start["seed"], chance, events, start["extra"])
        state.start = start
        return state

    def restarted(self, start: dict[str, Any], events: bool) -> State:
        """Return the state a record starts from that is not the start of the game."""
        state = self.blank_from(start, start["players"], start["options"], "explicit", True)
        Restorer(state, start["state"]).read()
        story: Story = state.story
        for player, lines in enumerate(start["shown"]):
            story.shown[player], story.keys[player] = None, b""
            for line in lines:
                story._show(player, line)
        return state

    def difference(self, one: State, other: State) -> list[str]:
        """Return what differs between two positions."""
        left, right = self.position(one), self.position(other)
        found = []
        for part in sorted(left):
            if isinstance(left[part], dict):
                for name in sorted({*left[part], *right[part]}):
                    if left[part].get(name) != right[part].get(name):
                        found.append(f"{part} {name}: {left[part].get(name)} / {right[part].get(name)}")
            elif canonical(left[part]) != canonical(right[part]):
                found.append(f"{part}: {left[part]} / {right[part]}")
        return found

    # ------------------------------------------------------------------------------------ saves

    def save_text(self, state: State) -> str:
        """Return a save: everything by name, so that it outlives changes of the numbering."""
        moves: list[Any] = []
        at = self.game.restart(state.start, False)
        for entry in state.entries():
            if isinstance(entry, tuple):
                moves.append([entry[0], self.action_notation(entry[1])])
                at.apply_action(entry[1], entry[0])
            else:
                moves.append({"chance": entry} if at.is_chance_node() else self.action_notation(entry))
                at.apply_action(entry)
        data = {**self._state_data(state), "language": 1, "moves": moves}
        del data["record"]
        return json.dumps(data, indent=1, ensure_ascii=False, sort_keys=True) + "\n"

    def parse_save(self, text: str) -> State:
        """Read a save, run its record again and compare; raises ProgramError naming the first difference."""
        try:
            data = json.loads(text)
            settings, moves = data["settings"], data["moves"]
            players, options = self.game.settings(settings["players"], settings["options"])
        except (ValueError, KeyError, TypeError, SettingError) as fault:
            raise ProgramError(f"this is no save of {self.game.name}: {fault}") from None
        changed = data.get("rules") != self.game.program["rules_hash"]
        state = self.game.new_initial_state(players, settings["seed"], options, "explicit")
        if data["start"] is not None or settings["extra"]:
            state = self._restore({**data, "record": []})
            state = self.restarted(state.start, True) if "state" in state.start else state
        for number, move in enumerate(moves, 1):
            self._repeat(state, move, number, changed)
        if not changed and canonical(self.position(state)) != canonical(data["position"]):
            raise ProgramError("the record leads to another position than the one saved")
        state.code = self.game.code_for(state.code.layout, settings["chance"], state.story is not None)
        state.start = {**state.start, "chance": settings["chance"], "seed": settings["seed"]}
        state.seed, state.counter = data["generator"]
        return state

    def _repeat(self, state: State, move: Any, number: int, changed: bool) -> None:
        note = "; the rules have changed since it was saved" if changed else ""
        try:
            if isinstance(move, dict):
                state.apply_action(move["chance"])
            elif isinstance(move, list):
                state.apply_action(self.parse_action(state, move[1]), move[0])
            else:
                state.apply_action(self.parse_action(state, move))
        except Error as fault:
            raise ProgramError(f"move {number} of this save, `{move}`, cannot be repeated: {fault}{note}") from None


def _plain(text: str) -> str:
    return re.sub(r"\s+", "", text)
