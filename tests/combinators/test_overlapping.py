"""How far one row moves several parts at once, worked out from their filters: against every pair of small data sets."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpcore as dp
from dpcore.assurance import exhaust
from dpcore.assurance.inside import inside
from dpcore.noise.bits import SeededBits
from tests.certificates.tools import checker

d: Any = dp
VISIT = dp.record(ward=dp.categories("a", "b", None), old=dp.booleans(), stay=dp.integers(0, 2))
visits = dp.rows(VISIT)
VISITS = [
    {"ward": ward, "old": old, "stay": stay}
    for ward, old, stay in itertools.product(("a", "b", None), (False, True), range(3))
]
CONDITIONS: list[Any] = [
    dp.field("ward") == "a",
    dp.field("ward") != "a",
    dp.field("ward").is_null(),
    dp.field("old", bool),
    ~dp.field("old", bool),
    dp.field("stay") >= 1,
    dp.field("stay") // dp.field("stay") == 1,
    dp.literal(True),
]


def counted(epsilon: Fraction | int | str, of: Any = visits) -> Any:
    return of >> dp.count() >> dp.laplace(1 / Fraction(epsilon))


def kept(condition: Any, epsilon: Fraction | int | str) -> Any:
    return visits >> dp.filter(condition) >> counted(epsilon)


@given(st.lists(st.sampled_from(range(len(CONDITIONS))), min_size=1, max_size=4))
def test_the_dearest_row_is_paid_for(places: list[int]) -> None:
    """By each row that there can be, asked of the filters themselves."""
    shares = [Fraction(1, k + 2) for k in range(len(places))]
    conditions = [CONDITIONS[i] for i in places]
    parts = [kept(condition, share) for condition, share in zip(conditions, shares, strict=True)]
    each = [
        sum(
            share
            for condition, share in zip(conditions, shares, strict=True)
            if (visits >> d.filter(condition) >> d.count())([visit]) == 1
        )
        for visit in VISITS
    ]
    joint = d.compose_jointly(parts)
    assert joint.loss(1) == dp.pure(max(each))
    assert joint.loss(3) == dp.pure(3 * max(each))
    assert joint.loss(1) <= d.compose(parts).loss(1)


def test_what_is_worked_out_is_reached_and_never_exceeded() -> None:
    """Over every pair of data sets of two rows at most: rows that come and go, and rows replaced."""
    for metric, far in ((dp.SymmetricDistance(), 1), (dp.ChangeOneDistance(), 2)):
        letters = dp.rows(dp.categories("a", "b", "c"), metric)
        plain = dp.rows(dp.categories("a", "b", "c"))
        parts = [
            dp.after(letters >> d.filter(d.row() != key), counted(share, plain))
            for key, share in zip("abc", (8, 4, 2), strict=True)
        ]
        joint = d.compose_jointly(parts)
        assert joint.loss(1) == dp.pure(far * 12)
        found = exhaust(joint, ["a", "b", "c"], rows=1)
        assert found.sound, str(found)


def test_it_runs_as_its_parts_do() -> None:
    parts = [kept(condition, 10**6) for condition in CONDITIONS]
    counts = [(visits >> d.filter(condition) >> d.count())(VISITS * 2) for condition in CONDITIONS]
    assert list(d.compose_jointly(parts).release(VISITS * 2, bits=SeededBits(1))) == counts


@pytest.mark.parametrize(
    "space",
    [visits, dp.rows(VISIT, dp.ChangeOneDistance()), dp.rows(VISIT, dp.ChangeOneDistance(), size=4)],
    ids=["come and go", "replaced", "of a size"],
)
def test_what_is_attacked_inside_is_what_runs(space: Any) -> None:
    """Of rows that are replaced the parts are made again for rows that come and go; those as written run nowhere."""
    old, young = (d.filter(condition) for condition in (dp.field("old", bool), ~dp.field("old", bool)))
    joint = d.compose_jointly(
        [space >> old >> counted(1), dp.after(space >> young, counted(1, (space >> young).output))]
    )
    attacked = inside(joint).transformations
    rules = {arrow.derivation.rule.name for arrow, _ in attacked}
    assert rules == {"filter_symmetric", "count_symmetric"}
    assert rules < {part.rule.name for part in joint.derivation.parts()}
    assert {reach.metric for _, reach in attacked} == {dp.SymmetricDistance()}
    assert joint.accuracies("1/2") == ((counted(1)).accuracy("1/2"),) * 2
    again = joint.bind()
    assert again == joint
    assert eval(repr(joint), {**vars(dp), **vars(dp.types)}) == joint


def test_several_filters_one_after_the_other_are_all_of_them() -> None:
    both = visits >> dp.filter(dp.field("old", bool)) >> dp.filter(dp.field("stay") == 0) >> counted("1/2")
    others = visits >> dp.filter(dp.field("stay") > 0) >> counted("1/3")
    young = visits >> dp.filter(~dp.field("old", bool)) >> counted("1/4")
    assert d.compose_jointly([both, others, young]).loss(1) == dp.pure(Fraction(1, 3) + Fraction(1, 4))


@pytest.mark.parametrize("space", [visits, dp.rows(VISIT, dp.ChangeOneDistance())])
def test_filters_are_found_below_conversions_and_what_is_made_of_releases(space: Any) -> None:
    old, young = (
        space >> dp.filter(condition) >> dp.count() >> dp.gaussian(1)
        for condition in (dp.field("old", bool), ~dp.field("old", bool))
    )
    approx = [part.then(lambda n: n + 1).to(dp.ApproxDP, delta="1/1000").then(str) for part in (old, young)]
    joint = d.compose_jointly(approx)
    if space is visits:
        assert str(joint.loss(1)) == str(approx[0].loss(1))
    assert [len(keys) for link in _overlaps(joint.derivation) for keys in link.parameters["touched"]] == [1, 1]
    checker.verify(dp.certify(joint, d_in=1).text())
    assert joint.release(VISITS[:2]) != ()


def _overlaps(derivation: Any) -> list[Any]:
    found = [derivation] if "touched" in derivation.parameters else []
    return found + [each for premise in derivation.premises for each in _overlaps(premise)]


def test_a_part_without_a_filter_is_touched_by_every_row() -> None:
    assert d.compose_jointly([kept(CONDITIONS[0], "1/2"), kept(CONDITIONS[1], "1/3"), counted("1/5")]).loss(
        1
    ) == dp.pure("7/10")
    by_a_function = visits >> d.filter(lambda row: row["old"]) >> counted("1/2")
    assert d.compose_jointly([by_a_function, kept(~dp.field("old", bool), "1/3")]).loss(1) == dp.pure("5/6")


def test_its_certificate_assumes_nothing() -> None:
    joint = d.compose_jointly([kept(dp.field("old", bool), "1/2"), kept(~dp.field("old", bool), "1/3")])
    certificate = dp.certify(joint, d_in=2)
    checker.verify(certificate.text())
    assert certificate.document.assumptions == ()
    assert joint.derivation.rules() >= {"overlapping_symmetric_pure"}
    declared = d.compose_jointly(
        [dp.after(visits >> dp.filter(CONDITIONS[i]), counted(1)) for i in (3, 4)], joint=[(1, 0), (0, 1)]
    )
    assert len(dp.certify(declared, d_in=1).document.assumptions) == 1


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        (lambda: [kept(dp.field("stay") > 5, 1)], "keeps no row"),
        (
            lambda: [dp.rows(dp.text()) >> d.filter(d.row() == "a") >> d.count() >> d.laplace(1)],
            "not a few that are known",
        ),
        (
            lambda: [
                dp.rows(dp.record(**{n: dp.integers(0, 999) for n in "ab"}))
                >> d.filter(d.field("a") < d.field("b"))
                >> d.count()
                >> d.laplace(1)
            ],
            "combinations",
        ),
        (lambda: [dp.value(dp.integers(), dp.AbsoluteDistance) >> d.laplace(1)], "counts steps of 1"),
        (lambda: [dp.value(dp.booleans(), dp.DiscreteDistance) >> d.randomized_response("3/4")], "how one step moves"),
        (lambda: [], "parts"),
        (lambda: [visits >> d.count()], "measurement"),
    ],
)
def test_what_is_refused(parts: Any, why: str) -> None:
    with pytest.raises((dp.errors.DPError, TypeError), match=why):
        d.compose_jointly(parts())


# ---- depends_on -----------------------------------------------------------------------------------------------------------


def test_a_mechanism_is_held_to_what_it_depends_on() -> None:
    """One that sees all rows is run on those of f; it costs nothing where these agree."""
    young = d.depends_on(counted("1/2"), d.filter(~dp.field("old", bool)))
    x, y = [VISITS[0], VISITS[3], VISITS[4]], [VISITS[0]]
    assert young.loss_between(x, y) == dp.pure(0)
    assert young.loss_between([VISITS[0], VISITS[1]], y) == dp.pure("1/2")
    released = [young.release(data, bits=SeededBits(7)) for data in (x, y)]
    assert released[0] == released[1]
    old = d.depends_on(counted("1/3"), visits >> d.filter(dp.field("old", bool)))
    assert d.compose_jointly([young, old]).loss(1) == dp.pure("1/2")


@pytest.mark.parametrize(
    "f", [dp.clamp(0, 1), d.select(dp.field("stay")), dp.count(), visits >> dp.count(), 3, "old"], ids=repr
)
def test_only_filters_keep_rows(f: Any) -> None:
    with pytest.raises(dp.errors.DPError):
        d.depends_on(counted(1), f)


def test_rows_replaced_are_refused() -> None:
    replaced = dp.rows(VISIT, dp.ChangeOneDistance)
    with pytest.raises(dp.errors.DPError):
        d.depends_on(counted(1, replaced), d.filter(dp.field("old", bool)))


@pytest.mark.parametrize(("filters", "fits"), [(12, True), (13, False)])
def test_no_certificate_of_megabytes_is_made_of_filters_that_overlap(filters: int, fits: bool) -> None:
    """Each filter more doubles the ways in which they overlap; what is too much is refused where it is built."""
    flags = dp.rows(dp.record(**{f"f{i}": dp.booleans() for i in range(filters)}))
    parts = [counted(1, flags >> dp.filter(dp.field(f"f{i}", bool))) for i in range(filters)]
    if fits:
        assert len(dp.certify(d.compose_jointly(parts)).text()) < 3_000_000
        return
    with pytest.raises(dp.errors.InvalidParameter, match="overlap in 8192 ways, with 53248 places") as refused:
        d.compose_jointly(parts)
    assert "joint=[...]" in str(refused.value.bridge)
