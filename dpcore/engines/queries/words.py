"""An expression of an engine, and what is known of its values, so that no operation ever leaves what is exact.

    COUNTS   numbers on a grid, as whole multiples of its step, between two bounds
    FLOATS   doubles, each of which stands for its shortest decimal, between two bounds
    SINGLES  the same of floats of 32 bits, which are held as doubles, and stand for the shortest decimals of 32 bits
    TRUTHS, DAYS, TEXTS

A `Constant` is a value that is the same in every row. Bounds come from the declared domains: data are checked to be members
in the same query, and what it says otherwise is thrown away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from fractions import Fraction
from typing import Final, Generic, TypeAlias, TypeGuard, final

from dpcore.engines.numpy.columns import LIMIT
from dpcore.engines.numpy.widths import DOUBLE, SINGLE, Width
from dpcore.engines.queries.dialect import Dialect, NoWord, X
from dpcore.expressions.intervals import Rational, absolute, common_step


class Layout(Enum):
    COUNTS = auto()
    FLOATS = auto()
    SINGLES = auto()
    TRUTHS = auto()
    DAYS = auto()
    TEXTS = auto()


COUNTS, FLOATS, SINGLES, TRUTHS, DAYS, TEXTS = Layout

WIDTHS: Final[Mapping[Layout, Width]] = {FLOATS: DOUBLE, SINGLES: SINGLE}
"""Which floats these are."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Word(Generic[X]):
    """An expression of the engine."""

    expr: X
    layout: Layout
    low: int | float = 0
    high: int | float = 0
    step: Rational = 1
    code: X | None = None
    """What rows with different values differ in, if that is something else than the expression."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Constant:
    value: object


Operand: TypeAlias = "Word[X] | Constant"


def width_of(x: Operand[X]) -> Width | None:
    """Of which width floats are; None of what is no column of floats."""
    return WIDTHS.get(x.layout) if isinstance(x, Word) else None


@final
@dataclass(frozen=True, slots=True, eq=False)
class Counts(Generic[X]):
    """Whole multiples of a step, and the least and the greatest they can be."""

    expr: X
    step: Rational
    low: int
    high: int
    constant: bool = False
    """Whether it is the same in every row, and null in none."""


def is_number(x: object) -> TypeGuard[int | Fraction]:
    return isinstance(x, (int, Fraction)) and not isinstance(x, bool)


def fits(*values: int) -> None:
    """Refuse to go on where a result might leave 64 bits."""
    if any(abs(value) > LIMIT for value in values):
        raise NoWord


def counts_of(dialect: Dialect[X], x: Operand[X]) -> Counts[X]:
    """The operand on its grid."""
    if isinstance(x, Constant):
        if not is_number(x.value):
            raise NoWord
        sign = (x.value > 0) - (x.value < 0)
        return Counts(dialect.literal(sign, 0), absolute(x.value) or 1, sign, sign, constant=True)
    if x.layout is not COUNTS:
        raise NoWord
    return Counts(x.expr, x.step, int(x.low), int(x.high))


def aligned(dialect: Dialect[X], operands: Sequence[Operand[X]]) -> tuple[list[Counts[X]], Rational]:
    """All on one grid."""
    counts = [counts_of(dialect, x) for x in operands]
    step: Rational = counts[0].step
    for other in counts[1:]:
        common = common_step(step, other.step)
        if common is None:
            raise NoWord
        step = common
    return [_rescaled(dialect, c, step) for c in counts], step


def _rescaled(dialect: Dialect[X], c: Counts[X], step: Rational) -> Counts[X]:
    factor = int(Fraction(c.step) / step)
    if factor == 1:
        return c
    fits(factor, c.low * factor, c.high * factor)
    if c.constant:
        return Counts(dialect.literal(c.low * factor, 0), step, c.low * factor, c.low * factor, constant=True)
    expr = dialect.times(c.expr, dialect.literal(factor, 0))
    return Counts(expr, step, c.low * factor, c.high * factor)


def on_grid(expr: X, step: Rational, *corners: int) -> Word[X]:
    """A word for multiples of a step whose extremes are among the corners."""
    fits(*corners)
    return Word(expr, COUNTS, min(corners), max(corners), step)
