"""Arrows of every kind under one type: what the tools here ask of a transformation or a measurement, whatever it is over."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from typing import Final, Protocol, TypeAlias, TypeGuard

from dpcore.core import Measurement, Transformation
from dpcore.core.origins import Arrow, SomeSpace, require_known
from dpcore.core.readings import Map, draws_key
from dpcore.distributions import Distribution
from dpcore.domains import Parts, Rows
from dpcore.errors import InvalidParameter
from dpcore.maps import Number, Numeric, is_number, numeral
from dpcore.maps.bounds import Bound
from dpcore.measures import Measure
from dpcore.measures.losses import Loss
from dpcore.metrics import Metric, items
from dpcore.noise.bits import BitSource

SEEDS: Final = (0, 1, 2, 3)

Steps: TypeAlias = int | Fraction
"""A finite distance in the form in which it is carried."""


class AnyArrow(Arrow, Protocol):
    """What both kinds of arrow have."""

    @property
    def map(self) -> Map: ...
    @property
    def symbols(self) -> frozenset[str]: ...
    def bind(self, **values: Numeric) -> object: ...


class AnyTransformation(AnyArrow, Protocol):
    """A transformation over any domains and metrics."""

    @property
    def output(self) -> SomeSpace: ...
    def __call__(self, data: object, *, bits: BitSource | None = None) -> object: ...
    def __rshift__(self, step: object) -> object: ...
    def stability(self, d_in: Numeric) -> Bound: ...


class AnyMeasurement(AnyArrow, Protocol):
    """A measurement over any domain, metric and measure."""

    @property
    def measure(self) -> Measure: ...
    def release(self, data: object, *, bits: BitSource | None = None) -> object: ...
    def distribution(self, data: object) -> Distribution: ...
    def loss(self, d_in: Numeric) -> Loss: ...
    def to(self, measure: type[Measure], **witness: Numeric) -> AnyMeasurement: ...
    def then(self, function: object) -> object: ...
    def __and__(self, other: object) -> object: ...


def seeds(arrow: Arrow) -> tuple[int, ...]:
    """The seeds under which an arrow is attacked: where a key decides what it does, those of a few keys.

    Its claim holds for each key, so data are compared under the same one.
    """
    return SEEDS if draws_key(arrow) else SEEDS[:1]


def known_arrow(x: object) -> AnyTransformation | AnyMeasurement:
    """The arrow, refused where symbols stand for numbers, or where it is none."""
    if is_transformation(x) or is_measurement(x):
        require_known(x)
        return x
    raise InvalidParameter(
        f"Expected a transformation or a measurement but got a {type(x).__name__}",
        produced=x,
        bridge="space >> step" if callable(x) else None,
    )


def is_transformation(x: object) -> TypeGuard[AnyTransformation]:
    return isinstance(x, Transformation)


def is_measurement(x: object) -> TypeGuard[AnyMeasurement]:
    return isinstance(x, Measurement)


def as_transformation(x: object) -> AnyTransformation:
    assert is_transformation(x), x
    return x


def as_measurement(x: object) -> AnyMeasurement:
    assert is_measurement(x), x
    return x


def promised(f: AnyTransformation, d: Steps) -> Bound:
    """What the map promises at a distance, both in the form in which they are carried."""
    reading = f.derivation.numbers()

    def distance() -> Number:
        raw = reading(numeral(d))
        assert is_number(raw), raw
        return raw

    return Bound.of(distance)


def loss_at(m: AnyMeasurement, d: Steps) -> Loss:
    """The loss at a distance as it is carried."""
    reading = m.derivation.numbers()
    return m.measure.loss(lambda: reading(numeral(d)))


def as_shown(d: Steps, metric: Metric) -> Bound:
    """A carried distance as a reader is shown it."""
    value = numeral(d)
    return Bound.of(lambda: metric.shown(value))


def parts_of(x: object) -> Mapping[Hashable, object]:
    """Data of `Parts`, by key."""
    assert isinstance(x, Mapping), x
    return x


def turned(x: object, space: SomeSpace) -> object:
    """The same data, their rows in the opposite order."""
    if isinstance(space.domain, Rows):
        return list(items(x))[::-1]
    if isinstance(space.domain, Parts):
        return {key: list(items(rows))[::-1] for key, rows in parts_of(x).items()}
    return x
