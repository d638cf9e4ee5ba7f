"""The questions of `tables.py` in opendp's polars context, where opendp is installed, at the same noise or a like one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeAlias

import polars as pl

Release: TypeAlias = Callable[[pl.LazyFrame], Callable[[], object]]
"""Built for a frame, which takes opendp seconds, and is not timed; then released as often as one likes."""


def releases(candidates: Sequence[int], regions: Sequence[str]) -> Mapping[str, Release]:
    """By the names of the questions; nothing where opendp is not installed."""
    if find_spec("opendp") is None:
        return {}
    op: Any = import_module("opendp.prelude")  # has no types of its own
    op.enable_features("contrib")

    def asked(
        frame: pl.LazyFrame, question: Callable[[Any], Any], *, persons: bool = False, **by: object
    ) -> Callable[[], object]:
        unit = op.unit_of(contributions=5, identifier=pl.col("person")) if persons else op.unit_of(contributions=1)
        margin = op.polars.Margin(**({"by": [], **by}), max_length=1 << 24)
        context = op.Context.compositor(
            data=frame, privacy_unit=unit, privacy_loss=op.loss_of(epsilon=1.0), split_evenly_over=1, margins=[margin]
        )
        measurement = question(context.query()).resolve()
        return lambda: measurement(frame).collect()

    def by(key: str, *what: Any) -> Release:
        return lambda frame: asked(frame, lambda q: q.group_by(key).agg(*what), by=[key], invariant="keys")

    age: Any = pl.col("age").fill_null(0)  # opendp adds names to expressions
    cost: Any = pl.col("cost").fill_null(0.0).fill_nan(0.0)
    ages = age.dp.sum((0, 120))

    count = op.len(signed=True)
    keys = pl.LazyFrame({"region": regions})
    adults: Release = lambda frame: asked(  # noqa: E731
        frame, lambda q: q.filter(pl.col("age") >= 18).group_by("region").agg(count).with_keys(keys)
    )
    return {
        "count": lambda frame: asked(frame, lambda q: q.select(count)),
        "filter and histogram": adults,
        "sum of integers": lambda frame: asked(frame, lambda q: q.select(ages)),
        "sum on a grid of floats": lambda frame: asked(frame, lambda q: q.select(cost.dp.sum((0.0, 60.0)))),
        "counts by 100 keys": by("shop", count),
        "counts by 10,000 keys": by("item", count),
        "sums by 100 keys": by("shop", ages),
        "at most 5 rows a person": lambda frame: asked(
            frame, lambda q: q.truncate_per_group(5).select(ages), persons=True
        ),
        "median of 25 candidates": lambda frame: asked(frame, lambda q: q.select(age.dp.median(candidates))),
    }
