"""A transformation is attacked wherever it stands inside a measurement; what nobody can know beforehand is named."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest

import dpcore as dp
from dpcore.assurance import falsify
from dpcore.assurance.arrows import as_measurement
from dpcore.assurance.checking import check
from dpcore.assurance.falsification import LEAST, THOROUGHLY
from dpcore.assurance.inside import inside
from dpcore.assurance.neighbours import Pairs, neighbours
from dpcore.assurance.strategies import Met
from dpcore.assurance.watched import run_watched
from dpcore.calculus import Derivation
from dpcore.core.origins import Arrow, SomeSpace
from dpcore.maps import Number
from dpcore.maps.bounds import Bound
from tests.assurance.arrows import NUMBER, d, same
from tests.laws.arrows import arrow, measurement
from tests.laws.catalogue import MEASUREMENTS, TRANSFORMATIONS, Example

WIDE = 10**9
"""A scale at which no distribution is written out, so that nothing but the transformation can give the fault away."""
DIGITS = d.rows(d.integers(0, 9))
RECORDS = d.rows(d.record(k=d.categories("a", "b"), v=d.integers(0, 9)))
REPLACED = d.rows(d.record(k=d.categories("a", "b"), v=d.integers(0, 9)), d.ChangeOneDistance())


def doubled(rows: Sequence[object]) -> int:
    return 2 * len(rows)


def wrong_on(space: object) -> dp.types.Measurement[dp.types.Domain, dp.types.Metric, dp.PureDP, int]:
    found: dp.types.Measurement[dp.types.Domain, dp.types.Metric, dp.PureDP, int]
    found = d.transformation(doubled, space, NUMBER, same) >> d.laplace(scale=WIDE)
    return found


WRONG = d.transformation(doubled, DIGITS, NUMBER, same)
LOUD = wrong_on(DIGITS)
RIGHT = DIGITS >> d.count() >> d.laplace(scale=WIDE)
ABREAST = RECORDS >> d.partition(by=d.field("k"))
EACH_REPLACED = REPLACED >> d.partition(by=d.field("k"))


@pytest.mark.spread(4)
@pytest.mark.parametrize(
    "m",
    [
        pytest.param(LOUD, id="chain"),
        pytest.param(LOUD.then(abs), id="then"),
        pytest.param(LOUD.to(dp.ZCDP), id="to"),
        pytest.param((WRONG >> d.gaussian(sigma=WIDE)).to(dp.ApproxDP, delta="1e-6"), id="to, with a witness"),
        pytest.param(RIGHT & LOUD, id="and"),
        pytest.param(d.compose([RIGHT, RIGHT, LOUD]), id="compose"),
        pytest.param(d.compose_optimal([RIGHT, LOUD]), id="optimal"),
        pytest.param(d.compose_advanced([RIGHT, LOUD], slack="1e-6"), id="advanced"),
        pytest.param(d.group_privacy(LOUD), id="group"),
        pytest.param(ABREAST >> d.parallel(wrong_on(RECORDS)), id="parallel"),
        pytest.param(
            ABREAST >> d.parallel({"a": RECORDS >> d.count() >> d.laplace(scale=WIDE), "b": wrong_on(RECORDS)}),
            id="parallel, one for each key",
        ),
        pytest.param(EACH_REPLACED >> d.parallel(wrong_on(RECORDS)), id="parallel, where rows are replaced"),
        pytest.param(
            d.compose_jointly([d.after(WRONG, NUMBER >> d.laplace(scale=WIDE))], joint=[[1]]), id="jointly, the first"
        ),
        pytest.param(
            d.compose_jointly([d.after(DIGITS >> d.filter(d.row() > 3), LOUD)], joint=[[1]]), id="jointly, the second"
        ),
        pytest.param(DIGITS >> d.filter(d.row() > 3) >> (RIGHT & LOUD), id="a composition after a step"),
        pytest.param(d.group_privacy((RIGHT & LOUD).then(len).to(dp.ZCDP)).then(str), id="all at once"),
    ],
)
def test_a_wrong_transformation_is_found_wherever_it_stands(m: Arrow) -> None:
    found = falsify(m, examples=60)
    assert [finding.kind for finding in found.findings] == ["unstable"], str(found)
    assert found.findings[0].within.startswith("transformation(doubled, ")
    assert f"in {found.findings[0].within}" in str(found)
    assert not check(m, rows=1, examples=60).sound


def test_its_map_is_looked_at_by_itself() -> None:
    """The map of the whole stands still where this one falls: group privacy asks for it at distance 1 alone."""
    falling = d.transformation(len, DIGITS, NUMBER, lambda x: x if x <= 1 else 0 * x) >> d.laplace(scale=WIDE)
    found = falsify(d.group_privacy(falling), examples=40)
    assert "map is not monotone" in [finding.kind for finding in found.findings]


def test_it_is_attacked_on_the_data_that_reach_it_and_no_other() -> None:
    def all_of_it(rows: Sequence[int]) -> int:
        return sum(rows)

    by_four = d.transformation(all_of_it, DIGITS, NUMBER, lambda x: 4 * x) >> d.laplace(scale=WIDE)
    assert falsify(by_four & by_four, examples=150).found
    assert not falsify(DIGITS >> d.clamp(0, 4) >> by_four, examples=150).found
    assert not falsify(DIGITS >> d.clamp(0, 4) >> (by_four & by_four), examples=150).found
    assert falsify(DIGITS >> d.clamp(0, 5) >> (by_four & by_four), examples=150).found


def reached(m: object) -> list[tuple[str, object]]:
    known = inside(as_measurement(m))
    assert len(set(known.transformations)) == len(known.transformations)
    return [(f.derivation.rule.name, space) for f, space in known.transformations]


def test_parts_of_replaced_rows_are_attacked_under_both_metrics() -> None:
    """A row that changes its part enters one and leaves another; a row that stays is replaced."""
    histogram = RECORDS >> d.histogram(d.field("k")) >> d.laplace(scale=1)
    names = [(REPLACED, "partition_change_one"), (RECORDS, "histogram_symmetric")]
    again = (REPLACED, "histogram_l1_change_one")
    assert reached(EACH_REPLACED >> d.parallel(histogram)) == [(n, s) for s, n in (*names, again)]
    carried = (REPLACED, "change_one_to_symmetric")  # what was claimed of a row more or less is asked at two steps
    found = reached(EACH_REPLACED >> d.parallel(wrong_on(RECORDS)))
    assert found == [(n, s) for s, n in (names[0], (RECORDS, "claimed_transformation"), carried)]


def test_the_same_transformation_is_attacked_once() -> None:
    many = RIGHT & (DIGITS >> d.count() >> d.laplace(scale=WIDE + 1))
    assert reached(many) == [("count_symmetric", DIGITS)]
    for _ in range(40):  # a trillion times inside itself
        many = many & many
    assert len(inside(as_measurement(many)).transformations) == 1
    assert 40 <= falsify(d.compose([RIGHT] * 50), examples=40).tried < 40 + 10
    elsewhere = DIGITS >> d.filter(d.row() > 3) >> d.filter(d.row() > 3) >> RIGHT
    assert len(reached(elsewhere)) == 2


def test_many_share_the_examples_of_a_few() -> None:
    def counting(k: int) -> Arrow:
        found: Arrow = DIGITS >> d.filter(d.row() > k) >> d.count() >> d.laplace(scale=WIDE)
        return found

    def tried(n: int, examples: int) -> int:
        return falsify(d.compose([counting(k) for k in range(n)]), examples=examples).tried

    assert tried(2, 30) >= 3 * 30  # two filters, and one count
    assert THOROUGHLY * 60 - 9 <= tried(8, 60) <= THOROUGHLY * 60 + 10
    assert 9 * LEAST <= tried(8, LEAST) <= 9 * LEAST + 10
    assert tried(8, 3) <= 9 * 3 + 10


RULES = {f.derivation.rule for e in TRANSFORMATIONS for f in [arrow(e.build())]}

OTHERWISE = "compose_jointly of overlapping parts, change one"
"""Derived on rows that come and go, by rules of the library alone: what a user claims under replacement is refused there."""


@pytest.mark.spread(8)
@pytest.mark.parametrize("example", [e for e in MEASUREMENTS if e.name != OTHERWISE], ids=lambda e: e.name)
def test_no_combinator_hides_a_transformation(example: Example) -> None:
    """What is derived is what is attacked: the premises of a derivation say what is inside, whatever the origin says."""
    m = measurement(example.build())
    attacked = [f.derivation for f, _ in inside(as_measurement(m)).transformations]
    for node in nodes(m.derivation):
        if node.rule in RULES and not node.premises:
            assert any(node.rule is f.rule and node.parameters == f.parameters for f in attacked), node.rule.name


def test_a_claim_under_replacement_is_not_taken_for_rows_that_come_and_go() -> None:
    replaced = d.rows(d.integers(0, 9), d.ChangeOneDistance())
    claimed = d.transformation(len, replaced, NUMBER, lambda x: 0 * x) >> d.laplace(scale=1)
    kept = replaced >> d.filter(d.row() > 3) >> d.count() >> d.laplace(scale=1)
    with pytest.raises(dp.errors.MetricMismatch, match="claimed under another metric"):
        d.compose_jointly([claimed, kept])


def nodes(derivation: Derivation) -> Iterator[Derivation]:
    yield derivation
    for premise in derivation.premises:
        yield from nodes(premise)


# ---- what cannot be reached --------------------------------------------------------------------------------------------


def later(seen: tuple[object, ...]) -> object:
    return LOUD


ADAPTIVE = d.adaptive(DIGITS, [(dp.pure("1/2"), later)])


@pytest.mark.parametrize("m", [ADAPTIVE, RIGHT & ADAPTIVE, ADAPTIVE.then(len)], ids=["alone", "beside", "below"])
def test_what_a_program_chooses_is_named(m: Arrow) -> None:
    found = falsify(m, examples=20)
    assert not found.found
    assert "the transformations in what the stages later of an adaptive composition choose" in found.not_looked_at
    assert "; releases, as " in found.not_looked_at


def test_what_was_not_looked_at_stands_in_the_summary() -> None:
    coin = d.value(d.booleans(), d.DiscreteDistance())
    m = d.adaptive(coin, [(dp.pure(2), lambda seen: coin >> d.randomized_response("3/4"))])
    found = check(m, examples=20)
    assert found.sound
    assert found.exhaustion is not None
    assert found.summary.endswith(f"; not looked at: {found.falsification.not_looked_at}")
    drawn = d.measurement(lambda x: random.random(), coin, d.PureDP(), same)
    wide = check(d.adaptive(coin, [(dp.pure(2), lambda seen: drawn)]), examples=20)
    assert "; not exhausted: " in wide.summary
    assert wide.summary.endswith(f"; not looked at: {wide.falsification.not_looked_at}")


def test_data_that_nobody_can_make_up_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_of_words(space: SomeSpace, met: Met, rows: int) -> Pairs:
        if space == words:
            raise dp.errors.InvalidParameter("no data of words can be made up here")
        return neighbours(space, met, rows)

    words = d.rows(d.text())
    start = d.transformation(lambda rows: [str(row) for row in rows], DIGITS, words, same)
    monkeypatch.setattr("dpcore.assurance.suspicions.neighbours", none_of_words)
    found = falsify(start >> d.count() >> d.laplace(scale=1), examples=20)
    assert not found.found
    assert found.tried > 20
    assert found.not_looked_at == "rows(text()) >> count(), as no data of words can be made up here"


def test_a_map_may_claim_nothing_at_a_distance_and_may_not_fail_at_one() -> None:
    def at_one(x: Number) -> Number:
        if x not in (0, 1):
            raise dp.errors.NoFiniteLoss("known at distance 1 only")
        return x

    def not_at_three(x: Number) -> Number:  # where the shape of the map is not looked at
        return x / 0 if x == 3 else x

    silent = d.transformation(len, DIGITS, NUMBER, at_one)
    assert not falsify(silent).found
    assert not falsify(d.group_privacy(silent >> d.laplace(scale=1)), examples=40).found
    (finding,) = falsify(d.transformation(lambda n: n, NUMBER, NUMBER, not_at_three)).findings
    assert (finding.kind, finding.d_in) == ("map fails", Bound("3"))


# ---- functions that are watched ----------------------------------------------------------------------------------------


def emptied(seen: tuple[list[int], ...]) -> object:
    for release in seen:
        release.clear()
    return NOISY


def in_place(release: list[int]) -> list[int]:
    release.sort()
    return release


NOISY = d.rows(d.categories("a", "b")) >> d.histogram() >> d.laplace(scale=1)
AB = d.rows(d.categories("a", "b"))


def test_the_stages_of_a_program_are_watched_and_so_is_what_they_choose() -> None:
    stage = dp.pure(1)
    sorting = NOISY.then(in_place)
    for stages, name in (([lambda seen: NOISY, emptied], "emptied"), ([lambda seen: sorting], "in_place")):
        m = d.adaptive(AB, [(stage, choose) for choose in stages])
        assert {run_watched(m, ["a"] * n + ["b"] * (9 - n))[1] for n in range(10)} - {None} == {name}
    assert run_watched(d.adaptive(AB, [(stage, lambda seen: NOISY)] * 2), ["a"])[1] is None
