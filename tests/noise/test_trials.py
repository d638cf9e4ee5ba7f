"""Trials: every decision is the right one, whatever the bits; the gaps are filled; the tails are the tails.

A chi-square test on a million draws does not see faults of a few per cent in one strip. So the decisions themselves are
tested, with U just below and just above a(x), and where the distribution is small it is computed from *all* bits.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from types import ModuleType

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from dpcore.noise import discrete_gaussian, discrete_laplace, fixed_point, trials
from dpcore.noise import strips as strips_module
from dpcore.noise.bits import BitSource, SeededBits
from dpcore.noise.strips import K_BITS, Strips, Tail
from dpcore.noise.trials import Batch, draw, fits
from tests.noise.layouts import CASES, GAUSSIAN, LAPLACE, Case, GivenBytes, layout, pairs, parameters, thresholds
from tests.noise.tools import mutant, p_value

# ---- decisions -------------------------------------------------------------------------------------------------


def answer(module: ModuleType, made: Strips, s: int, x: int, u: int, bits: int) -> bool:
    """Whether x is accepted in strip s if U starts with the given bits, 32 or 96 of them, and goes on with zeros."""
    word, u = (u & (2**64 - 1), u >> 64) if bits == 96 else (0, u)
    source = GivenBytes((u & 0xFFFF).to_bytes(2, "little"), words=[word], otherwise=0)
    accepted, _ = module.decide(made, np.array([s]), np.array([x]), np.array([u >> 16], np.uint16), source)
    return bool(accepted[0])


def wrong_decisions(module: ModuleType, made: Strips, judge: Strips, some: int) -> int:
    """How many decisions of `module` in `made` are not those of U < a(x), a(x) taken from a layout that is trusted."""
    s, x = pairs(made, each=1)
    chosen = np.random.default_rng(3).choice(len(s), min(some, len(s)), replace=False)
    s, x = s[chosen], x[chosen]
    wrong = 0
    for strip, value, limit in zip(s.tolist(), x.tolist(), thresholds(judge, s, x, 96), strict=True):
        # U = u/2^96 exactly, and limit/2^96 <= a < (limit + 1)/2^96
        for away in (0, 1, 1 << 20, 1 << 60, 1 << 64, 1 << 70, 1 << 80, 1 << 90):
            if limit - away >= 0:
                wrong += not answer(module, made, strip, value, limit - away, 96)
            if limit + 1 + away < 1 << 96:
                wrong += answer(module, made, strip, value, limit + 1 + away, 96)
    return wrong


@pytest.mark.parametrize("case", CASES)
def test_every_decision_is_right(case: Case) -> None:
    assert wrong_decisions(trials, layout(case), layout(case), some=40) == 0


def wrong_openings(module: ModuleType, made: Strips, judge: Strips) -> int:
    """The same through `Batch.trials`, for many cells at once: U = (floor(2^16 a) + i)/2^16, i = -1 and 1."""
    cells = np.arange(1 << 16)
    s = made.strip_of.astype(np.int64)
    inside = np.random.default_rng(4).integers(0, 1 << made.b, len(s))
    x = (s << made.b) + inside
    keep = np.flatnonzero((s < made.J) & (s >= -made.J))
    keep = keep[:: max(1, len(keep) // 500)]
    limit = np.array(thresholds(judge, s[keep], x[keep], 16))
    width = 0 if made.b == 0 else 1 if made.b < 8 else 2 if made.b < 16 else 4 if made.b < 32 else 8
    wrong = 0
    for i in (-1, 1):
        first = limit + i
        fine = (first >= 0) & (first < 1 << 16)
        at = keep[fine]
        data = inside[at].astype(f"<i{width}").tobytes() if width else b""
        data += cells[at].astype("<u2").tobytes() + first[fine].astype("<u2").tobytes()
        source = ZerosAfter(data)
        values, rejected, far = module.Batch(made, len(at)).trials(len(at), source)
        accepted = np.ones(len(at), np.bool_)
        accepted[rejected] = False
        wrong += int((accepted != (i < 0)).sum()) + int((values[accepted] != x[at][accepted]).sum()) + len(far)
    return wrong


class ZerosAfter(GivenBytes):
    """The bytes given, then zeros."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data, otherwise=0)

    def fill(self, out: memoryview) -> None:
        if self._parts:
            super().fill(out)
        else:
            out[:] = bytes(len(out))


