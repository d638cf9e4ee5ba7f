"""Keys: the one form in which values are found equal, and put in an order.

Two values are one value to dpcore exactly if their keys are equal: numbers by value (a float is its shortest decimal),
a truth value is no number, texts as they are, a midnight is its day, what is missing is null, records by their fields,
sequences entry by entry, sets without an order. However the value came to us decides nothing: a numpy scalar is what it
holds, as it is to a domain.

Bins, parts, tallies, candidates, distances, persons and released keys all go through `key`, on every carrier.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from typing import Final, TypeAlias

import numpy as np

from dpcore.domains.missing import is_missing
from dpcore.domains.numeric import real, unwrapped
from dpcore.domains.values import day_of
from dpcore.errors import InvalidData

Key: TypeAlias = tuple[object, ...]
"""What kind of value, then the value. Keys are hashable, and any two of them can be compared."""

NULL: Final = 0
TRUTH: Final = 1
NUMBER: Final = 2
TEXT: Final = 3
DAY: Final = 4
RECORD: Final = 5
SEQUENCE: Final = 6
SET: Final = 7

NULL_KEY: Final[Key] = (NULL,)

_AT_ONCE: Final[Mapping[type, Callable[[object], Key]]] = {
    int: lambda x: (NUMBER, x),
    str: lambda x: (TEXT, x),
    bool: lambda x: (TRUTH, x),
    type(None): lambda x: NULL_KEY,
}
"""The types that most rows hold."""


def key(x: object) -> Key:
    """The key of a value. Refuses what cannot be told from others by its value, or has no place among them."""
    at_once = _AT_ONCE.get(type(x))
    if at_once is not None:
        return at_once(x)
    number = real(x)
    if number is not None:
        return NUMBER, number.numerator if number.denominator == 1 else number
    if x is np.ma.masked or is_missing(x):
        return NULL_KEY
    day = day_of(x)
    if day is not None:  # a moment of another hour is none: two of them may share a day
        return DAY, day.toordinal()
    plain = unwrapped(x)
    if isinstance(plain, bool):
        return TRUTH, plain
    if isinstance(plain, str):
        return TEXT, str.__str__(plain)
    if isinstance(plain, Mapping):
        return RECORD, tuple(sorted((key(name), key(value)) for name, value in plain.items()))
    if isinstance(plain, (list, tuple)) or (isinstance(plain, np.ndarray) and plain.ndim):
        return SEQUENCE, tuple(map(key, plain))
    if isinstance(plain, (set, frozenset)):
        return SET, tuple(sorted(map(key, plain)))
    raise InvalidData(f"a {type(x).__name__} cannot be a key")


def value_of(found: Key) -> Hashable:
    """The value in one form for all that have this key: which of them came first, 0.0 or -0.0, must not show."""
    kind, *held = found
    if kind == NULL:
        return None
    (value,) = held
    if kind == DAY and isinstance(value, int):
        return datetime.date.fromordinal(value)
    if isinstance(value, tuple):
        if kind == RECORD:
            return frozenset((value_of(name), value_of(each)) for name, each in value)
        entries = map(value_of, value)
        return tuple(entries) if kind == SEQUENCE else frozenset(entries)
    assert isinstance(value, (bool, int, Fraction, str))
    return value


def clashing(values: list[Hashable]) -> tuple[Hashable, Hashable] | None:
    """Two of these different values that a dict takes for one, as it does 1 and True."""
    met: dict[Hashable, Hashable] = {}
    for value in values:
        other = met.setdefault(value, value)
        if other is not value and key(other) != key(value):
            return other, value
    return None
