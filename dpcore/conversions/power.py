"""What a test can do against a loss: its curve of error rates, and by how much it beats guessing.

A test says of a release "it is this data set, not the other". Its false-positive rate is how often it says so wrongly, its
true-positive rate how often rightly. A loss asks its own conversions, so that nothing is claimed here that no rule states.
"""

from __future__ import annotations

from typing import Final

from dpcore.calculus import Raw, Reading, curve_in, number_in
from dpcore.conversions.between_curves import worst_test
from dpcore.conversions.table import CONVERSIONS, conversion
from dpcore.maps import ONE, ZERO, Number, numeral
from dpcore.maps.bounds import Bound
from dpcore.measures import Measure, Profile, TotalVariation, Tradeoff
from dpcore.measures.losses import CurveLoss, Loss, ProfileLoss, RenyiLoss, TradeoffLoss
from dpcore.measures.measure import measure_of

FEW_TESTS: Final = 100
"""Of a curve whose every point may take a search, the largest difference is searched for among so many intervals."""


def tradeoff_of(loss: Loss) -> TradeoffLoss:
    """The loss as a curve: the least false-negative rate of any test, for each false-positive rate."""
    if isinstance(loss, TradeoffLoss):
        return loss
    if isinstance(loss, CurveLoss) or all(part.exact is not None for part in loss.parts):
        return TradeoffLoss(curve_in(_converted(loss, Tradeoff)))

    def narrower(x: Number) -> Number:
        """Numbers that are enclosed are asked again, at the precision that is set when the curve is."""
        return curve_in(_converted(loss, Tradeoff))(x)

    return TradeoffLoss(narrower)


def advantage_of(loss: Loss) -> Bound:
    """The most by which the true-positive rate of any test exceeds its false-positive rate: the total variation."""
    if isinstance(loss, TradeoffLoss):
        return Bound(numeral(worst_test(loss.curve, ZERO, FEW_TESTS)[1]), above=True)
    return Bound.of(lambda: number_in(_converted(loss, TotalVariation)))


def _converted(loss: Loss, target: type[Measure]) -> Raw:
    """The loss in that measure: by one rule, or by way of its profile."""
    source = type(measure_of(loss))
    if source is target:
        return _raw(loss)
    if (source, target) in CONVERSIONS or (source, Profile) not in CONVERSIONS:
        return _by_rule(source, target, lambda d: _raw(loss))
    return _by_rule(Profile, target, lambda d: _by_rule(source, Profile, lambda d: _raw(loss)))


def _by_rule(source: type[Measure], target: type[Measure], reading: Reading) -> Raw:
    rule, parameters = conversion(source, target, {})
    return rule.map(ONE, reading, **{name: parameters.get(name) for name in rule.map_names})


def _raw(loss: Loss) -> Raw:
    """In the form in which it is carried."""
    if isinstance(loss, (RenyiLoss, ProfileLoss, TradeoffLoss)):
        return loss.curve
    assert not isinstance(loss, CurveLoss)
    numbers = [part.at() for part in loss.parts]
    return numbers[0] if len(numbers) == 1 else (numbers[0], numbers[1])
