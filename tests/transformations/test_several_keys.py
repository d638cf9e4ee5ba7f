"""A histogram over several keys: each cell is counted as a function that gives the tuple would, on every engine."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import duckdb
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpcore as dp
from dpcore.domains import key
from dpcore.noise.bits import SeededBits
from tests.certificates.tools import checker

d: Any = dp
FACADE = {name: getattr(dp, name) for name in dir(dp)}
DAYS = (datetime.date(2020, 1, 1), datetime.date(2020, 2, 29))
PERSON = dp.record(
    zip=dp.integers(10, 12),
    race=dp.categories("a", "b", None),
    mixed=dp.categories(1, True, "1"),
    born=dp.optional(dp.date()),
    town=dp.text(),
    left=dp.optional(dp.integers(-1, 1)),
    share=dp.numbers(0, 1, step="1/4"),
    sex=dp.booleans(),
)
VALUES: dict[str, tuple[Any, ...]] = {
    "zip": (10, 11, 12),
    "race": ("a", "b", None),
    "mixed": (1, True, "1"),
    "born": (None, *DAYS, datetime.date(1999, 1, 1)),
    "town": ("x", "y", "x ", ""),
    "left": (None, -1, 0, 1),
    "share": (Fraction(0), Fraction(1, 4), Fraction(1)),
    "sex": (False, True),
}
LISTED = {"zip": (10, 11, 12), "race": ("a", "b", None), "left": (None, -1, 0, 1), "sex": (False, True)}
"""What is known beforehand, in the order in which domains list it."""

people = dp.rows(PERSON)
persons = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in VALUES.items()})


def counts_of(rows: Sequence[Mapping[str, Any]], names: Sequence[str], cells: Sequence[Sequence[Any]]) -> list[int]:
    met = Counter(key([row[name] for name in names]) for row in rows)
    return [met[key(list(cell))] for cell in cells]


@given(
    st.lists(persons, max_size=12),
    st.lists(st.sampled_from(sorted(LISTED)), min_size=1, max_size=3, unique=True),
)
def test_all_cells_in_the_order_of_a_product(rows: list[dict[str, Any]], names: list[str]) -> None:
    tally: Any = people >> d.histogram([dp.field(name) for name in names])
    cells = list(product(*[LISTED[name] for name in names]))
    assert tally(rows) == counts_of(rows, names, cells)
    assert sum(tally(rows)) == len(rows)


@given(st.data())
def test_cells_that_are_named(data: st.DataObject) -> None:
    """In any order, and with values that rows do not have."""
    rows = data.draw(st.lists(persons, max_size=12))
    names = data.draw(st.lists(st.sampled_from(sorted(VALUES)), min_size=1, max_size=3, unique=True))
    cell = st.tuples(*[st.sampled_from(VALUES[name]) for name in names])
    cells = data.draw(st.lists(cell, min_size=1, max_size=6, unique_by=lambda c: key(c)))
    by = [dp.field(name) for name in names]
    tally: Any = people >> d.histogram(by, bins=cells)
    assert tally(rows) == counts_of(rows, names, cells)
    as_one_key: Any = people >> d.histogram(lambda row: tuple(row[name] for name in names), bins=cells)
    assert tally(rows) == as_one_key(rows)
    assert eval(repr(tally), FACADE) == tally


SOME = [
    {"zip": 10 + i % 3, "race": ("a", "b", None)[i % 3], "born": (None, *DAYS)[i % 3], "town": "xyz"[i % 2],
     "left": (None, -1, 0, 1)[i % 4], "sex": i % 5 == 0}
    for i in range(120)
]  # fmt: skip
TABLE = dp.record(**{name: domain for name, domain in PERSON.fields if name not in ("mixed", "share")})
IN_FRAMES = [
    dp.histogram([dp.field("zip"), dp.field("race"), dp.field("sex")]),
    dp.histogram([dp.field("left"), dp.field("zip") // 2]),
    dp.histogram([dp.field("town"), dp.field("born")], bins=[("x", None), ("y", "2020-01-01"), ("z", DAYS[1])]),
]


@pytest.mark.parametrize("step", IN_FRAMES, ids=repr)
def test_every_engine_counts_the_same(step: Any) -> None:
    tally: Any = dp.rows(TABLE) >> step
    frame = pl.DataFrame(SOME)
    connection = duckdb.connect()
    connection.register("people", frame.to_arrow())
    carriers: list[object] = [
        frame,
        frame.lazy(),
        frame.to_arrow(),
        connection.sql("select * from people"),
        {name: [row[name] for row in SOME] for name in SOME[0]},
    ]
    assert [tally(each) for each in carriers] == [tally(SOME)] * len(carriers)
    assert sum(tally(SOME)) > 0


def test_no_engine_brings_rows_here(monkeypatch: pytest.MonkeyPatch) -> None:
    from dpcore.engines.queries.asked import Asked

    def slowly(self: object) -> object:
        raise AssertionError("the rows were brought here")

    monkeypatch.setattr(Asked, "slow", slowly)
    for step in IN_FRAMES:
        tally: Any = dp.rows(TABLE) >> step
        assert tally(pl.DataFrame(SOME)) == tally(SOME)


def test_keys_have_columns_of_their_own() -> None:
    """A field under its name; what is computed, and a field that is there twice, by their place."""
    noisy: Any = dp.rows(TABLE) >> IN_FRAMES[1] >> dp.laplace(scale=1)
    found = noisy.release(pl.DataFrame(SOME), bits=SeededBits(5))
    assert found.columns == ["left", "key_1", "value"]
    assert found.select("left", "key_1").rows() == list(product((None, -1, 0, 1), (5, 6)))
    assert found["value"].to_list() == noisy.release(SOME, bits=SeededBits(5))
    dated: Any = dp.rows(TABLE) >> IN_FRAMES[2] >> dp.laplace(scale=1)
    assert dated.release(pl.DataFrame(SOME)).select("town", "born").rows() == [
        ("x", None),
        ("y", DAYS[0]),
        ("z", DAYS[1]),
    ]
    twice: Any = people >> d.histogram([dp.field("sex"), dp.field("sex")]) >> dp.laplace(scale=1)
    assert twice.release(pl.DataFrame(SOME).with_columns(mixed=pl.lit("1"), share=0.5)).columns[:2] == ["sex", "key_1"]


@pytest.mark.parametrize(
    ("norm", "metric", "far"),
    [
        (dp.L1Distance, dp.SymmetricDistance(), 1),
        (dp.L1Distance, dp.ChangeOneDistance(), 2),
        (dp.LInfDistance, dp.ChangeOneDistance(), 1),
    ],
)
def test_the_bound_is_that_of_one_key_and_is_certified(norm: Any, metric: Any, far: int) -> None:
    space: Any = dp.rows(PERSON, metric)
    tally = space >> d.histogram([dp.field("zip"), dp.field("sex")], norm=norm)
    assert tally.stability(1) == far
    assert tally.output.domain.size == 6
    noisy = space >> d.histogram([dp.field("zip"), dp.field("sex")]) >> dp.laplace(scale=2)
    certificate = dp.certify(noisy, d_in=1)
    claims, _ = checker.verify(certificate.text())
    assert claims[0].startswith("claim: pure: epsilon <= " + ("1/2" if far == 1 and norm is dp.L1Distance else "1"))
    assert certificate.data["assumptions"] == []


@pytest.mark.parametrize(
    ("by", "bins", "why"),
    [
        ([], None, "at least one key"),
        (["zip"], None, "expressions"),
        ([len, dp.field("zip")], None, "expressions"),
        ([dp.field("zip"), dp.field("sex")], [10], "tuples of 2 values"),
        ([dp.field("zip"), dp.field("sex")], [(10, True, 1)], "tuples of 2 values"),
        ([dp.field("zip"), dp.field("sex")], [(10, True), (10.0, True)], "one twice"),
        ([dp.field("zip"), dp.field("sex")], [(9, True)], "which no row can have"),
        ([dp.field("zip"), dp.field("town")], None, "needs bins"),
        ([dp.field("zip"), dp.field("tow")], None, "there is no field"),
        ([dp.field("born"), dp.field("town")], [("2020-01-01", "x"), (DAYS[0], "y")], "one twice"),
    ],
)
def test_what_is_refused(by: Any, bins: Any, why: str) -> None:
    with pytest.raises(dp.errors.DPError, match=why):
        people >> d.histogram(by, bins=bins)


def test_cells_are_not_listed_without_end() -> None:
    wide = dp.rows(dp.record(a=dp.integers(0, 999), b=dp.integers(0, 999)))
    with pytest.raises(dp.errors.InvalidParameter, match="1000000 bins"):
        wide >> d.histogram([dp.field("a"), dp.field("b")])
    chosen = wide >> d.histogram([dp.field("a"), dp.field("b")], bins=[(999, 0), (0, 999)])
    assert chosen([{"a": 999, "b": 0}] * 2 + [{"a": 5, "b": 5}, {"a": 0, "b": 999}]) == [2, 1]


def test_a_null_between_whole_numbers_has_no_number() -> None:
    """Its place is that of no value, also of one that no bin was named for."""
    rows: list[dict[str, Any]] = [{"sex": True, "left": left} for left in (None, 0, 0, 1)]
    of = dp.record(sex=dp.booleans(), left=dp.optional(dp.integers(-1, 1)))
    cells = [(True, -1), (True, None), (True, 1)]
    tally: Any = dp.rows(of) >> d.histogram([dp.field("sex"), dp.field("left")], bins=cells)
    assert tally(rows) == [0, 1, 1]
    assert tally(pl.DataFrame(rows, schema_overrides={"left": pl.Int64})) == [0, 1, 1]


def test_every_key_has_a_column_of_its_own() -> None:
    rows = dp.rows(dp.record(key_1=dp.booleans(), n=dp.integers(0, 1)))
    frame = pl.DataFrame({"key_1": [True, False], "n": [0, 1]})
    of = dp.field("key_1")
    for by in ([of, dp.field("n") + 1, dp.field("n")], [dp.field("n") + 1, dp.field("n") + 1, of, of]):
        tally: Any = rows >> d.histogram(by) >> d.laplace(1)
        found = tally.release(frame)
        assert len(found.columns) == len(by) + 1
        assert found["key_1"].dtype == pl.Boolean
