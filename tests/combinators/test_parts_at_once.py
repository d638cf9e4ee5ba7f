"""Noise of all parts that have one measurement is drawn at once, and is what it is when each part draws its own."""

from __future__ import annotations

from itertools import product
from math import prod

import pytest

import dpcore as dp
from dpcore.noise import samples
from dpcore.noise.bits import BitSource, SeededBits

AGES = dp.rows(dp.integers(0, 9))
KEYS = list(range(3))
DATA = [0, 0, 1, 5]

Part = dp.types.Measurement[dp.types.Rows[dp.types.Integers], dp.SymmetricDistance, dp.TotalVariation, object]


def parts_of(part: Part, keys: list[int]) -> Part:
    return AGES >> dp.partition(keys) >> dp.parallel(part)


COUNT = AGES >> dp.count()
PARTS: dict[str, Part] = {
    "one number": COUNT >> dp.uniform_noise(1),
    "a function of the value": COUNT >> dp.random_rounding(2),
    "a vector": AGES >> dp.histogram(bins=[0, 1]) >> dp.random_rounding(2),
    "a tuple": (COUNT >> dp.uniform_noise(1)) & (AGES >> dp.sum() >> dp.random_rounding(2)),
    "a function of noise": (COUNT >> dp.uniform_noise(1)).then(lambda n: max(n, 0)),
}
"""With few outcomes each, so that all of three parts can be listed."""


@pytest.mark.parametrize("name", PARTS)
def test_each_part_has_its_own_distribution_and_all_are_independent(name: str) -> None:
    part = PARTS[name]
    together = parts_of(part, KEYS).distribution(DATA)
    alone = [part.distribution([x for x in DATA if x == key]) for key in KEYS]
    assert len(together) == prod(map(len, alone))
    for outcomes in product(*(each.items() for each in alone)):
        found = together.probability({key: outcome for key, (outcome, _) in zip(KEYS, outcomes, strict=True)})
        low, high = prod(mass.lower for _, mass in outcomes), prod(mass.upper for _, mass in outcomes)
        assert found.lower <= high
        assert low <= found.upper


def test_all_draws_are_made_in_one_call(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    uniform = samples.uniform

    def counting(low: int, high: int, n: int, bits: BitSource) -> object:
        asked.append(n)
        return uniform(low, high, n, bits)

    monkeypatch.setattr(samples, "uniform", counting)
    parts_of(PARTS["one number"], list(range(10))).release(DATA)
    parts_of(PARTS["a vector"], list(range(10))).release(DATA)
    assert asked == [10, 20]


def test_they_are_the_draws_of_a_vector() -> None:
    """Of many, which the fast way draws: the same bits give what the counts side by side are given."""
    keys = list(range(500))
    noisy = AGES >> dp.count() >> dp.laplace(scale=3)
    rows = dp.rows(dp.integers(0, 499))
    by_key = rows >> dp.partition(keys) >> dp.parallel(rows >> dp.count() >> dp.laplace(scale=3))
    side_by_side = dp.value(dp.vector(dp.integers(), 500), dp.L1Distance) >> dp.laplace(scale=3)
    counts = [2, *[1] * 499]
    assert noisy.loss(1) == by_key.loss(1)
    released = by_key.release([0, *keys], bits=SeededBits(7))
    assert list(released.values()) == side_by_side.release(counts, bits=SeededBits(7))
    assert list(released) == keys


def test_parts_with_measurements_of_their_own_keep_them() -> None:
    near, far = COUNT >> dp.uniform_noise(1), COUNT >> dp.uniform_noise(1000)
    several = AGES >> dp.partition([0, 1, 2]) >> dp.parallel({2: near, 0: far, 1: near})
    for _ in range(20):
        released = several.release([])
        assert list(released) == [0, 1, 2]
        assert abs(released[1]) <= 1
        assert abs(released[2]) <= 1
    assert any(abs(several.release([])[0]) > 1 for _ in range(40))
