"""Tables of other libraries, as type checkers know them: by one method that each has. What reads them is found in
`dpcore.engines.frames`, when data come in. And from which libraries an object is, none of which is imported to find out.
"""

from __future__ import annotations

from typing import Protocol, TypeAlias, runtime_checkable


@runtime_checkable
class Streamed(Protocol):
    """What hands out its rows as an Arrow stream: frames and series of polars and pandas, tables and readers of pyarrow,
    relations of DuckDB, tables of Ibis."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class Lazy(Protocol):
    """A query of polars."""

    def collect_schema(self) -> object: ...


class Scanned(Protocol):
    """A data set of pyarrow."""

    def scanner(self) -> object: ...


class Distributed(Protocol):
    """A frame of PySpark."""

    def toLocalIterator(self) -> object: ...


Frame: TypeAlias = Streamed | Lazy | Scanned | Distributed


def libraries_of(x: object) -> list[str]:
    """The libraries whose classes the object is made of, by the names that one imports, the nearest first: a class of a
    user's own that is a table of pandas is one."""
    return [kind.__module__.partition(".")[0].lstrip("_") for kind in type(x).__mro__]
