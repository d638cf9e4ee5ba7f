"""Measurements in each of the measures, and from one measure to another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from random import Random
from typing import Final

import dpcore as dp
from proofs.coq.differential.pipelines.noise import spread
from proofs.coq.differential.pipelines.rows import number
from proofs.coq.differential.pipelines.starts import Arrow, in_metric, scale, small

NUMBERS: Final = ("pure", "approx", "zcdp", "gaussian", "total_variation")
"""Measures whose losses are numbers that add up, and that have a group rule."""

ONE_STEP: Final = "approximate_zcdp"
"""The one that has none."""

CURVES: Final = ("renyi", "profile", "tradeoff")

POINTS: Final[Mapping[str, tuple[Fraction, ...]]] = {
    "renyi": tuple(map(Fraction, ("101/100", "3/2", "2", "7/2", "10", "64"))),
    "profile": tuple(map(Fraction, ("0", "1/1000", "1/10", "1/2", "1", "3"))),
    "tradeoff": tuple(map(Fraction, ("0", "1/1000", "1/10", "1/2", "9/10", "1"))),
}


LARGEST: Final = {"renyi": 30, "profile": 3, "tradeoff": 1}


def points(dice: Random, measure: str) -> list[Fraction]:
    """Where a curve is looked at; of other losses, nowhere."""
    if measure not in POINTS:
        return []
    least = 1 if measure == "renyi" else 0
    drawn = [least + Fraction(dice.randint(1, 100 * LARGEST[measure]), 100) for _ in range(2)]
    return dice.sample((*POINTS[measure], *drawn), dice.randint(1, 4))


# ---- from one measure to another ---------------------------------------------------------------------------------------


def alpha(dice: Random) -> Fraction:
    """An order, which need not be the best."""
    return 1 + Fraction(dice.randint(1, 90), dice.choice((1, 3, 10)))


def delta_or_epsilon(dice: Random) -> dict[str, Fraction]:
    if dice.random() < 0.2:  # which dpcore has to search for
        return {"delta": Fraction(1, 10 ** dice.randint(1, 6))}
    return {"epsilon": Fraction(dice.randint(0, 40), 20)}


def delta_and_alpha(dice: Random) -> dict[str, Fraction]:
    found = {"delta": small(dice)}
    return {**found, "alpha": alpha(dice)} if dice.random() < 0.7 else found


def nothing(dice: Random) -> dict[str, Fraction]:
    return {}


def slack_and_alpha(dice: Random) -> dict[str, Fraction]:
    found = {"slack": small(dice)}
    return {**found, "alpha": alpha(dice)} if dice.random() < 0.7 else found


Way = tuple[Arrow, Callable[[Random], dict[str, Fraction]]]
WAYS: Final[Mapping[str, tuple[Way, ...]]] = {
    "pure": (
        *((each, nothing) for each in (dp.ApproxDP, dp.ZCDP, dp.RenyiDP, dp.ApproxZCDP)),
        *((each, nothing) for each in (dp.GaussianDP, dp.TotalVariation, dp.Profile, dp.Tradeoff)),
    ),
    "approx": tuple((each, nothing) for each in (dp.Profile, dp.Tradeoff, dp.TotalVariation, dp.ApproxZCDP)),
    "total_variation": tuple((each, nothing) for each in (dp.ApproxDP, dp.Profile, dp.Tradeoff)),
    "zcdp": ((dp.RenyiDP, nothing), (dp.Profile, nothing), (dp.ApproxDP, delta_and_alpha), (dp.ApproxZCDP, nothing)),
    "approximate_zcdp": ((dp.Profile, nothing), (dp.ApproxDP, slack_and_alpha)),
    "renyi": ((dp.ApproxDP, delta_and_alpha),),
    "gaussian": tuple((each, nothing) for each in (dp.ZCDP, dp.RenyiDP, dp.Profile, dp.Tradeoff)),
    "profile": ((dp.ApproxDP, delta_or_epsilon), (dp.TotalVariation, nothing)),
}
"""Where each measure leads. Not from a trade-off curve, which dpcore cuts into thousands of pieces: see `edits`."""


def recounted(dice: Random, m: Arrow, most: int = 2) -> Arrow:
    """Perhaps processed further; its loss perhaps counted in other measures."""
    for _ in range(dice.randint(0, most)):
        if dice.random() < 0.15:
            m = m.then(str)
        elif m.measure.name in WAYS:
            to, witness = dice.choice(WAYS[m.measure.name])
            m = m.to(to, **witness(dice))
    if m.measure.name == "profile" and dice.random() < 0.08:
        return m.to(dp.Tradeoff)  # dear: a search for the best epsilon at each point
    searched = m.derivation.rules() & {"zcdp_to_profile", "approximate_zcdp_to_profile", "profile_to_tradeoff"}
    if m.measure.name == "tradeoff" and dice.random() < 0.005 and not searched:
        return m.to(dp.Profile)  # dearer still: thousands of pieces, and minutes where a search stands at each
    return m


# ---- in a measure that is wanted ---------------------------------------------------------------------------------------


def approximate(dice: Random, rows: Arrow) -> Arrow:
    kind = dice.choice(("pure", "pure", "zcdp", "profile", "keys"))
    if kind == "keys" and in_metric(rows, dp.SymmetricDistance):
        return rows >> dp.threshold_release(by=dp.field("who"), scale=scale(dice), threshold=dice.randint(9, 90))
    made = number(dice, rows)
    if kind == "zcdp":
        return (made >> dp.gaussian(sigma=scale(dice))).to(dp.ApproxDP, **delta_and_alpha(dice))
    if kind == "profile":
        epsilon = Fraction(dice.randint(0, 40), 20)
        return (rows >> dp.count() >> dp.gaussian(sigma=spread(dice), measure=dp.Profile)).to(
            dp.ApproxDP, epsilon=epsilon
        )
    return (made >> dp.laplace(scale=scale(dice))).to(dp.ApproxDP)


def advantage(dice: Random, rows: Arrow) -> Arrow:
    """In total variation; with noise that is wide, for a delta of 1 promises nothing."""
    if in_metric(rows, dp.ChangeOneDistance) and dice.random() < 0.3:
        return rows >> dp.name_and_shame(delta=small(dice))
    return (number(dice, rows) >> dp.laplace(scale=20 * scale(dice))).to(dp.TotalVariation)


def curve(dice: Random, rows: Arrow, to: Arrow) -> Arrow:
    kind = dice.choice(("pure", "approx", "total_variation"))
    if kind == "pure":
        return (number(dice, rows) >> dp.laplace(scale=scale(dice))).to(to)
    return (approximate if kind == "approx" else advantage)(dice, rows).to(to)


def counted_in(dice: Random, rows: Arrow, measure: str) -> Arrow:
    """A measurement of rows whose loss is counted in the measure."""
    if measure == "pure":
        return number(dice, rows) >> dp.laplace(scale=scale(dice))
    if measure == "approx":
        return approximate(dice, rows)
    if measure == "total_variation":
        return advantage(dice, rows)
    if measure == ONE_STEP:
        return counted_in(dice, rows, dice.choice(("pure", "approx", "zcdp"))).to(dp.ApproxZCDP)
    if measure == "gaussian":
        return counted_in(dice, rows, "pure").to(dp.GaussianDP)
    if measure in ("profile", "tradeoff"):
        if measure == "profile" and dice.random() < 0.4:
            return rows >> dp.count() >> dp.gaussian(sigma=spread(dice), measure=dp.Profile)
        return curve(dice, rows, dp.Profile if measure == "profile" else dp.Tradeoff)
    if dice.random() < 0.3:
        m = counted_in(dice, rows, "pure").to(dp.ZCDP)
    else:
        m = number(dice, rows) >> dp.gaussian(sigma=scale(dice))
    return m if measure == "zcdp" else m.to(dp.RenyiDP)
