"""Runs scenarios and mutants of programs, in this process or in several, in an order that does not depend on which."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from threading import current_thread, main_thread
from types import FrameType
from typing import Any, TypeVar

from interpreter.errors import Error
from interpreter.faults import place_of
from interpreter.game import Game
from interpreter.layout import Layout
from interpreter.mutation import Mutant, mutated
from interpreter.program import Program
from interpreter.scenario import Result, run_scenario
from interpreter.specialise import Code

MOST_SECONDS = 60
"""How long a scenario may take under a mutant before that counts as noticing."""

T = TypeVar("T")
R = TypeVar("R")


class Bench(Game):
    """A game whose scenarios all run on one code for each setting: it need not be made for each way of running."""

    def code_for(self, layout: Layout, chance: str, events: bool, skips: bool = False) -> Code:
        """Return the code that scenarios run on; that of looking ahead is another."""
        if chance == "barrier":
            return super().code_for(layout, chance, events, skips)
        return super().code_for(layout, "explicit", True, True)


@dataclass(frozen=True)
class Suite:
    """Programs of one game, and scenarios with the number of the program each is about."""

    programs: tuple[Program, ...]
    scenarios: tuple[tuple[int, dict[str, Any]], ...]


@dataclass(frozen=True)
class Trial:
    """A mutant and the numbers of the scenarios that must notice it, the likeliest first."""

    mutant: Mutant
    scenarios: tuple[int, ...]


@dataclass(frozen=True)
class Verdict:
    """What came of a mutant: the scenario that notices it, or a fault of ours that kept it from being tried."""

    noticed_by: str | None = None
    fault: str | None = None


class TooLongError(Error):
    """A scenario takes longer than it may."""


def setting_of(suite: Suite, number: int) -> str:
    """Return what the code of a scenario depends on: scenarios alike in this are best run one after another."""
    program, scenario = suite.scenarios[number]
    return repr((program, scenario["players"], sorted(scenario["options"].items()), scenario["extra"]))


def run_suite(suite: Suite, workers: int = 1) -> Iterator[tuple[int, Result]]:
    """Run all scenarios; yield the number of each with its result, as they come."""
    groups: dict[str, list[int]] = {}
    for number in range(len(suite.scenarios)):
        groups.setdefault(setting_of(suite, number), []).append(number)
    for found in _spread(_run_group, list(groups.values()), suite, workers):
        yield from found


def try_mutants(suite: Suite, trials: Sequence[Trial], workers: int = 1) -> Iterator[tuple[Mutant, Verdict]]:
    """Yield each mutant with what came of it; one that survives has neither scenario nor fault."""
    yield from zip((trial.mutant for trial in trials), _spread(_try, trials, suite, workers))


def _run_group(suite: Suite, numbers: list[int]) -> list[tuple[int, Result]]:
    games: dict[int, Game] = {}
    found = []
    for number in numbers:
        program, scenario = suite.scenarios[number]
        if program not in games:
            games[program] = Bench(suite.programs[program])
        found.append((number, run_scenario(games[program], scenario)))
    return found


def _try(suite: Suite, trial: Trial) -> Verdict:
    """Return the first scenario that fails under a mutant, or that none does."""
    changes = {program: (rule, change) for program, rule, change in trial.mutant.places}
    games: dict[int, Game] = {}
    for number in trial.scenarios:
        program, scenario = suite.scenarios[number]
        if program not in changes:
            continue
        try:
            with _at_most(MOST_SECONDS):
                if program not in games:
                    games[program] = Bench(mutated(suite.programs[program], *changes[program]))
                if run_scenario(games[program], scenario).passed:
                    continue
        except TooLongError:
            pass
        except Exception as fault:  # whatever a disabled rule leads to where it runs has been noticed
            if place_of(fault.__traceback__, suite.programs[program]) is None:
                return Verdict(fault=f"{type(fault).__name__}: {fault}")
        return Verdict(noticed_by=str(scenario["name"]))
    return Verdict()


# ----------------------------------------------------------------------------------------- processes

_suite: Suite | None = None


def _spread(function: Callable[[Suite, T], R], items: Sequence[T], suite: Suite, workers: int) -> Iterator[R]:
    """Apply a function to items, in their order, in so many processes."""
    if workers <= 1 or len(items) <= 1:
        yield from (function(suite, item) for item in items)
        return
    executor = ProcessPoolExecutor(workers, initializer=_begin, initargs=(suite,))
    try:
        yield from executor.map(_apply, [(function, item) for item in items])
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _begin(suite: Suite) -> None:
    global _suite
    _suite = suite
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is the parent's to answer
    gc.freeze()


def _apply(task: tuple[Callable[[Suite, Any], R], Any]) -> R:
    assert _suite is not None
    function, item = task
    return function(_suite, item)


@contextmanager
def _at_most(seconds: int) -> Iterator[None]:
    """Raise TooLongError in what runs longer, where the system has alarms."""
    if not hasattr(signal, "setitimer") or current_thread() is not main_thread():
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise TooLongError(f"takes longer than {seconds} seconds")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
