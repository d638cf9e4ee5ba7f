"""Synthetic tables: trees, what they cost, what comes out, and what is refused."""

from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
import polars as pl
import pytest

import dpcore as dp
from dpcore.many.trees import Noisy, fitted
from dpcore.many.universe import Floats
from dpcore.noise.bits import SeededBits

PERSON = dp.record(
    age=dp.integers(0, 4), member=dp.booleans(), region=dp.categories("N", "S", "W"), visits=dp.integers(0, 2)
)
PEOPLE = dp.rows(PERSON)


def table(n: int) -> list[dict[str, object]]:
    """The visits follow the age, the region follows whether somebody is a member, and the rest is even."""
    dice = Random(5)
    rows: list[dict[str, object]] = []
    for _ in range(n):
        age, member = dice.randrange(5), dice.random() < 0.5
        rows.append(
            {"age": age, "member": member, "region": dice.choice("NNNS" if member else "SWWW"), "visits": age // 2}
        )
    return rows


def shares(rows: list[dict[str, object]], first: str, second: str) -> Floats:
    values = {"age": range(5), "member": (False, True), "region": "NSW", "visits": range(3)}
    return np.array(
        [[sum((r[first], r[second]) == (a, b) for r in rows) for b in values[second]] for a in values[first]]
    ) / len(rows)


@pytest.mark.seed("003-09c")
def test_a_table_in_a_table_out() -> None:
    rows = table(3000)
    made = (PEOPLE >> dp.synthesize(dp.zcdp("1/2"))).release(rows, bits=SeededBits(1))
    assert {*made.edges} >= {("age", "visits"), ("member", "region")}
    for first, second in combinations(("age", "member", "region", "visits"), 2):
        assert np.abs(made.marginal(first, second) - shares(rows, first, second)).sum() < 0.08
    frame = pl.DataFrame(rows)
    out = made.rows(500, like=frame, bits=SeededBits(2))
    assert isinstance(out, pl.DataFrame)
    assert (out.columns, len(out), out.schema) == (frame.columns, 500, frame.schema)
    listed = made.rows(bits=SeededBits(2))
    assert isinstance(listed, list)
    assert abs(len(listed) - 3000) < 30
    assert np.abs(shares(listed, "age", "visits") - made.marginal("age", "visits")).sum() < 0.02
    assert all(PERSON.member(row) for row in listed[:50])


@pytest.mark.parametrize("metric", [dp.SymmetricDistance(), dp.ChangeOneDistance()], ids=["added", "replaced"])
@pytest.mark.parametrize("rho", ["1/100", "1/3", 2])
def test_the_loss_is_the_budget_and_hardly_less_is_spent(metric: dp.SymmetricDistance, rho: str | int) -> None:
    space = dp.rows(PERSON, metric)
    made = space >> dp.synthesize(dp.zcdp(rho))
    assert made.loss(1) == dp.zcdp(rho)
    assert made.loss(2) == dp.zcdp(4 * dp.zcdp(rho).rho.upper)
    plan = dp.synthesize(dp.zcdp(rho))._plan(space)
    one, two, three = plan.sigmas()
    counts = plan.counts((0,), space, one).loss(1).rho.upper
    pair = plan.counts((0, 2), space, three).loss(1).rho.upper
    spent = 4 * counts + 3 / (2 * two * two) + 3 * pair
    whole = dp.zcdp(rho).rho.upper
    assert whole * (1 - 10**-4) < spent <= whole


def test_it_certifies() -> None:
    assert b"histogram_l2_symmetric" in dp.certify(PEOPLE >> dp.synthesize(dp.zcdp("1/8")), d_in=1).text()


def test_one_field_and_missing_values() -> None:
    space = dp.rows(dp.record(g=dp.optional(dp.categories("a", "b"))))
    made = (space >> dp.synthesize(dp.zcdp(10))).release([{"g": None}] * 30 + [{"g": "b"}] * 70, bits=SeededBits(1))
    assert made.edges == ()
    assert np.abs(made.marginal("g") - [0.3, 0, 0.7]).sum() < 0.05


def test_with_hardly_any_budget_and_no_rows_nothing_breaks() -> None:
    made = (PEOPLE >> dp.synthesize(dp.zcdp("1/1000000"))).release([], bits=SeededBits(1))
    assert len(made.edges) == 3
    assert abs(made.marginal("age", "visits").sum() - 1) < 1e-9
    rows = made.rows(10, bits=SeededBits(1))
    assert isinstance(rows, list)
    assert len(rows) == 10


def test_a_tree_is_the_sum_over_all_cells() -> None:
    dice = np.random.default_rng(3)
    sizes, edges = (3, 4, 2, 5), [(0, 2), (1, 2), (2, 3)]
    weights = np.ones(sizes)
    for i, j in edges:
        spread = [1 if axis not in (i, j) else n for axis, n in enumerate(sizes)]
        weights = weights * dice.random((sizes[i], sizes[j])).reshape(spread)
    weights /= weights.sum()

    def over(*kept: int) -> Floats:
        found: Floats = weights.sum(axis=tuple([axis for axis in range(4) if axis not in kept]))
        return found

    noisy = [Noisy((i,), 50 * over(i), 1.0) for i in range(4)] + [Noisy(edge, 50 * over(*edge), 2.0) for edge in edges]
    tree = fitted(sizes, edges, noisy, 50)
    for i, j in combinations(range(4), 2):
        assert np.allclose(tree.pair(i, j), over(i, j), atol=1e-3)
        assert np.allclose(tree.pair(j, i), over(i, j).T, atol=1e-3)
    columns = tree.sampled(20_000, dice)
    for i, j in combinations(range(4), 2):
        drawn = np.histogram2d(columns[i], columns[j], bins=[range(sizes[i] + 1), range(sizes[j] + 1)])[0] / 20_000
        assert np.abs(drawn - tree.pair(i, j)).max() < 0.01


@pytest.mark.filterwarnings("error")
def test_marginals_that_are_met_exactly_end_the_fit() -> None:
    """The step would grow until it is infinite, and infinity times nothing is not a number."""
    counts = np.array([[1.0, 2.0], [3.0, 4.0]])
    tree = fitted((2, 2), [(0, 1)], [Noisy((0, 1), counts, 1.0)], 10)
    assert np.allclose(tree.pair(0, 1), counts / 10)


def test_what_is_refused() -> None:
    bad = dp.errors.InvalidParameter
    with pytest.raises(bad, match="a budget in ZCDP"):
        dp.synthesize(dp.pure(1))  # type: ignore[arg-type]
    with pytest.raises(bad, match="a budget above 0"):
        dp.synthesize(dp.zcdp(0))
    with pytest.raises(dp.errors.DomainMismatch, match="a table has fields"):
        dp.rows(dp.integers(0, 3)) >> dp.synthesize(dp.zcdp(1))
    with pytest.raises(dp.errors.DomainMismatch, match="need a universe"):
        dp.rows(dp.record(n=dp.integers())) >> dp.synthesize(dp.zcdp(1))
    with pytest.raises(dp.errors.DomainMismatch, match="too many values"):
        dp.rows(dp.record(a=dp.integers(0, 999), b=dp.integers(0, 999))) >> dp.synthesize(dp.zcdp(1))
    made = (PEOPLE >> dp.synthesize(dp.zcdp(1))).release(table(20))
    with pytest.raises(bad, match="one field or of two"):
        made.marginal("nobody")
    with pytest.raises(bad, match="a table of a library"):
        made.rows(3, like=3)


@pytest.mark.parametrize("counts", [[3.0, 1.0], [2.0, 2.0], [4.0]])
def test_a_tree_that_fits_exactly_is_done(counts: list[float]) -> None:
    """Its steps, which grow as long as nothing gets worse, would leave the floats."""
    with np.errstate(over="raise", invalid="raise"):
        found = fitted((len(counts),), [], [Noisy((0,), np.array(counts), 1.0)], 4)
    assert found.singles[0] == pytest.approx(np.array(counts) / 4)
