"""What must pass the type checkers, with the types that they infer. The functions are never called."""

from __future__ import annotations

import datetime
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Literal, NamedTuple, TypedDict, TypeVar, assert_type

import duckdb
import numpy as np
import polars as pl
from numpy.typing import NDArray

import dpcore as dp

D = TypeVar("D", bound=dp.types.Domain)
M = TypeVar("M", bound=dp.types.Metric)

ages = dp.rows(dp.integers())
replaced = dp.rows(dp.integers(0, 120), dp.ChangeOneDistance())
people = dp.rows(dp.record(age=dp.integers(0, 120), region=dp.categories("N", "E", "S", "W"), married=dp.booleans()))
reals = dp.rows(dp.numbers(0, 10, "0.1"))
points = dp.rows(dp.vector(dp.integers(-1, 1), 2))

Ages = dp.types.Rows[dp.types.Integers]
Vectors = dp.types.Rows[dp.types.Vector[dp.types.Numbers]]
Add = dp.SymmetricDistance
Change = dp.ChangeOneDistance
ByPerson = dp.PersonDistance


@dataclass
class Person:
    age: Annotated[int, dp.integers(0, 120)]
    region: Literal["N", "S"]


class Visit(TypedDict):
    who: str
    minutes: int | None


class Point(NamedTuple):
    x: Annotated[int, dp.integers(0, 9)]


Persons = dp.types.Rows[dp.types.Record[Person]]


def spaces() -> None:
    assert_type(ages, dp.types.Space[Ages, Add])
    assert_type(dp.rows(dp.integers(), size=3), dp.types.Space[Ages, Add])
    assert_type(replaced, dp.types.Space[Ages, Change])
    assert_type(people, dp.types.Space[dp.types.Rows[dp.types.Record], Add])
    assert_type(dp.rows(dp.optional(dp.text())), dp.types.Space[dp.types.Rows[dp.types.Optional[dp.types.Text]], Add])
    assert_type(dp.rows(dp.categories("N", "S")), dp.types.Space[dp.types.Rows[dp.types.Categories[str]], Add])
    assert_type(dp.value(dp.booleans(), dp.DiscreteDistance()), dp.types.Space[dp.types.Booleans, dp.DiscreteDistance])
    assert_type(dp.value(dp.graphs(3), dp.EdgeDistance()), dp.types.Space[dp.types.Graphs, dp.EdgeDistance])
    assert_type(dp.rows(dp.record(who=dp.integers()), dp.PersonDistance("who")).metric, dp.PersonDistance)


def the_first_example() -> None:
    total = ages >> dp.clamp(0, 120) >> dp.sum() >> dp.laplace(scale=120)
    assert_type(total, dp.types.Measurement[Ages, Add, dp.PureDP, int])
    assert_type(total.loss(d_in=1), dp.types.PureLoss)
    assert_type(total.loss(1).epsilon, dp.types.Bound)
    assert_type(total.loss(1).epsilon.exact, Fraction | None)
    assert_type(total.release([23, 45, 67]), int)
    assert_type(total.release(np.array([23, 45, 67])), int)
    assert_type(total.symbols, frozenset[str])
    assert_type(total.accuracy("0.95"), Fraction)
    assert_type(total.bind(b=3), dp.types.Measurement[Ages, Add, dp.PureDP, int])
    total.bind(b=total.solve(dp.pure(1), d_in=1))
    total.to(dp.ApproxDP).solve(dp.approx(1, "1e-6"), 1, step="0.1")
    assert_type(str(total.map), str)
    assert_type(total.map.latex(), str)


