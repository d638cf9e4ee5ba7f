"""A claim is about distances as they are shown; an L2 distance is carried as its square, which is the library's affair."""

from __future__ import annotations

from fractions import Fraction

import pytest

import dpcore as dp
from dpcore.maps import Number

ROWS = dp.rows(dp.categories("a", "b"))
VECTOR = dp.value(dp.vector(dp.integers(), 2), dp.L2Distance())


def twice(d: Number) -> Number:
    return 2 * d


def zeros(data: object) -> list[int]:
    return [0, 0]


def test_out_into_l2() -> None:
    f = dp.transformation(zeros, ROWS, VECTOR, twice)
    assert f.stability(3) == 6
    assert str(f.map) == "2*d_in"
    # rho = (2d)^2/(2 sigma^2), not 2d/(2 sigma^2)
    assert (f >> dp.gaussian(sigma=1)).loss(3) == dp.zcdp(18)


def test_in_from_l2() -> None:
    f = dp.transformation(zeros, VECTOR, VECTOR, twice)
    assert f.stability("1/2") == 1
    assert (f >> dp.gaussian(sigma=1)).loss("1/2") == dp.zcdp("1/2")
    m = dp.measurement(zeros, VECTOR, dp.PureDP(), twice)
    for d in (Fraction(1, 4), Fraction(1, 2), Fraction(3)):
        assert m.loss(d) == dp.pure(2 * d)


def test_after_an_irrational_distance() -> None:
    """sqrt(2) in L2, doubled: exact bounds give way to enclosures, never to less."""
    start = dp.rows(dp.categories("a", "b"), dp.ChangeOneDistance()) >> dp.histogram(norm=dp.L2Distance)
    claim = dp.transformation(zeros, start.output, VECTOR, twice)
    found = (start >> claim).stability(1)
    assert found.lower**2 <= 8 <= found.upper**2


@pytest.mark.parametrize("bad", [lambda d: -d, lambda d: "much", lambda d: None, lambda d: float("nan")])
def test_what_is_no_distance_is_refused(bad: object) -> None:
    f = dp.transformation(zeros, ROWS, VECTOR, bad)  # type: ignore[arg-type]
    with pytest.raises(dp.errors.DPError):
        f.stability(1)
