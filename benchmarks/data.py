"""Releases from lists, arrays and tables, side by side with opendp in one run.

    python benchmarks/data.py          # all; or the beginning of some lines: python benchmarks/data.py median "float sum"

Both libraries get the same data on the same machine and release the same statistic with the same noise; what is timed
is the whole public call, with its checks of the data. The runs alternate and their medians count, so that the ratio
depends little on the machine. Below 1 dpcore is faster. Asked: on nothing more than 1.5 times as slow.

Vectors are asked for twice the time of their noise alone, which is what a release cannot do without.
"""

from __future__ import annotations

import importlib
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeAlias, cast

import numpy as np
import opendp.prelude as op

import dpcore as dp
from dpcore.noise import samples
from dpcore.noise.bits import system_bits
from dpcore.noise.fixed_point import Int64s
from dpcore.noise.samples import add

SIZES = [10**3, 10**5, 10**6]
CANDIDATES = list(range(0, 125, 5))
REGIONS = ["east", "middle", "north", "northeast", "northwest", "south", "southeast", "southwest", "west", "abroad"]
ASKED = 1.5
VECTORS_ASKED = 2.0
A_WHILE = 1.5
"""Seconds for one line, if a single run does not take longer."""

Work = Callable[[], object]


class Releases(Protocol):
    def release(self, data: object, /) -> object: ...


@dataclass(frozen=True)
class Line:
    """The same work twice. `asked` is how many times the second time the first may take."""

    what: str
    ours: Work
    theirs: Work
    asked: float | None = ASKED
    peer: str = "opendp"

    def measured(self) -> str:
        mine, other = _alternating(self.ours, self.theirs)
        ratio = mine / other
        asked = "" if self.asked is None else f"{self.asked:>6.1f}  {'met' if ratio <= self.asked else 'MISSED'}"
        return (
            f"{self.what:<50} {mine * 1e3:>11.3f} {other * 1e3:>11.3f} {ratio:>8.2f} {asked:<15} {self.peer}".rstrip()
        )


def _alternating(*works: Work) -> list[float]:
    """The median time of each, taken in turn, after one run of each that does not count where it is short."""
    first = [_timed(work) for work in works]
    rounds = min(301, int(A_WHILE / sum(first)))
    if rounds < 2:
        return [
            statistics.median([once, *(_timed(work) for _ in range(2))])
            for once, work in zip(first, works, strict=True)
        ]
    found = [[_timed(work) for work in works] for _ in range(max(rounds, 5))]
    return [statistics.median(times) for times in zip(*found, strict=True)]


def _timed(work: Work) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


# ---- what is released ------------------------------------------------------------------------------------------------

Given: TypeAlias = tuple[op.Domain, op.Metric]

op.enable_features("contrib")
INTS = op.vector_domain(op.atom_domain(T=int)), op.symmetric_distance()
INTS_32 = op.vector_domain(op.atom_domain(T="i32")), op.symmetric_distance()
FLOATS = op.vector_domain(op.atom_domain(T=float, nan=False)), op.symmetric_distance()
TEXTS = op.vector_domain(op.atom_domain(T=str)), op.symmetric_distance()

whole, numbers, texts = dp.rows(dp.integers()), dp.rows(dp.numbers()), dp.rows(dp.text())


@dataclass(frozen=True)
class Statistic:
    """A pipeline, built in each library, and data of so many rows as a list. opendp reads arrays of 32 bits only."""

    name: str
    ours: Callable[[], object]
    theirs: Callable[[], op.Measurement]
    their_32: Callable[[], op.Measurement]
    data: Callable[[int], list[object]]

    def lines(self) -> Iterator[Line]:
        built = self.ours(), self.theirs(), self.their_32()
        yield Line(f"{self.name}: build", self.ours, self.theirs)
        yield Line(f"{self.name}: loss", _loss(built[0]), _map(built[1]))
        for n in SIZES:
            rows = self.data(n)
            yield Line(f"{self.name}, list of {n:,}", _release(built[0], rows), _call(built[1], rows))
        for n in SIZES:
            rows = self.data(n)
            array = np.array(rows)
            array = array.astype(np.int32) if array.dtype.kind == "i" else array
            theirs = rows if array.dtype.kind == "U" else array  # opendp reads arrays of texts slower than lists
            yield Line(f"{self.name}, {array.dtype.name} of {n:,}", _release(built[0], array), _call(built[2], theirs))


class _Releases(Protocol):
    def release(self, data: object, /) -> object: ...
    def loss(self, d_in: int, /) -> object: ...


def _release(measurement: object, data: object) -> Work:
    released = cast(_Releases, measurement)
    return lambda: released.release(data)


