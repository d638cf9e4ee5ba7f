"""The loss of every measurement bounds the true divergence between all neighbours of a tiny universe, at any distance there.

The distributions are exact: see `distributions`. Where the catalogue gives no reason why not, the loss is reached.
"""

from __future__ import annotations

import pytest

from tests.laws import checks
from tests.laws.catalogue import MEASUREMENTS, Example

TIGHT = 1e-4
"""Reached means but for what the dropped branches could have brought."""


@pytest.mark.parametrize("example", MEASUREMENTS, ids=lambda e: e.name)
def test_loss_bounds_the_divergence_and_is_tight(example: Example) -> None:
    use = checks.losses(example)
    assert use > 1 - TIGHT if not example.slack else use < 1 - TIGHT
