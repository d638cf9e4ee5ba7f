"""Arrays that polars is asked about mean what they mean to numpy, and what their entries mean as Python rows."""

from __future__ import annotations

import gc
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from unittest.mock import Mock, patch

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import dpcore as dp
from dpcore.domains import Array, Domain, NumberDomain, Rows
from dpcore.engines import Table, many_rows
from dpcore.engines.doors import by_rows, table
from dpcore.engines.numpy import arrays as numpy_arrays
from dpcore.engines.numpy import few_texts as texts_room
from dpcore.engines.numpy.few_texts import few_texts
from dpcore.engines.numpy.table import NumpyColumns
from dpcore.engines.queries.table import QueryTable
from dpcore.errors import InvalidData
from dpcore.expressions import row
from tests.engines.frames.forms import FORMS, asking, pd
from tests.engines.frames.forms import Rows as ListedRows
from tests.engines.frames.test_forms import FINE as VISIT
from tests.engines.frames.test_forms import OFFENCES, QUESTIONS, rows_of_visits
from tests.engines.test_reading import arrays, domains, entries, masks
from tests.thorough import thorough

ASKED: Final = [name for name in FORMS if name.startswith(("pandas", "dict"))]
TEXTS: Final = ("N", "S", "É", "", "a\0", "north", "Ω")


@contextmanager
def every_row_is_many() -> Iterator[None]:
    with patch.object(many_rows, "MANY_ROWS", 0), patch.object(numpy_arrays, "MANY_TEXTS", 1):
        yield


def figures(found: Table) -> list[object]:
    numbers = isinstance(found.domain, NumberDomain)
    by_value = sorted(found.tally_all(row()).items())
    return [found.count(), by_value, (found.total(), found.ranks([0, 3])) if numbers else None]


def outcome(data: object, domain: Domain) -> object:
    try:
        return figures(table(data, Rows(domain)))
    except InvalidData as refusal:
        return str(refusal)


@thorough(1000)
@given(domains, arrays.flatmap(masks))
def test_an_array_is_asked_as_its_entries_would_be(domain: Domain, data: Array) -> None:
    data.flags.writeable = False
    with every_row_is_many():
        found = outcome(data, domain)
    assert found == outcome(entries(data), domain)


@thorough(20, settings(phases=(Phase.explicit, Phase.generate), suppress_health_check=[HealthCheck.too_slow]))
@given(rows_of_visits)
def test_every_form_means_the_same(rows: ListedRows) -> None:
    expected = [question(rows) for question in QUESTIONS.values()]
    with tempfile.TemporaryDirectory() as folder, every_row_is_many():
        for name in ASKED:
            for question, answer in zip(QUESTIONS.values(), expected, strict=True):
                assert question(FORMS[name](rows, Path(folder))) == answer, name


@pytest.mark.parametrize("offence", OFFENCES)
@pytest.mark.parametrize("form", ASKED)
def test_the_refusal_is_the_same(form: str, offence: str, tmp_path: Path) -> None:
    name, value = OFFENCES[offence]
    rows = [VISIT, VISIT, {**VISIT, name: value}, VISIT]
    with pytest.raises(InvalidData) as plain:
        QUESTIONS["count"](FORMS[form](rows, tmp_path))
    with every_row_is_many(), pytest.raises(InvalidData) as refused:
        QUESTIONS["count"](FORMS[form](rows, tmp_path))
    assert str(refused.value) == str(plain.value)


ROW: Final = dp.record(age=dp.integers(0, 120), region=dp.categories("N", "S"), cost=dp.numbers(0, 9))
COLUMNS: Final = {
    "age": np.array([3, 120, 0], dtype=np.int32),
    "region": np.array(["N", "S", "N"], dtype=object),
    "cost": np.array([0.1, 9.0, 0.0]),
}


def test_polars_is_asked_from_so_many_rows_on_and_where_it_is() -> None:
    assert isinstance(table(COLUMNS, Rows(ROW)), NumpyColumns)
    with every_row_is_many():
        assert isinstance(table(COLUMNS, Rows(ROW)), QueryTable)
        assert isinstance(table(pd.DataFrame(COLUMNS).astype({"region": "category"}), Rows(ROW)), QueryTable)
        with patch.object(many_rows, "has", lambda package: False):
            assert isinstance(table(COLUMNS, Rows(ROW)), NumpyColumns)
    many = np.zeros(many_rows.MANY_ROWS)
    assert isinstance(table(many, Rows(dp.numbers(0, 1))), QueryTable)
    assert isinstance(table(many[1:], Rows(dp.numbers(0, 1))), NumpyColumns)


