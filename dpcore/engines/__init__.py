"""Engines: how rows are held and computed with. A rule knows a `Table`; `doors` pick an engine, with the first data."""

from dpcore.engines.table import KeyOf, Table

__all__ = ["KeyOf", "Table"]
