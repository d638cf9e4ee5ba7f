"""Values by which members of data sets are told apart, and multisets of them."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import cast

import numpy as np

from dpcore.domains import real
from dpcore.errors import InvalidData


def frozen(x: object) -> Hashable:
    """A value by which equal members are found equal; True and 1 are not, one half is however it is written."""
    if isinstance(x, Mapping):
        return frozenset((k, frozen(v)) for k, v in x.items())
    if isinstance(x, (list, tuple)) or (type(x).__module__ == "numpy" and hasattr(x, "__len__")):
        return tuple(frozen(v) for v in cast("Iterable[object]", x))
    number = real(x)
    return (type(x).__name__, x) if number is None else number


def place(x: object) -> tuple[object, ...]:
    """An order of all values that rows can hold, which knows nothing but the values: the same in every data set."""
    number = real(x)
    if number is not None:
        return (2, number)
    if x is None:
        return (0,)
    if isinstance(x, (bool, np.bool_)):
        return (1, bool(x))
    if isinstance(x, str):
        return (3, str.__str__(x))
    if type(x) is datetime.date:  # a datetime is a date as well, but has no place that two of them cannot share
        return (4, x.toordinal())
    if isinstance(x, Mapping):
        return (5, tuple(sorted((str(name), place(value)) for name, value in x.items())))
    if isinstance(x, (list, tuple, np.ndarray)):
        return (6, tuple(place(value) for value in x))
    if isinstance(x, (set, frozenset)):
        return (7, tuple(sorted(place(value) for value in x)))
    raise InvalidData(f"a {type(x).__name__} has no place in an order")


def multiset(x: object) -> Counter[Hashable]:
    return Counter(map(frozen, items(x)))


def edges(x: object) -> frozenset[frozenset[int]]:
    return frozenset(frozenset(cast("Iterable[int]", e)) for e in items(x))


def items(x: object) -> Iterable[object]:
    if isinstance(x, (Sequence, frozenset, set)) or hasattr(x, "__array__"):
        return cast("Iterable[object]", x)
    raise InvalidData(f"expected a collection but got a {type(x).__name__}")


def real_of(x: object) -> Fraction:
    value = real(x)
    if value is None:
        raise InvalidData(f"expected a finite number but got a {type(x).__name__}")
    return value
