"""What a search found is an upper bound and printed as one; figures of one loss are taken where another is stated."""

from __future__ import annotations

import pickle
from fractions import Fraction
from typing import Any

import pytest

import dpcore as dp

COUNT = dp.rows(dp.integers()) >> dp.count()
CURVE = COUNT >> dp.gaussian(sigma=2, measure=dp.Profile)
FOUND = CURVE.to(dp.ApproxDP, delta="1e-6")
MANY = dp.compose_optimal([COUNT >> dp.laplace(scale=1)] * 10)


# ---- what a search found -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "m",
    [FOUND, MANY.to(dp.ApproxDP, delta="1e-6"), (COUNT >> dp.gaussian(sigma=2)).to(dp.ApproxDP, delta="1e-6"),
     FOUND.then(abs), FOUND & FOUND, dp.group_privacy(FOUND), FOUND.to(dp.Profile).to(dp.ApproxDP, delta="1e-6")],
    ids=["gaussian", "optimal", "zcdp", "post-processed", "twice", "group", "there and back"],
)  # fmt: skip
def test_a_loss_that_a_search_found_is_no_exact_one(m: dp.types.Measurement[Any, Any, dp.ApproxDP, Any]) -> None:
    loss = m.loss(d_in=1)
    assert str(loss).startswith(f"ApproxDP: epsilon <= {float(loss.epsilon)!r}, delta ")
    assert "exactly" not in str(loss)
    assert repr(loss) == f"<{loss}>"
    assert repr(loss.epsilon) == f"<Bound <= {float(loss.epsilon)!r}>"


def test_what_was_given_or_is_zero_is_exact() -> None:
    given = CURVE.to(dp.ApproxDP, epsilon=1).loss(d_in=1)
    assert str(given).startswith("ApproxDP: epsilon = 1, delta <= ")
    assert str(CURVE.to(dp.ApproxDP, delta="1/2").loss(d_in=1)) == "ApproxDP: epsilon = 0, delta = 1/2, exactly"
    assert repr(CURVE.loss(d_in=1).epsilon("1/2")) == "Bound('0')"
    assert str((COUNT >> dp.laplace(2)).to(dp.ApproxDP).loss(1)) == "ApproxDP: epsilon = 1/2, delta = 0, exactly"


def test_what_was_found_stays_a_rational_that_is_counted_with() -> None:
    loss = FOUND.loss(d_in=1)
    parts = dp.budget(loss, 3)
    assert all("<=" in str(part) for part in (*parts, parts[0] + parts[1]))
    assert parts[0] + parts[1] + parts[2] == loss
    assert loss.epsilon.exact == CURVE.loss(d_in=1).epsilon("1e-6").exact
    again = pickle.loads(pickle.dumps(loss))
    assert (again, str(again)) == (loss, str(loss))


def test_an_epsilon_read_off_a_curve_is_no_exact_one() -> None:
    found = MANY.loss(d_in=1).epsilon("1e-6")
    assert repr(found) == f"<Bound <= {float(found)!r}>"
    for other in (found + 1, 1 + found, found * 2, found - 1):
        assert repr(other).startswith("<Bound <= ")


# ---- a figure as the argument of another loss --------------------------------------------------------------------------

ROUNDED = (COUNT >> dp.gaussian(sigma=2)).to(dp.ApproxDP, delta="1e-6").loss(d_in=1)


def test_a_figure_states_a_loss_that_is_not_below_it() -> None:
    e = ROUNDED.epsilon
    assert e.lower < e.upper
    assert dp.approx(e, ROUNDED.delta) >= ROUNDED
    for made, figure in ((dp.pure(e), "epsilon"), (dp.zcdp(e), "rho"), (dp.gaussian_dp(e), "mu")):
        assert getattr(made, figure).exact == e.upper
        assert "<=" in str(made)
    assert str(dp.pure(dp.types.Bound("1/3"))) == "PureDP: epsilon = 1/3, exactly"
    assert dp.total_variation(CURVE.loss(1).delta(epsilon=1)).delta.upper >= CURVE.loss(1).delta(epsilon=1).upper


def test_a_probability_whose_enclosure_reaches_beyond_one() -> None:
    wide = dp.types.Bound.of(lambda: dp.pure(1).epsilon.value) + CURVE.loss(1).delta(epsilon=9) * 0
    assert wide.exact is None
    assert wide.upper >= 1
    assert dp.total_variation(wide).delta.exact == 1
    with pytest.raises(dp.errors.InvalidParameter, match="0 <= delta <= 1"):
        dp.total_variation(wide + 1)


def test_a_point_of_a_profile_is_a_probability_too() -> None:
    curve = (dp.rows(dp.text()) >> dp.count() >> dp.laplace(scale=1)).to(dp.Profile)
    assert [float(curve.loss(d).delta(1)) for d in (100, 5000)] == [1.0, 1.0]
    assert curve.loss(100).delta(1).upper == 1


def test_a_curve_at_a_figure_is_read_on_the_safe_side() -> None:
    e = ROUNDED.epsilon
    profile, renyi = CURVE.loss(1), (COUNT >> dp.gaussian(sigma=2)).to(dp.RenyiDP).loss(1)
    tradeoff = CURVE.to(dp.Tradeoff).loss(1)
    assert profile.delta(epsilon=e) == profile.delta(epsilon=e.lower)
    assert renyi.epsilon(e) == renyi.epsilon(e.upper)
    d = profile.delta(epsilon=1)
    assert d.lower < d.upper
    assert profile.epsilon(d) == profile.epsilon(d.lower)
    assert tradeoff.beta(d) == tradeoff.beta(d.upper)
    assert profile.delta(epsilon=FOUND.loss(1).epsilon).upper <= Fraction(1, 10**6)


def test_where_either_side_may_be_meant_the_caller_says_which() -> None:
    laplace: Any = dp.laplace
    with pytest.raises(dp.errors.InvalidParameter, match="Expected a number for scale but got a Bound") as refusal:
        laplace(scale=ROUNDED.epsilon)
    assert refusal.value.bridge == ".upper or .lower of it, whichever is the safe side here: a rational"
    with pytest.raises(dp.errors.InvalidParameter, match="Expected a number for scale but got a bytes") as refusal:
        laplace(scale=b"1")
    assert refusal.value.bridge is None


# ---- losses of different measures --------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["__le__", "__lt__", "__ge__", "__gt__", "__add__"])
def test_losses_of_different_measures_are_not_compared(how: str) -> None:
    with pytest.raises(dp.errors.MeasureMismatch) as refusal:
        getattr(dp.pure(1), how)(dp.zcdp(1))
    assert (refusal.value.left, refusal.value.right) == (dp.pure(1), dp.zcdp(1))
    assert ".to(...)" in str(refusal.value.bridge)
    assert getattr(dp.pure(1), how)(1) is NotImplemented
    one: object = dp.pure(1)
    assert one != dp.zcdp(1)
