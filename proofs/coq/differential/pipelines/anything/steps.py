"""Every transformation and every measurement, with random parameters, on whatever there is. What does not fit is refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Final

import dpcore as dp
from proofs.coq.differential.pipelines import promised
from proofs.coq.differential.pipelines import rows as of_rows
from proofs.coq.differential.pipelines.anything import data
from proofs.coq.differential.pipelines.anything.expressions import expression, truth
from proofs.coq.differential.pipelines.noise import spread
from proofs.coq.differential.pipelines.starts import Arrow, scale, small

Maker = Callable[[Random, Arrow], Arrow]
"""From a space, a step that may begin there."""

NORMS: Final[tuple[Arrow, ...]] = (dp.L1Distance, dp.L2Distance, dp.LInfDistance, dp.RangeDistance)


def each(space: Arrow) -> Arrow:
    """What one row can be; of a single value, what that can be."""
    return getattr(space.domain, "of", space.domain)


# ---- transformations ---------------------------------------------------------------------------------------------------


def select(dice: Random, space: Arrow) -> Arrow:
    of = each(space)
    if isinstance(of, dp.types.Record) and dice.random() < 0.5:
        kept = {name: dp.field(name) for name, _ in of.fields if dice.random() < 0.8}
        return dp.select(**{**kept, "more": expression(dice, of)})
    made = expression(dice, of)
    return dp.select(made, data.domain(dice, 0)) if dice.random() < 0.15 else dp.select(made)


def select_within(dice: Random, space: Arrow) -> Arrow:
    """Values in a domain that is wider than need be."""
    made = expression(dice, each(space))
    found = made.domain(each(space))
    wider: list[Arrow] = [dp.optional(found), dp.text(), dp.date(), dp.numbers(), dp.integers(), dp.optional(dp.text())]
    if isinstance(found, dp.types.Categories):
        wider.append(dp.categories(*found.values, "more"))
    return dp.select(made, dice.choice(wider))


def drop_nulls(dice: Random, space: Arrow) -> Arrow:
    of = each(space)
    names = [name for name, inner in getattr(of, "fields", ()) if isinstance(inner, dp.types.Optional)]
    return dp.drop_nulls(*names)


def histogram(dice: Random, space: Arrow) -> Arrow:
    made: Arrow = dp.histogram
    norm, by = dice.choice(NORMS), expression(dice, each(space), 2) if dice.random() < 0.7 else None
    bins = [data.constant(dice) for _ in range(dice.randint(1, 4))] if dice.random() < 0.4 else None
    return made(by, bins, norm=norm)


def partition(dice: Random, space: Arrow) -> Arrow:
    keys = [data.constant(dice) for _ in range(dice.randint(1, 3))] if dice.random() < 0.4 else None
    return dp.partition(keys, expression(dice, each(space), 1) if dice.random() < 0.7 else None)


def claimed(dice: Random, space: Arrow) -> Arrow:
    stability = dice.choice((promised.same, promised.thrice, promised.squared))
    return dp.transformation(promised.nothing, space, data.space(dice), stability)


def bounds(dice: Random, space: Arrow) -> Arrow:
    return dp.clamp(*sorted((data.number(dice), data.number(dice))))


def queries(dice: Random, space: Arrow) -> Arrow:
    some = [truth(dice, each(space)) for _ in range(dice.randint(1, 3))]
    shares = [expression(dice, each(space)).clip(0, 1)] if dice.random() < 0.3 else []
    return dp.linear_queries(*some, *shares, norm=dice.choice((dp.L1Distance, dp.LInfDistance)))


def errors(dice: Random, space: Arrow) -> Arrow:
    size = getattr(space.domain, "size", None)
    return dp.absolute_errors([data.number(dice) for _ in range(size)] if size else data.number(dice))


def marginals(dice: Random, space: Arrow) -> Arrow:
    by = [expression(dice, each(space), 2) for _ in range(dice.randint(1, 3))]
    return dp.marginal_errors(by, [[dice.randint(0, 9) for _ in range(dice.randint(1, 4))] for _ in by])


def scores(dice: Random, space: Arrow) -> Arrow:
    return dp.quantile_scores(sorted({data.number(dice) for _ in range(4)}), Fraction(dice.randint(0, 12), 12))


STEPS: Final[tuple[Maker, ...]] = (
    *[lambda dice, space: dp.to_metric(dice.choice(data.METRICS)(dice))] * 5,
    *[select] * 3,
    select_within,
    *[lambda dice, space: dp.filter(truth(dice, each(space)))] * 2,
    *(lambda dice, space: dp.filter(of_rows.odd), lambda dice, space: dp.row_map(of_rows.same, data.domain(dice))),
    lambda dice, space: dp.flat_map(of_rows.doubled, data.domain(dice), limit=dice.randint(1, 3)),
    *[drop_nulls] * 2,
    *[bounds] * 3,
    *[lambda dice, space: dp.quantize(data.positive(dice))] * 2,
    *[lambda dice, space: dp.clip_norm(data.positive(dice), dice.choice(NORMS[:3]))] * 3,
    *[lambda dice, space: dp.bound_contributions(dice.randint(1, 4))] * 3,
    *(lambda dice, space: dp.count(), lambda dice, space: dp.count()),
    *[lambda dice, space: dp.sum()] * 3,
    *[lambda dice, space: dp.sum(norm=dice.choice(NORMS[:3]))] * 3,
    *[histogram, queries, marginals, errors, partition, scores] * 2,
    claimed,
)

# ---- measurements ------------------------------------------------------------------------------------------------------


def of_size(dice: Random) -> Fraction:
    """Of noise: as in the themes; at times very small or very large."""
    return data.positive(dice) if dice.random() < 0.1 else scale(dice)


def sparse(dice: Random, space: Arrow) -> Arrow:
    hits = dice.randint(1, 4)
    return dp.above_threshold(dice.randint(-3, 60), threshold_scale=of_size(dice), query_scale=of_size(dice), hits=hits)


def keys(dice: Random, space: Arrow) -> Arrow:
    by = expression(dice, each(space), 1) if dice.random() < 0.7 else None
    threshold = dice.randint(2, 60) if dice.random() < 0.5 else dice.randint(60, 4000)  # with next to no delta
    return dp.threshold_release(by, scale=of_size(dice), threshold=threshold)


def told(dice: Random, space: Arrow) -> Arrow:
    measure, loss = dice.choice(promised.LOSSES)
    return dp.measurement(promised.nothing, space, measure(), loss)


def exact_profile(dice: Random, space: Arrow) -> Arrow:
    grid = getattr(space.domain, "step", None) or 1
    return dp.gaussian(sigma=spread(dice) * grid, measure=dp.Profile)


ENDS: Final[tuple[Maker, ...]] = (
    *[lambda dice, space: dp.laplace(scale=of_size(dice))] * 3,
    *[lambda dice, space: dp.gaussian(sigma=of_size(dice))] * 3,
    exact_profile,
    lambda dice, space: dp.randomized_response(Fraction(dice.randint(1, 99), 100)),
    lambda dice, space: dp.locally(dp.hadamard_response(Fraction(dice.randint(50, 99), 100))),
    lambda dice, space: dp.shuffled(dp.randomized_response(Fraction(dice.randint(50, 99), 100)), delta=small(dice)),
    lambda dice, space: dp.permute_and_flip(scale=of_size(dice)),
    lambda dice, space: dp.exponential(scale=of_size(dice)),
    sparse,
    *[keys] * 2,
    lambda dice, space: dp.name_and_shame(delta=small(dice)),
    lambda dice, space: dp.random_row(),
)
