"""Counting in graphs: the bounds hold between all graphs of four nodes, and edges of the projection are the right ones."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

import dpcore as dp
from dpcore.errors import DomainMismatch, InvalidParameter, MetricMismatch
from dpcore.transformations.graph_queries import kept_degrees

Graph = frozenset[frozenset[int]]
EDGE, NODE = dp.EdgeDistance(), dp.NodeDistance()


def all_graphs(nodes: int) -> list[Graph]:
    pairs = [frozenset(pair) for pair in combinations(range(nodes), 2)]
    return [frozenset(e for i, e in enumerate(pairs) if k >> i & 1) for k in range(1 << len(pairs))]


def neighbours(x: Graph, nodes: int, metric: object) -> Iterator[Graph]:
    if metric == EDGE:
        yield from (x ^ {frozenset(pair)} for pair in combinations(range(nodes), 2))
        return
    for node in range(nodes):
        star = [frozenset((node, other)) for other in range(nodes) if other != node]
        yield from (x ^ frozenset(e for i, e in enumerate(star) if k >> i & 1) for k in range(1 << len(star)))


def far(t: Any, nodes: int, metric: object) -> Any:
    """How far apart neighbours come to lie, at most."""
    found = {x: t(x) for x in all_graphs(nodes)}
    as_list = {x: value if isinstance(value, list) else [value] for x, value in found.items()}
    return max(
        sum(abs(a - b) for a, b in zip(as_list[x], as_list[y], strict=True))
        for x in found
        for y in neighbours(x, nodes, metric)
    )


@pytest.mark.seed("002-04a")
@pytest.mark.parametrize("degree", [None, 1, 2, 3])
@pytest.mark.parametrize("metric", [EDGE, NODE], ids=repr)
def test_neighbours_of_four_nodes_lie_no_further_apart_than_is_said(metric: Any, degree: int | None) -> None:
    space: Any = dp.value(dp.graphs(4), metric)
    for t in (space >> dp.edge_count(degree), space >> dp.degree_histogram(degree)):
        truth, said = far(t, 4, metric), t.stability(1)
        assert truth <= said
        if metric == EDGE or "edge_count" in repr(t) or degree in (1, 2):
            assert truth == said, "and they reach it"


def test_triangles_of_four_nodes() -> None:
    t = dp.value(dp.graphs(4), EDGE) >> dp.triangles()
    assert far(t, 4, EDGE) == t.stability(1) == 2
    whole = dp.value(dp.graphs(4), NODE) >> dp.to_metric(EDGE) >> dp.triangles()
    assert far(t, 4, NODE) == 3 <= whole.stability(1)


@pytest.mark.seed("002-04a")
@pytest.mark.long
@pytest.mark.parametrize("degree", [1, 2, 3, 4])
def test_neighbours_of_five_nodes(degree: int) -> None:
    for metric in (EDGE, NODE):
        space: Any = dp.value(dp.graphs(5), metric)
        for t in (space >> dp.edge_count(degree), space >> dp.degree_histogram(degree)):
            assert far(t, 5, metric) <= t.stability(1)


@pytest.mark.parametrize("distance", [2, 3])
def test_further_apart_is_no_more_than_so_many_steps(distance: int) -> None:
    """Of all pairs of graphs of three nodes and of four, with the distance that the metric says."""
    for metric in (EDGE, NODE):
        space: Any = dp.value(dp.graphs(4), metric)
        t = space >> dp.degree_histogram(1)
        graphs = all_graphs(4)
        for x in graphs[::3]:
            for y in graphs:
                if metric.distance(x, y) == distance:
                    assert sum(abs(a - b) for a, b in zip(t(x), t(y), strict=True)) <= t.stability(distance)


def test_nothing_is_left_out_of_a_graph_whose_nodes_have_few_edges() -> None:
    for x in all_graphs(4):
        degrees = [sum(node in edge for edge in x) for node in range(4)]
        assert kept_degrees(x, 4, max(1, *degrees)) == degrees
        for degree in (1, 2, 3):
            kept = kept_degrees(x, 4, degree)
            assert all(a <= min(b, degree) for a, b in zip(kept, degrees, strict=True))


def test_a_square_with_its_diagonal() -> None:
    square = [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)]
    space = dp.value(dp.graphs(5), EDGE)
    assert (space >> dp.edge_count())(square) == 5
    assert (space >> dp.degree_histogram())(square) == [1, 0, 2, 2, 0]
    assert (space >> dp.triangles())(square) == 2
    assert (space >> dp.edge_count(1))(square) == 2  # 0-1 and 2-3
    assert (space >> dp.degree_histogram(1))(square) == [1, 4]


@pytest.mark.seed("002-04a")
def test_what_counting_costs() -> None:
    edges, nodes = dp.value(dp.graphs(10), EDGE), dp.value(dp.graphs(10), NODE)
    assert (edges >> dp.edge_count() >> dp.laplace(2)).loss(1) == dp.pure("1/2")
    assert (nodes >> dp.edge_count() >> dp.laplace(9)).loss(1) == dp.pure(1)  # n - 1, as the notes have it
    assert (nodes >> dp.edge_count(3) >> dp.laplace(3)).loss(2) == dp.pure(2)
    assert (nodes >> dp.degree_histogram(3) >> dp.laplace(12)).loss(1) == dp.pure(1)
    assert (edges >> dp.triangles() >> dp.laplace(8)).loss(1) == dp.pure(1)


@pytest.mark.parametrize("degree", [0, -1, True, 1.5])
def test_a_degree_is_a_whole_number_from_1(degree: Any) -> None:
    for step in (dp.edge_count, dp.degree_histogram):
        with pytest.raises(InvalidParameter):
            step(degree)


def test_spaces_that_do_not_fit() -> None:
    nodes: Any = dp.value(dp.graphs(4), NODE)
    with pytest.raises(MetricMismatch) as refused:
        nodes >> dp.triangles()
    assert refused.value.bridge == "to_metric(EdgeDistance) first"
    rows: Any = dp.rows(dp.integers())
    every: Any = (dp.edge_count(), dp.degree_histogram(), dp.triangles())
    for step in every:
        with pytest.raises(DomainMismatch):
            rows >> step
        with pytest.raises(InvalidParameter):
            dp.value(dp.graphs(1), EDGE) >> step
        with pytest.raises(MetricMismatch):
            dp.value(dp.graphs(4), dp.DiscreteDistance()) >> step
