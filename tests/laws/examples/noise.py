"""Noise on numbers and vectors."""

from __future__ import annotations

from typing import cast

import dpcore as dp
from dpcore.assurance.universe import records
from dpcore.expressions import Expr
from tests.laws.examples.example import ABC, CHANGE_ONE, L1, L2, TENTHS, WHOLE, Example, Examples

PAIRS = dp.vector(dp.integers(), 2)
MIXED = dp.record(yes=dp.booleans(), x=dp.numbers(0, "1/10", "1/20"))
FOUR = (0, 1, 2, 3)
LETTERS = ("a", "b", "c")
PARTS_OF_TEN = (-0.2, 0, 0.3)


def finer() -> object:
    """Whole numbers handed to a measurement that stands on a grid of 1/10: its noise must keep every step."""
    start = dp.rows(cast(dp.types.Numbers, dp.integers())) >> dp.clamp(0, 1)
    return start >> (dp.rows(dp.numbers(0, 1, "1/10")) >> dp.sum() >> dp.laplace(scale="1/4"))


def mixed() -> object:
    """A count beside a sum of shares: whole numbers and tenths in one vector."""
    share = cast("Expr[bool]", dp.field("x"))
    return dp.rows(MIXED) >> dp.linear_queries(dp.field("yes", bool), share) >> dp.laplace(scale="1/30")


def binned(norm: type[dp.L2Distance]) -> dp.types.Transformation[
    dp.types.Rows[dp.types.Categories[str]], dp.ChangeOneDistance, dp.types.Vector[dp.types.Integers], dp.L2Distance
]:  # fmt: skip
    return dp.rows(ABC, CHANGE_ONE) >> dp.histogram(bins=["a", "b"], norm=norm)


NOISE: Examples = [
    Example("laplace", lambda: WHOLE >> dp.laplace(scale="1/2"), FOUR),
    Example("laplace of a sum", lambda: dp.rows(dp.integers(-1, 2)) >> dp.sum() >> dp.laplace(scale=2), (-1, 2), 2),
    Example(
        "laplace on a grid",
        lambda: dp.rows(TENTHS, CHANGE_ONE) >> dp.sum() >> dp.laplace(scale="1/10"),
        PARTS_OF_TEN,
        2,
    ),
    Example("laplace on a finer grid than the values", finer, (0, 1), 2),
    Example(
        "laplace of mixed sums",
        mixed,
        records(yes=(False, True), x=(0, 0.1)),
        1,
        slack="more rows than can be tried: every query may move by 1, but x is at most 1/10",
    ),
    Example("laplace of a vector", lambda: dp.value(PAIRS, L1) >> dp.laplace(scale="1/3"), (0, 1, 2)),
    Example("laplace of an accuracy", lambda: WHOLE >> dp.laplace(accuracy=1, confidence=0.9), FOUR),
    Example(
        "laplace of a histogram, change one",
        lambda: dp.rows(ABC, CHANGE_ONE) >> dp.histogram(bins=["a", "b"]) >> dp.laplace(scale="1/3"),
        LETTERS,
        2,
    ),
    Example("gaussian", lambda: WHOLE >> dp.gaussian(sigma="2/3"), FOUR),
    Example("gaussian on a grid", lambda: dp.rows(TENTHS) >> dp.sum() >> dp.gaussian(sigma="1/10"), PARTS_OF_TEN, 2),
    Example("gaussian of a vector", lambda: dp.value(PAIRS, L2) >> dp.gaussian(sigma="2/3"), (0, 1, 2)),
    Example("gaussian of a histogram, change one", lambda: binned(dp.L2Distance) >> dp.gaussian(sigma=1), LETTERS, 2),
    Example("gaussian profile", lambda: WHOLE >> dp.gaussian(sigma="2/3", measure=dp.Profile), FOUR),
    Example(
        "gaussian profile on a grid",
        lambda: dp.rows(TENTHS) >> dp.sum() >> dp.gaussian(sigma="1/10", measure=dp.Profile),
        PARTS_OF_TEN,
        2,
    ),
    Example("uniform noise", lambda: WHOLE >> dp.uniform_noise(2), FOUR),
    Example("uniform noise of a vector", lambda: dp.value(PAIRS, L1) >> dp.uniform_noise(1), (0, 1, 2)),
    Example("uniform noise on a grid", lambda: dp.rows(TENTHS) >> dp.sum() >> dp.uniform_noise(2), PARTS_OF_TEN, 2),
    Example("random rounding", lambda: WHOLE >> dp.random_rounding(3), FOUR),
    Example("random rounding of a vector", lambda: dp.value(PAIRS, L1) >> dp.random_rounding(2), (0, 1, 2)),
    Example(
        "random rounding on a grid", lambda: dp.rows(TENTHS) >> dp.sum() >> dp.random_rounding("0.5"), PARTS_OF_TEN, 2
    ),
    Example("gaussian of an accuracy", lambda: WHOLE >> dp.gaussian(accuracy=1, confidence=0.9), FOUR),
]
