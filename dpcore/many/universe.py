"""All rows that there can be, as cells of an array: one axis for each field, and queries laid out over the axes they read.

Everything here is public: it depends on the domain and on the queries, never on data.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import prod
from typing import Any, Final, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from dpcore.domains import FEW, Domain, Record
from dpcore.engines.numpy.columns import EXACT, Column, Multiples, Truths, coded, column_of
from dpcore.engines.numpy.computed import computed
from dpcore.engines.numpy.table import Columns
from dpcore.errors import DomainMismatch
from dpcore.expressions import Expression
from dpcore.many.handed_out import as_like, as_rows
from dpcore.noise.bits import BitSource

Floats: TypeAlias = NDArray[np.float64]

MOST_CELLS: Final = 10**6
"""Beyond so many cells, a round would take seconds and each array many megabytes."""

VALUE: Final = "value"
"""The column of rows that are no records."""

Given: TypeAlias = Mapping[str, list[Any]]
"""Values by column, as they are given out."""


@final
@dataclass(frozen=True, slots=True)
class Universe:
    """The product of the values that each field can take. A row of one value is one field without a name."""

    domain: Domain
    fields: tuple[tuple[str | None, tuple[Hashable, ...]], ...]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple([len(values) for _, values in self.fields])

    @property
    def cells(self) -> int:
        return prod(self.shape)

    def axes_of(self, query: Expression) -> tuple[int, ...]:
        """The axes that the query reads."""
        if not isinstance(self.domain, Record):
            return (0,)
        read = query.fields()
        return tuple([axis for axis, (name, _) in enumerate(self.fields) if name in read])

    def values(self) -> Given:
        """All that each column can hold, as it is given out."""
        return {VALUE if name is None else str(name): _given(self.domain, name, values) for name, values in self.fields}

    def rows(self, places: Sequence[int]) -> list[object]:
        """The rows of cells, by their places in the array, as they are handed out."""
        return self._rows(self._columns(places, self.values()))

    def table(self, places: Sequence[int], like: object) -> object:
        """The same as a table of the kind of another; where that is a list, as a list."""
        values = self.values()
        columns = self._columns(places, values)
        handed = as_like(columns, values, like)
        return self._rows(columns) if handed is None else handed

    def _rows(self, columns: Given) -> list[object]:
        return as_rows(columns) if isinstance(self.domain, Record) else [*columns[VALUE]]

    def _columns(self, places: Sequence[int], values: Given) -> Given:
        return at_places(values, np.unravel_index(np.asarray(places, np.int64), self.shape))

    def __repr__(self) -> str:
        return f"<{self.cells} cells of {self.domain!r}>"


def universe_of(domain: Domain, right: object = None, most: int = MOST_CELLS) -> Universe:
    """The universe of a domain of rows, which is finite and known beforehand."""
    fields = domain.fields if isinstance(domain, Record) else ((None, domain),)
    found: list[tuple[str | None, tuple[Hashable, ...]]] = []
    for name, of in fields:
        values = of.elements()
        if values is None:
            whose = "that a row can have" if name is None else f"of the field {name!r}"
            raise DomainMismatch(
                f"synthetic data need a universe: the values {whose} are not a few that are known beforehand",
                right=right,
                produced=of if name is None else f"{name}: {of!r}",
                expected=f"booleans(), categories(...), or at most {FEW} values: integers(low, high), date(low, high)",
                bridge="select(name=...) of what the queries need, with // width for ranges",
            )
        found.append((name, values))
    universe = Universe(domain, tuple(found))
    if universe.cells > most:
        raise DomainMismatch(
            f"the universe has {universe.cells} cells, and at most {most} are held",
            right=right,
            produced=domain,
            expected=most,
            bridge="select(name=...) of fewer fields, or wider ranges",
        )
    return universe


def at_places(values: Given, places: Sequence[NDArray[np.int64]]) -> Given:
    """The values of rows, by the places of each row along each axis."""
    return {name: [known[i] for i in axis.tolist()] for (name, known), axis in zip(values.items(), places, strict=True)}


def _given(domain: Domain, name: str | None, values: Sequence[Hashable]) -> list[Any]:
    of = dict(domain.fields)[name] if isinstance(domain, Record) and name is not None else domain
    return [*values] if of.gives_as_it_holds() else [of.given_out(value) for value in values]


# ---- queries ----------------------------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Queries over the cells. Those that read the same fields are rows of one matrix over the values of these fields."""

    universe: Universe
    axes: tuple[tuple[int, ...], ...]
    """For each query the axes that it reads."""

    places: tuple[int, ...]
    """For each query its row in the matrix of its axes."""

    matrices: Mapping[tuple[int, ...], Floats]

    def answers(self, weights: Floats) -> Floats:
        """What each query gives of weights over the cells."""
        found = {axes: matrix @ marginal(weights, axes).ravel() for axes, matrix in self.matrices.items()}
        return np.array([found[axes][place] for axes, place in zip(self.axes, self.places, strict=True)])

    def answer(self, query: int, weights: Floats) -> float:
        return float(self._row(query) @ marginal(weights, self.axes[query]).ravel())

    def over_cells(self, query: int) -> Floats:
        """The value of the query in each cell, as an array that numpy spreads over all axes."""
        axes, shape = self.axes[query], self.universe.shape
        return self._row(query).reshape([n if axis in axes else 1 for axis, n in enumerate(shape)])

    def _row(self, query: int) -> Floats:
        row: Floats = self.matrices[self.axes[query]][self.places[query]]
        return row


