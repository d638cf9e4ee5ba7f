"""The checker's enclosures against flint's, and its sums against exact ones."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from tests.certificates.tools import checker
from tests.thorough import thorough

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
    assert y <= checker.short(y) <= y * (1 + Fraction(1, 2**1000))


@given(st.builds(Fraction, st.integers(1, 10**9), st.integers(1, 10**9)), st.integers(0, 500))
def test_a_power_is_at_most_a_little_above(x: Fraction, k: int) -> None:
    assert x**k <= checker.power(x, k) <= x**k * (1 + Fraction(1, 2**100))


@pytest.fixture(autouse=True)
def _nothing_spent_yet() -> Iterator[None]:
    checker.SPENT[0] = 0
    yield
    checker.SPENT[0] = 0


@given(st.builds(Fraction, st.integers(-45 * 10**9, 45 * 10**9), st.just(10**9)))
@thorough(50)
def test_normal_tails(x: Fraction) -> None:
    checker.SPENT[0] = 0
    low, high = checker.normal(x)
    with ctx.workprec(8000):
        true = (_ball(x) / arb(2).sqrt()).erfc() / 2
        assert bool(_ball(low) <= true)
        assert bool(true <= _ball(high))
        if abs(x) <= 38:
            assert bool(_ball(high) - _ball(low) <= true * arb(2) ** -BITS)


@pytest.mark.parametrize("x", ["0", "38", "-38", "39", "-39", "1/100000000000000000000"])
def test_normal_tails_at_their_ends(x: str) -> None:
    low, high = checker.normal(Fraction(x))
    with ctx.workprec(8000):
        true = (_ball(Fraction(x)) / arb(2).sqrt()).erfc() / 2
        assert not bool(_ball(low) > true)
        assert not bool(true > _ball(high))
    assert 0 <= low <= high <= 1


@pytest.mark.parametrize("v", ["1/1000000", "1/100", "1/3", "1", "10", "1000/3"])
@pytest.mark.parametrize("m", [-5, -1, 0, 1, 2, 10, 100])
def test_tails_of_discrete_gaussian_noise(m: int, v: str) -> None:
    """Against the sum itself, up to 60 standard deviations: beyond them there is less than 2^-2500."""
    low, high = checker.discrete(m, Fraction(v))
    with ctx.workprec(4000):
        far = 60 * (int(Fraction(v) ** 0.5) + 2) + abs(m)
        weights = {j: (-_ball(j * j / (2 * Fraction(v)))).exp() for j in range(-far, far + 1)}
        true = sum((weights[j] for j in range(m, far + 1)), arb(0)) / sum(weights.values(), arb(0))
        slack = arb(2) ** -2500
        assert bool(_ball(low) - slack <= true)
        assert bool(true <= _ball(high) + slack)
        assert bool(_ball(high) - _ball(low) <= true * arb(2) ** -BITS + slack)


def test_ends() -> None:
    assert set(checker.exp(Fraction(0))) == {1}
    assert checker.log(Fraction(1)) == 0
    assert checker.root(Fraction(0)) == 0
    assert checker.root(Fraction(9, 4)) == Fraction(3, 2)
    assert checker.short(Fraction(0)) == 0
