"""Parameters of rules: what a certificate writes of each, how it is read back, told in words and described by a schema.

Rules name their parameters as values of this package, which knows numbers only; `dpcore.written` adds what holds domains,
metrics, expressions and functions.
"""

from dpcore.calculus.parameters.data import Data, Json, Malformed, Schema, entries, fields, text
from dpcore.calculus.parameters.formulas import DIGITS, bound_to, is_open, lower, number, read_number, readable, upper
from dpcore.calculus.parameters.kind import Kind, Many, OneText, Parameter
from dpcore.calculus.parameters.numbers import (
    ABOVE_1,
    AT_LEAST_0,
    COUNT,
    FIGURES,
    FROM_2,
    LOSS,
    NUMBER,
    NUMBERS,
    ORDERS,
    POSITIVE,
    ROWS_OF_FIGURES,
    SQUARE,
    STEPS,
    UNIT,
    WHOLE,
    WHOLE_FROM_0,
    NumberKind,
)

__all__ = [
    "ABOVE_1",
    "AT_LEAST_0",
    "COUNT",
    "DIGITS",
    "FIGURES",
    "FROM_2",
    "LOSS",
    "NUMBER",
    "NUMBERS",
    "ORDERS",
    "POSITIVE",
    "ROWS_OF_FIGURES",
    "SQUARE",
    "STEPS",
    "UNIT",
    "WHOLE",
    "WHOLE_FROM_0",
    "Data",
    "Json",
    "Kind",
    "Malformed",
    "Many",
    "NumberKind",
    "OneText",
    "Parameter",
    "Schema",
    "bound_to",
    "entries",
    "fields",
    "is_open",
    "lower",
    "number",
    "read_number",
    "readable",
    "text",
    "upper",
]
