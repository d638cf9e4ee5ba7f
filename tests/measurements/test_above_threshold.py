"""Above threshold, exactly: given the noise of the threshold the queries are independent, and that noise is summed over."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

import pytest

import dpcore as dp
from dpcore.distributions import settled
from tests.laws.arrows import measurement
from tests.laws.distributions import distribution

Answers = tuple[bool, ...]
REACH = 60


def geometric(scale: float) -> tuple[float, float]:
    r = math.exp(-1 / scale)
    return r, (1 - r) / (1 + r)


def at_least(z: int, scale: float) -> float:
    """`P(Z >= z)`."""
    r, _ = geometric(scale)
    return r**z / (1 + r) if z > 0 else 1 - r ** (1 - z) / (1 + r)


def exactly(queries: Sequence[int], threshold: int, scales: tuple[float, float], hits: int) -> dict[Answers, float]:
    """The distribution of the answers, by hand."""
    found: dict[Answers, float] = {}
    r, c = geometric(scales[0])
    for noise in range(-REACH, REACH + 1):
        for answers, p in _given(queries, threshold + noise, scales[1], hits):
            found[answers] = found.get(answers, 0.0) + c * r ** abs(noise) * p
    return found


def _given(queries: Sequence[int], noisy: int, scale: float, hits: int) -> list[tuple[Answers, float]]:
    open_: list[tuple[Answers, float]] = [((), 1.0)]
    closed: list[tuple[Answers, float]] = []
    for query in queries:
        above = at_least(noisy - query, scale)
        grown = [((*a, hit), p * (above if hit else 1 - above)) for a, p in open_ for hit in (False, True)]
        closed += [(a, p) for a, p in grown if sum(a) == hits]
        open_ = [(a, p) for a, p in grown if sum(a) < hits]
    return closed + open_


def worst(x: Sequence[int], y: Sequence[int], scales: tuple[float, float], hits: int) -> float:
    p, q = exactly(x, 0, scales, hits), exactly(y, 0, scales, hits)
    return max(math.log(p[a] / q[a]) for a in p)


def mechanism(metric: dp.LInfDistance, size: int, scales: tuple[float, float], hits: int) -> dp.types.Measurement[
    dp.types.Vector[dp.types.Integers], dp.LInfDistance, dp.PureDP, list[bool]
]:  # fmt: skip
    step = dp.above_threshold(0, threshold_scale=scales[0], query_scale=scales[1], hits=hits)
    return dp.value(dp.vector(dp.integers(), size), metric) >> step


def test_by_hand_is_what_runs() -> None:
    for queries in ([0, 1], [2, -1]):
        for hits in (1, 2):
            m = measurement(mechanism(dp.LInfDistance(), 2, (1 / 4, 1 / 2), hits))
            run = distribution(m, queries).masses
            hand = exactly(queries, 0, (1 / 4, 1 / 2), hits)
            assert len(run) == len(hand)
            for answers, p in hand.items():
                assert run[settled(list(answers))] == pytest.approx(p, abs=1e-10)


@pytest.mark.parametrize("hits", [1, 2, 3])
@pytest.mark.parametrize("scales", [(1.0, 2.0), (0.5, 0.5), (2.0, 0.75)])
def test_all_small_queries(hits: int, scales: tuple[float, float]) -> None:
    """All pairs of three queries in -1..1: each moves its own way, or all move one way."""
    queries = list(itertools.product((-1, 0, 1), repeat=3))
    anyhow, one_way = (measurement(mechanism(m, 3, scales, hits)) for m in (dp.LInfDistance(), dp.RangeDistance()))  # type: ignore[arg-type]
    found = {x: exactly(x, 0, scales, hits) for x in queries}
    for x, y in itertools.product(queries, repeat=2):
        true = max(math.log(found[x][a] / found[y][a]) for a in found[x])
        for m in (anyhow, one_way):
            loss = m.loss(Fraction(m.input.metric.carried(x, y)))
            assert isinstance(loss, dp.types.PureLoss)
            assert true <= float(loss.epsilon) + 1e-9, (x, y)


@pytest.mark.parametrize("d", [1, 2, 3])
def test_many_queries_come_near_the_bound(d: int) -> None:
    """Sixty queries that all sink a little, and one that rises: the bound is no gift. All one way costs half of it."""
    scales = (1.0, 4.0)
    n = 60
    x, y = [-3 * d] * n + [0], [-2 * d] * n + [-d]
    true = max(worst(x, y, scales, 1), worst(y, x, scales, 1))
    bound = float(mechanism(dp.LInfDistance(), n + 1, scales, 1).loss(d).epsilon)
    assert bound * 0.6 < true <= bound + 1e-9
    up = [-3 * d] * n + [0], [-2 * d] * n + [d]
    one_way = float(mechanism(dp.RangeDistance(), n + 1, scales, 1).loss(d).epsilon)  # type: ignore[arg-type]
    assert max(worst(*up, scales, 1), worst(up[1], up[0], scales, 1)) <= one_way + 1e-9
