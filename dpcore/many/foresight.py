"""How far off answers by private multiplicative weights are, and the noise and threshold with which they are least so.

Argument (Hardt and Rothblum 2010; the online sparse vector of Dwork and Roth 2014, 3.6). Let n be the number of rows, p
their distribution over N cells, A the weights, q a query, k the most that are asked, c the most updates. Noise: Z of a
threshold, Z_i of the i-th comparison, v_j of the j-th answer as a share. In PureDP one above-threshold lasts for all c
updates, which costs least there; in ZCDP there is one for each. With the tails of these noises as they are, and all that
may fail added up, with confidence 1 - b at once

    |Z| <= t for each threshold,   |Z_i| <= z for all i,   |v_j| <= a for all j.

*What is answered.* A comparison looks at the error of a guess, `n q(A)` rounded to the grid of the total: of step g, 1 for
a condition, and 1/k for some whole k where q is a number. One that says below has `floor(error) + Z_i <= threshold + Z - 1`.
So the error is at most `threshold + t + z - g`, and q(A) is off by at most `threshold + t + z - g/2` rows; one that says
above is followed by a noisy answer, off by a.

*Noise on a finer grid.* Its tail at a whole number x >= 1 is no heavier than that of whole noise of the same scale, so a is
that of whole noise. Both kinds have weights w, symmetric and log-concave. Of the points of the grid on one side of 0, those
that are r more than a whole number, 0 <= r < 1, have `tail/body = sum_{m>=x} w(m + r) / sum_{0<=m<x} w(m + r)`, m whole,
which falls in r, as `w(m + r)/w(k + r)` does for m > k. At r = 0 it is less than of whole noise, half of whose w(0) is on
either side. All points but 0 and the whole ones are in such rows, and the whole ones have exactly the odds of whole noise.

*How long it lasts.* Where it says above, the error is at least `threshold - t - z`, and q(A) off by at least
`E = (threshold - t - z - 1/2)/n`. Let e = q(p) - q(A), m
= q(p) + v the noisy answer, cut off at 0 and 1 where it is no further from q(p), and r = m - q(A) = e + v. The weights
become proportional to `A exp(s q)` with s = 4r. As q lies in [0, 1], by Hoeffding's lemma the relative entropy of p to the
weights falls by at least

    s e - s^2/8  =  4 (e + v) e - 2 (e + v)^2  =  2 (e^2 - v^2)  >=  2 (E^2 - a^2).

It is `ln N` at first and never below 0. So where `2 c (E^2 - a^2) > ln N`, fewer than c comparisons say above, however the
queries are chosen, and all k are answered. The least such threshold is `n sqrt(ln N/(2c) + a^2) + t + z + 1/2`, and the
error `sqrt(ln N/(2c) + a^2) + 2 (t + z)/n`. In PureDP z is of the order of `c ln(k/b)/epsilon`, and with the best c the
error of that of `(ln N ln(k/b)/(epsilon n))^(1/3)`. In ZCDP it is `sqrt(c) ln(k/b)/sqrt(rho)`, and the error of the order of
`(sqrt(ln N) ln(k/b)/(sqrt(rho) n))^(1/2)`: the one that is known with a delta.

Weights are floats. They are kept as logarithms, whose rounding is counted with `ROUNDING` in each answer and each step: a
logarithm is at most 4c, so that adding to it is off by less than 10^-9 where there are at most 10^5 updates.

The error is one of the data as they are if they have n rows. Where the size is public that is so; where rows come and go,
n is what was said.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, exp, floor, log, sqrt
from typing import Any, Final, final

from dpcore.core.spaces import value
from dpcore.domains import Integers
from dpcore.errors import InvalidParameter
from dpcore.many.roots import root_above
from dpcore.maps import at_precision, ends, numeral
from dpcore.maps import log as log_of
from dpcore.measurements.above_threshold import AboveThreshold, above_threshold
from dpcore.measurements.gaussian import gaussian
from dpcore.measurements.laplace import laplace
from dpcore.metrics import AbsoluteDistance

ROUNDING: Final = Fraction(1, 10**9)

MOST_UPDATES: Final = 10**5

SHARES: Final = (2, 3, 4, 6, 8, 12, 16, 24, 32)
"""Of the budget, one such part is for the answers, the rest for the comparisons."""

BITS: Final = 128

FAR: Final = 10**100
"""Choices are looked for in floats, which follow no numbers further from 1 than this."""


@final
@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of the weights, all of it public."""

    cells: int
    size: int
    budget: Fraction
    """An epsilon, or where the loss is counted in ZCDP a rho."""
    queries: int
    confidence: Fraction
    pure: bool = True


