"""Data as their metrics compare them: multisets of rows, sets of edges, numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import cast

from dpcore.domains import Key, key, real
from dpcore.errors import InvalidData


def multiset(x: object) -> Counter[Key]:
    return Counter(map(key, items(x)))


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
