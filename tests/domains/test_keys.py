"""One notion of a key: it is what each of the four notions before it said, where they agreed; and it is an order."""

from __future__ import annotations

import datetime
from collections.abc import Hashable, Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore import domains
from dpcore.domains import clashing, key, real, value_of
from dpcore.domains.keys import keys_of
from dpcore.errors import InvalidData
from tests.thorough import thorough

# ---- as it was, on what it was made for -----------------------------------------------------------------------------


def frozen(x: object) -> Hashable:
    """By which rows were found equal in distances."""
    if isinstance(x, Mapping):
        return frozenset((k, frozen(v)) for k, v in x.items())
    if isinstance(x, (list, tuple)):
        return tuple(frozen(v) for v in cast("Iterable[object]", x))
    number = real(x)
    return (type(x).__name__, x) if number is None else number


def place(x: object) -> tuple[object, ...]:
    """By which rows and released keys were put in an order."""
    number = real(x)
    if number is not None:
        return (2, number)
    if x is None:
        return (0,)
    if isinstance(x, bool):
        return (1, x)
    if isinstance(x, str):
        return (3, x)
    if isinstance(x, datetime.date):
        return (4, x.toordinal())
    if isinstance(x, Mapping):
        return (5, tuple(sorted((str(name), place(value)) for name, value in x.items())))
    if isinstance(x, (list, tuple)):
        return (6, tuple(place(value) for value in x))
    assert isinstance(x, frozenset)
    return (7, tuple(sorted(place(value) for value in x)))


def engine_key(x: object) -> tuple[bool, Hashable]:
    """By which engines looked up bins."""
    if isinstance(x, bool):
        return True, x
    return False, real(x) if isinstance(x, float) else x


single = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from(
        [10**30, 0.0, -0.0, 0.5, 0.1, 1.0, 1e300, Fraction(1, 2), Fraction(1, 10), Fraction(1), Fraction(1, 3)]
    ),
    st.sampled_from([Decimal("0.5"), Decimal("0.1"), Decimal(1), Decimal("-0")]),
    st.text("ab1", max_size=2),
    st.dates(datetime.date(2020, 1, 1), datetime.date(2020, 1, 3)),
)
nested = st.recursive(
    single,
    lambda inner: st.lists(inner, max_size=2) | st.tuples(inner) | st.dictionaries(st.sampled_from("ab"), inner),
    max_leaves=4,
)


@thorough(200)
@given(nested, nested)
def test_it_finds_equal_and_orders_as_distances_did(x: object, y: object) -> None:
    assert (key(x) == key(y)) == (frozen(x) == frozen(y)) == (place(x) == place(y))
    assert (key(x) < key(y)) == (place(x) < place(y))
    assert key(x) != key(y) or hash(key(x)) == hash(key(y))


@thorough(200)
@given(single, single)
def test_it_finds_equal_as_the_engines_did(x: object, y: object) -> None:
    if not any(isinstance(v, Decimal) for v in (x, y)):  # which one layout of a column lost
        assert (key(x) == key(y)) == (engine_key(x) == engine_key(y))


@thorough(200)
@given(nested)
def test_its_value_has_the_same_key(x: object) -> None:
    value = value_of(key(x))
    if not isinstance(x, (list, dict, tuple)):
        assert key(value) == key(x)
    assert hash(value) == hash(value_of(key(x)))


@thorough(100)
@given(single)
def test_numpy_says_the_same(x: object) -> None:
    held = np.empty(1, dtype=object)
    held[0] = x
    assert key(held) == key([x]) == key((x,))
    assert key(np.ma.MaskedArray(held, [True])) == key([None])
    if isinstance(x, (bool, str, float)):
        assert key(np.array([x])[0]) == key(x)
        assert key(np.array([x, x])) == key([x, x])


NO_KEYS: list[object] = [
    b"a", float("inf"), Decimal("NaN"), datetime.datetime(2020, 1, 1, 9), object(), 1j,
    np.datetime64("2020-01-01T09", "ns"), np.timedelta64(1), [b"a"], {"a": {1: object()}},
]  # fmt: skip


@pytest.mark.parametrize("i", range(len(NO_KEYS)))
def test_what_has_none_is_refused(i: int) -> None:
    with pytest.raises(InvalidData, match="cannot be a key"):
        key(NO_KEYS[i])


MIDNIGHT = datetime.datetime(2020, 1, 1)
AS_TO_DOMAINS: list[tuple[domains.Domain, object]] = [
    (domains.optional(domains.numbers()), float("nan")),
    (domains.optional(domains.numbers()), np.float32("nan")),
    (domains.optional(domains.date()), np.datetime64("NaT")),
    (domains.date(), MIDNIGHT),
    (domains.date(), np.datetime64("2020-01-01", "ns")),
    (domains.date(), np.datetime64("2020-01-01")),
    (domains.integers(), 3.0),
    (domains.integers(), np.uint8(3)),
    (domains.text(), np.str_("a")),
    (domains.booleans(), np.True_),
    (domains.vector(domains.integers(), 2), np.array([1.0, 2.0])),
]


@pytest.mark.parametrize("i", range(len(AS_TO_DOMAINS)))
def test_a_member_has_the_key_of_its_canonical_form(i: int) -> None:
    """So a distance between data, as they came, is the distance of what is computed with."""
    of, x = AS_TO_DOMAINS[i]
    assert of.member(x)
    assert key(x) == key(of.canonical(x))


def test_what_a_dict_takes_for_one() -> None:
    assert clashing([1, True]) == (1, True)
    assert clashing([(0, "a"), 0, (False, "a")]) == ((0, "a"), (False, "a"))
    assert clashing([1, "1", 2, None, False]) is None


@pytest.mark.parametrize("values", [[], [3, 1, 1 << 70], ["a", ""], [1, True, None, "1"], [0.5, 1.0], [True, False]])
def test_many_at_once_are_one_by_one(values: list[object]) -> None:
    assert list(map(repr, keys_of(values))) == list(map(repr, map(key, values)))
