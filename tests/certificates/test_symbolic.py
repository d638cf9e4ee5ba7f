"""A certificate with symbols, bound, is the certificate of the pipeline with these numbers: the same bytes."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any, cast

import pytest
import sympy

import dpcore as dp
from dpcore.calculus.parameters import is_open, read_number
from dpcore.calculus.parameters import number as number_written
from dpcore.certificates.certificate import Certificate, certify
from dpcore.errors import NotCertifiable
from dpcore.maps import Numeric, Symbolic
from tests.certificates.tools import certified, checker, measured, rejection
from tests.laws.arrows import AnyMeasurement, AnyTransformation
from tests.laws.catalogue import SYMBOLIC
from tests.laws.catalogue import Symbolic as Example

d: Any = dp
b, c, s, u = (d.symbol(name) for name in "bcsu")
ages = d.rows(d.integers())
number = ages >> d.count()
replaced = d.rows(d.categories("N", "S"), d.ChangeOneDistance())
people = d.rows(d.record(age=d.integers(0, u), region=d.categories("N", "S")))
in_l2 = d.value(d.vector(d.integers(0), 2), d.L2Distance())
weeks = d.rows(d.text(), d.granularity("a week", lambda x, y: 0, rows=7)) >> d.to_metric(d.SymmetricDistance())
answer = d.value(d.categories(*"xyz"), d.DiscreteDistance())
by_region = people >> d.partition(by=d.field("region"))
in_approx = (d.rows(d.text()) >> d.count() >> d.gaussian(b)).to(d.ApproxDP, delta="1e-6")
letters = d.rows(d.categories("N", "S"))
half = letters >> d.count() >> d.laplace(b)

CASES: dict[str, tuple[Any, dict[str, Numeric]]] = {
    "clamp": (ages >> d.clamp(-3, u) >> d.sum() >> d.laplace(b), {"u": 9, "b": "7/3"}),
    "on a grid": (d.rows(d.numbers(0, 9, "1/2")) >> d.clamp("1/2", u) >> d.sum() >> d.laplace(2), {"u": "7/2"}),
    "the input space": (d.rows(d.integers(0, u)) >> d.sum() >> d.laplace(b), {"u": 5, "b": 1}),
    "a record": (people >> d.filter(d.field("age") >= 3) >> d.count() >> d.laplace(b), {"u": 5, "b": 1}),
    "declared": (people >> d.select(d.field("age"), d.integers(0, u)) >> d.sum() >> d.laplace(1), {"u": 5}),
    "a bare field": (people >> d.select(x=d.field("age")) >> d.count() >> d.laplace(b), {"u": 5, "b": 1}),
    "products": (number >> d.laplace(2 * b * c / 3), {"b": "1/2", "c": 6}),
    "sums": (number >> d.laplace(b + 2 * c - 1), {"b": "1/2", "c": 6}),
    "quotients": (number >> d.laplace((b + 1) / c**2), {"b": "1/2", "c": 6}),
    "roots": (number >> d.gaussian(sympy.sqrt(b)), {"b": "25/4"}),
    "squares": (number >> d.gaussian(b - 2), {"b": 5}),
    "a delta": ((number >> d.gaussian(s)).to(d.ApproxDP, delta=b), {"s": 2, "b": "1e-6"}),
    "an order that was named": ((number >> d.gaussian(s)).to(d.ApproxDP, delta="1e-6", alpha=5), {"s": 2}),
    "an order that is a symbol": ((number >> d.gaussian(2)).to(d.ApproxDP, delta="1e-6", alpha=b), {"b": 5}),
    "an epsilon": ((number >> d.laplace(s)).to(d.Profile).to(d.ApproxDP, epsilon=b), {"s": 2, "b": "1/9"}),
    "a curve": ((number >> d.laplace(s)).to(d.RenyiDP), {"s": 2}),
    "of a curve": ((number >> d.laplace(s)).to(d.RenyiDP).to(d.ApproxDP, delta="1e-6"), {"s": 2}),
    "parts": (d.rows(d.categories("N", "S")) >> d.partition() >> d.parallel(half), {"b": 4}),
    "parts, replaced": (replaced >> d.partition() >> d.parallel(half), {"b": 4}),
    "parts of many": (
        replaced >> d.partition() >> d.parallel((half & half).to(d.ZCDP).to(d.ApproxDP, delta="1e-6")),
        {"b": 4},
    ),
    "parts that cost more when a row is replaced": (
        replaced >> d.partition() >> d.parallel(letters >> d.flat_map(lambda x: [x], d.text(), 2) >> in_approx),
        {"b": 4},
    ),
    "composed": ((number >> d.laplace(b)) & (ages >> d.clamp(0, 2) >> d.sum() >> d.laplace(b)), {"b": 4}),
    "post-processed": ((number >> d.laplace(b)).then(abs), {"b": 4}),
    "a group": (d.group_privacy(number >> d.laplace(b)), {"b": 4}),
    "a slack": (d.compose_advanced([half, half], slack=c), {"b": 4, "c": "1/100"}),
    "jointly": (
        d.compose_jointly(
            [d.after(ages >> d.clamp(0, 9), number >> d.laplace(b)), d.after(ages >> d.clamp(0, 5), number >> d.laplace(1))],
            joint=[(1, c), (c, 1)],
        ),
        {"b": 2, "c": "1/2"},
    ),
    "jointly, in L2": (
        d.compose_jointly(
            [d.after(replaced >> d.histogram(norm=d.L2Distance), in_l2 >> d.gaussian(b))],
            joint=[(c,)],
        ),
        {"b": 2, "c": "1/2"},
    ),
    "of other stages": (
        d.compose([d.adaptive(ages, [(d.pure("1/2"), len)]), number >> d.laplace(b)]),
        {"b": 2},
    ),
    "of pairs": (
        d.compose([d.adaptive(ages, [(d.approx("1/2", "1/9"), len)]), (number >> d.laplace(b)).to(d.ApproxDP)]),
        {"b": 2},
    ),
    "persons": (
        d.rows(d.record(who=d.text()), d.PersonDistance("who")) >> d.bound_contributions(2) >> d.count() >> d.laplace(b),
        {"b": 2},
    ),
    "a granularity": (
        weeks >> d.count() >> d.laplace(b),
        {"b": 2},
    ),
}  # fmt: skip


def _of(example: Example) -> AnyMeasurement:
    built = example.build()
    return (
        measured(cast(AnyTransformation, built))
        if isinstance(built, dp.types.Transformation)
        else cast(AnyMeasurement, built)
    )


CASES |= {f"catalogue: {example.name}": (_of(example), {**example.values}) for example in SYMBOLIC}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("d_in", [1, 2])
def test_bound_later_or_sooner_it_is_the_same(name: str, d_in: int, tmp_path: Path) -> None:
    m, values = CASES[name]
    try:
        direct = certified(m.bind(**values), d_in)
    except dp.errors.InvalidDistance:
        return
    found = certified(m, d_in)
    assert found.symbols == set(values)
    found.save(tmp_path / "open.json")
    read = Certificate.load(tmp_path / "open.json")
    assert read == found
    assert read.bind(**values) == direct
    assert read.bind(**values).symbols == frozenset()
    checker.verify(direct.text())


@pytest.mark.parametrize("name", [name for name, (_, values) in CASES.items() if len(values) > 1])
def test_symbols_are_bound_in_any_order(name: str) -> None:
    m, values = CASES[name]
    for order in itertools.permutations(values):
        found = certified(m)
        for bound_so_far, symbol in enumerate(order, 1):
            found = found.bind(**{symbol: values[symbol]})
            earlier = {each: values[each] for each in order[:bound_so_far]}
            assert found == certified(m.bind(**earlier))


def test_a_symbol_may_become_another() -> None:
    m = number >> d.laplace(2 * b)
    assert certify(m).bind(b=c + 1) == certify(m.bind(b=c + 1))
    assert certify(m).bind(b=c + 1).bind(c=1) == certify(number >> d.laplace(4))


# ---- what it says ------------------------------------------------------------------------------------------------------


def test_it_claims_nothing_and_says_so_first() -> None:
    found = certify(ages >> d.clamp(0, u) >> d.sum() >> d.laplace(b))
    assert found.data["attention"] == ["nothing is claimed: no numbers stand yet for b, u"]
    assert found.data["symbols"] == ["b", "u"]
    assert found.data["claims"] == [{"d_in": "1", "measure": "pure", "loss": {"epsilon": None}}]
    curve = certify((number >> d.laplace(b)).to(d.RenyiDP), at=[2, "7/2"])
    assert cast(Any, curve.data["claims"])[0]["loss"] == {"points": [["2", None], ["7/2", None]]}


@pytest.mark.parametrize("name", CASES)
def test_the_checker_refuses_it(name: str) -> None:
    refused = rejection(certified(CASES[name][0]).text())
    assert refused is not None
    assert "symbol" in refused[1]


@pytest.mark.parametrize("name", CASES)
def test_the_checker_refuses_it_though_it_were_written_as_another(name: str) -> None:
    """A symbol is no number, wherever the checker meets it."""
    data = certified(CASES[name][0]).data
    del data["symbols"]
    claim = cast(Any, data["claims"])[0]
    loss = claim["loss"]
    claim["loss"] = (
        {"points": [[x, "1/2"] for x, _ in loss["points"]]} if "points" in loss else dict.fromkeys(loss, "1/2")
    )
    refused = rejection(json.dumps(data).encode())
    assert refused is not None
    assert refused[0].split("/")[0] in ("derivation", "space")


def test_without_symbols_nothing_is_said_of_them() -> None:
    found = certify(number >> d.laplace(1))
    assert found.symbols == frozenset()
    assert "symbols" not in found.data
    assert found.bind() == found
    with pytest.raises(dp.errors.InvalidParameter, match="no symbol is named 'b'; the free ones are: none"):
        found.bind(b=1)


# ---- what is refused ---------------------------------------------------------------------------------------------------

REFUSED: dict[str, tuple[Any, dict[str, Numeric]]] = {
    "scale 0": (number >> d.laplace(b), {"b": 0}),
    "negative scale": (number >> d.laplace(b), {"b": -2}),
    "negative sigma": (number >> d.gaussian(b - 5), {"b": 2}),
    "sigma 0": (number >> d.gaussian(b), {"b": 0}),
    "not a number": (number >> d.laplace(b), {"b": float("nan")}),
    "no number": (number >> d.laplace(b), {"b": "x"}),
    "true": (number >> d.laplace(b), {"b": True}),
    "an unknown name": (number >> d.laplace(b), {"c": 1}),
    "bounds in the wrong order": (ages >> d.clamp(5, u) >> d.sum() >> d.laplace(1), {"u": 4}),
    "an input space in the wrong order": (d.rows(d.integers(3, u)) >> d.count() >> d.laplace(1), {"u": 2}),
    "half a whole number": (ages >> d.clamp(5, u) >> d.sum() >> d.laplace(1), {"u": "11/2"}),
    "off the grid": (d.rows(d.numbers(0, 9, "1/2")) >> d.clamp(0, u) >> d.sum() >> d.laplace(2), {"u": "1/3"}),
    "no distance in joint": (
        d.compose_jointly([d.after(ages >> d.clamp(0, 9), number >> d.laplace(1))], joint=[(c - 1,)]),
        {"c": "1/2"},
    ),
    "truth less likely than others": (answer >> d.randomized_response(b), {"b": "1/4"}),
    "a probability of 1": (d.value(d.booleans(), d.DiscreteDistance()) >> d.randomized_response(b), {"b": 1}),
    "delta 1": ((number >> d.gaussian(1)).to(d.ApproxDP, delta=b), {"b": 1}),
    "order 1": ((number >> d.gaussian(1)).to(d.ApproxDP, delta="1/9", alpha=b), {"b": 1}),
    "a threshold too low": (ages >> d.threshold_release(scale=1, threshold=b), {"b": 1}),
    "a threshold in between": (ages >> d.threshold_release(scale=1, threshold=b), {"b": "5/2"}),
    "irrational": (number >> d.laplace(sympy.sqrt(b)), {"b": 2}),
    "a slack of 2": (d.compose_advanced([half], slack=c).bind(b=1), {"c": 2}),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_no_pipeline_takes_no_certificate_takes(name: str) -> None:
    m, values = REFUSED[name]
    with pytest.raises(dp.errors.DPError) as of_pipeline:
        m.bind(**values)
    with pytest.raises(type(of_pipeline.value)):
        certified(m).bind(**values)


def test_a_loss_that_promises_nothing_is_refused_when_it_is_bound() -> None:
    m = d.rows(d.text(), d.ChangeOneDistance()) >> d.name_and_shame(b)
    with pytest.raises(dp.errors.Vacuous):
        certify(m, 2).bind(b="1/2")


@pytest.mark.parametrize(("m", "words"), [
    (people >> d.select(x=d.field("age") + 1) >> d.count() >> d.laplace(1), "depend on u"),
    (d.rows(d.integers(0, u)) >> d.linear_queries(d.row() < 3, d.row() >= 3) >> d.laplace(1), "depends on u"),
    (number >> d.laplace(sympy.Max(b, c)), "sums, products and powers"),
    (number >> d.laplace(0.1 * b), "sums, products and powers"),
    (number >> d.laplace(sympy.pi * b), "sums, products and powers"),
    (number >> d.laplace(sympy.Symbol("b")), r"made with symbol\(...\)"),
    (by_region >> d.parallel(people >> d.linear_queries(d.field("age") < 3) >> d.laplace(1)), "depends on u"),
    (
        d.group_privacy(d.rows(d.integers(0, u)) >> d.linear_queries(d.row() < 3, d.row() >= 3) >> d.laplace(1)),
        "depends on u",
    ),
    (d.measurement(len, d.rows(d.integers(0, u)), d.PureDP(), loss=lambda x: x), "a Python function"),
])  # fmt: skip
def test_what_binding_would_change_is_refused(m: Any, words: str) -> None:
    assert m.symbols
    with pytest.raises(NotCertifiable, match=words):
        certified(m)


def test_why_those_are_refused() -> None:
    """Bound sooner, their trees hold domains and constants that nobody could have known with symbols."""
    wide = people >> d.select(x=d.field("age") + 1) >> d.count() >> d.laplace(1)
    assert "depends" not in certify(wide.bind(u=5)).written
    two = d.rows(d.integers(0, u)) >> d.linear_queries(d.row() < 3, d.row() >= 3) >> d.laplace(1)
    assert str(two.map) == "2*d_in"
    assert str(two.bind(u=5).map) == "d_in"


# ---- formulas as data --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("formula", [b, b + 1, 2 * b, b * c, b / c, (b + c) ** 2 / 3 - 1, sympy.sqrt(b), b**-2, -b])
def test_a_formula_comes_back(formula: Symbolic) -> None:
    written = number_written(formula)
    assert is_open(json.loads(json.dumps(written)))
    assert read_number(written) == formula


def test_the_encoding_is_first_order() -> None:
    assert number_written(b) == {"symbol": "b"}
    assert number_written(2 * b) == {"op": "multiply", "of": ["2", {"symbol": "b"}]}
    assert number_written(b**2) == {"op": "power", "of": [{"symbol": "b"}, "2"]}
    assert number_written(b * c) == number_written(c * b)


def test_the_order_of_operands_is_that_of_their_text() -> None:
    """And not the one that this version of sympy happens to have."""
    for formula in (b * (c + 1), b + c * 2, (b + 1) * c**2):
        operands = [json.dumps(each) for each in cast(Any, number_written(formula))["of"]]
        assert operands == sorted(operands)


@pytest.mark.parametrize("data", [
    {"op": "power", "of": [{"symbol": "b"}, "999999999"]},
    {"op": "power", "of": [{"op": "power", "of": [{"symbol": "b"}, "60"]}, "60"]},
    {"op": "power", "of": [{"symbol": "b"}]},
    {"op": "lambda", "of": ["1", {"symbol": "b"}]},
    {"symbol": "__import__('os')"},
    {"symbol": "d_in"},
    {"op": "row"},
    {"symbol": 3},
    None,
    True,
])  # fmt: skip
def test_what_is_no_formula_is_refused(data: Any) -> None:
    with pytest.raises((dp.errors.InvalidParameter, TypeError)):
        read_number(data)


def test_a_row_expression_is_no_formula() -> None:
    for e in (d.row() + 1, d.field("symbol") * d.field("x"), d.row().clip(0, 5)):
        assert not is_open(e.data())
    fields = {"record": {"symbol": d.field("x").data()}}
    assert not is_open(cast(Any, fields["record"]))


# ---- what is shared ----------------------------------------------------------------------------------------------------


def test_the_same_pipeline_gives_the_same_bytes_whatever_it_shares() -> None:
    """A measurement used at two distances has a witness at each, as if it had been made twice."""

    def of_a_number() -> Any:
        return (d.value(d.integers(), d.AbsoluteDistance()) >> d.gaussian(10)).to(d.ApproxDP, delta="1e-6")

    def both(first: Any, second: Any) -> Any:
        return (ages >> d.clamp(0, 1) >> d.sum() >> first) & (ages >> d.clamp(0, 3) >> d.sum() >> second)

    one = of_a_number()
    assert both(one, one) == both(of_a_number(), of_a_number())
    assert certify(both(one, one)) == certify(both(of_a_number(), of_a_number()))
    assert certify(d.compose([one] * 20)) == certify(d.compose([of_a_number() for _ in range(20)]))
