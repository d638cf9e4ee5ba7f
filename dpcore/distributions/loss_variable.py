"""The privacy loss random variable of two data sets x and y: `ln P(t)/Q(t)` for an outcome t drawn from P.

P is the distribution of the release from x, Q of that from y (Dwork and Rothblum 2016). Where rare outcomes were left out of
either, they are counted as such, and nothing is said of their loss.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from dpcore.distributions.distribution import BITS, Distribution
from dpcore.errors import NoFiniteLoss
from dpcore.maps import ZERO, Number, Numeric, at_precision, ends, exact, exp, known, log, numeral, total
from dpcore.maps.bounds import Bound


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LossVariable:
    """How much an outcome tells x from y, and how likely that is where the data are x."""

    pairs: tuple[tuple[Number, Number], ...]
    """The probability from x and that from y of each outcome that both list, neither of them 0."""

    infinite: Bound
    """How likely an outcome is, from x, that is impossible from y."""

    left_out: Fraction
    """At most so likely are the outcomes of which nothing is said."""

    @property
    def mean(self) -> Bound:
        """Of the outcomes that are not left out."""
        self._finite()
        return Bound.of(lambda: at_precision(BITS, lambda: total([p * log(p / q) for p, q in self.pairs])))

    @property
    def variance(self) -> Bound:
        """Of the outcomes that are not left out."""
        self._finite()
        return Bound.of(lambda: at_precision(BITS, self._variance))

    def _variance(self) -> Number:
        losses = [(p, log(p / q)) for p, q in self.pairs]
        mean = total([p * loss for p, loss in losses])
        return total([p * (loss - mean) * (loss - mean) for p, loss in losses])

    def at_least(self, epsilon: Numeric) -> Bound:
        """At most so likely is a loss of at least epsilon; what was left out counts as such."""
        limit = numeral(known(exact(epsilon, "epsilon"), "epsilon"))

        def likely() -> Number:
            factor = exp(limit)
            # Where p cannot be told from e^eps q, it is counted.
            return total([p for p, q in self.pairs if ends(p)[1] >= ends(factor * q)[0]])

        listed = ends(at_precision(BITS, likely))[1]
        return Bound(numeral(min(Fraction(1), listed + self.infinite.upper + self.left_out)), above=True)

    def _finite(self) -> None:
        if self.infinite > 0:
            raise NoFiniteLoss(
                f"with a probability of {self.infinite} an outcome shows that the data were not the other",
                produced=self.infinite,
                bridge="at_least(epsilon), which counts such outcomes",
            )

    def __repr__(self) -> str:
        infinite = "" if self.infinite == 0 else f", infinite with a probability of {self.infinite}"
        return f"<loss of {len(self.pairs)} outcome{'' if len(self.pairs) == 1 else 's'}{infinite}>"


def loss_variable(of_x: Distribution, of_y: Distribution) -> LossVariable:
    """From the distributions of the release from x, and from y."""
    pairs: list[tuple[Number, Number]] = []
    alone: list[Number] = []
    for outcome, p in of_x.masses.items():
        q = of_y.masses.get(outcome)
        if q is None:
            alone.append(p)
        else:
            pairs.append((p, q))
    # What y does not list is impossible from it, or was left out there.
    only_x = Bound(at_precision(BITS, lambda: total(alone))) if alone else Bound(ZERO)
    if of_y.complete:
        return LossVariable(tuple(pairs), only_x, of_x.left_out)
    return LossVariable(tuple(pairs), Bound(ZERO), of_x.left_out + only_x.upper)
