"""From ApproxDP and from TotalVariation."""

from __future__ import annotations

from dpcore.calculus import Raw, Reading, number_in, pair_in
from dpcore.conversions.shared import recounting, two_lines
from dpcore.maps import ZERO, Number, at_least, exp, expm1, is_rational, maximum


def worst_case(x: Number, epsilon: Number, delta: Number) -> Number:
    """delta at x of: with probability delta tell all, else randomized response at epsilon."""
    if is_rational(x) and is_rational(epsilon) and at_least(x, epsilon):
        return delta  # exactly: a difference of two balls would not be 0 at x = epsilon
    return delta + (1 - delta) * maximum(ZERO, (exp(epsilon) - exp(x)) / (1 + exp(epsilon)))


def advantage(epsilon: Number, delta: Number) -> Number:
    """The same at x = 0."""
    return delta + (1 - delta) * expm1(epsilon) / (exp(epsilon) + 1)


@recounting()
def approx_to_approximate_zcdp(d: Number, loss: Reading) -> Raw:
    """`(eps^2/2, delta)`: all but delta of both is a pair that loses eps, with no delta (Bun, Steinke 2016, Section 8)."""
    epsilon, delta = pair_in(loss(d))
    return epsilon * epsilon / 2, delta


@recounting()
def approx_to_profile(d: Number, loss: Reading) -> Raw:
    """`delta(x) = delta + (1 - delta) max(0, (e^eps - e^x)/(1 + e^eps))` (Kairouz, Oh, Viswanath 2015)."""
    epsilon, delta = pair_in(loss(d))
    return lambda x: worst_case(x, epsilon, delta)


@recounting()
def approx_to_tradeoff(d: Number, loss: Reading) -> Raw:
    """`beta(alpha) = max(0, 1 - delta - e^eps alpha, e^-eps (1 - delta - alpha))` (Wasserman and Zhou 2010)."""
    epsilon, delta = pair_in(loss(d))
    return lambda alpha: two_lines(alpha, epsilon, delta)


@recounting()
def approx_to_total_variation(d: Number, loss: Reading) -> Raw:
    """`delta + (1 - delta)(e^eps - 1)/(e^eps + 1)`: the profile at 0."""
    epsilon, delta = pair_in(loss(d))
    return advantage(epsilon, delta)


@recounting()
def total_variation_to_approx(d: Number, loss: Reading) -> Raw:
    """`P(E) <= e^0 Q(E) + delta`."""
    return ZERO, number_in(loss(d))


@recounting()
def total_variation_to_profile(d: Number, loss: Reading) -> Raw:
    """`delta(x) <= delta(0) = delta` for every x >= 0."""
    delta = number_in(loss(d))
    return lambda x: delta


@recounting()
def total_variation_to_tradeoff(d: Number, loss: Reading) -> Raw:
    """`beta(alpha) = max(0, 1 - delta - alpha)`."""
    delta = number_in(loss(d))
    return lambda alpha: maximum(ZERO, 1 - delta - alpha)
