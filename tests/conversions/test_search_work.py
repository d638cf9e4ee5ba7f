"""A search within a search is a rough one: the class of curves of curves on which `certify` worked for minutes.

What is counted is how often the innermost curve is asked, and nothing is timed.
"""

from __future__ import annotations

from fractions import Fraction

from dpcore.conversions.between_curves import best_line, worst_test
from dpcore.maps import Number, maximum, numeral


def test_the_best_line_of_a_profile_that_is_searched_itself_asks_little() -> None:
    asked = [0]

    def tradeoff(alpha: Number) -> Number:
        asked[0] += 1
        return maximum(1 - 3 * alpha, (1 - alpha) / 3, numeral(0))

    def profile(epsilon: Number) -> Number:
        _, high, _ = worst_test(tradeoff, epsilon)
        return numeral(high)

    best_line(profile, numeral(Fraction(1, 2)))
    assert asked[0] < 250 * 200

    asked[0] = 0
    profile(numeral(Fraction(1, 3)))
    assert asked[0] > 2000, "what is not within another search is as fine as before"
