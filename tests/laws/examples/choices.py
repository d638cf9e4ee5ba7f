"""Measurements that answer with a choice: an answer, a candidate, above or below, keys, rows."""

from __future__ import annotations

from functools import partial

import dpcore as dp
from dpcore.maps import Numeric
from tests.laws.examples.example import (
    AB,
    ABC,
    CHANGE_ONE,
    EITHER,
    L2,
    LETTERS,
    LINF,
    PERSON_ROWS,
    PERSONS,
    RANGE,
    Example,
    Examples,
)
from tests.laws.examples.functions import nothing, pair, same

SCORES = dp.vector(dp.integers(), 3)
PAIRS = dp.vector(dp.integers(), 2)
LOCAL = dp.DiscreteDistance()
FEW = "no candidate is far below the others"
NEARED = "neared where one candidate has nearly all of the probability before, and nearly none after"
CURVED = "the bound through the range of the log-likelihood ratio is within 2 per cent at best"
MANY = "the bound holds for any number of queries, and is neared as there are many"
NONE = "it releases nothing"


def fullest_bin(metric: dp.SymmetricDistance, scale: Numeric) -> object:
    return dp.rows(ABC, metric) >> dp.histogram(norm=dp.RangeDistance) >> dp.permute_and_flip(scale=scale)


def quantile(metric: dp.SymmetricDistance, scale: Numeric) -> object:
    scores = dp.rows(dp.integers(-2, 2), metric) >> dp.quantile_scores((-1, 0, 1), "1/3")
    return scores >> dp.permute_and_flip(scale=scale)


def fullest_bin_softly(metric: dp.SymmetricDistance, scale: Numeric) -> object:
    return dp.rows(ABC, metric) >> dp.histogram(norm=dp.RangeDistance) >> dp.exponential(scale=scale)


def quantile_softly(metric: dp.SymmetricDistance, scale: Numeric) -> object:
    scores = dp.rows(dp.integers(-2, 2), metric) >> dp.quantile_scores((-1, 0, 1), "1/2")
    return scores >> dp.exponential(scale=scale)


def above_in_bins() -> object:
    bins = dp.rows(AB) >> dp.histogram(norm=dp.RangeDistance)
    return bins >> dp.above_threshold(2, threshold_scale="1/3", query_scale="1/3")


ANSWER = dp.randomized_response("3/4")


def asked_twice() -> object:
    """A measurement of one row, made of two questions about it."""
    person = dp.value(dp.booleans(), LOCAL)
    both = (person >> dp.randomized_response("3/4")) & (person >> dp.randomized_response("2/3"))
    return dp.rows(dp.booleans(), CHANGE_ONE) >> dp.locally(both)


ANSWERS: Examples = [
    Example(
        "randomized_response", lambda: dp.value(dp.booleans(), LOCAL) >> dp.randomized_response("3/4"), (False, True)
    ),
    Example(
        "randomized_response of four",
        lambda: dp.value(dp.categories("a", 1, True, None), LOCAL) >> dp.randomized_response("9/10"),
        ("a", 1, True, None),
    ),
]

ALONE: Examples = [
    Example("unary_encoding", lambda: dp.value(ABC, LOCAL) >> dp.unary_encoding("3/4"), ("a", "b", "c")),
    Example(
        "unary_encoding, optimized",
        lambda: dp.value(dp.categories("a", 1, True, None), LOCAL) >> dp.unary_encoding("1/2", "1/5"),
        ("a", 1, True, None),
    ),
    Example(
        "unary_encoding of truth values",
        lambda: dp.value(dp.booleans(), LOCAL) >> dp.unary_encoding("2/3", "1/2"),
        (False, True),
    ),
    Example("hadamard_response", lambda: dp.value(ABC, LOCAL) >> dp.hadamard_response("3/4"), ("a", "b", "c")),
    Example(
        "hadamard_response of four",
        lambda: dp.value(dp.categories("a", 1, True, None), LOCAL) >> dp.hadamard_response("2/3"),
        ("a", 1, True, None),
    ),
    Example(
        "locally",
        lambda: dp.rows(dp.booleans(), CHANGE_ONE) >> dp.locally(dp.randomized_response("3/4")),
        (False, True),
    ),
    Example(
        "locally of three",
        lambda: dp.rows(ABC, CHANGE_ONE) >> dp.locally(dp.randomized_response("3/5")),
        ("a", "b", "c"),
        2,
    ),
    Example("locally in bits", lambda: dp.rows(AB, CHANGE_ONE) >> dp.locally(dp.unary_encoding("3/4")), ("a", "b"), 2),
    Example(
        "locally by Hadamard", lambda: dp.rows(AB, CHANGE_ONE) >> dp.locally(dp.hadamard_response("3/4")), ("a", "b"), 2
    ),
    Example("locally, asked twice", asked_twice, (False, True), 2),
    Example(
        "share of reports",
        lambda: (dp.rows(dp.booleans(), CHANGE_ONE, 2) >> dp.locally(ANSWER)).then(ANSWER.estimate),
        (False, True),
    ),
]

