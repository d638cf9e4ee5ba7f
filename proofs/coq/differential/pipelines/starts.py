"""Where random pipelines begin: rows of persons in each metric, and what the dice say of a row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from random import Random
from typing import Any, Final

import dpcore as dp

# A random pipeline has no static type: it is put together by what the dice say, and dpcore refuses at run time what does
# not fit. This is the one door through which such pipelines come.
Arrow = Any

Maker = Callable[[Random], Arrow]

REGIONS: Final = ("N", "E", "S", "W")
METRICS: Final[Mapping[str, Callable[[], Arrow]]] = {
    "symmetric": dp.SymmetricDistance,
    "change_one": dp.ChangeOneDistance,
    "person": lambda: dp.PersonDistance("who"),
}


def scale(dice: Random) -> Fraction:
    return Fraction(dice.randint(1, 400), dice.choice((1, 1, 2, 3, 7, 10)))


def small(dice: Random) -> Fraction:
    """A probability of something that should not happen."""
    return Fraction(dice.choice((1, 1, 1, 3, 7)), 10 ** dice.randint(2, 9))


def person(oldest: int) -> Arrow:
    return dp.record(
        who=dp.text(),
        age=dp.integers(0, oldest),
        region=dp.categories(*REGIONS),
        spent=dp.optional(dp.numbers(0, 100, "1/10")),
        member=dp.booleans(),
    )


def people(dice: Random, metric: str, size: int | None = None) -> Arrow:
    """Rows of persons, perhaps of a known number."""
    return dp.rows(person(dice.randint(50, 120)), METRICS[metric](), size)


def condition(dice: Random) -> Arrow:
    """A truth about one person."""
    age: Arrow = dp.field("age")
    of = dice.randint(1, 60)
    found: list[Arrow] = [
        age >= of,
        age < of,
        dp.field("region") == "N",
        (age >= of) & (age < of + 9),
        age + 1 >= of,
        dp.field("member", bool),
    ]
    return dice.choice(found)


def output(x: Arrow) -> Arrow:
    """The space in which data lie: what a transformation gives, or the space itself."""
    return x.output if isinstance(x, dp.types.Transformation) else x


def in_metric(x: Arrow, *metrics: type[dp.types.Metric]) -> bool:
    return isinstance(output(x).metric, metrics)
