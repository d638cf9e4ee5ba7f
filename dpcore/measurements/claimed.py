"""A measurement of the user's own, with a privacy map that is claimed, not derived."""

from __future__ import annotations

from collections.abc import Callable

from dpcore.calculus import Derivation, Raw, rule
from dpcore.calculus.parameters import Parameter, text
from dpcore.core import Measurement, Space, asserted
from dpcore.core.asserted import ClaimedMap, checked_raw, plain
from dpcore.core.origins import MADE, Call
from dpcore.core.spaces import a_space
from dpcore.core.typing import DI, ME, MI, T
from dpcore.errors import InvalidParameter, is_a, made
from dpcore.functions import UserFunction, user_function
from dpcore.maps import Number
from dpcore.measures import Measure
from dpcore.metrics import Metric, SymmetricDistance
from dpcore.written import MEASURE
from dpcore.written.shared import Function, Source


def _call(data: object, *, function: UserFunction) -> object:
    return function.as_mechanism(plain(data))


@rule(
    run=_call,
    writes=(Function, asserted.Map, Source, Parameter("measure", MEASURE)),
    witness=asserted.OfMeasurement,
    attention="what it costs is the word of its author; no rule says so",
    assumes=asserted.assumed("claimed_measurement", lambda parameters: f"the loss in {text(parameters['measure'])}"),
)
def claimed_measurement(d: Number, *, map: ClaimedMap, measure: Measure, source: Metric) -> Raw:
    """The loss at distance d, as it is shown, is at most `map(d)`: the user's word. An assumption."""
    return checked_raw(map.under(source), source.shown(d), measure)


def measurement(
    function: Callable[..., T],
    input: Space[DI, MI],
    measure: ME | type[ME],
    loss: Callable[[Number], object],
    *,
    replaced: Callable[[Number], object] | None = None,
) -> Measurement[DI, MI, ME, T]:
    """A mechanism of your own, with your word for what it costs.

        measurement(noisy_mean, rows(integers(0, 1)), PureDP, loss=lambda d: d / 2)

    `loss` maps a distance to what the measure counts: a number, a pair for ApproxDP, `mu` for GaussianDP, a function for
    a curve. It must be monotone and 0 at 0. It and the function appear as assumptions in whatever is built on them.

    `replaced`, for rows under SymmetricDistance, is your word for the same function between data of which d rows are
    replaced: where it stands in `parallel(...)` under ChangeOneDistance, which else takes a row replaced for two steps.
    """
    a_space(input, "input")
    counted = made(measure)
    if not is_a(counted, Measure):
        raise InvalidParameter(f"Expected a measure such as PureDP but got a {type(counted).__name__} for measure")
    called = user_function(function)
    map = loss if isinstance(loss, ClaimedMap) else _claimed(loss, replaced, input.metric)
    parameters = {"function": called, "map": map, "measure": counted, "source": input.metric}
    options = () if map.replaced is None else (("replaced", map.replaced),)
    call = Call(measurement, (called, input, type(counted), map), options)
    return Measurement(input, counted, Derivation(claimed_measurement, parameters), call, MADE)


def _claimed(
    loss: Callable[[Number], object], replaced: Callable[[Number], object] | None, metric: Metric
) -> ClaimedMap:
    if replaced is None:
        return ClaimedMap(user_function(loss, "loss"))
    if not isinstance(metric, SymmetricDistance):
        raise InvalidParameter(
            f"Expected rows under SymmetricDistance where replaced is given, but got {metric}",
            produced=metric,
            bridge="loss alone, which is claimed under the metric of the input",
        )
    of_replaced = user_function(replaced, "replaced")
    return ClaimedMap(user_function(loss, "loss"), of_replaced)
