"""Choosing between columns, in a layout that both fit into."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Final

import numpy as np

from dpcore.engines.numpy.columns import (
    Codes,
    Column,
    Constant,
    Days,
    Floats,
    Mask,
    Multiples,
    Objects,
    OnColumns,
    Truths,
)
from dpcore.engines.numpy.grids import aligned


def _choose(mask: Mask, then: Column, otherwise: Column) -> Column | None:
    """`then` where the mask is set, in a layout that both fit into; None where there is no such layout."""
    values = _mixed(mask, then, otherwise)
    nulls = [c.nulls() for c in (then, otherwise)]
    if values is None or (nulls[0] is None and nulls[1] is None):
        return values
    nowhere = np.zeros(len(mask), dtype=np.bool_)
    null = np.where(mask, *(nowhere if n is None else n for n in nulls))
    return values.masked(null) if null.any() else values


def _mixed(mask: Mask, then: Column, otherwise: Column) -> Column | None:
    if isinstance(then, Constant) and isinstance(otherwise, Constant):
        return Codes(np.where(mask, np.int64(0), np.int64(1)), (then.value, otherwise.value))
    for one, other in ((then, otherwise), (otherwise, then)):
        if isinstance(one, Constant) and one.value is None and not isinstance(other, (Objects, Codes)):
            return other
    if isinstance(then, Floats) and isinstance(otherwise, Floats):
        return Floats(np.where(mask, then.values, otherwise.values))
    days = _days(then), _days(otherwise)
    if days[0] is not None and days[1] is not None:
        return Days(np.where(mask, days[0], days[1]))
    truths = _truths(then), _truths(otherwise)
    if truths[0] is not None and truths[1] is not None:
        return Truths(np.where(mask, truths[0], truths[1]))
    pair = aligned(then, otherwise)
    return None if pair is None else Multiples(np.where(mask, pair[0].values, pair[1].values), pair[0].step)


def _days(x: Column) -> np.ndarray[tuple[int, ...], np.dtype[np.datetime64]] | None:
    if isinstance(x, Days):
        return x.values
    if isinstance(x, Constant) and isinstance(x.value, datetime.date):
        return np.array(x.value, dtype="datetime64[D]")
    return None


def _truths(x: Column) -> Mask | None:
    if isinstance(x, Truths):
        return x.values
    return np.array(x.value) if isinstance(x, Constant) and isinstance(x.value, bool) else None


def _chosen(condition: Column, then: Column, otherwise: Column) -> Column | None:
    if isinstance(condition, Constant):
        return then if condition.value is True else otherwise
    return _choose(condition.true(), then, otherwise) if isinstance(condition, Truths) else None


def _is_null(x: Column) -> Column | None:
    null = x.nulls()
    return Truths(np.zeros(len(x), dtype=np.bool_) if null is None else null)


def _filled(x: Column, value: Column) -> Column | None:
    null = x.nulls()
    return x if null is None else _choose(null, value, _unmasked(x))


def _unmasked(x: Column) -> Column:
    """With the valid values that lie under the mask, which the choice passes over."""
    if isinstance(x, Multiples):
        return Multiples(x.values, x.step)
    if isinstance(x, Floats):
        return Floats(x.values)
    if isinstance(x, Truths):
        return Truths(x.values)
    return Days(x.values) if isinstance(x, Days) else x


COLUMNS: Final[Mapping[str, OnColumns]] = {"when": _chosen, "is_null": _is_null, "fill_null": _filled}
