"""The two arrows and how they chain. Read this file first; the rest of dpcore makes arrows.

    Transformation[DI, MI, DO, MO]    data -> data,     d_in -> d_out  (stability)
    Measurement   [DI, MI, ME, T]     data -> release,  d_in -> loss   (privacy)

Legend: D domain, M metric, ME measure, T carrier of the release; I input, O output. All but T, which is only given out,
are invariant.

    rows(integers()) >> clamp(0, 120) >> sum() >> laplace(scale=120)
    space            >> step          >> step  >> step

A *step* is a callable from a space to an arrow out of it, so a step sees the domain and the metric it stands on. An arrow
holds its derivation (rule, parameters, premises). Its map, its run and its certificate are folds over that one tree.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import InitVar, dataclass, field
from fractions import Fraction
from types import FunctionType
from typing import TYPE_CHECKING, Generic, Protocol, TypeAlias, TypeVar, cast, final, overload

from dpcore.algebra import COMPOSE, post_process
from dpcore.bounds import Bound
from dpcore.conversions import CONVERSIONS, as_found, conversion
from dpcore.derivation import Derivation, Parameters, Reading, Rule, chain
from dpcore.domains import Array, Domain, IntArray, Integers, Rows, Vector
from dpcore.errors import (
    DomainMismatch,
    InvalidParameter,
    MeasureMismatch,
    MetricMismatch,
    Mismatch,
    NoConversion,
    NoFiniteLoss,
)
from dpcore.expressions import Expression
from dpcore.filtered import links_of
from dpcore.formulas import Map
from dpcore.functions import user_function
from dpcore.given import a_list, is_a
from dpcore.losses import ApproxLoss, GaussianLoss, PureLoss, TotalVariationLoss, ZCDPLoss
from dpcore.maps import Exact, Number, Numeric
from dpcore.measures import ApproxDP, Measure, Tradeoff
from dpcore.metrics import Metric, SymmetricDistance
from dpcore.noise.bits import BitSource, system_bits
from dpcore.origins import Applied, Arrow, Called, Chained, Derived, Origin, SomeSpace
from dpcore.readings import (
    Applicable,
    Measured,
    Releasable,
    bound_arrow,
    distribution_on,
    map_at,
    release_on,
    run_on,
    symbols_in,
)
from dpcore.solving import Solvable, solve
from dpcore.steps import Step, Values

if TYPE_CHECKING:
    from dpcore.accuracies import Accuracies
    from dpcore.distributions import Distribution

D = TypeVar("D", bound=Domain)
M = TypeVar("M", bound=Metric)
DI = TypeVar("DI", bound=Domain)
MI = TypeVar("MI", bound=Metric)
DO = TypeVar("DO", bound=Domain)
MO = TypeVar("MO", bound=Metric)
ME = TypeVar("ME", bound=Measure)
ME2 = TypeVar("ME2", bound=Measure)
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)  # of a release, which is only given out
A = TypeVar("A")
B = TypeVar("B")
L = TypeVar("L")
Rational: TypeAlias = int | Fraction
N = TypeVar("N", PureLoss, ApproxLoss, ZCDPLoss, GaussianLoss, TotalVariationLoss)  # no curves


@final
@dataclass(frozen=True, slots=True, repr=False)
class Space(Generic[D, M]):
    """Data of a domain, and how far apart they are."""

    domain: D
    metric: M

    def __post_init__(self) -> None:
        if not is_a(self.domain, Domain):
            raise InvalidParameter(f"Expected a domain but got a {type(self.domain).__name__}", produced=self.domain)
        if not is_a(self.metric, Metric):
            raise InvalidParameter(f"Expected a metric but got a {type(self.metric).__name__}", produced=self.metric)
        if not self.metric.measures(self.domain):
            raise MetricMismatch(
                f"{self.metric!r} does not measure {self.domain!r}", produced=self.domain, expected=self.metric
            )

    @overload
    def __rshift__(self, step: TransformationStep[D, M, DO, MO]) -> Transformation[D, M, DO, MO]: ...
    @overload
    def __rshift__(self, step: MeasurementStep[D, M, ME, T]) -> Measurement[D, M, ME, T]: ...
    def __rshift__(self, step: object) -> object:
        return _applied(step, self, self) if callable(step) else NotImplemented

    def __repr__(self) -> str:
        if not isinstance(self.domain, Rows):
            return f"value({self.domain!r}, {self.metric!r})"
        metric = "" if self.metric == SymmetricDistance() else f", metric={self.metric!r}"
        size = "" if self.domain.size is None else f", size={self.domain.size}"
        return f"rows({self.domain.of!r}{metric}{size})"

    def bind(self, values: Values) -> Space[D, M]:
        """The space with numbers in the place of symbols."""
        return self if not self.domain.symbols() else Space(cast(D, self.domain.bind(dict(values))), self.metric)


class TransformationStep(Protocol[D, M, DO, MO]):
    """What `clamp(0, 120)` is: given a space, the transformation out of it."""

    def __call__(self, space: Space[D, M]) -> Transformation[D, M, DO, MO]: ...


class MeasurementStep(Protocol[D, M, ME, T_co]):
    """What `laplace(scale=1)` is: given a space, the measurement on it."""

    def __call__(self, space: Space[D, M]) -> Measurement[D, M, ME, T_co]: ...


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Transformation(Generic[DI, MI, DO, MO]):
    """A stable function: inputs `d_in` apart go to outputs at most `stability(d_in)` apart, for every key.

    Deterministic but for a key, drawn apart from the data, that decides which rows are kept where some must go.
    """

    input: Space[DI, MI]
    output: Space[DO, MO]
    derivation: Derivation
    origin: Origin
    _reading: Reading | None = field(default=None, init=False)
    made: InitVar[object] = None

    def __post_init__(self, made: object) -> None:
        _made_by_us(made)

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (type(self), self.input, self.output, self.derivation, self.origin)

    def __call__(self: Applicable[A, B], data: A, *, bits: BitSource | None = None) -> B:
        """The function at these data, which are first checked to be members of the input domain.

        What it chooses among rows, a new key decides at every call. `bits` is for tests: equal bits, equal key.
        """
        return cast(B, run_on(cast(Arrow, self), data, system_bits() if bits is None else bits))

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
        if isinstance(step, (Transformation, Measurement)):
            return _chained(self, step)
        return _chained(self, _applied(step, self.output, self)) if callable(step) else NotImplemented

    def stability(self, d_in: Numeric | Bound) -> Bound:
        """How far apart outputs can be whose inputs are `d_in` apart: exact, or a rigorous enclosure."""
        compute = cast("Callable[[], Number]", map_at(self, d_in))
        shown = self.output.metric.shown
        return Bound.of(lambda: shown(compute()))

    @property
    def map(self) -> Map:
        """The stability map as a formula in `d_in`."""
        return Map(self.derivation, self.input.metric, self.output.metric)

    @property
    def symbols(self) -> frozenset[str]:
        """The symbols that still stand for numbers."""
        return symbols_in(self)

    def bind(self, **values: Numeric) -> Transformation[DI, MI, DO, MO]:
        """The same transformation with numbers in the place of symbols, checked anew."""
        return cast("Transformation[DI, MI, DO, MO]", bound_arrow(self, values))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Transformation) and self.input == other.input and self.origin == other.origin

    def __hash__(self) -> int:
        return hash((self.input, self.derivation.rule.name))

    def __repr__(self) -> str:
        return self.origin.shown()


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Measurement(Generic[DI, MI, ME, T_co]):
    """A private release: inputs `d_in` apart give outputs that differ by a loss of at most `loss(d_in)`."""

    input: Space[DI, MI]
    measure: ME
    derivation: Derivation
    origin: Origin
    _reading: Reading | None = field(default=None, init=False)
    made: InitVar[object] = None

    def __post_init__(self, made: object) -> None:
        _made_by_us(made)

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (type(self), self.input, self.measure, self.derivation, self.origin)

    @overload
    def release(
        self: Measurement[Vector[Integers], MI, ME, list[int]], data: Array, *, bits: BitSource | None = None
    ) -> IntArray: ...
    @overload
    def release(self: Releasable[A], data: A, *, bits: BitSource | None = None) -> T_co: ...
    def release(self, data: object, *, bits: BitSource | None = None) -> object:
        """Run the mechanism on data, which are first checked to be members of the input domain.

        numpy in, numpy out: of a vector that is given as a numpy array, a release that is a list of whole numbers comes
        as an array of int64, or of Python integers where one of them does not fit. Functions given to `then` get lists.

        Noise comes from the operating system's entropy. `bits` is for tests: with a source that others can foresee
        nothing is private.
        """
        return release_on(cast(Arrow, self), data, system_bits() if bits is None else bits)

    def distribution(self: Releasable[A], data: A) -> Distribution:
        """The exact probability of every release on these data, where the data are few and the noise is not wide."""
        return distribution_on(cast(Arrow, self), data)

    def loss(self: Measured[L], d_in: Numeric | Bound) -> L:
        """What the release costs between inputs `d_in` apart: exact, or a rigorous upper bound."""
        if isinstance(d_in, float) and d_in == math.inf:  # what `metric.distance` says of data that no steps join
            raise NoFiniteLoss("no privacy is promised between data so far apart as d_in=inf", left=self, produced=d_in)
        return as_found(self.measure.loss(map_at(self, d_in)), self.derivation)

    @property
    def map(self) -> Map:
        """The privacy map as a formula in `d_in`."""
        return Map(self.derivation, self.input.metric, self.measure)

    @property
    def symbols(self) -> frozenset[str]:
        """The symbols that still stand for numbers."""
        return symbols_in(self)

    def bind(self, **values: Numeric) -> Measurement[DI, MI, ME, T_co]:
        """The same measurement with numbers in the place of symbols, checked anew."""
        return cast("Measurement[DI, MI, ME, T_co]", bound_arrow(self, values))

    def __and__(self, other: Measurement[DI, MI, ME, B]) -> Measurement[DI, MI, ME, tuple[T_co, B]]:
        """Release both, on the same data. Their losses compose."""
        if not isinstance(other, Measurement):
            return NotImplemented
        return cast("Measurement[DI, MI, ME, tuple[T_co, B]]", compose((self, other)))

    @overload
    def then(
        self: Measurement[DI, MI, ME, int | Fraction], function: Expression
    ) -> Measurement[DI, MI, ME, Rational]: ...
    @overload
    def then(
        self: Measurement[DI, MI, ME, Sequence[int | Fraction]], function: Expression
    ) -> Measurement[DI, MI, ME, list[Rational]]: ...
    @overload
    def then(self, function: Callable[[T_co], B]) -> Measurement[DI, MI, ME, B]: ...
    def then(self, function: object) -> object:
        """Post-process each release. The function may use coins of its own; the loss stays the same.

        An expression of the released number, as `row() / 10` or `row().round(5)`, keeps the accuracy; a function does not.
        """
        if isinstance(function, Expression):
            from dpcore.accuracies import is_of_numbers
            from dpcore.affine import function_of_release

            if not is_of_numbers(cast(Arrow, self)):
                raise InvalidParameter(
                    "an expression is computed of one number, or of each of several, and the release holds others in them",
                    left=self,
                    right=function,
                    bridge=".then(...) of each part, before it becomes one",
                )
            f = function_of_release(function)
        else:
            f = user_function(cast("Callable[[object], object]", function))
        derivation = Derivation(post_process, {"function": f}, (self.derivation,))
        return Measurement(self.input, self.measure, derivation, Derived(self, "then", (f,)), MADE)

    def to(self, measure: type[ME2], **witness: Numeric) -> Measurement[DI, MI, ME2, T_co]:
        """The same release with its loss counted in another measure. Some conversions take a witness, as `delta`."""
        rule, parameters = conversion(type(self.measure), measure, witness)
        derivation = Derivation(rule, parameters, (self.derivation,))
        given = tuple((name, value) for name, value in parameters.items() if value is not None)
        origin = Derived(self, "to", (measure,), given)
        return Measurement(self.input, measure(), derivation, origin, MADE)

    def accuracy(self, confidence: Numeric) -> Fraction:
        """The least a on the grid with `P(|noise| >= a) <= 1 - confidence`; of a vector, for its largest coordinate.

        After `.then(row() / 10)` and the like, the same of what the number without noise gives; without its rounding.
        """
        from dpcore.accuracies import accuracy_of_one  # on the first question, so that `import dpcore` need not wait

        return accuracy_of_one(self, confidence)

    def accuracies(self, confidence: Numeric, *, together: bool = False) -> Accuracies:
        """The accuracy of each part of a release that consists of several: a tuple, or by key, as the release is.

        Each holds with the confidence alone; `together`, all of them hold at once with it, as their noise is independent.
        """
        from dpcore.accuracies import accuracies_of_all

        return accuracies_of_all(self, confidence, together=together)

    def solve(self: Measured[N], target: N, d_in: Numeric, *, step: Numeric | None = None) -> Exact:
        """The value of the one free symbol at which the loss at `d_in` just fits the target: see `dpcore.solving`."""
        self.input.metric.check(d_in, self.input.domain)
        return solve(cast(Solvable, self), target, d_in, step)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measurement) and self.input == other.input and self.origin == other.origin

    def __hash__(self) -> int:
        return hash((self.input, self.derivation.rule.name))

    def __repr__(self) -> str:
        return self.origin.shown()


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
    return Transformation(space, output, derivation, Applied(step, space), MADE)


def measurement_of(
    step: Step, space: Space[DI, MI], measure: ME, rule: Rule, parameters: Parameters
) -> Measurement[DI, MI, ME, T]:
    """The measurement that a step makes on a space: one rule applied to parameters."""
    return Measurement(space, measure, Derivation(rule, parameters), Applied(step, space), MADE)


def compose(measurements: Sequence[Measurement[DI, MI, ME, T]]) -> Measurement[DI, MI, ME, tuple[T, ...]]:
    """All releases on the same data, as a tuple. The losses add up as their measure says."""
    a_list(measurements, "measurements")
    first = measurements[0]
    for part in {id(part): part for part in measurements}.values():
        a_measurement(part)
        if part.measure != first.measure:
            raise MeasureMismatch(
                "cannot compose: the measures differ",
                left=first,
                right=part,
                produced=first.measure,
                expected=part.measure,
                bridge=_common_measure(first.measure, part.measure),
            )
        same_input(first, part)
    if len(measurements) > 1 and not first.measure.composes:
        raise NoConversion(f"dpcore cannot compose losses in {first.measure!r}: convert to ApproxDP first", left=first)
    derivation = Derivation(COMPOSE[first.measure.name], {}, tuple([part.derivation for part in measurements]))
    return Measurement(first.input, first.measure, derivation, Called(compose, tuple(measurements)), MADE)


def a_measurement(x: object) -> None:
    if not isinstance(x, Measurement):
        raise InvalidParameter(f"Expected a measurement but got a {type(x).__name__}", produced=x)


def a_space(x: object, name: str) -> None:
    if not isinstance(x, Space):
        raise InvalidParameter(
            f"Expected a space for {name}, such as rows(...), but got a {type(x).__name__}", produced=x
        )


def _common_measure(left: Measure, right: Measure) -> str | None:
    """The conversion that brings one of the two to the measure of the other, where there is one."""
    for mine, other in ((left, right), (right, left)):
        if (type(mine), type(other)) in CONVERSIONS:
            return f"the one in {type(mine).__name__}.to({type(other).__name__})"
    return "each.to(ApproxDP, delta=...)" if (type(left), ApproxDP) in CONVERSIONS else None


def same_input(left: Arrow, right: Arrow) -> None:
    """Refuse arrows that do not start from the same space."""
    if left.input is right.input or left.input == right.input:
        return
    mine, theirs = left.input.metric, right.input.metric
    if mine != theirs:
        raise MetricMismatch(
            "cannot compose: the input metrics differ", left=left, right=right, produced=mine, expected=theirs
        )
    raise DomainMismatch(
        "cannot compose: the input domains differ",
        left=left,
        right=right,
        produced=left.input.domain,
        expected=right.input.domain,
        bridge="one space for both, or a transformation that leads from the one to the other",
    )


# ---- how it is done ------------------------------------------------------------------------------------------------


MADE = object()
"""What arrows are made with here, where every rule is checked, and nowhere else."""


def _made_by_us(made: object) -> None:
    if made is not MADE:
        raise InvalidParameter(
            "an arrow is made by a step on a space, which checks it",
            bridge="space >> step; transformation(...) or measurement(...) for a claim of your own",
        )


def _again(kind: Callable[..., object], *parts: object) -> object:
    """An arrow as it was pickled."""
    return kind(*parts, MADE)


class _Producer(Arrow, Protocol):
    @property
    def output(self) -> SomeSpace: ...


def _applied(step: Callable[..., object], space: object, left: object) -> object:
    if isinstance(step, FunctionType) and step.__module__.startswith("dpcore."):
        name = step.__name__
        raise InvalidParameter(f"Expected a step but got its constructor {name}", produced=name, bridge=f"{name}(...)")
    try:
        arrow = step(space)
    except Mismatch as error:
        if error.left is None:
            error.left = left
        raise
    if not isinstance(arrow, (Transformation, Measurement)) or (arrow.input is not space and arrow.input != space):
        raise InvalidParameter(
            f"Expected a step to make an arrow out of the space it is given but got a {type(arrow).__name__}",
            left=left,
            right=step,
            produced=getattr(arrow, "input", None),
            expected=space,
        )
    return arrow


def _chained(left: _Producer, right: object) -> object:
    assert isinstance(right, (Transformation, Measurement))
    if right.input is left.output:
        pass  # a step that was called with this very space
    elif left.output.metric != right.input.metric:
        raise MetricMismatch(
            "cannot chain: the metrics differ",
            left=left,
            right=right,
            produced=left.output.metric,
            expected=right.input.metric,
        )
    elif not right.input.domain.includes(left.output.domain):
        raise DomainMismatch(
            "cannot chain: the left piece can produce what the right one does not accept",
            left=left,
            right=right,
            produced=left.output.domain,
            expected=right.input.domain,
        )
    if left.derivation.asks("key") and _own_curve(right.derivation):
        raise MeasureMismatch(
            "cannot chain: a trade-off curve of your own may not be convex, and says nothing of rows chosen by a key",
            left=left,
            right=right,
            bridge="the same loss in Profile, or bound_contributions(limit, keep=first_by(...))",
        )
    arrows = _links(left) + _links(right)
    derivation = Derivation(chain, {}, links_of(arrows))
    if isinstance(right, Transformation):
        return Transformation(cast(AnySpace, left.input), right.output, derivation, Chained(arrows), MADE)
    return Measurement(cast(AnySpace, left.input), right.measure, derivation, Chained(arrows), MADE)


def _own_curve(derivation: Derivation) -> bool:
    """Whether a curve that a user gave is a trade-off curve: only a convex one bounds what is averaged over keys."""
    given = isinstance(derivation.parameters.get("measure"), Tradeoff)
    return given or any(map(_own_curve, derivation.premises))


def _links(arrow: Arrow) -> tuple[Arrow, ...]:
    return arrow.origin.arrows if isinstance(arrow.origin, Chained) else (arrow,)


AnySpace: TypeAlias = Space[Domain, Metric]
