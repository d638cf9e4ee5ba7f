"""Measurements made of measurements, on the same data."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import cast

import dpcore as dp
from dpcore.assurance.universe import records
from dpcore.calculus import RULES, Derivation
from dpcore.core.origins import MADE
from dpcore.maps import Numeric
from dpcore.types import Rows
from tests.laws.examples.example import AB, ABC, L2, LETTERS, Example, Examples, Letters
from tests.laws.examples.functions import (
    ADD_UP,
    ASKED,
    ASKERS,
    MEASURES,
    REPLACED,
    Compared,
    Counted,
    asked_then_compared,
    between_others,
    compared_in_zcdp,
    counted,
    either_letter,
    rarely,
    turn_by_turn,
    twice,
    until_above,
    weeks,
)

COIN = (False, True)
BOTH = ("a", "b")
NOT_ADDITIVE = ("approx", "gaussian", "total_variation")
"""Measures in which the losses of these mechanisms add up to more than what both together lose."""

BOTH_TELL = "what both tell is counted twice"
MEAN = "the answers are about one coin, so together they are one better answer"
ADDS = "two answers about one count are one better answer, and what these measures add up is more than that"
IDLE = "the epsilon named as a witness is paid for the part, too, that did not move"
FEW = "the bound holds for any number of queries, and is neared as there are many"
ORDERS = ("5/4", 2, "7/2", 16, 32, 48, 112)
"""The budget is that of two counts: at the orders at which the laws look, and for distances up to 7."""

GUESS = "the second stage asks about a or about b, and only one of them changed"

Answer = dp.types.Measurement[dp.types.Booleans, dp.DiscreteDistance, dp.PureDP, bool]


def answer(p: Numeric) -> Answer:
    return dp.value(dp.booleans(), dp.DiscreteDistance()) >> dp.randomized_response(p)


def composed(measure: str) -> object:
    """Two of them where losses of the measure compose; one alone where they do not."""
    parts = [counted(measure)] * (1 if measure in ("profile", "tradeoff") else 2)
    return dp.compose(parts)


def grouped(measure: str) -> object:
    return dp.group_privacy(counted(measure))


def of_weeks() -> object:
    """Lifted over steps of a relation of the user's own."""
    by_week = dp.rows(AB, dp.granularity("a week", weeks, rows=2, path=True))
    return dp.group_privacy(by_week >> dp.to_metric(dp.SymmetricDistance()) >> dp.count() >> dp.laplace(4))


def adaptive(measure: str) -> object:
    """Two stages in a measure; the second looks at the first."""
    first, second = ASKED[measure]
    losses: Mapping[str, dp.types.Loss] = {
        "pure": dp.pure(2),
        "approx": dp.approx(1, "3/20"),
        "zcdp": dp.zcdp("1/2"),
        "gaussian": dp.gaussian_dp("12/5"),
        "total_variation": dp.total_variation("4/5"),
    }
    loss = cast(dp.types.PureLoss, losses[measure])  # like the stages, under the type of one measure
    return dp.adaptive(LETTERS, [(loss, first), (loss, second)])


def asked(measure: str) -> object:
    """The same two, asked of a filter that has enough for both, where so much can be lost at all."""
    budgets: Mapping[str, dp.types.Loss] = {
        "pure": dp.pure(4),
        "approx": dp.approx(2, "3/10"),
        "zcdp": dp.zcdp(1),
        "gaussian": dp.gaussian_dp("17/5"),
        "total_variation": dp.total_variation("9/10"),
        "renyi": dp.renyi({order: order for order in ORDERS}),
    }
    return dp.view(dp.interactive(LETTERS, cast(dp.types.PureLoss, budgets[measure])), ASKERS[measure])


def one_step() -> object:
    """A filter in the measure that has no rule for groups."""
    return dp.view(dp.interactive(REPLACED, dp.zcdp(0, "7/12")), twice)


def by_turns() -> object:
    """Two filters that are asked by turns: the answer of one decides what the other is asked."""
    each = dp.interactive(LETTERS, dp.pure(2))
    return dp.view(dp.concurrently([each, each]), turn_by_turn)


def query_by_query(hits: int) -> object:
    """One above-threshold, and somebody who asks it as long as he may."""
    step = dp.above_threshold(1, threshold_scale="1/3", query_scale="1/3", hits=hits)
    return dp.view(dp.interactive(LETTERS, step), until_above)


