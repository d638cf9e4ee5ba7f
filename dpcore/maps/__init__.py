"""Numbers of three kinds, and the functions that rules are written with. The only door to sympy.

A rule of the calculus is one plain function, `def laplace(d, *, scale): return d / scale`. It is read with

    exact numbers      fmpq            rationals, without rounding
    rigorous numbers   arb             balls that enclose the true value, wherever log, exp or sqrt enter
    formulas           sympy.Expr      for reading, never for evaluating

sympy is imported when the first formula is asked for, not before.
"""

from dpcore.maps.fractional import WithFractions as WithFractions
from dpcore.maps.fractional import without_fractions as without_fractions
from dpcore.maps.functions import ONE as ONE
from dpcore.maps.functions import ZERO as ZERO
from dpcore.maps.functions import binomial as binomial
from dpcore.maps.functions import exp as exp
from dpcore.maps.functions import expm1 as expm1
from dpcore.maps.functions import floor as floor
from dpcore.maps.functions import largest_pair as largest_pair
from dpcore.maps.functions import log as log
from dpcore.maps.functions import log1p as log1p
from dpcore.maps.functions import maximum as maximum
from dpcore.maps.functions import minimum as minimum
from dpcore.maps.functions import normal_cdf as normal_cdf
from dpcore.maps.functions import normal_quantile as normal_quantile
from dpcore.maps.functions import one_like as one_like
from dpcore.maps.functions import power as power
from dpcore.maps.functions import sqrt as sqrt
from dpcore.maps.functions import total as total
from dpcore.maps.kinds import as_ball as as_ball
from dpcore.maps.kinds import as_fraction as as_fraction
from dpcore.maps.kinds import ball_between as ball_between
from dpcore.maps.kinds import ball_of as ball_of
from dpcore.maps.kinds import ends as ends
from dpcore.maps.kinds import few as few
from dpcore.maps.kinds import fraction_of as fraction_of
from dpcore.maps.kinds import is_finite as is_finite
from dpcore.maps.kinds import is_number as is_number
from dpcore.maps.kinds import is_rational as is_rational
from dpcore.maps.kinds import is_symbolic as is_symbolic
from dpcore.maps.kinds import is_zero as is_zero
from dpcore.maps.kinds import surely_at_least_one as surely_at_least_one
from dpcore.maps.kinds import upward as upward
from dpcore.maps.numbers import LONG as LONG
from dpcore.maps.numbers import Exact as Exact
from dpcore.maps.numbers import Number as Number
from dpcore.maps.numbers import Numeric as Numeric
from dpcore.maps.numbers import Symbolic as Symbolic
from dpcore.maps.numbers import argument as argument
from dpcore.maps.numbers import as_number as as_number
from dpcore.maps.numbers import between_0_and_1 as between_0_and_1
from dpcore.maps.numbers import confidence_of as confidence_of
from dpcore.maps.numbers import counted as counted
from dpcore.maps.numbers import exact as exact
from dpcore.maps.numbers import integer as integer
from dpcore.maps.numbers import is_formula as is_formula
from dpcore.maps.numbers import is_short as is_short
from dpcore.maps.numbers import known as known
from dpcore.maps.numbers import numeral as numeral
from dpcore.maps.numbers import positive as positive
from dpcore.maps.numbers import rational_in as rational_in
from dpcore.maps.numbers import show as show
from dpcore.maps.numbers import symbols_of as symbols_of
from dpcore.maps.numbers import times as times
from dpcore.maps.precision import PRECISION as PRECISION
from dpcore.maps.precision import PRECISION_LIMIT as PRECISION_LIMIT
from dpcore.maps.precision import Overlap as Overlap
from dpcore.maps.precision import at_least as at_least
from dpcore.maps.precision import at_precision as at_precision
from dpcore.maps.precision import precision as precision
from dpcore.maps.precision import whole_above as whole_above
from dpcore.maps.precision import working_bits as working_bits
from dpcore.maps.symbols import around as around
from dpcore.maps.symbols import formula as formula
from dpcore.maps.symbols import latex as latex
from dpcore.maps.symbols import named_function as named_function
from dpcore.maps.symbols import parameter as parameter
from dpcore.maps.symbols import put_together as put_together
from dpcore.maps.symbols import solutions as solutions
from dpcore.maps.symbols import substitute as substitute
from dpcore.maps.symbols import sum_over as sum_over
from dpcore.maps.symbols import symbol as symbol
from dpcore.maps.symbols import taken_apart as taken_apart
from dpcore.maps.symbols import variable as variable
