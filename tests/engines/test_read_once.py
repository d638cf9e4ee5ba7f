"""What a function returned is read once: what is a member when it is checked, and another value afterwards, is used as it
was checked. By each class that may have two minds, in each place where a function gives values."""

from __future__ import annotations

import datetime
import decimal
import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest

import dpcore as dp
from dpcore.domains import Domain, Rows
from dpcore.domains.reading import read_once
from dpcore.errors import DPError, InvalidData, UserFunctionFailed

d: Any = dp
LARGE = 10**6
S: Any = dp.rows(dp.integers(0, 9))
DIGITS = d.numbers(0, 9)
PAIR = d.vector(dp.integers(0, 9), 2)
ONE = dp.record(a=dp.integers(0, 9))


class Turns:
    """How often it says 1 before it says a million."""

    left = 0

    @classmethod
    def one(cls) -> int:
        cls.left -= 1
        return 1 if cls.left >= 0 else LARGE


class Fractional(Fraction):
    @property
    def numerator(self) -> int:
        return Turns.one()

    @property
    def denominator(self) -> int:
        return 1


class Pair(Sequence[int]):
    def __len__(self) -> int:
        return 2

    def __getitem__(self, place: Any) -> Any:
        if place > 1:
            raise IndexError
        return Turns.one()


class Fields(Mapping[str, int]):
    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[str]:
        return iter(["a"])

    def __getitem__(self, name: str) -> int:
        return Turns.one()


class Listed(list[int]):
    def __iter__(self) -> Iterator[int]:
        return iter([Turns.one(), 1])


class Kept(dict[str, int]):
    def __getitem__(self, name: str) -> int:
        return Turns.one()


class Named(str):
    """A name that is found by none but itself, from some time on."""

    def __eq__(self, other: object) -> bool:
        return Turns.one() == 1

    def __hash__(self) -> int:
        return hash("a")


@dataclass
class Instance:
    a: int = 1

    def __getattribute__(self, name: str) -> Any:
        return Turns.one() if name == "a" else object.__getattribute__(self, name)


class Array(np.ndarray[Any, Any]):
    def tolist(self) -> Any:
        return [LARGE, LARGE]

    def min(self, *args: Any, **kwargs: Any) -> Any:
        return 1

    max = min

    def __iter__(self) -> Any:
        return iter([Turns.one(), 1])


class Float(float):
    def __float__(self) -> float:
        return float(Turns.one())


Pretends: Any = type("Pretends", (), {"__class__": property(lambda self: bool)})


MINDS: dict[str, tuple[Callable[[], object], Domain]] = {
    "fraction": (lambda: Fractional(1), DIGITS),
    "fraction of an optional": (lambda: Fractional(1), d.optional(DIGITS)),
    "fraction in a list": (lambda: [Fractional(1)], d.vector(DIGITS, 1)),
    "fraction in a record": (lambda: {"a": Fractional(1)}, d.record(a=DIGITS)),
    "sequence": (Pair, PAIR),
    "mapping": (Fields, ONE),
    "list": (lambda: Listed([1, 1]), PAIR),
    "dict": (lambda: Kept(a=1), ONE),
    "names": (lambda: {Named("a"): 1, Named("b"): LARGE}, ONE),
    "instance": (Instance, ONE),
    "array": (lambda: np.array([LARGE, LARGE]).view(Array), PAIR),
    "float": (lambda: Float(1), DIGITS),
    "category": (lambda: Fractional(1), d.categories(1, 2)),
}


@pytest.mark.parametrize("mind", MINDS)
def test_what_is_checked_is_used(mind: str) -> None:
    make, domain = MINDS[mind]
    places: list[Callable[[], list[Any]]] = [
        lambda: (S >> d.row_map(lambda x: make(), domain))([1]),
        lambda: (S >> d.flat_map(lambda x: [make()], domain, 1))([1]),
        lambda: d.transformation(lambda x: [make()], S, d.rows(domain), lambda k: k)([1]),
    ]
    for place in places:
        for Turns.left in range(12):
            try:
                given = place()
            except UserFunctionFailed:
                continue
            assert all(map(domain.member, given)), Turns.left


def test_a_value_of_a_transformation_is_used_as_it_was_checked() -> None:
    made = d.transformation(lambda x: Fractional(1), S, d.value(DIGITS, d.AbsoluteDistance), lambda k: 9 * k)
    for Turns.left in range(6):
        assert made([1]) == 1


def test_a_distance_is_used_as_it_was_checked() -> None:
    steps = d.granularity("a week", lambda x, y: Fractional(1), path=True)
    for Turns.left in range(6):
        assert steps.distance([1], [2]) == 1


HELD: dict[int, Any] = {}


def held(x: int) -> object:
    """What somebody else holds too, and has changed by the second row."""
    if x == 1:
        HELD[0]._numerator = LARGE
    return HELD[x]


