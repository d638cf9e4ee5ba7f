"""The same data, measured in another metric. Each pair of metrics has a rule, or the step refuses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, final

from dpcore.calculus import Rule, rule, unchanged
from dpcore.calculus.parameters import COUNT, Data, Parameter, text
from dpcore.core import Space, Transformation, transformation_of
from dpcore.core.known_size import symmetric_to_change_one
from dpcore.core.origins import SomeSpace
from dpcore.core.steps import Step
from dpcore.core.typing import MO, D, M
from dpcore.domains import Graphs, Rows, Vector
from dpcore.errors import InvalidParameter, MetricMismatch, made
from dpcore.maps import Number, sqrt
from dpcore.metrics import (
    ChangeOneDistance,
    EdgeDistance,
    Granularity,
    L1Distance,
    L2Distance,
    LInfDistance,
    Metric,
    NodeDistance,
    PathGranularity,
    RangeDistance,
    SymmetricDistance,
)
from dpcore.written.shared import Size


@rule(run=unchanged, writes=(), on_arrays=True)
def change_one_to_symmetric(d: Number) -> Number:
    """A row replaced is one removed and one added: `2d`."""
    return 2 * d


@rule(run=unchanged, writes=(), on_arrays=True)
def l1_to_l2(d: Number) -> Number:
    """`||v||_2 <= ||v||_1`, carried as squares."""
    return d * d


@rule(run=unchanged, writes=(), on_arrays=True)
def l2_to_linf(d: Number) -> Number:
    """`||v||_inf <= ||v||_2`, which comes in as its square."""
    return sqrt(d)


@rule(run=unchanged, writes=(), on_arrays=True)
def l1_to_linf(d: Number) -> Number:
    """`||v||_inf <= ||v||_1`."""
    return d


@rule(run=unchanged, writes=(), on_arrays=True)
def l1_to_range(d: Number) -> Number:
    """What goes up at most plus what goes down at most is at most `||v||_1`."""
    return d


@rule(run=unchanged, writes=(Size,), on_arrays=True)
def l2_to_l1(d: Number, *, size: Number) -> Number:
    """`||v||_1 <= sqrt(n) ||v||_2` (Cauchy and Schwarz); the L2 distance comes in as its square."""
    return sqrt(size * d)


@rule(run=unchanged, writes=(Size,), on_arrays=True)
def linf_to_l1(d: Number, *, size: Number) -> Number:
    """`||v||_1 <= n ||v||_inf`."""
    return size * d


@rule(run=unchanged, writes=(Size,), on_arrays=True)
def linf_to_l2(d: Number, *, size: Number) -> Number:
    """`||v||_2 <= sqrt(n) ||v||_inf`, carried as squares."""
    return size * d * d


@rule(run=unchanged, writes=(), on_arrays=True)
def linf_to_range(d: Number) -> Number:
    """At most d up and at most d down: `2d`."""
    return 2 * d


@rule(run=unchanged, writes=(), on_arrays=True)
def range_to_linf(d: Number) -> Number:
    """No coordinate moves further than what goes up plus what goes down."""
    return d


@rule(run=unchanged, writes=(), on_arrays=True)
def edge_to_node(d: Number) -> Number:
    """One end of each edge that differs touches all of them."""
    return d


@rule(run=unchanged, writes=(Parameter("size", COUNT, held="nodes"),), on_arrays=True)
def node_to_edge(d: Number, *, nodes: Number) -> Number:
    """A node has at most n-1 edges."""
    return (nodes - 1) * d


def _word_of_the_user(parameters: Data, witness: Data) -> Iterator[str]:
    yield f"data d apart in the user's metric differ by at most {text(parameters['rows'])} d rows, for every d"


@rule(run=unchanged, writes=(Parameter("rows", COUNT),), assumes=_word_of_the_user, on_arrays=True)
def granularity_to_symmetric(d: Number, *, rows: Number) -> Number:
    """Data d apart in the user's metric differ by at most `rows` d rows, for every d: the user's word, an assumption."""
    return rows * d


def _size(space: SomeSpace) -> Mapping[str, object]:
    return {"size": space.domain.size} if isinstance(space.domain, Vector) else {}


def _nodes(space: SomeSpace) -> Mapping[str, object]:
    return {"nodes": space.domain.nodes} if isinstance(space.domain, Graphs) else {}


def _rows(space: SomeSpace) -> Mapping[str, object]:
    return {"rows": space.metric.rows} if isinstance(space.metric, Granularity) else {}


def _nothing(space: SomeSpace) -> Mapping[str, object]:
    return {}


CHANGES: dict[tuple[type[Metric], type[Metric]], tuple[Rule, Callable[[SomeSpace], Mapping[str, object]]]] = {
    (ChangeOneDistance, SymmetricDistance): (change_one_to_symmetric, _nothing),
    (SymmetricDistance, ChangeOneDistance): (symmetric_to_change_one, _nothing),
    (L1Distance, L2Distance): (l1_to_l2, _nothing),
    (L2Distance, LInfDistance): (l2_to_linf, _nothing),
    (L1Distance, LInfDistance): (l1_to_linf, _nothing),
    (L1Distance, RangeDistance): (l1_to_range, _nothing),
    (L2Distance, L1Distance): (l2_to_l1, _size),
    (LInfDistance, L1Distance): (linf_to_l1, _size),
    (LInfDistance, L2Distance): (linf_to_l2, _size),
    (LInfDistance, RangeDistance): (linf_to_range, _nothing),
    (RangeDistance, LInfDistance): (range_to_linf, _nothing),
    (EdgeDistance, NodeDistance): (edge_to_node, _nothing),
    (NodeDistance, EdgeDistance): (node_to_edge, _nodes),
    (Granularity, SymmetricDistance): (granularity_to_symmetric, _rows),
    (PathGranularity, SymmetricDistance): (granularity_to_symmetric, _rows),
}


@final
@dataclass(frozen=True, slots=True, repr=False)
class ToMetric(Step, Generic[MO]):
    """See `to_metric`."""

    metric: MO

    word = "to_metric"
    positional = 1

    def printed(self, value: object) -> str:
        return str(self.metric)

    def __call__(self, space: Space[D, M]) -> Transformation[D, M, D, MO]:
        found = CHANGES.get((type(space.metric), type(self.metric)))
        if found is None:
            raise MetricMismatch(
                "cannot chain: no rule leads from the one metric to the other",
                right=self,
                produced=space.metric,
                expected=self.metric,
            )
        unsized = not (isinstance(space.domain, Rows) and space.domain.size is not None)
        if found[0] is symmetric_to_change_one and unsized:
            raise MetricMismatch(
                "cannot chain: ChangeOneDistance is infinite between data sets of different sizes",
                right=self,
                produced=space.metric,
                expected=self.metric,
                bridge="rows(..., size=n), where the number of rows is known and public",
            )
        if isinstance(space.metric, Granularity) and space.metric.rows is None:
            raise MetricMismatch(
                "cannot chain: nothing says how many rows one step of this relation changes",
                right=self,
                produced=space.metric,
                expected=self.metric,
                bridge="granularity(name, distance, rows=k)",
            )
        return transformation_of(self, space, Space(space.domain, self.metric), found[0], found[1](space))


def to_metric(metric: MO | type[MO]) -> ToMetric[MO]:
    """The same data measured in another metric, `to_metric(SymmetricDistance)`."""
    way = made(metric)
    if not isinstance(way, Metric):
        raise InvalidParameter(
            f"Expected a metric such as SymmetricDistance but got a {type(way).__name__}", produced=way
        )
    return ToMetric(way)
