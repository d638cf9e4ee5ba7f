"""How far guesses of marginals are off: on all pairs of a small universe, however the rows are held, and what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import polars as pl
import pytest

import dpcore as dp
from tests.certificates.tools import checker

FEW = dp.record(a=dp.integers(0, 2), b=dp.integers(0, 1))
MARGINALS = [dp.field("a"), dp.field("b"), dp.field("a") * 2 + dp.field("b")]
GUESSES = [[1, 0, 2], [0, 1], [1, 0, 0, 3, 0]]
ROWS = [{"a": a, "b": b} for a, b in product(range(3), range(2))]
TABLES = [list(rows) for n in range(4) for rows in combinations_with_replacement(ROWS, n)]


def _by_hand(table: Sequence[dict[str, int]]) -> list[int]:
    cells = [[row["a"] for row in table], [row["b"] for row in table], [row["a"] * 2 + row["b"] for row in table]]
    return [
        sum(abs(of.count(cell) - guessed) for cell, guessed in enumerate(guess))
        for of, guess in zip(cells, GUESSES, strict=True)
    ]


def _asked(metric: Any = dp.SymmetricDistance, **size: int) -> Any:
    return dp.rows(FEW, metric, **size) >> dp.marginal_errors(MARGINALS, GUESSES)


def test_it_is_the_sum_over_the_cells() -> None:
    """A row in no cell, as the last of the third marginal, is not counted."""
    assert [_asked()(table) for table in TABLES] == [_by_hand(table) for table in TABLES]


@pytest.mark.parametrize(("metric", "bound"), [(dp.SymmetricDistance(), 1), (dp.ChangeOneDistance(), 2)], ids=str)
def test_no_table_is_further_from_another_than_is_said(metric: dp.SymmetricDistance, bound: int) -> None:
    """On all tables of at most three rows, the empty one among them; and as far at each distance up to 3."""
    asked = _asked(metric)
    reached: dict[int | Fraction | float, int | Fraction | float] = {}
    for x, y in product(TABLES, TABLES):
        if bound == 2 and len(x) != len(y):
            continue
        d, apart = metric.carried(x, y), dp.LInfDistance().carried(asked(x), asked(y))
        reached[d] = max(reached.get(d, 0), apart)
    assert all(apart <= asked.stability(d) == bound * d for d, apart in reached.items())
    assert [reached[d] for d in (1, 2, 3)] == [bound, 2 * bound, 3 * bound]


def test_a_known_size_is_no_worse() -> None:
    assert [_asked(size=3).stability(d) for d in (2, 4)] == [2, 4]


def test_after_a_filter() -> None:
    """Of rows replaced, one may leave and another may enter."""
    left = dp.rows(FEW, dp.ChangeOneDistance) >> dp.filter(dp.field("b") == 1)
    assert (left >> dp.marginal_errors(MARGINALS[:1], GUESSES[:1])).stability(1) == 2


def test_however_the_rows_are_held() -> None:
    dice = np.random.default_rng(7)
    a, b = dice.integers(0, 3, 500), dice.integers(0, 2, 500)
    listed = [{"a": int(x), "b": int(y)} for x, y in zip(a, b, strict=True)]
    found = _asked()(listed)
    assert found == _by_hand(listed)
    assert found == _asked()({"a": a, "b": b})
    assert found == _asked()(pl.DataFrame({"a": a, "b": b}))
    assert found == _asked()(pl.LazyFrame({"a": a, "b": b}))


def test_a_null_is_in_no_cell() -> None:
    rows = dp.rows(dp.record(a=dp.optional(dp.integers(0, 1))))
    assert (rows >> dp.marginal_errors([dp.field("a")], [[0, 5]]))([{"a": None}, {"a": 1}]) == [4]


def test_a_guess_may_be_of_many_digits() -> None:
    rows = dp.rows(dp.integers(0, 1))
    assert (rows >> dp.marginal_errors([dp.row()], [[10**40, 0]]))([0, 0, 1]) == [10**40 - 1]


def test_its_certificate() -> None:
    for metric, rho in (dp.SymmetricDistance, "1/32"), (dp.ChangeOneDistance, "1/8"):
        chosen = _asked(metric) >> dp.exponential(4, measure=dp.ZCDP)
        certificate = dp.certify(chosen, d_in=1)
        said = checker.verify(certificate.text())[0]
        assert chosen.loss(1) == dp.zcdp(rho)
        assert "marginal_errors_symmetric (proved)" in said[-1]
        assert certificate.data["assumptions"] == []


@pytest.mark.parametrize(("make", "says"), [
    (lambda d: d.marginal_errors([], []), "at least one entry for queries"),
    (lambda d: d.marginal_errors([d.row()], []), "at least one entry for guesses"),
    (lambda d: d.marginal_errors([d.row()], [[]]), "at least one entry for guesses"),
    (lambda d: d.marginal_errors([d.row()], [[1], [2]]), "a guess for each of 1 marginals but got 2"),
    (lambda d: d.marginal_errors([d.row()], [[-1]]), "a whole number of at least 0"),
    (lambda d: d.marginal_errors([d.row()], [[True]]), "a whole number of at least 0"),
    (lambda d: d.marginal_errors([d.row()], [[0.5]]), "a whole number of at least 0"),
    (lambda d: d.marginal_errors(["a"], [[1]]), "Expected expressions of a row as queries but got a str"),
    (lambda d: d.marginal_errors(d.row(), [[1]]), "Expected a list for queries"),
])  # fmt: skip
def test_what_is_no_guess_is_refused(make: Any, says: str) -> None:
    with pytest.raises(dp.errors.InvalidParameter, match=says):
        make(dp)


@pytest.mark.parametrize(
    "of", [dp.text(), dp.booleans(), dp.numbers(0, 1, step="1/2"), dp.categories("0", "1")], ids=str
)
def test_cells_are_told_by_whole_numbers(of: Any) -> None:
    with pytest.raises(dp.errors.DomainMismatch, match="whole numbers, of which 0 is the first cell"):
        dp.rows(of) >> dp.marginal_errors([dp.row()], [[1, 2]])


def test_rows_of_persons_are_refused() -> None:
    people = dp.rows(dp.record(who=dp.text(), a=dp.integers(0, 2)), dp.PersonDistance("who"))
    with pytest.raises(dp.errors.MetricMismatch, match="marginal_errors has no rule under this metric"):
        people >> dp.marginal_errors([dp.field("a")], [[1]])
