"""Worlds a player cannot tell apart, dealt anew by `resample`: the same to him, different behind his back, playable."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from interpreter import Game, State
from interpreter.chance import Generator

Start = Callable[..., State]
Step = Callable[[State, random.Random], None]


def seen(state: State, player: int) -> list[Any]:
    actions = state.legal_actions(player)
    return [
        state.observation_string(player),
        state.information_state_string(player),
        state.information_state_key(player),
        state.observation_tensor(player),
        actions,
        [state.action_to_string(action, "en") for action in actions],
        state.pending_players(),
        state.current_player(),
    ]


def test_resampled_states_look_the_same_to_the_player_who_asked(start: Start, seeds: Any, step: Step) -> None:
    for seed in seeds:
        for chance in ("sampled", "explicit"):
            state, rng = start(seed, chance), random.Random(seed)
            for number in range(60 * len(seeds)):
                if state.is_terminal():
                    break
                if number < 12 or rng.random() < 0.1:
                    before = state.to_json()
                    for player in range(state.num_players()):
                        assert seen(state.resample(player, number), player) == seen(state, player)
                    assert state.to_json() == before
                step(state, rng)


def test_resampled_states_can_be_played_saved_and_read(game: Game, start: Start, seeds: Any, step: Step) -> None:
    for seed in seeds:
        for chance in ("sampled", "explicit"):
            state, rng = start(seed, chance), random.Random(seed)
            for number in range(40):
                if state.is_terminal():
                    break
                if number % 5 == 0:
                    world = state.resample(rng.randrange(state.num_players()), rng)
                    assert world.history() == []
                    assert all(world.legal_actions(p) for p in world.pending_players())
                    for _ in range(6):
                        if not world.is_terminal():
                            step(world, rng)
                    assert game.state_from_json(world.to_json()).to_json() == world.to_json()
                    assert world.check_invariants() == []
                step(state, rng)


def test_the_same_seed_deals_the_same_world(start: Start, seeds: Any, step: Step) -> None:
    state, rng = start(seeds[0]), random.Random(1)
    for _ in range(6):
        if not state.is_terminal():
            step(state, rng)
    assert state.resample(0, 9).to_json() == state.resample(0, 9).to_json()
    assert state.resample(0, random.Random(4)).to_json() == state.resample(0, random.Random(4)).to_json()
    assert state.resample(0, 9).start["seed"] != state.start["seed"]


def test_an_unknown_card_is_either_of_two_equally_often(example: Callable[[str], Game]) -> None:
    state = example("kuhn_poker").new_initial_state(chance="explicit")
    state.apply_action(state.legal_actions()[0])
    state.apply_action(state.legal_actions()[0])
    generator, count = Generator(11), 10_000
    other = state.game.knowledge
    hand = state.tracked().code.layout.zones["hand"].base + 1
    first = state.v[hand]
    same = sum(other.resampled(state, 0, generator).v[hand] == first for _ in range(count))
    assert abs(same - count / 2) < 3 * (count / 4) ** 0.5


def faces_at_places(state: State) -> dict[str, tuple[str, ...]]:
    """Return what lies in every slot, face by face (omniscient)."""
    zones = state.game.notation.position(state)["zones"]
    return {name: tuple(str(token[:3]) for token in held[0]) for name, held in zones.items()}


def test_more_than_one_face_shows_up_where_more_than_one_may_lie(start: Start, seeds: Any, step: Step) -> None:
    state, rng = start(seeds[0]), random.Random(seeds[0])
    for number in range(15):
        if state.is_terminal():
            return
        if number % 5 == 0:
            for player in range(state.num_players()):
                worlds = [faces_at_places(state.resample(player, i)) for i in range(50)]
                observation = state.observation(player)
                for name, texts in observation["zones"].items():
                    for pool in {t.split()[1] for t in texts if t.startswith("?")} if texts != "?" else ():
                        if len(set(observation["pools"][pool])) > 1 and pool_is_split(observation, pool):
                            assert len({world.get(name) for world in worlds}) > 1, (name, pool)
        step(state, rng)


def pool_is_split(observation: dict[str, Any], pool: str) -> bool:
    """Say whether a pool's tokens lie in more than one place, so that their faces can change places."""
    zones = observation["zones"].values()
    return (
        sum(any(t.split()[:2][-1] == pool for t in texts if t.startswith("?")) for texts in zones if texts != "?") > 1
    )


def test_answers_not_yet_revealed_are_drawn_again(example: Callable[[str], Game]) -> None:
    state = example("matching_pennies").new_initial_state()
    state.apply_action(0, 0)
    answers = set()
    for seed in range(30):
        world = state.resample(1, seed)
        assert world.pending_players() == [1]
        world.apply_action(0, 1)
        answers.add(tuple(world.returns()))
    assert answers == {(1.0, -1.0), (-1.0, 1.0)}
    kept = {tuple(finished(state.resample(0, seed))) for seed in range(30)}
    assert kept == {(1.0, -1.0)}


def finished(state: State) -> list[float]:
    state.apply_action(0, 1)
    return state.returns()


TWO_PARTS = """\
rulespec: 1
game: two_parts
players: 2
seats: [red, blue]
variables:
  first_sum: {is: 0..9, start: 0}
  shown: {each: player, is: 0..9, start: 0}
phases:
  whole_game:
    do: |
      at the same time, each player:
          choose number left from 0..1
          choose number right from 0..1
      when all have chosen:
          set my shown to left * 2 + right
ranking: most shown of player
"""


def test_the_first_of_several_hidden_parts_is_drawn_again(tmp_path: Any) -> None:
    import rulespec

    (tmp_path / "two_parts.yaml").write_text(TWO_PARTS, encoding="utf-8")
    state = rulespec.load(str(tmp_path / "two_parts.yaml")).new_initial_state()
    state.apply_action(state.legal_actions(0)[1], 0)
    assert state.pending_players() == [0, 1]
    found = set()
    for seed in range(30):
        world = state.resample(1, seed)
        assert world.pending_players() == [0, 1]
        assert seen(world, 1) == seen(state, 1)
        own = state.resample(0, seed)
        for each in (world, own):
            each.apply_action(each.legal_actions(0)[0], 0)
            each.apply_action(each.legal_actions(1)[0], 1)
            each.apply_action(each.legal_actions(1)[0], 1)
        found.add(tuple(world.observation(0)["variables"]["shown"]))
        assert own.observation(0)["variables"]["shown"] == [2, 0]
    assert found == {(0, 0), (2, 0)}
