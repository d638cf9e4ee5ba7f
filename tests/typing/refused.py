"""What a type checker must refuse, each on its chaining line: mypy and basedpyright both report a needless `type: ignore`.

The functions are never called: most of these lines raise as well, which `tests/errors` shows. `test_warrant` strips the
comments and finds an error on exactly these lines.
"""

# pyright: reportUnusedExpression=false
# An expression without effect is what this file is made of; were it reported, no `type: ignore` would be needless.

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict, assert_type

import dpcore as dp
from dpcore.types import Domain, Integers, Measure, Metric, Space

ages = dp.rows(dp.integers())
names = dp.rows(dp.text())
reals = dp.rows(dp.numbers(0, 10, "0.1"))
points = dp.rows(dp.vector(dp.integers(-1, 1), 2))
people = dp.rows(dp.record(age=dp.integers(0, 120), region=dp.categories("N", "S")))
replaced = dp.rows(dp.integers(0, 120), dp.ChangeOneDistance())
persons = dp.rows(dp.record(who=dp.integers(), age=dp.integers(0, 120)), dp.PersonDistance("who"))

total = ages >> dp.clamp(0, 120) >> dp.sum() >> dp.laplace(1)
normal = ages >> dp.clamp(0, 120) >> dp.sum() >> dp.gaussian(1)
by_region = people >> dp.histogram(dp.field("region"))


@dataclass
class Person:
    age: int


class Visit(TypedDict):
    who: str
    minutes: int


def rows_of_a_class() -> None:
    count_persons = dp.rows(dp.record.of(Person)) >> dp.count()
    count_visits = dp.rows(dp.record.of(Visit)) >> dp.count()
    count_persons([Person("thirty")])  # type: ignore[arg-type]
    count_persons([Person(age=30, region="N")])  # type: ignore[call-arg]
    count_persons([{"age": 30}])  # type: ignore[list-item]
    count_visits([{"who": "ann"}])  # type: ignore[typeddict-item]
    count_visits([{"who": "ann", "minutes": "ten"}])  # type: ignore[typeddict-item]
    count_visits([{"who": "ann", "minutes": 10, "more": 1}])  # type: ignore[typeddict-unknown-key]
    count_visits([Person(30)])  # type: ignore[list-item]
    dp.rows(dp.record.of(Person)) >> (dp.rows(dp.record.of(Visit)) >> dp.count())  # type: ignore[operator]
    dp.record.of(Person(30))  # type: ignore[arg-type]
    dp.integers(..., 120)  # type: ignore[arg-type]
    dp.record(age=...)  # type: ignore[call-overload]


def the_order_of_norms() -> None:
    people >> dp.histogram(dp.field("region"), norm=dp.L2Distance) >> dp.laplace(1)  # type: ignore[operator]
    people >> dp.histogram(dp.field("region"), norm=dp.L1Distance) >> dp.gaussian(1)  # type: ignore[operator]
    people >> dp.histogram(dp.field("region"), norm=dp.LInfDistance) >> dp.laplace(1)  # type: ignore[operator]
    by_region >> dp.to_metric(dp.L2Distance()) >> dp.laplace(1)  # type: ignore[operator]
    by_region >> dp.permute_and_flip(1)  # type: ignore[operator]
    points >> dp.sum(norm=dp.L1Distance) >> dp.gaussian(1)  # type: ignore[operator]


def the_relation_between_data_sets() -> None:
    (ages >> dp.clamp(0, 120)) >> (replaced >> dp.sum())  # type: ignore[operator]
    (replaced >> dp.clamp(0, 9)) >> (ages >> dp.count())  # type: ignore[operator]
    (replaced >> dp.filter(dp.row() > 9)) >> (replaced >> dp.count())  # type: ignore[operator]
    (ages >> dp.count()) >> dp.name_and_shame("0.1")  # type: ignore[operator]
    ages >> dp.name_and_shame("0.1")  # type: ignore[operator]
    ages >> dp.random_row()  # type: ignore[operator]
    replaced >> dp.threshold_release(scale=1, threshold=3)  # type: ignore[operator]
    persons >> dp.flat_map(lambda row: [row], dp.integers(), 1)  # type: ignore[operator]
    ages >> dp.bound_contributions(3)  # type: ignore[operator]
    persons >> dp.partition([1, 2], dp.field("who"))  # type: ignore[operator]


