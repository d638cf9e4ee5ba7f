"""Expressions as steps and arrows hold them: values, although `==` of what users write makes an expression."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import dpcore as dp


def test_steps_hold_values_however_they_were_made() -> None:
    """Where an `Expr` was held, comparing would ask an expression for its truth, which it refuses to tell."""
    people = dp.rows(dp.record(age=dp.integers(0, 120), day=dp.integers(0, 6)))
    makers: Mapping[str, Callable[[], object]] = {
        "filter": lambda: people >> dp.filter(dp.field("age") == 18),
        "select": lambda: people >> dp.select(dp.field("age", int)),
        "record": lambda: people >> dp.select(age=dp.field("age") + 1),
        "histogram": lambda: people >> dp.histogram(dp.field("day")),
        "partition": lambda: people >> dp.partition(by=dp.field("day")),
        "threshold": lambda: people >> dp.threshold_release(dp.field("day"), scale=1, threshold=2),
        "queries": lambda: people >> dp.linear_queries(dp.field("age") == 18),
        "resize": lambda: people >> dp.resize(3, {"age": dp.literal(1), "day": 2}),
        "first": lambda: dp.first_by(dp.field("day")),
        "first, by name": lambda: dp.first_by("day"),
    }
    for make in makers.values():
        one, other = make(), make()
        assert one == other
        assert hash(one) == hash(other)
