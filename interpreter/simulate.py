"""Many playouts of one game, in this process or in several, with one result that does not depend on which.

Work is cut into chunks of consecutive games; a chunk is plain data (the program's text, the run, a range), so it can
be sent anywhere. What comes back is put together in the order of the games.
"""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from itertools import chain, pairwise
from typing import Any

from interpreter.agents import agents_for_seats
from interpreter.chance import derive
from interpreter.errors import Error, SettingError
from interpreter.game import Game, load_program
from interpreter.playout import Playout, Watcher
from interpreter.state import State
from interpreter.words import word

MAX_CHUNK = 64
"""Games in a chunk at most: a run that is interrupted waits for no more than these."""

MAX_FAILURES = 10
"""How many failed games a result describes; all are counted."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a run is made of, apart from the game and the number of games."""

    players: int
    seed: int = 0
    options: Mapping[str, object] = field(default_factory=dict)
    agents: tuple[str, ...] = ("random",)
    check: bool = False
    """Whether invariants, action lists and the text form of states are tested at every decision."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one game ended. `digest` stands for its final position and returns."""

    decisions: int
    terminal: bool
    truncated: bool
    returns: tuple[float, ...]
    scores: tuple[float, ...]
    winners: tuple[int, ...]
    digest: bytes
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Chunk:
    """Games `first` to `last - 1` of a run."""

    program: str
    run: Run
    first: int
    last: int


MOST_WORKERS = 1000

Mapper = Callable[[Callable[[Chunk], list[Outcome]], Sequence[Chunk], int], Iterable[list[Outcome]]]
"""Applies a function to chunks on so many workers and gives the results in the order of the chunks."""


class CheckError(Error):
    """Something that must hold at every decision does not."""


def play_game(game: Game, run: Run, index: int, watch: Watcher | None = None) -> Outcome:
    """Play game *index* of *run*. A rule that cannot be carried out gives an outcome with `error`, not an exception."""
    try:
        agents = agents_for_seats(run.agents, run.players)
        state = new_state(game, run, index)
        watcher = _checker(game, watch) if run.check else watch
        decisions = Playout(agents, run.seed, index).finish(state, watcher)
        if run.check:
            check_state(game, state)
            check_text(game, state)
        return _outcome(state, decisions)
    except SettingError:
        raise
    except Exception as error:  # a fault of the runtime must not end the run: it is counted and described
        kind = "" if isinstance(error, Error) else f"{type(error).__name__}: "
        text = f"game {index} of seed {run.seed}: {kind}{error}"
        zeros = (0.0,) * run.players
        digest = blake2b(f"error {index}".encode(), digest_size=32).digest()
        return Outcome(0, False, False, zeros, zeros, (), digest, text)


def new_state(game: Game, run: Run, index: int) -> State:
    """Return the first state of game *index* of *run*."""
    return game.new_initial_state(players=run.players, seed=derive(run.seed, index), options=dict(run.options))


def play_chunk(chunk: Chunk) -> list[Outcome]:
    """Play the games of *chunk*, in order. The program is built once in each process."""
    game = _loaded(chunk.program)
    return [play_game(game, chunk.run, index) for index in range(chunk.first, chunk.last)]


def in_processes(
    function: Callable[[Chunk], list[Outcome]], chunks: Sequence[Chunk], workers: int
) -> Iterator[list[Outcome]]:
    """Apply *function* to *chunks* in *workers* processes of this machine."""
    executor = ProcessPoolExecutor(workers, initializer=_leave_interrupts_to_the_parent)
    try:
        yield from executor.map(function, chunks)
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def simulate(
    game: Game,
    games: int,
    run: Run,
    workers: int = 1,
    mapper: Mapper = in_processes,
    progress: Callable[[int], None] | None = None,
) -> dict[str, Any]:
    """Play *games* games and return the result, JSON values only. With one worker all are played in this process.

    *progress* is told the number of games done. Raises SettingError before any game is played.
    """
    if workers > MOST_WORKERS:
        raise SettingError(
            f"{workers} workers are too many; there can be {MOST_WORKERS}, and one for each core is best"
        )
    game.settings(run.players, dict(run.options))
    agents_for_seats(run.agents, run.players)
    new_state(game, run, 0)
    started = time.perf_counter()
    outcomes: list[Outcome] = []
    for part in _parts(game, games, run, workers, mapper):
        outcomes.extend(part)
        if progress is not None:
            progress(len(outcomes))
    return _result(game, run, outcomes, time.perf_counter() - started)


