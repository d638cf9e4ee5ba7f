"""From GaussianDP to other measures: integrals over the two normal densities, all of them done by sympy."""

from __future__ import annotations

from proofs.derivations.bounded_range import MORE, per_order
from proofs.derivations.formulas import (
    Formula,
    NotDerived,
    at_least_zero,
    derivative,
    evaluated,
    exp,
    expanded,
    infinity,
    integral,
    is_positive,
    largest,
    log,
    number,
    pi,
    positive,
    real,
    root,
    simplified,
    sqrt,
)
from proofs.derivations.steps import Derived, Line, derived

MU = positive("mu")
ALPHA = at_least_zero("alpha")
EPSILON = at_least_zero("epsilon")
Z = real("z")


def density(z: Formula) -> Formula:
    """Of the standard normal."""
    return exp(-(z**2) / 2) / sqrt(2 * pi())


def _divergence() -> list[Line]:
    """The Renyi divergence of order `1 + a` of N(mu, 1) from N(0, 1); the last line ends with it."""
    power = integral(density(Z - MU) ** (1 + MORE) * density(Z) ** (-MORE), Z, -infinity(), infinity())
    moment = Line(
        "what is as hard to tell apart as N(0, 1) from N(mu, 1) has a divergence of at most theirs (post-processing): "
        "the integral of P^(1+a) Q^(-a)",
        power,
        "ours",
    )
    moment.sympy("its value", lambda x: simplified(evaluated(simplified(x))))
    return [moment, Line("the divergence of order 1 + a is", simplified(log(moment.end) / MORE), "sympy")]


def gaussian_to_renyi() -> Derived:
    """`alpha mu^2/2`."""
    lines = _divergence()
    at = Line("with alpha = 1 + a", lines[-1].end.subs(MORE, ALPHA - 1))
    return derived("gaussian_to_renyi", *lines, at)


def gaussian_to_zcdp() -> Derived:
    """`mu^2/2`."""
    lines = _divergence()
    return derived("gaussian_to_zcdp", *lines, per_order(lines[-1].end))


def _rising() -> Line:
    """The log-likelihood ratio, shown to rise."""
    loss = Line(
        "the logarithm of P(z)/Q(z), which rises in z: sympy shows that its derivative is positive",
        log(density(Z - MU) / density(Z)),
    )
    loss.sympy("linear in z", expanded)
    if not is_positive(derivative(loss.end, Z)):
        raise NotDerived("that the likelihood ratio rises")
    return loss


def gaussian_to_profile() -> Derived:
    """Two tails of the normal distribution."""
    loss = _rising()
    where = Line(
        "the one root z of log P(z)/Q(z) = epsilon; P(z) > e^epsilon Q(z) above it",
        root(loss.end - EPSILON, Z),
        "sympy",
    )
    low = real("x")
    above = Line("P(Z > x)", integral(density(Z), Z, low, infinity()))
    above.sympy("its value", evaluated)
    near, far = where.end - MU, where.end
    delta = Line(
        "what is as hard to tell apart as N(0, 1) from N(mu, 1) has at most their profile (post-processing): the integral "
        "of max(0, P - e^epsilon Q), that is of P - e^epsilon Q above that output; P is Q moved by mu",
        above.end.subs(low, near) - exp(EPSILON) * above.end.subs(low, far),
        "ours",
    )
    delta.ours(
        "an integral of what is not negative, so the maximum with 0 changes nothing", largest(number(0), delta.end)
    )
    return derived("gaussian_to_profile", loss, where, above, delta)


def gaussian_to_tradeoff() -> Derived:
    """The least false-negative rate at a false-positive rate alpha."""
    low = real("x")
    above = Line(
        "the false-positive rate of the test that says P above x: Q(Z > x)", integral(density(Z), Z, low, infinity())
    )
    above.sympy("its value", evaluated)
    where = Line("the x at which that is alpha", root(above.end - ALPHA, low), "sympy")
    missed = Line(
        "the likelihood ratio rises, so by Neyman and Pearson no test at alpha misses less than this one, which misses "
        "P(Z <= x) = 1 - Q(Z > x - mu)",
        1 - above.end.subs(low, where.end - MU),
        "ours",
    )
    return derived("gaussian_to_tradeoff", _rising(), above, where, missed)