def transformations() -> None:
    vectors = dp.rows(dp.vector(dp.numbers(0, 1), 2))
    assert_type(vectors >> dp.quantize("0.1"), dp.types.Transformation[Vectors, Add, Vectors, Add])
    assert_type(
        vectors >> dp.clip_norm(1, dp.L2Distance, step="0.1"), dp.types.Transformation[Vectors, Add, Vectors, Add]
    )
    assert_type(vectors >> dp.filter(dp.row()[1] > 0), dp.types.Transformation[Vectors, Add, Vectors, Add])
    clamped = ages >> dp.clamp(0, 120)
    assert_type(clamped, dp.types.Transformation[Ages, Add, Ages, Add])
    assert_type(clamped([1, 2]), list[int])
    assert_type((ages >> dp.count())([1]), int)
    assert_type((ages >> dp.count()).stability(1), dp.types.Bound)
    assert_type(clamped >> dp.sum(), dp.types.Transformation[Ages, Add, dp.types.Integers, dp.AbsoluteDistance])
    assert_type(
        clamped >> (ages >> dp.count()), dp.types.Transformation[Ages, Add, dp.types.Integers, dp.AbsoluteDistance]
    )
    assert_type(
        reals >> dp.sum(),
        dp.types.Transformation[dp.types.Rows[dp.types.Numbers], Add, dp.types.Numbers, dp.AbsoluteDistance],
    )
    assert_type((reals >> dp.sum())([0.1, Fraction(1, 2), 3, Decimal("0.3")]), Fraction)
    assert_type(replaced >> dp.filter(dp.row() > 3), dp.types.Transformation[Ages, Change, Ages, Add])
    assert_type(ages >> dp.filter(lambda age: age > 3), dp.types.Transformation[Ages, Add, Ages, Add])
    assert_type(
        ages >> dp.row_map(str, dp.text()), dp.types.Transformation[Ages, Add, dp.types.Rows[dp.types.Text], Add]
    )
    assert_type(
        ages >> dp.flat_map(range, dp.text(), 2), dp.types.Transformation[Ages, Add, dp.types.Rows[dp.types.Text], Add]
    )
    assert_type(
        people >> dp.select(dp.field("age"), dp.integers(0, 120)),
        dp.types.Transformation[dp.types.Rows[dp.types.Record], Add, Ages, Add],
    )
    assert_type(
        people >> dp.select(dp.field("age", int)),
        dp.types.Transformation[dp.types.Rows[dp.types.Record], Add, Ages, Add],
    )
    assert_type(
        people >> dp.histogram(dp.field("region"), norm=dp.L2Distance),
        dp.types.Transformation[dp.types.Rows[dp.types.Record], Add, dp.types.Vector[dp.types.Integers], dp.L2Distance],
    )
    assert_type(
        replaced >> dp.to_metric(dp.SymmetricDistance()),
        dp.types.Transformation[Ages, Change, Ages, Add],
    )
    assert_type(
        ages >> dp.partition([1, 2]),
        dp.types.Transformation[
            Ages, Add, dp.types.Parts[dp.types.Integers], dp.types.PartDistance[dp.SymmetricDistance]
        ],
    )
    assert_type(
        ages >> dp.quantile_scores([1, 2], "1/2"),
        dp.types.Transformation[Ages, Add, dp.types.Vector[dp.types.Integers], dp.LInfDistance],
    )


def rows_of_a_class() -> None:
    """Rows are objects of the class, with the fields that it has; what leaves an arrow is a dict, as ever."""
    persons = dp.rows(dp.record.of(Person))
    assert_type(persons, dp.types.Space[Persons, Add])
    adults = persons >> dp.filter(dp.field("age") >= 18)
    assert_type(adults, dp.types.Transformation[Persons, Add, Persons, Add])
    assert_type(adults([Person(30, "N"), Person(12, "S")]), list[dict[str, object]])
    assert_type((adults >> dp.count() >> dp.laplace(1)).release([Person(30, "N")]), int)
    assert_type((adults >> dp.count() >> dp.laplace(1)).release({"age": np.array([30])}), int)
    each = persons >> dp.count() >> dp.laplace(1)
    by_region = persons >> dp.partition(["N", "S"], dp.field("region")) >> dp.parallel(each)
    assert_type(by_region.release([Person(30, "N")]), dp.types.ByKey[int])
    visits = dp.rows(dp.record.of(Visit, extra="ignore"), dp.PersonDistance("who")) >> dp.drop_nulls("minutes")
    assert_type(
        visits,
        dp.types.Transformation[
            dp.types.Rows[dp.types.Record[Visit]], ByPerson, dp.types.Rows[dp.types.Record], ByPerson
        ],
    )
    visits([{"who": "ann", "minutes": None}])
    assert_type((dp.rows(dp.record.of(Point)) >> dp.count())([Point(3)]), int)
    assert_type(dp.record(age=dp.integers()), dp.types.Record[Mapping[str, object]])
    assert_type(dp.record(extra="ignore", age=dp.integers()), dp.types.Record)
    assert_type(dp.record.suggest({"age": np.array([3])}), str)


