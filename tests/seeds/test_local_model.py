"""The local model of the notes: randomised response of a whole data set, its estimate, and how far off it may be."""

from __future__ import annotations

from fractions import Fraction
from math import comb, log, sqrt

import numpy as np
import pytest

import dpcore as dp
from dpcore.noise.bits import SeededBits

ANSWER = dp.randomized_response("3/4")
SURVEY = dp.rows(dp.booleans(), dp.ChangeOneDistance()) >> dp.locally(ANSWER)
SHARE = SURVEY.then(ANSWER.estimate)

E = dp.randomized_response("0.7310585786300049")
"""p = e/(e + 1): epsilon = 1, to within 1e-15."""
SHARE_OF_1 = (dp.rows(dp.booleans(), dp.ChangeOneDistance()) >> dp.locally(E)).then(E.estimate)


@pytest.mark.seed("003-21b")
@pytest.mark.parametrize("truth", [False, True])
def test_the_estimate_is_right_on_average(truth: bool) -> None:
    """E[estimate | X] = X exactly, and its variance is p (1 - p)/(2p - 1)^2 = 3/4, whichever X is."""
    found = SHARE.distribution([truth])
    mean = sum(float(outcome) * float(mass) for outcome, mass in _pairs(found))
    square = sum(float(outcome) ** 2 * float(mass) for outcome, mass in _pairs(found))
    assert (mean, square - mean**2) == (truth, 0.75)
    assert ANSWER.variance == Fraction(3, 4)
    assert ANSWER.estimate.variance("1/3", rows=1000) == Fraction(3, 4000)


def _pairs(found: dp.types.Distribution) -> list[tuple[Fraction, dp.types.Bound]]:
    return [(Fraction(str(outcome)), mass) for outcome, mass in found.items()]


@pytest.mark.seed("003-22")
def test_randomised_response_of_n_bits_loses_what_one_does() -> None:
    assert float(SURVEY.loss(1)) == pytest.approx(log(3), abs=1e-15)
    assert str(SURVEY.map) == "d_in*log(3)"
    truths = [True] * 100 + [False] * 300
    reports = SURVEY.release(truths, bits=SeededBits(3))
    assert len(reports) == 400
    assert abs(float(ANSWER.estimate(reports)) - 0.25) < 0.12
    assert SURVEY.derivation.rules() == {"locally_pure", "randomized_response"}


@pytest.mark.seed("003-29")
def test_how_far_off_the_estimate_may_be() -> None:
    """By Hoeffding 0.09294 at n = 1000, epsilon 1 and 95 %; the sums of binomials say 0.0596."""
    hoeffding = sqrt(log(2 / 0.05) / 2000) / (2 * 0.7310585786300049 - 1)
    assert round(hoeffding, 5) == 0.09294
    assert round(float(E.estimate.hoeffding("0.95", 1000)), 5) == 0.09294
    assert float(SHARE_OF_1.accuracy("0.95", rows=1000)) == pytest.approx(0.059508, abs=1e-6)
    assert SHARE_OF_1.accuracy("0.95", rows=1000) <= E.estimate.hoeffding("0.95", 1000)


@pytest.mark.seed("003-30")
def test_reports_against_a_count_with_noise() -> None:
    """The error of the one falls as 1/sqrt(n), that of the other as 1/n."""
    count = dp.rows(dp.booleans()) >> dp.filter(dp.row(bool)) >> dp.count() >> dp.laplace(scale=1)
    found = dp.compare([SHARE_OF_1, count], rows=[10, 100, 10_000])
    assert [round(float(x), 4) for x in found.errors["randomized_response, by Hoeffding"]] == [0.9294, 0.2939, 0.0294]
    assert found.errors["laplace"] == (Fraction(4, 10), Fraction(4, 100), Fraction(4, 10_000))
    assert all(
        map(
            Fraction.__le__,
            found.errors["randomized_response"],
            found.errors["randomized_response, by Hoeffding"],
        )
    )
    assert repr(found).splitlines()[1].split() == ["10", "0.6492", "0.9294", "0.4"]


