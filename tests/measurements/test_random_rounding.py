"""Random rounding: its exact distribution, right on average, its accuracy at the worst value, and where it is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import dpcore as dp
from dpcore.noise.bits import SeededBits

d: Any = dp
WHOLE = d.value(d.integers(), d.AbsoluteDistance())
TENTHS = d.value(d.numbers(step="1/10"), d.AbsoluteDistance())
CONFIDENCES = [Fraction(i, 60) for i in range(1, 60)]


@pytest.mark.parametrize("value", range(-6, 7))
@pytest.mark.parametrize("base", [2, 3, 5])
def test_up_with_the_chance_of_what_is_left_over(value: int, base: int) -> None:
    below, left = value - value % base, value % base
    for of, unit in ((WHOLE, 1), (TENTHS, Fraction(1, 10))):
        found = (of >> d.random_rounding(base * unit)).distribution(value * unit)
        assert found.probability((below + base) * unit) == Fraction(left, base)
        assert found.probability(below * unit) == 1 - Fraction(left, base)


@pytest.mark.parametrize("base", [2, 3, 4, 5])
@pytest.mark.parametrize("confidence", CONFIDENCES, ids=str)
def test_accuracy_is_the_least_for_all_values(base: int, confidence: Fraction) -> None:
    def beyond(a: int) -> Fraction:
        return max(Fraction((base - r) * (r >= a) + r * (base - r >= a), base) for r in range(base))

    least = next(a for a in range(1, base + 1) if beyond(a) <= 1 - confidence)
    assert (WHOLE >> d.random_rounding(base)).accuracy(confidence) == least
    assert (TENTHS >> d.random_rounding(Fraction(base, 10))).accuracy(confidence) == Fraction(least, 10)


@pytest.mark.parametrize("carried", [list, np.array])
def test_of_many_each_goes_to_a_multiple_next_to_it(carried: Any) -> None:
    values = [*range(-300, 300)]
    many = d.value(d.vector(d.integers(), 600), d.L1Distance()) >> d.random_rounding(7)
    released = many.release(carried(values), bits=SeededBits(2))
    assert all(x % 7 == 0 and abs(x - v) < 7 for x, v in zip(released, values, strict=True))
    assert {int(x) - v for x, v in zip(released, values, strict=True)} == {*range(-6, 7)}


@pytest.mark.parametrize("base", [7, 2**62 + 1, 2**70])
def test_nothing_wraps_at_the_ends_of_64_bits(base: int) -> None:
    ends = np.array([-(2**63), 2**63 - 1] * 60)
    many = d.value(d.vector(d.integers(), 120), d.L1Distance()) >> d.random_rounding(base)
    released = many.release(ends, bits=SeededBits(4))
    assert all(int(x) % base == 0 and abs(int(x) - int(v)) < base for x, v in zip(released, ends, strict=True))


@pytest.mark.parametrize("base", [1, "1/2", "5/2"])
def test_a_base_that_is_no_multiple_of_the_step_is_refused(base: object) -> None:
    with pytest.raises(d.errors.InvalidParameter, match="whole number of grid steps"):
        WHOLE >> d.random_rounding(base)
    with pytest.raises(d.errors.InvalidParameter, match="whole number of grid steps"):
        (WHOLE >> d.random_rounding(d.symbol("b"))).bind(b=base)


def test_the_loss_is_that_of_a_base() -> None:
    rounded = WHOLE >> d.random_rounding(5)
    assert [rounded.loss(k) for k in (1, 4, 9)] == [d.total_variation(x) for x in ("1/5", "4/5", 1)]
    assert (TENTHS >> d.random_rounding(5)).loss(1) == d.total_variation("1/5")
