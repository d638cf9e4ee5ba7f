"""The belief that a release moves most: over all priors on a small universe, all outcomes and all statements.

With `w(x) = P_x(t)/P_r(x)(t)` for the data x, r(x) being x with somebody's part erased, the belief in x with the release and
that with the release made of r of the data differ by the factor `w(x)/mean of w`, by the latter belief. So the largest
factor over all priors is `max w/min w`, of the two data sets that attain these: it is neared, as the prior weight of the one
goes to 0, and not attained. Under pure epsilon it is at most e^2eps.

What is found is of the outcomes that are listed and of this universe: it may be less than the truth, and never more.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Generic, TypeVar, final

from dpcore.core import Measurement
from dpcore.core.running import distribution_on
from dpcore.core.typing import DI, ME, MI, T
from dpcore.distributions.distribution import BITS, Distribution
from dpcore.errors import InvalidParameter, NoFiniteLoss
from dpcore.maps import Number, at_precision, log
from dpcore.maps.bounds import Bound
from dpcore.measures import PureDP
from dpcore.measures.losses import PureLoss
from dpcore.posteriors import posterior

X = TypeVar("X", bound=Hashable)

NEAR: Final = Fraction(1, 10**6)
"""The prior weight of the data set whose belief is moved."""


@final
@dataclass(frozen=True, slots=True)
class WorstBelief(Generic[X]):
    """A prior and an outcome by which a belief is moved about as far as any prior lets it be moved."""

    supremum: Bound
    """The logarithm of the factor that priors near, over all priors on the universe and all outcomes listed."""

    found: Bound
    """That of the factor at this prior."""

    prior: dict[X, Fraction]
    outcome: object
    data: X
    """Which data are believed in by that factor more, or less, than if the release had been made of erased data."""

    claimed: Bound | None
    """At most 2 epsilon, in PureDP; None in other measures, of which nothing is claimed of all beliefs."""

    def __repr__(self) -> str:
        claimed = "nothing is claimed" if self.claimed is None else f"claimed at most {self.claimed}"
        return f"<WorstBelief: ln factor {float(self.found):.7g}, up to {self.supremum}; {claimed}>"


def worst_belief(m: Measurement[DI, MI, ME, T], universe: Iterable[X], erased: Callable[[X], X]) -> WorstBelief[X]:
    """How far the belief in one of these data sets is moved at most by the part that is erased, with the prior for it.

    The universe holds data sets as tuples of rows, or values.
    """
    data = list(dict.fromkeys(universe))
    if len(data) < 2:
        raise InvalidParameter("Expected a universe of at least two data sets", produced=len(data))
    told: dict[X, Distribution] = {}
    for x in (*data, *map(erased, data)):
        if x not in told:
            told[x] = distribution_on(m, x)
    pairs = [(x, told[x], told[erased(x)]) for x in data]
    highest, lowest, key = _furthest(pairs)
    outcome = told[highest].outcomes[key]

    def moved() -> Number:
        up, down = (told[x].masses[key] / told[erased(x)].masses[key] for x in (highest, lowest))
        return log(up / down)

    prior = {highest: NEAR, lowest: 1 - NEAR}
    with_them, without = posterior(m, prior, outcome)[highest], posterior(m, prior, outcome, erased)[highest]
    found = Bound(at_precision(BITS, lambda: log(with_them.at() / without.at())))
    return WorstBelief(Bound(at_precision(BITS, moved)), found, prior, outcome, highest, _claimed(m, data, erased))


def _furthest(pairs: list[tuple[X, Distribution, Distribution]]) -> tuple[X, X, Hashable]:
    """The data whose ratio is greatest and those whose ratio is least, of the outcome where these are furthest apart."""
    best: tuple[float, X, X, Hashable] | None = None
    for key in dict.fromkeys(key for _, there, _ in pairs for key in there.floats):
        ratios = list(_ratios(pairs, key))
        if not ratios:
            continue
        # Of equal ones the first and the last, which are two data sets also where the release tells of none.
        (high, x), (low, y) = max(ratios, key=lambda r: r[0]), min(reversed(ratios), key=lambda r: r[0])
        if best is None or high - low > best[0]:
            best = (high - low, x, y, key)
    if best is None or best[1] == best[2]:
        raise NoFiniteLoss("no outcome is possible from two of the data sets, and from these with the part erased")
    return best[1], best[2], best[3]


def _ratios(pairs: list[tuple[X, Distribution, Distribution]], key: Hashable) -> Iterator[tuple[float, X]]:
    """Of the outcome, the logarithm of P_x/P_r(x) by x, where both are listed."""
    for x, there, gone in pairs:
        listed, other = key in there.masses, key in gone.masses
        if listed and other:
            p, q = there.floats[key], gone.floats[key]
            if p > 0 and q > 0:  # what is too rare for a float is passed over
                yield math.log(p) - math.log(q), x
        elif (listed and gone.complete) or (other and there.complete):
            raise NoFiniteLoss(
                "an outcome is possible with a part of the data and impossible without it, or the other way round: beliefs "
                "move without a limit",
                produced=type(key),
            )


def _claimed(m: Measurement[DI, MI, ME, T], data: list[X], erased: Callable[[X], X]) -> Bound | None:
    """Twice the largest epsilon between data and erased data, by upper ends: enclosures of equal ones are not told apart."""
    losses = [m.loss_between(x, erased(x)) for x in data] if isinstance(m.measure, PureDP) else []
    return max((loss.epsilon * 2 for loss in losses if isinstance(loss, PureLoss)), key=lambda b: b.upper, default=None)
