"""What a claim means: for tests, with a picture; for beliefs; and what it does not promise.

**Beliefs.** What `dpcore.posteriors.bounds` argues of them is stated, and no more. Its theorems are named beside it.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Final

from dpcore.calculus import Raw, number_in
from dpcore.maps import PRECISION, Number, at_precision, ends, exp, expm1, numeral
from dpcore.measures import MEASURES
from dpcore.posteriors.bounds import failing
from dpcore.report.figures import Claim
from dpcore.report.markup import Inner, Markup, above, between, join, percent, table, tag
from dpcore.report.power import Point, Power, Statement, at_delta, power
from dpcore.report.protection import Relation
from dpcore.report.theorems import theorem

RATES: Final = (Fraction(1, 100), Fraction(5, 100), Fraction(10, 100))
GROUPS: Final = (2, 5, 10)

DELTA: Final = Fraction(1, 10**6)
"""At which delta a loss without one of its own is read."""

OF_PURE: Final = ("beliefs_odds", "beliefs_pure")
OF_APPROX: Final = ("beliefs_approx",)

FAR: Final = 100
"""Factors above e^100 are not written out."""

LEFT, TOP, SIDE = 56, 12, 300
WIDTH, HEIGHT = LEFT + SIDE + 14, TOP + SIDE + 52
"""Where the square stands in the picture, and how large both are."""

TICKS: Final = tuple(Fraction(k, 4) for k in range(5))
ZERO, ONE = Fraction(0), Fraction(1)

_GROUPED: Final = {measure.name: measure for measure in MEASURES if measure.variable is None and measure.groups}


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


# ---- tests -------------------------------------------------------------------------------------------------------------


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
            tag("figure", _picture(bound, identifier), _caption()),
            table(("false-positive rate", "true-positive rate, at most", "by guessing"), rows,
                  "No test does better, rounded up", cls="rates"),
            cls="side"),
    )  # fmt: skip


def _picture(bound: Power, identifier: str) -> Markup:
    """The trade-off curve as SVG: false-positive rate to the right, the largest true-positive rate upwards."""
    title, description = f"{identifier}-title", f"{identifier}-description"
    curve = _path(bound.corners())
    told = "; ".join(f"at {percent(x)} it is at most {percent(bound.at(x))}" for x in RATES)
    return tag(
        "svg",
        tag("title", "Largest true-positive rate of any test, for each false-positive rate", id=title),
        tag("desc", f"A curve from the lower left to the upper right, above the diagonal of guessing: {told}.",
            id=description),
        _square("back"),
        tag("polygon", points=f"{curve} {_path([(ONE, ZERO), (ZERO, ZERO)])}", cls="under"),
        *(_line((t, ZERO), (t, ONE), "grid") for t in TICKS[1:-1]),
        *(_line((ZERO, t), (ONE, t), "grid") for t in TICKS[1:-1]),
        _square("frame"),
        _line((ZERO, ZERO), (ONE, ONE), "guess"),
        tag("polyline", points=curve, cls="curve"),
        *(tag("circle", cx=_across(x), cy=_up(bound.at(x)), r="3.5", cls="mark") for x in RATES),
        *_labels(),
        viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", aria_labelledby=f"{title} {description}",
    )  # fmt: skip


def _labels() -> list[Markup]:
    bottom, middle, half = TOP + SIDE, LEFT + SIDE // 2, TOP + SIDE // 2
    across = [
        tag("text", f"{t * 100}%", x=_across(t), y=str(bottom + 18), text_anchor="end" if t == 1 else "middle")
        for t in TICKS
    ]
    up = [tag("text", f"{t * 100}%", x=str(LEFT - 7), y=str(float(_up(t)) + 4), text_anchor="end") for t in TICKS[1:]]
    beside, below = _across(Fraction(3, 4)), float(_up(Fraction(3, 4)))
    return [
        *across,
        *up,
        tag("text", "false-positive rate", x=str(middle), y=str(bottom + 42), text_anchor="middle"),
        tag("text", "true-positive rate, at most", x="13", y=str(half), text_anchor="middle",
            transform=f"rotate(-90 13 {half})"),
        tag("text", "guessing", x=beside, y=str(below + 22), text_anchor="middle",
            transform=f"rotate(-45 {beside} {below + 18})"),
    ]  # fmt: skip


def _caption() -> Markup:
    return tag(
        "figcaption",
        tag("span", cls="key", aria_hidden="true"), "the largest true-positive rate of any test, by what is claimed. ",
        tag("span", cls="key guess", aria_hidden="true"), "guessing. ",
        tag("span", cls="key area", aria_hidden="true"), "what it leaves possible.",
    )  # fmt: skip


def _square(cls: str) -> Markup:
    return tag("rect", x=str(LEFT), y=str(TOP), width=str(SIDE), height=str(SIDE), cls=cls)


def _line(start: Point, end: Point, cls: str) -> Markup:
    return tag("line", x1=_across(start[0]), y1=_up(start[1]), x2=_across(end[0]), y2=_up(end[1]), cls=cls)


def _path(points: list[Point]) -> str:
    return " ".join(f"{_across(x)},{_up(y)}" for x, y in points)


def _across(x: Fraction) -> str:
    """Rounded to the left, so that a rising curve is never drawn too low."""
    return str(floor((LEFT + SIDE * x) * 100) / 100)


def _up(y: Fraction) -> str:
    """Rounded upwards on the page."""
    return str(floor((TOP + SIDE * (1 - min(y, ONE))) * 100) / 100)


# ---- beliefs -----------------------------------------------------------------------------------------------------------


def beliefs(claim: Claim, subject: str) -> Markup:
    """What is promised of anybody's belief, and by which theorems."""
    statement, proved = _readable(claim), theorems(claim)
    if statement is None or not proved:
        return _nothing()
    said = (
        _pure(statement[0], subject)
        if proved == OF_PURE
        else _approx(statement, _failing(statement), by_itself=claim.measure == "approx")
    )
    return join(
        said, tag("p", "Of every measurement with such a loss: ", between(", ", map(theorem, proved)), ".", cls="small")
    )


