"""Running totals of a stream: rows arrive step by step, and after each step a count or a sum of all so far is known.

The binary tree (Dwork, Naor, Pitassi, Rothblum 2010; Chan, Shi, Song 2011). Over a horizon of T steps there is a node for
each stretch of 2^l steps that begins at a multiple of 2^l and ends within T, for each l with 2^l <= T: `T.bit_length()`
levels. A node is released once, with noise of its own, as soon as its stretch is over; a total is a sum of nodes, at most
two of each level, and no noise is ever drawn anew. Together they are what this measurement releases, on all rows:

    compose([rows >> partition(blocks, by=time // 2^l) >> parallel(node) for each l])

so it has its loss, by the rules of these three: a row is in one stretch of each level, hence `T.bit_length()` times the loss
of a node. The certificate is that of this measurement.

A node is released before later rows are there, and these may be chosen after it was seen (Jain, Raskhodnikova, Sivakumar,
Smith 2023). That loses no more. Fix somebody who chooses rows by what he saw, and two streams of his that differ by one row
at one time: those two are the two data sets of `HiddenThreshold.v`, and his questions the nodes, one after another. Whatever
was seen, the rows of a stretch that holds this time differ by one row, so its node loses what a node loses at distance 1;
those of any other stretch are the same, and it loses nothing. What is lost adds up to a node of each level. So this holds in
each measure whose losses add up, with other questions in between, and data k rows apart are k steps of this.
"""

from __future__ import annotations

import copy
import os
import threading
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final, final

from dpcore.calculus import Derivation, Release, Rule, chain
from dpcore.combinators.compose import compose
from dpcore.combinators.parallel import parallel
from dpcore.core import Measurement, Space
from dpcore.core.checks import number_of
from dpcore.core.running import prepared
from dpcore.core.typing import ME, D
from dpcore.domains import Domain, Rows
from dpcore.engines.doors import hand_out, table
from dpcore.errors import InvalidData, InvalidParameter
from dpcore.expressions import Expression
from dpcore.functions import APPENDS, expect_no_data
from dpcore.maps import Numeric
from dpcore.measurements.gaussian import gaussian_loss
from dpcore.measurements.laplace import laplace_loss
from dpcore.metrics import SymmetricDistance
from dpcore.transformations.count import count_symmetric
from dpcore.transformations.partition import partition
from dpcore.transformations.sum import sum_symmetric

if TYPE_CHECKING:
    from dpcore.engines import Table
    from dpcore.expressions import Expr, Value
    from dpcore.interaction.study import Asked, Study

Stretch = tuple[int, int]
"""Steps from the first on, and before the second."""

TOTALS: Final = (count_symmetric.run, sum_symmetric.run)
NOISE: Final = (laplace_loss.run, gaussian_loss.run)
"""What adds up over stretches of time, and the noise whose sums are known."""

MOST: Final = 1 << 16
"""A horizon is no longer: no more keys are written as a range."""


def stretches(start: int, stop: int) -> list[Stretch]:
    """The fewest nodes that make up these steps: at most two of each level."""
    found: list[Stretch] = []
    while start < stop:
        size = start & -start or 1 << (stop.bit_length() - 1)
        while size > stop - start:
            size //= 2
        found.append((start, start + size))
        start += size
    return found


