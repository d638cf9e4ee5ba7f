"""Permute-and-flip, from the probability of a candidate to `2d/scale`, or `d/scale` where all scores move one way."""

from __future__ import annotations

from proofs.derivations.formulas import (
    Formula,
    at_least_zero,
    derivative,
    exp,
    expanded,
    integral,
    log,
    number,
    positive,
    product,
    sequence,
    simplified,
    substituted,
    unknown_at_least_zero,
    whole_positive,
)
from proofs.derivations.steps import Derived, Line, derived

D = at_least_zero("d_in")
SCALE = positive("scale")
UP, DOWN = at_least_zero("up"), at_least_zero("down")


def cost_of_raising(factor: Formula) -> list[Line]:
    """How much likelier a candidate gets when u is multiplied by `factor` >= 1; the last line ends with it.

    u = exp(score/scale) of the candidate, others[j] = u_j those of the n others, M the largest of all, w = u/M. The
    product below is not negative, as s <= 1/M and so u_j s <= 1.
    """
    t, s, j, n = at_least_zero("t"), at_least_zero("s"), whole_positive("j"), whole_positive("n")
    u, best, others = positive("u"), positive("M"), sequence("others")
    chosen = Line(
        "the probability of a candidate: w times the integral of the chance that no other came and passed before time t",
        u / best * integral(product(1 - others[j] / best * t, j, 1, n), t, 0, 1),
    )
    chosen.sympy(
        "with t = M s; only u, the u_j and M are left, so multiplying all u by one number changes nothing",
        lambda p: simplified(substituted(p, t, best * s, s)),
    )

    fall = Line("how one factor of the product changes with u_j", derivative(1 - positive("u_j") * s, positive("u_j")))
    fall.at_most(
        "it falls, and M does not grow when u_j falls, so a fall of others makes the candidate likelier", number(0)
    )

    end = positive("v")
    rest = unknown_at_least_zero("A", s)
    until = Line(
        "the integral up to 1/M, with A(s) >= 0 the product, changes with M by",
        derivative(integral(rest, s, 0, 1 / end), end),
    )
    until.at_most("so it does not grow when u does, as M does not fall then", number(0))

    after, lost = positive("G"), at_least_zero("g")
    raised = Line(
        "so the candidate has P = u G before and factor * u * G' after, where G' <= G, G = G' + g: the likelihood ratio is",
        factor * u * after / (u * (after + lost)),
        "ours",
    )
    raised.at_most("reached where g = 0: the candidate stays below the best", factor)
    return [chosen, fall, until, raised]


def _loss() -> list[Line]:
    """The loss where scores rise by at most `up` and fall by at most `down`."""
    factor = Line(
        "worst for a candidate: it rises by `up` and all others fall by `down`. By what was said of multiplying all, that "
        "is as if they stayed and its u was multiplied by",
        exp(UP / SCALE) / exp(-DOWN / SCALE),
        "ours",
    )
    lines = cost_of_raising(positive("factor"))
    loss = Line("the loss is the logarithm, at this factor", log(lines[-1].end.subs(positive("factor"), factor.end)))
    loss.sympy("expanded", expanded)
    return [*lines, factor, loss]


def permute_and_flip_linf() -> Derived:
    """Every score moves by at most d."""
    lines = _loss()
    lines[-1].ours("in LInf, `up` and `down` are both at most d", lines[-1].end.subs(UP, D).subs(DOWN, D), "<=")
    return derived("permute_and_flip_linf", *lines)


def permute_and_flip_range() -> Derived:
    """The most that a score rises and the most that one falls are d together."""
    lines = _loss()
    lines[-1].ours("in RangeDistance, `up + down` is the distance", lines[-1].end.subs(UP, D - DOWN))
    lines[-1].sympy("simplified", simplified)
    return derived("permute_and_flip_range", *lines)
