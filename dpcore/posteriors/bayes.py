"""Bayes' rule, exactly: what is believed of the data once a release was seen.

From the prior b and the exact distributions of the release, `p(x|t) = b(x) P_x(t) / sum over z of b(z) P_z(t)`. Figures
enclose the truth. Where rare outcomes were left out of a distribution and t is not listed, its probability is anything from
0 to what was left out.

With `erased=r`, what would be believed had the release been made of r of the data: P_r(x) in the place of P_x.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar, final

from dpcore.core import Measurement
from dpcore.core.checks import a_measurement
from dpcore.core.running import distribution_on
from dpcore.core.typing import DI, ME, MI, T
from dpcore.distributions.distribution import BITS, Distribution, settled
from dpcore.errors import InvalidParameter, NoDistribution, is_a, is_callable
from dpcore.functions import guarded, is_hashable
from dpcore.maps import ZERO, Number, Numeric, at_precision, ball_between, ends, exact, known, numeral, total
from dpcore.maps.bounds import Bound

X = TypeVar("X", bound=Hashable)


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Posterior(Generic[X]):
    """What is believed of the data once a release was seen: `posterior[x]`, and of a statement `posterior.belief(...)`."""

    joint: Mapping[X, Number]
    """How probable the data and the release are together, up to a factor that is the same for all."""

    def __getitem__(self, data: X) -> Bound:
        """The probability of these data."""
        as_data(data, "the data")
        if data not in self.joint:
            return Bound("0")
        return self._share([self.joint[data]])

    def belief(self, statement: Callable[[X], Numeric | bool]) -> Bound:
        """The probability of a statement about the data: true or false of each, or true with a probability."""
        a_function(statement, "the statement")

        def chance(data: X) -> Fraction:
            return _chance(guarded(statement, self, data, what="the statement"))

        return self._share([numeral(chance(data)) * mass for data, mass in self.joint.items()])

    def _share(self, some: list[Number]) -> Bound:
        return Bound(at_precision(BITS, lambda: total(some) / total(list(self.joint.values()))))

    def __repr__(self) -> str:
        return f"<Posterior of {len(self.joint)} data sets>"


def posterior(
    m: Measurement[DI, MI, ME, T], prior: Mapping[X, Numeric], outcome: object, erased: Callable[[X], X] | None = None
) -> Posterior[X]:
    """What whoever had this prior believes after this release: `posterior(m, {(0, 1): "1/2", (1, 1): "1/2"}, 2)`.

    Data sets are tuples of rows, or values; weights need not add up to 1. With `erased` it is what would be believed had the
    release been made of `erased(data)`, one person's data gone, say.
    """
    a_measurement(m)
    if not is_a(prior, Mapping):
        raise InvalidParameter(
            f"Expected a weight for each data set as the prior but got a {type(prior).__name__}",
            produced=type(prior),
            bridge='{(0, 1): "1/2", (1, 1): "1/2"}, of data sets that are tuples of rows, or values',
        )
    if erased is not None:
        a_function(erased, "erased")
    weights = {data: _weight(weight) for data, weight in prior.items()}
    if not any(weights.values()):
        raise InvalidParameter("Expected a prior with a positive weight", produced=prior)
    key = settled(outcome)
    joint: dict[X, Number] = {}
    told: dict[X, Number] = {}
    for data, weight in weights.items():
        released = data if erased is None else _erased(erased, data, m)
        if released not in told:
            told[released] = _likelihood(distribution_on(m, released), key)
        joint[data] = _product(weight, told[released])
    if not ends(at_precision(BITS, lambda: total(list(joint.values()))))[0] > 0:
        raise NoDistribution(
            "the outcome is impossible from all data of the prior, or too rare for its probability to be listed",
            produced=type(outcome),
        )
    return Posterior(joint)


def _erased(erased: Callable[[X], X], data: X, m: object) -> X:
    found = guarded(erased, m, data, what="the function erased")
    as_data(found, "what erased gives")
    return found


def as_data(x: object, name: str) -> None:
    """Refuse what a prior cannot have: a list has no place in a mapping."""
    if not is_hashable(x):
        raise InvalidParameter(
            f"Expected {name} to be as a prior has them but got a {type(x).__name__}",
            produced=type(x),
            bridge="a tuple of rows, or a value",
        )


def a_function(x: object, name: str) -> None:
    if not is_callable(x):
        raise InvalidParameter(
            f"Expected a function of the data for {name} but got a {type(x).__name__}", produced=type(x)
        )


def _product(weight: Fraction, likelihood: Number) -> Number:
    return at_precision(BITS, lambda: numeral(weight) * likelihood)


def _likelihood(distribution: Distribution, key: Hashable) -> Number:
    """The probability of the outcome; of one that was left out, anything up to what was."""
    mass = distribution.masses.get(key)
    if mass is not None:
        return mass
    return ZERO if distribution.complete else ball_between(Fraction(0), distribution.left_out)


def _weight(x: Numeric) -> Fraction:
    weight = Fraction(known(exact(x, "weight"), "weight"))
    if weight < 0:
        raise InvalidParameter("Expected weights of at least 0 in the prior", produced=weight)
    return weight


def _chance(x: Numeric | bool) -> Fraction:
    chance = Fraction(int(x)) if isinstance(x, bool) else Fraction(known(exact(x, "statement"), "statement"))
    if not 0 <= chance <= 1:
        raise InvalidParameter("Expected a truth value or a probability of the statement", produced=chance)
    return chance
