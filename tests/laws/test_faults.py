"""Every law can fail: faults that others have had, put in one at a time, each caught by the check that guards against it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import cast, final
from unittest import mock

import numpy as np
import pytest

from dpcore.calculus import RULES, Raw, Reading, Rule, Run
from dpcore.engines import Table
from dpcore.engines.numpy.columns import Ints
from dpcore.engines.numpy.ranked import Ranked, Words
from dpcore.maps import Number, log, maximum, one_like
from dpcore.measurements import threshold_release
from dpcore.measures import PureDP
from dpcore.noise.bits import BitSource
from tests.laws import checks
from tests.laws.catalogue import EXAMPLES, Example

FOUND: dict[str, Example] = {example.name: example for example in EXAMPLES}


@contextmanager
def map_of(rule: str, faulty: Callable[..., Raw]) -> Iterator[None]:
    """The rule with another map, of the same parameters."""
    found = RULES[rule]
    right = found.map
    object.__setattr__(found, "map", faulty)
    try:
        yield
    finally:
        object.__setattr__(found, "map", right)


@contextmanager
def run_of(rule: str, wrap: Callable[[Callable[..., object]], Callable[..., object]]) -> Iterator[None]:
    """The rule with another function in the place of what it does to data."""
    found: Rule = RULES[rule]
    right = found.run
    object.__setattr__(found, "run", wrap(right))
    try:
        yield
    finally:
        object.__setattr__(found, "run", right)


@final
@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, where it is put in, and the example that shows it."""

    what: str
    shown_by: str
    put_in: Callable[[], AbstractContextManager[object]]


