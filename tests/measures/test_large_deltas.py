"""A delta near 1 that is typed stands mostly for an epsilon: refused, with the two in their places.

What is worked out may be large. So no budget that promises nothing comes from two arguments that changed places.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import dpcore as dp

d: Any = dp
EVALUATED = {"ApproxLoss": dp.types.ApproxLoss, "Bound": dp.types.Bound, "approx": dp.approx}


@pytest.mark.parametrize(
    ("typed", "bridge"),
    [
        (("1e-6", 1), "approx(1, '1/1000000'): epsilon comes first"),
        (("1e-9", "1/2"), "approx('1/2', '1/1000000000'): epsilon comes first"),
        (("0.001", "0.1"), "approx('1/10', '1/1000'): epsilon comes first"),
        ((1, 1), "with a small delta"),
        ((1, "0.9"), "with a small delta"),
        ((0, 1), "with a small delta"),
        ((10, 0.99999), "with a small delta"),
    ],
)
def test_a_large_delta_is_refused_with_the_hint(typed: tuple[Any, Any], bridge: str) -> None:
    with pytest.raises(dp.errors.InvalidParameter, match="delta") as refusal:
        dp.approx(*typed)
    assert bridge in str(refusal.value)
    assert refusal.value.produced == Fraction(str(typed[1]))


@pytest.mark.parametrize(
    "typed", [(0, "1/2"), (0, "0.3"), (1, "1/2"), ("1e-6", "1e-6"), ("1e-6", "0.09"), (1, 0), (0, 0)]
)
def test_what_somebody_may_mean_is_taken(typed: tuple[Any, Any]) -> None:
    assert dp.approx(*typed).delta == typed[1]


@pytest.mark.parametrize("delta", ["0.9", 0.999999])
def test_a_delta_to_convert_with_is_small_too(delta: Any) -> None:
    count = dp.rows(dp.integers()) >> dp.count() >> dp.gaussian(sigma=4)
    with pytest.raises(dp.errors.InvalidParameter, match="promises almost nothing") as refusal:
        count.to(dp.ApproxDP, delta=delta)
    assert refusal.value.bridge == "a small delta, such as '1e-6'"
    assert count.to(dp.ApproxDP, delta="0.89").loss(1).delta == Fraction(89, 100)


def test_what_is_worked_out_may_be_large() -> None:
    """Losses of groups and of additive secrecy reach 1, are printed as what makes them again, and can be made again."""
    claimed = dp.measurement(len, dp.rows(dp.integers()), dp.ApproxDP(), lambda k: (k / 10**6, k / 10))
    shamed = dp.rows(dp.integers(0, 1), dp.ChangeOneDistance()) >> dp.name_and_shame("0.95")
    for loss in (claimed.loss(9), claimed.loss(20), claimed.loss(5), shamed.to(dp.ApproxDP).loss(1)):
        again = eval(repr(loss), dict(EVALUATED))
        assert again == loss
        assert dp.approx(loss.epsilon, loss.delta) == loss
    assert shamed.to(dp.ApproxDP).loss(1).delta == Fraction(19, 20)
    assert dp.total_variation("0.95").delta == Fraction(19, 20)