@pytest.mark.seed("003-26a")
def test_how_often_noise_is_at_most_so_much() -> None:
    """0.8207 on a grid of 1/20, where the density of the notes says 0.8161."""
    number = dp.value(dp.numbers(step="1/20"), dp.AbsoluteDistance()) >> dp.laplace(scale=1)
    assert round(float(number.cdf(1)), 4) == 0.8207
    finer = dp.value(dp.numbers(step="1/10000"), dp.AbsoluteDistance()) >> dp.laplace(scale=1)
    assert round(float(finer.cdf(1)), 4) == 0.8161


@pytest.mark.seed("003-26b")
@pytest.mark.parametrize(("scale", "k", "least"), [(1, 1, 4), (10, 1, 31), (10, 10, 54), (100, 10, 529)])
def test_the_accuracy_of_noise_on_whole_numbers(scale: int, k: int, least: int) -> None:
    """P(|noise| >= ln(1/delta) b) <= delta holds of the density, and not of noise on a grid, by less than 1.1 steps.

    Of one number P(|Z| >= a) = 2 r^a/(1 + r), r = exp(-1/b): at most delta from a = b ln(1/delta) + b ln(2/(1 + r)) on,
    and b ln(2/(1 + r)) is about half a step.
    """
    space = dp.value(dp.vector(dp.integers(), k), dp.L1Distance())
    assert (space >> dp.laplace(scale=scale)).accuracy("0.95") == least
    assert least - log(k / 0.05) * scale < 1.1
    if k == 1:
        r = np.exp(-1 / scale)
        assert least == np.ceil(scale * log(1 / 0.05) + scale * np.log(2 / (1 + r)))


@pytest.mark.long
@pytest.mark.parametrize("trues", [0, 20, 25, 50])
def test_coverage(trues: int) -> None:
    """Of 10^5 surveys of 50 rows, run by the library, no more lie outside than the confidence allows.

    The true chance of being outside is at most 1/20, so 5,411 of them come about with probability below 1e-9.
    """
    truths, runs, bits = [True] * trues + [False] * (50 - trues), 100_000, SeededBits(trues)
    least, share = SHARE.accuracy("0.95", rows=50), Fraction(trues, 50)
    survey = [t for _ in range(200) for t in truths]  # two hundred surveys at once: rows are randomised independently
    outside = 0
    for _ in range(runs // 200):
        reports = _in_order(survey, bits)
        for i in range(0, len(reports), 50):
            outside += abs(ANSWER.estimate(reports[i : i + 50]) - share) >= least
    assert outside <= 5_411
    assert outside >= 0.005 * runs  # and it says something


def _in_order(truths: list[bool], bits: SeededBits) -> list[bool]:
    """The run of randomised response on many rows at once, in their order."""
    from dpcore.measurements.randomized_response import _answers

    return [bool(x) for x in _answers(truths, answers=(False, True), p=Fraction(3, 4), bits=bits)]


def test_the_accuracy_is_the_least() -> None:
    """Against all sums of two binomials, by brute force, for a few rows."""
    for n in (1, 4, 9):
        for level in (Fraction(1, 20), Fraction(1, 3)):
            assert SHARE.accuracy(1 - level, rows=n) == min(_least(n, level), ANSWER.estimate.hoeffding(1 - level, n))


def _least(n: int, level: Fraction) -> Fraction:
    p, q = Fraction(3, 4), Fraction(1, 4)
    m = 1
    while any(_beyond(n, t, p, q, Fraction(m, 4)) > level for t in range(n + 1)):
        m += 1
    return Fraction(m, 4) / (n * (p - q))


def _beyond(n: int, t: int, p: Fraction, q: Fraction, x: Fraction) -> Fraction:
    def mass(n: int, p: Fraction, k: int) -> Fraction:
        return comb(n, k) * p**k * (1 - p) ** (n - k)

    mean = t * p + (n - t) * q
    pairs = [(i + j, mass(t, p, i) * mass(n - t, q, j)) for i in range(t + 1) for j in range(n - t + 1)]
    return sum((m for s, m in pairs if abs(s - mean) >= x), Fraction(0))
