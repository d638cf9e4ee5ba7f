"""A number of a class of somebody's own is read once, and kept as Python's own: it may say another number each time."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import count
from typing import Any

import pytest

import dpcore as dp
from dpcore.errors import InvalidParameter
from dpcore.maps import exact

TURNS: Iterator[int] = count(1000)


class Odd(int):
    """Another number at each reading."""

    numerator = property(lambda self: next(TURNS))
    denominator = property(lambda self: 1)

    def __int__(self) -> int:
        return next(TURNS)

    def __index__(self) -> int:
        return next(TURNS)

    def __repr__(self) -> str:
        return str(next(TURNS))


class OddFloat(float):
    def __float__(self) -> float:
        return float(next(TURNS))

    def __repr__(self) -> str:
        return str(next(TURNS))


class OddText(str):
    def __str__(self) -> str:
        return str(next(TURNS))

    def partition(self, sep: str) -> Any:
        return next(TURNS), "", ""


class OddDecimal(Decimal):
    def as_integer_ratio(self) -> tuple[int, int]:
        return Odd(next(TURNS)), 1

    def __str__(self) -> str:
        return str(next(TURNS))


class OddFraction(Fraction):
    numerator = property(lambda self: Odd(7))
    denominator = property(lambda self: Odd(7))


@pytest.mark.parametrize("given", [Odd(7), OddFloat(7), OddText("7"), OddDecimal(7), Fraction(Odd(7), 1)])
def test_it_is_what_it_is_made_of(given: Any) -> None:
    found = exact(given)
    assert type(found) is int or type(found) is Fraction
    kept: Any = found
    assert {type(kept.numerator), type(kept.denominator)} == {int}
    if not isinstance(given, Fraction):  # of whose parts somebody's class has been asked already
        assert found == 7


def test_a_fraction_of_others_is_read_once() -> None:
    found: Any = exact(OddFraction(3, 2))
    assert type(found) in (int, Fraction)
    assert {type(found.numerator), type(found.denominator)} == {int}


def test_one_number_is_printed_run_and_counted() -> None:
    people = dp.rows(dp.integers(0, 1)) >> dp.sum()
    given: Any = OddDecimal(5)
    noisy = people >> dp.laplace(scale=given)
    assert noisy == people >> dp.laplace(scale=5)
    assert dp.certify(noisy, d_in=1).text() == dp.certify(people >> dp.laplace(scale=5), d_in=1).text()


@pytest.mark.parametrize(("base", "held", "said"), [(object, (), int), (tuple, [(0, (7,), 0)], Decimal)])
def test_what_only_says_that_it_is_a_number_is_refused(base: type, held: Any, said: type) -> None:
    """`Decimal` would read that tuple as its sign, digits and exponent."""
    pretender: Any = type("Pretender", (base,), {"__class__": property(lambda self: said)})
    with pytest.raises(InvalidParameter, match="Expected a number"):
        exact(pretender(*held))


def test_the_person_is_in_the_field_that_is_named() -> None:
    class Name(str):
        def __eq__(self, other: object) -> bool:
            return other == "q"

        def __hash__(self) -> int:
            return hash("q")

    metric: Any = dp.PersonDistance(Name("p"))
    assert type(metric.by) is str
    assert metric.by == "p"


LONG = 10**5000


@pytest.mark.parametrize(
    "build",
    [
        lambda: dp.rows(dp.integers(0, 9)) >> dp.histogram(bins=[1, LONG]),
        lambda: dp.rows(dp.integers(0, 9)) >> dp.partition([1, LONG], dp.row()),
        lambda: dp.rows(dp.vector(dp.integers(0, 9), 9)) >> dp.filter(dp.row()[LONG] == 1),
        lambda: dp.rows(dp.text()) >> dp.filter(dp.row(int) == LONG),
    ],
)
def test_numbers_that_python_does_not_print_are_refused_in_words(build: Any) -> None:
    with pytest.raises(dp.errors.DPError):
        build()


def test_a_comparison_with_a_number_that_python_does_not_print() -> None:
    assert repr(dp.row(int) == LONG) == f"row(int) == {LONG:#x}"
