"""What is public before anything is asked: the budget as one figure, and how many rows there are."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from dpcore.core import Space
from dpcore.core.checks import some_number_of
from dpcore.core.steps import Step
from dpcore.errors import InvalidParameter
from dpcore.measures.losses import ApproxLoss, Loss, PureLoss, ZCDPLoss

BUDGETS: Final[dict[type[Loss], str]] = {PureLoss: "PureDP", ApproxLoss: "ApproxDP", ZCDPLoss: "ZCDP"}


def figure_of(loss: object, *kinds: type[Loss]) -> Fraction:
    """The epsilon or rho of a budget of one of these kinds, above 0. Of ApproxDP the epsilon: Laplace noise has no delta."""
    *others, last = [BUDGETS[kind] for kind in kinds]
    names = f"{', '.join(others)} or {last}" if others else last
    bridge = " or ".join([text for kind, text in ((PureLoss, "pure(1)"), (ZCDPLoss, "zcdp('1/8')")) if kind in kinds])
    if not isinstance(loss, kinds):
        raise InvalidParameter(f"Expected a budget in {names}", produced=loss, bridge=bridge)
    assert isinstance(loss, Loss)
    figure = loss.parts[0].exact
    if figure is None or figure <= 0:
        raise InvalidParameter("Expected a budget above 0, of an exact number", produced=loss, bridge=bridge)
    return figure


def size_of(space: Space[Any, Any], size: int | None, word: str, step: Step | None = None) -> int:
    """How many rows there are, as the space or else whoever asks says; refuses where neither does, or they differ."""
    known = space.domain.size
    size = some_number_of(size, "size", 1)
    if size is not None and known not in (None, size):
        raise InvalidParameter("another size than that of the space", right=step, produced=size, expected=known)
    if not (rows := known or size):
        raise InvalidParameter(
            f"{word} needs to know how many rows there are, which is public then",
            right=step,
            produced=space.domain,
            bridge=f"{word}(..., size=n), or rows(..., ChangeOneDistance, size=n)",
        )
    return int(rows)