def measurements() -> None:
    by_region = people >> dp.histogram(dp.field("region"))
    assert_type((by_region >> dp.laplace(1)).release([]), dp.types.Coordinates[int])
    noisy_vector = dp.value(dp.vector(dp.integers(), 2), dp.L1Distance()) >> dp.laplace(1)
    assert_type(noisy_vector.release([1, 2]), dp.types.Coordinates[int])
    assert_type(noisy_vector.release(np.zeros(2, np.int64)), NDArray[np.int64] | NDArray[np.object_])
    assert_type((reals >> dp.sum() >> dp.laplace(1)).release([0.1]), Fraction)
    assert_type((points >> dp.sum(norm=dp.L2Distance) >> dp.gaussian(1)).release([[1, 0]]), dp.types.Coordinates[int])
    assert_type((ages >> dp.count() >> dp.gaussian(1)).loss(1), dp.types.ZCDPLoss)
    assert_type((ages >> dp.count() >> dp.gaussian(1, measure=dp.Profile)).loss(1), dp.types.ProfileLoss)
    assert_type((ages >> dp.count() >> dp.gaussian(accuracy=3, confidence=0.9)).loss(1).rho, dp.types.Bound)
    answer = dp.value(dp.booleans(), dp.DiscreteDistance()) >> dp.randomized_response("3/4")
    assert_type(answer.release(True), bool)
    party = dp.value(dp.categories("A", "B"), dp.DiscreteDistance()) >> dp.randomized_response("3/4")
    assert_type(party.release("A"), str)
    share = dp.value(dp.categories(0.1, 0.25), dp.DiscreteDistance()) >> dp.randomized_response("3/4")
    assert_type(share.release(0.1), float)
    smokers = dp.rows(dp.booleans(), dp.ChangeOneDistance())
    survey = smokers >> dp.locally(dp.randomized_response("3/4"))
    assert_type(survey.release([True]), list[bool])
    assert_type(survey.loss(1), dp.types.PureLoss)
    assert_type(survey.then(dp.randomized_response("3/4").estimate).release([True]), Fraction)
    parties = dp.rows(dp.categories("A", "B"), dp.ChangeOneDistance())
    assert_type((parties >> dp.locally(dp.randomized_response("3/4"))).release(["A"]), list[str])
    assert_type((parties >> dp.locally(dp.unary_encoding("3/4"))).release(["A"]), list[list[bool]])
    assert_type((parties >> dp.locally(dp.hadamard_response("3/4"))).release(["A"]), list[tuple[int, bool]])
    assert_type((smokers >> dp.locally(answer & answer)).release([True]), list[tuple[bool, bool]])
    hidden = dp.rows(dp.booleans(), dp.ChangeOneDistance(), 1000) >> dp.shuffled(dp.randomized_response("3/4"), "1e-6")
    assert_type(hidden.loss(1), dp.types.ApproxLoss)
    assert_type(survey.then(dp.randomized_response("3/4").estimate).interval(1, 0.9, rows=9), tuple[Fraction, Fraction])
    assert_type(dp.compare([survey.then(dp.randomized_response("3/4").estimate)], rows=[10]), dp.types.Comparison)
    scores = people >> dp.histogram(dp.field("region"), norm=dp.RangeDistance)
    assert_type(
        scores >> dp.permute_and_flip(1), dp.types.Measurement[dp.types.Rows[dp.types.Record], Add, dp.PureDP, int]
    )
    assert_type((scores >> dp.exponential(1)).loss(1), dp.types.ZCDPLoss)
    hits = ages >> dp.quantile_scores([1, 2], "1/2") >> dp.above_threshold(0, threshold_scale=1, query_scale=2)
    assert_type(hits.release([1]), list[bool])
    words = dp.rows(dp.text()) >> dp.threshold_release(scale=1, threshold=20)
    assert_type(words.release(["a"]), dp.types.ByKey[int])
    assert_type(words.loss(1), dp.types.ApproxLoss)
    assert_type((replaced >> dp.name_and_shame("0.1")).loss(1), dp.types.TotalVariationLoss)
    assert_type((ages >> dp.count() >> dp.random_rounding(3)).release([1]), int)
    assert_type((reals >> dp.sum() >> dp.random_rounding(5)).release([0.1]), Fraction)
    assert_type((ages >> dp.count() >> dp.random_rounding(5)).loss(1), dp.types.TotalVariationLoss)


