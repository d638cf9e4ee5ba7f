"""From GaussianDP."""

from __future__ import annotations

from dpcore.conversions.shared import number_in, same
from dpcore.derivation import Curve, Raw, Reading, rule
from dpcore.maps import (
    ZERO,
    Number,
    exp,
    is_zero,
    maximum,
    normal_cdf,
    normal_quantile,
    sqrt,
)


@rule(run=same)
def gaussian_to_zcdp(d: Number, loss: Reading) -> Raw:
    """`rho = mu^2/2`: the Renyi divergence of N(0,1) from N(mu,1) is `alpha mu^2/2` (Dong, Roth, Su 2022, Cor. B.6)."""
    return number_in(loss(d)) / 2


@rule(run=same)
def gaussian_to_renyi(d: Number, loss: Reading) -> Raw:
    """`eps(alpha) = alpha mu^2/2`."""
    squared = number_in(loss(d))
    return lambda alpha: alpha * squared / 2


@rule(run=same)
def gaussian_to_profile(d: Number, loss: Reading) -> Raw:
    """`delta(x) = Phi(-x/mu + mu/2) - e^x Phi(-x/mu - mu/2)` (Balle and Wang 2018, Theorem 8)."""
    return normal_curve(number_in(loss(d)))


def normal_curve(squared: Number) -> Curve:
    """The profile of `N(0, 1)` against `N(mu, 1)`, mu given as its square."""

    def profile(x: Number) -> Number:
        if is_zero(squared):
            return ZERO
        mu = sqrt(squared)
        return maximum(ZERO, normal_cdf(mu / 2 - x / mu) - exp(x) * normal_cdf(-x / mu - mu / 2))

    return profile


@rule(run=same)
def gaussian_to_tradeoff(d: Number, loss: Reading) -> Raw:
    """`beta(alpha) = Phi(Phi^-1(1 - alpha) - mu)` (Dong, Roth, Su 2022)."""
    squared = number_in(loss(d))

    def tradeoff(alpha: Number) -> Number:
        if is_zero(alpha) or is_zero(1 - alpha):
            return 1 - alpha
        return normal_cdf(normal_quantile(1 - alpha) - sqrt(squared))

    return tradeoff
