"""Many draws: they fit the masses, and one seed gives the same draws, whatever was drawn before."""

from __future__ import annotations

import threading
from collections.abc import Callable
from fractions import Fraction
from math import isqrt

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from dpcore.noise import discrete_gaussian, discrete_laplace, samples, strips
from dpcore.noise.bits import BitSource, SeededBits, SystemBits
from dpcore.noise.fixed_point import Int64s
from dpcore.noise.samples import add
from dpcore.noise.trials import Draws
from tests.noise.layouts import CASES, Case
from tests.noise.pinned import PINNED
from tests.noise.tools import mutant, p_value

SAMPLERS: dict[str, Callable[[Fraction, int, BitSource], Draws]] = {
    "laplace": samples.laplace,
    "gaussian": samples.gaussian,
}


def drawn(case: Case, n: int, bits: BitSource) -> Int64s:
    kind, parameter = case
    values = SAMPLERS[kind](parameter, n, bits)
    assert isinstance(values, np.ndarray)
    assert values.dtype == np.int64
    assert len(values) == n
    return values


def cells(case: Case, width: int, count: int) -> dict[tuple[int, bool], arb]:
    """The probabilities of |z| from i * width up to the next, by sign, 0 counting as positive."""
    kind, parameter = case
    module = discrete_laplace if kind == "laplace" else discrete_gaussian
    found: dict[tuple[int, bool], arb] = {}
    with ctx.workprec(200):
        zero = module.mass(parameter, 0)
        tails = [module.tail(parameter, i * width) for i in range(count + 1)]
        for i in range(count):
            both = tails[i] - tails[i + 1]
            found[i, False] = (both + zero) / 2 if i == 0 else both / 2
            found[i, True] = (both - zero) / 2 if i == 0 else both / 2
    return found


