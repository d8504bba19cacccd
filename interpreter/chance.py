"""Chance: the counter-based generator behind every draw, die and shuffle.

The generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014), read by
counter: number i of seed s is the mix of s + i * 0x9E3779B97F4A7C15 modulo 2**64. Exact integers, no state but the
pair (seed, counter).
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Protocol

from interpreter.errors import SettingError

GOLDEN = 0x9E3779B97F4A7C15
MASK = 0xFFFFFFFFFFFFFFFF


class Bits(Protocol):
    """A source of random bits, such as `random.Random`."""

    def getrandbits(self, k: int, /) -> int: ...


def mix(seed: int, counter: int) -> int:
    """Return number *counter* (from 1) of the sequence of *seed*: 64 bits.

    >>> [mix(1234567, i) for i in (1, 2, 3)]
    [6457827717110365317, 3203168211198807973, 9817491932198370423]
    """
    z = (seed + counter * GOLDEN) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def derive(seed: int, *parts: int) -> int:
    """Return the seed of a sub-stream: BLAKE2b over the decimal numbers, 64 bits.

    >>> derive(1, 0) != derive(1, 1)
    True
    """
    text = ",".join(str(part) for part in (seed, *parts))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


class Generator:
    """A pair (seed, counter): equal pairs give equal numbers everywhere."""

    __slots__ = ("counter", "seed")

    def __init__(self, seed: int, counter: int = 0) -> None:
        self.seed = seed & MASK
        self.counter = counter

    def below(self, n: int) -> int:
        """Return a whole number from 0 to n - 1, each equally likely (rejection, so exactly)."""
        limit = MASK + 1 - (MASK + 1) % n
        while True:
            self.counter += 1
            z = mix(self.seed, self.counter)
            if z < limit:
                return z % n

    def getrandbits(self, k: int) -> int:
        """Return k random bits, as `random.Random.getrandbits`."""
        value = 0
        for _ in range((k + 63) // 64):
            self.counter += 1
            value = value << 64 | mix(self.seed, self.counter)
        return value >> (-k % 64)

    def __repr__(self) -> str:
        return f"Generator({self.seed}, {self.counter})"


def generator_from(rng: int | Bits) -> Generator:
    """Return a Generator from a seed or from any source of random bits; SettingError for anything else."""
    if isinstance(rng, int):
        return Generator(rng)
    if not callable(getattr(rng, "getrandbits", None)):
        raise SettingError(f"chance is drawn from a whole number or from an object with `getrandbits`, not {rng!r}")
    return Generator(rng.getrandbits(64))
