"""From Renyi divergences and zCDP to (epsilon, delta), for any order; the simple conversion also finds its order."""

from __future__ import annotations

from proofs.derivations.bounded_range import MORE
from proofs.derivations.formulas import (
    Formula,
    NotDerived,
    derivative,
    exp,
    expanded,
    infinity,
    is_positive,
    largest,
    limit,
    log,
    number,
    positive,
    real,
    root,
    simplified,
)
from proofs.derivations.steps import Derived, Line, derived

DIVERGENCE = positive("divergence")
"""At order `1 + a`."""
RHO = positive("rho")
DELTA = positive("delta")


def _conversion(divergence: Formula) -> list[Line]:
    """epsilon at delta from the divergence of order `1 + a`, for the output's log likelihood ratio L under P; then delta."""
    y, epsilon = real("y"), real("epsilon")
    excess = (1 - exp(epsilon - y)) * exp(-MORE * y)
    ends = limit(exp(MORE * y) * excess, y, -infinity()), limit(excess, y, infinity())
    if not (ends[0] == -infinity() and ends[1] == number(0)):
        raise NotDerived("that the excess is below 0 on the left and vanishes on the right")
    top = root(derivative(excess, y), y)
    worst = Line(
        "the excess (1 - exp(epsilon - y)) exp(-a y) at the one root of its derivative", excess.subs(y, top), "sympy"
    )
    worst.sympy("simplified", simplified)
    if not is_positive(worst.end):
        raise NotDerived("that the excess is positive at its root")
    delta = Line(
        "delta(epsilon) is the mean of max(0, 1 - exp(epsilon - L)). The excess falls to -infinity on the left, vanishes on "
        "the right (sympy's limits) and is positive at its one root, so that is its supremum c; hence max(0, 1 - "
        "exp(epsilon - L)) <= c exp(a L), whose mean is c exp(a divergence), by definition",
        worst.end * exp(MORE * divergence),
        "ours",
    )
    found = Line("the epsilon at which that is delta", root(expanded(log(delta.end) - log(DELTA)), epsilon), "sympy")
    found.ours("below 0 is better than 0, which holds as well", largest(number(0), found.end), "<=")
    return [worst, delta, found, Line("delta", DELTA)]


def renyi_to_approx() -> Derived:
    """For any order above 1."""
    return derived("renyi_to_approx", *_conversion(DIVERGENCE), figures=2)


def zcdp_to_approx_tight() -> Derived:
    """For any order above 1; the divergence is `rho` times the order."""
    return derived("zcdp_to_approx_tight", *_conversion(RHO * (1 + MORE)), figures=2)


def zcdp_to_approx() -> Derived:
    """`rho + 2 sqrt(rho log(1/delta))`."""
    nats = positive("nats")
    epsilon = real("epsilon")
    found = Line(
        "Markov: P(L > epsilon) <= exp(a (divergence - epsilon)); the epsilon at which that is delta = exp(-nats)",
        root(MORE * (RHO * (1 + MORE) - epsilon) + nats, epsilon),
        "sympy",
    )
    best = Line(
        "every order is sound; the one positive root of the derivative",
        root(derivative(found.end, MORE), MORE),
        "sympy",
    )
    at = Line("epsilon there", simplified(found.end.subs(MORE, best.end)), "sympy")
    at.ours("nats is log(1/delta)", at.end.subs(nats, log(1 / DELTA)))
    return derived("zcdp_to_approx", found, best, at, Line("delta", DELTA), figures=2)
