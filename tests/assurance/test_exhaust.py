"""`exhaust` says what is tight, what is looser and by how much, and names the pair where a claim is broken."""

from __future__ import annotations

from fractions import Fraction
from typing import cast

import pytest

import dpcore as dp
from dpcore.assurance import divergences, exhaust
from dpcore.assurance.divergences import aligned
from dpcore.core.origins import Arrow
from dpcore.maps import ONE, ends, numeral
from dpcore.maps.bounds import Bound
from tests.assurance import arrows
from tests.assurance.arrows import AB, COIN, NUMBER, ROWS, d, same
from tests.assurance.copies import with_fault
from tests.laws.arrows import arrow
from tests.laws.catalogue import EXAMPLES, Example


def test_sound_and_tight() -> None:
    found = exhaust(dp.rows(dp.integers(-3, 2)) >> dp.sum())
    assert found.sound
    assert found.tight
    assert found.verdict == "sound and tight"
    assert [(line.d_in, line.true, line.claimed) for line in found.lines][:3] == [
        (Bound("0"), Bound("0"), Bound("0")),
        (Bound("1"), Bound("3"), Bound("3")),
        (Bound("2"), Bound("6"), Bound("6")),
    ]


def test_looser_says_by_how_much() -> None:
    found = exhaust(d.transformation(len, AB, NUMBER, lambda x: 3 * x))
    assert found.verdict == "sound, looser by 2"
    assert not found.tight
    coin = (COIN >> dp.randomized_response("3/4")).to(dp.ZCDP)
    found = exhaust(coin)
    assert isinstance(found.worst.true, Bound)
    gap = found.worst.claimed.upper - found.worst.true.lower
    assert gap > Fraction(1, 100)
    assert found.verdict == f"sound, looser by {float(gap):.6g}"


def test_unsound_names_the_pair() -> None:
    found = exhaust(d.transformation(arrows.clamped_sum, ROWS, NUMBER, lambda x: 60 * x), [0, 61], 2)
    assert found.verdict == "UNSOUND"
    broken = next(line for line in found.lines if line.verdict == "UNSOUND")
    assert (broken.d_in, broken.true, broken.claimed) == (Bound("1"), Bound("61"), Bound("60"))
    assert f"x = {broken.x!r}" in str(found)
    assert f"y = {broken.y!r}" in str(found)
    assert abs(arrows.clamped_sum(cast("list[int]", broken.x)) - arrows.clamped_sum(cast("list[int]", broken.y))) == 61


def test_a_loss_of_rationals_is_exact_and_an_irrational_one_enclosed() -> None:
    shame = exhaust(dp.rows(dp.categories("a", "b"), dp.ChangeOneDistance()) >> dp.name_and_shame("1/4"))
    line = next(line for line in shame.lines if line.steps == 1)
    assert isinstance(line.true, Bound)
    assert line.true.exact == Fraction(1, 4)
    assert shame.left_out == 0
    coin = exhaust(COIN >> dp.randomized_response("3/4"))
    epsilon = coin.lines[1].true
    assert isinstance(epsilon, Bound)
    assert 0 < epsilon.upper - epsilon.lower < Fraction(1, 2**100)
    assert coin.verdict == "sound and tight"


def test_a_loss_that_nothing_bounds_is_infinite() -> None:
    found = exhaust(d.measurement(len, AB, d.PureDP(), same))
    assert found.verdict == "UNSOUND"
    assert "infinite" in str(found)


def test_a_half_of_the_loss_is_seen_however_small_the_slip() -> None:
    noisy = AB >> dp.count() >> dp.laplace(scale=1)
    assert exhaust(noisy).verdict == "sound and tight"
    for slip in (Fraction(1, 2), 1 - Fraction(1, 10**10)):
        share = numeral(slip)
        assert not exhaust(with_fault(noisy, "laplace", map=lambda x, scale, share=share: x / scale * share)).sound


def test_what_was_left_out_is_said() -> None:
    found = exhaust(AB >> dp.count() >> dp.laplace(scale=1))
    assert 0 < found.left_out < Fraction(1, 10**11)
    assert "were left out" in str(found)
    assert "were left out" not in str(exhaust(COIN >> dp.randomized_response("3/4")))


@pytest.mark.parametrize(
    "measure", [None, dp.ApproxDP, dp.ZCDP, dp.RenyiDP, dp.TotalVariation, dp.Profile, dp.Tradeoff]
)
def test_a_loss_is_never_negative(measure: type[dp.types.Measure] | None) -> None:
    """What was left out may lie anywhere, but between the same data nothing is lost."""
    noisy = d.rows(d.integers(0, 1)) >> d.count() >> d.laplace(scale=1)
    found = exhaust(noisy if measure is None else noisy.to(measure), rows=1)
    assert found.left_out > 0
    assert all(isinstance(line.true, Bound) and line.true.lower >= 0 for line in found.lines)
    same_data = found.lines[0]
    assert (same_data.steps, same_data.true) == (0, Bound("0"))
    assert exhaust(noisy if measure is None else noisy.to(measure), rows=0).verdict == "sound and tight"


def test_between_the_same_releases_no_divergence_is_negative() -> None:
    p = (d.rows(d.integers(0, 1)) >> d.count() >> d.laplace(scale=1)).distribution([])
    masses, out = aligned(p, p), float(p.left_out)
    assert out > 0
    quick = [
        divergences.quick_max_ratio(*masses, out),
        divergences.quick_hockey_stick(*masses, out, 1.0),
        divergences.quick_renyi(*masses, out, 2.0),
        *(divergences.quick_gain(*masses, out, rate) for rate in (0.0, out / 2, 0.3)),
    ]
    assert min(quick) >= 0
    rates = (Fraction(0), p.left_out / 2, Fraction(1, 3))
    found = [
        divergences.max_ratio(p, p),
        divergences.hockey_stick(p, p, ONE),
        divergences.renyi(p, p, Fraction(2)),
        *(divergences.gain(p, p, rate) for rate in rates),
    ]
    assert all(x is not None and ends(x)[0] >= 0 for x in found)


@pytest.mark.spread(8)
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.name)
def test_every_arrow_without_being_told_a_universe(example: Example) -> None:
    """Values are taken from the domain and the constants of the arrow; nothing of ours is broken there."""
    found = exhaust(arrow(example.build()), rows=1)
    assert found.sound, str(found)
    assert found.members > 1


@pytest.mark.parametrize(
    ("universe", "rows"), [("ab", 2), (5, 2), ([0], -1), ([0], "2"), ([0], True), (list(range(99)), 5)]
)
def test_odd_universes_are_refused(universe: object, rows: object) -> None:
    with pytest.raises(dp.errors.InvalidParameter):
        exhaust(ROWS >> dp.count(), universe, rows)  # type: ignore[arg-type]


def test_a_universe_outside_the_domain_is_refused() -> None:
    with pytest.raises(dp.errors.InvalidData):
        exhaust(dp.rows(dp.integers(0, 1)) >> dp.sum(), [0, 2])
    with pytest.raises(dp.errors.InvalidParameter, match="finite distance apart"):
        exhaust(_nothing(), [0])


def _nothing() -> Arrow:
    far = d.granularity("no way", lambda x, y: float("inf"))
    return cast(Arrow, d.transformation(len, d.rows(d.integers(), far), NUMBER, same))