def read_options(game: Game, texts: Sequence[str]) -> dict[str, object]:
    """Return the settings that texts such as `size=3` stand for, by name; raise SettingError on any other text."""
    declared = {option["name"]: option for option in game.program["options"]}
    options: dict[str, object] = {}
    for text in texts:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not sign:
            raise SettingError(f"`{text}` is not of the form NAME=VALUE")
        if name not in declared:
            known = ", ".join(f"`{known}`" for known in declared) or "none"
            raise SettingError(f"{game.name} has no option `{name}`; its options: {known}")
        names = [str(each) for each in declared[name]["names"]]
        if value not in names:
            allowed = ", ".join(names[:20]) + (", ..." if len(names) > 20 else "")
            raise SettingError(f"option `{name}` cannot be `{value}`; it can be {allowed}")
        values = declared[name]["values"]
        first = names[values.index(options.setdefault(name, values[names.index(value)]))]
        if first != value:
            raise SettingError(f"option `{name}` cannot be both `{first}` and `{value}`; give it one value")
    return options


def settings_of(game: Game, run: Run) -> dict[str, object]:
    """Return all settings of a run, defaults included; a value that is a thing stands by its name."""
    _, chosen = game.settings(run.players, dict(run.options))
    names = game.option_names(chosen)
    plain = {
        option["name"] for option in game.program["options"] if option["type"] == "bool" or option["type"][0] == "int"
    }
    return {name: value if name in plain else names[name] for name, value in chosen.items()}


def check_state(game: Game, state: State) -> None:
    """Raise CheckError if *state* breaks an invariant or lists its actions badly."""
    failing = state.check_invariants()
    if failing:
        raise CheckError("broken: " + ", ".join(f"`{name}`" for name in failing))
    if not state.is_terminal():
        for seat in state.pending_players():
            actions = state.legal_actions(seat)
            if not actions or any(low >= high for low, high in pairwise(actions)):
                raise CheckError(f"the legal actions of seat {seat} are not a rising list of at least one")


def check_text(game: Game, state: State) -> None:
    """Raise CheckError if *state* does not survive its own text; dear, since reading tells the whole record again."""
    text = state.to_json()
    if game.state_from_json(text).to_json() != text:
        raise CheckError("the state read back from its own text differs from it")


def winners(state: State) -> tuple[int, ...]:
    """Return the seats that share the first place of a finished game."""
    return tuple(seat for seat, place in enumerate(state.ranking()) if place == 1)


def report_text(result: Mapping[str, Any], lang: str | None = None) -> str:
    """Return a result as a few lines for people."""
    told = {
        **result,
        "name": " + ".join([result["game"], *result["variants"]]),
        "hash": result["state_hash"],
        "seconds": f"{result['seconds']:.2f}",
        "rate": f"{result['decisions_per_second']:.0f}",
        "mean": f"{result['mean_decisions']:.1f}",
    }
    lines = [word(lang, "report", key, **told) for key in ("head", "ended", "decisions")]
    lines += ["", *_seat_table(result, lang), "", word(lang, "report", "hash", **told)]
    return "\n".join(lines + [f"error: {text}" for text in result["failures"]])


