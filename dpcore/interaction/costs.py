"""Losses as the figures of an account, and back. The interactive arrows and curators call it."""

from __future__ import annotations

from typing import TypeVar

from dpcore.calculus import Raw, number_in, pair_in
from dpcore.errors import NoFiniteLoss
from dpcore.interaction.accounts import Figures
from dpcore.maps import Number, ends, numeral
from dpcore.measures import Counts, Measure
from dpcore.measures.losses import CurveLoss, Loss

L = TypeVar("L")


def raw(figures: tuple[Number, ...]) -> Raw:
    """Figures as measures reckon with them: one number, or a pair."""
    return figures[0] if len(figures) == 1 else (figures[0], figures[1])


def cost(measure: Measure, loss: Loss, lift: int) -> Figures:
    """What a loss at distance 1 comes to at distance `lift`, no figure below the truth."""
    upper = tuple([part.upper for part in loss.parts])
    if lift == 1:
        return upper
    lifted = measure.group(numeral(lift), raw(tuple(map(numeral, upper))))
    numbers = pair_in(lifted) if len(upper) == 2 else (number_in(lifted),)
    return tuple([ends(number)[1] for number in numbers])


def loss_of(measure: Counts[L], figures: Figures) -> L:
    """The loss that figures come to."""
    return measure.loss(lambda: raw(tuple(map(numeral, figures))))


def counted(budget: Loss) -> Figures:
    """A budget in figures; of one that is not known exactly, such as two of log(3), the upper ends."""
    if isinstance(budget, CurveLoss):
        raise NoFiniteLoss("a budget is made of numbers, and is no curve", produced=budget, bridge="zcdp(...)")
    return tuple([part.upper for part in budget.parts])