LARGE: Examples = [
    Example(
        "shuffled", lambda: dp.rows(dp.booleans(), CHANGE_ONE, 700) >> dp.shuffled(ANSWER, delta="1e-6"), (False, True)
    ),
]

BEST: Examples = [
    Example("permute_and_flip", lambda: dp.value(SCORES, LINF) >> dp.permute_and_flip(scale=1), (0, 1, 8, 9)),
    Example("permute_and_flip, one way", lambda: dp.value(SCORES, RANGE) >> dp.permute_and_flip(scale=1), (0, 1, 9)),
    Example("permute_and_flip of a histogram", partial(fullest_bin, EITHER[0], "1/2"), ("a", "b", "c")),
    Example(
        "permute_and_flip of a histogram, change one",
        partial(fullest_bin, EITHER[1], "1/2"),
        ("a", "b", "c"),
        slack=FEW,
    ),
    *(
        Example(f"permute_and_flip of a quantile, {m.words()}", partial(quantile, m, 2), (-2, 0, 2), slack=FEW)
        for m in EITHER
    ),
    Example("exponential", lambda: dp.value(SCORES, LINF) >> dp.exponential(scale=1), (0, 1, 2, 9), slack=CURVED),
    Example(
        "exponential, pure",
        lambda: dp.value(SCORES, LINF) >> dp.exponential(scale=1, measure=dp.PureDP),
        (0, 1, 2, 9),
        slack=NEARED,
    ),
    Example(
        "exponential, pure, one way",
        lambda: dp.value(SCORES, RANGE) >> dp.exponential(scale=1, measure=dp.PureDP),
        (0, 1, 9),
        slack=NEARED,
    ),
    Example(
        "exponential, one way", lambda: dp.value(SCORES, RANGE) >> dp.exponential(scale=1), (0, 1, 9), slack=CURVED
    ),
    *(
        Example(
            f"exponential of a histogram, {m.words()}",
            partial(fullest_bin_softly, m, "1/2"),
            ("a", "b", "c"),
            slack=CURVED,
        )
        for m in EITHER
    ),
    *(
        Example(f"exponential of a quantile, {m.words()}", partial(quantile_softly, m, 3), (-2, 0, 2), slack=CURVED)
        for m in EITHER
    ),
]

ABOVE: Examples = [
    Example(
        "above_threshold",
        lambda: dp.value(PAIRS, LINF) >> dp.above_threshold(1, threshold_scale="1/3", query_scale="1/3"),
        (0, 1, 2),
        slack=MANY,
    ),
    Example(
        "above_threshold, one way",
        lambda: dp.value(PAIRS, RANGE) >> dp.above_threshold(1, threshold_scale="1/3", query_scale="1/4", hits=2),
        (0, 1, 2),
        slack=MANY,
    ),
    Example("above_threshold of a histogram", above_in_bins, ("a", "b"), slack=MANY),
]

OF_ROWS: Examples = [
    Example(
        "threshold_release",
        lambda: dp.rows(dp.text()) >> dp.threshold_release(scale="1/2", threshold=3),
        ("a", "b"),
    ),
    Example(
        "threshold_release by a field",
        lambda: dp.rows(PERSONS) >> dp.threshold_release(dp.field("who"), scale=1, threshold=2),
        PERSON_ROWS,
        2,
    ),
    Example("name_and_shame", lambda: dp.rows(AB, CHANGE_ONE) >> dp.name_and_shame("1/4"), ("a", "b")),
    Example("random_row", lambda: dp.rows(ABC, CHANGE_ONE, 3) >> dp.random_row(), ("a", "b", "c")),
    Example("measurement", lambda: dp.measurement(nothing, LETTERS, dp.PureDP(), same), ("a", "b"), slack=NONE),
    Example(
        "measurement out of L2",
        lambda: dp.measurement(nothing, dp.value(PAIRS, L2), dp.ApproxDP(), pair),
        (0, 1, 2),
        slack=NONE,
    ),
]
