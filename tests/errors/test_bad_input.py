"""Bad input that the issue names: each is refused by the name of the argument, when the piece is made."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import dpcore as dp

d: Any = dp

ages = d.rows(d.integers())
number = ages >> d.count()
people = d.rows(d.record(age=d.integers(0, 120), region=d.categories("N", "S")))
number_and_noise = d.value(d.integers(0), d.AbsoluteDistance()) >> d.laplace(1)

NUMBERS: dict[str, tuple[str, Callable[[Any], object]]] = {
    "integers low": ("low", lambda x: d.integers(x)),
    "numbers high": ("high", lambda x: d.numbers(0, x)),
    "numbers step": ("step", lambda x: d.numbers(0, 1, x)),
    "vector bound": ("bound", lambda x: d.vector(d.integers(), 2, d.L2Distance, x)),
    "clamp": ("high", lambda x: d.clamp(0, x)),
    "quantize": ("step", lambda x: d.quantize(x)),
    "clip_norm": ("bound", lambda x: d.clip_norm(x, d.L1Distance)),
    "quantile": ("q", lambda x: d.quantile_scores([1, 2], x)),
    "candidates": ("candidates", lambda x: d.quantile_scores([x], "1/2")),
    "laplace": ("scale", lambda x: d.laplace(x)),
    "gaussian": ("sigma", lambda x: d.gaussian(x)),
    "accuracy": ("accuracy", lambda x: d.laplace(accuracy=x, confidence="0.9")),
    "confidence": ("confidence", lambda x: d.gaussian(accuracy=9, confidence=x)),
    "asked confidence": ("confidence", lambda x: (number >> d.laplace(1)).accuracy(x)),
    "randomized_response": ("p", lambda x: d.randomized_response(x)),
    "permute_and_flip": ("scale", lambda x: d.permute_and_flip(x)),
    "exponential": ("scale", lambda x: d.exponential(x)),
    "above_threshold": ("threshold_scale", lambda x: d.above_threshold(0, threshold_scale=x, query_scale=1)),
    "query_scale": ("query_scale", lambda x: d.above_threshold(0, threshold_scale=1, query_scale=x)),
    "threshold": ("threshold", lambda x: d.threshold_release(scale=1, threshold=x)),
    "threshold scale": ("scale", lambda x: d.threshold_release(scale=x, threshold=9)),
    "name_and_shame": ("delta", lambda x: d.name_and_shame(x)),
    "slack": ("slack", lambda x: d.compose_advanced([number >> d.laplace(1)], x)),
    "joint": ("joint", lambda x: d.compose_jointly([d.after(number, number_and_noise)], [(x,)])),
    "pure": ("epsilon", lambda x: d.pure(x)),
    "approx": ("delta", lambda x: d.approx(1, x)),
    "zcdp": ("rho", lambda x: d.zcdp(x)),
    "gaussian_dp": ("mu", lambda x: d.gaussian_dp(x)),
    "total_variation": ("delta", lambda x: d.total_variation(x)),
    "weights": ("weight", lambda x: d.budget(d.pure(1), [1, x])),
    "to delta": ("delta", lambda x: (number >> d.gaussian(1)).to(d.ApproxDP, delta=x)),
    "d_in": ("d_in", lambda x: (number >> d.laplace(1)).loss(x)),
    "d_in of a transformation": ("d_in", lambda x: number.stability(x)),
    "bind": ("b", lambda x: (number >> d.laplace(d.symbol("b"))).bind(b=x)),
    "solve step": ("step", lambda x: (number >> d.laplace(d.symbol("b"))).solve(d.pure(1), 1, step=x)),
}  # fmt: skip

NO_NUMBERS: list[object] = [
    float("nan"), float("inf"), float("-inf"), "nan", "inf", "-inf", "NaN", "Infinity", Decimal("nan"), Decimal("sNaN"),
    Decimal("inf"), np.float64("nan"), np.float32("inf"), np.array([1]), "", "one", "1/0", "0x10", "__import__('os')",
    "1e99999999999", Decimal("1e999999"), True, False, np.True_, b"1", 1j, [1], {1: 1}, (1,), None,
]  # fmt: skip


@pytest.mark.parametrize("where", NUMBERS)
@pytest.mark.parametrize("x", NO_NUMBERS, ids=lambda x: f"{type(x).__name__} {str(x)[:12]}")
def test_what_is_no_finite_number_is_refused_by_name(where: str, x: object) -> None:
    if where == "d_in" and isinstance(x, float) and x == float("inf"):
        return  # a distance that there is, with no privacy: see tests/metrics/test_distances.py
    if x is None and where in ("integers low", "numbers high", "numbers step", "vector bound", "laplace", "gaussian",
                               "accuracy", "confidence", "solve step"):  # fmt: skip
        return  # where a missing number means none
    name, made = NUMBERS[where]
    with pytest.raises(dp.errors.InvalidParameter) as refusal:
        made(x)
    assert name in str(refusal.value)


@pytest.mark.parametrize("where", sorted(set(NUMBERS) - {"integers low", "numbers high", "clamp", "candidates"}))
@pytest.mark.parametrize("x", [-1, -1.5, Fraction(-1, 3), Decimal("-0.1"), "-2", np.int64(-1), -(10**50)], ids=str)
def test_negative_numbers_are_refused_by_name(where: str, x: object) -> None:
    name, made = NUMBERS[where]
    if where == "bind":
        name = "scale"
    with pytest.raises(dp.errors.InvalidParameter) as refusal:
        made(x)
    assert name in str(refusal.value)


@pytest.mark.parametrize(
    "where",
    ["numbers step", "quantize", "laplace", "gaussian", "accuracy", "permute_and_flip", "exponential", "slack",
     "threshold scale", "above_threshold", "query_scale", "weights", "solve step", "name_and_shame", "to delta",
     "randomized_response"],
)  # fmt: skip
def test_zero_is_refused_where_nothing_would_be_private(where: str) -> None:
    name, made = NUMBERS[where]
    with pytest.raises(dp.errors.InvalidParameter, match=name):
        made(0)


@pytest.mark.parametrize(
    "made",
    [
        lambda: d.integers(2, 1),
        lambda: d.numbers(2, 1),
        lambda: d.numbers("0.2", "0.1", "0.1"),
        lambda: d.clamp(2, 1),
        lambda: d.clamp("1/2", "1/3"),
        lambda: d.date("2020-01-02", "2020-01-01"),
        lambda: (ages >> d.clamp(5, d.symbol("u")) >> d.sum() >> d.laplace(1)).bind(u=4),
    ],
)
def test_reversed_bounds(made: Callable[[], object]) -> None:
    with pytest.raises(dp.errors.InvalidParameter, match=r"low <= high but got low=.*high="):
        made()


@pytest.mark.parametrize(
    "bins", [[], (), ["N", "N"], [1, 1], [1, 1.0], [0.5, Fraction(1, 2)], [[1]], [float("nan")], "NS", b"NS"]
)
def test_bins_are_some_and_different(bins: object) -> None:
    with pytest.raises(dp.errors.InvalidParameter, match="bins"):
        d.histogram(d.field("age"), bins)
    with pytest.raises(dp.errors.InvalidParameter, match="keys"):
        d.partition(bins, d.field("age"))


@pytest.mark.parametrize(
    ("made", "name"),
    [
        (lambda: d.categories(), "category"),
        (lambda: d.categories("a", "a"), "categories"),
        (lambda: d.categories(float("nan")), "categories"),
        (lambda: d.categories([1], 2), "categories"),
        (lambda: d.quantile_scores([], "1/2"), "candidates"),
        (lambda: d.quantile_scores([1, 1], "1/2"), "candidates"),
        (lambda: d.linear_queries(), "query"),
        (lambda: d.record(), "field"),
        (lambda: d.select(), "expression"),
        (lambda: d.compose([]), "measurements"),
        (lambda: d.compose_jointly([], [(1,)]), "parts"),
        (lambda: d.adaptive(ages, []), "stages"),
        (lambda: d.budget(d.pure(1), []), "weights"),
        (lambda: d.budget(d.pure(1), 0), "shares"),
        (lambda: people >> d.partition(["N"], d.field("region")) >> d.parallel({}), "every key"),
    ],
)
def test_empty_and_duplicate_lists(made: Callable[[], object], name: str) -> None:
    with pytest.raises(dp.errors.InvalidParameter, match=name):
        made()


persons = d.rows(d.record(who=d.integers(), x=d.integers(0, 1)), d.PersonDistance("who"))

METRICS = {
    "rows added": number >> d.laplace(1),
    "rows replaced": d.rows(d.integers(0, 1), d.ChangeOneDistance()) >> d.sum() >> d.laplace(1),
    "persons": persons >> d.bound_contributions(2) >> d.count() >> d.laplace(1),
    "one value": d.value(d.booleans(), d.DiscreteDistance()) >> d.randomized_response("3/4"),
    "a number": d.value(d.integers(), d.AbsoluteDistance()) >> d.laplace(1),
    "L1": d.value(d.vector(d.integers(), 2), d.L1Distance()) >> d.laplace(1),
    "L2": d.value(d.vector(d.integers(), 2), d.L2Distance()) >> d.gaussian(1),
    "LInf": d.value(d.vector(d.integers(), 2), d.LInfDistance()) >> d.exponential(1),
    "parts": people >> d.partition(["N"], d.field("region")) >> d.parallel(people >> d.count() >> d.laplace(1)),
}  # fmt: skip


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(
    "d_in", [-1, "-1/2", (1,), [1], {1: 1}, None, "one", float("nan"), True, (1, 2), object], ids=str
)
def test_d_in_of_the_wrong_shape(metric: str, d_in: object) -> None:
    with pytest.raises(dp.errors.InvalidParameter, match="d_in"):
        METRICS[metric].loss(d_in)


@pytest.mark.parametrize("metric", METRICS)
def test_d_in_in_parts(metric: str) -> None:
    """Whole steps have no halves; a number and a vector may differ by one half."""
    if metric in ("a number", "L1", "L2", "LInf"):
        assert METRICS[metric].loss("1/2") is not None
    else:
        with pytest.raises(dp.errors.InvalidDistance, match="d_in=1/2"):
            METRICS[metric].loss(0.5)


def test_two_values_are_at_most_one_apart() -> None:
    with pytest.raises(dp.errors.InvalidDistance, match="d_in=2"):
        METRICS["one value"].loss(2)


def test_numbers_are_what_was_typed() -> None:
    tenth = Fraction(1, 10)
    tenths: list[object] = [0.1, "0.1", "1/10", Decimal("0.1"), tenth, "1e-1"]
    tenths += [np.float64(0.1), np.float32(0.1), np.longdouble("0.1")]
    for typed in tenths:
        assert d.pure(typed).epsilon.exact == tenth, repr(typed)
    threes: list[object] = [3, 3.0, "3", np.int8(3), np.uint64(3), Decimal(3), Fraction(3)]
    for typed in threes:
        assert d.pure(typed).epsilon.exact == 3
        assert d.integers(typed).low == 3
    with pytest.raises(dp.errors.InvalidParameter, match="low"):
        d.integers(2.5)


@pytest.mark.parametrize("x", [2.5, "3", True, None, 0])
def test_a_ratio_is_of_whole_numbers(x: object) -> None:
    with pytest.raises(dp.errors.InvalidExpression, match="denominator"):
        d.ratio(1, x)
    if x != 0:
        with pytest.raises(dp.errors.InvalidExpression, match="numerator"):
            d.ratio(x, 3)


def test_a_mapping_as_a_key_is_counted_like_any_other() -> None:
    release = (ages >> d.threshold_release(lambda row: {"even": row % 2 == 0}, scale="1/9", threshold=2)).release(
        [0] * 99
    )
    (key,) = release
    assert dict(key) == {"even": True}
