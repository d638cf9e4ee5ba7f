"""`measurement.distribution(data)`: exact where rational, enclosed elsewhere, refused where it cannot be written out."""

from __future__ import annotations

import copy
import math
import random
import threading
from collections import Counter
from fractions import Fraction
from functools import cache

import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

import dpcore as dp
from dpcore.assurance.universe import members
from dpcore.distributions import Distribution, settled
from dpcore.noise import discrete_laplace
from dpcore.noise.bits import SeededBits, system_bits
from tests.assurance.arrows import AB, COIN, d
from tests.laws.arrows import AnyMeasurement, measurement
from tests.laws.catalogue import MEASUREMENTS

NOISY = AB >> dp.count() >> dp.laplace(scale="1/2")


def test_rationals_are_exact() -> None:
    coin = (COIN >> dp.randomized_response("3/4")).distribution(True)
    assert dict(coin.items()) == {True: Fraction(3, 4), False: Fraction(1, 4)}
    assert coin.complete
    assert coin.left_out == 0
    row = (dp.rows(dp.categories("a", "b"), dp.ChangeOneDistance(), 3) >> dp.random_row()).distribution(["a", "b", "a"])
    assert row.probability("a") == Fraction(2, 3)
    assert row.probability("c") == 0


@given(st.fractions("1/5", 3, max_denominator=9), st.integers(0, 3))
def test_noise_has_the_probabilities_that_are_stated(scale: Fraction, rows: int) -> None:
    found = (AB >> dp.count() >> dp.laplace(scale=scale)).distribution(["a"] * rows)
    for release, probability in found.items():
        assert isinstance(release, int)
        stated = discrete_laplace.mass(scale, release - rows, 200)
        assert probability.lower <= Fraction(str(stated.mid().str(50, radius=False))) + Fraction(1, 10**45)
        assert probability.upper >= Fraction(str(stated.mid().str(50, radius=False))) - Fraction(1, 10**45)


EXAMPLES = {example.name: example for example in MEASUREMENTS}


@cache
def tried(name: str) -> tuple[AnyMeasurement, object, Distribution]:
    """A measurement of the catalogue, data, and the distribution of what is released of them."""
    example = EXAMPLES[name]
    m = measurement(example.build())
    data = members(m.input, example.atoms, 1)[-1]
    return m, data, m.distribution(data)


@pytest.mark.spread(3)
@pytest.mark.parametrize("name", EXAMPLES)
def test_everything_adds_up_to_one(name: str) -> None:
    _, _, found = tried(name)
    together = sum((p.upper for _, p in found.items()), found.left_out)
    assert 1 <= together < 1 + Fraction(1, 10**8)
    assert found.left_out < Fraction(1, 10**8)


@pytest.mark.spread(3)
@pytest.mark.parametrize("name", EXAMPLES)
def test_releases_are_as_likely_as_stated(name: str) -> None:
    """400 releases of a fixed seed: no outcome is off by more than seven standard deviations, or unknown."""
    m, data, found = tried(name)
    bits, n = SeededBits(1), 400
    seen = Counter(settled(m.release(data, bits=bits)) for _ in range(n))
    for outcome, times in seen.items():
        p = found.floats[outcome]
        assert abs(times - n * p) <= 7 * (n * p * (1 - p)) ** 0.5 + 7, (outcome, times, n * p)


def test_another_thread_releases_as_always() -> None:
    """While a distribution is computed, every other source of bits is served by the sampler itself."""
    seen: list[int] = []

    def slow(release: int) -> int:
        if not seen:
            worker = threading.Thread(target=lambda: seen.append(NOISY.release(["a"], bits=SeededBits(3))))
            worker.start()
            worker.join()
        return release

    sampler = discrete_laplace.two_sided
    assert len(NOISY.then(slow).distribution(["a"])) == len(NOISY.distribution(["a"]))
    assert seen == [NOISY.release(["a"], bits=SeededBits(3))]
    assert discrete_laplace.two_sided is sampler
    assert isinstance(discrete_laplace.two_sided(1, 1, system_bits()), int)


def test_the_samplers_are_back_after_a_failure() -> None:
    sampler = discrete_laplace.two_sided
    with pytest.raises(dp.errors.UserFunctionFailed):
        NOISY.then(lambda release: 1 // 0).distribution([])
    assert discrete_laplace.two_sided is sampler


def test_what_cannot_be_written_out_is_refused() -> None:
    with pytest.raises(dp.errors.NoDistribution, match="coins of its own"):
        NOISY.then(lambda release: release + random.randint(0, 99)).distribution([])
    with pytest.raises(dp.errors.NoDistribution, match="too wide"):
        (AB >> dp.count() >> dp.laplace(scale=10**6)).distribution([])
    with pytest.raises(dp.errors.NoDistribution, match="cannot be told apart"):
        NOISY.then(lambda release: bytearray(b"x")).distribution([])
    many = dp.value(dp.vector(dp.integers(), 200), dp.L1Distance()) >> dp.laplace(scale=1)
    with pytest.raises(dp.errors.NoDistribution, match="too many outcomes"):
        many.distribution([0] * 200)
    with pytest.raises(dp.errors.NoDistribution, match="ways this release can go"):
        dp.compose([AB >> dp.count() >> dp.laplace(scale=20)] * 4).distribution([])
    with pytest.raises(dp.errors.FreeSymbols):
        (AB >> dp.count() >> d.laplace(scale=d.symbol("b"))).distribution([])
    with pytest.raises(dp.errors.InvalidData):
        NOISY.distribution(["c"])


def test_noise_that_is_too_wide_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[int]()
    mass = discrete_laplace.mass

    def counting(scale: int | Fraction, z: int, prec: int) -> arb:
        asked.append(z)
        return mass(scale, z, prec)

    monkeypatch.setattr(discrete_laplace, "mass", counting)
    with pytest.raises(dp.errors.NoDistribution, match="too wide"):
        (AB >> dp.count() >> dp.laplace(scale=10**6 + 1)).distribution([])
    assert len(asked) == 1


def test_it_prints_what_it_is() -> None:
    assert repr((COIN >> dp.randomized_response("3/4")).distribution(True)) == "<Distribution of 2 outcomes>"
    assert "others at most" in repr(NOISY.distribution([]))


@pytest.mark.parametrize(("one", "other"), [
    (0.0, -0.0), ({"a": 1, "b": 2}, {"b": 2, "a": 1}), ([1], (1,)), (1, True), ([0.0], [-0.0]), (1, 1.0),
])  # fmt: skip
def test_what_can_be_told_apart_is_told_apart(one: object, other: object) -> None:
    assert settled(one) != settled(other)
    assert settled(one) == settled(copy.deepcopy(one))


def test_what_is_no_number_is_itself() -> None:
    assert settled(math.nan) == settled(float("nan"))
