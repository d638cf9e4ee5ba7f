"""A synthetic table: the noisy counts that it is made of, and the rows that the model of them gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import final

import numpy as np

from dpcore.core.checks import number_of
from dpcore.errors import InvalidParameter
from dpcore.many.estimates import met, modelled
from dpcore.many.handed_out import as_like, as_rows
from dpcore.many.junctions import Fields
from dpcore.many.models import Model, Noisy
from dpcore.many.universe import Floats, Universe, at_places
from dpcore.noise.bits import BitSource, system_bits


@final
@dataclass(frozen=True, slots=True)
class Counted:
    """Noisy counts of one field or of two, by their places, and the variance of the noise."""

    fields: tuple[int, ...]
    counts: tuple[int, ...]
    variance: Fraction


@final
@dataclass(frozen=True, slots=True)
class SyntheticTable:
    """A distribution of rows that stands for a table: a model of its fields. All of it is post-processing of releases.

    made = (people >> dp.synthesize(dp.zcdp("1/8"))).release(table)
    made.rows(1000, like=table)                    # a table of the same library
    """

    universe: Universe
    size: int
    """About how many rows the table has, by the noisy counts."""
    counted: tuple[Counted, ...] = field(repr=False)
    """What it is made of: noisy counts of fields and of pairs of them."""

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """The pairs that depend most on each other, the strongest first: a tree over the fields, or several."""
        names = [str(name) for name, _ in self.universe.fields]
        return tuple([(names[edge[0]], names[edge[1]]) for edge in model_of(self)[1]])

    def marginal(self, *names: str) -> Floats:
        """The shares of the values of one field, or of the pairs of values of two."""
        known = [str(name) for name, _ in self.universe.fields]
        if not 1 <= len({*names}) == len(names) <= 2 or not {*names} <= {*known}:
            raise InvalidParameter(
                f"Expected the names of one field or of two but got {names}", produced=names, expected=known
            )
        places = [known.index(name) for name in names]
        found = model_of(self)[0].marginal(tuple(sorted(places)))
        return found.T if places != sorted(places) else found

    def rows(self, n: int | None = None, *, like: object = None, bits: BitSource | None = None) -> object:
        """n rows, or about as many as there are: a list, or a table of the library of `like`. `bits` is for tests."""
        source = system_bits() if bits is None else bits
        many = number_of(self.size if n is None else n, "n", 1)
        places = model_of(self)[0].sampled(many, np.random.default_rng(source.bits(128)))
        values = self.universe.values()
        columns = at_places(values, places)
        handed = as_like(columns, values, like)
        return as_rows(columns) if handed is None else handed


def nearest(sizes: Sequence[int], counted: Sequence[Counted], size: int, before: Model | None = None) -> Model:
    """The model that is nearest to these counts as they are, found from the one before."""
    return met(sizes, _noisy(sizes, counted), size, before)


def _noisy(sizes: Sequence[int], counted: Sequence[Counted]) -> list[Noisy]:
    return [
        Noisy(each.fields, np.array(each.counts, float).reshape([sizes[i] for i in each.fields]), float(each.variance))
        for each in counted
    ]


@lru_cache(maxsize=16)
def model_of(table: SyntheticTable) -> tuple[Model, tuple[Fields, ...]]:
    """It follows from the counts, and is found when it is first asked for; and the pairs of its tree."""
    sizes = table.universe.shape
    return modelled(sizes, _noisy(sizes, table.counted), table.size)
