"""Zones that hold more at the start than may ever lie in them."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any

from rulespec.folding import NotConstant, fold
from rulespec.scope import Unit
from rulespec.symbols import KindInfo

Slot = tuple[str, tuple[int, ...]]


def check(unit: Unit, zones: list[dict[str, Any]], tokens: dict[str, dict[str, Any]]) -> None:
    """Report each kind of token of which more start in a slot than fit, those before it counted in."""
    names = unit.names
    room = {zone["name"]: zone["at_most"] for zone in zones if zone["at_most"] is not None}
    there: Counter[Slot] = Counter()
    for kind, made in tokens.items():
        start, number = made["start"], 0
        if start is None or start["zone"] not in room or made["copies"] is not None:
            continue
        for slot in _slots(unit, kind, start):
            there[slot] += 1
            number = max(number, there[slot] if there[slot] > _most(unit, slot, room[slot[0]]) else 0)
        if number:
            text = f"{number} tokens start in `{start['zone']}`, more than its `at_most`"
            unit.error("out-of-range", text, names.tokens[kind].node.starts_in.span)


def _slots(unit: Unit, kind: str, start: dict[str, Any]) -> Iterator[Slot]:
    """Yield the slot each token of a kind starts in, where it is known before play."""
    names = unit.names
    info, first = names.tokens[kind], names.kinds[kind].ranges[0][0]
    for number, owner in enumerate(info.owners):
        if owner >= names.game.players[1]:
            continue
        try:
            values = [
                owner if ir == ["owner", ["local", 0]] else fold(names, ir, (first + number,))
                for _, ir in start["keys"]
            ]
        except NotConstant:
            continue
        yield start["zone"], tuple(values)


def _most(unit: Unit, slot: Slot, room: Any) -> int:
    """Return how many fit in a slot: the same for all, or by the place of the slot among all."""
    if not isinstance(room, list):
        return int(room)
    keys = [_members(unit.names.kinds[key.text]) for key in unit.names.zones[slot[0]].each]
    return int(room[list(itertools.product(*keys)).index(slot[1])])


def _members(info: KindInfo) -> list[int]:
    if info.numbers:
        return list(range(info.numbers[0], info.numbers[1] + 1))
    return [i for low, high in info.ranges for i in range(low, high)]
