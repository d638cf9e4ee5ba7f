"""What is refused, when the expression is built or meets its rows, and what the refusal says."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest

from dpcore.domains import Domain, booleans, categories, date, integers, numbers, record, text, vector
from dpcore.errors import FreeSymbols, InvalidExpression
from dpcore.expressions import day, expression_from, field, literal, ratio, row, when
from dpcore.maps import symbol

ROW = record(
    age=integers(0, 120), region=categories("N", "S"), born=date(), married=booleans(), v=vector(integers(), 2)
)


def says(error: BaseException, *parts: str) -> None:
    for part in parts:
        assert part in str(error)


@pytest.mark.parametrize(
    ("build", "parts"),
    [
        (lambda: field("agee") > 1, ["there is no field 'agee'", "'age', 'region', 'born'", "use    field('age')"]),
        (lambda: field("aeg", int), ["use    field('age', int)"]),
        (lambda: field("zzz"), ["there is no field 'zzz'"]),
        (lambda: row() > 1, ["the rows are records", "use    field('age')"]),
        (lambda: field("region") + 1, ["Expected a number but got a text", "categories('N', 'S')", "('region') + 1"]),
        (lambda: field("married") + 1, ["Expected a number but got a truth value"]),
        (lambda: field("age") < "x", ["Expected a number but got a text", "field('age') < 'x'"]),
        (lambda: field("born") > "2020-01-01", ["Expected a date but got a text"]),
        (lambda: field("age") == "18", ["Expected a number but got a text"]),
        (lambda: field("age") == literal(True), ["Expected a number but got a truth value"]),
        (lambda: field("married").isin(1), ["Expected a truth value but got a number"]),
        (lambda: field("married") < field("married"), ["Expected a number or a text or a date but got a truth value"]),
        (lambda: field("age").year(), ["Expected a date but got a number"]),
        (lambda: field("age").lower(), ["Expected a text but got a number"]),
        (lambda: field("age", bool), ["Expected a truth value but got integers(0, 120)"]),
        (lambda: field("age", str), ["Expected a text but got integers(0, 120)"]),
        (lambda: field("region", int), ["Expected a whole number but got categories('N', 'S')"]),
        (lambda: ~field("age", bool), ["Expected a truth value"]),
        (lambda: field("region") == "North", ["Expected one of 'N', 'S' but got a text", "field('region') =="]),
        (lambda: field("region").isin("N", "n"), ["Expected one of 'N', 'S'", "categories('n')"]),
        (lambda: literal("W") != field("region"), ["Expected one of 'N', 'S'", "categories('W')"]),
        (lambda: field("v") == 1, ["but got vector(integers(), 2)"]),
        (lambda: field("age").between("a", "b"), ["Expected a number but got a text"]),
        (lambda: field("age").fill_null("none"), ["Expected a number but got a text"]),
        (lambda: when(field("married", bool)).then("a").otherwise("b").year(), ["Expected a date but got a text"]),
        (lambda: when(field("married", bool)).then(field("age")).otherwise(field("region")), ["Expected a number"]),
    ],
)  # fmt: skip
def test_refused_by_the_rows(build: Callable[[], object], parts: list[str]) -> None:
    from dpcore.expressions import Expression

    expr = build()
    assert isinstance(expr, Expression)
    with pytest.raises(InvalidExpression) as refusal:
        expr.domain(ROW)
    says(refusal.value, *parts)


@pytest.mark.parametrize("single", [integers(), text()])
def test_a_field_of_single_values(single: Domain) -> None:
    with pytest.raises(InvalidExpression) as refusal:
        field("age").domain(single)
    says(refusal.value, "the rows are single values", "use    row()")


@pytest.mark.parametrize(
    ("build", "part"),
    [
        (lambda: field("age").clip(3, 1), "Expected low <= high but got low=3, high=1"),
        (lambda: field("age").clip("a", "b"), "Expected a number as a bound"),
        (lambda: field("age").round(0), "Expected a positive step but got step=0"),
        (lambda: field("age").round(-0.5), "Expected a positive step but got step=-1/2"),
        (lambda: field("age").round(True), "Expected a number as the step"),
        (lambda: field("age") == None, "use    .is_null()"),  # noqa: E711
        (lambda: field("age") + None, "use    .is_null()"),  # type: ignore[operator]
        (lambda: field("age").isin(1, None), "use    .is_null()"),  # type: ignore[arg-type]
        (lambda: field("t").starts_with(1), "Expected a text but got 1"),  # type: ignore[arg-type]
        (lambda: field("age") > float("nan"), "Expected a finite number"),
        (lambda: field("age") > float("inf"), "Expected a finite number"),
        (lambda: field("age") > [1], "but got a list"),  # type: ignore[operator]
        (lambda: literal((1, 2)), "but got a tuple"),
        (lambda: field(3), "Expected the name of a field but got a int"),  # type: ignore[call-overload]
        (lambda: field("age", complex), "Expected bool, int, float or str"),
        (lambda: ratio(1, 0), "other than 0"),
        (lambda: day("2020-13-01"), "Expected a day such as '2020-01-31'"),
        (lambda: field("age") == [1], "but got a list"),
        (lambda: field("age") != {}, "but got a dict"),
        (lambda: when(18 in [17]), "use    literal(True)"),  # type: ignore[arg-type]
        (lambda: field("age") in [field("born"), 18], ".same_as(...)"),
        (lambda: 1 == field("age") == 3, ".between(low, high)"),
        (lambda: field("b", bool) | True, "Expected an expression in a condition but got a bool"),  # type: ignore[operator]
        (lambda: bool(field("age") > 3), "has no truth value"),
        (lambda: 1 < field("age") < 3, ".between(low, high)"),
        (lambda: 3 in field("age"), "cannot be iterated over"),  # type: ignore[operator]
        (lambda: not field("b", bool), "~ for not"),
    ],
)  # fmt: skip
def test_refused_when_built(build: Callable[[], object], part: str) -> None:
    with pytest.raises(InvalidExpression, match=re.escape(part)):
        build()


def test_a_plain_truth_value_on_the_left_of_logic_is_refused() -> None:
    with pytest.raises(TypeError, match="unsupported operand"):
        (18 in [17]) & field("b", bool)  # type: ignore[operator]


def test_a_symbol_is_no_constant() -> None:
    with pytest.raises(FreeSymbols):
        literal(symbol("b"))


def test_numpy_scalars_are_constants() -> None:
    assert repr(np.int64(2) * field("age")) == "2 * field('age')"  # type: ignore[operator]
    assert repr(np.float64(0.1) + field("age")) == "0.1 + field('age')"
    assert repr(np.int64(2) < field("age")) == "field('age') > 2"
    assert repr(field("age") < np.float32(0.1)) == "field('age') < 0.1"
    assert repr(np.int64(2) == field("age")) == "field('age') == 2"


@pytest.mark.parametrize(
    ("text_of", "expr"),
    [
        ("(field('a') >= 18) & ~field('b', bool)", (field("a") >= 18) & ~field("b", bool)),
        ("(field('a') + 1) * -field('c')", (field("a") + 1) * -field("c")),
        ("field('a') - (field('c') - 1)", field("a") - (field("c") - 1)),
        ("1 - field('a') * 0.1", 1 - field("a") * 0.1),
        ("literal(1) - 2", literal(1) - 2),
        ("-row() == -3", -row() == -3),
        ("field('age') == 2", 2 == field("age")),  # noqa: SIM300
        ("literal(2) != field('age')", literal(2) != field("age")),
        ("(field('a') == 1) & (field('c') != 'N')", (field("a") == 1) & (field("c") != "N")),
        ("(row() == 1) == (row() == 2)", (row() == 1) == (row() == 2)),
        ("(row() < 1) != True", (row() < 1) != literal(True)),
        ("~(row() == 1)", ~(row() == 1)),
        ("(row() == 1).fill_null(False)", (row() == 1).fill_null(False)),
        ("abs(row(int)).isin(1, 2)", abs(row(int)).isin(1, 2)),
        ("row() >= day('2020-01-31')", row() >= day("2020-01-31")),
        ("row() / ratio(1, 3)", row() / ratio(1, 3)),
        ("when(row(bool)).then('a').otherwise(None)", when(row(bool)).then("a").otherwise(None)),
    ],
)  # fmt: skip
def test_the_print_is_what_one_would_type(text_of: str, expr: object) -> None:
    assert repr(expr) == text_of


GOOD: dict[str, object] = {"op": "ge", "of": [{"op": "field", "name": "age"}, {"op": "number", "value": "18"}]}


def test_the_encoding() -> None:
    assert (field("age") >= 18).data() == GOOD
    assert expression_from(GOOD).node == (field("age") >= 18).node


@pytest.mark.parametrize(
    "bad",
    [
        None, [], "row", {}, {"op": "nothing"}, {"op": 3}, {"op": "ge"}, {"op": "ge", "of": {}}, {"op": "ge", "of": []},
        {**GOOD, "more": 1}, {"op": "row", "name": "x"}, {"op": "field"}, {"op": "field", "name": 3},
        {"op": "field", "name": "x", "type": "complex"}, {"op": "number", "value": "2/4"}, {"op": "number", "value": 18},
        {"op": "number", "value": "1.0"}, {"op": "number", "value": " 1"}, {"op": "number", "value": "1/0"},
        {"op": "number", "value": "+1"}, {"op": "truth", "value": 1}, {"op": "truth", "value": "true"},
        {"op": "text", "value": 1}, {"op": "null", "value": 0}, {"op": "null"}, {"op": "date", "value": "20200131"},
        {"op": "date", "value": "2020-02-30"}, {"op": "not", "of": [{"op": "row"}, {"op": "row"}]},
        {"op": "round", "of": [{"op": "row"}, {"op": "row"}]},
        {"op": "round", "of": [{"op": "row"}, {"op": "number", "value": "-1"}]},
        {"op": "isin", "of": [{"op": "row"}, {"op": "null", "value": None}]}, {"op": "isin", "of": []},
        {"op": "clip", "of": [{"op": "row"}, {"op": "truth", "value": True}, {"op": "number", "value": "3"}]},
    ],
)  # fmt: skip
def test_other_encodings_are_refused(bad: object) -> None:
    with pytest.raises(InvalidExpression):
        expression_from(bad)


def test_numbers_without_a_step_keep_their_name() -> None:
    assert (field("x") + 1).domain(record(x=numbers(0, 1))) == numbers(1, 2)
