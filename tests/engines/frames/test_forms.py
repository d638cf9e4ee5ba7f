"""A table means the same in whatever form it is handed over: the same numbers, the same refusals."""

from __future__ import annotations

import datetime
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import dpcore as dp
from tests.engines.frames.forms import FORMS, SINGLE, UNORDERED, Rows, asking, in_all_forms, pa, pd, pl
from tests.thorough import thorough

VISIT = dp.record(
    age=dp.optional(dp.integers(0, 120)),
    region=dp.categories("N", "S", "É"),
    minutes=dp.optional(dp.numbers(0, 180)),
    day=dp.optional(dp.date("2000-01-01", "2029-12-31")),
    note=dp.text(),
    again=dp.booleans(),
)
SPACE = dp.rows(VISIT)
age, minutes = dp.field("age", int), dp.field("minutes", float)
region, day, note = dp.field("region"), dp.field("day"), dp.field("note", str)

QUESTIONS = {
    "count": asking(SPACE >> dp.count()),
    "filter and histogram": asking(SPACE >> dp.filter((age >= 18) & (minutes < 90)) >> dp.histogram(region)),
    "sum on a grid": asking(
        SPACE >> dp.select(minutes.fill_null(0)) >> dp.clamp(0, 60) >> dp.quantize("0.1") >> dp.sum()
    ),
    "sum of integers": asking(SPACE >> dp.select(age.fill_null(0)) >> dp.sum()),
    "by year, null too": asking(SPACE >> dp.histogram(day.year(), bins=[2019, 2020, None])),
    "texts": asking(SPACE >> dp.histogram(note, bins=["", "a", "A", "é", "zz"])),
    "truths": asking(SPACE >> dp.histogram(dp.field("again"))),
    "parts": asking(SPACE >> dp.partition(by=region)),
}

rows_of_visits = st.lists(
    st.fixed_dictionaries(
        {
            "age": st.one_of(st.none(), st.integers(0, 120)),
            "region": st.sampled_from(["N", "S", "É"]),
            "minutes": st.one_of(st.none(), st.integers(0, 18000).map(lambda n: n / 100), st.floats(0, 180)),
            "day": st.one_of(st.none(), st.dates(datetime.date(2000, 1, 1), datetime.date(2029, 12, 31))),
            "note": st.sampled_from(["", "a", "A", "é", "z\n", "zz"]),
            "again": st.booleans(),
        }
    ),
    min_size=1,
    max_size=40,
)


@thorough(20, settings(phases=(Phase.explicit, Phase.generate), suppress_health_check=[HealthCheck.too_slow]))
@given(rows_of_visits)
def test_every_form_means_the_same(rows: Rows) -> None:
    expected = [question(rows) for question in QUESTIONS.values()]
    with tempfile.TemporaryDirectory() as folder:
        for name, form in FORMS.items():
            for question, answer in zip(QUESTIONS.values(), expected, strict=True):
                assert question(form(rows, Path(folder))) == answer, name


@pytest.mark.parametrize("form", SINGLE)
def test_single_values(form: str) -> None:
    total = dp.rows(dp.optional(dp.integers(0, 9))) >> dp.drop_nulls() >> dp.sum()
    assert asking(total)(SINGLE[form]([1, None, 3])) == 4


OFFENCES: dict[str, tuple[str, object]] = {
    "out of bounds": ("age", 121),
    "null": ("region", None),
    "no category": ("region", "X"),
    "infinite": ("minutes", float("inf")),
    "too long": ("minutes", 180.5),
    "too early": ("day", datetime.date(1999, 12, 31)),
}
FINE = {"age": 3, "region": "N", "minutes": 1.5, "day": datetime.date(2020, 1, 1), "note": "a", "again": True}


def refusal(data: object) -> str:
    with pytest.raises(dp.errors.InvalidData) as refused:
        QUESTIONS["count"](data)
    return refused.value.headline


@pytest.mark.parametrize("offence", OFFENCES)
def test_every_form_refuses_the_same_with_the_same_words(offence: str, tmp_path: Path) -> None:
    name, value = OFFENCES[offence]
    rows = [FINE, FINE, {**FINE, name: value}, FINE]
    expected = refusal(rows)
    assert f"row 2, field {name!r}" in expected
    for form, data in in_all_forms(rows, tmp_path):
        if "categories" in form and value is None:
            continue  # of no text at all there are no categories
        assert refusal(data) == expected.replace("row 2", "a row" if form.startswith(UNORDERED) else "row 2"), form


