"""How many rows fall into each of several disjoint bins. Rows in no bin are not counted."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Generic, TypeVar, final, overload

import numpy as np

from dpcore.calculus import Rule, rule
from dpcore.calculus.parameters import Parameter
from dpcore.core import Space, Transformation
from dpcore.core.arrows import aggregated
from dpcore.core.chaining import FILTERED
from dpcore.core.checks import key_of
from dpcore.core.origins import Onward
from dpcore.core.spaces import row_domain
from dpcore.core.steps import Step
from dpcore.core.typing import D
from dpcore.domains import (
    Array,
    Dates,
    Domain,
    Integers,
    Key,
    Numbers,
    Optional,
    Rows,
    Vector,
    as_typed,
    different,
    key,
    plainly,
)
from dpcore.domains.keys import keys_of
from dpcore.engines import KeyOf, Table
from dpcore.errors import InvalidParameter, class_of, printed
from dpcore.expressions import Expression, row
from dpcore.expressions.node import day_in
from dpcore.expressions.shapes import shape_of
from dpcore.functions import RowFunction, UserFunction
from dpcore.maps import Number
from dpcore.metrics import L1Distance, L2Distance, LInfDistance, Metric, RangeDistance, RowMetric, VectorMetric
from dpcore.transformations.cells import cells_of
from dpcore.written import CONSTANTS
from dpcore.written.shared import Keyed

M = TypeVar("M", bound=RowMetric)
N = TypeVar("N", bound=VectorMetric)


Bins = Parameter("bins", CONSTANTS)


def _tally(table: Table, *, by: KeyOf, bins: tuple[Hashable, ...]) -> list[int]:
    return table.tally(by, dict(zip(keys_of(bins), range(len(bins)), strict=True)))  # different: see `disjoint`


@rule(run=_tally, writes=(Keyed, Bins))
def histogram_symmetric(d: Number) -> Number:
    """`||h(x) - h(y)|| <= d` in L1, LInf and the range: each row added or removed moves at most one bin by one."""
    return d


@rule(run=_tally, writes=(Keyed, Bins))
def histogram_l2_symmetric(d: Number) -> Number:
    """The same in L2, carried as squares: all d rows may fall into one bin."""
    return d * d


@rule(run=_tally, writes=(Keyed, Bins))
def histogram_l1_change_one(d: Number) -> Number:
    """`||h(x) - h(y)||_1 <= 2d`: a replaced row leaves one bin and enters another. The same for the range."""
    return 2 * d


@rule(run=_tally, writes=(Keyed, Bins))
def histogram_l2_change_one(d: Number) -> Number:
    """`||h(x) - h(y)||_2 <= sqrt(2) d`, carried as squares: d rows may leave one bin and enter one other."""
    return 2 * d * d


@rule(run=_tally, writes=(Keyed, Bins))
def histogram_linf_change_one(d: Number) -> Number:
    """`||h(x) - h(y)||_inf <= d`: no bin loses or gains more than the d rows replaced."""
    return d


@rule(run=_tally, writes=(Keyed, Bins))
def histogram_one_bin_change_one(d: Number) -> Number:
    """`|h(x) - h(y)| <= d` of a single bin, in L1, LInf and the range: a replaced row leaves it or enters it, not both."""
    return d


@rule(run=_tally, writes=(Keyed, Bins))
def histogram_one_bin_l2_change_one(d: Number) -> Number:
    """The same in L2, carried as squares."""
    return d * d


@rule(run=_tally, writes=(Keyed, Bins))
def histogram_linf_filtered(d: Number) -> Number:
    """`||h(x) - h(y)||_inf <= d/2`: of rows that a filter left, where at most d/2 leave and at most d/2 enter."""
    return d / 2


@rule(run=_tally, writes=(Keyed, Bins))
def histogram_l2_filtered(d: Number) -> Number:
    """`||h(x) - h(y)||_2 <= d/sqrt(2)`, carried as squares: d/2 rows may leave one bin and as many enter one other."""
    return d * d / 2


@rule(run=_tally, writes=(Keyed, Bins))
def histogram_one_bin_filtered(d: Number) -> Number:
    """`|h(x) - h(y)| <= d/2` of a single bin, in L1, LInf and the range, of rows that a filter left."""
    return d / 2


@rule(run=_tally, writes=(Keyed, Bins))
def histogram_one_bin_l2_filtered(d: Number) -> Number:
    """The same in L2, carried as squares."""
    return d * d / 4


def _of_filtered(arrow: Onward) -> Rule | None:
    """Of many bins the bound in L1, and in the range, is that for rows that come and go."""
    assert isinstance(arrow.output.domain, Vector)
    if arrow.output.domain.size == 1:
        return histogram_one_bin_l2_filtered if arrow.output.metric == L2Distance() else histogram_one_bin_filtered
    by_norm: dict[type[Metric], Rule] = {L2Distance: histogram_l2_filtered, LInfDistance: histogram_linf_filtered}
    return by_norm.get(type(arrow.output.metric))


FILTERED[histogram_symmetric.name] = FILTERED[histogram_l2_symmetric.name] = _of_filtered


ONE_BIN: dict[Rule, Rule] = {
    histogram_l1_change_one: histogram_one_bin_change_one,
    histogram_l2_change_one: histogram_one_bin_l2_change_one,
}
"""Where there is a single bin."""

RULES_BY_NORM: dict[type[VectorMetric], tuple[Rule, Rule]] = {
    L1Distance: (histogram_symmetric, histogram_l1_change_one),
    L2Distance: (histogram_l2_symmetric, histogram_l2_change_one),
    LInfDistance: (histogram_symmetric, histogram_linf_change_one),
    RangeDistance: (histogram_symmetric, histogram_l1_change_one),
}
"""For each norm the rules under SymmetricDistance and under ChangeOneDistance."""


@final
@dataclass(frozen=True, slots=True, repr=False)
class Histogram(Step, Generic[N]):
    """See `histogram`."""

    by: Expression | UserFunction | tuple[Expression, ...]
    bins: tuple[Hashable, ...] | None
    norm: type[N]

    word = "histogram"
    positional = 1
    defaults: ClassVar[Mapping[str, object]] = {"by": row().structure(), "bins": None, "norm": L1Distance}

    def __post_init__(self) -> None:
        if self.bins is not None:
            disjoint(self.bins, "bins")
            if isinstance(self.by, tuple):
                _of_as_many(self.bins, self.by)

    def __eq__(self, other: object) -> bool:
        """The same bins, and True is not 1, though Python finds them equal."""
        mine = (self.by, self.norm, keys_in(self.bins))
        return isinstance(other, Histogram) and mine == (other.by, other.norm, keys_in(other.bins))

    def __hash__(self) -> int:
        return hash((self.by, self.norm, keys_in(self.bins)))

    def printed(self, value: object) -> str:
        return as_typed(value)

    def __call__(self, space: Space[Rows[D], M]) -> Transformation[Rows[D], M, Vector[Integers], N]:
        of = row_domain(self, space)
        if isinstance(self.by, tuple):
            parameters = self._by_several(of, self.by)
        else:
            by = self.by.on(of) if isinstance(self.by, Expression) else self.by
            parameters = {"by": by, "bins": bins_of(self, of, by, self.bins)}
        bins = parameters["bins"]
        assert isinstance(bins, tuple)
        symmetric, change_one = RULES_BY_NORM[self.norm]
        change_one = ONE_BIN.get(change_one, change_one) if len(bins) == 1 else change_one
        output = Space(Vector(Integers(0), len(bins)), self.norm())
        return aggregated(self, space, output, parameters, symmetric=symmetric, change_one=change_one)

    def _by_several(self, of: Domain, by: tuple[Expression, ...]) -> dict[str, object]:
        named = None if self.bins is None else _of_as_many(self.bins, by)
        number, bins, cells = cells_of(self, of, by, named, partial(bins_of, self, of))
        return {"by": number, "bins": bins, "cells": cells}


def _of_as_many(bins: tuple[Hashable, ...], by: Sequence[Expression]) -> tuple[tuple[Hashable, ...], ...]:
    """Bins that are tuples, of an entry for each key."""
    fit = tuple([b for b in bins if isinstance(b, tuple) and len(b) == len(by)])
    if len(fit) < len(bins):
        raise InvalidParameter(
            f"Expected bins that are tuples of {len(by)} values, one for each of {len(by)} keys", produced=bins
        )
    return fit


def keys_in(bins: tuple[Hashable, ...] | None) -> tuple[Key, ...] | None:
    return None if bins is None else tuple(keys_of(bins))


def bins_of(
    step: Step, of: Domain, by: Expression | UserFunction, bins: tuple[Hashable, ...] | None, name: str = "bins"
) -> tuple[Hashable, ...]:
    """The bins given, or all values that the key can take where these are few and known. `name` is the step's for them."""
    keys = by.domain(of) if isinstance(by, Expression) else None
    values = None if keys is None else shape_of(keys).values
    if isinstance(values, Numbers) and values.step is None:
        raise InvalidParameter(
            f"{step.word} brings together rows whose key is equal, and numbers off a grid hardly ever are",
            right=step,
            produced=keys,
            bridge="... // width for intervals, or .round(step)",
        )
    if bins is not None:
        if isinstance(values, Dates):
            bins = disjoint([day_in(b) or b for b in bins], name)
        foreign = [b for b in bins if keys is not None and not _had(b, keys)]
        if foreign:
            raise InvalidParameter(
                f"{step.word} was given {printed(foreign[0])}, which no row can have",
                right=step,
                produced=bins,
                expected=keys,
            )
        return bins
    known = None if keys is None else _listed(keys, name)
    if known is None:
        raise InvalidParameter(
            f"{step.word} needs {name}: the values of the key are not a few that are known beforehand",
            right=step,
            produced=keys,
            bridge=f"{step.word}(..., {name}=[...])",
        )
    return known


