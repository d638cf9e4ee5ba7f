"""The rule of a privacy filter: however the questions are chosen, all answers together cost at most the budget.

Argument (Rogers, Roth, Ullman, Vadhan 2016). Fix two data sets 1 apart. A question is answered only while what it costs
and what was charged before stay within the budget; so what is left of the budget after a question is known before its
answer is. By induction on the number of questions that are still to come, what follows costs at most what is left,
whatever the answer was, and composition of these two, the second for every outcome of the first, gives the budget. Nothing
is asked of how a question is chosen: it sees answers only. Data d apart are joined by d steps of 1, for each of which the
whole interaction loses at most the budget, so the group rule of the measure lifts it, where it has one.

The same holds of questions about parts of the data, of which a step of 1 changes one: only that part's questions tell the
two data sets apart, and the account charges the dearest part (see `curators`).

The same holds of questions that hide something and go on, which above-thresholds are: each is made of one measurement (see
`comparisons`).

In RenyiDP losses are curves, and the budget says how much at some orders, fixed beforehand. A question is answered only
while all charges stay within it at every one of them: so at each order the argument is the same, whatever the others are
(Feldman and Zrnic 2021; Lecuyer 2021). Divergences grow with their order, so at another at most the budget of the next
one is lost.

Several filters that are asked by turns are one whose budget is the sum, asked by somebody who never asks what his own
share does not allow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TypeAlias, TypeVar

from dpcore.calculus import Assumes, Premises, Raw, Reading, Rule, Run, curve_in, rule
from dpcore.calculus.parameters import LOSS, ORDERS, Data, Json, Parameter, entries
from dpcore.combinators.adaptive import in_squares
from dpcore.interaction.costs import raw
from dpcore.maps import Number, ends, floor, is_symbolic, one_like
from dpcore.measures import MEASURES, Measure, RenyiDP
from dpcore.measures.orders import AtOrders, Kept
from dpcore.noise.bits import BitSource
from dpcore.noise.row_keys import RowKey
from dpcore.written import described_step, table_in_words
from dpcore.written.shared import Source

S = TypeVar("S")
Opening: TypeAlias = Callable[[object, BitSource, RowKey], S]
"""What begins an interaction: data that were received are given to what answers."""


def begin(data: object, *asked: Run, opening: Opening[object], bits: BitSource, key: RowKey) -> object:
    """What answers about these data."""
    return opening(data, bits, key)


Budget = Parameter("budget", LOSS)
Orders = Parameter("orders", ORDERS)


def _assumes(measure: Measure) -> Assumes:
    def assumed(parameters: Data, witness: Data) -> Iterator[str]:
        yield (
            f"each question is charged at least what it loses between data 1 apart ({described_step(parameters['source'])}),"
            " sees no order of rows, and is answered only while all charges (of parts, the dearest) come to at most"
            f"{in_squares(measure)}: {table_in_words([parameters['budget']])}"
        )

    return assumed


def _filter(measure: Measure) -> Rule:
    def filtered(d: Number, *asked: Reading, budget: tuple[Number, ...]) -> Raw:
        spent = [measure.compose([question(one_like(d)) for question in asked])] if asked else []
        return measure.group(d, measure.largest([raw(budget), *spent]))

    filtered.__doc__ = (
        "Questions are answered while their losses at distance 1 add up to at most the budget, which is the loss of all"
        f" answers, however they were chosen, {'lifted to d' if measure.groups else 'at that distance'}."
        " The premises are what was asked."
    )
    return rule(
        run=begin,
        name=f"filter_{measure.name}",
        writes=(Budget, Source),
        assumes=_assumes(measure),
        premises=Premises.ANY_AT_1,
    )(filtered)


def _assumed_at_orders(parameters: Data, witness: Data) -> Iterator[str]:
    orders, budget = entries(parameters["orders"]), entries(parameters["budget"])
    points: list[Json] = [[order, most] for order, most in zip(orders, budget, strict=True)]
    yield (
        f"each question is charged at least what it loses between data 1 apart ({described_step(parameters['source'])}),"
        " sees no order of rows, and is answered only while all charges (of parts, the dearest) come to at most"
        f" (order, epsilon): {table_in_words(points)}"
    )


def _at_orders(d: Number, *asked: Reading, budget: tuple[Number, ...], orders: tuple[Number, ...]) -> Raw:
    renyi = RenyiDP()
    kept = AtOrders(() if is_symbolic(d) else tuple([ends(order)[0] for order in orders]), budget)
    spent = [renyi.compose([question(one_like(d)) for question in asked])] if asked else []
    curve = curve_in(renyi.group(d, renyi.largest([kept, *spent])))
    if is_symbolic(d):
        return curve
    steps = max(ends(floor(d))[1], Fraction(1))
    return Kept(curve, tuple([order / steps for order in kept.orders if order > steps]))


_at_orders.__doc__ = (
    "Questions are answered while their losses at distance 1 add up to at most the budget at each of its orders, which is"
    " the loss of all answers, however they were chosen, that of the next order at any other, lifted to d. The premises"
    " are what was asked."
)
filter_at_orders = rule(
    run=begin,
    name="filter_renyi",
    writes=(Budget, Orders, Source),
    assumes=_assumed_at_orders,
    premises=Premises.ANY_AT_1,
)(_at_orders)


FILTER = {
    **{measure.name: _filter(measure) for measure in MEASURES if measure.composes and measure.variable is None},
    RenyiDP.name: filter_at_orders,
}
"""Filters, one rule for each measure whose losses add up, by the measure's name."""
