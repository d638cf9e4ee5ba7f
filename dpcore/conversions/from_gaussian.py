"""From GaussianDP."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from dpcore.calculus import Asked, Curve, Followed, Parameters, Raw, Reading, Witness, number_in
from dpcore.calculus.parameters import readable
from dpcore.conversions.shared import Epsilons, highest_lines, recounting, spread_out, thinned
from dpcore.maps import ZERO, Number, ends, exp, is_zero, maximum, normal_cdf, normal_quantile, numeral, sqrt
from dpcore.maps.search import least_epsilon


@recounting()
def gaussian_to_zcdp(d: Number, loss: Reading) -> Raw:
    """`rho = mu^2/2`: the Renyi divergence of N(0,1) from N(mu,1) is `alpha mu^2/2` (Dong, Roth, Su 2022, Cor. B.6)."""
    return number_in(loss(d)) / 2


@recounting()
def gaussian_to_renyi(d: Number, loss: Reading) -> Raw:
    """`eps(alpha) = alpha mu^2/2`."""
    squared = number_in(loss(d))
    return lambda alpha: alpha * squared / 2


@recounting()
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


def _touching_lines(map: Callable[..., Raw], parameters: Parameters, asked: Sequence[Asked]) -> Followed:
    """The eps whose lines touch the curve at the points asked for."""
    points = [(number_in(each.loss), each.points) for each in asked if each.loss is not None]
    epsilons = thinned(_touching(squared, alpha) for squared, alphas in points for alpha in spread_out(alphas))
    return epsilons, lambda d, loss: highest_lines(normal_curve(number_in(loss(d))), epsilons)


def _touching(square: Number, alpha: Number) -> Fraction:
    """`|mu z - mu^2/2|` with `Phi(z) = 1 - alpha`: there the lines touch the Gaussian curve."""
    if is_zero(alpha) or is_zero(square):
        return Fraction(0) if is_zero(square) else least_epsilon(normal_curve(square), numeral(Fraction(1, 10**20)))
    if is_zero(1 - alpha):
        return Fraction(0)
    low, high = ends(sqrt(square) * normal_quantile(1 - alpha) - square / 2)
    middle = abs(low + high) / 2
    return readable(middle, 20) if middle else middle


@recounting(witness=Witness(Epsilons, _touching_lines))
def gaussian_to_tradeoff(d: Number, loss: Reading) -> Raw:
    """`beta(alpha) = Phi(Phi^-1(1 - alpha) - mu)` (Dong, Roth, Su 2022)."""
    squared = number_in(loss(d))

    def tradeoff(alpha: Number) -> Number:
        if is_zero(alpha) or is_zero(1 - alpha):
            return 1 - alpha
        return normal_cdf(normal_quantile(1 - alpha) - sqrt(squared))

    return tradeoff
