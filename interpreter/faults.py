"""What a rule that cannot be carried out raises inside, and what is said of it outside."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from types import TracebackType
from typing import NamedTuple

from interpreter.errors import RuleError
from interpreter.program import Program
from interpreter.runtime import Fault

UNFIT = (LookupError, TypeError, ValueError, AttributeError)
"""What Python says where the values of a rule do not fit together: a program that is not sound, or a fault of ours."""
FAULTS = (Fault, RecursionError, ZeroDivisionError, *UNFIT)


@contextmanager
def in_rules(told: Callable[[BaseException], RuleError]) -> Iterator[None]:
    """What goes wrong in rules meanwhile is told as the error of a rule."""
    try:
        yield
    except FAULTS as fault:
        raise told(fault) from fault


class Place(NamedTuple):
    """Where in the rules something was raised: line and column from 1, and the Python function that was running."""

    file: str
    line: int
    column: int
    function: str


def place_of(trace: TracebackType | None, program: Program) -> Place | None:
    """Return where in the rules something was raised last, if it was in one."""
    place = None
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename in program["sources"]:
            _, _, offset, _ = next(islice(code.co_positions(), trace.tb_lasti // 2, None))
            place = Place(code.co_filename, trace.tb_lineno, (offset or 0) + 1, code.co_name)
        trace = trace.tb_next
    return place


def message_of(fault: BaseException) -> str:
    """Return what is said of a fault."""
    if isinstance(fault, UNFIT):
        return f"the values of this rule do not fit together: {fault!r}"
    if isinstance(fault, RecursionError):
        return "rules call each other too deeply"
    return str(fault) if isinstance(fault, Fault) else "division by zero"
