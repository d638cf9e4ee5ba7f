"""Discrete Gaussian noise, from its density to the exact curve delta(epsilon), as two tails."""

from __future__ import annotations

from proofs.derivations.formulas import (
    Formula,
    NotDerived,
    at_least_zero,
    derivative,
    exp,
    expanded,
    floor,
    is_positive,
    largest,
    log,
    positive,
    real,
    root,
    unknown,
)
from proofs.derivations.gaussian import SIGMA_SQUARED, D, weight
from proofs.derivations.steps import Derived, Line, derived

EPSILON = at_least_zero("epsilon")
STEP = positive("step")


def _tail(x: Formula) -> Formula:
    """`P(Z > x)`, which has no closed form."""
    return unknown("P_Z_above", x, SIGMA_SQUARED)


def gaussian_profile() -> Derived:
    """One number. P is the law of d + Z and Q that of Z; d and sigma are counted in grid steps until the end."""
    d, r, slack = positive("d"), real("r"), real("x")
    loss = Line(
        "the logarithm of P(r)/Q(r); the normalisers are the same, as d is whole", log(weight(r - d) / weight(r))
    )
    loss.sympy("linear in r", expanded)
    if not is_positive(derivative(loss.end, r)):
        raise NotDerived("that the likelihood ratio rises")
    where = Line(
        "the one root r of log P(r)/Q(r) = epsilon. Sympy shows that the ratio rises, so P(r) > e^epsilon Q(r) above it",
        root(loss.end - EPSILON, r),
        "sympy",
    )
    delta = Line(
        "delta(epsilon) is the sum over outputs of max(0, P(r) - e^epsilon Q(r)), so that of P - e^epsilon Q above that "
        "output: P(r > x) = P(Z > x - d), Q(r > x) = P(Z > x)",
        (_tail(slack - d) - exp(EPSILON) * _tail(slack)).subs(slack, where.end),
        "ours",
    )
    delta.ours("a sum of terms that are not negative, so the maximum with 0 changes nothing", largest(0, delta.end))
    delta.ours(
        "in whole grid steps: d rounded down, as values lie on the grid. A larger d is no less: the ratio rises, so the "
        "laws of Z + d are ordered. Where x is moved down, mirror all",
        delta.end.subs(SIGMA_SQUARED, SIGMA_SQUARED / STEP**2).subs(d, floor(D / STEP)),
    )
    return derived("gaussian_profile", loss, where, delta)
