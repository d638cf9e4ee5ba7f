"""Every operation on every kind of column and constant, on both engines, over rows at the edges of each layout."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import numpy as np
import pytest

from dpcore.domains import Rows, booleans, date, integers, numbers, optional, record
from dpcore.engines import Table
from dpcore.engines.doors import table
from dpcore.engines.numpy.columns import objects
from dpcore.engines.numpy.computed import computed
from dpcore.engines.numpy.operations import COLUMNS, ROW_BY_ROW
from dpcore.expressions import Expression, field, literal
from dpcore.expressions.expr import apply
from dpcore.expressions.operations import OPERATIONS

ROW = record(
    i=integers(-5, 20),
    neg=integers(-9, -1),
    oi=optional(integers(0, 3)),
    big=integers(),
    g=numbers(-300, 3, "0.25"),
    third=numbers(-2, 2, "1/3"),
    f=numbers(),
    of=optional(numbers(-10, 10)),
    b=booleans(),
    ob=optional(booleans()),
    d=date("2019-12-30", "2021-03-01"),
    od=optional(date()),
)
EDGES = [2**63 - 1, -(2**63), 2**62, -(2**62), 2**32, -1000, 0, 1]
FLOATS = [0.1, 2.675, 1 / 3, -0.5, 0.0, -0.0, 5e-324, 1e300]
OF = [None, 0.1, -2.5, 0.0, 2.675, None, 1 / 3, -10.0]
DAYS = [datetime.date(2019, 12, 30), datetime.date(2020, 2, 29), datetime.date(2020, 12, 31), datetime.date(2021, 3, 1)]


def rows(big: Sequence[int]) -> list[dict[str, object]]:
    return [
        {
            "i": (-5, -1, 0, 1, 2, 3, 7, 20)[k],
            "neg": (-9, -1, -2, -3, -4, -5, -6, -7)[k],
            "oi": (None, 0, 1, 2, 3, 3, None, 0)[k],
            "big": big[k % len(big)],
            "g": Fraction((-1200, -750, -3, -2, 0, 1, 2, 12)[k], 4),
            "third": Fraction((-6, -4, -1, 0, 1, 2, 5, 6)[k], 3),
            "f": FLOATS[k],
            "of": OF[k],
            "b": k % 2 == 0,
            "ob": (None, True, False)[k % 3],
            "d": DAYS[k % 4],
            "od": None if k == 3 else (datetime.date.min, datetime.date.max, datetime.date(1969, 7, 20))[k % 3],
        }
        for k in range(8)
    ]


def columns(data: list[dict[str, object]]) -> dict[str, np.ndarray[tuple[int], np.dtype[np.generic]]]:
    native = {"i": "i8", "neg": "i2", "f": "f8", "b": "?", "d": "M8[D]"}
    found: dict[str, np.ndarray[tuple[int], np.dtype[np.generic]]] = {}
    for name, _ in ROW.fields:
        values = [row[name] for row in data]
        if name == "g":
            found[name] = np.array([float(v) for v in values if isinstance(v, Fraction)])
        elif name in native:
            found[name] = np.array(values, dtype=native[name])
        elif name == "third" or (name == "big" and 10**30 in values):
            found[name] = objects(values).reshape(len(values))
        else:
            missing = [v is None for v in values]
            plain = np.array([next(w for w in values if w is not None) if v is None else v for v in values])
            found[name] = np.ma.MaskedArray(plain, missing) if any(missing) else plain
    return found


TABLES: list[tuple[list[dict[str, object]], Table]] = [
    (data, table(columns(data), Rows(ROW))) for data in (rows(EDGES), rows([5, -3, 10**30]), rows([7, -8, 0, 1]))
]

NUMBERS: list[Expression] = [field(n) for n in ("i", "neg", "oi", "big", "g", "third", "f", "of")]
TRUTHS: list[Expression] = [field("b"), field("ob"), field("f") > 0.2]
CALENDAR: list[Expression] = [field("d"), field("od")]
NULL: list[Expression] = [literal(None)]
NUMBER_CONSTANTS: list[Expression] = [
    literal(x) for x in (0, 1, -1, 2, -3, 0.1, -2.5, Fraction(1, 3), 2.675, 2**63 - 1, -(2**63), 10**30, 1e-300)
]
TRUTH_CONSTANTS: list[Expression] = [literal(True), literal(False)]
DAY_CONSTANTS: list[Expression] = [literal(datetime.date(2020, 2, 29)), literal(datetime.date.max)]

KINDS = [(NUMBERS, NUMBER_CONSTANTS), (TRUTHS, TRUTH_CONSTANTS), (CALENDAR, DAY_CONSTANTS)]

UNARY = [name for name, operation in OPERATIONS.items() if operation.arity == 1 and not operation.more]
TWO = [name for name, operation in OPERATIONS.items() if operation.arity == 2 and operation.constants is None]
TEXT_ONLY = {"lower", "upper", "strip", "length"}


def check(expr: Expression) -> None:
    domain = expr.domain(ROW)
    for data, fast in TABLES:
        expected = [expr.on_row(ROW.canonical(row)) for row in data]
        assert all(domain.member(value) for value in expected), expr
        found = computed(expr.node, fast._columns).python()  # type: ignore[attr-defined]
        assert [(type(v) is bool, v) for v in found] == [(type(v) is bool, v) for v in expected], expr


def fitting(name: str, *operands: Expression) -> Expression | None:
    from dpcore.errors import InvalidExpression
    from dpcore.expressions import Expr

    expr: Expr[object] = Expr(apply(name, *operands))
    try:
        expr.domain(ROW)
    except InvalidExpression:
        return None
    return expr


def test_each_operation_has_its_columns_or_is_said_to_have_none() -> None:
    assert COLUMNS.keys() | ROW_BY_ROW == OPERATIONS.keys()
    assert not COLUMNS.keys() & ROW_BY_ROW


@pytest.mark.parametrize("name", UNARY)
def test_of_one(name: str) -> None:
    found = [fitting(name, x) for varying, constants in KINDS for x in (*varying, *constants, *NULL)]
    exprs = [expr for expr in found if expr is not None]
    assert exprs or name in TEXT_ONLY
    for expr in exprs:
        check(expr)


def pairs() -> Iterator[tuple[Expression, Expression]]:
    for varying, constants in KINDS:
        for x in (*varying, *NULL):
            for y in (*varying, *constants, *NULL):
                yield x, y
                yield y, x


@pytest.mark.parametrize("name", TWO)
def test_of_two(name: str) -> None:
    exprs = [expr for expr in (fitting(name, x, y) for x, y in pairs()) if expr is not None]
    assert len(exprs) > 30
    for expr in exprs:
        check(expr)


def with_constants() -> Iterator[tuple[str, Callable[[Expression], Sequence[Expression]]]]:
    for low, high in ((0, 1), (-1000, 0.1), (Fraction(-1, 3), Fraction(1, 3)), (-(10**30), 10**30), (2.675, 2.675)):
        yield "clip", lambda x, low=low, high=high: (x, literal(low), literal(high))  # type: ignore[misc]
    for step in (1, 2, 5, 0.01, 0.1, 0.5, 2.5, Fraction(1, 3), Fraction(3, 7), 10**30, 1e-300, 2**62 - 1):
        yield "round", lambda x, step=step: (x, literal(step))  # type: ignore[misc]
    for chosen in ([], NUMBER_CONSTANTS[:3], NUMBER_CONSTANTS):
        yield "isin", lambda x, chosen=chosen: (x, *chosen)  # type: ignore[misc]


@pytest.mark.parametrize(("name", "operands"), list(with_constants()))
def test_with_constants(name: str, operands: Callable[[Expression], Sequence[Expression]]) -> None:
    for x in (*NUMBERS, field("i") * 0.75, field("g") * 0.1):
        expr = fitting(name, *operands(x))
        assert expr is not None
        check(expr)


@pytest.mark.parametrize("condition", [*TRUTHS, *TRUTH_CONSTANTS, *NULL])
def test_when(condition: Expression) -> None:
    for x, y in pairs():
        expr = fitting("when", condition, x, y)
        if expr is not None:
            check(expr)


def test_between() -> None:
    constants = [*NUMBER_CONSTANTS[:6], *NULL]
    for x in (*NUMBERS, literal(1)):
        for low in (*constants, field("i"), field("of")):
            for high in (*constants, field("oi")):
                expr = fitting("between", x, low, high)
                assert expr is not None
                check(expr)
