"""What certifies is verified within the checkers' limits of labour, of curves in particular, or is refused with the reason.

The class of faults that can no longer happen: a certificate that `certify` hands out and a checker leaves undecided, since
the labour that is counted forgets what is remembered from before, or what takes the proved checker long (terms of sums of
noise, lines of curves step by step, sums of unequal losses). The edge is tried from both sides, at the public call.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import dpcore as dp
from dpcore.certificates import checker_file
from dpcore.certificates.certificate import Certificate
from tests.certificates.test_agreement import DPCHECK, with_dpcheck
from tests.certificates.tools import checker, rejection

d: Any = dp
TEXTS = d.rows(d.text())
COUNT = TEXTS >> d.count()
HALVES = d.rows(d.numbers(0, 1, "1/2"))
REGIONS = d.rows(d.categories("N", "E"))
NOISY = REGIONS >> d.count() >> d.laplace(9)
POINTS = ["1/10", "1/2"]


def curve(sigma: int) -> Any:
    return COUNT >> d.gaussian(sigma=sigma, measure=dp.Profile)


def unequal(n: int) -> Any:
    return d.compose_optimal([COUNT >> d.laplace(scale=10 + i) for i in range(n)])


def group(m: Any, k: int) -> Certificate:
    return dp.certify(d.group_privacy(m), k, at=POINTS)


def parts(m: Any, k: int) -> Certificate:
    return dp.certify(REGIONS >> d.partition() >> d.parallel(m), k, at=POINTS)


FAMILIES: dict[str, Callable[[], Certificate]] = {
    "gaussian": lambda: dp.certify(curve(300), 5, at=POINTS),
    "gaussian on a fine grid": lambda: dp.certify(
        HALVES >> d.sum() >> d.gaussian(30, measure=dp.Profile), 3, at=POINTS
    ),
    "gaussian, far out": lambda: dp.certify(curve(20), 1, at=[7]),
    "gaussian, group": lambda: group(curve(100), 20),
    "gaussian, trade-off, group": lambda: group(curve(10).to(dp.Tradeoff), 12),
    "gaussian, trade-off, in between, group": lambda: dp.certify(
        d.group_privacy(curve(100).to(dp.Tradeoff).then(str)), 4, at=POINTS
    ),
    "unequal, trade-off, in between, group": lambda: dp.certify(
        d.group_privacy(d.compose([unequal(4).to(dp.Tradeoff)])), 3, at=POINTS
    ),
    "zcdp, trade-off, group": lambda: group((COUNT >> d.gaussian(50)).to(dp.Profile).to(dp.Tradeoff), 3),
    "laplace, trade-off, group": lambda: group((COUNT >> d.laplace(99)).to(dp.Tradeoff), 300),
    "zcdp, orders, group": lambda: dp.certify(d.group_privacy((COUNT >> d.gaussian(50)).to(dp.RenyiDP)), 50, at=[2, 7]),
    "unequal": lambda: dp.certify(unequal(7), 2, at=POINTS),
    "unequal, in ApproxDP": lambda: dp.certify(unequal(20).to(dp.ApproxDP, delta="1e-6")),
    "two scales, fifty times": lambda: dp.certify(
        d.compose_optimal([COUNT >> d.laplace(40)] * 50 + [COUNT >> d.laplace(80)] * 50), at=["1/2"]
    ),
    "parallel": lambda: parts(NOISY.to(dp.Profile), 4),
    "parallel, noise of a curve": lambda: parts(REGIONS >> d.count() >> d.gaussian(90, measure=dp.Profile), 4),
    "compose": lambda: dp.certify(d.compose([curve(200)]), 3, at=POINTS),
    "adaptive": lambda: dp.certify(
        d.group_privacy(d.adaptive(REGIONS, [(dp.pure(1), lambda seen: NOISY)]).to(dp.Tradeoff)), 9, at=POINTS
    ),
    "jointly": lambda: dp.certify(
        d.group_privacy(
            d.compose_jointly([d.after(REGIONS >> d.filter(d.row().isin("N")), NOISY)] * 2, joint=[[1, 1]]).to(
                dp.Tradeoff
            )
        ),
        9,
        at=POINTS,
    ),
}


def asked() -> int:
    """What the last certificate asked for where it was made."""
    spent = checker_file.checker()["SPENT"]
    assert isinstance(spent, list)
    return int(spent[0])


@pytest.mark.parametrize("name", FAMILIES)
def test_the_edge_is_where_the_labour_is_spent(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """With one unit more than it asks for it certifies and is verified; with one less it is refused, with a way out."""
    verified = FAMILIES[name]().text()
    names, spent = checker_file.checker(), asked()
    assert rejection(verified) is None
    monkeypatch.setitem(names, "LABOUR", spent + 1)
    assert FAMILIES[name]().text() == verified
    monkeypatch.setitem(names, "LABOUR", spent)
    with pytest.raises(dp.errors.NotCertifiable, match="more work than a certificate may ask for") as refused:
        FAMILIES[name]()
    assert refused.value.bridge in checker_file.LIMITS.values()


@pytest.mark.parametrize("name", FAMILIES)
def test_a_certificate_costs_the_same_whatever_was_checked_before(name: str) -> None:
    written = FAMILIES[name]().text()
    costs = []
    for _ in range(2):
        checker_file.figures_of_checker(written)
        checker.verify(written)
        costs.append((asked(), checker.SPENT[0]))
    assert costs[0] == costs[1]
    assert costs[0][0] >= costs[0][1]


@with_dpcheck
@pytest.mark.long
@pytest.mark.parametrize("name", FAMILIES)
def test_dpcheck_decides_in_its_share_of_a_minute(name: str, tmp_path: Path) -> None:
    """So that it decides in a minute whatever costs no more than is allowed."""
    certificate = FAMILIES[name]()
    certificate.save(tmp_path / "x.json")
    share = 60 * asked() / checker.LABOUR
    command = [str(DPCHECK), "--seconds", str(1 + share), str(tmp_path / "x.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.partition(":")[0]) == (0, "verified")


def test_sums_that_are_kept_from_step_to_step_are_paid_once() -> None:
    """dpcheck asks once for all steps what is below a conversion; where something stands between, at every step."""
    noise = curve(100).to(dp.Tradeoff)
    paid = []
    for m in (noise, noise.then(str)):
        dp.certify(d.group_privacy(m), 8, at=["1/10"])
        paid.append(asked())
    assert 3 * paid[0] < paid[1]


@with_dpcheck
@pytest.mark.long
def test_eighty_steps_of_a_gaussian_curve_certify_and_are_decided(tmp_path: Path) -> None:
    """Not priced as if the noise were summed anew at every step, which refused what dpcheck decides."""
    group(curve(10).to(dp.Tradeoff), 80).save(tmp_path / "x.json")
    done = subprocess.run([str(DPCHECK), str(tmp_path / "x.json")], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.partition(":")[0]) == (0, "verified")


def far_out(points: int) -> Certificate:
    return dp.certify(curve(1), at=[90 + Fraction(i, points) for i in range(points)])


def test_points_of_a_curve_are_paid_though_hardly_anything_is_summed() -> None:
    """dpcheck works out exponentials anew at each: of 2,048 points it took more than a minute, of which nobody was told."""
    assert rejection(far_out(256).text()) is None
    with pytest.raises(dp.errors.NotCertifiable) as refused:
        far_out(2048)
    assert "more work than a certificate may ask for" in str(refused.value)
    assert refused.value.bridge is not None
    assert "fewer points of a curve" in refused.value.bridge


def test_what_was_made_before_verifies(monkeypatch: pytest.MonkeyPatch) -> None:
    """The price of the other checker is asked where certificates are made, and nowhere else."""
    wide = d.group_privacy((COUNT >> d.gaussian(30_000, measure=dp.Profile)).to(dp.Tradeoff))
    with pytest.raises(dp.errors.NotCertifiable, match="more work than a certificate may ask for"):
        dp.certify(wide, at=POINTS)
    monkeypatch.setitem(checker_file.checker(), "ELSEWHERE", 0)
    assert rejection(dp.certify(wide, at=POINTS).text()) is None


def test_a_small_loss_has_a_trade_off_curve_that_certifies() -> None:
    """Orders that are best far out, where the searches looked, are not followed at small epsilons; the witness has none."""
    for sigma in (5, 50, 5000):
        curve_of = (COUNT >> d.gaussian(sigma)).to(dp.Profile).to(dp.Tradeoff)
        assert rejection(dp.certify(curve_of, at=POINTS).text()) is None


def test_a_delta_next_to_nothing_of_a_trade_off_curve_is_refused() -> None:
    """What is left of it comes from the points of the curve alone, and the checkers do not agree on it."""
    through = (COUNT >> d.laplace(596)).to(dp.Tradeoff).to(dp.Profile)
    with pytest.raises(dp.errors.NotCertifiable, match="so close to 0 is not followed from a trade-off") as refused:
        dp.certify(through, 2, at=["87/100"])
    assert refused.value.bridge in checker_file.LIMITS.values()
    assert rejection(dp.certify((COUNT >> d.laplace(596)).to(dp.Profile), 2, at=["87/100"]).text()) is None
