"""From a pure loss eps to other measures, where sympy goes: zCDP, Renyi, total variation, the profile, trade-offs."""

from __future__ import annotations

from proofs.derivations.bounded_range import MORE, divergence, per_order
from proofs.derivations.formulas import (
    Formula,
    at_least_zero,
    exp,
    largest,
    log,
    number,
    positive,
    real,
    root,
    roots_of_all,
    simplified,
    smallest,
)
from proofs.derivations.steps import Derived, Line, derived

EPS = at_least_zero("eps")
"""The loss that is converted."""
EPSILON = at_least_zero("epsilon")
"""The variable of a profile."""
ALPHA = at_least_zero("alpha")
"""The variable of a Renyi curve; above 1."""


def _spread() -> Line:
    return Line("log(P/Q) lies between -eps and eps: its range", EPS - (-EPS))


def pure_to_zcdp() -> Derived:
    """`eps^2/2`."""
    spread = _spread()
    lines = divergence(spread.end)
    return derived("pure_to_zcdp", spread, *lines, per_order(lines[-1].end))


def pure_to_renyi() -> Derived:
    """`min(eps, alpha eps^2/2)`."""
    spread = _spread()
    lines = divergence(spread.end)
    most = Line(
        "a divergence is the logarithm of a mean of (P/Q)^a, divided by a, and P/Q <= exp(eps)",
        log(exp(EPS) ** MORE) / MORE,
        "ours",
    )
    both = Line("both are bounds, with alpha = 1 + a", smallest(most.end, lines[-1].end.subs(MORE, ALPHA - 1)), "ours")
    return derived("pure_to_renyi", spread, *lines, most, both)


def _advantage(factor: Formula, times: Formula) -> list[Line]:
    """The most of `P(A) - factor Q(A)` over events A, where `exp(eps) = factor * times`: a linear programme."""
    p, q, left, other = real("p"), real("q"), at_least_zero("w"), at_least_zero("v")
    bound = factor * times
    chances = roots_of_all([bound * q - p - left, bound * (1 - p) - (1 - q) - other], [p, q])
    event = Line(
        "delta is the supremum over events A of p - e^epsilon q, p = P(A), q = Q(A). What eps promises of A and of its "
        "complement leaves w and v over, not below 0: e^eps q = p + w and e^eps (1 - p) = 1 - q + v",
        p - factor * q,
        "ours",
    )
    goal = Line(
        "the same, both promises solved for p and q",
        simplified(event.end.subs(p, chances[0]).subs(q, chances[1])),
        "sympy",
    )
    goal.at_most(
        "the largest, at w = v = 0, where both promises are used up; randomized response has such an event",
        simplified(goal.end.subs(left, number(0)).subs(other, number(0))),
    )
    return [event, goal]


X, T = at_least_zero("X"), positive("T")
"""`exp(epsilon) = 1 + X` and `exp(eps) = (1 + X)(1 + T)` let sympy tell signs. At T = 0 the largest is 0, by continuity."""


def pure_to_total_variation() -> Derived:
    """`(e^eps - 1)/(e^eps + 1)`."""
    event, line = _advantage(number(1), 1 + T)
    line.sympy("in eps: 1 + T = e^eps", lambda x: simplified(x.subs(T, exp(EPS) - 1)))
    return derived("pure_to_total_variation", event, line)


def pure_to_profile() -> Derived:
    """`max(0, (e^eps - e^epsilon)/(1 + e^eps))`."""
    event, line = _advantage(1 + X, 1 + T)
    line.sympy(
        "in eps and epsilon", lambda x: simplified(x.subs(T, exp(EPS) / exp(EPSILON) - 1).subs(X, exp(EPSILON) - 1))
    )
    line.ours(
        "this for epsilon < eps. Else P(A) - e^epsilon Q(A) <= P(A) - e^eps Q(A) <= 0, and this is not above 0 either",
        largest(number(0), line.end),
    )
    return derived("pure_to_profile", event, line)


def pure_to_tradeoff() -> Derived:
    """The least false-negative rate beta at a false-positive rate alpha: two lines, and 0."""
    rate, beta = at_least_zero("alpha"), real("beta")
    first = Line(
        "P(A) <= e^eps Q(A), A that a test says P, alpha = Q(A), 1 - beta = P(A): the beta of equality",
        root((1 - beta) - exp(EPS) * rate, beta),
        "sympy",
    )
    second = Line(
        "the same of the complement, 1 - Q(A) <= e^eps (1 - P(A))", root((1 - rate) - exp(EPS) * beta, beta), "sympy"
    )
    both = Line(
        "beta is not below either, as it grows with what a promise leaves over, nor below 0; a test mixed of "
        "those of randomized response reaches it",
        largest(number(0), first.end, second.end),
        "ours",
    )
    return derived("pure_to_tradeoff", first, second, both)