def whole(
    node: Measurement[Rows[D], SymmetricDistance, ME, int | Fraction], time: Expr[Value], horizon: int
) -> Measurement[Rows[D], SymmetricDistance, ME, object]:
    """All nodes, as one measurement of all rows."""
    if not isinstance(time, Expression):
        raise InvalidParameter(
            f"Expected an expression for time but got a {type(time).__name__}", produced=time, bridge='field("day")'
        )
    levels = [
        node.input >> partition([*range(horizon >> level)], time // (1 << level)) >> parallel(node)
        for level in range(horizon.bit_length())
    ]
    return compose(levels)


def expect_a_total(node: Measurement[Rows[D], SymmetricDistance, ME, int | Fraction]) -> None:
    """Refuse what does not add up over stretches of time: it would be no total, whatever it costs."""
    runs = [part.run for part in _in_turn(node.derivation)]
    if len(runs) < 2 or runs[-2] not in TOTALS or runs[-1] not in NOISE:
        raise InvalidParameter(
            "a running total is made of counts or sums with noise added",
            produced=node,
            bridge="rows >> ... >> count() >> laplace(...), or sum(), or gaussian(...)",
        )


def expect_rows_of(
    step: int, rows: Table, space: Space[Rows[D], SymmetricDistance], time: Expr[Value], horizon: int
) -> None:
    """Refuse rows of another step: what they belong to may be released already."""
    if step >= horizon:
        return
    of_step = prepared(space >> partition([step], time))({})(rows)
    assert isinstance(of_step, Mapping)
    if of_step[step].count() != rows.count():
        raise InvalidData(f"rows of another time are among those of step {step}", expected=time == step)


def _in_turn(derivation: Derivation) -> list[Rule]:
    """The rules of a chain, its links one after another; of a conversion, those of what it converts."""
    while derivation.rule.release is Release.SAME:
        (derivation,) = derivation.premises
    if derivation.rule is not chain:
        return [derivation.rule]
    return [rule for link in derivation.premises for rule in _in_turn(link)]


@final
class Running:
    """A total of a stream, known after each step: `.total()` of all steps so far, `.total(last=7)` of the last seven.

    The first look and the hundredth cost nothing: all was paid when it was begun, and totals that share steps share noise.
    """

    __slots__ = ("_asked", "_nodes", "_number", "horizon", "node", "steps", "time")

    def __init__(
        self,
        node: Measurement[Rows[D], SymmetricDistance, ME, int | Fraction],
        time: Expr[Value],
        horizon: int,
        asked: Asked,
        number: int,
    ) -> None:
        self.node, self.time, self.horizon, self._asked, self._number = node, time, horizon, asked, number
        self._nodes: dict[Stretch, int | Fraction] = {}
        self.steps = 0
        """How many steps are over: all nodes of these are there."""

    def total(self, last: int | None = None) -> int | Fraction:
        """What the steps that are over come to, or the last of them: a sum of nodes."""
        return sum([self._nodes[stretch] for stretch in self._made_of(last)])

    def accuracy(self, confidence: Numeric, last: int | None = None) -> Fraction:
        """The least a with `P(|error| >= a) <= 1 - confidence` of that total, from the law of a sum of so many noises."""
        from dpcore.interaction.sums_of_noise import accuracy_of_sum  # not for whoever never asks

        return accuracy_of_sum(self.node, len(self._made_of(last)), confidence)

    def released(self) -> dict[Stretch, int | Fraction]:
        """All nodes so far, each by its first step and that after its last."""
        return dict(self._nodes)

    def _made_of(self, last: int | None) -> list[Stretch]:
        start = 0 if last is None else max(0, self.steps - number_of(last, "last", 1))
        return stretches(start, self.steps)

    def close(self, step: int, stream: Stream, study: Study) -> None:
        """Release each node that ends with this step."""
        if step >= self.horizon:
            return
        with study.answering(self._asked.question), study.settling(self._asked.question, self._number):
            for level in range((step + 1 & -(step + 1)).bit_length()):
                stretch = (step + 1 - (1 << level), step + 1)
                value = hand_out(prepared(self.node)(study.given)(stream.rows(*stretch)))
                assert isinstance(value, (int, Fraction))
                self._nodes[stretch] = value
                self._asked.answers.append((stretch, value))
        self.steps = step + 1

    def __repr__(self) -> str:
        return f"<running total of {self.node!r} over {self.horizon} steps: {self.steps} are over>"


@final
class Stream:
    """The rows of a curator who began with none, step by step."""

    __slots__ = ("_domain", "_now", "_process", "_steps", "lock", "running")

    def __init__(self, domain: Rows[Domain]) -> None:
        self._domain = domain
        self._steps: list[list[object]] = []
        self._now: Table | None = None
        self.lock, self._process = threading.RLock(), os.getpid()
        self.running: list[Running] = []

    def __call__(self) -> Table:
        """All rows so far, put together when they are first asked for after a step."""
        with self.lock:
            if self._now is None:
                self._now = self.rows(0, len(self._steps))
            return self._now

    @property
    def steps(self) -> int:
        """How many there are so far."""
        return len(self._steps)

    def rows(self, start: int, stop: int) -> Table:
        """Those of some steps."""
        return table([row for step in self._steps[start:stop] for row in step], self._domain)

    def append(self, rows: Sequence[object], study: Study) -> None:
        """One step more: its rows, which are checked before anything is changed."""
        if os.getpid() != self._process:  # a fork has a copy, and each of the two would release the nodes to come
            raise InvalidParameter("a stream is appended to by the process that began it, and by no forked one")
        if type(rows) not in (list, tuple):
            raise InvalidParameter(
                f"Expected a list of rows but got a {type(rows).__name__}",
                produced=type(rows),
                bridge='frame.to_dicts() of polars, frame.to_dict("records") of pandas',
            )
        # What one row makes it append, one row would be more than the questions to come are charged for.
        expect_no_data(APPENDS, study.within)
        study.expect_idle("a function that is given data may not append rows to them")
        with self.lock:
            study.expect_no_failure()
            step = len(self._steps)
            more = copy.deepcopy(list(rows))  # nobody else may write into what was checked
            checked = table(more, self._domain)
            for running in self.running:
                expect_rows_of(step, checked, running.node.input, running.time, running.horizon)
            self._steps.append(more)
            self._now = None
            for running in self.running:
                running.close(step, self, study)

    def expect_in_time(self, space: Space[Rows[D], SymmetricDistance], time: Expr[Value], horizon: int) -> None:
        """Refuse a time by which rows came at another step."""
        for step in range(len(self._steps)):
            expect_rows_of(step, self.rows(step, step + 1), space, time, horizon)

    def begin(self, running: Running, study: Study) -> None:
        """One total more; of the steps that are over it is known at once."""
        with self.lock:
            for step in range(len(self._steps)):
                running.close(step, self, study)
            self.running.append(running)