def query_in_approx() -> object:
    """An above-threshold among the questions of a filter that counts deltas."""
    return dp.view(dp.interactive(LETTERS, dp.approx(12, "1/3")), asked_then_compared)


def query_in_zcdp() -> object:
    """An above-threshold among questions with Gaussian noise: what it costs is half the square of its epsilon."""
    return dp.view(dp.interactive(LETTERS, dp.zcdp("153/2")), compared_in_zcdp)


def query_by_turns() -> object:
    """A filter that is asked while an above-threshold goes on."""
    step = dp.above_threshold(1, threshold_scale="1/4", query_scale="1/4")
    filtered = cast(
        "dp.types.Interactive[Letters, dp.SymmetricDistance, dp.PureDP, Compared]", dp.interactive(LETTERS, dp.pure(2))
    )
    both = dp.concurrently([dp.interactive(LETTERS, step), filtered])
    return dp.view(both, between_others)


def synthetic(average: bool) -> object:
    """Synthetic letters: one round, of two queries."""
    return LETTERS >> dp.mwem([dp.row() == "a", dp.row() == "b"], 1, dp.pure(6), size=2, average=average)


def weights_asked() -> object:
    """Weights that answer two queries, the second chosen after the answer to the first."""
    return dp.view(dp.pmw(LETTERS, dp.pure(16), queries=2, updates=1, threshold="1/4", size=2), either_letter)


def synthesized() -> object:
    """A synthetic column, of one field."""
    return dp.rows(dp.record(g=AB)) >> dp.synthesize(dp.zcdp(4))


def only(key: str) -> dp.types.Transformation[
    Rows[dp.types.Categories[str]], dp.SymmetricDistance, Rows[dp.types.Categories[str]], dp.SymmetricDistance
]:  # fmt: skip
    return LETTERS >> dp.filter(dp.row() == key)


def jointly(measure: str) -> object:
    """The rows of a and those of b, counted apart: nobody is in both."""
    parts = [dp.after(only(key), counted(measure)) for key in BOTH]
    return dp.compose_jointly(parts, joint=[(1, 0), (0, 1)])


def overlapping(measure: str) -> object:
    """The rows of a and those of b, counted apart, which the filters say; and all of them."""
    return dp.compose_jointly([*(only(key) >> counted(measure) for key in BOTH), counted(measure)])


def overlapping_of_three() -> object:
    """Three parts, of which each row is in two, under replacement."""
    rows = dp.rows(ABC, dp.ChangeOneDistance())
    noisy: list[Counted] = [dp.rows(ABC) >> dp.count() >> dp.laplace(scale=scale) for scale in ("1", "1/2", "1/3")]
    return dp.compose_jointly(
        [dp.after(rows >> dp.filter(dp.row() != key), m) for key, m in zip("abc", noisy, strict=True)]
    )


def jointly_unequal() -> object:
    """The second part costs more."""
    noisy: list[Counted] = [LETTERS >> dp.count() >> dp.laplace(scale=scale) for scale in ("1", "1/2")]
    parts = [dp.after(only(key), m) for key, m in zip(BOTH, noisy, strict=True)]
    return dp.compose_jointly(parts, joint=[(1, 0), (0, 1)])


def joint_histograms() -> object:
    """Two histograms of the same rows in L2, which a row more or less moves by 1 each."""
    rows = dp.rows(dp.record(g=AB, n=dp.integers(0, 1)))
    noisy = dp.value(dp.vector(dp.integers(0), 2), L2) >> dp.gaussian(sigma="2/3")
    parts = [dp.after(rows >> dp.histogram(dp.field(name), norm=dp.L2Distance), noisy) for name in ("g", "n")]
    return dp.compose_jointly(parts, joint=[(1, 1)])


def by_old_name(rule: str) -> object:
    """Advanced composition as it stood alone in certificates; the constructor takes the plain sum where that is less."""
    parts: object = [answer("3/5")] * 4 if rule.endswith("pure") else [answer("3/5").to(dp.ApproxDP)] * 4
    made = dp.compose_advanced(cast("list[Answer]", parts), slack="1/10")
    derivation = Derivation(RULES[rule], made.derivation.parameters, made.derivation.premises)
    return dp.types.Measurement(made.input, dp.ApproxDP(), derivation, made.origin, MADE)