@pytest.mark.parametrize("map", ["row_map", "flat_map"])
def test_nothing_is_kept_that_can_be_changed_afterwards(map: str) -> None:
    HELD.update({0: Fraction(1), 1: Fraction(1)})
    step = d.row_map(held, DIGITS) if map == "row_map" else d.flat_map(lambda x: [held(x)], DIGITS, 1)
    assert (S >> step)([0, 1]) == [1, 1]
    array = np.array([1, 2])
    rows: Any = read_once(array, Rows(dp.integers()))
    array[0] = LARGE
    assert list(rows) == [1, 2]


@pytest.mark.parametrize("parts", [(LARGE, -1), (1, 0), (2, 4), (Fractional(1), 1), (1, True)])
def test_a_fraction_that_is_none_is_refused(parts: tuple[Any, Any]) -> None:
    HELD[0] = Fraction(1)
    HELD[0]._numerator, HELD[0]._denominator = parts
    with pytest.raises(UserFunctionFailed):
        (S >> d.row_map(held, DIGITS))([0])


class Tuple(NamedTuple):
    a: int
    b: int


class Hue(enum.Enum):
    RED = "red"


class Word(enum.StrEnum):
    RED = "red"


class Whole(int):
    """Of no method of its own."""


class Moment(datetime.datetime):
    """Also."""


BOTH = dp.record(a=dp.integers(), b=dp.integers())
TWO = d.vector(dp.integers(), 2)
SAME: list[tuple[object, Domain, object]] = [
    (Tuple(1, 2), BOTH, {"a": 1, "b": 2}),
    (Tuple(1, 2), TWO, [1, 2]),
    ((1, 2), TWO, [1, 2]),
    (range(2), TWO, [0, 1]),
    (np.array([1, 2], dtype="u1"), TWO, [1, 2]),
    (np.array([1, None], dtype=object), d.vector(d.optional(dp.integers()), 2), [1, None]),
    (np.ma.array([1, 2], mask=[False, True]), d.vector(d.optional(dp.integers()), 2), [1, None]),
    (np.array([0.1, 0.2], dtype="f4"), d.vector(d.numbers(), 2), [Fraction(1, 10), Fraction(1, 5)]),
    (np.float32(0.1), d.numbers(), Fraction(1, 10)),
    (np.int8(1), dp.integers(), 1),
    (np.str_("a"), dp.text(), "a"),
    (np.bool_(True), dp.booleans(), True),
    (np.datetime64("2020-01-01"), d.date(), datetime.date(2020, 1, 1)),
    (datetime.datetime(2020, 1, 1), d.date(), datetime.date(2020, 1, 1)),
    (Moment(2020, 1, 1), d.date(), datetime.date(2020, 1, 1)),
    (decimal.Decimal("0.1"), d.numbers(), Fraction(1, 10)),
    (Whole(1), d.numbers(), Fraction(1)),
    (Hue.RED, d.categories("red"), "red"),
    (Word.RED, dp.text(), "red"),
    (float("nan"), d.optional(d.numbers()), None),
    ({"a": 1, "b": 2, "c": object()}, d.record(a=dp.integers(), b=dp.integers(), extra="ignore"), {"a": 1, "b": 2}),
    ({(0, 1), (1, 2)}, dp.graphs(3), frozenset({frozenset({0, 1}), frozenset({1, 2})})),
]


@pytest.mark.parametrize("case", range(len(SAME)))
def test_what_was_accepted_is(case: int) -> None:
    x, domain, expected = SAME[case]
    assert domain.member(x)
    if domain != dp.graphs(3):
        assert (S >> d.row_map(lambda _: x, domain))([1]) == [expected]
    held = read_once(x, domain)
    assert domain.member(held)
    assert domain.canonical(held) == expected


REFUSED: list[tuple[object, Domain]] = [
    (Whole(1), dp.integers()),
    (True, dp.integers()),
    (Hue.RED, dp.text()),
    (Moment(2020, 1, 1, tzinfo=datetime.UTC), d.date()),
    ({"a": 1, "b": 2, "c": 3}, BOTH),
    ({"a": 1, "b": 2, 3: 3}, BOTH),
    ({"a": 1, "b": 2, np.str_("c"): 3}, BOTH),
    (object(), d.categories("a")),
    (b"a", d.vector(dp.integers(), 1)),
    (bytearray(b"a"), d.vector(dp.integers(), 1)),
]


@pytest.mark.parametrize("case", range(len(REFUSED)))
def test_what_was_refused_is(case: int) -> None:
    x, domain = REFUSED[case]
    assert not domain.member(x)
    with pytest.raises(UserFunctionFailed):
        (S >> d.row_map(lambda _: x, domain))([1])


def test_what_only_pretends_to_be_a_value_is_refused() -> None:
    assert isinstance(Pretends(), bool)
    for step in (d.row_map(lambda x: Pretends(), dp.booleans()), d.filter(lambda x: Pretends())):
        with pytest.raises(UserFunctionFailed):
            (S >> step)([1])


def test_a_list_that_holds_itself_is_refused() -> None:
    own: list[object] = []
    own.append(own)
    with pytest.raises(InvalidData):
        read_once(own)
    for domain in (d.categories("a"), d.vector(dp.integers(), 1)):
        with pytest.raises(DPError):
            (S >> d.row_map(lambda x: own, domain))([1])
