"""Balls leave flint's precision as they found it, and hold the truth even when another thread changes it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest
from flint import arb, ctx

from dpcore.noise import discrete_gaussian, discrete_laplace, selection
from dpcore.noise.accuracy import least, maximum_tail
from dpcore.noise.enclosures import from_zero_to, working_precision


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    before = ctx.prec
    yield
    ctx.prec = before


CALLS: list[Callable[[], object]] = [
    lambda: discrete_laplace.mass(3, 2, 500),
    lambda: discrete_laplace.tail(3, 2, 500),
    lambda: discrete_gaussian.mass(3, 2, 500),
    lambda: discrete_gaussian.tail(10**9, 2, 500),
    lambda: discrete_gaussian.upper_tail(3, -2, 500),
    lambda: selection.exponential_probabilities([1, 2], 3, 500),
    lambda: selection.permute_and_flip_probabilities([1, 2], 3, 500),
    lambda: maximum_tail(lambda a, prec: discrete_laplace.tail(1, a, prec), 5)(3, 500),
    lambda: least(lambda a, prec: discrete_laplace.tail(1, a, prec), Fraction(1, 100)),
]


@pytest.mark.parametrize("call", CALLS)
def test_the_precision_is_restored(call: Callable[[], object]) -> None:
    ctx.prec = 77
    call()
    assert ctx.prec == 77


def test_it_is_restored_after_an_error() -> None:
    ctx.prec = 77
    with pytest.raises(RuntimeError):
        least(fail, Fraction(1, 2))
    assert ctx.prec == 77


def fail(a: int, prec: int) -> arb:
    with ctx.workprec(prec):
        raise RuntimeError


def test_another_thread_may_widen_a_ball_but_not_move_it() -> None:
    true = [discrete_gaussian.tail(v, a, 400) for v, a in ((3, 2), (10**9, 5 * 10**4))]
    stop = threading.Event()

    def disturb() -> None:
        while not stop.is_set():
            for bits in (2, 300, 10):
                ctx.prec = bits

    thread = threading.Thread(target=disturb)
    thread.start()
    try:
        for _ in range(300):
            for (v, a), value in zip(((3, 2), (10**9, 5 * 10**4)), true, strict=True):
                assert discrete_gaussian.tail(v, a, 200).overlaps(value)
    finally:
        stop.set()
        thread.join()


def test_a_bound_becomes_a_ball() -> None:
    ball = from_zero_to(arb("1e-50"))
    assert ball.contains(0)
    assert ball.contains(arb("1e-50"))
    assert ball.abs_upper() < arb("1.1e-50")


def test_large_exponents_ask_for_more_bits() -> None:
    assert working_precision(100, 2**40) >= 100 + 41
    with pytest.raises(ValueError, match="Expected a precision of at least 2 bits but got prec=1"):
        working_precision(1, 0)
