"""What tables of other libraries hold is read as what it means: NaN, NA and NaT as null, whole floats as whole numbers,
moments at midnight as days. On every carrier alike, and only where the domain says that it may be.
"""

from __future__ import annotations

import datetime
import subprocess
import sys

import numpy as np
import pytest

import dpcore as dp
from dpcore.domains import Domain, Rows, is_missing
from dpcore.engines.doors import table
from dpcore.engines.numpy.lists import FEW_ROWS

NA = type("NAType", (), {"__module__": "pandas._libs.missing"})()
NAT = type("NaTType", (datetime.datetime,), {"__module__": "pandas._libs.tslibs.nattype"})(1, 1, 1)
DAY = datetime.date(2020, 2, 29)
NAN = float("nan")


def everywhere(values: list[object]) -> list[object]:
    """The same values on every carrier, few and many."""
    holding = np.empty(len(values), dtype=object)
    holding[:] = values
    return [values, values * FEW_ROWS, holding, [np.float64(v) if isinstance(v, float) else v for v in values]]


@pytest.mark.parametrize("missing", [None, NAN, np.float64("nan"), np.float32("nan"), np.datetime64("NaT"), NA, NAT])
@pytest.mark.parametrize(
    ("domain", "member"),
    [
        (dp.integers(), 3), (dp.numbers(), 0.5), (dp.booleans(), True), (dp.text(), "a"), (dp.date(), DAY),
        (dp.categories("a", "b"), "a"),
    ],
)  # fmt: skip
def test_what_is_missing_is_null(missing: object, domain: Domain, member: object) -> None:
    for data in everywhere([member, missing, member]):
        rows = table(data, Rows(dp.optional(domain))).in_memory()
        assert rows[:3] == [domain.canonical(member), None, domain.canonical(member)]
        with pytest.raises(dp.errors.InvalidData, match=r"row 1, expected .* but got null") as refusal:
            table(data, Rows(domain))
        assert refusal.value.bridge == "optional(...) around that domain, then drop_nulls() or .fill_null(...)"


def test_columns_of_floats() -> None:
    ages = table(np.array([30.0, np.nan, 41.0]), Rows(dp.optional(dp.integers(0, 120))))
    assert ages.in_memory() == [30, None, 41]
    assert {type(v) for v in ages.in_memory()} == {int, type(None)}
    assert table({"a": np.array([0.1, np.nan])}, Rows(dp.record(a=dp.optional(dp.numbers())))).count() == 2
    masked = np.ma.MaskedArray([np.nan, 2.0, 3.0], [False, False, True])
    assert table(masked, Rows(dp.optional(dp.integers()))).in_memory() == [None, 2, None]


@pytest.mark.parametrize("bad", [1.5, float("inf"), 121.0, -1.0, 1e30])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, object])
def test_a_float_that_is_no_whole_number_of_the_domain(bad: float, dtype: type) -> None:
    data = [1.0, 2.0, bad, 0.5]
    carriers: list[object] = [data, data * FEW_ROWS, np.array(data, dtype=dtype)]
    for given in carriers:
        with pytest.raises(dp.errors.InvalidData, match="row 2"):
            table(given, Rows(dp.integers(0, 120)))


def test_whole_floats_are_exactly_what_was_typed() -> None:
    typed = [1e22, 2.0**53, -0.0, 9007199254740994.0]
    expected = [10**22, 2**53, 0, 9007199254740994]
    for data in everywhere(list(typed)):
        found = table(data, Rows(dp.integers())).in_memory()[:4]
        assert found == expected
        assert {type(v) for v in found} == {int}
    assert table(np.array(typed), Rows(dp.integers())).in_memory() == expected
    assert dp.integers().member(2.0)
    assert not dp.integers().member(True)


@pytest.mark.parametrize("unit", ["D", "s", "ms", "us", "ns"])
def test_days_of_any_unit(unit: str) -> None:
    days = np.array(["2020-02-29", "1969-12-31"], dtype=f"datetime64[{unit}]")
    expected = [DAY, datetime.date(1969, 12, 31)]
    for data in (days, list(days), list(days) * FEW_ROWS):
        assert table(data, Rows(dp.date())).in_memory()[:2] == expected
        with pytest.raises(dp.errors.InvalidData, match="row 1, out of bounds"):
            table(data, Rows(dp.date("2000-01-01")))
    if unit != "D":
        noon = days + np.ones(2, f"timedelta64[{unit}]")
        with pytest.raises(dp.errors.InvalidData, match="row 0, expected a date but got a datetime64"):
            table(noon, Rows(dp.date()))


