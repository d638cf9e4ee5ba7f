"""The distributions and divergences of dpcore as plain floats, for tests that compare with floats."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from dpcore.assurance.arrows import AnyMeasurement
from dpcore.assurance.divergences import Masses, quick_gain, quick_hockey_stick, quick_max_ratio, quick_renyi
from dpcore.distributions import settled

__all__ = ["Distribution", "distribution", "false_negatives", "hockey_stick", "max_log_ratio", "renyi", "settled"]


@final
@dataclass(frozen=True, slots=True)
class Distribution:
    """Probabilities of outcomes, and what was left out."""

    masses: Mapping[Hashable, float]
    missing: float


def distribution(m: AnyMeasurement, data: object) -> Distribution:
    found = m.distribution(data)
    return Distribution(found.floats, float(found.left_out))


def _aligned(p: Distribution, q: Distribution) -> tuple[Masses, Masses]:
    outcomes = list({**p.masses, **q.masses})
    mine, theirs = (np.array([d.masses.get(o, 0.0) for o in outcomes]) for d in (p, q))
    return mine, theirs


def max_log_ratio(p: Distribution, q: Distribution) -> float:
    """The least epsilon without delta."""
    return quick_max_ratio(*_aligned(p, q), q.missing)


def hockey_stick(p: Distribution, q: Distribution, epsilon: float) -> float:
    """The least delta at epsilon."""
    return quick_hockey_stick(*_aligned(p, q), q.missing, epsilon)


def renyi(p: Distribution, q: Distribution, order: float) -> float:
    """The Renyi divergence of an order above 1."""
    return quick_renyi(*_aligned(p, q), q.missing, order)


def false_negatives(p: Distribution, q: Distribution, rate: float) -> float:
    """The least chance to take q for p, of tests that take p for q with this rate at most."""
    return 1 - rate - quick_gain(*_aligned(p, q), p.missing, rate)
