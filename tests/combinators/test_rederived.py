"""Parallel composition under ChangeOneDistance asks what a replaced row costs a part, by making the part again.

Is the part that was made again ever another mechanism, or one whose loss was only promised under the metric it came from?
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import cast

import pytest

import dpcore as dp
from dpcore.assurance.universe import multisets
from dpcore.calculus import Derivation
from dpcore.combinators.parallel import _when_replaced
from dpcore.core.origins import rebuilt
from dpcore.maps import Number
from dpcore.types import Rows
from tests.laws import distributions
from tests.laws.arrows import measurement, transformation
from tests.laws.distributions import distribution
from tests.laws.examples.example import CHANGE_ONE

AB = dp.categories("a", "b")
ROWS = dp.rows(AB)
BASE = dp.rows(AB, CHANGE_ONE)
Part = dp.types.Measurement[dp.types.Rows[dp.types.Categories[str]], dp.SymmetricDistance, dp.PureDP, object]


def same(d: Number) -> Number:
    return d


def tally(rows: Sequence[str]) -> list[int]:
    return [rows.count("a"), rows.count("b")]


def nothing(rows: object) -> str:
    return "nothing"


def repeated(row: str) -> list[str]:
    return [row]


def part_of(x: object) -> Part:
    """Whatever it releases."""
    assert isinstance(x, dp.types.Measurement)
    return cast(Part, x)


def noisy(of: object) -> Part:
    """The number or vector, with noise."""
    return part_of(transformation(of) >> dp.laplace(scale="1/3"))


def kept(key: str) -> dp.types.Transformation[
    Rows[dp.types.Categories[str]], dp.SymmetricDistance, Rows[dp.types.Categories[str]], dp.SymmetricDistance
]:  # fmt: skip
    return ROWS >> dp.filter(dp.row() == key)


def after_claim() -> Part:
    return noisy(dp.transformation(tally, ROWS, dp.value(dp.vector(dp.integers(0), 2), dp.L1Distance()), same))


def claim_at_the_end() -> Part:
    return kept("a") >> dp.measurement(nothing, ROWS, dp.PureDP(), same)


def joint() -> Part:
    one = ROWS >> dp.count() >> dp.laplace(scale="1/3")
    return part_of(dp.compose_jointly([dp.after(kept("a"), one), dp.after(kept("b"), one)], joint=[(1, 0), (0, 1)]))


def stages() -> Part:
    one = noisy(kept("a") >> dp.count())
    return part_of(dp.adaptive(ROWS, [(dp.pure(3), lambda seen: one)]))


def nested() -> Part:
    inner = ROWS >> dp.histogram() >> dp.laplace(scale="1/3")
    return part_of(ROWS >> dp.partition(["a"]) >> dp.parallel(inner))


def as_change_one() -> Part:
    sized = dp.rows(AB, size=2)
    return noisy(sized >> dp.to_metric(CHANGE_ONE) >> dp.histogram())


def wider() -> Part:
    start = transformation(kept("a"))
    return part_of(start >> noisy(dp.rows(dp.text()) >> dp.histogram(bins=["a"])))


PARTS: Mapping[str, Callable[[], Part]] = {
    "histogram": lambda: noisy(ROWS >> dp.histogram()),
    "count": lambda: noisy(ROWS >> dp.count()),
    "filter and count": lambda: noisy(kept("a") >> dp.count()),
    "flat_map, known under symmetric only": lambda: noisy(ROWS >> dp.flat_map(repeated, AB, 2) >> dp.count()),
    "claimed transformation": after_claim,
    "claimed measurement": lambda: dp.measurement(nothing, ROWS, dp.PureDP(), same),
    "claimed measurement at the end": claim_at_the_end,
    "compose_jointly": joint,
    "adaptive": stages,
    "group_privacy": lambda: dp.group_privacy(noisy(ROWS >> dp.histogram())),
    "compose": lambda: part_of(noisy(ROWS >> dp.histogram()) & noisy(kept("a") >> dp.count())),
    "post-processing": lambda: noisy(ROWS >> dp.count()).then(repr),
    "parallel within": nested,
    "an arrow of its own space": lambda: kept("a") >> noisy(ROWS >> dp.histogram()),
    "a wider space": wider,
}


def runs_alike(one: Derivation, other: Derivation) -> bool:
    """The same functions with the same parameters, where what only changes the metric counts for nothing."""
    flat = [[d for d in _links(tree) if "_to_" not in d.rule.name] for tree in (one, other)]
    return len(flat[0]) == len(flat[1]) and all(p.runs_like(q) for p, q in zip(*flat, strict=True))


def _links(tree: Derivation) -> list[Derivation]:
    return [x for p in tree.premises for x in _links(p)] if tree.rule.name == "chain" else [tree]


@pytest.mark.parametrize("name", PARTS)
def test_what_is_made_again_runs_the_same(name: str) -> None:
    part = PARTS[name]()
    assert runs_alike(_when_replaced(part), part.derivation)


@pytest.mark.parametrize("name", PARTS)
def test_the_loss_of_a_replaced_row_is_true(name: str) -> None:
    """Of one part that holds all rows, the loss is that of a replaced row: exact distributions, all pairs of 1 to 3 rows."""
    m = measurement(BASE >> dp.partition(["all"], by=dp.literal("all")) >> dp.parallel(PARTS[name]()))
    for size in (1, 2, 3):
        found = [distribution(m, rows) for rows in multisets(("a", "b"), (size,))]
        data = multisets(("a", "b"), (size,))
        for x, p in zip(data, found, strict=True):
            for y, q in zip(data, found, strict=True):
                d = CHANGE_ONE.carried(x, y)
                claimed = m.loss(int(d))
                assert isinstance(claimed, dp.types.PureLoss)
                assert distributions.max_log_ratio(p, q) <= float(claimed.epsilon) + 1e-9, (x, y)


@pytest.mark.parametrize("name", ["claimed transformation", "claimed measurement", "compose_jointly", "adaptive"])
def test_a_promise_of_one_metric_counts_twice(name: str) -> None:
    """A replaced row is one row out and one row in: two steps of the metric in which the promise was made."""
    part = PARTS[name]()
    m = BASE >> dp.partition(["a"]) >> dp.parallel(part)
    assert m.loss(1).epsilon == part.loss(2).epsilon


def test_bounds_that_are_better_than_two_steps() -> None:
    """A count does not change when a row is replaced; the only loss left is that of rows that come from no part or go."""
    m = BASE >> dp.partition(["a"]) >> dp.parallel(PARTS["count"]())
    assert m.loss(1).epsilon == PARTS["count"]().loss(1).epsilon == 3


def test_parts_that_need_a_size_are_refused() -> None:
    with pytest.raises(dp.errors.DomainMismatch):
        BASE >> dp.partition(["a"]) >> dp.parallel(as_change_one())
    with pytest.raises(dp.errors.MetricMismatch):
        BASE >> dp.partition(["a"]) >> dp.parallel(part_of(BASE >> dp.count() >> dp.laplace(scale=1)))


def test_claims_stay_with_their_metric() -> None:
    for name in ("claimed transformation", "claimed measurement", "compose_jointly"):
        part = PARTS[name]()
        with pytest.raises(dp.errors.DPError):
            rebuilt(part, BASE, {})
        assert rebuilt(part, ROWS, {}) == part


def test_a_claim_is_bound_with_its_spaces() -> None:
    b = dp.symbol("b")
    start = dp.rows(dp.integers(0, b))
    claim = dp.transformation(len, start, dp.value(dp.integers(0, b), dp.AbsoluteDistance()), same)
    bound = (claim >> dp.laplace(scale=b)).bind(b=7)
    assert bound.symbols == frozenset()
    assert bound.input.domain == dp.types.Rows(dp.integers(0, 7))
    assert bound.loss(1).epsilon == Fraction(1, 7)
    assert isinstance(bound.release([1, 2]), int)
