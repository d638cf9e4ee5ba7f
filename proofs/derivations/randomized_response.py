"""Randomized response, from the probabilities of k answers to the loss `log(p (k - 1)/(1 - p))`."""

from __future__ import annotations

from proofs.derivations.formulas import (
    NotDerived,
    at_least_zero,
    curve_through,
    evaluated,
    factored,
    is_at_least_zero,
    largest,
    log,
    number,
    positive,
    root,
    simplified,
    total,
    whole_positive,
)
from proofs.derivations.steps import Derived, Line, derived

D = at_least_zero("d_in")
K = whole_positive("k")
P = positive("p")


def randomized_response() -> Derived:
    """The truth with probability p, each other answer with probability `(1 - p)/(k - 1)`."""
    j, gain = whole_positive("j"), at_least_zero("g")
    other = (1 - P) / (K - 1)
    sure = Line("the truth and k - 1 other answers have probability", P + total(other, j, 1, K - 1))
    sure.sympy("in all", lambda s: simplified(evaluated(s)))

    ratio = P / other
    gains = ratio - (1 + K * gain)
    truth = Line(
        "the p at which an answer is 1 + k g times as likely from its own value", factored(root(gains, P)), "sympy"
    )
    side = Line("how far that p lies above 1/k, for g >= 0", truth.end - 1 / K)
    side.sympy("in one fraction", factored)
    if not is_at_least_zero(side.end):
        raise NotDerived("that p >= 1/k where g >= 0")
    condition = Line("the g of a p", factored(root(gains, gain)), "sympy")
    condition.ours(
        "1/k <= p < 1, the side condition, makes both its factors positive or 0: so g >= 0 in what follows",
        condition.end,
    )

    worst = Line(
        "the supremum over answers: an answer is the one value, or the other, or neither of the two",
        largest(log(ratio), log(other / P), number(0)).subs(P, truth.end),
        "ours",
    )
    worst.sympy("the logarithms written out", lambda w: evaluated(simplified(w)))
    worst.sympy("in p again", lambda w: simplified(w.subs(gain, condition.end)))
    distance = Line(
        "d is 0, where both values are the same and nothing is lost, or 1: the straight line through both losses",
        curve_through([(0, 0), (1, worst.end)], D),
        "sympy",
    )
    return derived("randomized_response", sure, truth, side, condition, worst, distance)
