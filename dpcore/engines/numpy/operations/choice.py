"""Choosing between columns, in a layout that both fit into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
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
    plain,
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
    first, second = plain(then), plain(otherwise)
    if first is not None and second is not None:
        values = np.where(mask, first, second)
        return Truths(values) if values.dtype == np.bool_ else Days(values)
    pair = aligned(then, otherwise)
    return None if pair is None else Multiples(np.where(mask, pair[0].values, pair[1].values), pair[0].step)


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
    return replace(x, null=None) if isinstance(x, Multiples | Floats | Truths | Days) else x


COLUMNS: Final[Mapping[str, OnColumns]] = {"when": _chosen, "is_null": _is_null, "fill_null": _filled}
