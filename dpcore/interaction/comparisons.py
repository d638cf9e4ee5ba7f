"""Above-threshold, asked query by query: the sparse vector over a stream of queries that nobody knows beforehand.

The threshold is given noise once, when it is begun, and each query noise of its own. Between data 1 apart each query moves
by at most 1. Compare what is said of one data set with what is said of the other while its noisy threshold is higher by 1:
that costs `1/b_T`, once; what was below stays below, as no query rises by more than 1, at no cost however many are asked;
what was above costs `2/b_Q`, and only `hits` are. This fixes the noise of the threshold and compares answer by answer, so
each query may be chosen by all that was said before. In all it is eps, in PureDP.

The curator may be asked other questions in between, in any measure that has a filter. Fix two data sets, and let p and q be
the probabilities of what was said so far of one and the other: they are within `e^eps` of each other, whatever was asked. So

    u = (e^eps p - q)/(e^eps - 1)        v = (e^eps q - p)/(e^eps - 1)

are not negative, and add up over the next answer as p and q do: each is an above-threshold of somebody who does not see the
data. As `p = (e^eps u + v)/(e^eps + 1)` and `q = (u + e^eps v)/(e^eps + 1)`, to ask the above-threshold is to ask a
randomized response of eps when it is begun, and then one of two that know nothing (Vadhan and Wang 2021; Lyu 2022). So it
is charged what a randomized response of eps loses in the measure of the account, by the conversion from PureDP, and the
filter is one of measurements (`HiddenThreshold.v`).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import floor
from typing import Generic, TypeAlias, TypeVar, final

from dpcore.calculus import rule
from dpcore.calculus.parameters import Data
from dpcore.core import Transformation
from dpcore.core.origins import Arrow, SomeSpace, require_known
from dpcore.core.running import prepared
from dpcore.core.typing import DI, MI
from dpcore.domains import NumberDomain, on_a_grid
from dpcore.engines.doors import hand_out
from dpcore.errors import DomainMismatch, InvalidParameter, is_a
from dpcore.interaction.filters import begin
from dpcore.interaction.study import Asked, Study
from dpcore.maps import Exact, Number, is_formula
from dpcore.measurements.above_threshold import SPARSE, AboveThreshold
from dpcore.metrics import AbsoluteDistance
from dpcore.noise import discrete_laplace
from dpcore.written import described_step
from dpcore.written.shared import Source

N = TypeVar("N", bound=NumberDomain)

Meets: TypeAlias = Callable[[SomeSpace, object], None]
"""Refuses what is about other data."""


def _assumed(parameters: Data, witness: Data) -> Iterator[str]:
    yield (
        f"between data 1 apart ({described_step(parameters['source'])}) each query moves by at most 1, none sees the order"
        " of rows, and after so many answers above as it may give, none is answered"
    )


@rule(run=begin, name="above_threshold_asked_pure", writes=(*SPARSE, Source), assumes=_assumed)
def above_threshold_asked(d: Number, *, threshold_scale: Number, query_scale: Number, hits: Number) -> Number:
    """`d/b_T + 2 c d/b_Q`, every query moving by at most 1 between data 1 apart, chosen after the answers before it."""
    return d / threshold_scale + 2 * hits * d / query_scale


@final
class Comparisons(Generic[DI, MI]):
    """Whether queries lie above a threshold, asked one after another until as many did as may. All was paid when it began.

    busy = curator.above_threshold(100, threshold_scale=4, query_scale=8)
    busy.ask(ages >> dp.filter(dp.row() > 60) >> dp.count())           # True or False
    """

    __slots__ = (
        "_asked",
        "_found",
        "_held",
        "_level",
        "_lock",
        "_meets",
        "_number",
        "_process",
        "_step",
        "_study",
        "_told",
    )

    def __init__(
        self, study: Study, step: AboveThreshold, asked: Asked, number: int, held: Callable[[], object], meets: Meets
    ) -> None:
        """`asked` was charged under this number; the noise of the threshold is drawn now, and nobody may see it."""
        self._study, self._step, self._asked, self._number = study, step, asked, number
        self._held, self._meets = held, meets
        self._level = _known(step.threshold) + discrete_laplace.sample(_known(step.threshold_scale), study.bits)
        self._told: list[tuple[Arrow, bool]] = []
        self._found: list[Arrow] = []  # a copy of this shares it, so it has no more answers than this has
        self._lock, self._process = threading.Lock(), os.getpid()

    def ask(self, query: Transformation[DI, MI, N, AbsoluteDistance]) -> bool:
        """Whether the number that the query gives reaches the threshold, both with noise. What is refused is not run.

        The threshold and all noise are whole, so of a number on a finer grid only the whole part tells, and that moves by
        at most 1 where the number does.
        """
        self._expect_a_query(query)
        study = self._study
        with study.answering(query):
            self._expect_more()
            with study.settling(self._asked.question, self._number):
                number = hand_out(prepared(query)(study.given)(self._held()))
                assert isinstance(number, (int, Fraction))
                above = (
                    floor(number) + discrete_laplace.sample(_known(self._step.query_scale), study.bits) >= self._level
                )
            with self._lock:
                self._expect_more()  # another thread may have found the last
                if above:
                    self._found.append(query)
                self._told.append((query, above))
                self._asked.answers.append((query, above))
        return above

    @property
    def over(self) -> bool:
        """Whether it has said as often as it may that something is above."""
        return len(self._found) == self._step.hits

    def expect_no_failure(self) -> None:
        """Refuse where a question failed while it was answered."""
        self._study.expect_no_failure()

    @property
    def told(self) -> tuple[tuple[Arrow, bool], ...]:
        """Each query that was answered, with its answer."""
        return tuple(self._told)

    def _expect_more(self) -> None:
        if os.getpid() != self._process:  # a fork has a copy, and each of the two would go on to the last answer above
            raise InvalidParameter("an above-threshold is asked by the process that began it, and by no forked one")
        if self.over:
            raise InvalidParameter(
                "it is over: as many queries as may were above",
                left=self._asked.question,
                bridge="curator.above_threshold(...), which is charged anew; hits=... for more answers above",
            )

    def _expect_a_query(self, query: Transformation[DI, MI, N, AbsoluteDistance]) -> None:
        """A number of the data of the curator, which lies on a grid and moves by at most 1."""
        if not isinstance(query, Transformation):
            raise InvalidParameter(
                f"Expected a transformation into a number but got a {type(query).__name__}",
                produced=query,
                bridge="curator.space >> ... >> count(), without noise of its own",
            )
        self._meets(query.input, query)
        of = query.output.domain
        if not (on_a_grid(of) and is_a(query.output.metric, AbsoluteDistance)):
            raise DomainMismatch(
                "a query gives one number on a grid",
                left=query,
                produced=query.output,
                expected="integers(), or numbers(step=...), in AbsoluteDistance",
                bridge="count(), or sum(); one query for each bin",
            )
        require_known(query)
        moves = query.stability(1)
        if moves.upper > 1:
            raise InvalidParameter(
                "a query may move by at most 1 between data 1 apart, as the scales of above-threshold are said for that",
                left=query,
                produced=moves,
                expected=1,
                bridge="rows of less weight; or what moves by s, divided by s, with the threshold",
            )

    def __repr__(self) -> str:
        return f"<{self._step!r}: {len(self._told)} asked, {len(self._found)} of {self._step.hits} found>"


def _known(parameter: Exact) -> Fraction:
    assert not is_formula(parameter)  # of what has symbols no loss is known, so nothing was charged
    return Fraction(parameter)


def what_was_compared(comparisons: Comparisons[DI, MI]) -> list[bool]:
    """In transcripts, the strategy of whoever asked: what he was told."""
    return [above for _, above in comparisons.told]
