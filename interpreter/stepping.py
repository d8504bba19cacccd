"""The states of one program and way of running: what is asked at every node is written for its code.

Who decides, what may be done, doing it and copying is what searches and playouts spend their time on. These methods
know their cells by number, their limit and their code; everything else a state inherits.
"""

from __future__ import annotations

from functools import cache
from types import CodeType
from typing import TYPE_CHECKING, Any

from interpreter.faults import FAULTS
from interpreter.layout import (
    BUSY,
    CHANCES,
    DECISIONS,
    FRAME,
    LEGAL,
    LOOK,
    NOBODY_TURN,
    OVER,
    PARTS,
    QUEUE,
    RECORD,
    STORY,
    TURN,
)
from interpreter.runtime import Over
from interpreter.state import CHANCE, MOST_STEPS, TERMINAL, State

if TYPE_CHECKING:
    from interpreter.specialise.code import Code

GAME_OVER = 0
"""The number that stands, in frames, for the end of the game."""

METHODS = f"""
def current_player(self):
    v = self.v
    return {TERMINAL} if v[{OVER}] else v[{TURN}]

def is_terminal(self):
    return self.v[{OVER}]

def is_chance_node(self):
    return self.v[{TURN}] == {CHANCE}

def chance_outcomes(self):
    v = self.v
    return v[{CHANCES}].odds.copy() if v[{TURN}] == {CHANCE} else []

def legal_actions(self, player=None):
    v = self.v
    if player is None or (player == v[{TURN}] and player >= 0):
        legal = v[{LEGAL}]
        if legal is not None:
            return legal.copy()
        look = v[{LOOK}]
        if look is not None and v[{TURN}] >= 0:
            try:
                legal = look[0](self, v[{FRAME}])
            except FAULTS as fault:
                raise self.rule_error(fault) from fault
            if legal:
                v[{LEGAL}] = legal
                return legal.copy()
            raise self.code.dead_end(self)
    return self._list_actions(player)

def apply_action(self, action, player=None):
    v = self.v
    legal = v[{LEGAL}]
    if legal is None or player is not None or type(action) is not int:
        action, player, legal = self._checked(action, player)
        if legal is None:
            return self._apply_at_once(action, player)
    if action not in legal:
        self._refuse(action, player)
    v[{RECORD}] = (v[{RECORD}], action)
    v[{LEGAL}] = None
    self.ans = action
    self.steps = most_steps
    if v[{TURN}] >= 0:
        v[{DECISIONS}] += 1
        if tells and v[{STORY}] is not None:
            v[{STORY}].answered(self, v[{TURN}], action)
    look = v[{LOOK}]
    try:
        k = v[{FRAME}] if look is None else look[1](self, v[{FRAME}])
        while k is not None:
            k = run[k[0]](self, k)
    except Over:
        self.finish()
    except FAULTS as fault:
        raise self.rule_error(fault) from fault
    if v[{DECISIONS}] >= limit and not v[{OVER}]:
        self._cut_off()

def finish(self, frame=None):
    v = self.v
    v[{OVER}] = True
    if waits:
        v[{QUEUE}], v[{BUSY}], v[{PARTS}] = (), False, None
    v[{FRAME}], v[{TURN}], v[{LEGAL}], v[{LOOK}] = None, {NOBODY_TURN}, [], None
    if tells and v[{STORY}] is not None:
        v[{STORY}].ended(self)

def clone(self, reseed=None):
    s = State()
    s.v = self.v.copy()
    s.steps = most_steps
    if tells and s.v[{STORY}] is not None:
        s.v[{STORY}] = s.v[{STORY}].copy()
    if reseed is not None:
        s.reseed(reseed)
    return s
"""


@cache
def _compiled(tells: bool) -> CodeType:
    return compile(METHODS.replace("tells", str(tells)), __file__, "exec")


def states_of(code: Code) -> type[State]:
    """Return the class of the states that are played by this code."""
    space: dict[str, Any] = {"FAULTS": FAULTS, "Over": Over}
    waits = bool(code.triggers or code.build.by_statement)  # else no trigger and no part of an answer ever does
    space |= {"waits": waits, "run": code.code, "limit": code.limit, "most_steps": MOST_STEPS}
    methods: dict[str, Any] = {}
    exec(_compiled(code.mode.events), space, methods)
    for name, method in methods.items():
        method.__doc__ = getattr(State, name).__doc__
        method.__qualname__ = f"State.{name}"
    made = type("State", (State,), {"__slots__": (), "__module__": State.__module__, "code": code, **methods})
    space["State"] = made
    code.code[GAME_OVER] = methods["finish"]
    return made