def marginal(weights: Floats, axes: Sequence[int]) -> Floats:
    """The weights of the values of some axes, summed over the others; the axes stay in the order in which they were."""
    found: Floats = weights.sum(axis=tuple([axis for axis in range(weights.ndim) if axis not in axes]))
    return found


def layout_of(universe: Universe, queries: Sequence[Expression]) -> Layout:
    """The queries, which are expressions on rows of the universe with values in [0, 1]; a null counts as nought."""
    axes = tuple([universe.axes_of(query) for query in queries])
    cells: dict[tuple[int, ...], Columns] = {}
    rows: dict[tuple[int, ...], list[Floats]] = {}
    places: list[int] = []
    for query, read in zip(queries, axes, strict=True):
        if read and read not in cells:
            cells[read] = _cells(universe, read)
        values = _values(query, cells[read]) if read else np.array([_weight(query.on_row({}))])
        places.append(len(rows.setdefault(read, [])))
        rows[read].append(values)
    return Layout(universe, axes, tuple(places), {read: np.stack(found) for read, found in rows.items()})


def _cells(universe: Universe, axes: tuple[int, ...]) -> Columns:
    """All combinations of the values of some fields, in the order of the array."""
    chosen = [universe.fields[axis] for axis in axes]
    places = np.indices([len(values) for _, values in chosen]).reshape(len(chosen), -1)
    columns = {name: _column(values).take(each) for (name, values), each in zip(chosen, places, strict=True)}
    return Columns(columns, places.shape[1])


def _column(values: Sequence[Hashable]) -> Column:
    """Numbers, days and truths are computed with all at once; of others each value once."""
    kinds = {type(value) for value in values} - {type(None)}
    return column_of(values) if kinds in ({bool}, {int}, {date}) else coded(values)


def _values(query: Expression, cells: Columns) -> Floats:
    found = computed(query.node, cells)
    if isinstance(found, Truths):
        return found.true().astype(np.float64)
    if isinstance(found, Multiples) and found.step.denominator <= EXACT:  # p v <= q, so neither is rounded
        shares: Floats = found.values * found.step.numerator / found.step.denominator
        return shares if found.null is None else np.where(found.null, 0.0, shares)
    return np.array([_weight(value) for value in found.python()])


def _weight(value: object) -> float:
    return 0.0 if value is None else float(value)  # type: ignore[arg-type]


def placed(weights: Floats, n: int, bits: BitSource) -> list[int]:
    """n cells, each as often as `n` times its weight, rounded up or down: one random shift for all (systematic sampling).

    The places `(i + u)/n` for i < n in the running sums, u uniform: a cell of weight w holds `floor(n w)` or
    `ceil(n w)` of them, and `n w` on average.
    """
    found: list[int] = spread_out(weights, n, bits.bits(53) / (1 << 53)).tolist()
    return found


def spread_out(weights: Floats, n: int, shift: float) -> NDArray[np.int64]:
    """These cells, in ascending order, for a shift u."""
    ends = np.cumsum(weights.ravel())
    found = np.searchsorted(ends, (np.arange(n) + shift) / max(n, 1) * ends[-1], side="right")
    places: NDArray[np.int64] = np.minimum(found, ends.size - 1)
    return places
