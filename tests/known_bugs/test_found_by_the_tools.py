"""The bugs that others had, put into copies of our arrows or written as a user would: the tools of assurance find each.

Every number of the list that is a wrong map or a wrong sampler is here. `NO_ARROW` says of the others what they are, and
`test_known_bugs` shows those impossible. What is waited for there is waited for here.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, cast

import numpy as np
import pytest

import dpcore as dp
from dpcore.assurance import audit, exhaust, falsify
from dpcore.calculus import Rule
from dpcore.core.origins import Arrow
from dpcore.maps import Number, exp, one_like
from dpcore.noise.bits import BitSource, SeededBits
from tests.assurance.copies import with_fault
from tests.known_bugs.test_known_bugs import WAITING

d: Any = dp

NO_ARROW: dict[int, str] = {
    10: "what a budget adds up to",
    16: "what a question leaves behind",
    17: "noise of two processes",
    19: "how a number is read",
    21: "what a budget adds up to",
    22: "memory",
    23: "how metrics are compared",
    24: "how two numbers are compared",
}

AB = dp.categories("a", "b")
CHANGE_ONE = dp.ChangeOneDistance()
ROWS = dp.rows(dp.integers())
NUMBER = dp.value(dp.integers(), dp.AbsoluteDistance())
COIN = dp.value(dp.booleans(), dp.DiscreteDistance()) >> dp.randomized_response("3/4")
SURE = "0.999999999"


def same(x: Number) -> Number:
    return x


# ---- wrong maps --------------------------------------------------------------------------------------------------------


def test_01_a_conversion_that_claims_1_where_the_truth_is_3() -> None:
    ordered = d.granularity("positions that differ", lambda x, y: Fraction(sum(map(_differ, x, y))))
    rows = d.rows(d.integers(0, 2), ordered, 3)
    claim = d.transformation(list, d.rows(d.integers(0, 2), d.ChangeOneDistance(), 3), rows, same)
    (finding,) = falsify(claim).findings
    assert finding.d_out is not None
    assert finding.d_out > finding.claimed  # type: ignore[operator]
    wide = d.value(d.vector(d.integers(), 3), d.LInfDistance()) >> d.to_metric(d.L1Distance())
    found = exhaust(with_fault(wide, "linf_to_l1", map=lambda x, size: x))
    assert found.worst.true == 3 * found.worst.claimed


def _differ(a: object, b: object) -> bool:
    return a != b


def test_02_a_resize_that_shuffles() -> None:
    """Seven rows at most, which seven is left to chance."""
    dice = random.Random(1)

    def resized(rows: Sequence[int]) -> list[int]:
        return dice.sample(list(rows), min(len(rows), 2))

    kinds = {finding.kind for finding in falsify(d.transformation(resized, ROWS, ROWS, lambda x: 2 * x)).findings}
    assert kinds == {"two calls disagree"}


def test_03_a_threshold_whose_delta_starts_one_late() -> None:
    def late(x: Number, *, scale: Number, threshold: Number) -> tuple[Number, Number]:
        return x / scale, x * exp(-threshold / scale) / (1 + exp(-1 / scale))

    m = d.rows(d.text()) >> d.threshold_release(scale="1/2", threshold=3)
    assert exhaust(m).sound
    assert not exhaust(with_fault(m, "threshold_release", map=late)).sound


def test_04_a_rho_four_times_too_small() -> None:
    m = d.value(d.vector(d.integers(0, 9), 3), d.LInfDistance()) >> d.exponential(scale=1)
    assert exhaust(m, [0, 1, 9]).sound
    assert not exhaust(with_fault(m, "exponential_linf", map=lambda x, scale: (x / scale) ** 2 / 8), [0, 1, 9]).sound


def test_05_bounds_that_outlived_a_later_step() -> None:
    """A sum that believes in the bounds of a clamp, of rows that were multiplied since."""
    claim = d.transformation(lambda rows: sum(100 * min(max(row, 0), 1) for row in rows), ROWS, NUMBER, same)
    (finding,) = falsify(claim).findings
    assert (finding.d_in, finding.d_out, finding.claimed) == (1, 100, 1)


def test_07_a_conversion_rounded_the_wrong_way() -> None:
    """A tenth of a millionth below the truth is below the truth."""
    coin = COIN.to(dp.TotalVariation)

    def rounded(x: Number, loss: Callable[[Number], Number]) -> Number:
        e = exp(loss(x))
        return (e - 1) / (e + 1) * 9999999 / 10000000

    assert exhaust(coin).verdict == "sound and tight"
    assert not exhaust(with_fault(coin, "pure_to_total_variation", map=rounded)).sound


def test_08_squared_deviations_from_a_mean_that_moves() -> None:
    def deviations(rows: Sequence[Fraction]) -> Fraction:
        mean = sum(rows, Fraction(0)) / len(rows) if rows else Fraction(0)
        return sum(((row - mean) ** 2 for row in rows), Fraction(0))

    space = d.rows(d.numbers(0, 8, 1), d.ChangeOneDistance(), 4)
    out = d.value(d.numbers(), d.AbsoluteDistance())
    claimed = d.transformation(deviations, space, out, lambda x: 40 * x)
    (finding,) = falsify(claimed).findings
    assert finding.kind == "unstable"
    assert finding.d_in == 1


def test_09_a_mean_whose_size_was_taken_for_invariant() -> None:
    """Without noise, and no neighbours at distance 1 to show it: data sets two apart do."""
    exact = d.measurement(sum, d.rows(d.integers(0, 9), size=3), d.PureDP(), lambda x: 0 * x)
    (finding,) = falsify(exact).findings
    assert finding.kind == "too lossy"
    assert finding.d_in == 2


def test_11_a_map_that_is_negative() -> None:
    for claim in (lambda x: x - 2, lambda x: -x, lambda x: Fraction(-1, 10**30)):
        mine = d.measurement(len, ROWS, d.PureDP(), claim)
        assert "map is negative" in [finding.kind for finding in falsify(mine).findings]


def test_13_declared_bounds_that_nobody_checks() -> None:
    claim = d.transformation(sum, ROWS, NUMBER, same)  # of rows that were said to be 0 or 1
    assert [finding.kind for finding in falsify(claim).findings] == ["unstable"]
    outside = d.transformation(lambda rows: rows, ROWS, d.rows(d.integers(0, 1)), same)
    assert [finding.kind for finding in falsify(outside).findings] == ["output outside its domain"]


@pytest.mark.long
def test_14_parallel_under_change_one_as_if_under_symmetric() -> None:
    row = dp.record(k=AB)
    each = dp.rows(row) >> dp.count() >> dp.laplace(1)
    m = dp.rows(row, CHANGE_ONE) >> dp.partition(by=dp.field("k")) >> dp.parallel(each)

    def symmetric(x: Number, *losses: Callable[[Number], Number]) -> Number:
        return x * losses[0](one_like(x))

    assert exhaust(m).sound
    assert not exhaust(with_fault(m, "parallel_alike_change_one_pure", map=symmetric)).sound


@pytest.mark.filterwarnings("ignore:overflow")
def test_15_a_sum_that_wraps() -> None:
    def wrapping(rows: Sequence[int]) -> int:
        return int(np.array(rows, np.int8).sum(dtype=np.int8))

    claim = d.transformation(wrapping, d.rows(d.integers(0, 100)), NUMBER, lambda x: 100 * x)
    (finding,) = falsify(claim).findings
    assert finding.d_out is not None
    assert finding.d_out > 100


# ---- wrong samplers ----------------------------------------------------------------------------------------------------


def test_06_a_last_answer_that_is_never_a_lie() -> None:
    def never_lies(value: object, *, answers: tuple[object, ...], p: Fraction, bits: BitSource) -> object:
        return value if value == answers[-1] else _right(COIN)(value, answers=answers, p=p, bits=bits)

    copy = with_fault(COIN, "randomized_response", run=never_lies)
    assert not exhaust(copy).sound
    assert audit(copy, False, True, n=2000, confidence=SURE, bits=SeededBits(1)).exceeded


def _right(arrow: object) -> Callable[..., object]:
    rule: Rule = cast(Arrow, arrow).derivation.rule
    return rule.run


def test_12_noise_of_floats() -> None:
    dice = random.Random(1)

    def noisy(x: float) -> float:
        u = dice.random() - 0.5
        return x - math.copysign(1, u) * math.log(1 - 2 * abs(u))

    assert audit(noisy, 0.0, 1.0, n=20_000, confidence=SURE, claimed=dp.pure(1)).exceeded


def test_12_noise_of_floats_that_is_put_on_the_grid_stands() -> None:
    assert not audit(
        NUMBER >> dp.laplace(1), 0, 1, n=20_000, confidence=SURE, claimed=dp.pure(1), bits=SeededBits(1)
    ).exceeded


# ---- every number ------------------------------------------------------------------------------------------------------


def test_every_bug_is_found_or_no_arrow_or_waits() -> None:
    found = {int(name[5:7]) for name in globals() if name.startswith("test_") and name[5:7].isdigit()}
    assert found | set(NO_ARROW) | set(WAITING) == set(range(1, 25))
    assert not found & set(NO_ARROW)
    assert not found & set(WAITING)
    assert not set(NO_ARROW) & set(WAITING)
