"""Transformations from rows to rows."""

from __future__ import annotations

from fractions import Fraction
from typing import cast

import dpcore as dp
from dpcore.assurance.universe import records
from dpcore.expressions import Expr, Value
from tests.laws.examples.example import AB, ABC, CHANGE_ONE, PERSON_ROWS, PERSONS, Example, Examples
from tests.laws.examples.functions import halved, is_odd, repeated, upper, weeks

TO_NINE = dp.integers(0, 9)
PERSON = dp.rows(PERSONS, metric=dp.PersonDistance("who"))
SHARES = dp.record(n=dp.integers(0, 3), x=dp.numbers(0, 1, "1/10"))
PERHAPS = dp.rows(dp.record(age=dp.optional(TO_NINE), sex=dp.categories("f", "m")))
MAYBE_PERSON = dp.rows(dp.record(who=dp.categories("a", "b"), n=dp.optional(TO_NINE)), metric=dp.PersonDistance("who"))
MAYBE_ROWS: tuple[object, ...] = tuple({"who": who, "n": n} for who in ("a", "b") for n in (None, 1))
AGES: tuple[object, ...] = ({"age": None, "sex": "f"}, {"age": 1, "sex": "f"}, {"age": 8, "sex": "m"})
TWO_A_WEEK = dp.granularity("a week", weeks, rows=2)
COUNTED_WEEKS = dp.granularity("a week", weeks, rows=2, path=True)


def at_least(name: str, least: int) -> Expr[Value]:
    """A truth value among values of other types."""
    return cast("Expr[Value]", dp.field(name) >= least)


EACH_ALONE: Examples = [
    Example("clamp integers", lambda: dp.rows(dp.integers()) >> dp.clamp(-1, 2), (-3, 0, 5)),
    Example("clamp, change one", lambda: dp.rows(dp.integers(), CHANGE_ONE) >> dp.clamp(-1, 2), (-3, 0, 5)),
    Example(
        "clamp a grid",
        lambda: dp.rows(dp.numbers(step="1/10")) >> dp.clamp("-1/5", "3/10"),
        (-0.5, 0, 0.2),
    ),
    Example("clamp sized", lambda: dp.rows(dp.integers(), size=3) >> dp.clamp(0, 1), (-3, 0, 5)),
    Example("quantize", lambda: dp.rows(dp.numbers()) >> dp.quantize("1/10"), (0.05, Fraction(-1, 4), 3)),
    Example(
        "quantize vectors",
        lambda: dp.rows(dp.vector(dp.numbers(-1, 1), 2), CHANGE_ONE) >> dp.quantize("1/10"),
        ([0.05, -0.25], [1, 0], [0.1, -0.2]),
        columns=False,
    ),
    Example(
        "an entry of a vector",
        lambda: dp.rows(dp.vector(TO_NINE, 2)) >> dp.select(dp.row()[1], TO_NINE),
        ([0, 1], [9, 0]),
        columns=False,
    ),
    Example("select", lambda: dp.rows(TO_NINE) >> dp.select(cast("Expr[int]", dp.row() * 2 - 7)), (0, 4, 9)),
    Example(
        "select a record",
        lambda: dp.rows(SHARES, CHANGE_ONE) >> dp.select(x=dp.field("x"), big=at_least("n", 2)),
        records(n=(1, 2), x=(0, 0.3)),
    ),
    Example("select of persons", lambda: PERSON >> dp.select(who=dp.field("who"), many=at_least("n", 1)), PERSON_ROWS),
    Example("row_map", lambda: dp.rows(TO_NINE) >> dp.row_map(halved, dp.integers(0, 4)), (0, 1, 8)),
    Example(
        "row_map, change one", lambda: dp.rows(dp.text(), CHANGE_ONE) >> dp.row_map(upper, dp.text()), ("a", "A", "b")
    ),
]

