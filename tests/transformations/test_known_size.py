"""A size that is declared is used: no step asks for more noise than the same step after `to_metric(ChangeOneDistance())`.

The class of faults: a bound that is proved stands in the library, and a pipeline that meets its condition does not get it.
"""

from __future__ import annotations

from typing import cast

import pytest

import dpcore as dp
from dpcore.assurance.arrows import AnyTransformation
from dpcore.core.origins import Call, rebuilt
from dpcore.core.steps import Step
from dpcore.metrics import RowMetric
from dpcore.types import Rows
from tests.certificates.tools import certified, rejection
from tests.laws.arrows import measurement, transformation
from tests.laws.catalogue import TRANSFORMATIONS, Example
from tests.laws.examples.example import CHANGE_ONE

THREES = dp.integers(-3, 2)


def step_of(f: AnyTransformation) -> Step | None:
    """The step that made it, if it is no more than that."""
    step = f.origin.function if isinstance(f.origin, Call) else None
    return step if isinstance(step, Step) else None


def on_rows_of_any_number(example: Example) -> bool:
    """One step, from rows that come and go to what is no longer rows.

    Of whole marginals a row replaced is one that goes and one that comes. So nothing is less there at even distances, and
    where as many rows come as go there are no others.
    """
    f = transformation(example.build())
    if getattr(step_of(f), "word", None) == "marginal_errors":
        return False
    rows = isinstance(f.input.domain, dp.types.Rows) and f.input.domain.size is None
    one_step = step_of(f) is not None
    leaves_rows = not isinstance(f.output.metric, RowMetric) and not isinstance(f.output.domain, dp.types.Parts)
    return rows and one_step and leaves_rows and isinstance(f.input.metric, dp.SymmetricDistance)


STEPS = [example for example in TRANSFORMATIONS if on_rows_of_any_number(example)]


def on(f: AnyTransformation, size: int) -> AnyTransformation:
    assert isinstance(f.input.domain, dp.types.Rows)
    space = dp.rows(cast(dp.types.Integers, f.input.domain.of), size=size)
    return transformation(rebuilt(f, space, {}))


def test_the_steps_are_found() -> None:
    """Every aggregating step of the library has an example on rows of any number."""
    steps = [step_of(transformation(example.build())) for example in STEPS]
    words = {step.word for step in steps if step}
    assert words == {"count", "sum", "histogram", "linear_queries", "quantile_scores"}


@pytest.mark.parametrize("example", STEPS, ids=lambda e: e.name)
def test_the_lesser_bound_is_taken_without_being_asked(example: Example) -> None:
    plain = transformation(example.build())
    sized = on(plain, 5)
    start = cast("dp.types.Space[dp.types.Rows[dp.types.Integers], dp.SymmetricDistance]", sized.input)
    moved = start >> dp.to_metric(CHANGE_ONE)
    step = cast(
        "dp.types.Transformation[Rows[dp.types.Integers], dp.ChangeOneDistance, dp.types.Integers, dp.AbsoluteDistance]",
        rebuilt(plain, moved.output, {}),
    )
    asked = transformation(moved >> step)
    for d in (0, 2, 3, 4, 7, 20):
        assert sized.stability(d) == asked.stability(d)
        assert sized.stability(d) <= plain.stability(d)
    assert repr(sized).replace(", size=5", "") == repr(plain), "what was written is what is printed"
    assert sized == on(plain, 5)
    assert sized != plain


@pytest.mark.parametrize("d", [2, 3, 4, 5])
@pytest.mark.parametrize(("low", "high"), [(5, 10), (0, 120), (-3, 2), (-7, -7)])
def test_sums_of_known_size(low: int, high: int, d: int) -> None:
    """`[5, 10]` at d = 3: 5 in place of 30; `[0, 120]` at d = 2: 120 in place of 240."""
    total = dp.rows(dp.integers(low, high), size=10) >> dp.sum()
    assert total.stability(d) == d // 2 * (high - low)
    averages = dp.rows(dp.numbers(low, high, "1/10"), size=10) >> dp.sum()
    assert averages.stability(d) == d // 2 * (high - low)


def test_sums_of_vectors_of_known_size() -> None:
    of = dp.vector(dp.integers(-2, 2), 2)
    for norm, at_three in ((dp.L1Distance, 4), (dp.LInfDistance, 4)):
        total = dp.rows(of, size=4) >> dp.clip_norm(2, norm) >> dp.sum(norm=cast("type[dp.L1Distance]", norm))
        assert total.stability(3) == at_three
    in_l2 = dp.rows(of, size=4) >> dp.clip_norm(2, dp.L2Distance) >> dp.sum(norm=dp.L2Distance)
    assert in_l2.stability(3) == 4


def test_a_count_of_known_size_loses_nothing() -> None:
    counted = dp.rows(THREES, size=3) >> dp.count() >> dp.laplace(1)
    assert counted.loss(2) == dp.pure(0)


def test_queries_too_many_to_compare_in_pairs() -> None:
    """Where not all pairs of rows are tried, the bound is still at most that for one that goes and one that comes."""
    queries = [dp.row() == i for i in range(60)]
    of = dp.integers(0, 999)
    many = dp.rows(of, size=5) >> dp.linear_queries(*queries)
    plain = dp.rows(of) >> dp.linear_queries(*queries)
    assert plain.stability(2) == 2
    assert many.stability(2) <= plain.stability(2)


@pytest.mark.parametrize("size", [2, 3])
def test_sound_and_tight_on_every_pair(size: int) -> None:
    rows = dp.rows(THREES, size=size)
    for f in (rows >> dp.sum(), rows >> dp.histogram(bins=[-3, 2]), rows >> dp.quantile_scores([-1, 1], "1/2")):
        found = dp.assurance.exhaust(f, [-3, 0, 2], size)
        assert found.verdict == "sound and tight", str(found)


def test_a_symbol_is_bound_and_the_bound_is_the_same() -> None:
    clamped = dp.rows(dp.integers(), size=4) >> dp.clamp(0, dp.symbol("most")) >> dp.sum() >> dp.laplace(1)
    assert str(clamped.map) == "most*floor(d_in/2)"
    assert clamped.bind(most=7).loss(3) == dp.pure(7)
    assert eval(repr(clamped.bind(most=7)), vars(dp)) == clamped.bind(most=7)


def test_it_is_certified() -> None:
    """By rules that were there before, in a chain like any other."""
    certificate = certified(measurement(dp.rows(dp.integers(5, 10), size=10) >> dp.sum() >> dp.laplace(5)), 3)
    links = cast("dict[str, list[dict[str, object]]]", certificate.data["derivation"])["premises"]
    assert [link["rule"] for link in links] == ["symmetric_to_change_one", "sum_change_one", "laplace"]
    assert rejection(certificate.text()) is None