@pytest.mark.parametrize("case", CASES)
def test_every_opening_is_right(case: Case) -> None:
    assert wrong_openings(trials, layout(case), layout(case)) == 0


@pytest.mark.parametrize("b", range(53))
def test_the_value_is_read_from_the_bits_for_every_size_of_strip(b: int) -> None:
    """Also where b is 8, 16 or 32, at either end of a strip, and whatever the bits that are not used."""
    made = layout(("laplace", Fraction(2**b * 16)))
    assert made.b == b
    assert made.tails[0].least < 2**62
    assert wrong_openings(trials, made, made) == 0
    rng = np.random.default_rng(6)
    values, rejected, _ = Batch(made, 5000).trials(5000, ZerosAfter(rng.bytes(5000 * (4 + Batch(made, 1)._size))))
    values = np.delete(values, rejected)
    assert (abs(values) < made.tails[0].least + 100 * 2**b).all()
    assert 0.45 < float((values < 0).mean()) < 0.55
    for bit in range(b):
        assert abs(float((values >> bit & 1).mean()) - 0.5) < 0.06  # 8 standard deviations


@pytest.mark.parametrize(
    ("old", "new", "b"), [("b < 8", "b <= 8", 8), ("b < 16", "b <= 16", 16), ("b < 32", "b <= 32", 32)]
)
def test_a_sign_bit_taken_for_an_offset_would_be_seen(old: str, new: str, b: int) -> None:
    made = layout(("laplace", Fraction(2**b * 16)))
    faulty = mutant(trials, old, new)
    bits = SeededBits(40)
    try:
        values, rejected, _ = faulty.Batch(made, 5000).trials(5000, bits)
    except OverflowError:  # numpy refuses the mask
        return
    assert abs(float((np.delete(values, rejected) >= 0).mean()) - 0.5) > 0.05


# ---- the whole tree of bits ------------------------------------------------------------------------------------


class Beginnings(BitSource):
    """A cell, an offset and the first 32 bits of U for every trial; all later bits of U are 0, or all are 1."""

    def __init__(self, data: bytes, fresh: bytes, later: int) -> None:
        self._parts = [data, fresh]
        self._later = later

    def fill(self, out: memoryview) -> None:
        out[:] = self._parts.pop(0)

    def bits(self, k: int) -> int:
        return self._later


