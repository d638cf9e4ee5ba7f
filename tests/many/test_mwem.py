"""Multiplicative weights: what they cost, what they are made of, how far off they are, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest

import dpcore as dp
from dpcore.errors import InvalidParameter
from dpcore.expressions.expr import Value
from dpcore.many.mwem import asking_by
from dpcore.many.universe import layout_of, universe_of
from dpcore.noise.bits import SeededBits
from tests.engines.frames.forms import pa, pd

PERSON = dp.record(age=dp.integers(0, 3), member=dp.booleans(), region=dp.categories("N", "S", "W"))
PEOPLE = dp.rows(PERSON, dp.ChangeOneDistance(), size=60)
DATA = [{"age": i % 4, "member": i % 3 == 0, "region": "NNSW"[i % 4]} for i in range(60)]
PAIRS = dp.marginals(PERSON, 2)


def test_the_loss_is_exactly_the_budget() -> None:
    for d in (1, 2, 3):
        assert (PEOPLE >> dp.mwem(PAIRS, 7, dp.pure("1/3"))).loss(d) == dp.pure(Fraction(d, 3))
    assert (PEOPLE >> dp.mwem(PAIRS, 7, dp.zcdp("1/8"))).loss(1) == dp.zcdp("1/8")
    added = dp.rows(PERSON) >> dp.mwem(PAIRS, 3, dp.pure(1), size=60)
    assert added.loss(1) == dp.pure(1)


@pytest.mark.parametrize("loss", [dp.pure("2/3"), dp.zcdp("1/7")], ids=repr)
def test_what_is_asked_costs_the_budget_and_hardly_less(loss: dp.types.PureLoss) -> None:
    """Each question of the rounds is charged what it loses, and is one of the library's own."""
    step = dp.mwem(PAIRS, 5, loss)
    plan = step._plan(PEOPLE)
    answers = PEOPLE >> dp.linear_queries(*PAIRS, norm=dp.LInfDistance)
    choice = answers >> dp.absolute_errors([0] * len(PAIRS)) >> asking_by(plan).choice()
    answer = plan.asking(PEOPLE, 0)
    spent = 5 * (choice.loss(1).parts[0].upper + answer.loss(1).parts[0].upper)
    whole = loss.parts[0].upper
    assert spent <= whole
    assert whole - spent < whole / 10**5


def test_the_answers_are_near_and_within_their_bound() -> None:
    made = (PEOPLE >> dp.mwem(PAIRS, 12, dp.pure(100))).release(DATA, bits=SeededBits(1))
    truth = [sum(bool(q.on(PERSON).on_row(row)) for row in DATA) / 60 for q in PAIRS]
    errors = [abs(made.answer(q) - share) for q, share in zip(PAIRS, truth, strict=True)]
    assert max(errors) < 0.1
    assert max(errors) <= made.error_bound("0.99")
    assert made.weights.shape == (4, 2, 3)
    assert abs(made.weights.sum() - 1) < 1e-9


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize("loss", [dp.pure(1), dp.zcdp("1/4")], ids=repr)
def test_the_bound_holds_as_often_as_it_says(loss: dp.types.PureLoss, average: bool) -> None:
    """At confidence one half, of twenty releases: that it fails in all of 20 happens in a millionth of the cases."""
    space = dp.rows(dp.integers(0, 7), dp.ChangeOneDistance(), size=400)
    queries = [dp.row() >= k for k in range(1, 8)]
    data = [min(7, i % 11) for i in range(400)]
    truth = [sum(x >= k for x in data) / 400 for k in range(1, 8)]
    mechanism, held = space >> dp.mwem(queries, 4, loss, average=average), 0
    for seed in range(20):
        made = mechanism.release(data, bits=SeededBits(seed))
        off = max(abs(made.answer(q) - share) for q, share in zip(queries, truth, strict=True))
        held += off <= made.error_bound("1/2")
    assert held >= 10


def test_the_bound_of_the_average_is_that_of_the_theorem_at_most() -> None:
    """`sqrt(ln N / T) + a + c/n`, where no step was made again."""
    space = dp.rows(dp.integers(0, 7), dp.ChangeOneDistance(), size=10**6)
    made = (space >> dp.mwem([dp.row() >= k for k in range(1, 8)], 4, dp.pure(1), average=True)).release(
        np.zeros(10**6, np.int64), bits=SeededBits(3)
    )
    assert made.error_bound("0.95") <= (np.log(8) / 4) ** 0.5 + 1e-3


def number(value: object) -> float:
    assert isinstance(value, (bool, int, Fraction))
    return float(value)


