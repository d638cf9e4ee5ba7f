"""Arrows with symbols in the place of numbers, and what they are when numbers are put there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import cast

import dpcore as dp
from dpcore.maps import Numeric
from tests.laws.examples.abreast import abreast, of_size, of_values
from tests.laws.examples.example import ABC, CHANGE_ONE, EITHER, L1, LETTERS, Letters, Symbolic

B, C = dp.symbol("b"), dp.symbol("c")
TIMES = cast(Numeric, B * C)


def sum_up_to(high: Numeric, scale: Numeric) -> object:
    return dp.rows(dp.integers()) >> dp.clamp(-2, high) >> dp.sum() >> dp.laplace(scale=scale)


def answer(p: Numeric) -> object:
    return dp.value(ABC, dp.DiscreteDistance()) >> dp.randomized_response(p)


def gaussian(sigma: Numeric) -> dp.types.Measurement[Letters, dp.SymmetricDistance, dp.ZCDP, int]:
    return LETTERS >> dp.count() >> dp.gaussian(sigma=sigma)


def in_approx(sigma: Numeric) -> object:
    return gaussian(sigma).to(dp.ApproxDP, delta="1/100")


def of_witness(delta: Numeric, alpha: Numeric) -> object:
    return gaussian(1).to(dp.ApproxDP, delta=delta, alpha=alpha)


def of_group(sigma: Numeric) -> object:
    return dp.group_privacy(gaussian(sigma))


def chosen(scale: Numeric) -> object:
    return dp.rows(ABC) >> dp.histogram(norm=dp.RangeDistance) >> dp.permute_and_flip(scale=scale)


def sparse(threshold: Numeric, scale: Numeric) -> object:
    start = dp.value(dp.vector(dp.integers(), 2), dp.LInfDistance())
    return start >> dp.above_threshold(threshold, threshold_scale=scale, query_scale=1, hits=2)


def side_by_side(scale: Numeric) -> object:
    return abreast(EITHER[1], {"x": of_values(scale), "y": of_size(1)})


def advanced(scale: Numeric) -> object:
    m = dp.rows(ABC, CHANGE_ONE) >> dp.histogram() >> dp.laplace(scale=scale)
    return dp.compose_advanced([m, m], slack="1/10")


def joint(entry: Numeric, scale: Numeric) -> object:
    start = LETTERS >> dp.histogram()
    m = dp.value(dp.vector(dp.integers(0), 2), L1) >> dp.laplace(scale=scale)
    return dp.compose_jointly([dp.after(start, m), dp.after(start, m)], joint=[(1, entry)])


def clipped(bound: Numeric) -> object:
    rows = dp.rows(dp.vector(dp.integers(-9, 9), 2), CHANGE_ONE)
    return rows >> dp.clip_norm(bound, dp.L2Distance) >> dp.sum(norm=dp.L2Distance)


def _symbolic(name: str, build: Callable[..., object], symbols: Mapping[str, Numeric]) -> Symbolic:
    """The constructor called with the symbols b and c in this order, and with what they stand for."""
    found = {"b": B, "c": C}
    return Symbolic(name, partial(build, *(found[s] for s in symbols)), symbols, partial(build, *symbols.values()))


SYMBOLIC: list[Symbolic] = [
    _symbolic("clamp and laplace", sum_up_to, {"b": 7, "c": "1/3"}),
    Symbolic(
        "formula of two symbols",
        partial(sum_up_to, 3, TIMES),
        {"b": 7, "c": "1/3"},
        partial(sum_up_to, 3, "7/3"),
    ),
    _symbolic("clip_norm", clipped, {"b": "5/2"}),
    _symbolic("gaussian", gaussian, {"b": "3/2"}),
    _symbolic("gaussian in approx", in_approx, {"b": "3/2"}),
    _symbolic("a witness", of_witness, {"c": "1/100", "b": 3}),
    _symbolic("group_privacy", of_group, {"b": 2}),
    _symbolic("randomized_response", answer, {"b": "1/2"}),
    _symbolic("permute_and_flip", chosen, {"b": "1/2"}),
    _symbolic("above_threshold", sparse, {"b": 3, "c": "1/2"}),
    _symbolic("parallel", side_by_side, {"b": "1/4"}),
    _symbolic("compose_advanced", advanced, {"b": 3}),
    _symbolic("compose_jointly", joint, {"b": "1/2", "c": 2}),
]