def frames(frame: pl.DataFrame, lazy: pl.LazyFrame, series: pl.Series, relation: duckdb.DuckDBPyRelation) -> None:
    """What is by key comes as a frame; what a function made of it, or is by no key, comes as it is."""
    each = people >> dp.count() >> dp.laplace(1)
    by_region = people >> dp.histogram(dp.field("region")) >> dp.laplace(1)
    parts = people >> dp.partition(by=dp.field("region")) >> dp.parallel(each)
    found = people >> dp.threshold_release(dp.field("region"), scale=1, threshold=9)
    assert_type(by_region.release(frame), pl.DataFrame)
    assert_type(by_region.release(lazy, exact=True), pl.DataFrame)
    assert_type(by_region.release(relation, confidence=0.9), pl.DataFrame)
    assert_type(parts.release(frame), pl.DataFrame)
    assert_type(found.release(lazy), pl.DataFrame)
    assert_type((ages >> dp.histogram(bins=[1]) >> dp.laplace(1)).release(series), pl.DataFrame)
    assert_type(by_region.to(dp.ZCDP).release(frame), pl.DataFrame)
    assert_type(by_region.then(dp.row() / 10).release(frame), pl.DataFrame)
    assert_type(by_region.then(lambda counts: [max(0, count) for count in counts]).release(frame), list[int])
    assert_type(parts.then(lambda counts: {k: str(n) for k, n in counts.items()}).release(frame), dict[Hashable, str])
    assert_type(each.release(frame), int)
    assert_type((by_region & parts).release(frame), tuple[dp.types.Coordinates[int], dp.types.ByKey[int]])
    assert_type(by_region.release({"age": series}), dp.types.Coordinates[int])
    counts: list[int] = by_region.release([])
    by_key: dict[Hashable, int] = parts.release([])
    of_lists(counts, by_key)


def of_lists(counts: list[int], by_key: dict[Hashable, int]) -> None:
    """What is released of rows stands where lists and dicts are wanted."""