def _loss(measurement: object) -> Work:
    released = cast(_Releases, measurement)
    return lambda: released.loss(1)


def _map(measurement: op.Measurement) -> Work:
    return lambda: measurement.map(1)


def _call(measurement: op.Measurement, data: object) -> Work:
    return lambda: measurement(data)


def statistics_of_rows() -> list[Statistic]:
    random = np.random.default_rng(1)

    def ages(n: int) -> list[object]:
        return list(random.integers(0, 121, n).tolist())

    def amounts(n: int) -> list[object]:
        return list(np.round(random.uniform(-10, 130, n), 2).tolist())

    def regions(n: int) -> list[object]:
        return [REGIONS[i] for i in random.integers(0, len(REGIONS), n).tolist()]

    def counted(space: Given) -> op.Measurement:
        return space >> op.t.then_count() >> op.m.then_laplace(1.0)

    def added(space: Given) -> op.Measurement:
        return space >> op.t.then_clamp((0, 100)) >> op.t.then_sum() >> op.m.then_laplace(100.0)

    def real_sum() -> op.Measurement:
        return FLOATS >> op.t.then_clamp((0.0, 100.0)) >> op.t.then_sum() >> op.m.then_laplace(100.0)

    def tally() -> op.Measurement:
        return TEXTS >> op.t.then_count_by_categories(REGIONS, null_category=False) >> op.m.then_laplace(1.0)

    def median() -> op.Measurement:
        scores = op.t.then_quantile_score_candidates([float(c) for c in CANDIDATES], 0.5)
        return FLOATS >> scores >> op.m.then_noisy_max(op.max_divergence(), 1.0)

    def unknown() -> op.Measurement:
        return TEXTS >> op.t.then_count_by() >> op.m.then_laplace_threshold(1.0, 20)

    return [
        Statistic(
            "count",
            lambda: whole >> dp.count() >> dp.laplace(scale=1),
            lambda: counted(INTS),
            lambda: counted(INTS_32),
            ages,
        ),
        Statistic(
            "sum",
            lambda: whole >> dp.clamp(0, 100) >> dp.sum() >> dp.laplace(scale=100),
            lambda: added(INTS),
            lambda: added(INTS_32),
            ages,
        ),
        Statistic(
            "float sum",
            lambda: numbers >> dp.clamp(0, 100) >> dp.quantize("0.01") >> dp.sum() >> dp.laplace(scale=100),
            real_sum,
            real_sum,
            amounts,
        ),
        Statistic(
            "histogram", lambda: texts >> dp.histogram(bins=REGIONS) >> dp.laplace(scale=1), tally, tally, regions
        ),
        Statistic(
            "median",
            lambda: numbers >> dp.quantile_scores(CANDIDATES, "1/2") >> dp.permute_and_flip(scale=2),
            median,
            median,
            amounts,
        ),
        Statistic(
            "unknown keys", lambda: texts >> dp.threshold_release(scale=1, threshold=20), unknown, unknown, regions
        ),
    ]


# ---- vectors ---------------------------------------------------------------------------------------------------------


def vectors() -> Iterator[Line]:
    for n in SIZES:
        of, listed, array = dp.vector(dp.integers(), n), [7] * n, np.full(n, 7, np.int64)
        laplace = dp.value(of, dp.L1Distance) >> dp.laplace(scale=10)
        gaussian = dp.value(of, dp.L2Distance) >> dp.gaussian(sigma=10)
        for name, ours in (("Laplace", laplace), ("Gaussian", gaussian)):
            noise = _noise(name, array)
            asked = VECTORS_ASKED if n == 10**6 else None
            yield Line(f"{name} vector, array of {n:,}", _release(ours, array), noise, asked, "its noise alone")
            yield Line(f"{name} vector, list of {n:,}", _release(ours, listed), noise, None, "its noise alone")
            if n < 10**6:
                yield Line(f"{name} vector, array of {n:,}", _release(ours, array), _call(_their_noise(name), array))
                yield Line(f"{name} vector, list of {n:,}", _release(ours, listed), _call(_their_noise(name), listed))


def _noise(name: str, values: Int64s) -> Work:
    bits = system_bits()
    draw = samples.laplace if name == "Laplace" else samples.gaussian
    parameter = 10 if name == "Laplace" else 100
    return lambda: add(values, draw(parameter, len(values), bits))


def _their_noise(name: str) -> op.Measurement:
    space = op.vector_domain(op.atom_domain(T="i64"))
    if name == "Laplace":
        return op.m.make_laplace(space, op.l1_distance(T="i64"), scale=10.0)
    return op.m.make_gaussian(space, op.l2_distance(T="f64"), scale=10.0)


