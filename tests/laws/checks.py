"""The laws themselves: functions of an example that return how well its bound is used, or raise `Broken`.

They are apart from the tests so that the tests of faults can put a fault in and see the same function fail.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from typing import cast

import dpcore as dp
from dpcore.derivation import Raw
from dpcore.maps import Number, at_precision, ends, numeral
from dpcore.metrics import Carried
from dpcore.origins import SomeSpace
from tests.laws import distributions
from tests.laws.arrows import (
    BITS,
    POINTS,
    AnyMeasurement,
    AnyTransformation,
    Figures,
    measurement,
    points,
    shown,
    transformation,
)
from tests.laws.catalogue import Example
from tests.laws.distributions import Distribution
from tests.laws.universe import Members, members, pairs

TOLERANCE = 1e-7
"""Of the floats in which divergences are computed; losses are exact."""


class Broken(AssertionError):
    """A law does not hold."""


# ---- stability ----------------------------------------------------------------------------------------------------------


def stability(example: Example) -> float:
    """`d_out(f(x), f(y)) <= map(d_in(x, y))` for all pairs of the universe; returns worst/claimed at the least distance."""
    f = transformation(example.build())
    universe = members(f.input, example.atoms, example.most)
    worst = farthest(f, universe)
    for d, (moved, x, y) in worst.items():
        if moved > reach(f, d):
            raise Broken(f"{f!r}: {x!r} and {y!r} are {d} apart and move {moved} apart, above {reach(f, d)}")
    near = min((d for d in worst if d > 0), key=lambda d: (d != example.near, reach(f, d) == 0, d))
    claimed = reach(f, near)
    return 1.0 if claimed == 0 else float(Fraction(worst[near][0]) / claimed)


def farthest(f: AnyTransformation, universe: Members) -> dict[int | Fraction, tuple[Carried, object, object]]:
    """For each finite distance the pair whose images lie farthest apart; distances as they are carried.

    The rows of the second are turned round: their order means nothing, so nothing may depend on it.
    """
    images = [f(x) for x in universe]
    again = [f(backwards(x, f.input)) for x in universe]
    found: dict[int | Fraction, tuple[Carried, object, object]] = {}
    indexed: Members = tuple(range(len(universe)))
    for i, j in cast("list[tuple[int, int]]", list(pairs(indexed))):
        d = f.input.metric.carried(universe[i], universe[j])
        if isinstance(d, float):
            assert d == math.inf
            continue
        moved = f.output.metric.carried(images[i], again[j])
        if d not in found or moved > found[d][0]:
            found[d] = moved, universe[i], universe[j]
    return found


def backwards(x: object, space: SomeSpace) -> object:
    """The same data, their rows in the opposite order."""
    if isinstance(space.domain, dp.Rows):
        return cast("list[object]", x)[::-1]
    if isinstance(space.domain, dp.Parts):
        return {key: rows[::-1] for key, rows in cast("dict[object, list[object]]", x).items()}
    return x


def reach(f: AnyTransformation, d: int | Fraction) -> Fraction:
    """What the map promises at a distance, both as they are carried: the upper end of its enclosure."""
    reading = f.derivation.numbers()
    return at_precision(BITS, lambda: ends(cast(Number, reading(numeral(d))))[1])


# ---- losses -------------------------------------------------------------------------------------------------------------


def losses(example: Example) -> float:
    """The loss bounds the true divergence for all pairs of the universe; returns true/claimed at the least distance."""
    m = measurement(example.build())
    universe = members(m.input, example.atoms, example.most)
    found = [distribution(m, x) for x in universe]
    turned = [backwards(x, m.input) for x in universe]
    again = [known if y == x else distribution(m, y) for x, y, known in zip(universe, turned, found, strict=True)]
    near: dict[int | Fraction, float] = defaultdict(float)
    claims: dict[int | Fraction, Figures] = {}
    for i, x in enumerate(universe):
        for j, y in enumerate(universe):
            d = m.input.metric.carried(x, y)
            if isinstance(d, float):
                continue
            if d not in claims:
                claims[d] = shown(loss_at(m, d))
            use = used(m.measure, claims[d], found[i], again[j])
            if use > 1 + TOLERANCE:
                raise Broken(f"{m!r}: between {x!r} and {y!r}, {d} apart, {use} times the loss {loss_at(m, d)}")
            near[d] = max(near[d], use)
    least = min((d for d in near if d > 0), key=lambda d: (d != example.near, d))
    return near[least]


def distribution(m: AnyMeasurement, data: object) -> Distribution:
    return distributions.distribution(lambda bits: m.release(data, bits=bits))


def loss_at(m: AnyMeasurement, d: int | Fraction) -> dp.Loss:
    """The loss at a distance as it is carried."""
    reading = m.derivation.numbers()
    compute: Callable[[], Raw] = lambda: reading(numeral(d))  # noqa: E731
    return m.measure.loss(compute)


def used(measure: dp.Measure, loss: Figures, p: Distribution, q: Distribution) -> float:
    """The largest true/claimed over the figures of the loss; above 1 the claim is wrong."""
    return max(_ratio(true, claimed) for true, claimed in compared(measure, loss, p, q))


def _ratio(true: float, claimed: float) -> float:
    if true - claimed > TOLERANCE:
        return true / claimed if claimed > 0 else math.inf
    return min(1.0, true / claimed) if claimed > TOLERANCE else 0.0


def compared(measure: dp.Measure, loss: Figures, p: Distribution, q: Distribution) -> list[tuple[float, float]]:
    """Pairs of a true divergence and what is claimed of it."""
    claimed = [float(high) for _, high in loss]
    where = [float(x) for x in points(measure)]
    if isinstance(measure, dp.PureDP):
        return [(distributions.max_log_ratio(p, q), claimed[0])]
    if isinstance(measure, dp.ApproxDP):
        return [(distributions.hockey_stick(p, q, claimed[0]), claimed[1])]
    if isinstance(measure, dp.TotalVariation):
        return [(distributions.hockey_stick(p, q, 0), claimed[0])]
    if isinstance(measure, dp.ZCDP):
        orders = [float(a) for a in POINTS["alpha"]]
        return [(distributions.renyi(p, q, a), claimed[0] * a) for a in orders]
    if isinstance(measure, dp.RenyiDP):
        return [(distributions.renyi(p, q, a), c) for a, c in zip(where, claimed, strict=True)]
    if isinstance(measure, dp.Profile):
        return [(distributions.hockey_stick(p, q, e), c) for e, c in zip(where, claimed, strict=True)]
    if isinstance(measure, dp.GaussianDP):
        epsilons = [float(e) for e in POINTS["epsilon"]]
        return [(distributions.hockey_stick(p, q, e), distributions.gaussian_profile(claimed[0], e)) for e in epsilons]
    assert isinstance(measure, dp.Tradeoff)
    low = [float(low) for low, _ in loss]
    # Higher is more private: compare what a test can gain beyond guessing.
    return [(1 - a - distributions.false_negatives(p, q, a), 1 - a - b) for a, b in zip(where, low, strict=True)]
