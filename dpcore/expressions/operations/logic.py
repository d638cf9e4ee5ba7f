"""Logic on truth values that may be null, and what null means, in one place.

Null is "not known": `None` in Python rows, a masked entry in numpy columns.

arithmetic, comparison, dates, text    null if any operand is null
x / y, x // y, x % y                   null also where y is zero
x & y                                  False if either is False, else null if either is null
x | y                                  True if either is True, else null if either is null
~x, x ^ y                              null if any operand is null
x.between(low, high)                   as (x >= low) & (x <= high)
x.is_null()                            True or False, never null
x.fill_null(y)                         y where x is null
when(c).then(a).otherwise(b)           b where c is null: null is not True
filter(c)                              keeps a row where c is True: null is not True
a sum of values                        null counts as 0

&      True   False  null        |      True   False  null
True   True   False  null        True   True   True   True
False  False  False  False       False  True   False  null
null   null   False  null        null   True   null   null
"""

from __future__ import annotations

from typing import Final

from dpcore.domains import Booleans, Domain
from dpcore.expressions.operation import Operation
from dpcore.expressions.printing import BOTH, EITHER, XOR, logic, prefix
from dpcore.expressions.shapes import TRUTH, Shape, expect


def both(x: bool | None, y: bool | None) -> bool | None:
    """Kleene's and."""
    if x is False or y is False:
        return False
    return None if x is None or y is None else True


def either(x: bool | None, y: bool | None) -> bool | None:
    """Kleene's or."""
    if x is True or y is True:
        return True
    return None if x is None or y is None else False


def negation(x: bool) -> bool:
    return not x


def exclusive(x: bool, y: bool) -> bool:
    return x is not y


def _kleene(x: Shape, y: Shape) -> Shape:
    for operand in (x, y):
        if operand.values is not None:
            expect(operand.values, TRUTH)
    return Shape(Booleans(), x.null or y.null)


def _strict(*operands: Domain) -> Shape:
    for operand in operands:
        expect(operand, TRUTH)
    return Shape(Booleans())


TABLE: Final = (
    Operation("and", 2, both, _kleene, logic("&", BOTH), sees_nulls=True),
    Operation("or", 2, either, _kleene, logic("|", EITHER), sees_nulls=True),
    Operation("xor", 2, exclusive, _strict, logic("^", XOR)),
    Operation("not", 1, negation, _strict, prefix("~")),
)
