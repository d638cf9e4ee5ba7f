"""Discrete Laplace noise, from `P(Z = z)` proportional to `exp(-|z|/scale)` to the loss `d/scale`."""

from __future__ import annotations

from proofs.derivations.formulas import (
    Formula,
    at_least_zero,
    evaluated,
    largest,
    log,
    sequence,
    simplified,
    taken_out,
    total,
    whole_positive,
)
from proofs.derivations.geometric import SCALE, mass, normaliser
from proofs.derivations.steps import Derived, Line, derived

D = at_least_zero("d_in")


def cost_of_a_shift(d: Formula) -> list[Line]:
    """The largest of `log P(x + Z = r)/P(y + Z = r)` over all outputs r, where `y = x + d`; the last line ends with it."""
    u, v = at_least_zero("u"), at_least_zero("v")
    left = Line("an output r = x - u, left of both", log(mass(-u) / mass(-u - d)))
    left.sympy("the normalisers cancel", simplified)
    between = Line("an output r = x + u = y - v between them, d = u + v", log(mass(u) / mass(-v)))
    between.sympy("the normalisers cancel", simplified)
    between.at_most("largest at u = 0, where r = x", (u + v) / SCALE)
    between.ours("d was split into u + v", between.end.subs(u, d - v))
    right = Line("an output r = y + u, right of both", log(mass(u + d) / mass(u)))
    right.sympy("the normalisers cancel", simplified)
    worst = Line(
        "the supremum over outputs: every r is in one of these three places, and r = x reaches the largest value",
        largest(left.end, between.end, right.end),
        "ours",
    )
    worst.sympy("the largest", evaluated)
    return [left, between, right, worst]


def laplace() -> Derived:
    """Both the number and the vector: of a vector, d is the L1 distance."""
    lines = cost_of_a_shift(D)
    i, n, moved = whole_positive("i"), whole_positive("n"), sequence("d")
    one = lines[-1].end
    vector = Line(
        "a vector has independent noise on each coordinate, so densities multiply and their logarithms add",
        total(one.subs(D, moved[i]), i, 1, n),
        "ours",
    )
    vector.sympy("the scale, out of the sum", taken_out)
    vector.ours(
        "the sum of what the coordinates move is the L1 distance; a number is a vector of one coordinate. "
        "Where y < x, mirror all three: weight(-z) = weight(z)",
        vector.end.subs(total(moved[i], i, 1, n), D),
    )
    return derived("laplace", normaliser(), *lines, vector)
