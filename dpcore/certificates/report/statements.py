"""A claimed loss as statements `P(E) <= e^eps Q(E) + delta`, each of which follows from it.

Each is got by a rule of dpcore from the claimed figures, which bound the loss from above, and is rounded up; a claim of a
curve is used at its points and nowhere else. More statements make a closer picture; every one of them alone is true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Final, TypeAlias

from dpcore.certificates.report.claims import Claim
from dpcore.conversions import gaussian_to_profile, renyi_to_approx, zcdp_to_approx_tight
from dpcore.conversions.shared import curve_in, pair_in
from dpcore.derivation import Raw
from dpcore.errors import Undecided
from dpcore.maps import ONE, PRECISION, Number, at_precision, ends, numeral

Statement: TypeAlias = tuple[Fraction, Fraction]
"""An epsilon and its delta."""

DELTAS: Final = tuple(Fraction(1, 10**12) * Fraction(8, 5) ** k for k in range(59))
"""Where losses without a delta of their own are turned into statements: from 10^-12 to about 0.7."""

STEPS: Final = 48
REACH: Final = 8
"""How many tangents of a Gaussian curve are drawn, and how many standard deviations out."""


def statements(claim: Claim) -> list[Statement]:
    """What follows from the claim, for events E of the release from data so far apart, in both orders."""
    found = _FROM.get(claim.measure, _none)(claim)
    return [(epsilon, delta) for epsilon, delta in found if delta < 1]


def at_delta(claim: Claim, delta: Fraction) -> Statement | None:
    """The statement of the least epsilon at this delta that is claimed or follows; None where there is none."""
    if claim.measure == "zcdp":
        return _zcdp(claim.value("rho"), delta)
    if claim.measure == "renyi":
        found = [pair for alpha, e in claim.points if (pair := _renyi(alpha, e, delta)) is not None]
        return min(found, default=None)
    return min((s for s in statements(claim) if s[1] <= delta), default=None)


def _none(claim: Claim) -> Iterator[Statement]:
    return iter(())


def _pure(claim: Claim) -> Iterator[Statement]:
    yield claim.value("epsilon"), Fraction(0)


def _approx(claim: Claim) -> Iterator[Statement]:
    yield claim.value("epsilon"), claim.value("delta")


def _total_variation(claim: Claim) -> Iterator[Statement]:
    yield Fraction(0), claim.value("delta")


def _profile(claim: Claim) -> Iterator[Statement]:
    yield from claim.points


def _each_delta(claim: Claim) -> Iterator[Statement]:
    for delta in DELTAS:
        found = at_delta(claim, delta)
        if found is not None:
            yield found


def _zcdp(rho: Fraction, delta: Fraction) -> Statement | None:
    return _rounded(lambda: zcdp_to_approx_tight.map(ONE, _given(numeral(rho)), delta=numeral(delta), alpha=None))


def _renyi(alpha: Fraction, epsilon: Fraction, delta: Fraction) -> Statement | None:
    curve = _given(lambda order: numeral(epsilon))  # it is asked at the order alpha only
    return _rounded(lambda: renyi_to_approx.map(ONE, curve, delta=numeral(delta), alpha=numeral(alpha)))


def _gaussian(claim: Claim) -> Iterator[Statement]:
    mu = claim.value("mu")
    squared = numeral(mu * mu)
    for k in range(STEPS + 1):
        epsilon = mu * Fraction(k * REACH, STEPS)
        found = _rounded(partial(_on_profile, squared, numeral(epsilon)))
        if found is not None:
            yield found


def _on_profile(squared: Number, epsilon: Number) -> Raw:
    return epsilon, curve_in(gaussian_to_profile.map(ONE, _given(squared)))(epsilon)


def _given(loss: Raw) -> Callable[[Number], Raw]:
    return lambda d: loss


def _rounded(compute: Callable[[], Raw]) -> Statement | None:
    """The pair, rounded up; None where its figures grew beyond all use."""
    try:
        epsilon, delta = at_precision(PRECISION, lambda: pair_in(compute()))
        return ends(epsilon)[1], max(Fraction(0), ends(delta)[1])
    except (Undecided, OverflowError):
        return None


_FROM: Final[Mapping[str, Callable[[Claim], Iterator[Statement]]]] = {
    "pure": _pure,
    "approx": _approx,
    "total_variation": _total_variation,
    "profile": _profile,
    "zcdp": _each_delta,
    "renyi": _each_delta,
    "gaussian": _gaussian,
}
