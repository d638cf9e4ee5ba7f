"""Laws of every expression: its results lie in its domain, its print and its data rebuild it."""

from __future__ import annotations

import json
from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

import dpcore.expressions
from dpcore.expressions import Expression, expression_from
from tests.expressions.samples import ROW, expressions, typed_rows
from tests.thorough import thorough

NAMES = {name: getattr(dpcore.expressions, name) for name in dpcore.expressions.__all__}


@thorough(400)
@given(expressions, typed_rows)
def test_every_result_lies_in_the_derived_domain(expr: Expression, rows: list[Mapping[str, object]]) -> None:
    domain = expr.domain(ROW)
    for row in rows:
        assert domain.member(expr.on_row(ROW.canonical(row)))


@thorough(300)
@given(expressions)
def test_repr_rebuilds_it(expr: Expression) -> None:
    again = eval(repr(expr), dict(NAMES))
    assert again.same_as(expr)
    assert hash(again) == hash(expr)


@thorough(300)
@given(expressions)
def test_data_rebuilds_it_through_json(expr: Expression) -> None:
    written = json.dumps(expr.data())
    again = expression_from(json.loads(written))
    assert again.node == expr.node
    assert json.dumps(again.data()) == written


@thorough(100)
@given(st.lists(expressions, min_size=2, max_size=2))
def test_different_prints_are_different_expressions(pair: list[Expression]) -> None:
    first, second = pair
    assert (first.node == second.node) is (repr(first) == repr(second))


@thorough(100)
@given(expressions, typed_rows)
def test_only_its_fields_are_read(expr: Expression, rows: list[Mapping[str, object]]) -> None:
    for row in rows:
        canonical = ROW.canonical(row)
        assert isinstance(canonical, dict)
        seen = {name: value for name, value in canonical.items() if name in expr.fields()}
        assert expr.on_row(seen) == expr.on_row(canonical)
