"""What is particular to the local model: what it refuses, in which order reports come, and what they are worth."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import cast

import numpy as np
import pytest

import dpcore as dp
from dpcore.noise.bits import SeededBits

CHANGE_ONE = dp.ChangeOneDistance()
ABC = dp.categories("a", "b", "c")
ANSWER = dp.randomized_response("3/4")
RANDOMIZERS = (dp.randomized_response("3/4"), dp.unary_encoding("3/4"), dp.hadamard_response("3/4"))


@pytest.mark.parametrize("metric", [dp.SymmetricDistance(), dp.PersonDistance("x")])
def test_the_number_of_reports_must_be_public(metric: dp.SymmetricDistance) -> None:
    """Under add and remove it tells data sets of different sizes apart: no finite loss is claimed."""
    rows = dp.rows(dp.record(x=dp.booleans()), metric)
    with pytest.raises(dp.errors.MetricMismatch, match="the number of reports tells how many rows there are"):
        rows >> dp.locally(ANSWER)  # type: ignore[operator]


def test_rows_of_a_known_size_may_be_counted_as_replaced() -> None:
    rows = dp.rows(dp.booleans(), size=4) >> dp.to_metric(dp.ChangeOneDistance)
    assert (rows >> dp.locally(ANSWER)).loss(2) == (dp.rows(dp.booleans(), CHANGE_ONE) >> dp.locally(ANSWER)).loss(1)


def test_a_randomizer_is_needed_that_is_pure_and_protects_any_value() -> None:
    person = dp.value(dp.booleans(), dp.DiscreteDistance())
    rows = dp.rows(dp.booleans(), CHANGE_ONE)
    in_zcdp = (person >> ANSWER).to(dp.ZCDP)
    with pytest.raises(dp.errors.MeasureMismatch, match="pure randomizer"):
        rows >> dp.locally(in_zcdp)  # type: ignore[arg-type]
    number = dp.value(dp.integers(0, 1), dp.AbsoluteDistance()) >> dp.laplace(scale=1)
    with pytest.raises(dp.errors.MetricMismatch, match="a row is replaced by any other"):
        dp.rows(dp.integers(0, 1), CHANGE_ONE) >> dp.locally(number)  # type: ignore[arg-type]
    with pytest.raises(dp.errors.DomainMismatch, match="a row can be what its randomizer does not accept"):
        dp.rows(ABC, CHANGE_ONE) >> dp.locally(dp.value(dp.categories("a", "b"), dp.DiscreteDistance()) >> ANSWER)
    with pytest.raises(dp.errors.InvalidParameter, match="Expected a randomizer of one row"):
        dp.locally(cast(dp.types.PureLoss, dp.laplace(scale=1)))  # type: ignore[call-overload]
    with pytest.raises(dp.errors.DomainMismatch, match="categories or truth values"):
        dp.rows(dp.integers(0, 3), CHANGE_ONE) >> dp.locally(ANSWER)  # type: ignore[operator]


def test_the_order_of_rows_says_nothing() -> None:
    """One source of bits gives one list, however the rows come; and every order of the reports is as likely."""
    survey = dp.rows(ABC, CHANGE_ONE) >> dp.locally(dp.randomized_response("9/10"))
    rows = ["a"] * 70 + ["b"] * 60 + ["c"] * 5
    assert survey.release(rows, bits=SeededBits(1)) == survey.release(rows[::-1], bits=SeededBits(1))
    found = survey.distribution(["a", "b"])
    for x, y in (("a", "b"), ("a", "c"), ("b", "c")):
        assert found.probability([x, y]) == found.probability([y, x])


def test_one_report_more_often_first_would_be_found() -> None:
    """`exhaust` sees a list that is not shuffled: the two orders of two rows are neighbours at distance 0."""
    survey = dp.rows(dp.booleans(), CHANGE_ONE) >> dp.locally(ANSWER)
    assert survey.distribution([False, True]).masses == survey.distribution([True, False]).masses


@pytest.mark.parametrize("randomizer", RANDOMIZERS, ids=lambda r: str(r.word))
@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_estimates_are_right_on_average_and_vary_as_said(randomizer: dp.types.Randomizer, k: int) -> None:
    """Exactly, over all outcomes for one row: the estimate of each answer is 1 where it is the truth, else 0."""
    answers = [f"answer {i}" for i in range(k)]
    estimate = randomizer.shares.of(answers)
    alone = randomizer.applied(dp.value(dp.categories(*answers), dp.DiscreteDistance()))
    for truth in answers:
        found = [(estimate([outcome]), mass.exact) for outcome, mass in alone.distribution(truth).items()]
        for answer in answers:
            mean = sum(shares[answer] * mass for shares, mass in found if mass is not None)
            square = sum(shares[answer] ** 2 * mass for shares, mass in found if mass is not None)
            assert mean == (answer == truth)
            assert square - mean**2 == estimate.variance(int(answer == truth), rows=1)


@pytest.mark.parametrize("randomizer", RANDOMIZERS, ids=lambda r: str(r.word))
def test_many_rows_at_once_are_randomised_as_one_is(randomizer: dp.types.Randomizer) -> None:
    """20,000 reports of one value, against its exact distribution: each count is off by 6 standard deviations at most.

    That a count is further off has a probability below 1e-8, of any of some twenty.
    """
    n = 20_000
    alone = randomizer.applied(dp.value(ABC, dp.DiscreteDistance()))
    survey = randomizer_of(randomizer)
    counts = Counter(map(repr, survey.release(["b"] * n, bits=SeededBits(7))))
    expected = {repr(outcome): float(mass) for outcome, mass in alone.distribution("b").items()}
    assert counts.keys() == expected.keys()
    for outcome, p in expected.items():
        assert abs(counts[outcome] - n * p) <= 6 * np.sqrt(n * p * (1 - p))


def randomizer_of(
    randomizer: dp.types.Randomizer,
) -> dp.types.Measurement[dp.types.Rows[dp.types.Categories[str]], dp.ChangeOneDistance, dp.PureDP, list[object]]:
    one = randomizer.applied(dp.value(ABC, dp.DiscreteDistance()))
    return dp.rows(ABC, CHANGE_ONE) >> dp.locally(one)


def test_symbols_are_bound_in_a_randomizer_that_is_a_measurement() -> None:
    person, rows = dp.value(dp.booleans(), dp.DiscreteDistance()), dp.rows(dp.booleans(), CHANGE_ONE)
    left_open = rows >> dp.locally(person >> dp.randomized_response(dp.symbol("p")))
    assert left_open.symbols == {"p"}
    assert left_open.bind(p="3/4") == rows >> dp.locally(person >> ANSWER)
    assert (rows >> dp.locally(dp.randomized_response(dp.symbol("p")))).bind(p="3/4") == rows >> dp.locally(ANSWER)


def test_an_estimator_stands_after_its_own_randomizer_only() -> None:
    survey = dp.rows(dp.booleans(), CHANGE_ONE) >> dp.locally(ANSWER)
    with pytest.raises(dp.errors.InvalidParameter, match="reports of one randomizer"):
        survey.then(dp.randomized_response("2/3").estimate)
    with pytest.raises(dp.errors.InvalidParameter, match="reports of one randomizer"):
        (dp.value(dp.booleans(), dp.DiscreteDistance()) >> ANSWER).then(ANSWER.shares)  # type: ignore[arg-type]
    with pytest.raises(dp.errors.InvalidParameter, match="of rows that are truth values"):
        (dp.rows(ABC, CHANGE_ONE) >> dp.locally(ANSWER)).then(ANSWER.estimate)  # type: ignore[arg-type]
    with pytest.raises(dp.errors.InvalidParameter, match="nothing can be estimated"):
        dp.randomized_response("1/2").estimate
    with pytest.raises(dp.errors.InvalidParameter, match="not known yet"):
        ANSWER.shares(["a"])
    assert survey.then(ANSWER.estimate) == survey.then(ANSWER.estimate)
    assert survey.to(dp.ApproxDP).then(ANSWER.estimate).accuracy("0.9", rows=10) == survey.then(
        ANSWER.estimate
    ).accuracy("0.9", rows=10)


def test_accuracy_asks_for_the_number_of_rows() -> None:
    survey = dp.rows(dp.booleans(), CHANGE_ONE) >> dp.locally(ANSWER)
    share = survey.then(ANSWER.estimate)
    with pytest.raises(dp.errors.InvalidParameter, match="how many rows"):
        share.accuracy("0.95")
    with pytest.raises(dp.errors.InvalidParameter, match="whole number of at least 1"):
        share.accuracy("0.95", rows=0)
    sized = (dp.rows(dp.booleans(), CHANGE_ONE, 40) >> dp.locally(ANSWER)).then(ANSWER.estimate)
    assert sized.accuracy("0.95") == share.accuracy("0.95", rows=40)
    with pytest.raises(dp.errors.InvalidParameter, match="the size of the data"):
        sized.accuracy("0.95", rows=41)
    count = dp.rows(dp.booleans()) >> dp.count() >> dp.laplace(scale=1)
    with pytest.raises(dp.errors.InvalidParameter, match="does not depend on how many rows"):
        count.accuracy("0.95", rows=10)


def test_the_rows_are_those_that_are_reported() -> None:
    """Of a hundred rows cut down to ten there are ten reports, and so they are as far off as ten."""
    ten = dp.rows(dp.booleans(), size=100) >> dp.resize(10, fill=False) >> dp.locally(ANSWER)
    share = ten.then(ANSWER.estimate)
    assert share.accuracy("0.95") == ANSWER.estimate.accuracy("0.95", 10)
    with pytest.raises(dp.errors.InvalidParameter, match="the size of the data"):
        share.accuracy("0.95", rows=100)


def test_estimators_of_answers_that_compare_equal_are_two() -> None:
    """1 is not True, though Python has them equal."""
    rows = [dp.rows(dp.categories("a", one), CHANGE_ONE) >> dp.locally(ANSWER) for one in (1, True)]
    assert [repr(list(m.then(ANSWER.shares).release(["a"]))) for m in rows] == ["['a', 1]", "['a', True]"]


def test_many_rows_are_bounded_by_chernoff_and_never_beyond_hoeffding() -> None:
    for n in (2_001, 10_000, 10**9):
        for randomizer in RANDOMIZERS:
            estimate = randomizer.shares.of(["a", "b", "c"])
            assert 0 < estimate.accuracy("0.99", n) <= estimate.hoeffding("0.99", n)


def test_intervals_stand_around_what_was_released() -> None:
    survey = dp.rows(dp.booleans(), CHANGE_ONE, 100) >> dp.locally(ANSWER)
    share, a = survey.then(ANSWER.estimate), survey.then(ANSWER.estimate).accuracy("0.95")
    assert share.interval(Fraction(1, 2), "0.95") == (Fraction(1, 2) - a, Fraction(1, 2) + a)
    assert share.interval(Fraction(11, 10), "0.95") == (Fraction(11, 10) - a, Fraction(1))  # a share is no more than 1
    number = dp.value(dp.integers(), dp.AbsoluteDistance()) >> dp.laplace(scale=1)
    assert number.accuracy("0.95") == 4  # P(|noise| >= 4) <= 1/20, so the noise is at most 3
    assert number.interval(5, "0.95") == (Fraction(2), Fraction(8))
    assert float(number.cdf(3)) - float(number.cdf(-4)) == pytest.approx(1 - 2 * np.exp(-4) / (1 + np.exp(-1)))
    assert number.then(dp.row() / 10).interval(Fraction(1, 2), "0.95") == (Fraction(2, 10), Fraction(8, 10))
    pair = dp.value(dp.vector(dp.integers(), 2), dp.L1Distance()) >> dp.laplace(scale=1)
    assert pair.interval([0, 10], "0.9") == [(Fraction(-3), Fraction(3)), (Fraction(7), Fraction(13))]
    with pytest.raises(dp.errors.NoConversion, match="no number plus noise"):
        pair.cdf(0)
    uniform = dp.value(dp.integers(), dp.AbsoluteDistance()) >> dp.uniform_noise(2)
    assert [uniform.cdf(x).exact for x in (-3, -2, 0, 2, 9)] == [0, Fraction(1, 5), Fraction(3, 5), 1, 1]


def test_a_share_of_true_is_estimated_of_nothing_else() -> None:
    """Texts are no answers False: their estimate would be a number that means nothing."""
    with pytest.raises(dp.errors.InvalidData, match=r"True or False") as refusal:
        dp.randomized_response("3/4").estimate(["a", "b"])  # type: ignore[list-item]
    assert refusal.value.bridge == "randomized_response(p='3/4').shares.of(answers)"
    assert dp.randomized_response("3/4").estimate([True, False]) == Fraction(1, 2)