# ---- figures ---------------------------------------------------------------------------------------------------------


def conversions() -> Iterator[Line]:
    noisy = dp.value(dp.integers(), dp.AbsoluteDistance) >> dp.gaussian(sigma=10)
    theirs = op.c.make_zCDP_to_approxDP(
        op.m.make_gaussian(op.atom_domain(T="i64"), op.absolute_distance(T="i64"), scale=10.0)
    )
    converted = noisy.to(dp.ApproxDP, delta="1e-6")
    yield Line("epsilon of a Gaussian at delta 1e-6", _loss(converted), lambda: theirs.map(1).epsilon(1e-6))
    scale = dp.symbol("scale")
    counted = whole >> dp.count() >> dp.laplace(scale=scale)

    def searched() -> object:
        return op.binary_search_param(lambda s: INTS >> op.t.then_count() >> op.m.then_laplace(s), d_in=1, d_out=1.0)

    yield Line("scale of a count for epsilon 1", lambda: counted.solve(dp.pure(1), d_in=1), searched)


# ---- tables ----------------------------------------------------------------------------------------------------------


def tables(n: int = 10**6) -> Iterator[Line]:
    """numpy columns in dpcore, a polars frame in opendp."""
    try:
        pl = importlib.import_module("polars")
    except ImportError:
        print("tables: polars is not installed, so there is nothing to compare with")
        return
    random = np.random.default_rng(2)
    columns: dict[str, np.ndarray[tuple[int], np.dtype[np.generic]]] = {
        "person": random.integers(0, n // 5, n),
        "age": random.integers(0, 121, n),
        "region": np.array(REGIONS)[random.integers(0, len(REGIONS), n)],
    }
    frame = pl.LazyFrame({name: column.tolist() for name, column in columns.items()})
    keys = pl.LazyFrame({"region": REGIONS})
    schema = dp.record(person=dp.integers(), age=dp.integers(0, 120), region=dp.categories(*REGIONS))
    people, persons = dp.rows(schema), dp.rows(schema, metric=dp.PersonDistance("person"))

    def ask(contributions: int, query: Callable[[op.Context], op.Query], **unit: object) -> Work:
        # A context answers once: it is made anew for each run, which costs milliseconds.
        def run() -> object:
            context = op.Context.compositor(
                data=frame,
                privacy_unit=op.unit_of(contributions=contributions, **unit),
                privacy_loss=op.loss_of(epsilon=1.0),
                split_evenly_over=1,
                margins=[op.polars.Margin(by=["region"], max_length=n)],
            )
            return query(context.query()).release().collect()

        return run

    op.enable_features("contrib")
    region, age = dp.field("region"), dp.field("age", int)
    adults = people >> dp.filter(age >= 18) >> dp.histogram(region) >> dp.laplace(scale=1)
    yield Line(
        f"table of {n:,}: filter, count by region",
        _release(adults, columns),
        ask(1, lambda q: q.filter(pl.col("age") >= 18).group_by("region").agg(op.len(signed=True)).with_keys(keys)),
    )
    each = (people >> dp.select(age) >> dp.sum() >> dp.laplace(scale=240)) & (
        people >> dp.count() >> dp.laplace(scale=2)
    )
    both = people >> dp.partition(by=region) >> dp.parallel(each)
    yield Line(
        f"table of {n:,}: sum and count by region",
        _release(both, columns),
        ask(
            1,
            lambda q: (
                q.group_by("region")
                .agg(op.len(signed=True), pl.col("age").fill_null(0).dp.sum((0, 120)))
                .with_keys(keys)
            ),
        ),
    )
    bounded = persons >> dp.bound_contributions(3) >> dp.histogram(region) >> dp.laplace(scale=3)
    yield Line(
        f"table of {n:,}: 3 rows a person, count by region",
        _release(bounded, columns),
        ask(
            3,
            lambda q: q.truncate_per_group(3).group_by("region").agg(op.len(signed=True)).with_keys(keys),
            identifier=pl.col("person"),
        ),
    )


def lines() -> Iterator[Line]:
    for statistic in statistics_of_rows():
        yield from statistic.lines()
    yield from vectors()
    yield from conversions()
    yield from tables()


def main() -> None:
    wanted = tuple(sys.argv[1:])
    print(f"{'milliseconds, medians':<50} {'dpcore':>11} {'peer':>11} {'ratio':>8} {'at most':>6}")
    missed = 0
    for line in lines():
        if not wanted or line.what.startswith(wanted):
            shown = line.measured()
            missed += "MISSED" in shown
            print(shown, flush=True)
    print(f"{missed} lines are slower than asked")


if __name__ == "__main__":
    main()
