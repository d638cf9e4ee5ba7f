"""What chains: metrics must be equal, and every value of the left piece a member of the domain of the right one."""

from __future__ import annotations

from typing import Any

import pytest

import dpcore as dp

d: Any = dp
b = d.symbol("b")

# Left domain, right domain: whether rows of the left one may go where rows of the right one are expected.
INCLUDED: list[tuple[Any, Any, bool]] = [
    (d.integers(), d.integers(), True),
    (d.integers(0, 9), d.integers(), True),
    (d.integers(0, 9), d.integers(0), True),
    (d.integers(0, 9), d.integers(None, 9), True),
    (d.integers(0, 9), d.integers(-1, 10), True),
    (d.integers(), d.integers(0), False),
    (d.integers(0), d.integers(0, 9), False),
    (d.integers(None, 9), d.integers(0, 9), False),
    (d.integers(0, 10), d.integers(0, 9), False),
    (d.integers(-1, 9), d.integers(0, 9), False),
    (d.integers(0, b), d.integers(0, b), True),
    (d.integers(0, b), d.integers(0), True),
    (d.integers(0, b), d.integers(0, 9), False),
    (d.integers(0, 9), d.integers(0, b), False),
    (d.integers(0, 9), d.numbers(0, 9), True),
    (d.integers(0, 9), d.numbers(step="1/2"), True),
    (d.integers(0, 9), d.numbers(step="2"), False),
    (d.numbers(0, 9, 1), d.integers(0, 9), False),
    (d.numbers(0, 1, "1/2"), d.numbers(0, 1, "1/4"), True),
    (d.numbers(0, 1, "1/4"), d.numbers(0, 1, "1/2"), False),
    (d.numbers(0, 1, "1/2"), d.numbers(0, 1), True),
    (d.numbers(0, 1), d.numbers(0, 1, "1/2"), False),
    (d.categories("a"), d.categories("a", "b"), True),
    (d.categories("a", "b"), d.categories("a"), False),
    (d.categories("a"), d.text(), True),
    (d.text(), d.categories("a"), False),
    (d.categories(1), d.categories(True), False),
    (d.integers(), d.optional(d.integers()), True),
    (d.optional(d.integers()), d.integers(), False),
    (d.date("2020-01-01", "2020-02-01"), d.date("2020-01-01"), True),
    (d.date(), d.date("2020-01-01"), False),
    (d.record(a=d.integers(0, 9)), d.record(a=d.integers()), True),
    (d.record(a=d.integers()), d.record(a=d.integers(0, 9)), False),
    (d.record(a=d.integers()), d.record(a=d.integers(), b=d.text()), False),
    (d.vector(d.integers(0, 1), 2), d.vector(d.integers(), 2), True),
    (d.vector(d.integers(), 2), d.vector(d.integers(), 3), False),
    (d.vector(d.integers(0, 1), 2), d.vector(d.integers(), 2, d.L1Distance, 2), True),
    (d.vector(d.integers(0, 1), 2), d.vector(d.integers(), 2, d.L1Distance, 1), False),
    (d.vector(d.integers(0, 1), 2), d.vector(d.integers(), 2, d.L2Distance, "1.415"), True),
    (d.vector(d.integers(0, 1), 2), d.vector(d.integers(), 2, d.L2Distance, "1.414"), False),
    (d.vector(d.integers(), 2, d.L2Distance, 1), d.vector(d.integers(), 2, d.L2Distance, 2), True),
    (d.vector(d.integers(), 2, d.L2Distance, 1), d.vector(d.integers(), 2, d.L1Distance, 2), False),
    (d.booleans(), d.integers(0, 1), False),
]


@pytest.mark.parametrize(("left", "right", "included"), INCLUDED, ids=lambda x: str(x)[:30])
def test_inclusion_is_enough_to_chain_and_needed(left: Any, right: Any, included: bool) -> None:
    start = d.rows(left) >> d.filter(lambda row: True)
    end = d.rows(right) >> d.count()
    noisy = end >> d.laplace(1)
    if included:
        assert str((start >> end).map) == "d_in"
        assert str((start >> noisy).map) == "d_in"
        assert right.includes(left)
    else:
        for piece in (end, noisy):
            with pytest.raises(dp.errors.DomainMismatch) as refusal:
                start >> piece
            assert refusal.value.produced == d.types.Rows(left)
            assert refusal.value.expected == d.types.Rows(right)


def test_a_known_size_is_a_narrower_domain() -> None:
    sized, free = d.rows(d.text(), d.ChangeOneDistance(), 3), d.rows(d.text(), d.ChangeOneDistance())
    same = d.row_map(str, d.text())
    assert ((sized >> same) >> (free >> d.count())).stability(1) == 0
    with pytest.raises(dp.errors.DomainMismatch):
        (free >> same) >> (sized >> d.count())


def test_metrics_must_be_equal() -> None:
    """No metric includes another: what is 1 apart in one is not what is 1 apart in the other."""
    spaces = [
        d.rows(d.record(who=d.integers(), where=d.integers()), metric)
        for metric in (
            d.SymmetricDistance(),
            d.ChangeOneDistance(),
            d.PersonDistance("who"),
            d.PersonDistance("where"),
            d.granularity("mine", lambda x, y: 0),
        )
    ]
    for left in spaces:
        for right in spaces:
            start = d.transformation(lambda rows: rows, left, left, lambda x: x)
            end = d.measurement(len, right, d.PureDP(), lambda x: x)
            if left is right:
                assert (start >> end).loss(1) == d.pure(1)
            else:
                with pytest.raises(dp.errors.MetricMismatch) as refusal:
                    start >> end
                assert (refusal.value.left, refusal.value.right) == (start, end)
                assert (refusal.value.produced, refusal.value.expected) == (left.metric, right.metric)


def test_nothing_waits_for_the_data() -> None:
    """Every refusal above comes before any row is seen: what was put together runs on every member of its domain."""
    made = d.rows(d.integers()) >> d.clamp(0, 9) >> d.select(d.row() + 1) >> d.sum() >> d.laplace(10)
    for data in ([], [0], [-(10**30)], [10**30] * 3):
        assert isinstance(made.release(data), int)
