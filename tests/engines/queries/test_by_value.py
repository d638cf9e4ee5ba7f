"""Ranks among few values are counted by value, and are those that comparing with each candidate gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dpcore as dp
from dpcore.engines.doors import table
from dpcore.engines.queries import by_value
from dpcore.engines.queries.asked import Asked
from dpcore.engines.queries.table import QueryTable
from dpcore.expressions import field
from tests.engines.frames.forms import duckdb, pl
from tests.engines.queries.answers import never
from tests.thorough import thorough

CONNECTION: Final = duckdb.connect()
FORMS: Final[dict[str, Callable[[Any], Any]]] = {
    "polars": lambda frame: frame,
    "lazy": lambda frame: frame.lazy(),
    "DuckDB": lambda frame: CONNECTION.from_arrow(frame.to_arrow()),
}
SPACE: Final = dp.rows(dp.record(n=dp.integers(-20, 20), kept=dp.booleans()))
n, kept = field("n", int), field("kept", bool)
candidates: Final = st.lists(
    st.one_of(st.integers(-25, 25), st.fractions(-25, 25, max_denominator=6)),
    min_size=by_value.MANY,
    max_size=12,
    unique=True,
)
rows_of_numbers: Final = st.lists(
    st.fixed_dictionaries({"n": st.integers(-20, 20), "kept": st.booleans()}), max_size=30
)


@thorough(60, settings(suppress_health_check=[HealthCheck.function_scoped_fixture]))
@given(rows_of_numbers, candidates)
def test_they_are_those_of_the_rows(
    monkeypatch: pytest.MonkeyPatch, rows: list[dict[str, object]], candidates: Sequence[int | Fraction]
) -> None:
    frame = pl.DataFrame(rows, schema={"n": pl.Int32, "kept": pl.Boolean})
    halves = dp.numbers(-20, 20, Fraction(1, 2))
    values = [int(str(row["n"])) for row in rows if row["kept"]]
    expected = [(sum(v < c for v in values), sum(v > c for v in values)) for c in candidates]
    in_halves = [(sum(v < 2 * c for v in values), sum(v > 2 * c for v in values)) for c in candidates]
    with monkeypatch.context() as patched:
        patched.setattr(Asked, "slow", never)
        patched.setattr(QueryTable, "_ranks_by_candidate", never)
        for form in FORMS.values():
            some = table(form(frame), SPACE.domain).filter(kept)
            assert some.select(n, dp.integers(-20, 20)).ranks(candidates) == expected
            assert some.select(n / 2, halves).ranks(candidates) == in_halves


@pytest.mark.parametrize("form", FORMS)
def test_few_candidates_or_many_values_are_compared(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QueryTable, "_ranks_by_value", never)
    data = FORMS[form](pl.DataFrame({"n": [1, 2, 2, 3]}))
    few = table(data, dp.rows(dp.record(n=dp.integers(0, 9))).domain).select(n, dp.integers(0, 9))
    assert few.ranks([2, 3]) == [(1, 1), (3, 0)]
    far = dp.integers(0, by_value.FEW)
    many = table(data, dp.rows(dp.record(n=far)).domain).select(n, far)
    assert many.ranks([0, 1, 2, 3, 4]) == [(0, 4), (0, 3), (1, 1), (3, 0), (4, 0)]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("wrong", [21, -21, None])
def test_what_is_no_member_is_refused(form: str, wrong: int | None) -> None:
    data = FORMS[form](pl.DataFrame({"n": [1, 2, wrong], "kept": [True, True, False]}))
    scores = SPACE >> dp.filter(kept) >> dp.select(n) >> dp.quantile_scores([0, 1, 2, 3, 4], Fraction(1, 2))
    with pytest.raises(dp.errors.InvalidData, match="'n'"):
        scores(data)
