"""The whole tree of a game: counts of action sequences by depth, and of nodes by kind.

Every action, chance outcome and joint answer of simultaneous players is one ply. States must have explicit chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import count, product
from math import prod

from interpreter.errors import Error
from interpreter.state import State

Ply = tuple[int, ...]
"""One action or outcome, or for a simultaneous node one entry a seat (-1 for a seat that is not asked)."""


MOST_NODES = 1_000_000
TOLD_EVERY = 1000


class TreeTooLargeError(Error):
    """A tree with more nodes than were to be counted."""


@dataclass(frozen=True, slots=True)
class TreeCounts:
    """How many nodes of each kind a tree has, and how many information states its players have."""

    chance: int
    decision: int
    terminal: int
    information_states: int

    def to_dict(self) -> dict[str, int]:
        """Return the counts by name."""
        return asdict(self)

    def __str__(self) -> str:
        return ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in self.to_dict().items())


def plies(state: State) -> Iterator[Ply]:
    """Yield everything that can happen next, in the order of the ids; a joint answer varies the last seat first."""
    if state.is_simultaneous_node():
        yield from product(*_answers(state))
    else:
        for action in state.legal_actions():
            yield (action,)


def after(state: State, ply: Ply) -> State:
    """Return the state that *ply* leads to."""
    child = state.clone()
    if child.is_simultaneous_node():
        child.apply_actions(list(ply))
    else:
        child.apply_action(ply[0])
    return child


def ply_text(state: State, ply: Ply) -> str:
    """Return the notation of *ply*; the answers of a joint one stand in the order of the seats.

    At a simultaneous node `action_to_string` is asked for each pending seat.
    """
    if not state.is_simultaneous_node():
        return state.action_to_string(ply[0])
    return " & ".join(state.action_to_string(action) for action in ply if action >= 0)


def perft(state: State, depth: int) -> list[int]:
    """Return the number of sequences of 1, 2, ... *depth* plies from *state*."""
    counts = [0] * depth
    if depth:
        _count(state, counts, 0)
    return counts


def divide(state: State, depth: int) -> list[tuple[str, int]]:
    """Return, for each first ply, its text and the number of sequences of *depth* plies that begin with it."""
    rows = []
    for ply in plies(state):
        count = perft(after(state, ply), depth - 1)[-1] if depth > 1 else 1
        rows.append((ply_text(state, ply), count))
    return rows


def count_tree(state: State, most: int = MOST_NODES, tell: Callable[[int], None] = lambda nodes: None) -> TreeCounts:
    """Return the counts of the whole tree under *state*. Every path is walked: meant for small games.

    Raises TreeTooLargeError where it has more than *most* nodes; *tell* hears now and then how many there were so far.
    """
    chance = decision = terminal = 0
    known: set[tuple[int, str]] = set()
    waiting = [state]
    for nodes in count(1):
        if not waiting:
            break
        if nodes > most:
            counts = TreeCounts(chance, decision, terminal, len(known))
            raise TreeTooLargeError(f"the tree has more than {most} nodes; counted so far: {counts}")
        if nodes % TOLD_EVERY == 0:
            tell(nodes)
        node = waiting.pop()
        if node.is_terminal():
            terminal += 1
            continue
        if node.is_chance_node():
            chance += 1
        else:
            decision += 1
            known.update((seat, str(node.information_state_key(seat))) for seat in node.pending_players())
        waiting.extend(after(node, ply) for ply in plies(node))
    return TreeCounts(chance, decision, terminal, len(known))


def _count(state: State, counts: list[int], ply: int) -> None:
    """Add the sequences under *state* to *counts* from index *ply* on; the last ply is counted, not played."""
    if ply == len(counts) - 1:
        counts[ply] += _width(state)
        return
    for each in plies(state):
        counts[ply] += 1
        _count(after(state, each), counts, ply + 1)


def _width(state: State) -> int:
    if state.is_simultaneous_node():
        return prod(len(answers) for answers in _answers(state))
    return len(state.legal_actions())


def _answers(state: State) -> list[Sequence[int]]:
    """Return the possible entries of a joint answer, seat by seat."""
    pending = set(state.pending_players())
    return [state.legal_actions(seat) if seat in pending else (-1,) for seat in range(state.num_players())]
