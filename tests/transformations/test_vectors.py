"""Vectors of numbers off the grid: rounded, shortened, taken apart; from lists and from matrices alike."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isqrt
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpcore as dp
from dpcore.domains import Array, Norm, raised, raised_norm
from dpcore.engines.clipping import Clipping
from dpcore.engines.numpy.clipping import SMALL, _roots, on_counts
from dpcore.maps import known

POINTS = dp.rows(dp.vector(dp.numbers(-10, 10), 2))
NORMS = (dp.L1Distance, dp.L2Distance, dp.LInfDistance)
matrices = st.lists(st.lists(st.floats(-10, 10), min_size=2, max_size=2), max_size=5)


def matrix(rows: list[list[float]]) -> Array:
    return np.array(rows, dtype=np.float64).reshape(len(rows), 2)


@given(matrices)
def test_a_matrix_is_a_list_of_its_rows(rows: list[list[float]]) -> None:
    whole = matrix(rows)
    for t in (
        POINTS >> dp.quantize("0.1"),
        POINTS >> dp.filter(dp.row()[0] > dp.row()[1]),
        POINTS >> dp.clip_norm(1, dp.L2Distance, step="0.01"),
    ):
        assert t(whole) == t(rows)
    total = POINTS >> dp.quantize("0.1") >> dp.sum(norm=dp.L1Distance)
    assert total(whole) == total(rows)


@given(matrices, st.sampled_from(NORMS), st.sampled_from(["1", "1/10", "3/7"]))
def test_shortened_vectors_are_on_the_grid_and_within_the_bound(
    rows: list[list[float]], norm: type[dp.L1Distance], step: str
) -> None:
    bound = Fraction(5, 2)
    for vector in (POINTS >> dp.clip_norm(bound, norm, step=step))(rows):
        assert all((entry / Fraction(step)).denominator == 1 for entry in vector)
        length = raised_norm(vector, norm().norm)
        assert length <= known(raised(bound, norm().norm))


def test_a_step_is_quantize_before() -> None:
    at_once = POINTS >> dp.clip_norm(1, dp.L2Distance, step="0.001")
    assert at_once == POINTS >> dp.quantize("0.001") >> dp.clip_norm(1, dp.L2Distance)
    assert at_once.output.domain.of == dp.vector(dp.numbers(-10, 10, "0.001"), 2, dp.L2Distance, 1)


def test_rounding_forgets_the_norm_it_may_exceed() -> None:
    short = dp.rows(dp.vector(dp.numbers(-1, 1), 2, dp.L1Distance, "0.9"))
    assert (short >> dp.quantize("1/2")).output.domain.of == dp.vector(dp.numbers(-1, 1, "1/2"), 2)
    assert (short >> dp.quantize("1/2"))([[0.45, 0.45]]) == [[Fraction(1, 2), Fraction(1, 2)]]


def test_a_column_of_a_table_may_be_a_matrix() -> None:
    people = dp.rows(dp.record(at=dp.vector(dp.integers(0, 9), 2), n=dp.integers(0, 3)))
    rows = [{"at": [1, 9], "n": 2}, {"at": [0, 0], "n": 1}]
    far = people >> dp.filter(dp.field("at")[1] >= 5)
    assert far({"at": np.array([[1, 9], [0, 0]]), "n": np.array([2, 1])}) == far(rows) == rows[:1]


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (np.array([[0.0, 1.0], [0.0, 11.0]]), "row 1, coordinate 1, "),
        (np.array([[0.0, np.nan]]), "row 0, coordinate 1, "),
        (np.zeros((3, 4)), "row 0, a vector of another size than 2"),
        (np.zeros((1, 2, 2)), "expected an array of 1 dimension but got one of 3"),
        (np.ma.MaskedArray([[0.0, 1.0]], [[False, True]]), "row 0, coordinate 1, "),
    ],
)
def test_the_first_row_that_is_no_member_is_named(data: Array, where: str) -> None:
    with pytest.raises(dp.errors.InvalidData, match=where):
        (POINTS >> dp.count())(data)


def test_a_norm_is_checked_of_matrices_too() -> None:
    short = dp.rows(dp.vector(dp.integers(0, 9), 2, dp.L1Distance, 9))
    assert (short >> dp.count())(np.array([[4, 5]])) == 1
    with pytest.raises(dp.errors.InvalidData, match="row 1, a vector longer than the bound of its L1 norm"):
        (short >> dp.count())(np.array([[4, 5], [5, 5]]))


def test_what_is_no_entry_is_refused() -> None:
    for build, text in (
        (lambda: POINTS >> dp.filter(dp.row()[2] > 0), "a vector of more than 2 entries"),
        (lambda: POINTS >> dp.filter(dp.row()[-1] > 0), "a whole number from 0, but got -1"),
        (lambda: POINTS >> dp.filter(dp.row()[cast(int, True)] > 0), "a whole number from 0, but got True"),
        (lambda: dp.rows(dp.integers()) >> dp.filter(dp.row()[0] > 0), "Expected a vector but got a number"),
    ):
        with pytest.raises(dp.errors.InvalidExpression, match=text):
            build()


def test_the_way_onto_a_grid_is_named() -> None:
    for build in (
        lambda: POINTS >> dp.sum(norm=dp.L2Distance),
        lambda: POINTS >> dp.clip_norm(1, dp.L2Distance),
    ):
        with pytest.raises(dp.errors.DomainMismatch, match=r"quantize\(step\)"):
            build()


@pytest.mark.parametrize("norm", ["L1", "L2", "LInf"])
@pytest.mark.parametrize("bound", ["0", "3/7", "1", "1000"])
@pytest.mark.parametrize("step", ["1", "1/1024", "1/3"])
def test_columns_are_shortened_as_rows_are(norm: Norm, bound: str, step: str) -> None:
    """Also where a length leaves 58 bits, and where a root is a whole number."""
    draws = np.random.default_rng(3)
    clip = Clipping(Fraction(bound), norm, Fraction(step), whole=False)
    for largest in (3, 1000, 1 << 20, 1 << 29, 1 << 30, 1 << 40, 1 << 61):
        counts = draws.integers(-largest, largest + 1, (20, 3))
        counts[:5, 1:] = 0
        found = on_counts(clip, counts, Fraction(step))
        assert found is not None
        rows = [[Fraction(v) * Fraction(step) for v in row] for row in counts.tolist()]
        expected = [clip.on_row(row) for row in rows]
        assert [[Fraction(v) * Fraction(step) for v in row] for row in found.tolist()] == expected


def test_roots_are_whole_numbers_exactly() -> None:
    """Beside squares, where quotients of floats are rounded across them."""
    draws = np.random.default_rng(8)
    roots = draws.integers(1, 1 << 29, 20_000)
    by = np.maximum(1, (SMALL - 1) // roots**2 - draws.integers(0, 3, 20_000))
    for beside in (-1, 0, 1):
        over = roots**2 * by + beside
        expected = [isqrt(a // b) for a, b in zip(over.tolist(), by.tolist(), strict=True)]
        assert _roots(over, by).tolist() == expected


def test_vectors_are_selected_by_their_entries() -> None:
    """From rows and from columns alike; null where an entry is."""
    of = dp.record(x=dp.numbers(-1, 1, "0.1"), y=dp.optional(dp.integers(0, 3)))
    entries: Any = [dp.field("x", float), dp.field("y") * 2, 5]
    both: Any = dp.rows(of) >> dp.select(entries)
    assert both.output.domain.of == dp.optional(dp.vector(dp.numbers(-1, 6, "0.1"), 3))
    data = [{"x": 0.1, "y": 1}, {"x": -0.3, "y": None}]
    expected = [[Fraction(1, 10), 2, 5], None]
    assert both(data) == expected
    assert both({"x": np.array([0.1, -0.3]), "y": np.ma.masked_array([1, 0], [False, True])}) == expected
    assert (
        eval(
            repr(both),
            {
                name: getattr(dp, name)
                for name in ("rows", "record", "numbers", "optional", "integers", "select", "field")
            },
        )
        == both
    )


@pytest.mark.parametrize("entries", [[], [1, 2]])
def test_a_vector_of_no_expressions_is_refused(entries: Any) -> None:
    with pytest.raises(dp.errors.DPError, match="entries of a vector"):
        dp.select(entries)


@pytest.mark.parametrize("place", range(3))
def test_an_entry_is_counted_from_0_on_every_carrier(place: int) -> None:
    """By its value: what every carrier does alike may be wrong alike."""
    space = dp.rows(dp.record(v=dp.vector(dp.integers(0, 900), 3)))
    chosen: Any = cast(Any, dp.field("v"))[place]
    entry: Callable[[object], int] = cast(Any, space) >> dp.select(chosen) >> dp.sum()
    vectors = [[1, 20, 300], [4, 50, 600]]
    carriers = [[{"v": vector} for vector in vectors], {"v": np.array(vectors)}, {"v": vectors}]
    assert [entry(rows) for rows in carriers] == [[5, 70, 900][place]] * 3
