"""Parameters of rules: what a certificate writes of each, how it is read back, told in words and described by a schema.

Rules name their parameters as values of this package, which knows numbers only; `dpcore.written` adds what holds domains,
metrics, expressions and functions.
"""

from dpcore.calculus.parameters.data import Data as Data
from dpcore.calculus.parameters.data import Json as Json
from dpcore.calculus.parameters.data import Malformed as Malformed
from dpcore.calculus.parameters.data import Schema as Schema
from dpcore.calculus.parameters.data import entries as entries
from dpcore.calculus.parameters.data import fields as fields
from dpcore.calculus.parameters.data import text as text
from dpcore.calculus.parameters.formulas import DIGITS as DIGITS
from dpcore.calculus.parameters.formulas import PLACES as PLACES
from dpcore.calculus.parameters.formulas import bound_to as bound_to
from dpcore.calculus.parameters.formulas import is_open as is_open
from dpcore.calculus.parameters.formulas import lower as lower
from dpcore.calculus.parameters.formulas import number as number
from dpcore.calculus.parameters.formulas import read_number as read_number
from dpcore.calculus.parameters.formulas import readable as readable
from dpcore.calculus.parameters.formulas import rounded_up as rounded_up
from dpcore.calculus.parameters.formulas import upper as upper
from dpcore.calculus.parameters.kind import ByName as ByName
from dpcore.calculus.parameters.kind import Kind as Kind
from dpcore.calculus.parameters.kind import Many as Many
from dpcore.calculus.parameters.kind import NumberKind as NumberKind
from dpcore.calculus.parameters.kind import OneText as OneText
from dpcore.calculus.parameters.kind import Parameter as Parameter
from dpcore.calculus.parameters.kind import Variant as Variant
from dpcore.calculus.parameters.kind import Varied as Varied
from dpcore.calculus.parameters.numbers import ABOVE_1 as ABOVE_1
from dpcore.calculus.parameters.numbers import AT_LEAST_0 as AT_LEAST_0
from dpcore.calculus.parameters.numbers import COUNT as COUNT
from dpcore.calculus.parameters.numbers import COUNTS_OF_EACH as COUNTS_OF_EACH
from dpcore.calculus.parameters.numbers import FIGURES as FIGURES
from dpcore.calculus.parameters.numbers import FROM_2 as FROM_2
from dpcore.calculus.parameters.numbers import LOSS as LOSS
from dpcore.calculus.parameters.numbers import NUMBER as NUMBER
from dpcore.calculus.parameters.numbers import NUMBERS as NUMBERS
from dpcore.calculus.parameters.numbers import ORDERS as ORDERS
from dpcore.calculus.parameters.numbers import POSITIVE as POSITIVE
from dpcore.calculus.parameters.numbers import ROWS_OF_FIGURES as ROWS_OF_FIGURES
from dpcore.calculus.parameters.numbers import SQUARE as SQUARE
from dpcore.calculus.parameters.numbers import STEPS as STEPS
from dpcore.calculus.parameters.numbers import UNIT as UNIT
from dpcore.calculus.parameters.numbers import WHOLE as WHOLE
from dpcore.calculus.parameters.numbers import WHOLE_FROM_0 as WHOLE_FROM_0