def test_with_hardly_any_budget_and_no_rows_nothing_breaks() -> None:
    empty = dp.rows(PERSON) >> dp.mwem(PAIRS, 3, dp.pure("1/1000"), size=1)
    made = empty.release([], bits=SeededBits(1))
    assert np.isfinite(made.weights).all()
    assert made.error_bound("0.95") == 1


def test_shares_are_noised_on_their_grid() -> None:
    thirds = dp.field("age") * Fraction(1, 3)
    space = dp.rows(PERSON, dp.ChangeOneDistance(), size=60)
    made = (space >> dp.mwem([thirds], 2, dp.pure(1))).release(DATA, bits=SeededBits(1))
    assert 0 < made.error_bound("0.95") <= 1
    assert 0 <= made.answer(thirds) <= 1


def test_queries_are_laid_out_as_they_are_on_rows() -> None:
    universe = universe_of(PERSON)
    asked: list[dp.types.Expr[bool] | dp.types.Expr[Value]] = [
        *PAIRS,
        dp.field("age") * Fraction(1, 3),
        dp.literal(True),
    ]
    queries = [q.structure().on(PERSON) for q in asked]
    cells = [dict(zip(("age", "member", "region"), c, strict=True)) for c in product(range(4), (False, True), "NSW")]
    assert universe.rows(range(24)) == cells
    weights = np.arange(24, dtype=float).reshape(4, 2, 3)
    for i, (query, answer) in enumerate(zip(queries, layout_of(universe, queries).answers(weights), strict=True)):
        values = [number(query.on_row(cell)) for cell in cells]
        assert answer == pytest.approx(np.dot(values, weights.ravel())), i
        assert np.allclose(np.broadcast_to(layout_of(universe, [query]).over_cells(0), (4, 2, 3)).ravel(), values)


def test_rows_are_as_frequent_as_their_weights() -> None:
    made = (PEOPLE >> dp.mwem(PAIRS, 3, dp.pure(1))).release(DATA, bits=SeededBits(1))
    rows = made.rows(1000, bits=SeededBits(2))
    assert len(rows) == 1000
    for i, cell in enumerate(made.universe.rows(range(24))):
        assert abs(rows.count(cell) - 1000 * made.weights.ravel()[i]) < 1
    assert PEOPLE.domain.of.member(rows[0])


def test_a_universe_of_a_million_cells() -> None:
    wide = dp.record(**{f"x{i}": dp.integers(0, 9) for i in range(6)})
    space = dp.rows(wide, dp.ChangeOneDistance(), size=50)
    data = [{f"x{i}": (7 * n + i) % 10 for i in range(6)} for n in range(50)]
    made = (space >> dp.mwem(dp.marginals(wide, 1), 1, dp.pure(1))).release(data, bits=SeededBits(1))
    assert made.weights.size == 10**6


def test_it_certifies() -> None:
    certificate = dp.certify(PEOPLE >> dp.mwem(PAIRS[:3], 2, dp.pure(1)), d_in=1)
    assert b"linear_queries_linf_change_one" in certificate.text()
    assert certificate.text().count(b"absolute_errors") == 1, "the first choice stands for all"


def test_marginals() -> None:
    assert len(PAIRS) == 4 * 2 + 4 * 3 + 2 * 3
    assert len(dp.marginals(PERSON, 1)) == 9
    assert len(dp.marginals({"a": dp.optional(dp.booleans()), "b": dp.booleans()}, 2)) == 6
    with pytest.raises(dp.errors.InvalidParameter, match="at most as many as there are fields, 3"):
        dp.marginals(PERSON, 4)
    with pytest.raises(dp.errors.InvalidParameter, match="Expected a record"):
        dp.marginals([dp.booleans()], 1)  # type: ignore[arg-type]
    with pytest.raises(dp.errors.DomainMismatch, match="need a universe"):
        dp.marginals(dp.record(n=dp.integers()), 1)


