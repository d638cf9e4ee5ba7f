"""Steps from rows to rows, and numbers made of rows."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random

import dpcore as dp
from proofs.coq.differential.pipelines.noise import noisy
from proofs.coq.differential.pipelines.starts import Arrow, condition, in_metric, output, people

# ---- functions of a user's own: named, so that a certificate can name them --------------------------------------------


def odd(row: object) -> bool:
    return True


def doubled(row: object) -> list[object]:
    return [row, row]


def same(row: object) -> object:
    return row


# ---- steps -------------------------------------------------------------------------------------------------------------


def step(dice: Random, rows: Arrow) -> Arrow:
    """One step that gives rows of persons again."""
    of = output(rows).domain.of
    steps: list[Callable[[], Arrow]] = [
        lambda: dp.filter(condition(dice)),
        lambda: dp.filter(odd),
        lambda: dp.select(**{name: dp.field(name) for name, _ in of.fields}),
    ]
    if any(name == "spent" and isinstance(each, dp.types.Optional) for name, each in of.fields):
        steps += [lambda: dp.drop_nulls("spent")] * 2
    if in_metric(rows, dp.SymmetricDistance):
        steps.append(lambda: dp.flat_map(doubled, of, limit=dice.randint(1, 3)))
    if not in_metric(rows, dp.PersonDistance):
        steps.append(lambda: dp.row_map(same, of))
    return rows >> dice.choice(steps)()


def some_steps(dice: Random, rows: Arrow, most: int = 2) -> Arrow:
    for _ in range(dice.randint(0, most)):
        rows = step(dice, rows)
    return rows


TEXTS = ("a", 'a "quoted" \\ one', "\x00\x1f\x7f\n\r\t", "\u00e9\u0416\u2028", "\U0001f600")
"""What JSON writes in more than one way."""


# ---- numbers -----------------------------------------------------------------------------------------------------------


def count(dice: Random, rows: Arrow) -> Arrow:
    return rows >> dp.count()


def total_age(dice: Random, rows: Arrow) -> Arrow:
    """A sum of whole numbers: of ages, or of what is worked out from them."""
    age: Arrow = dp.field("age")
    made: Arrow = age * dice.randint(1, 3) - dice.randint(0, 9) if dice.random() < 0.3 else age
    if dice.random() < 0.1:  # an operation whose values are not followed, which is printed
        own = dp.when(dp.field("who") == dice.choice(TEXTS)).then(age).otherwise(0)
        unfollowed: Arrow = dice.choice((age // dice.randint(2, 5), own))
        return rows >> dp.select(unfollowed, dp.integers(0, 150)) >> dp.clamp(0, 50) >> dp.sum()
    least, most = sorted((dice.randint(-20, 150), dice.randint(-20, 150)))
    return rows >> dp.select(made) >> dp.clamp(least, most) >> dp.sum()


def total_spent(dice: Random, rows: Arrow) -> Arrow:
    """A sum on a grid of tenths."""
    spent = dp.select(dp.field("spent"), dp.optional(dp.numbers(0, 100, "1/10")))
    low, high = sorted(Fraction(dice.randint(-50, 900), 10) for _ in range(2))
    return rows >> spent >> dp.drop_nulls() >> dp.clamp(low, high) >> dp.sum()


def total_rounded(dice: Random, rows: Arrow) -> Arrow:
    """A sum of what is rounded to a grid first."""
    half = dp.select(dp.field("age") * Fraction(1, 3), dp.numbers(0, 120))
    return rows >> half >> dp.quantize(Fraction(1, dice.choice((1, 2, 4)))) >> dp.clamp(0, 30) >> dp.sum()


def number(dice: Random, rows: Arrow) -> Arrow:
    """A number made of rows of persons. The number of rows that are only replaced is public, and worth little here."""
    counts: list[Callable[[Random, Arrow], Arrow]] = [count] * (1 if in_metric(rows, dp.ChangeOneDistance) else 4)
    found = dice.choice([*counts, total_age, total_age, total_spent, total_rounded])(dice, rows)
    if dice.random() < 0.85:
        return found
    return found >> dp.absolute_errors(dice.randint(-2, 90) * (output(found).domain.grid or 1))


def of_persons(dice: Random) -> Arrow:
    """At most so many rows of each person, in a number with noise."""
    limit = dice.randint(1, 4)
    bound = dp.bound_contributions(limit, dp.first_by("age")) if dice.random() < 0.3 else dp.bound_contributions(limit)
    kept = some_steps(dice, people(dice, "person")) >> bound
    return noisy(dice, number(dice, some_steps(dice, kept, 1)))


def of_rows(dice: Random) -> Arrow:
    """A number with noise, of rows in one of their metrics."""
    rows = people(dice, dice.choice(("symmetric", "symmetric", "change_one")))
    return noisy(dice, number(dice, some_steps(dice, rows)))


def of_known_number(dice: Random) -> Arrow:
    """Rows whose number is public, and what follows from that; and rows replaced, seen as added and removed."""
    if dice.random() < 0.3:
        age: Arrow = dp.field("age")
        numbers = people(dice, "symmetric") >> dp.select(age) >> dp.clamp(0, 50)
        return noisy(dice, numbers >> dp.resize(dice.randint(1, 50), dice.randint(0, 50)) >> dp.sum())
    if dice.random() < 0.5:
        rows = people(dice, "symmetric", dice.randint(1, 50)) >> dp.to_metric(dp.ChangeOneDistance())
    else:
        rows = people(dice, "change_one") >> dp.to_metric(dp.SymmetricDistance())
    return noisy(dice, number(dice, some_steps(dice, rows, 1)))
