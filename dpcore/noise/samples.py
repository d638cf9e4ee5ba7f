"""Many draws of Laplace, Gaussian and uniform noise, one by one if there are few or huge ones, else many at once; and
their sums with values: what noise on a grid runs.

Guarantee. If the bits are independent and uniform, `laplace` and `gaussian` give n independent draws of exactly the
distributions of `discrete_laplace` and `discrete_gaussian`, for every rational parameter above 0, `uniform` n independent
draws of exactly the uniform distribution, and `coins` n independent coins of exactly the probability. The result is an
array of 64-bit integers, or, if a draw does not fit into it, a list of Python integers: no draw wraps, is cut off, or
raises. Which way is taken depends on n and the parameter alone, never on what was drawn before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import isqrt
from typing import Final, TypeAlias

import numpy as np

from dpcore.noise import discrete_gaussian, discrete_laplace
from dpcore.noise.bernoulli import positive
from dpcore.noise.bits import BitSource
from dpcore.noise.fixed_point import Int64s
from dpcore.noise.strips import WIDEST, strips
from dpcore.noise.trials import Draws, draw, fits

Value: TypeAlias = int | Fraction
Held: TypeAlias = Value | list[Value] | Int64s
"""A number, or the coordinates of a vector."""

FEW: Final = 100
"""Below this many draws, a layout would cost more than it saves."""

_NONE: Final = Fraction(0)


def laplace(scale: int | Fraction, n: int, bits: BitSource) -> Draws:
    """n integers, each z with probability proportional to exp(-|z|/scale)."""
    p, q = positive("scale", scale)
    width = 2 * p // q
    if n < FEW or width >= WIDEST:
        return _one_by_one([discrete_laplace.two_sided(p, q, bits) for _ in range(n)], n)
    return draw(strips(Fraction(q, p), _NONE, width), n, bits)


def gaussian(sigma_squared: int | Fraction, n: int, bits: BitSource) -> Draws:
    """n integers, each z with probability proportional to exp(-z^2/(2*sigma_squared))."""
    p, q = positive("sigma_squared", sigma_squared)
    width = isqrt(p // q)
    if n < FEW or width >= WIDEST:
        return _one_by_one([discrete_gaussian.bell(p, q, bits) for _ in range(n)], n)
    return draw(strips(_NONE, Fraction(q, 2 * p), width), n, bits)


def uniform(low: int, high: int, n: int, bits: BitSource) -> Draws:
    """n integers, each one of low, ..., high, all equally likely."""
    many = high - low + 1
    if n < FEW or many > WIDEST or not (fits(low) and fits(high)):
        return _one_by_one([low + bits.below(many) for _ in range(n)], n)
    size = next(size for size in (2, 4, 8) if many <= 1 << 8 * size - 4)
    last = (1 << 8 * size) // many * many - 1
    out = np.empty(n, np.int64)
    done = 0
    while done < n:  # a word up to `last` is as likely to leave any remainder; the few beyond are dropped
        data = np.empty(size * (n - done), np.uint8)
        bits.fill(data.data)
        words = data.view(f"<u{size}")
        kept = words[words <= last] % many
        out[done : done + len(kept)] = kept
        done += len(kept)
    out += low
    return out


def coins(p: Fraction, n: int, bits: BitSource) -> list[bool]:
    """n coins, each True with probability p."""
    draws = uniform(0, p.denominator - 1, n, bits)
    if isinstance(draws, np.ndarray):
        heads: list[bool] = (draws < p.numerator).tolist()
        return heads
    return [draw < p.numerator for draw in draws]


def _one_by_one(values: list[int], n: int) -> Draws:
    if n < 0:
        raise ValueError(f"Expected a number of draws but got n={n}")
    try:
        return np.array(values, np.int64)
    except OverflowError:
        return values


def add_noise(value: Held, step: Fraction, draws: Callable[[int], Draws]) -> object:
    """The value, or each coordinate of it, plus as many grid steps as `draws` says. Whole numbers on a whole grid stay so.

    `draws(n)` gives n independent draws: one path, whether the value is one number or a vector of ten million.
    """
    if isinstance(value, np.ndarray):
        return add(value, draws(len(value)))  # whole numbers, whose grid has the step 1
    if isinstance(value, list):
        return _sums(value, step, draws(len(value)))
    return _sums([value], step, draws(1))[0]


def _sums(values: Sequence[Value], step: Fraction, noise: Draws) -> Sequence[Value]:
    steps = as_list(noise)
    if step.denominator == 1:
        numerator = step.numerator
        return [v + numerator * z for v, z in zip(values, steps, strict=True)]
    return [_plus(v, step, z) for v, z in zip(values, steps, strict=True)]


def _plus(value: Value, step: Fraction, steps: int) -> Value:
    # A whole number may stand on a finer grid, as a count beside shares of 1/10: its noise must keep every step.
    numerator, denominator = step.numerator * steps, step.denominator
    more, left = divmod(denominator, value.denominator)
    return Fraction(value.numerator * more + numerator, denominator) if left == 0 else value + step * steps


def add(values: Sequence[int] | Int64s, noise: Draws) -> Draws:
    """The exact sums: an array where the values are one and all sums fit into it, otherwise a list of Python integers."""
    if isinstance(values, np.ndarray) and isinstance(noise, np.ndarray):
        total = values + noise
        if not ((values ^ total) & (noise ^ total) < 0).any():  # both signs differ from that of the sum: it has wrapped
            return total
    return [v + z for v, z in zip(as_list(values), as_list(noise), strict=True)]


def as_list(values: Sequence[int] | Int64s) -> Sequence[int]:
    """The same as Python integers."""
    if isinstance(values, np.ndarray):
        plain: list[int] = values.tolist()
        return plain
    return values
