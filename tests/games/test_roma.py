"""Roma: its clauses are proved, a game of others is replayed, saves and secrets keep, a variant reaches everywhere."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import rulespec
from interpreter import Game, State
from interpreter.simulate import Run as Play
from interpreter.simulate import simulate
from rulespec.cli.proofs import clauses_of
from rulespec.diagnostics import Report
from rulespec.library import find_game
from rulespec.reader_texts import Clause

GAME = find_game("roma")
HERE = Path(__file__).parent
SATURNALIA = HERE / "roma_saturnalia.yaml"
CLAUSES = {"R": 68, "C": 44, "F": 24, "D": 22}
"""Sentences of the rulebook, of the cards, what follows from them, disputes."""
LANGUAGES = ("en", "pt")


@pytest.fixture(scope="module")
def clauses() -> dict[str, Clause]:
    report = Report()
    found = clauses_of(GAME, report)
    assert not report.diagnostics
    return found


@pytest.fixture(scope="module")
def roma() -> Game:
    return rulespec.load("roma")


# --------------------------------------------------------------------------------------------- clauses, scenarios


def test_every_sentence_every_card_and_every_dispute_is_a_clause(clauses: dict[str, Clause]) -> None:
    assert list(clauses) == [f"{sort}-{n:02}" for sort, count in CLAUSES.items() for n in range(1, count + 1)]


def test_a_clause_points_to_a_rule_and_a_dispute_says_why(clauses: dict[str, Clause]) -> None:
    assert [clause.id for clause in clauses.values() if not clause.rules or not clause.section] == []
    assert [clause.id for clause in clauses.values() if clause.id.startswith("D-") and not clause.why] == []


# --------------------------------------------------------------------------------------------- a recorded game

RECORDED = [
    (8, 10, 4, 0), (8, 16, 4, 5), (9, 16, 6, 5), (9, 14, 6, 7), (8, 14, 9, 7), (8, 16, 9, 5),
    (13, 16, 5, 5), (9, 20, 13, 1), (9, 20, 10, 1), (9, 19, 10, 12), (8, 19, 8, 12), (5, 20, 14, 1),
    (5, 20, 19, 1), (3, 19, 23, 0), (7, 19, 23, 0), (7, 17, 23, 9), (12, 16, 23, 9), (12, 24, 23, 4),
]  # fmt: skip
"""Points of red and blue, money of red and blue, before each turn is ended."""


def shortened(text: str, turns: int) -> str:
    """Return the scenario of the recorded game cut off before the end of a turn, with what holds there."""
    head, play = text.split("    play:\n")
    lines = play.split(f"      # turn {turns + 1}:")[0].split("    then:")[0].splitlines()
    if lines[-1].endswith("end_turn"):
        lines.pop()
    drawn = sum(int(number) for number in re.findall(r"take_card\(die=(\d)\)", "\n".join(lines)))
    chance = re.split(r",\s+", head.split("chance: [")[1].split("]")[0])[: 3 * turns + drawn]
    head = head.split("    chance:")[0] + f"    chance: [{', '.join(chance)}]\n    play:\n"
    red, blue, of_red, of_blue = RECORDED[turns - 1]
    then = f"""\
      - points of red is {red} and points of blue is {blue}
      - points of bank is {36 - red - blue}
      - money of red is {of_red} and money of blue is {of_blue}