def one_value_or_many() -> None:
    by_region >> (ages >> dp.count() >> dp.laplace(1))  # type: ignore[operator]
    by_region >> (dp.value(dp.integers(), dp.AbsoluteDistance()) >> dp.laplace(1))  # type: ignore[operator]
    (ages >> dp.count()) >> (dp.value(dp.vector(dp.integers(), 2), dp.L1Distance()) >> dp.laplace(1))  # type: ignore[operator]
    by_region >> dp.sum()  # type: ignore[operator]
    by_region >> dp.randomized_response("3/4")  # type: ignore[operator]
    dp.rows(dp.booleans()) >> dp.locally(dp.randomized_response("3/4"))  # type: ignore[operator]
    dp.rows(dp.integers(), dp.ChangeOneDistance()) >> dp.locally(dp.randomized_response("3/4"))  # type: ignore[operator]
    ages >> dp.count() >> dp.exponential(1)  # type: ignore[operator]
    ages >> dp.laplace(1)  # type: ignore[operator]
    ages >> dp.random_rounding(2)  # type: ignore[operator]
    ages >> dp.count() >> dp.clamp(0, 9)  # type: ignore[operator]
    ages >> dp.count() >> dp.count()  # type: ignore[operator]


def measurements_end_a_pipeline() -> None:
    total >> dp.count()  # type: ignore[operator]
    total >> (ages >> dp.count())  # type: ignore[operator]
    total >> normal  # type: ignore[operator]
    ages >> total  # type: ignore[operator]


def compositions() -> None:
    total & normal  # type: ignore[operator]
    total & (replaced >> dp.sum() >> dp.laplace(1))  # type: ignore[operator]
    total & (names >> dp.count() >> dp.laplace(1))  # type: ignore[operator]
    dp.compose([total, normal])  # type: ignore[arg-type]
    dp.compose([total, replaced >> dp.sum() >> dp.laplace(1)])  # type: ignore[arg-type]
    dp.after(ages >> dp.clamp(0, 120), total & total).whole & normal  # type: ignore[operator]
    dp.compose([by_region >> dp.laplace(1), people >> dp.count() >> dp.gaussian(1)])  # type: ignore[arg-type]
    dp.compose([total, names >> dp.count() >> dp.laplace(1)])  # type: ignore[arg-type]
    dp.compose_advanced([total, normal], "1e-6")  # type: ignore[arg-type]
    dp.compose_jointly([dp.after(ages >> dp.clamp(0, 9), total), dp.after(ages >> dp.clamp(0, 9), normal)], [(1, 1)])  # type: ignore[arg-type]


def the_measure_of_a_loss() -> None:
    dp.adaptive(ages, [(dp.zcdp(1), lambda seen: total)])  # type: ignore[list-item]
    dp.adaptive(ages, [(dp.pure(1), lambda seen: normal)])  # type: ignore[list-item, return-value]
    dp.adaptive(ages, [(dp.pure(1), lambda seen: total), (dp.zcdp(1), lambda seen: normal)])  # type: ignore[list-item, return-value]
    dp.adaptive(ages, [(dp.pure(1), of_words)])  # type: ignore[misc]
    total.solve(dp.zcdp(1), d_in=1)  # type: ignore[arg-type]
    total.to(dp.ApproxDP).solve(dp.pure(1), d_in=1)  # type: ignore[arg-type]


def questions() -> None:
    curator = dp.curator(ages, [1], budget=dp.pure(1))
    curator.ask(normal)  # type: ignore[arg-type]
    curator.ask(replaced >> dp.sum() >> dp.laplace(1))  # type: ignore[arg-type]
    curator.ask(names >> dp.count() >> dp.laplace(1))  # type: ignore[arg-type]
    dp.curator(ages, [1], budget=dp.zcdp(1, "1e-6")).ask(normal)  # type: ignore[arg-type]
    curator.after(ages >> dp.clamp(0, 9) >> dp.sum()).ask(total)  # type: ignore[arg-type]
    dp.interactive(ages, dp.pure(1), [normal])  # type: ignore[misc]
    dp.interactive(ages, normal.to(dp.Profile).loss(1))  # type: ignore[call-overload]
    dp.concurrently([dp.interactive(ages, dp.pure(1)), dp.interactive(ages, dp.zcdp(1))])  # type: ignore[arg-type]
    dp.view(dp.interactive(ages, dp.zcdp(1)), lambda asked: asked.ask(total))  # type: ignore[arg-type]


def of_words(
    seen: tuple[str, ...],
) -> dp.types.Measurement[dp.types.Rows[Integers], dp.SymmetricDistance, dp.PureDP, int]:
    return total


def what_a_release_is(
    wider: dp.types.Measurement[dp.types.Rows[Integers], dp.SymmetricDistance, dp.PureDP, object],
) -> None:
    number: dp.types.Measurement[dp.types.Rows[Integers], dp.SymmetricDistance, dp.PureDP, str] = total  # type: ignore[assignment]
    narrow: dp.types.Measurement[dp.types.Rows[Integers], dp.SymmetricDistance, dp.PureDP, int] = wider  # type: ignore[assignment]
    wider.then(lambda release: release + 1)  # type: ignore[operator]
    dp.parallel({"N": total, "S": normal})  # type: ignore[arg-type]
    print(number, narrow)


