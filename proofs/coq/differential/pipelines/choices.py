"""Answers that are a choice: a person's own, a quantile, the commonest, keys that nobody listed, rows as they are."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import dpcore as dp
from proofs.coq.differential.pipelines.noise import choice
from proofs.coq.differential.pipelines.rows import some_steps
from proofs.coq.differential.pipelines.starts import REGIONS, Arrow, people, scale, small
from proofs.coq.differential.pipelines.vectors import either


def answer(dice: Random) -> Arrow:
    """What a person says, who sometimes says something else."""
    return dp.value(asked(dice), dp.DiscreteDistance()) >> randomizer(dice)


def asked(dice: Random) -> Arrow:
    answers: Arrow = dice.choice((dp.booleans(), dp.categories(*REGIONS), dp.categories("a", 1, True, None)))
    return answers


def randomizer(dice: Random) -> Arrow:
    p = Fraction(dice.randint(51, 99), 100)
    made: Arrow = dice.choice(
        (dp.randomized_response(p), dp.unary_encoding(p), dp.unary_encoding(p, "1/20"), dp.hadamard_response(p))
    )
    return made


def survey(dice: Random) -> Arrow:
    """What many persons say, each of whom sometimes says something else; perhaps to two questions."""
    answers = asked(dice)
    if dice.random() < 0.7:
        return dp.rows(answers, dp.ChangeOneDistance()) >> dp.locally(randomizer(dice))
    one = dp.value(answers, dp.DiscreteDistance())
    both: Arrow = dp.compose([one >> randomizer(dice) for _ in range(dice.randint(1, 3))])
    return dp.rows(answers, dp.ChangeOneDistance()) >> dp.locally(both)


def hidden(dice: Random) -> Arrow:
    """The same of a number that is known, and that is often large enough for them to hide each other."""
    rows = dp.rows(asked(dice), dp.ChangeOneDistance(), size=dice.choice((100, 1000, 10**4, 10**5, 10**6)))
    return rows >> dp.shuffled(randomizer(dice), delta=small(dice))


def quantile(dice: Random) -> Arrow:
    candidates = sorted(dice.sample(range(120), dice.randint(1, 8)))
    ages = some_steps(dice, people(dice, either(dice)), 1) >> dp.select(dp.field("age"), dp.integers(0, 120))
    return choice(dice, ages >> dp.quantile_scores(candidates, Fraction(dice.randint(0, 12), 12)))


def commonest(dice: Random) -> Arrow:
    norm: Arrow = dice.choice((dp.RangeDistance, dp.LInfDistance))
    return choice(dice, people(dice, either(dice)) >> dp.histogram(dp.field("region"), norm=norm))


def keys(dice: Random) -> Arrow:
    """The values that many rows have, whatever they are."""
    rows = some_steps(dice, people(dice, "symmetric"), 1)
    return rows >> dp.threshold_release(by=dp.field("who"), scale=scale(dice), threshold=dice.randint(2, 60))


def published(dice: Random) -> Arrow:
    """Rows as they are: each with a small chance, or one of so many."""
    if dice.random() < 0.5:
        return people(dice, "change_one") >> dp.name_and_shame(delta=small(dice))
    return people(dice, "change_one", dice.randint(2, 60)) >> dp.random_row()
