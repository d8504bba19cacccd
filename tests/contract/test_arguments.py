"""Wrong arguments are refused in our own words, and leave a state as it was."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import interpreter
import rulespec
from interpreter import Error, Game, IllegalActionError, NotationError, ProgramError, SettingError, State

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return rulespec.load(ROOT / "examples" / "kuhn_poker.yaml")


@pytest.fixture
def state(kuhn: Game) -> State:
    return kuhn.new_initial_state()


@pytest.fixture(scope="module")
def pennies() -> Game:
    return rulespec.load(ROOT / "examples" / "matching_pennies.yaml")


SEATED: dict[str, Callable[[State, Any], object]] = {
    "legal_actions": lambda s, seat: s.legal_actions(seat),
    "legal_actions_mask": lambda s, seat: s.legal_actions_mask(seat),
    "observation": lambda s, seat: s.observation(seat),
    "observation_string": lambda s, seat: s.observation_string(seat),
    "observation_tensor": lambda s, seat: s.observation_tensor(seat),
    "information_state_string": lambda s, seat: s.information_state_string(seat),
    "information_state_key": lambda s, seat: s.information_state_key(seat),
    "resample": lambda s, seat: s.resample(seat, 1),
    "can_undo": lambda s, seat: s.can_undo(seat),
    "undo": lambda s, seat: s.undo(seat),
    "events": lambda s, seat: s.events(seat),
    "explain": lambda s, seat: s.explain(0, seat),
}


@pytest.mark.parametrize("seat", [-1, 2, 10**30])
@pytest.mark.parametrize("ask", SEATED.values(), ids=SEATED)
def test_a_seat_that_there_is_not_is_an_error(state: State, ask: Callable[[State, Any], object], seat: int) -> None:
    with pytest.raises(SettingError, match=rf"there is no seat {seat}; seats of this game: 0 first, 1 second"):
        ask(state, seat)


@pytest.mark.parametrize("seat", ["first", 1.0, [0]])
@pytest.mark.parametrize("ask", SEATED.values(), ids=SEATED)
def test_a_seat_is_a_whole_number(state: State, ask: Callable[[State, Any], object], seat: object) -> None:
    with pytest.raises(SettingError, match="a seat is a whole number, not "):
        ask(state, seat)


def test_a_seat_that_is_not_asked_has_no_actions(state: State) -> None:
    assert state.legal_actions(1) == []
    assert sum(state.legal_actions_mask(1)) == 0


def test_seats_are_those_that_play(compiled: Callable[[str, tuple[str, ...]], Game]) -> None:
    game = compiled("via_romana", ())
    two = game.new_initial_state(2)
    with pytest.raises(SettingError, match="there is no seat 2; seats of this game: 0 red, 1 yellow"):
        two.observation(2)
    assert game.new_initial_state(3).observation(2)


NAMING: dict[str, Callable[[State, Any], object]] = {
    "action_to_string": lambda s, action: s.action_to_string(action),
    "action_to_string, in a language": lambda s, action: s.action_to_string(action, "en"),
    "action_to_dict": lambda s, action: s.action_to_dict(action),
    "explain": lambda s, action: s.explain(action),
    "apply_action": lambda s, action: s.apply_action(action),
    "child": lambda s, action: s.child(action),
}


@pytest.mark.parametrize("action", [-1, 99, 10**30])
@pytest.mark.parametrize("ask", NAMING.values(), ids=NAMING)
def test_an_action_that_there_is_not_is_an_error(
    state: State, ask: Callable[[State, Any], object], action: int
) -> None:
    before = state.to_json()
    with pytest.raises(IllegalActionError, match=rf"there is no action {action}; ids run from 0 to 3"):
        ask(state, action)
    assert state.to_json() == before


@pytest.mark.parametrize("action", ["bet", 1.5, None, [1]])
@pytest.mark.parametrize("ask", NAMING.values(), ids=NAMING)
def test_an_action_is_a_whole_number(state: State, ask: Callable[[State, Any], object], action: object) -> None:
    with pytest.raises(IllegalActionError, match="an action is a whole number, not "):
        ask(state, action)


def test_numbers_of_other_kinds_are_numbers(state: State) -> None:
    class Three:
        def __index__(self) -> int:
            return 3

    assert state.action_to_string(Three()) == state.action_to_string(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("outcome", [-1, 99, "jack", None])
def test_an_outcome_that_there_is_not_is_an_error(kuhn: Game, outcome: Any) -> None:
    state = kuhn.new_initial_state(chance="explicit")
    for ask in (state.action_to_string, state.action_to_dict, state.apply_action):
        with pytest.raises(IllegalActionError, match=r"outcome|whole number"):
            ask(outcome)
    with pytest.raises(IllegalActionError, match="chance decides now"):
        state.apply_action(0, 0)
    assert state.legal_actions(0) == []


def test_who_is_not_asked_cannot_answer(state: State) -> None:
    for player, said in ((1, "is not being asked now"), (5, "there is no seat 5"), (-1, "there is no seat -1")):
        with pytest.raises(IllegalActionError, match=said):
            state.apply_action(0, player)


JOINT = {
    "too few": ([0], "1 answers for 2 seats"),
    "too many": ([0, 0, 0], "3 answers for 2 seats"),
    "no such action": ([0, 99], "there is no action 99"),
    "no number": ([0, "heads"], "an action is a whole number"),
}


@pytest.mark.parametrize(("answers", "said"), JOINT.values(), ids=JOINT)
def test_a_joint_answer_is_one_for_each_seat(pennies: Game, answers: list[Any], said: str) -> None:
    state = pennies.new_initial_state()
    before = state.to_json()
    with pytest.raises(IllegalActionError, match=said):
        state.apply_actions(answers)
    assert state.to_json() == before


def test_nobody_answers_when_nobody_is_asked(kuhn: Game, pennies: Game) -> None:
    over = pennies.new_initial_state()
    over.apply_actions([0, 0])
    for state, said in ((over, "the game is over"), (kuhn.new_initial_state(chance="explicit"), "chance decides")):
        with pytest.raises(IllegalActionError, match=said):
            state.apply_actions([0, 0])


@pytest.mark.parametrize("text", [5, None, b"bet"])
def test_notation_is_text(state: State, text: Any) -> None:
    with pytest.raises(NotationError, match="an action is written as a text"):
        state.string_to_action(text)


SETTINGS: dict[str, tuple[dict[str, Any], str]] = {
    "players as text": ({"players": "2"}, "a number of players is a whole number, not '2'"),
    "players with a fraction": ({"players": 2.0}, "a number of players is a whole number, not 2.0"),
    "no players": ({"players": 0}, "is for 2 players, not 0"),
    "a seed as text": ({"seed": "x"}, "a seed is a whole number, not 'x'"),
    "no seed": ({"seed": None}, "a seed is a whole number, not None"),
    "options as a list": ({"options": ["x"]}, "options are given by name"),
    "an option that is none": ({"options": {3: 4}}, "has no option `3`"),
    "chance": ({"chance": ["explicit"]}, "chance is `sampled` or `explicit`, not "),
}


@pytest.mark.parametrize(("settings", "said"), SETTINGS.values(), ids=SETTINGS)
def test_settings_are_of_their_types(kuhn: Game, settings: dict[str, Any], said: str) -> None:
    with pytest.raises(SettingError, match=said):
        kuhn.new_initial_state(**settings)


def test_sources_of_chance_are_numbers_or_generators(state: State) -> None:
    for call in (lambda: state.resample(0, "x"), lambda: state.resample(0, None), lambda: state.clone("x")):  # type: ignore[arg-type]
        with pytest.raises(SettingError):
            call()


def test_only_positions_of_one_game_are_compared(state: State, pennies: Game) -> None:
    for other in (pennies.new_initial_state(), None, "x"):
        with pytest.raises(SettingError, match="can be compared"):
            state.diff(other)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", [None, 5, [], {}])
def test_texts_to_read_are_texts(kuhn: Game, text: Any) -> None:
    for read in (kuhn.state_from_json, kuhn.load_save, interpreter.load_program):
        with pytest.raises(ProgramError):
            read(text)


# ------------------------------------------------------------------------------------------------ strangers' programs


def test_programs_that_the_compiler_makes_are_sound(compiled: Callable[[str, tuple[str, ...]], Game]) -> None:
    for name in ("via_romana", *sorted((ROOT / "examples").glob("*.yaml")), *(ROOT / "tests/contract/games").glob("*")):
        assert interpreter.load_program(compiled(str(name), ()).to_json()).name


def changed(game: Game, *path: Any, value: Any) -> str:
    """Return the program's text with one part put in the place of another."""
    data = json.loads(game.to_json())
    inner = data
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return json.dumps(data)


