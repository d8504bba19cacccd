"""One game at the terminal: people answer from standard input, agents for the other seats."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from interpreter import CHANCE, SIMULTANEOUS, Game, IllegalActionError, NotationError, State
from interpreter.errors import reason_of
from interpreter.playout import Playout
from interpreter.words import known, word
from rulespec.cli.exits import DONE, USAGE
from rulespec.cli.narrator import DEFAULT_LANG, Narrator
from rulespec.cli.output import say
from rulespec.cli.table_view import show_observation

MOST_FORMS = 8


class Leave(Exception):
    """The person wants to go, or there is nothing more to read."""


class Session:
    """A game with its people and agents. `run` plays until the game ends or somebody leaves."""

    def __init__(
        self,
        game: Game,
        state: State,
        people: Sequence[int],
        playout: Playout,
        lang: str | None = None,
        save_file: str | None = None,
        origin: Any = None,
    ) -> None:
        self.game = game
        self.state = state
        self.people = frozenset(people)
        self.playout = playout
        self.lang = lang or DEFAULT_LANG
        self.save_file = save_file
        self.origin = origin
        self.narrators = {seat: Narrator(game, lang, seat) for seat in people}
        self.commands: dict[str, Callable[[int, str], bool]] = {
            "why": self._why,
            "look": self._look,
            "undo": self._undo,
            "save": self._save,
            "help": self._help,
            "quit": self._quit,
        }

    def _word(self, key: str, **values: object) -> str:
        return word(self.lang, "play", key, **values)

    def run(self) -> int:
        """Play to the end; return the exit code. Whatever ends the session, the game is saved if a file was named."""
        saved = True
        try:
            while not self.state.is_terminal():
                self._step()
            self._tell_end()
        except Leave:
            say(self._word("unfinished"))
        finally:
            if self.save_file is not None:
                saved = self._write(self.save_file)
        return DONE if saved else USAGE

    def _step(self) -> None:
        """Let chance, an agent or a person make one choice; of several pending seats, agents answer first."""
        player = self.state.current_player()
        if player == CHANCE:
            self.state.apply_action(self.playout.draw(self.state))
            return
        pending = self.state.pending_players() if player == SIMULTANEOUS else [player]
        seat = min(pending, key=lambda each: (each in self.people, each))
        if seat in self.people:
            self._ask(seat)
        else:
            self.state.apply_action(self.playout.choose(self.state, seat), seat)

    def _ask(self, seat: int) -> None:
        """Show the table to a person and read lines until one of them is an answer."""
        self._tell_news(seat)
        self._look(seat, "")
        while not self._obey(seat, self._read_line(seat)):
            pass

    def _obey(self, seat: int, line: str) -> bool:
        """Do what a line says; return whether the position changed."""
        word, _, rest = line.partition(" ")
        if not line:
            return False
        if word in self.commands and self._action_of(seat, line) is None:
            return self.commands[word](seat, rest.strip())
        action = self._action_of(seat, line)
        if action is None:
            say(self._word("not_an_action", text=line))
            return False
        try:
            self.state.apply_action(action, seat)
        except IllegalActionError as error:
            say(self._why_not(action, seat, error))
            return False
        return True

    def _why_not(self, action: int, seat: int, error: IllegalActionError) -> str:
        """Return why an action was refused, in the reader's language."""
        found = self.state.explain(action, seat)
        return str(error) if found.offered else found.text(self.lang)

    def _action_of(self, seat: int, text: str) -> int | None:
        """Return the action a number of the list, or an action's own words, stand for."""
        offered = self.state.legal_actions(seat)
        if text.isdecimal():
            return offered[int(text) - 1] if 0 < int(text) <= len(offered) else None
        for action in offered:
            if text.casefold() == self.state.action_to_string(action, self.lang).casefold():
                return action
        try:
            return self.state.string_to_action(text)
        except NotationError:
            return None

    def _why(self, seat: int, text: str) -> bool:
        action = self._action_of(seat, text)
        if action is None:
            say(self._forms_of(text) if text else self._word("why_what"))
        else:
            say(self.state.explain(action, seat).text(self.lang))
        return False

    def _forms_of(self, text: str) -> str:
        """Return how a rule's actions are written, where a text is its name or title; else that it names none."""
        forms = self.game.notation.forms_of(text, self.lang)
        if not forms:
            return self._word("names_none", text=text)
        listed = ", ".join(f"`{form}`" for form in forms[:MOST_FORMS])
        if len(forms) > MOST_FORMS:
            listed += " " + self._word("more", count=len(forms) - MOST_FORMS)
        return self._word("which", text=text, forms=listed)

    def _look(self, seat: int, _: str) -> bool:
        show_observation(self.state.game, self.state.observation(seat), self.lang)
        say(self._word("to_choose", seat=self.narrators[seat].seat_name(seat)))
        for number, action in enumerate(self.state.legal_actions(seat), 1):
            say(f"{number:>4}  {self.state.action_to_string(action, self.lang)}")
        return False

    def _undo(self, seat: int, _: str) -> bool:
        allowed, reason = self.state.can_undo(seat)
        if not allowed:
            say(self._word("no_undo", reason=known(self.lang, "undo", str(reason))))
            return False
        self.state = self.state.undo(seat)
        self._forget_told()
        return True

    def _save(self, _: int, file: str) -> bool:
        target = file or self.save_file
        if not target:
            say(self._word("save_where"))
        else:
            self._write(target)
        return False

    def _help(self, _: int, __: str) -> bool:
        say(self._word("help"))
        return False

    def _quit(self, _: int, __: str) -> bool:
        raise Leave

    def _write(self, file: str) -> bool:
        """Save the game; return whether it was possible."""
        try:
            Path(file).write_text(self.state.save(self.origin), encoding="utf-8")
        except OSError as error:
            say(self._word("not_saved", fault=known(self.lang, "files", reason_of(error))))
            return False
        say(self._word("saved", file=file))
        return True

    def _read_line(self, seat: int) -> str:
        click.echo(f"{self.narrators[seat].seat_name(seat)}> ", nl=False)
        line = sys.stdin.readline()
        if not line:
            say()
            raise Leave
        return line.strip()

    def _tell_news(self, seat: int) -> None:
        for line in self.narrators[seat].news(self.state):
            say(line)

    def _tell_end(self) -> None:
        seat = min(self.people, default=None)
        narrator = self.narrators[seat] if seat is not None else Narrator(self.game, self.lang)
        narrator.choices = len(self.state.history())
        say(narrator.ending(self.state))

    def _forget_told(self) -> None:
        """After an undo fewer events have happened."""
        for seat, narrator in self.narrators.items():
            narrator.told = min(narrator.told, len(self.state.events(seat)))
