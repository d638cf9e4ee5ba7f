"""Random expressions over rows of a domain: every operation, on operands of the kind that it takes or of another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

import dpcore as dp
from dpcore.types import Booleans, Categories, Dates, Integers, Numbers, Optional, Record, Text
from proofs.coq.differential.pipelines.anything.data import DAYS, TEXTS, constant, number, positive
from proofs.coq.differential.pipelines.starts import Arrow

Operation = Callable[[Random, Arrow, Arrow], Arrow]
"""What is made of an expression, with another one at hand."""

NUMBERS: Final[tuple[Operation, ...]] = (
    *(lambda dice, x, y: x + y, lambda dice, x, y: x - y, lambda dice, x, y: x * y, lambda dice, x, y: -x),
    *(lambda dice, x, y: x + number(dice), lambda dice, x, y: number(dice) - x, lambda dice, x, y: x * number(dice)),
    *(lambda dice, x, y: x / y, lambda dice, x, y: x // dice.randint(1, 9), lambda dice, x, y: x % dice.randint(1, 9)),
    *(lambda dice, x, y: abs(x), lambda dice, x, y: dp.minimum(x, y), lambda dice, x, y: dp.maximum(x, number(dice))),
    *(lambda dice, x, y: x.clip(*sorted((number(dice), number(dice)))), lambda dice, x, y: x.round(positive(dice))),
    *(lambda dice, x, y: x < y, lambda dice, x, y: x >= number(dice), lambda dice, x, y: x.between(0, number(dice))),
)
TRUTHS: Final[tuple[Operation, ...]] = (
    *(lambda dice, x, y: x & y, lambda dice, x, y: x | y, lambda dice, x, y: x ^ y, lambda dice, x, y: ~x),
    lambda dice, x, y: dp.when(x).then(y).otherwise(y),
    lambda dice, x, y: dp.when(x).then(constant(dice)).otherwise(constant(dice)),
    lambda dice, x, y: dp.when(x).then(dice.randint(0, 5)).otherwise(None),
)
WORDS: Final[tuple[Operation, ...]] = (
    *(lambda dice, x, y: x.lower(), lambda dice, x, y: x.upper(), lambda dice, x, y: x.strip()),
    *(lambda dice, x, y: x.length(), lambda dice, x, y: x.starts_with("N")),
    lambda dice, x, y: x.contains(dice.choice(TEXTS)),
)
DATES: Final[tuple[Operation, ...]] = (
    *(lambda dice, x, y: x.year(), lambda dice, x, y: x.month(), lambda dice, x, y: x.day()),
    *(lambda dice, x, y: x.weekday(), lambda dice, x, y: x.days_since(dp.day(dice.choice(DAYS)))),
    lambda dice, x, y: x < dp.day(dice.choice(DAYS)),
)
ALL: Final[tuple[Operation, ...]] = (
    *(lambda dice, x, y: x == y, lambda dice, x, y: x != constant(dice), lambda dice, x, y: x.is_null()),
    *(lambda dice, x, y: x.isin(constant(dice), constant(dice)), lambda dice, x, y: x.fill_null(constant(dice))),
)
BY_KIND: Final[Mapping[type, tuple[Operation, ...]]] = {
    **{
        Integers: NUMBERS,
        Numbers: NUMBERS,
        Booleans: TRUTHS,
        Text: WORDS,
        Dates: DATES,
    },
    Categories: (*WORDS, *NUMBERS, *DATES),
}


def atom(dice: Random, rows: Arrow) -> Arrow:
    if dice.random() < 0.1:
        return dp.literal(constant(dice))
    if isinstance(rows, Record):
        name, of = dice.choice(rows.fields)
        return dp.field(name, bool) if isinstance(of, Booleans) else dp.field(name)
    return dp.row(bool) if isinstance(rows, Booleans) else dp.row()


def expression(dice: Random, rows: Arrow, depth: int = 3) -> Arrow:
    """One that makes sense of these rows."""
    x = atom(dice, rows)
    for _ in range(dice.randint(0, depth)):
        of = x.domain(rows)
        proper = of.of if isinstance(of, Optional) else of
        operation = dice.choice((*BY_KIND.get(type(proper), ()), *BY_KIND.get(type(proper), ()), *ALL))
        try:
            made = operation(dice, x, expression(dice, rows, depth - 1))
            made.domain(rows)
        except dp.errors.DPError:
            continue
        x = made
    return x


def truth(dice: Random, rows: Arrow) -> Arrow:
    """One whose values are truth values, if the dice find one."""
    for _ in range(6):
        x = expression(dice, rows)
        if isinstance(x.domain(rows), Booleans):
            return x
    return dp.literal(True)
