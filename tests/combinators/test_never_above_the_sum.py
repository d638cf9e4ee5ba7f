"""No named composition is above the plain sum, and unequal losses are used as they are.

The class of faults: where several bounds are proved, a pipeline gets one that is not the least of them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

import pytest

import dpcore as dp
from dpcore.maps import Number, numeral
from dpcore.maps.search import GRID_BITS
from tests.certificates.tools import certified, rejection
from tests.laws.arrows import measurement

Part = dp.types.Measurement[dp.types.Integers, dp.AbsoluteDistance, dp.PureDP, int]
SEARCHED = Fraction(1, 1 << (GRID_BITS - 1))
WHOLE = dp.value(dp.integers(), dp.AbsoluteDistance())


def noisy(*scales: int | Fraction) -> list[Part]:
    return [WHOLE >> dp.laplace(scale) for scale in scales]


def truth(losses: Sequence[tuple[float, float]], x: float) -> float:
    """Every set of false answers, one by one: Murtagh and Vadhan 2018, Theorem 1.5."""
    lost, told = 0.0, 1.0
    for false in itertools.product((0, 1), repeat=len(losses)):
        loss = sum(e * (1 - 2 * f) for (e, _), f in zip(losses, false, strict=True))
        chance = math.prod(
            (math.exp(-e) if f else 1.0) / (1 + math.exp(-e)) for (e, _), f in zip(losses, false, strict=True)
        )
        lost += chance * max(0.0, -math.expm1(x - loss))
    for _, delta in losses:
        told *= 1 - delta
    return 1 - told * (1 - lost)


MIXED = [
    noisy(10, 1),
    noisy(*[10] * 50, 1),
    noisy(1, 1, 2),
    noisy(3),
    noisy(*[7] * 3, Fraction(1, 3)),
    noisy(*range(1, 20)),
]


@pytest.mark.parametrize("parts", MIXED, ids=len)
@pytest.mark.parametrize("delta", ["1e-3", "1e-9"])
def test_never_above_the_plain_sum(parts: list[Part], delta: str) -> None:
    plain = dp.compose(parts).loss(1).epsilon
    found = dp.compose_optimal(parts).to(dp.ApproxDP, delta=delta).loss(1).epsilon
    assert found.upper <= plain.upper * (1 + SEARCHED), "an epsilon is searched for to so many bits"
    assert dp.compose_advanced(parts, slack=delta).loss(1).epsilon <= plain
    assert dp.compose_optimal(parts).loss(1).delta(plain.upper) == 0, "beyond the plain sum nothing is lost"


def test_never_above_the_plain_sum_with_deltas() -> None:
    parts = [(WHOLE >> dp.gaussian(sigma)).to(dp.ApproxDP, delta=delta) for sigma, delta in ((3, "1e-6"), (9, "1e-8"))]
    plain = dp.compose(parts).loss(1)
    assert dp.compose_optimal(parts).loss(1).delta(plain.epsilon.upper) <= plain.delta
    assert float(dp.compose_advanced(parts, slack="1e-7").loss(1).epsilon) <= float(plain.epsilon)


@pytest.mark.parametrize("scales", [(1, 2), (1, 1, 3), (2, Fraction(1, 2), 5, 5), (Fraction(7, 3), Fraction(11, 5), 1)])
@pytest.mark.parametrize("x", ["0", "1/3", "1", "2"])
def test_it_is_the_sum_over_all_subsets(scales: tuple[Fraction, ...], x: str) -> None:
    found = dp.compose_optimal(noisy(*scales)).loss(1).delta(x)
    exact = truth([(1 / float(scale), 0.0) for scale in scales], float(Fraction(x)))
    assert float(found) == pytest.approx(exact, rel=1e-11, abs=1e-15)


def stated(epsilon: str, delta: str) -> dp.types.Measurement[dp.types.Integers, dp.AbsoluteDistance, dp.ApproxDP, int]:
    """A measurement whose loss is somebody's word."""

    def loss(d: Number) -> object:
        return d * numeral(Fraction(epsilon)), d * numeral(Fraction(delta))

    return dp.measurement(lambda n: 0, WHOLE, dp.ApproxDP(), loss)


def test_deltas_are_used_as_they_are() -> None:
    losses = [("1/2", "1/100"), ("1/3", "1/10"), ("1", "0")]
    found = dp.compose_optimal([stated(*each) for each in losses]).loss(1).delta("1/4")
    exact = truth([(float(Fraction(e)), float(Fraction(t))) for e, t in losses], 0.25)
    assert float(found) == pytest.approx(exact, rel=1e-11)


def test_too_many_different_sums_are_rounded_up() -> None:
    """13 different losses have 8192 sums, more than are kept apart."""
    scales = [Fraction(100 + i, 50) for i in range(13)]
    curve = dp.compose_optimal(noisy(*scales)).loss(1)
    for x in (0.0, 1.0, 3.0):
        exact = truth([(1 / float(scale), 0.0) for scale in scales], x)
        assert exact * (1 - 1e-12) <= float(curve.delta(Fraction(x))) <= exact * 1.02


def test_figures_of_the_field() -> None:
    """By privacy loss distributions the first is 4.0349; by zCDP the second 4.010. As the largest: 48.47 and 4.775."""
    first = dp.compose_optimal(noisy(*[10] * 50, 1)).to(dp.ApproxDP, delta="1e-6").loss(1).epsilon
    assert Fraction("4.0349") <= first.upper <= Fraction("4.143")
    second = dp.compose_optimal(noisy(*[10] * 50, *[20] * 50)).to(dp.ApproxDP, delta="1e-6").loss(1).epsilon
    assert second.upper <= Fraction("3.645")


def test_equal_parts_are_said_by_their_number() -> None:
    assert dp.compose_optimal(noisy(3, 3)).derivation.rule.name == "optimal_composition_pure"
    assert dp.compose_optimal(noisy(3, 4)).derivation.rule.name == "unequal_composition_pure"


@pytest.mark.parametrize("parts", MIXED, ids=len)
def test_it_is_certified(parts: list[Part]) -> None:
    for m in (dp.compose_optimal(parts).to(dp.ApproxDP, delta="1e-6"), dp.compose_advanced(parts, slack="1e-6")):
        assert rejection(certified(measurement(m)).text()) is None
