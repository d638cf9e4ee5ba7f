"""Gaussian noise from epsilon and delta: by the exact curve of the noise that runs, and by the textbook."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any, cast

import pytest

import dpcore as dp

COUNT = dp.value(dp.integers(), dp.AbsoluteDistance())
TENTHS = dp.value(dp.numbers(step="0.1"), dp.AbsoluteDistance())


def _sigma(m: dp.types.Measurement[Any, Any, dp.Profile, Any]) -> float:
    return sqrt(cast(Fraction, m.derivation.parameters["sigma_squared"]))


@pytest.mark.parametrize("epsilon", ["1/100", "1/3", "1", "4", "20"])
@pytest.mark.parametrize("delta", ["1/10", "1e-6", "1e-30"])
@pytest.mark.parametrize("sensitivity", [1, 3])
def test_epsilon_and_delta_are_kept_and_little_is_wasted(epsilon: str, delta: str, sensitivity: int) -> None:
    m = COUNT >> dp.gaussian(epsilon=epsilon, delta=delta, sensitivity=sensitivity)
    assert m.loss(sensitivity).delta(epsilon) <= delta
    less = COUNT >> dp.gaussian(Fraction(_sigma(m)) * Fraction(999999, 1000000), measure=dp.Profile)
    assert not less.loss(sensitivity).delta(epsilon) <= delta


def test_the_grid_counts() -> None:
    """On tenths, values 1 apart are ten steps apart, and the noise is nearer to the continuous one."""
    whole, tenths = COUNT >> dp.gaussian(epsilon=1, delta="1e-6"), TENTHS >> dp.gaussian(epsilon=1, delta="1e-6")
    assert tenths.loss(1).delta(1) <= "1e-6"
    assert 4.2 < _sigma(tenths) < _sigma(whole) < 4.24
    with pytest.raises(dp.errors.InvalidParameter, match="never 1/20 apart"):
        TENTHS >> dp.gaussian(epsilon=1, delta="1e-6", sensitivity="1/20")


def test_the_textbook_is_for_epsilons_up_to_1() -> None:
    assert (COUNT >> dp.gaussian(epsilon=1, delta="1e-6", classical=True)).loss(1).delta(1) <= "1e-6"
    with pytest.raises(dp.errors.InvalidParameter, match="up to 1"):
        COUNT >> dp.gaussian(epsilon=2, delta="1e-6", classical=True)


def test_it_prints_as_it_is_typed_and_certifies() -> None:
    assert repr(dp.gaussian(3)) == "gaussian(sigma=3)"
    step = dp.gaussian(epsilon=1, delta="1e-6", sensitivity=2)
    assert repr(step) == "gaussian(epsilon=1, delta='1/1000000', sensitivity=2)"
    assert eval(repr(step), {"gaussian": dp.gaussian}) == step
    m = (dp.rows(dp.integers()) >> dp.count() >> dp.gaussian(epsilon=1, delta="1e-6")).to(dp.ApproxDP, delta="1e-6")
    assert dp.certify(m).document.claims[0].figures["delta"] == Fraction(1, 10**6)
    assert dp.certify(m).document.claims[0].figures["epsilon"] <= 1  # type: ignore[operator]


@pytest.mark.parametrize(
    "given",
    [
        {"epsilon": 1},
        {"delta": "1e-6"},
        {"epsilon": 0, "delta": "1e-6"},
        {"epsilon": 1, "delta": 0},
        {"epsilon": 1, "delta": 1},
        {"epsilon": 1, "delta": "1e-6", "sensitivity": 0},
        {"epsilon": 1, "delta": "1e-6", "sigma": 3},
        {"epsilon": 1, "delta": "1e-6", "accuracy": 3, "confidence": "0.9"},
        {"epsilon": 1, "delta": "1e-6", "measure": dp.ZCDP},
        {"sigma": 3, "classical": True},
        {"sigma": 3, "sensitivity": 2},
        {"epsilon": dp.symbol("e"), "delta": "1e-6"},
    ],
)
def test_what_is_refused(given: dict[str, object]) -> None:
    with pytest.raises(dp.errors.DPError):
        dp.gaussian(**given)  # type: ignore[call-overload]


def test_vectors_have_no_exact_curve() -> None:
    pairs = dp.value(dp.vector(dp.integers(), 2), dp.L2Distance())
    with pytest.raises(dp.errors.MeasureMismatch, match="for one number"):
        pairs >> dp.gaussian(epsilon=1, delta="1e-6")
