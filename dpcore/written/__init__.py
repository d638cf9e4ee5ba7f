"""Kinds of parameters that are more than numbers: domains, metrics, measures, constants, expressions, functions.

One concept a file: how it is written into a certificate, read back, told in words, and described by the schema.
"""

from dpcore.written.assumed import described_step, stays_in_domain, table_in_words
from dpcore.written.domains import DOMAIN, FIELDS
from dpcore.written.expressions import CONSTANT, CONSTANTS, CONSTANTS_OF_EACH, EXPRESSION, EXPRESSIONS, data_of
from dpcore.written.functions import FUNCTION, FUNCTIONS, named
from dpcore.written.metrics import METRIC
from dpcore.written.spoken import SPOKEN, Says
from dpcore.written.texts import DAY, DIGEST, MEASURE, NORM, TEXT, TEXTS

__all__ = [
    "CONSTANT",
    "CONSTANTS",
    "CONSTANTS_OF_EACH",
    "DAY",
    "DIGEST",
    "DOMAIN",
    "EXPRESSION",
    "EXPRESSIONS",
    "FIELDS",
    "FUNCTION",
    "FUNCTIONS",
    "MEASURE",
    "METRIC",
    "NORM",
    "SPOKEN",
    "TEXT",
    "TEXTS",
    "Says",
    "data_of",
    "described_step",
    "named",
    "stays_in_domain",
    "table_in_words",
]
