"""Trade-off curves of losses in one picture: the least false-negative rate of any test, over its false-positive rate.

Every point that is drawn is promised, and straight lines join them: trade-off curves are convex, so between two points the
curve of a loss may lie below the line by what no eye sees at so many points. For figures, ask the loss: `loss.tpr(fpr)`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Final, Protocol

from dpcore.errors import InvalidParameter, is_a
from dpcore.maps.search import roughly
from dpcore.measures.losses import Loss, TradeoffLoss
from dpcore.pictures.svg import Picture, Point, chart

TITLE: Final = "What a test can tell"
ACROSS, UP = "false-positive rate", "false-negative rate, at least"

PARTS: Final = 64
CLOSER: Final = 8
"""Left of the first part, so many points more, each half as far from 0."""

STEPS: Final = 20


class Axes(Protocol):
    """Axes of matplotlib."""

    def plot(self, *args: object, **kwargs: object) -> object: ...
    def set_xlabel(self, xlabel: str) -> object: ...
    def set_ylabel(self, ylabel: str) -> object: ...
    def legend(self) -> object: ...


def plot(
    losses: Loss | Sequence[Loss] | Mapping[str, Loss], path: str | Path | None = None, *, axes: Axes | None = None
) -> Picture:
    """Losses as trade-off curves in one picture, `plot({"noise 1": m.loss(1), "budget": pure(1)})`.

    As SVG, into a file where a path is given; and onto axes of matplotlib where they are given.
    """
    lines = {name: curve(loss.tradeoff()) for name, loss in _named(losses).items()}
    guess = [(0.0, 1.0), (1.0, 0.0)]
    if axes is not None:
        axes.plot(*zip(*guess, strict=True), linestyle="--", color="gray", label="guessing")
        for name, points in lines.items():
            axes.plot(*zip(*points, strict=True), label=name)
        axes.set_xlabel(ACROSS)
        axes.set_ylabel(UP)
        axes.legend()
    picture = chart(lines, TITLE, ACROSS, UP, guess=guess)
    if path is not None:
        picture.save(path)
    return picture


def _named(losses: Loss | Sequence[Loss] | Mapping[str, Loss]) -> dict[str, Loss]:
    if isinstance(losses, Mapping):
        named = dict(losses)
    else:
        each = [losses] if isinstance(losses, Loss) else list(losses)
        named = {}
        for loss in each:
            known = repr(loss)
            while known in named:
                known += " "
            named[known] = loss
    if not named or not all(is_a(loss, Loss) for loss in named.values()):
        raise InvalidParameter(
            "Expected losses to draw, such as m.loss(1) or pure(1)",
            produced=losses,
            bridge="m.loss(d_in) of a measurement m",
        )
    return named


def curve(loss: TradeoffLoss) -> list[Point]:
    """Points of the curve, the one where both rates are equal among them: there the curves of pure losses bend."""
    with roughly():
        rates = [Fraction(k, PARTS) for k in range(PARTS + 1)]
        rates += [Fraction(1, PARTS << k) for k in range(1, CLOSER + 1)]
        rates += [_equal(loss)]
        return [(float(rate), loss.beta(rate).downward) for rate in sorted(set(rates))]


def _equal(loss: TradeoffLoss) -> Fraction:
    """About where the false-negative rate is the false-positive rate."""
    low, high = Fraction(0), Fraction(1, 2)
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if loss.beta(middle).downward > middle else (low, middle)
    return high
