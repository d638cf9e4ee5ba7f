"""The checker's exp, log and roots against flint's, and its sums against exact ones."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from tests.certificates.tools import checker

BITS = 150


def _ball(x: Fraction) -> arb:
    return arb(fmpq(x.numerator, x.denominator))


def _close(low: Fraction, high: Fraction, true: arb) -> bool:
    """low <= true <= high, and both within 2^-150 of it, relatively."""
    slack = abs(true) * arb(2) ** -BITS
    return bool(_ball(low) <= true) and bool(true <= _ball(high)) and bool(_ball(high) - _ball(low) <= slack)


rationals = st.builds(Fraction, st.integers(1, 10**30), st.integers(1, 10**30))
tiny = st.builds(lambda x, n: x / 2**n, rationals, st.integers(0, 400))


@given(st.one_of(rationals, tiny), st.booleans())
def test_exp(x: Fraction, negative: bool) -> None:
    x = -x if negative else x
    if x > 8000:
        return
    with ctx.workprec(2000):
        low, high = checker.exp(x)
        if x < -8000:
            assert low == 0
            assert bool(_ball(x).exp() <= _ball(high))
            return
        assert _close(low, high, _ball(x).exp())
        if abs(x) < 1:
            assert (
                _close(low - 1, high - 1, _ball(x).expm1()) if x > 0 else _close(1 - high, 1 - low, -_ball(x).expm1())
            )


@given(st.one_of(rationals, tiny.map(lambda x: 1 + x), tiny.map(lambda x: 1 / (1 + x)), rationals.map(lambda x: x**40)))
def test_log(x: Fraction) -> None:
    with ctx.workprec(3000):
        high, true = checker.log(x), _ball(x).log()
        assert bool(true <= _ball(high))
        assert bool(_ball(high) - true <= abs(true) * arb(2) ** -BITS)


@given(st.one_of(rationals, tiny, rationals.map(lambda x: x * x)))
def test_root(x: Fraction) -> None:
    high = checker.root(x)
    assert x <= high * high <= x * (1 + Fraction(1, 2**BITS))
    assert checker.root(x * x) == x


@given(st.lists(rationals, min_size=1, max_size=30))
def test_a_sum_is_exact(xs: list[Fraction]) -> None:
    assert checker.total(xs) == sum(xs)


@given(rationals, st.integers(0, 3), st.integers(1, 60))
def test_a_number_is_shortened_upwards(x: Fraction, power: int, n: int) -> None:
    y = x ** (n * 10**power) if n * 10**power < 3000 else x
    assert y <= checker.short(y) <= y * (1 + Fraction(1, 2**4000))


def test_ends() -> None:
    assert set(checker.exp(Fraction(0))) == {1}
    assert checker.log(Fraction(1)) == 0
    assert checker.root(Fraction(0)) == 0
    assert checker.root(Fraction(9, 4)) == Fraction(3, 2)
    assert checker.short(Fraction(0)) == 0
