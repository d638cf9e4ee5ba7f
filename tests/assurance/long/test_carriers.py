"""Minutes of the comparison of carriers, see tests/carriers."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings

from tests.carriers.pipelines import cases, differences
from tests.engines.test_engines_agree import another_row_changes_nothing
from tests.expressions.samples import expressions, typed_rows

pytestmark = pytest.mark.long


@pytest.mark.parametrize("seed", range(100, 120))
def test_keys_on_every_carrier(seed: int) -> None:
    dice = Random(seed)
    assert [found for _ in range(2000) for found in differences(cases(dice), dice)] == []


def test_another_row() -> None:
    tried = given(typed_rows, expressions, typed_rows)(another_row_changes_nothing)
    settings(max_examples=2000, deadline=None)(tried)()
