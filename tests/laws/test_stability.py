"""`d_out(f(x), f(y)) <= map(d_in(x, y))` for every transformation: on all pairs of a tiny universe, and on generated data.
Where a key decides what is chosen, both see the same one: stability is claimed for each.

Where the catalogue gives no reason why not, the bound is reached at distance 1.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpcore as dp
from dpcore.noise.bits import SeededBits
from tests.laws import checks
from tests.laws.arrows import AnyTransformation, transformation
from tests.laws.catalogue import TRANSFORMATIONS, Example

by_name = pytest.mark.parametrize("example", TRANSFORMATIONS, ids=lambda e: e.name)
ON_ROWS = [e for e in TRANSFORMATIONS if isinstance(transformation(e.build()).input.domain, dp.types.Rows)]


@by_name
def test_stable_and_tight(example: Example) -> None:
    checks.holds(example)


@pytest.mark.spread(3)
@pytest.mark.parametrize("example", ON_ROWS, ids=lambda e: e.name)
@given(st.data())
def test_stable_on_generated_neighbours(example: Example, data: st.DataObject) -> None:
    """Larger data than all pairs can be tried of, duplicates and no rows at all among them, one to three steps apart."""
    f = transformation(example.build())
    x, y = data.draw(neighbours(f, example))
    d = f.input.metric.carried(x, y)
    if not isinstance(d, float):
        moved = f.output.metric.carried(f(x, bits=SeededBits(1)), f(y, bits=SeededBits(1)))
        assert moved <= checks.reach(f, d), (x, y)


@st.composite
def neighbours(draw: st.DrawFn, f: AnyTransformation, example: Example) -> tuple[list[object], list[object]]:
    """Rows, and the same rows in another order after one to three steps."""
    domain = f.input.domain
    assert isinstance(domain, dp.types.Rows)
    row = st.sampled_from(list(example.atoms))
    least, most = (0, 8) if domain.size is None else (domain.size, domain.size)
    x = draw(st.lists(row, min_size=least, max_size=most))
    y = list(x)
    for _ in range(draw(st.integers(1, 3))):
        if domain.size is None and draw(st.booleans()):
            y.append(draw(row))
        elif y:
            at = draw(st.integers(0, len(y) - 1))
            y[at : at + 1] = [draw(row)] if domain.size is not None or draw(st.booleans()) else []
    return x, draw(st.permutations(y))


@given(
    st.lists(st.tuples(st.integers(-99, 99), st.integers(-99, 99)), max_size=4),
    st.lists(st.tuples(st.integers(-99, 99), st.integers(-99, 99)), max_size=4),
    st.sampled_from([dp.L1Distance, dp.L2Distance, dp.LInfDistance]),
    st.fractions(0, 20, max_denominator=7),
    st.sampled_from([Fraction(1), Fraction(1, 3), Fraction(1, 10)]),
)
def test_vectors_clipped_to_any_bound(
    left: list[tuple[int, int]],
    right: list[tuple[int, int]],
    norm: type[dp.L1Distance],
    bound: Fraction,
    step: Fraction,
) -> None:
    """Rounding to the grid never makes a vector longer, whatever the bound, the grid and the norm."""
    for metric in (dp.SymmetricDistance(), dp.ChangeOneDistance()):
        rows = dp.rows(dp.vector(dp.numbers(step=step), 2), metric)
        f = transformation(rows >> dp.clip_norm(bound, norm) >> dp.sum(norm=norm))
        x, y = ([[v * step for v in vector] for vector in side] for side in (left, right))
        d = f.input.metric.carried(x, y)
        if not isinstance(d, float):
            assert f.output.metric.carried(f(x, bits=SeededBits(1)), f(y, bits=SeededBits(1))) <= checks.reach(f, d)


@given(
    st.lists(st.integers(-3, 3), max_size=7),
    st.lists(st.integers(-3, 3), max_size=7),
    st.lists(st.integers(-4, 4), min_size=1, max_size=4, unique=True),
    st.fractions(0, 1, max_denominator=9),
)
def test_quantiles_of_any_level(left: list[int], right: list[int], candidates: list[int], q: Fraction) -> None:
    for metric in (dp.SymmetricDistance(), dp.ChangeOneDistance()):
        f = transformation(dp.rows(dp.integers(-3, 3), metric) >> dp.quantile_scores(candidates, q))
        d = f.input.metric.carried(left, right)
        if not isinstance(d, float):
            assert f.output.metric.carried(f(left), f(right)) <= checks.reach(f, d)


def test_rows_in_any_order_give_the_same() -> None:
    """Data sets are multisets: at distance 0 nothing may differ, whatever the order of the rows."""
    for example in ON_ROWS:
        f = transformation(example.build())
        rows = list(example.atoms) * 2
        assert isinstance(f.input.domain, dp.types.Rows)
        rows = rows[: f.input.domain.size]
        assert f.output.metric.carried(f(rows, bits=SeededBits(1)), f(rows[::-1], bits=SeededBits(1))) == 0, (
            example.name
        )


def test_far_apart() -> None:
    """A hundred rows more: the map grows as it must."""
    for example in ON_ROWS:
        f = transformation(example.build())
        x, y = list(example.atoms)[:1] * 100, list(example.atoms)[-1:] * 100
        assert isinstance(f.input.domain, dp.types.Rows)
        d = f.input.metric.carried(x, y)
        if f.input.domain.size is None and not isinstance(d, float):
            assert f.output.metric.carried(f(x, bits=SeededBits(1)), f(y, bits=SeededBits(1))) <= checks.reach(f, d), (
                example.name
            )
