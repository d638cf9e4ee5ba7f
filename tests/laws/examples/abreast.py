"""Parallel composition: parts with different measurements, one part only, rows in no part, both row metrics."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import TypeAlias, cast

import dpcore as dp
from dpcore.assurance.universe import records
from dpcore.maps import Numeric
from tests.laws.examples.example import AB, CHANGE_ONE, EITHER, L1, LETTERS, Example, Examples
from tests.laws.examples.functions import ADD_UP, same, tally_v

KEYED = dp.record(k=dp.categories("x", "y", "z"), v=AB)
ROWS = dp.rows(KEYED)
XY = records(k=("x", "y"), v=("a", "b"))
XZ = records(k=("x", "z"), v=("a", "b"))
TWICE = "the two parts touched give two independent answers, which these measures add up to more than both tell"

Part: TypeAlias = dp.types.Measurement[dp.types.Rows[dp.types.Record], dp.SymmetricDistance, dp.PureDP, object]
"""What is done to one part, under the type of one measure whatever its own."""


def abreast(
    metric: dp.SymmetricDistance, parts: Part | Mapping[Hashable, Part], keys: Sequence[str] = ("x", "y")
) -> object:
    return dp.rows(KEYED, metric) >> dp.partition(keys, dp.field("k")) >> dp.parallel(parts)


def of_part(measure: str = "pure") -> Part:
    """A noisy count of the rows of one part whose v is a."""
    rows = ROWS >> dp.filter(dp.field("v") == "a") >> dp.count()
    laplace = rows >> dp.laplace(scale="1/3")
    profile = rows >> dp.gaussian(sigma=1, measure=dp.Profile)
    found: Mapping[str, Callable[[], object]] = {
        "pure": lambda: laplace,
        "approx": lambda: profile.to(dp.ApproxDP, epsilon=1),
        "zcdp": lambda: rows >> dp.gaussian(sigma=1),
        "gaussian": lambda: laplace.to(dp.GaussianDP),
        "total_variation": lambda: laplace.to(dp.TotalVariation),
        "renyi": lambda: laplace.to(dp.RenyiDP),
        "profile": lambda: profile,
        "approximate_zcdp": lambda: profile.to(dp.ApproxDP, epsilon=1).to(dp.ApproxZCDP),
    }
    return cast(Part, found[measure]())


def of_values(scale: Numeric) -> Part:
    """A noisy histogram of one part: a replaced row costs twice what a row more costs."""
    return cast(Part, ROWS >> dp.histogram(dp.field("v")) >> dp.laplace(scale=scale))


def of_size(scale: Numeric) -> Part:
    """A noisy number of the rows of one part: a replaced row costs nothing."""
    return cast(Part, ROWS >> dp.count() >> dp.laplace(scale=scale))


def claimed() -> Part:
    """What was claimed of a row more or less says nothing of a row replaced."""
    counts = dp.transformation(tally_v, ROWS, dp.value(dp.vector(dp.integers(0), 2), L1), same)
    return cast(Part, counts >> dp.laplace(scale="1/3"))


def joint() -> Part:
    """What was declared of one step of a metric says nothing of a step of another."""
    noisy = ROWS >> dp.count() >> dp.laplace(scale="1/3")
    parts = [dp.after(ROWS >> dp.filter(dp.field("v") == v), noisy) for v in ("a", "b")]
    return cast(Part, dp.compose_jointly(parts, joint=[(1, 0), (0, 1)]))


def on_parts() -> object:
    space = dp.value(dp.types.Parts(AB, ("x", "y")), dp.types.PartDistance(CHANGE_ONE))
    return space >> dp.parallel(LETTERS >> dp.histogram(bins=["a"]) >> dp.laplace(scale="1/3"))


def of_measure(metric: dp.SymmetricDistance, measure: str) -> object:
    return abreast(metric, of_part(measure))


def one_by_one(metric: dp.SymmetricDistance, measure: str) -> object:
    """Two measurements, which are no worse for being equal."""
    return abreast(metric, {key: of_part(measure) for key in "xy"})


def of_numbers(metric: dp.SymmetricDistance) -> object:
    rows = dp.rows(dp.integers(0, 2), metric)
    return (
        rows >> dp.partition([0, 1]) >> dp.parallel(dp.rows(dp.integers(0, 2)) >> dp.count() >> dp.laplace(scale="1/3"))
    )


ADDED, REPLACED = EITHER
EACH_WAY = (("parallel", of_measure), ("parallel one by one", one_by_one))
CURVE = "a bound for all of PureDP is converted, and of this noise less is true"

ABREAST: Examples = [
    *(
        Example(f"{name} {m}", partial(of, ADDED, m), XY, 2, slack=CURVE if m == "renyi" else "")
        for name, of in EACH_WAY
        for m in (*ADD_UP, "profile", "renyi")
    ),
    *(
        Example(
            f"{name}, change one {m}",
            partial(of, REPLACED, m),
            XY,
            2,
            slack="" if m in ("pure", "zcdp") else TWICE,
        )
        for name, of in EACH_WAY
        for m in (*ADD_UP, "renyi")
    ),
    *(
        Example(
            f"{name} approximate zcdp",
            partial(of, ADDED, "approximate_zcdp"),
            records(k=("x",), v=("a",)),
            1,
            slack="an epsilon and its delta are converted, and of both together less is true",
        )
        for name, of in EACH_WAY
    ),
    Example("parallel of numbers", lambda: of_numbers(ADDED), (0, 1, 2), 2),
    Example("parallel of numbers, change one", lambda: of_numbers(REPLACED), (0, 1, 2), 2),
    Example("parallel of different parts", lambda: abreast(ADDED, {"x": of_size("1/2"), "y": of_part()}), XY, 2),
    Example("parallel, one part", lambda: abreast(REPLACED, of_values("1/3"), ["x"]), XZ, 2),
    Example("parallel, one part of no loss when replaced", lambda: abreast(REPLACED, of_size("1/3"), ["x"]), XZ, 2),
    Example("parallel, two sizes", lambda: abreast(REPLACED, {"x": of_size("1/3"), "y": of_size("1/2")}), XY, 2),
    Example(
        "parallel, one part dominates",
        lambda: abreast(REPLACED, {"x": of_values("1/3"), "y": of_size("2/3")}),
        XY,
        1,
    ),
    Example("parallel on parts", on_parts, ("a", "b"), 2),
    Example("parallel of a claim, change one", lambda: abreast(REPLACED, claimed(), ["x"]), XZ, 2),
    Example("parallel of joint parts, change one", lambda: abreast(REPLACED, joint(), ["x"]), XZ, 2),
]
