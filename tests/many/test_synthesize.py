"""Synthetic tables: what is asked, what it costs, what comes out, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any, Final

import numpy as np
import polars as pl
import pytest

import dpcore as dp
from dpcore.domains import Domain
from dpcore.many.questions import Offer
from dpcore.many.strategies import AllPairs, InRounds, Method, OneTree
from dpcore.many.synthetic_table import nearest
from dpcore.many.universe import Floats
from dpcore.noise.bits import SeededBits
from tests.certificates.tools import checker
from tests.engines.frames.forms import pa, pd

PERSON = dp.record(
    age=dp.integers(0, 4), member=dp.booleans(), region=dp.categories("N", "S", "W"), visits=dp.integers(0, 2)
)
PEOPLE = dp.rows(PERSON)
METHODS: Final[tuple[Method, ...]] = ("pairs", "mst", "aim")


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
@pytest.mark.parametrize("method", METHODS)
def test_a_table_in_a_table_out(method: Method) -> None:
    rows = table(3000)
    made = (PEOPLE >> dp.synthesize(dp.zcdp("1/2"), method=method)).release(rows, bits=SeededBits(1))
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


def test_the_columns_of_a_frame_have_one_type_whatever_came_up() -> None:
    person = dp.record(
        n=dp.optional(dp.integers(0, 1)),
        b=dp.optional(dp.booleans()),
        t=dp.optional(dp.categories("x")),
        c=dp.categories(1, "a"),
    )
    rows: list[Any] = [{"n": None, "b": None, "t": None, "c": 1}, {"n": 1, "b": True, "t": "x", "c": "a"}] * 50
    made = (dp.rows(person) >> dp.synthesize(dp.zcdp(5))).release(rows, bits=SeededBits(1))
    for like in (pl.DataFrame(), pd.DataFrame(), pa.table({})):
        frames: Any = [made.rows(n, like=like, bits=SeededBits(n)) for n in (1, 2, 3, 4, 5, 6, 200)]
        kinds = {str(dict(each.dtypes) if isinstance(each, pd.DataFrame) else each.schema) for each in frames}
        assert len(kinds) == 1, kinds


def test_a_dict_of_columns_is_made_of_a_dict_of_columns() -> None:
    rows = table(50)
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    made = (PEOPLE >> dp.synthesize(dp.zcdp(1))).release(columns, bits=SeededBits(1))
    found: Any = made.rows(3, like=columns, bits=SeededBits(2))
    listed: Any = made.rows(3, bits=SeededBits(2))
    assert [dict(zip(found, row, strict=True)) for row in zip(*found.values(), strict=True)] == listed


@pytest.mark.parametrize("metric", [dp.SymmetricDistance(), dp.ChangeOneDistance()], ids=["added", "replaced"])
@pytest.mark.parametrize("rho", ["1/100", "1/3", 2])
def test_the_loss_is_the_budget_and_hardly_less_is_spent(metric: dp.SymmetricDistance, rho: str | int) -> None:
    space = dp.rows(PERSON, metric)
    made = space >> dp.synthesize(dp.zcdp(rho))
    assert made.loss(1) == dp.zcdp(rho)
    assert made.loss(2) == dp.zcdp(4 * dp.zcdp(rho).rho.upper)
    strategy = dp.synthesize(dp.zcdp(rho), method="mst")._strategy(space)
    assert isinstance(strategy, OneTree)
    one, two, three = strategy.sigmas()
    counts = strategy.first(space).loss(1).rho.upper
    pair = strategy.plan.counts((0, 2), space, three).loss(1).rho.upper
    whole = dp.zcdp(rho).rho.upper
    choice = strategy.plan.choice(space, [Offer((0, 1), (5,) * 10), Offer((1, 3), (0,) * 6, 4)], two).loss(1).rho.upper
    assert (counts, choice + pair) == (strategy.plan.price(one), strategy.plan.price(three, two))
    assert whole * (1 - 10**-4) < 4 * counts + 3 * choice + 3 * pair <= whole
    of_pairs = dp.synthesize(dp.zcdp(rho), method="pairs")._strategy(space)
    assert whole * (1 - 10**-4) < 6 * of_pairs.first(space).loss(1).rho.upper <= whole


@pytest.mark.parametrize("metric", [dp.SymmetricDistance(), dp.ChangeOneDistance()], ids=["added", "replaced"])
@pytest.mark.parametrize("method", METHODS)
def test_what_is_asked_costs_the_budget_and_no_more(metric: dp.SymmetricDistance, method: Method) -> None:
    """The account of the filter refuses what is beyond it; this asks whether it is nearly used up."""
    space, spent = dp.rows(PERSON, metric), list[Fraction]()

    def kept(curator: Any) -> object:
        made = dp.synthesize(dp.zcdp("1/3"), method=method)._strategy(space)(curator)
        spent.append(curator.spent.rho.upper)
        return made

    dp.view(dp.interactive(space, dp.zcdp("1/3")), kept).release(table(200), bits=SeededBits(3))
    [whole] = spent
    assert Fraction(1, 3) * (1 - Fraction(1, 1000)) < whole <= Fraction(1, 3)


@pytest.mark.parametrize("method", METHODS)
def test_it_certifies(method: Method) -> None:
    release = PEOPLE >> dp.synthesize(dp.zcdp("1/8"), method=method)
    assert b"histogram_l2_symmetric" in dp.certify(release, d_in=1).text()
    assert repr(release).endswith(f"synthesize(zcdp('1/8'), method={method!r})")


def test_many_fields_are_a_tree_and_few_are_all_pairs() -> None:
    for fields, strategy in ((10, AllPairs), (11, OneTree)):
        of = dp.record(**{f"f{i}": dp.booleans() for i in range(fields)})
        assert isinstance(dp.synthesize(dp.zcdp(1))._strategy(dp.rows(of)), strategy)


def test_rounds_choose_what_is_wrong_and_end() -> None:
    """The two pairs that depend on each other are counted, and others hardly."""
    made = (PEOPLE >> dp.synthesize(dp.zcdp("1/2"), method="aim")).release(table(3000), bits=SeededBits(1))
    pairs = [each.fields for each in made.counted if len(each.fields) == 2]
    assert {(0, 3), (1, 2)} <= {*pairs[:3]}
    assert made.counted[-1].variance < made.counted[0].variance / 4
    assert [each.fields for each in made.counted[:4]] == [(0,), (1,), (2,), (3,)]


def test_rounds_find_no_model_that_nobody_looks_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """One before each choice, and none after the last."""
    found: list[object] = []

    def counting(*given: Any) -> Any:
        found.append(given)
        return nearest(*given)

    monkeypatch.setattr("dpcore.many.strategies.nearest", counting)
    made = (PEOPLE >> dp.synthesize(dp.zcdp("1/2"), method="aim")).release(table(300), bits=SeededBits(1))
    assert len(found) == sum(len(each.fields) == 2 for each in made.counted)


def test_a_pair_is_chosen_by_all_of_its_cells() -> None:
    """Where each cell is off by a little, and another pair by less in all, though by more in one cell."""
    strategy = dp.synthesize(dp.zcdp(1), method="aim")._strategy(PEOPLE)
    assert isinstance(strategy, InRounds)
    offered = [Offer((0, 1), (15,) * 10), Offer((1, 3), (45, 25, 25, 25, 25, 25))]
    rows = [{"age": i % 5, "member": i % 2 == 0, "region": "N", "visits": i % 3} for i in range(150)]
    far = [{**row, "age": 0} for row in rows]
    for given, chosen in (rows, 1), (far, 0):
        ask = strategy.plan.choice(PEOPLE, offered, Fraction(1, 10))
        assert ask.release(given, bits=SeededBits(1)) == chosen
    allowed = [offered[0], replace(offered[1], allowed=100)]
    assert strategy.plan.choice(PEOPLE, allowed, Fraction(1, 10)).release(rows, bits=SeededBits(1)) == 0


@pytest.mark.parametrize("method", METHODS)
def test_one_field_and_missing_values(method: Method) -> None:
    space = dp.rows(dp.record(g=dp.optional(dp.categories("a", "b"))))
    made = (space >> dp.synthesize(dp.zcdp(10), method=method)).release(
        [{"g": None}] * 30 + [{"g": "b"}] * 70, bits=SeededBits(1)
    )
    assert made.edges == ()
    assert np.abs(made.marginal("g") - [0.3, 0, 0.7]).sum() < 0.05


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "of",
    [
        dp.optional(dp.integers(0, 2)),
        dp.optional(dp.booleans()),
        dp.categories("a", None),
        dp.categories(True, 1, None),
    ],
)
def test_missing_values_beside_another_field(method: Method, of: Domain) -> None:
    """A null is a value of its field, and is none of the others."""
    space = dp.rows(dp.record(f=of, g=dp.booleans()))
    made = (space >> dp.synthesize(dp.zcdp(50), method=method)).release(
        [{"f": None, "g": True}] * 300 + [{"f": None, "g": False}] * 100, bits=SeededBits(3)
    )
    assert np.abs(made.marginal("f", "g").sum(axis=0) - [0.25, 0.75]).sum() < 0.05
    assert made.marginal("f").max() > 0.95


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("of", [dp.integers(0, 249), dp.categories(*[f"v{i}" for i in range(250)])])
def test_fields_of_many_values_certify(method: Method, of: Domain) -> None:
    made = dp.rows(dp.record(many=of, few=dp.booleans())) >> dp.synthesize(dp.zcdp(1), method=method)
    checker.verify(dp.certify(made, d_in=1).text())


@pytest.mark.parametrize("method", METHODS)
def test_with_hardly_any_budget_and_no_rows_nothing_breaks(method: Method) -> None:
    made = (PEOPLE >> dp.synthesize(dp.zcdp("1/1000000"), method=method)).release([], bits=SeededBits(1))
    assert 1 <= len(made.edges) <= 3
    assert method == "aim" or len(made.edges) == 3
    assert abs(made.marginal("age", "visits").sum() - 1) < 1e-9
    rows = made.rows(10, bits=SeededBits(1))
    assert isinstance(rows, list)
    assert len(rows) == 10


@pytest.mark.filterwarnings("error")
def test_noise_beyond_64_bits_is_guessed_with() -> None:
    space = dp.rows(dp.record(a=dp.booleans(), b=dp.integers(0, 2)))
    step = dp.synthesize(dp.zcdp(Fraction(1, 10**60)), method="aim")
    assert (space >> step).release([{"a": True, "b": 1}], bits=SeededBits(1)).size > 2**63


def test_what_is_refused() -> None:
    bad = dp.errors.InvalidParameter
    with pytest.raises(bad, match="a budget in ZCDP"):
        dp.synthesize(dp.pure(1))  # type: ignore[arg-type]
    with pytest.raises(bad, match="a budget above 0"):
        dp.synthesize(dp.zcdp(0))
    with pytest.raises(bad, match="one of pairs, mst, aim as the method"):
        dp.synthesize(dp.zcdp(1), method="graph")  # type: ignore[arg-type]
    with pytest.raises(bad, match="one of pairs, mst, aim as the method"):
        dp.synthesize(dp.zcdp(1), method=["aim"])  # type: ignore[arg-type]
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
