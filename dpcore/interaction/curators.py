"""A curator holds data and an account, and answers questions as long as the account allows it.

A question is a measurement. What it costs is charged before it runs, at distance 1 of the data that the curator was
started on, and nothing that happens afterwards gives it back.

A question about a part of the data (`by`) is charged to that part. Let s be the stability of what leads to the parts. Data
1 apart have parts that are d_1, d_2, ... apart, at most s together. Of part j questions of losses l lose group(d_j, l) each,
which in every measure here grows at least in proportion to d_j (or is refused beyond 1, so that s is 1): it is at most
d_j/s group(s, l). An above-threshold of eps is one of d_j eps there, and what that loses is at most group(d_j, l), too, or
is refused beyond 1. So what all parts lose together is at most the largest sum of group(s, l) over the questions about one
part. A charge is group(s, l), and the account takes the dearest part (see `accounts`).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar, cast, final, overload

from dpcore.combinators.parallel import parallel
from dpcore.conversions import CONVERSIONS
from dpcore.core import Measurement, Space, Transformation, TransformationStep
from dpcore.core.checks import a_measurement, number_of
from dpcore.core.origins import Arrow, Onward, SomeSpace, onward, require_known
from dpcore.core.running import prepared
from dpcore.core.typing import DI, DO, ME, MI, MO, D, T
from dpcore.domains import Rows
from dpcore.engines import Table
from dpcore.engines.doors import hand_out
from dpcore.errors import (
    DomainMismatch,
    InvalidParameter,
    MeasureMismatch,
    MetricMismatch,
    NotCertifiable,
    Vacuous,
    is_a,
    is_callable,
)
from dpcore.interaction.accounts import ANSWERED, Entry, Figures, Place
from dpcore.interaction.costs import cost, loss_of
from dpcore.interaction.study import Asked, Once, Study, Turn
from dpcore.measurements.above_threshold import AboveThreshold, above_threshold
from dpcore.measures import GaussianDP, PureDP, RenyiDP
from dpcore.metrics import PersonDistance, SymmetricDistance
from dpcore.transformations.partition import partition

if TYPE_CHECKING:
    from fractions import Fraction

    from dpcore.calculus import Prepared
    from dpcore.core.readings import Keeping
    from dpcore.expressions import Expr, Expression, Value
    from dpcore.interaction.comparisons import Comparisons
    from dpcore.interaction.interactive import Interactive
    from dpcore.interaction.streams import Running, Stream
    from dpcore.maps import Numeric
    from dpcore.measures import Counts, Measure
    from dpcore.measures.losses import Loss
    from dpcore.measures.orders import Orders

L_co = TypeVar("L_co", bound="Loss", covariant=True)


class Counting(Protocol[L_co]):
    """A curator, by what its account counts. For type checkers."""

    _study: Study
    _place: Place

    @property
    def measure(self) -> Counts[L_co]: ...


class Weighed(NamedTuple):
    """A question, before it is charged."""

    question: Arrow
    whole: Arrow
    """The same with what stands before it since the data, or since the part that they are."""

    cost: Figures
    run: Prepared
    certificate: str | None


@final
class Curator(Generic[DI, MI, ME]):
    """Data, and an account of what questions about them have cost.

    ages = dp.rows(dp.integers(0, 120))
    curator = dp.curator(ages, data, budget=dp.pure(1))
    curator.ask(ages >> dp.count() >> dp.laplace(scale=10))
    curator.left                                                # pure('9/10')
    """

    __slots__ = ("_ahead", "_held", "_last", "_lift", "_partitions", "_place", "_route", "_study", "measure", "space")

    def __init__(
        self,
        study: Study,
        space: Space[DI, MI],
        measure: ME,
        held: Callable[[], object],
        *,
        place: Place = (),
        route: tuple[Turn, ...] = (),
        ahead: Onward | None = None,
        lift: int = 1,
    ) -> None:
        """`ahead` leads from the data, or from the part where `route` ends, to `space`; `lift` is the distance there of
        data that are 1 apart."""
        self._study, self.space, self.measure, self._held = study, space, measure, held
        self._place, self._route, self._ahead, self._lift = place, route, ahead, lift
        self._partitions: list[tuple[object, str, Once]] = []
        self._last: Weighed | None = None  # the same question is often asked many times

    # ---- questions -------------------------------------------------------------------------------------------------

    def ask(self, question: Measurement[DI, MI, ME, T]) -> T:
        """The answer, which is charged for before it is worked out. What is refused costs nothing."""
        weighed = self._last
        if weighed is None or weighed.question is not question:
            weighed = self._last = self._weighed(question)
        study = self._study
        with study.answering(weighed.whole):
            asked, number = self._charged(weighed)
            with study.settling(weighed.whole, number):
                answer = hand_out(weighed.run(study.given)(self._held()))
        asked.answers.append(answer)
        study.account.settle(number, ANSWERED)
        return cast("T", answer)

    def above_threshold(
        self,
        threshold: Numeric,
        *,
        threshold_scale: Numeric,
        query_scale: Numeric,
        hits: int = 1,
    ) -> Comparisons[DI, MI]:
        """Above-threshold, asked query by query: `.ask(query)` says whether a number lies above, until `hits` of them did.

        All its answers are charged now: the epsilon `1/threshold_scale + 2*hits/query_scale`, or in another measure than
        PureDP what that comes to there, such as `epsilon^2/2` in ZCDP. A query moves by at most 1.
        """
        step = above_threshold(threshold, threshold_scale=threshold_scale, query_scale=query_scale, hits=hits)
        return self.begin(step)

    def begin(self, step: AboveThreshold) -> Comparisons[DI, MI]:
        """The same, of an `above_threshold(...)` that was made."""
        from dpcore.interaction.comparisons import Comparisons, what_was_compared
        from dpcore.interaction.interactive import interactive, view

        asking = view(interactive(self.space, step), what_was_compared)
        self._expect_parts_of_one()
        weighed = self._weighed(asking if self.measure == PureDP() else asking.to(self.measure))
        study = self._study
        with study.answering(weighed.whole):
            asked, number = self._charged(weighed)
            with study.settling(weighed.whole, number):
                begun: Comparisons[DI, MI] = Comparisons(study, step, asked, number, self._held, self._meets)
        study.account.settle(number, ANSWERED)
        return begun

    def _expect_parts_of_one(self) -> None:
        """In GaussianDP `s mu(eps)` is charged for parts s apart and `mu(s eps)` lost, which nobody proved to be less."""
        if self._lift > 1 and self.measure == GaussianDP():
            raise MeasureMismatch(
                "no rule says what an above-threshold loses in GaussianDP on parts that are further apart than the data",
                produced=self.measure,
                bridge="begun before the data are parted, by .after(...); or an account in ZCDP",
            )

    def running(
        self: Curator[Rows[D], SymmetricDistance, ME],
        node: Measurement[Rows[D], SymmetricDistance, ME, int | Fraction],
        *,
        time: Expr[Value],
        horizon: int,
    ) -> Running:
        """A count or sum of all rows so far, after each step of a stream: `running(noisy, time=field("day"), horizon=365)`.

        `node` is a noisy count or sum. What all totals cost together, over the horizon, is charged now: `node` so many times
        as the horizon has binary digits. Of rows that were appended at another step by this time it is a failed question,
        after which nothing more is answered.
        """
        from dpcore.interaction.streams import MOST, Running, expect_a_total, whole

        stream = self._streaming()
        a_measurement(node)
        expect_a_total(node)
        horizon = number_of(horizon, "horizon", 1)
        if horizon > MOST:
            raise InvalidParameter(f"a horizon has at most {MOST} steps", produced=horizon)
        weighed = self._weighed(whole(node, time, horizon))
        study = self._study
        with stream.lock:
            with study.answering(weighed.whole):
                asked, number = self._charged(weighed)
                with study.settling(weighed.whole, number):  # whether rows are in time tells of them
                    stream.expect_in_time(self.space, time, horizon)
            begun = Running(node, time, horizon, asked, number)
            study.account.settle(number, ANSWERED)
            stream.begin(begun, study)
        return begun

    def append(self: Curator[Rows[D], SymmetricDistance, ME], rows: Sequence[object]) -> None:
        """The rows of the next step, which may be none; every running total has one step more then.

        Whoever begins with no rows lets that be seen. Questions are about all rows so far, also of what was made by `after`
        and of above-thresholds that were begun before. Parts, made by `by`, keep the rows of the first question about one of
        them; `by` gives others then, of all rows so far, whose charges are added to those of the parts before.
        """
        self._streaming().append(rows, self._study)

    def _streaming(self) -> Stream:
        stream = self._study.stream
        if stream is None or self._route or self._ahead is not None:
            raise InvalidParameter(
                "rows are appended to a curator of rows that come and go one by one, who began with none of them",
                left=self,
                bridge="curator(rows(...), [], budget=...), then .append(...)",
            )
        return stream

    def _weighed(self, question: object) -> Weighed:
        """What the question costs, which must be one about these data, and count as the account does."""
        if not isinstance(question, Measurement):
            raise InvalidParameter(
                f"Expected a measurement but got a {type(question).__name__}",
                produced=question,
                bridge="curator.space >> ... >> laplace(...), a pipeline that ends with noise",
            )
        if question.measure != self.measure:
            raise MeasureMismatch(
                "the question counts in another measure than the account",
                left=question,
                produced=question.measure,
                expected=self.measure,
                bridge=_converted(question.measure, self.measure),
            )
        self._meets(question.input, question)
        whole = self._onward(question)
        assert isinstance(whole, Measurement)
        certificate = _certificate(self._of_all(whole), self._study.orders) if self._study.kept else None
        price = cost(self.measure, whole.loss(1), self._lift, self._study.orders)
        return Weighed(question, whole, price, prepared(question), certificate)

    def _of_all(self, question: Arrow) -> Arrow:
        """A question about a part, as one about all data."""
        for turn in reversed(self._route):
            question = turn.joined({turn.key: question})
        return question

    def _charged(self, weighed: Weighed) -> tuple[Asked, int]:
        """What was asked, which is charged now, and the number of the charge."""
        asked = Asked(self._route, weighed.whole, [])
        return asked, self._study.charged(asked, weighed.cost, self._place, weighed.certificate)

    def _meets(self, space: SomeSpace, what: object) -> None:
        if space is self.space or space == self.space:
            return
        bridge = "curator.space >> ..., a pipeline on the data of the curator"
        mine, theirs = self.space.metric, space.metric
        if mine != theirs:
            said = "this is about data under another metric"
            raise MetricMismatch(said, left=what, right=self, produced=theirs, expected=mine, bridge=bridge)
        said, (own, other) = "this is about other data than those of the curator", (self.space.domain, space.domain)
        raise DomainMismatch(said, left=what, right=self, produced=other, expected=own, bridge=bridge)

    # ---- other views of the data -------------------------------------------------------------------------------------

    @overload
    def after(self, step: Transformation[DI, MI, DO, MO]) -> Curator[DO, MO, ME]: ...
    @overload
    def after(self, step: TransformationStep[DI, MI, DO, MO]) -> Curator[DO, MO, ME]: ...
    def after(self, step: Transformation[DI, MI, DO, MO] | TransformationStep[DI, MI, DO, MO]) -> Curator[DO, MO, ME]:
        """A curator of the transformed data, `after(filter(field("age") >= 18))`, with the same account.

        A question there costs what it costs after the step.
        """
        if not is_callable(step):
            _expect_a_transformation(step)
        transformation = step if isinstance(step, Transformation) else self.space >> step
        _expect_a_transformation(transformation)
        self._meets(transformation.input, transformation)
        require_known(transformation)
        return Curator(
            self._study,
            transformation.output,
            self.measure,
            Once(partial(self._transformed, transformation), self._grows, anew=True),
            place=self._place,
            route=self._route,
            ahead=onward(self._onward(transformation)),
            lift=self._lift,
        )

    def by(
        self: Curator[Rows[D], SymmetricDistance, ME], key: Expression, keys: Sequence[Hashable] | None = None
    ) -> Mapping[Hashable, Curator[Rows[D], SymmetricDistance, ME]]:
        """A curator for each part of the rows, `by(field("region"), ["N", "S"])`: together they cost what the dearest does.

        Without keys, a part for each value that `key` can take. A row of no key is in no part.
        """
        if not is_a(self.space.metric, SymmetricDistance):
            persons = is_a(self.space.metric, PersonDistance)
            raise MetricMismatch(
                "parts need rows that come and go one by one: a person, or a row that is replaced, may be in several parts",
                produced=self.space.metric,
                expected=SymmetricDistance(),
                bridge=f"after({'bound_contributions(limit)' if persons else 'to_metric(SymmetricDistance)'}).by(...)",
            )
        parted = partition(keys, key)(self.space)
        whole = self._onward(parted)
        assert isinstance(whole, Transformation)
        name, held = self._partitioned(parted, key)
        lift = self._lift * ceil(whole.stability(1).upper)
        if lift > 1 and self.measure == RenyiDP():
            # Of two steps in two parts one may cost most at one order and one at another: more than either part's two.
            raise MeasureMismatch(
                "no rule says what parts that are asked in RenyiDP lose together where a row moves more than one",
                produced=self.measure,
                bridge="by(...) before the step; a budget in ZCDP or ApproxDP; questions about all rows",
            )
        of = Space(Rows(parted.output.domain.of), SymmetricDistance())
        return {
            each: Curator(
                self._study,
                of,
                self.measure,
                partial(_part, held, each),
                place=(*self._place, name, repr(each)),
                route=(*self._route, Turn(name, each, partial(self._joined, key))),
                lift=lift,
            )
            for each in parted.output.domain.keys
        }

    def _partitioned(self, parted: Keeping, key: Expression) -> tuple[str, Once]:
        """The parts, and their name: the same for the very same partition, whose parts share what the dearest costs.

        Its rows are read once: were they read for each part, a row that is another meanwhile might be in two of them. For
        the same reason no other partition has this name, here or on another day, nor one of the rows after some were
        appended: what stands before it may leave out another row then, which is in another part.
        """
        for made, name, held in self._partitions:
            if made == parted and held.of_today:
                return name, held
        name, held = f"by {key!r} #{secrets.token_hex(8)}", Once(partial(self._parted, parted), self._grows)
        self._partitions.append((parted, name, held))
        return name, held

    def _parted(self, partition: Keeping) -> object:
        rows = self._held()
        assert isinstance(rows, Table)
        return prepared(partition)(self._study.given)(rows.read_once())

    def _joined(
        self: Curator[Rows[D], SymmetricDistance, ME], key: Expression, parts: Mapping[Hashable, Arrow]
    ) -> Arrow:
        """The measurement of some parts, from that of each."""
        each = {of: part for of, part in parts.items() if isinstance(part, Measurement)}
        return self._onward(partition([*parts], key)(self.space) >> parallel(each))

    @property
    def _grows(self) -> Stream | None:
        """Where rows are appended to these data; to parts none are."""
        return None if self._route else self._study.stream

    def _transformed(self, transformation: Keeping) -> object:
        return prepared(transformation)(self._study.given)(self._held())

    def _onward(self, arrow: Arrow) -> Arrow:
        """The arrow, with all that stands before it since the data, or since the part that they are."""
        return arrow if self._ahead is None else onward(self._ahead) >> arrow

    def expect_no_failure(self) -> None:
        """Refuse where a question failed while it was answered."""
        self._study.expect_no_failure()

    # ---- the account -------------------------------------------------------------------------------------------------

    @property
    def spent(self: Counting[L_co]) -> L_co:
        """What was charged; of a part, what was charged to that part."""
        return loss_of(self.measure, self._study.account.spent(self._place), self._study.orders)

    @property
    def left(self: Counting[L_co]) -> L_co:
        """What one more question may cost here."""
        left = self._study.left(self._place)
        if left is None:
            raise InvalidParameter("an odometer has no limit, so nothing is left of one", bridge=".spent")
        return loss_of(self.measure, left, self._study.orders)

    @property
    def log(self) -> tuple[Entry, ...]:
        """All that was charged, in its order."""
        return tuple(self._study.account.entries())

    @property
    def transcript(self) -> Interactive[DI, MI, ME, Curator[DI, MI, ME]]:
        """The filter that answered, with what was asked of it so far: what `certify(curator)` certifies."""
        from dpcore.interaction.interactive import filtering
        from dpcore.interaction.transcripts import premises

        if self._route or self._ahead is not None:
            raise InvalidParameter(
                "the account is one for all data: its transcript is that of the curator they began with"
            )
        budget = self._study.budget
        if budget is None:
            raise InvalidParameter(
                "an odometer promises nothing, so no certificate says so", bridge="curator(space, data, budget=...)"
            )
        asked = tuple(self._study.asked)
        if len(asked) < len(self._study.account.entries()):
            raise InvalidParameter(
                "the ledger holds charges of other processes or days, which a transcript of this one would leave out",
                bridge="dpcore ledger certify FILE",
            )
        return filtering(self.space, self.measure, budget, premises(asked), self._study.orders)

    def view(self) -> tuple[tuple[Arrow, object], ...]:
        """What was seen: each question that this curator and all that share its account answered here, with its answer."""
        return tuple([(asked.question, answer) for asked in self._study.asked for answer in asked.answers])

    def _repr_html_(self) -> str:
        """For notebooks: the account, as a bar and a table."""
        from dpcore.interaction.page import page

        study = self._study
        return page(study.measure, study.budget, study.account.spent(), study.account.entries(), study.orders)

    def __repr__(self) -> str:
        study = self._study
        spent = loss_of(study.measure, study.account.spent(self._place), study.orders)
        limit = "" if study.budget is None else f" of {loss_of(study.measure, study.budget, study.orders)!r}"
        part = f", part {' of '.join(reversed(self._place[1::2]))}" if self._place else ""
        return f"<curator of {self.space!r}{part}: spent {spent!r}{limit}>"


def _expect_a_transformation(x: object) -> None:
    """Refuse what is none, where a caller without a type checker may hand over anything."""
    if not isinstance(x, Transformation):
        raise InvalidParameter(f"Expected a transformation but got a {type(x).__name__}", produced=x)


def _converted(of: Measure, to: Measure) -> str:
    """What leads from the measure of a question to that of an account."""
    known, name = CONVERSIONS.get((type(of), type(to))), type(to).__name__
    if known is None:
        return f"noise that is counted in {name}, or a curator whose budget is one in {type(of).__name__}"
    return f"question.to({', '.join([name, *(f'{each}=...' for each in known.needs[:1])])})"


def _part(parts: Once, key: Hashable) -> object:
    held = parts()
    assert isinstance(held, Mapping)
    return held[key]


def _certificate(question: Arrow, orders: Orders) -> str | None:
    """What a ledger keeps of a question besides its print; None of one that no certificate speaks of."""
    from dpcore.certificates.certificate import certify  # not for whoever keeps no ledger

    try:
        return certify(question, at=orders or None).written
    except (NotCertifiable, Vacuous):
        return None
