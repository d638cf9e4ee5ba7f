"""The walk: from a space to a measurement, and on from measurement to measurement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random
from typing import Final

import dpcore as dp
from proofs.coq.differential.pipelines import together
from proofs.coq.differential.pipelines.anything import data, steps
from proofs.coq.differential.pipelines.measures import NUMBERS, WAYS, recounted
from proofs.coq.differential.pipelines.starts import Arrow, output, small

Change = Callable[[Random, Arrow], Arrow]


def first_that_fits(dice: Random, x: Arrow, changes: Sequence[Change], tries: int) -> Arrow | None:
    """What the first of some random changes makes of it that the library lets through."""
    for change in dice.choices(changes, k=tries):
        try:
            return change(dice, x)
        except dp.errors.DPError:
            continue
    return None


def begun(makers: Sequence[steps.Maker]) -> list[Change]:
    """From each maker of a step, what chains that step."""

    def chained(maker: steps.Maker) -> Change:
        return lambda dice, x: x >> maker(dice, output(x))

    return [chained(maker) for maker in makers]


def by_parts(dice: Random, x: Arrow) -> Arrow:
    """One measurement for all parts, or one for each."""
    rows, keys = dp.rows(output(x).domain.of), output(x).domain.keys
    part = ended(dice, rows, 1, parts=False)
    if dice.random() < 0.5:
        return x >> dp.parallel(part)
    return x >> dp.parallel({key: part if dice.random() < 0.5 else like(dice, part, parts=False) for key in keys})


def in_parts(x: Arrow) -> bool:
    return isinstance(output(x).domain, dp.types.Parts)


STEPS: Final = begun(steps.STEPS)
ENDS: Final = begun(steps.ENDS)


def walked(dice: Random, x: Arrow, most: int) -> Arrow:
    for _ in range(dice.randint(0, most)):
        x = first_that_fits(dice, x, STEPS, 12) or x
    return x


def ended(dice: Random, start: Arrow, most: int = 5, *, parts: bool = True) -> Arrow:
    """A measurement from there; where nothing else fits, one of a user's own. Without `parts`, not of parts once more."""
    x = walked(dice, start, most)
    x = x if parts or not in_parts(x) else start
    for _ in range(3):
        found = first_that_fits(dice, x, [by_parts] if in_parts(x) else ENDS, 12)
        if found is not None:
            return found
        further = first_that_fits(dice, x, STEPS, 12) or x
        x = further if parts or not in_parts(further) else x
    told = steps.told(dice, output(x))
    return x >> told if isinstance(x, dp.types.Transformation) else told


# ---- from measurement to measurement -----------------------------------------------------------------------------------


def counted_as(dice: Random, m: Arrow, measure: str) -> Arrow:
    """The same in that measure, if some ways lead there."""
    for _ in range(4):
        if m.measure.name == measure or m.measure.name not in WAYS:
            return m
        ways = WAYS[m.measure.name]
        there = [way for way in ways if way[0].name == measure]
        to, witness = dice.choice(there or ways)
        m = m.to(to, **witness(dice))
    return m


def like(dice: Random, m: Arrow, *, parts: bool = True) -> Arrow:
    """Another from the same space in the same measure."""
    return counted_as(dice, ended(dice, m.input, 2, parts=parts), m.measure.name)


def several(dice: Random, m: Arrow) -> list[Arrow]:
    some = [m] * dice.randint(1, 3) + [like(dice, m) for _ in range(dice.randint(0, 2))]
    dice.shuffle(some)
    return some


def jointly(dice: Random, m: Arrow) -> Arrow:
    firsts = [walked(dice, m.input >> dp.filter(always), 2) for _ in range(dice.randint(1, 2))]
    parts = [dp.after(t, counted_as(dice, ended(dice, t.output, 1), m.measure.name)) for t in firsts]
    vectors = [[Fraction(dice.randint(0, 4), dice.choice((1, 2))) for _ in parts] for _ in range(dice.randint(1, 2))]
    return dp.compose_jointly(parts, joint=vectors)


def always(row: object) -> bool:
    """A function with a name, as certificates ask for."""
    return True


CHANGES: Final[tuple[Change, ...]] = (
    *[lambda dice, m: recounted(dice, m, 1)] * 5,
    lambda dice, m: m.then(repr),
    lambda dice, m: m & like(dice, m),
    *[lambda dice, m: dp.compose(several(dice, m))] * 2,
    lambda dice, m: dp.compose_advanced(several(dice, m), slack=small(dice)),
    lambda dice, m: dp.compose_optimal(several(dice, m)),
    *[lambda dice, m: dp.group_privacy(m), lambda dice, m: dp.group_privacy(dp.compose(several(dice, m)))] * 2,
    jointly,
    lambda dice, m: together.stages(dice, m.input, dice.choice(NUMBERS)),
)


def anything(dice: Random) -> Arrow:
    """A random measurement."""
    m = ended(dice, data.space(dice))
    for _ in range(dice.randint(0, 3)):
        m = first_that_fits(dice, m, CHANGES, 4) or m
    return m
