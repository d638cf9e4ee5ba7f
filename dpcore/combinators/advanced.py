"""Composition of many small losses at a better rate than their sum, for a small probability of failure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeVar

from dpcore.calculus import Derivation, Premises, Raw, Reading, Release, Rule, number_in, pair_in, rule
from dpcore.calculus.parameters import UNIT, Parameter
from dpcore.combinators.compose import compose, each_once, each_release
from dpcore.combinators.unequal import unequal
from dpcore.core import Measurement
from dpcore.core.origins import MADE, Call
from dpcore.core.typing import DI, MI, T
from dpcore.errors import NoConversion
from dpcore.maps import (
    ONE,
    ZERO,
    Number,
    Numeric,
    between_0_and_1,
    binomial,
    exp,
    is_symbolic,
    log,
    maximum,
    minimum,
    named_function,
    power,
    sqrt,
    surely_at_least_one,
    total,
    working_bits,
)
from dpcore.measures import ApproxDP, Profile, PureDP

ME = TypeVar("ME", PureDP, ApproxDP)


def _together(*writes: Parameter, inverse: bool = True) -> Callable[[Callable[..., Raw]], Rule]:
    return rule(run=each_release, writes=writes, release=Release.TOGETHER, premises=Premises.AT_D, inverse=inverse)


Slack = Parameter("slack", UNIT)


def _numbers(d: Number, losses: Sequence[Reading]) -> list[tuple[Number, int]]:
    return [(number_in(loss), times) for loss, times in each_once(d, losses)]


def _pairs(d: Number, losses: Sequence[Reading]) -> list[tuple[Number, Number, int]]:
    return [(*pair_in(loss), times) for loss, times in each_once(d, losses)]


# ---- advanced composition ------------------------------------------------------------------------------------------


def _advanced(epsilons: list[tuple[Number, int]], deltas: list[Number], slack: Number) -> Raw:
    squares = total([times * e * e for e, times in epsilons])
    drift = total([times * e * (exp(e) - 1) / (exp(e) + 1) for e, times in epsilons])
    return sqrt(2 * log(1 / slack) * squares) + drift, slack + total(deltas)


def epsilon_of_equals(epsilon: Number, k: int, slack: Number) -> Number:
    """What k parts of epsilon cost by advanced composition."""
    return pair_in(_advanced([(epsilon, k)], [], slack))[0]


@_together(Slack, inverse=False)
def advanced_composition_pure(d: Number, *losses: Reading, slack: Number) -> Raw:
    """`( sqrt(2 ln(1/s) sum eps_i^2) + sum eps_i (e^eps_i - 1)/(e^eps_i + 1), s )` (Kairouz, Oh, Viswanath 2017, Thm 3.5)"""
    return _advanced(_numbers(d, losses), [], slack)


@_together(Slack, inverse=False)
def advanced_composition_approx(d: Number, *losses: Reading, slack: Number) -> Raw:
    """The same, with `s + sum delta_i`."""
    pairs = _pairs(d, losses)
    return _advanced([(e, times) for e, _, times in pairs], [times * delta for _, delta, times in pairs], slack)


@_together(Slack, inverse=False)
def advanced_or_plain_pure(d: Number, *losses: Reading, slack: Number) -> Raw:
    """`( min(sum eps_i, eps), s )`, eps being that of advanced composition: below a few dozen parts the sum is less."""
    epsilons = _numbers(d, losses)
    return _or_plain(epsilons, _advanced(epsilons, [], slack))


@_together(Slack, inverse=False)
def advanced_or_plain_approx(d: Number, *losses: Reading, slack: Number) -> Raw:
    """The same, with `s + sum delta_i`."""
    pairs = _pairs(d, losses)
    epsilons = [(e, times) for e, _, times in pairs]
    return _or_plain(epsilons, _advanced(epsilons, [times * delta for _, delta, times in pairs], slack))


def _or_plain(epsilons: list[tuple[Number, int]], advanced: Raw) -> Raw:
    epsilon, delta = pair_in(advanced)
    return minimum(total([times * e for e, times in epsilons]), epsilon), delta


def compose_advanced(
    measurements: Sequence[Measurement[DI, MI, ME, T]], slack: Numeric
) -> Measurement[DI, MI, ApproxDP, tuple[T, ...]]:
    """All releases on the same data, the loss by advanced composition: `compose_advanced([m] * 100, slack="1e-6")`.

    Never more than the sum of their epsilons, which is less where the parts are few.
    """
    value = between_0_and_1(slack, "slack")
    found = _rule(measurements, advanced_or_plain_pure, advanced_or_plain_approx, "advanced composition")
    parts = tuple(measurements)
    derivation = Derivation(found, {"slack": value}, tuple([m.derivation for m in parts]))
    call = Call(compose_advanced, (parts,), (("slack", value),))
    return Measurement(parts[0].input, ApproxDP(), derivation, call, MADE)


# ---- optimal composition -------------------------------------------------------------------------------------------


def _optimal(epsilon: Number, delta: Number, k: int) -> Raw:
    # A delta above 1, as group privacy may give, says no more than 1; below, 1 - delta must not be negative.
    delta = minimum(delta, ONE)

    @lru_cache(maxsize=2)
    def chances(bits: int) -> list[Number]:
        """Of i false ones among k answers of randomized response, up to the half: with the bits that are set now."""
        true, false = 1 / (1 + exp(-epsilon)), 1 / (1 + exp(epsilon))
        return [binomial(k, i) * power(true, k - i) * power(false, i) for i in range(k // 2 + 1)]

    def profile(x: Number) -> Number:
        if is_symbolic(x):
            return named_function("optimal_composition", epsilon, delta, ONE * k, x)
        # Where i answers are false the privacy loss is (k - 2i) eps, and what counts of it is 1 - e^(x - (k - 2i) eps).
        terms, missed, factor = [ZERO], exp(x - k * epsilon), exp(2 * epsilon)
        for chance in chances(working_bits()):
            if surely_at_least_one(missed):
                break  # and so it is from here on
            terms.append(chance * maximum(ZERO, 1 - missed))
            missed = missed * factor
        lost, told = total(terms), 1 - power(1 - delta, k)
        return lost + (1 - lost) * told  # not 1 - (1 - told) (1 - lost), in which a tiny delta would drown

    return profile


@_together()
def optimal_composition_pure(d: Number, *losses: Reading) -> Raw:
    """`delta(x) = sum_i C(k,i) p^(k-i) q^i max(0, 1 - e^(x - (k-2i) eps))`, `p = e^eps/(1 + e^eps)`, `q = 1 - p`.

    Kairouz, Oh, Viswanath 2015, Theorem 3.3: exact for k equal losses; of unequal ones the largest is taken for all.
    """
    return _optimal(maximum(*(e for e, _ in _numbers(d, losses))), ZERO, len(losses))


@_together()
def optimal_composition_approx(d: Number, *losses: Reading) -> Raw:
    """`1 - (1 - delta)^k (1 - delta_0(x))`, `delta_0` being the curve for delta = 0."""
    pairs = _pairs(d, losses)
    return _optimal(maximum(*(e for e, _, _ in pairs)), maximum(*(delta for _, delta, _ in pairs)), len(losses))


@_together()
def unequal_composition_pure(d: Number, *losses: Reading) -> Raw:
    """`delta(x) = sum over S of e^-f max(0, 1 - e^(x - sum eps_i + 2 f)) / prod (1 + e^-eps_i)`, `f` being the sum over S,

    S the answers that are false (Murtagh and Vadhan 2018, Theorem 1.5). Where there are too many different sums, each
    eps_i is first rounded up; beyond `sum eps_i` nothing is lost.
    """
    return unequal([(e, ZERO, times) for e, times in _numbers(d, losses)])


@_together()
def unequal_composition_approx(d: Number, *losses: Reading) -> Raw:
    """`1 - prod (1 - delta_i) (1 - delta_0(x))`, `delta_0` being the curve for the epsilons alone."""
    return unequal(_pairs(d, losses))


def compose_optimal(measurements: Sequence[Measurement[DI, MI, ME, T]]) -> Measurement[DI, MI, Profile, tuple[T, ...]]:
    """All releases on the same data, the loss as the exact curve delta(epsilon), whether their losses are equal or not."""
    equal = _rule(measurements, optimal_composition_pure, optimal_composition_approx, "optimal composition")
    parts = tuple(measurements)
    found = equal if all(m is parts[0] or m == parts[0] for m in parts) else UNEQUAL[equal.name]
    derivation = Derivation(found, {}, tuple([m.derivation for m in parts]))
    return Measurement(parts[0].input, Profile(), derivation, Call(compose_optimal, (parts,)), MADE)


UNEQUAL = {
    optimal_composition_pure.name: unequal_composition_pure,
    optimal_composition_approx.name: unequal_composition_approx,
}


def _rule(measurements: Sequence[Measurement[DI, MI, ME, T]], pure: Rule, approx: Rule, what: str) -> Rule:
    """The rule for the measure they share, after every check that plain composition makes."""
    compose(measurements)
    measure = measurements[0].measure
    if isinstance(measure, PureDP):
        return pure
    if isinstance(measure, ApproxDP):
        return approx
    raise NoConversion(f"{what} is known for PureDP and ApproxDP, not for {measure}", produced=measure)