def _listed(keys: Domain, name: str) -> tuple[Hashable, ...] | None:
    """All values of the key, each as it is handed out."""
    found = keys.elements()
    if found is not None and not keys.gives_as_it_holds():
        found = tuple(map(keys.given_out, found))
    # Null may be meant twice; all other domains have each value once.
    if found is not None and isinstance(keys, Optional):
        different(found, name)
    return found


def _had(b: Hashable, keys: Domain) -> bool:
    """Whether a row can have this key: it is one, and is found under the key of its canonical form."""
    return keys.member(b) and key(keys.canonical(b)) == key(b)


def disjoint(values: Sequence[Hashable] | Array, name: str) -> tuple[Hashable, ...]:
    """Bins as a tuple: at least one, none twice, and each of a kind that can be told from others."""
    listed = list(values) if isinstance(values, np.ndarray) and values.ndim else values
    if isinstance(listed, (str, bytes)) or not isinstance(listed, Sequence):
        raise InvalidParameter(f"Expected a list for {name} but got a {type(values).__name__}", produced=values)
    if not listed:
        raise InvalidParameter(f"Expected at least one of the {name} but got none")
    plain = tuple(map(plainly, listed))
    different(plain, name)
    return plain


By = Expression | RowFunction | Sequence[Expression]


