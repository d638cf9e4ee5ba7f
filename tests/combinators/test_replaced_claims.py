"""Parts that are claimed, with the author's word for what a row costs that is replaced inside one.

So the bound of the corollary for parts in parallel is met for mechanisms of one's own, in every measure, and no part is
taken for two steps where less was promised. The promise is printed, and a checker refuses one about another function.
"""

from __future__ import annotations

import copy
import json
import math
import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import dpcore as dp
from proofs import check_certificate

d: Any = dp
PERSON = d.record(k=d.categories("a", "b", "c"))
PART = d.rows(PERSON)
KEYED = d.rows(PERSON, d.ChangeOneDistance()) >> d.partition(["a", "b"], d.field("k"))


def noisy(rows: Any) -> int:
    return len(rows)


def whole(x: Any) -> Any:
    return x


def half(x: Any) -> Any:
    return x / 2


def thrice(x: Any) -> Any:
    return 3 * x


def pair(x: Any) -> Any:
    return x, x / 100


def smaller_pair(x: Any) -> Any:
    return x / 2, x / 200


def made(measure: Any, first: Any, second: Any, replaced: Any) -> Any:
    parts = {
        key: d.measurement(noisy, PART, measure, loss, replaced=of_replaced)
        for key, loss, of_replaced in zip("ab", (first, second), replaced, strict=True)
    }
    return KEYED >> d.parallel(parts)


FIGURES: dict[str, tuple[Callable[[Any], Any], Any, Any]] = {
    "gaussian": (lambda r: made(d.GaussianDP(), whole, half, r), None, d.gaussian_dp(2)),
    "pure": (lambda r: made(d.PureDP(), whole, half, r), d.pure("3/2"), d.pure(2)),
    "zcdp": (lambda r: made(d.ZCDP(), whole, half, r), d.zcdp("3/2"), d.zcdp(2)),
    "total_variation": (lambda r: made(d.TotalVariation(), half, half, r), d.total_variation(1), d.total_variation(1)),
    "approx": (lambda r: made(d.ApproxDP(), pair, pair, r), d.approx(2, "1/50"), d.approx(2, "1/50")),
}


def test_the_corollary_for_gaussian_differential_privacy() -> None:
    """sqrt(mu_1^2 + mu_2^2) for parts of mu_1 = 1 and mu_2 = 1/2: two parts are touched, and neither is twice."""
    promised = made(d.GaussianDP(), whole, half, (whole, half)).loss(1)
    assert math.isclose(float(promised.mu), 1.1180339887, abs_tol=1e-10)
    assert promised.mu_squared == Fraction(5, 4)
    assert made(d.GaussianDP(), whole, half, (None, None)).loss(1) == d.gaussian_dp(2)


@pytest.mark.parametrize("measure", FIGURES)
def test_the_largest_of_what_can_be_touched(measure: str) -> None:
    make, with_promise, without = FIGURES[measure]
    words = (smaller_pair, smaller_pair) if measure == "approx" else (whole, half)
    assert make((None, None)).loss(1) == without
    if with_promise is not None:
        assert make(words).loss(1) == with_promise
        assert make(words).loss(2).parts[0] <= 4 * with_promise.parts[0]


def test_a_larger_loss_when_replaced_is_what_counts() -> None:
    assert made(d.PureDP(), whole, half, (thrice, half)).loss(1) == d.pure(3)
    assert made(d.PureDP(), whole, half, (None, thrice)).loss(1) == d.pure(3)
    assert made(d.PureDP(), whole, half, (whole, None)).loss(1) == d.pure("3/2")


def test_the_same_where_a_row_comes_or_goes() -> None:
    """The word for replaced rows says nothing of others."""
    alone = d.measurement(noisy, PART, d.PureDP(), whole, replaced=half)
    assert alone.loss(2) == d.pure(2)
    assert (PART >> d.partition(["a", "b"], d.field("k")) >> d.parallel(alone)).loss(1) == d.pure(1)
    assert (PART >> d.filter(d.field("k") == "a") >> alone).loss(3) == d.pure(3)


def written(m: Any) -> Any:
    return json.loads(d.certify(m, 1).text())


@pytest.mark.parametrize("measure", FIGURES)
def test_the_promise_is_printed_and_checked(measure: str) -> None:
    if measure == "total_variation":
        with pytest.raises(dp.errors.Vacuous):
            d.certify(FIGURES[measure][0]((whole, half)), 1)
        return
    words = (smaller_pair, smaller_pair) if measure == "approx" else (whole, half)
    lines, _ = check_certificate.verify(d.certify(FIGURES[measure][0](words), 1).text())
    promises = [line for line in lines if line.startswith("assumption: claimed_measurement")]
    of_replaced = [line for line in promises if "one row replaced by another" in line]
    assert 1 <= len(of_replaced) <= len(promises) - 1
    both = f"{'pair' if measure == 'approx' else 'whole'} and {words[0].__name__}"
    assert any(both in line for line in of_replaced)
    assert any(both in line and "one row more" in line for line in promises)


@pytest.mark.parametrize("name", ["function", "map"])
def test_a_promise_about_something_else_is_refused(name: str) -> None:
    """The loss of a part when a row is replaced must be that of the same function, by the same word."""
    certificate = written(made(d.PureDP(), whole, half, (whole, half)))
    check_certificate.verify(json.dumps(certificate).encode())
    other = copy.deepcopy(certificate)
    parallel = other["derivation"]["premises"][-1]
    assert parallel["rule"] == "parallel_change_one_pure"
    parallel["premises"][2]["parameters"][name]["digest"] = "0" * 64
    with pytest.raises(check_certificate.Rejected, match="do not run alike"):
        check_certificate.verify(json.dumps(other).encode())


def test_where_it_can_be_said() -> None:
    for metric in (d.ChangeOneDistance(), d.granularity("a week", lambda x, y: 1, rows=7)):
        with pytest.raises(dp.errors.InvalidParameter, match="SymmetricDistance where replaced is given"):
            d.measurement(noisy, d.rows(PERSON, metric), d.PureDP(), whole, replaced=half)
    with pytest.raises(dp.errors.InvalidParameter, match="a function for replaced"):
        d.measurement(noisy, PART, d.PureDP(), whole, replaced=3)


def test_it_is_a_value() -> None:
    claim = d.measurement(noisy, PART, d.PureDP(), whole, replaced=half)
    assert claim == d.measurement(noisy, PART, d.PureDP(), whole, replaced=half)
    assert claim != d.measurement(noisy, PART, d.PureDP(), whole)
    assert claim != d.measurement(noisy, PART, d.PureDP(), whole, replaced=whole)
    assert repr(claim).endswith("whole, replaced=half)")
    assert pickle.loads(pickle.dumps(claim)) == claim
    assert (KEYED >> d.parallel(claim)).loss(1) == d.pure(2)
