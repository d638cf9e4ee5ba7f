"""Solving a map for its one free symbol: exact where the answer is rational, on the safe side where it is not."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpcore as dp

d: Any = dp
b, s, p, u, t = (d.symbol(name) for name in "bsput")
ages = d.rows(d.integers())
number = ages >> d.count()
total = ages >> d.clamp(0, 120) >> d.sum()
choice = d.value(d.categories("a", "b", "c"), d.DiscreteDistance())
words = d.rows(d.text())
swapped = d.rows(d.text(), d.ChangeOneDistance())


def test_the_first_example() -> None:
    found = (total >> d.laplace(b)).solve(d.pure("1/3"), 1)
    assert found == 360
    assert isinstance(found, (int, Fraction))
    assert (total >> d.laplace(b)).solve(d.pure("1/3"), d_in=2) == 720


@given(st.fractions(Fraction(1, 1000), 50, max_denominator=1000), st.integers(1, 50), st.integers(1, 200))
@settings(deadline=None, max_examples=30)
def test_a_rational_answer_is_exact(epsilon: Fraction, d_in: int, high: int) -> None:
    made = ages >> d.clamp(0, high) >> d.sum() >> d.laplace(b)
    scale = made.solve(d.pure(epsilon), d_in)
    assert scale == high * d_in / epsilon
    assert made.bind(b=scale).loss(d_in) == d.pure(epsilon)


@pytest.mark.parametrize(
    ("made", "target", "answer"),
    [
        (lambda: total >> d.gaussian(s), d.zcdp("1/2"), 120),
        (lambda: total >> d.gaussian(s), d.zcdp("1/8"), 240),
        (lambda: ages >> d.clamp(0, u) >> d.sum() >> d.laplace(10), d.pure(1), 10),
        (lambda: ages >> d.clamp(-7, u) >> d.sum() >> d.laplace(10), d.pure(1), 10),
        (lambda: ages >> d.quantile_scores([1, 2], "1/2") >> d.permute_and_flip(b), d.pure(1), 2),
        (
            lambda: swapped >> d.name_and_shame(t),
            d.total_variation("0.01"),
            Fraction(1, 100),
        ),
        (lambda: (total >> d.laplace(b)).to(d.ApproxDP), d.approx(1, "1e-9"), 120),
        (lambda: d.compose([total >> d.laplace(b)] * 10), d.pure(1), 1200),
        (lambda: (total >> d.laplace(b)) & (number >> d.laplace(b)), d.pure(1), 121),
        (lambda: d.group_privacy(total >> d.laplace(b)), d.pure(1), 120),
        (lambda: (total >> d.laplace(b)).to(d.ZCDP), d.zcdp("1/2"), 120),
        (lambda: total >> d.laplace(2 * b + 20), d.pure(1), 50),
    ],
)
def test_closed_forms(made: Callable[[], Any], target: Any, answer: int | Fraction) -> None:
    assert made().solve(target, 1) == answer
    assert made().bind(**{next(iter(made().symbols)): answer}).loss(1) <= target


# Which way the noise grows with the symbol: +1 if a larger value is more private.
IRRATIONAL: dict[str, tuple[Callable[[], Any], Any, int]] = {
    "sigma": (lambda: total >> d.gaussian(s), d.zcdp("1/3"), 1),
    "p": (lambda: choice >> d.randomized_response(p), d.pure(1), -1),
    "p near 1": (lambda: choice >> d.randomized_response(p), d.pure(10), -1),
    "threshold scale": (lambda: words >> d.threshold_release(scale=b, threshold=5), d.approx(2, "1e-2"), 0),
    "gaussian to approx": (lambda: (total >> d.gaussian(s)).to(d.ApproxDP, delta="1e-6"), d.approx(1, "1e-6"), 1),
    "pure to total variation": (lambda: (number >> d.laplace(b)).to(d.TotalVariation), d.total_variation("1/3"), 1),
    "advanced": (lambda: d.compose_advanced([number >> d.laplace(b)] * 90, "1e-6"), d.approx(1, "1e-6"), 1),
    "square root": (lambda: (number >> d.laplace(b)).to(d.ZCDP), d.zcdp("1/3"), 1),
}


@pytest.mark.parametrize("name", IRRATIONAL)
def test_an_irrational_answer_lies_on_the_safe_side(name: str) -> None:
    """The loss there fits, and at a value that is less noisy by one part in 2^30 it does not."""
    made, target, way = IRRATIONAL[name]
    symbol = next(iter(made().symbols))
    found = made().solve(target, 1)

    def fits(value: Fraction) -> bool:
        return bool(made().bind(**{symbol: value}).loss(1) <= target)

    assert fits(found)
    beyond = [found * (1 - Fraction(way or 1, 1 << 30))]
    if not way:  # noise on the keys and the chance of an unknown key pull in opposite directions
        beyond.append(found * (1 + Fraction(1, 1 << 30)))
    assert not all(fits(value) for value in beyond)


@pytest.mark.parametrize(
    ("step", "answer"), [(7, 364), (1, 360), ("0.1", 360), (1000, 1000), ("7/3", Fraction(1085, 3))]
)
def test_a_grid_is_kept_to(step: Any, answer: Any) -> None:
    found = (total >> d.laplace(b)).solve(d.pure("1/3"), 1, step=step)
    assert found == answer
    assert (Fraction(found) / Fraction(step)).denominator == 1


@pytest.mark.parametrize("step", ["0.01", "1/3", 1, 10])
@pytest.mark.parametrize("name", ["sigma", "square root", "advanced"])
def test_the_least_noise_on_the_grid(name: str, step: Any) -> None:
    made, target, _ = IRRATIONAL[name]
    symbol, grid = next(iter(made().symbols)), Fraction(step)
    found = made().solve(target, 1, step=step)
    assert (found / grid).denominator == 1
    assert made().bind(**{symbol: found}).loss(1) <= target
    if found > grid:
        assert not made().bind(**{symbol: found - grid}).loss(1) <= target


def test_p_on_a_grid_goes_down() -> None:
    found = (choice >> d.randomized_response(p)).solve(d.pure(1), 1, step="0.01")
    assert found == Fraction(57, 100)
    assert not (choice >> d.randomized_response(p)).bind(p="0.58").loss(1) <= d.pure(1)


def test_a_symbol_that_must_be_whole_is() -> None:
    threshold = words >> d.threshold_release(scale=2, threshold=t)
    found = threshold.solve(d.approx(1, "1e-6"), 1)
    assert found == 28
    assert threshold.bind(t=28).loss(1) <= d.approx(1, "1e-6")
    assert not threshold.bind(t=27).loss(1) <= d.approx(1, "1e-6")
    clamped = ages >> d.clamp(0, u) >> d.sum() >> d.laplace(10)
    assert clamped.solve(d.pure("1/3"), 1) == 3
    assert not clamped.bind(u=4).loss(1) <= d.pure("1/3")


def test_both_figures_of_a_pair_are_met() -> None:
    """At b = 1 epsilon fits, and delta does not: the answer is where the second one gives way, or there is none."""
    tight = words >> d.threshold_release(scale=b, threshold=5)
    for target in (d.approx(2, "1e-2"), d.approx(5, "1e-3")):
        found = tight.solve(target, 1)
        assert tight.bind(b=found).loss(1) <= target
    with pytest.raises(dp.errors.DPError):
        tight.solve(d.approx("1/2", "1e-9"), 1)


@pytest.mark.parametrize(
    ("solve", "error", "words"),
    [
        (lambda: (number >> d.laplace(1)).solve(d.pure(1), 1), dp.errors.FreeSymbols, "the free ones are: none"),
        (
            lambda: (ages >> d.clamp(0, u) >> d.sum() >> d.laplace(b)).solve(d.pure(1), 1),
            dp.errors.FreeSymbols,
            "the free ones are: b, u",
        ),
        (lambda: (number >> d.laplace(b)).solve(d.zcdp(1), 1), dp.errors.MeasureMismatch, "another measure"),
        (lambda: (number >> d.laplace(b)).solve(d.approx(1, 0), 1), dp.errors.MeasureMismatch, "another measure"),
        (
            lambda: (number >> d.laplace(b)).to(d.RenyiDP).solve((number >> d.laplace(1)).to(d.RenyiDP).loss(1), 1),
            dp.errors.InvalidParameter,
            "a curve",
        ),
        (lambda: (number >> d.laplace(b)).solve(d.pure(0), 1), dp.errors.NoFiniteLoss, "no value of b"),
        (lambda: (number >> d.laplace(b)).solve(d.pure(1), 0), dp.errors.InvalidParameter, "every value of b tried"),
        (lambda: (number >> d.laplace(b)).solve(d.pure(1), -1), dp.errors.InvalidDistance, "d_in=-1"),
        (lambda: (number >> d.laplace(b)).solve(d.pure(1), "1/2"), dp.errors.InvalidDistance, "d_in=1/2"),
        (lambda: (number >> d.laplace(b)).solve(d.pure(1), 1, step=0), dp.errors.InvalidParameter, "step"),
        (lambda: (number >> d.laplace(b)).solve(d.pure(1), 1, step=-1), dp.errors.InvalidParameter, "step"),
        (lambda: (number >> d.laplace(b)).solve(1, 1), dp.errors.InvalidParameter, "target"),
        (
            lambda: d.compose_advanced([number >> d.laplace(b), number >> d.laplace(1 / b)], "1e-6").solve(
                d.approx(4, "1e-6"), 1
            ),
            dp.errors.InvalidParameter,
            "not monotone in b",
        ),
        (
            lambda: d.compose([number >> d.laplace(b), ages >> d.clamp(0, b) >> d.sum() >> d.laplace(100)]).solve(
                d.pure("1/6"), 1
            ),
            dp.errors.NoFiniteLoss,
            "no value of b",
        ),
    ],
)
def test_what_cannot_be_solved(solve: Callable[[], object], error: type[dp.errors.DPError], words: str) -> None:
    with pytest.raises(error) as refusal:
        solve()
    assert words in str(refusal.value)


def test_sympy_is_not_asked_what_it_would_work_on_for_hours() -> None:
    """A threshold of 400 makes a polynomial of degree 400 in exp(-1/b): the answer comes by search, at once."""
    found = (words >> d.threshold_release(scale=b, threshold=400)).solve(d.approx(1, "1e-30"), 1)
    assert found == 1