@overload
def histogram(by: By | None = None, bins: Sequence[Hashable] | Array | None = None) -> Histogram[L1Distance]: ...
@overload
def histogram(
    by: By | None = None, bins: Sequence[Hashable] | Array | None = None, *, norm: N | type[N]
) -> Histogram[N]: ...
def histogram(
    by: object = None,
    bins: Sequence[Hashable] | Array | None = None,
    *,
    norm: VectorMetric | type[VectorMetric] = L1Distance,
) -> object:
    """How many rows have each value of `by` (of the row itself where nothing is said).

    `by` may be several, `histogram([field("zip"), field("sex")])`: a bin is then a tuple of values, one of each.
    Without `bins`, one bin for each value the key can take, of several in the order of `itertools.product`. `bins` are
    values, not edges: rows of any other value are in no bin. For ranges, make a key of them:
    `histogram(field("age") // 10, bins=range(13))`. `norm` says in which metric the next step counts: L1Distance for
    Laplace noise, L2Distance for Gaussian noise, RangeDistance for choosing the fullest bin.
    """
    chosen = None if bins is None else disjoint(bins, "bins")
    counted = norm if isinstance(norm, type) and norm in RULES_BY_NORM else class_of(norm, RULES_BY_NORM, "norm")
    return Histogram(_keys_of(by), chosen, counted)


def _keys_of(by: object) -> Expression | UserFunction | tuple[Expression, ...]:
    if not isinstance(by, (list, tuple)):
        return by.structure() if isinstance(by, Expression) else key_of(by)
    if not by:
        raise InvalidParameter("Expected at least one key in by but got none", bridge="count() for all rows together")
    for each in by:
        if not isinstance(each, Expression):
            raise InvalidParameter(
                f"Expected expressions in by but got a {type(each).__name__}",
                produced=each,
                bridge=f"field({each!r})" if isinstance(each, str) else "one function that gives a tuple, by itself",
            )
    return tuple([each.structure() for each in by])
