"""Values by which members of data sets are told apart, and multisets of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import cast

from dpcore.domains import (
    real,
)
from dpcore.errors import InvalidData


def frozen(x: object) -> Hashable:
    """A value by which equal members are found equal; True and 1 are not, one half is however it is written."""
    if isinstance(x, Mapping):
        return frozenset((k, frozen(v)) for k, v in x.items())
    if isinstance(x, (list, tuple)) or (type(x).__module__ == "numpy" and hasattr(x, "__len__")):
        return tuple(frozen(v) for v in cast("Iterable[object]", x))
    number = real(x)
    return (type(x).__name__, x) if number is None else number


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
