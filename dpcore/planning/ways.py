"""The ways in which k questions share one budget of epsilon and delta. Each is a theorem of composition, read backwards.

For questions that one step of the data moves by at most d, on whole numbers:

    basic                   each costs (epsilon/k, 0)                                     Laplace noise
    advanced                each costs (e, 0), by advanced composition, slack delta       Laplace noise
    advanced, with deltas   each costs (e, delta/(2k)), by the same, slack delta/2        Gaussian noise, its exact curve
    optimal                 each costs (e, 0), by the exact curve of k equal losses       Laplace noise
    zCDP                    each costs rho = d^2/(2 sigma^2), and k rho is converted      Gaussian noise
    exact                   one question alone costs (epsilon, delta)                     Gaussian noise, its exact curve

Every e and every rho was put into the rule of its way, and the upper end of the loss was within the budget; scales are
rounded up. `how` is the call that composes the questions so: what it gives has a certificate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias, final

from dpcore.calculus import Raw, curve_in, pair_in
from dpcore.combinators.advanced import optimal_composition_pure
from dpcore.conversions.from_orders import zcdp_to_approx_tight
from dpcore.domains import integers
from dpcore.maps import ONE, PRECISION, Number, argument, at_precision, ends, numeral, sqrt
from dpcore.maps.search import rounded_up
from dpcore.measurements.gaussian import Gaussian, gaussian
from dpcore.measurements.laplace import Laplace, laplace
from dpcore.measures import ZCDP, ApproxDP, Profile
from dpcore.measures.losses import Loss, approx, pure, zcdp
from dpcore.planning.inverse import inverse_advanced, largest

WHOLE: Final = integers()
"""Noise is on whole numbers, as that of counts is."""


Noise: TypeAlias = "Laplace | Gaussian[ZCDP] | Gaussian[Profile]"


@final
@dataclass(frozen=True, slots=True)
class Asked:
    """So many questions, each moved by at most d; what they may cost together; and how sure their error is to be."""

    k: int
    d: int
    epsilon: Fraction
    delta: Fraction
    confidence: Fraction


@final
@dataclass(frozen=True, slots=True)
class Way:
    """One way to share the budget: what one question may cost, its noise, and by how much its answer is off at most."""

    name: str
    loss: Loss
    noise: Noise
    scale: Fraction
    error: Fraction
    how: str
    best: bool = False


def ways(asked: Asked) -> Iterator[Way]:
    """All that apply: without a delta, basic composition alone."""
    yield _laplace(asked, "basic", asked.epsilon / asked.k, "compose(questions)")
    if asked.delta == 0:
        return
    budget, delta = approx(asked.epsilon, asked.delta), argument(asked.delta)
    advanced = inverse_advanced(budget, asked.k).epsilon.lower
    yield _laplace(asked, "advanced", advanced, f"compose_advanced(questions, slack={delta})")
    yield _halved(asked, budget.delta.lower / 2)
    optimal = _optimal(asked, max(advanced, asked.epsilon / asked.k))
    yield _laplace(asked, "optimal", optimal, f"compose_optimal(questions).to(ApproxDP, delta={delta})")
    yield _gaussian(asked, delta)
    if asked.k == 1:
        alone = gaussian(epsilon=asked.epsilon, delta=asked.delta, sensitivity=asked.d)
        yield _noisy(asked, "exact", budget, alone, f"questions[0].to(ApproxDP, delta={delta})")


def _laplace(asked: Asked, name: str, epsilon: Fraction, how: str) -> Way:
    scale = rounded_up(asked.d / epsilon)
    return Way(name, pure(epsilon), laplace(scale), scale, _error(asked, laplace(scale)), how)


def _halved(asked: Asked, half: Fraction) -> Way:
    share = inverse_advanced(approx(asked.epsilon, asked.delta), asked.k, ApproxDP)
    noise = gaussian(epsilon=share.epsilon.lower, delta=share.delta.lower, sensitivity=asked.d)
    each = f"[m.to(ApproxDP, delta={argument(share.delta.lower)}) for m in questions]"
    return _noisy(asked, "advanced, with deltas", share, noise, f"compose_advanced({each}, slack={argument(half)})")


def _noisy(asked: Asked, name: str, loss: Loss, noise: Gaussian[Profile], how: str) -> Way:
    assert noise.goal is not None
    sigma = noise.goal.sigma_on(Fraction(1))
    return Way(name, loss, noise, sigma, _error(asked, noise), how)


def _gaussian(asked: Asked, delta: str) -> Way:
    """k rho is the largest that the conversion brings within the budget."""

    def fits(rho: Fraction) -> bool:
        return _upper(lambda: pair_in(_converted(rho, asked.delta))[0]) <= asked.epsilon

    each = largest(fits, asked.epsilon) / asked.k
    sigma = rounded_up(_upper(lambda: numeral(asked.d) / sqrt(2 * numeral(each))))
    how = f"compose(questions).to(ApproxDP, delta={delta})"
    return Way("zCDP", zcdp(each), gaussian(sigma), sigma, _error(asked, gaussian(sigma)), how)


def _converted(rho: Fraction, delta: Fraction) -> Raw:
    return zcdp_to_approx_tight.map(ONE, lambda d: numeral(rho), delta=numeral(delta), alpha=None)


def _optimal(asked: Asked, start: Fraction) -> Fraction:
    """About the largest e, from the start on, of which k answers together have a curve that is at most delta at epsilon."""
    epsilon = numeral(asked.epsilon)

    def fits(e: Fraction) -> bool:
        curve = curve_in(optimal_composition_pure.map(ONE, *([lambda d: numeral(e)] * asked.k)))
        return _upper(lambda: curve(epsilon)) <= asked.delta

    return largest(fits, start)


def _upper(compute: Callable[[], Number]) -> Fraction:
    return ends(at_precision(PRECISION, compute))[1]


def _error(asked: Asked, noise: Noise) -> Fraction:
    """So far may one answer be off, at the confidence."""
    return noise.accuracy_at(WHOLE, asked.confidence)
