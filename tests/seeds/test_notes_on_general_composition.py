"""The notes on composition given any granularity and by any function of the data, row by row."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import pytest

import dpcore as dp
from dpcore.maps import known
from dpcore.noise.bits import SeededBits

row = dp.record(age=dp.integers(0, 120), day=dp.integers(0, 6))
rows = dp.rows(row)
replaced = dp.rows(row, dp.ChangeOneDistance)
KEYS = ("a", "b", "c", "d")
kinds = dp.categories(*KEYS)
SHARES = [Fraction(1, k) for k in (2, 3, 4, 5)]


def counted(epsilon: Fraction | str | int, of: Any = rows) -> Any:
    return of >> dp.count() >> dp.laplace(1 / Fraction(epsilon))


def noised(epsilon: Fraction | str | int, of: Any = rows) -> Any:
    """The same of Gaussian noise, in ZCDP, with rho = epsilon."""
    sigma = {Fraction(1, 2): 1, Fraction(1, 8): 2, Fraction(1, 32): 4}[Fraction(epsilon)]
    return of >> dp.count() >> dp.gaussian(sigma)


@pytest.mark.seed("002-03a")
def test_queries_about_what_comes_day_by_day_add_up() -> None:
    """A running count on seven days, each at 1/7; and as a stream, in which rows are appended."""
    days = [rows >> dp.filter(dp.field("day") <= day) >> counted("1/7") for day in range(7)]
    assert dp.compose(days).loss(1) == dp.pure(1)
    curator = dp.curator(rows, [], budget=dp.pure(1))
    for _ in range(7):
        curator.ask(counted("1/7"))
    assert curator.left == dp.pure(0)


@pytest.mark.seed("002-03b")
def test_parts_cost_the_dearest() -> None:
    """Four batches by the remainder of the row."""
    ages = dp.rows(dp.integers(0, 120))
    batches = ages >> dp.partition(range(4), dp.row() % 4)
    assert (batches >> dp.parallel(ages >> dp.count() >> dp.laplace(1))).loss(1) == dp.pure(1)


@pytest.mark.seed("002-04b")
def test_the_dearest_part_is_not_enough_where_rows_are_replaced() -> None:
    of = dp.rows(kinds)
    parts = dp.rows(kinds, dp.ChangeOneDistance) >> dp.partition()
    assert (parts >> dp.parallel(counted(1, of))).loss(1) == dp.pure(2)
    sized = dp.rows(kinds, dp.ChangeOneDistance) >> dp.count() >> dp.laplace(1)
    p: Any = dp
    with pytest.raises(dp.errors.DPError, match="a part must be private when a row enters or leaves it"):
        parts >> p.parallel(sized)


@pytest.mark.seed("002-04a")
def test_granularities() -> None:
    """A user of three visits, a visit, a row replaced, an edge and a node of five, a week: each costs its own."""
    visits = dp.record(who=dp.integers(), minutes=dp.integers(0, 60))
    noise = dp.laplace(6)
    of = dp.rows(visits)
    by_user = dp.rows(visits, dp.PersonDistance("who")) >> dp.bound_contributions(3) >> (of >> dp.count() >> noise)
    assert (by_user.loss(1), (of >> dp.count() >> noise).loss(1)) == (dp.pure("3/6"), dp.pure("1/6"))
    minutes = dp.rows(dp.integers(0, 120), dp.ChangeOneDistance) >> dp.sum() >> dp.laplace(240)
    assert minutes.loss(1) == dp.pure("120/240")
    by_edge, by_node = dp.value(dp.graphs(5), dp.EdgeDistance), dp.value(dp.graphs(5), dp.NodeDistance)
    assert (by_edge >> dp.edge_count() >> noise).loss(1) == dp.pure("1/6")
    assert (by_node >> dp.edge_count() >> noise).loss(1) == dp.pure("4/6")

    def weeks_apart(x: object, y: object) -> float:
        assert isinstance(x, list)
        assert isinstance(y, list)
        return -(-abs(len(x) - len(y)) // 7)

    weeks = dp.rows(visits, dp.granularity("a week", weeks_apart, rows=7))
    assert (weeks >> dp.to_metric(dp.SymmetricDistance) >> dp.count() >> dp.laplace(14)).loss(1) == dp.pure("7/14")


@pytest.mark.seed("002-06a")
def test_groups_lift_in_any_granularity_that_counts_steps() -> None:
    """d_G is the length of a shortest path: three users of at most two rows 3/4, two weeks of at most seven 1."""
    visits = dp.record(who=dp.integers(), minutes=dp.integers(0, 60))
    of = dp.rows(visits)
    by_user = (
        dp.rows(visits, dp.PersonDistance("who")) >> dp.bound_contributions(2) >> (of >> dp.count() >> dp.laplace(8))
    )
    assert dp.group_privacy(by_user).loss(3) == dp.pure("3/4")

    def weeks_apart(x: object, y: object) -> float:
        assert isinstance(x, list)
        assert isinstance(y, list)
        return -(-abs(len(x) - len(y)) // 7)

    weeks = dp.rows(visits, dp.granularity("a week", weeks_apart, rows=7, path=True))
    by_week = weeks >> dp.to_metric(dp.SymmetricDistance) >> dp.count() >> dp.laplace(14)
    assert dp.group_privacy(by_week).loss(2) == dp.pure(1)
    without = dp.rows(visits, dp.granularity("a week", weeks_apart, rows=7))
    with pytest.raises(dp.errors.DPError, match="steps of 1"):
        dp.group_privacy(without >> dp.to_metric(dp.SymmetricDistance) >> dp.count() >> dp.laplace(14))


@pytest.mark.seed("002-06b")
def test_d_privacy_on_any_domain() -> None:
    """Places half a kilometre apart, at 1/2 for each; and any two data sets, by their distance."""
    place = dp.value(dp.numbers(0, 100, "0.1"), dp.AbsoluteDistance) >> dp.laplace(2)
    assert (place.loss("0.5"), place.loss(3)) == (dp.pure("1/4"), dp.pure("3/2"))
    ages = dp.rows(dp.integers(0, 120))
    release = ages >> dp.count() >> dp.laplace(4)
    assert release.loss(ages.metric.distance([10, 20, 30], [10])) == dp.pure("2/4")


@pytest.mark.seed("002-07a", "002-10")
def test_what_two_data_sets_cost_part_by_part() -> None:
    """d(D, D') is the sum of the d_i(f_i(D), f_i(D')): one young row and two others differ, 1/2 + 2/3 = 7/6, and not 3/2.

    Where the images agree the release tells nothing, however far apart the data are.
    """
    people = dp.rows(dp.integers(0, 120))
    young, others = people >> dp.filter(dp.row() < 30), people >> dp.filter(dp.row() >= 30)
    parts = [dp.after(young, counted("1/2", people)), dp.after(others, counted("1/3", people))]
    both = dp.compose_jointly(parts, joint=[(1, 0), (0, 1)])
    x, y = [10, 11, 40, 50, 60], [10, 40]
    assert both.loss_between(x, y) == dp.pure("7/6")
    assert both.loss(people.metric.distance(x, y)) == dp.pure("3/2")
    assert (young >> counted("1/2", people)).loss_between([10, 40, 50], [10]) == dp.pure(0)
    found: set[tuple[bool, float]] = set()
    for one, other in itertools.product(itertools.combinations_with_replacement((10, 20, 40), 3), repeat=2):
        images = [sorted(row for row in data if row < 30) for data in (one, other)]
        loss = (young >> counted(1, people)).loss_between(list(one), list(other))
        assert float(loss.epsilon) <= abs(len(images[0]) - len(images[1]))
        found.add((images[0] == images[1], float(loss.epsilon)))
    assert {loss for agree, loss in found if agree} == {0.0}


@pytest.mark.seed("002-07a", "002-07c", "002-08a")
def test_what_one_step_moves_is_worked_out() -> None:
    """Of parts made of dpcore's own filters nobody has to say it: exclusive parts cost the dearer, 1/2 and not 5/6; parts of
    which a row touches two of three 5/6, and not 13/12; parts that keep every row the sum."""
    people = dp.rows(dp.integers(0, 120))
    young, others = people >> dp.filter(dp.row() < 30), people >> dp.filter(dp.row() >= 30)
    both = dp.compose_jointly([dp.after(young, counted("1/2", people)), dp.after(others, counted("1/3", people))])
    assert both.loss(1) == dp.pure("1/2")
    assert both.loss_between([10, 11, 40, 50, 60], [10, 40]) == dp.pure("7/6")
    two_of_three = [rows >> dp.filter(dp.field("day") % 3 != k) >> counted(SHARES[k]) for k in range(3)]
    assert dp.compose_jointly(two_of_three).loss(1) == dp.pure("5/6")
    assert dp.compose_jointly([counted(share) for share in SHARES]).loss(1) == dp.pure("77/60")
    assert dp.certify(both, d_in=1).document.assumptions == ()


@pytest.mark.seed("002-09", "002-10")
def test_what_depends_on_some_rows_only() -> None:
    """|D_<=18| + Lap(1/eps) sees D_<=18 only: given as a whole it is held to that, and costs nothing where these agree."""
    people = dp.rows(dp.integers(0, 120))
    minors = dp.filter(dp.row() <= 18)
    by_chaining = people >> minors >> counted("1/2", people)
    held = dp.depends_on(counted("1/2", people), minors)
    assert held.loss(1) == by_chaining.loss(1) == dp.pure("1/2")
    data, same_minors, one_less = [3, 17, 18, 19, 60], [18, 3, 17], [3, 17, 40]
    assert held.loss_between(data, same_minors) == dp.pure(0)
    assert held.loss_between(data, one_less) == dp.pure("1/2")
    releases = {held.release(each, bits=SeededBits(9)) for each in (data, same_minors)}
    assert len(releases) == 1, "equal laws on data that agree on D_<=18: of the same bits the same"
    adults = dp.depends_on(counted("1/3", people), dp.filter(dp.row() > 18))
    assert dp.compose_jointly([held, adults]).loss(1) == dp.pure("1/2")


@pytest.mark.seed("002-07b")
def test_where_no_steps_lead_there_is_no_privacy() -> None:
    far = dp.ChangeOneDistance().distance([1, 2], [1])
    assert far == float("inf")
    release = dp.rows(dp.integers(0, 9), dp.ChangeOneDistance) >> dp.linear_queries(dp.row() >= 5) >> dp.laplace(1)
    with pytest.raises(dp.errors.NoFiniteLoss):
        release.loss(far)


@pytest.mark.seed("002-07c")
def test_bounds_between_the_largest_and_the_sum() -> None:
    """Three parts, of which a row touches two: between 1/2 and 13/12. With r_i rows each, the dearest step decides."""
    parts = [dp.after(rows >> dp.filter(dp.field("age") >= 10 * k), counted(SHARES[k])) for k in range(3)]
    pairs = [tuple(int(i in pair) for i in range(3)) for pair in itertools.combinations(range(3), 2)]
    assert dp.compose_jointly(parts, joint=pairs).loss(1) == dp.pure("5/6")
    a = rows >> dp.flat_map(lambda r: [r] * 5, row, 5)
    b = rows >> dp.flat_map(lambda r: [r] * 7, row, 7)
    both = dp.compose_jointly([dp.after(a, counted("1/2")), dp.after(b, counted("1/3"))], joint=[(5, 3), (1, 7)])
    assert both.loss(1) == dp.pure(max(Fraction(5, 2) + 1, Fraction(1, 2) + Fraction(7, 3))) == dp.pure("7/2")


@pytest.mark.seed("002-08a")
def test_sequential_and_parallel_composition_are_special_cases() -> None:
    """f_i a partition: the dearest, per row; f_i the identity: the sum."""
    of = dp.rows(kinds)
    each = {key: counted(share, of) for key, share in zip(KEYS, SHARES, strict=True)}
    assert (of >> dp.partition() >> dp.parallel(each)).loss(4) == dp.pure(4 * Fraction(1, 2))
    assert dp.compose([counted(share, of) for share in SHARES]).loss(1) == dp.pure("77/60")


def _bounded(measured: Any) -> Any:
    return dp.rows(kinds, dp.ChangeOneDistance) >> dp.partition() >> dp.parallel(measured)


@pytest.mark.seed("002-11")
def test_two_parts_at_most_are_touched_where_a_row_is_replaced() -> None:
    """max over i != j of eps_i + eps_j = 5/6, less than the sum 77/60; and the same as a general composition."""
    of = dp.rows(kinds)
    each = {key: counted(share, of) for key, share in zip(KEYS, SHARES, strict=True)}
    assert _bounded(each).loss(1) == dp.pure("5/6")
    parts = [dp.after(dp.rows(kinds) >> dp.filter(dp.row() == key), each[key]) for key in KEYS]
    pairs = [tuple(int(i in pair) for i in range(4)) for pair in itertools.combinations(range(4), 2)]
    assert dp.compose_jointly(parts, joint=pairs).loss(1) == dp.pure("5/6")


@pytest.mark.seed("002-12a")
def test_requirements_may_be_mixed() -> None:
    """Persons of two visits in one query and three in another: 2/4 + 3/3."""
    visit = dp.record(who=dp.integers(), hospital=dp.categories("A", "B"))
    visits = dp.rows(visit, dp.PersonDistance("who"))
    of = dp.rows(visit)
    two = visits >> dp.bound_contributions(2) >> counted("1/4", of)
    three = visits >> dp.bound_contributions(3) >> counted("1/3", of)
    assert (two & three).loss(1) == dp.pure("3/2")


@pytest.mark.seed("002-12b")
def test_all_of_it_holds_for_zcdp() -> None:
    of = dp.rows(kinds)
    shares = [Fraction(1, 2), Fraction(1, 8), Fraction(1, 32), Fraction(1, 32)]
    each = {key: noised(share, of) for key, share in zip(KEYS, shares, strict=True)}
    assert (of >> dp.partition() >> dp.parallel(each)).loss(1) == dp.zcdp("1/2")
    assert _bounded(each).loss(1) == dp.zcdp("5/8")
    assert _bounded(each).loss(3) == dp.zcdp(9 * Fraction(5, 8))
    parts = [dp.after(of >> dp.filter(dp.row() != key), each[key]) for key in KEYS[:2]]
    assert dp.compose_jointly(parts, joint=[(1, 1)]).loss(1) == dp.zcdp("5/8")


@pytest.mark.seed("002-12c")
def test_and_for_gaussian_differential_privacy() -> None:
    """Two parts of mu 1 and 1/2 that are also so when a row is replaced inside them: sqrt(1 + 1/4), and not 2."""
    of = dp.rows(kinds)

    def part(mu: Fraction) -> Any:
        return dp.measurement(len, of, dp.GaussianDP, loss=lambda d: d * mu, replaced=lambda d: d * mu)

    each = {key: part(mu) for key, mu in zip(KEYS, (Fraction(1), *[Fraction(1, 2)] * 3), strict=True)}
    assert (of >> dp.partition() >> dp.parallel(each)).loss(1) == dp.gaussian_dp(1)
    loss = _bounded(each).loss(1)
    assert float(loss.mu) == pytest.approx(math.sqrt(1 + 1 / 4), rel=1e-12)


@pytest.mark.seed("002-12d")
def test_and_with_a_delta_which_stays_exact() -> None:
    """One part touched costs (eps_i, delta_i), two cost both. delta is no little more than that, so budgets can be met."""
    of = dp.rows(kinds)

    def part(epsilon: int) -> Any:
        return dp.measurement(len, of, dp.ApproxDP, loss=lambda d: (epsilon * d, d / 10**6))

    each = {key: part(epsilon) for key, epsilon in zip(KEYS, (4, 3, 2, 1), strict=True)}
    assert (of >> dp.partition() >> dp.parallel(each)).loss(1) <= dp.approx(4, "1e-6")
    noise = of >> dp.count() >> dp.gaussian(dp.symbol("sigma"))
    alone = noise.to(dp.ApproxDP, delta="1e-6")
    parted = of >> dp.partition() >> dp.parallel(alone)
    assert float(known(parted.solve(dp.approx(1, "1e-6"), 1))) == pytest.approx(4.530877117, abs=1e-8)
    assert parted.bind(sigma=5).loss(1).delta == dp.types.Bound("1e-6")
