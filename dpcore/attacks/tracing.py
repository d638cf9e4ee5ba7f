"""Tracing: was this person's row among those of which averages were published?

As Homer and others (2008), and Dwork, Smith, Steinke, Ullman and Vadhan (2015), who say how much noise it bears.

With a the published averages, p those of the population and z the person's row, the score is `(z - p) (a - p)`. Of somebody
from the population who was not among them, whose entries are independent with the averages p, it is a sum of independent
terms with mean 0, each within an interval as long as `|a_j - p_j|`; so by Hoeffding's inequality

    P(score >= t) <= exp(-2 t^2/|a - p|^2)

and the threshold at a false-positive rate is `|a - p| sqrt(ln(1/rate)/2)`, whatever the averages are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from dpcore.attacks.subsets import finite, real
from dpcore.errors import InvalidParameter

Numbers: TypeAlias = "Sequence[float] | Sequence[int] | NDArray[np.float64] | NDArray[np.int64]"


@final
@dataclass(frozen=True, slots=True)
class Trace:
    """How much the person's row leans to what was published, and from where on that is unlikely for somebody else."""

    score: float
    threshold: float

    @property
    def traced(self) -> bool:
        """Whether the test says that the person was among them."""
        return self.score >= self.threshold


def trace(averages: Numbers, population: Numbers, person: Numbers, fpr: float = 0.01) -> Trace:
    """A test of whether the person was among those averaged, wrong of others at most so often: `trace(a, p, row)`."""
    a, p, z = finite(averages, "averages"), finite(population, "population"), finite(person, "person")
    if not len(a) == len(p) == len(z):
        raise InvalidParameter(
            "Expected as many averages as the population and the person have entries", produced=a.shape
        )
    rate = real(fpr, "fpr")
    if not 0 < rate < 1:
        raise InvalidParameter(f"Expected 0 < fpr < 1 but got fpr={rate}", produced=fpr)
    if not all(((x >= 0) & (x <= 1)).all() for x in (p, z)):
        raise InvalidParameter("Expected entries from 0 to 1 of the population and of the person", produced=None)
    away = a - p
    return Trace(float((z - p) @ away), float(np.linalg.norm(away)) * sqrt(log(1 / rate) / 2))
