"""A transformation of the user's own, with a stability map that is claimed, not derived."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar, cast, final

from dpcore import promises
from dpcore.claims import ClaimedMap, checked, claimed_under, inside, plain
from dpcore.core import MADE, Space, Transformation, a_space
from dpcore.derivation import Derivation, rule
from dpcore.domains import Domain
from dpcore.functions import UserFunction, user_function
from dpcore.maps import Number, Numeric
from dpcore.metrics import Metric
from dpcore.origins import Arrow, Origin, Part, SomeSpace
from dpcore.parameters import Data, Parameter
from dpcore.steps import Values
from dpcore.written import DOMAIN, METRIC, described_step
from dpcore.written.shared import Function, Source

DI = TypeVar("DI", bound=Domain)
MI = TypeVar("MI", bound=Metric)
DO = TypeVar("DO", bound=Domain)
MO = TypeVar("MO", bound=Metric)


def _call(data: object, *, function: UserFunction, output: Domain) -> object:
    return inside(function(plain(data)), output, function)


def _apart(parameters: Data) -> str:
    return f"how far apart ({described_step(parameters['target'])}) its values are, all in the domain declared,"


@rule(
    run=_call,
    writes=(Function, promises.Map, Source, Parameter("output", DOMAIN), Parameter("target", METRIC)),
    witness=promises.OfTransformation,
    attention="how stable it is, is the word of its author; no rule says so",
    assumes=promises.assumed("claimed_transformation", _apart),
)
def claimed_transformation(d: Number, *, map: ClaimedMap, source: Metric, target: Metric) -> Number:
    """`d(f(x), f(y)) <= map(d(x, y))`: the user's word, about distances as they are shown. An assumption."""
    return target.carry(checked(map, source.shown(d)))


@final
@dataclass(frozen=True, slots=True)
class ClaimedTransformation(Origin):
    """What the user gave."""

    function: UserFunction
    input: SomeSpace
    output: SomeSpace
    map: ClaimedMap

    def rebuilt(self, space: SomeSpace, values: Values) -> Arrow:
        claimed_under(self.input.metric, space.metric, self.map)
        output = cast("Space[Domain, Metric]", self.output).bind(values)
        return _made(self.function, cast("Space[Domain, Metric]", space), output, self.map)

    def shown(self) -> str:
        return f"transformation({self.function!r}, {self.input!r}, {self.output!r}, {self.map!r})"

    def parts(self, space: SomeSpace) -> tuple[Part, ...]:
        return ()


def transformation(
    function: Callable[..., object],
    input: Space[DI, MI],
    output: Space[DO, MO],
    stability: Callable[[Number], Number | Numeric],
) -> Transformation[DI, MI, DO, MO]:
    """A deterministic function of your own, with your word for how far apart its outputs can be.

        transformation(len, rows(text()), value(integers(0), AbsoluteDistance()), stability=lambda d: d)

    The map must be monotone and 0 at 0. It and the function appear as assumptions in whatever is built on them.
    """
    a_space(input, "input")
    a_space(output, "output")
    return _made(
        user_function(function),
        input,
        output,
        ClaimedMap(user_function(cast("Callable[[object], object]", stability), "stability")),
    )


def _made(
    function: UserFunction, input: Space[DI, MI], output: Space[DO, MO], map: ClaimedMap
) -> Transformation[DI, MI, DO, MO]:
    parameters = {
        "function": function,
        "output": output.domain,
        "map": map,
        "source": input.metric,
        "target": output.metric,
    }
    origin = ClaimedTransformation(function, input, output, map)
    return Transformation(input, output, Derivation(claimed_transformation, parameters), origin, MADE)
