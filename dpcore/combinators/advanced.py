"""Composition of many small losses at a better rate than their sum, for a small probability of failure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, cast

from dpcore.core import MADE, Measurement, compose
from dpcore.derivation import Derivation, Raw, Reading, Rule, Run, rule
from dpcore.domains import Domain
from dpcore.errors import InvalidParameter, NoConversion
from dpcore.maps import (
    ONE,
    ZERO,
    Number,
    Numeric,
    binomial,
    exact,
    exp,
    is_formula,
    is_symbolic,
    log,
    maximum,
    minimum,
    named_function,
    power,
    sqrt,
    total,
)
from dpcore.measures import ApproxDP, Profile, PureDP
from dpcore.metrics import Metric
from dpcore.origins import Called

DI = TypeVar("DI", bound=Domain)
MI = TypeVar("MI", bound=Metric)
ME = TypeVar("ME", PureDP, ApproxDP)
T = TypeVar("T")


def _each(data: object, *parts: Run) -> tuple[object, ...]:
    return tuple([part(data) for part in parts])


def _numbers(d: Number, losses: Sequence[Reading]) -> list[Number]:
    return [cast(Number, loss(d)) for loss in losses]


def _pairs(d: Number, losses: Sequence[Reading]) -> list[tuple[Number, Number]]:
    return [cast("tuple[Number, Number]", loss(d)) for loss in losses]


# ---- advanced composition ------------------------------------------------------------------------------------------


def _advanced(epsilons: list[Number], deltas: list[Number], slack: Number) -> Raw:
    squares = total([e * e for e in epsilons])
    drift = total([e * (exp(e) - 1) / (exp(e) + 1) for e in epsilons])
    return sqrt(2 * log(1 / slack) * squares) + drift, slack + total(deltas)


@rule(run=_each)
def advanced_composition_pure(d: Number, *losses: Reading, slack: Number) -> Raw:
    """`( sqrt(2 ln(1/s) sum eps_i^2) + sum eps_i (e^eps_i - 1)/(e^eps_i + 1), s )` (Kairouz, Oh, Viswanath 2017, Thm 3.5)"""
    return _advanced(_numbers(d, losses), [], slack)


@rule(run=_each)
def advanced_composition_approx(d: Number, *losses: Reading, slack: Number) -> Raw:
    """The same, with `s + sum delta_i`."""
    pairs = _pairs(d, losses)
    return _advanced([e for e, _ in pairs], [delta for _, delta in pairs], slack)


def compose_advanced(
    measurements: Sequence[Measurement[DI, MI, ME, T]], slack: Numeric
) -> Measurement[DI, MI, ApproxDP, tuple[T, ...]]:
    """All releases on the same data, the loss by advanced composition: `compose_advanced([m] * 100, slack="1e-6")`."""
    value = exact(slack, "slack")
    if not is_formula(value) and not 0 < value < 1:
        raise InvalidParameter(f"Expected 0 < slack < 1 but got slack={value}", produced=value)
    found = _rule(measurements, advanced_composition_pure, advanced_composition_approx, "advanced composition")
    parts = tuple(measurements)
    derivation = Derivation(found, {"slack": value}, tuple(m.derivation for m in parts))
    return Measurement(
        parts[0].input, ApproxDP(), derivation, Called(compose_advanced, parts, (("slack", value),)), MADE
    )


# ---- optimal composition -------------------------------------------------------------------------------------------


def _optimal(epsilon: Number, delta: Number, k: int) -> Raw:
    # A delta above 1, as group privacy may give, says no more than 1; below, 1 - delta must not be negative.
    delta = minimum(delta, ONE)

    def profile(x: Number) -> Number:
        if is_symbolic(x):
            return named_function("optimal_composition", epsilon, delta, ONE * k, x)
        # k answers of randomized response, l of them false: the privacy loss is (k - 2l) eps, with these chances.
        true, false = 1 / (1 + exp(-epsilon)), 1 / (1 + exp(epsilon))
        terms = [
            binomial(k, i) * power(true, k - i) * power(false, i) * maximum(ZERO, 1 - exp(x - (k - 2 * i) * epsilon))
            for i in range(k // 2 + 1)
        ]
        lost, told = total(terms), 1 - power(1 - delta, k)
        return lost + (1 - lost) * told  # not 1 - (1 - told) (1 - lost), in which a tiny delta would drown

    return profile


@rule(run=_each)
def optimal_composition_pure(d: Number, *losses: Reading) -> Raw:
    """`delta(x) = sum_i C(k,i) p^(k-i) q^i max(0, 1 - e^(x - (k-2i) eps))`, `p = e^eps/(1 + e^eps)`, `q = 1 - p`.

    Kairouz, Oh, Viswanath 2015, Theorem 3.3: exact for k equal losses; of unequal ones the largest is taken for all.
    """
    return _optimal(maximum(*_numbers(d, losses)), ZERO, len(losses))


@rule(run=_each)
def optimal_composition_approx(d: Number, *losses: Reading) -> Raw:
    """`1 - (1 - delta)^k (1 - delta_0(x))`, `delta_0` being the curve for delta = 0."""
    pairs = _pairs(d, losses)
    return _optimal(maximum(*(e for e, _ in pairs)), maximum(*(delta for _, delta in pairs)), len(losses))


def compose_optimal(measurements: Sequence[Measurement[DI, MI, ME, T]]) -> Measurement[DI, MI, Profile, tuple[T, ...]]:
    """All releases on the same data, the loss as the exact curve delta(epsilon) of k equal ones."""
    found = _rule(measurements, optimal_composition_pure, optimal_composition_approx, "optimal composition")
    parts = tuple(measurements)
    derivation = Derivation(found, {}, tuple(m.derivation for m in parts))
    return Measurement(parts[0].input, Profile(), derivation, Called(compose_optimal, parts), MADE)


def _rule(measurements: Sequence[Measurement[DI, MI, ME, T]], pure: Rule, approx: Rule, what: str) -> Rule:
    """The rule for the measure they share, after every check that plain composition makes."""
    compose(measurements)
    measure = measurements[0].measure
    if isinstance(measure, PureDP):
        return pure
    if isinstance(measure, ApproxDP):
        return approx
    raise NoConversion(f"{what} is known for PureDP and ApproxDP, not for {measure!r}", produced=measure)
