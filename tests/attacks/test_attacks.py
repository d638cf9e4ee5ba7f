"""Attacks find what is not hidden, and refuse what makes no sense."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import dpcore as dp
from dpcore import attacks
from dpcore.noise.bits import SeededBits

SUBSETS = [[i for i in range(6) if n >> i & 1] for n in range(1, 64)]
SECRET = (1, 0, 0, 1, 1, 0)
COUNTS = [sum(SECRET[i] for i in members) for members in SUBSETS]
PEOPLE = [
    {"age": range(30), "zip": "130**", "sex": {"f"}, "illness": "flu"},
    {"age": range(30, 60), "zip": "130**", "sex": {"m", "f"}, "illness": "cold"},
    {"age": range(30), "zip": "*", "sex": {"m", "f"}, "illness": "gout"},
]


@pytest.mark.parametrize(
    ("known", "left"),
    [
        ({"age": 28}, {"flu", "gout"}),
        ({"age": 30}, {"cold"}),
        ({"age": 28, "zip": "13012"}, {"flu", "gout"}),
        ({"age": 28, "zip": "14012"}, {"gout"}),
        ({"age": 28, "zip": "130120"}, {"gout"}),
        ({"age": 28, "sex": "m"}, {"gout"}),
        ({"age": 99}, set()),
        ({}, {"flu", "cold", "gout"}),
    ],
)
def test_cells_say_who_it_may_be(known: dict[str, object], left: set[str]) -> None:
    assert attacks.link([PEOPLE], known, "illness") == left


def test_k_is_the_size_of_the_smallest_crowd() -> None:
    assert attacks.anonymity(PEOPLE, "illness") == 1
    assert attacks.anonymity([PEOPLE[0], {**PEOPLE[0], "illness": "cold"}], "illness") == 2


def test_tables_that_cannot_be_linked() -> None:
    with pytest.raises(dp.errors.InvalidParameter, match="tables to link"):
        attacks.link([], {}, "illness")
    with pytest.raises(dp.errors.InvalidParameter, match="no field 'height'"):
        attacks.link([PEOPLE], {"height": 1}, "illness")
    with pytest.raises(dp.errors.InvalidParameter, match="with rows"):
        attacks.anonymity([], "illness")


@pytest.mark.parametrize("method", ["least squares", "linear programme"])
def test_exact_answers_are_solved(method: attacks.reconstruction.Method) -> None:
    found = attacks.reconstruct(COUNTS, SUBSETS, 6, method)
    assert found.bits == SECRET
    assert found.right(SECRET) == 1
    assert found.right([1 - bit for bit in SECRET]) == 0


def test_a_linear_programme_bears_answers_that_are_wrong_altogether() -> None:
    wrong = [count + 20 * (number % 5 == 0) for number, count in enumerate(COUNTS)]
    assert attacks.reconstruct(wrong, SUBSETS, 6, "linear programme").bits == SECRET
    assert attacks.reconstruct(wrong, SUBSETS, 6).bits != SECRET


@pytest.mark.parametrize("error", [0, 1, 2])
def test_what_is_consistent_is_all_that_is(error: int) -> None:
    """Against every guess, one by one; and the theorem, with errors that an adversary chooses."""
    answers = [count + (error if number % 2 else -error) for number, count in enumerate(COUNTS)]
    found = attacks.consistent(answers, SUBSETS, error, people=6)
    right = [
        guess
        for guess in product((0, 1), repeat=6)
        if all(abs(sum(guess[i] for i in s) - a) <= error for s, a in zip(SUBSETS, answers, strict=True))
    ]
    assert sorted(found.guesses) == right
    assert SECRET in right
    assert found.furthest(SECRET) <= 4 * error


def test_the_best_test_is_found_and_the_curve_holds() -> None:
    count = dp.rows(dp.integers(0, 9)) >> dp.count() >> dp.laplace(1)
    found = attacks.membership(count, [1, 2], [1], n=20_000, bits=SeededBits(1))
    assert found.claimed == dp.pure(1)
    assert [*found.rates[0], *found.rates[-1]] == pytest.approx([0, 0, 1, 1])
    for fpr in ("0.01", "0.05", "0.3", "0.7"):
        allowed = float(dp.pure(1).tpr(fpr))
        assert found.tpr(float(fpr)) == pytest.approx(allowed, abs=0.02), "reached, as noise is symmetric"
    assert found.advantage == pytest.approx(0.4621, abs=0.015)
    assert "guessing" in found.plot().svg
    assert "at most 0.462 allowed" in repr(found)
    exact = dp.rows(dp.integers(0, 9)) >> dp.count() >> dp.laplace("1/50")
    assert attacks.membership(exact, [1, 2], [1], n=1000, bits=SeededBits(1)).advantage == 1


def test_who_was_averaged_is_traced_and_others_are_not() -> None:
    rng = np.random.default_rng(1)
    population = np.full(1500, 0.5)
    there, elsewhere = rng.integers(0, 2, (60, 1500)), rng.integers(0, 2, (400, 1500))
    averages = there.mean(axis=0)
    assert np.mean([attacks.trace(averages, population, row).traced for row in there]) > 0.9
    assert np.mean([attacks.trace(averages, population, row).traced for row in elsewhere]) <= 0.01
    noisy = averages + rng.laplace(0, 25, 1500)
    assert not any(attacks.trace(noisy, population, row).traced for row in there)


def test_what_is_refused() -> None:
    calls = (
        lambda: attacks.reconstruct([1], [[0, 7]], 2),
        lambda: attacks.reconstruct([1, 2], [[0]], 2),
        lambda: attacks.reconstruct([float("nan")], [[0]], 2),
        lambda: attacks.reconstruct([], [], 2),
        lambda: attacks.reconstruct([1], [[0]], 2, "guessing"),  # type: ignore[arg-type]
        lambda: attacks.reconstruct([1], [[0]], 2).right([1]),
        lambda: attacks.consistent([1], [[0]], 1, people=21),
        lambda: attacks.consistent([1], [[0]], -1, people=2),
        lambda: attacks.consistent([5], [[0]], 1, people=2).furthest([0, 0]),
        lambda: attacks.trace([0.5], [0.5, 0.5], [1]),
        lambda: attacks.trace([0.5], [0.5], [2]),
        lambda: attacks.trace([0.5], [0.5], [1], fpr=0),
        lambda: attacks.membership(dp.rows(dp.integers()) >> dp.count() >> dp.laplace(1), [1], [], n=5),
    )
    for call in calls:
        with pytest.raises(dp.errors.DPError):
            call()
