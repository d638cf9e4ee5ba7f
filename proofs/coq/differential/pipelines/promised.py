"""Pipelines with functions of a user's own, of which he says how stable they are, or what they cost."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Final

import dpcore as dp
from proofs.coq.differential.pipelines.measures import counted_in, recounted
from proofs.coq.differential.pipelines.noise import noisy
from proofs.coq.differential.pipelines.rows import some_steps
from proofs.coq.differential.pipelines.starts import Arrow, people, person
from proofs.coq.differential.pipelines.vectors import VECTOR_METRICS

# ---- functions, and what is said of them: named, as certificates name them ---------------------------------------------


def nothing(data: object) -> object:
    return None


def same(d: Arrow) -> Arrow:
    return d


def thrice(d: Arrow) -> Arrow:
    return 3 * d


def squared(d: Arrow) -> Arrow:
    return d * d / 7


def a_pair(d: Arrow) -> Arrow:
    return d / 3, d / 1000


def much_and_next_to_nothing(d: Arrow) -> Arrow:
    """Of a group the delta is many times larger, and far from 1 still."""
    return 3 * d, d / 10**60


def a_probability(d: Arrow) -> Arrow:
    return d / 100


def by_order(d: Arrow) -> Arrow:
    def curve(x: Arrow) -> Arrow:
        return d * d * x / 50

    return curve


def falling(d: Arrow) -> Arrow:
    def delta(x: Arrow) -> Arrow:
        return d / (9 + 2 * d + x)

    return delta


def below_chance(d: Arrow) -> Arrow:
    """No test does worse than chance, so no false-negative rate is above 1 - x."""

    def beta(x: Arrow) -> Arrow:
        return (1 - x) / (1 + d)

    return beta


def weeks(x: object, y: object) -> Fraction:
    return Fraction(0)


LOSSES: Final[tuple[tuple[Arrow, Arrow], ...]] = (
    *((dp.PureDP, each) for each in (same, thrice, squared)),
    *((dp.ZCDP, each) for each in (same, squared)),
    *((dp.ApproxDP, each) for each in (a_pair, a_pair)),
    *((dp.TotalVariation, each) for each in (a_probability, a_probability)),
    *((dp.RenyiDP, by_order), (dp.Profile, falling), (dp.Tradeoff, below_chance), (dp.GaussianDP, same)),
)


# ---- pipelines ---------------------------------------------------------------------------------------------------------


def start(dice: Random) -> Arrow:
    """Rows, graphs, vectors or answers."""
    space: Arrow = dice.choice((
        people(dice, dice.choice(("symmetric", "change_one", "person"))),
        dp.value(dp.graphs(dice.randint(2, 20)), dice.choice((dp.EdgeDistance, dp.NodeDistance))()),
        dp.value(dp.vector(dp.integers(), dice.randint(1, 5)), dice.choice(VECTOR_METRICS)()),
        dp.value(dp.booleans(), dp.DiscreteDistance()),
    ))  # fmt: skip
    return space


def told(dice: Random) -> Arrow:
    """A measurement of a user's own; perhaps several, or of a group."""
    space = start(dice)
    measure, loss = dice.choice(LOSSES)
    m: Arrow = dp.measurement(nothing, space, measure(), loss)
    if isinstance(space.metric, (dp.EdgeDistance, dp.NodeDistance)) and dice.random() < 0.7:
        other = dp.NodeDistance() if isinstance(space.metric, dp.EdgeDistance) else dp.EdgeDistance()
        m = dp.value(space.domain, other) >> dp.to_metric(space.metric) >> m
    if dice.random() < 0.2 and m.measure.composes:
        m = dp.compose([m] * dice.randint(1, 3))
    if dice.random() < 0.15 and m.input.metric.whole:
        m = dp.group_privacy(m)
    return recounted(dice, m, 1)


def made(dice: Random) -> Arrow:
    """A transformation of a user's own, into numbers, vectors, graphs or other rows."""
    end: Arrow = dice.choice((
        dp.value(dp.integers(0), dp.AbsoluteDistance()),
        dp.value(dp.vector(dp.integers(), dice.randint(1, 4)), dice.choice(VECTOR_METRICS)()),
        dp.rows(person(99), dice.choice((dp.SymmetricDistance, dp.ChangeOneDistance))()),
    ))  # fmt: skip
    found: Arrow = dp.transformation(nothing, start(dice), end, dice.choice((same, thrice, squared)))
    if isinstance(end.domain, dp.types.Rows):
        return counted_in(dice, found, dice.choice(("pure", "approx", "zcdp", "profile")))
    return recounted(dice, noisy(dice, found), 1)


def in_weeks(dice: Random) -> Arrow:
    """Rows under a relation of a user's own."""
    metric = dp.granularity("a week", weeks, rows=dice.randint(1, 9), path=dice.random() < 0.6)
    rows: Arrow = dp.rows(person(dice.randint(50, 120)), metric) >> dp.to_metric(dp.SymmetricDistance())
    counted = counted_in(dice, some_steps(dice, rows, 1), dice.choice(("pure", "approx", "zcdp")))
    return recounted(dice, dp.group_privacy(counted) if metric.whole and dice.random() < 0.8 else counted, 1)
