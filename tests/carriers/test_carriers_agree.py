"""Whoever holds the rows, and whatever row comes beside them: what is said of each is the same, and is right."""

from __future__ import annotations

from random import Random

import pytest

from tests.carriers.pipelines import cases, differences


@pytest.mark.parametrize("seed", range(20))
def test_keys_on_every_carrier(seed: int) -> None:
    dice = Random(seed)
    assert [found for _ in range(60) for found in differences(cases(dice), dice)] == []
