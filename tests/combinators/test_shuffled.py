"""The bound of shuffling, against the exact loss of shuffled answers, and against that of the pair in its proof."""

from __future__ import annotations

import json
from fractions import Fraction
from math import exp, log

import numpy as np
import pytest
from numpy.typing import NDArray

import dpcore as dp
from tests.certificates.tools import checker

CHANGE_ONE = dp.ChangeOneDistance()
Floats = NDArray[np.float64]


def shuffled(
    n: int, p: Fraction, delta: Fraction
) -> dp.types.Measurement[dp.types.Rows[dp.types.Booleans], dp.ChangeOneDistance, dp.ApproxDP, list[bool]]:
    return dp.rows(dp.booleans(), CHANGE_ONE, n) >> dp.shuffled(dp.randomized_response(p), delta)


def binomial(n: int, p: float) -> Floats:
    """The masses of Bin(n, p)."""
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])
    k = np.arange(n + 1)
    found: Floats = np.exp(logs[n] - logs[k] - logs[n - k] + k * log(p) + (n - k) * log(1 - p))
    return found


def hockey_stick(x: Floats, y: Floats, epsilon: float) -> float:
    return float(np.maximum(x - exp(epsilon) * y, 0).sum())


CASES = [
    (700, Fraction(3, 4), Fraction(1, 10**6)),
    (5000, Fraction(9, 10), Fraction(1, 10**6)),
    (60, Fraction(3, 5), Fraction(1, 4)),
]


@pytest.mark.parametrize(("n", "p", "delta"), CASES)
def test_shuffled_answers_lose_no_more(n: int, p: Fraction, delta: Fraction) -> None:
    """Only how many answers are True can be seen; with t and t + 1 true rows it is a sum of two binomials."""
    epsilon = float(shuffled(n, p, delta).loss(1).epsilon)
    for t in (0, 1, n // 3, n // 2, n - 1):
        few = np.convolve(binomial(t, float(p)), binomial(n - t, float(1 - p)))
        more = np.convolve(binomial(t + 1, float(p)), binomial(n - t - 1, float(1 - p)))
        assert max(hockey_stick(few, more, epsilon), hockey_stick(more, few, epsilon)) <= float(delta)


@pytest.mark.parametrize(("n", "p", "delta"), CASES)
def test_no_randomizer_of_the_same_loss_loses_more(n: int, p: Fraction, delta: Fraction) -> None:
    """The pair of the proof: C others are clones, each of either value with a half; delta at the epsilon that is claimed.

    With `e = log(p/(1-p))`, C ~ Bin(n - 1, exp(-e)), A ~ Bin(C, 1/2), D a coin of chance p: (A + D, C - A + 1 - D) against
    (A + 1 - D, C - A + D).
    """
    epsilon = float(shuffled(n, p, delta).loss(1).epsilon)
    true, found = float(p), 0.0
    for c, mass in enumerate(binomial(n - 1, float((1 - p) / p))):
        if mass < 1e-15:
            continue
        a = mass * binomial(c, 0.5)
        before, same = np.concatenate([[0.0], a]), np.concatenate([a, [0.0]])
        found += hockey_stick(true * before + (1 - true) * same, true * same + (1 - true) * before, epsilon)
    assert 0 < found <= float(delta)


def test_it_is_never_more_than_what_each_report_loses() -> None:
    """Where the closed form says more, as of few reports that lose little, the plain loss holds, and without a delta."""
    plain = dp.rows(dp.booleans(), CHANGE_ONE, 60) >> dp.locally(dp.randomized_response("3/5"))
    assert shuffled(60, Fraction(3, 5), Fraction(1, 4)).loss(1).epsilon <= plain.loss(1).epsilon
    less = shuffled(10_000, Fraction(3, 4), Fraction(1, 10**6)).loss(1)
    odds, n, delta = 3.0, 10_000, 1e-6
    closed = log(1 + (odds - 1) / (odds + 1) * (8 * np.sqrt(odds * log(4 / delta) / n) + 8 * odds / n))
    assert float(less.epsilon) == pytest.approx(closed, rel=1e-12)
    assert less.delta == Fraction(1, 10**6)
    assert less.epsilon <= Fraction(1, 4)


def test_outside_of_its_conditions_nothing_is_claimed() -> None:
    """`16 e^e log(2/delta) <= n`: 697 reports of loss log 3 at 1e-6, and not 696."""
    shuffled(697, Fraction(3, 4), Fraction(1, 10**6))
    with pytest.raises(dp.errors.InvalidParameter, match=r"asks for 696\.4"):
        shuffled(696, Fraction(3, 4), Fraction(1, 10**6))
    step = dp.shuffled(dp.randomized_response("3/4"), "1e-6")
    with pytest.raises(dp.errors.DomainMismatch, match="must be known"):
        dp.rows(dp.booleans(), CHANGE_ONE) >> step
    with pytest.raises(dp.errors.MetricMismatch, match="the number of reports"):
        dp.rows(dp.booleans(), dp.SymmetricDistance(), 1000) >> step  # type: ignore[operator]
    with pytest.raises(dp.errors.InvalidParameter, match="0 < delta < 1"):
        dp.shuffled(dp.randomized_response("3/4"), 1)
    left_open = dp.rows(dp.booleans(), CHANGE_ONE, 1000) >> dp.shuffled(dp.randomized_response(dp.symbol("p")), "1e-6")
    assert left_open.bind(p="3/4") == shuffled(1000, Fraction(3, 4), Fraction(1, 10**6))
    with pytest.raises(dp.errors.InvalidParameter, match="too few reports"):
        left_open.bind(p="9/10")


def test_it_rests_on_a_theorem() -> None:
    m = shuffled(1000, Fraction(3, 4), Fraction(1, 10**6))
    assert m.derivation.rules() == {"shuffled_pure", "randomized_response"}
    said, _ = checker.verify(dp.certify(m, 1).text())
    assert "shuffled_pure (proved)" in said[-1]


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"size": "1001"}, "not the size of the data"),
        ({"size": "696"}, "not the size of the data"),
        ({"delta": "1/10000000"}, "worked out"),
        ({"delta": "1e-6"}, "expected a rational number"),
        ({"delta": "1"}, "between 0 and 1"),
    ],
)
def test_a_certificate_of_other_numbers_is_refused(changed: dict[str, str], reason: str) -> None:
    """Each parameter by itself; the claim is left as it is."""
    data = json.loads(dp.certify(shuffled(1000, Fraction(3, 4), Fraction(1, 10**6)), 1).text())
    data["derivation"]["parameters"].update(changed)
    with pytest.raises(checker.Rejected, match=reason):
        checker.verify(json.dumps(data).encode())


def test_a_certificate_of_too_few_reports_is_refused() -> None:
    data = json.loads(dp.certify(shuffled(697, Fraction(3, 4), Fraction(1, 10**6)), 1).text())
    data["derivation"]["parameters"]["size"] = "696"
    data["space"]["domain"]["size"] = "696"
    with pytest.raises(checker.Rejected, match="fewer reports than the theorem asks for"):
        checker.verify(json.dumps(data).encode())
    data["space"]["domain"]["size"] = None
    with pytest.raises(checker.Rejected, match="not the size of the data, or none is known"):
        checker.verify(json.dumps(data).encode())
