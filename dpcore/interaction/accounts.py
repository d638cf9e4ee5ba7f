"""The account of an interaction: what was charged, for what, and whether more may be. Curators and ledgers call it.

Charges add up exactly, in the form in which losses of the measure add up (`Loss.parts`; GaussianDP counts squares). A
charge names its *place*, where the question was asked: `()` for a question about all data, and two texts more for each
partition on the way, which partition and which part, `("by region", "north")`. A neighbour changes one part only, so of
the parts of one partition the dearest is what counts:

    spent(place) = its own charges + over its partitions the largest spent of any part, figure by figure

and what must stay within the budget is spent(()).
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fractions import Fraction
from typing import Protocol, TypeAlias, final

from dpcore.errors import DPError, InvalidParameter

Figures: TypeAlias = tuple[Fraction, ...]
"""A loss as numbers that add up, one or two of them; never below what it stands for."""

Place: TypeAlias = tuple[str, ...]

ANSWERED = "answered"
FAILED = "failed"
CHARGED = "charged"
"""Charged, and nothing is known of an answer: it is being worked out, or the process ended over it."""


@final
@dataclass(frozen=True, slots=True)
class Charge:
    """What a question costs, and what is written of it. Never the data, and never the answer."""

    cost: Figures
    question: object
    """What it prints is what is written; in memory nobody may ever read it."""

    place: Place = ()
    certificate: str | None = None
    asker: str = ""


@final
@dataclass(frozen=True, slots=True)
class Entry:
    """A charge as it stands in an account."""

    number: int
    charge: Charge
    time: datetime
    outcome: str
    spent: Figures
    """What was spent of the whole budget when it was charged, itself included."""


class Refused(DPError):
    """The account has not so much left. Nothing was charged."""

    def __init__(self, spent: Figures) -> None:
        super().__init__("the account has not so much left")
        self.spent = spent


class Account(Protocol):
    """Where charges are kept. All methods may be called from several threads; of a ledger, from several processes."""

    def charge(self, charge: Charge) -> int:
        """Keep the charge, for good, and return its number; or raise `Refused` and change nothing."""
        ...

    def settle(self, number: int, outcome: str) -> None:
        """Note what became of a question: `ANSWERED` or `FAILED`. It changes nothing of what is spent."""
        ...

    def spent(self, place: Place = ()) -> Figures:
        """What was spent, at this place and below it."""
        ...

    def entries(self) -> Sequence[Entry]:
        """All charges, in their order."""
        ...


def fits(spent: Figures, budget: Figures | None) -> bool:
    """Whether so much may be spent; without a budget, whatever it is."""
    return budget is None or all(s <= b for s, b in zip(spent, budget, strict=True))


def nothing(figures: int) -> Figures:
    return (Fraction(0),) * figures


def less(a: Figures, b: Figures) -> Figures:
    return tuple([x - y for x, y in zip(a, b, strict=True)])


def plus(a: Figures, b: Figures) -> Figures:
    return tuple([x + y for x, y in zip(a, b, strict=True)])


def larger(a: Figures, b: Figures) -> Figures:
    return tuple(map(max, a, b))


def rises(charge: Charge, total: dict[Place, Figures]) -> dict[Place, Figures]:
    """What the places on the way from the charge up to `()` come to, from what they came to before.

    A place of an odd number of texts is a partition, and comes to the largest of its parts. A part that stays below it
    costs nothing further up.
    """
    none = nothing(len(charge.cost))
    risen: dict[Place, Figures] = {}
    more, place = charge.cost, charge.place
    while True:
        before = total.get(place, none)
        risen[place] = plus(before, more)
        if not place:
            return risen
        partition = place[:-1]
        highest = total.get(partition, none)
        risen[partition] = larger(highest, risen[place])
        more, place = less(risen[partition], highest), partition[:-1]


@final
@dataclass(slots=True)
class InMemory:
    """An account that ends with the process. Neither a copy nor a fork of it can be spent."""

    budget: Figures | None
    figures: int
    _total: dict[Place, Figures] = field(default_factory=dict)
    _kept: list[tuple[Charge, float, Figures]] = field(default_factory=list)
    _outcomes: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _process: int = field(default_factory=os.getpid)

    def charge(self, charge: Charge) -> int:
        if os.getpid() != self._process:  # a fork has a copy, and each of the two would spend all of it
            raise InvalidParameter(
                "this account is kept by the process that began it, and a forked one may not spend it again",
                bridge='curator(..., ledger="study.ledger"), which processes share',
            )
        with self._lock:
            risen = rises(charge, self._total)
            if not fits(risen[()], self.budget):
                raise Refused(self.spent())
            self._total.update(risen)
            self._kept.append((charge, time.time(), risen[()]))
            self._outcomes.append(CHARGED)
            return len(self._kept)

    def settle(self, number: int, outcome: str) -> None:
        self._outcomes[number - 1] = outcome

    def spent(self, place: Place = ()) -> Figures:
        return self._total.get(place, nothing(self.figures))

    def entries(self) -> Sequence[Entry]:
        with self._lock:
            kept = zip(self._kept, self._outcomes, strict=True)
            return tuple(
                [
                    Entry(number, charge, datetime.fromtimestamp(at, UTC), outcome, spent)
                    for number, ((charge, at, spent), outcome) in enumerate(kept, 1)
                ]
            )