SOME_OF_THEM: Examples = [
    Example("filter", lambda: dp.rows(TO_NINE) >> dp.filter(dp.row() >= 2), (0, 2, 9)),
    Example("filter, change one", lambda: dp.rows(TO_NINE, CHANGE_ONE) >> dp.filter(dp.row() >= 2), (0, 2, 9)),
    Example("filter on null", lambda: PERHAPS >> dp.filter(dp.field("age") >= 2), AGES),
    Example("filter by a function", lambda: dp.rows(TO_NINE) >> dp.filter(is_odd), (0, 1, 3)),
    Example("filter persons", lambda: PERSON >> dp.filter(dp.field("n") >= 1), PERSON_ROWS),
    Example("drop_nulls", lambda: PERHAPS >> dp.drop_nulls("age"), AGES),
    Example(
        "drop_nulls of values",
        lambda: dp.rows(dp.optional(TO_NINE), CHANGE_ONE) >> dp.drop_nulls(),
        (None, 1, 2),
    ),
    Example("drop_nulls of persons", lambda: MAYBE_PERSON >> dp.drop_nulls("n"), MAYBE_ROWS),
    Example("flat_map", lambda: dp.rows(AB) >> dp.flat_map(repeated, AB, 2), ("a", "b")),
    Example("bound_contributions", lambda: PERSON >> dp.bound_contributions(2), PERSON_ROWS),
    Example("bound_contributions to one row", lambda: PERSON >> dp.bound_contributions(1), PERSON_ROWS),
    Example(
        "bound_contributions in an order",
        lambda: PERSON >> dp.bound_contributions(1, keep=dp.first_by(-dp.field("n", int))),
        PERSON_ROWS,
    ),
    Example("resize", lambda: dp.rows(TO_NINE) >> dp.resize(2, 0), (0, 4, 9)),
    Example("resize records", lambda: PERHAPS >> dp.resize(2, {"age": None, "sex": "f"}), AGES),
]

APART: Examples = [
    Example("partition", lambda: dp.rows(ABC) >> dp.partition(), ("a", "b", "c")),
    Example("partition, some in no part", lambda: dp.rows(ABC) >> dp.partition(["a", "b"]), ("a", "b", "c")),
    Example(
        "partition, change one",
        lambda: dp.rows(PERSONS, CHANGE_ONE) >> dp.partition([0, 1], dp.field("who")),
        records(who=(0, 1, 2), n=(0, 1)),
        2,
    ),
    Example("partition by a function", lambda: dp.rows(TO_NINE) >> dp.partition([0, 4], halved), (0, 1, 5, 8)),
]

IN_ANOTHER_METRIC: Examples = [
    Example(
        "change one as symmetric",
        lambda: dp.rows(AB, CHANGE_ONE) >> dp.to_metric(dp.SymmetricDistance()),
        ("a", "b"),
    ),
    Example("symmetric as change one", lambda: dp.rows(AB, size=3) >> dp.to_metric(CHANGE_ONE), ("a", "b")),
    Example("weeks as rows", lambda: dp.rows(AB, TWO_A_WEEK) >> dp.to_metric(dp.SymmetricDistance()), ("a", "b")),
    Example(
        "counted weeks as rows", lambda: dp.rows(AB, COUNTED_WEEKS) >> dp.to_metric(dp.SymmetricDistance()), ("a", "b")
    ),
    Example("edges as nodes", lambda: dp.value(dp.graphs(3), dp.EdgeDistance()) >> dp.to_metric(dp.NodeDistance())),
    Example("nodes as edges", lambda: dp.value(dp.graphs(3), dp.NodeDistance()) >> dp.to_metric(dp.EdgeDistance())),
    Example("edges counted", lambda: dp.value(dp.graphs(4), dp.EdgeDistance()) >> dp.edge_count()),
    Example("edges counted, of nodes", lambda: dp.value(dp.graphs(4), dp.NodeDistance()) >> dp.edge_count(2)),
    Example("degrees", lambda: dp.value(dp.graphs(4), dp.EdgeDistance()) >> dp.degree_histogram()),
    Example("degrees, of nodes", lambda: dp.value(dp.graphs(4), dp.NodeDistance()) >> dp.degree_histogram(1)),
    Example("triangles", lambda: dp.value(dp.graphs(4), dp.EdgeDistance()) >> dp.triangles()),
]
