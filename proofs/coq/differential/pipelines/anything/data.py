"""Where a walk begins: a random domain under a random metric. What does not fit, the library refuses."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from fractions import Fraction
from random import Random
from typing import Final

import dpcore as dp
from proofs.coq.differential.pipelines.promised import weeks
from proofs.coq.differential.pipelines.starts import Arrow

TEXTS: Final = ("N", "S", "e ", "South", "", "\u00dc", "a\tb", "who")
DAYS: Final = ("2019-12-31", "2020-02-29", "2021-06-01", "0001-01-01")
METRICS: Final[tuple[Callable[[Random], Arrow], ...]] = (
    *[lambda dice: dp.SymmetricDistance()] * 4,
    *[lambda dice: dp.ChangeOneDistance()] * 4,
    *[lambda dice: dp.PersonDistance(dice.choice(("who", "age")))] * 3,
    *(lambda dice: dp.AbsoluteDistance(), lambda dice: dp.DiscreteDistance(), lambda dice: dp.RangeDistance()),
    *(lambda dice: dp.L1Distance(), lambda dice: dp.L2Distance(), lambda dice: dp.LInfDistance()),
    *(lambda dice: dp.EdgeDistance(), lambda dice: dp.NodeDistance()),
    lambda dice: dp.granularity("a week", weeks, rows=dice.choice((None, 1, 7)), path=dice.random() < 0.5),
)


def number(dice: Random) -> Fraction:
    """Mostly small, of either sign; at times of another size altogether."""
    if dice.random() < 0.03:
        return dice.choice((-1, 1)) * Fraction(10) ** dice.choice((-300, -40, -9, 9, 40, 300))
    return Fraction(dice.randint(-20, 100), dice.choice((1, 1, 1, 2, 3, 10)))


def positive(dice: Random) -> Fraction:
    return abs(number(dice)) or Fraction(1)


def ends(dice: Random) -> tuple[Fraction | None, Fraction | None]:
    low, high = sorted((number(dice), number(dice)))
    return low if dice.random() < 0.85 else None, high if dice.random() < 0.85 else None


def constant(dice: Random) -> Arrow:
    kinds: list[Callable[[], Arrow]] = [
        lambda: number(dice),
        lambda: dice.randint(0, 9),
        lambda: dice.choice(TEXTS),
        lambda: dice.random() < 0.5,
        lambda: date.fromisoformat(dice.choice(DAYS)),
    ]
    return dice.choice(kinds)()


def categories(dice: Random) -> Arrow:
    """Of one type, or of several."""
    kinds: tuple[Callable[[], list[Arrow]], ...] = (
        lambda: dice.sample(TEXTS, dice.randint(1, 4)),
        lambda: dice.sample(range(9), dice.randint(1, 4)),
        lambda: [constant(dice) for _ in range(dice.randint(1, 4))],
        lambda: [None, *dice.sample(TEXTS, 2)],
    )
    return dp.categories(*dice.choice(kinds)())


def single(dice: Random) -> Arrow:
    """Of values that hold no others."""
    low, high = ends(dice)
    whole = [None if end is None else round(end) for end in (low, high)]
    grid = [None if end is None else Fraction(round(end)) for end in (low, high)]
    days = sorted(dice.sample(DAYS, 2))
    step = dice.choice((None, Fraction(1, 10), positive(dice)))
    kinds: list[Callable[[], Arrow]] = [
        *[lambda: dp.integers(*whole)] * 4,
        *[
            lambda: dp.numbers(low, high, step),
            lambda: dp.numbers(grid[0], grid[1], dice.choice((None, "1/10", "1/3", 1))),
        ],
        *(dp.booleans, dp.text, lambda: categories(dice)),
        lambda: dp.date(*days) if dice.random() < 0.5 else dp.date(),
    ]
    return dice.choice(kinds)()


def a_record(dice: Random) -> Arrow:
    """Of some of these fields."""
    fields: dict[str, Arrow] = {
        "who": dp.text(),
        "age": dp.integers(0, dice.randint(1, 120)),
        "region": dp.categories("N", "E", "S", "W"),
        "spent": dp.optional(dp.numbers(0, 100, "1/10")),
        "any": domain(dice, 0),
    }
    return dp.record(**{name: fields[name] for name in dice.sample(sorted(fields), dice.randint(1, len(fields)))})


def domain(dice: Random, depth: int = 2) -> Arrow:
    kinds: list[Callable[[], Arrow]] = [lambda: single(dice)] * 3
    if depth:
        kinds += [lambda: a_record(dice)] * 3
        kinds += [lambda: dp.optional(single(dice)), lambda: a_vector(dice)]
    if depth > 1:
        kinds.append(lambda: dp.graphs(dice.randint(1, 20)))
    return dice.choice(kinds)()


def a_vector(dice: Random) -> Arrow:
    if dice.random() < 0.2:
        norm = dice.choice((dp.L1Distance, dp.L2Distance, dp.LInfDistance))
        return dp.vector(single(dice), dice.randint(1, 4), norm, positive(dice))
    return dp.vector(single(dice), dice.randint(1, 4))


def space(dice: Random) -> Arrow:
    """Rows most of the time, else a single value; drawn again until the library lets it through."""
    while True:
        try:
            metric = dice.choice(METRICS)(dice)
            if dice.random() < 0.7:
                return dp.rows(domain(dice), metric, dice.choice((None, None, dice.randint(1, 40))))
            return dp.value(domain(dice), metric)
        except dp.errors.DPError:
            continue
