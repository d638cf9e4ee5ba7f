"""A measurement that depends on some of the rows only: held to it, and costing what it costs between those rows.

Argument. Let f keep the rows that meet a condition, so that f(f(x)) = f(x). A mechanism M whose release depends on x
through f(x) alone has the law of M(f(x)), for x and f(x) have one image. So it is run on f(x): what its author says of it
is not believed but made true, and where it was true, no release has another law. Between x and y it then costs what it
costs between f(x) and f(y), the least over all data sets with these images, as f is stable: nothing where these agree.
"""

from __future__ import annotations

from typing import Final

from dpcore.calculus import Derivation, chain
from dpcore.core import Measurement, Transformation
from dpcore.core.checks import a_measurement
from dpcore.core.steps import Step
from dpcore.core.typing import DI, ME, MI, T
from dpcore.errors import InvalidParameter, MetricMismatch
from dpcore.transformations.filter import filter_person, filter_symmetric

KEEPING: Final = frozenset({filter_symmetric.name, filter_person.name})
"""Rules of what keeps some rows as they are, and all of these when it is done again."""


def depends_on(
    measurement: Measurement[DI, MI, ME, T], f: Step | Transformation[DI, MI, DI, MI]
) -> Measurement[DI, MI, ME, T]:
    """The measurement, which sees only what f keeps, `depends_on(m, filter(field("age") <= 18))`. It is run on these
    rows, so that nobody needs to be believed; `loss_between(x, y)` is 0 where f keeps the same rows of both.

    `compose_jointly` of several such works out which of them one row can touch.
    """
    space = a_measurement(measurement).input
    made = f(space) if isinstance(f, Step) and callable(f) else f
    if not isinstance(made, Transformation) or not all(link.rule.name in KEEPING for link in _links(made.derivation)):
        raise InvalidParameter(
            "Expected a filter, or several, for f: of another function it is not known that it gives the same when it is"
            f" given what it gave, but got {made!r}",
            produced=made,
            bridge="f >> m, where m is a measurement of what f gives",
        )
    if made.input != space or made.output != space:
        raise MetricMismatch(
            "f must give data of the space of the measurement",
            left=made,
            right=measurement,
            produced=made.output,
            expected=space,
            bridge="a measurement of rows(...) under SymmetricDistance or PersonDistance, their number not known",
        )
    return made >> measurement


def _links(derivation: Derivation) -> tuple[Derivation, ...]:
    return derivation.premises if derivation.rule is chain else (derivation,)