def _seat_table(result: Mapping[str, Any], lang: str | None) -> Iterator[str]:
    """Yield a line of headings and one for each seat; columns are as wide as their headings at least."""
    heads = [word(lang, "report", key) for key in ("seat", "agent", "wins", "mean_return", "mean_score")]
    seat, agent, *figures = (max(len(head), least) for head, least in zip(heads, (4, 8, 8, 11, 10)))
    columns = (result["agents"], result["wins"], result["mean_returns"], result["mean_scores"])
    rows = [
        (str(number), name, f"{wins:.1f}", f"{mean_return:.3f}", f"{mean_score:.2f}")
        for number, (name, wins, mean_return, mean_score) in enumerate(zip(*columns, strict=True))
    ]
    for row in (heads, *rows):
        cells = "   ".join(cell.rjust(width) for cell, width in zip(row[2:], figures))
        yield f"{row[0]:>{seat}}  {row[1]:<{agent}} {cells}"


def _parts(game: Game, games: int, run: Run, workers: int, mapper: Mapper) -> Iterable[list[Outcome]]:
    if workers == 1 and mapper is in_processes:
        return ([play_game(game, run, index)] for index in range(games))
    size = max(1, min(MAX_CHUNK, -(-games // (workers * 4))))
    program = game.to_json()
    chunks = [Chunk(program, run, first, min(first + size, games)) for first in range(0, games, size)]
    return mapper(play_chunk, chunks, min(workers, len(chunks)))


def _result(game: Game, run: Run, outcomes: Sequence[Outcome], seconds: float) -> dict[str, Any]:
    whole = [outcome for outcome in outcomes if outcome.error is None]
    failures = [outcome.error for outcome in outcomes if outcome.error is not None]
    decisions = sum(outcome.decisions for outcome in whole)
    wins = [0.0] * run.players
    for outcome in whole:
        for seat in outcome.winners:
            wins[seat] += 1 / len(outcome.winners)
    state_hash = blake2b(digest_size=32)
    for outcome in outcomes:
        state_hash.update(outcome.digest)
    return {
        "game": game.name,
        "variants": list(game.variants),
        "players": run.players,
        "games": len(outcomes),
        "seed": run.seed,
        "options": settings_of(game, run),
        "agents": list(run.agents) if len(run.agents) > 1 else list(run.agents) * run.players,
        "decisions": decisions,
        "seconds": round(seconds, 6),
        "decisions_per_second": round(decisions / seconds, 1) if seconds > 0 else 0.0,
        "terminal": sum(outcome.terminal for outcome in whole),
        "truncated": sum(outcome.truncated for outcome in whole),
        "errors": len(failures),
        "wins": wins,
        "mean_returns": _means([outcome.returns for outcome in whole], run.players),
        "mean_scores": _means([outcome.scores for outcome in whole], run.players),
        "mean_decisions": decisions / len(whole) if whole else 0.0,
        "state_hash": state_hash.hexdigest(),
        "failures": failures[:MAX_FAILURES],
    }


def _outcome(state: State, decisions: int) -> Outcome:
    truncated = state.is_truncated()
    returns = tuple(float(value) for value in state.returns())
    digest = blake2b(state.final_digest(), digest_size=32)
    digest.update(json.dumps(returns).encode())
    scores = tuple(float(value) for value in state.scores())
    return Outcome(decisions, not truncated, truncated, returns, scores, winners(state), digest.digest())


def _checker(game: Game, watch: Watcher | None) -> Watcher:
    def checked(state: State, seat: int, action: int) -> None:
        check_state(game, state)
        if watch is not None:
            watch(state, seat, action)

    return checked


def _means(rows: Sequence[Sequence[float]], players: int) -> list[float]:
    count = max(len(rows), 1)
    totals = [0.0] * players
    for seat, value in chain.from_iterable(enumerate(row) for row in rows):
        totals[seat] += value
    return [total / count for total in totals]


@lru_cache(maxsize=2)
def _loaded(program: str) -> Game:
    return load_program(program)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
