"""Rows of every kind of field, and expressions over them, for hypothesis to draw from."""

from __future__ import annotations

import datetime
from fractions import Fraction

from hypothesis import strategies as st

from dpcore.domains import (
    Record,
    booleans,
    categories,
    date,
    integers,
    numbers,
    optional,
    record,
    text,
    vector,
)
from dpcore.errors import InvalidExpression
from dpcore.expressions import Expr, Operand, Value, field, literal, maximum, minimum, when

ROW: Record = record(
    i=integers(-5, 20),
    oi=optional(integers(0, 3)),
    big=integers(),
    g=numbers(-3, 3, "0.25"),
    third=optional(numbers(-2, 2, "1/3")),
    f=numbers(),
    of=optional(numbers(-10, 10)),
    k=categories(1, 2, 5),
    b=booleans(),
    ob=optional(booleans()),
    c=categories("N", "e ", "South", ""),
    oc=optional(categories("N", "S")),
    t=text(),
    d=date("2019-12-30", "2021-03-01"),
    od=optional(date()),
    v=vector(numbers(-10, 10), 2),
    ov=optional(vector(integers(0, 9), 3)),
)

HUGE = (2**31, 2**62, 2**63 - 1, -(2**63), 10**30)
TRICKY = (0.1, 0.15, 2.675, -2.675, 0.5, 1.5, 2.5, 1e300, -1e-300, 5e-324, 0.0, -0.0, 1e22, 123456789.125, 1 / 3)

floats = st.one_of(
    st.sampled_from(TRICKY),
    st.floats(allow_nan=False, allow_infinity=False),
    st.integers(-100000, 100000).map(lambda n: n / 1000),
)
small_floats = st.one_of(st.sampled_from([0.1, 0.15, 2.675, -2.5]), st.floats(-10, 10))
whole = st.one_of(st.integers(-9, 9), st.integers(-(10**6), 10**6), st.sampled_from(HUGE), st.integers(-(2**64), 2**64))
days = st.dates(datetime.date(2019, 12, 30), datetime.date(2021, 3, 1))

FIELDS: dict[str, st.SearchStrategy[object]] = {
    "i": st.integers(-5, 20),
    "oi": st.none() | st.integers(0, 3),
    "big": whole,
    "g": st.integers(-12, 12).map(lambda n: n / 4),
    "third": st.none() | st.integers(-6, 6).map(lambda n: Fraction(n, 3)),
    "f": floats,
    "of": st.none() | small_floats,
    "k": st.sampled_from([1, 2, 5]),
    "b": st.booleans(),
    "ob": st.none() | st.booleans(),
    "c": st.sampled_from(["N", "e ", "South", ""]),
    "oc": st.none() | st.sampled_from(["N", "S"]),
    "t": st.text(max_size=4) | st.sampled_from(["N", "South", " n"]),
    "d": days,
    "od": st.none() | st.dates(),
    "v": st.lists(small_floats, min_size=2, max_size=2),
    "ov": st.none() | st.lists(st.integers(0, 9), min_size=3, max_size=3),
}
typed_rows = st.lists(st.fixed_dictionaries(FIELDS), max_size=6)
"""As a user types them: floats, not yet canonical."""

# ---- expressions -------------------------------------------------------------------------------------------------

constants: st.SearchStrategy[int | float | Fraction] = st.one_of(
    st.integers(-4, 9),
    st.sampled_from([0.1, 2.675, -0.5, 0.25, 1e300, 10**20, Fraction(1, 3), Fraction(-7, 2)]),
)
steps = st.sampled_from(["1", "2", "5", "1/100", "1/3", "5/2", "3/4"]).map(lambda s: Fraction(s))
parts = st.sampled_from(["year", "month", "day", "weekday"])
dates = st.sampled_from([datetime.date(2020, 2, 29), datetime.date(1, 1, 1), datetime.date(9999, 12, 31)]) | days
texts = st.sampled_from(["N", "S", "", "o", "e ", "\0", "it's"])


def _numbers(depth: int) -> st.SearchStrategy[Expr[Value]]:
    leaves = st.one_of(
        st.sampled_from(["i", "oi", "big", "g", "third", "f", "of", "k"]).map(field),
        st.sampled_from(["i", "oi"]).map(lambda name: field(name) * 1),
        st.sampled_from([field("v")[1], field("ov")[2]]),
        steps.map(lambda step: field("v").round(step)[0]),
        constants.map(lambda x: field("i") * 0 + x),
    )
    if depth == 0:
        return leaves
    inner, truth = _numbers(depth - 1), truths(depth - 1)
    operand: st.SearchStrategy[Operand] = st.one_of(inner, inner, constants)
    return st.one_of(
        leaves,
        st.builds(_binary, st.sampled_from("+-*/%|"), inner, operand),
        st.builds(_reflected, st.sampled_from("+-*/%|"), constants, inner),
        st.builds(minimum, operand, operand),
        st.builds(maximum, inner, operand),
        st.builds(lambda x: -x, inner),
        st.builds(lambda x: abs(x), inner),
        st.builds(lambda x, a, b: x.clip(min(a, b), max(a, b)), inner, constants, constants),
        st.builds(lambda x, s: x.round(s), inner, steps),
        st.builds(lambda c, x, y: _choice(c, x, y), truth, inner, operand | st.none()),
        st.builds(lambda x, y: x.fill_null(y), inner, operand),
        st.builds(lambda x: _value(x.length()), _texts(0)),
        st.builds(lambda x, part: _value(getattr(x, part)()), _dates(0), parts),
        st.builds(lambda x, y: _value(x.days_since(y)), _dates(0), dates | _dates(0)),
    )  # fmt: skip


