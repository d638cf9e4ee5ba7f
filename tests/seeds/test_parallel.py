"""Parallel composition. Under SymmetricDistance one part is touched, under ChangeOneDistance two may be.

A row replaced may leave part i and enter part j, so the loss is `max over i != j of eps_i + eps_j`, less than the sum of
all and more than the largest. For this each part must be private when a row enters or leaves it: a part that is private
while its size is fixed reveals by its size alone who moved, without any bound.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpcore as dp

row = dp.record(region=dp.categories("N", "E", "S", "W"), age=dp.integers(0, 120))
added = dp.rows(row)
replaced = dp.rows(row, dp.ChangeOneDistance())
by_region = dp.partition(["N", "E", "S", "W"], dp.field("region"))


def counted(
    epsilon: Fraction,
) -> dp.types.Measurement[dp.types.Rows[dp.types.Record], dp.SymmetricDistance, dp.PureDP, int]:
    return added >> dp.count() >> dp.laplace(1 / epsilon)


epsilons = st.lists(st.fractions(Fraction(1, 50), 5, max_denominator=50), min_size=4, max_size=4)


@given(epsilons)
@settings(max_examples=25, deadline=None)
def test_max_when_a_row_is_added_or_removed(eps: list[Fraction]) -> None:
    each = {key: counted(e) for key, e in zip("NESW", eps, strict=True)}
    assert (added >> by_region >> dp.parallel(each)).loss(1) == dp.pure(max(eps))
    assert (added >> by_region >> dp.parallel(each)).loss(3) == dp.pure(3 * max(eps))


@given(epsilons)
@settings(max_examples=25, deadline=None)
def test_the_largest_two_when_a_row_is_replaced(eps: list[Fraction]) -> None:
    each = {key: counted(e) for key, e in zip("NESW", eps, strict=True)}
    largest_two = max(x + y for x, y in itertools.combinations(eps, 2))
    bounded = (replaced >> by_region >> dp.parallel(each)).loss(1)
    assert bounded == dp.pure(largest_two)
    every = sum(eps, Fraction(0))
    assert bounded < dp.pure(every), "composed one after another, all four would be paid for"
    assert not bounded <= dp.pure(max(eps)), "the bound for rows added and removed does not hold"


def test_the_sum_is_what_plain_composition_pays() -> None:
    parts = [replaced >> dp.filter(dp.field("region") == r) >> dp.count() >> dp.laplace(1) for r in "NESW"]
    assert dp.compose(parts).loss(1) == dp.pure(4)
    assert (replaced >> by_region >> dp.parallel(counted(Fraction(1)))).loss(1) == dp.pure(2)
    assert (added >> by_region >> dp.parallel(counted(Fraction(1)))).loss(1) == dp.pure(1)


def test_a_change_within_one_part_counts_as_well() -> None:
    """A sum moves by up to its bound when a row enters, and by up to the width of its bounds when one is replaced."""
    one = dp.rows(dp.record(region=dp.categories("N"), age=dp.integers(-9, 9)), dp.ChangeOneDistance())
    ages = dp.rows(one.domain.of) >> dp.select(dp.field("age"), dp.integers(-9, 9)) >> dp.sum() >> dp.laplace(9)
    assert ages.loss(1) == dp.pure(1)
    assert (one >> dp.partition(["N"], dp.field("region")) >> dp.parallel(ages)).loss(1) == dp.pure(2)


def test_a_row_of_no_part() -> None:
    """Where the parts do not cover everything, a replaced row may leave one part and enter none."""
    some = dp.partition(["N"], dp.field("region"))
    assert (replaced >> some >> dp.parallel(counted(Fraction(1)))).loss(1) == dp.pure(1)


def test_two_parts_do_move_at_once() -> None:
    x = [{"region": "N", "age": 1}, {"region": "S", "age": 1}]
    y = [{"region": "S", "age": 1}, {"region": "S", "age": 1}]
    split = replaced >> by_region
    assert replaced.metric.distance(x, y) == 1
    assert split.output.metric.distance(split(x), split(y)) == 1
    assert split.output.metric.vector(split(x), split(y)) == {"N": 1, "E": 0, "S": 1, "W": 0}


@pytest.mark.parametrize("part", ["name_and_shame", "random_row", "count"])
def test_a_part_that_is_private_at_fixed_size_only_is_refused(part: str) -> None:
    """Infinite leakage: the size of such a part is published as it is, and it changes when a row moves."""
    sized = dp.rows(row, dp.ChangeOneDistance(), 5)
    parts: dict[str, Any] = {
        "name_and_shame": replaced >> dp.name_and_shame("0.01"),
        "random_row": sized >> dp.random_row(),
        "count": replaced >> dp.count() >> dp.laplace(1),
    }
    assert (replaced >> dp.count() >> dp.laplace(1)).loss(1) == dp.pure(0), (
        "at fixed size the count costs nothing at all"
    )
    spaces: list[Any] = [replaced, added]
    for space in spaces:
        for each in (parts[part], dict.fromkeys("NESW", parts[part])):
            with pytest.raises(
                dp.errors.MetricMismatch, match="a part must be private when a row enters or leaves it"
            ) as refusal:
                space >> by_region >> dp.parallel(each)
            assert refusal.value.produced == dp.ChangeOneDistance()
            assert refusal.value.expected == dp.SymmetricDistance()
            assert refusal.value.bridge is not None


def test_the_mixture_of_one_such_part_is_refused_too() -> None:
    mixed: Any = {"N": replaced >> dp.count() >> dp.laplace(1)} | {r: counted(Fraction(1)) for r in "ESW"}
    with pytest.raises(dp.errors.MetricMismatch):
        replaced >> by_region >> dp.parallel(mixed)


def test_zcdp_and_approx_add_up_in_pairs_too() -> None:
    gauss = {r: added >> dp.count() >> dp.gaussian(s) for r, s in zip("NESW", (1, 2, 4, 8), strict=True)}
    assert (added >> by_region >> dp.parallel(gauss)).loss(1) == dp.zcdp("1/2")
    assert (replaced >> by_region >> dp.parallel(gauss)).loss(1) == dp.zcdp(Fraction(1, 2) + Fraction(1, 8))
    pairs = {r: counted(Fraction(1, i)).to(dp.ApproxDP) for i, r in enumerate("NESW", 1)}
    assert (replaced >> by_region >> dp.parallel(pairs)).loss(1) == dp.approx("3/2", 0)


def test_each_part_is_released_under_its_key() -> None:
    data = [{"region": r, "age": 1} for r in "NNS"]
    exact = dp.parallel(counted(Fraction(10**6)))
    assert (added >> by_region >> exact).release(data) == {"N": 2, "E": 0, "S": 1, "W": 0}


@pytest.mark.parametrize("keys", ["NES", "NESWX", ""])
def test_a_measurement_for_every_key_and_no_other(keys: str) -> None:
    with pytest.raises(dp.errors.InvalidParameter, match="every key"):
        added >> by_region >> dp.parallel({key: counted(Fraction(1)) for key in keys})
