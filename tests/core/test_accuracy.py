"""Accuracy: the least a with P(|noise| >= a) <= 1 - confidence, against trying every a from 0 on."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

import dpcore as dp
from dpcore.noise import discrete_gaussian, discrete_laplace

d: Any = dp
CONFIDENCES = [Fraction(1, 2), Fraction(9, 10), Fraction(95, 100), Fraction(999, 1000), 1 - Fraction(1, 10**9)]
SIZES = [1, 2, 7]


def space(size: int, step: Fraction, metric: str) -> Any:
    of = d.numbers(step=step) if step != 1 else d.integers()
    if size == 1:
        return d.value(of, d.AbsoluteDistance())
    return d.value(d.vector(of, size), d.L1Distance() if metric == "L1" else d.L2Distance())


def tried(tail: Callable[[int], arb], size: int, confidence: Fraction) -> int:
    """The least whole a with 1 - (1 - P(|Z| >= a))^size <= 1 - confidence, by trying them in turn."""
    level = fmpq((1 - confidence).numerator, (1 - confidence).denominator)
    a = 0
    while True:
        some = 1 - (1 - tail(a)) ** size if size > 1 else tail(a)
        if some <= level:
            return a
        assert some > level, "the test is not decided at this precision"
        a += 1


@pytest.mark.parametrize("confidence", CONFIDENCES, ids=str)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("step", [Fraction(1), Fraction(1, 10), Fraction(3, 2)], ids=str)
@pytest.mark.parametrize("scale", [Fraction(1, 5), Fraction(1), Fraction(21, 2)], ids=str)
def test_laplace(scale: Fraction, step: Fraction, size: int, confidence: Fraction) -> None:
    found = (space(size, step, "L1") >> d.laplace(scale)).accuracy(confidence)
    assert found == step * tried(lambda a: discrete_laplace.tail(scale / step, a, 256), size, confidence)
    assert isinstance(found, Fraction)


@pytest.mark.parametrize("confidence", CONFIDENCES, ids=str)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("step", [Fraction(1), Fraction(1, 10), Fraction(3, 2)], ids=str)
@pytest.mark.parametrize("sigma", [Fraction(1, 5), Fraction(1), Fraction(21, 2)], ids=str)
def test_gaussian(sigma: Fraction, step: Fraction, size: int, confidence: Fraction) -> None:
    found = (space(size, step, "L2") >> d.gaussian(sigma)).accuracy(confidence)
    squared = sigma * sigma / (step * step)
    assert found == step * tried(lambda a: discrete_gaussian.tail(squared, a, 256), size, confidence)


def test_the_tail_itself() -> None:
    """P(|Z| >= a) = 2 r^a/(1 + r), r = exp(-1/scale), written out a second time."""
    for scale in (Fraction(1, 3), Fraction(2), Fraction(30)):
        ratio = (-arb(fmpq(scale.denominator, scale.numerator))).exp()
        for a in range(1, 9):
            assert discrete_laplace.tail(scale, a, 128).overlaps(2 * ratio**a / (1 + ratio))


@pytest.mark.parametrize("name", ["laplace", "gaussian"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("step", [Fraction(1), Fraction(1, 10)], ids=str)
@given(st.integers(2, 300), st.sampled_from(CONFIDENCES))
@settings(deadline=None, max_examples=8)
def test_noise_of_a_wanted_accuracy(name: str, size: int, step: Fraction, steps: int, confidence: Fraction) -> None:
    """It is as accurate as was asked for, and noise that is larger by a part in 10^9 is not."""
    noise = d.laplace if name == "laplace" else d.gaussian
    accuracy = steps * step
    at = space(size, step, "L1" if name == "laplace" else "L2")
    made = at >> noise(accuracy=accuracy, confidence=confidence)
    assert made.accuracy(confidence) <= accuracy
    loss = made.loss(step).parts[0].exact
    scale = step / loss if name == "laplace" else None
    if scale is not None:
        assert (at >> noise(scale)).accuracy(confidence) <= accuracy
        assert (at >> noise(scale * (1 + Fraction(1, 10**9)))).accuracy(confidence) > accuracy


def test_the_loss_of_a_wanted_accuracy_is_exact_and_of_few_digits() -> None:
    made = d.rows(d.integers()) >> d.count() >> d.laplace(accuracy=30, confidence="0.95")
    epsilon = made.loss(1).epsilon.exact
    assert epsilon is not None
    assert len(str(1 / epsilon)) < 24
    assert float(epsilon) == pytest.approx(0.1015, rel=1e-3)


def test_accuracy_follows_a_conversion_and_no_further() -> None:
    made = d.rows(d.integers()) >> d.count() >> d.laplace(10)
    assert made.accuracy("0.95") == 31
    assert made.to(d.ZCDP).to(d.ApproxDP, delta="1e-6").accuracy("0.95") == 31
    for other in (made.then(abs), made & made, d.rows(d.text()) >> d.threshold_release(scale=1, threshold=9)):
        with pytest.raises(dp.errors.NoConversion, match="no accuracy"):
            other.accuracy("0.95")


@pytest.mark.parametrize("confidence", [0, 1, -1, 2, "1.5", float("nan"), None, "x", True])
def test_confidence_is_a_probability_below_one(confidence: object) -> None:
    made = d.rows(d.integers()) >> d.count() >> d.laplace(10)
    with pytest.raises(dp.errors.InvalidParameter, match="confidence"):
        made.accuracy(confidence)
    if confidence is not None:
        with pytest.raises(dp.errors.InvalidParameter, match="confidence"):
            d.laplace(accuracy=10, confidence=confidence)


@pytest.mark.parametrize("noise", [d.laplace, d.gaussian])
def test_a_scale_or_an_accuracy_with_its_confidence(noise: Any) -> None:
    for wrong in ({}, {"accuracy": 1}, {"confidence": "0.9"}):
        with pytest.raises(dp.errors.InvalidParameter, match="or accuracy and confidence together, and not both"):
            noise(**wrong)
    with pytest.raises(dp.errors.InvalidParameter, match="not both"):
        noise(1, accuracy=1, confidence="0.9")
    with pytest.raises(dp.errors.InvalidParameter, match="no noise on a grid of 1"):
        d.rows(d.integers()) >> d.count() >> noise(accuracy="1/2", confidence="0.9")
