"""The generator: known numbers, exact fairness, streams that do not touch."""

from __future__ import annotations

import random
from collections import Counter
from hashlib import blake2b

import pytest

from interpreter.chance import MASK, Generator, derive, generator_from, mix

VECTORS = {
    0: [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC, 0x1B39896A51A8749B],
    1234567: [
        6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821,
    ],
}  # fmt: skip
"""The first numbers of SplitMix64 as its authors' program prints them."""


@pytest.mark.parametrize("seed", VECTORS)
def test_numbers_are_those_of_splitmix64(seed: int) -> None:
    assert [mix(seed, counter) for counter in range(1, 6)] == VECTORS[seed]
    generator = Generator(seed)
    assert [generator.getrandbits(64) for _ in range(5)] == VECTORS[seed]


def test_a_generator_goes_on_from_its_seed_and_counter() -> None:
    generator = Generator(99)
    numbers = [generator.below(1000) for _ in range(20)]
    middle = Generator(99, 10)
    assert [middle.below(1000) for _ in range(10)] == numbers[10:]
    assert (generator.seed, generator.counter) == (99, 20)
    assert repr(generator) == "Generator(99, 20)"


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 52])
def test_numbers_below_n_are_equally_likely(n: int) -> None:
    generator, count = Generator(n), 6000
    found = Counter(generator.below(n) for _ in range(count))
    assert set(found) == set(range(n))
    expected = count / n
    assert sum((seen - expected) ** 2 / expected for seen in found.values()) < 2 * n + 20


def test_numbers_that_would_tilt_the_odds_are_thrown_away() -> None:
    n = (MASK + 1) // 2 + 1
    generator = Generator(5)
    for _ in range(50):
        before = generator.counter
        value = generator.below(n)
        skipped = [mix(5, c) for c in range(before + 1, generator.counter)]
        assert all(number >= n for number in skipped)
        assert value == mix(5, generator.counter) < n


@pytest.mark.parametrize("bits", [1, 5, 32, 64, 65, 128])
def test_random_bits_fit_their_number(bits: int) -> None:
    generator = Generator(3)
    values = [generator.getrandbits(bits) for _ in range(200)]
    assert all(0 <= value < 1 << bits for value in values)
    assert max(values).bit_length() > bits - 6


def test_derived_seeds_are_the_hash_of_their_decimal_numbers() -> None:
    assert derive(7) == int.from_bytes(blake2b(b"7", digest_size=8).digest(), "little")
    assert derive(7, 3, 1) == int.from_bytes(blake2b(b"7,3,1", digest_size=8).digest(), "little")
    seeds = [derive(seed, *parts) for seed in range(20) for parts in ((), (0,), (1,), (0, 0), (0, 1), (10,))]
    assert len(set(seeds)) == len(seeds)


def test_any_source_of_bits_gives_a_generator() -> None:
    assert generator_from(12).seed == 12
    assert generator_from(random.Random(1)).seed == random.Random(1).getrandbits(64)
    first, second = Generator(4), Generator(4)
    assert generator_from(first).seed == second.getrandbits(64)
