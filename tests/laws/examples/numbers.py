"""Transformations into numbers and vectors, and from one norm to another."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import cast

import dpcore as dp
from dpcore.assurance.universe import records
from dpcore.expressions import Expr
from dpcore.maps import Numeric
from dpcore.types import Integers, Metric, Rows, Vector
from tests.laws.examples.example import (
    AB,
    ABC,
    CHANGE_ONE,
    EITHER,
    L1,
    L2,
    LINF,
    NORMS,
    RANGE,
    TENTHS,
    Example,
    Examples,
)
from tests.laws.examples.functions import diagonal, double, halved, same, tally_ab

THREES = dp.integers(-3, 2)
FEW = dp.record(n=dp.integers(0, 2), yes=dp.booleans())
FEW_ROWS = records(n=(0, 1, 2), yes=(False, True))
WIDE = dp.record(x=dp.numbers(0, 1, "1/10"), n=dp.integers())
WIDE_ROWS = records(x=(0, 1), n=(0, 7))


LOWEST = "the filter leaves none of the lowest rows that the domain holds"


def above(least: int) -> dp.types.Transformation[
    dp.types.Rows[Integers], dp.ChangeOneDistance, dp.types.Rows[Integers], dp.SymmetricDistance
]:  # fmt: skip
    return dp.rows(THREES, CHANGE_ONE) >> dp.filter(dp.row() >= least)


def twice_filtered() -> dp.types.Transformation[
    dp.types.Rows[Integers], dp.ChangeOneDistance, dp.types.Rows[Integers], dp.SymmetricDistance
]:  # fmt: skip
    return above(-3) >> dp.filter(dp.row() != 0) >> dp.clamp(-3, 2)


# ---- sums -----------------------------------------------------------------------------------------------------------


def vector_sum(norm: type[dp.L1Distance], metric: dp.SymmetricDistance) -> object:
    """Vectors of length 2 in the norm, whose extreme ones point opposite ways."""
    of = dp.vector(dp.integers(-2, 2), 2)
    return dp.rows(of, metric) >> dp.clip_norm(2, norm) >> dp.sum(norm=norm)


def clipped(norm: type[dp.L1Distance]) -> object:
    return dp.rows(dp.vector(dp.integers(-9, 9), 2)) >> dp.clip_norm(4, norm)


def clipped_tenths(norm: type[dp.L1Distance]) -> object:
    rows = dp.rows(dp.vector(dp.numbers(-1, 1, "1/10"), 2), CHANGE_ONE)
    return rows >> dp.clip_norm("1/2", norm) >> dp.sum(norm=norm)


def out_of_l2() -> object:
    start = dp.value(dp.vector(dp.integers(), 2), L2)
    return dp.transformation(diagonal, start, dp.value(dp.vector(dp.integers(), 3), L2), double)


def into_l2() -> object:
    return dp.transformation(tally_ab, dp.rows(AB), dp.value(dp.vector(dp.integers(0), 2), L2), double)


SUMS: Examples = [
    Example("count", lambda: dp.rows(AB) >> dp.count(), ("a", "b")),
    Example("count, change one", lambda: dp.rows(AB, CHANGE_ONE) >> dp.count(), ("a", "b")),
    Example("count of the filtered, change one", lambda: above(1) >> dp.count(), (-3, 0, 2)),
    Example("sum of the filtered, change one", lambda: above(-2) >> dp.sum(), (-3, 0, 2), slack=LOWEST),
    Example("sum of the twice filtered, change one", lambda: twice_filtered() >> dp.sum(), (-3, -2, 0, 2), 2),
    Example("sum", lambda: dp.rows(THREES) >> dp.sum(), (-3, 0, 2)),
    Example("sum, change one", lambda: dp.rows(THREES, CHANGE_ONE) >> dp.sum(), (-3, 0, 2)),
    Example("sum of negatives", lambda: dp.rows(dp.integers(-9, -7)) >> dp.sum(), (-9, -8, -7)),
    Example("sum on a grid", lambda: dp.rows(TENTHS) >> dp.sum(), (-0.2, 0, 0.3)),
    Example("sum on a grid, change one", lambda: dp.rows(TENTHS, CHANGE_ONE) >> dp.sum(), (-0.2, 0, 0.3)),
    Example("sum of known size", lambda: dp.rows(THREES, size=2) >> dp.sum(), (-3, 0, 2)),
    *(
        Example(
            f"sum of vectors in {norm.__name__}, {metric.words()}",
            partial(vector_sum, norm, metric),
            ([0, 0], [2, 0], [-2, 0], [2, -1], [1, 2]),
            2,
            columns=False,
        )
        for norm in NORMS
        for metric in EITHER
    ),
    *(
        Example(f"clip_norm in {norm.__name__}", partial(clipped, norm), ([9, -9], [0, 1], [3, 3]), columns=False)
        for norm in NORMS
    ),
    *(
        Example(
            f"clip_norm on a grid in {norm.__name__}, then the sum",
            partial(clipped_tenths, norm),
            ([1, -1], [0, 0.1], [0.7, 0.3]),
            slack="no two of these point opposite ways",
            columns=False,
        )
        for norm in NORMS
    ),
    Example(
        "transformation",
        lambda: dp.transformation(len, dp.rows(AB), dp.value(dp.integers(0), dp.AbsoluteDistance()), same),
        ("a", "b"),
    ),
    Example("transformation into L2", into_l2, ("a", "b")),
    Example("transformation out of L2", out_of_l2, (0, 1, 2), slack="two coordinates, of which one is doubled"),
]


# ---- many numbers at once -------------------------------------------------------------------------------------------


def histogram(norm: type[dp.L1Distance], metric: dp.SymmetricDistance) -> object:
    return dp.rows(ABC, metric) >> dp.histogram(bins=["a", "b"], norm=norm)


FOUR = (*NORMS, cast("type[dp.L1Distance]", dp.RangeDistance))


def one_bin(norm: type[dp.L1Distance], *, filtered: bool) -> object:
    if filtered:
        return letters_left() >> dp.histogram(bins=["a"], norm=norm)
    return dp.rows(ABC, CHANGE_ONE) >> dp.histogram(bins=["a"], norm=norm)


def letters_left() -> dp.types.Transformation[
    Rows[dp.types.Categories[str]], dp.ChangeOneDistance, Rows[dp.types.Categories[str]], dp.SymmetricDistance
]:  # fmt: skip
    return dp.rows(ABC, CHANGE_ONE) >> dp.filter(dp.row() != "c")


def filtered_bins(norm: type[dp.L1Distance]) -> object:
    return letters_left() >> dp.histogram(bins=["a", "b"], norm=norm)


def quantile(q: Numeric, candidates: Sequence[Numeric], metric: dp.SymmetricDistance) -> object:
    return dp.rows(dp.integers(-2, 2), metric) >> dp.quantile_scores(candidates, q)


def of_few(metric: dp.SymmetricDistance) -> object:
    queries = dp.linear_queries(dp.field("yes", bool), dp.field("n") >= 1, dp.field("n") >= 2)
    return dp.rows(FEW, metric) >> queries


def of_many(metric: dp.SymmetricDistance) -> object:
    share = cast("Expr[bool]", dp.field("x"))
    return dp.rows(WIDE, metric) >> dp.linear_queries(share, dp.field("n") >= 5)


def in_linf(metric: dp.SymmetricDistance) -> object:
    queries = (dp.field("yes", bool), dp.field("n") >= 1, dp.field("n") >= 2)
    return dp.rows(FEW, metric) >> dp.linear_queries(*queries, norm=dp.LInfDistance)


def shares_in_linf(metric: dp.SymmetricDistance) -> object:
    share = cast("Expr[bool]", dp.field("x"))
    return dp.rows(WIDE, metric) >> dp.linear_queries(share, dp.field("n") >= 5, norm=dp.LInfDistance)


def guessed_marginals(metric: dp.SymmetricDistance) -> object:
    """The second row of a cell of one; nobody has the last cell of another."""
    yes = dp.when(dp.field("yes", bool)).then(1).otherwise(0)
    return dp.rows(FEW, metric) >> dp.marginal_errors([dp.field("n"), yes], [[1, 0], [0, 1, 3]])


def errors(norm: type[dp.L1Distance]) -> object:
    return dp.value(dp.vector(dp.integers(0, 2), 2), norm()) >> dp.absolute_errors([0, 5])


LEVELS: tuple[tuple[Numeric, Sequence[Numeric]], ...] = (
    ("1/2", (-1, 1)),
    ("1/3", (0, "1/2")),
    (0, (0,)),
    ("9/10", (-1, 0)),
)

VECTORS: Examples = [
    *(
        Example(f"histogram in {norm.__name__}, {metric.words()}", partial(histogram, norm, metric), ("a", "b", "c"))
        for norm in (*NORMS, cast("type[dp.L1Distance]", dp.RangeDistance))
        for metric in EITHER
    ),
    *(
        Example(
            f"histogram of one bin in {norm.__name__}, change one",
            partial(one_bin, norm, filtered=False),
            ("a", "b"),
        )
        for norm in FOUR
    ),
    *(
        Example(
            f"histogram of one bin in {norm.__name__}, filtered, change one",
            partial(one_bin, norm, filtered=True),
            ("a", "b", "c"),
        )
        for norm in FOUR
    ),
    *(
        Example(f"histogram in {norm.__name__}, filtered, change one", partial(filtered_bins, norm), ("a", "b", "c"))
        for norm in FOUR
    ),
    Example(
        "quantile of the filtered, change one",
        lambda: above(-2) >> dp.quantile_scores([0], "1/3"),
        (-3, -2, 2),
    ),
    Example(
        "histogram of a null",
        lambda: dp.rows(dp.record(g=dp.optional(AB))) >> dp.histogram(dp.field("g")),
        records(g=(None, "a", "b")),
    ),
    Example(
        "histogram of several keys",
        lambda: (
            dp.rows(dp.record(g=dp.optional(AB), n=dp.integers(0, 1))) >> dp.histogram([dp.field("g"), dp.field("n")])
        ),
        records(g=(None, "a"), n=(0, 1)),
    ),
    Example(
        "histogram of several keys, by name, change one",
        lambda: (
            dp.rows(dp.record(g=AB, n=dp.integers(0, 2)), CHANGE_ONE)
            >> dp.histogram([dp.field("g"), dp.field("n") // 2], bins=[("b", 0), ("a", 1)])
        ),
        records(g=("a", "b"), n=(0, 2)),
    ),
    Example(
        "histogram by a function",
        lambda: dp.rows(dp.integers(0, 9)) >> dp.histogram(halved, [0, 4]),
        (0, 1, 5, 8),
    ),
    Example(
        "histogram of truth and one",
        lambda: dp.rows(dp.categories(1, True, 0)) >> dp.histogram(),
        (1, True, 0),
    ),
    *(Example(f"linear_queries, {m.words()}", partial(of_few, m), FEW_ROWS, 2) for m in EITHER),
    *(Example(f"linear_queries of many rows, {m.words()}", partial(of_many, m), WIDE_ROWS) for m in EITHER),
    *(Example(f"linear_queries in LInf, {m.words()}", partial(in_linf, m), FEW_ROWS, 2) for m in EITHER),
    *(
        Example(f"linear_queries of many rows in LInf, {m.words()}", partial(shares_in_linf, m), WIDE_ROWS)
        for m in EITHER
    ),
    *(Example(f"marginal_errors, {m.words()}", partial(guessed_marginals, m), FEW_ROWS, 2) for m in EITHER),
    Example(
        "absolute_errors of one number",
        lambda: dp.value(dp.integers(-1, 3), dp.AbsoluteDistance()) >> dp.absolute_errors(1),
        (-1, 0, 1, 3),
    ),
    *(Example(f"absolute_errors in {norm.__name__}", partial(errors, norm), (0, 1, 2)) for norm in NORMS),
    *(
        Example(f"quantile {q} of {candidates}, {metric.words()}", partial(quantile, q, candidates, metric), (-2, 0, 2))
        for q, candidates in LEVELS
        for metric in EITHER
    ),
]


# ---- from one norm to another ---------------------------------------------------------------------------------------


def moved(start: Metric, *ends: Metric) -> object:
    found: dp.types.Transformation[Vector[Integers], Metric, Vector[Integers], Metric]
    found = dp.value(dp.vector(dp.integers(), 2), start) >> dp.to_metric(ends[0])
    for end in ends[1:]:
        found = found >> dp.to_metric(end)
    return found


def a_chain() -> object:
    rows = dp.rows(dp.record(n=dp.integers(), g=AB), CHANGE_ONE) >> dp.filter(dp.field("n") >= 1)
    return rows >> dp.select(dp.field("g"), AB) >> dp.histogram() >> dp.to_metric(L2)


BETWEEN_NORMS: Examples = [
    *(
        Example(f"{type(a).__name__} as {type(b).__name__}", partial(moved, a, b), (-1, 0, 1), near=near)
        for a, b, near in (
            (L1, L2, 1),
            (L2, LINF, 1),
            (L1, LINF, 1),
            (L1, RANGE, 1),
            (L2, L1, 2),
            (LINF, L1, 1),
            (LINF, L2, 1),
            (LINF, RANGE, 1),
            (RANGE, LINF, 1),
        )
    ),
    Example(
        "there and back",
        partial(moved, L2, L1, L2),
        (-1, 0, 1),
        slack="each way is taken at its worst, and no vector is the worst for both",
    ),
    Example(
        "a chain",
        a_chain,
        records(n=(0, 1), g=("a", "b")),
        slack="two rows that enter or leave one bin, where a replaced row can but enter one and leave another",
    ),
]