def combinators() -> None:
    total = ages >> dp.clamp(0, 120) >> dp.sum() >> dp.laplace(1)
    number = ages >> dp.count() >> dp.laplace(1)
    assert_type(total & number, dp.types.Measurement[Ages, Add, dp.PureDP, tuple[int, int]])
    assert_type((total & number).release([1]), tuple[int, int])
    assert_type(total & number.then(str), dp.types.Measurement[Ages, Add, dp.PureDP, tuple[int, str]])
    assert_type(dp.compose([total, number]), dp.types.Measurement[Ages, Add, dp.PureDP, tuple[int, ...]])
    assert_type(number.then(lambda n: n > 3).release([]), bool)
    assert_type(number.then(dp.row() / 10), dp.types.Measurement[Ages, Add, dp.PureDP, int | Fraction])
    tally = ages >> dp.histogram(bins=[1, 2]) >> dp.laplace(1)
    assert_type(
        tally.then(dp.row().round(5)), dp.types.Measurement[Ages, Add, dp.PureDP, dp.types.Coordinates[int | Fraction]]
    )
    assert_type(number.to(dp.ZCDP), dp.types.Measurement[Ages, Add, dp.ZCDP, int])
    assert_type(number.to(dp.ZCDP).to(dp.ApproxDP, delta=1e-6).loss(1).delta, dp.types.Bound)
    assert_type(number.to(dp.RenyiDP).loss(1).epsilon(2), dp.types.Bound)
    assert_type(number.to(dp.Tradeoff).loss(1).beta("0.1"), dp.types.Bound)
    assert_type(number.to(dp.GaussianDP).loss(1).mu, dp.types.Bound)
    assert_type(dp.compose_advanced([number] * 9, "1e-6").loss(1), dp.types.ApproxLoss)
    assert_type(dp.compose_optimal([number] * 9).loss(1), dp.types.ProfileLoss)
    assert_type(dp.group_privacy(total), dp.types.Measurement[Ages, Add, dp.PureDP, int])
    each = dp.parallel(number)
    assert_type((ages >> dp.partition([1, 2]) >> each).release([1]), dp.types.ByKey[int])
    assert_type((replaced >> dp.partition([1, 2]) >> dp.parallel({1: number, 2: number})).loss(1), dp.types.PureLoss)
    joint = dp.compose_jointly([dp.after(ages >> dp.clamp(0, 9), number)], joint=[(1,)])
    assert_type(joint, dp.types.Measurement[Ages, Add, dp.PureDP, tuple[int, ...]])
    by_age = ages >> dp.histogram(bins=[1, 2]) >> dp.laplace(1)
    assert_type(dp.compose([number, by_age]).loss(1), dp.types.PureLoss)
    several: dp.types.Measurement[Ages, Add, dp.PureDP, tuple[int | dp.types.Coordinates[int], ...]]
    several = dp.compose([number, by_age])
    assert_type(several.release([1]), tuple[int | dp.types.Coordinates[int], ...])
    assert_type(dp.compose_advanced([number, by_age], "1e-6").loss(1), dp.types.ApproxLoss)
    assert_type(dp.compose_optimal([number, by_age]).loss(1), dp.types.ProfileLoss)
    after = [dp.after(ages >> dp.clamp(0, 9), m) for m in (number, by_age)]
    assert_type(dp.compose_jointly(after, joint=[(1, 1)]).loss(1), dp.types.PureLoss)
    any_release(by_age)
    assert_type((replaced >> dp.partition([1, 2]) >> dp.parallel({1: number, 2: by_age})).loss(1), dp.types.PureLoss)
    chosen = dp.adaptive(ages, [(dp.pure(1), lambda seen: number), (dp.pure(1), lambda seen: total)])
    assert_type(chosen.loss(1), dp.types.PureLoss)
    named = dp.adaptive(ages, [(dp.pure(1), next_count), (dp.pure(1), next_count)])
    assert_type(named, dp.types.Measurement[Ages, Add, dp.PureDP, tuple[int, ...]])
    assert_type(named.release([1]), tuple[int, ...])
    normal = ages >> dp.count() >> dp.gaussian(1)
    assert_type(dp.adaptive(ages, [(dp.zcdp(1), lambda seen: normal)]).loss(1), dp.types.ZCDPLoss)
    shares = dp.budget(dp.zcdp(1), 2)
    assert_type(dp.adaptive(ages, [(share, lambda seen: normal) for share in shares]).loss(1), dp.types.ZCDPLoss)


