"""The third arrow: a mechanism that is asked, and answers. It has a loss before there are any data.

    Interactive[DI, MI, ME, S]     data -> something of type S that answers     d_in -> loss, of all answers together

`interactive(space, budget)` is a privacy filter: started on data it is a `Curator`. Together with a strategy that asks it is
a measurement, `view(interactive, strategy)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import InitVar, dataclass, field
from functools import lru_cache
from os import PathLike
from typing import Generic, Protocol, TypeVar, final, overload, runtime_checkable

from dpcore.calculus import Derivation, Prepared, Reading
from dpcore.combinators.compose import same_input
from dpcore.combinators.group import counts_steps
from dpcore.conversions import conversion
from dpcore.core import Measurement, Space
from dpcore.core.checks import a_measurement
from dpcore.core.origins import (
    MADE,
    Arrow,
    Call,
    Contents,
    Origin,
    Placed,
    Recorded,
    SomeSpace,
    made_by_hand,
    require_known,
)
from dpcore.core.post_processing import post_process
from dpcore.core.readings import Map, Measured, map_at
from dpcore.core.spaces import a_space
from dpcore.core.steps import Values
from dpcore.core.typing import DI, ME, MI, T
from dpcore.domains import Rows
from dpcore.engines import Table
from dpcore.engines.doors import receive
from dpcore.errors import DomainMismatch, InvalidParameter, MeasureMismatch, a_list, is_a, made, printed
from dpcore.functions import BEGINS, UserFunction, expect_no_data, known_as, user_function
from dpcore.interaction.accounts import Account, Figures, InMemory, plus
from dpcore.interaction.comparisons import Comparisons, above_threshold_asked
from dpcore.interaction.costs import cost, counted, loss_of
from dpcore.interaction.curators import Curator
from dpcore.interaction.filters import FILTER, Opening
from dpcore.interaction.streams import Stream
from dpcore.interaction.study import Study
from dpcore.maps import Numeric, argument
from dpcore.maps.bounds import Bound
from dpcore.measurements.above_threshold import AboveThreshold
from dpcore.measures import Measure, PureDP
from dpcore.measures.losses import InMeasure, Loss, RenyiLoss
from dpcore.measures.orders import Orders, expect_orders
from dpcore.metrics import SymmetricDistance
from dpcore.noise.bits import BitSource, system_bits
from dpcore.noise.row_keys import CipherKey, RowKey

S = TypeVar("S")
S_co = TypeVar("S_co", covariant=True)  # what is started, which is only given out
L = TypeVar("L")


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Interactive(Recorded, Generic[DI, MI, ME, S_co]):
    """Questions, each a measurement that may be chosen after the answers before it, within a budget."""

    input: Space[DI, MI]
    measure: ME
    derivation: Derivation
    origin: Origin
    budget: Figures
    """The loss of all answers between data at distance 1, in the form in which losses of the measure add up."""

    opening: Opening[S_co]
    orders: Orders = ()
    """Of a curve, the orders of the budget."""

    _reading: Reading | None = field(default=None, init=False)
    _run: Prepared | None = field(default=None, init=False)
    made: InitVar[object] = None

    def __post_init__(self, made: object) -> None:
        if made is not MADE:
            made_by_hand()

    def start(self, data: object, *, bits: BitSource | None = None) -> S_co:
        """What answers questions about these data, which are first checked to be members of the input domain.

        `bits` is for tests: with a source that others can foresee nothing is private.
        """
        return _begun(self.opening, self.input, data, bits)

    def loss(self: Measured[L], d_in: Numeric | Bound) -> L:
        """What all answers together cost between inputs `d_in` apart, however the questions were chosen."""
        return self.measure.loss(map_at(self, d_in))

    @property
    def map(self) -> Map:
        """The privacy map as a formula in `d_in`."""
        return Map(self.derivation, self.input.metric, self.measure)


def _begun(opening: Opening[S], space: Space[DI, MI], data: object, bits: BitSource | None) -> S:
    """What answers about these data, once they were checked to be members of the domain."""
    expect_no_data(BEGINS)
    source = system_bits() if bits is None else bits
    return opening(_Handed(receive(data, space.domain)), source, CipherKey(source))


@final
@dataclass(frozen=True, slots=True)
class _Handed:
    """Data of somebody who starts it himself, and lets it be seen that there are no rows yet.

    What a view asks does not come here: that rows may be appended would tell it that there are none.
    """

    data: object


@final
@dataclass(frozen=True, slots=True)
class _One(Generic[DI, MI, ME]):
    """Opens one account: in memory, or where a ledger keeps it."""

    space: Space[DI, MI]
    measure: ME
    budget: Figures | None
    ledger: str | PathLike[str] | None = None
    asker: str = ""
    orders: Orders = ()

    def __call__(self, data: object, bits: BitSource, key: RowKey) -> Curator[DI, MI, ME]:
        handed = isinstance(data, _Handed)
        data = data.data if isinstance(data, _Handed) else data
        if isinstance(data, Table):
            data.count()  # a lazy table is checked once it is asked: what is no member is found before anything is charged
            data = data.kept()  # it was checked for good, so nobody may write into it
        stream = _stream(self.space, data) if handed else None
        kept = self.ledger is not None
        study = Study(self._account(), self.measure, self.budget, bits, key, self.asker, kept, stream, self.orders)
        return Curator(study, self.space, self.measure, (lambda: data) if stream is None else stream)

    def _account(self) -> Account:
        figures = len(self.orders or self.measure.figures)
        if self.ledger is None:
            return InMemory(self.budget, figures)
        from dpcore.interaction.ledgers.opening import open_ledger  # not for whoever keeps none

        measure = type(self.measure).__name__
        return open_ledger(
            self.ledger,
            measure=measure,
            figures=figures,
            budget=self.budget,
            space=repr(self.space),
            asker=self.asker,
            orders=self.orders,
        )


def _stream(space: SomeSpace, data: object) -> Stream | None:
    """Where there are no rows yet, some may be appended: one row more or less is one at one time."""
    rows, one_by_one = space.domain, is_a(space.metric, SymmetricDistance)
    if one_by_one and isinstance(rows, Rows) and isinstance(data, Table) and not data.count():
        return Stream(rows)
    return None


@final
@dataclass(frozen=True, slots=True)
class _Each(Generic[S]):
    """Opens several accounts about the same data."""

    openings: tuple[Opening[S], ...]

    def __call__(self, data: object, bits: BitSource, key: RowKey) -> tuple[S, ...]:
        return tuple([opening(data, bits, key) for opening in self.openings])


def _made(
    space: Space[DI, MI],
    measure: ME,
    budget: Figures,
    opening: Opening[S],
    origin: Origin,
    asked: Sequence[Arrow] = (),
    orders: Orders = (),
) -> Interactive[DI, MI, ME, S]:
    given = {"budget": budget, "source": space.metric, "opening": opening, **({"orders": orders} if orders else {})}
    derivation = Derivation(FILTER[measure.name], given, tuple([question.derivation for question in asked]))
    return Interactive(space, measure, derivation, origin, budget, opening, orders, MADE)


def filtering(
    space: Space[DI, MI], measure: ME, budget: Figures, asked: Sequence[Arrow] = (), orders: Orders = ()
) -> Interactive[DI, MI, ME, Curator[DI, MI, ME]]:
    """A filter of a budget in figures, of which these measurements were asked."""
    counts_steps(space, "a privacy filter")
    for question in asked:
        if a_measurement(question).measure != measure:
            raise MeasureMismatch("a question counts in another measure", left=question, expected=measure)
        if question.input != space:
            raise DomainMismatch(
                "a question is about other data", left=question, produced=question.input, expected=space
            )
    given = (space, loss_of(measure, budget, orders), tuple(asked))
    opening = _One(space, measure, budget, orders=orders)
    return _made(space, measure, budget, opening, Call(interactive, given[: 2 + bool(asked)]), asked, orders)


@final
@dataclass(frozen=True, slots=True)
class _Led(Generic[S, S_co]):
    """Opens an account, and hands over somebody who asks it."""

    opening: Opening[S]
    by: Callable[[S], S_co]

    def __call__(self, data: object, bits: BitSource, key: RowKey) -> S_co:
        return self.by(self.opening(data, bits, key))


def led(
    filtered: Interactive[DI, MI, ME, Curator[DI, MI, ME]], by: Callable[[Curator[DI, MI, ME]], S], origin: Origin
) -> Interactive[DI, MI, ME, S]:
    """The same filter with somebody between it and whoever asks: he knows nothing of the data but its answers."""
    before = filtered.derivation
    opening = _Led(filtered.opening, by)
    derivation = Derivation(before.rule, {**before.parameters, "opening": opening}, before.premises)
    return Interactive(filtered.input, filtered.measure, derivation, origin, filtered.budget, opening, (), MADE)


@final
@dataclass(frozen=True, slots=True)
class _Compared(Generic[DI, MI, ME]):
    """Opens an account for one above-threshold, and begins it."""

    space: Space[DI, MI]
    step: AboveThreshold
    measure: ME

    def __call__(self, data: object, bits: BitSource, key: RowKey) -> Comparisons[DI, MI]:
        return _One(self.space, self.measure, None)(data, bits, key).begin(self.step)


def _comparing(space: Space[DI, MI], step: AboveThreshold, measure: ME) -> Interactive[DI, MI, ME, Comparisons[DI, MI]]:
    """One above-threshold, of queries that are chosen while it is asked, by what a randomized response loses as well."""
    counts_steps(space, "an above-threshold that is asked query by query")
    given = () if measure == PureDP() else (("measure", type(measure)),)
    opening, call = _Compared(space, step, measure), Call(interactive, (space, step), given)
    derivation = Derivation(above_threshold_asked, {**step.parameters, "source": space.metric, "opening": opening})
    if given:
        rule, parameters = conversion(PureDP, type(measure), {})
        derivation = Derivation(rule, parameters, (derivation,))
    whole: Measurement[DI, MI, ME, object] = Measurement(space, measure, derivation, call, MADE)
    require_known(whole)
    budget = cost(measure, measure.loss(map_at(whole, 1)), 1)
    return Interactive(space, measure, derivation, call, budget, opening, (), MADE)


def _counting(measure: type[ME] | ME) -> ME:
    """The measure of an account, in figures."""
    counts = made(measure)
    if not is_a(counts, Measure) or counts.name not in FILTER or counts.variable is not None:
        raise InvalidParameter(
            f"Expected a measure whose losses are figures that add up, for measure, but got {measure!r}",
            produced=measure,
            bridge="measure=ZCDP; in RenyiDP, of the curator whose budget has orders, curator.above_threshold(...)",
        )
    return counts


@overload
def interactive(space: Space[DI, MI], budget: AboveThreshold) -> Interactive[DI, MI, PureDP, Comparisons[DI, MI]]: ...
@overload
def interactive(
    space: Space[DI, MI], budget: AboveThreshold, *, measure: type[ME] | ME
) -> Interactive[DI, MI, ME, Comparisons[DI, MI]]: ...
@overload
def interactive(
    space: Space[DI, MI], budget: InMeasure[ME], asked: Sequence[Measurement[DI, MI, ME, object]] = ()
) -> Interactive[DI, MI, ME, Curator[DI, MI, ME]]: ...
def interactive(
    space: Space[DI, MI],
    budget: InMeasure[ME] | AboveThreshold,
    asked: Sequence[Measurement[DI, MI, ME, object]] = (),
    *,
    measure: type[ME] | ME | None = None,
) -> (
    Interactive[DI, MI, ME, Curator[DI, MI, ME]]
    | Interactive[DI, MI, ME, Comparisons[DI, MI]]
    | Interactive[DI, MI, PureDP, Comparisons[DI, MI]]
):
    """A filter: questions are answered while their losses add up to at most the budget, `interactive(ages, pure(1))`.

    Each question may be chosen after the answers before it and cost what its asker likes. What does not fit any more is
    refused, which costs nothing. `asked` are questions that were asked of it: its certificate derives again that they fit.

    Or one above-threshold, asked query by query: `interactive(ages, above_threshold(9, threshold_scale=2, query_scale=4))`,
    in PureDP, or in another `measure`, such as ZCDP, beside filters in which it goes `concurrently`.
    """
    a_space(space, "space")
    if isinstance(budget, AboveThreshold):
        return _comparing(space, budget, PureDP()) if measure is None else _comparing(space, budget, _counting(measure))
    if measure is not None:
        raise InvalidParameter(
            f"a budget says in what it counts, and measure={measure!r} is for an above-threshold", produced=budget
        )
    if not isinstance(budget, Loss):
        raise InvalidParameter(
            f"Expected a loss for the budget but got {budget!r}",
            produced=budget,
            bridge="pure(1), or zcdp(...), approx(...)",
        )
    figures = counted(budget)  # which refuses curves
    return filtering(space, budget.counted, figures, asked, _orders_of(budget))


def curator(
    space: Space[DI, MI],
    data: object,
    *,
    budget: InMeasure[ME],
    ledger: str | PathLike[str] | None = None,
    asker: str = "",
    bits: BitSource | None = None,
) -> Curator[DI, MI, ME]:
    """Whoever answers questions about these data within the budget: `interactive(space, budget).start(data)`.

    With a ledger, such as `ledger="study.ledger"`, the account survives the process and is shared by all that open it; each
    charge, with its certificate and the name of the `asker`, is on the disk before the noise is drawn.
    """
    if type(asker) is not str:
        raise InvalidParameter(f"Expected a text for asker but got a {type(asker).__name__}", produced=asker)
    filtered = interactive(space, budget)
    if ledger is None:
        return filtered.start(data, bits=bits)
    return _begun(_One(space, filtered.measure, filtered.budget, ledger, asker, filtered.orders), space, data, bits)


def _orders_of(budget: Loss) -> Orders:
    return budget.orders if isinstance(budget, RenyiLoss) else ()


def concurrently(parts: Sequence[Interactive[DI, MI, ME, S]]) -> Interactive[DI, MI, ME, tuple[S, ...]]:
    """Several that are asked by turns, in any order, about the same data: their losses add up.

    That is a theorem in every measure that has filters, of above-thresholds too: whoever asks them by turns asks one filter
    of the sum of the budgets, and keeps to more rules than it has.
    """
    a_list(parts, "parts")
    first = parts[0]
    for part in parts:
        if not isinstance(part, Interactive):
            raise InvalidParameter(f"Expected interactive arrows but got a {type(part).__name__}", produced=part)
        if part.measure != first.measure:
            raise MeasureMismatch(
                "the parts count in different measures", left=part, produced=part.measure, expected=first.measure
            )
        if part.orders != first.orders:
            raise MeasureMismatch(
                "the parts are accounted for at different orders",
                left=part,
                produced=part.orders,
                expected=first.orders,
            )
        same_input(first, part)
    budget = first.budget
    for part in parts[1:]:
        budget = plus(budget, part.budget)
    opening = _Each(tuple([part.opening for part in parts]))
    return _made(first.input, first.measure, budget, opening, Call(concurrently, (tuple(parts),)), orders=first.orders)


@final
@dataclass(frozen=True, slots=True)
class _Strategy:
    """Asks, and returns nothing if a question failed: what somebody makes of a failure is no answer that was charged."""

    asks: Callable[[object], object]

    def __call__(self, started: object) -> object:
        kept = self.asks(started)
        _expect_no_failure(started)
        return kept


@lru_cache(maxsize=1 << 10)
def _watched(asks: UserFunction) -> UserFunction:
    """The same for the same function, so that equal views are equal."""
    return known_as(_Strategy(asks.function), asks.name, asks.digest, asks.unknown)


@runtime_checkable
class _Answers(Protocol):
    """Whatever answers questions about data."""

    def expect_no_failure(self) -> None: ...


def _expect_no_failure(started: object) -> None:
    if isinstance(started, _Answers):
        started.expect_no_failure()
    elif isinstance(started, tuple):
        for each in started:
            _expect_no_failure(each)


@final
@dataclass(frozen=True, slots=True, repr=False)
class _Asks(Placed):
    """A strategy in a recorded call. What it asks is foreseen by nobody."""

    strategy: UserFunction

    def contents(self, space: SomeSpace) -> Contents:
        return Contents(unforeseen=f"what the strategy {self.strategy.name} asks")

    def moved(self, before: SomeSpace, space: SomeSpace, values: Values) -> object:
        return self.strategy

    def __repr__(self) -> str:
        return self.strategy.name


def view(interactive: Interactive[DI, MI, ME, S], strategy: Callable[[S], T]) -> Measurement[DI, MI, ME, T]:
    """What somebody who asks gets to see: the strategy is given what `start` gives, asks, and returns what it keeps.

    It is an ordinary measurement with the loss of the interaction, whatever the strategy does with the answers.
    """
    if not isinstance(interactive, Interactive):
        raise InvalidParameter(
            f"Expected an interactive arrow but got a {type(interactive).__name__}", produced=interactive
        )
    asks = user_function(strategy, "strategy")
    derivation = Derivation(post_process, {"function": _watched(asks)}, (interactive.derivation,))
    return Measurement(interactive.input, interactive.measure, derivation, Call(view, (interactive, _Asks(asks))), MADE)


@final
@dataclass(frozen=True, slots=True, repr=False)
class Odometer(Generic[DI, MI, ME]):
    """Questions without a limit: what was spent is known at any time, and nothing is promised beforehand.

    For every budget, what was answered before the account passes it costs at most that budget: it is a filter of each.
    """

    input: Space[DI, MI]
    measure: ME
    orders: Orders = ()

    def start(self, data: object, *, bits: BitSource | None = None) -> Curator[DI, MI, ME]:
        """The curator of these data, which are first checked to be members of the input domain."""
        return _begun(_One(self.input, self.measure, None, orders=self.orders), self.input, data, bits)

    def __repr__(self) -> str:
        orders = f", orders=[{', '.join(map(argument, self.orders))}]" if self.orders else ""
        return f"odometer({self.input!r}, {self.measure}{orders})"


def odometer(
    space: Space[DI, MI], measure: type[ME] | ME, *, orders: Sequence[Numeric] | None = None
) -> Odometer[DI, MI, ME]:
    """An account without a limit, `odometer(ages, ZCDP)`: started on data, it says what was spent so far.

    In RenyiDP at these orders, `odometer(ages, RenyiDP, orders=[2, 4, 8])`.
    """
    a_space(space, "space")
    counts = made(measure)
    if not isinstance(counts, Measure):
        raise InvalidParameter(f"Expected a measure but got a {type(measure).__name__}", produced=measure)
    if counts.name not in FILTER:
        raise InvalidParameter(f"losses in {counts} do not add up here", produced=counts)
    counts_steps(space, "an odometer")
    if (counts.variable is None) != (orders is None):
        raise InvalidParameter(
            f"Expected orders in RenyiDP, and only there, but got orders={printed(orders)}",
            produced=counts,
            bridge="odometer(space, RenyiDP, orders=[2, 4, 8, 16])",
        )
    return Odometer(space, counts, () if orders is None else expect_orders(orders))
