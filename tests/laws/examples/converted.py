"""The same release, its loss counted in another measure."""

from __future__ import annotations

from fractions import Fraction

import dpcore as dp
from dpcore.calculus import Derivation
from dpcore.conversions.from_orders import zcdp_to_approx
from dpcore.core.origins import MADE, Call
from tests.laws.examples.example import AB, CHANGE_ONE, LETTERS, Example, Examples

COIN = (False, True)
BOTH = ("a", "b")
FAR = "the conversion is not tight for this mechanism"

ANSWER = dp.value(dp.booleans(), dp.DiscreteDistance()) >> dp.randomized_response("3/4")
SHAME = dp.rows(AB, CHANGE_ONE) >> dp.name_and_shame("1/4")
RELEASED = dp.rows(dp.text()) >> dp.threshold_release(scale="1/2", threshold=3)
GAUSSIAN = LETTERS >> dp.count() >> dp.gaussian(sigma=1)
CURVE = LETTERS >> dp.count() >> dp.gaussian(sigma=1, measure=dp.Profile)
RARE = RELEASED.to(dp.ApproxZCDP)
DELTA = Fraction(1, 100)


def simply() -> object:
    """The simple conversion, which no constructor offers: the tight one is never worse."""
    origin = Call(dp.types.Measurement.to, (GAUSSIAN, dp.ApproxDP), (("delta", DELTA),))
    derivation = Derivation(zcdp_to_approx, {"delta": DELTA}, (GAUSSIAN.derivation,))
    return dp.types.Measurement(GAUSSIAN.input, dp.ApproxDP(), derivation, origin, MADE)


CONVERTED: Examples = [
    Example("pure to approx", lambda: ANSWER.to(dp.ApproxDP), COIN),
    Example("pure to zcdp", lambda: ANSWER.to(dp.ZCDP), COIN, slack=FAR),
    Example("pure to renyi", lambda: ANSWER.to(dp.RenyiDP), COIN, slack=FAR),
    Example("pure to total variation", lambda: ANSWER.to(dp.TotalVariation), COIN),
    Example("pure to profile", lambda: ANSWER.to(dp.Profile), COIN),
    Example("pure to tradeoff", lambda: ANSWER.to(dp.Tradeoff), COIN),
    Example("pure to gaussian", lambda: ANSWER.to(dp.GaussianDP), COIN),
    Example("approx to profile", lambda: RELEASED.to(dp.Profile), ("a",)),
    Example("approx to tradeoff", lambda: RELEASED.to(dp.Tradeoff), ("a",)),
    Example("approx to total variation", lambda: RELEASED.to(dp.TotalVariation), ("a",), slack=FAR),
    Example("total variation to approx", lambda: SHAME.to(dp.ApproxDP), BOTH),
    Example("total variation to profile", lambda: SHAME.to(dp.Profile), BOTH),
    Example("total variation to tradeoff", lambda: SHAME.to(dp.Tradeoff), BOTH),
    Example("pure to approximate zcdp", lambda: ANSWER.to(dp.ApproxZCDP), COIN),
    Example("approx to approximate zcdp", lambda: SHAME.to(dp.ApproxDP).to(dp.ApproxZCDP), BOTH),
    Example("zcdp to approximate zcdp", lambda: GAUSSIAN.to(dp.ApproxZCDP), BOTH),
    Example("approximate zcdp to approx", lambda: RARE.to(dp.ApproxDP, slack=DELTA), ("a",), slack=FAR),
    Example("approximate zcdp to profile", lambda: RARE.to(dp.Profile), ("a",), slack=FAR),
    Example("zcdp to renyi", lambda: GAUSSIAN.to(dp.RenyiDP), BOTH),
    Example("zcdp to profile", lambda: GAUSSIAN.to(dp.Profile), BOTH, slack=FAR),
    Example("zcdp to approx", lambda: GAUSSIAN.to(dp.ApproxDP, delta=DELTA), BOTH, slack=FAR),
    Example(
        "zcdp to approx at an order",
        lambda: GAUSSIAN.to(dp.ApproxDP, delta=DELTA, alpha=4),
        BOTH,
        slack=FAR,
        zero=False,
    ),
    Example("zcdp to approx, simply", simply, BOTH, slack=FAR, zero=False),
    Example("renyi to approx", lambda: GAUSSIAN.to(dp.RenyiDP).to(dp.ApproxDP, delta=DELTA), BOTH, slack=FAR),
    Example("gaussian to zcdp", lambda: ANSWER.to(dp.GaussianDP).to(dp.ZCDP), COIN, slack=FAR),
    Example("gaussian to renyi", lambda: ANSWER.to(dp.GaussianDP).to(dp.RenyiDP), COIN, slack=FAR),
    Example("gaussian to profile", lambda: ANSWER.to(dp.GaussianDP).to(dp.Profile), COIN),
    Example("gaussian to tradeoff", lambda: ANSWER.to(dp.GaussianDP).to(dp.Tradeoff), COIN),
    Example("profile to approx", lambda: CURVE.to(dp.ApproxDP, delta=DELTA), BOTH, zero=False),
    Example("profile to approx at an epsilon", lambda: CURVE.to(dp.ApproxDP, epsilon="1/2"), BOTH, zero=False),
    Example("profile to total variation", lambda: CURVE.to(dp.TotalVariation), BOTH),
    Example("profile to tradeoff", lambda: CURVE.to(dp.Tradeoff), BOTH),
    Example("tradeoff to profile", lambda: ANSWER.to(dp.Tradeoff).to(dp.Profile), COIN, zero=False, slow=True),
]
