"""What each player knows of which token: one label for each player and token.

Label 0: he knows its face. Any other number is its pool: the tokens of a pool have the faces they have, but this
player does not know which has which. A token that a player sees, by its zone's declaration, has the label 0. Tokens of
one kind, one side and one place without order look alike from behind.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from interpreter.layout import Layout

if TYPE_CHECKING:
    from interpreter.state import State


class Labels:
    """What the players know; follows what they see and forgets what they can no longer follow."""

    def __init__(self, layout: Layout, know: list[list[int]]) -> None:
        self.layout = layout
        self.know = know
        self.fresh = 1

    def look_afresh(self, s: State) -> None:
        """Set what each player knows from what he sees: each hidden slot's contents, not which is which."""
        layout, v = self.layout, s.v
        for player in range(layout.players):
            pools: dict[Any, int] = {}
            for token in layout.tokens:
                i = token - layout.first_token
                slot, down = v[layout.where_base + token], v[layout.down_base + token]
                if layout.sees(player, slot, down):
                    self.know[player][i] = 0
                    continue
                key = (slot, layout.token_kind[i], down)
                if key not in pools:
                    pools[key] = self.new_pool()
                self.know[player][i] = pools[key]

    def new_pool(self) -> int:
        """Return a label not used before."""
        self.fresh += 1
        return self.fresh

    def learn(self, player: int, token: int) -> None:
        """A player sees a token's face."""
        i = token - self.layout.first_token
        if self.know[player][i]:
            self.know[player][i] = 0
            self.learned(player)

    def learned(self, player: int) -> None:
        """Take note that a player has seen a face he did not know."""

    def unknown_to(self, token: int) -> tuple[int, list[int]]:
        """Return how many players do not know a token's face, and which."""
        hidden = [int(labels[token - self.layout.first_token] > 0) for labels in self.know]
        return sum(hidden), hidden

    def signatures(self, s: State) -> list[dict[int, Any]]:
        """Return for each player what tells pools apart without their numbers: where their tokens lie."""
        first, v = self.layout.first_token, s.v
        found: list[dict[int, Any]] = []
        for labels in self.know:
            members: dict[int, list[tuple[int, int]]] = {}
            for i, label in enumerate(labels):
                if label:
                    where = v[self.layout.where_base + first + i]
                    members.setdefault(label, []).append((where, self.layout.token_class[i]))
            found.append({label: tuple(sorted(places)) for label, places in members.items()})
        return found

    def arrange(self, s: State, tokens: Iterable[int]) -> None:
        """Where tokens lie alike in no order, let the first of them be those that most players know.

        Nothing tells such tokens apart but what is known of them, so it may as well be known of another: which
        token moves is the same whether knowledge is kept or not.
        """
        named = {t for cell in self.layout.naming_cells for t in _each(s.v[cell])}
        heaps = [heap for heap in self.heaps(s, tokens) if len(heap) > 1]
        signatures = self.signatures(s) if heaps else []
        for heap in heaps:
            free = [t for t in heap if t not in named]
            self.exchange(free, sorted(free, key=lambda t: (self.unknown_to(t), self.known_of(signatures, t))))

    def veiled(self, s: State) -> list[int]:
        """Return the tokens that are not the only one of their class, in slots where somebody does not know one."""
        where, first = self.layout.where_base, self.layout.first_token
        several = self.layout.several_of_class
        slots = {s.v[where + t] for t in several if any(labels[t - first] for labels in self.know)}
        return [t for t in several if s.v[where + t] in slots]

    def heaps(self, s: State, tokens: Iterable[int]) -> list[list[int]]:
        """Return tokens that lie in no order, those together that are alike, each in the order of their slot."""
        layout, v = self.layout, s.v
        heaps: dict[tuple[int, ...], list[int]] = {}
        for token in tokens:
            slot = v[layout.where_base + token]
            if token in layout.loose(v, slot):
                key = (slot, v[layout.down_base + token], *self.face(s, token))
                heaps.setdefault(key, []).append(token)
        return [sorted(heap, key=v[key[0]].index) for key, heap in heaps.items()]

    def labels_of(self, token: int) -> tuple[int, ...]:
        """Return each player's label of a token."""
        return tuple(labels[token - self.layout.first_token] for labels in self.know)

    def known_of(self, signatures: list[dict[int, Any]], token: int) -> tuple[Any, ...]:
        """Return what each player knows of a token, pools named by what lies in them."""
        i = token - self.layout.first_token
        return tuple(signatures[player].get(labels[i], ()) for player, labels in enumerate(self.know))

    def exchange(self, tokens: list[int], others: list[int]) -> None:
        """Let be known of each token what was known of the other in its place."""
        first = self.layout.first_token
        for labels in self.know:
            known = [labels[t - first] for t in others]
            for token, label in zip(tokens, known):
                labels[token - first] = label

    def alike(self, s: State, player: int, token: int) -> list[int]:
        """Return what a player could confuse a token with where it lies: unseen, in no order, alike from behind."""
        layout, v = self.layout, s.v
        slot, down = v[layout.where_base + token], v[layout.down_base + token]
        held = () if layout.sees(player, slot, down) else layout.loose(v, slot)
        if token not in held:
            return [token]
        kind = layout.token_kind[token - layout.first_token]
        return [
            t for t in held if layout.token_kind[t - layout.first_token] == kind and v[layout.down_base + t] == down
        ]

    def mix(self, player: int, tokens: Iterable[int]) -> None:
        """A player can no longer tell these tokens apart: their pools become one."""
        labels, first = self.know[player], self.layout.first_token
        groups: dict[str, list[int]] = {}
        for token in tokens:
            groups.setdefault(self.layout.token_kind[token - first], []).append(token - first)
        for members in groups.values():
            found = {labels[i] for i in members}
            if len(members) < 2 or (len(found) == 1 and 0 not in found):
                continue
            pool = self.new_pool()
            joined = found - {0}
            for i, label in enumerate(labels):
                if label in joined:
                    labels[i] = pool
            for i in members:
                labels[i] = pool

    def blur(self, s: State, player: int, tokens: Sequence[int]) -> None:
        """Something happens to tokens unseen: it could be any of those this player could confuse with them."""
        moving, done = set(tokens), set[int]()
        for token in tokens:
            if token not in done:
                group = self.alike(s, player, token)
                done.update(group)
                if not moving.issuperset(group):
                    self.mix(player, group)

    def recognise(self, s: State, player: int, tokens: Sequence[int]) -> None:
        """A player sees the faces of tokens he did not see; where they lie in no order, not which of them has which."""
        given, done = set(tokens), set[int]()
        for token in tokens:
            if token in done:
                continue
            group = self.alike(s, player, token)
            done.update(group)
            seen = [t for t in group if t in given]
            if len(seen) < len(group):
                for face in dict.fromkeys(self.face(s, t) for t in seen):
                    self._identify(s, player, group, [t for t in seen if self.face(s, t) == face], face)
            for t in seen:
                self.learn(player, t)

    def face(self, s: State, token: int) -> tuple[int, int]:
        """Return what a token shows when seen: its class and, of a die, its number."""
        return self.layout.token_class[token - self.layout.first_token], s.v[self.layout.face_base + token]

    def _identify(self, s: State, player: int, group: list[int], seen: list[int], face: tuple[int, int]) -> None:
        """Of a group in no order, this player sees some faces: the known ones are these, or else any that may be."""
        labels, first = self.know[player], self.layout.first_token
        spare = [t for t in group if t not in seen and not labels[t - first] and self.face(s, t) == face]
        unknown = [t for t in seen if labels[t - first]]
        for token, known in zip(unknown, spare):
            labels[known - first], labels[token - first] = labels[token - first], 0
        if len(unknown) > len(spare):
            pools = {labels[t - first] for t in self.layout.of_class[face[0]]}  # a hidden die may show any number
            self.mix(player, [t for t in group if labels[t - first] and labels[t - first] in pools])


def _each(value: Any) -> tuple[int, ...]:
    """Return the members of a set, or the one thing."""
    return value if isinstance(value, tuple) else (value,)
