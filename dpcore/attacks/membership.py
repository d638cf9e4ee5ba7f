"""Membership: which of two data sets was it? The best test that is found in releases, beside the curve of the loss.

Half of the releases show which outcomes speak for x: those that x leads to oftener, by their ratio. The other half is
judged by them: each number of outcomes, best first, is a test, with how often it says x wrongly, of releases of y, and how
often rightly. Rates are as counted: with n releases they are off by about 1/sqrt(n), so that a point may lie a little above
the curve of a true claim. `assurance.audit` says what is beyond doubt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

import numpy as np

from dpcore.assurance.sampling import many_releases
from dpcore.attacks.subsets import real
from dpcore.core import Measurement
from dpcore.core.checks import a_measurement, number_of
from dpcore.core.typing import DI, ME, MI, T
from dpcore.distributions.distribution import settled
from dpcore.errors import InvalidParameter, is_a
from dpcore.measures.losses import Loss
from dpcore.noise.bits import BitSource, system_bits
from dpcore.pictures import Picture, lines
from dpcore.pictures.curves import curve

LEAST: Final = 100
MOST: Final = 1 << 26


@final
@dataclass(frozen=True, slots=True, repr=False)
class Membership:
    """The rates of the tests that were found, and the loss between the two data sets."""

    rates: tuple[tuple[float, float], ...]
    """False-positive rate and true-positive rate, rising."""

    claimed: Loss

    def tpr(self, fpr: float) -> float:
        """The true-positive rate of the tests found at this false-positive rate; between two of them, a coin decides."""
        rate = real(fpr, "fpr")
        if not 0 <= rate <= 1:
            raise InvalidParameter(f"Expected 0 <= fpr <= 1 but got fpr={rate}", produced=fpr)
        return float(np.interp(rate, [wrong for wrong, _ in self.rates], [right for _, right in self.rates]))

    @property
    def advantage(self) -> float:
        """By how much the best of them beats guessing."""
        return max(right - wrong for wrong, right in self.rates)

    def plot(self, path: str | Path | None = None) -> Picture:
        """True-positive rates over false-positive rates: what was found, what the loss allows, and guessing."""
        allowed = [(x, 1 - y) for x, y in curve(self.claimed.tradeoff())]
        drawn = {"found": self.rates, "allowed by the loss": allowed, "guessing": [(0.0, 0.0), (1.0, 1.0)]}
        picture = lines(drawn, title="Membership", across="false-positive rate", up="true-positive rate")
        if path is not None:
            picture.save(path)
        return picture

    def __repr__(self) -> str:
        return f"<Membership: advantage {self.advantage:.3f}, at most {float(self.claimed.advantage()):.3f} allowed>"


def membership(
    m: Measurement[DI, MI, ME, T], x: object, y: object, *, n: int = 10_000, bits: BitSource | None = None
) -> Membership:
    """Tests of whether the data were x and not y, learned from n releases of each and tried on n others."""
    a_measurement(m)
    n = number_of(n, "n", LEAST, MOST)
    source = system_bits() if bits is None else bits
    if not is_a(source, BitSource):
        raise InvalidParameter(f"Expected a source of bits for bits but got a {type(bits).__name__}", produced=bits)
    claimed = m.loss_between(x, y)
    of_x, of_y = ([_known(each) for each in many_releases(m, data, 2 * n, source)] for data in (x, y))
    seen_x, seen_y = Counter(of_x[:n]), Counter(of_y[:n])
    # An outcome that neither half has shown is as likely from both, as far as is known; one is added to each count.
    order = sorted({*of_x, *of_y}, key=lambda t: (-(seen_x[t] + 1) / (seen_y[t] + 1), repr(t)))
    tried_x, tried_y = Counter(of_x[n:]), Counter(of_y[n:])
    wrong = np.cumsum([0, *(tried_y[t] for t in order)]) / n
    right = np.cumsum([0, *(tried_x[t] for t in order)]) / n
    rates = tuple((float(a), float(b)) for a, b in zip(wrong, right, strict=True))
    return Membership(rates, claimed)


def _known(release: object) -> Hashable:
    return settled(release.tolist() if isinstance(release, (np.ndarray, np.generic)) else release)
