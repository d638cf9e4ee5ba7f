"""What a curator and all that come of it have in common: the account, the randomness, and what was asked so far."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple, final

from dpcore.calculus import Parameters
from dpcore.core.origins import Arrow
from dpcore.errors import BudgetExceeded, DPError, InvalidParameter
from dpcore.functions import ASKS, expect_no_data, running
from dpcore.interaction.accounts import FAILED, Account, Charge, Figures, Place, Refused, less, plus
from dpcore.interaction.costs import in_words, loss_of
from dpcore.measures import Measure
from dpcore.measures.orders import Orders
from dpcore.noise.bits import BitSource
from dpcore.noise.row_keys import RowKey

if TYPE_CHECKING:
    from dpcore.interaction.streams import Stream


class Turn(NamedTuple):
    """One partition on the way to the data of a question: its name, which part, and what measures several parts of it."""

    name: str
    key: Hashable
    joined: Callable[[Mapping[Hashable, Arrow]], Arrow]


class Asked(NamedTuple):
    """A question that was charged, and what came of it."""

    route: tuple[Turn, ...]
    question: Arrow
    """With the transformations that stand before it, from the part where the route ends."""

    answers: list[object]
    """Its answer; none, where it failed or is not there yet."""


MORE_NOISE: Final = 'more noise: of a question with laplace(scale=symbol("s")), .solve(curator.left, 1) says how much'

MORE_NOISE_AT_ORDERS: Final = "more noise: a question is answered if its loss is at most what is left at every order"

_BUSY: ContextVar[frozenset[int]] = ContextVar("studies that are answering", default=frozenset())


@final
@dataclass(frozen=True, slots=True)
class Study:
    """One account about one data set."""

    account: Account
    measure: Measure
    budget: Figures | None
    bits: BitSource
    key: RowKey
    asker: str = ""
    kept: bool = False
    """Whether the account is kept: then each charge is written with its certificate."""

    stream: Stream | None = None
    """Where rows may be appended."""

    orders: Orders = ()
    """Of a curve, the orders at which it is accounted for."""

    asked: list[Asked] = field(default_factory=list)
    failures: list[Arrow] = field(default_factory=list)
    """Questions that raised while they were answered. That they did may tell of the data, which no loss accounts for."""

    within: object = field(default_factory=running, compare=False)
    """The mechanism of the user's own that began it, which alone may ask while it is run."""

    @property
    def given(self) -> Parameters:
        """What all runs of the study bring along: rows are chosen by one key throughout."""
        return {"bits": self.bits, "key": self.key}

    @contextmanager
    def answering(self, question: Arrow) -> Iterator[None]:
        """While a question is answered no function that is given data may ask another; and after a failure nobody may."""
        self.expect_no_failure()
        expect_no_data(ASKS, self.within)
        self.expect_idle("a function that is given data may not ask the curator who holds them", question)
        token = _BUSY.set(_BUSY.get() | {id(self)})
        try:
            yield
        finally:
            _BUSY.reset(token)

    @contextmanager
    def settling(self, question: Arrow, number: int) -> Iterator[None]:
        """What raises meanwhile is a failure of the question, which stays charged under this number."""
        try:
            yield
        except BaseException as error:
            self.failures.append(question)
            self.account.settle(number, FAILED)
            if isinstance(error, DPError):
                error.add("the question stays charged")
            raise

    def expect_idle(self, otherwise: str, question: Arrow | None = None) -> None:
        """Refuse what a function does that is given data, while a question is answered."""
        if id(self) in _BUSY.get():
            raise InvalidParameter(otherwise, left=question)

    def expect_no_failure(self) -> None:
        if self.failures:
            raise InvalidParameter(
                "a question failed while it was answered: that it did may tell of the data, so nothing more is answered",
                left=self.failures[0],
                bridge="functions that return for every row; then another curator, or the same ledger opened again",
            )

    def charged(self, asked: Asked, cost: Figures, place: Place, certificate: str | None) -> int:
        """The number of the charge, once it is kept; a refusal changes nothing."""
        charge = Charge(cost, Printed(asked.question), place, certificate, self.asker)
        try:
            number = self.account.charge(charge)
        except Refused:
            left = self.left(place)
            assert left is not None
            price, rest = loss_of(self.measure, cost, self.orders), loss_of(self.measure, left, self.orders)
            asks, has = in_words(self.measure, cost, self.orders), in_words(self.measure, left, self.orders, down=True)
            raise BudgetExceeded(
                f"the question costs {asks}; left is {has}; nothing was charged",
                left=asked.question,
                produced=price,
                expected=rest,
                bridge=(MORE_NOISE_AT_ORDERS if self.orders else MORE_NOISE) if any(left) else None,
            ) from None
        self.asked.append(asked)
        return number

    def left(self, place: Place) -> Figures | None:
        """What one more question may cost at this place; None without a limit."""
        if self.budget is None:
            return None
        left = less(self.budget, self.account.spent())
        while place:  # a part may first come up to the dearest of its partition
            dearest = self.account.spent(place[:-1])
            left = plus(left, less(dearest, self.account.spent(place)))
            place = place[:-2]
        return left


@final
class Printed:
    """A question as it is printed, once somebody reads it."""

    __slots__ = ("question",)

    def __init__(self, question: Arrow) -> None:
        self.question = question

    def __str__(self) -> str:
        return repr(self.question)

    __repr__ = __str__


@final
class Once:
    """Data that are worked out when they are first asked for, and then kept; `anew`, until rows are appended."""

    __slots__ = ("_anew", "_lock", "_made", "_make", "_stream")

    def __init__(self, make: Callable[[], object], stream: Stream | None = None, *, anew: bool = False) -> None:
        self._make, self._stream, self._anew, self._lock = make, stream, anew, threading.Lock()
        self._made: tuple[tuple[object, int], ...] = ()

    def __call__(self) -> object:
        with self._lock:
            if not self._made or (self._anew and not self.of_today):
                steps = self._steps()  # looked at first: what is appended meanwhile makes it of yesterday
                self._made = ((self._make(), steps),)
            return self._made[0][0]

    @property
    def of_today(self) -> bool:
        """Whether no row was appended since they were worked out."""
        return not self._made or self._made[0][1] == self._steps()

    def _steps(self) -> int:
        return 0 if self._stream is None else self._stream.steps
