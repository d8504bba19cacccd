"""Stop a game in the middle, write it to a file, read it back, take a decision back, and tell it from its start.

python examples/embedding/save_and_replay.py
"""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import rulespec
from rulespec import IllegalActionError, ProgramError


def main() -> None:
    """Show what a save is good for."""
    game, rng = rulespec.load("kuhn_poker"), random.Random(3)
    state = game.new_initial_state(seed=7)
    state.apply_action(rng.choice(state.legal_actions()))

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "game.save"
        file.write_text(state.save(), encoding="utf-8")
        loaded = game.read_save(file.read_text(encoding="utf-8"))
    again = loaded.state
    print("the same position:", again == state, again.position_hash() == state.position_hash())
    print("made under other rules:", loaded.changes or "no")

    try:
        game.load_save(state.save().replace('"bet"', '"fold"').replace('"check"', '"fold"'))
    except ProgramError as error:
        print("an altered save:", str(error).partition(":")[0])

    allowed, reason = again.can_undo(0)
    print("may be taken back:", allowed, reason or "")
    try:
        again.apply_action(99)
    except IllegalActionError as error:
        print("refused:", error)

    while not again.is_terminal():
        again.apply_action(rng.choice(again.legal_actions()))
    told = game.new_initial_state(chance="explicit")
    for entry in again.entries():
        told.apply_action(entry)
    print("told again, chance and all:", told == again, told.returns())
    for event in told.events():
        print("  ", event["event"], {k: v for k, v in event.items() if k not in ("event", "rule", "cause")})


if __name__ == "__main__":
    main()
