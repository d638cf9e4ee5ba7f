"""A measurement of the user's own, with a privacy map that is claimed, not derived."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar, cast, final

from dpcore.claims import ClaimedMap, checked_raw, claimed_under, plain
from dpcore.core import MADE, Measurement, Space, a_space
from dpcore.derivation import Derivation, Raw, rule
from dpcore.domains import Domain
from dpcore.errors import InvalidParameter
from dpcore.functions import UserFunction, user_function
from dpcore.given import is_a
from dpcore.maps import Number
from dpcore.measures import Measure
from dpcore.metrics import Metric
from dpcore.origins import Arrow, Origin, Part, SomeSpace
from dpcore.steps import Values

DI = TypeVar("DI", bound=Domain)
MI = TypeVar("MI", bound=Metric)
ME = TypeVar("ME", bound=Measure)
T = TypeVar("T")


def _call(data: object, *, function: UserFunction) -> object:
    return function(plain(data))


@rule(run=_call)
def claimed_measurement(d: Number, *, map: ClaimedMap, measure: Measure, source: Metric) -> Raw:
    """The loss at distance d, as it is shown, is at most `map(d)`: the user's word. An assumption."""
    return checked_raw(map, source.shown(d), measure)


@final
@dataclass(frozen=True, slots=True)
class ClaimedMeasurement(Origin):
    """What the user gave."""

    function: UserFunction
    input: SomeSpace
    measure: Measure
    map: ClaimedMap

    def rebuilt(self, space: SomeSpace, values: Values) -> Arrow:
        claimed_under(self.input.metric, space.metric, self.map)
        arrow: Measurement[Domain, Metric, Measure, object]
        arrow = _made(self.function, cast("Space[Domain, Metric]", space), self.measure, self.map)
        return arrow

    def shown(self) -> str:
        return f"measurement({self.function!r}, {self.input!r}, {self.measure!r}, {self.map!r})"

    def parts(self, space: SomeSpace) -> tuple[Part, ...]:
        return ()


def measurement(
    function: Callable[..., T], input: Space[DI, MI], measure: ME, loss: Callable[[Number], object]
) -> Measurement[DI, MI, ME, T]:
    """A mechanism of your own, with your word for what it costs.

        measurement(noisy_mean, rows(integers(0, 1)), PureDP(), loss=lambda d: d / 2)

    `loss` maps a distance to what the measure counts: a number, a pair for ApproxDP, `mu` for GaussianDP, a function for
    a curve. It must be monotone and 0 at 0. It and the function appear as assumptions in whatever is built on them.
    """
    a_space(input, "input")
    if not is_a(measure, Measure):
        raise InvalidParameter(f"Expected a measure such as PureDP() but got a {type(measure).__name__} for measure")
    map = ClaimedMap(user_function(cast("Callable[[object], object]", loss), "loss"))
    return _made(user_function(cast("Callable[[object], object]", function)), input, measure, map)


def _made(function: UserFunction, input: Space[DI, MI], measure: ME, map: ClaimedMap) -> Measurement[DI, MI, ME, T]:
    parameters = {"function": function, "map": map, "measure": measure, "source": input.metric}
    derivation = Derivation(claimed_measurement, parameters)
    return Measurement(input, measure, derivation, ClaimedMeasurement(function, input, measure, map), MADE)
