"""Where a pipeline starts: data of a domain, and what makes two of them neighbours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from types import FunctionType
from typing import TYPE_CHECKING, Generic, final, overload

from dpcore.core.origins import Recorded, SomeSpace
from dpcore.core.steps import Step, Values
from dpcore.core.typing import DO, ME, MO, D, M, T
from dpcore.domains import Domain, Parts, Record, Rows
from dpcore.errors import Closed, DomainMismatch, InvalidParameter, MetricMismatch, Mismatch, made, printed
from dpcore.maps import integer, is_formula
from dpcore.metrics import Granularity, Metric, PersonDistance, RowMetric, SymmetricDistance

if TYPE_CHECKING:
    from dpcore.core.arrows import Measurement, MeasurementStep, Transformation, TransformationStep


@final
@dataclass(frozen=True, repr=False)
class Space(Closed, Generic[D, M]):
    """Data of a domain, and how far apart they are."""

    domain: D
    metric: M

    def __post_init__(self) -> None:
        domain: object = self.domain  # as a caller without a type checker may hand it over
        metric: object = self.metric
        if not isinstance(domain, Domain):
            raise InvalidParameter(f"Expected a domain but got a {type(domain).__name__}", produced=domain)
        if not isinstance(metric, Metric):
            raise InvalidParameter(f"Expected a metric but got a {type(metric).__name__}", produced=metric)
        if not _measures(metric, domain):
            raise MetricMismatch(
                f"{self.metric} does not measure {self.domain!r}{_lacking(metric, domain)}",
                produced=self.domain,
                expected=self.metric,
            )

    @overload
    def __rshift__(self, step: TransformationStep[D, M, DO, MO]) -> Transformation[D, M, DO, MO]: ...
    @overload
    def __rshift__(self, step: MeasurementStep[D, M, ME, T]) -> Measurement[D, M, ME, T]: ...
    def __rshift__(self, step: object) -> object:
        return applied(step, self, self) if callable(step) else NotImplemented

    def __repr__(self) -> str:
        if not isinstance(self.domain, Rows):
            return f"value({self.domain!r}, {self.metric})"
        metric = "" if self.metric == SymmetricDistance() else f", metric={self.metric}"
        size = "" if self.domain.size is None else f", size={self.domain.size}"
        return f"rows({self.domain.of!r}{metric}{size})"

    @cached_property
    def free(self) -> frozenset[str]:
        """The symbols that still stand for numbers in the domain, asked once for all arrows that start here."""
        return self.domain.symbols()

    def bind(self, values: Values) -> Space[D, M]:
        """The space with numbers in the place of symbols."""
        if not self.free:
            return self
        known = self.domain.bind(dict(values))
        assert isinstance(known, type(self.domain))
        return Space(known, self.metric)


def _measures(metric: Metric, domain: Domain) -> bool:
    """Whether any two data of the domain have a distance, as the metric declares it."""
    of: object = getattr(domain, "of", domain)
    if not isinstance(domain, metric.domains) or not isinstance(of, metric.made_of):
        return False
    return not _lacking(metric, domain)


def _lacking(metric: Metric, domain: Domain) -> str:
    """Why rows have no persons, where it is for want of a field."""
    of: object = getattr(domain, "of", domain)
    if isinstance(metric, PersonDistance) and isinstance(of, Record) and of.domain(metric.by) is None:
        return f": there is no field {metric.by!r}"
    return ""


def applied(step: Callable[..., object], space: SomeSpace, left: object) -> Recorded:
    """The arrow that the step makes out of the space; what stands to the left of it is named in a refusal."""
    if isinstance(step, FunctionType) and step.__module__.startswith("dpcore."):
        name = step.__name__
        raise InvalidParameter(f"Expected a step but got its constructor {name}", produced=name, bridge=f"{name}(...)")
    try:
        arrow = step(space)
    except Mismatch as error:
        if error.left is None:
            error.left = left
        raise
    start = getattr(arrow, "input", None)
    if not isinstance(arrow, Recorded) or (start is not space and start != space):
        raise InvalidParameter(
            f"Expected a step to make an arrow out of the space it is given but got a {type(arrow).__name__}",
            left=left,
            right=step,
            produced=start,
            expected=space,
        )
    return arrow


def a_space(x: object, name: str) -> None:
    """Refuse what is none, where a caller without a type checker may hand over anything."""
    if not isinstance(x, Space):
        raise InvalidParameter(
            f"Expected a space for {name}, such as rows(...), but got a {type(x).__name__}", produced=x
        )


def row_domain(step: Step, space: Space[Rows[D], M]) -> D:
    """The domain of one row; refuses data that are not rows."""
    a_space(space, "what the step is called with")
    domain: object = space.domain
    if not isinstance(domain, Rows):
        raise DomainMismatch(
            "cannot chain: rows are needed",
            right=step,
            produced=domain,
            expected=Named("rows"),
            bridge="parallel(measurement) for each part" if isinstance(domain, Parts) else None,
        )
    return space.domain.of


class Named:
    """A description that prints without quotes."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


@overload
def rows(domain: D) -> Space[Rows[D], SymmetricDistance]: ...
@overload
def rows(domain: D, metric: M | type[M], size: int | None = None) -> Space[Rows[D], M]: ...
@overload
def rows(domain: D, *, size: int) -> Space[Rows[D], SymmetricDistance]: ...
def rows(domain: Domain, metric: Metric | type[Metric] | None = None, size: int | None = None) -> object:
    """Rows of a domain, `rows(integers())`. Neighbours differ by one row more or less unless a metric says otherwise.

    With a `size`, every data set has exactly so many rows, and the number is public.
    """
    if not isinstance(domain, Domain):
        raise InvalidParameter(f"Expected a domain for the rows but got a {type(domain).__name__}", produced=domain)
    if isinstance(domain, (Rows, Parts)):
        raise InvalidParameter("Expected the domain of one row but got a domain of many", produced=domain)
    way = SymmetricDistance() if metric is None else made(metric)
    if not isinstance(way, (RowMetric, Granularity)):
        raise InvalidParameter(
            f"Expected a metric on rows, such as SymmetricDistance, but got {printed(way)}", produced=way
        )
    if size is not None:
        size = _size(size)
    return Space(Rows(domain, size), way)


def _size(size: int) -> int:
    n = integer(size, "size")
    if is_formula(n) or n < 0:
        raise InvalidParameter(f"Expected a size of at least 0 but got size={printed(size)}", produced=size)
    return n


def value(domain: D, metric: M | type[M]) -> Space[D, M]:
    """One value, `value(categories("yes", "no"), DiscreteDistance)`."""
    if not isinstance(domain, Domain):
        raise InvalidParameter(f"Expected a domain for the value but got a {type(domain).__name__}", produced=domain)
    way = made(metric)
    if not isinstance(way, Metric):
        raise InvalidParameter(f"Expected a metric but got a {type(way).__name__}", produced=way)
    return Space(domain, way)