"""
    return head + "\n".join(lines) + "\n    then:\n" + then


@pytest.mark.slow
def test_a_game_of_others_is_replayed_turn_by_turn(tmp_path: Path, cases_of, run_case) -> None:
    text = (Path(GAME).parent / "scenarios" / "thu09bell.yaml").read_text(encoding="utf-8")
    files = [tmp_path / f"{turns:02}.yaml" for turns in range(1, 19)]
    for turns, file in enumerate(files, 1):
        file.write_text(shortened(text, turns), encoding="utf-8")
    assert [run_case(case).failures for case in cases_of("roma", *files)] == [[]] * 18


OF_OTHERS = (
    "A01 A03 A05 A07 A13 A17 A21 A25 A27 A31 A33 A34 A36 U05 U12 U19 GGTestArchitectus GGTestBasilica GGTestCenturio "
    "GGTestConsul GGTestForum GGTestNero GGTestOnager GGTestPraetorianus GGTestSenator GGTestTemplum GGTestTurris "
    "TestConsul TestScaenicus"
)


def test_every_case_of_others_is_there_and_names_its_source() -> None:
    text = (Path(GAME).parent / "scenarios" / "peers.yaml").read_text(encoding="utf-8")
    sources = re.findall(r'source: "(\w+)', text)
    assert len(sources) == text.count("  - name: ")
    assert set(sources) == set(OF_OTHERS.split())


# --------------------------------------------------------------------------------------------- the game as a whole


@pytest.mark.slow
def test_every_rule_and_everything_shown_has_a_text_in_both_languages(roma: Game) -> None:
    texts = roma.program["texts"]
    assert [(s, name) for s, named in texts.items() for name, by in named.items() if set(by) != set(LANGUAGES)] == []
    made = re.compile(r"ranking\..*|.*\.(when|lasts|idle|blocked)|lowered_defence\.\w+|no_charge\.\w+")
    assert [rule for rule in roma.program["rules"] if rule not in texts["rules"] and not made.fullmatch(rule)] == []
    assert [zone["name"] for zone in roma.program["zones"] if zone["name"] not in texts["zones"]] == []
    assert [counter["name"] for counter in roma.program["counters"] if counter["name"] not in texts["counters"]] == []
    assert [option["name"] for option in roma.program["options"] if option["name"] not in texts["options"]] == []
    shown = [name for name in roma.program["entities"] if not {"#", "."} & set(name) and name != "battle_die"]
    assert [name for name in shown if name not in texts["values"]] == []


@pytest.mark.slow
def test_actions_are_few_and_told_apart_in_both_languages(roma: Game) -> None:
    state = roma.new_initial_state()
    count = roma.num_distinct_actions()
    assert count <= 2000
    for lang in LANGUAGES:
        assert len({state.action_to_string(action, lang) for action in range(count)}) == count


@pytest.mark.slow
def test_nothing_may_be_declined_but_what_the_rules_leave_to_the_player(roma: Game) -> None:
    state = roma.new_initial_state()
    written = {state.action_to_string(action) for action in range(roma.num_distinct_actions())}
    plain = {"end_turn", "roll_again", "keep_the_triple"}
    asked = {"lay_any_number(pass)", "centurio.effect(pass)", "forum.effect(pass)", "copy_in_turn(pass)"}
    assert {text for text in written if "=" not in text} == plain | asked


@pytest.mark.slow
def test_equal_points_are_shared_and_more_points_win(roma: Game) -> None:
    results = set()
    for seed in range(60):
        state = finished(roma.new_initial_state(seed=seed), random.Random(seed))
        red, blue = state.scores()
        assert state.returns() == [(red > blue) - (red < blue), (blue > red) - (blue < red)]
        results.add(state.returns()[0])
    assert {1.0, -1.0} <= results


OTHERS = {
    "mercatus_paid_by": "other_player", "scaenicus_copies": "scaenici_too", "essedum_gone": "counts_no_more",
    "free_laying": "for_the_rest_of_the_turn", "cards_laid_again": "may_cover_each_other", "new_deck": "at_once",
    "acting_for_nothing": "refused", "unused_dice": "refused", "starting_money": 5,
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, OTHERS], ids=["as_played", "all_settings_changed"])
def test_games_at_random_end_by_the_rules_with_every_invariant_kept(roma: Game, options: dict[str, object]) -> None:
    result = simulate(roma, 25, Play(2, 1, options=options, check=True))
    assert (result["failures"], result["terminal"]) == ([], 25)


@pytest.mark.slow
@pytest.mark.long
def test_the_limit_is_ten_times_the_longest_of_many_games(roma: Game) -> None:
    longest = max(finished(roma.new_initial_state(seed=seed), random.Random(seed)).decisions for seed in range(300))
    assert 10 * longest <= roma.max_game_length(2)


# --------------------------------------------------------------------------------------------- saves


def chosen(state: State, rng: random.Random, eager: bool = False) -> int:
    """Return a random outcome or action; an eager player rather activates cards."""
    if state.is_chance_node():
        outcomes = state.chance_outcomes()
        return rng.choices([o for o, _ in outcomes], [w for _, w in outcomes])[0]
    actions = state.legal_actions()
    acting = [a for a in actions if state.action_to_dict(a)["rule"] == "activate"] if eager else []
    return rng.choice(acting if acting and rng.random() < 0.8 else actions)


def finished(state: State, rng: random.Random) -> State:
    while not state.is_terminal():
        state.apply_action(chosen(state, rng))
    return state


def middles(roma: Game, chance: str) -> dict[str, State]:
    """Return, for each question asked inside a rule (and each roll of the battle die), a state in which it is asked."""
    asked = {ask["name"] for ask in roma.program["asks"] if "." in ask["name"]}
    wanted = {name for name in asked if not name.startswith("copy_in_turn.")}  # asked only with one setting
    found: dict[str, State] = {}
    for seed in range(200):
        state, rng = roma.new_initial_state(seed=seed, chance=chance), random.Random(seed)
        while not state.is_terminal():
            names = [] if state.is_chance_node() else [state.action_to_dict(a)["ask"] for a in state.legal_actions()]
            for name in set(names) & (wanted - set(found)):
                found[name] = state.clone()
            state.apply_action(chosen(state, rng, eager=True))
        if set(found) == wanted:
            return found
    raise AssertionError(f"never asked: {wanted - set(found)}")


@pytest.mark.slow
@pytest.mark.parametrize("chance", ["sampled", "explicit"])
def test_a_game_saved_in_the_middle_of_each_cards_effect_goes_on_alike(roma: Game, chance: str) -> None:
    for name, state in middles(roma, chance).items():
        copies = [roma.state_from_json(state.to_json()), roma.load_save(state.save())]
        for number in range(2):
            end = finished(state.clone(), random.Random(number))
            for copy in copies:
                again = finished(copy.clone(), random.Random(number))
                assert (again.history(), again.returns(), again) == (end.history(), end.returns(), end), name


@pytest.mark.slow
def test_a_game_saved_between_the_battle_roll_and_the_blow_goes_on_alike(roma: Game) -> None:
    saved = 0
    for seed in range(20):
        state, rng = roma.new_initial_state(seed=seed, chance="explicit"), random.Random(seed)
        attacked = False
        while not state.is_terminal():
            if attacked and state.is_chance_node():
                copy = roma.load_save(state.save())
                assert finished(copy, random.Random(1)) == finished(state.clone(), random.Random(1))
                saved += 1
            action = chosen(state, rng, eager=True)
            attacked = not state.is_chance_node() and "target=" in state.action_to_string(action)
            state.apply_action(action)
    assert saved >= 10


# --------------------------------------------------------------------------------------------- what players know


def faces(state: State) -> dict[str, tuple[str, ...]]:
    """Return the cards that lie in each slot, by name (omniscient)."""
    entities, classes = state.game.program["entities"], state.game.asks.classes
    zones = state.game.notation.position(state)["zones"]
    rows = {name: [classes[token[0]][1] for token in held[0]] for name, held in zones.items()}
    return {name: tuple(sorted(entities[row] for row in held if row >= 0)) for name, held in rows.items()}


@pytest.mark.slow
def test_worlds_dealt_anew_look_alike_and_differ_wherever_they_may(roma: Game) -> None:
    for seed in range(20):
        state, rng = roma.new_initial_state(seed=seed), random.Random(seed)
        for _ in range(12 + 2 * seed):
            if not state.is_terminal():
                state.apply_action(chosen(state, rng))
        for player in (0, 1):
            observation = state.observation(player)
            worlds = [state.resample(player, number) for number in range(200)]
            assert all(world.observation(player) == observation for world in worlds)
            shown = [faces(world) for world in worlds]
            for name in open_places(observation):
                assert len({world[name] for world in shown}) > 1, (seed, player, name)


def open_places(observation: dict) -> Iterator[str]:
    """Yield the slots that may hold more than one face: some token of a pool of several faces in several slots."""
    zones, pools = observation["zones"], observation["pools"]
    held = {
        name: {text.split()[1] for text in texts if str(text).startswith("?")}
        for name, texts in zones.items() if texts != "?"
    }  # fmt: skip
    for name, labels in held.items():
        for label in labels:
            if len(set(pools[label])) > 1 and sum(label in others for others in held.values()) > 1:
                yield name


def follow(state: State, *texts: str) -> State:
    """Let chance and players do as written."""
    for text in texts:
        if state.is_chance_node():
            outcome = next(o for o, _ in state.chance_outcomes() if state.action_to_string(o) == text)
            state.apply_action(outcome)
        else:
            state.apply_action(state.string_to_action(text))
    return state


DEALT = ("haruspex", "gladiator", "forum", "turris", "legat", "senator", "onager", "machina", "red")
GIVEN = (
    "exchange(cards=forum)", "exchange(cards=turris)", "exchange(cards=machina)", "exchange(cards=onager)",
)  # fmt: skip
LAID = (
    *(f"lay_first_cards(card={card}, disc={n})" for n, card in enumerate(("haruspex", "gladiator", "onager"), 1)),
    "lay_first_cards(card=machina, disc=4)",
    *(f"lay_first_cards(card={card}, disc={n})" for n, card in enumerate(("legat", "senator", "forum"), 1)),
)
LAST = "lay_first_cards(card=turris, disc=4)"


@pytest.fixture
def can_be(roma: Game) -> Callable[[State, int, str], set[tuple[str, ...]]]:
    """Return a function that gives all that a player must think may lie in a slot."""

    def possible(state: State, player: int, slot: str) -> set[tuple[str, ...]]:
        return {faces(state.resample(player, number))[slot] for number in range(60)}

    return possible


@pytest.mark.slow
def test_a_choice_of_cards_to_give_is_secret_until_both_have_chosen(roma: Game) -> None:
    one = follow(roma.new_initial_state(chance="explicit"), *DEALT, *GIVEN[:2])
    two = follow(
        roma.new_initial_state(chance="explicit"), *DEALT, "exchange(cards=gladiator)", "exchange(cards=turris)"
    )
    assert one.observation(1) == two.observation(1)
    assert one.information_state_key(1) == two.information_state_key(1)


@pytest.mark.slow
def test_after_the_exchange_each_knows_the_cards_given_and_no_others(roma: Game, can_be) -> None:
    state = follow(roma.new_initial_state(chance="explicit"), *DEALT, *GIVEN)
    hands = can_be(state, 0, "hand of blue")
    assert all({"forum", "turris"} <= set(hand) for hand in hands)
    assert len(hands) > 10
    assert len(can_be(state, 0, "hand of red")) == 1


@pytest.mark.slow
def test_cards_face_down_are_seen_by_their_owner_alone_until_they_are_turned_up(roma: Game, can_be) -> None:
    state = follow(roma.new_initial_state(chance="explicit"), *DEALT, *GIVEN, *LAID)
    assert len(can_be(state, 1, "side(red, 1)")) > 10
    assert len(can_be(state, 0, "side(blue, 2)")) > 10
    assert can_be(state, 0, "side(red, 1)") == {("haruspex",)}
    follow(state, LAST)
    assert can_be(state, 1, "side(red, 1)") == {("haruspex",)}


@pytest.mark.slow
def test_a_search_shows_the_deck_to_the_searcher_and_what_he_took_to_nobody(roma: Game, can_be) -> None:
    state = follow(roma.new_initial_state(chance="explicit"), *DEALT, *GIVEN, *LAID)
    follow(state, LAST, "1", "2", "6", "activate(die=1)", "haruspex.effect(card=nero)")
    assert can_be(state, 0, "hand of red") == {("nero",)}
    assert len(can_be(state, 1, "hand of red")) > 10
    assert len(can_be(state, 0, "deck")) == 1
    follow(state, "activate(die=2)", "gladiator.effect(victim=side(blue, 1))")
    assert can_be(state, 0, "hand of blue") == {("legat",)}


@pytest.mark.slow
def test_a_card_kept_from_a_draw_is_its_owners_secret(roma: Game, can_be) -> None:
    state = follow(roma.new_initial_state(chance="explicit"), *DEALT, *GIVEN, *LAID, LAST)
    follow(state, "1", "2", "6", "take_card(die=2)", "nero", "consul")
    assert len(can_be(state, 1, "drawn of red")) > 10
    follow(state, "take_card(card=nero)")
    assert can_be(state, 0, "hand of red") == {("nero",)}
    assert len(can_be(state, 1, "hand of red")) > 10
    assert can_be(state, 1, "discard") == {("consul",)}


# --------------------------------------------------------------------------------------------- a variant of everything


@pytest.mark.slow
def test_a_variant_adds_changes_and_removes_without_touching_the_game(cases_of, run_case) -> None:
    cases = cases_of("roma", HERE / "scenarios" / "roma_saturnalia.yaml")
    assert len(cases) == 5
    assert [run_case(case).failures for case in cases if not run_case(case).passed] == []


@pytest.mark.slow
def test_that_variant_is_played_to_its_end() -> None:
    game = rulespec.load("roma", variants=[str(SATURNALIA)])
    asked = {ask["name"].partition(".")[0] for ask in game.program["asks"]}
    assert "aedilis" in asked
    assert not {"roll_again", "roll_triples_again"} & asked
    result = simulate(game, 10, Play(2, 1, options={"gifts": 3}, check=True))
    assert (result["failures"], result["terminal"]) == ([], 10)
