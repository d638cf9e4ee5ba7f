"""What is asked of whatever holds rows as columns, and comes from outside."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

from dpcore.domains import Domain, Rows
from dpcore.engines.numpy.coded import Given
from dpcore.engines.table import Table

D = TypeVar("D", bound=Domain)

Take: TypeAlias = Callable[[Sequence[Given]], None]


class Source(ABC):
    """Rows as columns. It can be read again and again."""

    __slots__ = ()

    ordered: bool
    """Whether rows have places, so that one can be named by its number."""

    whole: bool
    """Whether all rows are in memory already, and come as one batch."""

    of: Source | None = None
    """What the rows were, before they came apart."""

    @abstractmethod
    def names(self) -> Sequence[str] | None:
        """Of the columns; None for a single one, which stands for the rows themselves."""

    def queried(self, rows: Rows[D]) -> Table | None:
        """A table that asks the engine which holds the rows; None where there is none to be asked."""
        return None

    def apart(self, names: Sequence[str], by: str) -> Source | None:
        """The same rows in batches, each of which has all rows of some values of this column; None where all rows are held
        with ease, or nothing is known that keeps equal values together."""
        return None

    @abstractmethod
    def feed(self, names: Sequence[str] | None, take: Take) -> None:
        """Hand over these columns, in this order, so many rows at a time. It returns when there are no more, and raises
        where it could not come to the end: less than all rows would be another table."""

    @abstractmethod
    def at_once(self, names: Sequence[str] | None) -> Sequence[Given]:
        """All rows of these columns, in memory."""
