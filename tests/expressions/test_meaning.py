"""What single operations mean, by example, and the domains that are derived for them."""

from __future__ import annotations

import datetime
from fractions import Fraction

import pytest

from dpcore.domains import Domain, booleans, categories, date, integers, numbers, optional, record, text
from dpcore.expressions import Expression, day, field, literal, maximum, minimum, ratio, row, when
from dpcore.maps import symbol

ROW = record(
    age=integers(0, 120),
    n=integers(),
    pay=numbers(0, 100, "0.01"),
    x=numbers(),
    o=optional(integers(1, 5)),
    region=categories("N", "S"),
    t=text(),
    born=date("1990-05-01", "1990-08-31"),
    b=booleans(),
)
age, n, pay = field("age"), field("n"), field("pay")


@pytest.mark.parametrize(
    ("expr", "domain"),
    [
        (age, integers(0, 120)),
        (age + 1, integers(1, 121)),
        (1 - age, integers(-119, 1)),
        (age * -2, integers(-240, 0)),
        (age * 0.5, numbers(0, 60, 0.5)),
        (age / 4, numbers(0, 30, "1/4")),
        (age * age, integers(0, 14400)),
        (age * n, integers()),
        (abs(age - 60), integers(0, 60)),
        (abs(n), integers(0)),
        (age // 10, integers(0, 12)),
        (age % 10, integers(0, 9)),
        (n % 7, integers(0, 6)),
        (n % -7, integers(-6, 0)),
        (-7 % (age + 1), integers(0, 120)),
        (100 / age, optional(numbers("5/6", 100))),
        (100 // age, optional(integers(0, 100))),
        (pay + age, numbers(0, 220, "0.01")),
        (pay + ratio(1, 3), numbers("1/3", "301/3", "1/300")),
        (pay * pay, numbers(0, 10000, "0.0001")),
        (pay * field("x"), numbers()),
        (field("x").clip(0, 1), numbers(0, 1)),
        (field("x").clip(0, 1).round(0.25), numbers(0, 1, 0.25)),
        (field("x").clip(0, 1).round(0.3), numbers(0, 0.9, 0.3)),
        (field("x").round(1), integers()),
        (age.round(5), numbers(0, 120, 5)),
        (age.clip(18, 65), integers(18, 65)),
        (age.clip(-5, 200), integers(0, 120)),
        (age.clip(0.5, 200), numbers(0.5, 120, 0.5)),
        (minimum(age, 18), integers(0, 18)),
        (maximum(age, pay), numbers(0, 120, "0.01")),
        (field("o") + 1, optional(integers(2, 6))),
        (field("o").fill_null(0), integers(0, 5)),
        (when(age > 3).then(age).otherwise(-1), integers(-1, 120)),
        (when(age > 3).then(age).otherwise(None), optional(integers(0, 120))),
        (when(age > 3).then("a").otherwise("b"), categories("a", "b")),
        (when(age > 3).then(field("t")).otherwise("b"), text()),
        (field("region").lower(), categories("n", "s")),
        (field("region").length(), integers(1, 1)),
        (field("t").length(), integers(0)),
        (field("born").year(), integers(1990, 1990)),
        (field("born").month(), integers(5, 8)),
        (field("born").day(), integers(1, 31)),
        (field("born").days_since(day("1990-05-02")), integers(-1, 121)),
        (age < 5, booleans()),
        (field("o") < 5, optional(booleans())),
        (field("o").is_null(), booleans()),
        (literal(None), categories(None)),
        (age / 0, categories(None)),
    ],
)
def test_derived_domains(expr: Expression, domain: Domain) -> None:
    assert expr.domain(ROW) == domain


@pytest.mark.parametrize(
    ("expr", "value", "result"),
    [
        (row() // 2, -7, -4),
        (row() % 2, -7, 1),
        (row() % -2, 7, -1),
        (row() // 0.5, Fraction(-3, 4), -2),
        (row() / 3, 1, Fraction(1, 3)),
        (row().round(1), Fraction(1, 2), 0),
        (row().round(1), Fraction(3, 2), 2),
        (row().round(1), Fraction(-5, 2), -2),
        (row().round(0.01), Fraction("2.675"), Fraction("2.68")),
        (row().round(0.01), Fraction("2.665"), Fraction("2.66")),
        (row() == 0.1, Fraction(1, 10), True),
        (row() < 0.1, Fraction(1, 10), False),
        (row().between(1, 2), 2, True),
        (row().lower(), "ÀB", "àb"),
        (row().contains(".*"), "a.b", False),
        (row().strip(), " a\n", "a"),
        (row().weekday(), datetime.date(2024, 1, 1), 0),
        (row().weekday(), datetime.date(1969, 12, 28), 6),
        (row().days_since(day("2024-02-28")), datetime.date(2024, 3, 1), 2),
        (row().isin("a", "b"), "b", True),
    ],
)
def test_meaning(expr: Expression, value: object, result: object) -> None:
    found = expr.on_row(value)
    assert found == result
    assert type(found) is type(result)


def test_true_is_not_one() -> None:
    mixed = categories(1, True, "1")
    one, true = row() == 1, row() == literal(True)
    assert one.domain(mixed) == true.domain(mixed) == booleans()
    assert [one.on_row(v) for v in (1, True, "1")] == [True, False, False]
    assert [true.on_row(v) for v in (1, True, "1")] == [False, True, False]
    assert not literal(True).same_as(literal(1))
    assert not one.same_as(true)


def test_a_symbol_in_a_bound_is_no_bound() -> None:
    rows = integers(0, symbol("b"))
    assert row().domain(rows) == rows
    assert (row() + 1).domain(rows) == integers(1)


def test_constants_are_what_was_typed() -> None:
    assert literal(0.1).node == literal(Fraction(1, 10)).node
    assert literal(2.0).node == literal(2).node
    assert (age * 0.1).on_row({"age": 3}) == Fraction(3, 10)


def test_old_names_warn_of_the_operators_and_make_what_they_make() -> None:
    with pytest.warns(DeprecationWarning, match="=="):
        assert age.equals(18).same_as(age == 18)
    with pytest.warns(DeprecationWarning, match="!="):
        assert age.differs(18).same_as(age != 18)
