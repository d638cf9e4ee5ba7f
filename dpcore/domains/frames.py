"""Tables of other libraries, as type checkers know them: by one method that each has. What reads them is found in
`dpcore.engines.frames`, when data come in. And from which libraries an object is, none of which is imported to find out.
"""

from __future__ import annotations

from typing import Protocol, TypeAlias, TypeVar, runtime_checkable

F_co = TypeVar("F_co", covariant=True)


@runtime_checkable
class Streamed(Protocol):
    """What hands out its rows as an Arrow stream: frames and series of polars and pandas, tables and readers of pyarrow,
    relations of DuckDB, tables of Ibis."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class Whole(Streamed, Protocol):
    """A frame in memory: of polars and pandas, and a table of pyarrow. Others lack one of these."""

    @property
    def shape(self) -> tuple[int, int]: ...
    @property
    def equals(self) -> object: ...
    @property
    def join(self) -> object: ...


class Single(Streamed, Protocol[F_co]):
    """A series, and the frame that it would be."""

    def to_frame(self) -> F_co: ...


class Lazy(Protocol):
    """A query of polars."""

    def collect_schema(self) -> object: ...


class Stream(Streamed, Protocol[F_co]):
    """What is read once, as a reader of pyarrow, and the table that it is then."""

    def read_all(self) -> F_co: ...


class Scanned(Protocol[F_co]):
    """A data set of pyarrow, and the table that it would be."""

    def scanner(self) -> object: ...
    def to_table(self) -> F_co: ...


class Related(Streamed, Protocol):
    """A relation of DuckDB."""

    def project(self, groups: str = ...) -> object: ...


class Distributed(Protocol):
    """A frame of PySpark."""

    def toLocalIterator(self) -> object: ...


Frame: TypeAlias = Streamed | Lazy | Scanned[object] | Distributed


def libraries_of(x: object) -> list[str]:
    """The libraries whose classes the object is made of, by the names that one imports, the nearest first: a class of a
    user's own that is a table of pandas is one."""
    return [kind.__module__.partition(".")[0].lstrip("_") for kind in type(x).__mro__]
