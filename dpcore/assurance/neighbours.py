"""How hypothesis makes pairs of data sets a small distance apart: some data, and the same after a few edits.

The edits are those that the metric counts, where it is one of dpcore's. For a metric of the user's own they are edits of
single rows or values, and the metric says how far apart that is.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from functools import singledispatch
from typing import Final, TypeAlias

from hypothesis import strategies as st

from dpcore.assurance.strategies import Members, Met, graphs_of, grid_step, members_of, records_of, vectors_of
from dpcore.core.origins import SomeSpace
from dpcore.domains import Domain, Graphs, Integers, NumberDomain, Parts, Record, Rows, Vector, key
from dpcore.metrics import ChangeOneDistance, Metric, NodeDistance, PersonDistance

Pair: TypeAlias = tuple[object, object]
Pairs: TypeAlias = st.SearchStrategy[Pair]

MOST_EDITS: Final = 3


def neighbours(space: SomeSpace, met: Met, rows: int) -> Pairs:
    """Pairs of members, most of them near each other."""
    return _pairs(space.domain, space.metric, met, rows)


@singledispatch
def _pairs(domain: Domain, metric: Metric, met: Met, rows: int) -> Pairs:
    value = members_of(domain, met)
    return st.tuples(value, value)


@_pairs.register(Rows)
def _(domain: Rows[Domain], metric: Metric, met: Met, rows: int) -> Pairs:
    size = domain.size
    if isinstance(metric, PersonDistance) and isinstance(domain.of, Record):
        return _persons(records_of(domain.of, met), metric.by, size, rows)
    return _edited(
        members_of(domain.of, met), size, rows, replace_only=size is not None or isinstance(metric, ChangeOneDistance)
    )


@_pairs.register(Parts)
def _(domain: Parts[Domain], metric: Metric, met: Met, rows: int) -> Pairs:
    return _parts(domain, met, rows)


@_pairs.register(Graphs)
def _(domain: Graphs, metric: Metric, met: Met, rows: int) -> Pairs:
    return _graphs(domain, redrawn=isinstance(metric, NodeDistance))


@_pairs.register(NumberDomain)
def _(domain: NumberDomain, metric: Metric, met: Met, rows: int) -> Pairs:
    return _moved(domain, members_of(domain, met))


@_pairs.register(Vector)
def _(domain: Vector[Domain], metric: Metric, met: Met, rows: int) -> Pairs:
    vector = vectors_of(domain, met)
    return _vectors(domain, vector) if isinstance(domain.of, NumberDomain) else st.tuples(vector, vector)


@st.composite
def _edited(draw: st.DrawFn, row: Members, size: int | None, most: int, replace_only: bool) -> Pair:
    """Rows; and the same with some of them added, removed or replaced, in another order."""
    least, largest = (0, most) if size is None else (size, size)
    x = draw(st.lists(row, min_size=least, max_size=largest))
    y = list(x)
    for _ in range(draw(st.integers(0, MOST_EDITS))):
        edit = "replace" if replace_only else draw(st.sampled_from(["add", "remove", "replace"]))
        if edit == "add":
            y.append(draw(row))
        elif y:
            at = draw(st.integers(0, len(y) - 1))
            y[at : at + 1] = [draw(row)] if edit == "replace" else []
    return x, draw(st.permutations(y))


@st.composite
def _persons(draw: st.DrawFn, row: st.SearchStrategy[dict[str, object]], by: str, size: int | None, most: int) -> Pair:
    """Records; and the same with all rows of some persons taken out, brought in, or exchanged for others."""
    least, largest = (0, most) if size is None else (size, size)
    x = draw(st.lists(row, min_size=least, max_size=largest))
    y = list(x)
    for _ in range(draw(st.integers(0, MOST_EDITS - 1))):
        person = draw(st.sampled_from([r[by] for r in y])) if y else None
        if len(y) > 0 and draw(st.booleans()):
            y = [r for r in y if key(r[by]) != key(person)]
        for new in draw(st.lists(row, max_size=2 if size is None else 0)):
            y.append({**new, by: person} if person is not None and draw(st.booleans()) else new)
    return x, draw(st.permutations(y))


@st.composite
def _parts(draw: st.DrawFn, domain: Parts[Domain], met: Met, most: int) -> Pair:
    """Rows by key; and the same after rows entered, left, or went from one part to another."""
    row = st.tuples(st.sampled_from(list(domain.keys)), members_of(domain.of, met))
    placed: list[tuple[Hashable, object]] = draw(st.lists(row, max_size=most))
    moved = list(placed)
    for _ in range(draw(st.integers(0, MOST_EDITS))):
        if len(moved) > 0 and draw(st.booleans()):
            at = draw(st.integers(0, len(moved) - 1))
            moved[at : at + 1] = [draw(row)] if draw(st.booleans()) else []
        else:
            moved.append(draw(row))
    return _by_key(domain, placed), _by_key(domain, draw(st.permutations(moved)))


def _by_key(domain: Parts[Domain], placed: list[tuple[Hashable, object]]) -> dict[Hashable, list[object]]:
    return {key: [row for k, row in placed if k == key] for key in domain.keys}


@st.composite
def _graphs(draw: st.DrawFn, domain: Graphs, redrawn: bool) -> Pair:
    """A graph; and the same with edges toggled, or with all edges of a node drawn anew."""
    graph = draw(graphs_of(domain))
    other = graph
    if redrawn and domain.nodes:
        node = draw(st.integers(0, domain.nodes - 1))
        other = [edge for edge in graph if node not in edge]
    edges = draw(graphs_of(domain))
    toggled = {frozenset(e) for e in other} ^ {frozenset(e) for e in edges[:MOST_EDITS]}
    return graph, sorted(tuple(sorted(e)) for e in toggled)


@st.composite
def _moved(draw: st.DrawFn, domain: NumberDomain, value: Members) -> Pair:
    """Two numbers, often a few steps apart."""
    x = draw(value)
    near = _plus(domain, x, draw(st.integers(-MOST_EDITS, MOST_EDITS)))
    return x, near if domain.member(near) else draw(value)


@st.composite
def _vectors(draw: st.DrawFn, domain: Vector[Domain], vector: st.SearchStrategy[list[object]]) -> Pair:
    """Two vectors, often a few steps apart in one coordinate or in all."""
    x = draw(vector)
    moves = draw(st.lists(st.integers(-MOST_EDITS, MOST_EDITS), min_size=len(x), max_size=len(x)))
    near = [_plus(domain.of, v, k) for v, k in zip(x, moves, strict=True)]
    return x, near if domain.member(near) else draw(vector)


def _plus(domain: Domain, x: object, steps: int) -> object:
    assert isinstance(x, (int, Fraction))
    moved = x + steps * grid_step(domain)
    return int(moved) if isinstance(domain, Integers) else moved
