"""The lemma behind exponential -> zCDP and pure -> zCDP: where log(P/Q) has a range of eta, rho = eta^2/8 is enough."""

from __future__ import annotations

from proofs.derivations.formulas import (
    Formula,
    NotDerived,
    at_least_zero,
    curve_of_curvature,
    derivative,
    exp,
    expanded,
    factored,
    log,
    positive,
    real,
    sequence,
    simplified,
    total,
    whole_positive,
)
from proofs.derivations.steps import Line

ORDER = positive("t")
MORE = positive("a")
"""An order above 1 is written `1 + a`, so that sympy knows `a > 0`."""


def divergence(eta: Formula) -> list[Line]:
    """The Renyi divergence of order `1 + a`; the last line ends with the bound on it.

    K(t) = log of the sum over outputs of Q exp(t l), l = log(P/Q). Then K(0) = K(1) = 0, as Q and P sum to 1, and the
    divergence of order t is K(t)/(t - 1). The sums converge, l being bounded.
    """
    i, n, q, values = whole_positive("i"), whole_positive("n"), sequence("q"), sequence("l")
    k = log(total(q[i] * exp(ORDER * values[i]), i, 1, n))
    curvature = Line(
        "K''(t) is the mean of l^2 less the squared mean of l, under weights q exp(t l): a variance",
        expanded(derivative(derivative(k, ORDER), ORDER)),
        "sympy",
    )

    low, mean, slack = real("m"), real("mean"), at_least_zero("w")
    square = (2 * low + eta) * mean - low * (low + eta) - slack
    variance = Line(
        "l lies in [m, m + eta], so the mean w of (l - m)(m + eta - l) is not below 0; that is the mean of l^2, so the "
        "variance is",
        square - mean**2,
        "ours",
    )
    variance.at_most("with w >= 0", (mean - low) * (low + eta - mean))
    variance.at_most("largest in the middle", simplified(eta**2 / 4))

    bound = Line(
        "the G with G'' = eta^2/4 and G(0) = G(1) = 0", curve_of_curvature(variance.end, ORDER, (0, 1)), "sympy"
    )
    bound.sympy("in factors", factored)
    of_order = Line(
        "K - G is concave, as K'' <= G'', and 0 at 0 and at 1, so it is not above 0 beyond 1: the divergence K(t)/(t - 1) "
        "is at most, at t = 1 + a",
        factored(bound.end.subs(ORDER, 1 + MORE) / MORE),
        "ours",
    )
    return [curvature, variance, bound, of_order]


def per_order(divergence: Formula) -> Line:
    """rho, of a divergence that is proportional to the order."""
    line = Line(
        "rho is the supremum over all orders 1 + a > 1 of divergence/order, the same at every order",
        simplified(divergence / (1 + MORE)),
        "sympy",
    )
    if MORE in line.end.free_symbols:
        raise NotDerived("a loss that no order changes")
    return line
