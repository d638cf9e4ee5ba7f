"""What is counted in a graph: its edges, its degrees, its triangles.

Edges are taken one after another, in an order that does not depend on the graph, each only if both its ends have fewer
than `degree` so far (Day, Li, Lyu 2016). What is left has no node with more than `degree` edges, and moves little:

Argument. Run this on two graphs, and let a(v), b(v) be how many edges the node v has so far in each run. An edge {u, w}
that both graphs have never lets the sum over v of |a(v) - b(v)| grow: where only the first run takes it, u say is full in
the second, b(u) = degree > a(u), so |a - b| falls by one at u and grows by one at most at w. An edge that one graph alone
has lets it grow by 2 at most. So where d edges differ, it is at most 2 d at the end.

Where the edges of the nodes in a set S are drawn anew, every edge that differs has an end in S. When one is taken, a + b
grows by one at an end in S, and |a - b| by one at most at the other end. So the sum of |a - b| over the nodes outside S is
at most the sum of a + b over S, which is at most 2 degree |S|.

    degree_histogram   a node whose degree changes leaves one bin and enters another: 2 (2 d) = 4 d of edges, and of nodes
                       2 (2 degree) d, as a node of S that leaves its bin has not `degree` edges in both
    edge_count         half the sum of all degrees: d of edges. Of nodes: without the edges at S both graphs are one, and
                       with them, of each, none to `degree` |S| more are left: `degree` d

Triangles of the whole graph: an edge is in n - 2 at most.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, TypeVar, final

from dpcore.calculus import Rule, rule
from dpcore.calculus.parameters import COUNT, Parameter
from dpcore.core import Space, Transformation, transformation_of
from dpcore.core.checks import number_of, some_number_of
from dpcore.core.spaces import Named
from dpcore.core.steps import Step
from dpcore.domains import Graphs, Integers, Vector
from dpcore.errors import DomainMismatch, MetricMismatch, is_a
from dpcore.maps import Number
from dpcore.metrics import AbsoluteDistance, EdgeDistance, L1Distance, Metric, NodeDistance

G = TypeVar("G", EdgeDistance, NodeDistance)

Edges = frozenset[frozenset[int]]
Degree = Parameter("degree", COUNT)
Nodes = Parameter("size", COUNT, held="nodes")


# ---- what is done to a graph -------------------------------------------------------------------------------------------


def kept_degrees(edges: Edges, nodes: int, degree: int) -> list[int]:
    """Of each node how many edges are left, of which no node has more than `degree`. In order: by the later end first."""
    found = [0] * nodes
    for high, low in sorted((max(edge), min(edge)) for edge in edges):
        if found[low] < degree and found[high] < degree:
            found[low] += 1
            found[high] += 1
    return found


def _edge_count(edges: Edges, *, degree: int, nodes: int) -> int:
    return sum(kept_degrees(edges, nodes, int(degree))) // 2


def _degree_histogram(edges: Edges, *, degree: int, nodes: int) -> list[int]:
    found = [0] * (int(degree) + 1)
    for each in kept_degrees(edges, nodes, int(degree)):
        found[each] += 1
    return found


def _triangles(edges: Edges, *, nodes: int) -> int:
    near: dict[int, set[int]] = {node: set() for node in range(int(nodes))}
    for edge in edges:
        low, high = sorted(edge)
        near[low].add(high)
    return sum(1 for later in near.values() for i, j in combinations(sorted(later), 2) if j in near[i])


# ---- the rules ---------------------------------------------------------------------------------------------------------


@rule(run=_edge_count, writes=(Degree,))
def edge_count_edge(d: Number) -> Number:
    """`|e(x) - e(y)| <= d`: each edge more or less, and of those it keeps out or lets in one at most."""
    return d


@rule(run=_edge_count, writes=(Degree,))
def edge_count_node(d: Number, *, degree: Number) -> Number:
    """`|e(x) - e(y)| <= degree d`: a node whose edges are drawn anew has from none to `degree` that are counted."""
    return degree * d


@rule(run=_degree_histogram, writes=(Degree,))
def degree_histogram_edge(d: Number) -> Number:
    """`||h(x) - h(y)||_1 <= 4 d`: each edge more or less moves two nodes from one bin to another."""
    return 4 * d


@rule(run=_degree_histogram, writes=(Degree,))
def degree_histogram_node(d: Number, *, degree: Number) -> Number:
    """`||h(x) - h(y)||_1 <= 4 degree d`: a node whose edges are drawn anew moves at most 2 degree nodes to other bins."""
    return 4 * degree * d


@rule(run=_triangles, writes=(Nodes,))
def triangles_edge(d: Number, *, nodes: Number) -> Number:
    """`|t(x) - t(y)| <= (n - 2) d`: an edge is in a triangle with each of the n - 2 other nodes at most."""
    return (nodes - 2) * d


# ---- the steps ---------------------------------------------------------------------------------------------------------


def _nodes(step: Step, space: Space[Graphs, G]) -> int:
    """How many there are: two at least, as graphs are neighbours by an edge."""
    if not is_a(space.domain, Graphs):
        raise DomainMismatch(
            f"cannot chain: {step.word} needs a graph",
            right=step,
            produced=space.domain,
            expected=Named("graphs(nodes)"),
            bridge="value(graphs(nodes), EdgeDistance)",
        )
    return number_of(space.domain.nodes, "nodes", 2)


def _by_metric(step: Step, metric: Metric, edge: Rule, node: Rule | None) -> Rule:
    if isinstance(metric, EdgeDistance):
        return edge
    if node is not None and isinstance(metric, NodeDistance):
        return node
    raise MetricMismatch(
        f"cannot chain: {step.word} has no rule under this metric",
        right=step,
        produced=metric,
        expected=EdgeDistance(),
        bridge="to_metric(EdgeDistance) first" if isinstance(metric, NodeDistance) else None,
    )


@final
@dataclass(frozen=True, slots=True, repr=False)
class EdgeCount(Step):
    """See `edge_count`."""

    degree: int | None = None

    word = "edge_count"
    positional = 1
    defaults: ClassVar[Mapping[str, object]] = {"degree": None}

    def __post_init__(self) -> None:
        some_number_of(self.degree, "degree", 1)

    def __call__(self, space: Space[Graphs, G]) -> Transformation[Graphs, G, Integers, AbsoluteDistance]:
        nodes = _nodes(self, space)
        found = _by_metric(self, space.metric, edge_count_edge, edge_count_node)
        parameters = {"degree": self.degree or nodes - 1, "nodes": nodes}
        return transformation_of(self, space, Space(Integers(0), AbsoluteDistance()), found, parameters)


@final
@dataclass(frozen=True, slots=True, repr=False)
class DegreeHistogram(Step):
    """See `degree_histogram`."""

    degree: int | None = None

    word = "degree_histogram"
    positional = 1
    defaults: ClassVar[Mapping[str, object]] = {"degree": None}

    def __post_init__(self) -> None:
        some_number_of(self.degree, "degree", 1)

    def __call__(self, space: Space[Graphs, G]) -> Transformation[Graphs, G, Vector[Integers], L1Distance]:
        nodes = _nodes(self, space)
        found = _by_metric(self, space.metric, degree_histogram_edge, degree_histogram_node)
        degree = self.degree or nodes - 1
        output = Space(Vector(Integers(0), degree + 1), L1Distance())
        return transformation_of(self, space, output, found, {"degree": degree, "nodes": nodes})


@final
@dataclass(frozen=True, slots=True, repr=False)
class Triangles(Step):
    """See `triangles`."""

    word = "triangles"

    def __call__(self, space: Space[Graphs, G]) -> Transformation[Graphs, G, Integers, AbsoluteDistance]:
        nodes = _nodes(self, space)
        found = _by_metric(self, space.metric, triangles_edge, None)
        return transformation_of(self, space, Space(Integers(0), AbsoluteDistance()), found, {"nodes": nodes})


def edge_count(degree: int | None = None) -> EdgeCount:
    """How many edges a graph has: `value(graphs(9), EdgeDistance) >> edge_count()`.

    With a `degree`, edges are taken one after another and no more than that at any node, so that a node whose edges are
    drawn anew moves the count by `degree` and not by one less than there are nodes. Where nodes have fewer edges, nothing
    is left out.
    """
    return EdgeCount(some_number_of(degree, "degree", 1))


def degree_histogram(degree: int | None = None) -> DegreeHistogram:
    """How many nodes have 0, 1, ..., `degree` edges: `value(graphs(9), NodeDistance) >> degree_histogram(3)`.

    Edges are taken one after another, and no more than `degree` at any node: one less than there are nodes, where nothing
    is said.
    """
    return DegreeHistogram(some_number_of(degree, "degree", 1))


def triangles() -> Triangles:
    """How many three nodes are all joined to each other; under NodeDistance after `to_metric(EdgeDistance)`."""
    return Triangles()
