"""What one types first, coming from another library, works or is answered with what to use: no bare refusal."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, cast

import numpy as np
import pytest

import dpcore as dp
from dpcore.errors import HINTS
from dpcore.expressions import Expr, Value, expression_from

untyped = cast(Any, dp)
OF_OTHERS: Final = re.compile(r"\b(polars|pandas|duckdb)\.(\w+)\(")
PEOPLE = dp.record(pay=dp.numbers(0, 9), age=dp.integers(0, 120), region=dp.text(), born=dp.date())


@pytest.mark.parametrize("name", sorted(HINTS))
def test_names_of_other_libraries(name: str) -> None:
    assert name not in dir(dp), "a name that is there needs no hint"
    with pytest.raises(AttributeError, match=f"module 'dpcore' has no attribute '{name}'\n  use    "):
        getattr(dp, name)
    assert not hasattr(dp, name)
    for library, word in OF_OTHERS.findall(HINTS[name]):
        assert hasattr(import_module(library), word)
    used = [word.split("(")[0] for word in OF_OTHERS.sub("", HINTS[name]).replace(".", " ").split() if "(" in word]
    known = set(dir(dp)) | {"then", "otherwise", "DictReader", "max", "suggest", "release"}
    assert {word for word in used if word} <= known


def test_other_names_are_refused_as_ever() -> None:
    with pytest.raises(AttributeError, match=r"module 'dpcore' has no attribute 'no_such_thing'$"):
        untyped.no_such_thing


@pytest.mark.parametrize(
    ("call", "said", "bridge"),
    [
        (lambda: untyped.laplace(epsilon=1), "laplace has no parameter 'epsilon'", ".solve(pure(epsilon), d_in=1)"),
        (lambda: untyped.gaussian(rho=1), "gaussian has no parameter 'rho'", ".solve(zcdp(rho), d_in=1)"),
        (lambda: untyped.sum(dp.field("x")), "sum is not told of what, but got a Expr", "select(field(name))"),
        (lambda: untyped.sum([1, 2]), "sum is not told of what, but got a list", ".release(data)"),
        (lambda: untyped.count([1, 2]), "count is not told of what, but got a list", ".release(data)"),
    ],
)
def test_calls_of_other_libraries(call: Callable[[], object], said: str, bridge: str) -> None:
    with pytest.raises(dp.errors.InvalidParameter) as refusal:
        call()
    assert str(refusal.value).startswith(said)
    assert bridge in str(refusal.value.bridge)


def test_constructors_stay_what_they_are() -> None:
    assert dp.count.__name__ == "count"
    assert eval(repr(dp.laplace(scale=3)), vars(untyped) | {"laplace": dp.laplace}) == dp.laplace(scale=3)
    with pytest.raises(TypeError, match="unexpected keyword argument 'sigma'"):
        untyped.laplace(sigma=1)


def test_a_field_of_any_numbers() -> None:
    pay = dp.field("pay", float)
    assert repr(pay) == "field('pay', float)"
    assert expression_from(pay.data()).node == pay.node
    total = dp.rows(PEOPLE) >> dp.select(pay) >> dp.quantize("0.01") >> dp.sum() >> dp.laplace(scale=9)
    assert '"type": "float"' in dp.certify(total, d_in=1).text().decode()
    assert (pay > 3).domain(PEOPLE) == dp.booleans()
    with pytest.raises(dp.errors.InvalidExpression, match=r"Expected numbers but got integers\(0, 120\)") as refusal:
        dp.field("age", float).domain(PEOPLE)
    assert refusal.value.bridge == "int in the place of float"
    with pytest.raises(dp.errors.InvalidExpression, match=r"Expected numbers but got text\(\)"):
        dp.field("region", float).domain(PEOPLE)
    assert dp.row(float).domain(dp.numbers()) == dp.numbers()


@pytest.mark.parametrize("given", [["N", "S"], ("N", "S"), np.array(["N", "S"])])
def test_a_list_of_constants(given: list[str]) -> None:
    assert dp.field("region").isin(given).same_as(dp.field("region").isin("N", "S"))
    assert dp.field("age").isin(range(2)).same_as(dp.field("age").isin(0, 1))
    assert dp.field("region").isin("NS").same_as(dp.field("region").isin(["NS"]))


def test_a_list_of_categories() -> None:
    assert dp.categories(["N", "S"]) == dp.categories("N", "S")
    assert dp.categories(("N", "S")).values == (("N", "S"),), "a tuple is one category"
    with pytest.raises(dp.errors.InvalidParameter, match="at least one category"):
        dp.categories([])


@pytest.mark.parametrize(
    "compare",
    [
        lambda born: born > "2020-05-01", lambda born: born == "2020-05-01", lambda born: born.isin(["2020-05-01"]),
        lambda born: born.between("2020-05-01", "2020-06-01"),
    ],
)  # fmt: skip
def test_a_text_that_reads_as_a_day(compare: Callable[[Expr[Value]], Expr[bool]]) -> None:
    """It is that day where it stands beside days: the rows meant are the rows found, and the certificate holds the day."""
    days = [datetime.date(2020, 4, 30), datetime.date(2020, 5, 1), datetime.date(2020, 6, 1)]
    rows = dp.rows(dp.record(born=dp.optional(dp.date()), said=dp.text()))
    kept = rows >> dp.filter(compare(dp.field("born")))
    plainly = [compare(cast("Expr[Value]", Day(day))) for day in days]
    data: list[dict[str, object]] = [{"born": day, "said": "2020-05-01"} for day in [*days, None]]
    columns = {"born": np.array([*days, None], dtype="datetime64[D]"), "said": np.array(["2020-05-01"] * 4)}
    expected = [day for day, wanted in zip(days, plainly, strict=True) if wanted]
    assert expected
    for carrier in (data, columns, np.array(data)):
        assert [row["born"] for row in untyped_call(kept, carrier)] == expected
    assert '"op": "date"' in dp.certify(kept >> dp.count() >> dp.laplace(scale=1), d_in=1).text().decode()
    assert repr(kept).count("day(") == 0, "printed as it was typed"
    with pytest.raises(dp.errors.InvalidExpression):
        compare(dp.field("said")).on(PEOPLE).domain(PEOPLE)


class Day:
    """The comparisons, on one day, of texts as one types them."""

    def __init__(self, day: datetime.date) -> None:
        self.text = day.isoformat()

    def __gt__(self, other: str) -> bool:
        return self.text > other

    def __eq__(self, other: object) -> bool:
        return self.text == other

    def __hash__(self) -> int:
        return hash(self.text)

    def isin(self, others: list[str]) -> bool:
        return self.text in others

    def between(self, low: str, high: str) -> bool:
        return low <= self.text <= high


def untyped_call(f: Any, data: object) -> Any:
    return f(data)


def test_texts_as_days_wherever_an_expression_stands() -> None:
    born, after = dp.field("born"), dp.field("born") > "2020-05-01"
    rows = dp.rows(PEOPLE)
    data = [{"pay": 1, "age": 3, "region": "2020-05-01", "born": datetime.date(2020, month, 1)} for month in (5, 5, 6)]
    first, later = datetime.date(2020, 5, 1), datetime.date(2020, 6, 1)
    assert (rows >> dp.histogram(after))(data) == [2, 1]
    assert (rows >> dp.histogram(born, bins=["2020-05-01", later]))(data) == [2, 1]
    assert (rows >> dp.linear_queries(after, ~after))(data) == [1, 2]
    assert (rows >> dp.select(born.fill_null("2020-01-01"), dp.date()))(data) == [first, first, later]
    assert (rows >> dp.select(late=after, on=born))(data)[2] == {"late": True, "on": later}
    assert list((rows >> dp.partition(["2020-06-01"], by=born))(data)) == [later]
    counted = (rows >> dp.threshold_release(after, scale="1/40", threshold=2)).release(data)
    assert counted == {False: 2}
    persons = dp.rows(PEOPLE, dp.PersonDistance("age")) >> dp.bound_contributions(1, keep=dp.first_by(~after))
    assert [row["born"] for row in persons(data)] == [later]
    assert (rows >> dp.filter(dp.field("region") == "2020-05-01") >> dp.count())(data) == 3, "a text beside texts"


def test_texts_that_are_no_days() -> None:
    with pytest.raises(dp.errors.InvalidExpression, match="Expected a date but got a text"):
        dp.rows(PEOPLE) >> dp.filter(dp.field("born") > "yesterday")
    with pytest.raises(dp.errors.InvalidExpression, match="Expected a date but got a text"):
        dp.rows(PEOPLE) >> dp.filter(dp.field("born") > "2020-13-01")
    with pytest.raises(dp.errors.InvalidParameter, match="Expected different bins but got one twice"):
        dp.rows(PEOPLE) >> dp.histogram(dp.field("born"), bins=["2020-05-01", datetime.date(2020, 5, 1)])
    assert (dp.field("born") > datetime.date(2020, 5, 1)).domain(PEOPLE) == dp.booleans()
