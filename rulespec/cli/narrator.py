"""A game told in words: who chose what, and what followed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from interpreter import Game, State
from interpreter.words import DEFAULT, known, word

DEFAULT_LANG = DEFAULT
SEAT_KEYS = ("player", "to")

BARE = ("player", "action", "amount", "count", "what", "zone", "die", "variable")
LINKED = ("from", "to", "in", "of", "for", "value")
"""What an event can say, in the order of a sentence; the latter have a word before them."""


class Narrator:
    """Tells one game choice by choice, as somebody sees it who sees everything, or as one seat does.

    Events come after the choice that caused them, so each call first tells what happened since the last.
    """

    def __init__(self, game: Game, lang: str | None = None, seat: int | None = None) -> None:
        self.game = game
        self.lang = lang or DEFAULT_LANG
        self.seat = seat
        self.told = 0
        self.choices = 0

    def seat_name(self, seat: int) -> str:
        """Return the name of a seat, or of chance."""
        return word(self.lang, "tell", "chance") if seat < 0 else self._names(str(self.game.seats[seat]))

    def heading(self, state: State, index: int = 0) -> str:
        """Return the line that opens game *index*."""
        seats = ", ".join(self.seat_name(seat) for seat in range(state.num_players()))
        name = " + ".join([self.game.name, *self.game.variants])
        return word(self.lang, "tell", "game", number=index, name=name, seats=seats)

    def choice(self, state: State, seat: int, action: int) -> str:
        """Return what happened since the last choice, then this one, about to be made."""
        self.choices += 1
        text = state.action_to_string(action, self.lang)
        return "\n".join([*self.news(state), f"{self.choices:>4}  {self.seat_name(seat):<8} {text}"])

    def news(self, state: State) -> list[str]:
        """Return a line for each event not told yet, alike ones counted, without the choices that `choice` tells."""
        events = state.events() if self.seat is None else state.events(self.seat)
        texts = list(self._texts(state, events[self.told :]))
        self.told = len(events)
        counted = ((text, len(list(alike))) for text, alike in groupby(texts))
        return [f"        {text}" + (f" {self._times(count)}" if count > 1 else "") for text, count in counted]

    def _times(self, count: int) -> str:
        return word(self.lang, "tell", "times", count=count)

    def _texts(self, state: State, events: list[dict[str, Any]]) -> Iterator[str]:
        for event in events:
            if event["event"] == "chose":
                if self.seat in (None, event["player"]):
                    continue
                event = {**event, "action": self._choice_words(state, event["action"])}
            yield event_text({key: self._named(key, value) for key, value in event.items()}, self.lang)

    def _named(self, key: str, value: Any) -> Any:
        """Return a seat, or a list of seats, by name, and names in the words of the game; anything else as it is."""
        if key in SEAT_KEYS and type(value) is int:
            return self.seat_name(value)
        if isinstance(value, str) and key not in ("event", "action"):
            return self._names(value)
        return [self._named(key, each) for each in value] if isinstance(value, list) else value

    def _choice_words(self, state: State, text: str) -> str:
        """Return in words what another chose: the action, or of a hidden one what was asked."""
        notation = self.game.notation
        if notation.is_action(text):
            return notation.action_words(notation.parse_action(state, text), self.lang)
        return notation.title(text, self.lang)

    def _names(self, text: str) -> str:
        return self.game.notation.names_in(text, self.lang)

    def ending(self, state: State) -> str:
        """Return the last events and how the game ended."""
        how = "cut_off" if state.is_truncated() else "over"
        lines = [*self.news(state), word(self.lang, "tell", how, count=self.choices)]
        for seat, (score, value) in enumerate(zip(state.scores(), state.returns(), strict=True)):
            result = word(self.lang, "tell", "result", score=f"{score:g}", value=f"{value:+g}")
            lines.append(f"  {self.seat_name(seat):<8} {result}")
        return "\n".join(lines)


def event_text(event: Mapping[str, Any], lang: str | None = None) -> str:
    """Return an event as a line of text.

    >>> event_text({"event": "move", "what": "mark", "from": "box", "to": "square"})
    'move mark from box to square'
    """
    words = [known(lang, "events", str(event["event"]))]
    for key in (*BARE, *LINKED):
        if key in event:
            value = event[key]
            listed = ", ".join(_said(each, lang) for each in value) if isinstance(value, list) else _said(value, lang)
            if key in LINKED and event["event"] != "pick":
                words.append(word(lang, "events", key))
            words.append(listed)
    return " ".join(words) + (f" {word(lang, 'tell', 'face_down')}" if event.get("down") else "")


def _said(value: Any, lang: str | None) -> str:
    """Return one value in words."""
    if isinstance(value, bool):
        return word(lang, "tell", "yes" if value else "no")
    return word(lang, "tell", "nothing") if value is None else str(value)
