"""Many queries in LInf, and the errors of guesses: what is particular to them, and what they refuse."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

import dpcore as dp
from tests.certificates.tools import checker

AGES = dp.rows(dp.integers(0, 31))
QUERIES = [dp.row() >= k for k in range(300)]


@pytest.mark.parametrize("metric", [dp.SymmetricDistance(), dp.ChangeOneDistance()], ids=["added", "replaced"])
def test_three_hundred_queries_move_by_1_in_linf(metric: dp.SymmetricDistance) -> None:
    asked = dp.rows(dp.integers(0, 31), metric) >> dp.linear_queries(*QUERIES, norm=dp.LInfDistance)
    assert asked.stability(1) == 1
    assert asked.stability(7) == 7
    assert "norm=LInfDistance" in repr(asked)


def test_where_the_size_is_known_rows_are_replaced() -> None:
    asked = dp.rows(dp.integers(0, 31), size=10) >> dp.linear_queries(*QUERIES, norm=dp.LInfDistance)
    assert [asked.stability(d) for d in (2, 4)] == [1, 2]


def test_other_norms_are_refused() -> None:
    with pytest.raises(dp.errors.InvalidParameter, match="Expected L1Distance or LInfDistance"):
        dp.linear_queries(dp.row() >= 1, norm=dp.L2Distance)  # type: ignore[arg-type]


def test_errors_are_on_the_grid_of_the_values() -> None:
    tenths = dp.value(dp.vector(dp.numbers(step="1/10"), 2), dp.L1Distance()) >> dp.absolute_errors(["1/5", -1])
    assert tenths([Fraction(1, 2), Fraction(-3, 2)]) == [Fraction(3, 10), Fraction(1, 2)]
    assert tenths.output.domain == dp.vector(dp.numbers(0, step="1/10"), 2)


@pytest.mark.parametrize("metric", [dp.L1Distance(), dp.L2Distance(), dp.LInfDistance()], ids=str)
def test_no_pair_moves_further_than_it_did(metric: dp.L1Distance) -> None:
    """On all pairs of a small universe, and as far apart for some."""
    arrow = dp.value(dp.vector(dp.integers(0, 3), 2), metric) >> dp.absolute_errors([1, 2])
    universe = [list(v) for v in product(range(4), repeat=2)]
    reached = False
    for x, y in product(universe, universe):
        before, after = metric.carried(x, y), metric.carried(arrow(x), arrow(y))
        assert after <= before
        reached |= 0 < before == after
    assert reached


def test_the_error_of_one_number() -> None:
    """As far apart as the numbers were, at distances 1, 2 and 3, on both sides of the guess and across it."""
    error = dp.value(dp.integers(-3, 3), dp.AbsoluteDistance()) >> dp.absolute_errors(1)
    assert [error(x) for x in range(-3, 4)] == [4, 3, 2, 1, 0, 1, 2]
    assert error.output == dp.value(dp.integers(0), dp.AbsoluteDistance())
    assert [error.stability(d) for d in (0, 1, 2, 3)] == [0, 1, 2, 3]
    pairs = [(abs(x - y), abs(error(x) - error(y))) for x, y in product(range(-3, 4), repeat=2)]
    assert all(after <= before for before, after in pairs)
    assert {before for before, after in pairs if before == after} == {0, 1, 2, 3, 4}
    assert eval(repr(error), {**vars(dp)}) == error
    tenths = dp.value(dp.numbers(step="1/10"), dp.AbsoluteDistance()) >> dp.absolute_errors("1/5")
    assert tenths(Fraction(-3, 10)) == Fraction(1, 2)
    assert tenths.output.domain == dp.numbers(0, step="1/10")


def test_the_error_of_a_count_verifies() -> None:
    old = dp.filter(dp.row() >= 9)
    added = AGES >> old >> dp.count()
    replaced = dp.rows(dp.integers(0, 31), dp.ChangeOneDistance()) >> old >> dp.count()
    for counted in (added, replaced):
        asked = counted >> dp.absolute_errors(7) >> dp.laplace(scale=2)
        assert asked.loss(1) == dp.pure("1/2")
        said = checker.verify(dp.certify(asked).text())[0]
        assert "absolute_errors (proved)" in said[-1]
        text = dp.certify(asked).text()
        wrong = text.replace(b'"7"', b'"7/2"')
        assert wrong != text
        with pytest.raises(checker.Rejected, match="on the grid"):
            checker.verify(wrong)


def test_in_the_range_errors_do_not_follow() -> None:
    """All values rise by 1; one error falls and the other rises: 2 apart in the range, where the values were 1 apart."""
    metric, x, y = dp.RangeDistance(), [0, 0], [1, 1]
    errors = dp.value(dp.vector(dp.integers(), 2), dp.LInfDistance()) >> dp.absolute_errors([0, 1])
    assert (metric.carried(x, y), metric.carried(errors(x), errors(y))) == (1, 2)
    with pytest.raises(dp.errors.MetricMismatch, match="in no other metric"):
        dp.value(dp.vector(dp.integers(), 2), metric) >> dp.absolute_errors([0, 1])  # type: ignore[operator]


def test_bad_guesses_are_refused() -> None:
    pairs = dp.value(dp.vector(dp.integers(), 2), dp.L1Distance())
    with pytest.raises(dp.errors.DomainMismatch, match="another size"):
        pairs >> dp.absolute_errors([1, 2, 3])
    with pytest.raises(dp.errors.InvalidParameter, match="on the grid"):
        pairs >> dp.absolute_errors([1, "1/2"])
    with pytest.raises(dp.errors.InvalidParameter, match="at least one"):
        dp.absolute_errors([])
    with pytest.raises(dp.errors.DomainMismatch, match="vector of numbers on a grid"):
        dp.value(dp.vector(dp.numbers(), 2), dp.L1Distance()) >> dp.absolute_errors([1, 2])
    one = dp.value(dp.integers(), dp.AbsoluteDistance())
    with pytest.raises(dp.errors.DomainMismatch, match="vector of numbers on a grid"):
        one >> dp.absolute_errors([1])
    with pytest.raises(dp.errors.DomainMismatch, match="one number was guessed"):
        pairs >> dp.absolute_errors(1)
    with pytest.raises(dp.errors.InvalidParameter, match="on the grid"):
        one >> dp.absolute_errors("1/2")
    with pytest.raises(dp.errors.DomainMismatch, match="on a grid"):
        dp.value(dp.numbers(), dp.AbsoluteDistance()) >> dp.absolute_errors(1)
    with pytest.raises(dp.errors.MetricMismatch, match="in no other metric"):
        dp.value(dp.integers(), dp.DiscreteDistance()) >> dp.absolute_errors(1)  # type: ignore[operator]
    with pytest.raises(dp.errors.InvalidParameter, match="for guess"):
        dp.absolute_errors(None)  # type: ignore[arg-type]