def accepted_words(module: ModuleType, made: Strips, later: int) -> dict[tuple[int, int], tuple[int, int]]:
    """By strip and x, how many of the 2^32 beginnings of U are accepted in its first cell, in its last: by bisection.

    That acceptance is monotone in U is tested with the decisions. The cells between have the same strip and floor.
    """
    strip_of = made.strip_of.astype(np.int64)
    body = np.flatnonzero((strip_of < made.J) & (strip_of >= -made.J))
    first = body[np.append(True, np.diff(strip_of[body]) != 0)]
    last = body[np.append(np.diff(strip_of[body]) != 0, True)]
    for begin, end in zip(first.tolist(), last.tolist(), strict=True):
        assert len(set(strip_of[begin : end + 1])) == len(set(made.floor_of[begin : end + 1])) == 1
        assert end - begin + 1 == made.weights[strip_of[begin]]
    size = 1 << made.b
    cells = np.repeat(np.concatenate([first, last]), size)
    inside = np.tile(np.arange(size), 2 * len(first))
    batch = module.Batch(made, len(cells))
    values = count = np.zeros(len(cells), np.int64)
    for k in range(32, -1, -1):
        candidate = count + (1 << k)
        u = np.minimum(candidate, 1 << 32) - 1
        data = (inside.astype(np.int8).tobytes() if made.b else b"") + cells.astype("<u2").tobytes()
        asked = u >> 16 >= made.floor_of[cells]  # only those are asked for 16 bits more
        source = Beginnings(
            data + (u >> 16).astype("<u2").tobytes(), (u[asked] & 0xFFFF).astype("<u2").tobytes(), later
        )
        values, rejected, _ = batch.trials(len(cells), source)
        accepted = candidate <= 1 << 32
        accepted[rejected] = False
        assert (values == (strip_of[cells] << made.b) + inside).all()
        count = np.where(accepted, candidate, count)
    half = len(cells) // 2
    keys = zip(strip_of[cells[:half]].tolist(), values[:half].tolist(), strict=True)
    return dict(zip(keys, zip(count[:half].tolist(), count[half:].tolist(), strict=True), strict=True))


def accepted_after(module: ModuleType, made: Strips, s: int, x: int, u: int) -> int:
    """How many of the next 64 bits of U, after the 32 bits u, are accepted: by bisection."""
    count = 0
    for k in range(64, -1, -1):
        if count + (1 << k) <= 1 << 64 and answer(module, made, s, x, (u << 64) + count + (1 << k) - 1, 96):
            count += 1 << k
    return count


def tree_is_right(module: ModuleType, made: Strips, case: Case) -> bool:
    """Whether P(x), from all bits, is a constant times the mass for every x outside of the tails, within 2^-48 w/B.

    For one x in eight 64 bits more are looked at: there it is so within 2^-80.
    """
    kind, parameter = case
    mass = discrete_laplace.mass if kind == "laplace" else discrete_gaussian.mass
    least, most = accepted_words(module, made, 2**64 - 1), accepted_words(module, made, 0)
    assert sorted(x for _, x in least) == list(range(-made.J << made.b, made.J << made.b))
    right = True
    with ctx.workprec(256):
        constant = arb(fmpq(made.k, 1 << K_BITS + made.b + 16)) / mass(parameter, 0, 200)
        for i, ((s, x), (u, other)) in enumerate(least.items()):
            expected = constant * mass(parameter, x, 200)
            unit = fmpq(int(made.weights[s]), 1 << 16 + 32 + made.b)
            right = right and u == other and most[s, x][0] <= u + 1
            right = right and arb(unit * u) <= expected <= arb(unit * (u + 1))
            if i % 8 == 0:
                more = fmpq(accepted_after(module, made, s, x, u), 1 << 64) if most[s, x][0] > u else 0
                right = right and abs(unit * (u + more) - expected) < arb(2) ** -80
    return right


TREES: list[Case] = [
    ("laplace", Fraction(1)),
    ("laplace", Fraction(2, 3)),
    ("gaussian", Fraction(2)),
    ("laplace", Fraction(40)),
    ("gaussian", Fraction(10**4)),
]


@pytest.mark.parametrize("case", TREES)
def test_the_distribution_from_all_bits_is_exact(case: Case) -> None:
    assert tree_is_right(trials, layout(case), case)


def test_a_fault_would_be_seen_in_the_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    case = TREES[3]
    for old, new in (
        ("accepted = prefix < low", "accepted = prefix < high"),
        ("bits, prefix, 32)", "bits, prefix >> 1, 31)"),
    ):
        assert not tree_is_right(mutant(trials, old, new), layout(case), case)
    faulty = mutant(fixed_point, "value - (slack + 2)", "value + 30")
    monkeypatch.setattr(strips_module, "exp_between", faulty.exp_between)
    assert not tree_is_right(trials, layout(case), case)


# ---- tails -----------------------------------------------------------------------------------------------------


