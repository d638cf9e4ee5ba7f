"""Metrics are metrics, and where they count steps, members k apart are joined by k steps of 1."""

from __future__ import annotations

import math
from collections import deque
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpcore as dp
from dpcore.assurance.universe import Members, members, multisets, records
from dpcore.core.origins import SomeSpace
from dpcore.metrics import Carried
from tests.laws.examples.functions import weeks

AB = dp.categories("a", "b")
VECTORS = dp.vector(dp.integers(), 2)
PERSONS = dp.record(who=dp.integers(0, 1), n=dp.integers(0, 1))


def twice(x: object, y: object) -> Fraction:
    found = dp.SymmetricDistance().carried(x, y)
    return 2 * Fraction(found)


SPACES: list[tuple[SomeSpace, tuple[object, ...], int]] = [
    (dp.rows(dp.categories(1, True, "1")), (1, True, "1"), 3),
    (dp.rows(dp.numbers()), (0.5, Fraction(1, 2), 0.1), 3),
    (dp.rows(AB, dp.ChangeOneDistance()), ("a", "b"), 3),
    (dp.rows(dp.integers(0, 2), dp.ChangeOneDistance(), 3), (0, 1, 2), 3),
    (dp.rows(PERSONS, dp.PersonDistance("who")), records(who=(0, 1), n=(0, 1)), 3),
    (dp.rows(AB, dp.granularity("two", twice)), ("a", "b"), 3),
    (dp.rows(AB, dp.granularity("a week", weeks, path=True)), ("a", "b"), 3),
    (dp.value(dp.categories(1, True, 0), dp.DiscreteDistance()), (1, True, 0), 3),
    (dp.value(dp.integers(), dp.AbsoluteDistance()), (-2, 0, 3), 3),
    (dp.value(dp.numbers(), dp.AbsoluteDistance()), (-0.5, 0, Fraction(1, 3)), 3),
    (dp.value(VECTORS, dp.L1Distance()), (-1, 0, 2), 3),
    (dp.value(VECTORS, dp.L2Distance()), (-1, 0, 2), 3),
    (dp.value(VECTORS, dp.LInfDistance()), (-1, 0, 2), 3),
    (dp.value(VECTORS, dp.RangeDistance()), (-1, 0, 2), 3),
    (dp.value(dp.types.Parts(AB, ("x", "y")), dp.types.PartDistance(dp.SymmetricDistance())), ("a", "b"), 2),
    (dp.value(dp.types.Parts(AB, ("x", "y")), dp.types.PartDistance(dp.ChangeOneDistance())), ("a", "b"), 2),
    (dp.value(dp.graphs(4), dp.EdgeDistance()), (), 3),
    (dp.value(dp.graphs(4), dp.NodeDistance()), (), 3),
]

of_each = pytest.mark.parametrize(("space", "atoms", "most"), SPACES, ids=[repr(space) for space, *_ in SPACES])
WHOLE = [entry for entry in SPACES if entry[0].metric.whole]
of_whole_steps = pytest.mark.parametrize(("space", "atoms", "most"), WHOLE, ids=[repr(space) for space, *_ in WHOLE])


def table(space: SomeSpace, found: Members) -> list[list[float]]:
    """All distances, as they are shown."""
    return [[float(space.metric.distance(x, y)) for y in found] for x in found]


@of_each
def test_a_metric(space: SomeSpace, atoms: tuple[object, ...], most: int) -> None:
    found = members(space, atoms, most)
    assert all(space.domain.member(x) for x in found)
    distances = table(space, found)
    n = range(len(found))
    assert all(distances[i][i] == 0 for i in n)
    assert all(distances[i][j] == distances[j][i] >= 0 for i in n for j in n)
    slack = 1e-12  # shown distances are floats, rounded up
    assert all(distances[i][k] <= distances[i][j] + distances[j][k] + slack for i in n for j in n for k in n)


@of_each
def test_distance_is_what_is_carried(space: SomeSpace, atoms: tuple[object, ...], most: int) -> None:
    found = members(space, atoms, most)
    for x in found:
        for y in found:
            shown, carried = space.metric.distance(x, y), space.metric.carried(x, y)
            if isinstance(carried, float):
                assert shown == carried == math.inf
            else:
                assert isinstance(shown, dp.types.Bound)
                assert float(dp.types.Bound(space.metric.carry(shown.value))) == pytest.approx(float(carried))


@of_whole_steps
def test_steps_of_one_join_all(space: SomeSpace, atoms: tuple[object, ...], most: int) -> None:
    found = members(space, atoms, most)
    distances = [[space.metric.carried(x, y) for y in found] for x in found]
    for start in range(len(found)):
        assert _steps(distances, start) == distances[start]


def _steps(distances: list[list[Carried]], start: int) -> list[Carried]:
    """The number of steps of 1 that lead from a member to each, by breadth first; 0 leads to the same in other words."""
    reached: list[Carried] = [math.inf] * len(distances)
    waiting = deque([(start, 0)])
    while waiting:
        here, steps = waiting.popleft()
        if steps < reached[here]:
            reached[here] = steps
            waiting.extendleft((there, steps) for there, d in enumerate(distances[here]) if d == 0)
            waiting.extend((there, steps + 1) for there, d in enumerate(distances[here]) if d == 1)
    return reached


@pytest.mark.parametrize("metric", [dp.SymmetricDistance(), dp.PersonDistance("who")])
def test_no_steps_of_one_where_the_size_is_known(metric: dp.types.Metric) -> None:
    """There are no neighbours at all, so distance 1 is refused, and so is everything that is lifted from it."""
    space = dp.rows(PERSONS, metric, 2)
    assert all(metric.carried(x, y) != 1 for x in multisets(records(who=(0, 1), n=(0, 1)), (2,))
               for y in multisets(records(who=(0, 1), n=(0, 1)), (2,)))  # fmt: skip
    claim = dp.measurement(len, space, dp.PureDP(), lambda d: d)
    with pytest.raises(dp.errors.Vacuous):
        claim.loss(1)
    with pytest.raises(dp.errors.Vacuous):
        dp.group_privacy(claim)


rows = st.lists(st.one_of(st.integers(-2, 2), st.booleans(), st.sampled_from(["", "1", None])), max_size=6)


@given(rows, rows, rows)
def test_rows_of_any_kind(x: list[object], y: list[object], z: list[object]) -> None:
    for metric in (dp.SymmetricDistance(), dp.ChangeOneDistance()):
        assert metric.carried(x, x[::-1]) == 0
        assert metric.carried(x, y) == metric.carried(y, x)
        assert metric.carried(x, z) <= metric.carried(x, y) + metric.carried(y, z)
        assert (metric.carried(x, y) == 0) == (
            sorted(map(repr, x)) == sorted(map(repr, y))
        )  # no two of these values are equal and print differently


@given(*[st.lists(st.integers(-3, 3), min_size=3, max_size=3)] * 3)
def test_the_range_lies_between_its_neighbours(x: list[int], y: list[int], z: list[int]) -> None:
    """`LInf <= Range <= 2 LInf`, and a range is never above L1."""
    linf, ranged, l1 = dp.LInfDistance(), dp.RangeDistance(), dp.L1Distance()
    assert linf.carried(x, y) <= ranged.carried(x, y) <= min(2 * linf.carried(x, y), l1.carried(x, y))
    assert ranged.carried(x, z) <= ranged.carried(x, y) + ranged.carried(y, z)
