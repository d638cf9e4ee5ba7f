"""Above-threshold, from Laplace noise on the threshold and on each query to the loss of all answers together."""

from __future__ import annotations

from proofs.derivations.formulas import (
    Formula,
    evaluated,
    exp,
    expanded,
    log,
    positive,
    simplified,
    total,
    whole_positive,
)
from proofs.derivations.geometric import RATIO, SCALE, normaliser, sum_from
from proofs.derivations.laplace import D, cost_of_a_shift
from proofs.derivations.steps import Derived, Line, derived

HITS = whole_positive("hits")
THRESHOLD_SCALE, QUERY_SCALE = positive("threshold_scale"), positive("query_scale")


def _cost_of_a_hit() -> list[Line]:
    """The logarithm of `P(noise >= a)/P(noise >= a + s)`; the last line ends with the largest, over all a."""
    moved, first = whole_positive("s"), whole_positive("a")
    shift = cost_of_a_shift(moved)
    tail = sum_from(first)
    all_of_it = normaliser()
    above = tail.end / all_of_it.end
    exact = Line("log P(noise >= a)/P(noise >= a + s) for a >= 1", log(above / above.subs(first, first + moved)))
    exact.sympy("the same for every a >= 1", lambda x: expanded(simplified(x)))
    exact.sympy("with r = exp(-1/scale)", lambda x: x.subs(RATIO, exp(-1 / SCALE)))
    exact.ours(
        "and no more for a <= 0: the tail is the sum of P(noise = z) over z >= a, and a shift by s costs each term at most "
        "what it costs Laplace noise",
        shift[-1].end,
        "<=",
    )
    return [*shift, tail, all_of_it, exact]


def _loss(moves: Formula, words: str) -> list[Line]:
    """Where the tail of a hit moves by `moves`."""
    shift = cost_of_a_shift(D)
    hit = _cost_of_a_hit()
    j = whole_positive("j")
    of_threshold = shift[-1].end.subs(SCALE, THRESHOLD_SCALE)
    of_hit = hit[-1].end.subs(whole_positive("s"), moves).subs(SCALE, QUERY_SCALE)
    answers = Line(
        "the probability of a list of answers is the sum over z of P(threshold noise = z) times one factor for each answer, "
        f"P(noise < ...) or P(noise >= ...). {words} At most `hits` answers are above",
        of_threshold + total(of_hit, j, 1, HITS),
        "ours",
    )
    answers.sympy("added up", lambda x: expanded(evaluated(x)))
    return [*shift, *hit, answers]


def above_threshold_linf() -> Derived:
    """Every query moves by at most d, up or down."""
    words = (
        "Compare the term of z with that of z + d for the other data: the noise of the threshold is shifted by d; what "
        "was below stays below, as no query rises by more than d, at no cost; what was above must reach d higher with a "
        "query that fell by d at most: a tail shifted by 2d."
    )
    return derived("above_threshold_linf", *_loss(2 * D, words))


def above_threshold_range() -> Derived:
    """Queries all rise by at most d, or all fall: a way of range d consists of a rise and a fall, whose lengths add up."""
    words = (
        "Where queries rise, compare the term of z with that of z + d: what was below stays below, and what was above must "
        "reach d higher with a query that did not fall: a tail shifted by d. Where they fall, compare with the same z: only "
        "what was above costs, a tail shifted by d."
    )
    return derived("above_threshold_range", *_loss(D, words))