def test_the_array_is_where_it_was_and_stays_there() -> None:
    """It is not copied; and it is there as long as the table is, whatever its owner forgets."""
    data = np.arange(100_000)
    with every_row_is_many():
        found = table(data, Rows(dp.integers(0, 10**6)))
    data[0] = 7
    assert found.total() == sum(range(100_000)) + 7
    del data
    gc.collect()
    other = [np.full(100_000, 5) for _ in range(4)]
    assert found.filter(row(int) > 99_998).total() == 99_999
    assert len(other) == 4


def test_rows_that_are_kept_are_nobody_elses() -> None:
    """What was checked once and is asked again and again may not be written into."""
    data = {name: column.copy() for name, column in COLUMNS.items()}
    with every_row_is_many():
        kept = table(data, Rows(ROW)).kept()
    data["age"][0] = 77
    assert kept.select(dp.field("age"), dp.integers(0, 120)).total() == 123


class Shout(str):
    """A text that says something else of itself."""

    def __str__(self) -> str:
        return super().__str__().upper()

    def __eq__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        return 0


@pytest.mark.parametrize(
    "texts",
    [
        ["N", "S", "N"], ["N", None, "S"], [None, None], ["N", 1], ["N", True], ["N", float("nan")], ["\ud800", "N"],
        ["X", "N"], [Shout("N"), "S"], [np.str_("N"), "S"], ["".join(["no", "rth"]), "north"], [b"N", "N"], [["N"], "N"],
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "domain",
    [
        dp.categories("N", "S", "north"), dp.categories("N", 1), dp.optional(dp.categories("N", "S")),
        dp.text(), dp.optional(dp.text()),
    ],
)  # fmt: skip
@pytest.mark.parametrize("few", [0, texts_room.FEW])
def test_texts_that_are_python_objects(texts: list[object], domain: Domain, few: int) -> None:
    data = np.empty(len(texts), dtype=object)
    data[:] = texts
    with every_row_is_many(), patch.object(texts_room, "FEW", few):
        found = outcome(data, domain)
    assert found == outcome(texts, domain)


@thorough(150)
@given(st.lists(st.sampled_from([*TEXTS, None]), min_size=1, max_size=60), st.integers(1, 4), st.integers(1, 3))
def test_few_texts_are_each_where_they_were(texts: Sequence[str | None], sample: int, step: int) -> None:
    data = np.array([*texts, None], dtype=object)[:-1][::step]
    with patch.object(texts_room, "SAMPLE", sample), patch.object(texts_room, "BLOCK", 7):
        found = few_texts(data)
    assert found is not None
    assert [found.value(place) for place in range(len(found))] == data.tolist()
    assert len(set(found.table)) == len(found.table)


@thorough(150)
@given(
    st.lists(st.sampled_from([*TEXTS, "nor", "\ud800", "a\0b"]), min_size=1, max_size=60),
    st.integers(1, 3),
    st.integers(0, 9),
)
def test_few_texts_of_one_width(texts: Sequence[str], step: int, wider: int) -> None:
    width = max(1, *map(len, texts)) + wider
    data = np.array(texts, dtype=f"U{width}")[::step]
    with patch.object(texts_room, "SAMPLE", 2), patch.object(texts_room, "BLOCK", 7):
        found = few_texts(data)
    assert found is not None
    assert [found.value(place) for place in range(len(found))] == [str(text) for text in data]


@pytest.mark.parametrize("mixer", [0, 1])
def test_texts_that_mix_to_the_same_are_not_mixed_up(mixer: int) -> None:
    """Whatever the marks are, the texts are compared: with these, a mark is the last letter, or the sum of all."""
    data = np.array(["north", "south", "thorn", "a\uffffb", ""] * 9)
    with patch.object(texts_room, "MIXER", mixer):
        assert few_texts(data) is None
    with every_row_is_many(), patch.object(texts_room, "MIXER", mixer):
        assert outcome(data, dp.text()) == outcome(data.tolist(), dp.text())


def test_other_texts_of_one_width_are_read_otherwise() -> None:
    assert few_texts(np.array(["N"], dtype=">U1" if np.little_endian else "<U1")) is None
    assert few_texts(np.array(["N" * (texts_room.WIDEST + 1)])) is None
    assert few_texts(np.array([b"N"])) is None


def test_what_is_not_few_texts() -> None:
    many = np.array([f"text {i}" for i in range(texts_room.FEW + 1)], dtype=object)
    assert few_texts(many) is None
    with patch.object(texts_room, "SLOTS", 1 << 22):  # wherever Python has put them
        assert few_texts(many[:-1]) is not None
    for other in (3, 1.5, b"N", np.str_("N"), Shout("N")):
        odd = np.array(["N"] * 5000, dtype=object)
        odd[4321] = other  # which the sample does not meet
        assert few_texts(odd) is None


def test_empty_places_of_an_array_are_null() -> None:
    """An array that numpy made room for holds no addresses yet."""
    data = np.empty(3, dtype=object)
    data[1] = "N"
    found = few_texts(data)
    assert found is not None
    assert [found.value(place) for place in range(3)] == [None, "N", None]


REGIONS: Final = dp.rows(dp.record(region=dp.categories("N", "S")))


@pytest.mark.parametrize("kind", [pl.Enum(["S", "X", "N"]), pl.Categorical()])
def test_codes_of_texts_are_counted_by_what_they_stand_for(kind: pl.DataType) -> None:
    histogram = asking(REGIONS >> dp.histogram(dp.field("region")))
    length = asking(REGIONS >> dp.select(dp.field("region", str).length()) >> dp.sum())
    frame = pl.DataFrame({"region": ["S", "N", "N"]}, schema={"region": kind})
    assert (histogram(frame), length(frame)) == ([2, 1], 3)
    odd = pl.DataFrame({"region": ["S", "X"]}, schema={"region": kind})
    for question in (histogram, length):
        with pytest.raises(InvalidData, match="row 1, field 'region', none of the categories"):
            question(odd)
        with pytest.raises(InvalidData, match="row 1, field 'region'"):
            question(pl.DataFrame({"region": ["S", None]}, schema={"region": kind}))


def test_a_fault_of_an_enum_that_its_type_admits_is_seen() -> None:
    """Where every category is one of the domain, nothing but nulls is looked for."""
    fits = pl.DataFrame({"region": ["S", "N"]}, schema={"region": pl.Enum(["N", "S"])})
    assert asking(REGIONS >> dp.count())(fits) == 2
    nulls = pl.DataFrame({"region": ["S", None]}, schema={"region": pl.Enum(["N", "S"])})
    with pytest.raises(InvalidData, match="row 1, field 'region'"):
        asking(REGIONS >> dp.count())(nulls)


def test_texts_alone_are_asked_of_polars() -> None:
    with every_row_is_many():
        found = table(np.array(["N", None, "S", "N"], dtype=object), Rows(dp.optional(dp.text())))
    assert isinstance(found, QueryTable)
    with patch.object(QueryTable, "in_memory", Mock(side_effect=AssertionError)):
        counts = found.tally_all(row())
    assert sorted(counts.values()) == [1, 1, 2]
    assert found.select(row(str).length().fill_null(7), dp.integers(0, 9)).total() == 10


def test_a_field_without_a_name() -> None:
    """Polars would give it one."""
    with every_row_is_many():
        found = table({"": np.array([1, 2])}, Rows(dp.record(**{"": dp.integers(0, 9)})))
    assert found.select(dp.field(""), dp.integers(0, 9)).total() == 3


@pytest.mark.parametrize("kind", ["str", "string"])
def test_texts_of_pandas_where_there_is_no_pyarrow(kind: str) -> None:
    frame = pd.DataFrame({"region": pd.Series(["S", "N", "N"], dtype=kind)})
    histogram = asking(REGIONS >> dp.histogram(dp.field("region")))
    with every_row_is_many(), patch.object(pl, "Series", Mock(side_effect=ImportError)):
        assert histogram(frame) == [2, 1]


def test_by_name_and_alone() -> None:
    ages = [3, 120, 0]
    with every_row_is_many():
        alone = table(np.array(ages), Rows(dp.integers(0, 120)))
        named = table({"age": np.array(ages)}, Rows(dp.record(age=dp.integers(0, 120))))
        assert isinstance(alone, QueryTable)
        assert alone.in_memory() == ages
        assert named.in_memory() == [{"age": age} for age in ages]
        assert figures(alone) == figures(by_rows(ages, Rows(dp.integers(0, 120))))
