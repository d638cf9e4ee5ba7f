"""So many rows, whatever their number was: filled up with a constant, or cut by a fair choice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias, final

from dpcore.calculus import rule
from dpcore.calculus.parameters import Parameter
from dpcore.core import Space, Transformation, transformation_of
from dpcore.core.checks import by_metric, number_of
from dpcore.core.spaces import row_domain
from dpcore.core.steps import Step
from dpcore.core.typing import D
from dpcore.domains import Rows
from dpcore.engines import Table
from dpcore.errors import DomainMismatch, InvalidParameter
from dpcore.expressions import Expression, literal
from dpcore.expressions.node import Literal
from dpcore.maps import Number
from dpcore.metrics import ChangeOneDistance, SymmetricDistance
from dpcore.noise.row_keys import RowKey
from dpcore.written import SPOKEN
from dpcore.written.shared import Size


def _resized(table: Table, *, size: int, row: object, key: RowKey) -> Table:
    table = table.read_once()
    missing = size - table.count()
    return table.padded(row, missing) if missing >= 0 else table.fairly(None, size, key)


@rule(run=_resized, writes=(Size, Parameter("fill", SPOKEN)))
def resize_symmetric(d: Number) -> Number:
    """`d_change(f_k(x), f_k(y)) <= d(x, y)` for every key k: a row more pushes one other out, or takes a filling's place.

    Rows in the order of a key, copies numbered: one row more adds one entry to that order, so among the first n at most
    one gives way. Two data sets of different sizes reach it; rows replaced by as many others cost half as much.
    """
    return d


Fill: TypeAlias = Expression | tuple[tuple[str, Expression], ...]


@final
@dataclass(frozen=True, slots=True, repr=False)
class Resize(Step):
    """See `resize`."""

    size: int
    fill: Fill

    word = "resize"

    def __call__(
        self, space: Space[Rows[D], SymmetricDistance]
    ) -> Transformation[Rows[D], SymmetricDistance, Rows[D], ChangeOneDistance]:
        of = row_domain(self, space)
        found = by_metric(self, space, symmetric=resize_symmetric)
        row = filling(self.fill)
        if not of.member(row):
            raise DomainMismatch(
                "cannot chain: what fills up is no row of these", right=self, produced=row, expected=of
            )
        output = Space(Rows(space.domain.of, self.size), ChangeOneDistance())
        parameters = {"size": self.size, "fill": self.fill, "row": of.canonical(row)}
        return transformation_of(self, space, output, found, parameters)

    def __repr__(self) -> str:
        if isinstance(self.fill, tuple):
            return f"resize({self.size}, {{{', '.join(f'{name!r}: {e!r}' for name, e in self.fill)}}})"
        return f"resize({self.size}, {self.fill!r})"


def filling(fill: Fill) -> object:
    """The row that fills up."""
    if isinstance(fill, tuple):
        return {name: _value(e) for name, e in fill}
    return _value(fill)


def _value(e: Expression) -> object:
    node = e.node
    if not isinstance(node, Literal):
        raise InvalidParameter(f"Expected constants to fill up with but got {e!r}", produced=e)
    return node.value


def resize(size: int, fill: object) -> Resize:
    """`size` rows: too few are filled up with a constant, `resize(100, 0)` or `resize(100, {"age": 0})`, too many cut.

    A key drawn with the release decides which rows are cut, each as likely as another. The number of rows before is
    protected; afterwards it is known, so rows are then counted as replaced. Fillings count as rows from here on.
    """
    made: Fill
    if isinstance(fill, Mapping):
        made = tuple([(str(name), _constant(value)) for name, value in fill.items()])
    else:
        made = _constant(fill)
    return Resize(number_of(size, "size", 1), made)


def _constant(x: object) -> Expression:
    e = (x if isinstance(x, Expression) else literal(x)).structure()
    _value(e)
    return e