def test_a_stream_is_read_once() -> None:
    stream = pl.DataFrame([FINE]).to_arrow().to_reader()
    assert QUESTIONS["count"](stream) == 1
    assert "read before" in refusal(stream)


def test_what_another_library_raises_is_kept_from_view(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("age,region\nsecret,N\n")
    told = refusal(pl.scan_csv(path, schema={"age": pl.Int64, "region": pl.String}).with_columns(
        minutes=1.0, day=None, note=pl.lit(""), again=True
    ))  # fmt: skip
    assert told.startswith("the data could not be read: polars.")
    path.unlink()
    assert "could not be read" in refusal(pl.scan_csv(path))


def test_what_does_not_fit_is_refused_by_name() -> None:
    frame = pl.DataFrame([FINE])
    assert "field 'region' is missing" in refusal(frame.drop("region"))
    assert "more than once" in refusal(pd.DataFrame([[1, 1]], columns=["age", "age"]))
    assert "expected columns by name but got one column" in refusal(frame["age"])
    with pytest.raises(dp.errors.InvalidData, match="expected one column but got columns by name"):
        (dp.rows(dp.integers()) >> dp.count())(frame)


def test_of_a_known_size() -> None:
    sized = dp.rows(dp.integers(0, 9), size=3) >> dp.sum()
    assert sized(pl.Series([1, 2, 3])) == sized(pa.array([1, 2, 3])) == 6
    for data in (pl.Series([1, 2]), pl.Series([1, 2, 3, 4])):
        with pytest.raises(dp.errors.InvalidData, match="another number of rows"):
            sized(data)


def test_vectors_come_as_lists() -> None:
    total = dp.rows(dp.vector(dp.integers(0, 9), 2)) >> dp.sum(norm=dp.L1Distance)
    assert total(pl.Series([[1, 2], [3, 4]])) == [4, 6]
    assert total(pl.Series([[1, 2], [3, 4]], dtype=pl.Array(pl.Int64, 2))) == [4, 6]
    with pytest.raises(dp.errors.InvalidData, match="row 1"):
        total(pl.Series([[1, 2], [3]]))


def test_decimals_are_exact() -> None:
    grid = dp.rows(dp.numbers(0, 1, step="0.1")) >> dp.sum()
    assert grid(pl.Series(["0.1", "0.2"]).cast(pl.Decimal(10, 2))) == Fraction(3, 10)


def test_true_is_not_one() -> None:
    either = dp.rows(dp.categories(1, True)) >> dp.histogram(bins=[1, True])
    assert either([1, True, True]) == either(pd.Series([1, True, True], dtype=object)) == [1, 2]
    assert either(pl.Series([True, True])) == [0, 2]


@pytest.mark.parametrize("width", ["float16", "float32"])
def test_a_narrow_float_is_its_shortest_decimal_in_every_form(width: str) -> None:
    held = np.array([0.1, 0.7], dtype=width)
    arrow = pa.array(held)
    total = dp.rows(dp.numbers(0, 1, "0.1")) >> dp.sum()
    assert total(arrow) == total(pl.Series(arrow)) == total(pd.Series(held)) == total(held) == Fraction(4, 5)
    assert total(pd.Series(held, dtype=pd.ArrowDtype(arrow.type))) == Fraction(4, 5)
    assert total(pd.Series(pd.Categorical(np.array([0.1, 0.7], dtype="float32")))) == Fraction(4, 5)


@pytest.mark.parametrize("width", ["float16", "float32"])
def test_narrow_floats_in_lists_keep_their_decimals_beside_a_null(width: str) -> None:
    pairs = [[*np.array([0.1, 0.2], dtype=width)], None, [*np.array([0.7, 0.3], dtype=width)]]
    space = dp.rows(dp.record(v=dp.optional(dp.vector(dp.numbers(0, 1, "0.1"), 2)))) >> dp.drop_nulls("v")
    first: Any = dp.field("v")[0]
    total = space >> dp.select(first) >> dp.sum()
    arrow = pa.array(pairs, pa.list_(pa.from_numpy_dtype(width)))
    tables = [pa.table({"v": arrow}), pl.DataFrame({"v": pl.Series(arrow)}), pd.DataFrame({"v": pairs})]
    tables += [pl.DataFrame({"v": pl.Series(arrow)}).lazy(), [{"v": pair} for pair in pairs]]
    tables += [pd.DataFrame({"v": pd.Series(arrow, dtype=pd.ArrowDtype(arrow.type))})]
    assert [total(table) for table in tables] == [Fraction(4, 5)] * len(tables)
