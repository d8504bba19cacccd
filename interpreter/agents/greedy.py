"""The agent that looks one decision ahead."""

from __future__ import annotations

from interpreter.chance import Generator
from interpreter.state import State


class GreedyAgent:
    """Takes an action after which its seat leads by most; among equals each is equally likely.

    The lead is the seat's return minus the best other's once the game is over, before that the same of the scores.
    """

    looks = True

    def choose(self, state: State, seat: int, rng: Generator) -> int:
        """Return a legal action of *seat*. The cost is one copy of the position for each action."""
        best: list[int] = []
        best_lead: tuple[bool, float] | None = None
        for action in state.legal_actions(seat):
            lead = _lead_after(state, action, seat, rng)
            if best_lead is None or lead > best_lead:
                best, best_lead = [action], lead
            elif lead == best_lead:
                best.append(action)
        return best[rng.below(len(best))]

    def __repr__(self) -> str:
        return "GreedyAgent()"


def _lead_after(state: State, action: int, seat: int, rng: Generator) -> tuple[bool, float]:
    """Return (the game is not lost, the lead): a win comes before every lead in score, a loss after all."""
    after = state.clone()
    after.apply_action(action, seat)
    while after.is_simultaneous_node():
        other = after.pending_players()[0]
        answers = after.legal_actions(other)
        after.apply_action(answers[rng.below(len(answers))], other)
    if not after.is_terminal():
        return True, _lead(after.scores(), seat)
    lead = _lead(after.returns(), seat)
    return (True, float("inf")) if lead > 0 else (lead == 0, lead)


def _lead(values: list[float] | list[int], seat: int) -> float:
    others = [value for other, value in enumerate(values) if other != seat]
    return values[seat] - max(others, default=0)
