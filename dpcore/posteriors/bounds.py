"""What a loss says of beliefs, as proved in proofs/coq/theory/Beliefs.v: `beliefs_odds`, `beliefs_pure`, `beliefs_approx`.

Let `P_z(t)` be the probability of the outcome t from the data z.

Pure epsilon, two data sets x, y within d_in: odds are multiplied by `P_x(t)/P_y(t)`, between e^-eps and e^eps.

Pure epsilon, any belief (Kasiviswanathan and Smith 2014, pointwise). Let b be any prior on data, of any correlations, and r
a map with `d(z, r(z)) <= d_in` for all z: one person's data erased, say. Whoever sees t believes a statement with p, the sum
of `b(z) P_z(t)` over the z of which it holds, by that over all z; had the release been made of r of the data, the same t
would have led to q, with `P_r(z)` for `P_z`. Numerators differ by a factor within e^eps of 1, so do denominators: p and q
differ by a factor of at most e^2eps. The same is true of the contrary, so that odds differ by at most e^2eps, and p and q by
at most `(e^eps - 1)/(e^eps + 1) = tanh(eps/2)`, which is reached. (Ratios within e^2eps of 1 alone would give tanh(eps).)

(epsilon, delta), two data sets. Let B be the outcomes t with `P(t) > e^2eps Q(t)`. Then
`P(B) <= e^eps Q(B) + delta <= e^-eps P(B) + delta`, so `P(B) <= delta/(1 - e^-eps)`. For the outcomes with
`P(t) < e^-2eps Q(t)` the same holds of Q, and P of them is at most e^-2eps times that. Together: whichever of the two data
sets it is, odds move by more than the factor e^2eps with a probability of at most

    delta (1 + e^-2eps)/(1 - e^-eps) <= 2 delta/(1 - e^-eps).

Nothing is claimed of all beliefs under (epsilon, delta), nor of total variation alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from dpcore.errors import InvalidParameter, NoConversion
from dpcore.maps import ONE, Number, Numeric, exp, expm1
from dpcore.maps.bounds import Bound
from dpcore.measures.losses import ApproxLoss, Loss, PureLoss


def failing(epsilon: Number, delta: Number) -> Number:
    """`delta (1 + e^-2eps)/(1 - e^-eps)`: so likely at most are outcomes that move odds by more than e^2eps."""
    return delta * (1 + exp(-2 * epsilon)) / -expm1(-epsilon)


@final
@dataclass(frozen=True, slots=True)
class Beliefs:
    """What a loss promises of beliefs; of an (epsilon, delta), but for outcomes that are as rare as `failing` says."""

    loss: PureLoss | ApproxLoss

    @property
    def odds(self) -> Bound:
        """By at most so much are the odds of two data sets multiplied or divided, in the outcomes that `failing` leaves."""
        times = 1 if self._is_pure else 2
        return Bound.of(lambda: exp(times * self.loss.epsilon.at()), self.loss.epsilon.above)

    @property
    def failing(self) -> Bound:
        """At most so likely are, from either of two data sets, the outcomes of which `odds` says nothing."""
        if self._is_pure:
            return Bound("0")
        if self.loss.epsilon <= 0:
            raise NoConversion(
                "at an epsilon of 0 no bound on odds follows",
                produced=self.loss,
                bridge="the same loss at a larger epsilon",
            )
        epsilon, delta = self.loss.parts
        most = Bound.of(lambda: failing(epsilon.at(), delta.at()), epsilon.above or delta.above)
        return Bound(ONE, above=True) if most.upper > 1 else most

    @property
    def any_statement(self) -> Bound:
        """Whatever was known before: by at most this factor, up or down, does the probability of any statement about the
        data differ from what it would be had one person's data been erased before the release."""
        self._expect_pure()
        return Bound.of(lambda: exp(2 * self.loss.epsilon.at()), self.loss.epsilon.above)

    @property
    def total_variation(self) -> Bound:
        """By at most so much does that probability differ."""
        self._expect_pure()

        def tanh() -> Number:
            grown = expm1(self.loss.epsilon.at())
            return grown / (grown + 2)

        return Bound.of(tanh, self.loss.epsilon.above)

    @property
    def risk_multiplier(self) -> Bound:
        """At most so many times likelier does anything become by taking part, but for delta."""
        return Bound.of(lambda: exp(self.loss.epsilon.at()), self.loss.epsilon.above)

    def risk(self, probability: Numeric | Bound) -> Bound:
        """The most that the probability of an event can become by taking part, where it is this one without."""
        return self.loss.tpr(probability)

    @property
    def _is_pure(self) -> bool:
        return isinstance(self.loss, PureLoss) or self.loss.delta == 0

    def _expect_pure(self) -> None:
        if not self._is_pure:
            raise NoConversion(
                "of all beliefs at once no bound is known that follows from an epsilon and a delta",
                produced=self.loss,
                bridge=".odds and .failing, of two data sets; or a loss in PureDP",
            )

    def __str__(self) -> str:
        if self._is_pure:
            return (
                f"odds of two data sets move by a factor of at most {self.odds}; any statement is believed with at most "
                f"{self.any_statement} times the probability, and {self.total_variation} more, than with one person erased"
            )
        return (
            f"odds of two data sets move by a factor of at most {self.odds}, but with a probability of {self.failing}"
        )


def beliefs(loss: Loss) -> Beliefs:
    """What a loss of epsilon, or of epsilon and delta, promises of what anybody may come to believe: `beliefs(pure(1))`."""
    if isinstance(loss, (PureLoss, ApproxLoss)):
        return Beliefs(loss)
    raise InvalidParameter(
        f"Expected a loss of epsilon, or of epsilon and delta, but got a {type(loss).__name__}",
        produced=loss,
        bridge="m.to(ApproxDP, delta=...).loss(d_in) of a measurement m",
    )
