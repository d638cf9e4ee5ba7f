"""Relations of a user's own whose distances count steps: what is said of one step lifts to any number of them."""

from __future__ import annotations

import itertools
import json
import math
from fractions import Fraction
from typing import Any, cast

import pytest

import dpcore as dp
from tests.certificates.tools import checker
from tests.laws.examples.functions import same, weeks

AB = dp.categories("a", "b")
STEPS = dp.granularity("a week", weeks, rows=2, path=True)
BY_WEEK = dp.rows(AB, STEPS)
COUNTED: Any = BY_WEEK >> dp.to_metric(dp.SymmetricDistance) >> dp.count() >> dp.laplace(4)


def _refused(data: object, match: str) -> None:
    with pytest.raises(checker.Rejected, match=match):
        checker.verify(json.dumps(data).encode())


def test_what_is_exactly_lost_one_two_and_three_steps_apart() -> None:
    """Every two data sets of at most five rows; at each distance the bound of the group is reached, and never passed."""
    grouped = dp.group_privacy(COUNTED)
    most: dict[int, Fraction] = {}
    for m, n in itertools.product(range(6), repeat=2):
        d = int(STEPS.carried(["a"] * m, ["a"] * n))
        most[d] = max(most.get(d, Fraction(0)), Fraction(abs(m - n), 4))  # of counts by Laplace noise, exactly
    for d, lost in most.items():
        assert lost <= Fraction(d, 2)
        assert grouped.loss(d) == COUNTED.loss(d) == dp.pure(Fraction(d, 2))
    assert sorted(most) == [0, 1, 2, 3]
    assert most[2] == 1


def test_one_step_says_what_a_group_loses() -> None:
    """Of a measurement of which nothing is known but its loss one step apart."""
    told: Any = dp.measurement(len, BY_WEEK, dp.ApproxDP, loss=lambda d: (d * d, d / 1000))
    assert dp.group_privacy(told).loss(1) == dp.approx(1, "1/1000")
    assert dp.group_privacy(told).loss(3).epsilon == dp.types.Bound(3)
    lines, _ = checker.verify(dp.certify(dp.group_privacy(told), d_in=3).text())
    assert any("data k apart are joined by k steps" in line for line in lines)


def test_all_that_lifts_takes_it() -> None:
    parts = [dp.after(BY_WEEK >> dp.to_metric(dp.SymmetricDistance), dp.rows(AB) >> dp.count() >> dp.laplace(4))] * 2
    both = dp.compose_jointly(parts, joint=[(2, 0), (0, 2)])
    asked = dp.adaptive(BY_WEEK, [(dp.pure("1/2"), lambda _: COUNTED), (dp.pure("1/2"), lambda _: COUNTED)])
    assert both.loss(3) == dp.pure("3/2")
    assert asked.loss(2) == dp.pure(2)
    for each in (both, asked, dp.group_privacy(COUNTED)):
        checker.verify(dp.certify(each, d_in=2).text())


def test_without_it_no_group_lifts() -> None:
    """Data 2 apart need not be joined by two steps: here nothing lies between."""

    def far(x: object, y: object) -> float:
        return 2 * float(x != y)

    claimed: Any = dp.measurement(len, dp.rows(AB, dp.granularity("far", far)), dp.PureDP, loss=same)
    with pytest.raises(dp.errors.InvalidParameter, match="steps of 1"):
        dp.group_privacy(claimed)
    certificate = cast("Any", dp.certify(dp.group_privacy(COUNTED), d_in=2).data)
    checker.verify(json.dumps(certificate).encode())
    _refused({**certificate, "space": _kind(certificate["space"], "Granularity")}, "does not count steps of 1")


def _kind(space: Any, kind: str) -> object:
    return {**space, "metric": {**space["metric"], "kind": kind}}


def test_a_chain_may_leave_a_known_size() -> None:
    """So no group lifts what rests on the size: dpcore refuses to make it, and the checker refuses it made by hand."""
    sized = dp.rows(AB, STEPS, size=4) >> dp.to_metric(dp.SymmetricDistance) >> dp.to_metric(dp.ChangeOneDistance)
    release: Any = sized >> dp.histogram() >> dp.laplace(2)
    assert release.loss(2) == dp.pure(2)
    with pytest.raises(dp.errors.InvalidParameter, match="more or fewer than 4 rows"):
        dp.group_privacy(release)
    certificate = cast("Any", dp.certify(release, d_in=2).data)
    alone = certificate["derivation"]
    group = {"rule": "group_pure", "parameters": {}, "witness": {}, "premises": [alone]}
    checker.verify(json.dumps(certificate).encode())
    _refused({**certificate, "derivation": group}, "not the size of the data")


def test_distances_are_whole() -> None:
    half = dp.granularity("half", lambda x, y: Fraction(1, 2), path=True)
    with pytest.raises(dp.errors.InvalidData, match="not whole"):
        half.distance([], ["a"])
    assert dp.granularity("no way", lambda x, y: math.inf, path=True).distance([], ["a"]) == math.inf
    with pytest.raises(dp.errors.InvalidDistance, match="whole steps"):
        COUNTED.loss(Fraction(1, 2))
    certificate = cast("Any", dp.certify(COUNTED, d_in=2).data)
    claims = [{**certificate["claims"][0], "d_in": "3/2"}]
    _refused({**certificate, "claims": claims}, "no such distance")


def test_the_two_are_not_the_same() -> None:
    plain = dp.granularity("a week", weeks, rows=2)
    assert plain != STEPS
    assert repr(STEPS) == "granularity('a week', weeks, rows=2, path=True)"
    assert repr(plain) == "granularity('a week', weeks, rows=2)"
