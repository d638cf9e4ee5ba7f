"""Losses as the figures of an account, and back. The interactive arrows and curators call it."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal, localcontext
from fractions import Fraction
from typing import TypeVar

from dpcore.calculus import Raw, number_in, pair_in
from dpcore.errors import NoFiniteLoss
from dpcore.interaction.accounts import Figures
from dpcore.maps import Number, ends, numeral
from dpcore.maps.bounds import Bound
from dpcore.measures import Counts, Measure
from dpcore.measures.losses import Loss
from dpcore.measures.orders import AtOrders, Orders

L = TypeVar("L", bound=Loss)


def raw(figures: tuple[Number, ...], orders: Orders = ()) -> Raw:
    """Figures as measures reckon with them: one number, a pair, or those of a curve at some orders."""
    if orders:
        return AtOrders(orders, figures)
    return figures[0] if len(figures) == 1 else (figures[0], figures[1])


def cost(measure: Measure, loss: Loss, lift: int, orders: Orders = ()) -> Figures:
    """What a loss at distance 1 comes to at distance `lift`, no figure below the truth. Of a curve `lift` is 1."""
    upper = counted(loss.at_orders(orders))
    if lift == 1:
        return upper
    lifted = measure.group(numeral(lift), raw(tuple(map(numeral, upper))))
    numbers = pair_in(lifted) if len(upper) == 2 else (number_in(lifted),)
    return tuple([ends(number)[1] for number in numbers])


def loss_of(measure: Counts[L], figures: Figures, orders: Orders = ()) -> L:
    """The loss that figures come to."""
    return measure.loss(lambda: raw(tuple(map(numeral, figures)), orders)).at_orders(orders)


def in_words(measure: Measure, figures: Figures, orders: Orders = (), *, down: bool = False) -> str:
    """The loss that figures come to; a long figure as a decimal, so rounded that what is said is true."""
    loss = loss_of(measure, figures, orders)
    if all(map(_is_short, figures)):
        return str(loss)
    return f"{measure}: {', '.join(f'{name} {said(part, down=down)}' for name, part in loss.figures())}"


def said(figure: Bound, *, down: bool = False) -> str:
    """`= 1/2`, or `<= 0.478886`; of what is left, which is no less than it says, `>= 0.521113`."""
    known = figure.printable
    if known is not None and _is_short(known):
        return f"= {known}"
    return f"{'>=' if down else '<='} {decimal_of(figure.lower if down else figure.upper, down=down)}"


def brief(figure: Fraction, *, down: bool = False) -> str:
    """A figure without its name: `1/2`, or `at most 0.478886`."""
    if _is_short(figure):
        return str(figure)
    return f"{'at least' if down else 'at most'} {decimal_of(figure, down=down)}"


def decimal_of(x: Fraction, *, down: bool) -> str:
    """Six digits, rounded to that side."""
    with localcontext(Context(prec=6, rounding=ROUND_FLOOR if down else ROUND_CEILING)):
        return str(Decimal(x.numerator) / Decimal(x.denominator))


def _is_short(x: Fraction) -> bool:
    return max(x.numerator, x.denominator) < 10**12


def counted(budget: Loss) -> Figures:
    """A budget in figures; of one that is not known exactly, such as two of log(3), the upper ends."""
    if not budget.has_figures:
        raise NoFiniteLoss(
            "a budget is made of numbers, and is no curve",
            produced=budget,
            bridge="zcdp(...); of a curve of RenyiDP, .at_orders([2, 4, 8, 16])",
        )
    return tuple([part.upper for part in budget.parts])