def test_what_is_refused_when_it_is_built() -> None:
    bad = dp.errors.InvalidParameter
    with pytest.raises(bad, match="rounds to be a whole number of at least 1"):
        dp.mwem(PAIRS, 0, dp.pure(1))
    with pytest.raises(bad, match="at least one entry for queries"):
        dp.mwem([], 1, dp.pure(1))
    with pytest.raises(bad, match="Expected expressions of a row as queries but got a function"):
        dp.mwem([lambda row: True], 1, dp.pure(1))  # type: ignore[list-item]
    with pytest.raises(bad, match="a budget in PureDP or ZCDP"):
        dp.mwem(PAIRS, 1, dp.approx(1, "1e-6"))
    with pytest.raises(bad, match="a budget above 0"):
        dp.mwem(PAIRS, 1, dp.pure(0))
    with pytest.raises(bad, match="how many rows there are"):
        dp.rows(PERSON) >> dp.mwem(PAIRS, 1, dp.pure(1))
    with pytest.raises(bad, match="size to be a whole number"):
        dp.mwem(PAIRS, 1, dp.pure(1), size=0)
    with pytest.raises(dp.errors.DomainMismatch, match="values in \\[0, 1\\]"):
        PEOPLE >> dp.mwem([dp.field("age") * 2], 1, dp.pure(1))
    with pytest.raises(dp.errors.DomainMismatch, match="need a universe"):
        dp.rows(dp.integers(0), dp.ChangeOneDistance(), size=5) >> dp.mwem([dp.row() >= 1], 1, dp.pure(1))
    wide = dp.record(**{f"x{i}": dp.integers(0, 9) for i in range(7)})
    with pytest.raises(dp.errors.DomainMismatch, match="10000000 cells"):
        dp.rows(wide, dp.ChangeOneDistance(), size=5) >> dp.mwem([dp.field("x0") >= 1], 1, dp.pure(1))
    with pytest.raises(dp.errors.DPError):
        dp.value(dp.vector(dp.integers(), 3), dp.LInfDistance()) >> dp.mwem([dp.row() >= 1], 1, dp.pure(1))  # type: ignore[operator]
    made = (PEOPLE >> dp.mwem(PAIRS, 1, dp.pure(1))).release(DATA)
    with pytest.raises(bad, match="0 < confidence < 1"):
        made.error_bound(1)
    with pytest.raises(bad, match="Expected expressions"):
        made.answer(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [pl.DataFrame, pd.DataFrame, pa.table])
def test_synthetic_rows_come_as_a_table_of_the_kind_asked(kind: Any) -> None:
    """As those of `synthesize` do: rows of `mwem` and `pmw` were a list, whatever the data had been."""
    person = dp.record(n=dp.optional(dp.integers(0, 1)), b=dp.booleans(), t=dp.categories("x", "y"))
    rows: list[Any] = [{"n": None, "b": True, "t": "x"}, {"n": 1, "b": False, "t": "y"}] * 50
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    made: Any = (dp.rows(person) >> dp.mwem([dp.field("b", bool)], 2, dp.pure(9), size=100)).release(rows)
    frames: list[Any] = [made.rows(n, like=kind(columns), bits=SeededBits(n)) for n in (1, 2, 3, 60)]
    assert all(type(frame) is type(kind(columns)) for frame in frames)
    kinds = {str(dict(each.dtypes) if isinstance(each, pd.DataFrame) else each.schema) for each in frames}
    assert len(kinds) == 1, kinds
    listed = made.rows(60, bits=SeededBits(60))
    assert [type(row) for row in listed] == [dict] * 60
    cells = [each.as_py() if kind is pa.table else each for each in frames[3]["t"]]
    assert [row["t"] for row in listed] == cells
    weights: Any = dp.pmw(dp.rows(person), dp.pure(9), queries=50, size=100).start(rows)
    assert type(weights.synthetic.rows(5, like=kind(columns))) is type(kind(columns))


def test_rows_that_are_no_records_come_as_a_column() -> None:
    made: Any = (dp.rows(dp.integers(0, 3)) >> dp.mwem([dp.row() > 1], 1, dp.pure(9), size=20)).release([1, 2] * 10)
    listed = made.rows(20, bits=SeededBits(1))
    assert made.rows(20, like=pl.DataFrame(), bits=SeededBits(1))["value"].to_list() == listed
    assert made.rows(20, like={}, bits=SeededBits(1)) == {"value": listed}
    assert made.rows(20, like=[1], bits=SeededBits(1)) == listed
    with pytest.raises(InvalidParameter, match="a table of a library"):
        made.rows(20, like=3)


@pytest.mark.parametrize("query", ["age", 3, None, len, [dp.row()]], ids=repr)
def test_what_is_no_query_is_refused_in_the_same_words_wherever_one_is_asked(query: Any) -> None:
    made: Any = (PEOPLE >> dp.mwem(PAIRS, 1, dp.pure(1))).release(DATA, bits=SeededBits(1))
    weights: Any = dp.pmw(PEOPLE, dp.pure(900), queries=50).start(DATA)
    d: Any = dp
    said = set()
    asked: list[Callable[[], object]] = [
        lambda: made.answer(query),
        lambda: weights.ask([query]),
        lambda: weights.synthetic.answer(query),
        lambda: d.mwem([query], 1, dp.pure(1)),
        lambda: d.linear_queries(query),
        lambda: d.marginal_errors([query], [[1]]),
    ]
    for ask in asked:
        with pytest.raises(InvalidParameter) as refused:
            ask()
        said.add((refused.value.headline, refused.value.bridge))
    assert len(said) == 1, said