def values() -> None:
    total.release([1], exact=True)  # type: ignore[call-arg]
    total.release(["a", "b"])  # type: ignore[list-item]
    names_out: str = total.release([1])  # type: ignore[assignment]
    total.then(lambda release: release.upper())  # type: ignore[attr-defined]
    total.then(str).then(dp.row() / 10)  # type: ignore[arg-type]
    total.loss(1).delta  # type: ignore[attr-defined]
    normal.loss(1).epsilon  # type: ignore[attr-defined]
    total.loss(1) + normal.loss(1)  # type: ignore[operator]
    total.loss("one", 2)  # type: ignore[call-arg]
    total(ages)  # type: ignore[operator]
    print(names_out)


def rows_that_are_no_numbers() -> None:
    names >> dp.sum()  # type: ignore[operator]
    names >> dp.clamp(0, 9)  # type: ignore[operator]
    names >> dp.quantile_scores([1, 2], "1/2")  # type: ignore[operator]
    ages >> dp.quantize(1)  # type: ignore[operator]
    points >> dp.quantize(1)  # type: ignore[operator]
    people >> dp.sum()  # type: ignore[operator]
    points >> dp.sum()  # type: ignore[operator]
    reals >> dp.sum(norm=dp.L1Distance)  # type: ignore[operator]


def conditions() -> None:
    people >> dp.filter(dp.field("age") + 1)  # type: ignore[arg-type]
    people >> dp.filter("N" == dp.field("region"))  # type: ignore[arg-type]  # noqa: SIM300
    dp.field("region").same_as("N")  # type: ignore[arg-type]
    people >> dp.filter(dp.field("region"))  # type: ignore[arg-type]
    people >> dp.filter(dp.when(dp.field("age") > 1).then(1).otherwise(0))  # type: ignore[arg-type]
    (dp.field("age") > 1) & dp.field("age")  # type: ignore[operator]
    ~dp.field("age")  # type: ignore[misc]
    dp.when(dp.field("age"))  # type: ignore[arg-type]


def parts() -> None:
    each = people >> dp.count() >> dp.laplace(1)
    people >> dp.parallel(each)  # type: ignore[operator]
    ages >> dp.partition([1, 2]) >> dp.parallel(each)  # type: ignore[arg-type]
    people >> dp.partition(["N"], dp.field("region")) >> dp.laplace(1)  # type: ignore[operator]
    dp.parallel(replaced >> dp.count() >> dp.laplace(1))  # type: ignore[arg-type]
    dp.parallel({"N": replaced >> dp.count() >> dp.laplace(1)})  # type: ignore[arg-type]


def measures_and_metrics() -> None:
    total.to(dp.L1Distance)  # type: ignore[type-var]
    ages >> dp.to_metric(dp.PureDP())  # type: ignore[arg-type]
    dp.rows(dp.integers(), dp.PureDP())  # type: ignore[call-overload]
    people >> dp.histogram(dp.field("region"), norm=dp.AbsoluteDistance)  # type: ignore[type-var]
    ages >> dp.count() >> dp.gaussian(1, measure=dp.PureDP)  # type: ignore[arg-type]
    dp.budget(1, 3)  # type: ignore[type-var]


# Type parameters are invariant: a common base class does not let a mismatch through.


def sum_of_any(space: Space[dp.types.Rows[Integers], dp.SymmetricDistance]) -> None:
    noisy = space >> dp.count() >> dp.laplace(1)
    assert_type(noisy, dp.types.Measurement[dp.types.Rows[Domain], Metric, dp.PureDP, int])  # type: ignore[assert-type]


def any_domain(space: Space[Domain, Metric]) -> None:
    space >> dp.sum()  # type: ignore[operator]


def any_metric(
    step: dp.types.Transformation[dp.types.Rows[Integers], Metric, Integers, Metric],
) -> None:
    step >> dp.laplace(1)  # type: ignore[operator]


def any_measure(
    measurement: dp.types.Measurement[dp.types.Rows[Integers], dp.SymmetricDistance, Measure, int],
) -> None:
    measurement & total  # type: ignore[operator]


def widened() -> None:
    counted = ages >> dp.count()
    any_domain(ages)  # type: ignore[arg-type]
    any_metric(counted)  # type: ignore[arg-type]
    any_measure(total)  # type: ignore[arg-type]
    any_measure(normal)  # type: ignore[arg-type]
