"""Distances between graphs on the same nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from dpcore.domains import Graphs
from dpcore.metrics.metric import Carried, Metric, edges


@final
@dataclass(frozen=True, slots=True)
class EdgeDistance(Metric):
    """Edges added plus edges removed, on the same nodes."""

    whole = True
    domains = (Graphs,)
    one_apart = "one edge more or one edge less"

    def carried(self, x: object, y: object) -> Carried:
        return len(edges(x) ^ edges(y))


@final
@dataclass(frozen=True, slots=True)
class NodeDistance(Metric):
    """Nodes whose edges are drawn anew, on the same nodes: the fewest that touch every edge that differs."""

    whole = True
    domains = (Graphs,)
    one_apart = "all edges of one node drawn anew"

    def carried(self, x: object, y: object) -> Carried:
        return _cover(edges(x) ^ edges(y))


def _cover(differing: frozenset[frozenset[object]]) -> int:
    """The size of a least vertex cover, by branching on the two ends of an edge."""
    if not differing:
        return 0
    return 1 + min(_cover(frozenset(e for e in differing if node not in e)) for node in next(iter(differing)))
