"""Counts of keys that are not known beforehand: those whose noisy count reaches a threshold."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

from dpcore.calculus import Raw, rule
from dpcore.calculus.parameters import FROM_2, Parameter
from dpcore.core import Measurement, Space, measurement_of
from dpcore.core.checks import by_metric, by_on, key_of
from dpcore.core.keyed import ByKey
from dpcore.core.spaces import row_domain
from dpcore.core.steps import Step
from dpcore.core.typing import D
from dpcore.domains import Categories, Domain, Optional, Rows, clashing, value_of
from dpcore.engines import KeyOf, Table
from dpcore.errors import InvalidParameter, UserFunctionFailed
from dpcore.expressions import Expression, row
from dpcore.functions import RowFunction, UserFunction
from dpcore.maps import Exact, Number, Numeric, exact, exp, integer, is_formula, positive
from dpcore.measures import ApproxDP
from dpcore.metrics import SymmetricDistance
from dpcore.noise import samples
from dpcore.noise.bits import BitSource
from dpcore.noise.samples import add, as_list
from dpcore.written.shared import Keyed, Scale


def _release(
    table: Table, *, by: KeyOf, typed: Categories[Hashable] | None, scale: Fraction, threshold: int, bits: BitSource
) -> dict[Hashable, int]:
    counts = table.tally_all(by)
    found = sorted(counts)  # in an order that the keys alone decide: the order of the rows must not show
    noisy = as_list(add([counts[each] for each in found], samples.laplace(scale, len(found), bits)))
    above = [(value_of(each), count) for each, count in zip(found, noisy, strict=True) if count >= threshold]
    released = [(value if typed is None or value is None else typed.given_out(value), count) for value, count in above]
    # What is said of the released keys alone costs nothing more.
    if isinstance(by, UserFunction) and clashing([value for value, _ in released]) is not None:
        raise UserFunctionFailed(
            f"the function {by.name} gave keys that a dict takes for one, as it does 1 and True",
            left=by,
            bridge="a text for one of them",
        )
    return dict(released)


def _categories(keys: Domain) -> Categories[Hashable] | None:
    inner = keys.of if isinstance(keys, Optional) else keys
    return inner if isinstance(inner, Categories) else None


def _taken_for_one(keys: Domain) -> tuple[Hashable, Hashable] | None:
    """Two values of the domain that differ though a dict takes them for one."""
    if isinstance(keys, Categories):
        return clashing(list(keys.values))
    return next(filter(None, map(_taken_for_one, keys.inner())), None)


@rule(run=_release, name="threshold_release", writes=(Keyed, Scale, Parameter("at_least", FROM_2, held="threshold")))
def threshold_release_loss(d: Number, *, scale: Number, threshold: Number) -> Raw:
    """At d = 1 `(1/b, P(1 + Z >= t))`, lifted to d by group privacy.

    One row added or removed moves one count by one, which costs 1/b where the key is present both times. A key that is
    present in one data set only has count 1 there, and is seen with probability `P(1 + Z >= t) = r^(t-1)/(1 + r)`,
    `r = exp(-1/b)`, for t >= 2.
    """
    ratio = exp(-1 / scale)
    delta = exp(-(threshold - 1) / scale) / (1 + ratio)
    return ApproxDP().group(d, (1 / scale, delta))


@final
@dataclass(frozen=True, slots=True, repr=False)
class ThresholdRelease(Step):
    """See `threshold_release`."""

    by: Expression | UserFunction
    scale: Exact
    threshold: Exact

    word = "threshold_release"
    positional = 1
    defaults: ClassVar[Mapping[str, object]] = {"by": row().structure()}

    def __post_init__(self) -> None:
        positive(self.scale, "scale")
        integer(self.threshold, "threshold")
        if not is_formula(self.threshold) and self.threshold < 2:
            raise InvalidParameter(
                f"Expected a threshold of at least 2 but got threshold={self.threshold}: keys of one row would show",
                produced=self.threshold,
            )

    def __call__(
        self, space: Space[Rows[D], SymmetricDistance]
    ) -> Measurement[Rows[D], SymmetricDistance, ApproxDP, ByKey[int]]:
        of = row_domain(self, space)
        by = by_on(self.by, of)
        typed = None
        if isinstance(by, Expression):
            keys = by.domain(of)
            typed = _categories(keys)
            if (two := _taken_for_one(keys)) is not None:
                raise InvalidParameter(
                    f"Expected keys that a dict tells apart, which {two[0]!r} and {two[1]!r} are not",
                    right=self,
                    produced=keys,
                    bridge="histogram(..., bins=[...]) for keys that are known",
                )
        found = by_metric(self, space, symmetric=threshold_release_loss)
        parameters = {"by": by, "typed": typed, "scale": self.scale, "threshold": self.threshold}
        return measurement_of(self, space, ApproxDP(), found, parameters)


def threshold_release(
    by: Expression | RowFunction | None = None, *, scale: Numeric, threshold: Numeric
) -> ThresholdRelease:
    """How many rows have each value of `by`, with Laplace noise, for the values whose noisy count reaches the threshold.

    The values need not be known beforehand: `threshold_release(field("word"), scale=2, threshold=40)`.
    """
    return ThresholdRelease(key_of(by), exact(scale, "scale"), exact(threshold, "threshold"))
