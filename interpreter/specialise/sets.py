"""Sets as answers: whole, or item by item in canonical order so that no set is reached twice."""

from __future__ import annotations

from collections.abc import Sequence


def next_items(ids: list[int], got: list[int], low: int, high: int, base: int, done: int) -> list[int]:
    """Return the ids of the next items of a set, in canonical order, so that enough are left; and `done`."""
    last = got[-1] if got else -1
    left = sorted(i for i in ids if i >= last)
    need = low - len(got)
    found = [base + i for p, i in enumerate(left) if (p == 0 or left[p - 1] != i) and len(left) - p >= need]
    if need <= 0:
        found.append(done)
    return found


def members_of(combination: Sequence[int], ids: Sequence[int], members: Sequence[int]) -> tuple[int, ...]:
    """Return the tokens a set of positions means: of those alike the first ones."""
    left = list(zip(ids, members))
    found = []
    for wanted in combination:
        pair = next(p for p in left if p[0] == wanted)
        left.remove(pair)
        found.append(pair[1])
    return tuple(found)


def whole_sets(wholes: Sequence[tuple[int, ...]], ids: list[int], low: int, high: int) -> list[int]:
    """Return the numbers of the sets that can be made of these ids."""
    counts = {i: ids.count(i) for i in ids}
    return [
        n for n, w in enumerate(wholes)
        if low <= len(w) <= high and all(i in counts for i in w) and all(w.count(i) <= counts[i] for i in set(w))
    ]  # fmt: skip


def next_item(combination: tuple[int, ...], got: tuple[int, ...], found: dict[int, bool]) -> int | None:
    """Return the item after *got* of a set that begins with it (-1: it ends there), unless known or none."""
    if combination[: len(got)] != got:
        return None
    item = combination[len(got)] if len(combination) > len(got) else -1
    return None if item in found else item
