"""Exact numbers as texts, `3` or `-1/2`; and formulas as trees, where symbols stand for numbers still.

In a certificate they are exact where they are rational and short, else rounded up to a few decimal digits.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from fractions import Fraction
from math import ceil, log10

from dpcore.calculus.parameters.data import Data, Json, Malformed, entries, fields, text
from dpcore.errors import InvalidParameter, NotCertifiable
from dpcore.maps import (
    Exact,
    Number,
    Symbolic,
    ends,
    exact,
    is_formula,
    put_together,
    rational_in,
    substitute,
    symbol,
    taken_apart,
)

DIGITS = 1000
"""How many digits a number of a certificate has at most."""

POWER = 64
"""How high a power in a formula may be: what is written in a few digits must not fill the memory."""


# ---- written -----------------------------------------------------------------------------------------------------------


def number(value: object) -> Json:
    """An exact rational; a formula where symbols stand for it still."""
    if is_formula(value):
        return _formula(value)
    if not isinstance(value, (int, Fraction)) or isinstance(value, bool):
        raise NotCertifiable(
            f"Expected an exact number for a certificate but got a {type(value).__name__}", produced=value
        )
    x = Fraction(value)
    if max(abs(x.numerator), x.denominator) >= 10**DIGITS:
        raise NotCertifiable(f"a number of more than {DIGITS} digits is not written into a certificate")
    return str(x)


def _formula(x: Symbolic) -> Json:
    """A formula as a tree, like row expressions: its leaves are numbers and `{"symbol": "b"}`."""
    made = taken_apart(x)
    if made is None:
        raise NotCertifiable(f"a certificate writes sums, products and powers of symbols, not {x}", produced=x)
    op, operands = made
    if op == "symbol":
        if symbol(str(x)) != x:
            raise NotCertifiable(f"a certificate writes symbols made with symbol(...), not {x}", produced=x)
        return {"symbol": str(x)}
    of = [number(each) for each in operands]
    return {"op": op, "of": of if op == "power" else sorted(of, key=json.dumps)}


# ---- read back ---------------------------------------------------------------------------------------------------------


def is_number(x: str) -> bool:
    """Whether a text is written like a rational number."""
    return re.fullmatch(r"-?[0-9]+(/[0-9]+)?", x) is not None


def is_open(x: Json) -> bool:
    """Whether it is a formula in symbols, and not a number or a row expression."""
    if not isinstance(x, dict):
        return False
    if set(x) == {"symbol"}:
        return isinstance(x["symbol"], str)
    of = x.get("of")
    return set(x) == {"op", "of"} and isinstance(of, list) and any(isinstance(v, str) or is_open(v) for v in of)


def read_number(x: Json) -> Exact:
    """A number, or a formula where symbols stand for it."""
    if isinstance(x, str):
        return _rational(x)
    if not is_open(x):
        raise Malformed("Expected a number or a formula in symbols but got something else", produced=x)
    return _read_formula(fields(x), POWER)


def _rational(x: str) -> Exact:
    if not is_number(x):
        raise Malformed("Expected a number but got another text", produced=x)
    try:
        return exact(Fraction(x))
    except (ValueError, ZeroDivisionError):  # more digits than Python reads, or over nothing
        raise Malformed("Expected a number but got another text", produced=x) from None


def _read_formula(x: Data, most: int) -> Exact:
    if "symbol" in x:
        return symbol(text(x["symbol"]))
    op, operands = text(x["op"]), entries(x["of"])
    if op not in ("add", "multiply", "power") or (op == "power" and len(operands) != 2):
        raise InvalidParameter(f"there is no operation {op!r} of {len(operands)} in a formula of symbols", produced=x)
    if op != "power":
        return put_together(op, [_operand(each, most) for each in operands])
    exponent = Fraction(_rational_only(operands[1]))
    height = max(abs(exponent.numerator), exponent.denominator)
    if height > most:
        raise InvalidParameter(f"Expected powers up to {POWER} in a formula but got more", produced=x)
    return put_together(op, (_operand(operands[0], most // height), exponent))


def _rational_only(x: Json) -> int | Fraction:
    value = _rational(text(x))
    assert not is_formula(value)
    return value


def _operand(x: Json, most: int) -> Exact:
    return _read_formula(fields(x), most) if is_open(x) else read_number(x)


# ---- bound -------------------------------------------------------------------------------------------------------------


def bound_to(x: Json, values: Mapping[str, Exact]) -> Exact:
    """The number with values in the place of symbols."""
    return substitute(read_number(x), dict(values))


PLACES = 19
LEAST = Fraction(1, 10**300)
"""What is smaller and not exact is rounded up to this."""


def upper(x: Number) -> Fraction:
    """The number itself, or one a little above it: by less than one part in 10^16, and by enough to spare an auditor whose
    own upper bound is not as close as ours."""
    value = rational_in(x)
    if value is not None and max(abs(value.numerator), value.denominator) < 10**DIGITS:
        return value
    return rounded_up(ends(x)[1])


def rounded_up(top: Fraction) -> Fraction:
    """A short number a little above it, as `upper` is of what is no rational."""
    if top <= LEAST:
        return LEAST
    digits = PLACES - (_magnitude(top) + 1)
    unit = Fraction(10) ** -digits
    return ceil(top * (1 + Fraction(1, 10**30)) / unit) * unit


def lower(x: Number) -> Fraction:
    """The same, from below."""
    value = rational_in(x)
    if value is not None and max(abs(value.numerator), value.denominator) < 10**DIGITS:
        return value
    bottom = ends(x)[0]
    unit = Fraction(10) ** -(PLACES - (_magnitude(max(bottom, LEAST)) + 1))
    return max(Fraction(0), (bottom * (1 - Fraction(1, 10**30))) // unit * unit)


def readable(x: Fraction, digits: int = 9) -> Fraction:
    """A positive number near this one, of so many digits."""
    unit = Fraction(10) ** (_magnitude(x) + 1 - digits)
    return round(x / unit) * unit


def _magnitude(x: Fraction) -> int:
    """About the decimal logarithm."""
    return round((x.numerator.bit_length() - x.denominator.bit_length()) * log10(2))
