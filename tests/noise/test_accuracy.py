"""The least a with tail(a) <= level: found, proved, and never searched for without end."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb, ctx, fmpq

from dpcore.noise import discrete_gaussian, discrete_laplace
from dpcore.noise.accuracy import Tail, least, maximum_tail, reaches

LEVELS = [Fraction(99, 100), Fraction(1, 2), Fraction(1, 20), Fraction(1, 10**9), Fraction(1, 10**60)]


def laplace(scale: Fraction) -> Tail:
    return lambda a, prec: discrete_laplace.tail(scale, a, prec)


def gaussian(variance: Fraction) -> Tail:
    return lambda a, prec: discrete_gaussian.tail(variance, a, prec)


TAILS = [laplace(Fraction(1, 3)), laplace(Fraction(120)), gaussian(Fraction(1, 9)), gaussian(Fraction(10**4)),
         gaussian(Fraction(10**40)), laplace(Fraction(10**30)), maximum_tail(laplace(Fraction(5)), 1000)]  # fmt: skip


@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("level", LEVELS)
def test_it_is_the_least(tail: Tail, level: Fraction) -> None:
    a = least(tail, level)
    bound = fmpq(level.numerator, level.denominator)
    with ctx.workprec(300):
        assert tail(a, 256) <= bound
        assert a > 0
        assert tail(a - 1, 256) > bound


@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("level", LEVELS)
def test_one_look_says_whether_the_least_is_at_most_so_much(tail: Tail, level: Fraction) -> None:
    a = least(tail, level)
    assert [reaches(tail, level, b) for b in (0, a - 1, a, a + 1)] == [a <= b for b in (0, a - 1, a, a + 1)]


def test_a_level_of_one_or_more_asks_nothing() -> None:
    assert least(laplace(Fraction(3)), 1) == 0
    assert least(laplace(Fraction(3)), 2) == 0


@pytest.mark.parametrize("step", range(12))
def test_it_finds_any_step(step: int) -> None:
    assert least(lambda a, prec: arb(1) if a < step else arb(0), Fraction(1, 2)) == step


def test_an_exact_tie_counts_as_reached() -> None:
    assert least(lambda a, prec: arb(fmpq(1, 2**a)), Fraction(1, 8)) == 3


def test_where_undecided_it_takes_the_larger() -> None:
    precisions: list[int] = []

    def tail(a: int, prec: int) -> arb:
        if a == 5:  # a ball around the level, however small
            precisions.append(prec)
            with ctx.workprec(prec):
                return arb(fmpq(1, 3))
        return arb(1) if a < 5 else arb(0)

    assert least(tail, Fraction(1, 3)) == 6
    assert max(precisions) == 2**14
    assert len(precisions) == len(set(precisions))


@pytest.mark.parametrize("height", [arb(1), arb(0.5), arb.nan(), arb(0).union(arb(1))])
def test_a_tail_that_stays_up_is_given_up(height: arb) -> None:
    with pytest.raises(ValueError, match="Expected a tail that falls to 1/4"):
        least(lambda a, prec: height, Fraction(1, 4))


@pytest.mark.parametrize("level", [0, -1])
def test_a_level_must_be_positive(level: int) -> None:
    with pytest.raises(ValueError, match=f"Expected a positive level but got level={level}"):
        least(laplace(Fraction(1)), level)


@pytest.mark.parametrize("n", [1, 2, 50])
def test_the_tail_of_a_maximum_is_the_power_formula(n: int) -> None:
    single = laplace(Fraction(7, 2))
    for a in range(40):
        with ctx.workprec(300):
            value = maximum_tail(single, n)(a, 128)
            assert value.overlaps(1 - (1 - single(a, 250)) ** n)
            assert value.rel_accuracy_bits() >= 110


def test_the_tail_of_a_maximum_keeps_the_digits_of_a_rare_event() -> None:
    tiny = arb(2) ** -1000
    with ctx.workprec(128):
        assert (maximum_tail(lambda a, prec: tiny, 10**6)(3, 128) / tiny).overlaps(arb("1000000 +/- 1e-20"))


@pytest.mark.parametrize("ball", [arb(0).union(arb(2)), arb.nan()])
def test_the_tail_of_a_maximum_of_something_vague_is_vague(ball: arb) -> None:
    value = maximum_tail(lambda a, prec: ball, 3)(0, 64)
    assert value.contains(0)
    assert value.contains(1)


def test_a_maximum_needs_a_draw() -> None:
    with pytest.raises(ValueError, match="Expected at least one draw but got n=0"):
        maximum_tail(laplace(Fraction(1)), 0)
