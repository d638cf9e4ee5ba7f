"""A lower bound on what a mechanism loses, from its releases alone: what runs is held against what is claimed.

The bound holds with the stated confidence for the code that runs, its samplers included, whatever the claim rests on. It
is a lower bound: staying below the claim proves nothing, exceeding it proves (at that confidence) that the claim is wrong.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, TypeAlias, TypeVar, final

from dpcore.assurance.claim import Claim, claim_of, claim_of_loss
from dpcore.assurance.events import Event, best_event, ratio_score, surplus_score
from dpcore.assurance.intervals import surely_above, surely_below
from dpcore.assurance.sampling import Releases, joined, many_releases
from dpcore.core import Measurement, Transformation
from dpcore.core.checks import number_of
from dpcore.core.origins import Arrow
from dpcore.core.steps import Step
from dpcore.errors import InvalidParameter
from dpcore.maps import Numeric, confidence_of, exact, known, log, numeral
from dpcore.maps.bounds import Bound
from dpcore.measures.losses import Loss
from dpcore.noise.bits import BitSource, system_bits

A = TypeVar("A")
Progress: TypeAlias = Callable[[int, int], None]
"""Called with how many releases are done, and of how many."""

LEAST: Final = 100
LONG: Final = 100_000
"""From so many releases on, a terminal is shown how far it is."""
BATCH: Final = 1 << 16


def audit(
    mechanism: Arrow | Callable[[A], object],
    x: A,
    y: A,
    *,
    n: int = LONG,
    delta: Numeric | None = None,
    confidence: Numeric = "0.999",
    claimed: Loss | None = None,
    many: Callable[[A, int], Sequence[object]] | None = None,
    bits: BitSource | None = None,
    progress: Progress | None = None,
) -> Audit:
    """Release n times on x and n times on y, and see how well they can be told apart: `print(audit(m, [1], [1, 1]))`.

    A measurement is held against its own loss at the distance of x and y. Any other callable from data to a release may
    be audited too, with `claimed=pure(1)` or without a claim; `many(data, n)`, where given, makes its releases at once.
    `delta` is where epsilon is bounded; without one it is what the loss says, or 0.
    """
    n = number_of(n, "n", LEAST)
    sure = confidence_of(confidence)
    given = None if delta is None else Fraction(known(exact(delta, "delta"), "delta"))
    if given is not None and not 0 <= given < 1:
        raise InvalidParameter(f"Expected 0 <= delta < 1 but got delta={given}", produced=given)
    release, claim = _what_runs(mechanism, x, y, given, claimed, many, bits)
    told = _Told(n, progress)
    on_x, on_y = told.sample(release, x), told.sample(release, y)
    level = (1 - sure) / 2
    z = math.sqrt(2 * math.log(1 / float(level)))
    score = ratio_score(float(claim.at), z) if claim.figure == "epsilon" else surplus_score(1.0, z)
    event = best_event(on_x, on_y, score)
    p = surely_above(event.hits, event.of, level)
    q = surely_below(event.other_hits, event.of, level)
    bound = _bound(claim, p, q)
    return Audit(_name(mechanism), claim.figure, claim.at, bound, claim.claimed, sure, n, event)


def _bound(claim: Claim, p: Fraction, q: Fraction) -> Bound:
    """`P(E) >= p` and `Q(E) <= q`, so `p <= e^epsilon q + delta`."""
    if claim.figure == "delta":
        return Bound(max(Fraction(0), p - q))
    if p - claim.at <= q:
        return Bound("0")
    return Bound.of(lambda: log(numeral((p - claim.at) / q)))


def _what_runs(
    mechanism: Arrow | Callable[[A], object],
    x: A,
    y: A,
    delta: Fraction | None,
    claimed: Loss | None,
    many: Callable[[A, int], Sequence[object]] | None,
    bits: BitSource | None,
) -> tuple[Callable[[A, int], Releases], Claim]:
    if isinstance(mechanism, Measurement):
        source = system_bits() if bits is None else bits
        if many is not None:
            raise InvalidParameter("a measurement knows how to release many times: `many` is for other callables")
        claim = claim_of(mechanism, x, y, delta) if claimed is None else claim_of_loss(claimed, delta)
        return lambda data, n: many_releases(mechanism, data, n, source, flat=True), claim
    if not callable(mechanism) or isinstance(mechanism, (type, Step, Transformation)):
        raise InvalidParameter(f"Expected a measurement or a callable but got a {type(mechanism).__name__}")
    claim = claim_of_loss(claimed, delta)
    if many is not None:
        return many, claim
    return lambda data, n: [mechanism(data) for _ in range(n)], claim


def _name(mechanism: object) -> str:
    return repr(mechanism) if isinstance(mechanism, Measurement) else str(getattr(mechanism, "__qualname__", mechanism))


@final
class _Told:
    """Samples drawn batch by batch, so that somebody can be told how far it is."""

    def __init__(self, n: int, progress: Progress | None) -> None:
        self.n, self.done = n, 0
        self.progress = progress if progress is not None else _on_terminal if n >= LONG else None

    def sample(self, release: Callable[[A, int], Releases], data: A) -> Releases:
        found: list[Releases] = []
        left = self.n
        while left:
            size = min(left, BATCH)
            found.append(release(data, size))
            if len(found[-1]) != size:
                raise InvalidParameter(f"Expected {size} releases at once but got {len(found[-1])}")
            left -= size
            self.done += size
            if self.progress is not None:
                self.progress(self.done, 2 * self.n)
        return joined(found)


def _on_terminal(done: int, of: int) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{done:,} of {of:,} releases" + ("\n" if done == of else ""))
        sys.stderr.flush()


@final
@dataclass(frozen=True, slots=True)
class Audit:
    """A statistical lower bound beside the claim."""

    mechanism: str
    figure: Literal["epsilon", "delta"]
    """What is bounded: epsilon at a delta, or delta at epsilon 0."""
    at: Fraction
    """The delta, or the epsilon."""
    bound: Bound
    """With the stated confidence, the true figure is at least this."""
    claimed: Bound | None
    confidence: Fraction
    n: int
    """Releases on each of the two data sets."""
    event: Event

    @property
    def exceeded(self) -> bool:
        """Whether the lower bound lies above the claim, which is then wrong."""
        return self.claimed is not None and self.bound.lower > self.claimed.upper

    def __str__(self) -> str:
        at = "delta" if self.figure == "epsilon" else "epsilon"
        verdict = " EXCEEDED" if self.exceeded else ""
        claimed = "nothing" if self.claimed is None else f"{float(self.claimed):.6g}"
        event = self.event
        side = ("x", "y") if event.likelier_on_x else ("y", "x")
        return "\n".join(
            [
                self.mechanism,
                f"  {self.figure} >= {self.bound.downward + 0.0:.6g} at {at} = {float(self.at):.6g}, "
                f"with confidence {float(self.confidence):.15g}",
                f"  claimed: {claimed}{verdict}",
                f"  event: {event.statistic} >= {event.threshold + 0.0:.6g}, "
                f"{event.hits} times on {side[0]} and {event.other_hits} times on {side[1]}, of {event.of} each",
            ]
        )
