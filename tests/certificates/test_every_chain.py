"""Any pipeline that the library builds either has a certificate that the checker verifies, or is refused with the reason.

What can no longer happen: a certificate that its own checker refuses, and a pipeline that type-checks and makes `certify`
fail with something else than a refusal. The pipelines are those of a walk over all constructors, so one that is added there
is tried here. The comparison with dpcheck draws from the same walk.
"""

from __future__ import annotations

import re
from random import Random

import pytest

import dpcore as dp
from dpcore.certificates import checker_file
from dpcore.certificates.checker_file import LIMITS, OTHERWISE
from proofs.coq.differential.pipelines.anything.walk import anything
from proofs.coq.differential.pipelines.every import distance
from proofs.coq.differential.pipelines.measures import points
from tests.certificates.tools import CHECKER, rejection

MANY = 40
"""Pipelines of each seed."""


@pytest.mark.parametrize("seed", range(6))
def test_it_is_verified_or_refused_with_the_reason(seed: int) -> None:
    said = [(i, _said(Random(1000 * seed + i))) for i in range(MANY)]
    assert [(i, why) for i, why in said if why not in ("verified", "refused with the reason")] == []
    assert [why for _, why in said].count("verified") > MANY // 2


def _said(dice: Random) -> str:
    """What becomes of one pipeline."""
    m = anything(dice)
    try:
        certificate = dp.certify(m, distance(dice, m), at=points(dice, m.measure.name) or None)
    except (dp.errors.NotCertifiable, dp.errors.Vacuous, dp.errors.NoFiniteLoss) as refused:
        return "refused with the reason" if refused.bridge != OTHERWISE else f"{refused}: {m}"
    except dp.errors.InvalidParameter as refused:  # of a curve that never comes down to the delta that was asked for
        return "refused with the reason" if refused.headline.startswith("no epsilon") else f"{refused}: {m}"
    found = rejection(certificate.text())
    return "verified" if found is None else f"{found}: {m}"


# ---- what is beyond the checker's limits -------------------------------------------------------------------------------

LIMIT = re.compile(
    "more (?:work|noise) than|of more than|too (?:large|small)|so close to|longer than a certificate|nested"
)


def test_each_limit_of_the_checker_has_a_way_out() -> None:
    """Each sentence in which the checker says that something is too much for it."""
    source = CHECKER.read_text(encoding="utf-8")
    said = [why for why in re.findall(r'need\([^\n]*, "([^"]+)"', source) if LIMIT.search(why)]
    assert len(said) >= 8
    assert [why for why in said if not why.startswith(tuple(LIMITS))] == []


COUNT = dp.rows(dp.integers(0, 1)) >> dp.count()


LOUD, LOUDER = (COUNT >> dp.laplace(scale) for scale in ("1/3000", "1/6000"))

BEYOND: list[tuple[str, object, list[int] | None]] = [
    ("exp of more than 8000", dp.compose_advanced([COUNT >> dp.laplace("1/8001")] * 2, slack="1e-6"), None),
    ("exp of more than 8000", dp.compose_optimal([LOUD, LOUDER]).to(dp.Tradeoff), [1]),  # dpcheck says so of the sum
    ("more noise than is summed", COUNT >> dp.gaussian(10**5, measure=dp.Profile), [1]),
]


@pytest.mark.parametrize(("name", "m", "at"), BEYOND)
def test_beyond_a_limit_certify_says_which(name: str, m: object, at: list[int] | None) -> None:
    with pytest.raises(dp.errors.NotCertifiable, match=name) as refused:
        dp.certify(m, at=at)
    assert refused.value.bridge in LIMITS.values()


def test_too_much_work_is_said_when_it_is_certified(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound itself takes seconds to reach; here it is lower."""
    monkeypatch.setitem(checker_file.checker(), "LABOUR", 10)
    with pytest.raises(dp.errors.NotCertifiable, match="more work than a certificate may ask for"):
        dp.certify(COUNT >> dp.laplace(1))