@final
@dataclass(frozen=True, slots=True)
class Scales:
    """How many updates there are, and how much noise: together it costs the budget, but for how roots are rounded."""

    updates: int
    turns: int
    """So many above-thresholds, one after another, of `updates/turns` updates each."""
    of_threshold: Fraction
    of_query: Fraction
    of_answer: Fraction


@final
@dataclass(frozen=True, slots=True)
class Foreseen:
    """The noise and the threshold, in rows, and what is known of errors before anything is asked."""

    wanted: Wanted
    scales: Scales
    threshold: int

    def comparisons(self) -> AboveThreshold:
        scales = self.scales
        return above_threshold(
            self.threshold,
            threshold_scale=scales.of_threshold,
            query_scale=scales.of_query,
            hits=scales.updates // scales.turns,
        )

    def noise(self) -> Any:
        """What an answer ends with; its types depend on the budget."""
        return _noise(self.wanted, self.scales.of_answer)

    def within(self, confidence: Fraction) -> Fraction:
        """With this confidence no answer is off by more than this share of the rows."""
        noise, answered = noise_at(self.wanted, self.scales, confidence)
        rows = max(self.threshold + noise, answered)
        return min(Fraction(1), rows / self.wanted.size + ROUNDING)

    def lasts(self, confidence: Fraction) -> bool:
        """Whether with this confidence, and at once with `within`, there are updates enough for all queries."""
        noise, answered = noise_at(self.wanted, self.scales, confidence)
        least = (self.threshold - noise - Fraction(1, 2)) / self.wanted.size - ROUNDING
        falls = 2 * (least**2 - (answered / self.wanted.size + ROUNDING) ** 2) - ROUNDING
        return least > 0 and self.scales.updates * falls > entropy(self.wanted.cells)


def entropy(cells: int) -> Fraction:
    """`ln N`, rounded up."""
    return at_precision(BITS, lambda: ends(log_of(numeral(cells)))[1]) if cells > 1 else Fraction(0)


def noise_at(wanted: Wanted, scales: Scales, confidence: Fraction) -> tuple[Fraction, Fraction]:
    """In rows, `t + z` and a: a half of what may fail is left to the comparisons, a quarter to each of the others."""
    failing = 1 - confidence
    t = _reached(laplace(scale=scales.of_threshold), failing / (4 * scales.turns)) - 1
    z = _reached(laplace(scale=scales.of_query), failing / (2 * wanted.queries)) - 1
    return t + z, _reached(_noise(wanted, scales.of_answer), failing / (4 * scales.updates))


def _noise(wanted: Wanted, scale: Fraction) -> Any:
    return laplace(scale=scale) if wanted.pure else gaussian(sigma=scale)


def _reached(noise: Any, failing: Fraction) -> Fraction:
    """Whole noise is so far off, or further, with at most this chance: else it is a step nearer, or nearer still."""
    reached: Fraction = (value(Integers(), AbsoluteDistance()) >> noise).accuracy(1 - failing)
    return reached


# ---- the best that can be promised ---------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True, order=True)
class Rough:
    """What an even better choice is looked for by: in floats, on which no bound rests."""

    error: float
    threshold: float
    updates: int
    part: int


def foreseen(wanted: Wanted, updates: int | None, threshold: Fraction | None) -> Foreseen:
    """What was asked for; of what was left open, what makes the error that is promised the least."""
    _expect_followed(wanted)
    tried = [updates] if updates is not None else sorted({ceil(1.1**i) for i in range(121)})
    found = sorted([_roughly(wanted, c, part) for c in tried for part in SHARES])
    if threshold is not None:
        return _at(wanted, threshold, found, updates)
    best = _lasting(wanted, _scales(wanted, found[0]))
    if best.within(wanted.confidence) >= 1:
        raise InvalidParameter(
            f"no error below 1 can be promised, of {wanted.queries} queries about {wanted.size} rows at this loss",
            produced=wanted.size,
            bridge="a larger loss, more rows; updates=... with threshold=..., which promises less",
        )
    return best


