"""Rows kept apart by a key. Rows whose key is none of those given are left out.

Of whole numbers one after another a certificate writes the first and the last, by a rule of its own. That is so for an
expression as the key, not for a user's function, of which each rule says for itself what it assumes.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, final, overload

from dpcore.calculus import rule
from dpcore.core import Space, Transformation, transformation_of
from dpcore.core.checks import by_metric, by_on, key_of
from dpcore.core.spaces import row_domain
from dpcore.core.steps import Step
from dpcore.core.typing import D, M
from dpcore.domains import Parts, Rows, as_typed
from dpcore.engines import KeyOf, Table, grouped
from dpcore.errors import InvalidParameter
from dpcore.expressions import Expression, row
from dpcore.functions import RowFunction, UserFunction
from dpcore.maps import Number
from dpcore.metrics import ChangeOneDistance, PartDistance, SymmetricDistance
from dpcore.transformations.histogram import bins_of, disjoint, keys_in
from dpcore.written.ranges import is_range
from dpcore.written.shared import Keyed, Keys, Range


def _partition(table: Table, *, by: KeyOf, keys: tuple[Hashable, ...]) -> Mapping[Hashable, Table]:
    return grouped(table, by, keys)


@rule(run=_partition, writes=(Keyed, Keys))
def partition_symmetric(d: Number) -> Number:
    """`sum over parts of d_sym(x_i, y_i) <= d(x, y)`: each row is in at most one part."""
    return d


@rule(run=_partition, writes=(Keyed, Keys))
def partition_change_one(d: Number) -> Number:
    """At most `d(x, y)` moves: a replaced row changes inside a part, or leaves part i and enters part j."""
    return d


@rule(run=_partition, writes=(Keyed, Range))
def partition_range_symmetric(d: Number) -> Number:
    """The same, of keys that are whole numbers one after another."""
    return d


@rule(run=_partition, writes=(Keyed, Range))
def partition_range_change_one(d: Number) -> Number:
    """The same, of keys that are whole numbers one after another."""
    return d


@final
@dataclass(frozen=True, slots=True, repr=False)
class Partition(Step):
    """See `partition`."""

    keys: tuple[Hashable, ...] | None
    by: Expression | UserFunction

    word = "partition"
    positional = 1
    defaults: ClassVar[Mapping[str, object]] = {"keys": None, "by": row().structure()}

    def __post_init__(self) -> None:
        if self.keys is not None:
            disjoint(self.keys, "keys")

    def __eq__(self, other: object) -> bool:
        """The same keys, and True is not 1, though Python finds them equal."""
        return isinstance(other, Partition) and (self.by, keys_in(self.keys)) == (other.by, keys_in(other.keys))

    def __hash__(self) -> int:
        return hash((self.by, keys_in(self.keys)))

    def printed(self, value: object) -> str:
        return as_typed(value)

    @overload
    def __call__(
        self, space: Space[Rows[D], SymmetricDistance]
    ) -> Transformation[Rows[D], SymmetricDistance, Parts[D], PartDistance[SymmetricDistance]]: ...
    @overload
    def __call__(
        self, space: Space[Rows[D], ChangeOneDistance]
    ) -> Transformation[Rows[D], ChangeOneDistance, Parts[D], PartDistance[ChangeOneDistance]]: ...
    def __call__(self, space: Space[Rows[D], M]) -> object:
        of = row_domain(self, space)
        by = by_on(self.by, of)
        keys = bins_of(self, of, by, self.keys, "keys")
        if len(set(keys)) < len(keys):
            raise InvalidParameter("Expected keys that a dict tells apart, which 1 and True are not", produced=keys)
        if isinstance(by, Expression) and is_range(keys):
            found = by_metric(self, space, symmetric=partition_range_symmetric, change_one=partition_range_change_one)
        else:
            found = by_metric(self, space, symmetric=partition_symmetric, change_one=partition_change_one)
        metric = (
            PartDistance(ChangeOneDistance())
            if isinstance(space.metric, ChangeOneDistance)
            else PartDistance(SymmetricDistance())
        )
        return transformation_of(self, space, Space(Parts(of, keys), metric), found, {"by": by, "keys": keys})


def partition(keys: Sequence[Hashable] | None = None, by: Expression | RowFunction | None = None) -> Partition:
    """Rows by key, `partition(["N", "S"], field("region"))`; without keys, by each value that `by` can take."""
    given: object = keys
    if by is None and isinstance(given, (str, Expression)):
        named = f"field({given!r})" if isinstance(given, str) else repr(given)
        raise InvalidParameter(
            f"Expected the keys of the parts, and not what rows are parted by: {named}",
            produced=keys,
            bridge=f"partition(by={named}) for each value that it can take; partition([...], by={named}) for some",
        )
    return Partition(None if keys is None else disjoint(keys, "keys"), key_of(by))
