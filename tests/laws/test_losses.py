"""The loss of every measurement bounds the true divergence between all neighbours of a tiny universe, at any distance there.

The distributions are exact: see `dpcore.distributions`. Where the catalogue gives no reason why not, the loss is reached.
"""

from __future__ import annotations

import pytest

from tests.laws import checks
from tests.laws.catalogue import MEASUREMENTS, Example


@pytest.mark.parametrize("example", MEASUREMENTS, ids=lambda e: e.name)
def test_loss_bounds_the_divergence_and_is_tight(example: Example) -> None:
    checks.holds(example)