BET = ("rules", "bet", "body", 0)
UNSOUND: dict[str, tuple[tuple[Any, ...], Any, str]] = {
    "a statement that there is not": ((*BET, "op"), "explode", "there is no statement `explode`"),
    "a formula that is none": ((*BET, "value"), ["shout", 1], "is no formula"),
    "too many operands": ((*BET, "value"), ["not", ["me"], ["me"]], "`not` takes 1 operands, found 2"),
    "a variable that there is not": ((*BET, "target"), ["var", "nothing"], "there is no variable `nothing`"),
    "a local that there is not": ((*BET, "value"), ["local", 7], "expected a whole number from 0 to -1, found 7"),
    "a number too large": ((*BET, "value"), ["lit", 2**70], "expected a whole number from"),
    "text for a number": ((*BET, "value"), ["lit", "x"], "expected a whole number from"),
    "a rule that there is not": (("root",), "nowhere", "names a root phase `nowhere`"),
    "a zone of no kind": (("zones", 1, "keys"), ["planet"], "there is no kind `planet`"),
    "a zone for too many": (("kinds", "rank", "ranges"), [[0, 10**9]], "ids out of range"),
    "too many players": (("players", "seats"), ["a"] * 1000, "too few or many"),
    "players that are none": (("players", "max"), 99, "numbers of players that do not fit"),
    "no bound of a game": (("limits", "decisions"), 10**30, "expected a whole number from 1"),
    "a question about all numbers": (("asks", 0, "domains"), [["int", 0, 10**12]], "1 items|0 items|too few or many"),
    "nesting": ((*BET, "value"), None, "nested too deeply"),
}


