"""The exponential mechanism, from the probability of a candidate to the loss in zCDP."""

from __future__ import annotations

from proofs.derivations.bounded_range import divergence, per_order
from proofs.derivations.formulas import at_least_zero, exp, expanded, log, positive, real, simplified
from proofs.derivations.steps import Derived, Line, derived

D = at_least_zero("d_in")
SCALE = positive("scale")
UP, DOWN = at_least_zero("up"), at_least_zero("down")


def _range() -> Line:
    """The range of the log-likelihood ratio, where scores rise by at most `up` and fall by at most `down`."""
    before, after = positive("sum"), positive("sum'")

    def loss(score: str, moved: str) -> Line:
        here, by = real(score), real(moved)
        line = Line(
            "log of the likelihood ratio of a candidate, P = exp(score/scale)/sum: its score moves, and so does the sum",
            log((exp((here + by) / SCALE) / after) / (exp(here / SCALE) / before)),
        )
        return line.sympy("as a sum", expanded)

    one, other = loss("s", "v"), loss("s'", "v'")
    spread = Line("between two candidates; the sums are the same for both", one.end - other.end)
    spread.sympy("they cancel", simplified)
    short, less = at_least_zero("x"), at_least_zero("y")
    spread.ours(
        "the move of the one is up - x and that of the other y - down, with x and y not below 0",
        spread.end.subs(real("v"), UP - short).subs(real("v'"), less - DOWN),
    )
    spread.at_most("the supremum over moves, at x = y = 0", (UP + DOWN) / SCALE)
    spread.steps = [*one.steps, *spread.steps]
    return spread


def exponential_linf() -> Derived:
    """Every score moves by at most d."""
    spread = _range()
    spread.ours("in LInf, `up` and `down` are both at most d", spread.end.subs(UP, D).subs(DOWN, D), "<=")
    lines = divergence(spread.end)
    return derived("exponential_linf", spread, *lines, per_order(lines[-1].end))


def exponential_range() -> Derived:
    """The most that a score rises and the most that one falls are d together."""
    spread = _range()
    spread.ours("in RangeDistance, `up + down` is the distance", spread.end.subs(UP, D - DOWN))
    lines = divergence(spread.end)
    return derived("exponential_range", spread, *lines, per_order(lines[-1].end))
