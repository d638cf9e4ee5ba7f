"""Keys: the one form in which values are found equal, and put in an order.

Two values are one value to dpcore exactly if their keys are equal: numbers by value (a float is its shortest decimal),
a truth value is no number, texts as they are, a midnight is its day, what is missing is null, records by their fields,
sequences entry by entry, sets without an order. However the value came to us decides nothing: a numpy scalar is what it
holds, as it is to a domain, and a member of an enumeration is its value.

Bins, parts, tallies, candidates, distances, persons and released keys all go through `key`, on every carrier.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from itertools import repeat
from typing import Final, TypeAlias

from dpcore.domains.missing import NEVER, is_missing
from dpcore.domains.numeric import real, unwrapped
from dpcore.errors import InvalidData, InvalidParameter

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
    if isinstance(x, Enum):
        return key(unwrapped(x))
    number = real(x)
    if number is not None:
        return NUMBER, number.numerator if number.denominator == 1 else number
    import numpy as np

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
    return _key_of_many(plain)


def keys_of(values: Sequence[object]) -> list[Key]:
    """The key of each, of which there may be many."""
    kinds = set(map(type, values))
    for kind, first in ((int, NUMBER), (str, TEXT)):
        if kinds == {kind}:
            return list(zip(repeat(first), values))
    return list(map(key, values))


def _key_of_many(x: object) -> Key:
    import numpy as np

    if isinstance(x, Mapping):
        return RECORD, tuple(sorted((key(name), key(value)) for name, value in x.items()))
    if isinstance(x, (list, tuple)) or (isinstance(x, np.ndarray) and x.ndim):
        return SEQUENCE, tuple(map(key, x))
    if isinstance(x, (set, frozenset)):
        return SET, tuple(sorted(map(key, x)))
    raise InvalidData(f"a {type(x).__name__} cannot be a key")


def day_of(x: object) -> datetime.date | None:
    """A day: a date, or a moment at midnight that is in no zone."""
    if type(x) is datetime.date:
        return x
    if type(x) in NEVER:
        return None
    import numpy as np

    if isinstance(x, np.datetime64):
        start = x.astype("datetime64[D]")
        day = start.item() if start == x else None
        return day if type(day) is datetime.date else None
    if not isinstance(x, datetime.datetime) or is_missing(x) or x.tzinfo is not None or getattr(x, "nanosecond", False):
        return None
    return x.date() if x.time() == datetime.time() else None


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


def different(values: Iterable[object], name: str) -> tuple[Key, ...]:
    """The keys of plain values, none twice."""
    given = tuple(values)
    for v in given:
        if not is_plain(v):
            raise InvalidParameter(
                f"Expected {name} that are text, numbers, days, truth values or None but got a {type(v).__name__}",
                produced=v,
            )
    keys = tuple(map(key, given))
    if len(set(keys)) != len(keys):
        raise InvalidParameter(f"Expected different {name} but got one twice", produced=given)
    return keys


def is_plain(x: object) -> bool:
    """Whether a value can be told from others, and put in an order with them, by what it is alone."""
    if isinstance(x, tuple):
        return all(map(is_plain, x))
    return x is None or type(x) in (str, bool, datetime.date) or (real(x) is not None and unwrapped(x) is x)
