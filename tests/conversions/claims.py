"""Measurements whose loss is claimed: where a conversion is tried on a loss that no mechanism of dpcore has exactly."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import dpcore as dp
from dpcore.maps import Number
from dpcore.types import Integers

ME = TypeVar("ME", bound=dp.types.Measure)

NUMBER = dp.value(dp.integers(), dp.AbsoluteDistance())
ROWS = dp.rows(dp.categories("a", "b"))


def nothing(data: object) -> str:
    return "nothing"


def claimed(
    measure: ME, loss: Callable[[Number], object]
) -> dp.types.Measurement[Integers, dp.AbsoluteDistance, ME, str]:
    return dp.measurement(nothing, NUMBER, measure, loss)


def claimed_of_rows(
    measure: ME, loss: Callable[[Number], object]
) -> dp.types.Measurement[dp.types.Rows[dp.types.Categories[str]], dp.SymmetricDistance, ME, str]:
    return dp.measurement(nothing, ROWS, measure, loss)
