"""What each kind of arrow sees to by itself, over all kinds that there are."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any

import pytest

import dpcore as dp
from dpcore.core.origins import Recorded
from dpcore.interaction.interactive import Interactive

KINDS: list[Any] = [dp.types.Transformation, dp.types.Measurement, Interactive]


def test_these_are_all_kinds() -> None:
    ours = {kind.__qualname__ for kind in Recorded.__subclasses__() if kind.__module__.startswith("dpcore.")}
    assert ours == {kind.__qualname__ for kind in KINDS}


@pytest.mark.parametrize("kind", KINDS)
def test_none_is_made_by_hand(kind: Any) -> None:
    asked = [field for field in fields(kind) if field.init and field.default is MISSING]
    with pytest.raises(dp.errors.InvalidParameter, match="made by a step"):
        kind(*[None for _ in asked])
