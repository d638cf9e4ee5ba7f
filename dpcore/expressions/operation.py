"""One operation in one record: name, arity, what it does to a row and to domains, and how it prints.

What it does to a row is its definition. An engine has a table of its own, by the names of operations, of how it computes
them at once; whatever stands in no such table it computes row by row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from dpcore.expressions.printing import Printer
from dpcore.expressions.shapes import Shape


def no_demands(*constants: object) -> str | None:
    """Any constants will do."""
    return None


@final
@dataclass(frozen=True, slots=True, eq=False)
class Operation:
    """A total function of its operands.

    Unless `sees_nulls`, the functions meet proper values only, and the result is null where an operand is, as
    `Apply` sees to.
    """

    name: str
    arity: int
    """The number of operands; with `more`, the least number."""

    row: Callable[..., object]
    """The definition: from Python values to a Python value."""

    shape: Callable[..., Shape]
    """From the operands' domains (their shapes, if it `sees_nulls`) to what `row` can return. May raise `Unfit`."""

    printer: Printer

    constants: int | None = None
    """From this operand on, all are constants other than null."""

    demand: Callable[..., str | None] = no_demands
    """What is wrong with those constants."""

    more: bool = False
    sees_nulls: bool = False
