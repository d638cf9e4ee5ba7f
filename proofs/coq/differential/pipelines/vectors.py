"""Vectors: histograms, sums, linear queries, from one norm to another."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Final

import dpcore as dp
from proofs.coq.differential.pipelines.noise import noisy
from proofs.coq.differential.pipelines.rows import some_steps
from proofs.coq.differential.pipelines.starts import METRICS, REGIONS, Arrow, condition, in_metric, output, people

NORMS: Final[tuple[Arrow, ...]] = (dp.L1Distance, dp.L2Distance, dp.LInfDistance)
OF_QUERIES: Final[tuple[Arrow, ...]] = (dp.L1Distance, dp.LInfDistance)
VECTOR_METRICS: Final[tuple[Arrow, ...]] = (*NORMS, dp.RangeDistance)


def either(dice: Random) -> str:
    return dice.choice(("symmetric", "change_one"))


def moved(dice: Random, t: Arrow, most: int = 2) -> Arrow:
    """The same vectors, perhaps in another norm than they were made in."""
    for _ in range(dice.randint(0, most)):
        try:
            t = t >> dp.to_metric(dice.choice(VECTOR_METRICS)())
        except dp.errors.MetricMismatch:
            continue
    return t


def histogram(dice: Random) -> Arrow:
    bins = dice.sample(REGIONS, dice.randint(1, 4))
    rows = some_steps(dice, people(dice, either(dice)), 1)
    found = rows >> dp.histogram(dp.field("region"), bins=bins, norm=dice.choice(VECTOR_METRICS))
    return noisy(dice, moved(dice, found))


def of_the_replaced(dice: Random) -> Arrow:
    """Rows that were replaced, or what a filter leaves of them, in one bin or in several."""
    bins = dice.sample(REGIONS, dice.choice((1, 1, 2, 3)))
    rows = people(dice, "change_one")
    if dice.random() < 0.5:
        rows = rows >> dp.filter(condition(dice))
    return noisy(
        dice, rows >> dp.histogram(dp.field("region"), bins=bins, norm=dice.choice((*VECTOR_METRICS, dp.LInfDistance)))
    )


def domain_of_vectors(dice: Random) -> Arrow:
    """Vectors of whole numbers or of tenths, some without bounds, and some whose norm is bounded beforehand."""
    whole, size = dice.random() < 0.6, dice.randint(1, 4)
    low, high = sorted((dice.randint(-9, 4), dice.randint(-4, 9)))
    if dice.random() < 0.15:
        return dp.vector(dp.integers() if whole else dp.numbers(step="1/10"), size)
    return dp.vector(dp.integers(low, high) if whole else dp.numbers(low, high, "1/10"), size)


def off_the_grid(dice: Random) -> Arrow:
    """Vectors of any numbers, rounded to a grid, then summed; or one of their entries."""
    rows: Arrow = dp.rows(dp.vector(dp.numbers(-dice.randint(0, 3), dice.randint(0, 3)), 3), METRICS[either(dice)]())
    step = dice.choice(("1", "1/2", "3/7"))
    norm = dice.choice(NORMS)
    if dice.random() < 0.3:
        entry: Arrow = dp.row()[dice.randint(0, 2)]
        return noisy(dice, rows >> dp.quantize(step) >> dp.select(entry) >> dp.sum())
    made = dp.clip_norm(dice.randint(1, 3), norm, step=step) if dice.random() < 0.5 else dp.quantize(step)
    return noisy(dice, moved(dice, rows >> made >> dp.sum(norm=norm), 1))


def vector_sum(dice: Random) -> Arrow:
    """Sums of vectors, whose norm is bounded by clipping or by what their entries can be."""
    norm = dice.choice(NORMS)
    rows: Arrow = dp.rows(domain_of_vectors(dice), METRICS[either(dice)]())
    if rows.domain.of.of.low is None or dice.random() < 0.4:
        clipped_in = norm if dice.random() < 0.9 else dice.choice(NORMS)
        rows = rows >> dp.clip_norm(Fraction(dice.randint(0, 30), dice.choice((1, 1, 1, 2, 3))), clipped_in)
        if dice.random() < 0.15:
            return noisy(dice, rows >> dp.count())
    return noisy(dice, moved(dice, rows >> dp.sum(norm=norm), 1))


def share(dice: Random) -> Arrow:
    """A number from 0 to 1 that a person brings."""
    n = dice.choice((100, 120, 250))
    age: Arrow = dp.field("age")
    return dice.choice((age * Fraction(1, n), age.clip(0, 1), (age * Fraction(1, 50)).clip(0, Fraction(1, 2))))


def linear_queries(dice: Random) -> Arrow:
    """Several sums at once, of truths and of shares; of few possible rows, and of many."""
    if dice.random() < 0.4:
        few: Arrow = dp.record(age=dp.integers(0, dice.randint(2, 9)), member=dp.booleans())
        field: Arrow = dp.field("age")
        truths: list[Arrow] = [dp.field("member", bool), field >= 1, field >= 2, field == 0]
        rows: Arrow = dp.rows(few, METRICS[either(dice)]())
        return noisy(
            dice, rows >> dp.linear_queries(*dice.sample(truths, dice.randint(1, 4)), norm=dice.choice(OF_QUERIES))
        )
    queries = [condition(dice) if dice.random() < 0.6 else share(dice) for _ in range(dice.randint(1, 4))]
    asked = people(dice, either(dice)) >> dp.linear_queries(*queries, norm=dice.choice(OF_QUERIES))
    return noisy(dice, moved(dice, erring(dice, asked), 1))


def marginals(dice: Random) -> Arrow:
    """How far guesses of marginals are off, and which is off most."""
    age: Arrow = dp.field("age")
    by: list[Arrow] = [age, age // 10, dp.when(condition(dice)).then(1).otherwise(0), age * 3]
    chosen = dice.sample(by, dice.randint(1, 3))
    guesses = [[dice.randint(0, 9) for _ in range(dice.randint(1, 4))] for _ in chosen]
    return noisy(dice, moved(dice, erring(dice, people(dice, either(dice)) >> dp.marginal_errors(chosen, guesses)), 1))


def erring(dice: Random, t: Arrow) -> Arrow:
    """The vectors, or how far a guess of them is off."""
    if dice.random() < 0.6 or in_metric(t, dp.RangeDistance):
        return t
    vectors = output(t).domain
    return t >> dp.absolute_errors([dice.randint(-2, 9) * (vectors.of.grid or 1) for _ in range(vectors.size)])


def norms(dice: Random) -> Arrow:
    """A vector as it stands, in a norm, then in others; or a number."""
    if dice.random() < 0.15:
        return noisy(dice, dp.value(dp.integers(), dp.AbsoluteDistance()))
    each: Arrow = dp.integers() if dice.random() < 0.7 else dp.numbers(step="1/4")
    vectors: Arrow = dp.value(dp.vector(each, dice.randint(1, 9)), dice.choice(VECTOR_METRICS)())
    return noisy(dice, moved(dice, erring(dice, moved(dice, vectors, 1)), 2))
