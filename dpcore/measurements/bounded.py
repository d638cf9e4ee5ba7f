"""Noise that never reaches further than so many grid steps. No epsilon bounds its loss, so that is total variation."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction

from dpcore.calculus import Parameters, Rule
from dpcore.core.accuracies import each_of
from dpcore.core.origins import SomeSpace
from dpcore.domains import Domain
from dpcore.maps import Numeric
from dpcore.measurements.additive import OnGrid, coordinates, failing
from dpcore.measures import Measure, TotalVariation
from dpcore.metrics import L1Distance


class BoundedNoise(OnGrid[L1Distance, TotalVariation]):
    """A step whose one field says how far the noise reaches: whole, in grid steps or as a multiple of the step."""

    __slots__ = ()

    of_vectors = L1Distance

    @abstractmethod
    def derived(self, step: Fraction) -> tuple[Rule, Parameters]:
        """The rule and its parameters, on a grid of this step."""

    def often(self, domain: Domain, confidence: Numeric) -> Fraction:
        """How often each number must be accurate, so that all of a value are at this confidence."""
        return each_of(coordinates(domain), 1 - failing(confidence))

    def protects(self, space: SomeSpace) -> tuple[Measure, Rule, Parameters]:
        return TotalVariation(), *self.derived(self.grid(space))
