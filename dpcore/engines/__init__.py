"""Engines: how rows are held and computed with. `table(data, domain)` picks one and checks the data first."""

from dpcore.engines.doors import by_columns, by_rows, hand_out, receive, table
from dpcore.engines.fresh import fresh
from dpcore.engines.numpy.table import NumpyColumns
from dpcore.engines.python_rows import PythonRows
from dpcore.engines.table import KeyOf, Table

__all__ = [
    "KeyOf",
    "NumpyColumns",
    "PythonRows",
    "Table",
    "by_columns",
    "by_rows",
    "fresh",
    "hand_out",
    "receive",
    "table",
]
