"""Rows that are objects of a class mean what the dicts of their fields mean, in short lists and in long ones."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from enum import Enum
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpcore as dp
from dpcore.engines.doors import table
from dpcore.engines.numpy.lists import FEW_ROWS
from dpcore.engines.numpy.table import NumpyColumns
from dpcore.types import Domain
from tests.domains.enumerations import Answer, Region


class Number(Enum):
    ONE = 1
    MANY = (1, [2])


class Day(Enum):
    FIRST = datetime.date(2020, 1, 1)


@dataclass
class Person:
    age: int
    region: Region
    pay: float | None = None


class Named(NamedTuple):
    age: int
    region: Region
    pay: float | None = None


PEOPLE = dp.record.of(Person)

VALUES = st.tuples(st.integers(0, 9), st.sampled_from(Region), st.none() | st.floats(0, 9))
LISTS = st.lists(VALUES, max_size=3 * FEW_ROWS)


def kinds() -> Iterator[tuple[type[Any], Any]]:
    yield Person, PEOPLE
    yield Named, dp.record.of(Named)
    if find_spec("pydantic") is not None:
        pydantic: Any = import_module("pydantic")
        model = pydantic.create_model("Model", age=(int, ...), region=(Region, ...), pay=(float | None, None))
        yield model, dp.record.of(model)


KINDS = [*kinds()]


@pytest.mark.parametrize(("cls", "record"), KINDS)
@given(values=LISTS)
def test_objects_are_the_dicts_of_their_fields(
    cls: type[Any], record: Any, values: list[tuple[int, Region, float | None]]
) -> None:
    names = ("age", "region", "pay")
    objects = [cls(**dict(zip(names, each, strict=True))) for each in values]
    dicts = [{"age": age, "region": region.value, "pay": pay} for age, region, pay in values]
    kept = dp.rows(record) >> dp.filter(dp.field("region") == Region.NORTH)
    assert kept(objects) == kept(dicts)
    assert len(kept(objects)) == sum(row["region"] == "N" for row in dicts)
    assert dp.SymmetricDistance().distance(objects, dicts) == 0
    assert dp.PersonDistance("age").distance(objects, dicts) == 0
    if len(values) >= FEW_ROWS:
        assert isinstance(table(objects, dp.types.Rows(record)), NumpyColumns), "as fast as dicts"


def test_without_pydantic_two_kinds_are_tried() -> None:
    pytest.importorskip("pydantic")
    assert len(KINDS) == 3


def test_one_object_is_a_value() -> None:
    answer = dp.value(dp.record.of(Named), dp.DiscreteDistance)
    assert answer.domain.canonical(Named(3, Region.SOUTH)) == {"age": 3, "region": "S", "pay": None}
    same: dict[str, object] = {"age": 3, "region": "S", "pay": None}
    for one in (Named(3, Region.SOUTH), Person(3, Region.SOUTH)):
        assert answer.metric.distance(one, same) == 0
        assert answer.metric.distance(one, {**same, "age": 4}) == 1


REGIONS = dp.categories("N", "S")


@pytest.mark.parametrize("times", [1, FEW_ROWS])
def test_a_member_of_an_enumeration_is_its_value(times: int) -> None:
    rows: Any = dp.rows(REGIONS) >> dp.histogram()
    data = [Region.NORTH, Region.SOUTH, Region.NORTH] * times
    expected = [2 * times, times]
    assert rows(data) == rows(np.array(data)) == rows([region.value for region in data]) == expected
    bins: Any = dp.rows(REGIONS) >> dp.histogram(bins=[Region.SOUTH])
    assert bins(data) == [times]
    answers: Any = dp.rows(dp.booleans()) >> dp.filter(dp.row(bool))
    assert answers([Answer.NO, Answer.YES] * times) == [True] * times, "Python takes each member for true"
    assert dp.categories(Day.FIRST) == dp.categories(Day.FIRST.value)
    assert dp.categories(Day.FIRST).canonical(Day.FIRST) == Day.FIRST.value


@pytest.mark.parametrize(
    ("domain", "member"),
    [(dp.integers(), Number.ONE), (dp.text(), Region.NORTH), (REGIONS, Number.MANY), (REGIONS, Number.ONE)],
)
def test_other_domains_hold_no_members_of_enumerations(domain: Domain, member: Enum) -> None:
    assert not domain.member(member)


@dataclass
class Wide(Person):
    more: int = 0


@dataclass(slots=True)
class Unset:
    age: int = field(init=False)


@dataclass
class Failing:
    age: int

    def __getattribute__(self, name: str) -> Any:
        if name == "age":
            raise SystemExit("a value of the data")
        return object.__getattribute__(self, name)


class Plain:
    age = 3


@dataclass
class Both(Mapping[str, object]):
    """A mapping says by itself what it holds."""

    age: int

    def __getitem__(self, name: str) -> object:
        return {"age": -1}[name]

    def __iter__(self) -> Iterator[str]:
        return iter(["age"])

    def __len__(self) -> int:
        return 1


AGED = dp.record(age=dp.integers(0, 120))


@pytest.mark.parametrize("times", [1, FEW_ROWS])
@pytest.mark.parametrize(
    ("row", "said"),
    [
        (Person(3, Region.NORTH), "row 0, fields that were not declared"),
        (Unset(), "row 0, field 'age' is missing"),
        (Failing(3), "row 0, field 'age' is missing"),
        (Plain(), "row 0, expected a record but got a Plain"),
        (Both(3), "row 0, field 'age', out of bounds"),
        ((3,), "row 0, expected a record but got a tuple"),
    ],
)
def test_what_no_row_is_refused_without_its_values(row: object, said: str, times: int) -> None:
    untyped: Any = dp.rows(AGED) >> dp.count()
    with pytest.raises(dp.errors.InvalidData) as refusal:
        untyped([row] * times)
    assert refusal.value.headline == f"the data are not in the input domain: {said}"
    assert "a value of the data" not in str(refusal.value)
    assert refusal.value.__context__ is None


@pytest.mark.parametrize("times", [1, FEW_ROWS])
def test_an_open_record_leaves_other_fields_aside(times: int) -> None:
    narrow = dp.rows(dp.record.of(Person, extra="ignore"))
    wide: list[Person] = [Wide(3, Region.NORTH, None, 7)] * times
    assert (narrow >> dp.filter(dp.field("age") > 0))(wide) == [{"age": 3, "region": "N", "pay": None}] * times
    mixed: list[Any] = [{**asdict(wide[0])}, Named(3, Region.NORTH)] * times
    assert (narrow >> dp.count())(mixed) == 2 * times


def test_a_function_may_give_objects() -> None:
    made = dp.rows(dp.integers()) >> dp.row_map(lambda age: Person(age, Region.NORTH), PEOPLE)
    assert made([1, 2]) == [{"age": age, "region": "N", "pay": None} for age in (1, 2)]


COLUMNS = {"age": np.array([3]), "regio": np.array(["N"]), "pay": np.array([1.5])}


@pytest.mark.parametrize(
    ("given_", "said"),
    [
        (COLUMNS, "field 'region' is missing; did you mean 'regio'?"),
        ({**COLUMNS, "Region": COLUMNS["regio"]}, "field 'region' is missing; did you mean 'Region'?"),
        ({"age": COLUMNS["age"], "pay": COLUMNS["pay"], 3: COLUMNS["pay"]}, "field 'region' is missing"),
        ({**COLUMNS, "REGION": COLUMNS["regio"]}, "field 'region' is missing; did you mean 'REGION'?"),
        ({"ages": COLUMNS["age"], "pay": COLUMNS["pay"]}, "field 'age' is missing; did you mean 'ages'?"),
    ],
)
def test_a_column_of_nearly_that_name(given_: Any, said: str) -> None:
    """The name of a column is no value of a row. In rows, where it may be one, it is not told."""
    rows: Any = dp.rows(PEOPLE) >> dp.count()
    with pytest.raises(dp.errors.InvalidData) as refusal:
        rows(given_)
    assert refusal.value.headline.removeprefix("the data are not in the input domain: ") == said
    with pytest.raises(dp.errors.InvalidData) as refusal:
        rows([dict.fromkeys(given_, 3)])
    assert "mean" not in str(refusal.value)


def test_a_column_that_is_declared_itself_is_not_meant() -> None:
    whole, one = dp.integers(), np.array([1])
    assert dp.record(Region=whole, regions=whole).missing("Region", {"regions": one}) == "field 'Region' is missing"
    assert dp.record(REGION=whole).missing("REGION", ["regio"]).endswith("did you mean 'regio'?")


def test_a_frame_beside_the_record_of_a_class() -> None:
    pl: Any = pytest.importorskip("polars")
    frame = pl.DataFrame({"age": [3, 4], "region": ["N", "S"], "pay": [None, 1.5]})
    kept = dp.rows(PEOPLE) >> dp.filter(dp.field("region") == Region.NORTH)
    assert kept(frame) == kept([Person(3, Region.NORTH), Person(4, Region.SOUTH, 1.5)])
    with pytest.raises(dp.errors.InvalidData, match=r"field 'region' is missing; did you mean 'REGION'\?"):
        kept(frame.rename({"region": "REGION"}))
