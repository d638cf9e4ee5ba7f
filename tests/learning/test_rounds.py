"""Lloyd and descent: what they cost, what they refuse when they are built, and that they are made of steps that are here."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import dpcore as dp
from dpcore import row
from dpcore.engines.blocks import OfBlocks
from dpcore.engines.doors import table
from dpcore.errors import BudgetExceeded, DomainMismatch, InvalidParameter, MetricMismatch, UserFunctionFailed
from dpcore.expressions import Expression
from dpcore.functions import user_function
from dpcore.learning.lloyd import nearest
from dpcore.learning.rounds import NOISES
from dpcore.noise.bits import SeededBits

L1, L2 = dp.L1Distance, dp.L2Distance
SQUARE = dp.vector(dp.numbers(-1, 1, "1/4"), 2)
START = [[-1, 0], [1, 0]]
METRICS = [dp.SymmetricDistance(), dp.ChangeOneDistance()]


def line(theta: list[Fraction]) -> list[Expression]:
    return [(row()[0] * theta[0] - row()[1]) * row()[0]]


def line_on_blocks(theta: Any, block: Any) -> Any:
    return ((block[:, 0] * theta[0] - block[:, 1]) * block[:, 0])[:, None]


# ---- what they cost ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", METRICS, ids=repr)
@pytest.mark.parametrize("loss", [dp.pure("3/7"), dp.zcdp("1/8"), dp.zcdp("2/9")], ids=repr)
@pytest.mark.parametrize("rounds", [1, 3])
def test_the_whole_loss_is_spent_and_no_round_costs_more_than_its_share(metric: Any, loss: Any, rounds: int) -> None:
    space: Any = dp.rows(SQUARE, metric)
    for step in (dp.lloyd(2, rounds, loss, START), dp.descend(line, rounds, loss, clip=1, start=[0], size=9)):
        assert (space >> step).loss(1) == loss
        share, once = loss.scaled(Fraction(1, rounds)), step.round(space).loss(1)
        assert once <= share
        assert share.scaled(Fraction(999_999, 1_000_000)) <= once, "and not much less"
        step.round(space).loss(2)
    assert (space >> dp.lloyd(2, rounds, loss, START)).release([[0, 1], [0.25, 1]], bits=SeededBits(1))


def test_groups_pay_for_each_of_them() -> None:
    clusters = dp.rows(SQUARE) >> dp.lloyd(2, 5, dp.pure(2), START)
    assert clusters.loss(3) == dp.pure(6)
    assert (dp.rows(SQUARE) >> dp.lloyd(2, 5, dp.zcdp("1/2"), START)).loss(3) == dp.zcdp("9/2")


def test_certificates_say_what_is_left_to_believe() -> None:
    """Of the whole, that no stage costs more than its share, which is checked when it runs; of a round of Lloyd, nothing."""
    space = dp.rows(SQUARE)
    assert "however they choose: 2/5" in assumed(space >> dp.lloyd(2, 5, dp.pure(2), START))
    assert assumed(dp.lloyd(2, 5, dp.pure(2), START).round(space)) == "[]"
    blocks = dp.descend(line_on_blocks, 3, dp.pure(1), clip=1, start=[0], size=5).round(space)
    assert "line_on_blocks" in assumed(blocks)


def test_a_certificate_names_the_function_that_it_rests_on() -> None:
    """Two functions on blocks, of which one may lie about its rows, have two certificates."""

    def other(theta: Any, block: Any) -> Any:
        return line_on_blocks(theta, block) * 2

    first, second = (
        assumed(dp.rows(SQUARE) >> dp.descend(f, 2, dp.pure(1), clip=1, start=[0], size=5))
        for f in (line_on_blocks, other)
    )
    assert "line_on_blocks" in first
    assert first.replace("line_on_blocks", "") != second.replace(other.__qualname__, "")


def assumed(m: Any) -> str:
    return str(dp.certify(m, d_in=1).data["assumptions"])


def test_a_round_that_costs_more_is_refused_before_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    step = dp.lloyd(2, 2, dp.pure(2), START)
    monkeypatch.setitem(NOISES, type(step.loss), type(NOISES[type(step.loss)])(L1, dp.laplace, lambda ratio: ratio / 2))
    with pytest.raises(BudgetExceeded):
        (dp.rows(SQUARE) >> step).release([[0, 0]])


# ---- what they do ------------------------------------------------------------------------------------------------------


def test_the_nearest_centre_is_the_first_of_the_nearest() -> None:
    centres = [
        (Fraction(-1), Fraction(0)),
        (Fraction(1), Fraction(0)),
        (Fraction(1), Fraction(1)),
        (Fraction(0), Fraction(0)),
    ]
    place = nearest(centres)
    values = [Fraction(i, 4) for i in range(-4, 5)]
    for x in values:
        for y in values:
            far = [(x - a) ** 2 + (y - b) ** 2 for a, b in centres]
            assert place.on_row([x, y]) == far.index(min(far))


def test_the_rounds_are_those_of_lloyd_where_the_noise_is_small() -> None:
    points = [[-0.75, 0]] * 60 + [[-0.25, 0]] * 60 + [[0.75, 0.5]] * 50
    found = (dp.rows(SQUARE) >> dp.lloyd(2, 3, dp.pure(3000), [[0, 0], ["1/4", 0]])).release(points, bits=SeededBits(3))
    assert found == [[Fraction(-1, 2), 0], [Fraction(3, 4), Fraction(1, 2)]]


def test_both_forms_of_a_gradient_descend_alike() -> None:
    x = np.random.default_rng(1).uniform(-1, 1, 400).round(2)
    data = np.column_stack([x, (x * 0.5).round(3)])
    space = dp.rows(dp.vector(dp.numbers(-1, 1, "0.001"), 2))
    for gradient in (line, line_on_blocks):
        step = dp.descend(gradient, 20, dp.pure(20_000), clip=2, start=[0], rate=3, size=400)
        [slope] = (space >> step).release(data, bits=SeededBits(5))
        assert abs(float(slope) - 0.5) < 0.01


# ---- functions on blocks -----------------------------------------------------------------------------------------------


def function_of(f: Callable[[Any], Any], size: int = 1, step: str = "1/8") -> OfBlocks:
    return OfBlocks(user_function(f), size, Fraction(1), "L2", Fraction(step))


def test_a_block_says_of_each_row_what_it_says_of_the_row_alone() -> None:
    """Also where its last bits depend on the rows beside it: near the middle of two grid points a row is asked alone."""

    def shaken(block: Any) -> Any:
        return block[:, :1] + (len(block) - 1) * 1e-13

    rows = [[Fraction(k, 16)] for k in range(-16, 17)]
    f = function_of(shaken)
    given = np.array([[float(v)] for (v,) in rows * 2])
    together = table(given, dp.rows(dp.vector(dp.numbers(-1, 1, "1/16"), 1)).domain)
    domain = dp.vector(dp.numbers(-1, 1, "1/8"), 1)
    assert together.map_rows(user_function(f), domain).in_memory() == [f(row) for row in rows * 2]


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_no_number_counts_as_nothing(value: float) -> None:
    assert function_of(lambda block: np.full((len(block), 2), value), 2)([Fraction(1)]) == [0, 0]
    assert function_of(lambda block: np.array([[1.0, value]] * len(block)), 2)([Fraction(1)]) == [0, 0]


@pytest.mark.parametrize("large", [1.0, 2.0, 1e300, 1e-300])
def test_vectors_are_brought_within_the_norm(large: float) -> None:
    found = function_of(lambda block: np.array([[3.0, -4.0]] * len(block)) * large, 2, "1/1000")([Fraction(1)])
    expected = [Fraction(3, 5), Fraction(-4, 5)] if large >= 1 else [0, 0]
    assert found == expected


def test_a_function_that_looks_at_the_rows_beside_is_found_out_on_rows_made_up() -> None:
    def centred(theta: Any, block: Any) -> Any:
        return (block - block.mean(axis=0))[:, :1]

    for rows in (dp.rows(SQUARE), dp.rows(dp.vector(dp.numbers(), 2))):
        with pytest.raises(InvalidParameter, match="where other rows stand beside"):
            rows >> dp.descend(centred, 2, dp.pure(1), clip=1, start=[1], size=4)


def test_a_grid_that_is_finer_than_floats_is_refused() -> None:
    for step, gradient in (("1e-7", line_on_blocks), ("1e-20", line_on_blocks)):
        with pytest.raises(InvalidParameter, match="step of at least"):
            dp.rows(SQUARE) >> dp.descend(gradient, 2, dp.pure(1), clip=1, start=[1], size=4, step=step)
    dp.rows(SQUARE) >> dp.descend(line, 2, dp.pure(1), clip=1, start=[1], size=4, step="1e-7")


def test_a_function_of_another_shape_is_refused() -> None:
    def flat(theta: Any, block: Any) -> Any:
        return block[:, 0]

    with pytest.raises(UserFunctionFailed, match="another shape"):
        dp.rows(SQUARE) >> dp.descend(flat, 2, dp.pure(1), clip=1, start=[1], size=4)


def test_records_come_as_columns_by_name() -> None:
    people = dp.rows(dp.record(x=dp.integers(0, 4), y=dp.numbers(0, 2, "0.5"), smokes=dp.booleans()))

    def gradient(theta: Any, block: Any) -> Any:
        return np.column_stack([theta[0] - block["x"], theta[1] - block["y"] * block["smokes"]])

    step = dp.descend(gradient, 30, dp.pure(100_000), clip=10, start=[0, 0], size=3)
    data: Any = [
        {"x": 1, "y": 0.5, "smokes": True},
        {"x": 2, "y": 2, "smokes": True},
        {"x": 3, "y": 2, "smokes": False},
    ]
    for given in (data, {name: np.array([person[name] for person in data]) for name in ("x", "y", "smokes")}):
        found = (people >> step).release(given, bits=SeededBits(1))
        assert [round(float(v), 1) for v in found] == [2.0, 0.8]


def test_no_warning_tells_of_a_row(recwarn: pytest.WarningsRecorder) -> None:
    """A root that is complex where any row is below 0 would warn, and say so."""

    def roots(theta: Any, block: Any) -> Any:
        return np.emath.sqrt(block[:, :1])

    for data in ([[1.0, 0.0]], [[-1.0, 0.0]]):
        (dp.rows(SQUARE) >> dp.descend(roots, 2, dp.pure(1), clip=1, start=[0], size=5)).release(np.array(data))
    assert not recwarn.list


@pytest.mark.parametrize("largest", [10**308, 10**400])
def test_rows_may_be_larger_than_floats(largest: int) -> None:
    space = dp.rows(dp.vector(dp.integers(-largest, largest), 2))
    assert (space >> dp.descend(line_on_blocks, 2, dp.pure(1), clip=1, start=[0], size=5)).loss(1) == dp.pure(1)


def untyped(f: Any) -> Any:
    return f


# ---- what is refused when it is built ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "build",
    [
        lambda: dp.lloyd(0, 1, dp.pure(1), []),
        lambda: dp.lloyd(2, 0, dp.pure(1), START),
        lambda: dp.lloyd(2, 1, dp.pure(0), START),
        lambda: dp.lloyd(2, 1, dp.approx(1, "1e-6"), START),  # type: ignore[call-overload]
        lambda: dp.lloyd(3, 1, dp.pure(1), START),
        lambda: dp.lloyd(2, 1, dp.pure(1), [[0, 0], [0, 0]]),
        lambda: dp.lloyd(2, 1, dp.pure(1), [[0, 0], "01"]),
        lambda: dp.lloyd(2, 1, dp.pure(1), [[0, 0], ["x", 0]]),
        lambda: dp.lloyd(2, 1, dp.pure(1), [[0, 0], ["1/0", 0]]),
        lambda: dp.descend(line, 1, dp.pure(1), clip=1, start=["nan"], size=1),
        lambda: dp.rows(SQUARE, dp.ChangeOneDistance(), size=0) >> dp.descend(line, 1, dp.pure(1), clip=1, start=[0]),
        lambda: dp.descend(line, 0, dp.pure(1), clip=1, start=[0], size=1),
        lambda: dp.descend(line, 1, dp.pure(1), clip=0, start=[0], size=1),
        lambda: dp.descend(line, 1, dp.pure(1), clip=1, start=[], size=1),
        lambda: dp.descend(line, 1, dp.pure(1), clip=1, start=[0], size=0),
        lambda: dp.descend(line, 1, dp.pure(1), clip=1, start=[0], size=1, rate=0),
        lambda: dp.descend(untyped(lambda: []), 1, dp.pure(1), clip=1, start=[0], size=1),
        lambda: dp.rows(SQUARE) >> dp.descend(line, 1, dp.pure(1), clip=1, start=[0]),
        lambda: dp.rows(SQUARE) >> dp.descend(line, 1, dp.pure(1), clip=1, start=[0, 0], size=1),
        lambda: dp.rows(SQUARE) >> dp.descend(untyped(lambda theta: [1]), 1, dp.pure(1), clip=1, start=[0], size=1),
    ],
)
def test_parameters_that_make_no_sense(build: Callable[[], object]) -> None:
    with pytest.raises(InvalidParameter):
        build()


@pytest.mark.parametrize(
    ("space", "start"),
    [
        (dp.rows(SQUARE), [[2, 0], [0, 0]]),
        (dp.rows(SQUARE), [["1/3", 0], [0, 0]]),
        (dp.rows(SQUARE), [[0], [1]]),
        (dp.rows(dp.vector(dp.numbers(-1, 1, 1), 2, L1, 1)), [[1, 1], [0, 0]]),
        (dp.rows(dp.vector(dp.numbers(-1, 1), 2)), START),
        (dp.rows(dp.vector(dp.numbers(step="1/4"), 2)), START),
        (dp.rows(dp.integers(0, 1)), START),
    ],
)
def test_starts_and_rows_that_do_not_fit(space: Any, start: Any) -> None:
    with pytest.raises(DomainMismatch):
        space >> dp.lloyd(2, 1, dp.pure(1), start)


def test_more_clusters_than_cells() -> None:
    """There are no more different centres than there are places for rows."""
    cells = dp.rows(dp.vector(dp.integers(0, 1), 1))
    with pytest.raises(DomainMismatch):
        cells >> dp.lloyd(3, 1, dp.pure(1), [[0], [1], [2]])
    with pytest.raises(InvalidParameter, match="different centres"):
        dp.lloyd(3, 1, dp.pure(1), [[0], [1], [1]])


def test_rows_of_persons_must_be_bounded_first() -> None:
    visits: Any = dp.rows(dp.record(who=dp.integers(), at=SQUARE), dp.PersonDistance("who"))
    with pytest.raises((MetricMismatch, DomainMismatch)):
        visits >> dp.lloyd(2, 1, dp.pure(1), START)


def test_a_round_by_itself_takes_centres_as_the_start_is_taken() -> None:
    rows = dp.rows(dp.vector(dp.numbers(-1, 1, "1/4"), 2, L1, 1))
    step = dp.lloyd(2, 1, dp.pure(1), START)
    assert step.round(rows, [[0, 1], [0, -1]]).loss(1) == dp.pure(1)
    for wrong in ([], [[0, 1]], [[0], [1]], [[0, 1], [0, 1]]):
        with pytest.raises(dp.errors.DPError):
            step.round(rows, wrong)
    with pytest.raises(DomainMismatch, match="where rows can be"):
        step.round(rows, [[7, 0], [0, 0]])
