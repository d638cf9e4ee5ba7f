"""Post-processing, with coins of its own or without, costs nothing and is not asked for an account of itself."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import dpcore as dp

ages = dp.rows(dp.integers(0, 120))
noisy = ages >> dp.count() >> dp.laplace(2)
coins = random.Random(7)

FUNCTIONS: dict[str, Callable[[int], object]] = {
    "rounded": lambda n: 10 * round(n / 10),
    "clamped": lambda n: max(0, n),
    "text": str,
    "jittered": lambda n: n + coins.choice([-1, 0, 1]),
    "one of two": lambda n: "many" if coins.random() * 10 < n else "few",
    "nothing": lambda n: None,
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("d_in", [0, 1, 2, 17])
def test_the_loss_stays_the_same(name: str, d_in: int) -> None:
    made = noisy.then(FUNCTIONS[name])
    assert made.loss(d_in) == noisy.loss(d_in)
    assert str(made.map) == str(noisy.map)
    assert made.measure == noisy.measure


def test_the_function_is_applied_to_the_release() -> None:
    exact = (ages >> dp.count() >> dp.laplace("1/1000")).then(lambda n: [n] * 3)
    assert exact.release([1, 2]) == [2, 2, 2]
    assert exact.then(len).release([1, 2]) == 3


def test_coins_of_its_own() -> None:
    """A function that throws coins gives different values of one release, at the same loss."""
    flipped = (ages >> dp.count() >> dp.laplace("1/1000")).then(lambda n: n + coins.randrange(1000))
    assert len({flipped.release([1, 2]) for _ in range(20)}) > 1
    assert flipped.loss(1) == dp.pure(1000)


def test_it_stays_a_part_of_what_is_composed_and_converted() -> None:
    made = noisy.then(str)
    assert (made & noisy).loss(1) == (noisy & noisy).loss(1)
    assert made.to(dp.ZCDP).loss(1) == noisy.to(dp.ZCDP).loss(1)
    assert isinstance((made & noisy).release([])[0], str)


def test_it_never_sees_the_data() -> None:
    seen: list[object] = []

    def look(release: Any) -> None:
        seen.append(release)

    (ages >> dp.count() >> dp.laplace("1/1000")).then(look).release([1, 2, 3])
    assert seen == [3]


def test_no_transformation_can_follow() -> None:
    d: Any = noisy.then(str)
    with pytest.raises(TypeError):
        d >> dp.count()
    t: Any = ages >> dp.count()
    assert not hasattr(t, "then"), "what is not private has no post-processing, only further transformations"
