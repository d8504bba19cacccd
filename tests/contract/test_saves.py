"""States, saves and programs as text: read anywhere, equal everywhere, and safe to read from strangers."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import interpreter
from interpreter import Error, Game, ProgramError, State

ROOT = Path(__file__).parent.parent.parent
Start = Callable[..., State]
Step = Callable[[State, random.Random], None]

FINISH = """
import json, sys
import interpreter
games = {}
for line in sys.stdin:
    file, texts, left = json.loads(line)
    if file not in games:
        games[file] = interpreter.load_program(open(file, encoding="utf-8").read())
    game = games[file]
    for state_text, start in texts:
        state = game.state_from_json(state_text)
        assert state.to_json() == state_text
        for seat, action in left[start:]:
            state.apply_action(action, seat)
        print(state.position_hash(), state.returns())
assert not {"rulespec", "yaml", "lark"} & set(sys.modules)
"""
"""Reads states and finishes their games with the choices left; prints how each ended."""


def recorded(
    state: State, rng: random.Random, step: Step
) -> tuple[list[tuple[str, int]], list[tuple[int | None, int]]]:
    """Play at random; return texts of states on the way, each with how many choices had been made, and all choices."""
    texts = [(state.to_json(), 0)]
    choices: list[tuple[int | None, int]] = []
    wanted = {1, 2, 3, 7, 15, 40, 90, 200}
    while not state.is_terminal():
        before = state.entries()
        step(state, rng)
        entry = state.entries()[len(before)]
        choices.append(entry if isinstance(entry, tuple) else (None, entry))
        if len(choices) in wanted:
            texts.append((state.to_json(), len(choices)))
    return texts, choices


@pytest.mark.parametrize(
    "most", [7, pytest.param(None, marks=[pytest.mark.slow, pytest.mark.long])], ids=["some", "all"]
)
def test_states_of_games_are_finished_alike_in_one_other_process(
    cases: Sequence[Any], compiled: Callable[..., Game], step: Step, tmp_path: Path, most: int | None
) -> None:
    lines, expected = [], []
    for number, case in enumerate(cases[:most]):
        game = compiled(case.game, case.variants)
        (tmp_path / f"{number}.json").write_text(game.to_json(), encoding="utf-8")
        for chance in ("sampled", "explicit"):
            state = game.new_initial_state(case.players, number, chance=chance)
            texts, choices = recorded(state, random.Random(number), step)
            lines.append(json.dumps([str(tmp_path / f"{number}.json"), texts, choices]))
            expected += [f"{state.position_hash()} {state.returns()}"] * len(texts)
    result = subprocess.run(
        [sys.executable, "-c", FINISH],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONHASHSEED": "12345", "PYTHONPATH": str(ROOT)},
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines() == expected


def test_the_record_of_a_sampled_game_replays_in_explicit_mode(start: Start, seeds: Any, step: Step) -> None:
    for seed in seeds:
        state = start(seed)
        rng = random.Random(seed)
        while not state.is_terminal():
            step(state, rng)
        again = start(seed, "explicit")
        for entry in state.entries():
            seat, action = entry if isinstance(entry, tuple) else (None, entry)
            again.apply_action(action, seat)
        assert again.is_terminal()
        assert again.position_hash() == state.position_hash()
        assert again.returns() == state.returns()
        assert [again.events(p) for p in range(2)] == [state.events(p) for p in range(2)]


def test_text_of_a_state_is_canonical(game: Game, start: Start, seeds: Any, step: Step) -> None:
    for seed in seeds:
        for chance in ("sampled", "explicit"):
            state = start(seed, chance)
            for text, _ in recorded(state, random.Random(seed + 1), step)[0]:
                again = game.state_from_json(text)
                assert again.to_json() == text
                assert again == game.state_from_json(text).clone()
            assert game.state_from_json(state.to_json()) == state


def saved(start: Start, seed: int, step: Step, most: int) -> State:
    state, rng = start(seed), random.Random(seed)
    for _ in range(most):
        if not state.is_terminal():
            step(state, rng)
    return state


def test_a_save_is_read_back_and_goes_on_alike(game: Game, start: Start, seeds: Any, step: Step) -> None:
    for seed in seeds:
        for most in (0, 3, 40):
            state = saved(start, seed, step, most)
            again = game.load_save(state.save())
            assert again == state
            assert again.to_json() == state.to_json()
            assert again.save() == state.save()
            rng, same = random.Random(5), random.Random(5)
            for _ in range(3):
                if not state.is_terminal():
                    step(state, rng)
                    step(again, same)
            assert again.to_json() == state.to_json()


def test_saves_hold_names_and_no_numbers_of_actions(start: Start, seeds: Any, step: Step) -> None:
    state = saved(start, seeds[0], step, 12)
    moves = json.loads(state.save())["moves"]
    assert len(moves) == len(state.history())
    for move, number in zip(moves, state.history()):
        text = move["chance"] if isinstance(move, dict) else move[1] if isinstance(move, list) else move
        assert isinstance(text, str)
        if not isinstance(move, dict):
            assert state.string_to_action(text) == number


# --------------------------------------------------------------------------------------------- strangers' text

ODD = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 40), st.integers(), st.floats(allow_nan=False), st.text(max_size=3),
    st.builds(list), st.builds(dict), st.lists(st.integers(-1, 3), max_size=3),
)  # fmt: skip


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the way to every value in JSON data."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path, *(place for key, part in inner for place in places(part, (*path, key)))]


@st.composite
def edits(draw: st.DrawFn, text: str) -> str:
    """Return JSON text with up to three values changed, left out or doubled."""
    data = json.loads(text)
    for _ in range(draw(st.integers(1, 3))):
        ways = places(data)
        path = ways[draw(st.integers(0, len(ways) - 1))]
        if not path:
            continue
        holder = data
        for key in path[:-1]:
            holder = holder[key]
        match draw(st.sampled_from(["change", "change", "drop", "double"])):
            case "change":
                holder[path[-1]] = draw(ODD)
            case "drop":
                del holder[path[-1]]
            case _ if isinstance(holder, list):
                holder.insert(path[-1], holder[path[-1]])
    return json.dumps(data)


def goes_on(state: State) -> None:
    """See to it that a state that was read can be used."""
    for seat in range(state.num_players()):
        state.observation_string(seat)
        state.information_state_string(seat)
    text = state.to_json()
    assert state.game.state_from_json(text).to_json() == text
    if not state.is_terminal():
        state.legal_actions()


def fuzzed(examples: int) -> settings:
    return settings(max_examples=examples, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


EXAMPLES = pytest.mark.parametrize("examples", [12, pytest.param(300, marks=pytest.mark.slow)], ids=["few", "many"])
FUZZED_GAMES = [
    "examples/kuhn_poker.yaml", "examples/matching_pennies.yaml", "tests/contract/games/hidden_things.yaml",
]  # fmt: skip


@EXAMPLES
@pytest.mark.parametrize("name", FUZZED_GAMES)
@pytest.mark.parametrize("kind", ["played", "resampled", "save"])
def test_a_changed_state_is_refused_or_is_a_state(
    compiled: Callable[[str, tuple[str, ...]], Game], name: str, kind: str, step: Step, examples: int
) -> None:
    game = compiled(str(ROOT / name), ())
    state, rng = game.new_initial_state(seed=3), random.Random(3)
    step(state, rng)
    if kind == "resampled":
        state = state.resample(0, 1)
    text = state.save() if kind == "save" else state.to_json()
    read = game.load_save if kind == "save" else game.state_from_json

    @fuzzed(examples)
    @given(edits(text))
    def change(changed: str) -> None:
        try:
            again = read(changed)
        except ProgramError:
            return
        goes_on(again)

    change()


@pytest.mark.parametrize(
    "text", ["", "null", "[]", "{}", "1" * 5000, "[" * 100_000, '{"format":1}', "\ud800", '{"format":1,"game":"x"}']
)
def test_what_is_no_state_is_refused(example: Callable[[str], Game], text: str) -> None:
    for read in (example("kuhn_poker").state_from_json, example("kuhn_poker").load_save, interpreter.load_program):
        with pytest.raises(ProgramError):
            read(text)


@EXAMPLES
@pytest.mark.parametrize("name", ["kuhn_poker", "matching_pennies", "tic_tac_toe"])
def test_a_changed_program_is_refused_or_loads(example: Callable[[str], Game], name: str, examples: int) -> None:
    text = example(name).to_json()

    @fuzzed(examples)
    @given(edits(text))
    def change(changed: str) -> None:
        try:
            game = interpreter.load_program(changed)
        except ProgramError:
            return
        try:
            played_through(game)
        except Error:
            return

    change()


def played_through(game: Game) -> None:
    """Play a game of a program for a while, using what the program says."""
    rng = random.Random(1)
    for chance in ("explicit", "sampled"):
        state = game.new_initial_state(chance=chance)
        for _ in range(12):
            if state.is_terminal():
                break
            pending = state.pending_players()
            seat = pending[0] if pending else None
            action = rng.choice(state.legal_actions(seat))
            state.action_to_string(action, "en")
            state.apply_action(action, seat)
            state.observation_string(0)
        game.state_from_json(state.to_json())
        state.scores()
