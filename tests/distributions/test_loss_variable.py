"""The privacy loss random variable of two data sets, against the figures of the notes and against the claim."""

from __future__ import annotations

from fractions import Fraction
from math import log

import pytest

import dpcore as dp

NUMBER = dp.value(dp.integers(), dp.AbsoluteDistance())


def test_gaussian_noise_has_mean_rho_and_variance_twice_rho() -> None:
    loss = (NUMBER >> dp.gaussian(10)).loss_distribution(0, 1)
    assert abs(float(loss.mean) - 0.005) < 1e-9
    assert abs(float(loss.variance) - 0.01) < 1e-9
    assert loss.infinite == 0
    assert loss.left_out < Fraction(1, 10**9)


@pytest.mark.parametrize(("epsilon", "likely"), [("0.4299", 1.06e-5), ("0.3968", 3.88e-5), ("0.5307", 7.52e-8)])
def test_it_exceeds_the_epsilon_of_a_tight_pair_more_often_than_delta(epsilon: str, likely: float) -> None:
    """At delta = 1e-6 these are the epsilons by zCDP, by the profile, of the textbook; it alone is kept."""
    loss = (NUMBER >> dp.gaussian(10)).loss_distribution(0, 1)
    assert float(loss.at_least(epsilon)) == pytest.approx(likely, rel=5e-3)


def test_pure_loss_is_never_exceeded() -> None:
    """The largest loss is met, and an outcome on the far side has it."""
    loss = (NUMBER >> dp.laplace(1)).loss_distribution(0, 1)
    likely = loss.at_least(1)
    assert float(likely) == pytest.approx(1 / (1 + 1 / 2.718281828459045))
    assert loss.at_least("1.0000001").upper == loss.left_out > 0
    assert loss.at_least(-2) == 1


def test_by_hand() -> None:
    response = dp.value(dp.booleans(), dp.DiscreteDistance()) >> dp.randomized_response("3/4")
    loss = response.loss_distribution(True, False)
    assert loss.left_out == 0
    assert float(loss.mean) == pytest.approx(log(3) / 2)
    assert float(loss.variance) == pytest.approx(log(3) ** 2 - (log(3) / 2) ** 2)
    assert [loss.at_least(epsilon).upper for epsilon in ("1.09", "1.1")] == [Fraction(3, 4), 0]


def test_an_outcome_that_is_impossible_from_the_other() -> None:
    loss = (dp.rows(dp.integers(), dp.ChangeOneDistance(), size=3) >> dp.random_row()).loss_distribution(
        [1, 2, 3], [1, 2, 4]
    )
    assert loss.infinite == Fraction(1, 3)
    assert loss.at_least(100) == Fraction(1, 3)
    for name in ("mean", "variance"):
        with pytest.raises(dp.errors.DPError, match="with a probability of 1/3 an outcome shows"):
            getattr(loss, name)


def test_of_data_that_are_no_members() -> None:
    with pytest.raises(dp.errors.DPError, match="not in the input domain"):
        (NUMBER >> dp.laplace(1)).loss_distribution(0, "1")  # type: ignore[arg-type]


def test_the_loss_between_two_data_sets() -> None:
    count = dp.rows(dp.integers()) >> dp.count() >> dp.laplace(2)
    assert count.loss_between([1, 2, 3], [1]) == dp.pure(1)
    assert count.loss_between([1], [1]) == dp.pure(0)
    both = dp.rows(dp.integers(), dp.ChangeOneDistance()) >> dp.clamp(0, 5) >> dp.sum() >> dp.laplace(2)
    with pytest.raises(dp.errors.DPError, match="no privacy is promised between data so far apart"):
        both.loss_between([1, 2, 3], [1])
    with pytest.raises(dp.errors.DPError, match="not in the input domain"):
        count.loss_between([1], ["1"])
