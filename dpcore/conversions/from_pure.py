"""From PureDP to every other measure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from dpcore.calculus import Asked, Followed, Parameters, Raw, Reading, Witness, number_in
from dpcore.calculus.parameters import POSITIVE, Parameter, upper
from dpcore.conversions.from_approx import advantage, worst_case
from dpcore.conversions.shared import recounting, two_lines
from dpcore.maps import ZERO, Number, exp, is_zero, minimum, normal_quantile, numeral, sqrt


@recounting()
def pure_to_approx(d: Number, loss: Reading) -> Raw:
    """`P(E) <= e^eps Q(E) + 0`."""
    return number_in(loss(d)), ZERO


@recounting()
def pure_to_zcdp(d: Number, loss: Reading) -> Raw:
    """`rho = eps^2/2` (Bun and Steinke 2016, Proposition 3.3)."""
    epsilon = number_in(loss(d))
    return epsilon * epsilon / 2


@recounting()
def pure_to_approximate_zcdp(d: Number, loss: Reading) -> Raw:
    """`(eps^2/2, 0)`, as `pure_to_zcdp`."""
    epsilon = number_in(loss(d))
    return epsilon * epsilon / 2, ZERO


@recounting()
def pure_to_renyi(d: Number, loss: Reading) -> Raw:
    """`eps(alpha) = min(eps, alpha eps^2/2)`: Renyi divergence grows with its order, up to the max-divergence eps."""
    epsilon = number_in(loss(d))
    return lambda alpha: minimum(epsilon, alpha * epsilon * epsilon / 2)


@recounting()
def pure_to_total_variation(d: Number, loss: Reading) -> Raw:
    """`delta = (e^eps - 1)/(e^eps + 1)`, which randomized response reaches."""
    epsilon = number_in(loss(d))
    return advantage(epsilon, ZERO)


@recounting()
def pure_to_profile(d: Number, loss: Reading) -> Raw:
    """`delta(x) = max(0, (e^eps - e^x)/(1 + e^eps))`: randomized response is the worst case (Kairouz, Oh, Viswanath)."""
    epsilon = number_in(loss(d))
    return lambda x: worst_case(x, epsilon, ZERO)


@recounting()
def pure_to_tradeoff(d: Number, loss: Reading) -> Raw:
    """`beta(alpha) = max(0, 1 - e^eps alpha, e^-eps (1 - alpha))`."""
    epsilon = number_in(loss(d))
    return lambda alpha: two_lines(alpha, epsilon, ZERO)


def _least_mu(map: Callable[..., Raw], parameters: Parameters, asked: Sequence[Asked]) -> Followed:
    """The mu of the Gaussian curve that lies below both lines of the largest epsilon."""
    squares = [number_in(map(each.d, _always(each.loss))) for each in asked if each.loss is not None]
    # Above the root by enough that a checker with fewer bits sees it.
    mu = max(upper(sqrt(square) * (1 + numeral(Fraction(1, 10**18)))) for square in squares)

    def squared(d: Number, loss: Reading) -> Raw:
        return ZERO if is_zero(number_in(loss(d))) else numeral(mu * mu)

    return mu or Fraction(1), squared


def _always(loss: Raw) -> Reading:
    return lambda d: loss


@recounting(witness=Witness(Parameter("mu", POSITIVE), _least_mu))
def pure_to_gaussian(d: Number, loss: Reading) -> Raw:
    """`mu = 2 Phi^-1(e^eps/(1 + e^eps))`.

    The trade-off curve of eps is two straight lines that meet at `alpha = beta = 1/(1 + e^eps)`. The Gaussian curve of
    this mu is convex, has the same ends and passes through that point, so it lies below both lines.
    """
    epsilon = number_in(loss(d))
    if is_zero(epsilon):
        return epsilon
    half = -normal_quantile(1 / (1 + exp(epsilon)))
    return 4 * half * half