def _value(x: Expr[int]) -> Expr[Value]:
    return Expr(x.node)


def _choice(c: Expr[bool], x: Expr[Value], y: Operand | None) -> Expr[Value]:
    return when(c).then(x).otherwise(y)


def _binary(symbol: str, x: Expr[Value], y: Operand) -> Expr[Value]:
    if symbol == "+":
        return x + y
    if symbol == "-":
        return x - y
    if symbol == "*":
        return x * y
    if symbol == "/":
        return x / y
    return x % y if symbol == "%" else x // y


def _reflected(symbol: str, x: int | float | Fraction, y: Expr[Value]) -> Expr[Value]:
    if symbol == "+":
        return x + y
    if symbol == "-":
        return x - y
    if symbol == "*":
        return x * y
    if symbol == "/":
        return x / y
    return x % y if symbol == "%" else x // y


def _texts(depth: int) -> st.SearchStrategy[Expr[Value]]:
    leaves = st.sampled_from(["c", "oc", "t"]).map(field)
    if depth == 0:
        return leaves
    return st.one_of(
        leaves,
        st.builds(lambda x, f: Expr(getattr(x, f)().node), leaves, st.sampled_from(["lower", "upper", "strip"])),
        st.builds(lambda c, x, y: _choice(c, x, y), truths(0), leaves, leaves | texts | st.none()),
        st.builds(lambda x, y: x.fill_null(y), leaves, texts),
    )


def _dates(depth: int) -> st.SearchStrategy[Expr[Value]]:
    leaves = st.sampled_from(["d", "od"]).map(field)
    if depth == 0:
        return leaves
    return st.one_of(
        leaves,
        st.builds(lambda c, x, y: _choice(c, x, y), truths(0), leaves, leaves | dates | st.none()),
        st.builds(lambda x, y: x.fill_null(y), leaves, dates | leaves),
    )


def _compared(symbol: str, x: Expr[Value], y: Operand) -> Expr[bool]:
    if symbol == "<":
        return x < y
    if symbol == "<=":
        return x <= y
    if symbol == ">":
        return x > y
    if symbol == ">=":
        return x >= y
    return x == y if symbol == "=" else x != y


def _possible(expr: Expr[bool]) -> Expr[bool]:
    """The expression, or a constant where it compares with a text that is none of the categories, which is refused."""
    try:
        expr.domain(ROW)
    except InvalidExpression:
        return literal(False)
    return expr


def truths(depth: int) -> st.SearchStrategy[Expr[bool]]:
    leaves = st.one_of(st.sampled_from(["b", "ob"]).map(lambda n: field(n, bool)), st.booleans().map(literal))
    if depth == 0:
        return leaves
    inner = truths(depth - 1)
    pairs = st.one_of(
        st.tuples(_numbers(depth - 1), _numbers(depth - 1) | constants),
        st.tuples(_texts(depth - 1), _texts(0) | texts),
        st.tuples(_dates(depth - 1), _dates(0) | dates),
    )
    return st.one_of(
        leaves,
        st.builds(lambda s, xy: _possible(_compared(s, *xy)), st.sampled_from(["<", "<=", ">", ">=", "=", "!"]), pairs),
        st.builds(lambda x, y: x == y, inner, inner | st.booleans()),
        st.builds(lambda x, ys: x.isin(*ys), _numbers(depth - 1), st.lists(constants, max_size=12)),
        st.builds(lambda x, ys: _possible(x.isin(*ys)), _texts(depth - 1), st.lists(texts, max_size=3)),
        st.builds(lambda x, a, b: x.between(a, b), *[_numbers(depth - 1)] * 3),
        st.builds(lambda x, a, b: x.between(a, b), _numbers(depth - 1), constants, constants),
        st.builds(lambda x, y: x & y, inner, inner),
        st.builds(lambda x, y: x | y, inner, inner),
        st.builds(lambda x, y: x ^ y, inner, inner),
        st.builds(lambda x: ~x, inner),
        st.builds(lambda x: x.is_null(), _numbers(depth - 1) | _texts(0) | _dates(0)),
        st.builds(lambda c, x, y: when(c).then(x).otherwise(y), inner, inner, inner),
        st.builds(lambda x, y: x.fill_null(y), inner, inner | st.booleans()),
        st.builds(lambda x, s: x.starts_with(s) | x.contains(s), _texts(1), texts),
    )


numeric = _numbers(3)
conditions = truths(3)
expressions = st.one_of(_numbers(3), truths(3), _texts(1), _dates(1))
