"""Each operation of row expressions in the words of a dialect: what it gives on a row, null included, exactly.

What cannot be said exactly raises `NoWord`, and the whole question goes the way of batches.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import Final, TypeAlias

from dpcore.engines.numpy.widths import Width
from dpcore.engines.queries.dialect import Dialect, NoWord, Plain, X
from dpcore.engines.queries.words import (
    COUNTS,
    DAYS,
    FLOATS,
    SINGLES,
    TEXTS,
    TRUTHS,
    Constant,
    Layout,
    Operand,
    Word,
    aligned,
    counts_of,
    fits,
    is_number,
    on_grid,
    width_of,
)
from dpcore.expressions.intervals import Rational
from dpcore.expressions.node import Apply, Field, Literal, Node, Row, on_values

Said: TypeAlias = Callable[..., "Word[X] | Constant"]

LIKE: Final[Mapping[Layout, Plain]] = {
    COUNTS: 0, FLOATS: 0.0, SINGLES: 0.0, TRUTHS: False, DAYS: datetime.date(1970, 1, 1), TEXTS: "",
}  # fmt: skip


def said(node: Node, dialect: Dialect[X], fields: Mapping[str | None, Word[X]]) -> Operand[X]:
    """The expression in the words of the dialect."""
    match node:
        case Field(name=name):
            return _found(fields, name)
        case Row():
            return _found(fields, None)
        case Literal(value=value):
            return Constant(value)
        case Apply(name=name, operands=operands):
            return _applied(name, node, dialect, [said(operand, dialect, fields) for operand in operands])
    raise NoWord


def _found(fields: Mapping[str | None, Word[X]], name: str | None) -> Word[X]:
    if name not in fields:
        raise NoWord
    return fields[name]


def _applied(name: str, node: Apply, dialect: Dialect[X], operands: list[Operand[X]]) -> Operand[X]:
    constants = [x.value for x in operands if isinstance(x, Constant)]
    if len(constants) == len(operands):
        return Constant(on_values(node.operation, constants))
    if not node.operation.sees_nulls and None in constants:
        return Constant(None)
    if name not in WORDS:
        raise NoWord
    word = WORDS[name](dialect, *operands)
    assert isinstance(word, (Word, Constant))
    return word


def as_word(dialect: Dialect[X], x: Operand[X]) -> Word[X]:
    """A constant as a word that says it in every row."""
    if isinstance(x, Word):
        return x
    value = x.value
    if is_number(value):
        counts = counts_of(dialect, x)
        return on_grid(counts.expr, counts.step, counts.low)
    for layout, kind in ((TRUTHS, bool), (TEXTS, str), (DAYS, datetime.date)):
        if type(value) is kind:
            return Word(dialect.literal(plain(value), LIKE[layout]), layout)
    raise NoWord


def plain(value: object) -> Plain:
    """A constant that every engine can hold."""
    if isinstance(value, str):
        if "\0" in value:
            raise NoWord
        try:
            value.encode()
        except UnicodeEncodeError:  # half of a surrogate pair, which no engine stores
            raise NoWord from None
        return value
    if isinstance(value, int):
        fits(value)
        return value
    if isinstance(value, datetime.date):
        return value
    raise NoWord


# ---- numbers -----------------------------------------------------------------------------------------------------------


def _add(dialect: Dialect[X], x: Operand[X], y: Operand[X]) -> Word[X]:
    (a, b), step = aligned(dialect, [x, y])
    return on_grid(dialect.plus(a.expr, b.expr), step, a.low + b.low, a.high + b.high)


def _subtract(dialect: Dialect[X], x: Operand[X], y: Operand[X]) -> Word[X]:
    (a, b), step = aligned(dialect, [x, y])
    return on_grid(dialect.minus(a.expr, b.expr), step, a.low - b.high, a.high - b.low)


def _multiply(dialect: Dialect[X], x: Operand[X], y: Operand[X]) -> Word[X]:
    a, b = counts_of(dialect, x), counts_of(dialect, y)
    corners = [i * j for i in (a.low, a.high) for j in (b.low, b.high)]
    return on_grid(dialect.times(a.expr, b.expr), a.step * b.step, *corners)


def _divide(dialect: Dialect[X], x: Operand[X], y: Operand[X]) -> Operand[X]:
    """By a constant alone."""
    if not isinstance(y, Constant) or not is_number(y.value):
        raise NoWord
    return Constant(None) if y.value == 0 else _multiply(dialect, x, Constant(1 / Fraction(y.value)))


def _floor_divided(dialect: Dialect[X], x: Operand[X], y: Operand[X]) -> tuple[Word[X], Word[X]] | None:
    """The quotient, rounded down, and the remainder, which has the sign of the divisor; None for a divisor of zero."""
    if not isinstance(y, Constant) or not is_number(y.value):
        raise NoWord
    if y.value == 0:
        return None
    (a, b), step = aligned(dialect, [x, y])
    divisor, sign = abs(b.low), 1 if b.low > 0 else -1
    fits(a.low - divisor, a.high + divisor)
    signed = a.expr if sign > 0 else dialect.minus(dialect.literal(0, 0), a.expr)
    quotient = dialect.floor_divided(signed, divisor)
    ends = [(sign * end) // divisor for end in (a.low, a.high)]
    remainder = dialect.minus(a.expr, dialect.times(quotient, dialect.literal(sign * divisor, 0)))
    bounds = (0, divisor - 1) if sign > 0 else (1 - divisor, 0)
    return on_grid(quotient, 1, *ends), on_grid(remainder, step, *bounds)


def _floor_divide(dialect: Dialect[X], x: Operand[X], y: Operand[X]) -> Operand[X]:
    parts = _floor_divided(dialect, x, y)
    return Constant(None) if parts is None else parts[0]


def _modulo(dialect: Dialect[X], x: Operand[X], y: Operand[X]) -> Operand[X]:
    parts = _floor_divided(dialect, x, y)
    return Constant(None) if parts is None else parts[1]


def _negate(dialect: Dialect[X], x: Operand[X]) -> Word[X]:
    return _subtract(dialect, Constant(0), x)


def _abs(dialect: Dialect[X], x: Operand[X]) -> Word[X]:
    a = counts_of(dialect, x)
    zero = dialect.literal(0, 0)
    expr = dialect.choose(dialect.less(a.expr, zero), dialect.minus(zero, a.expr), a.expr)
    return on_grid(expr, a.step, 0, -a.low, a.high)


def _extreme(greatest: bool) -> Said[X]:
    def word(dialect: Dialect[X], x: Operand[X], y: Operand[X]) -> Word[X]:
        (a, b), step = aligned(dialect, [x, y])
        first, second = (b, a) if greatest else (a, b)
        either = dialect.choose(dialect.less(first.expr, second.expr), a.expr, b.expr)
        # Where one is null the comparison is, and the other must not be taken for the answer.
        expr = dialect.choose(dialect.is_null(a.expr), a.expr, either)
        return on_grid(expr, step, a.low, a.high, b.low, b.high)

    return word


# ---- onto an interval, onto a grid -------------------------------------------------------------------------------------


def _clip(dialect: Dialect[X], x: Operand[X], low: Constant, high: Constant) -> Word[X]:
    if isinstance(x, Word) and (width := width_of(x)):
        return _clip_floats(dialect, x, width, low.value, high.value)
    (a, least, most), step = aligned(dialect, [x, low, high])
    expr = _between(dialect, a.expr, least.expr, most.expr)
    return on_grid(expr, step, *(min(max(end, least.low), most.high) for end in (a.low, a.high)))


def _clip_floats(dialect: Dialect[X], x: Word[X], width: Width, low: object, high: object) -> Word[X]:
    """Floats stay floats where both ends are decimals that one of their width stands for."""
    if not is_number(low) or not is_number(high):
        raise NoWord
    least, most = width.float_of(low), width.float_of(high)
    if least is None or most is None:
        raise NoWord
    expr, low_end, high_end = x.expr, dialect.literal(least, 0.0), dialect.literal(most, 0.0)
    if x.high > most:  # at an end that no value is beyond there is nothing to be done
        expr = dialect.choose(dialect.less(high_end, expr), high_end, expr)
    if x.low < least:
        expr = dialect.choose(dialect.less(expr, low_end), low_end, expr)
    expr = dialect.let(expr)
    return Word(expr, x.layout, min(max(x.low, least), most), min(max(x.high, least), most))


def _between(dialect: Dialect[X], x: X, low: X, high: X) -> X:
    return dialect.choose(dialect.less(x, low), low, dialect.choose(dialect.less(high, x), high, x))


def _round(dialect: Dialect[X], x: Operand[X], step: Constant) -> Word[X]:
    assert is_number(step.value)
    size = step.value
    if isinstance(x, Word) and width_of(x):
        return rounded_floats(dialect, x, size)
    a = counts_of(dialect, x)
    ratio = Fraction(a.step) / size
    p, q = ratio.numerator, ratio.denominator
    if q == 1:
        return on_grid(a.expr, a.step, a.low, a.high)  # every value is on the grid already
    fits(p, q, 2 * (a.low * p - q), 2 * (a.high * p + q))
    scaled = dialect.times(a.expr, dialect.literal(p, 0))
    below = dialect.floor_divided(scaled, q)
    twice = dialect.times(dialect.minus(scaled, dialect.times(below, dialect.literal(q, 0))), dialect.literal(2, 0))
    half = dialect.literal(q, 0)
    up = dialect.either(dialect.less(half, twice), dialect.both(dialect.equal(twice, half), dialect.is_odd(below)))
    return on_grid(dialect.plus(below, dialect.one_if(up)), size, a.low * p // q, a.high * p // q + 1)


def rounded_floats(dialect: Dialect[X], x: Word[X], step: Rational) -> Word[X]:
    """The multiple of the step that is nearest to the decimal of each double, the even one of two.

    Let m be `floor(x/step)`, computed in doubles, and h the middle of m and m + 1 steps. Where the quotient is so near to a
    whole number that m is off by one, x lies on that side of h, on which the right multiple is taken all the same. If h is a
    decimal of at most 15 digits, it is the shortest decimal of the double g next to it, and `s(f) < h` exactly if f < g, for
    decimals grow with their doubles. So one comparison with g settles all, ties included. Of floats of 32 bits h has at most
    6 digits, and g is a float of 32 bits; x itself and its decimal are less than a tenth of a step apart, so m is off by one
    no farther than a tenth from a whole number, and h in the middle.
    """
    p, q, width = step.numerator, step.denominator, width_of(x)
    reach = max(abs(x.low), abs(x.high))
    if width is None or not reach < float(1 << 53):
        raise NoWord
    most = int(Fraction(reach) / step) + 2  # of m, and of its neighbours
    if most >= 1 << 48 or not width.is_short((2 * most + 1) * p, 2 * q):
        raise NoWord
    single = x.layout is SINGLES
    expr = dialect.in_steps(x.expr, p, q, single=single)
    if expr is None:
        expr = _in_steps(dialect, x.expr, p, q, single=single)
    return on_grid(expr, step, *(int(Fraction(end) // step) + shift for end in (x.low, x.high) for shift in (0, 1)))


def _in_steps(dialect: Dialect[X], x: X, p: int, q: int, *, single: bool) -> X:
    one = dialect.literal(1, 0)
    below = dialect.let(dialect.floored(dialect.real_times(x, q / p)))
    halves = dialect.times(dialect.plus(dialect.plus(below, below), one), dialect.literal(p, 0))
    quotient = dialect.real_over(dialect.as_real(halves), float(2 * q))
    between = dialect.let(dialect.nearest_single(quotient) if single else quotient)
    tie = dialect.both(dialect.equal(between, x), dialect.is_odd(below))
    up = dialect.either(dialect.less(between, x), tie)
    return dialect.let(dialect.plus(below, dialect.one_if(up)))


# ---- comparison --------------------------------------------------------------------------------------------------------


def less(dialect: Dialect[X], x: Operand[X], y: Operand[X]) -> X:
    """Whether x is below y."""
    if isinstance(x, Word) and (width := width_of(x)) and isinstance(y, Constant):
        return dialect.less(x.expr, _real(dialect, width.at_least, y))
    if isinstance(y, Word) and (width := width_of(y)) and isinstance(x, Constant):
        return dialect.negation(dialect.less(y.expr, _real(dialect, width.above, x)))
    a, b = _sides(dialect, x, y)
    return dialect.less(a, b)


def _equal(dialect: Dialect[X], x: Operand[X], y: Operand[X]) -> X:
    for word, constant in ((x, y), (y, x)):
        if isinstance(word, Word) and (width := width_of(word)) and isinstance(constant, Constant):
            first, after = (_real(dialect, end, constant) for end in (width.at_least, width.above))
            return dialect.both(dialect.negation(dialect.less(word.expr, first)), dialect.less(word.expr, after))
    a, b = _sides(dialect, x, y)
    return dialect.equal(a, b)


def _real(dialect: Dialect[X], threshold: Callable[[Rational], float], x: Constant) -> X:
    """The first double whose decimal is not below the number, or the first above it."""
    if not is_number(x.value):
        raise NoWord
    return dialect.literal(threshold(x.value), 0.0)


def _sides(dialect: Dialect[X], x: Operand[X], y: Operand[X]) -> tuple[X, X]:
    """As the engine compares them: both on one grid, or both as they are."""
    a, b = as_word(dialect, x), as_word(dialect, y)
    if a.layout is not b.layout:
        raise NoWord
    if a.layout is not COUNTS:
        return a.expr, b.expr
    (first, second), _ = aligned(dialect, [x, y])
    return first.expr, second.expr


def _truth(expr: X) -> Word[X]:
    return Word(expr, TRUTHS)


def _lt(dialect: Dialect[X], x: Operand[X], y: Operand[X]) -> Word[X]:
    return _truth(less(dialect, x, y))


def _gt(dialect: Dialect[X], x: Operand[X], y: Operand[X]) -> Word[X]:
    return _truth(less(dialect, y, x))


def _le(dialect: Dialect[X], x: Operand[X], y: Operand[X]) -> Word[X]:
    return _truth(dialect.negation(less(dialect, y, x)))


def _ge(dialect: Dialect[X], x: Operand[X], y: Operand[X]) -> Word[X]:
    return _truth(dialect.negation(less(dialect, x, y)))


def _equals(dialect: Dialect[X], x: Operand[X], y: Operand[X]) -> Word[X]:
    return _truth(_equal(dialect, x, y))


def _differs(dialect: Dialect[X], x: Operand[X], y: Operand[X]) -> Word[X]:
    return _truth(dialect.negation(_equal(dialect, x, y)))


def _among(dialect: Dialect[X], x: Operand[X], *values: Constant) -> Word[X]:
    if isinstance(x, Word) and x.layout in (TEXTS, DAYS):
        return _truth(_in_list(dialect, x.expr, [_constant(v, x.layout) for v in values]))
    if isinstance(x, Word) and x.layout is COUNTS:
        return _truth(_in_list(dialect, x.expr, _on_its_grid(x, values)))
    if not values:
        raise NoWord
    return _truth(reduce(dialect.either, [_equal(dialect, x, value) for value in values]))


def _constant(x: Constant, layout: Layout) -> Plain:
    if type(x.value) is not type(LIKE[layout]):
        raise NoWord
    return plain(x.value)


def _on_its_grid(x: Word[X], values: Sequence[Constant]) -> list[Plain]:
    """Those of the numbers that it can be, as multiples of its step."""
    numbers = [v.value for v in values if is_number(v.value)]
    if len(numbers) < len(values):
        raise NoWord
    counts = [Fraction(number) / x.step for number in numbers]
    return [int(c) for c in counts if c.denominator == 1 and x.low <= c <= x.high]


def _in_list(dialect: Dialect[X], x: X, values: Sequence[Plain]) -> X:
    """Of nothing, False where there is a value, and null where there is none."""
    return dialect.among(x, values) if values else dialect.negation(dialect.equal(x, x))


def _within(dialect: Dialect[X], x: Operand[X], low: Operand[X], high: Operand[X]) -> Word[X]:
    if any(isinstance(each, Constant) and each.value is None for each in (x, low, high)):
        raise NoWord
    return _truth(dialect.both(_ge(dialect, x, low).expr, _le(dialect, x, high).expr))


# ---- logic and choice --------------------------------------------------------------------------------------------------


def truth_of(dialect: Dialect[X], x: Operand[X]) -> X:
    if isinstance(x, Constant) and x.value is None:
        return dialect.literal(None, False)
    word = as_word(dialect, x)
    if word.layout is not TRUTHS:
        raise NoWord
    return word.expr


def _and(dialect: Dialect[X], x: Operand[X], y: Operand[X]) -> Word[X]:
    return _truth(dialect.both(truth_of(dialect, x), truth_of(dialect, y)))


def _or(dialect: Dialect[X], x: Operand[X], y: Operand[X]) -> Word[X]:
    return _truth(dialect.either(truth_of(dialect, x), truth_of(dialect, y)))


def _xor(dialect: Dialect[X], x: Operand[X], y: Operand[X]) -> Word[X]:
    return _truth(dialect.negation(dialect.equal(truth_of(dialect, x), truth_of(dialect, y))))


def _not(dialect: Dialect[X], x: Operand[X]) -> Word[X]:
    return _truth(dialect.negation(truth_of(dialect, x)))


def _when(dialect: Dialect[X], condition: Operand[X], then: Operand[X], otherwise: Operand[X]) -> Word[X]:
    return _chosen(dialect, truth_of(dialect, condition), then, otherwise)


def _chosen(dialect: Dialect[X], condition: X, then: Operand[X], otherwise: Operand[X]) -> Word[X]:
    """One of two, in a layout that both fit into."""
    a, b = _alike(dialect, then, otherwise), _alike(dialect, otherwise, then)
    if a.layout is not b.layout:
        raise NoWord
    if a.layout is COUNTS:
        (first, second), step = aligned(dialect, [a, b])
        expr = dialect.choose(condition, first.expr, second.expr)
        return on_grid(expr, step, first.low, first.high, second.low, second.high)
    return Word(dialect.choose(condition, a.expr, b.expr), a.layout, min(a.low, b.low), max(a.high, b.high))


def _alike(dialect: Dialect[X], x: Operand[X], other: Operand[X]) -> Word[X]:
    """A word; of null, one of the layout that the other has; beside floats, the float that stands for the number."""
    if not isinstance(x, Constant):
        return x
    if is_number(x.value) and isinstance(other, Word) and (width := width_of(other)):
        near = width.float_of(x.value)
        if near is None:
            raise NoWord
        return Word(dialect.literal(near, 0.0), other.layout, near, near)
    if x.value is not None:
        return as_word(dialect, x)
    like = as_word(dialect, other)
    return Word(dialect.literal(None, LIKE[like.layout]), like.layout, like.low, like.high, like.step)


def _is_null(dialect: Dialect[X], x: Operand[X]) -> Operand[X]:
    return Constant(x.value is None) if isinstance(x, Constant) else _truth(dialect.is_null(x.expr))


def _fill_null(dialect: Dialect[X], x: Operand[X], value: Operand[X]) -> Operand[X]:
    if isinstance(x, Constant):
        return value if x.value is None else x
    return _chosen(dialect, dialect.is_null(x.expr), value, x)


# ---- days and texts ----------------------------------------------------------------------------------------------------

PARTS: Final[Mapping[str, tuple[int, int]]] = {"year": (1, 9999), "month": (1, 12), "day": (1, 31), "weekday": (0, 6)}
FARTHEST: Final = (datetime.date.max - datetime.date.min).days


def _part(name: str) -> Said[X]:
    def word(dialect: Dialect[X], x: Operand[X]) -> Word[X]:
        return on_grid(dialect.day_part(name, _of(dialect, x, DAYS)), 1, *PARTS[name])

    return word


def _days_since(dialect: Dialect[X], x: Operand[X], start: Operand[X]) -> Word[X]:
    numbers = [dialect.day_number(_of(dialect, each, DAYS)) for each in (x, start)]
    return on_grid(dialect.minus(*numbers), 1, -FARTHEST, FARTHEST)


def _of(dialect: Dialect[X], x: Operand[X], layout: Layout) -> X:
    word = as_word(dialect, x)
    if word.layout is not layout:
        raise NoWord
    return word.expr


def _length(dialect: Dialect[X], x: Operand[X]) -> Word[X]:
    return on_grid(dialect.length(_of(dialect, x, TEXTS)), 1, 0, 1 << 32)


def _starts_with(dialect: Dialect[X], x: Operand[X], start: Constant) -> Word[X]:
    return _truth(dialect.starts_with(_of(dialect, x, TEXTS), str(plain(start.value))))


def _contains(dialect: Dialect[X], x: Operand[X], part: Constant) -> Word[X]:
    return _truth(dialect.contains(_of(dialect, x, TEXTS), str(plain(part.value))))


WORDS: Final[Mapping[str, Callable[..., object]]] = {
    "add": _add,
    "subtract": _subtract,
    "multiply": _multiply,
    "divide": _divide,
    "floor_divide": _floor_divide,
    "modulo": _modulo,
    "negate": _negate,
    "abs": _abs,
    "minimum": _extreme(greatest=False),
    "maximum": _extreme(greatest=True),
    "clip": _clip,
    "round": _round,
    "lt": _lt,
    "le": _le,
    "gt": _gt,
    "ge": _ge,
    "equals": _equals,
    "differs": _differs,
    "isin": _among,
    "between": _within,
    "and": _and,
    "or": _or,
    "xor": _xor,
    "not": _not,
    "when": _when,
    "is_null": _is_null,
    "fill_null": _fill_null,
    "year": _part("year"),
    "month": _part("month"),
    "day": _part("day"),
    "weekday": _part("weekday"),
    "days_since": _days_since,
    "length": _length,
    "starts_with": _starts_with,
    "contains": _contains,
}
"""By the name of the operation. `lower`, `upper`, `strip` and the entries of vectors are in no engine's exact words."""
