"""What a release costs between two data sets, against its exact distributions, for every pair of a small universe."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest

import dpcore as dp

people = dp.rows(dp.integers(0, 120))
young, others = people >> dp.filter(dp.row() < 30), people >> dp.filter(dp.row() >= 30)
count = people >> dp.count() >> dp.laplace("1/2")
UNIVERSE = [list(rows) for size in range(3) for rows in itertools.combinations_with_replacement((10, 20, 40), size)]

RELEASES: dict[str, Any] = {
    "behind a filter": young >> count,
    "of two parts": (young >> count) & (others >> count),
    "declared apart": dp.compose_jointly([dp.after(young, count), dp.after(others, count)], joint=[(1, 0), (0, 1)]),
    "afterwards": ((young >> count) & (others >> count)).then(lambda seen: seen[0] - seen[1]),
    "of a group": dp.group_privacy(young >> count),
    "by key": people >> dp.partition([True, False], dp.row() < 30) >> dp.parallel(count),
}


def worst(here: Any, there: Any) -> float:
    """The largest logarithm of a ratio of two distributions' probabilities, of outcomes that are no mere rest."""
    ratios = [
        math.log(float(here.probability(outcome)) / float(there.probability(outcome)))
        for outcome in here.outcomes.values()
        if min(float(here.probability(outcome)), float(there.probability(outcome))) > 1e-9
    ]
    return max(map(abs, ratios))


@pytest.mark.parametrize("name", RELEASES)
def test_nothing_less_is_said_than_is_true(name: str) -> None:
    m = RELEASES[name]
    of_each = [(x, m.distribution(x)) for x in UNIVERSE]
    for (x, here), (y, there) in itertools.combinations(of_each, 2):
        loss = m.loss_between(x, y)
        assert worst(here, there) <= float(loss.epsilon) + 1e-4
        assert loss <= m.loss(people.metric.distance(x, y))
        assert m.loss_between(y, x) == loss


def test_what_differs_behind_the_filter_is_what_counts() -> None:
    assert (young >> count).loss_between([10, 40, 50], [10]) == dp.pure(0)
    two = RELEASES["of two parts"]
    assert two.loss_between([10, 20, 40], [10]) == dp.pure(2 + 2)
    assert two.loss(2) == dp.pure(8)
    assert two.to(dp.ZCDP).loss_between([10, 20, 40], [10]) == two.to(dp.ZCDP).loss(2), (
        "of another measure, by distance"
    )


def test_where_a_key_decides_the_distance_is_what_is_known() -> None:
    visits = dp.record(who=dp.integers(0, 3), n=dp.integers(0, 3))
    kept = dp.rows(visits, dp.PersonDistance("who")) >> dp.bound_contributions(1)
    m = kept >> (dp.rows(visits) >> dp.filter(dp.field("n") > 1) >> dp.count() >> dp.laplace(1))
    x, y = [{"who": 1, "n": 0}, {"who": 1, "n": 2}], [{"who": 1, "n": 0}]
    assert m.loss_between(x, y) == m.loss(kept.input.metric.distance(x, y))


def test_curves_are_those_at_the_distance() -> None:
    m = (young >> count).to(dp.Profile)
    assert m.loss_between([10, 40], [10]).delta(0) == m.loss(1).delta(0)


def test_data_are_checked() -> None:
    with pytest.raises(dp.errors.InvalidData):
        (young >> count).loss_between([10, 400], [10])
