"""Attacks of the notes: two hospitals that publish k-anonymous tables, subset queries, tests of membership."""

from __future__ import annotations

import numpy as np
import pytest

import dpcore as dp
from dpcore import attacks
from dpcore.noise.bits import SeededBits

YOUNG, MIDDLE, OLD = range(30), range(30, 40), range(40, 120)


def _table(groups: list[tuple[range, str]]) -> list[dict[str, object]]:
    return [
        {"age": age, "zip": "130**", "illness": illness} for age, ill in groups for illness in ill.split(", ")
    ]  # fmt: skip


ONE = _table([
    (YOUNG, "AIDS, Heart Disease, Viral Infection, Viral Infection"),
    (OLD, "Cancer, Heart Disease, Viral Infection, Viral Infection"),
    (MIDDLE, "Cancer, Cancer, Cancer, Cancer"),
])  # fmt: skip
OTHER = _table([
    (range(35), "AIDS, Tuberculosis, Flu, Tuberculosis, Cancer, Cancer"),
    (range(35, 120), "Cancer, Cancer, Cancer, Tuberculosis, Viral Infection, Viral Infection"),
])  # fmt: skip
ALICE: dict[str, object] = {"age": 28, "zip": "13012"}


@pytest.mark.seed("003-04b", "003-05")
def test_two_anonymous_tables_tell_what_alice_has() -> None:
    assert (attacks.anonymity(ONE, "illness"), attacks.anonymity(OTHER, "illness")) == (4, 6)
    assert attacks.link([ONE], ALICE, "illness") == {"AIDS", "Heart Disease", "Viral Infection"}
    assert attacks.link([OTHER], ALICE, "illness") == {"AIDS", "Tuberculosis", "Flu", "Cancer"}
    assert attacks.link([ONE, OTHER], ALICE, "illness") == {"AIDS"}
    hospital = dp.rows(dp.categories("AIDS", "Cancer", "Flu")) >> dp.histogram() >> dp.laplace(2)
    assert dp.compose([hospital, hospital]).loss(1) == dp.pure(1), "1/2 and 1/2: the loss adds up, and no more"


def _asked() -> tuple[list[list[int]], list[int], list[list[int]]]:
    """192 random subsets of 48 people, of which nobody is in more than 111; a secret bit of each; and each one's row."""
    rng = np.random.default_rng(2)
    drawn = rng.integers(0, 2, (192, 48))
    secret = [int(bit) for bit in rng.integers(0, 2, 48)]
    queries = [[i for i in range(48) if row[i]] for row in drawn]
    return queries, secret, [[int(x) * bit for x in drawn[:, i]] for i, bit in enumerate(secret)]


@pytest.mark.seed("003-04")
@pytest.mark.parametrize(("noise", "least", "most"), [(1, 0.96, 1.0), (3, 0.72, 0.85), (192, 0.45, 0.6)])
def test_too_many_answers_too_accurate_are_a_breach(noise: int, least: float, most: float) -> None:
    """Nearly all bits at noise 1, three quarters at 3, about as many as by guessing at 192, where epsilon is 0.58."""
    queries, secret, rows = _asked()
    counts = (
        dp.rows(dp.vector(dp.integers(0, 1), 192)) >> dp.clip_norm(111, dp.L1Distance) >> dp.sum(norm=dp.L1Distance)
    )
    m = counts >> dp.laplace(noise)
    assert m.loss(1) == dp.pure(f"111/{noise}")
    right = [attacks.reconstruct(m.release(rows, bits=SeededBits(s)), queries, 48).right(secret) for s in range(4)]
    assert least <= np.mean(right) <= most


@pytest.mark.seed("003-31")
def test_all_subsets_within_an_error_leave_few_secrets() -> None:
    """255 subsets of 8 people, error 1: whatever is consistent is within 2 of the truth; 4 are promised."""
    secret = (1, 0, 0, 1, 1, 0, 1, 0)
    subsets = [[i for i in range(8) if n >> i & 1] for n in range(1, 256)]
    true = [sum(secret[i] for i in members) for members in subsets]
    for answers in ([3 * round(count / 3) for count in true], [count + 1 for count in true], true):
        found = attacks.consistent(answers, subsets, error=1, people=8)
        assert secret in found.guesses
        assert found.furthest(secret) <= 2
    rows = [[bit * (i in members) for members in subsets] for i, bit in enumerate(secret)]
    counts = (
        dp.rows(dp.vector(dp.integers(0, 1), 255)) >> dp.clip_norm(128, dp.L1Distance) >> dp.sum(norm=dp.L1Distance)
    )
    m = counts >> dp.laplace(128)
    assert m.loss(1) == dp.pure(1)
    private = attacks.consistent(m.release(rows, bits=SeededBits(1)), subsets, float(m.accuracy("0.95")), people=8)
    assert len(private) == 256, "nothing is excluded"
