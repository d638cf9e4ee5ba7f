"""How far off answers by private multiplicative weights are, and the noise and threshold with which they are least so.

Argument (Hardt and Rothblum 2010; the online sparse vector of Dwork and Roth 2014, 3.6). Let n be the number of rows, p
their distribution over N cells, A the weights, q a query, k the most that are asked, c the most updates. Noise: Z of the
threshold, Z_i of the i-th comparison, v_j of the j-th answer as a share. With the tails of these noises as they are, and
the failures of all k + c + 1 added up, with confidence 1 - b at once

    |Z| <= t,   |Z_i| <= z for all i,   |v_j| <= a for all j.

*What is answered.* A comparison looks at the error of a guess, `n q(A)` rounded to whole rows. One that says below has
`error + Z_i <= threshold + Z - 1`, so that q(A) is off by at most `threshold + t + z - 1/2` rows; one that says above is
followed by a noisy answer, off by a.

*How long it lasts.* Where it says above, q(A) is off by at least `E = (threshold - t - z - 1/2)/n`. Let e = q(p) - q(A), m
= q(p) + v the noisy answer, cut off at 0 and 1 where it is no further from q(p), and r = m - q(A) = e + v. The weights
become proportional to `A exp(s q)` with s = 4r. As q lies in [0, 1], by Hoeffding's lemma the relative entropy of p to the
weights falls by at least

    s e - s^2/8  =  4 (e + v) e - 2 (e + v)^2  =  2 (e^2 - v^2)  >=  2 (E^2 - a^2).

It is `ln N` at first and never below 0. So where `2 c (E^2 - a^2) > ln N`, fewer than c comparisons say above, however the
queries are chosen, and all k are answered. The least such threshold is `n sqrt(ln N/(2c) + a^2) + t + z + 1/2`, and the
error `sqrt(ln N/(2c) + a^2) + 2 (t + z)/n`. With `z` of the order of `c ln(k/b)/epsilon` and the best c that is of the order
of `(ln N ln(k/b)/(epsilon n))^(1/3)`.

Weights are floats. They are kept as logarithms, whose rounding is counted with `ROUNDING` in each answer and each step: a
logarithm is at most 4c, so that adding to it is off by less than 10^-9 where there are at most 10^5 updates.

The error is one of the data as they are if they have n rows. Where the size is public that is so; where rows come and go,
n is what was said.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, exp, floor, inf, log, sqrt
from typing import Final, final

from dpcore.core.spaces import value
from dpcore.domains import Integers
from dpcore.errors import InvalidParameter
from dpcore.many.roots import root_above
from dpcore.maps import at_precision, ends, numeral
from dpcore.maps import log as log_of
from dpcore.measurements.above_threshold import AboveThreshold, above_threshold
from dpcore.measurements.laplace import laplace
from dpcore.metrics import AbsoluteDistance

ROUNDING: Final = Fraction(1, 10**9)

MOST_UPDATES: Final = 10**5

SHARES: Final = (2, 3, 4, 6, 8, 12, 16, 24, 32)
"""Of the budget, one such part is for the answers, the rest for the comparisons."""

BITS: Final = 128


@final
@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of the weights, all of it public."""

    cells: int
    size: int
    epsilon: Fraction
    queries: int
    confidence: Fraction


@final
@dataclass(frozen=True, slots=True)
class Scales:
    """How many updates there are, and how much noise: together it costs the budget, exactly."""

    updates: int
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
            hits=scales.updates,
        )

    def within(self, confidence: Fraction) -> Fraction:
        """With this confidence no answer is off by more than this share of the rows."""
        noise, answered = noise_at(self.wanted, self.scales, confidence)
        rows = max(self.threshold + noise - Fraction(1, 2), answered)
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
    t = _most(scales.of_threshold, failing / 4)
    z = _most(scales.of_query, failing / (2 * wanted.queries))
    return t + z, _most(scales.of_answer, failing / (4 * scales.updates))


def _most(scale: Fraction, failing: Fraction) -> Fraction:
    """Laplace noise is further off with at most this chance: whole numbers nearer than the accuracy are a step nearer."""
    reached = (value(Integers(), AbsoluteDistance()) >> laplace(scale=scale)).accuracy(1 - failing)
    return reached - 1


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
    tried = [updates] if updates is not None else _numbers_to_try()
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


def _numbers_to_try() -> list[int]:
    return sorted({ceil(1.1**i) for i in range(121)})


def _roughly(wanted: Wanted, updates: int, part: int) -> Rough:
    """In rows, the error that would be promised, and the threshold."""
    at, asked, answered = _roughly_scales(wanted, updates, part)
    failing = float(1 - wanted.confidence)
    noise = _reach(at, failing / 4) + _reach(asked, failing / (2 * wanted.queries))
    off = _reach(answered, failing / (4 * updates))
    threshold = wanted.size * sqrt(log(wanted.cells) / (2 * updates) + (off / wanted.size) ** 2) + noise + 0.5
    return Rough(max(threshold + noise, off), threshold, updates, part)


def _roughly_scales(wanted: Wanted, updates: int, part: int) -> tuple[float, float, float]:
    """Of the threshold, of a comparison, of an answer: the first two such that `t + z` is about the least."""
    epsilon, failing = float(wanted.epsilon), float(1 - wanted.confidence)
    once, each = sqrt(log(8 / failing)), sqrt(2 * updates * log(4 * wanted.queries / failing))
    per_unit = (once + each) * part / ((part - 1) * epsilon)
    return per_unit / once, per_unit * 2 * updates / each, updates * part / epsilon


def _reach(scale: float, failing: float) -> float:
    ends_at = scale * log(2 / (failing * (1 + exp(-1 / scale)))) if scale > 1 / 700 else 0.0
    return max(0.0, ends_at) if ends_at < inf else inf


def _scales(wanted: Wanted, rough: Rough) -> Scales:
    """Rational scales, those of the comparisons rounded up; what they leave of the budget is for the answers."""
    at, asked, _ = _roughly_scales(wanted, rough.updates, rough.part)
    of_threshold, of_query = _rounded_up(at), _rounded_up(asked)
    left = wanted.epsilon - 1 / of_threshold - 2 * rough.updates / of_query
    return Scales(rough.updates, of_threshold, of_query, rough.updates / left)


def _rounded_up(x: float) -> Fraction:
    """To four digits or so, so that it can be read; at least a part in a thousand remains for what is left."""
    unit = Fraction(10) ** (floor(log(x, 10)) - 3)
    return ceil(Fraction(x) / unit) * unit
