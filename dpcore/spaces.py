"""Where a pipeline starts: data of a domain, and what makes two of them neighbours."""

from __future__ import annotations

from typing import overload

from dpcore.core import Space
from dpcore.domains import Domain, Parts, Rows
from dpcore.errors import InvalidParameter, made
from dpcore.maps import integer, is_formula
from dpcore.metrics import Granularity, Metric, RowMetric, SymmetricDistance
from dpcore.typing import D, M


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
        raise InvalidParameter(f"Expected a metric on rows, such as SymmetricDistance, but got {way}", produced=way)
    if size is not None:
        size = _size(size)
    return Space(Rows(domain, size), way)


def _size(size: int) -> int:
    n = integer(size, "size")
    if is_formula(n) or n < 0:
        raise InvalidParameter(f"Expected a size of at least 0 but got size={size!r}", produced=size)
    return n


def value(domain: D, metric: M | type[M]) -> Space[D, M]:
    """One value, `value(categories("yes", "no"), DiscreteDistance)`."""
    if not isinstance(domain, Domain):
        raise InvalidParameter(f"Expected a domain for the value but got a {type(domain).__name__}", produced=domain)
    way = made(metric)
    if not isinstance(way, Metric):
        raise InvalidParameter(f"Expected a metric but got a {type(way).__name__}", produced=way)
    return Space(domain, way)