@pytest.mark.parametrize(("path", "value", "said"), UNSOUND.values(), ids=UNSOUND)
def test_a_program_that_is_not_sound_is_refused(kuhn: Game, path: tuple[Any, ...], value: Any, said: str) -> None:
    text = changed(kuhn, *path, value=value)
    if said == "nested too deeply":
        text = text.replace('"value": null', '"value": ' + '["not", ' * 3000 + "true" + "]" * 3000, 1)
    with pytest.raises(ProgramError, match=said):
        interpreter.load_program(text)


# -------------------------------------------------------------------------------------------------- strangers' states


def dealt_anew(game: Game) -> dict[str, Any]:
    """Return a state that begins with a position of its own, as data."""
    state = game.new_initial_state(seed=3)
    state.apply_action(state.legal_actions()[0])
    return json.loads(state.resample(0, 1).to_json())  # type: ignore[no-any-return]


RANGES: dict[str, tuple[tuple[Any, ...], Any, str]] = {
    "a variable": (("variables", "stake"), [9], "`stake` is a whole number from 1 to 2, not 9"),
    "a truth": (("variables", "bet_made"), [1], "`bet_made` is true or false, not 1"),
    "a player": (("variables", "winner"), [4], "`winner` is no player: 4"),
    "whose turn": (("active",), 6, "whose turn it is is a whole number"),
    "who is asked": (("asked",), 6, "who is asked is a whole number"),
    "decisions": (("decisions",), -1, "the number of decisions is a whole number"),
    "over": (("over",), 0, "over is true or false"),
    "a side": (("zones", "hand of first", 0, 0, 1), 5, "a side is a whole number"),
    "a label": (("zones", "hand of first", 0, 0, 3), [0, -4], "what a player knows is a whole number"),
    "a token twice": (("zones", "hand of first", 0), None, "more tokens are alike than the game has"),
    "who performs": (("frames", 0, 2), 9, "who performs a rule is a whole number"),
}


