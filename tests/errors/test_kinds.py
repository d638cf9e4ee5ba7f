"""A class may be made for a row, and named after it: of what is raised or returned only names are told that anybody has."""

from __future__ import annotations

import datetime
import decimal
import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NoReturn

import numpy as np
import pytest

import dpcore as dp
from dpcore.errors import DPError, InvalidParameter
from dpcore.kinds import is_everybodys, kind_of, place_of

d: Any = dp
SECRET = 424242
NUMBERS: Any = dp.rows(dp.integers())


class Ours(Exception):
    """Of this file, so that not everybody has it."""


class OfValues(ValueError):
    """Another."""


class Named(type):
    """Its classes are named as they like."""

    @property
    def __name__(cls) -> str:  # type: ignore[override]
        return f"row {SECRET}"

    @property
    def __module__(cls) -> str:  # type: ignore[override]
        return "builtins"


class Renamed(metaclass=Named):
    """Of no bases."""


class RenamedFailure(Exception, metaclass=Named):
    """To be raised."""


class Words(str):
    """Words that are found equal to others, and print as they like."""

    def __format__(self, spec: str) -> str:
        return f"row {SECRET}"

    def __str__(self) -> str:
        return f"row {SECRET}"


def after(base: type, row: object) -> Any:
    return type(f"row {row}", (base,), {"__module__": "builtins"})()


def raises_after_the_row(row: object) -> NoReturn:
    raise after(Exception, row)


def raises_renamed(row: object) -> NoReturn:
    raise RenamedFailure


def raises_words(row: object) -> NoReturn:
    raise InvalidParameter(Words("a function that is given data may not release"))


RETURNED: dict[str, Callable[[object], object]] = {
    "raised": raises_after_the_row,
    "raised, of a class renamed": raises_renamed,
    "raised, with other words": raises_words,
    "returned": lambda row: after(object, row),
    "returned, of a class renamed": lambda row: Renamed(),
}


def noisy(arrow: Any) -> Any:
    return arrow >> d.count() >> d.laplace(scale=1)


PLACES: dict[str, Callable[[Callable[[object], object]], object]] = {
    "row_map": lambda f: (NUMBERS >> d.row_map(f, d.integers()))([SECRET]),
    "flat_map": lambda f: (NUMBERS >> d.flat_map(f, d.integers(), 1))([SECRET]),
    "filter": lambda f: noisy(NUMBERS >> d.filter(f)).release([SECRET]),
    "histogram": lambda f: (NUMBERS >> d.histogram(f, bins=[1]) >> d.laplace(scale=1)).release([SECRET]),
    "transformation": lambda f: noisy(d.transformation(lambda x: f(x[0]), NUMBERS, NUMBERS, lambda k: k)).release(
        [SECRET]
    ),
    "distance": lambda f: d.granularity("weeks", lambda x, y: f(x[0])).distance([SECRET], []),
    "curator": lambda f: d.curator(NUMBERS, [SECRET], budget=d.pure(1)).ask(
        noisy(NUMBERS >> d.row_map(f, d.integers()))
    ),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", RETURNED)
def test_no_class_tells_a_row(place: str, kind: str) -> None:
    with pytest.raises(DPError) as failure:
        PLACES[place](RETURNED[kind])
    assert str(SECRET) not in str(failure.value)
    assert f"{InvalidParameter.__name__}" in str(failure.value) or kind != "raised, with other words"


def test_what_anybody_has_is_told() -> None:
    told = [1, "", None, 0.5, Fraction(1), decimal.Decimal(1), datetime.date(2020, 1, 1), np.float32(1), np.zeros(1)]
    assert [kind_of(x) for x in told] == [type(x).__name__ for x in told]
    assert [kind_of(x) for x in (iter([1]), (x for x in told), len)] == [
        "list_iterator",
        "generator",
        "builtin_function_or_method",
    ]
    assert kind_of(json.JSONDecodeError("a", "b", 0)) == "JSONDecodeError"
    assert place_of(InvalidParameter("a")) == "dpcore.errors.InvalidParameter"


def test_of_other_classes_the_nearest_base_is_told() -> None:
    assert [kind_of(x) for x in (Ours(), OfValues(), Renamed(), RenamedFailure(), after(int, 7))] == [
        "Exception",
        "ValueError",
        "object",
        "Exception",
        "int",
    ]
    assert is_everybodys(ValueError)
    assert not is_everybodys(OfValues)
    assert kind_of(type("Fraction", (), {"__module__": "fractions"})()) == "object"
