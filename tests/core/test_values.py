"""Pieces are values: they print as the code that makes them, compare by structure, and cannot be changed."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from fractions import Fraction
from typing import Any

import pytest

import dpcore as dp

d: Any = dp


def older(row: Any) -> bool:
    return bool(row > 17)


def twice(row: int) -> int:
    return 2 * row


def both(row: Any) -> list[Any]:
    return [row, row]


def days_apart(x: object, y: object) -> float:
    return 0.0


def same(x: Any) -> Any:
    return x


def half(x: Any) -> Any:
    return x / 2


NAMES = {name: getattr(dp, name) for name in dir(dp)} | {name: getattr(dp.types, name) for name in dp.types.__all__}
NAMES |= {f.__name__: f for f in (older, twice, both, days_apart, same, half)} | {"Fraction": Fraction}

ages = d.rows(d.integers())
replaced = d.rows(d.integers(0, 120), d.ChangeOneDistance(), 5)
people = d.rows(d.record(age=d.integers(0, 120), region=d.categories("N", "S"), born=d.date("1900-01-01")))
persons = d.rows(d.record(who=d.integers(), x=d.integers(0, 1)), d.PersonDistance("who"))
points = d.rows(d.vector(d.numbers(-1, 1, "1/8"), 2))
number = ages >> d.count() >> d.laplace(1)
b = d.symbol("b")

VALUES: dict[str, Callable[[], Any]] = {
    "integers": lambda: d.integers(),
    "integers from": lambda: d.integers(0),
    "integers to": lambda: d.integers(None, 5),
    "integers to a symbol": lambda: d.integers(0, b),
    "numbers": lambda: d.numbers(0, "1/3", "1/30"),
    "numbers of a step": lambda: d.numbers(None, None, "0.1"),
    "granularity in steps": lambda: d.rows(d.integers(), d.granularity("a day", days_apart, rows=2, path=True)),
    "booleans": lambda: d.booleans(),
    "categories": lambda: d.categories("N", 1, True, None, 2.5),
    "text": lambda: d.text(),
    "date": lambda: d.date(),
    "dates": lambda: d.date("2020-01-01", "2020-12-31"),
    "dates to": lambda: d.date(None, "2020-12-31"),
    "record": lambda: d.record(age=d.integers(0, 9), name=d.optional(d.text())),
    "vector": lambda: d.vector(d.integers(), 3),
    "short vector": lambda: d.vector(d.numbers(step=1), 3, d.L2Distance, "1/2"),
    "graphs": lambda: d.graphs(5),
    "Rows": lambda: d.types.Rows(d.integers(), 3),
    "Parts": lambda: d.types.Parts(d.integers(), ("N", 1)),
    "rows": lambda: d.rows(d.integers(0, 9)),
    "rows replaced": lambda: replaced,
    "rows of persons": lambda: persons,
    "rows of a size": lambda: d.rows(d.text(), size=3),
    "value": lambda: d.value(d.booleans(), d.DiscreteDistance()),
    "graph": lambda: d.value(d.graphs(3), d.NodeDistance()),
    "granularity": lambda: d.rows(d.integers(), d.granularity("a day", days_apart, rows=2)),
    "PartDistance": lambda: d.types.PartDistance(d.ChangeOneDistance()),
    "RangeDistance": lambda: d.RangeDistance(),
    "pure": lambda: d.pure("1/3"),
    "approx": lambda: d.approx(1, "1e-6"),
    "zcdp": lambda: d.zcdp(0.1),
    "gaussian_dp": lambda: d.gaussian_dp("2/3"),
    "total_variation": lambda: d.total_variation("0.01"),
    "bound": lambda: d.pure("1/3").epsilon,
    "PureDP": lambda: d.PureDP(),
    "symbol": lambda: ages >> d.count() >> d.laplace(2 * b + 1),
    "two symbols": lambda: ages >> d.clamp(0, d.symbol("bb")) >> d.sum() >> d.laplace(b),
    "clamp": lambda: ages >> d.clamp(-1, 9),
    "clamp numbers": lambda: d.rows(d.numbers(step="0.5")) >> d.clamp("-1/2", "9.5"),
    "quantize": lambda: d.rows(d.numbers(0, 1)) >> d.quantize("0.01"),
    "quantize vectors": lambda: d.rows(d.vector(d.numbers(0, 1), 2)) >> d.quantize("0.01"),
    "clip_norm off the grid": lambda: d.rows(d.vector(d.numbers(), 2)) >> d.clip_norm(1, d.L2Distance, step="0.01"),
    "an entry of a vector": lambda: points >> d.filter(d.row()[1] > 0),
    "filter": lambda: people >> d.filter((d.field("age") >= 18) & ~d.field("region").isin("N")),
    "filter by a function": lambda: ages >> d.filter(older),
    "row_map": lambda: ages >> d.row_map(twice, d.integers(0)),
    "flat_map": lambda: ages >> d.flat_map(both, d.integers(), 2),
    "select": lambda: people >> d.select(d.field("age") + 1),
    "select into": lambda: people >> d.select(d.field("age"), d.integers(0, 200)),
    "select fields": lambda: people >> d.select(a=d.field("age"), year=d.field("born").year()),
    "when": lambda: people >> d.select(d.when(d.field("age") > 1).then(1).otherwise(0)),
    "count": lambda: ages >> d.count(),
    "sum": lambda: replaced >> d.sum(),
    "sum of vectors": lambda: points >> d.sum(norm=d.L2Distance),
    "clip_norm": lambda: points >> d.clip_norm("1/2", d.L1Distance),
    "histogram": lambda: people >> d.histogram(d.field("region"), norm=d.LInfDistance),
    "histogram of rows": lambda: ages >> d.histogram(bins=[1, 2]),
    "histogram by a function": lambda: ages >> d.histogram(twice, [2, 4]),
    "marginal_errors": lambda: people >> d.marginal_errors([d.field("age"), d.field("age") // 2], [[1, 2], [0, 3]]),
    "linear_queries": lambda: people >> d.linear_queries(d.field("age") > 9, d.field("region") == "N"),
    "partition": lambda: people >> d.partition(["N"], d.field("region")),
    "partition by all": lambda: people >> d.partition(by=d.field("region")),
    "quantile_scores of thirds": lambda: ages >> d.quantile_scores(["1/3", Fraction(1, 2), 1], "2/3"),
    "record that leaves fields aside": lambda: d.rows(d.record(age=d.integers(0, 9), extra="ignore")),
    "record with a field extra": lambda: d.record(a=d.text(), extra=d.integers()),
    "filter by days as texts": lambda: people >> d.filter(d.field("born") > "2020-05-01"),
    "histogram of days as texts": lambda: people >> d.histogram(d.field("born"), bins=["2020-05-01"]),
    "quantile_scores": lambda: ages >> d.quantile_scores([1, 2, "1/2"], "0.9"),
    "bound_contributions": lambda: persons >> d.bound_contributions(3),
    "to_metric": lambda: replaced >> d.to_metric(d.SymmetricDistance()),
    "laplace": lambda: replaced >> d.sum() >> d.laplace("1/3"),
    "laplace by accuracy": lambda: ages >> d.count() >> d.laplace(accuracy=9, confidence="0.9"),
    "gaussian": lambda: ages >> d.count() >> d.gaussian(3),
    "gaussian profile": lambda: ages >> d.count() >> d.gaussian(3, measure=d.Profile),
    "randomized_response": lambda: (
        d.value(d.categories("a", "b"), d.DiscreteDistance()) >> d.randomized_response("0.9")
    ),
    "permute_and_flip": lambda: ages >> d.quantile_scores([1, 2], "1/2") >> d.permute_and_flip(3),
    "exponential": lambda: ages >> d.quantile_scores([1, 2], "1/2") >> d.exponential("1/3"),
    "above_threshold": lambda: (
        ages
        >> d.histogram(bins=[1], norm=d.LInfDistance)
        >> d.above_threshold(5, threshold_scale=1, query_scale="3/2", hits=2)
    ),
    "threshold_release": lambda: people >> d.threshold_release(d.field("age"), scale=1, threshold=20),
    "threshold_release of rows": lambda: ages >> d.threshold_release(scale=1, threshold=20),
    "name_and_shame": lambda: replaced >> d.name_and_shame("0.01"),
    "random_row": lambda: replaced >> d.random_row(),
    "and": lambda: number & number,
    "compose": lambda: d.compose([number, number, number]),
    "compose_advanced": lambda: d.compose_advanced([number, number], "1e-9"),
    "compose_optimal": lambda: d.compose_optimal([number, number]),
    "then": lambda: number.then(twice).then(twice),
    "to": lambda: number.to(d.ZCDP).to(d.ApproxDP, delta="1e-9"),
    "to with a witness": lambda: number.to(d.RenyiDP).to(d.ApproxDP, delta="1e-9", alpha=3),
    "chain of chains": lambda: (ages >> d.clamp(0, 9)) >> (d.rows(d.integers(0, 9)) >> d.count() >> d.laplace(1)),
    "parallel": lambda: people >> d.partition(by=d.field("region")) >> d.parallel(people >> d.count() >> d.laplace(1)),
    "parallel by key": lambda: ages >> d.partition([1]) >> d.parallel({1: number}),
    "adaptive": lambda: d.adaptive(ages, [(d.pure(1), same)]),
    "group_privacy": lambda: d.group_privacy(number),
    "compose_jointly": lambda: d.compose_jointly([d.after(ages >> d.clamp(0, 9), number)], joint=[(1,), ("1",)]),
    "transformation": lambda: d.transformation(len, ages, (ages >> d.count()).output, half),
    "measurement": lambda: d.measurement(len, ages, d.PureDP(), half),
    "step": lambda: d.laplace(scale="1/3"),
    "step of a norm": lambda: d.histogram(d.field("a"), norm=d.L2Distance),
}


@pytest.mark.parametrize("name", VALUES)
def test_a_repr_rebuilds_the_value(name: str) -> None:
    value = VALUES[name]()
    again = eval(repr(value), dict(NAMES))
    assert again == value
    assert repr(again) == repr(value)


@pytest.mark.parametrize("name", VALUES)
def test_made_twice_is_equal_and_hashes_equal(name: str) -> None:
    one, other = VALUES[name](), VALUES[name]()
    assert one == other
    assert hash(one) == hash(other)
    assert len({one, other}) == 1
    assert one != object()
    assert copy.copy(one) == one


def test_different_values_are_different() -> None:
    """Of each kind none equals another, though some share their rules or print alike up to a number."""
    made = [(name, make()) for name, make in VALUES.items()]
    for i, (name, value) in enumerate(made):
        for other_name, other in made[i + 1 :]:
            assert not (type(value) is type(other) and value == other), (name, other_name)


@pytest.mark.parametrize("name", VALUES)
def test_nothing_can_be_changed(name: str) -> None:
    value = VALUES[name]()
    fields = [slot for kind in type(value).__mro__ for slot in getattr(kind, "__slots__", ()) if slot != "__weakref__"]
    for field in [*fields, "something_new"]:
        with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
            setattr(value, field, 1)
        with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
            delattr(value, field)
    assert value == VALUES[name]()


def test_equality_tells_numbers_domains_and_order_apart() -> None:
    assert d.laplace(1) != d.laplace(2)
    assert (ages >> d.count()) != (replaced >> d.count())
    assert (number & (ages >> d.count() >> d.laplace(2))) != ((ages >> d.count() >> d.laplace(2)) & number)
    assert number != (ages >> d.count())
    assert d.categories(1) != d.categories("1")
    assert d.record(a=d.text(), b=d.text()) != d.record(b=d.text(), a=d.text())


def test_chaining_is_associative_and_prints_alike() -> None:
    one = ages >> d.clamp(0, 9) >> d.sum() >> d.laplace(1)
    other = (ages >> d.clamp(0, 9)) >> (d.rows(d.integers(0, 9)) >> d.sum() >> d.laplace(1))
    assert repr(one) == repr(other) == "rows(integers()) >> clamp(0, 9) >> sum() >> laplace(scale=1)"
    assert one == other


def test_the_typed_form_of_a_number_does_not_matter() -> None:
    assert d.laplace(0.5) == d.laplace("1/2") == d.laplace("0.50") == d.laplace(Fraction(1, 2))
    assert hash(d.laplace(0.5)) == hash(d.laplace("1/2"))
    assert d.integers(0.0, "7") == d.integers(0, 7)


def test_losses_compare_by_their_numbers() -> None:
    assert d.pure(1) == d.pure("1.0")
    assert d.pure(1) != d.pure(2)
    assert d.pure(1) != d.zcdp(1)
    assert d.approx(1, 0) != d.pure(1)
    assert d.pure(1) < d.pure(2) <= d.pure(2)
    assert d.pure(2) > d.pure(1) >= d.pure(1)
    assert not d.pure(1) < d.pure(1)
    assert not d.approx(1, "0.1") <= d.approx(2, "0.01"), "pairs are compared part by part"
    assert not d.approx(2, "0.01") <= d.approx(1, "0.1")


def test_a_loss_of_many_digits_still_prints() -> None:
    """The exact sum of hundreds of different rationals has more digits than Python will print: then it is bounded."""
    parts = [ages >> d.count() >> d.laplace(Fraction(10**12 + 7 * i * i + i, 10**9 + i)) for i in range(1, 500)]
    loss = d.compose(parts).loss(1)
    assert loss.epsilon.exact is not None
    assert loss.epsilon.exact.denominator > 10**4300
    assert str(loss) == f"PureDP: epsilon <= {float(loss)!r}"
    assert repr(loss) == f"<{loss}>"
    assert loss <= d.pure(1)
    assert repr(d.laplace(10**5000)) == f"laplace(scale={hex(10**5000)})"
    assert eval(repr(d.laplace(10**5000)), dict(NAMES)) == d.laplace(10**5000)


def test_a_transformation_is_called_and_a_measurement_is_not() -> None:
    assert (ages >> d.clamp(0, 9))([5, 50, -5]) == [5, 9, 0]
    assert not callable(number)
