"""States and actions as text, both ways."""

from __future__ import annotations

import json
import re
from difflib import get_close_matches
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from interpreter import arguments
from interpreter.errors import IllegalActionError, NotationError, ProgramError, in_words
from interpreter.position import Describer, Restorer, chance_event, naming
from interpreter.program import read_json
from interpreter.specialise.code import class_name
from interpreter.words import languages, word

if TYPE_CHECKING:
    from interpreter.actions import Ask
    from interpreter.game import Game
    from interpreter.state import State

FORMAT = 1
Shape = dict[str, type | tuple[type, ...]]
STATE: Shape = {
    "game": str,
    "variants": list,
    "rules": str,
    "settings": dict,
    "generator": list,
    "position": dict,
    "start": (dict, type(None)),
}
"""What every written state has, and the JSON type of each."""

SETTINGS: Shape = {"players": int, "options": dict, "seed": int, "chance": str, "extra": list}
START: Shape = {"position": dict, "shown": list, "unrevealed": list}
MOST_EXTRA = 1000
NAMING = ("values", "zones", "counters", "variables")
"""Sections of texts in which what an event names is looked up."""
BLANK = re.compile(r"\{(\w+)\}")


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
            case "class" | "face":
                return self._face(value, form == "face")
            case "slot":
                return self._slot(value[1], value[2])
        return f"{self._class(value[3])} in {self._slot(value[1], value[2])}"

    def _is_number_kind(self, ask: Ask, number: int) -> bool:
        raw = next(a for a in self.game.program["asks"] if a["name"] == ask.name)["domains"][number]
        return bool(self.game.program["kinds"][raw[1]]["sort"] == "number")

    def _face(self, value: tuple[Any, ...], own: bool) -> str:
        """Return the name of a class; of a die, what it shows; without the owner where all are the chooser's own."""
        kind, row, owner = self.game.asks.classes[value[1]]
        if len(value) < 3:
            return class_name(self.game.program, (kind, row, -1 if own else owner))
        return str(value[2]) if own or owner < 0 else f"{kind}({self.game.seats[owner]}, {value[2]})"

    def _class(self, number: int) -> str:
        return class_name(self.game.program, self.game.asks.classes[number])

    def _slot(self, name: str, keys: tuple[int, ...]) -> str:
        texts = self._keys(name, keys)
        return f"{name}({', '.join(texts)})" if len(texts) > 1 else f"{name} of {texts[0]}" if texts else name

    def _keys(self, name: str, keys: tuple[int, ...]) -> list[str]:
        """Return the keys of a slot by their names."""
        zone, program = self.game.asks.full.zones[name], self.game.program
        numbers = {k for k in zone.keys if program["kinds"].get(k, {}).get("sort") == "number"}
        return [str(v) if k in numbers else str(program["entities"][v]) for k, v in zip(zone.keys, keys)]

    # ---------------------------------------------------------------------------------- actions

    def action_notation(self, action: int) -> str:
        """Return an action in notation: `RULE(variable=value, ...)`, a pass name, or `RULE(variable=done)`."""
        ask = self.game.asks.ask_of(action)
        if ask.passing:
            rule, _, name = ask.name.rpartition(".")
            rule = rule.split("~")[0]
            return f"{rule}(pass)" if re.fullmatch(r"pass\d*", name) else name
        if not ask.domains:
            return ask.said if ask.rule == ask.name else ask.name
        values = self.game.asks.values(action)
        if ask.is_set and values == ("done",):
            return f"{ask.said}({ask.variables[0]}=done)"
        if ask.whole is not None:
            members = ", ".join(self.value_text(v, ask.forms[0], ask, 0) for v in values[0])
            return f"{ask.said}({ask.variables[0]}=[{members}])"
        texts = (
            f"{n}={self.value_text(v, f, ask, i)}" for i, (n, v, f) in enumerate(zip(ask.variables, values, ask.forms))
        )
        return f"{ask.said}({', '.join(texts)})"

    @cached_property
    def _actions(self) -> dict[str, list[int]]:
        """Every action's notation; one text may stand for several where a variant covers a rule that asks the same."""
        found: dict[str, list[int]] = {}
        for action in range(self.game.asks.count):
            texts = {_plain(self.action_notation(action))}
            ask = self.game.asks.ask_of(action)
            if ask.passing:
                texts |= {_plain(f"{ask.said}(pass)"), _plain(ask.name)}
            for text in texts:
                found.setdefault(text, []).append(action)
        return found

    @cached_property
    def _texts(self) -> dict[str, list[int]]:
        """Every action's texts, in all languages of the game."""
        sections = self.game.program["texts"].values()
        spoken = {*languages(), *(lang for texts in sections for text in texts.values() for lang in text)}
        found: dict[str, list[int]] = {}
        for action in range(self.game.asks.count):
            for text in {self.action_words(action, lang) for lang in spoken}:
                found.setdefault(text, []).append(action)
        return found

    def parse_action(self, state: State, text: str) -> int:
        """Return the id of an action in notation, or of an offered action by its text.

        Raises NotationError, naming the nearest action.
        """
        if not isinstance(text, str):
            raise NotationError(f"an action is written as a text, not {arguments.shown(text)}")
        found = self._actions.get(_plain(text))
        if found is not None:
            return found[0] if len(found) == 1 else self._offered(state, found)
        named = self._texts.get(text.strip(), [])
        if len(named) == 1:
            return named[0]
        asked = {self.game.asks.ask_of(a) for p in state.pending_players() if named for a in state.legal_actions(p)}
        for action in [a for a in named if self.game.asks.ask_of(a) in asked]:
            return action
        near = self.nearest_action(text)
        raise NotationError(f"no action is written `{text}`" + (f"; did you mean `{near}`?" if near else ""))

    def is_action(self, text: str) -> bool:
        """Say whether a text is the notation of an action, or one of its texts."""
        return _plain(text) in self._actions or text.strip() in self._texts

    def nearest_action(self, text: str) -> str | None:
        """Return the notation that a text comes nearest to."""
        near = get_close_matches(_plain(text), self._actions, n=1)
        return near[0] if near else None

    def _offered(self, state: State, actions: list[int]) -> int:
        """Return the first of some actions that is offered now, or else the first."""
        offered = [a for seat in state.pending_players() for a in state.legal_actions(seat)]
        return next((a for a in actions if a in offered), actions[0])

    def forms_of(self, text: str, lang: str) -> list[str]:
        """Return the notation of all actions of the rule that a text names or is the title of."""
        wanted = text.strip().casefold()
        asks = [ask for ask in self.game.asks.asks if wanted in (ask.said, self.title(ask.said, lang).casefold())]
        return [self.action_notation(action) for ask in asks for action in range(ask.base, ask.base + ask.size)]

    def action_dict(self, state: State, action: int) -> dict[str, Any]:
        """Return an action as data."""
        if state.is_chance_node():
            return {"chance": self.outcome(state, action)}
        action = arguments.action(action, self.game.asks.count)
        ask = self.game.asks.ask_of(action)
        found: dict[str, Any] = {"id": action, "rule": ask.said, "ask": ask.name, "passing": ask.passing, "values": {}}
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
            return self.outcome_text(state, self.outcome(state, action))
        action, lang = arguments.action(action, self.game.asks.count), arguments.language(lang)
        return self.action_notation(action) if lang is None else self.action_words(action, lang)

    def action_words(self, action: int, lang: str) -> str:
        """Return an action in the words of one language."""
        ask = self.game.asks.ask_of(action)
        own = self._own_text(ask, lang)
        if ask.passing:
            rule, _, name = ask.name.rpartition(".")
            if own is None and re.fullmatch(r"pass\d*", name):
                return f"{self.title(rule, lang)}: {word(lang, 'notation', 'pass')}"
            return own or self.text_of("rules", name, lang)
        text = own or self.text_of("rules", ask.said, lang)
        values = self._value_texts(ask, action, lang)
        named = set(BLANK.findall(text))
        if named and named <= set(values) and all(values.values()):
            unnamed = [value for name, value in values.items() if name not in named]
            return ", ".join([BLANK.sub(lambda m: values[m[1]], text), *unnamed])
        told = [value for value in values.values() if value]
        return f"{_before_values(text)}: {', '.join(told)}" if told else _before_values(text)

    def _own_text(self, ask: Ask, lang: str) -> str | None:
        """Return the text that a decision inside a rule, or passing there, has for itself."""
        texts = self.game.program["texts"].get("rules", {}).get(ask.name.split("~")[0])
        return self.text_of("rules", ask.name.split("~")[0], lang) if texts else None

    def title(self, rule: str, lang: str) -> str:
        """Return a rule's title: its text up to the values in it."""
        return _before_values(self.text_of("rules", rule, lang))

    def _value_texts(self, ask: Ask, action: int, lang: str) -> dict[str, str]:
        """Return what was chosen, in words, by the names of the variables; all of a set under its one name."""
        if not ask.domains:
            return {}
        values = self.game.asks.values(action)
        if ask.is_set and values == ("done",):
            return {ask.variables[0]: word(lang, "notation", "done")}
        if ask.whole is not None:
            members = [self._words(v, ask.forms[0], ask, 0, lang) for v in values[0]]
            return {ask.variables[0]: ", ".join(members)}
        texts = [self._words(v, f, ask, i, lang) for i, (v, f) in enumerate(zip(values, ask.forms))]
        return dict(zip(ask.variables, texts))

    def _words(self, value: Any, form: str, ask: Ask, number: int, lang: str) -> str:
        """Return one value of an answer in words; a place by the title of its zone, then its keys."""
        if form not in ("slot", "slot_class"):
            return self._people(self.value_text(value, form, ask, number), lang)
        keys = [self._people(key, lang) for key in self._keys(value[1], value[2])]
        where = self.text_of("zones", value[1], lang) + (f": {', '.join(keys)}" if keys else "")
        return where if form == "slot" else f"{self._people(self._class(value[3]), lang)} ({where})"

    def _people(self, text: str, lang: str) -> str:
        """Return a value in a reader's words, with the names inside it too."""
        values = self.game.program["texts"].get("values", {})
        if text in values:
            return self.text_of("values", text, lang)
        return re.sub(
            r"[a-z_][a-z0-9_]*", lambda m: self.text_of("values", m[0], lang) if m[0] in values else m[0], text
        )

    def names_in(self, text: str, lang: str) -> str:
        """Return what an event names in a reader's words: things, slots, variables; `hand of red` is `Hand (Red)`."""
        texts = self.game.program["texts"]
        first, of, rest = text.partition(" of ")

        def told(found: re.Match[str]) -> str:
            section = next((s for s in NAMING if found[0] in texts.get(s, {})), None)
            return found[0] if section is None else self.text_of(section, found[0], lang)

        said = [re.sub(r"[a-z_][a-z0-9_]*", told, part) for part in (first, rest)]
        return f"{said[0]} ({said[1]})" if of and said != [first, rest] else said[0] + of + said[1]

    def outcome(self, state: State, outcome: Any) -> int:
        """Return an outcome of the chance event that waits; IllegalActionError for anything else."""
        number = arguments.whole(outcome, "an outcome", IllegalActionError)
        if number not in state.legal_actions():
            raise IllegalActionError(f"{number} is no outcome of this chance event")
        return number

    def outcome_text(self, state: State, outcome: int) -> str:
        """Return a chance outcome in words: a face drawn, a number rolled, a thing picked."""
        kind, picked, held = chance_event(state.tracked())
        if kind == "draw":
            return self._class(outcome)
        if kind == "roll" or picked[0] == "int" or self.game.program["kinds"][picked[1]]["sort"] == "number":
            return str(outcome)
        if not state.code.layout.is_of_tokens(picked):
            return str(self.game.program["entities"][outcome])
        heaps = state.code.effects.heaps(state, held, naming(state))
        return self._heap_text(state, [heap[0] for heap in heaps], outcome)

    def _heap_text(self, state: State, tokens: list[int], outcome: int) -> str:
        """Return what is picked: its face, with its place and its rank there where others are called the same."""
        code, where = state.code, state.code.layout.where_base
        faces = [code.program_name(token) for token in tokens]
        named = [f"{face} in {code.effects.slot_name(state.v[where + t])}" for face, t in zip(faces, tokens)]
        ranked = [f"{name} ({named[:i].count(name) + 1})" for i, name in enumerate(named)]
        texts = next((t for t in (faces, named) if t.count(t[outcome]) == 1), ranked)
        return texts[outcome]

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
        return canonical(self.state_data(state))

    def state_data(self, state: State) -> dict[str, Any]:
        """Return position and record as data."""
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
        origin: State = start["state"]
        shown = [origin.story.lines(player) for player in range(origin.num_players())]
        unrevealed = [list(answer) for answer in origin.story.hidden_answers]
        return {"position": Describer(origin, True).write(), "shown": shown, "unrevealed": unrevealed}

    def parse_state(self, text: str) -> State:
        """Read a state. Raises ProgramError where the text is not one of this game.

        The record is run again from its start; it must lead to the position beside it.
        """
        try:
            data = read_json(text, "a saved state")
            if not isinstance(data, dict) or data.get("format") != FORMAT:
                raise ProgramError("this is not a saved state")
            need(data, {**STATE, "record": list}, "this saved state")
            if data["game"] != self.game.name or data["rules"] != self.game.program["rules_hash"]:
                raise ProgramError(f"this state belongs to other rules: {data['game']} {data['variants']}")
            entries = [tuple(entry) if isinstance(entry, list) else entry for entry in data["record"]]
            if not all(_is_whole(part) for entry in entries for part in (entry if type(entry) is tuple else (entry,))):
                raise ProgramError("a record holds numbers of actions and outcomes")
            state = self.begun(data)
            again = self.game.replay(state, entries)
            self._compare(again, data["position"])
            return again
        except ProgramError:
            raise
        except Exception as fault:  # a stranger's text: whatever goes wrong with it is its fault
            raise ProgramError(f"this is no state of {self.game.name}: {in_words(fault)}") from fault

    def begun(self, data: dict[str, Any]) -> State:
        """Return a blank state with the settings, start and generator of a saved one."""
        settings, start = data["settings"], data["start"]
        need(settings, SETTINGS, "`settings`")
        players, options = self.game.settings(settings["players"], settings["options"])
        if settings["chance"] not in ("sampled", "explicit"):
            raise ProgramError(f"chance is `sampled` or `explicit`, not `{settings['chance']}`")
        if not all(isinstance(pair, list) and len(pair) == 2 for pair in settings["extra"]):
            raise ProgramError("extra tokens are pairs of a row and a number")
        extra = tuple((row, count) for row, count in settings["extra"])
        numbers = [*data["generator"], *(part for pair in extra for part in pair)]
        if len(data["generator"]) != 2 or not all(_is_whole(n) and n >= 0 for n in numbers):
            raise ProgramError("generator and extra tokens are whole numbers, none below 0")
        if not _is_whole(settings["seed"]):
            raise ProgramError("a seed is a whole number")
        for row, _ in extra:
            if row not in self.game.program["token_rows"] or row < 0:
                raise ProgramError(f"extra tokens show rows of the game, and {row} is none")
        if sum(count for _, count in extra) > MOST_EXTRA:
            raise ProgramError(f"there are at most {MOST_EXTRA} extra tokens")
        begun = {key: settings[key] for key in ("seed", "chance")} | {"players": players, "options": options}
        begun["extra"] = extra
        if start is not None:
            need(start, START, "`start`")
            origin = self.blank_from(begun, players, options, "explicit", True)
            Restorer(origin, start["position"]).read()
            origin.story.tell_again(start["shown"], start["unrevealed"])
            begun["state"] = origin
        state = self.blank_from(begun, players, options, settings["chance"], True)
        state.seed, state.counter = data["generator"]
        return state

    def _compare(self, state: State, position: dict[str, Any]) -> None:
        """See to it that a record has led to the position beside it."""
        found = self.position(state)
        for part in sorted({*found, *position}):
            if canonical(found.get(part)) != canonical(position.get(part)):
                said = _differences({part: position.get(part)}, {part: found.get(part)})[0]
                raise ProgramError(f"the record leads to another position than the one saved: {said}")

    def blank_from(
        self, start: dict[str, Any], players: int, options: dict[str, Any], chance: str, events: bool
    ) -> State:
        """Return a blank state that keeps where its record starts."""
        state = self.game.blank(players, options, start["seed"], chance, events, start["extra"])
        state.start = start
        return state

    def restarted(self, start: dict[str, Any], events: bool) -> State:
        """Return the state a record starts from that is not the start of the game; its chance is to be told."""
        state: State = start["state"].clone()
        state.run_by(self.game.code_for(state.code.layout, "explicit", True))
        state.start = start
        return state

    def difference(self, one: State, other: State) -> list[str]:
        """Return what differs between two positions."""
        return _differences(self.position(one), self.position(other))


def need(data: dict[str, Any], shape: Shape, what: str) -> None:
    """Raise ProgramError where a part is missing, or is of another JSON type."""
    for name, kind in shape.items():
        if not isinstance(data.get(name), kind) or (kind is int and isinstance(data[name], bool)):
            raise ProgramError(f"{what} has no usable `{name}`")


def _is_whole(value: Any) -> bool:
    return type(value) is int


def _differences(left: dict[str, Any], right: dict[str, Any]) -> list[str]:
    """Return what differs between two positions as data, a line each."""
    found = []
    for part in sorted(left):
        if isinstance(left[part], dict) and isinstance(right[part], dict):
            for name in sorted({*left[part], *right[part]}):
                if canonical(left[part].get(name)) != canonical(right[part].get(name)):
                    found.append(f"{part} {name}: {left[part].get(name)} / {right[part].get(name)}")
        elif canonical(left[part]) != canonical(right[part]):
            found.append(f"{part}: {left[part]} / {right[part]}")
    return found


def _before_values(text: str) -> str:
    return text.split("{")[0].strip().rstrip(":").strip()


def _plain(text: str) -> str:
    return re.sub(r"\s+", "", text)
