"""General composition: each measurement after a preprocessing of its own, whose distances are bounded together.

`sum_i loss_i(d_i(f_i(x), f_i(x')))`, maximised over what one step can do to all the preprocessed data at once. Two data
holders that share no person each see every person or do not; summing their losses would count each person twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar, final

from dpcore.calculus import Derivation, Premises, Raw, Reading, Release, Rule, Run, number_in, rule
from dpcore.calculus.parameters import STEPS, Data, Parameter
from dpcore.combinators.compose import compose
from dpcore.combinators.group import can_lift
from dpcore.combinators.overlapping import as_they_run, derived
from dpcore.core import Measurement, Transformation
from dpcore.core.checks import a_measurement
from dpcore.core.origins import MADE, Arrow, Call, Contents, Onward, Part, Placed, SomeSpace, rebuilt
from dpcore.core.steps import Values
from dpcore.core.typing import DI, ME, MI, T
from dpcore.domains import Domain
from dpcore.errors import InvalidDistance, InvalidParameter, MetricMismatch, a_list, is_a
from dpcore.maps import Exact, Number, Numeric, exact, is_formula, minimum, one_like, times
from dpcore.measures import MEASURES, Measure
from dpcore.metrics import L2Distance, Metric
from dpcore.written import described_step, table_in_words
from dpcore.written.shared import Source

DX = TypeVar("DX", bound=Domain)
MX = TypeVar("MX", bound=Metric)


@final
@dataclass(frozen=True, slots=True, repr=False)
class Preprocessed(Placed, Generic[DI, MI, ME, T]):
    """A transformation, and a measurement on what it gives. See `after`."""

    first: Onward
    second: Arrow
    whole: Measurement[DI, MI, ME, T]

    def contents(self, space: SomeSpace) -> Contents:
        """The measurement gets what the transformation gives."""
        return Contents((Part(self.first, space), Part(self.second, self.first.output)), self.second)

    def moved(self, before: SomeSpace, space: SomeSpace, values: Values) -> object:
        """How far both are moved together was declared for one step of the metric."""
        if space.metric != before.metric:
            raise MetricMismatch(
                "joint was declared for one step of another metric", produced=before.metric, expected=space.metric
            )
        first = rebuilt(self.first, space, values)
        assert isinstance(first, Transformation)
        second = rebuilt(self.second, first.output, values)
        assert isinstance(second, Measurement)
        return after(first, second)

    def __repr__(self) -> str:
        return f"after({self.first!r}, {self.second!r})"


def after(first: Transformation[DI, MI, DX, MX], second: Measurement[DX, MX, ME, T]) -> Preprocessed[DI, MI, ME, T]:
    """A measurement after its preprocessing, to be handed to `compose_jointly`."""
    if not is_a(first, Transformation):
        raise InvalidParameter(
            f"Expected a transformation to go first but got a {type(first).__name__}", produced=first
        )
    a_measurement(second)
    return Preprocessed(first, second, first >> second)


def _each(data: object, *arrows: Run) -> tuple[object, ...]:
    return tuple([arrows[i + 1](arrows[i](data)) for i in range(0, len(arrows), 2)])


def _joint(parameters: Data, witness: Data) -> Iterator[str]:
    yield (
        f"between data 1 apart ({described_step(parameters['source'])}) what the parts are given differs by at most one of"
        f" (L2 as squares): {table_in_words(parameters['joint'])}"
    )


def _general(measure: Measure) -> Rule:
    def general(d: Number, *premises: Reading, joint: tuple[tuple[Number, ...], ...]) -> Raw:
        one = one_like(d)
        firsts, seconds = premises[0::2], premises[1::2]
        alone = [number_in(first(one)) for first in firsts]
        costs = [
            measure.compose([second(minimum(v, a)) for second, v, a in zip(seconds, vector, alone, strict=True)])
            for vector in joint
        ]
        return measure.group(d, measure.largest(costs))

    general.__doc__ = """`max over v in joint of sum_i loss_i(v_i)`, lifted to d by group privacy.

    `joint` says how far one step of the input metric can move all preprocessed data at once: for neighbours at distance 1,
    the vector of `d_i(f_i(x), f_i(y))` is at most one of its vectors. It is declared, not derived, and so an assumption.
    """
    return rule(
        run=_each,
        name=f"general_composition_{measure.name}",
        writes=(Parameter("joint", STEPS), Source),
        assumes=_joint,
        release=Release.JOINTLY,
        premises=Premises.IN_PAIRS,
    )(general)


GENERAL = {measure.name: _general(measure) for measure in MEASURES if measure.lifts and measure.composes}


def compose_jointly(
    parts: Sequence[Preprocessed[DI, MI, ME, T] | Measurement[DI, MI, ME, T]],
    joint: Sequence[Sequence[Numeric]] | None = None,
) -> Measurement[DI, MI, ME, tuple[T, ...]]:
    """All releases, each after its own preprocessing. What one row can do to all of them at once is worked out, or said.

        compose_jointly([young >> m, old >> n])             # of rows in either by filters: the dearer, and not the sum

        compose_jointly([after(hospital_a, m), after(hospital_b, n)], joint=[(1, 0), (0, 1)])   # nobody is in both
        compose_jointly([after(hospital_a, m), after(hospital_b, n)], joint=[(1, 1)])           # somebody may be

    Without `joint` it is worked out from the filters that the parts begin with, where these are row expressions on fields of
    a few values: a row costs what the parts cost that keep it, and nothing is assumed. `joint` declares it: for neighbours
    at distance 1, the distances between the preprocessed data are at most those of one of these vectors, entry by entry.
    """
    a_list(parts, "parts")
    return _worked_out(parts) if joint is None else _declared(parts, joint)


@final
@dataclass(frozen=True, slots=True, repr=False)
class Overlapping(Placed):
    """Parts as they were written, and as they run: of rows that are replaced, each is given rows that come and go.

    Whoever asks what the whole is made of, to attack it, gets what runs. Printed and made again is what was written.
    """

    written: tuple[Arrow | Placed, ...]
    run: tuple[Arrow, ...]

    def contents(self, space: SomeSpace) -> Contents:
        """Data reach them as they reach the whole, or where rows are replaced as rows that come and go."""
        alike = all(arrow.input.metric == space.metric for arrow in self.run)
        return Contents(tuple([Part(arrow, space if alike else arrow.input) for arrow in self.run]), self.run)

    def moved(self, before: SomeSpace, space: SomeSpace, values: Values) -> object:
        made = [
            each.moved(before, space, values) if isinstance(each, Placed) else rebuilt(each, space, values)
            for each in self.written
        ]
        return tuple(made)

    def __repr__(self) -> str:
        return f"[{', '.join(map(repr, self.written))}]"


def _worked_out(
    parts: Sequence[Preprocessed[DI, MI, ME, T] | Measurement[DI, MI, ME, T]],
) -> Measurement[DI, MI, ME, tuple[T, ...]]:
    each = [part.whole if isinstance(part, Preprocessed) else part for part in parts]
    whole = _adding_up(compose(each))
    run = as_they_run(each, whole.input)
    derivation = derived(run, whole.measure, whole.input)
    call = Call(compose_jointly, (Overlapping(tuple(parts), run),))
    return Measurement(whole.input, whole.measure, derivation, call, MADE)


def _adding_up(whole: Measurement[DI, MI, ME, tuple[T, ...]]) -> Measurement[DI, MI, ME, tuple[T, ...]]:
    if whole.measure.name not in GENERAL:
        raise InvalidParameter(
            f"losses in {whole.measure} do not add up here: use ApproxDP or ZCDP", produced=whole.measure
        )
    can_lift(whole.measure, whole.input, "general composition")
    return whole


def _declared(
    given: Sequence[Preprocessed[DI, MI, ME, T] | Measurement[DI, MI, ME, T]], joint: Sequence[Sequence[Numeric]]
) -> Measurement[DI, MI, ME, tuple[T, ...]]:
    parts = [part for part in given if isinstance(part, Preprocessed)]
    for part in given:
        if not is_a(part, Preprocessed):
            raise InvalidParameter(
                f"Expected parts made with after(...) but got a {type(part).__name__}", produced=part
            )
    whole = _adding_up(compose([part.whole for part in parts]))
    a_list(joint, "joint")
    vectors = tuple(_vector(parts, vector) for vector in joint)
    premises = tuple(arrow.derivation for part in parts for arrow in (part.first, part.second))
    derivation = Derivation(GENERAL[whole.measure.name], {"joint": vectors, "source": whole.input.metric}, premises)
    exact_joint = tuple(tuple(exact(entry, "joint") for entry in vector) for vector in joint)
    call = Call(compose_jointly, (tuple(parts),), (("joint", exact_joint),))
    return Measurement(whole.input, whole.measure, derivation, call, MADE)


def _vector(parts: Sequence[Preprocessed[DI, MI, ME, T]], vector: Sequence[Numeric]) -> tuple[Exact, ...]:
    """One vector of joint distances, each in the form in which its metric carries it."""
    a_list(vector, "a vector of joint")
    if len(vector) != len(parts):
        raise InvalidDistance(f"Expected {len(parts)} distances in each vector of joint but got {len(vector)}")
    carried: list[Exact] = []
    for part, entry in zip(parts, vector, strict=True):
        d = exact(entry, "joint")
        if not is_formula(d) and d < 0:
            raise InvalidDistance(f"Expected distances of at least 0 in joint but got {d}", produced=d)
        carried.append(times(d, d) if isinstance(part.second.input.metric, L2Distance) else d)
    return tuple(carried)
