"""Engines: how rows are held and computed with. A rule knows a `Table`, and several together; `doors` pick an engine, with
the first data."""

from dpcore.engines.table import KeyOf, Table
from dpcore.engines.tables import Tables, grouped, parts_of, together

__all__ = ["KeyOf", "Table", "Tables", "grouped", "parts_of", "together"]
