"""The questions of `tables.py` that opendp's polars context answers, of a Parquet file read into memory: the least
milliseconds of several, by name. At the same noise or a like one.

    OPENDP=/path/to/its/python python benchmarks/tables.py     # an environment of its own, with opendp[polars]

It needs an older polars than the newest, so it runs as another process. A question is built for the frame, which takes
opendp seconds and is not timed; then it is released several times.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Final, TypeAlias

op: Any = import_module("opendp.prelude")  # has no types of its own
pl: Any = import_module("polars")  # the one that opendp has
clock: Any = import_module("tables_clock")  # found beside this file, which is run as a script

Frame: TypeAlias = Any
Release: TypeAlias = Callable[[Frame], Callable[[], object]]
RUNS: Final = 5
REGIONS: Final = ("N", "E", "S", "W")
CANDIDATES: Final = list(range(0, 125, 5))


def releases() -> Mapping[str, Release]:
    op.enable_features("contrib")

    def asked(
        frame: Frame, question: Callable[[Any], Any], *, persons: bool = False, **by: object
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
    keys = pl.LazyFrame({"region": REGIONS})
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
        "median of 25 candidates": lambda frame: asked(frame, lambda q: q.select(age.dp.median(CANDIDATES))),
    }


def main(path: str) -> None:
    frame = pl.read_parquet(path)
    for name, release in releases().items():
        asked = release(frame.lazy())
        print(f"{name}\t{clock.least({name: asked}, RUNS)[name]:.1f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
