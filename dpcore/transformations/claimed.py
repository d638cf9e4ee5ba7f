"""A transformation of the user's own, with a stability map that is claimed, not derived."""

from __future__ import annotations

from collections.abc import Callable

from dpcore.calculus import Derivation, rule
from dpcore.calculus.parameters import Data, Parameter
from dpcore.core import Space, Transformation, asserted
from dpcore.core.asserted import ClaimedMap, checked, inside, plain
from dpcore.core.origins import MADE, Call
from dpcore.core.spaces import a_space
from dpcore.core.typing import DI, DO, MI, MO
from dpcore.domains import Domain
from dpcore.functions import UserFunction, reading, user_function
from dpcore.maps import Number, Numeric
from dpcore.metrics import Metric
from dpcore.written import DOMAIN, METRIC, described_step
from dpcore.written.shared import Function, Source


def _call(data: object, *, function: UserFunction, output: Domain) -> object:
    return reading(lambda: inside(function(plain(data)), output, function))


def _apart(parameters: Data) -> str:
    return f"how far apart ({described_step(parameters['target'])}) its values are, all in the domain declared,"


@rule(
    run=_call,
    writes=(Function, asserted.Map, Source, Parameter("output", DOMAIN), Parameter("target", METRIC)),
    witness=asserted.OfTransformation,
    attention="how stable it is, is the word of its author; no rule says so",
    assumes=asserted.assumed("claimed_transformation", _apart),
)
def claimed_transformation(d: Number, *, map: ClaimedMap, source: Metric, target: Metric) -> Number:
    """`d(f(x), f(y)) <= map(d(x, y))`: the user's word, about distances as they are shown. An assumption."""
    return target.carry(checked(map, source.shown(d)))


def transformation(
    function: Callable[..., object],
    input: Space[DI, MI],
    output: Space[DO, MO],
    stability: Callable[[Number], Number | Numeric],
) -> Transformation[DI, MI, DO, MO]:
    """A deterministic function of your own, with your word for how far apart its outputs can be.

        transformation(len, rows(text()), value(integers(0), AbsoluteDistance), stability=lambda d: d)

    The map must be monotone and 0 at 0. It and the function appear as assumptions in whatever is built on them.
    """
    a_space(input, "input")
    a_space(output, "output")
    called = user_function(function)
    map = stability if isinstance(stability, ClaimedMap) else ClaimedMap(user_function(stability, "stability"))
    parameters = {
        "function": called,
        "output": output.domain,
        "map": map,
        "source": input.metric,
        "target": output.metric,
    }
    call = Call(transformation, (called, input, output, map))
    return Transformation(input, output, Derivation(claimed_transformation, parameters), call, MADE)
