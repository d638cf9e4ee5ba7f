"""Every pipeline certifies, verifies, and comes back the same; and the checker's numbers are dpcore's."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import cast

import pytest

import dpcore as dp
from dpcore.certificates.certificate import Certificate, certify
from dpcore.errors import NotCertifiable
from dpcore.maps import at_precision, ends, numeral
from tests.certificates.tools import POINTS, certified, checker, measurements, of_example
from tests.laws.arrows import AnyMeasurement

CLOSE = Fraction(1, 10**12)


@pytest.mark.spread(3)
@pytest.mark.parametrize("name", measurements())
def test_every_example(name: str, tmp_path: Path) -> None:
    m, tried = measurements()[name], 0
    for d_in in (1, 2, 3):
        try:
            m.input.metric.check(d_in, m.input.domain)
            found = of_example(name, d_in)
        except (dp.errors.Vacuous, dp.errors.InvalidDistance, dp.errors.NoFiniteLoss, NotCertifiable):
            continue
        tried += 1
        lines, (derived,) = checker.verify(found.text())
        assert lines
        sought = b'"witness": {\n' in found.text()
        _same_numbers(m, d_in, derived, CLOSE if sought else Fraction(0))
        assert certified(m, d_in) == found
        found.save(tmp_path / "c.json")
        assert Certificate.load(tmp_path / "c.json") == found
        assert (tmp_path / "c.json").read_bytes() == found.text()
    if not tried:
        with pytest.raises((NotCertifiable, dp.errors.Vacuous)):
            certified(m, 2)


def _same_numbers(m: AnyMeasurement, d_in: int, derived: list[Fraction], better: Fraction) -> None:
    """The checker's bounds are at or above the exact values, and above dpcore's enclosures by next to nothing.

    Where the certificate brought a witness of its own, as good as dpcore's, it may be the better by next to nothing.
    """
    loss = m.loss(d_in)
    if isinstance(loss, (dp.types.ProfileLoss, dp.types.TradeoffLoss)) or type(loss).__name__ == "RenyiLoss":
        points = POINTS[m.measure.name]
        curve = {"renyi": "epsilon", "profile": "delta", "tradeoff": "beta"}[m.measure.name]
        bounds = [getattr(loss, curve)(x) for x in points]
    else:
        bounds = [figure for _, figure in loss.figures()]
        derived = [_root(x) for x in derived] if m.measure.name == "gaussian" else derived
    for bound, f in zip(bounds, derived, strict=True):
        low, high = _precisely(bound)
        if m.measure.name == "tradeoff":
            assert low * (1 - CLOSE) <= f <= high * (1 + better)
        else:
            assert low * (1 - better) <= f <= high * (1 + CLOSE) + Fraction(1, 10**300)


def _precisely(bound: dp.types.Bound) -> tuple[Fraction, Fraction]:
    return at_precision(400, lambda: ends(bound.at()))


def _root(x: Fraction) -> Fraction:
    return checker.root(x)


def test_the_same_pipeline_gives_the_same_bytes() -> None:
    def total() -> object:
        return dp.rows(dp.integers()) >> dp.clamp(0, 120) >> dp.sum() >> dp.laplace(scale=120)

    assert certify(total()).text() == certify(total()).text()
    assert certify(total(), 2) != certify(total(), 1)


def test_first_lines_name_what_ignores_the_noise() -> None:
    rows = dp.rows(dp.text(), metric=dp.ChangeOneDistance())
    found = certify(rows >> dp.count() >> dp.laplace(scale=1))
    attention = cast("list[str]", found.data["attention"])
    assert any("number of rows is public" in line for line in attention)
    assert any("does not depend" in line for line in attention)
    lines, _ = checker.verify(found.text())
    assert lines[1].startswith("attention: ")
    assert found.text().decode().splitlines()[2].lstrip().startswith('"attention"')


def test_a_claim_of_an_exact_number_is_exact() -> None:
    found = certify(dp.rows(dp.text()) >> dp.count() >> dp.laplace(scale=3))
    assert found.data["claims"] == [{"d_in": "1", "loss": {"epsilon": "1/3"}, "measure": "pure"}]


def test_a_claim_is_rounded_up() -> None:
    m = dp.value(dp.booleans(), dp.DiscreteDistance()) >> dp.randomized_response("3/4")
    claim = cast("list[dict[str, dict[str, str]]]", certify(m).data["claims"])[0]["loss"]["epsilon"]
    low, high = at_precision(400, lambda: ends(m.loss(1).epsilon.at()))
    assert high < Fraction(claim) < low * (1 + Fraction(1, 10**16))
    assert numeral(Fraction(claim)) is not None


def test_an_order_that_was_named_is_kept() -> None:
    noisy = dp.rows(dp.text()) >> dp.count() >> dp.gaussian(sigma=2)
    found = certify(noisy.to(dp.ApproxDP, delta="1e-6", alpha=5))
    assert '"alpha": "5"' in found.text().decode()
    checker.verify(found.text())


@pytest.mark.parametrize("approximate", [False, True])
def test_nothing_is_lost_exactly_from_epsilon_on(approximate: bool) -> None:
    noisy = dp.rows(dp.integers()) >> dp.count() >> dp.laplace(scale=3)
    profile = noisy.to(dp.ApproxDP).to(dp.Profile) if approximate else noisy.to(dp.Profile)
    _, [figures] = checker.verify(certify(profile, 1, at=["1/4", "1/3", "1/2"]).text())
    assert figures[0] > 0
    assert figures[1:] == [0, 0]


COUNT = dp.rows(dp.integers()) >> dp.count()
PUBLIC = dp.rows(dp.integers(), dp.ChangeOneDistance()) >> dp.count() >> dp.laplace(scale=1)
TINY = dp.rows(dp.integers(), dp.ChangeOneDistance()) >> dp.name_and_shame(f"1/{10**300}")


@pytest.mark.parametrize(
    ("m", "at"),
    [
        (PUBLIC.to(dp.GaussianDP).to(dp.ZCDP), None),  # of nothing, half is nothing
        ((COUNT >> dp.laplace(scale="1/40")).to(dp.GaussianDP), None),
        (dp.compose_optimal([TINY.to(dp.ApproxDP)] * 3), [0, "1/2"]),
    ],
)
def test_nothing_at_all_and_next_to_nothing_and_very_much(m: AnyMeasurement, at: list[str] | None) -> None:
    checker.verify(certify(m, 1, at=at).text())


def test_far_out_both_tails_of_the_normal_distribution_count() -> None:
    """x/mu + mu/2 is about 47 here, and x/mu - mu/2 about 0."""
    profile = dp.group_privacy((COUNT >> dp.laplace(scale="1/20")).to(dp.GaussianDP)).to(dp.Profile)
    checker.verify(certify(profile, 4, at=[1100]).text())
