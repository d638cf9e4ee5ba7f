"""One derivation, several engines: Python rows and numpy columns give equal results, of equal types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import TypeAlias, cast

import numpy as np
import pytest
from numpy.typing import NDArray

import dpcore as dp
from dpcore.noise.bits import SeededBits
from tests.laws.arrows import AnyArrow, arrow, measurement, transformation
from tests.laws.catalogue import MEASUREMENTS, TRANSFORMATIONS, Example

Array: TypeAlias = NDArray[np.generic]


def column(values: Sequence[object], domain: dp.types.Domain) -> Array:
    """As a user of numpy would hold them: a native type where one fits, a mask where a value is missing."""
    if isinstance(domain, dp.types.Optional):
        missing = [v is None for v in values]
        known = [v for v in values if v is not None]
        filled = [known[0] if v is None and known else v for v in values]
        return np.ma.MaskedArray(column(filled, domain.of), missing) if known else objects(values)
    if not values or isinstance(domain, dp.types.Categories) or any(isinstance(v, Fraction) for v in values):
        same = values and all(type(v) is type(values[0]) for v in values) and isinstance(values[0], (str, int, bool))
        return np.array(values) if same else objects(values)
    return np.array(values)


def objects(values: Sequence[object]) -> Array:
    found = np.empty(len(values), dtype=np.object_)
    found[:] = list(values)
    return cast(Array, found)


def columns(rows: Sequence[object], domain: dp.types.Domain) -> object:
    if isinstance(domain, dp.types.Record):
        records = cast("Sequence[Mapping[str, object]]", rows)
        return {name: column([row[name] for row in records], of) for name, of in domain.fields}
    return column(rows, domain)


def on_rows(x: AnyArrow) -> bool:
    return isinstance(x.input.domain, dp.types.Rows)


def typed(x: object) -> object:
    """With the types, for 1 == True == Fraction(1) in Python; rows in any order."""
    if isinstance(x, dict):
        return {key: typed(value) for key, value in x.items()}
    if isinstance(x, (list, tuple)):
        return [typed(value) for value in x]
    return type(x), x


COLUMNAR = [e for e in (*TRANSFORMATIONS, *MEASUREMENTS) if e.columns and on_rows(arrow(e.build()))]


@pytest.mark.parametrize("example", COLUMNAR, ids=lambda e: e.name)
def test_rows_and_columns_agree(example: Example) -> None:
    """On lists of up to eight rows, in any order and with duplicates."""
    x = arrow(example.build())
    domain = x.input.domain
    assert isinstance(domain, dp.types.Rows)
    dice = Random(example.name)
    for size in (*range(9), *range(9)) if domain.size is None else [domain.size] * 18:
        rows = dice.choices(example.atoms, k=size)
        held = columns(rows, domain.of)
        if isinstance(x, dp.types.Transformation):
            f = transformation(x)
            assert typed(f(rows, bits=SeededBits(1))) == typed(f(held, bits=SeededBits(1))), rows
        else:
            m = measurement(x)
            plain, fast = m.release(rows, bits=SeededBits(1)), m.release(held, bits=SeededBits(1))
            assert typed(plain) == typed(fast), rows


@pytest.mark.parametrize("example", COLUMNAR, ids=lambda e: e.name)
def test_data_stay_as_they_are(example: Example) -> None:
    """Neither the caller's rows nor its arrays are written into."""
    x = arrow(example.build())
    domain = x.input.domain
    assert isinstance(domain, dp.types.Rows)
    rows = (list(example.atoms) * 3)[: domain.size]
    before = repr(rows), repr(columns(rows, domain.of))
    held = columns(rows, domain.of)
    for given_data in (rows, held):
        if isinstance(x, dp.types.Transformation):
            transformation(x)(given_data)
        else:
            measurement(x).release(given_data, bits=SeededBits(1))
    assert (repr(rows), repr(held)) == before


def test_what_is_no_member_is_refused_alike() -> None:
    f = transformation(dp.rows(dp.integers(0, 3)) >> dp.count())
    for data in ([0, 4], np.array([0, 4]), [0, True], [0, 0.5], np.array([0.5]), np.array([True])):
        with pytest.raises(dp.errors.InvalidData):
            f(data)
