"""Release of unknown keys above a threshold: epsilon from a shift by one, delta from the exact tail, at any distance."""

from __future__ import annotations

from proofs.derivations.formulas import (
    branch,
    evaluated,
    exp,
    number,
    otherwise,
    simplified,
    total,
    whole,
    whole_positive,
)
from proofs.derivations.geometric import RATIO, SCALE, normaliser, sum_from
from proofs.derivations.laplace import D as SHIFT
from proofs.derivations.laplace import cost_of_a_shift
from proofs.derivations.steps import Derived, Line, derived

D = whole_positive("d_in")
THRESHOLD = whole_positive("threshold")


def threshold_release() -> Derived:
    """At d = 1 one count moves by one: of a key that both data have, or of a key that only one of them has, once."""
    shift, tail, everything = cost_of_a_shift(SHIFT), sum_from(THRESHOLD - 1), normaliser()
    one = Line(
        "a key that both data have: its noisy count moves by 1, and what is done with that is post-processing",
        shift[-1].end.subs(SHIFT, number(1)),
        "ours",
    )
    seen = Line(
        "a key that only one of them has, with count 1, is seen with probability P(1 + noise >= threshold), threshold >= 2",
        tail.end / everything.end,
        "ours",
    )
    seen.sympy("in one fraction", simplified)
    seen.sympy("with r = exp(-1/scale)", lambda x: simplified(x.subs(RATIO, exp(-1 / SCALE))))

    j = whole("j")
    times = Line(
        "d steps of 1, one after another: P_0 <= e^eps P_1 + delta <= e^(2 eps) P_2 + e^eps delta + delta <= ..., so that "
        "delta is met so many times, eps = 1/scale",
        total(exp(j * one.end), j, 0, D - 1),
        "ours",
    )
    times.sympy("the sum, in two cases", evaluated)
    times.ours("eps is not 0", branch(times.end, otherwise()))
    epsilon = Line("and epsilon d times", total(one.end, j, 1, D), "ours")
    epsilon.sympy("added up", evaluated)
    delta = Line("delta at distance d", times.end * seen.end)
    return derived("threshold_release", *shift, tail, everything, one, seen, times, epsilon, delta, figures=2)
