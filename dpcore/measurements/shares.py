"""Shares of answers, estimated from reports each of which was randomised alone.

A report speaks for an answer with probability p where it is the truth, and with probability q < p where it is not. So of n
reports, of which S speak for the answer, `(S/n - q)/(p - q)` is the share of the answer among the rows, on average over the
coins. It is no more than post-processing: what the reports lose is lost already.

Each report is a coin of its own, so the variance over the coins, of rows of which a share f has the answer, is

    (f p (1 - p) + (1 - f) q (1 - q)) / (n (p - q)^2),

exactly. How far off the estimate may be at a confidence, whatever the rows are, is in `dpcore.noise.shares`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, Protocol, TypeVar, final, runtime_checkable

from dpcore.core import Measurement, Space
from dpcore.core.checks import number_of
from dpcore.core.origins import Arrow, Chain
from dpcore.core.steps import Step
from dpcore.core.typing import D, M
from dpcore.domains import Rows, clashing, different, key
from dpcore.errors import InvalidData, InvalidParameter, a_list
from dpcore.functions import Written
from dpcore.maps import Exact, Numeric, exact, known
from dpcore.measurements.additive import failing
from dpcore.measures import PureDP

R = TypeVar("R")
R_contra = TypeVar("R_contra", contravariant=True)
S_co = TypeVar("S_co", covariant=True)


@final
@dataclass(frozen=True, slots=True)
class Chances:
    """With what probability a report speaks for an answer: p where it is the truth, q where it is not."""

    p: Fraction
    q: Fraction

    def share(self, speaking: int, n: int) -> Fraction:
        """The estimate of the share, of n reports of which so many speak for the answer. On average it is right."""
        return (Fraction(speaking, n) - self.q) / (self.p - self.q)

    def variance(self, share: Fraction, n: int) -> Fraction:
        """Of the estimate over the coins, for n rows of which such a share has the answer."""
        p, q = self.p, self.q
        return (share * p * (1 - p) + (1 - share) * q * (1 - q)) / (n * (p - q) ** 2)

    def error(self, n: int, level: Fraction) -> Fraction:
        """Further off than this the estimate is at most with probability `level`, whatever the share is."""
        from dpcore.noise.shares import least_error  # not for whoever only asks for a loss

        return least_error(self.p, self.q, n, level)


class Randomizer(Step):
    """A step that randomises one answer, so that the shares of answers can be estimated from many reports."""

    __slots__ = ()

    @property
    def shares(self) -> Shares:
        """Makes of reports an estimate of the share of each answer, right on average: for `then`."""
        return Shares(self)

    @abstractmethod
    def applied(self, space: Space[D, M]) -> Measurement[D, M, PureDP, Any]:
        """What it is on a space of one answer."""

    @abstractmethod
    def chances(self, k: int) -> Chances:
        """How reports speak, where there are k answers. Refused where they say nothing of the truth."""

    @abstractmethod
    def speaking(self, reports: Sequence[object], answers: Sequence[Hashable]) -> list[int]:
        """How many of the reports speak for each answer. What none of its reports can be is refused: see `no_report`."""


@runtime_checkable
class OfEachRow(Protocol):
    """A step that has each row randomised alone."""

    @property
    def randomizer(self) -> object: ...


class Estimator(Written, Generic[R_contra, S_co]):
    """Makes of reports an estimate without bias: for `then`. Its accuracy needs the number of rows."""

    __slots__ = ()

    randomizer: Randomizer

    @abstractmethod
    def figures(self) -> tuple[Chances, int]:
        """How a report speaks for each answer, and of how many answers the share is estimated."""

    @abstractmethod
    def of(self, answers: Sequence[Hashable]) -> Estimator[R_contra, S_co]:
        """The same where rows have these answers, in the order in which reports have them."""

    @abstractmethod
    def __call__(self, released: R_contra, /) -> S_co: ...

    def on(self, arrow: object, /) -> Estimator[R_contra, S_co]:
        """Its answers are those of the rows; reports of anything else than its own randomizer are refused."""
        survey = surveyed(arrow) if isinstance(arrow, Measurement) else None
        if survey is None or survey[0] != self.randomizer:
            raise InvalidParameter(
                "it estimates from reports of one randomizer, and these are none of it",
                left=arrow,
                right=self,
                produced=None if survey is None else survey[0],
                expected=self.randomizer,
                bridge=f"rows(..., ChangeOneDistance) >> locally({self.randomizer!r})",
            )
        return self.of(survey[1])

    def accuracy(self, confidence: Numeric, rows: int) -> Fraction:
        """The estimates of so many rows are all closer than this to the shares, with the confidence, whatever the rows are.

        Of several answers each fails with at most an equal part of what the confidence leaves: a union bound.
        """
        chances, many = self.figures()
        return chances.error(number_of(rows, "rows", 1), failing(confidence) / many)

    def variance(self, share: Numeric, rows: int) -> Fraction:
        """The variance over the coins of the estimate of one share, where it is so large, of so many rows."""
        of = Fraction(known(exact(share, "share"), "share"))
        if not 0 <= of <= 1:
            raise InvalidParameter(f"Expected a share from 0 to 1 but got share={of}", produced=of)
        return self.figures()[0].variance(of, number_of(rows, "rows", 1))

    def hoeffding(self, confidence: Numeric, rows: int) -> Fraction:
        """What Hoeffding's inequality says of the same error: never less than `accuracy`."""
        from dpcore.noise.shares import hoeffding  # not for whoever only asks for a loss

        chances, many = self.figures()
        return hoeffding(chances.p, chances.q, number_of(rows, "rows", 1), failing(confidence) / many)


