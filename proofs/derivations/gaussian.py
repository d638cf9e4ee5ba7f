"""Discrete Gaussian noise, from `P(Z = z)` proportional to `exp(-z^2/(2 sigma^2))` to the loss in zCDP."""

from __future__ import annotations

from proofs.derivations.bounded_range import MORE, per_order
from proofs.derivations.formulas import (
    Formula,
    NotDerived,
    at_least_zero,
    completed_square,
    cos,
    derivative,
    evaluated,
    exp,
    expanded,
    infinity,
    integral,
    is_positive,
    log,
    number,
    pi,
    positive,
    real,
    root,
    sequence,
    taken_out,
    total,
    unknown,
    whole_positive,
)
from proofs.derivations.steps import Derived, Line, derived

SIGMA_SQUARED = positive("sigma_squared")
D = at_least_zero("d_in")


def weight(z: Formula) -> Formula:
    """What the probability of z is proportional to."""
    return exp(-(z**2) / (2 * SIGMA_SQUARED))


def divergence() -> list[Line]:
    """The Renyi divergence of order `1 + a` of `x + Z` from `y + Z`; the last line ends with it."""
    x, y, z, k, m = real("x"), real("y"), real("z"), real("k"), real("m")
    exponent = Line(
        "the term of the sum over outputs z of P(z)^(1+a) Q(z)^(-a), but for the normaliser: its logarithm",
        log(weight(z - x) ** (1 + MORE) * weight(z - y) ** (-MORE)),
    )
    exponent.sympy("as a polynomial in z", expanded)
    exponent.sympy("the square completed, at the root of the derivative", lambda e: completed_square(e, z))

    wave = Line(
        "the Fourier transform of the weight", integral(weight(z) * cos(2 * pi() * k * z), z, -infinity(), infinity())
    )
    wave.sympy("its value", evaluated)
    if not is_positive(wave.end):
        raise NotDerived("that the Fourier transform of the weight is positive")
    shifted = unknown("N", m)
    centred = Line(
        "N(m), the sum over all whole z of weight(z - m), beside N(0), at any real m", shifted / unknown("N", number(0))
    )
    centred.ours(
        "by Poisson's summation formula N(m) is the sum over whole k of the Fourier transform at k times cos(2 pi k m). "
        "The transform is positive, which sympy shows, and no cosine is above 1, so N(m) <= N(0)",
        number(1),
        "<=",
    )

    rest = exponent.end.subs(z, root(derivative(exponent.end, z), z))
    of_order = Line(
        "the divergence is log(exp(rest) N(m)/N(0))/a with the rest after the square: P and Q have the same normaliser "
        "N(0), as x and y are whole. The sum converges, its terms being a Gaussian around m",
        log(exp(rest) * centred.steps[0].before) / MORE,
        "ours",
    )
    of_order.ours(
        "N(m)/N(0) <= 1, as was just argued, and the logarithm rises", log(exp(rest) * centred.end) / MORE, "<="
    )
    of_order.ours("the distance: y = x + d. Where y < x the square is the same", of_order.end.subs(y, x + D))
    return [exponent, wave, centred, of_order]


def gaussian() -> Derived:
    """One number. d and sigma may be counted in grid steps, which leaves their quotient as it is."""
    lines = divergence()
    rho = per_order(lines[-1].end)
    return derived("gaussian", *lines, rho)


def gaussian_vector() -> Derived:
    """A vector: d is the L2 distance, which the rule carries as its square."""
    lines = divergence()
    i, n, moved = whole_positive("i"), whole_positive("n"), sequence("d")
    vector = Line(
        "independent noise on each coordinate: densities multiply, so divergences add",
        total(lines[-1].end.subs(D, moved[i]), i, 1, n),
        "ours",
    )
    vector.sympy("what is common, out of the sum", taken_out)
    squares = total(moved[i] ** 2, i, 1, n)
    vector.ours("the sum of the squares is the squared L2 distance", vector.end.subs(squares, D**2))
    return derived("gaussian_vector", *lines, vector, per_order(vector.end))