def tail_p_value(module: ModuleType, tail: Tail, made: Strips, n: int = 20_000) -> float:
    """Values of the tail's trials against K f(x)/B for each x there, and the rest of the probability for None."""
    bits = SeededBits(41)
    found = Counter(module._in_tail(tail, bits) for _ in range(n))
    cell = max(1, (1 << made.b) // 4)
    probabilities: dict[int | None, arb] = {}
    counts: list[int | None] = []
    for value, times in found.items():
        counts += [None if value is None else (abs(value) - tail.least) // cell] * times
        assert value is None or (value < 0) == tail.negative
    with ctx.workprec(128):
        rest = arb(1)
        k = fmpq(made.k, 1 << K_BITS + made.b)
        for i in range(200):
            start = tail.least + i * cell
            mass = arb(0)
            for x in range(start, start + cell) if cell <= 64 else range(start, start + cell, cell // 64):
                exponent = made.f.exponent(x)
                mass += arb(k) * (-arb(fmpq(exponent.numerator, exponent.denominator))).exp()
            probabilities[i] = mass if cell <= 64 else mass * (cell // 64)
            rest -= probabilities[i]
        probabilities[None] = rest
    return p_value(counts, probabilities)


class Parts:
    """Stands for `geometric` and `bernoulli_exp`, tested elsewhere: answers as told, and writes down what was asked."""

    def __init__(self, g: int, passes: bool) -> None:
        self._answers = g, passes
        self.asked: list[Fraction] = []

    def geometric(self, p: int, q: int, bits: BitSource) -> int:
        self.asked.append(Fraction(q, p))
        return self._answers[0]

    def bernoulli_exp(self, x: Fraction, bits: BitSource) -> bool:
        self.asked.append(x)
        return self._answers[1]


def tail_is_right(module: ModuleType, tail: Tail, made: Strips, patch: pytest.MonkeyPatch) -> bool:
    """By its parts: the coin of probability a, the rate of the geometric, the exponent that is left, and the value."""
    with ctx.workprec(300):
        whole = (tail.acceptance() * arb(2) ** 128).floor().unique_fmpz()
    assert whole is not None
    limit = int(whole)
    beginnings = [u for d in (1, 1 << 40, 1 << 64, 1 << 100) for u in (limit - d, limit + d) if 0 <= u < 1 << 128]
    for g, passes, u in product((0, 1, 5 << made.b), (False, True), beginnings):
        parts = Parts(g, passes)
        patch.setitem(module.__dict__, "geometric", parts.geometric)
        patch.setitem(module.__dict__, "bernoulli_exp", parts.bernoulli_exp)
        got = module._in_tail(tail, GivenBytes(words=[u >> 64, u & (2**64 - 1)]))
        x = tail.least + g
        left = made.f.exponent(x) - made.f.exponent(tail.least) - tail.rate * g
        asked = [tail.rate, left] if u < limit else []
        expected = (-x if tail.negative else x) if asked and passes else None
        if got != expected or parts.asked != asked:
            return False
    return True


@pytest.mark.parametrize("case", CASES)
def test_the_tails_are_right_by_their_parts(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    made = layout(case)
    for tail in made.tails:
        assert tail_is_right(trials, tail, made, monkeypatch)


SMALL_TAILS: list[Case] = [
    ("laplace", Fraction(1)),
    ("laplace", Fraction(10)),
    ("gaussian", Fraction(9)),
    ("gaussian", Fraction(10**4)),
]


@pytest.mark.parametrize("case", SMALL_TAILS)
def test_the_tails_fit(case: Case) -> None:
    made = layout(case)
    for tail in made.tails:
        assert tail_p_value(trials, tail, made) > 1e-9


def far_out(module: ModuleType, case: Case, n: int) -> float:
    """The number of draws in the tails, both, against its expectation: the probability of so many, or so few."""
    kind, parameter = case
    made = layout(case)
    x = module.draw(made, n, SeededBits(42))
    seen = int(((x >= made.tails[0].least) | (x <= -made.tails[1].least)).sum())
    tail = discrete_laplace.tail if kind == "laplace" else discrete_gaussian.tail
    with ctx.workprec(128):
        both = (tail(parameter, made.tails[0].least) + tail(parameter, made.tails[1].least)) / 2
        expected = float(both * n)
    few = float(arb(expected).gamma_upper(seen + 1, regularized=1))  # P(Poisson <= seen)
    many = float(arb(expected).gamma_lower(seen, regularized=1)) if seen else 1.0
    assert expected > 25
    return min(few, many)


@pytest.mark.parametrize(
    "case", [("laplace", Fraction(10)), ("laplace", Fraction(10**6)), ("gaussian", Fraction(10**6))]
)
def test_as_many_lie_in_the_tails_as_must(case: Case) -> None:
    assert far_out(trials, case, n=10**7 * (2 if case[0] == "gaussian" else 1)) > 1e-9


# ---- rearranging -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", [LAPLACE[2], LAPLACE[6], GAUSSIAN[3], GAUSSIAN[5]])
@pytest.mark.parametrize("m", [1, 2, 17, 1000, 20_000])
def test_what_is_kept_is_what_was_accepted(case: Case, m: int) -> None:
    values, rejected, _ = Batch(layout(case), m).trials(m, SeededBits(43))
    kept, far = Batch(layout(case), m).kept(m, SeededBits(43))
    accepted = np.delete(values, rejected)
    assert not far
    assert Counter(kept.tolist()) == Counter(accepted.tolist())
    stay = np.setdiff1d(np.arange(len(kept)), rejected)  # and only the gaps are filled
    assert (kept[stay] == values[stay]).all()


@pytest.mark.parametrize("n", [0, 1, 2, 1000, 70_000])
def test_as_many_as_asked_for(n: int) -> None:
    assert len(draw(layout(LAPLACE[4]), n, SeededBits(44))) == n


def test_a_draw_beyond_64_bits_widens_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    made = layout(("laplace", Fraction(10**17)))
    plain = draw(made, 10**6, SeededBits(45))
    monkeypatch.setattr(trials, "geometric", lambda p, q, bits: 2**63)
    wide = draw(made, 10**6, SeededBits(45))
    assert isinstance(plain, np.ndarray)
    assert isinstance(wide, list)
    assert all(type(x) is int for x in wide)
    ends = [made.tails[0].least, -made.tails[1].least]
    beyond = [x for x in wide if not fits(x)]
    assert set(beyond) <= {ends[0] + 2**63, ends[1] - 2**63}
    assert 3 < len(beyond) < 60
    for x in beyond:  # where it stands, the other run had a value of the same tail
        assert min(abs(x - end) for end in ends) == 2**63
    assert len(wide) == 10**6
    assert 0 not in [x for x in wide if abs(x) < 10]


def test_a_far_value_keeps_its_place_when_it_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every cell a tail: accepted ones are far, the rest rejected; none is lost, none stands for 0."""
    made = layout(("laplace", Fraction(10**17)))
    monkeypatch.setattr(trials, "geometric", lambda p, q, bits: 2**63)
    tails = np.array([cell for cell in range(1 << 16) if int(made.strip_of[cell]) in (made.J, ~made.J)] * 500, "<u2")
    data = bytes(8 * len(tails)) + tails.tobytes() + bytes(2 * len(tails))

    class Source(ZerosAfter):
        def bits(self, k: int) -> int:
            return seeded.bits(k)

    seeded = SeededBits(46)
    _, rejected, far = Batch(made, len(tails)).trials(len(tails), Source(data))
    assert len(far) == len(tails) - len(rejected) > 10
    assert not set(far) & set(rejected.tolist())
    seeded = SeededBits(46)
    kept, moved = Batch(made, len(tails)).kept(len(tails), Source(data))
    assert sorted(moved) == list(range(len(kept)))
    assert Counter(moved.values()) == Counter(far.values())


# ---- faults ----------------------------------------------------------------------------------------------------


def seen(module: ModuleType, made: Strips, case: Case, patch: pytest.MonkeyPatch) -> str:
    """Which of the measurements sees a fault first."""
    judge = layout(case)
    if wrong_decisions(module, made, judge, 10):
        return "decisions"
    if wrong_openings(module, made, judge):
        return "openings"
    with patch.context() as here:
        if not all(tail_is_right(module, tail, judge, here) for tail in made.tails):
            return "tails"
    values, rejected, _ = module.Batch(made, 5000).trials(5000, SeededBits(43))
    kept, _ = module.Batch(made, 5000).kept(5000, SeededBits(43))
    return "" if Counter(kept.tolist()) == Counter(np.delete(values, rejected).tolist()) else "kept"


NO_TAIL = ("    word = bits.bits(64)\n", "    return None\n    word = bits.bits(64)\n")


@pytest.mark.parametrize(
    ("old", "new", "by"),
    [
        ("accepted = prefix < low", "accepted = prefix < high", "decisions"),
        ("accepted = prefix < low", "accepted = prefix <= prefix", "decisions"),  # no second stage at all
        ("prefix < high", "prefix <= low", "decisions"),
        ("bits, prefix, 32)", "bits, prefix, 31)", "decisions"),
        (
            "np.greater_equal(first, floor, out=is_open)",
            "np.greater_equal(first, floor + 300, out=is_open)",
            "openings",
        ),
        ("x |= inside", "x += 0", "openings"),
        ("word >= tail.high", "word >= tail.low // 2", "tails"),
        ("    if not bernoulli_exp(tail.f.quadratic * g * g, bits):\n        return None\n", "", "tails"),
        ("else tail.least + g\n", "else tail.least + g + 1\n", "tails"),
        (*NO_TAIL, "tails"),
        ("        x[gaps] = x[movers]\n", "", "kept"),
        ("np.flatnonzero(behind) + kept", "np.flatnonzero(behind) + kept - 1", "kept"),
    ],
)
def test_a_fault_would_be_seen(old: str, new: str, by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case: Case = ("gaussian", Fraction(10**4))
    faulty = mutant(trials, old, new)
    assert seen(trials, layout(case), case, monkeypatch) == ""
    assert seen(faulty, layout(case), case, monkeypatch) == by


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("alpha = [(first + more * j)", "alpha = [(first + more * j) * 21 // 20"),
        ("exp_between(y, 6)", "exp_between(y + (1 << 14), 6)"),
        ("below[last] // (weights << V_BITS - 16)", "(below[last] // (weights << V_BITS - 16) + 600)"),  # 1 percent
        ("inside = ((x ^ sign)", "inside = ((x ^ 0)"),
    ],
)
def test_a_faulty_layout_would_be_seen(old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case: Case = ("laplace", Fraction(1000))
    made = mutant(strips_module, old, new).strips(*parameters(case))
    assert seen(trials, made, case, monkeypatch) in ("decisions", "openings")


def test_the_statistics_see_what_is_large() -> None:
    """A chi-square on the tails and a count of them, both on draws: they see a missing tail, and one drawn wrongly."""
    case: Case = ("laplace", Fraction(10))
    made = layout(case)
    assert far_out(mutant(trials, *NO_TAIL), case, n=10**7) < 1e-9
    rate = "geometric(tail.rate.denominator, tail.rate.numerator, bits)"
    for old, new in (
        ("else tail.least + g\n", "else tail.least + g + 5\n"),
        (rate, rate.replace("tail.rate.numerator", "2 * tail.rate.numerator")),
    ):
        assert tail_p_value(mutant(trials, old, new), made.tails[0], made) < 1e-9
