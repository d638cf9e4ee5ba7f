"""Uniform noise: its exact distribution, its loss between all pairs, how far it reaches, and where it is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import dpcore as dp
from dpcore.noise.bits import SeededBits
from dpcore.report import render

d: Any = dp
WHOLE = d.value(d.integers(), d.AbsoluteDistance())
TENTHS = d.value(d.numbers(step="1/10"), d.AbsoluteDistance())
CONFIDENCES = [Fraction(i, 35) for i in range(1, 35)] + [1 - Fraction(1, 10**9)]


@pytest.mark.parametrize("reach", [1, 2, 5])
def test_every_point_is_as_likely(reach: int) -> None:
    found = (WHOLE >> d.uniform_noise(reach)).distribution(7)
    assert found.outcomes.keys() == {("int", 7 + k) for k in range(-reach, reach + 1)}
    for k in range(-reach, reach + 1):
        assert found.probability(7 + k) == Fraction(1, 2 * reach + 1)


@pytest.mark.parametrize("reach", [1, 2, 5])
@pytest.mark.parametrize("confidence", CONFIDENCES, ids=str)
def test_accuracy_is_the_least(reach: int, confidence: Fraction) -> None:
    def beyond(a: int) -> Fraction:
        return Fraction(sum(abs(z) >= a for z in range(-reach, reach + 1)), 2 * reach + 1)

    least = next(a for a in range(reach + 2) if beyond(a) <= 1 - confidence)
    assert (WHOLE >> d.uniform_noise(reach)).accuracy(confidence) == least
    assert (TENTHS >> d.uniform_noise(reach)).accuracy(confidence) == Fraction(least, 10)


@pytest.mark.parametrize("size", [2, 9])
@pytest.mark.parametrize("confidence", CONFIDENCES, ids=str)
def test_of_a_vector_all_are_accurate_at_once(size: int, confidence: Fraction) -> None:
    vector = d.value(d.vector(d.integers(), size), d.L1Distance())
    a = (vector >> d.uniform_noise(3)).accuracy(confidence)
    assert Fraction(2 * a - 1, 7) ** size >= confidence
    assert a == 1 or Fraction(2 * a - 3, 7) ** size < confidence


def test_no_release_is_further_off() -> None:
    counts = d.rows(d.integers(0, 499)) >> d.histogram(d.row()) >> d.uniform_noise(4)
    released = np.array(counts.release([1] * 1000, bits=SeededBits(3)))
    released[1] -= 1000
    assert {*released.tolist()} == {*range(-4, 5)}


def test_the_loss_is_never_above_one() -> None:
    noisy = WHOLE >> d.uniform_noise(2)
    assert [noisy.loss(k) for k in (1, 4, 5, 90)] == [d.total_variation(x) for x in ("1/5", "4/5", 1, 1)]
    assert noisy.loss("1/2") == d.total_variation("1/10")


def test_a_reach_is_found_for_a_loss() -> None:
    open_ = WHOLE >> d.uniform_noise(d.symbol("r"))
    assert open_.solve(d.total_variation("0.01"), d_in=1, step=1) == 50
    assert open_.bind(r=50) == WHOLE >> d.uniform_noise(50)


@pytest.mark.parametrize("reach", [0, -1, "1/2"])
def test_other_reaches_are_refused(reach: object) -> None:
    with pytest.raises(d.errors.InvalidParameter, match="reach"):
        d.uniform_noise(reach)


def test_values_off_a_grid_are_refused() -> None:
    with pytest.raises(d.errors.DomainMismatch, match="lie on none"):
        d.value(d.numbers(0, 1), d.AbsoluteDistance()) >> d.uniform_noise(3)
    with pytest.raises(d.errors.MetricMismatch):
        d.value(d.vector(d.integers(), 2), d.L2Distance()) >> d.uniform_noise(3)


def test_a_report_says_what_is_released() -> None:
    html = render(dp.certify(dp.rows(dp.integers()) >> dp.count() >> dp.uniform_noise(5), d_in=1))
    assert "One count, with noise by uniform_noise: reach 5, step 1." in html
