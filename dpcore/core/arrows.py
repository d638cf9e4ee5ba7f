"""The two arrows and how they chain. Read this file first; the rest of dpcore makes arrows.

    Transformation[DI, MI, DO, MO]    data -> data,     d_in -> d_out  (stability)
    Measurement   [DI, MI, ME, T]     data -> release,  d_in -> loss   (privacy)

Legend: D domain, M metric, ME measure, T carrier of the release; I input, O output. All but T, which is only given out,
are invariant.

    rows(integers()) >> clamp(0, 120) >> sum() >> laplace(scale=120)
    space            >> step          >> step  >> step

A *step* is a callable from a space to an arrow out of it, so a step sees the domain and the metric it stands on.

An arrow is a recorded call, its `origin`: its print, equality, binding and parts are folds over that. The call states a
`derivation` (rule, parameters, premises), of which the map, the run and the certificate are folds: the origin says what
was written, the derivation what follows from it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Generic, Protocol, TypeAlias, TypeVar, cast, final, overload

from dpcore.calculus import Derivation, Parameters, Prepared, Reading, Rule, chain, number_in
from dpcore.core.chaining import STARTS, check_curve, check_meeting, for_what_is_left
from dpcore.core.keyed import ByKey, Coordinates, Keyed
from dpcore.core.origins import MADE, Arrow, Call, Chain, Onward, Origin, Recorded, made_by_hand
from dpcore.core.readings import Applicable, Keeping, Map, Measured, Releasable, map_at
from dpcore.core.spaces import Space, applied
from dpcore.core.steps import Step
from dpcore.core.typing import DI, DO, ME, MI, MO, D, M, T
from dpcore.domains import Array, IntArray, Integers, Rows, Vector
from dpcore.domains.frames import Distributed, Lazy, Related, Scanned, Single, Stream, Whole
from dpcore.errors import NoFiniteLoss
from dpcore.expressions import Expression
from dpcore.functions import Written, user_function
from dpcore.maps import Exact, Numeric
from dpcore.maps.bounds import Bound
from dpcore.measures import Measure
from dpcore.measures.losses import ApproxLoss, ApproxZCDPLoss, GaussianLoss, PureLoss, TotalVariationLoss, ZCDPLoss
from dpcore.metrics import SymmetricDistance
from dpcore.noise.bits import BitSource, system_bits

if TYPE_CHECKING:
    import polars as pl

    from dpcore.core.accuracies import Accuracies, Interval
    from dpcore.core.readings import Sought
    from dpcore.distributions import Distribution, LossVariable

ME2 = TypeVar("ME2", bound=Measure)
T_co = TypeVar("T_co", covariant=True)  # of a release, which is only given out
A = TypeVar("A")
B = TypeVar("B")
L = TypeVar("L")
F = TypeVar("F", bound=Whole)
G = TypeVar("G")
V = TypeVar("V")
Rational: TypeAlias = int | Fraction
N = TypeVar("N", PureLoss, ApproxLoss, ZCDPLoss, ApproxZCDPLoss, GaussianLoss, TotalVariationLoss)  # no curves


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Transformation(Recorded, Generic[DI, MI, DO, MO]):
    """A stable function: inputs `d_in` apart go to outputs at most `stability(d_in)` apart, for every key.

    Deterministic but for a key, drawn apart from the data, that decides which rows are kept where some must go.
    """

    input: Space[DI, MI]
    output: Space[DO, MO]
    derivation: Derivation
    origin: Origin
    _reading: Reading | None = field(default=None, init=False)
    _run: Prepared | None = field(default=None, init=False)
    made: InitVar[object] = None

    def __post_init__(self, made: object) -> None:
        if made is not MADE:
            made_by_hand()

    def __call__(self: Applicable[A, B], data: A, *, bits: BitSource | None = None) -> B:
        """The function at these data, which are first checked to be members of the input domain.

        What it chooses among rows, a new key decides at every call. `bits` is for tests: equal bits, equal key.
        """
        from dpcore.core.running import run_on

        return cast(B, run_on(cast(Keeping, self), data, system_bits() if bits is None else bits))

    @overload
    def __rshift__(self, step: TransformationStep[DO, MO, D, M]) -> Transformation[DI, MI, D, M]: ...
    @overload
    def __rshift__(self, step: MeasurementStep[DO, MO, ME, T]) -> Measurement[DI, MI, ME, T]: ...
    @overload
    def __rshift__(self, step: Transformation[DO, MO, D, M]) -> Transformation[DI, MI, D, M]: ...
    @overload
    def __rshift__(self, step: Measurement[DO, MO, ME, T]) -> Measurement[DI, MI, ME, T]: ...
    def __rshift__(self, step: object) -> object:
        """`self`, then the step or arrow. The maps compose."""
        if not isinstance(step, Recorded) and not callable(step):
            return NotImplemented
        right = step if isinstance(step, Recorded) else applied(step, self.output, self)
        assert isinstance(right, (Transformation, Measurement))
        derivation, links = _chained(self, right)
        if isinstance(right, Transformation):
            return Transformation(self.input, right.output, derivation, links, MADE)
        return Measurement(self.input, right.measure, derivation, links, MADE)

    def stability(self, d_in: Numeric | Bound) -> Bound:
        """How far apart outputs can be whose inputs are `d_in` apart: exact, or a rigorous enclosure."""
        compute, shown = map_at(self, d_in), self.output.metric.shown
        return Bound.of(lambda: shown(number_in(compute())))

    @property
    def map(self) -> Map:
        """The stability map as a formula in `d_in`."""
        return Map(self.derivation, self.input.metric, self.output.metric)


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Measurement(Recorded, Generic[DI, MI, ME, T_co]):
    """A private release: inputs `d_in` apart give outputs that differ by a loss of at most `loss(d_in)`."""

    input: Space[DI, MI]
    measure: ME
    derivation: Derivation
    origin: Origin
    _reading: Reading | None = field(default=None, init=False)
    _run: Prepared | None = field(default=None, init=False)
    made: InitVar[object] = None

    def __post_init__(self, made: object) -> None:
        if made is not MADE:
            made_by_hand()

    @overload
    def release(
        self: Measurement[Vector[Integers], MI, ME, list[int]], data: Array, *, bits: BitSource | None = None
    ) -> IntArray: ...
    @overload
    def release(
        self: Measurement[Rows[D], MI, ME, Keyed],
        data: Lazy | Related | Distributed,
        *,
        exact: bool = False,
        confidence: Numeric | None = None,
        bits: BitSource | None = None,
    ) -> pl.DataFrame: ...
    @overload
    def release(
        self: Measurement[Rows[D], MI, ME, Keyed],
        data: F,
        *,
        exact: bool = False,
        confidence: Numeric | None = None,
        bits: BitSource | None = None,
    ) -> F: ...
    @overload
    def release(
        self: Measurement[Rows[D], MI, ME, Keyed],
        data: Single[G] | Stream[G] | Scanned[G],
        *,
        exact: bool = False,
        confidence: Numeric | None = None,
        bits: BitSource | None = None,
    ) -> G: ...
    @overload
    def release(self: Releasable[A], data: A, *, bits: BitSource | None = None) -> T_co: ...
    def release(
        self, data: object, *, exact: bool = False, confidence: Numeric | None = None, bits: BitSource | None = None
    ) -> object:
        """Run the mechanism on data, which are first checked to be members of the input domain.

        numpy in, numpy out: of a vector that is given as a numpy array, a release that is a list of whole numbers comes
        as an array of int64, or of Python integers where one of them does not fit. Functions given to `then` get lists.

        Of a frame, what is by key comes as a frame of that library, or of polars: a column for the keys, named as their
        field, and `value`. `exact=True` adds the exact numbers as text, `confidence` half the width of an interval for
        each, as `accuracies(confidence)` says. Rows give dicts and lists, as do the parts of a tuple.

        Noise comes from the operating system's entropy. `bits` is for tests: with a source that others can foresee
        nothing is private.
        """
        from dpcore.core.running import release_on  # engines and numpy are not for whoever only asks for a loss

        source = system_bits() if bits is None else bits
        return release_on(self, data, source, exact=exact, confidence=confidence)

    def distribution(self: Releasable[A], data: A) -> Distribution:
        """The exact probability of every release on these data, where the data are few and the noise is not wide."""
        from dpcore.core.running import distribution_on

        return distribution_on(cast(Keeping, self), data)

    def loss_distribution(self: Releasable[A], x: A, y: A) -> LossVariable:
        """The privacy loss random variable of these two data sets, where their distributions are known."""
        from dpcore.core.running import losses_on

        return losses_on(cast(Keeping, self), x, y)

    def loss_between(self: Measured[L], x: object, y: object) -> L:
        """What the release costs between these two data sets: its loss at the distance between them, or less.

        Less where what it is made of shows it: behind a filter those count that remain, and releases of parts add up as
        far as each part differs. It is for those who know both data sets.
        """
        for data in (x, y):
            self.input.domain.check(data)
        from dpcore.core.pairs import least

        return least(Measurement.loss(self, self.input.metric.distance(x, y)), self, x, y)

    def loss(self: Measured[L], d_in: Numeric | Bound) -> L:
        """What the release costs between inputs `d_in` apart: exact, or a rigorous upper bound."""
        if isinstance(d_in, float) and d_in == math.inf:  # what `metric.distance` says of data that no steps join
            raise NoFiniteLoss("no privacy is promised between data so far apart as d_in=inf", left=self, produced=d_in)
        loss = self.measure.loss(map_at(self, d_in))
        if not isinstance(loss, ApproxLoss):
            return loss
        from dpcore.conversions import as_found  # conversions are not for whoever needs none

        return as_found(loss, self.derivation)

    @property
    def map(self) -> Map:
        """The privacy map as a formula in `d_in`."""
        return Map(self.derivation, self.input.metric, self.measure)

    def __and__(self, other: Measurement[DI, MI, ME, B]) -> Measurement[DI, MI, ME, tuple[T_co, B]]:
        """Release both, on the same data. Their losses compose."""
        if not isinstance(other, Measurement):
            return NotImplemented
        from dpcore.combinators.compose import compose  # the one thing above that an arrow can do by itself

        return cast("Measurement[DI, MI, ME, tuple[T_co, B]]", compose((self, other)))

    @overload
    def then(
        self: Measurement[DI, MI, ME, int | Fraction], function: Expression
    ) -> Measurement[DI, MI, ME, Rational]: ...
    @overload
    def then(
        self: Measurement[DI, MI, ME, Coordinates[int] | Coordinates[Fraction] | Coordinates[Rational]],
        function: Expression,
    ) -> Measurement[DI, MI, ME, Coordinates[Rational]]: ...
    @overload
    def then(
        self: Measurement[DI, MI, ME, Sequence[int | Fraction]], function: Expression
    ) -> Measurement[DI, MI, ME, list[Rational]]: ...
    @overload
    def then(
        self: Measurement[DI, MI, ME, ByKey[V]], function: Callable[[dict[Hashable, V]], B]
    ) -> Measurement[DI, MI, ME, B]: ...
    @overload
    def then(
        self: Measurement[DI, MI, ME, Coordinates[V]], function: Callable[[list[V]], B]
    ) -> Measurement[DI, MI, ME, B]: ...
    @overload
    def then(self, function: Callable[[T_co], B]) -> Measurement[DI, MI, ME, B]: ...
    def then(self, function: Expression | Callable[..., object]) -> object:
        """Post-process each release. The function may use coins of its own; the loss stays the same.

        An expression of the released number, as `row() / 10` or `row().round(5)`, keeps the accuracy; a function does not.
        """
        # Here, and not for whoever only asks for a loss.
        from dpcore.core.post_processing import function_of_release, post_process

        if isinstance(function, Expression):
            from dpcore.core.accuracies import expect_numbers

            expect_numbers(self, function)
            f = function_of_release(function.structure())
        else:
            f = user_function(function.on(self) if isinstance(function, Written) else function)
        derivation = Derivation(post_process, {"function": f}, (self.derivation,))
        return Measurement(self.input, self.measure, derivation, Call(Measurement.then, (self, f)), MADE)

    def to(self, measure: type[ME2] | ME2, **witness: Numeric) -> Measurement[DI, MI, ME2, T_co]:
        """The same release with its loss counted in another measure. Some conversions take a witness, as `delta`."""
        from dpcore.conversions import conversion

        target = measure if isinstance(measure, type) else type(measure)
        rule, parameters = conversion(type(self.measure), target, witness)
        derivation = Derivation(rule, parameters, (self.derivation,))
        given = tuple((name, value) for name, value in parameters.items() if value is not None)
        return Measurement(self.input, target(), derivation, Call(Measurement.to, (self, target), given), MADE)

    def accuracy(self, confidence: Numeric, *, rows: int | None = None) -> Fraction:
        """The least a on the grid with `P(|noise| >= a) <= 1 - confidence`; of a vector, for its largest coordinate.

        After `.then(row() / 10)` and the like, the same of what the number without noise gives; without its rounding. After
        an estimator of shares, that of the largest error over `rows` rows, whatever they are.
        """
        from dpcore.core.accuracies import (
            accuracy_of_one,  # on the first question, so that `import dpcore` need not wait
        )

        return accuracy_of_one(self, confidence, rows)

    @overload
    def interval(self, released: Rational, confidence: Numeric, *, rows: int | None = None) -> Interval: ...
    @overload
    def interval(
        self, released: Sequence[Rational], confidence: Numeric, *, rows: int | None = None
    ) -> list[Interval]: ...
    @overload
    def interval(
        self, released: Mapping[V, Rational], confidence: Numeric, *, rows: int | None = None
    ) -> dict[V, Interval]: ...
    def interval(self, released: object, confidence: Numeric, *, rows: int | None = None) -> object:
        """Ends between which the number without noise lies with the confidence, around what was released.

        Of several numbers ends for each, which all hold at once with it. Of estimated shares, over `rows` rows.
        """
        from dpcore.core.accuracies import interval_of

        return interval_of(self, released, confidence, rows)

    def cdf(self, x: Numeric) -> Bound:
        """`P(noise <= x)`, of a release that is one number plus noise."""
        from dpcore.core.accuracies import cdf_of

        return cdf_of(self, x)

    def accuracies(self, confidence: Numeric, *, together: bool = False) -> Accuracies:
        """The accuracy of each part of a release that consists of several: a tuple, or by key, as the release is.

        Each holds with the confidence alone; `together`, all of them hold at once with it, as their noise is independent.
        """
        from dpcore.core.accuracies import accuracies_of_all

        return accuracies_of_all(self, confidence, together=together)

    def solve(self: Sought[N], target: N, d_in: Numeric, *, step: Numeric | None = None) -> Exact:
        """The value of the one free symbol at which the loss at `d_in` just fits the target: see `dpcore.core.solving`."""
        from dpcore.core.solving import solve

        self.input.metric.check(d_in, self.input.domain)
        return solve(self, target, d_in, step)


def _chained(left: Onward, right: Arrow) -> tuple[Derivation, Chain]:
    """What two arrows are together, after every check: how it is derived, and the links it is kept as."""
    if right.input is not left.output:  # else a step that was called with this very space
        check_meeting(left, right)
    if isinstance(right, Measurement) and left.derivation.asks("key"):
        check_curve(left, right)
    first, last = left.origin, right.origin
    arrows = first.arrows if isinstance(first, Chain) else (left,)
    arrows += last.arrows if isinstance(last, Chain) else (right,)
    links = left.derivation.premises if left.derivation.rule is chain else (left.derivation,)
    links += right.derivation.premises if right.derivation.rule is chain else (right.derivation,)
    if not STARTS.isdisjoint([link.rule.name for link in links]):
        links = for_what_is_left(arrows)
    return Derivation(chain, {}, links), Chain(arrows)


class TransformationStep(Protocol[D, M, DO, MO]):
    """What `clamp(0, 120)` is: given a space, the transformation out of it."""

    def __call__(self, space: Space[D, M]) -> Transformation[D, M, DO, MO]: ...


class MeasurementStep(Protocol[D, M, ME, T_co]):
    """What `laplace(scale=1)` is: given a space, the measurement on it."""

    def __call__(self, space: Space[D, M]) -> Measurement[D, M, ME, T_co]: ...


def transformation_of(
    step: Step,
    space: Space[DI, MI],
    output: Space[DO, MO],
    rule: Rule,
    parameters: Parameters,
    after: Rule | None = None,
) -> Transformation[DI, MI, DO, MO]:
    """The transformation that a step makes out of a space: one rule applied to parameters, `after` another if need be."""
    found = Derivation(rule, parameters)
    derivation = found if after is None else Derivation(chain, {}, (Derivation(after), found))
    return Transformation(space, output, derivation, Call(step, (space,)), MADE)


def aggregated(
    step: Step,
    space: Space[DI, MI],
    output: Space[DO, MO],
    parameters: Parameters,
    *,
    symmetric: Rule,
    change_one: Rule,
) -> Transformation[DI, MI, DO, MO]:
    """What a step makes of rows: by the rule of their metric, or where their number is known by that of rows replaced."""
    sized = isinstance(space.domain, Rows) and space.domain.size is not None
    if isinstance(space.metric, SymmetricDistance) and not sized:
        return transformation_of(step, space, output, symmetric, parameters)
    from dpcore.core.known_size import by_rows_replaced  # not for rows that come and go

    return by_rows_replaced(step, space, output, parameters, symmetric=symmetric, change_one=change_one)


def measurement_of(
    step: Step,
    space: Space[DI, MI],
    measure: ME,
    rule: Rule,
    parameters: Parameters,
    premises: tuple[Derivation, ...] = (),
) -> Measurement[DI, MI, ME, T]:
    """The measurement that a step makes on a space: one rule applied to parameters, and to what it builds on."""
    return Measurement(space, measure, Derivation(rule, parameters, premises), Call(step, (space,)), MADE)


def made_of(step: Step, space: Space[DI, MI], whole: Measurement[DI, MI, ME, T]) -> Measurement[DI, MI, ME, T]:
    """What a step has put together of other arrows on the space, as the call of that step."""
    return Measurement(space, whole.measure, whole.derivation, Call(step, (space,)), MADE)