def _expect_followed(wanted: Wanted) -> None:
    failing = 1 - wanted.confidence
    said: dict[str, Fraction | int] = {
        "loss": wanted.budget,
        "size": wanted.size,
        "queries": wanted.queries,
        "1 - confidence": failing,
    }
    for name, number in said.items():
        if not Fraction(1, FAR) <= number <= FAR:
            raise InvalidParameter(
                f"Expected {name} to be between 10^-100 and 10^100: with other numbers no error is foreseen",
                produced=number,
                bridge="a number nearer to 1",
            )


def _at(wanted: Wanted, threshold: Fraction, found: list[Rough], updates: int | None) -> Foreseen:
    """At a threshold that was said: with the updates that were said, or with as few as are enough."""
    rows = max(1, round(threshold * wanted.size))
    if updates is not None:
        return Foreseen(wanted, _scales(wanted, found[0]), rows)
    best = {rough.updates: rough for rough in reversed(found)}
    for _, rough in sorted(best.items()):
        made = Foreseen(wanted, _scales(wanted, rough), rows)
        if rough.threshold <= rows and made.lasts(wanted.confidence):
            return made
    raise InvalidParameter(
        "no number of updates is known to be enough for this threshold",
        produced=threshold,
        bridge="a higher threshold; updates=..., which may not be enough then",
    )


def _lasting(wanted: Wanted, scales: Scales) -> Foreseen:
    """With the least threshold that lasts, but for a row or two."""
    noise, answered = noise_at(wanted, scales, wanted.confidence)
    falls = (entropy(wanted.cells) / scales.updates + 2 * ROUNDING) / 2
    least = root_above(falls + (answered / wanted.size + ROUNDING) ** 2) + 2 * ROUNDING
    made = Foreseen(wanted, scales, floor(least * wanted.size + noise + Fraction(1, 2)) + 1)
    assert made.lasts(wanted.confidence)
    return made


def _roughly(wanted: Wanted, updates: int, part: int) -> Rough:
    """In rows, the error that would be promised, and the threshold."""
    at, asked, answered = _roughly_scales(wanted, updates, part)
    failing = float(1 - wanted.confidence)
    noise = _reach(at, failing / (4 * _turns(wanted, updates))) + _reach(asked, failing / (2 * wanted.queries))
    rare = failing / (4 * updates)
    off = _reach(answered, rare) if wanted.pure else answered * sqrt(2 * log(2 / rare))
    threshold = wanted.size * sqrt(log(wanted.cells) / (2 * updates) + (off / wanted.size) ** 2) + noise + 0.5
    return Rough(max(threshold + noise, off), threshold, updates, part)


def _roughly_scales(wanted: Wanted, updates: int, part: int) -> tuple[float, float, float]:
    """Of the threshold, of a comparison, of an answer: the first two such that `t + z` is about the least."""
    budget, failing, turns = float(wanted.budget), float(1 - wanted.confidence), _turns(wanted, updates)
    hits, left = updates // turns, budget * (part - 1) / part
    each_turn = left if wanted.pure else sqrt(2 * left / turns)
    once, each = sqrt(log(8 * turns / failing)), sqrt(2 * hits * log(4 * wanted.queries / failing))
    per_unit = (once + each) / each_turn
    answered = updates * part / budget if wanted.pure else sqrt(updates * part / (2 * budget))
    return per_unit / once, per_unit * 2 * hits / each, answered


def _turns(wanted: Wanted, updates: int) -> int:
    return 1 if wanted.pure else updates


def _reach(scale: float, failing: float) -> float:
    return max(0.0, scale * log(2 / (failing * (1 + exp(-1 / scale))))) if scale > 1 / 700 else 0.0


def _scales(wanted: Wanted, rough: Rough) -> Scales:
    """Rational scales, those of the comparisons rounded up; what they leave of the budget is for the answers."""
    at, asked, _ = _roughly_scales(wanted, rough.updates, rough.part)
    of_threshold, of_query, turns = _rounded_up(at), _rounded_up(asked), _turns(wanted, rough.updates)
    each_turn = 1 / of_threshold + 2 * (rough.updates // turns) / of_query
    left = wanted.budget - (each_turn if wanted.pure else turns * each_turn**2 / 2)
    of_answer = rough.updates / left if wanted.pure else root_above(rough.updates / (2 * left))
    return Scales(rough.updates, turns, of_threshold, of_query, of_answer)


def _rounded_up(x: float) -> Fraction:
    """To four digits or so, so that it can be read."""
    unit = Fraction(10) ** (floor(log(x, 10)) - 3)
    return ceil(Fraction(x) / unit) * unit
