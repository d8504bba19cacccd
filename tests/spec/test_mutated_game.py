"""A fault put into the published game is told at its line, with the right name, through the command line."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulespec.cli.app import main

GAME = Path(__file__).parent.parent.parent / "games" / "via_romana"


@dataclass(frozen=True)
class Fault:
    """What is written instead of what, and the code and words of what is said; *down* lines below the change."""

    old: str
    new: str
    code: str
    named: str = ""
    file: str = "game.yaml"
    down: int = 0


FAULTS = {
    "misspelt key": Fault("    turns: each player", "    truns: each player", "unknown-key", "`turns`"),
    "misspelt section": Fault("functions:\n", "funtions:\n", "unknown-key", "`functions`"),
    "misspelt zone": Fault("refill_from: discard}", "refill_from: discrad}", "unknown-zone", "`discard`"),
    "misspelt zone in a script": Fault("draw 4 from deck", "draw 4 from dekc", "unknown-zone", "`deck`"),
    "misspelt function": Fault("where fits(card, city)", "where fist(card, city)", "unknown-rule", "`fits`"),
    "misspelt procedure": Fault("    do: draw_cards(2)", "    do: draw_card(2)", "unknown-rule", "`draw_cards`"),
    "misspelt action": Fault("offer: [build_castle,", "offer: [build_castel,", "unknown-rule", "`build_castle`"),
    "misspelt attribute": Fault("card.province is city", "card.provinse is city", "unknown-column", "`province`"),
    "misspelt type": Fault("{is: 4..5, default: 4}", "{is: joker_rull, default: 4}", "unknown-kind", "`joker_rule`"),
    "misspelt value": Fault("default: any_colours}", "default: any_colour}", "unknown-name", "`any_colours`"),
    "misspelt setting": Fault("> hand_limit\n", "> hand_limits\n", "unknown-name", "`hand_limit`"),
    "misspelt column of a table": Fault("row,province", "row,provinse", "unknown-column", "`province`", "cards.csv"),
    "missing key": Fault("  discard:         {holds: card, seen_by: all}", "  discard: {holds: card}", "missing-key",
                         "`seen_by`"),
    "wrong type": Fault("plays_left: 3 - count(played)", "plays_left: 3 - played", "type-mismatch", "`count(played)`"),
    "list for a mapping": Fault("  starter: {is: player}", "  starter: [player]", "wrong-type", "a mapping"),
    "duplicate key": Fault("    quiet: yes\n", "    quiet: yes\n    quiet: yes\n", "duplicate-key", "`quiet`", down=1),
    "unclosed bracket": Fault("- count(played)", "- count(played", "bad-formula", "`(`"),
    "unclosed list": Fault("starter, found_castles]", "starter, found_castles", "unclosed-bracket", "`[`"),
    "bad indent": Fault("  take_turn:\n", "   take_turn:\n", "bad-indentation", "line up"),
    "alias": Fault("{is: player}", "*starter", "alias", "`*name`"),
    "brackets without end": Fault("plays_left: 3", f"plays_left: {'(' * 100_000}3", "too-deep", "64"),
    "lists without end": Fault("steps: [take_turn]", f"steps: {'[' * 100_000}take_turn]", "too-deep", "64"),
    "comma in braces": Fault("starter: {is: player}", "starter: {is: max(1, 2)}", "cut-by-comma", "comma"),
    "comment in a formula": Fault("- count(played)", "- count( # played)", "cut-by-comment", "` #`"),
    "tab": Fault("    quiet: yes", "\tquiet: yes", "tab", "tabs"),
}  # fmt: skip

QUICK = {"unclosed-bracket", "bad-indentation", "alias", "tab"}
"""Found before the rules are compiled, which takes a second or two for a game of this size."""

CASES = [
    pytest.param(fault, id=name, marks=() if fault.code in QUICK else pytest.mark.slow)
    for name, fault in FAULTS.items()
]


@pytest.mark.parametrize("fault", CASES)
def test_a_fault_is_told_at_its_line_with_what_was_meant(tmp_path: Path, fault: Fault) -> None:
    folder = shutil.copytree(GAME, tmp_path / "game")
    file = folder / fault.file
    text = file.read_text(encoding="utf-8")
    assert fault.old in text, "the game has changed: choose another place"
    file.write_text(text.replace(fault.old, fault.new, 1), encoding="utf-8")
    line = text[: text.index(fault.old)].count("\n") + 1 + fault.down
    result = CliRunner().invoke(main, ["validate", str(folder / "game.yaml")])
    assert result.exit_code == 1
    assert "Traceback" not in result.output
    heads = [each for each in result.stdout.splitlines() if ": error[" in each]
    assert heads, result.stdout
    assert heads[0].startswith(f"{file.as_posix()}:{line}:")
    assert f"error[{fault.code}]" in heads[0]
    assert fault.named in result.stdout
    assert len(heads) == 1, "what follows from a fault is not told"