COMBINED: Examples = [
    Example("compose", lambda: counted() & counted(), BOTH),
    *(
        Example(
            f"compose {measure}",
            partial(composed, measure),
            BOTH,
            slack=ADDS if measure in NOT_ADDITIVE else "",
            zero=measure != "approx",
        )
        for measure in MEASURES
    ),
    Example("post-processing", lambda: counted().then(abs), BOTH),
    *(Example(f"group_privacy {measure}", partial(grouped, measure), BOTH) for measure in MEASURES),
    Example("group_privacy of weeks", of_weeks, BOTH, 4),
    *(
        Example(f"adaptive {measure}", partial(adaptive, measure), BOTH, 2, slack="" if measure == "pure" else GUESS)
        for measure in ADD_UP
    ),
    *(
        Example(f"filter {measure}", partial(asked, measure), BOTH, 2, slack="" if measure == "pure" else GUESS)
        for measure in (*ADD_UP, "renyi")
    ),
    Example("compose approximate zcdp", lambda: dp.compose([rarely("1/4"), rarely("1/3")]), BOTH, slack=BOTH_TELL),
    Example("filter approximate zcdp", one_step, BOTH, 1, slack=BOTH_TELL),
    Example("filters by turns", by_turns, BOTH, 2),
    *(Example(f"above_threshold asked, {hits}", partial(query_by_query, hits), BOTH, 2, slack=FEW) for hits in (1, 2)),
    Example("mwem", partial(synthetic, average=False), BOTH, 1, slack="half of a choice is never lost"),
    Example("pmw", weights_asked, BOTH, 1, slack=FEW),
    Example(
        "synthesize", synthesized, records(g=("a", "b")), 1, slack="whole-number noise so narrow loses a little less"
    ),
    Example("above_threshold asked in approx", query_in_approx, BOTH, 1),
    Example("above_threshold asked in zcdp", query_in_zcdp, BOTH, 1, slack=FEW),
    Example("above_threshold asked between others", query_by_turns, BOTH, 2, slack=FEW),
    Example(
        "compose_advanced",
        lambda: dp.compose_advanced([answer("3/5")] * 4, slack="1/10"),
        COIN,
        slack=MEAN,
        zero=False,
    ),
    Example(
        "compose_advanced approx",
        lambda: dp.compose_advanced([answer("3/5").to(dp.ApproxDP)] * 4, slack="1/10"),
        COIN,
        slack=MEAN,
        zero=False,
    ),
    Example(
        "compose_advanced of few",
        lambda: dp.compose_advanced([answer("3/5")] * 2, "1/1000"),
        COIN,
        slack=MEAN,
        zero=False,
    ),
    Example(
        "advanced composition alone", partial(by_old_name, "advanced_composition_pure"), COIN, slack=MEAN, zero=False
    ),
    Example(
        "advanced composition alone, approx",
        partial(by_old_name, "advanced_composition_approx"),
        COIN,
        slack=MEAN,
        zero=False,
    ),
    Example("compose_optimal", lambda: dp.compose_optimal([answer("3/4")] * 5), COIN),
    Example("compose_optimal of unequal", lambda: dp.compose_optimal([answer("3/4"), answer("2/3")]), COIN),
    Example(
        "compose_optimal of unequal approx",
        lambda: dp.compose_optimal([answer("3/4").to(dp.ApproxDP), answer("2/3").to(dp.ApproxDP)]),
        COIN,
    ),
    Example(
        "compose_optimal approx", lambda: dp.compose_optimal([counted("approx")] * 2), BOTH, slack=ADDS, zero=False
    ),
    *(
        Example(
            f"compose_jointly {measure}", partial(jointly, measure), BOTH, slack=IDLE if measure == "approx" else ""
        )
        for measure in ADD_UP
    ),
    Example("compose_jointly, unequal", jointly_unequal, BOTH),
    *(
        Example(
            f"compose_jointly of overlapping parts {measure}",
            partial(overlapping, measure),
            BOTH,
            2,
            slack=ADDS if measure in NOT_ADDITIVE else "",
        )
        for measure in ADD_UP
    ),
    Example(
        "compose_jointly of overlapping parts, change one",
        overlapping_of_three,
        ("a", "b", "c"),
        slack="a row replaced is one that goes and one that comes, each as if it were of the dearest two parts",
        slow=True,
    ),
    Example(
        "compose_jointly of histograms",
        joint_histograms,
        records(g=BOTH, n=(0, 1)),
        1,
        slack="pairs of answers that are rarer together than what is left out",
    ),
]
