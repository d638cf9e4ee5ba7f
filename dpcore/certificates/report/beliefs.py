"""How far the release can move what anybody believes: the bounds that can be proved from the claim, and no others.

Let P_z(t) be the probability of the outcome t from data z. Outcomes are discrete.

Pure epsilon, two data sets x, y within d_in. By Bayes' rule, posterior odds are prior odds times `P_x(t)/P_y(t)`, which
lies between e^-eps and e^eps.

Pure epsilon, any belief (Kasiviswanathan and Smith 2014, "On the semantics of differential privacy", pointwise). Let b be
any prior on data, of any correlations, and r a map with `d(z, r(z)) <= d_in` for all z: one person's data erased, say.
Somebody who sees t believes `b(x|t) = b(x) P_x(t) / sum_z b(z) P_z(t)`; had the release been made of r of the data, the
same t would have led to `b_r(x|t) = b(x) P_r(x)(t) / sum_z b(z) P_r(z)(t)`. Numerators differ by a factor within e^eps of 1,
and so do the denominators, term by term: the two beliefs differ by a factor between e^-2eps and e^2eps. Sums over x keep
that, so it holds for every statement about the data.

(epsilon, delta), two data sets. Let B be the outcomes t with `P(t) > e^2eps Q(t)`. Then
`P(B) <= e^eps Q(B) + delta <= e^-eps P(B) + delta`, so `P(B) <= delta/(1 - e^-eps)`. For the outcomes with
`P(t) < e^-2eps Q(t)` the same holds of Q, and P of them is at most e^-2eps times that. Together: whichever of the two data
sets it is, odds move by more than the factor e^2eps with a probability of at most

    delta (1 + e^-2eps)/(1 - e^-eps) <= 2 delta/(1 - e^-eps).

Nothing is claimed here of all beliefs under (epsilon, delta), nor of total variation alone.
"""

from __future__ import annotations

from fractions import Fraction

from dpcore.certificates.report.claims import Claim
from dpcore.certificates.report.figures import above
from dpcore.certificates.report.markup import Markup, join, tag
from dpcore.certificates.report.statements import Statement, at_delta
from dpcore.maps import PRECISION, Number, at_precision, ends, exp, expm1, numeral

DELTA = Fraction(1, 10**6)
"""At which delta a loss without one of its own is read."""

FAR = 100
"""Factors above e^100 are not written out."""


def beliefs(claim: Claim, subject: str) -> Markup:
    """What is promised of anybody's belief."""
    if claim.measure == "pure" and claim.value("epsilon") <= FAR:
        return _pure(claim.value("epsilon"), subject)
    if claim.measure == "approx" and claim.value("delta") == 0 and claim.value("epsilon") <= FAR:
        return _pure(claim.value("epsilon"), subject)
    found = _readable(claim)
    if claim.measure != "pure" and found is not None and 0 < found[0] <= FAR and (failing := _failing(found)) < 1:
        return _approx(found, failing, by_itself=claim.measure == "approx")
    return tag("p", "No bound on beliefs is stated: none follows from this claim that would say anything.")


def _pure(epsilon: Fraction, subject: str) -> Markup:
    one, two = _factor(epsilon), _factor(2 * epsilon)
    return join(
        tag("p", "Somebody who hesitates between two data sets so far apart, and sees the release, changes the odds that "
            "they give the one against the other by a factor of at most ",
            tag("strong", "e", tag("sup", "ε"), f" ≤ {one}", cls="number"), "."),
        tag("p", "And whoever sees the release, with whatever they knew before: the probability that they then give to any "
            f"statement about the data differs from what they would believe had {subject} by a factor of at most ",
            tag("strong", "e", tag("sup", "2ε"), f" ≤ {two}", cls="number"), ", up or down, for every outcome."),
    )  # fmt: skip


def _approx(statement: Statement, failing: Fraction, *, by_itself: bool) -> Markup:
    epsilon, delta = statement
    figures = (above(epsilon).html, " and δ = ", above(delta).html)
    read = join() if by_itself else join("From the claim follows (ε, δ) with ε = ", *figures, ". ")
    return join(
        tag("p", read, "Somebody who hesitates between two data sets so far apart, and sees the release, changes the odds "
            "that they give the one against the other by a factor of at most ",
            tag("strong", "e", tag("sup", "2ε"), f" ≤ {_factor(2 * epsilon)}", cls="number"),
            ", except for outcomes that together have a probability of at most ", above(failing, 3).html,
            ", whichever of the two it is. Of those outcomes nothing is promised."),
        tag("p", "Unlike pure differential privacy, this gives no bound that is stated here on what is believed of "
            "more than two data sets at once."),
    )  # fmt: skip


def _readable(claim: Claim) -> Statement | None:
    """The statement that is read: of an (epsilon, delta) claim itself."""
    if claim.measure == "approx":
        return claim.value("epsilon"), claim.value("delta")
    return None if claim.measure == "total_variation" else at_delta(claim, DELTA)


def _failing(statement: Statement) -> Fraction:
    """`delta (1 + e^-2eps)/(1 - e^-eps)`, from above."""
    epsilon, delta = map(numeral, statement)

    def compute() -> Number:
        return delta * (1 + exp(-2 * epsilon)) / -expm1(-epsilon)

    return at_precision(PRECISION, lambda: ends(compute()))[1]


def _factor(epsilon: Fraction) -> str:
    return str(above(at_precision(PRECISION, lambda: ends(exp(numeral(epsilon))))[1], 4))
