"""Keys that are released: equal keys have one form, so that it does not show which row brought them."""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping
from typing import Any, cast

import pytest

import dpcore as dp
from tests.laws import distributions
from tests.laws.arrows import measurement
from tests.laws.distributions import distribution


def read(row: Mapping[str, str]) -> object:
    """A user's key: the same number in several forms."""
    return {"whole": 1, "float": 1.0, "true": (True,), "zero": 0.0, "minus": -0.0}[row["form"]]


FORMS = dp.record(form=dp.categories("whole", "float", "true", "zero", "minus"))


@pytest.mark.parametrize(("x", "y"), [
    (["whole", "float"], ["float", "whole"]),
    (["whole", "true", "true"], ["true", "whole", "true"]),
    (["zero", "minus"], ["minus", "zero"]),
])  # fmt: skip
def test_the_order_of_rows_does_not_show(x: list[str], y: list[str]) -> None:
    m = measurement(dp.rows(FORMS) >> dp.threshold_release(read, scale="1/2", threshold=2))
    p, q = (distribution(m, [{"form": form} for form in rows]) for rows in (x, y))
    assert distributions.max_log_ratio(p, q) < 1e-9


@pytest.mark.parametrize("more", ["whole", "float", "true", "zero", "minus"])
@pytest.mark.parametrize("rows", [[], ["whole"], ["zero", "zero"], ["true", "float"]])
def test_a_row_that_brings_a_key_in_another_form(rows: list[str], more: str) -> None:
    m = measurement(dp.rows(FORMS) >> dp.threshold_release(read, scale="1/2", threshold=3))
    loss = m.loss(1)
    assert isinstance(loss, dp.types.ApproxLoss)
    x, y = ([{"form": form} for form in data] for data in (rows, [more, *rows]))
    p, q = distribution(m, x), distribution(m, y)
    for one, other in ((p, q), (q, p)):
        assert distributions.hockey_stick(one, other, float(loss.epsilon)) <= float(loss.delta) + 1e-9


def test_keys_come_out_as_one_would_write_them() -> None:
    m = dp.rows(dp.numbers()) >> dp.threshold_release(scale="1/100", threshold=2)
    assert repr(m.release([3, 3.0, 0.5, 0.5])) == "{Fraction(1, 2): 2, 3: 2}"
    days = dp.rows(dp.optional(dp.text())) >> dp.threshold_release(scale="1/100", threshold=2)
    assert days.release(["x", "x", None, None]) == {"x": 2, None: 2}


def test_a_category_has_one_form() -> None:
    """-0.0 is 0.0: one category, in whichever way it was named. True is not 1, in a tuple either."""
    local = dp.DiscreteDistance()
    m = measurement(dp.value(dp.categories(0.0, 1.0), local) >> dp.randomized_response("3/4"))
    p, q = distribution(m, 0.0), distribution(m, -0.0)
    assert {repr(o) for o in p.masses} == {repr(o) for o in q.masses}
    pairs = measurement(dp.value(dp.categories((0,), (1,)), local) >> dp.randomized_response("3/4"))
    with pytest.raises(dp.errors.InvalidData):
        distribution(pairs, (True,))
    apart = measurement(dp.value(dp.categories((1,), (True,)), local) >> dp.randomized_response("3/4"))
    p, q = distribution(apart, (1,)), distribution(apart, (True,))
    assert len(p.masses) == len(q.masses) == 2
    assert abs(distributions.max_log_ratio(p, q) - math.log(3)) < 1e-9


def _hour(row: str) -> object:
    return datetime.datetime.fromisoformat(row).replace(minute=0)


def test_keys_that_share_a_place_are_refused() -> None:
    """Hours of one day would tie, and stay in the order of the rows that brought them."""
    m = dp.rows(dp.text()) >> dp.threshold_release(cast(Any, _hour), scale=1, threshold=2)
    with pytest.raises(dp.errors.DPError, match="datetime"):
        m.release(["2026-01-01T09:10", "2026-01-01T17:10"])
