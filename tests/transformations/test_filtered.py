"""Of d rows that were replaced a filter lets at most d leave and at most d enter, and the steps after it know that.

The class of faults: a rule that is tight on the example of the catalogue, and loose where a pipeline is written otherwise.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import cast

import pytest

import dpcore as dp
from dpcore.calculus.parameters import Json
from dpcore.expressions import Expr
from tests.certificates.tools import certified, rejection
from tests.laws.arrows import measurement
from tests.laws.examples.example import CHANGE_ONE

ROW = dp.integers(0, 3)
ROWS = dp.rows(ROW, CHANGE_ONE)
ABOVE = ROWS >> dp.filter(dp.row() >= 1)


def test_the_seeds_exercise_by_each_of_three_ways() -> None:
    """Each n_j alone has sensitivity 1 under replacement: d queries at eps = 1/2 need noise of scale d/eps = 8, not 16."""
    epsilon, bins = Fraction(1, 2), 4
    scale = bins / epsilon
    ways = (
        [ROWS >> dp.histogram(bins=[j]) >> dp.laplace(scale) for j in range(bins)],
        [ROWS >> dp.filter(dp.row() == j) >> dp.count() >> dp.laplace(scale) for j in range(bins)],
        [ROWS >> dp.linear_queries(dp.row() == j) >> dp.laplace(scale) for j in range(bins)],
    )
    for way in ways:
        assert dp.compose(
            cast(
                "list[dp.types.Measurement[dp.types.Rows[dp.types.Integers], dp.ChangeOneDistance, dp.PureDP, int]]",
                way,
            )
        ).loss(1) == dp.pure(epsilon)


@pytest.mark.parametrize("d", [1, 2, 3])
def test_the_maps(d: int) -> None:
    assert (ABOVE >> dp.count()).stability(d) == d
    assert (ABOVE >> dp.sum()).stability(d) == 3 * d
    assert (ABOVE >> dp.histogram()).stability(d) == 2 * d
    assert (ABOVE >> dp.histogram(norm=dp.LInfDistance)).stability(d) == d
    assert str((ABOVE >> dp.histogram(norm=dp.L2Distance)).map) == "sqrt(2)*d_in"
    assert (ABOVE >> dp.quantile_scores([1, 2], "1/3")).stability(d) == 3 * d
    assert (
        ABOVE >> dp.filter(dp.row() >= 2) >> dp.select(cast("Expr[int]", dp.row() * 2)) >> dp.clamp(0, 4) >> dp.count()
    ).stability(d) == d
    assert (ABOVE >> dp.flat_map(lambda row: [row], ROW, 1) >> dp.count()).stability(d) == 2 * d
    assert ABOVE.stability(d) == 2 * d


@pytest.mark.parametrize("norm", [dp.L1Distance, dp.L2Distance, dp.LInfDistance, dp.RangeDistance])
def test_one_bin(norm: type[dp.L1Distance]) -> None:
    for found in (ROWS >> dp.histogram(bins=[1], norm=norm), ABOVE >> dp.histogram(bins=[1], norm=norm)):
        assert found.stability(2) == 2
        assert dp.assurance.exhaust(found, [0, 1, 2], 3).verdict == "sound and tight"


def test_however_it_is_put_together() -> None:
    """Chaining is associative, and pieces made apart are as good."""
    alone = dp.rows(ROW) >> dp.filter(dp.row() >= 2) >> dp.count()
    by_one = ABOVE >> dp.filter(dp.row() >= 2) >> dp.count()
    assert (ABOVE >> alone).stability(1) == by_one.stability(1) == 1
    assert (
        repr(by_one)
        == "rows(integers(0, 3), metric=ChangeOneDistance) >> filter(row() >= 1) >> filter(row() >= 2) >> count()"
    )
    assert (ABOVE >> alone) == by_one


def test_rows_of_a_known_number() -> None:
    sized = dp.rows(ROW, size=5) >> dp.filter(dp.row() >= 1) >> dp.count()
    assert sized.stability(2) == 1
    assert dp.assurance.exhaust(sized, [0, 1, 2], 5).sound


def test_sound_two_and_three_apart() -> None:
    for f in (ABOVE >> dp.count(), ABOVE >> dp.sum(), ABOVE >> dp.histogram(norm=dp.LInfDistance)):
        assert dp.assurance.exhaust(f, [0, 1, 3], 4).sound


def test_a_group_does_not_know_it() -> None:
    """What is known of d rows is not known of each of the steps that lead there: of rows 1 apart not half a row moves."""
    m = ABOVE >> dp.group_privacy(dp.rows(ROW) >> dp.count() >> dp.laplace(1))
    assert m.loss(1) == dp.pure(2)
    forged = json.loads(certified(measurement(m)).text())
    inner = cast("list[dict[str, Json]]", forged["derivation"]["premises"][1]["premises"][0]["premises"])
    assert inner[0]["rule"] == "count_symmetric"
    inner[0]["rule"] = "count_filtered"
    found = rejection(json.dumps(forged).encode())
    assert found is not None
    assert "does not hold under this metric" in found[1]


def test_by_parts() -> None:
    """A part that filters first costs no more when a row in it is replaced."""
    part = dp.rows(ROW) >> dp.filter(dp.row() >= 1) >> dp.count() >> dp.laplace(1)
    m = ROWS >> dp.partition([1, 2]) >> dp.parallel(part)
    assert rejection(certified(measurement(m)).text()) is None
