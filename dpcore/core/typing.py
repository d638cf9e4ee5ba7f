"""The type parameters that spaces, arrows, steps and combinators share.

D domain, M metric, ME measure, T what a release is; I input, O output. They are invariant: see `core`.
"""

from __future__ import annotations

from typing import TypeVar

from dpcore.domains import Domain
from dpcore.measures import Measure
from dpcore.metrics import Metric

D = TypeVar("D", bound=Domain)
M = TypeVar("M", bound=Metric)
DI = TypeVar("DI", bound=Domain)
MI = TypeVar("MI", bound=Metric)
DO = TypeVar("DO", bound=Domain)
MO = TypeVar("MO", bound=Metric)
ME = TypeVar("ME", bound=Measure)
T = TypeVar("T")
