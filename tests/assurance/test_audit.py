"""`audit` bounds a loss from below by releases alone. A bound is wrong with probability 1e-9, and seeds are fixed."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import cast

import numpy as np
import pytest
from flint import arb, ctx

import dpcore as dp
from dpcore.assurance import audit
from dpcore.assurance.intervals import surely_above, surely_below
from dpcore.assurance.sampling import many_releases
from dpcore.assurance.universe import members
from dpcore.core.origins import Arrow
from dpcore.distributions import settled
from dpcore.noise.bits import BitSource, SeededBits
from tests.assurance.arrows import AB, COIN, d
from tests.assurance.copies import with_fault
from tests.laws.arrows import measurement
from tests.laws.catalogue import MEASUREMENTS, Example

SURE = "0.999999999"
N = 20_000
WHOLE = dp.value(dp.integers(), dp.AbsoluteDistance())
NOISY = AB >> dp.count() >> dp.laplace(scale=1)


# ---- the interval ------------------------------------------------------------------------------------------------------


def tail(k: int, n: int, p: Fraction) -> Fraction:
    """P(X >= k), term by term."""
    return sum((Fraction(math.comb(n, i)) * p**i * (1 - p) ** (n - i) for i in range(k, n + 1)), Fraction(0))


@pytest.mark.parametrize("n", [1, 7, 40])
@pytest.mark.parametrize("level", [Fraction(1, 20), Fraction(1, 10**9)])
def test_clopper_pearson_by_its_definition(n: int, level: Fraction) -> None:
    for k in range(n + 1):
        low, high = surely_above(k, n, level), surely_below(k, n, level)
        assert 0 <= low <= Fraction(k, n) <= high <= 1
        assert k == 0 or tail(k, n, low) <= level < tail(k, n, low * (1 + Fraction(1, 10**6)))
        assert k == n or tail(n - k, n, 1 - high) <= level
    assert all(a < b for a, b in pairwise(surely_above(k, n, level) for k in range(n + 1)))


def test_clopper_pearson_where_it_has_a_closed_form() -> None:
    """All of a million succeeded: p^n = level."""
    n, level = 10**6, Fraction(1, 10**9)
    low = surely_above(n, n, level)
    with ctx.workprec(200):
        exact = (arb(1) / arb(10) ** 9) ** (arb(1) / n)
        assert abs(float(low) - float(exact)) < 1e-12
    assert surely_above(0, n, level) == 0
    assert surely_below(0, n, level) == 1 - low


# ---- below the claim, and near it --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("m", "x", "y", "share"),
    [
        (NOISY, ["a"], ["a", "a"], 0.8),
        (COIN >> dp.randomized_response("3/4"), False, True, 0.8),
        (WHOLE >> dp.laplace(scale=10**6), 0, 10**6, 0.7),
        (NOISY & NOISY, ["a"], [], 0.8),
        (dp.rows(dp.categories("a", "b"), dp.ChangeOneDistance()) >> dp.name_and_shame("1/4"), ["a"], ["b"], 0.8),
        (WHOLE >> dp.gaussian(sigma=1), 0, 1, 0.3),
    ],
)
def test_a_sound_claim_stands_and_a_tight_one_is_neared(m: Arrow, x: object, y: object, share: float) -> None:
    found = audit(m, x, y, n=N, confidence=SURE, bits=SeededBits(5))
    assert found.claimed is not None
    assert not found.exceeded
    assert share * float(found.claimed) < float(found.bound) <= float(found.claimed)
    assert found.event.of == N // 2
    assert "claimed" in str(found)
    assert "EXCEEDED" not in str(found)


@pytest.mark.long
def test_the_same_seed_gives_the_same_audit() -> None:
    again = [audit(NOISY, ["a"], [], n=1000, bits=SeededBits(2)) for _ in range(2)]
    assert again[0] == again[1]


# ---- faults ------------------------------------------------------------------------------------------------------------


def half_scale(data: object, *, scale: Fraction, step: Fraction, bits: BitSource) -> object:
    run = cast(Arrow, NOISY).derivation.premises[-1].rule.run
    return run(data, scale=Fraction(scale) / 2, step=step, bits=bits)


def never_lies(value: object, *, answers: tuple[object, ...], p: Fraction, bits: BitSource) -> object:
    return value if value == answers[-1] or bits.below(4) else answers[-1]


def test_half_the_scale_exceeds() -> None:
    found = audit(with_fault(NOISY, "laplace", run=half_scale), ["a"], [], n=N, confidence=SURE, bits=SeededBits(1))
    assert found.exceeded
    assert "EXCEEDED" in str(found)


def test_an_answer_without_noise_exceeds() -> None:
    coin = COIN >> dp.randomized_response("3/4")
    found = audit(with_fault(coin, "randomized_response", run=never_lies), False, True, n=N, bits=SeededBits(1))
    assert found.exceeded


def test_noise_that_is_used_twice_exceeds() -> None:
    """Two counts that share their noise: their difference is exact."""

    def counts(rows: Sequence[str]) -> tuple[int, int]:
        noise = dice.randint(-20, 20)
        return rows.count("a") + noise, rows.count("b") + noise

    dice = random.Random(1)
    m = d.measurement(counts, AB, d.PureDP(), lambda x: x / 10)
    assert audit(m, ["a"], [], n=N, confidence=SURE).exceeded


def test_floats_as_noise_exceed() -> None:
    """Laplace noise computed with floats: a release below 1 in size has more binary places than 1 plus noise can have."""
    dice = random.Random(1)

    def noisy(x: float) -> float:
        u = dice.random() - 0.5
        return x - math.copysign(1, u) * math.log(1 - 2 * abs(u))

    found = audit(noisy, 0.0, 1.0, n=N, confidence=SURE, claimed=dp.pure(1))
    assert found.exceeded
    assert "binary places" in found.event.statistic


# ---- any callable ------------------------------------------------------------------------------------------------------


def test_any_callable_may_be_audited_one_by_one_or_at_once() -> None:
    rng = np.random.default_rng(3)
    one = audit(lambda x: int(x + rng.integers(0, 2)), 0, 1, n=1000, claimed=dp.pure(1))
    assert one.exceeded
    many = audit(abs, 0, 1, n=N, many=lambda x, n: list(x + rng.geometric(0.5, n)), confidence=SURE)
    assert many.claimed is None
    assert not many.exceeded
    assert "claimed: nothing" in str(many)
    with pytest.raises(dp.errors.InvalidParameter, match="at once"):
        audit(abs, 0, 1, n=1000, many=lambda x, n: [0])


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    audit(NOISY, ["a"], [], n=200_000, progress=lambda done, of: told.append((done, of)))
    assert told[-1] == (400_000, 400_000)
    assert len(told) > 4
    assert [done for done, _ in told] == sorted(done for done, _ in told)


@pytest.mark.long
def test_progress_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    audit(NOISY, ["a"], [], n=100_000)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    audit(NOISY, ["a"], [], n=100_000)
    assert "200,000 of 200,000 releases" in capsys.readouterr().err


@pytest.mark.parametrize(
    "made",
    [
        lambda: audit(3, 0, 1),  # type: ignore[arg-type]
        lambda: audit(dp.count(), [], ["a"]),  # type: ignore[arg-type]
        lambda: audit(NOISY, ["a"], [], n=10),
        lambda: audit(NOISY, ["a"], [], confidence=1),
        lambda: audit(NOISY, ["a"], [], delta=1),
        lambda: audit(NOISY, ["a"], [], delta=-1),
        lambda: audit(NOISY, ["a"], [], many=lambda x, n: [0] * n),
        lambda: audit(NOISY.to(dp.Profile).to(dp.ApproxDP, epsilon="1/2"), ["a"], [], delta="1/1000"),
        lambda: audit(dp.rows(dp.text(), dp.ChangeOneDistance()) >> dp.name_and_shame("1/2"), ["a"], []),
        lambda: audit(len, [], [1], claimed=dp.zcdp(1)),
    ],
)
def test_odd_questions_are_refused(made: object) -> None:
    assert callable(made)
    with pytest.raises(dp.errors.InvalidParameter):
        made()


# ---- many releases at once ---------------------------------------------------------------------------------------------


@pytest.mark.spread(12)
@pytest.mark.parametrize("example", MEASUREMENTS, ids=lambda e: e.name)
def test_releases_at_once_are_as_likely_as_stated(example: Example) -> None:
    """600 of a fixed seed: no outcome is off by more than seven standard deviations, or unknown."""
    m = measurement(example.build())
    data = members(m.input, example.atoms, 1)[-1]
    found, n = m.distribution(data), 600
    releases = many_releases(m, data, n, SeededBits(4))
    assert len(releases) == n
    plain = releases.tolist() if isinstance(releases, np.ndarray) else releases
    seen: dict[object, int] = {}
    for release in plain:
        seen[settled(release)] = seen.get(settled(release), 0) + 1
    known = dict(found.floats)
    for outcome, times in seen.items():
        p = known.get(outcome, 0.0)
        assert abs(times - n * p) <= 7 * (n * p * (1 - p)) ** 0.5 + 7, (outcome, times, n * p)