def theorems(claim: Claim) -> tuple[str, ...]:
    """What is said of beliefs rests on these theorems in Coq; on none where nothing is said."""
    statement = _readable(claim)
    if statement is not None and statement[0] <= FAR:
        if statement[1] == 0 and claim.measure in ("pure", "approx"):
            return OF_PURE
        if statement[0] > 0 and claim.measure != "pure" and _failing(statement) < 1:
            return OF_APPROX
    return ()


def _nothing() -> Markup:
    return tag("p", "No bound on beliefs is stated: none follows from this claim that would say anything.")


def _readable(claim: Claim) -> Statement | None:
    """The statement that is read: of an (epsilon, delta) claim itself."""
    match claim.measure:
        case "pure":
            return claim.value("epsilon"), ZERO
        case "approx":
            return claim.value("epsilon"), claim.value("delta")
        case "total_variation":
            return None
    return at_delta(claim, DELTA)


def _pure(epsilon: Fraction, subject: str) -> Markup:
    apart = at_precision(PRECISION, lambda: ends(_tanh(numeral(epsilon)))[1])
    return join(
        tag("p", "Somebody who hesitates between two data sets so far apart, and sees the release, changes the odds that "
            "they give the one against the other by a factor of at most ", _factor("ε", epsilon),
            "."),
        tag("p", "And whoever sees the release, with whatever they knew before: the probability that they then give to any "
            f"statement about the data differs from what they would believe had {subject} by a factor of at most ",
            _factor("2ε", 2 * epsilon), ", up or down, and by at most ", percent(apart),
            " where certainty is 100%, for every outcome."),
    )  # fmt: skip


def _tanh(epsilon: Number) -> Number:
    return expm1(epsilon) / (expm1(epsilon) + 2)


def _approx(statement: Statement, failing: Fraction, *, by_itself: bool) -> Markup:
    epsilon, delta = statement
    read = () if by_itself else (
        "From the claim follows (ε, δ) with ε = ", above(epsilon).html, " and δ = ", above(delta).html, ". "
    )  # fmt: skip
    return join(
        tag("p", *read, "Somebody who hesitates between two data sets so far apart, and sees the release, changes the odds "
            "that they give the one against the other by a factor of at most ",
            _factor("2ε", 2 * epsilon),
            ", except for outcomes that together have a probability of at most ", above(failing, 3).html,
            ", whichever of the two it is. Of those outcomes nothing is promised."),
        tag("p", "Unlike pure differential privacy, this gives no bound that is stated here on what is believed of "
            "more than two data sets at once."),
    )  # fmt: skip


def _failing(statement: Statement) -> Fraction:
    """So likely at most are outcomes of which nothing is promised, from above."""
    epsilon, delta = map(numeral, statement)
    return at_precision(PRECISION, lambda: ends(failing(epsilon, delta))[1])


def _factor(name: str, exponent: Fraction) -> Markup:
    """`e^name` and what it is at most."""
    most = above(at_precision(PRECISION, lambda: ends(exp(numeral(exponent))))[1], 4)
    return tag("strong", "e", tag("sup", name), f" ≤ {most}", cls="number")


# ---- what it does not promise ------------------------------------------------------------------------------------------


def _not_promised(claim: Claim, relation: Relation) -> Markup:
    return tag(
        "ul",
        tag("li", tag("strong", "What others' data say. "), "Where smoking is shown to cause cancer, a smoker's risk is "
            "known, whether or not they took part. What is promised is that taking part changes little."),
        tag("li", tag("strong", "Groups. "), "Several together are protected less: ", _groups(claim, relation)),
        tag("li", tag("strong", "What hangs together. "), "If one person's data can be told from those of others "
            "(relatives, contacts, copies), all of these count as a group."),
        tag("li", tag("strong", "Further releases. "), "Each release from the same data has its own loss, and losses add "
            "up. This report is of one."),
        tag("li", tag("strong", "Secrecy of what is named public. "), "The code, the parameters, and all that is said "
            "in this report may be known to everybody."),
    )  # fmt: skip


def _groups(claim: Claim, relation: Relation) -> Markup:
    """What k steps cost, by group privacy from the claim."""
    if relation.counts is None or claim.measure not in _GROUPED:
        return join("the loss grows with the number of them, in some measures faster than in proportion.")
    costs = [join(f"{k * claim.d_in} {relation.counts} cost ", _cost(claim, k)) for k in GROUPS]
    return join(between("; ", costs), ".")


def _cost(claim: Claim, k: int) -> Markup:
    """The figures of the claim for k times the distance; where a delta reaches 1, that they say nothing."""
    measure = _GROUPED[claim.measure]
    first, *rest = [numeral(part.value) for part in claim.parts]
    raw: Raw = (first, rest[0]) if rest else first * first if claim.measure == "gaussian" else first
    lifted = at_precision(PRECISION, lambda: measure.shown(measure.group(numeral(k), raw)))
    figures: list[Markup] = []
    for part, figure in zip(claim.parts, lifted if isinstance(lifted, tuple) else (lifted,), strict=True):
        most = ends(number_in(figure))[1]
        if part.name == "delta" and most >= 1:
            return join("all there is: nothing is promised of so many")
        figures.append(tag("span", part.start, above(most).html, cls="number"))
    return between(", ", figures)