@pytest.mark.parametrize("case", CASES)
def test_they_fit(case: Case) -> None:
    kind, parameter = case
    scale = int(parameter) if kind == "laplace" else isqrt(int(parameter))
    z = drawn(case, 10**6, SeededBits(51))
    width = max(1, scale // 8)
    found = zip((abs(z) // width).tolist(), (z < 0).tolist(), strict=True)
    assert p_value(found, cells(case, width, 100)) > 1e-9
    if scale >= 1000:  # within a strip: the lowest bits are uniform but for a factor of 1 +- 16/scale
        assert p_value((z % 16).tolist(), {i: arb(fmpq(1, 16)) for i in range(16)}) > 1e-9


@pytest.mark.parametrize("case", [("laplace", Fraction(1000)), ("gaussian", Fraction(10**6))])
def test_they_fit_within_the_strips(case: Case) -> None:
    """|z| one by one, near 0 and elsewhere: a layout that were flat within its strips would be seen."""
    z = abs(drawn(case, 4 * 10**6, SeededBits(52)))
    module = discrete_laplace if case[0] == "laplace" else discrete_gaussian
    for start in (1, 1000):
        values = z[(z >= start) & (z < start + 512)] - start
        with ctx.workprec(100):
            masses = [module.mass(case[1], start + i, 64) for i in range(512)]
            total = sum(masses, start=arb(0))
            by_16 = {i: sum(masses[16 * i : 16 * i + 16], start=arb(0)) / total for i in range(32)}
        assert p_value((values // 16).tolist(), by_16) > 1e-9


@pytest.mark.parametrize("case", [("laplace", Fraction(7, 3)), ("gaussian", Fraction(50))])
@pytest.mark.parametrize("n", [1, samples.FEW - 1, samples.FEW, 1000])
def test_any_number_of_them_fits(case: Case, n: int) -> None:
    """Whichever way is taken, at whatever length: none of the first or last places is special."""
    bits = SeededBits(53)
    runs = 4000 if n == 1 else 400
    kept = [drawn(case, n, bits) for _ in range(runs)]
    for place in {0, n // 2, n - 1}:
        z = np.array([run[place] for run in kept])
        found = zip(abs(z).tolist(), (z < 0).tolist(), strict=True)
        assert p_value(found, cells(case, 1, 100)) > 1e-9


def test_draws_are_uncorrelated() -> None:
    for case in (("laplace", Fraction(10)), ("gaussian", Fraction(10**6))):
        z = drawn(case, 10**6, SeededBits(54)).astype(np.float64)
        z /= z.std()
        for lag in (1, 2, 3, 7, 1 << 14, 1 << 16):
            assert abs(float((z[lag:] * z[:-lag]).mean())) < 7e-3


@pytest.mark.parametrize(("kind", "n", "parameter"), PINNED)
def test_the_first_draws_are_pinned(kind: str, n: int, parameter: str) -> None:
    for _ in range(2):
        values = SAMPLERS[kind](Fraction(parameter), n, SeededBits(55))
        assert list(values)[:64] == PINNED[kind, n, parameter]
        strips.strips.cache_clear()  # and whether a layout was there does not matter


def test_few_draws_are_the_scalar_ones() -> None:
    many, one = SeededBits(56), SeededBits(56)
    assert list(samples.laplace(9, 99, many)) == [discrete_laplace.sample(9, one) for _ in range(99)]
    assert list(samples.gaussian(9, 99, many)) == [discrete_gaussian.sample(9, one) for _ in range(99)]


def test_one_draw_makes_no_layout() -> None:
    strips.strips.cache_clear()
    samples.laplace(1000, 1, SeededBits(57))
    samples.gaussian(1000, 1, SeededBits(57))
    assert strips.strips.cache_info().misses == 0


@pytest.mark.parametrize("scale", [2**57, 10**18, 10**40, Fraction(10**60, 7)])
def test_huge_scales_give_what_they_give(scale: int | Fraction) -> None:
    values = list(samples.laplace(scale, 1000, SeededBits(58)))
    assert len(values) == 1000
    large = list(samples.gaussian(scale * scale, 1000, SeededBits(58)))
    if scale >= 10**19:
        assert all(type(x) is int for x in values + large)
    assert 0.8 < float(sum(abs(int(x)) for x in values) / 1000 / scale) < 1.2
    assert 0.8 < float(sum(int(x) ** 2 for x in large) / 1000 / scale / scale) < 1.2


def test_tiny_scales_give_zero() -> None:
    for scale in (Fraction(1, 10**6), Fraction(1, 10**40)):
        assert not drawn(("laplace", scale), 1000, SeededBits(59)).any()
        assert not drawn(("gaussian", scale), 1000, SeededBits(59)).any()


def test_what_is_no_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="Expected a positive scale but got scale=0"):
        samples.laplace(0, 1000, SeededBits(0))
    with pytest.raises(ValueError, match="Expected a positive sigma_squared but got sigma_squared=-1"):
        samples.gaussian(-1, 1000, SeededBits(0))
    with pytest.raises(TypeError, match=r"Expected an int or a Fraction but got scale=1\.0"):
        samples.laplace(1.0, 1000, SeededBits(0))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="Expected a number of draws but got n=-1"):
        samples.laplace(1, -1, SeededBits(0))


# ---- threads, forks, entropy: see also test_bits ---------------------------------------------------------------


def test_threads_share_a_source_and_the_layouts() -> None:
    source = SystemBits()
    strips.strips.cache_clear()
    start = threading.Barrier(6)
    found: list[Int64s] = []

    def work() -> None:
        start.wait()
        found.append(drawn(("laplace", Fraction(10**15)), 20_000, source))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    values = np.concatenate(found)
    assert len(values) == 120_000
    # Of 120,000 draws of scale 10^15, a pair agrees with probability 4e-6; the same bytes twice would repeat thousands.
    assert len(np.unique(values)) >= len(values) - 2
    assert p_value(zip((abs(values) // 10**14).tolist(), (values < 0).tolist(), strict=True),
                   cells(("laplace", Fraction(10**15)), 10**14, 100)) > 1e-9  # fmt: skip


@pytest.mark.parametrize("case", [("laplace", Fraction(1000)), ("gaussian", Fraction(10**6))])
def test_without_entropy_there_is_no_noise(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(n: int) -> bytes:
        raise OSError("no entropy")

    monkeypatch.setattr("os.urandom", fail)
    for n in (1, 1000, 200_000):
        with pytest.raises(OSError, match="no entropy"):
            drawn(case, n, SystemBits())


class Ends(BitSource):
    """A million bytes, then no more."""

    def __init__(self) -> None:
        self._left = 10**6

    def bits(self, k: int) -> int:
        return (1 << k) - 1

    def fill(self, out: memoryview) -> None:
        if self._left < len(out):
            raise EOFError
        self._left -= len(out)


@pytest.mark.parametrize("kind", SAMPLERS)
def test_a_source_that_ends_amid_a_run_raises(kind: str) -> None:
    with pytest.raises(EOFError):
        SAMPLERS[kind](Fraction(1000), 10**6, Ends())


# ---- sums with values ------------------------------------------------------------------------------------------------

INT64 = st.integers(-(2**63), 2**63 - 1) | st.sampled_from([-(2**63), 2**63 - 1, 0, -1, 1])
PAIRS = st.lists(st.tuples(INT64, INT64), max_size=5)


def array(values: list[int]) -> Int64s:
    return np.array(values, np.int64)


@given(PAIRS)
def test_the_sum_is_the_sum(pairs: list[tuple[int, int]]) -> None:
    values, noise = [v for v, _ in pairs], [z for _, z in pairs]
    expected = [v + z for v, z in pairs]
    for total in (
        add(array(values), array(noise)),
        add(values, array(noise)),
        add(array(values), noise),
        add(values, noise),
    ):
        assert [int(x) for x in total] == expected
    fits = all(-(2**63) <= x < 2**63 for x in expected)
    assert isinstance(add(array(values), array(noise)), np.ndarray) == fits
    assert all(type(x) is int for x in add(values, array(noise)))


@given(st.lists(st.integers(), max_size=3))
def test_any_integers_are_added(values: list[int]) -> None:
    assert add(values, [10**30] * len(values)) == [v + 10**30 for v in values]
    assert add(values, array([7] * len(values))) == [v + 7 for v in values]


def test_as_many_draws_as_values() -> None:
    with pytest.raises(ValueError, match="shorter"):
        add([1, 2], [3])


def test_a_sum_that_wraps_would_be_seen() -> None:
    faulty = mutant(samples, "if not ((values ^ total) & (noise ^ total) < 0).any():", "if True:")
    assert faulty.add(array([2**63 - 1]), array([1])).tolist() == [-(2**63)]
    assert add(array([2**63 - 1]), array([1])) == [2**63]
    assert add(array([-(2**63)]), array([-1])) == [-(2**63) - 1]
