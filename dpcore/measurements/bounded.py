"""Noise that never reaches further than so many grid steps. No epsilon bounds its loss, so that is total variation."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from typing import overload

from dpcore.calculus import Parameters, Rule
from dpcore.core import Measurement, Space, measurement_of
from dpcore.core.typing import D, M
from dpcore.domains import Integers, Numbers, Vector
from dpcore.measurements.additive import OnGrid
from dpcore.measures import TotalVariation
from dpcore.metrics import AbsoluteDistance, L1Distance


class BoundedNoise(OnGrid):
    """A step whose one field says how far the noise reaches: whole, in grid steps or as a multiple of the step."""

    __slots__ = ()

    of_vectors = L1Distance

    @abstractmethod
    def derived(self, step: Fraction) -> tuple[Rule, Parameters]:
        """The rule and its parameters, on a grid of this step."""

    @overload
    def __call__(
        self, space: Space[Integers, AbsoluteDistance]
    ) -> Measurement[Integers, AbsoluteDistance, TotalVariation, int]: ...
    @overload
    def __call__(
        self, space: Space[Numbers, AbsoluteDistance]
    ) -> Measurement[Numbers, AbsoluteDistance, TotalVariation, Fraction]: ...
    @overload
    def __call__(
        self, space: Space[Vector[Integers], L1Distance]
    ) -> Measurement[Vector[Integers], L1Distance, TotalVariation, list[int]]: ...
    @overload
    def __call__(
        self, space: Space[Vector[Numbers], L1Distance]
    ) -> Measurement[Vector[Numbers], L1Distance, TotalVariation, list[Fraction]]: ...
    def __call__(self, space: Space[D, M]) -> object:
        return measurement_of(self, space, TotalVariation(), *self.derived(self.grid(space)))
