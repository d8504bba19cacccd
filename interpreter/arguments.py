"""What callers hand in, tested: seats, numbers, texts. What is wrong is said in one of our own errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from typing import Any

from interpreter.errors import Error, IllegalActionError, SettingError


def whole(value: Any, what: str, error: type[Error] = SettingError) -> int:
    """Return a whole number, of whatever kind it is, or raise an error that says what it should be."""
    try:
        return index(value)
    except TypeError:
        raise error(f"{what} is a whole number, not {shown(value)}") from None


def seat(value: Any, seats: Sequence[str], error: type[Error] = SettingError) -> int:
    """Return the number of a seat, or raise an error that says which seats there are."""
    number = whole(value, "a seat", error)
    if not 0 <= number < len(seats):
        listed = ", ".join(f"{i} {name}" for i, name in enumerate(seats))
        raise error(f"there is no seat {number}; seats of this game: {listed}")
    return number


def action(value: Any, count: int) -> int:
    """Return the id of an action, or raise an error that says which ids there are."""
    number = whole(value, "an action", IllegalActionError)
    if not 0 <= number < count:
        allowed = f"ids run from 0 to {count - 1}" if count else "this game has none"
        raise IllegalActionError(f"there is no action {number}; {allowed}")
    return number


def answers(value: Any) -> None:
    """Raise an error for what is no list of one answer a seat."""
    is_list = hasattr(value, "__len__") and hasattr(value, "__getitem__")  # an array is one too
    if not is_list or isinstance(value, str | bytes | Mapping):
        raise IllegalActionError(f"the answers of all seats are given in a list, not as {shown(value)}")


def language(value: Any) -> str | None:
    """Return the name of a language, or None; raise an error for what is no text."""
    if value is not None and not isinstance(value, str):
        raise SettingError(f"a language is a text such as 'en', not {shown(value)}")
    return value


def shown(value: Any) -> str:
    """Return any value in a few characters, as it would be written in a program."""
    return short(repr(value))


def short(text: str) -> str:
    """Return a text, or its beginning."""
    return text if len(text) <= 60 else text[:57] + "..."
