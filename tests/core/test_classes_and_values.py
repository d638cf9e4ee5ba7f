"""Metrics and measures without parameters are given as classes or as values, and mean the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest

import dpcore as dp

ROWS = dp.rows(dp.integers(0, 1))
NOISY = ROWS >> dp.count() >> dp.laplace(scale=1)


def same_release(data: object) -> int:
    return 1


def claimed_loss(d: object) -> object:
    return d


@pytest.mark.parametrize(
    ("of_class", "of_value"),
    [
        (dp.rows(dp.text(), dp.ChangeOneDistance), dp.rows(dp.text(), dp.ChangeOneDistance())),
        (dp.value(dp.integers(), dp.AbsoluteDistance), dp.value(dp.integers(), dp.AbsoluteDistance())),
        (NOISY.to(dp.ZCDP), NOISY.to(dp.ZCDP())),
        (
            dp.measurement(same_release, ROWS, dp.PureDP, claimed_loss),
            dp.measurement(same_release, ROWS, dp.PureDP(), claimed_loss),
        ),
    ],
)
def test_both_mean_the_same(of_class: object, of_value: object) -> None:
    assert of_class == of_value
    assert repr(of_class) == repr(of_value)


UNTYPED = cast(Any, dp)


@pytest.mark.parametrize(
    ("build", "part"),
    [
        (lambda: UNTYPED.rows(dp.text(), dp.PersonDistance), "PersonDistance(by)"),
        (lambda: UNTYPED.rows(dp.text(), dp.types.Metric), "Expected a metric on rows"),
        (lambda: UNTYPED.value(dp.integers(), int), "Expected a metric"),
        (lambda: UNTYPED.measurement(same_release, ROWS, dp.types.Measure, claimed_loss), "Expected a measure"),
        (lambda: UNTYPED.measurement(same_release, ROWS, 3, claimed_loss), "Expected a measure"),
        (lambda: NOISY.to(cast(Any, 3)), "Expected a measure"),
    ],
)
def test_what_is_neither_is_refused(build: Callable[[], object], part: str) -> None:
    with pytest.raises(dp.errors.InvalidParameter) as refusal:
        build()
    assert part in str(refusal.value)