def as_if_symmetric(d: Number, *losses: Reading) -> Raw:
    return PureDP().group(d, PureDP().largest([loss(one_like(d)) for loss in losses[: len(losses) // 2]]))


def only_changed(d: Number, *losses: Reading) -> Raw:
    return PureDP().group(d, PureDP().largest([loss(one_like(d)) for loss in losses[len(losses) // 2 :]]))


def deltas_add_up(d: Number, loss: Reading) -> Raw:
    epsilon, delta = cast("tuple[Number, Number]", loss(one_like(d)))
    return d * epsilon, d * delta


def threshold_alone(d: Number, *, threshold_scale: Number, query_scale: Number, hits: Number) -> Number:
    return d / threshold_scale / 4


def first_vector_only(d: Number, *premises: Reading, joint: tuple[tuple[Number, ...], ...]) -> Raw:
    return PureDP().group(d, PureDP().compose([premises[1](joint[0][0])]))


def in_their_order(right: Callable[..., object]) -> Callable[..., object]:
    """Reports in the order of their rows by value: which place a report has says what the rows before it are."""

    def run(table: Table, release: Run, *, bits: BitSource) -> object:
        return [release(row) for row in table.in_order(range(table.count()))]

    return run


def late_tail(d: Number, *, scale: Number, threshold: Number) -> Raw:
    return RIGHT_TAIL(d, scale=scale, threshold=threshold + 1)


RIGHT_TAIL = threshold_release.threshold_release_loss.map


def in_the_order_of_the_data(ranked: Ranked, rows: Ints, copies: Ints | None = None) -> Words:
    """Words that tell whose a row is, and behind it where it stands instead of its rank."""
    return (ranked._persons[rows].view(np.uint64) << np.uint64(32)) | rows.view(np.uint64)


def unsorted_persons(right: Callable[..., object]) -> Callable[..., object]:
    """The first rows of each person in the order of the data: who comes first is another's affair."""

    def run(data: object, *, by: str, limit: int, key: object) -> object:
        with mock.patch.object(Ranked, "words", in_the_order_of_the_data):
            return right(data, by=by, limit=limit, key=key)

    return run


def never_lies(right: Callable[..., object]) -> Callable[..., object]:
    """Randomized response that forgets to lie about the last answer."""

    def run(value: object, *, answers: tuple[object, ...], p: Fraction, bits: object) -> object:
        return value if value == answers[-1] else right(value, answers=answers, p=p, bits=bits)

    return run


def cut(value: int | Fraction, step: Fraction, steps: int) -> int | Fraction:
    """Noise cut to whole numbers where the value is one."""
    return value + int(step * steps) if isinstance(value, int) else value + step * steps


def a_map(rule: str, faulty: Callable[..., Raw]) -> Callable[[], AbstractContextManager[object]]:
    return lambda: map_of(rule, faulty)


def a_run(
    rule: str, wrap: Callable[[Callable[..., object]], Callable[..., object]]
) -> Callable[[], AbstractContextManager[object]]:
    return lambda: run_of(rule, wrap)


def a_name(path: str, faulty: Callable[..., object]) -> Callable[[], AbstractContextManager[object]]:
    return lambda: mock.patch(path, faulty)


STABILITY: list[Fault] = [
    Fault("a sum forgets half of a row", "sum", a_map("sum_symmetric", lambda d, low, high: d * -low / 2)),
    Fault("a sum looks at the upper bound", "sum", a_map("sum_symmetric", lambda d, low, high: d * high)),
    Fault(
        "a replaced row as if it were one added",
        "histogram in L2Distance, one row replaced by another; the number of rows is public",
        a_map("histogram_l2_change_one", lambda d: d * d),
    ),
    Fault("a filter that keeps the size", "filter, change one", a_map("filter_change_one", lambda d: d)),
    Fault(
        "rows that never cross a candidate",
        "quantile 1/2 of (-1, 1), one row replaced by another; the number of rows is public",
        a_map("quantile_scores_change_one", lambda d, a, b: d * maximum(a, b - a)),
    ),
    Fault("sqrt(n) forgotten", "LInfDistance as L2Distance", a_map("linf_to_l2", lambda d, size: d * d)),
    Fault(
        "rows kept in the order of the data",
        "bound_contributions to one row",
        a_run("bound_contributions_fair_person", unsorted_persons),
    ),
]

LOSSES: list[Fault] = [
    Fault("half the loss of Laplace", "laplace", a_map("laplace", lambda d, scale: d / scale / 2)),
    Fault(
        "three other answers as if they were one",
        "randomized_response of four",
        a_map("randomized_response", lambda d, k, p: d * log(p / (1 - p))),
    ),
    Fault("the last answer is never a lie", "randomized_response", a_run("randomized_response", never_lies)),
    Fault(
        "one bit where two differ",
        "unary_encoding",
        a_map("unary_encoding", lambda d, p, q: d * log(p / q)),
    ),
    Fault(
        "each bit by itself",
        "unary_encoding, optimized",
        a_map("unary_encoding", lambda d, p, q: d * log((1 - q) / (1 - p))),
    ),
    Fault(
        "half the answers are told",
        "hadamard_response",
        a_map("hadamard_response", lambda d, p: d * log(p / (1 - p)) / 2),
    ),
    Fault("one report for all rows", "locally", a_map("locally_pure", lambda d, loss: loss(one_like(d)))),
    Fault("reports in the order of the rows", "locally of three", a_run("locally_pure", in_their_order)),
    Fault("a score rises alone", "permute_and_flip", a_map("permute_and_flip_linf", lambda d, scale: d / scale)),
    Fault("rho four times too small", "exponential", a_map("exponential_linf", lambda d, scale: (d / scale) ** 2 / 8)),
    Fault("comparisons for nothing", "above_threshold asked, 1", a_map("above_threshold_asked_pure", threshold_alone)),
    Fault("queries for nothing", "above_threshold, one way", a_map("above_threshold_range", threshold_alone)),
    Fault("a tail that starts one late", "threshold_release", a_map("threshold_release", late_tail)),
    Fault(
        "parallel under change one as under symmetric",
        "parallel, change one pure",
        a_map("parallel_alike_change_one_pure", as_if_symmetric),
    ),
    Fault(
        "parallel without the rows that move", "parallel, two sizes", a_map("parallel_change_one_pure", only_changed)
    ),
    Fault(
        "a claim taken along to another metric",
        "parallel of a claim, change one",
        a_name("dpcore.core.asserted.ClaimedMap.moved", lambda claimed, before, space, values: claimed),
    ),
    Fault(
        "one joint step forgotten",
        "compose_jointly, unequal",
        a_map("general_composition_pure", first_vector_only),
    ),
    Fault(
        "noise cut to whole numbers",
        "laplace on a finer grid than the values",
        a_name("dpcore.noise.samples._plus", cut),
    ),
    Fault("a quarter of rho", "pure to zcdp", a_map("pure_to_zcdp", lambda d, loss: loss(d) * loss(d) / 8)),
    Fault("a group's delta without its growth", "group_privacy approx", a_map("group_approx", deltas_add_up)),
]


@pytest.mark.parametrize("fault", [*STABILITY, *LOSSES], ids=lambda f: f.what)
def test_a_fault_is_caught(fault: Fault) -> None:
    """The claim holds as things are, and is seen to be broken with the fault put in."""
    example = FOUND[fault.shown_by]
    assert checks.tried(example).sound
    with fault.put_in():
        assert not checks.tried(example).sound