def surveyed(arrow: Arrow) -> tuple[object, tuple[Hashable, ...]] | None:
    """By what each row is randomised, and the answers that rows may have; None where rows are not randomised alone."""
    origin = arrow.origin
    if isinstance(origin, Chain):
        return surveyed(origin.arrows[-1])
    step: object = origin.function
    if isinstance(step, OfEachRow):
        domain = arrow.input.domain
        of = domain.of if isinstance(domain, Rows) else domain
        return step.randomizer, tuple(map(of.given_out, of.elements() or ()))
    inside = origin.arguments[0]
    return surveyed(inside) if origin.word == "to" and isinstance(inside, Measurement) else None


@final
@dataclass(frozen=True, slots=True, repr=False)
class ShareTrue(Estimator[Sequence[bool], Fraction]):
    """The share of rows that are True. See `RandomizedResponse.estimate`."""

    randomizer: Randomizer

    def figures(self) -> tuple[Chances, int]:
        return self.randomizer.chances(2), 1

    def of(self, answers: Sequence[Hashable]) -> ShareTrue:
        if {key(answer) for answer in answers} != {key(False), key(True)}:
            raise InvalidParameter(
                "it estimates the share that is True, of rows that are truth values",
                right=self,
                produced=tuple(answers),
                bridge=f"{self.randomizer!r}.shares, for that of each answer",
            )
        return self

    def __call__(self, released: Sequence[bool], /) -> Fraction:
        reports: Sequence[object] = _some(released)
        if not all(report in (True, False) for report in reports):
            raise InvalidData(
                "the share of True is estimated of reports that are True or False",
                left=self,
                bridge=f"{self.randomizer!r}.shares.of(answers)",
            )
        _, speaking = self.randomizer.speaking(released, (False, True))
        return self.figures()[0].share(speaking, len(released))

    def __repr__(self) -> str:
        return f"{self.randomizer!r}.estimate"


@final
@dataclass(frozen=True, slots=True, repr=False)
class Shares(Estimator[Sequence[object], dict[Hashable, Fraction]]):
    """The share of each answer: of those of the rows, or of others that are said, `shares.of(["a", "b", "c"])`."""

    randomizer: Randomizer
    answers: tuple[Hashable, ...] | None = None

    def __post_init__(self) -> None:
        if self.answers is None:
            return
        if len(self.answers) < 2 or len({key(answer) for answer in self.answers}) < len(self.answers):
            raise InvalidParameter("Expected all answers that rows may have, each once, and at least two of them")
        two = clashing(list(self.answers))
        if two is not None:
            raise InvalidParameter(f"Expected answers that a dict tells apart, which {two[0]!r} and {two[1]!r} are not")
        self.figures()

    def figures(self) -> tuple[Chances, int]:
        return self.randomizer.chances(len(self._known())), len(self._known())

    def of(self, answers: Sequence[Hashable]) -> Shares:
        a_list(answers, "answers")
        different(answers, "answers")
        return Shares(self.randomizer, tuple(answers))

    def _known(self) -> tuple[Hashable, ...]:
        if self.answers is None:
            raise InvalidParameter(
                "the answers that rows may have are not known yet",
                left=self,
                bridge="shares.of(answers), in the order in which reports have them; after a survey they are known",
            )
        return self.answers

    def __call__(self, released: Sequence[object], /) -> dict[Hashable, Fraction]:
        answers, chances, n = self._known(), self.figures()[0], len(_some(released))
        speaking = self.randomizer.speaking(released, answers)
        return {answer: chances.share(many, n) for answer, many in zip(answers, speaking, strict=True)}

    def __repr__(self) -> str:
        return f"{self.randomizer!r}.shares" + (f".of({list(self.answers)!r})" if self.answers is not None else "")


def _some(reports: Sequence[R]) -> Sequence[R]:
    given: object = reports
    if isinstance(given, (str, bytes)) or not isinstance(given, Sequence):
        raise InvalidData(f"Expected a list of reports but got a {type(given).__name__}")
    if not reports:
        raise InvalidData("there is no share of no rows")
    return reports


def no_report(randomizer: Randomizer) -> InvalidData:
    """The refusal of what is none of its reports. It repeats none of them."""
    return InvalidData(
        "shares are estimated from reports of one randomizer, and one of these is none of it",
        left=randomizer,
        bridge=f"what rows(..., ChangeOneDistance) >> locally({randomizer!r}) releases, and all its answers",
    )


def told_apart(p: Fraction, q: Fraction, randomizer: Step, bridge: str) -> Chances:
    """The chances, refused where a report is as likely whatever the truth is."""
    if p <= q:
        raise InvalidParameter(
            "nothing can be estimated: a report speaks for an answer as often where it is not the truth as where it is",
            left=randomizer,
            produced=p,
            expected=q,
            bridge=bridge,
        )
    return Chances(p, q)


def probability(x: Exact, name: str) -> Fraction:
    """The number where it is known."""
    return Fraction(known(x, name))