@pytest.mark.parametrize(("path", "value", "said"), RANGES.values(), ids=RANGES)
def test_values_of_a_position_are_in_their_ranges(kuhn: Game, path: tuple[Any, ...], value: Any, said: str) -> None:
    data = dealt_anew(kuhn)
    inner = data["start"]["position"]
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value if value is not None else [*inner[path[-1]], *inner[path[-1]]]
    with pytest.raises(ProgramError, match=said):
        kuhn.state_from_json(json.dumps(data))


@pytest.mark.parametrize("extra", [[[0, 1]], [[2, -1]], [[2, 10**9]], [[99, 1]], [["jack", 1]], [[2]], 5])
def test_extra_tokens_are_of_rows_that_there_are(kuhn: Game, extra: Any) -> None:
    data = json.loads(kuhn.new_initial_state().to_json())
    data["settings"]["extra"] = extra
    with pytest.raises(ProgramError):
        kuhn.state_from_json(json.dumps(data))


VARIANTS_WRONG: dict[str, tuple[Any, str]] = {
    "a text": ("hidden_bids", r"in a list, also a single one: \['hidden_bids'\]"),
    "a path": (Path("hidden_bids.yaml"), r"in a list, also a single one: \['hidden_bids.yaml'\]"),
    "a number": (3, "in a list of names or paths, not as 3"),
    "numbers": ([3], r"in a list of names or paths, not as \[3\]"),
}


@pytest.mark.parametrize(("variants", "said"), VARIANTS_WRONG.values(), ids=VARIANTS_WRONG)
def test_variants_are_given_in_a_list(variants: Any, said: str) -> None:
    path = ROOT / "examples" / "matching_pennies.yaml"
    for make in (
        lambda: rulespec.load(path, variants),
        lambda: rulespec.compile_program(path, variants),
        lambda: rulespec.load_text(path.read_text(encoding="utf-8"), variants=variants),
    ):
        with pytest.raises(SettingError, match=said):
            make()


def test_no_variants_may_be_none() -> None:
    path = ROOT / "examples" / "matching_pennies.yaml"
    assert rulespec.compile_program(path, None) == rulespec.compile_program(path)


def test_errors_are_all_of_one_family() -> None:
    assert {Error} == {kind.__base__ for kind in (IllegalActionError, NotationError, ProgramError, SettingError)}


@pytest.mark.parametrize("value", [None, 3, b"rulespec: 1", ["rulespec: 1"]], ids=repr)
def test_the_text_of_a_game_is_a_text(value: Any) -> None:
    with pytest.raises(SettingError, match="takes the text of a game"):
        rulespec.load_text(value)
    with pytest.raises(SettingError, match="takes the text of a game"):
        rulespec.load_text("rulespec: 1", value)


@pytest.mark.parametrize("value", [None, 0, "00", {0: 0, 1: 0}], ids=repr)
def test_answers_of_all_seats_are_a_list(pennies: Game, value: Any) -> None:
    with pytest.raises(IllegalActionError, match="the answers of all seats are given in a list"):
        pennies.new_initial_state().apply_actions(value)


@pytest.mark.parametrize("value", [object(), b"x", {1: {2j}}], ids=["object", "bytes", "complex"])
def test_the_origin_of_a_save_is_json(state: State, value: Any) -> None:
    with pytest.raises(SettingError, match="the origin of a save is a JSON value"):
        state.save(value)
