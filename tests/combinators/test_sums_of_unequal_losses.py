"""What unequal losses come to is looked up in sums that are made once, and is what adding up every term gives.

The class of faults: two sums of which most is taken away, so that no bit of what is left is known; and a curve that
asks for thousands of points, each of which costs as many terms as there are sums.
"""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import dpcore as dp
from dpcore.combinators import unequal
from dpcore.combinators.unequal import _Sums
from dpcore.maps import ONE, ZERO, Number, ball_between, ends, exp, maximum, minimum, numeral, precision, total

BITS = 128
Groups = list[tuple[Fraction, int]]


def added_up(sums: _Sums, x: Fraction) -> Number:
    """Term by term; each is nothing where no loss is above x."""
    terms = [
        often * exp(numeral(-at * sums.unit)) * maximum(ZERO, 1 - exp(numeral(x - (sums.all - 2 * at) * sums.unit)))
        for at, often in sums.counts
    ]
    return minimum(total(terms) * sums.chance, ONE)


SIZES = [Fraction(1), Fraction(100), Fraction(1, 10**6), Fraction(1, 10**30), Fraction(1, 10**300)]


@pytest.mark.parametrize("often", [6, pytest.param(20, marks=pytest.mark.long)])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{float(size):g}")
def test_what_is_looked_up_is_the_sum_of_all_terms(size: Fraction, often: int) -> None:
    draw = random.Random(12)
    for _ in range(often):
        parts = draw.randint(1, 7)
        groups = [
            (size * Fraction(draw.randint(1, 30), draw.randint(1, 30)), draw.choice([1, 2, 40])) for _ in range(parts)
        ]
        with precision(BITS):
            sums = _Sums(groups)
            x = sums.plain * Fraction(draw.randint(0, 1000), 1000)
            low, high = ends(sums.lost(numeral(x)))
            around = ends(sums.lost(ball_between(x, x + sums.plain / 100)))
        with precision(16 * BITS):
            least, most = ends(added_up(_Sums(groups), x))
        assert low <= most
        assert least <= high
        assert high - low <= most / 2 ** (BITS - 20)
        assert around[0] <= least
        assert most <= around[1]


def test_a_curve_of_many_points_adds_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    count = dp.rows(dp.text()) >> dp.count()
    curve = dp.compose_optimal([count >> dp.laplace(scale=10 + i) for i in range(14)]).to(dp.Tradeoff)
    asked = []

    def counted(x: Number) -> Number:
        asked.append(x)
        return exp(x)

    monkeypatch.setattr(unequal, "exp", counted)
    curve.loss(1).beta("1/10")
    assert len(asked) < 6 * unequal.MOST
