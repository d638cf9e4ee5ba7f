"""Long figures are said short, and on the side on which what is said is true."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

import dpcore as dp
from dpcore.errors import BudgetExceeded
from dpcore.interaction.costs import brief, decimal_of, in_words

LONG = Fraction(21871574580015804101071682140695338056744940795, 45671926166590716193865151022383844364247891968)
AGES = dp.rows(dp.integers(0, 120))


@pytest.mark.parametrize("x", [LONG, 1 / LONG, Fraction(1, 3), Fraction(10**40 + 1, 10**13), Fraction(7, 10**30)])
def test_a_decimal_is_on_the_side_it_was_asked_for(x: Fraction) -> None:
    below, above = (Fraction(Decimal(decimal_of(x, down=down))) for down in (True, False))
    assert below <= x <= above
    assert above - below <= x / 10**5
    assert brief(LONG) == "at most 0.478885"
    assert brief(LONG, down=True) == "at least 0.478884"
    assert brief(Fraction(1, 7)) == "1/7"


def test_losses_are_said_as_they_are_where_that_is_short() -> None:
    assert in_words(dp.PureDP(), (Fraction(1, 3),)) == str(dp.pure("1/3"))
    assert in_words(dp.ApproxDP(), (LONG, Fraction(1, 10))) == "ApproxDP: epsilon <= 0.478885, delta = 1/10"
    assert in_words(dp.ApproxDP(), (LONG, Fraction(1, 10)), down=True) == "ApproxDP: epsilon >= 0.478884, delta = 1/10"
    assert in_words(dp.GaussianDP(), (LONG,)) == "GaussianDP: mu <= 0.692015"


def test_a_refusal_has_no_long_figures() -> None:
    curator = dp.curator(AGES, [1, 2], budget=dp.approx(1, "1e-6"))
    noisy = AGES >> dp.count()
    curator.ask((noisy >> dp.gaussian(sigma=10)).to(dp.ApproxDP, delta="1e-7"))
    with pytest.raises(BudgetExceeded) as refusal:
        curator.ask((noisy >> dp.gaussian(sigma=1)).to(dp.ApproxDP, delta="1e-7"))
    said = refusal.value.headline
    assert said.startswith(
        "the question costs ApproxDP: epsilon <= 5.67086, delta = 1/10000000; left is ApproxDP: epsilon >= 0.5211"
    )
    assert "exactly" not in said
