"""The small classics held against OpenSpiel: two engines walk one game side by side, and every step must agree.

A `Peer` says which OpenSpiel game a classic is, and what each action and outcome is called there. At each node the
same side must be to move (chance, these players, nobody), the legal actions must be the same, chance must have the same
odds, and at the end the returns must be equal. Where the two differ on purpose, the peer says so.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game, State
from interpreter.tree import Ply, after, perft, plies

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'rulespec[peers]'")

ROOT = Path(__file__).parent.parent.parent
Named = Callable[[dict[str, str], str], int | str]
"""From the values of an action and its rule to what it is called in OpenSpiel: its number, or its text."""


@dataclass(frozen=True)
class Peer:
    """A classic, the OpenSpiel game it is, and what our actions and outcomes are there."""

    game: str
    theirs: str
    action: Named
    outcome: Callable[[str], int] = int
    variants: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    start: str | None = None
    seats: tuple[int, int] = (0, 1)
    """The seats there of our first and second player."""
    drawn_after: int | None = None
    """After how many plies their game may be drawn where ours goes on."""
    only: Callable[[Any, list[int]], list[int]] = lambda state, actions: actions
    """Those of their actions that our game has."""
    knows: Callable[[Any, int], str] = lambda state, seat: str(state.information_state_string(seat))
    """What a player knows there, if it is to be parted as finely as ours."""
    returns: Callable[[Any], list[float]] = lambda state: list(state.returns())
    """What their final state is worth in our game."""

    def __str__(self) -> str:
        return "-".join([self.game, *self.variants, *(f"{k}-{v}" for k, v in self.options.items())])


# ------------------------------------------------------------------------------------ what things are called there

POINTS = [
    "a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5", "e5", "a4", "b4", "c4",
    "e4", "f4", "g4", "c3", "d3", "e3", "b2", "d2", "f2", "a1", "d1", "g1",
]  # fmt: skip
HEAPS = ["first_heap", "second_heap", "third_heap", "fourth_heap"]
POKER = {"fold": 0, "call": 1, "raise": 2}
KUHN = {"check": 0, "fold": 0, "bet": 1, "call": 1}
CARDS = ["jack_of_hearts", "jack_of_spades", "queen_of_hearts", "queen_of_spades", "king_of_hearts", "king_of_spades"]
BIDS = ["ace", "jack", "queen", "king"]


def cell(text: str) -> tuple[int, int]:
    """Return row and column of the cell in a text."""
    row, column = text[text.index("cell(") + 5 :].removesuffix(")").split(", ")
    return int(row), int(column)


def nim(values: dict[str, str], rule: str) -> int:
    return len(HEAPS) * (int(values["n"]) - 1) + HEAPS.index(values["heap"])


def connect_four(values: dict[str, str], rule: str) -> int:
    return int(values["column"]) - 1


def hex_cell(values: dict[str, str], rule: str) -> int:
    row, column = cell(values["cell"])
    return 5 * (row - 1) + column - 1


def morris(values: dict[str, str], rule: str) -> int:
    """Placing a man and taking one are the point; sliding is 24 + 24 * from + to."""
    if rule == "slide":
        return 24 + 24 * POINTS.index(values["man"].removeprefix("site of ")) + POINTS.index(values["point"])
    return POINTS.index((values.get("point") or values["man"]).removeprefix("site of "))


def breakthrough(values: dict[str, str], rule: str) -> str:
    """Their first player begins at the top and goes down; which moves capture is left out of their text."""
    return "".join("abcdef"[column - 1] + str(7 - row) for row, column in map(cell, (values["pawn"], values["cell"])))


def pawns(values: dict[str, str], rule: str) -> str:
    """Our five by five are the files a to e and the ranks 3 to 7 of a chess board."""
    (_, start), (row, column) = cell(values["pawn"]), cell(values["cell"])
    taking = "abcde"[start - 1] + "x" if rule == "take" else ""
    return taking + "abcde"[column - 1] + str(row + 2)


def bids_of_dice(values: dict[str, str], rule: str) -> int:
    return 12 if rule == "call_liar" else 6 * (int(values["q"]) - 1) + int(values["p"]) - 1


def bids_of_cards(values: dict[str, str], rule: str) -> int:
    return BIDS.index(values["bid"])


def rank(state: Any, number: int) -> str:
    """Return what stands on the squares a to e of a rank of a chess board."""
    signs = str(state).split("/")[8 - number].split()[0]
    return "".join("." * int(sign) if sign.isdigit() else sign for sign in signs)[:5]


def no_double_step(state: Any, actions: list[int]) -> list[int]:
    """Pawns of ours have no first double step; theirs have it from rank 7 to rank 5."""
    if str(state).split()[1] == "w":
        return actions
    double = {f"{file}5" for file, seven, six in zip("abcde", rank(state, 7), rank(state, 6)) if seven + six == "p."}
    return [a for a in actions if state.action_to_string(a) not in double]


def worth_of_pawns(state: Any) -> list[float]:
    """In antichess one wins who has nothing left to move; here he loses, and who reaches the far row wins.

    White, our first player, is their second.
    """
    if state.is_terminal():
        return [-each for each in reversed(state.returns())]
    white, black = "P" in rank(state, 7), "p" in rank(state, 3)
    assert white is not black
    return [1.0, -1.0] if white else [-1.0, 1.0]


GOOFSPIEL = "goofspiel(num_cards=4,points_order=descending)"
HIDDEN_BIDS = "turn_based_simultaneous_game(game=goofspiel(imp_info=True,num_cards=4,points_order=descending))"

PEERS = [
    Peer("connect_four", "connect_four", connect_four),
    Peer("nim", "nim", nim),
    Peer("nim", "nim(is_misere=False)", nim, options={"last_stone_loses": False}),
    Peer("hex", "hex(board_size=5)", hex_cell),
    # theirs is drawn after 200 turns; ours goes on, to the limit of every game
    Peer("nine_mens_morris", "nine_mens_morris", morris, drawn_after=200),
    Peer("breakthrough", "breakthrough(rows=6,columns=6)", breakthrough),
    # pawns as in antichess, where who can take must; ours ends on the far row or when one cannot move, and he has lost
    Peer("chess_pawns", "antichess", pawns, start="8/ppppp3/8/8/8/PPPPP3/8/8 w - - 0 1", seats=(1, 0),
         only=no_double_step, returns=worth_of_pawns),
    Peer("kuhn_poker", "kuhn_poker", lambda _, rule: KUHN[rule], outcome=["jack", "queen", "king"].index),
    Peer("leduc_poker", "leduc_poker", lambda _, rule: POKER[rule], outcome=CARDS.index),
    Peer("liars_dice", "liars_dice", bids_of_dice, outcome=lambda text: int(text) - 1),
    # theirs, when bids are shown, forgets in which order they were made; ours never forgets
    Peer("goofspiel", GOOFSPIEL, bids_of_cards,
         knows=lambda state, seat: f"{state.information_state_string(seat)} after {state.history()}"),
    Peer("goofspiel", HIDDEN_BIDS, bids_of_cards, variants=("hidden_bids",)),
    Peer("pig", "pig", lambda _, rule: int(rule == "hold"), outcome=lambda text: int(text) - 1),
    Peer("pig", "pig(winscore=20)", lambda _, rule: int(rule == "hold"), outcome=lambda text: int(text) - 1,
         options={"goal": 20}),
]  # fmt: skip
NAMES = [str(peer) for peer in PEERS]
WITH_SECRETS = [peer for peer in PEERS if peer.game in ("kuhn_poker", "goofspiel", "leduc_poker", "liars_dice")]


# ------------------------------------------------------------------------------------------------- side by side


@dataclass
class Pair:
    """A state of ours and the state of theirs that it should be."""

    peer: Peer
    ours: State
    theirs: Any

    def names(self, seat: int) -> dict[int, Any]:
        """Return each legal action of a player with its number there; of chance, each outcome."""
        ours, theirs = self.ours, self.theirs
        if ours.is_chance_node():
            return {a: self.peer.outcome(ours.action_to_string(a)) for a in ours.legal_actions()}
        told = [(action, ours.action_to_dict(action)) for action in ours.legal_actions(seat)]
        named = {action: self.peer.action(each["values"], each["rule"]) for action, each in told}
        if all(isinstance(name, int) for name in named.values()):
            return named
        there = self.peer.seats[seat]
        texts = {theirs.action_to_string(there, a).removesuffix("*"): a for a in theirs.legal_actions(there)}
        return {action: texts[name] for action, name in named.items()}

    def compare(self) -> None:
        """See to it that the same is true of both."""
        ours, theirs = self.ours, self.theirs
        if ours.is_terminal():
            assert ours.returns() == self.peer.returns(theirs)
        elif ours.is_chance_node():
            names = self.names(-1)
            odds = {names[outcome]: pytest.approx(p) for outcome, p in ours.chance_outcomes()}
            assert dict(theirs.chance_outcomes()) == odds
        else:
            assert not theirs.is_chance_node()
            asked = [0, 1] if theirs.is_simultaneous_node() else [self.peer.seats.index(theirs.current_player())]
            assert ours.pending_players() == asked
            for seat in asked:
                legal = self.peer.only(theirs, theirs.legal_actions(self.peer.seats[seat]))
                assert sorted(self.names(seat).values()) == sorted(legal)

    def child(self, ply: Ply) -> Pair:
        """Return the pair that a ply of ours leads to."""
        theirs = self.theirs.clone()
        if self.ours.is_simultaneous_node():
            theirs.apply_actions([self.names(seat)[action] for seat, action in enumerate(ply)])
        else:
            theirs.apply_action(self.names(self.ours.current_player())[ply[0]])
        return Pair(self.peer, after(self.ours, ply), theirs)

    def is_drawn_there(self, ply: int) -> bool:
        """Whether their game has been cut off where ours goes on."""
        if self.peer.drawn_after is None or ply < self.peer.drawn_after or self.ours.is_terminal():
            return False
        return bool(self.theirs.is_terminal()) and self.theirs.returns() == [0.0, 0.0]


Classic = Callable[..., Game]


def first_pair(classic: Classic, peer: Peer) -> Pair:
    ours = classic(peer.game, *peer.variants).new_initial_state(players=2, chance="explicit", options=peer.options)
    game = pyspiel.load_game(peer.theirs)
    theirs = game.new_initial_state(peer.start) if peer.start else game.new_initial_state()
    return Pair(peer, ours, theirs)


@pytest.mark.parametrize("games", [2, pytest.param(60, marks=pytest.mark.slow)], ids=["few", "many"])
@pytest.mark.parametrize("peer", PEERS, ids=NAMES)
def test_games_at_random_are_the_same_game_there(classic: Classic, peer: Peer, games: int) -> None:
    for seed in range(games):
        pair, rng, ply = first_pair(classic, peer), random.Random(seed), 0
        pair.compare()
        while not pair.ours.is_terminal() and not pair.is_drawn_there(ply):
            pair = pair.child(rng.choice(list(plies(pair.ours))))
            ply += 1
            if not pair.is_drawn_there(ply):
                pair.compare()
        assert ply > 2


@pytest.mark.parametrize("depth", [2, pytest.param(4, marks=pytest.mark.slow)], ids=["short", "long"])
@pytest.mark.parametrize("peer", [p for p in PEERS if p.game not in ("chess_pawns", "kuhn_poker")], ids=str)
def test_sequences_of_plies_number_the_same_there(classic: Classic, peer: Peer, depth: int) -> None:
    pair = first_pair(classic, peer)
    assert perft(pair.ours, depth) == their_perft(pair.theirs, depth)


def their_perft(state: Any, depth: int) -> list[int]:
    """Count the sequences of 1, 2, ... plies there; a joint answer is one."""
    if state.is_terminal() or depth == 0:
        return [0] * depth
    if state.is_simultaneous_node():
        joint = [[one, other] for one in state.legal_actions(0) for other in state.legal_actions(1)]
        below = [state.clone() for _ in joint]
        for child, actions in zip(below, joint):
            child.apply_actions(actions)
    else:
        below = [state.child(action) for action in state.legal_actions()]
    deeper = [their_perft(child, depth - 1) for child in below]
    return [len(below), *(sum(counts) for counts in zip(*deeper))]


SLOW, LONG = (pytest.mark.slow,), (pytest.mark.slow, pytest.mark.long)
MARKS = {"goofspiel-hidden_bids": SLOW, "leduc_poker": SLOW, "liars_dice": LONG}


@pytest.mark.parametrize("peer", [pytest.param(p, marks=MARKS.get(str(p), ()), id=str(p)) for p in WITH_SECRETS])
def test_players_are_to_know_the_same_there(classic: Classic, peer: Peer) -> None:
    """In the whole tree: two nodes are one information state of ours exactly if they are one of theirs."""
    theirs_of: dict[tuple[int, str], str] = {}
    ours_of: dict[tuple[int, str], str] = {}
    waiting = [first_pair(classic, peer)]
    while waiting:
        pair = waiting.pop()
        pair.compare()
        for seat in pair.ours.pending_players():
            ours, theirs = pair.ours.information_state_key(seat), peer.knows(pair.theirs, seat)
            assert theirs_of.setdefault((seat, ours), theirs) == theirs
            assert ours_of.setdefault((seat, theirs), ours) == ours
        waiting += [pair.child(ply) for ply in plies(pair.ours)]
    assert len(ours_of) == len(theirs_of) > 2
