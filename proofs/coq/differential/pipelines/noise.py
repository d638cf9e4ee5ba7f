"""The end of a pipeline: noise on a number or a vector, or a choice among scores, as its metric allows."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import dpcore as dp
from dpcore.certificates.rules import load_rules
from dpcore.measurements.bounded import BoundedNoise
from proofs.coq.differential.pipelines.starts import Arrow, in_metric, output, scale


def spread(dice: Random) -> Fraction:
    """Of a Gaussian whose exact profile is summed up: not so wide that summing takes long."""
    return Fraction(dice.randint(1, 40), dice.choice((1, 1, 2, 3)))


def above(dice: Random) -> Arrow:
    scales = scale(dice), scale(dice)
    hits = dice.randint(1, 4)
    return dp.above_threshold(dice.randint(-3, 60), threshold_scale=scales[0], query_scale=scales[1], hits=hits)


def choice(dice: Random, scores: Arrow) -> Arrow:
    """One of the candidates, or above and below for each in turn."""
    each = output(scores).domain.of
    kind = dice.choice(("best", "softly", "purely", "above"))
    if kind == "above" and isinstance(each, dp.types.Integers):
        return scores >> above(dice)
    if kind == "purely":
        return scores >> dp.exponential(scale=scale(dice), measure=dp.PureDP)
    return scores >> (dp.exponential if kind == "softly" else dp.permute_and_flip)(scale=scale(dice))


def bounded() -> list[str]:
    """The constructors of noise that reaches so far and no further."""
    load_rules()
    return sorted(kind.word for kind in BoundedNoise.__subclasses__())


def noisy(dice: Random, t: Arrow) -> Arrow:
    """What a transformation gives, with noise of one kind that protects it."""
    if in_metric(t, dp.LInfDistance, dp.RangeDistance):
        return choice(dice, t)
    if in_metric(t, dp.L2Distance):
        return t >> dp.gaussian(sigma=scale(dice))
    of_numbers = () if in_metric(t, dp.L1Distance) else ("laplace", "gaussian", "profile")
    kind = dice.choice(("laplace", *of_numbers, *bounded()))
    grid = getattr(output(t).domain, "step", None) or 1
    if kind in bounded():
        return t >> getattr(dp, kind)(dice.randint(2, 60) * grid.numerator)
    if kind == "profile":
        return t >> dp.gaussian(sigma=spread(dice) * grid, measure=dp.Profile)
    return t >> (dp.laplace(scale=scale(dice)) if kind == "laplace" else dp.gaussian(sigma=scale(dice)))
