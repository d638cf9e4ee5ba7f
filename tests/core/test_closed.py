"""What dpcore proves of its classes is not carried over to what somebody makes of them."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from types import new_class
from typing import Any

import pytest

import dpcore as dp
from dpcore.core import Measurement, Space, Transformation
from dpcore.domains import Domain
from dpcore.errors import Closed
from dpcore.measures import Measure
from dpcore.measures.losses import Loss
from dpcore.metrics import Metric


def below(kind: type[Any]) -> Iterator[type[Any]]:
    for each in kind.__subclasses__():
        if getattr(import_module(each.__module__), each.__name__, None) is each:  # dataclasses leave another one behind
            yield each
        yield from below(each)


FINAL = sorted((each for each in set(below(Closed)) if "__final__" in vars(each)), key=lambda each: each.__qualname__)


def test_spaces_domains_metrics_measures_losses_and_arrows_are_among_them() -> None:
    made = (dp.integers(), dp.pure(1), dp.renyi({2: 1}))
    assert {Space, Measurement, Transformation, dp.SymmetricDistance, dp.PureDP, *map(type, made)} <= set(FINAL)
    leaves = {each for root in (Domain, Metric, Measure, Loss) for each in below(root) if not each.__subclasses__()}
    assert {each for each in leaves if each.__module__.startswith("dpcore.")} <= set(FINAL)


@pytest.mark.parametrize("kind", FINAL, ids=lambda kind: f"{kind.__module__}.{kind.__qualname__}")
def test_nobody_makes_a_class_of_what_is_final(kind: type[Any]) -> None:
    with pytest.raises(TypeError, match=f"no class is made of {kind.__name__}, which is final"):
        new_class("Mine", (kind,))
