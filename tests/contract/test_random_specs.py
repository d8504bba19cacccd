"""Random specs compile or are refused, and their random games keep what every game promises.

What the writer of `random_specs` puts together has no sense, so it finds what nobody thought of. Whatever it writes,
a spec is refused with diagnostics or compiles; its games raise nothing but errors of ours; their states are written,
read, saved and replayed; and a player is given the same in two worlds that look alike to him.
"""

from __future__ import annotations

from collections import Counter

import pytest
from random_checks import Outcome, examine
from random_specs import write

QUICK, MANY = [7, 29, 34], list(range(40, 600))
MORE = [seed for seed in range(40) if seed not in QUICK]


def test_the_same_number_gives_the_same_spec() -> None:
    assert [write(seed) for seed in range(5)] == [write(seed) for seed in range(5)]
    assert len({write(seed) for seed in range(5)}) == 5


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(QUICK, id="few"),
        pytest.param(MORE, id="more", marks=pytest.mark.slow),
        pytest.param(MANY, id="many", marks=[pytest.mark.slow, pytest.mark.long]),
    ],
)
def test_random_specs_are_refused_or_played(seeds: list[int]) -> None:
    outcomes = Counter(examine(seed) for seed in seeds)
    assert outcomes[Outcome.PLAYED] > len(seeds) / 3, "enough specs should be games that can be played"
