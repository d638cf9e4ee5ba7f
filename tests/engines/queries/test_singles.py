"""Floats of 32 bits are asked of the engine, and each means the shortest decimal of 32 bits, as it does in a row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import dpcore as dp
from dpcore.engines.numpy.widths import SINGLE
from dpcore.engines.queries.asked import Asked
from dpcore.expressions import field
from dpcore.expressions.intervals import nearest
from tests.engines.frames.forms import asking, duckdb, pa, pd, pl
from tests.engines.queries.answers import never
from tests.thorough import thorough

Row = Mapping[str, object]
Form = Callable[[Sequence[Row]], object]

CONNECTION: Final = duckdb.connect()
TYPES: Final = dict.fromkeys(["x", "y", "cents"], pl.Float32)


def as_frame(rows: Sequence[Row]) -> Any:
    return pl.DataFrame([{name: _plain(row[name]) for name in TYPES} for row in rows], schema=TYPES)


def _plain(value: object) -> object:
    return value.item() if isinstance(value, np.generic) else value


def in_pandas(rows: Sequence[Row]) -> Any:
    return pd.DataFrame({name: np.array([row[name] for row in rows], dtype=np.float32) for name in TYPES})


FORMS: Final[Mapping[str, Form]] = {
    "polars": as_frame,
    "lazy": lambda rows: as_frame(rows).lazy(),
    "pyarrow": lambda rows: as_frame(rows).to_arrow(),
    "DuckDB": lambda rows: CONNECTION.from_arrow(as_frame(rows).to_arrow()),
}
"""What is asked of an engine; pandas is not."""

singles = st.one_of(
    st.integers(-(10**6), 10**6).map(lambda n: np.float32(n / 1000)),
    st.integers(-200, 200).map(lambda n: np.float32(n / 20)),
    st.floats(-1000, 1000, width=32).map(np.float32),
)
beside = st.builds(np.nextafter, singles, st.sampled_from([np.float32(-2000), np.float32(2000)]))
some = st.one_of(singles, beside).filter(lambda x: abs(x) <= 1000)
cents = st.integers(-(10**4), 10**4).map(lambda n: np.float32(n / 100))

ROW: Final = dp.record(x=dp.numbers(-1000, 1000), y=dp.optional(dp.numbers()), cents=dp.numbers(-100, 100, "0.01"))
SPACE: Final = dp.rows(ROW)
x, y, of_cents = (field(name, float) for name in TYPES)


def rounded(expr: Any, step: str) -> Callable[[object], object]:
    within = dp.numbers(-4000, 4000)
    return asking(SPACE >> dp.select(expr, within) >> dp.quantize(step) >> dp.sum())


QUESTIONS: Final = {
    "count": asking(SPACE >> dp.count()),
    "sum": rounded(x, "0.1"),
    "sum in twentieths": rounded(x.clip(-100, 100), "0.05"),
    "clipped": rounded(x.clip(-0.7, 12.35), "0.1"),
    "on a grid": asking(SPACE >> dp.select(of_cents) >> dp.sum()),
    "on a coarser one": rounded(of_cents * 2, "0.1"),
    "compared": asking(SPACE >> dp.filter((x >= 0.1) & (x < Fraction(37, 20))) >> dp.count()),
    "equal": asking(SPACE >> dp.filter((x == Fraction(1, 10)) | x.isin(0, Fraction("-3.15"))) >> dp.count()),
    "not observed": asking(SPACE >> dp.histogram(y.is_null())),
    "filled": asking(SPACE >> dp.filter(y.fill_null(0.3) <= 0.3) >> dp.count()),
    "by tenths": asking(SPACE >> dp.histogram(x.round("0.1"), bins=[0, Fraction(1, 10), Fraction(-3, 10), 1000])),
    "with each other": asking(SPACE >> dp.filter(x < y.fill_null(1)) >> dp.count()),
    "ranks": asking(SPACE >> dp.select(x) >> dp.quantile_scores([-3, 0, Fraction(1, 10)], Fraction(1, 2))),
}

rows_of_all = st.lists(
    st.fixed_dictionaries({"x": some, "y": st.one_of(st.just(np.float32("nan")), singles), "cents": cents}),
    min_size=1,
    max_size=20,
)
HALVES: Final = [
    {"x": np.float32(n / 20), "y": np.float32(n / 10), "cents": np.float32(n / 100)} for n in range(-70, 250)
]


@thorough(40, settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]))
@given(rows_of_all)
@example(HALVES)
def test_they_mean_the_same(monkeypatch: pytest.MonkeyPatch, rows: list[Row]) -> None:
    expected = [question(rows) for question in QUESTIONS.values()]
    with monkeypatch.context() as patched:
        patched.setattr(Asked, "slow", never)
        for name, form in FORMS.items():
            data = form(rows)
            assert [question(data) for question in QUESTIONS.values()] == expected, name
    assert [question(in_pandas(rows)) for question in QUESTIONS.values()] == expected


def test_a_single_is_not_the_double_that_it_is_held_as() -> None:
    """0.35 of 32 bits is 0.3499999940395355 as a double, which is nearer to 0.3 than to 0.4."""
    value = np.float32("0.35")
    total = asking(dp.rows(dp.record(x=dp.numbers(0, 1))) >> dp.select(x) >> dp.quantize("0.1") >> dp.sum())
    assert total(pl.DataFrame({"x": [float(value)]})) == Fraction(3, 10)
    for data in (
        [{"x": value}],
        pl.DataFrame({"x": [float(value)]}, schema={"x": pl.Float32}),
        CONNECTION.sql("SELECT CAST(0.35 AS FLOAT) AS x"),
        pd.DataFrame({"x": np.array([value])}),
        pa.table({"x": pa.array([value], pa.float32())}),
    ):
        assert total(data) == Fraction(4, 10)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("name", "value"),
    [("x", "nan"), ("x", "inf"), ("x", "1000.0001"), ("x", "-1000.0001"), ("y", "-inf"), ("cents", "0.101"),
     ("cents", "100.00001"), ("cents", "nan"), ("x", None), ("cents", None)],
)  # fmt: skip
def test_what_is_no_member_is_refused(form: str, name: str, value: str | None) -> None:
    row: Row = {"x": np.float32(1000), "y": None, "cents": np.float32("-0.07")}
    bad = None if value is None else np.float32(value)
    for question in (SPACE >> dp.count(), SPACE >> dp.select(x) >> dp.quantize("0.1") >> dp.sum()):
        assert asking(question)(FORMS[form]([row])) in (1, 1000)
        with pytest.raises(dp.errors.InvalidData, match=f"'{name}'"):
            asking(question)(FORMS[form]([row, {**row, name: bad}]))


def decimal(f: np.float32) -> Fraction:
    return Fraction(str(f))


bits = st.integers(0, (1 << 32) - 1).map(lambda n: np.array([n], dtype=np.uint32).view(np.float32)[0])
finite = st.one_of(bits, some).filter(np.isfinite)


@thorough(400)
@given(finite, st.sampled_from([0, 1, -1]), st.integers(-45, 40))
@example(np.finfo(np.float32).max, 1, 20)
@example(np.finfo(np.float32).max, 1, 39)
@example(np.finfo(np.float32).min, -1, 39)
@example(np.float32(0), 0, 0)
@example(np.float32(2.0**33), 0, 0)
def test_where_a_number_lies_among_singles(f: np.float32, sign: int, exponent: int) -> None:
    number = decimal(f) + sign * Fraction(10) ** exponent
    for bound, holds in ((SINGLE.at_least(number), number.__le__), (SINGLE.above(number), number.__lt__)):
        with np.errstate(all="ignore"):
            narrow = np.float32(bound)
            before = np.nextafter(narrow, np.float32(-np.inf))
        assert float(narrow) == bound
        assert not np.isfinite(narrow) or holds(decimal(narrow))
        assert not np.isfinite(before) or not holds(decimal(before))
    its = SINGLE.float_of(number)
    assert its is None or decimal(np.float32(its)) == number
    if sign == 0:
        assert its == float(f)


@thorough(400)
@given(st.integers(-(10**6) + 1, 10**6 - 1), st.integers(0, 9))
def test_decimals_of_six_digits_are_the_shortest_of_their_floats(n: int, places: int) -> None:
    """By a division of doubles that is rounded once more."""
    assert SINGLE.is_short(abs(n), 10**places)
    assert not SINGLE.is_short(10**6, 10**places)
    assert decimal(np.float32(n / 10**places)) == Fraction(n, 10**places)


STEPS: Final = [Fraction(text) for text in ("0.1", "0.05", "0.3", "1/4", "1", "2.5", "7")]


@pytest.mark.parametrize("step", STEPS, ids=str)
@pytest.mark.parametrize("form", FORMS)
def test_singles_beside_ties(step: Fraction, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each by itself, for in a sum two errors may make none."""
    values = []
    for half in range(-60, 61):
        tie = np.float32(float(step * half / 2))
        values += [np.nextafter(tie, np.float32(-np.inf)), tie, np.nextafter(tie, np.float32(np.inf))]
    rows = [{"x": value, "y": None, "cents": np.float32(0)} for value in values]
    wanted = dict.fromkeys(sorted({nearest(decimal(value), step) for value in values}), 0)
    for value in values:
        wanted[nearest(decimal(value), step)] += 1
    space = dp.rows(dp.record(x=dp.numbers(-250, 250)))  # so that a middle has no more than 6 digits
    bins = [int(k) if step.denominator == 1 else k for k in wanted]
    question = asking(space >> dp.histogram(x.round(step), bins=bins))
    monkeypatch.setattr(Asked, "slow", never)
    assert question(FORMS[form](rows)) == list(wanted.values())
