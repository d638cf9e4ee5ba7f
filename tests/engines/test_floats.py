"""Floats as their shortest decimals: the fast paths against the decimals themselves."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dpcore.engines.numpy.floats import above, at_least, decimal, float_of, on_grid, rounded
from dpcore.expressions.intervals import nearest


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


@settings(max_examples=1000, deadline=None)
@given(rationals)
def test_thresholds(c: Fraction) -> None:
    first, after = at_least(c), above(c)
    assert not math.isfinite(first) or decimal(first) >= c
    assert not math.isfinite(after) or decimal(after) > c
    before_first, before_after = (math.nextafter(f, -math.inf) for f in (first, after))
    assert not math.isfinite(before_first) or decimal(before_first) < c
    assert not math.isfinite(before_after) or decimal(before_after) <= c


@settings(max_examples=300, deadline=None)
@given(rationals)
def test_float_of(c: Fraction) -> None:
    found = float_of(c)
    near = at_least(c)
    exists = math.isfinite(near) and decimal(near) == c
    assert (found is not None) == exists
    assert found is None or decimal(found) == c


near_ties = st.builds(
    lambda k, s, e: float((k + Fraction(1, 2)) * s) * (1 + e * 2.0**-52), st.integers(-(10**6), 10**6), steps,
    st.integers(-3, 3),
)  # fmt: skip


@settings(max_examples=1500, deadline=None)
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


@settings(max_examples=1000, deadline=None)
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
