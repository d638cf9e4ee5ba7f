"""The names and the dtypes of the columns of a table, whichever library holds it: the door to their schemas.

A library is never imported. No value is read, no query is run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, final

from dpcore.domains.frames import libraries_of
from dpcore.errors import InvalidParameter

Pairs: TypeAlias = Iterable[tuple[object, object]]


@final
@dataclass(frozen=True, slots=True)
class Column:
    """A column as its library prints it."""

    name: str
    dtype: str
    library: str


def columns_in(frame: object) -> list[Column] | Column:
    """The columns of a table in their order; the one column that was handed over by itself."""
    alone = _alone(frame)
    if alone is not None:
        return alone
    try:
        found = _columns(frame)
    except InvalidParameter:
        raise
    except Exception as error:  # a file that is gone, a connection that is closed
        failed = type(error).__name__
    else:
        if found is not None:
            return found
        raise InvalidParameter(
            f"Expected a table, such as a DataFrame, or arrays by name but got a {type(frame).__name__}",
            produced=type(frame),
            bridge="record(name=domain, ...)",
        )
    # Outside the handler, so that the exception, of which nobody knows what it holds, is not carried along.
    raise InvalidParameter(f"the schema of the {type(frame).__name__} cannot be read: {failed}", produced=type(frame))


def _columns(frame: object) -> list[Column] | None:
    """The columns of a table; None of anything else."""
    library = _library_of(frame)
    read = READERS.get(library)
    if read is not None:
        return [_column(name, dtype, library) for name, dtype in read(frame)]
    if isinstance(frame, Mapping):
        return [_of_array(name, array) for name, array in frame.items()]
    if not hasattr(frame, "__arrow_c_schema__"):
        return None
    from dpcore.domains.schemas.arrow import columns_of

    return [_column(name, dtype, "arrow") for name, dtype in columns_of(frame.__arrow_c_schema__())]


def _column(name: object, dtype: object, library: str) -> Column:
    if not isinstance(name, str):
        raise InvalidParameter(
            f"Expected names of columns that are texts but got a {type(name).__name__}", bridge="columns renamed before"
        )
    return Column(name, str(dtype), library)


def _of_array(name: object, array: object) -> Column:
    found = _alone(array)
    if found is None:
        raise InvalidParameter(
            f"Expected an array for column {name!r} but got a {type(array).__name__}", bridge="numpy.array(...) of it"
        )
    return _column(name, found.dtype, found.library)


def _alone(array: object) -> Column | None:
    """One column by itself; None of a table."""
    library = _library_of(array)
    dtype: object = getattr(array, "dtype", getattr(array, "type", None) if library == "pyarrow" else None)
    return None if dtype is None else Column("", str(dtype), library)


def _library_of(x: object) -> str:
    """The nearest library that has a reader, or that of its class."""
    made_by = libraries_of(x)
    return next((library for library in made_by if library in READERS), made_by[0])


def _polars(frame: Any) -> Pairs:
    """Also the schema itself, and what narwhals makes of a table."""
    schema = frame.collect_schema() if hasattr(frame, "collect_schema") else frame
    return list(schema.items())


def _pandas(frame: Any) -> Pairs:
    return zip(frame.columns, frame.dtypes, strict=True)


def _pyarrow(frame: Any) -> Pairs:
    """A table, a batch, a reader, a data set, or the schema itself."""
    schema = getattr(frame, "schema", frame)
    return zip(schema.names, schema.types, strict=True)


def _duckdb(frame: Any) -> Pairs:
    return zip(frame.columns, frame.types, strict=True)


def _pyspark(frame: Any) -> Pairs:
    return [(field.name, field.dataType.simpleString()) for field in frame.schema.fields]


READERS: Final[Mapping[str, Callable[[Any], Pairs]]] = {
    "polars": _polars,
    "narwhals": _polars,
    "pandas": _pandas,
    "pyarrow": _pyarrow,
    "duckdb": _duckdb,
    "pyspark": _pyspark,
}
