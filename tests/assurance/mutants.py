"""Mutants of our own rules: halved constants, swapped metrics and norms, dropped floors, forgotten terms.

Each is a copy of an arrow whose map is a plausible slip away from ours. `falsify` and `exhaust`, told nothing about it,
must find it. One of them cannot be found by running anything: it says the same at every distance that two data sets have.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast, final

import dpcore as dp
from dpcore.calculus import Raw, Reading
from dpcore.core.origins import Arrow
from dpcore.maps import Number, exp, log, maximum, one_like
from dpcore.measures import PureDP
from tests.assurance.copies import with_fault

AB = dp.categories("a", "b")
ABC = dp.categories("a", "b", "c")
CHANGE_ONE = dp.ChangeOneDistance()
RECORDS = dp.record(k=AB, v=dp.integers(0, 1))
WHOLE = dp.value(dp.integers(), dp.AbsoluteDistance())
PAIRS = dp.vector(dp.integers(), 2)
SCORES = dp.vector(dp.integers(0, 9), 3)
COUNT = dp.rows(AB) >> dp.count()


@final
@dataclass(frozen=True, slots=True)
class Mutant:
    """A slip, the rule it is made in, the arrow as it is right, and the map with the slip."""

    slip: str
    rule: str
    build: Callable[[], object]
    map: Callable[..., Raw]
    same_everywhere: bool = False
    """Whether the map with the slip says the same wherever two data sets are so far apart."""

    def made(self) -> Arrow:
        return with_fault(self.build(), self.rule, map=self.map)


def part_alone(d: Number, *losses: Reading) -> Raw:
    return PureDP().group(d, PureDP().largest([loss(one_like(d)) for loss in losses]))


def first_of_two(d: Number, *losses: Reading) -> Raw:
    return losses[0](d)


def late_tail(d: Number, *, scale: Number, threshold: Number) -> Raw:
    ratio = exp(-1 / scale)
    return d / scale, d * exp(-threshold / scale) / (1 + ratio)


def advantage(d: Number, loss: Reading) -> Raw:
    epsilon = cast(Number, loss(d))
    return (exp(epsilon) - 1) / (exp(epsilon) + 1) / 2


MUTANTS: list[Mutant] = [
    Mutant(
        "half a row",
        "sum_symmetric",
        lambda: dp.rows(dp.integers(-3, 120)) >> dp.sum(),
        lambda d, low, high: d * maximum(abs(low), abs(high)) / 2,
    ),
    Mutant(
        "only the upper bound counts",
        "sum_symmetric",
        lambda: dp.rows(dp.integers(-90, 20)) >> dp.sum(),
        lambda d, low, high: d * abs(high),
    ),
    Mutant(
        "the width, where rows enter and leave",
        "sum_symmetric",
        lambda: dp.rows(dp.integers(50, 60)) >> dp.sum(),
        lambda d, low, high: d * (high - low),
    ),
    Mutant(
        "the largest value, where rows are replaced",
        "sum_change_one",
        lambda: dp.rows(dp.integers(-5, 7), CHANGE_ONE) >> dp.sum(),
        lambda d, low, high: d * maximum(abs(low), abs(high)),
    ),
    Mutant(
        "a replaced row as one that enters",
        "filter_change_one",
        lambda: dp.rows(dp.integers(0, 9), CHANGE_ONE) >> dp.filter(dp.row() >= 5),
        lambda d: d,
    ),
    Mutant(
        "L2 as if it were LInf",
        "histogram_l2_change_one",
        lambda: dp.rows(ABC, CHANGE_ONE) >> dp.histogram(norm=dp.L2Distance),
        lambda d: d * d,
    ),
    Mutant(
        "L1 as if it were LInf",
        "histogram_l1_change_one",
        lambda: dp.rows(ABC, CHANGE_ONE) >> dp.histogram(),
        lambda d: d,
    ),
    Mutant(
        "sqrt(n) forgotten",
        "linf_to_l2",
        lambda: dp.value(PAIRS, dp.LInfDistance()) >> dp.to_metric(dp.L2Distance()),
        lambda d, size: d * d,
    ),
    Mutant(
        "n forgotten",
        "linf_to_l1",
        lambda: dp.value(PAIRS, dp.LInfDistance()) >> dp.to_metric(dp.L1Distance()),
        lambda d, size: d,
    ),
    Mutant(
        "one row of many",
        "flat_map_symmetric",
        lambda: dp.rows(AB) >> dp.flat_map(lambda row: [row] * 3, AB, 3),
        lambda d, limit: d,
    ),
    Mutant(
        "one row of a person",
        "bound_contributions_fair_person",
        lambda: dp.rows(RECORDS, dp.PersonDistance("k")) >> dp.bound_contributions(2),
        lambda d, limit: d,
    ),
    Mutant(
        "rows that never cross a candidate",
        "quantile_scores_change_one",
        lambda: dp.rows(dp.integers(-2, 2), CHANGE_ONE) >> dp.quantile_scores((-1, 1), "1/2"),
        lambda d, a, b: d * maximum(a, b - a),
    ),
    Mutant(
        "all steps of a move in one part",
        "change_one_to_symmetric",
        lambda: dp.rows(AB, CHANGE_ONE) >> dp.to_metric(dp.SymmetricDistance()),
        lambda d: d,
    ),
    Mutant(
        "a floor dropped",
        "symmetric_to_change_one",
        lambda: dp.rows(AB, size=3) >> dp.to_metric(CHANGE_ONE),
        lambda d: d / 2,
        same_everywhere=True,
    ),
    Mutant("half the loss of Laplace", "laplace", lambda: COUNT >> dp.laplace(scale=1), lambda d, scale: d / scale / 2),
    Mutant(
        "sigma in the place of its square",
        "gaussian",
        lambda: COUNT >> dp.gaussian(sigma="1/2"),
        lambda d, sigma_squared: d * d / (2 * sigma_squared * 4),
    ),
    Mutant(
        "other answers as if they were one",
        "randomized_response",
        lambda: dp.value(ABC, dp.DiscreteDistance()) >> dp.randomized_response("3/4"),
        lambda d, k, p: d * log(p / (1 - p)),
    ),
    Mutant(
        "scores that all move one way",
        "permute_and_flip_linf",
        lambda: dp.value(SCORES, dp.LInfDistance()) >> dp.permute_and_flip(scale=1),
        lambda d, scale: d / scale,
    ),
    Mutant(
        "rho four times too small",
        "exponential_linf",
        lambda: dp.value(SCORES, dp.LInfDistance()) >> dp.exponential(scale=1),
        lambda d, scale: (d / scale) ** 2 / 8,
    ),
    Mutant(
        "a tail that starts one late",
        "threshold_release",
        lambda: dp.rows(dp.text()) >> dp.threshold_release(scale="1/2", threshold=3),
        late_tail,
    ),
    Mutant(
        "parallel under change one as under symmetric",
        "parallel_alike_change_one_pure",
        lambda: (
            dp.rows(RECORDS, CHANGE_ONE)
            >> dp.partition(by=dp.field("k"))
            >> dp.parallel(dp.rows(RECORDS) >> dp.count() >> dp.laplace(scale=1))
        ),
        part_alone,
    ),
    Mutant(
        "the second of two releases for nothing",
        "compose_pure",
        lambda: (COUNT >> dp.laplace(scale=1)) & (COUNT >> dp.laplace(scale=2)),
        first_of_two,
    ),
    Mutant(
        "a quarter of rho",
        "pure_to_zcdp",
        lambda: (dp.value(dp.booleans(), dp.DiscreteDistance()) >> dp.randomized_response("3/4")).to(dp.ZCDP),
        lambda d, loss: cast(Number, loss(d)) ** 2 / 8,
    ),
    Mutant(
        "half of the advantage",
        "pure_to_total_variation",
        lambda: (dp.value(dp.booleans(), dp.DiscreteDistance()) >> dp.randomized_response("3/4")).to(dp.TotalVariation),
        advantage,
    ),
    Mutant(
        "a group's rho grows like its epsilon",
        "group_zcdp",
        lambda: dp.group_privacy(COUNT >> dp.gaussian(sigma=1)),
        lambda d, loss: d * cast(Number, loss(one_like(d))),
    ),
]
