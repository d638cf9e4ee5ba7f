"""The notes on group privacy, basic and advanced composition, row by row."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

import dpcore as dp
from dpcore.assurance import exhaust

ages = dp.rows(dp.integers(0, 120))


def counted(epsilon: Fraction | str) -> Any:
    return ages >> dp.count() >> dp.laplace(1 / Fraction(epsilon))


@pytest.mark.seed("004-1")
def test_groups() -> None:
    assert [counted("1/7").loss(k) for k in range(10)] == [dp.pure(Fraction(k, 7)) for k in range(10)]


@pytest.mark.seed("004-2a")
def test_basic_composition() -> None:
    first = dp.adaptive(
        ages, [(dp.pure("1/2"), lambda seen: counted("1/2")), (dp.pure("1/3"), lambda seen: counted("1/3"))]
    )
    assert (first & counted("1/4") & counted("1/5")).loss(1) == dp.pure("77/60")


@pytest.mark.seed("004-2b")
def test_it_is_tight() -> None:
    response = dp.value(dp.booleans(), dp.DiscreteDistance) >> dp.randomized_response("3/4")
    [line] = [line for line in exhaust(response & response).lines if line.d_in == 1]
    assert float(line.true) == pytest.approx(2 * math.log(3), abs=1e-12)
    assert line.verdict == "sound and tight"


@pytest.mark.seed("004-2c")
def test_what_does_not_look_at_the_data_may_come_between() -> None:
    def stage(seen: tuple[Any, ...]) -> Any:
        threshold = min(120, max(0, 10 * len(seen) + sum(seen) % 7))
        return ages >> dp.filter(dp.row() >= threshold) >> counted("1/5")

    five = dp.adaptive(ages, [(dp.pure("1/5"), stage)] * 5)
    assert five.loss(1) == dp.pure(1)
    assert len(five.release([30, 40])) == 5


@pytest.mark.seed("004-4a")
def test_pairs_add_up() -> None:
    epsilon = Fraction("0.564893")
    pair = dp.measurement(
        len, ages, dp.ApproxDP, loss=lambda d: (d * epsilon.numerator / epsilon.denominator, d / 10**9)
    )
    assert dp.compose([pair] * 100).loss(1) == dp.approx("56.4893", "1e-7")


@pytest.mark.seed("004-4b")
def test_advanced_composition() -> None:
    """eps sqrt(2 k ln(1/delta')) + k eps (e^eps - 1)/(e^eps + 1), and k delta + delta' exactly."""
    k, eps, slack = 100, 0.1, 1e-6
    by_hand = eps * math.sqrt(2 * k * math.log(1 / slack)) + k * eps * math.expm1(eps) / (math.exp(eps) + 1)
    loss = dp.compose_advanced([counted("1/10")] * k, slack="1e-6").loss(1)
    assert float(loss.epsilon) == pytest.approx(by_hand, rel=1e-12)
    assert float(loss.epsilon) == pytest.approx(5.7561055193, abs=1e-10)
    pair = dp.measurement(len, ages, dp.ApproxDP, loss=lambda d: (d / 10, d / 10**9))
    assert dp.compose_advanced([pair] * k, slack="1e-6").loss(1).delta == dp.types.Bound("1e-7") + dp.types.Bound(
        "1e-6"
    )


@pytest.mark.seed("004-4d")
def test_pure_mechanisms_become_approximate() -> None:
    """At delta' = 1e-6: advanced 5.756106 instead of 10, and optimal composition 4.774568."""
    tenths = [counted("1/10")] * 100
    advanced = dp.compose_advanced(tenths, slack="1e-6").loss(1)
    optimal = dp.compose_optimal(tenths).loss(1).epsilon(delta="1e-6")
    assert advanced.delta == dp.types.Bound("1e-6")
    assert float(optimal) == pytest.approx(4.774568, abs=1e-6)
    assert optimal < advanced.epsilon < dp.compose(tenths).loss(1).epsilon
