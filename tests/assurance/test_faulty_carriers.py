"""Faults of one carrier, put into the library, are found by `falsify`, which is told nothing but the arrow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

import dpcore as dp
from dpcore.assurance import falsify
from dpcore.domains import Key
from dpcore.engines.numpy import floats, grouping
from dpcore.engines.numpy import table as numpy_table
from dpcore.engines.numpy.columns import Column, Ints, Multiples, Reals
from tests.laws.arrows import arrow

d: Any = dp
PRICES = dp.rows(dp.numbers()) >> dp.quantize("0.01")

SLOW = pytest.mark.long
Fault = Callable[[pytest.MonkeyPatch], None]


def loses_decimals(patch: pytest.MonkeyPatch) -> None:
    """A key that is no whole number is found in every layout of a column but that of multiples."""
    find = grouping.places_of

    def lossy(column: Column, places: Mapping[Key, int]) -> Ints:
        lost = isinstance(column, Multiples) and column.step != 1
        return np.full(len(column), -1) if lost else find(column, places)

    patch.setattr(numpy_table, "places_of", lossy)


def rounds_down(patch: pytest.MonkeyPatch) -> None:
    """Floats in the layout of multiples are rounded down, those beside a huge one to the nearest."""
    patch.setattr(floats, "rounded", _down)


def _down(values: Reals, step: Any) -> Ints | None:
    quotients = values * float(1 / step)
    return None if np.abs(quotients).max(initial=0) > 2.0**48 else np.floor(quotients).astype(np.int64)


CASES: dict[str, tuple[Callable[[], object], Fault]] = {
    "a histogram of decimals": (lambda: PRICES >> d.histogram(bins=[Decimal("9.99")]), loses_decimals),
    "with noise": (lambda: PRICES >> d.histogram(bins=[Decimal("9.99")]) >> d.laplace(1), loses_decimals),
    "parts": (lambda: PRICES >> d.partition([9.99, 0]), loses_decimals),
    "an expression": (
        lambda: d.rows(d.record(x=d.integers(), y=d.text())) >> d.histogram(d.field("x") / 2, bins=[0.5]),
        loses_decimals,
    ),
    "rounding": (lambda: d.rows(d.numbers()) >> d.quantize("0.01") >> d.clamp(0, 9) >> d.sum(), rounds_down),
}


@pytest.mark.parametrize("case", [pytest.param(case, marks=SLOW if case == "with noise" else ()) for case in CASES])
def test_a_fault_of_one_carrier_is_found(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    build, fault = CASES[case]
    made = arrow(build())
    assert not falsify(made, examples=100).found
    fault(monkeypatch)
    found = falsify(made)
    assert [finding.kind for finding in found.findings] == ["depends on the carrier"], str(found)
    assert "from a list" in str(found)


def test_a_carrier_that_raises_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(column: Column, places: Mapping[Key, int]) -> Ints:
        raise KeyError("x")

    monkeypatch.setattr(numpy_table, "places_of", fails)
    found = falsify(dp.rows(dp.categories("a", "b")) >> dp.histogram())
    assert "KeyError from" in str(found)
