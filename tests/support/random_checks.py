"""What a random spec and its random games must keep; used by tests, and by hand for long runs:

python tests/support/random_checks.py FIRST LAST
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
import traceback
from collections import Counter
from enum import Enum
from pathlib import Path
from unittest.mock import patch

import rulespec
from interpreter import Game, IllegalActionError, RuleError, SpecError, State
from rulespec.diagnostics import Report
from rulespec.passes import build_text

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))

from random_specs import write
from worlds import compare_worlds

MOST, FEW_STEPS = 40, 20_000
"""Choices and outcomes in one game; loop turns and rule calls of one decision."""


OURS = "do not fit together"
"""What is said of a fault in the code of a rule: no rule that compiles has one."""


class Outcome(Enum):
    """What became of a spec."""

    REFUSED = "refused with diagnostics"
    STOPPED = "its games all stopped with an error of a rule"
    PLAYED = "played"


def step(state: State, rng: random.Random) -> None:
    """Make one random choice: of a pending seat, or of chance."""
    if state.is_chance_node():
        outcomes = state.chance_outcomes()
        assert abs(sum(p for _, p in outcomes) - 1) < 1e-9
        state.apply_action(rng.choices([o for o, _ in outcomes], [w for _, w in outcomes])[0])
    else:
        seat = rng.choice(state.pending_players())
        state.apply_action(rng.choice(state.legal_actions(seat)), seat)


def examine(seed: int) -> Outcome:
    """Write a spec, compile and play it; raise AssertionError, with the spec, where anything is not as it must be."""
    text, faulty = write(seed), ""
    try:
        rng = random.Random(f"faults {seed}")
        for _ in range(2):
            faulty = with_a_fault(text, rng)
            build_text(faulty, Report())
        faulty = ""
        game, keeps_secrets = compiled(text)
        if game is None:
            return Outcome.REFUSED
        with patch("interpreter.stepping.MOST_STEPS", FEW_STEPS):  # rules without sense often go round for ever
            played = [play(game, seed, chance, keeps_secrets) for chance in ("explicit", "sampled")]
            if keeps_secrets:
                worlds(game, seed)
            kept_answers(game, seed)
    except Exception as fault:
        raise AssertionError(f"random spec {seed}: {fault!r}\n{traceback.format_exc()}\n{faulty or text}") from fault
    return Outcome.PLAYED if any(played) else Outcome.STOPPED


def with_a_fault(text: str, rng: random.Random) -> str:
    """Return a text in which a word, a line or a sign stands wrong."""
    words = list(re.finditer(r"\w+|[^\w\s]", text))
    one, other = rng.choice(words), rng.choice(words)
    lines = text.splitlines(keepends=True)
    at = rng.randrange(len(lines))
    match rng.randrange(5):
        case 0:
            return text[: one.start()] + other.group() + text[one.end() :]
        case 1:
            return text[: one.start()] + text[one.end() :]
        case 2:
            return "".join([*lines[:at], *lines[at + 1 :]])
        case 3:
            return "".join([*lines[:at], rng.choice(lines), *lines[at:]])
    return text[: one.start()] + rng.choice("(),:-|{}[]\"'#\n \t1a\u00e9\U0001f3b2") + text[one.start() :]


def compiled(text: str) -> tuple[Game | None, bool]:
    """Return the game of a spec, or None where it is refused with an error that has a place.

    Besides, say whether its choices keep what is hidden: of those that do not there is a warning.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "game.yaml"
        file.write_text(text, encoding="utf-8")
        try:
            program = rulespec.compile_program(file)
        except SpecError as error:
            assert any(each.severity == "error" for each in error.diagnostics)
            return None, False
        report = Report()
        build_text(text, report)
    return Game(program), all(each.code != "choice-face-down" for each in report.in_order())


def play(game: Game, seed: int, chance: str, keeps_secrets: bool) -> bool:
    """Play a game at random with every check; say whether it went on without an error of a rule."""
    rng = random.Random(seed)
    try:
        state = game.new_initial_state(players=2, seed=seed, chance=chance)
        size = len(state.observation_tensor(0))
        for number in range(MOST):
            check(state, rng, number, size, keeps_secrets)
            if state.is_terminal():
                break
            after = state.clone()
            step(after, rng)
            state = after
    except RuleError as error:
        assert OURS not in str(error), error
        return False
    replay(game, state, seed)
    return True