def test_moments() -> None:
    assert dp.date().canonical(datetime.datetime(2020, 2, 29)) == DAY
    assert type(dp.date().canonical(datetime.datetime(2020, 2, 29))) is datetime.date
    assert not dp.date().member(datetime.datetime(2020, 2, 29, 12))
    assert not dp.date().member(datetime.datetime(2020, 2, 29, tzinfo=datetime.UTC)), "a day is in no zone"
    stamp = type("Timestamp", (datetime.datetime,), {"nanosecond": 1})(2020, 2, 29)
    assert not dp.date().member(stamp), "a nanosecond after midnight"


def test_what_is_not_missing() -> None:
    assert not any(
        map(is_missing, [0, 0.0, "", "nan", False, DAY, float("inf"), np.datetime64("2020-01-01"), object()])
    )
    other = type("NAType", (), {"__module__": "pandastic"})()
    assert not is_missing(other)


def test_columns_that_were_not_declared_are_named() -> None:
    """Columns only: what a row has more than others is something that it says itself."""
    domain = Rows(dp.record(age=dp.integers()))
    with pytest.raises(dp.errors.InvalidData, match="fields that were not declared: 'name', 'e'"):
        table({name: np.array([1]) for name in ("age", "name", "e")}, domain)
    for many in (1, FEW_ROWS):
        with pytest.raises(dp.errors.InvalidData, match=r"row 0, fields that were not declared") as refusal:
            table([{"age": 1, "name": "ann"}] * many, domain)
        assert "'name'" not in str(refusal.value)


def test_what_was_not_declared_is_left_aside_where_one_says_so() -> None:
    """Whatever it holds, on every carrier: rows are the same as without it, and nobody after the door sees it."""
    declared = {"age": dp.integers(0, 120), "name": dp.text()}
    domain, closed = Rows(dp.record(**declared, extra="ignore")), Rows(dp.record(**declared))
    for many in (1, FEW_ROWS):
        bare = [{"age": 1, "name": "ann"}] * many
        holding = np.empty(many, dtype=object)
        holding[:] = [{**row, "e": object()} for row in bare]
        columns: dict[str, object] = {"age": np.ones(many), "name": np.array(["ann"] * many), "e": [object()]}
        for data in (bare, list(holding), holding, columns, [{**bare[0], "e": 1}, *bare[1:]]):
            assert table(data, domain).in_memory() == bare
            if data is not bare:
                with pytest.raises(dp.errors.InvalidData) as refusal:
                    table(data, closed)
                assert refusal.value.bridge == 'record(..., extra="ignore"), which leaves them aside'
        for lacking in ([{"age": 1, "e": 1}] * many, {"age": np.ones(many), "e": np.ones(many)}):
            with pytest.raises(dp.errors.InvalidData, match="field 'name' is missing"):
                table(lacking, domain)
    rows = dp.rows(domain.of)
    assert (rows >> dp.row_map(len, dp.integers(0, 9)))([{"age": 1, "name": "ann", "e": 2}]) == [2]
    with pytest.raises(dp.errors.InvalidExpression, match="there is no field 'e'"):
        rows >> dp.filter(dp.field("e") > 0)
    with pytest.raises(dp.errors.InvalidParameter, match="Expected a domain for field 'extra'"):
        dp.record(**declared, extra="forbid")  # type: ignore[call-overload]


def test_rows_arrays_and_pandas_need_no_polars() -> None:
    """It is an extra, so what does not need it imports nothing that does."""
    program = (
        "import sys; sys.modules['polars'] = None\n"
        "import numpy, pandas, dpcore as dp\n"
        "space = dp.rows(dp.record(age=dp.integers(0, 9)))\n"
        "total = space >> dp.select(dp.field('age')) >> dp.sum() >> dp.laplace(scale=1)\n"
        "ages = numpy.arange(9)\n"
        "for data in ([{'age': 3}] * 9, {'age': ages}, pandas.DataFrame({'age': ages})):\n"
        "    assert isinstance(total.release(data), int)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
