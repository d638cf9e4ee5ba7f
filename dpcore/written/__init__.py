"""Kinds of parameters that are more than numbers: domains, metrics, measures, constants, expressions, functions.

One concept a file: how it is written into a certificate, read back, told in words, and described by the schema.
"""

from dpcore.written.assumed import described_step as described_step
from dpcore.written.assumed import stays_in_domain as stays_in_domain
from dpcore.written.assumed import table_in_words as table_in_words
from dpcore.written.domains import DOMAIN as DOMAIN
from dpcore.written.domains import FIELDS as FIELDS
from dpcore.written.expressions import CONSTANT as CONSTANT
from dpcore.written.expressions import CONSTANTS as CONSTANTS
from dpcore.written.expressions import CONSTANTS_OF_EACH as CONSTANTS_OF_EACH
from dpcore.written.expressions import EXPRESSION as EXPRESSION
from dpcore.written.expressions import EXPRESSIONS as EXPRESSIONS
from dpcore.written.expressions import SPOKEN as SPOKEN
from dpcore.written.expressions import Says as Says
from dpcore.written.expressions import data_of as data_of
from dpcore.written.functions import FUNCTION as FUNCTION
from dpcore.written.functions import FUNCTIONS as FUNCTIONS
from dpcore.written.functions import named as named
from dpcore.written.metrics import METRIC as METRIC
from dpcore.written.ranges import RANGE as RANGE
from dpcore.written.texts import DAY as DAY
from dpcore.written.texts import DIGEST as DIGEST
from dpcore.written.texts import MEASURE as MEASURE
from dpcore.written.texts import NORM as NORM
from dpcore.written.texts import TEXT as TEXT
from dpcore.written.texts import TEXTS as TEXTS
