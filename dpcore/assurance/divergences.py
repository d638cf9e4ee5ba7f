"""How far apart two distributions of releases are: a lower bound on the true divergence, quickly and then rigorously.

Outcomes may have been left out, of probability p_out and q_out together. What is computed from the others stays below the
truth whatever those would have given: it takes q_out to lie wherever that makes the divergence smallest, and leaves p_out
away. Where nothing is left out, it is the divergence itself. No divergence is below 0, whatever was left out.

    max_ratio        the least epsilon without delta            sup log(p/q)
    hockey_stick     the least delta at epsilon                 sum max(0, p - e^epsilon q)
    renyi            the Renyi divergence of an order a > 1     log(sum p^a q^(1 - a))/(a - 1)
    beyond           the least delta beside a divergence of that order of `a rho`; see `ApproxZCDP`
    gain             at a false-positive rate, how much more of q than that a test catches (Neyman and Pearson)
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dpcore.distributions import Distribution
from dpcore.maps import ONE, ZERO, Number, ends, exp, is_zero, log, maximum, normal_cdf, numeral, total

Masses: TypeAlias = NDArray[np.float64]
TINY = 1e-9
"""Outcomes less likely than this say little about a ratio: what was left out may be as likely."""


def _pairs(p: Distribution, q: Distribution) -> Iterator[tuple[Number, Number]]:
    return ((mass, q.masses.get(outcome, ZERO)) for outcome, mass in p.masses.items())


def aligned(p: Distribution, q: Distribution) -> tuple[Masses, Masses]:
    """Both as arrays over the same outcomes."""
    outcomes = list({**p.floats, **q.floats})
    mine, theirs = (np.array([d.floats.get(outcome, 0.0) for outcome in outcomes]) for d in (p, q))
    return mine, theirs


# ---- the largest ratio -------------------------------------------------------------------------------------------------


def quick_max_ratio(p: Masses, q: Masses, q_out: float) -> float:
    seen = p > (TINY if q_out else 0.0)
    below = q[seen] + q_out
    if (below == 0).any():
        return math.inf
    return float(np.log(p[seen] / below).max(initial=0.0))


def max_ratio(p: Distribution, q: Distribution) -> Number | None:
    """None where an outcome has no probability under q, so that no epsilon holds."""
    out, out_about = numeral(q.left_out), float(q.left_out)
    best, ratio = -math.inf, ONE
    for outcome, mass in p.masses.items():
        other = q.masses.get(outcome, ZERO) + out
        if is_zero(other):
            return None
        about = math.log(p.floats[outcome] / (q.floats.get(outcome, 0.0) + out_about))
        if about > best and p.floats[outcome] > (0 if q.complete else TINY):
            best, ratio = about, mass / other
    return maximum(ZERO, log(ratio))  # p and q have the same sum, so some outcome is no less likely under p


# ---- the hockey stick --------------------------------------------------------------------------------------------------


def quick_hockey_stick(p: Masses, q: Masses, q_out: float, epsilon: float) -> float:
    factor = math.exp(epsilon)
    return max(0.0, float(np.maximum(p - factor * q, 0.0).sum()) - factor * q_out)


def hockey_stick(p: Distribution, q: Distribution, epsilon: Number) -> Number:
    factor = exp(epsilon)
    above = total([maximum(ZERO, mass - factor * other) for mass, other in _pairs(p, q)])
    return maximum(ZERO, above - factor * numeral(q.left_out))


# ---- Renyi -------------------------------------------------------------------------------------------------------------


def quick_renyi(p: Masses, q: Masses, q_out: float, order: float) -> float:
    seen = p > 0
    below = q[seen] + q_out
    if (below == 0).any():
        return math.inf
    summed = float((p[seen] * (p[seen] / below) ** (order - 1)).sum())
    return max(0.0, math.log(summed)) / (order - 1) if summed else 0.0


def renyi(p: Distribution, q: Distribution, order: Fraction) -> Number | None:
    """None where it is infinite."""
    out, a = numeral(q.left_out), numeral(order)
    terms = []
    for mass, other in _pairs(p, q):
        below = other + out
        if is_zero(below):
            return None
        if not is_zero(mass):
            terms.append(mass if mass is below else mass * exp((a - 1) * log(mass / below)))
    return maximum(ZERO, log(total(terms)) / (a - 1))


# ---- beside Renyi ------------------------------------------------------------------------------------------------------


def _weights(p: Masses, q: Masses, order: float, rho: float) -> Masses:
    """`f^(a/(a-1))` of the best test f: what of p is below `t q` is looked at in proportion, what is above as a whole.

    Of all measures below p whose divergence is no larger, the largest is the smaller of p and `t q`.
    """
    ratio = np.divide(p, q, out=np.full_like(p, math.inf), where=q > 0)
    finite, limit = np.isfinite(ratio), math.exp(min(order * (order - 1) * rho, 700.0))

    def below(t: float) -> float:
        return float((q[finite] * np.minimum(ratio[finite], t) ** order).sum())

    high = float(ratio[finite].max(initial=0.0))
    if below(high) <= limit:
        return np.where(finite, 0.0, 1.0)
    low = 0.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (low, middle) if below(middle) > limit else (middle, high)
    return np.minimum(ratio / high, 1.0) ** order


def quick_beyond(p: Masses, q: Masses, q_out: float, order: float, rho: float) -> float:
    weights = _weights(p, q, order, rho)
    share, factor = (order - 1) / order, math.exp(min((order - 1) * rho, 700.0))
    paid = factor * math.pow(float((q * weights).sum()) + q_out, share)
    return max(0.0, float((p * weights**share).sum()) - paid)


def beyond(p: Distribution, q: Distribution, order: Fraction, rho: Number) -> Number:
    """Of the test that floats find, what it gains."""
    outcomes, a = list({**p.floats, **q.floats}), numeral(order)
    mine, theirs = aligned(p, q)
    weights = [numeral(Fraction(w)) for w in _weights(mine, theirs, float(order), float(ends(rho)[1])).tolist()]
    share = (a - 1) / a
    looked = [(p.masses.get(o, ZERO), q.masses.get(o, ZERO), w) for o, w in zip(outcomes, weights, strict=True)]
    seen = total([mass * exp(share * log(w)) for mass, _, w in looked if not is_zero(w)])
    paid = total([other * w for _, other, w in looked]) + numeral(q.left_out)
    return maximum(ZERO, seen if is_zero(paid) else seen - exp((a - 1) * rho + share * log(paid)))


# ---- tests -------------------------------------------------------------------------------------------------------------


def quick_gain(p: Masses, q: Masses, p_out: float, rate: float) -> float:
    if rate < p_out:
        return 0.0
    ratio = np.divide(q, p, out=np.full_like(q, math.inf), where=p > 0)
    order = np.argsort(-ratio, kind="stable")
    before = np.cumsum(p[order]) - p[order]
    room = np.maximum(rate - p_out - before, 0.0)
    share = np.minimum(np.divide(room, p[order], out=np.ones_like(room), where=p[order] > 0), 1.0)
    return max(0.0, float((share * q[order]).sum()) - rate)


def gain(p: Distribution, q: Distribution, rate: Fraction) -> Number:
    """Of the best test that floats find: its false positives stay at the rate, rigorously; what it catches is enclosed."""
    outcomes: set[Hashable] = {*p.masses, *q.masses}
    room, caught = rate - p.left_out, []

    def ratio(outcome: Hashable) -> float:
        mine = p.floats.get(outcome, 0.0)
        return -q.floats.get(outcome, 0.0) / mine if mine else -math.inf

    for outcome in sorted(outcomes, key=ratio):
        if room < 0:
            break
        mass = ends(p.masses.get(outcome, ZERO))[1]
        share = Fraction(1) if mass <= room else room / mass
        caught.append(numeral(share) * q.masses.get(outcome, ZERO))
        room -= share * mass
        if room == 0 and mass:
            break
    return maximum(ZERO, total(caught) - numeral(rate))  # a test that looks at nothing catches as many as it accuses


def normal_profile(mu: Number, epsilon: Number) -> Number:
    """`Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu)`: the hockey stick of N(0, 1) and N(mu, 1)."""
    if is_zero(mu):
        return ZERO
    return normal_cdf(mu / 2 - epsilon / mu) - exp(epsilon) * normal_cdf(-mu / 2 - epsilon / mu)
