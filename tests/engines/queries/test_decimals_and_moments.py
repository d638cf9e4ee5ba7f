"""Decimals and moments are asked of the engine, and mean what the same rows mean."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dpcore as dp
from dpcore.engines.queries.asked import Asked
from dpcore.expressions import Expr, field, minimum
from dpcore.expressions.build import day
from tests.engines.frames.forms import asking, duckdb, pl
from tests.engines.queries.answers import never
from tests.thorough import thorough

Row = Mapping[str, object]
Form = Callable[[Sequence[Row]], object]

CONNECTION: Final = duckdb.connect()
PLACES: Final = {"a": (9, 2), "b": (18, 6), "c": (24, 3)}
"""Digits of each decimal, and how many of them are behind the point."""

SCHEMA: Final = {
    **{name: pl.Decimal(*places) for name, places in PLACES.items()},
    "moment": pl.Datetime("us"), "other": pl.Datetime("ms"),
}  # fmt: skip
SQL: Final = {name: f"DECIMAL({digits}, {places})" for name, (digits, places) in PLACES.items()} | {
    "moment": "TIMESTAMP",
    "other": "TIMESTAMP_MS",
}


def in_polars(rows: Sequence[Row]) -> object:
    return pl.DataFrame(rows, schema=SCHEMA)


def lazily(rows: Sequence[Row]) -> object:
    return pl.LazyFrame(rows, schema=SCHEMA)


def in_duckdb(rows: Sequence[Row]) -> object:
    casts = ", ".join(f"CAST({name} AS {kind}) AS {name}" for name, kind in SQL.items())
    return CONNECTION.from_arrow(pl.DataFrame(rows, schema=SCHEMA).to_arrow()).project(casts)


FORMS: Final[Mapping[str, Form]] = {"polars": in_polars, "lazy": lazily, "DuckDB": in_duckdb}


def decimals(name: str) -> st.SearchStrategy[Decimal]:
    digits, places = PLACES[name]
    most = min(10**digits - 1, 10**15)
    some = st.one_of(st.integers(-most, most), st.integers(-3000, 3000))
    return some.map(lambda n: Decimal(n).scaleb(-places))


midnights = st.dates().map(lambda day: datetime.datetime.combine(day, datetime.time()))
rows_of_all = st.lists(
    st.fixed_dictionaries(
        {"a": decimals("a"), "b": st.one_of(st.none(), decimals("b")), "c": decimals("c")}
        | {"moment": st.one_of(st.none(), midnights), "other": midnights}
    ),
    min_size=1,
    max_size=20,
)

FAR: Final = 10**13
ROW: Final = dp.record(
    a=dp.numbers(-FAR, FAR, "0.01"), b=dp.optional(dp.numbers(-FAR, FAR)), c=dp.numbers(-FAR, FAR, "0.0005"),
    moment=dp.optional(dp.date()), other=dp.date(),
)  # fmt: skip
SPACE: Final = dp.rows(ROW)
a, b, c = (field(name, float) for name in PLACES)
moment, other = field("moment"), field("other")


def total(expr: Expr[Any]) -> Callable[[object], object]:
    return asking(SPACE >> dp.select(expr, dp.numbers(-4 * FAR, 4 * FAR)) >> dp.quantize("0.000001") >> dp.sum())


QUESTIONS: Final = {
    "count": asking(SPACE >> dp.filter(a < c) >> dp.count()),
    "sum": total(a + c),
    "least": total(minimum(a, b.fill_null(0.125))),
    "rounded": total(b.fill_null(0).round("0.25")),
    "clipped": total(c.clip(-1.0005, 0.35)),
    "compared": asking(SPACE >> dp.filter((a >= 0.1) | (b == Fraction(1, 8)) | c.isin(0, 0.003)) >> dp.count()),
    "by decimals": asking(SPACE >> dp.histogram(a, bins=[0, Fraction(1, 100), Fraction(-29, 100)])),
    "by null": asking(SPACE >> dp.histogram(b.is_null())),
    "by year": asking(SPACE >> dp.histogram(moment.year(), bins=[1, 1969, 1970, 2000, 9999, None])),
    "since": asking(SPACE >> dp.filter(other.days_since(day("1970-01-01")) < 0) >> dp.count()),
}


@thorough(30, settings(suppress_health_check=[HealthCheck.function_scoped_fixture]))
@given(rows_of_all)
def test_they_mean_the_same(monkeypatch: pytest.MonkeyPatch, rows: list[Row]) -> None:
    expected = [question(rows) for question in QUESTIONS.values()]
    with monkeypatch.context() as patched:
        patched.setattr(Asked, "slow", never)
        for form in FORMS.values():
            data = form(rows)
            assert [question(data) for question in QUESTIONS.values()] == expected


FINE: Final = {
    "a": Decimal("0.10"), "b": None, "c": Decimal("-3.125"), "moment": None, "other": datetime.datetime(1969, 7, 20),
}  # fmt: skip
NARROW: Final = dp.rows(
    dp.record(
        a=dp.numbers(0, 10, "0.05"), b=dp.optional(dp.numbers("-0.5", "0.5")), c=dp.numbers(-4, 4),
        moment=dp.optional(dp.date()), other=dp.date("1950-01-01", "1999-12-31"),
    )
)  # fmt: skip
OFFENCES: Final[Sequence[tuple[str, object]]] = [
    ("a", Decimal("10.01")), ("a", Decimal("-0.05")), ("a", Decimal("0.11")), ("a", None), ("b", Decimal("0.500001")),
    ("c", Decimal("4.001")), ("c", Decimal(10**19)), ("c", None), ("moment", datetime.datetime(1960, 1, 1, 0, 0, 1)),
    ("moment", datetime.datetime(1960, 1, 1, 23)), ("other", datetime.datetime(1960, 1, 1, 12)), ("other", None),
    ("other", datetime.datetime(2000, 1, 1)), ("other", datetime.datetime(1949, 12, 31)),
]  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_what_is_no_member_is_refused(form: str) -> None:
    """Also where it is in no answer, and where rows are grouped by it."""
    years = dp.histogram(field("other").year(), bins=[1969])
    questions = [NARROW >> dp.count(), NARROW >> years, NARROW >> dp.histogram(field("a"), bins=[Fraction(1, 10)])]
    for question in questions:
        assert asking(question)(FORMS[form]([FINE, FINE])) in (2, [2])
        for name, value in OFFENCES:
            with pytest.raises(dp.errors.InvalidData, match=f"'{name}'"):
                asking(question)(FORMS[form]([FINE, {**FINE, name: value}]))


def test_moments_of_duckdb_without_end() -> None:
    space = dp.rows(dp.record(moment=dp.optional(dp.date())))
    for end in ("infinity", "-infinity"):
        with pytest.raises(dp.errors.InvalidData):
            asking(space >> dp.count())(CONNECTION.sql(f"SELECT TIMESTAMP '{end}' AS moment"))


def test_whole_numbers_on_a_declared_grid(monkeypatch: pytest.MonkeyPatch) -> None:
    space = dp.rows(dp.record(x=dp.numbers(-9, 9, 3)))
    total = asking(space >> dp.select(field("x"), dp.numbers(-9, 9, 3)) >> dp.sum())
    by_value = asking(space >> dp.histogram(field("x"), bins=[-6, 3]))
    for values, fine in {(-6, 3, 9): True, (-6, 4, 9): False}.items():
        for data in (pl.DataFrame({"x": values}), CONNECTION.sql(f"SELECT unnest({list(values)}) AS x")):
            if fine:
                with monkeypatch.context() as patched:
                    patched.setattr(Asked, "slow", never)
                    assert (total(data), by_value(data)) == (6, [1, 1])
            else:
                for question in (total, by_value):
                    with pytest.raises(dp.errors.InvalidData, match="'x'"):
                        question(data)
