"""The runtime: plays any compiled program. Knows nothing of YAML, grammar or any game."""

from interpreter.errors import (
    Error,
    IllegalActionError,
    NotationError,
    ProgramError,
    RuleError,
    SaveError,
    SettingError,
    SpecError,
)
from interpreter.game import Game, load_program
from interpreter.state import CHANCE, SIMULTANEOUS, TERMINAL, State

__all__ = [
    "CHANCE",
    "SIMULTANEOUS",
    "TERMINAL",
    "Error",
    "Game",
    "IllegalActionError",
    "NotationError",
    "ProgramError",
    "RuleError",
    "SaveError",
    "SettingError",
    "SpecError",
    "State",
    "load_program",
]
