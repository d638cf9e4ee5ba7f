"""Geometric sums: the tails and the normaliser of discrete Laplace noise, whose ratio is `r = exp(-1/scale) < 1`."""

from __future__ import annotations

from proofs.derivations.formulas import (
    Formula,
    NotDerived,
    absolute,
    below,
    branch,
    evaluated,
    exp,
    holds_for_all_positive,
    infinity,
    log,
    number,
    positive,
    real,
    simplified,
    total,
    whole_positive,
)
from proofs.derivations.steps import Line

SCALE = positive("scale")
RATIO = positive("r")


def weight(z: Formula) -> Formula:
    """What the probability of z is proportional to."""
    return exp(-absolute(z) / SCALE)


def sum_from(first: Formula) -> Line:
    """The sum of all weights from `first` on, a whole number that is at least 1."""
    z = whole_positive("z")
    x = real("x")
    if not holds_for_all_positive(below(exp(-x), 1), x):
        raise NotDerived("that exp(-x) < 1 exactly where x > 0")
    term = simplified(weight(z).subs(SCALE, -1 / log(RATIO)))
    line = Line("the sum of the weights, with r = exp(-1/scale)", total(term, z, first, infinity()))
    line.sympy("its value, in two cases", evaluated)
    return line.ours(
        "the convergent branch: scale > 0, and sympy finds that exp(-x) < 1 exactly where x > 0",
        branch(line.end, below(RATIO, 1)),
    )


def normaliser() -> Line:
    """The sum of the weights over all whole numbers."""
    right = sum_from(number(1))
    both = 1 + 2 * right.end
    right.ours("split at 0, whose weight is 1; as weight(-z) = weight(z), both sides have the same sum", both)
    return right.sympy("in one fraction", simplified)


def mass(z: Formula) -> Formula:
    """The probability of z, its normaliser as derived."""
    return weight(z) / normaliser().end.subs(RATIO, exp(-1 / SCALE))
