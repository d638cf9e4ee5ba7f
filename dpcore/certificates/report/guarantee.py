"""The third section: what the claim means for tests and for beliefs, and what it does not promise."""

from __future__ import annotations

from fractions import Fraction
from typing import Final, cast

from dpcore.certificates.report.beliefs import beliefs
from dpcore.certificates.report.claims import Claim
from dpcore.certificates.report.figures import above, percent
from dpcore.certificates.report.markup import Inner, Markup, join, table, tag
from dpcore.certificates.report.neighbours import Relation
from dpcore.certificates.report.picture import picture
from dpcore.certificates.report.power import Power, power
from dpcore.derivation import Raw
from dpcore.maps import PRECISION, Number, at_precision, ends, numeral
from dpcore.measures import MEASURES

RATES = (Fraction(1, 100), Fraction(5, 100), Fraction(10, 100))
GROUPS = (2, 5, 10)


def guarantee(claim: Claim, relation: Relation, identifier: str) -> Markup:
    """In words, numbers and a picture."""
    return join(
        tag("h3", "Tests"),
        _tests(claim, relation, power(claim), identifier),
        tag("h3", "Beliefs"),
        beliefs(claim, relation.erased),
        tag("h3", "What it does not promise"),
        _not_promised(claim, relation),
    )


def _tests(claim: Claim, relation: Relation, bound: Power, identifier: str) -> Markup:
    middle = RATES[1]
    rows: list[tuple[Inner, ...]] = [(percent(x), percent(bound.at(x)), percent(x)) for x in RATES]
    useless = min(bound.at(x) for x in RATES) >= 1
    return join(
        tag("p", f"Take any two inputs {claim.d_in} apart, and a test that knows both and sees the release. It has to find "
            f"out {relation.question}. If it answers wrongly yes in {percent(middle)} of the cases where the answer is no, "
            "then it answers rightly yes in at most ", tag("strong", percent(bound.at(middle))),
            " of the cases where the answer is yes. Guessing by a coin reaches ", percent(middle), "."),
        tag("p", "At these rates the claim excludes nothing: a test might always be right.", cls="note") if useless else "",
        tag("div",
            tag("figure", picture(bound, RATES, identifier), _caption()),
            table(("false-positive rate", "true-positive rate, at most", "by guessing"), rows,
                  "No test does better, rounded up", cls="rates"),
            cls="side"),
    )  # fmt: skip


def _caption() -> Markup:
    return tag(
        "figcaption",
        tag("span", cls="key", aria_hidden="true"), "the largest true-positive rate of any test, by what is claimed. ",
        tag("span", cls="key guess", aria_hidden="true"), "guessing. ",
        tag("span", cls="key area", aria_hidden="true"), "what it leaves possible.",
    )  # fmt: skip


def _not_promised(claim: Claim, relation: Relation) -> Markup:
    group = _group(claim, relation)
    return tag(
        "ul",
        tag("li", tag("strong", "What others' data say. "), "Where smoking is shown to cause cancer, a smoker's risk is "
            "known, whether or not they took part. What is promised is that taking part changes little."),
        tag("li", tag("strong", "Groups. "), "Several together are protected less: ", group),
        tag("li", tag("strong", "What hangs together. "), "If one person's data can be told from those of others "
            "(relatives, contacts, copies), all of these count as a group."),
        tag("li", tag("strong", "Further releases. "), "Each release from the same data has its own loss, and losses add "
            "up. This report is of one."),
        tag("li", tag("strong", "Secrecy of what is named public. "), "The code, the parameters, and all that is said "
            "in this report may be known to everybody."),
    )  # fmt: skip


def _group(claim: Claim, relation: Relation) -> Markup:
    """What k steps cost, by group privacy from the claim."""
    if relation.counts is None or claim.measure not in _GROUPED:
        return join("the loss grows with the number of them, in some measures faster than in proportion.")
    costs = [join(f"{k * claim.d_in} {relation.counts} cost ", *_of(claim, k)) for k in GROUPS]
    return join(*[piece for cost in costs for piece in ("; ", cost)][1:], ".")


def _of(claim: Claim, k: int) -> list[Inner]:
    """The figures of the claim for k times the distance; where a delta reaches 1, that they say nothing."""
    measure = _GROUPED[claim.measure]
    first, *rest = [numeral(part.value) for part in claim.parts]
    raw: Raw = (first, rest[0]) if rest else first * first if claim.measure == "gaussian" else first
    lifted = at_precision(PRECISION, lambda: measure.shown(measure.group(numeral(k), raw)))
    found: list[Inner] = []
    for part, figure in zip(claim.parts, lifted if isinstance(lifted, tuple) else (lifted,), strict=True):
        value = ends(cast(Number, figure))[1]
        if part.name == "delta" and value >= 1:
            return ["all there is: nothing is promised of so many"]
        found += [", ", tag("span", f"{part.symbol} {part.sign} ", above(value).html, cls="number")]
    return found[1:]


_GROUPED: Final = {measure.name: measure for measure in MEASURES if measure.groups and measure.variable is None}
