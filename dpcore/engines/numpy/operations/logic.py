"""Logic on columns of truth values, by where they are True and where they are False."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from dpcore.engines.numpy.columns import Column, Constant, Mask, OnColumns, Truths


def _sides(x: Column) -> tuple[Mask, Mask] | None:
    """Where it is True, and where it is False; where it is neither, it is null."""
    if isinstance(x, Truths):
        return (x.values, ~x.values) if x.null is None else (x.values & ~x.null, ~x.values & ~x.null)
    if isinstance(x, Constant):
        return np.full(len(x), x.value is True), np.full(len(x), x.value is False)
    return None


def _truths(true: Mask, false: Mask) -> Truths:
    null = ~(true | false)
    return Truths(true, null if null.any() else None)


def _both(x: Column, y: Column) -> Column | None:
    if isinstance(x, Truths) and isinstance(y, Truths) and x.null is None and y.null is None:
        return Truths(x.values & y.values)
    first, second = _sides(x), _sides(y)
    return None if first is None or second is None else _truths(first[0] & second[0], first[1] | second[1])


def _either(x: Column, y: Column) -> Column | None:
    if isinstance(x, Truths) and isinstance(y, Truths) and x.null is None and y.null is None:
        return Truths(x.values | y.values)
    first, second = _sides(x), _sides(y)
    return None if first is None or second is None else _truths(first[0] | second[0], first[1] & second[1])


def _exclusive(x: Column, y: Column) -> Column | None:
    first, second = _sides(x), _sides(y)
    return None if first is None or second is None else Truths(first[0] ^ second[0])


def _negation(x: Column) -> Column | None:
    return Truths(~x.values) if isinstance(x, Truths) else None


COLUMNS: Final[Mapping[str, OnColumns]] = {"and": _both, "or": _either, "xor": _exclusive, "not": _negation}
