"""Floats as their shortest decimals: the fast paths against the decimals themselves."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpcore.domains import Array
from dpcore.engines.numpy.floats import (
    BLOCK,
    above,
    at_least,
    decimal,
    float_of,
    on_grid,
    rounded,
    widened,
    widened_at_once,
)
from dpcore.expressions.intervals import nearest
from tests.thorough import thorough


def rational(text: str) -> Fraction:
    return Fraction(text)


any_float = st.floats(allow_nan=False, allow_infinity=False)
steps = st.sampled_from(["1", "0.01", "0.005", "1/3", "2.5", "7", "1/1024", "1e-9", "0.3", "1e15", "29e-15"]).map(
    lambda s: Fraction(s)
)
rationals = st.one_of(
    any_float.map(decimal),
    any_float.map(Fraction),
    st.fractions(),
    st.sampled_from(["1e400", "-1e400", "1e-400", "-1e-400", "0"]).map(rational),
)  # fmt: skip


@thorough(1000)
@given(rationals)
def test_thresholds(c: Fraction) -> None:
    first, after = at_least(c), above(c)
    assert not math.isfinite(first) or decimal(first) >= c
    assert not math.isfinite(after) or decimal(after) > c
    before_first, before_after = (math.nextafter(f, -math.inf) for f in (first, after))
    assert not math.isfinite(before_first) or decimal(before_first) < c
    assert not math.isfinite(before_after) or decimal(before_after) <= c


@thorough(300)
@given(rationals)
def test_float_of(c: Fraction) -> None:
    found = float_of(c)
    near = at_least(c)
    exists = math.isfinite(near) and decimal(near) == c
    assert (found is not None) == exists
    assert found is None or decimal(found) == c


def test_more_floats_than_one_block() -> None:
    """Ties, and a number so large that its block has margins of their own."""
    step, values = Fraction(1, 10), (np.arange(2 * BLOCK + 7) - BLOCK) / 20
    values[[1, -1]] = 3e7 + 0.05, -4e12
    counts = rounded(values, step)
    assert counts is not None
    for place in (0, 1, BLOCK - 1, BLOCK, BLOCK + 1, BLOCK + 3, 2 * BLOCK, -2, -1):
        assert counts[place] == nearest(decimal(values[place]), step) / step
    halves = np.concatenate(
        [some for at in range(0, len(values), 999) if (some := rounded(values[at : at + 999], step)) is not None]
    )
    assert (halves == counts).all()


near_ties = st.builds(
    lambda k, s, e: float((k + Fraction(1, 2)) * s) * (1 + e * 2.0**-52), st.integers(-(10**6), 10**6), steps,
    st.integers(-3, 3),
)  # fmt: skip


@thorough(1500)
@given(st.one_of(near_ties, any_float, st.integers(-(10**8), 10**8).map(lambda n: n / 1000)), steps)
@example(2.675, Fraction("0.01"))
@example(0.15, Fraction("0.1"))
@example(5e-324, Fraction("0.01"))
def test_rounding(f: float, step: Fraction) -> None:
    counts = rounded(np.array([f, 0.0]), step)
    if counts is None:
        assert abs(decimal(f) / step) > 2**47
    else:
        assert int(counts[0]) * step == nearest(decimal(f), step)
        assert counts[1] == 0


@thorough(1000)
@given(st.one_of(st.builds(lambda k, s: float(k * s), st.integers(-(2**48), 2**48), steps), any_float), steps)
@example(0.30000000000000004, Fraction("0.1"))
@example(0.3, Fraction("0.1"))
@example(float((2**48 - 3) * Fraction("29e-15")), Fraction("29e-15"))
def test_on_grid(f: float, step: Fraction) -> None:
    values = np.array([f])
    counts = rounded(values, step)
    found = None if counts is None else on_grid(values, counts, step)
    if found is not None:
        assert bool(found[0]) == ((decimal(f) / step).denominator == 1)


def test_the_usual_prices_are_decided_at_once() -> None:
    prices = np.round(np.random.default_rng(1).uniform(0, 1e6, 1000), 2)
    counts = rounded(prices, Fraction("0.01"))
    assert counts is not None
    found = on_grid(prices, counts, Fraction("0.01"))
    assert found is not None
    assert found.all()


def by_their_texts(values: Array) -> list[tuple[float, bool]]:
    return [told(float(str(value))) for value in values]


def told(x: float) -> tuple[float, bool]:
    return (x, math.copysign(1, x) < 0) if x == x else (0.5, False)


bits = st.integers(0, (1 << 32) - 1).map(lambda n: np.array([n], dtype=np.uint32).view(np.float32)[0])
decimals = st.builds(lambda n, e: np.float32(f"{n}e{e}"), st.integers(-(10**9), 10**9), st.integers(-16, 8))
beside = st.builds(np.nextafter, decimals, st.sampled_from([np.float32(-np.inf), np.float32(np.inf)]))
dyadic = st.builds(lambda n, e: np.float32(n * 2.0**-e), st.integers(1, 1 << 24), st.integers(0, 40))


@thorough(400)
@given(st.lists(st.one_of(bits, decimals, beside, dyadic), max_size=40), st.sampled_from(["f4", ">f4"]))
@example([np.float32(x) for x in (-0.0, 0, 1e-45, 2**-126, 2**-12, 999999.94, 16777216, 8388608.5, 3.4e38)], "f4")
def test_a_float_of_32_bits_keeps_its_decimal(values: list[np.float32], dtype: str) -> None:
    """Converted at once where that is sure, and by its text elsewhere: the same, however the caller has set numpy."""
    array = np.array(values, dtype=dtype)
    with np.errstate(all="raise"):
        assert list(map(told, widened(array).tolist())) == by_their_texts(array)


def test_where_two_decimals_of_7_digits_are_as_near() -> None:
    """Just above 2^33 and the powers of two: of 6 digits there may be one, which is the shortest."""
    first = np.array([2.0**k for k in range(-39, 50)], dtype=np.float32).view(np.uint32)
    values = np.concatenate([first + np.uint32(i) for i in range(500)]).view(np.float32)
    beside = np.float32(2**33).view(np.uint32) + np.arange(1000, dtype=np.uint32)
    for array in (values[::7], beside.view(np.float32)):
        assert list(map(told, widened(array).tolist())) == by_their_texts(array)


def test_every_float_of_16_bits_keeps_its_decimal() -> None:
    every = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    assert list(map(told, widened(every).tolist())) == by_their_texts(every)


@pytest.mark.parametrize("scale", [1e-9, 1, 1e6, 1e13])
def test_most_floats_of_32_bits_need_no_text(scale: float) -> None:
    """A million prices of 32 bits took a second, that of their texts."""
    values = (np.random.default_rng(1).random(10**4) * scale).astype(np.float32)
    with np.errstate(all="ignore"):
        assert len(widened_at_once(values, values.astype(np.float64))) < 1000
