"""A measurement of the user's own, with a privacy map that is claimed, not derived."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar, cast, final

from dpcore import promises
from dpcore.claims import ClaimedMap, checked_raw, claimed_under, plain
from dpcore.core import MADE, Measurement, Space, a_space
from dpcore.derivation import Derivation, Raw, rule
from dpcore.domains import Domain
from dpcore.errors import InvalidParameter
from dpcore.functions import UserFunction, user_function
from dpcore.given import is_a
from dpcore.maps import Number
from dpcore.measures import Measure
from dpcore.metrics import Metric, SymmetricDistance
from dpcore.origins import Arrow, Origin, Part, SomeSpace
from dpcore.parameters import Parameter, text
from dpcore.steps import Values
from dpcore.written import MEASURE
from dpcore.written.shared import Function, Source

DI = TypeVar("DI", bound=Domain)
MI = TypeVar("MI", bound=Metric)
ME = TypeVar("ME", bound=Measure)
T = TypeVar("T")


def _call(data: object, *, function: UserFunction) -> object:
    return function(plain(data))


@rule(
    run=_call,
    writes=(Function, promises.Map, Source, Parameter("measure", MEASURE)),
    witness=promises.OfMeasurement,
    attention="what it costs is the word of its author; no rule says so",
    assumes=promises.assumed("claimed_measurement", lambda parameters: f"the loss in {text(parameters['measure'])}"),
)
def claimed_measurement(d: Number, *, map: ClaimedMap, measure: Measure, source: Metric) -> Raw:
    """The loss at distance d, as it is shown, is at most `map(d)`: the user's word. An assumption."""
    return checked_raw(map.under(source), source.shown(d), measure)


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
        replaced = "" if self.map.replaced is None else f", replaced={self.map.replaced!r}"
        return f"measurement({self.function!r}, {self.input!r}, {self.measure!r}, {self.map!r}{replaced})"

    def parts(self, space: SomeSpace) -> tuple[Part, ...]:
        return ()


def measurement(
    function: Callable[..., T],
    input: Space[DI, MI],
    measure: ME,
    loss: Callable[[Number], object],
    *,
    replaced: Callable[[Number], object] | None = None,
) -> Measurement[DI, MI, ME, T]:
    """A mechanism of your own, with your word for what it costs.

        measurement(noisy_mean, rows(integers(0, 1)), PureDP(), loss=lambda d: d / 2)

    `loss` maps a distance to what the measure counts: a number, a pair for ApproxDP, `mu` for GaussianDP, a function for
    a curve. It must be monotone and 0 at 0. It and the function appear as assumptions in whatever is built on them.

    `replaced`, for rows under SymmetricDistance, is your word for the same function between data of which d rows are
    replaced: where it stands in `parallel(...)` under ChangeOneDistance, which else takes a row replaced for two steps.
    """
    a_space(input, "input")
    if not is_a(measure, Measure):
        raise InvalidParameter(f"Expected a measure such as PureDP() but got a {type(measure).__name__} for measure")
    if replaced is not None and not isinstance(input.metric, SymmetricDistance):
        raise InvalidParameter(
            f"Expected rows under SymmetricDistance where replaced is given, but got {input.metric!r}",
            produced=input.metric,
            bridge="loss alone, which is claimed under the metric of the input",
        )
    of_replaced = None if replaced is None else user_function(cast("Callable[[object], object]", replaced), "replaced")
    map = ClaimedMap(user_function(cast("Callable[[object], object]", loss), "loss"), of_replaced)
    return _made(user_function(cast("Callable[[object], object]", function)), input, measure, map)


def _made(function: UserFunction, input: Space[DI, MI], measure: ME, map: ClaimedMap) -> Measurement[DI, MI, ME, T]:
    parameters = {"function": function, "map": map, "measure": measure, "source": input.metric}
    derivation = Derivation(claimed_measurement, parameters)
    return Measurement(input, measure, derivation, ClaimedMeasurement(function, input, measure, map), MADE)