def check(state: State, rng: random.Random, number: int, size: int, keeps_secrets: bool) -> None:
    """See to it that a state keeps what it promises."""
    game, text = state.game, state.to_json()
    seats = range(state.num_players())
    lists = (
        [list(state.legal_actions(seat)) for seat in seats] if not state.is_chance_node() else [state.legal_actions()]
    )
    assert all(actions == sorted(set(actions)) for actions in lists)
    assert any(lists) is not state.is_terminal()
    if number % 3 == 0:
        again = game.state_from_json(text)
        assert again.to_json() == text
        assert again == state and hash(again) == hash(state)
    if number % 7 == 0:
        saved = game.load_save(state.save())
        assert saved == state and saved.to_json() == text
    if not state.is_chance_node():
        for seat in state.pending_players():
            for action in rng.sample(lists[seat], min(2, len(lists[seat]))):
                assert state.string_to_action(state.action_to_string(action)) == action
                assert str(state.explain(action, seat))
    if number % 5 == 0:
        seen(state, number, size, keeps_secrets)
    refused(state, rng)
    if state.is_simultaneous_node():
        any_order(state, rng)
    assert state.to_json() == text
    assert len(state.returns()) == len(state.scores()) == state.num_players()


def seen(state: State, number: int, size: int, keeps_secrets: bool) -> None:
    """See to it that players are told the same by a state and by one they cannot tell from it."""
    for seat in range(state.num_players()):
        assert state.observation_string(seat)
        assert len(state.observation_tensor(seat)) == size
        other = state.resample(seat, number)
        if keeps_secrets:
            assert other.information_state_key(seat) == state.information_state_key(seat)
            assert other.legal_actions(seat) == state.legal_actions(seat) or state.is_chance_node()
            assert other.observation_string(seat) == state.observation_string(seat)
        text_of_other = other.to_json()
        assert state.game.state_from_json(text_of_other).to_json() == text_of_other
        if not other.is_terminal():
            step(other, random.Random(number))
        undone(state, seat)


def refused(state: State, rng: random.Random) -> None:
    """See to it that an action that is not offered is refused, whoever asks."""
    action = rng.randrange(state.game.num_distinct_actions())
    for seat in range(state.num_players()):
        if action not in state.legal_actions(seat):
            try:
                state.apply_action(action, seat)
            except IllegalActionError as error:
                assert str(error)
            else:
                raise AssertionError(f"{action} of {seat} was not refused")


def any_order(state: State, rng: random.Random) -> None:
    """See to it that answers given at the same time come to the same in any order."""
    seats = state.pending_players()
    answers = [rng.choice(state.legal_actions(p)) if p in seats else -1 for p in range(state.num_players())]
    joint = state.clone(reseed=7)
    joint.apply_actions(answers)
    single = state.clone(reseed=7)
    for seat in reversed(seats):
        single.apply_action(answers[seat], seat)
    assert single == joint
    assert [single.events(p) for p in seats] == [joint.events(p) for p in seats]


def undone(state: State, seat: int) -> None:
    """See to it that a decision that may be undone is one."""
    if state.can_undo(seat)[0]:
        before = state.undo(seat)
        assert seat in before.pending_players()
        assert before.history() == state.history()[: len(before.history())]


def kept_answers(game: Game, seed: int) -> None:
    """See to it that answers kept by the cells they depend on are those that are listed anew."""
    rng = random.Random(seed)
    try:
        with patch("interpreter.specialise.offers.MOST_KEYS", 0):
            plain = Game(game.program).new_initial_state(players=2, seed=seed)
        state = game.new_initial_state(players=2, seed=seed)
        for _ in range(MOST):
            if state.is_terminal():
                return
            for seat in state.pending_players():
                assert state.legal_actions(seat) == plain.legal_actions(seat)
            seat = rng.choice(state.pending_players())
            action = rng.choice(state.legal_actions(seat))
            state.apply_action(action, seat)
            plain.apply_action(action, seat)
    except RuleError as error:
        assert OURS not in str(error), error


def replay(game: Game, state: State, seed: int) -> None:
    """See to it that the record of a game, sampled or not, gives the same position in explicit mode."""
    again = game.new_initial_state(players=2, seed=seed, chance="explicit")
    entries, record = state.entries(), state.history()
    for entry, action in zip(entries, record):
        again.apply_action(action, entry[0] if isinstance(entry, tuple) else None)
    assert again.position_hash() == state.position_hash()
    assert again.history() == record
    assert [again.events(seat) for seat in range(2)] == [state.events(seat) for seat in range(2)]


def worlds(game: Game, seed: int) -> None:
    """See to it that a player cannot tell apart two worlds that look alike to him."""
    try:
        compare_worlds(lambda _: game.new_initial_state(players=2, chance="explicit"), seed, step, 2, MOST, True)
    except RuleError as error:
        assert OURS not in str(error), error


def main(first: int, last: int) -> None:
    """Examine specs by hand, and print those that break something."""
    outcomes: Counter[str] = Counter()
    for seed in range(first, last):
        try:
            outcomes[examine(seed).value] += 1
        except AssertionError as fault:
            outcomes["broken"] += 1
            print(f"== {seed}: {str(fault).splitlines()[0][:300]}", flush=True)
    print(dict(outcomes))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
