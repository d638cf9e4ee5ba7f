"""A budget split into shares: each of k queries gets eps/k, and so k times the noise; nothing is lost in the splitting."""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import reduce
from operator import add

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpcore as dp

ages = dp.rows(dp.integers(0, 120))
total = ages >> dp.sum()
positive = st.fractions(min_value=Fraction(1, 1000), max_value=1000, max_denominator=10**6)


@pytest.mark.parametrize("k", [1, 2, 3, 7, 10, 100])
def test_eps_over_k_scales_laplace_noise_by_k(k: int) -> None:
    alone = (total >> dp.laplace(dp.symbol("b"))).solve(dp.pure(1), 1)
    shares = dp.budget(dp.pure(1), k)
    scales = [(total >> dp.laplace(dp.symbol("b"))).solve(share, 1) for share in shares]
    assert alone == 120
    assert scales == [k * 120] * k
    together = dp.compose([total >> dp.laplace(scale) for scale in scales])
    assert together.loss(1) == dp.pure(1)


def test_ten_tenths_are_one() -> None:
    """Floats would say 0.9999999999999999, and refuse the tenth query of a budget of 1."""
    tenth = total >> dp.laplace(1200)
    assert tenth.loss(1) == dp.pure(0.1)
    assert dp.compose([tenth] * 10).loss(1) == dp.pure(1)
    assert dp.compose([tenth] * 10).loss(1) <= dp.pure(1)
    assert not dp.compose([tenth] * 11).loss(1) <= dp.pure(1)
    assert reduce(lambda spent, share: spent + share, [dp.pure(0.1)] * 10) == dp.pure(1)
    assert 0.1 + 0.1 + 0.1 != 0.3
    assert dp.pure(0.1) + dp.pure(0.1) + dp.pure(0.1) == dp.pure(0.3)


def test_a_hundred_tenths_are_ten() -> None:
    """Floats would say 9.99999999999998, less than was spent."""
    hundred = dp.compose([total >> dp.laplace(1200)] * 100).loss(1)
    assert reduce(add, [0.1] * 100) < 10  # from Python 3.12 on, `sum` itself compensates
    assert hundred.epsilon.exact == 10
    assert float(hundred) == 10.0
    assert str(hundred) == "PureDP: epsilon = 10, exactly"


@given(positive, st.integers(1, 50))
def test_equal_shares_sum_to_the_budget(epsilon: Fraction, k: int) -> None:
    shares = dp.budget(dp.pure(epsilon), k)
    assert len(shares) == k
    assert len(set(shares)) == 1
    assert reduce(lambda x, y: x + y, shares) == dp.pure(epsilon)


@given(positive, st.lists(positive, min_size=1, max_size=8))
def test_weighted_shares_sum_to_the_budget_and_keep_their_weights(epsilon: Fraction, weights: list[Fraction]) -> None:
    shares = dp.budget(dp.zcdp(epsilon), weights)
    assert reduce(lambda x, y: x + y, shares) == dp.zcdp(epsilon)
    for (share, weight), (other, its) in itertools.pairwise(zip(shares, weights, strict=True)):
        assert share.rho * its == other.rho * weight


@given(positive, positive, st.integers(1, 20))
def test_pairs_and_squares_are_shared_as_they_add_up(epsilon: Fraction, mu: Fraction, k: int) -> None:
    delta = Fraction(1, 10**6)
    assert reduce(lambda x, y: x + y, dp.budget(dp.approx(epsilon, delta), k)) == dp.approx(epsilon, delta)
    assert reduce(lambda x, y: x + y, dp.budget(dp.gaussian_dp(mu), k)) == dp.gaussian_dp(mu)
    assert dp.budget(dp.gaussian_dp(mu), k * k)[0] == dp.gaussian_dp(mu / k), "mu is shared by its square"


def test_shares_are_spent_whole_by_gaussian_noise() -> None:
    shares = dp.budget(dp.zcdp(1), [1, 3])
    sigmas = [(total >> dp.gaussian(dp.symbol("s"))).solve(share, 1) for share in shares]
    spent = dp.compose([total >> dp.gaussian(sigma) for sigma in sigmas]).loss(1)
    assert spent <= dp.zcdp(1)
    assert float(spent) > 1 - 1e-9


def test_no_more_than_the_budget_is_chosen_adaptively() -> None:
    first, second = dp.budget(dp.pure(1), 2)
    half = total >> dp.laplace(240)
    kept = dp.adaptive(ages, [(first, lambda seen: half), (second, lambda seen: half)])
    assert kept.loss(1) == dp.pure(1)
    assert len(kept.release([1, 2])) == 2
    with pytest.raises(dp.errors.BudgetExceeded, match="stage 1"):
        dp.adaptive(ages, [(first, lambda seen: half), (second, lambda seen: total >> dp.laplace(239))]).release([1])


@pytest.mark.parametrize("shares", [0, -1, 1.5, [], [1, 0], [1, -1], 10**9, "x"])
def test_shares_that_are_none(shares: object) -> None:
    with pytest.raises(dp.errors.InvalidParameter):
        dp.budget(dp.pure(1), shares)  # type: ignore[arg-type]
