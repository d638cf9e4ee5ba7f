"""Every public constructor and method against a battery of wrong arguments: it works, or it refuses and says which one.

A refusal is a `DPError` or a `TypeError` whose message names the parameter or what it stands for. What may never come
out is an error of the insides: AttributeError, AssertionError, KeyError, ZeroDivisionError, OverflowError, MemoryError.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dpcore as dp
from dpcore.expressions import expression_from
from dpcore.planning import inverse_advanced

# The arguments are wrong on purpose, so the calls are made past the type checker.
d: Any = dp

WRONG: list[object] = [
    None,
    "x",
    "",
    b"x",
    "1e999999999",
    -1,
    0,
    1,
    2.5,
    10**50,
    float("nan"),
    float("inf"),
    complex(1, 1),
    True,
    np.True_,
    np.float64("nan"),
    np.array([1.5, 2.5]),
    [],
    {},
    set(),
    (1, 2),
    [[]],
    [None],
    ["a", "a"],
    object(),
    int,
    lambda *_: 1,
    dp.pure,
    dp.pure(1),
    dp.symbol("b"),
    dp.integers(),
    dp.SymmetricDistance(),
    dp.PureDP,
    dp.field("age"),
    dp.rows(dp.integers()),
    dp.rows(dp.integers()) >> dp.count(),
]

ages = d.rows(d.integers())
replaced = d.rows(d.integers(), d.ChangeOneDistance())
people = d.rows(d.record(age=d.integers(0, 120), region=d.categories("N", "E", "S", "W")))
persons = d.rows(d.record(who=d.integers()), d.PersonDistance("who"))
points = d.rows(d.vector(d.integers(0, 1), 2))
number = ages >> d.count()
noisy = number >> d.laplace(1)
open_scale = number >> d.laplace(d.symbol("b"))
scores = people >> d.histogram(d.field("region"), norm=d.LInfDistance)
clamped = d.after(ages >> d.clamp(0, 1), d.rows(d.integers(0, 1)) >> d.count() >> d.laplace(1))
answer = d.value(d.booleans(), d.DiscreteDistance())
true = d.field("a", bool)
out = number.output


def identity(x: object) -> object:
    return x


# Name of the call: the words one of which the message must hold, and the call.
CALLS: dict[str, tuple[str, Callable[[Any], object]]] = {
    "integers(low)": ("low", lambda w: d.integers(w)),
    "integers(high)": ("low|high", lambda w: d.integers(0, w)),
    "numbers(low)": ("low", lambda w: d.numbers(w, None, 1)),
    "numbers(high)": ("low|high", lambda w: d.numbers(0, w, 1)),
    "numbers(step)": ("step", lambda w: d.numbers(0, 10, w)),
    "categories(first)": ("categories|category", lambda w: d.categories(w)),
    "categories(second)": ("categories", lambda w: d.categories("a", w)),
    "date(low)": ("low|date", lambda w: d.date(w)),
    "date(high)": ("high|date", lambda w: d.date("2020-01-01", w)),
    "record(field)": ("field 'a'", lambda w: d.record(a=w)),
    "optional(domain)": ("domain", lambda w: d.optional(w)),
    "vector(domain)": ("domain", lambda w: d.vector(w, 2)),
    "vector(size)": ("size", lambda w: d.vector(d.integers(), w)),
    "vector(norm)": ("norm", lambda w: d.vector(d.integers(), 2, w, 1)),
    "vector(bound)": ("bound", lambda w: d.vector(d.integers(), 2, d.L1Distance, w)),
    "graphs(nodes)": ("node", lambda w: d.graphs(w)),
    "rows(domain)": ("domain", lambda w: d.rows(w)),
    "rows(metric)": ("metric", lambda w: d.rows(d.integers(), w)),
    "rows(size)": ("size", lambda w: d.rows(d.integers(), size=w)),
    "value(domain)": ("domain|measure", lambda w: d.value(w, d.AbsoluteDistance())),
    "value(metric)": ("metric|measure", lambda w: d.value(d.integers(), w)),
    "Space(domain)": ("domain|measure", lambda w: d.types.Space(w, d.SymmetricDistance())),
    "Space(metric)": ("metric|measure", lambda w: d.types.Space(d.integers(), w)),
    "PersonDistance(by)": ("by|measure", lambda w: d.rows(d.record(p=d.integers()), d.PersonDistance(w))),
    "PartDistance(of)": ("metric", lambda w: d.types.PartDistance(w)),
    "granularity(name)": ("name", lambda w: d.granularity(w, lambda x, y: 0)),
    "granularity(distance)": ("distance", lambda w: d.granularity("a", w)),
    "granularity(rows)": ("rows", lambda w: d.granularity("a", lambda x, y: 0, w)),
    "granularity(path)": ("path", lambda w: d.granularity("a", lambda x, y: 0, path=w)),
    "field(name)": ("name of a field", lambda w: d.field(w)),
    "field(of)": ("type", lambda w: d.field("a", w)),
    "row(of)": ("type", lambda w: d.row(w)),
    "literal(value)": ("constant|number|array|truth|text", lambda w: d.literal(w)),
    "day(text)": ("day", lambda w: d.day(w)),
    "ratio(numerator)": ("numerator", lambda w: d.ratio(w, 3)),
    "ratio(denominator)": ("denominator", lambda w: d.ratio(1, w)),
    "minimum(y)": ("constant|number|array", lambda w: d.minimum(d.field("a"), w)),
    "maximum(x)": ("constant|number|array", lambda w: d.maximum(w, 1)),
    "when(condition)": ("condition", lambda w: d.when(w)),
    "then(value)": ("constant|number|array", lambda w: d.when(true).then(w)),
    "otherwise(value)": ("constant|number|array", lambda w: d.when(true).then(1).otherwise(w)),
    "expression_from(data)": ("expression", lambda w: expression_from(w)),
    "filter(condition)": ("condition", lambda w: people >> d.filter(w)),
    "select(to)": ("expression", lambda w: people >> d.select(w)),
    "select(domain)": ("domain", lambda w: people >> d.select(d.field("age"), w)),
    "select(name=to)": ("expression", lambda w: people >> d.select(a=w)),
    "row_map(function)": ("function", lambda w: people >> d.row_map(w, d.integers())),
    "row_map(domain)": ("domain", lambda w: people >> d.row_map(identity, w)),
    "flat_map(function)": ("function", lambda w: people >> d.flat_map(w, d.integers(), 1)),
    "flat_map(domain)": ("domain", lambda w: people >> d.flat_map(identity, w, 1)),
    "flat_map(limit)": ("limit", lambda w: people >> d.flat_map(identity, d.integers(), w)),
    "clamp(low)": ("low", lambda w: ages >> d.clamp(w, 10)),
    "clamp(high)": ("low|high", lambda w: ages >> d.clamp(0, w)),
    "quantize(step)": ("step", lambda w: d.rows(d.numbers(0, 10)) >> d.quantize(w)),
    "sum(norm)": ("norm|sum", lambda w: points >> d.sum(norm=w)),
    "clip_norm(bound)": ("bound", lambda w: points >> d.clip_norm(w, d.L1Distance)),
    "clip_norm(norm)": ("norm", lambda w: points >> d.clip_norm(1, w)),
    "histogram(by)": ("by|records|read", lambda w: people >> d.histogram(w, [1])),
    "histogram(bins)": ("bins", lambda w: people >> d.histogram(d.field("age"), w)),
    "histogram(norm)": ("norm", lambda w: people >> d.histogram(d.field("region"), norm=w)),
    "marginal_errors(queries)": ("expressions|queries", lambda w: people >> d.marginal_errors(w, [[1]])),
    "linear_queries(query)": ("expressions|queries", lambda w: people >> d.linear_queries(w)),
    "partition(keys)": ("keys|no row can have", lambda w: people >> d.partition(w, d.field("age"))),
    "partition(by)": ("by|records", lambda w: people >> d.partition([1], w)),
    "quantile_scores(candidates)": ("candidates", lambda w: ages >> d.quantile_scores(w, "1/2")),
    "quantile_scores(candidate)": ("candidates", lambda w: ages >> d.quantile_scores([w], "1/2")),
    "quantile_scores(q)": ("q", lambda w: ages >> d.quantile_scores([1], w)),
    "bound_contributions(limit)": ("limit", lambda w: persons >> d.bound_contributions(w)),
    "to_metric(metric)": ("metric", lambda w: ages >> d.to_metric(w)),
    "laplace(scale)": ("scale", lambda w: number >> d.laplace(w)),
    "laplace(accuracy)": ("accuracy", lambda w: number >> d.laplace(accuracy=w, confidence="0.95")),
    "laplace(confidence)": ("confidence", lambda w: number >> d.laplace(accuracy=10, confidence=w)),
    "gaussian(sigma)": ("sigma", lambda w: number >> d.gaussian(w)),
    "gaussian(accuracy)": ("accuracy", lambda w: number >> d.gaussian(accuracy=w, confidence="0.95")),
    "gaussian(confidence)": ("confidence", lambda w: number >> d.gaussian(accuracy=10, confidence=w)),
    "gaussian(measure)": ("measure", lambda w: number >> d.gaussian(1, measure=w)),
    "randomized_response(p)": ("p", lambda w: answer >> d.randomized_response(w)),
    "permute_and_flip(scale)": ("scale", lambda w: scores >> d.permute_and_flip(w)),
    "exponential(scale)": ("scale", lambda w: scores >> d.exponential(w)),
    "above_threshold(threshold)": (
        "threshold",
        lambda w: scores >> d.above_threshold(w, threshold_scale=1, query_scale=1),
    ),
    "above_threshold(threshold_scale)": (
        "threshold_scale",
        lambda w: scores >> d.above_threshold(1, threshold_scale=w, query_scale=1),
    ),
    "above_threshold(query_scale)": (
        "query_scale",
        lambda w: scores >> d.above_threshold(1, threshold_scale=1, query_scale=w),
    ),
    "above_threshold(hits)": (
        "hits",
        lambda w: scores >> d.above_threshold(1, threshold_scale=1, query_scale=1, hits=w),
    ),
    "threshold_release(by)": ("by|records", lambda w: people >> d.threshold_release(w, scale=1, threshold=3)),
    "threshold_release(scale)": (
        "scale",
        lambda w: people >> d.threshold_release(d.field("region"), scale=w, threshold=3),
    ),
    "threshold_release(threshold)": (
        "threshold",
        lambda w: people >> d.threshold_release(d.field("region"), scale=1, threshold=w),
    ),
    "name_and_shame(delta)": ("delta", lambda w: replaced >> d.name_and_shame(w)),
    "compose(measurements)": ("measurement", lambda w: d.compose(w)),
    "compose(one)": ("measurement", lambda w: d.compose([w])),
    "compose(second)": ("measurement", lambda w: d.compose([noisy, w])),
    "compose_advanced(measurements)": ("measurement", lambda w: d.compose_advanced(w, "1e-6")),
    "compose_advanced(one)": ("measurement", lambda w: d.compose_advanced([w], "1e-6")),
    "compose_advanced(slack)": ("slack", lambda w: d.compose_advanced([noisy], w)),
    "compose_optimal(measurements)": ("measurement", lambda w: d.compose_optimal(w)),
    "compose_optimal(one)": ("measurement", lambda w: d.compose_optimal([w])),
    "group_privacy(measurement)": ("measurement", lambda w: d.group_privacy(w)),
    "parallel(measurements)": ("measurement", lambda w: people >> d.partition(by=d.field("region")) >> d.parallel(w)),
    "parallel(one)": ("measurement", lambda w: people >> d.partition(by=d.field("region")) >> d.parallel({"N": w})),
    "adaptive(space)": ("space", lambda w: d.adaptive(w, [(d.pure(1), identity)])),
    "adaptive(stages)": ("stages", lambda w: d.adaptive(ages, w)),
    "adaptive(stage)": ("stages", lambda w: d.adaptive(ages, [w])),
    "adaptive(loss)": ("stages", lambda w: d.adaptive(ages, [(w, identity)])),
    "adaptive(choice)": ("stage", lambda w: d.adaptive(ages, [(d.pure(1), w)])),
    "after(first)": ("first|metrics differ", lambda w: d.after(w, noisy)),
    "after(second)": ("measurement", lambda w: d.after(number, w)),
    "compose_jointly(parts)": ("parts", lambda w: d.compose_jointly(w, [(1,)])),
    "compose_jointly(part)": ("parts", lambda w: d.compose_jointly([w], [(1,)])),
    "compose_jointly(joint)": ("joint", lambda w: d.compose_jointly([clamped], w)),
    "compose_jointly(vector)": ("joint", lambda w: d.compose_jointly([clamped], [w])),
    "compose_jointly(entry)": ("joint", lambda w: d.compose_jointly([clamped], [(w,)])),
    "measurement(function)": ("function", lambda w: d.measurement(w, ages, d.PureDP(), identity)),
    "measurement(input)": ("input", lambda w: d.measurement(len, w, d.PureDP(), identity)),
    "measurement(measure)": ("measure", lambda w: d.measurement(len, ages, w, identity)),
    "measurement(loss)": ("loss", lambda w: d.measurement(len, ages, d.PureDP(), w)),
    "measurement(loss gives)": ("<lambda>", lambda w: d.measurement(len, ages, d.PureDP(), lambda _: w).loss(1)),
    "measurement(pair gives)": ("<lambda>", lambda w: d.measurement(len, ages, d.ApproxDP(), lambda _: w).loss(1)),
    "measurement(curve gives)": (
        "<lambda>|epsilon|expected a sequence of rows",
        lambda w: d.measurement(len, ages, d.Profile(), lambda _: w).loss(1).delta(1),
    ),
    "transformation(function)": ("function", lambda w: d.transformation(w, ages, out, identity)),
    "transformation(input)": ("input", lambda w: d.transformation(len, w, out, identity)),
    "transformation(output)": ("output", lambda w: d.transformation(len, ages, w, identity)),
    "transformation(stability)": ("stability", lambda w: d.transformation(len, ages, out, w)),
    "transformation(stability gives)": (
        "<lambda>",
        lambda w: d.transformation(len, ages, out, lambda _: w).stability(1),
    ),
    "pure(epsilon)": ("epsilon", lambda w: d.pure(w)),
    "approx(epsilon)": ("epsilon", lambda w: d.approx(w, 0)),
    "approx(delta)": ("delta", lambda w: d.approx(1, w)),
    "zcdp(rho)": ("rho", lambda w: d.zcdp(w)),
    "gaussian(epsilon)": ("epsilon", lambda w: number >> d.gaussian(epsilon=w, delta="1e-6")),
    "gaussian(delta)": ("delta", lambda w: number >> d.gaussian(epsilon=1, delta=w)),
    "gaussian(sensitivity)": ("sensitivity", lambda w: number >> d.gaussian(epsilon=1, delta="1e-6", sensitivity=w)),
    "plan(k)": ("k", lambda w: d.plan(w, d.approx(1, "1e-6"))),
    "plan(budget)": ("budget", lambda w: d.plan(2, w)),
    "plan(sensitivity)": ("sensitivity", lambda w: d.plan(2, d.approx(1, "1e-6"), sensitivity=w)),
    "plan(confidence)": ("confidence", lambda w: d.plan(2, d.approx(1, "1e-6"), confidence=w)),
    "inverse_advanced(budget)": ("budget", lambda w: inverse_advanced(w, 2)),
    "inverse_advanced(k)": ("k", lambda w: inverse_advanced(d.approx(1, "1e-6"), w)),
    "inverse_advanced(parts)": ("parts", lambda w: inverse_advanced(d.approx(1, "1e-6"), 2, w)),
    "beliefs(loss)": ("loss", lambda w: d.beliefs(w)),
    "gaussian_dp(mu)": ("mu", lambda w: d.gaussian_dp(w)),
    "total_variation(delta)": ("delta", lambda w: d.total_variation(w)),
    "budget(loss)": ("loss", lambda w: d.budget(w, 2)),
    "budget(shares)": ("shares|weight", lambda w: d.budget(d.pure(1), w)),
    "budget(weight)": ("weight", lambda w: d.budget(d.pure(1), [w])),
    "symbol(name)": ("name", lambda w: d.symbol(w)),
    "loss(d_in)": ("d_in|apart", lambda w: noisy.loss(w)),
    "loss(d_in) in L2": (
        "d_in",
        lambda w: (d.value(d.vector(d.integers(), 2), d.L2Distance()) >> d.gaussian(1)).loss(w),
    ),
    "stability(d_in)": ("d_in|apart", lambda w: number.stability(w)),
    "release(data)": ("data", lambda w: noisy.release(w)),
    "release(data) of records": ("data", lambda w: (people >> d.count() >> d.laplace(1)).release(w)),
    "call(data)": ("data", lambda w: number(w)),
    "to(measure)": ("measure|rule|counted", lambda w: noisy.to(w)),
    "to(delta)": ("delta", lambda w: noisy.to(d.ZCDP).to(d.ApproxDP, delta=w)),
    "to(alpha)": ("alpha", lambda w: noisy.to(d.ZCDP).to(d.ApproxDP, delta="1e-6", alpha=w)),
    "then(function)": ("function", lambda w: noisy.then(w)),
    "accuracy(confidence)": ("confidence", lambda w: noisy.accuracy(w)),
    "bind(b)": ("b|scale", lambda w: open_scale.bind(b=w)),
    "solve(target)": ("target|symbol", lambda w: open_scale.solve(w, 1)),
    "solve(d_in)": ("d_in|apart|meets the target", lambda w: open_scale.solve(d.pure(1), w)),
    "solve(step)": ("step", lambda w: open_scale.solve(d.pure(1), 1, step=w)),
    "renyi(alpha)": ("alpha", lambda w: noisy.to(d.RenyiDP).loss(1).epsilon(w)),
    "profile(epsilon)": ("epsilon", lambda w: noisy.to(d.Profile).loss(1).delta(w)),
    "profile(delta)": ("delta", lambda w: noisy.to(d.Profile).loss(1).epsilon(w)),
    "tradeoff(alpha)": ("alpha", lambda w: noisy.to(d.Tradeoff).loss(1).beta(w)),
    "bound <= other": ("number|formula", lambda w: d.pure(1).epsilon <= w),
    "bound + other": ("number|formula", lambda w: d.pure(1).epsilon + w),
}


@pytest.mark.parametrize("call", CALLS)
def test_works_or_refuses_by_name(call: str) -> None:
    words, made = CALLS[call]
    refusals = 0
    for wrong in WRONG:
        try:
            made(wrong)
        except (dp.errors.DPError, TypeError) as refusal:
            refusals += 1
            message = str(refusal)
            assert re.search(rf"({words})", message), f"{call} of {str(wrong)[:40]!r} said only: {message}"
    assert refusals, "this call takes everything, so the battery says nothing of it"


@pytest.mark.parametrize("other", [None, "x", 1, [], {}, object(), float("nan")])
def test_operators_leave_what_they_do_not_know_to_python(other: object) -> None:
    for left in (ages, number, noisy):
        with pytest.raises(TypeError):
            left >> other
    with pytest.raises(TypeError):
        noisy & other
    with pytest.raises(TypeError):
        d.pure(1) + other
    with pytest.raises(TypeError):
        _ = d.pure(1) <= other
    assert d.pure(1) != other
    assert ages != other
    assert noisy != other
    assert number != other


def test_a_step_that_makes_nothing_of_the_space_is_refused() -> None:
    with pytest.raises(
        dp.errors.InvalidParameter, match="Expected a step to make an arrow out of the space it is given"
    ):
        number >> (lambda space: space)
    with pytest.raises(dp.errors.InvalidParameter, match="Expected a step to make an arrow"):
        ages >> (lambda space: replaced >> d.count())