def interactions() -> None:
    count = ages >> dp.count() >> dp.laplace(2)
    curator = dp.curator(ages, [1], budget=dp.pure(1))
    assert_type(curator, dp.types.Curator[Ages, Add, dp.PureDP])
    assert_type(curator.ask(count), int)
    assert_type(curator.left, dp.types.PureLoss)
    assert_type(curator.transcript.loss(1), dp.types.PureLoss)
    pairs = dp.curator(ages, [1], budget=dp.zcdp(1, "1e-6"))
    assert_type(pairs.ask(count.to(dp.ApproxZCDP)), int)
    assert_type(pairs.left, dp.types.ApproxZCDPLoss)
    assert_type(dp.odometer(ages, dp.ApproxZCDP).start([1]).spent, dp.types.ApproxZCDPLoss)
    view = dp.view(dp.interactive(ages, dp.pure(1)), lambda asked: str(asked.ask(count)))
    assert_type(view, dp.types.Measurement[Ages, Add, dp.PureDP, str])


def any_release(measurement: dp.types.Measurement[Ages, Add, dp.PureDP, object]) -> None:
    """What a release is, is only given out: a measurement of lists stands where one of anything is wanted."""
    assert_type(measurement.release([1]), object)
    assert_type(measurement.then(str), dp.types.Measurement[Ages, Add, dp.PureDP, str])


def next_count(seen: tuple[int, ...]) -> dp.types.Measurement[Ages, Add, dp.PureDP, int]:
    return ages >> dp.count() >> dp.laplace(len(seen) + 1)


def own_functions() -> None:
    number = dp.transformation(len, ages, dp.value(dp.integers(0), dp.AbsoluteDistance()), stability=lambda d: d)
    assert_type(number, dp.types.Transformation[Ages, Add, dp.types.Integers, dp.AbsoluteDistance])
    assert_type(number >> dp.laplace(1), dp.types.Measurement[Ages, Add, dp.PureDP, int])
    mine = dp.measurement(len, ages, dp.ApproxDP(), loss=lambda d: (d, 0))
    assert_type(mine, dp.types.Measurement[Ages, Add, dp.ApproxDP, int])
    weekly = dp.rows(dp.integers(), dp.granularity("a week", lambda x, y: 1, rows=7))
    assert_type(
        weekly >> dp.to_metric(dp.SymmetricDistance()), dp.types.Transformation[Ages, dp.types.Granularity, Ages, Add]
    )


def losses() -> None:
    assert_type(dp.pure(1) + dp.pure("1/3"), dp.types.PureLoss)
    assert_type(dp.pure(1) <= dp.pure(2), bool)
    assert_type(dp.budget(dp.approx(1, 1e-6), 3), list[dp.types.ApproxLoss])
    assert_type(dp.pure(1).epsilon + 1, dp.types.Bound)
    assert_type(float(dp.pure(1)), float)


def expressions() -> None:
    assert_type(dp.field("age") >= 18, dp.types.Expr[bool])
    assert_type(dp.field("age", int), dp.types.Expr[int])
    assert_type((dp.field("age") >= 18) & ~dp.field("married", bool), dp.types.Expr[bool])
    assert_type(dp.field("region") == "N", dp.types.Expr[bool])
    assert_type(dp.field("region") != dp.field("home"), dp.types.Expr[bool])
    assert_type((dp.field("age") == 18) | (dp.field("age") != 20), dp.types.Expr[bool])
    assert_type(dp.field("region").same_as(dp.field("home")), bool)
    assert_type(dp.literal(True), dp.types.Expr[bool])
    assert_type(dp.day("2020-01-31"), dp.types.Expr[datetime.date])
    assert_type(dp.field("born").year(), dp.types.Expr[int])


def followed(
    first: dp.types.Transformation[D, M, dp.types.Integers, dp.AbsoluteDistance],
) -> dp.types.Measurement[D, M, dp.PureDP, int]:
    """A helper that is generic keeps the types; one that names a base class loses them, as `refused` shows."""
    return first >> dp.laplace(1)


def generic_helpers() -> None:
    assert_type(
        followed(people >> dp.count()), dp.types.Measurement[dp.types.Rows[dp.types.Record], Add, dp.PureDP, int]
    )
