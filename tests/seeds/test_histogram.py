"""The histogram: what one row can do to it under either relation, and what asking bin by bin would cost instead."""

from __future__ import annotations

from fractions import Fraction

import pytest

import dpcore as dp

EPSILONS = [Fraction(1, 10), Fraction(1), Fraction(7, 3)]
person = dp.record(region=dp.categories("N", "E", "S", "W"))
added = dp.rows(person)
replaced = dp.rows(person, dp.ChangeOneDistance())
region = dp.field("region")


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_lap_1_over_epsilon_when_a_row_is_added_or_removed(epsilon: Fraction) -> None:
    histogram = added >> dp.histogram(region)
    assert (histogram >> dp.laplace(1 / epsilon)).loss(1) == dp.pure(epsilon)
    assert (histogram >> dp.laplace(dp.symbol("b"))).solve(dp.pure(epsilon), 1) == 1 / epsilon


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_lap_2_over_epsilon_when_a_row_is_replaced(epsilon: Fraction) -> None:
    histogram = replaced >> dp.histogram(region)
    assert (histogram >> dp.laplace(2 / epsilon)).loss(1) == dp.pure(epsilon)
    assert (histogram >> dp.laplace(dp.symbol("b"))).solve(dp.pure(epsilon), 1) == 2 / epsilon
    assert (histogram >> dp.laplace(1 / epsilon)).loss(1) == dp.pure(2 * epsilon), "half the noise is not enough"


def test_the_maps_say_so() -> None:
    assert str((added >> dp.histogram(region) >> dp.laplace(dp.symbol("b"))).map) == "d_in/b"
    assert str((replaced >> dp.histogram(region) >> dp.laplace(dp.symbol("b"))).map) == "2*d_in/b"
    assert str((replaced >> dp.histogram(region, norm=dp.L2Distance)).map) == "sqrt(2)*d_in"
    assert str((replaced >> dp.histogram(region, norm=dp.LInfDistance)).map) == "d_in"


def test_the_bound_is_reached() -> None:
    """Two data sets at distance 1 whose histograms are as far apart as is allowed."""
    for space, metric, far in (
        (added, dp.L1Distance(), 1),
        (replaced, dp.L1Distance(), 2),
        (replaced, dp.L2Distance(), 2),
    ):
        x = [{"region": "N"}]
        y: list[dict[str, object]] = [] if space is added else [{"region": "S"}]
        histogram = space >> dp.histogram(region, norm=type(metric))
        assert space.metric.distance(x, y) == 1
        apart = metric.distance(histogram(x), histogram(y))
        assert isinstance(apart, dp.types.Bound)
        assert apart * apart == far * far if isinstance(metric, dp.L1Distance) else (apart * apart).upper >= far
        assert apart.upper <= histogram.stability(1).upper


@pytest.mark.parametrize("bins", [1, 2, 5, 20])
@pytest.mark.parametrize("metric", [dp.SymmetricDistance(), dp.ChangeOneDistance()], ids=["added", "replaced"])
def test_one_query_against_a_query_for_each_bin(bins: int, metric: dp.SymmetricDistance | dp.ChangeOneDistance) -> None:
    """At the same noise d bins asked one by one cost d times as much; at the same loss they need d times the noise."""
    epsilon = Fraction(1, 2)
    row = dp.integers(0, bins - 1)
    space = dp.rows(row) if isinstance(metric, dp.SymmetricDistance) else None
    swap = dp.rows(row, dp.ChangeOneDistance())
    if space is not None:
        one = space >> dp.histogram() >> dp.laplace(1 / epsilon)
        each = [space >> dp.histogram(bins=[i]) >> dp.laplace(1 / epsilon) for i in range(bins)]
        assert one.loss(1) == dp.pure(epsilon)
        assert dp.compose(each).loss(1) == dp.pure(bins * epsilon)
        wide = [space >> dp.filter(dp.row() == i) >> dp.count() >> dp.laplace(bins / epsilon) for i in range(bins)]
        assert dp.compose(wide).loss(1) == one.loss(1)
    else:
        # A row replaced moves one bin by 1, and of several bins two.
        whole = swap >> dp.histogram() >> dp.laplace(min(bins, 2) / epsilon)
        parts = [swap >> dp.histogram(bins=[i]) >> dp.laplace(1 / epsilon) for i in range(bins)]
        assert whole.loss(1) == dp.pure(epsilon)
        assert dp.compose(parts).loss(1) == dp.pure(bins * epsilon)


def test_gaussian_noise_pays_for_bins_by_their_square_root() -> None:
    """d counts that each move by 1: L2 asks for sqrt(d), L1 for d. Here the same row is counted in every one of them."""
    for d in (1, 4, 9):
        moved = dp.value(dp.vector(dp.integers(), d), dp.LInfDistance())
        assert (moved >> dp.to_metric(dp.L1Distance())).stability(1) == d
        assert (moved >> dp.to_metric(dp.L2Distance()) >> dp.gaussian(1)).loss(1) == dp.zcdp(Fraction(d, 2))


def test_both_give_the_same_counts() -> None:
    data = [{"region": r} for r in "NNES"]
    assert (added >> dp.histogram(region))(data) == [2, 1, 1, 0]
    one_by_one = [(added >> dp.filter(region == r) >> dp.count())(data) for r in "NESW"]
    assert one_by_one == [2, 1, 1, 0]
