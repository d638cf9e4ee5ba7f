"""Adaptive composition: each measurement is chosen after seeing the releases before it, within a loss fixed beforehand."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final, overload

from dpcore.calculus import Assumes, Derivation, Raw, Release, Rule, rule
from dpcore.calculus.parameters import ROWS_OF_FIGURES, Data, Json, Kind, Parameter, Schema
from dpcore.calculus.parameters.kind import a
from dpcore.combinators.group import can_lift
from dpcore.core import Measurement, Space
from dpcore.core.checks import within_budget
from dpcore.core.origins import MADE, Call, Contents, Placed, SomeSpace
from dpcore.core.spaces import a_space
from dpcore.core.steps import Values
from dpcore.core.typing import DI, ME, MI, T
from dpcore.domains import Domain
from dpcore.errors import DPError, InvalidParameter, MeasureMismatch, UserFunctionFailed, a_list
from dpcore.functions import UserFunction, user_function
from dpcore.maps import Exact, Number
from dpcore.measures import MEASURES, ZCDP, ApproxDP, GaussianDP, Measure, PureDP, TotalVariation, measure_of
from dpcore.measures.losses import ApproxLoss, GaussianLoss, Loss, PureLoss, TotalVariationLoss, ZCDPLoss
from dpcore.metrics import Metric
from dpcore.noise.bits import BitSource
from dpcore.noise.row_keys import RowKey
from dpcore.written import FUNCTIONS, described_step, table_in_words
from dpcore.written.shared import Source

Choice = Callable[[tuple[T, ...]], Measurement[DI, MI, ME, T]]


def _one_after_another(
    data: object,
    *,
    space: Space[Domain, Metric],
    choices: tuple[UserFunction, ...],
    budgets: tuple[Loss, ...],
    bits: BitSource,
    key: RowKey,
) -> tuple[object, ...]:
    releases: list[object] = []
    for stage, (choose, budget) in enumerate(zip(choices, budgets, strict=True)):
        try:
            chosen = _chosen(choose, tuple(releases), stage)
            derivation = within_budget(chosen, space, budget, stage)
            releases.append(derivation.runner({"bits": bits, "key": key})(data))
        except DPError as error:
            if stage:
                before = "stage 0" if stage == 1 else f"stages 0 to {stage - 1}"
                error.add(f"what {before} released was shown to the functions that choose, so its loss is spent")
            raise
    return tuple(releases)


def _chosen(choose: UserFunction, releases: tuple[object, ...], stage: int) -> object:
    """What the function chooses. It sees releases and no data, so what went wrong in it may be seen."""
    try:
        return choose.function(releases)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        said = "".join(traceback.format_exception_only(error)).strip()
        raise UserFunctionFailed(
            f"the function {choose.name}, which chooses stage {stage}, raised {said}; no release was returned",
            left=choose,
        ) from error


@final
class LossesKind(Kind[tuple[object, ...]]):
    """Losses fixed beforehand, each a figure or a pair of them."""

    def encode(self, value: object) -> Json:
        return ROWS_OF_FIGURES.encode(tuple([loss if isinstance(loss, tuple) else (loss,) for loss in a(tuple, value)]))

    def decode(self, written: Json) -> tuple[object, ...]:
        return tuple([loss[0] if len(loss) == 1 else loss for loss in ROWS_OF_FIGURES.decode(written)])

    def check(self, name: str, bound: Json, before: Json, values: Mapping[str, Exact]) -> None:
        ROWS_OF_FIGURES.check(name, bound, before, values)

    def definition(self) -> Schema:
        return ROWS_OF_FIGURES.definition()


Losses = Parameter("losses", LossesKind(ROWS_OF_FIGURES.name))


def in_squares(measure: Measure) -> str:
    """What is said before figures of this measure, where they are carried otherwise than they are shown."""
    return " (mu as squares)" if isinstance(measure, GaussianDP) else ""


def _assumes(measure: Measure) -> Assumes:
    def assumed(parameters: Data, witness: Data) -> Iterator[str]:
        yield (
            f"no stage sees the order of rows, and between data 1 apart ({described_step(parameters['source'])}) the stages"
            f" cost at most, however they choose{in_squares(measure)}: {table_in_words(parameters['losses'])}"
        )

    return assumed


def _adaptive(measure: Measure) -> Rule:
    def adaptive(d: Number, *, losses: tuple[Raw, ...]) -> Raw:
        return measure.group(d, measure.compose(list(losses)))

    adaptive.__doc__ = "The losses fixed for neighbours at distance 1 add up, however each stage chose, lifted to d."
    return rule(
        run=_one_after_another,
        name=f"adaptive_{measure.name}",
        writes=(Losses, Parameter("choices", FUNCTIONS), Source),
        assumes=_assumes(measure),
        release=Release.IN_STAGES,
    )(adaptive)


ADAPTIVE = {measure.name: _adaptive(measure) for measure in MEASURES if measure.lifts and measure.composes}


def _is_stage(x: object) -> bool:
    return isinstance(x, tuple) and len(x) == 2 and isinstance(x[0], Loss)


# One signature for each measure, so that the losses fixed are those of the measure that is chosen in.
@overload
def adaptive(
    space: Space[DI, MI], stages: Sequence[tuple[PureLoss, Choice[T, DI, MI, PureDP]]]
) -> Measurement[DI, MI, PureDP, tuple[T, ...]]: ...
@overload
def adaptive(
    space: Space[DI, MI], stages: Sequence[tuple[ApproxLoss, Choice[T, DI, MI, ApproxDP]]]
) -> Measurement[DI, MI, ApproxDP, tuple[T, ...]]: ...
@overload
def adaptive(
    space: Space[DI, MI], stages: Sequence[tuple[ZCDPLoss, Choice[T, DI, MI, ZCDP]]]
) -> Measurement[DI, MI, ZCDP, tuple[T, ...]]: ...
@overload
def adaptive(
    space: Space[DI, MI], stages: Sequence[tuple[GaussianLoss, Choice[T, DI, MI, GaussianDP]]]
) -> Measurement[DI, MI, GaussianDP, tuple[T, ...]]: ...
@overload
def adaptive(
    space: Space[DI, MI], stages: Sequence[tuple[TotalVariationLoss, Choice[T, DI, MI, TotalVariation]]]
) -> Measurement[DI, MI, TotalVariation, tuple[T, ...]]: ...
def adaptive(space: Space[DI, MI], stages: Sequence[tuple[Loss, Choice[T, DI, MI, ME]]]) -> object:
    """Stages, each a loss and a function from the releases so far to the next measurement.

        adaptive(ages, [(pure("1/2"), lambda seen: first), (pure("1/2"), lambda seen: narrow(seen[0]))])

    The losses are fixed beforehand, for neighbours at distance 1. A choice that costs more is refused before it runs.
    """
    return _made(space, stages)


def _made(
    space: Space[DI, MI], stages: Sequence[tuple[Loss, Choice[T, DI, MI, ME]]]
) -> Measurement[DI, MI, Measure, tuple[T, ...]]:
    a_space(space, "space")
    a_list(stages, "stages")
    for stage in stages:
        if not _is_stage(stage):
            raise InvalidParameter("Expected a loss such as pure('1/2') and a function in each of the stages")
    losses = [loss for loss, _ in stages]
    measure = measure_of(losses[0])
    for loss in losses:
        if measure_of(loss) != measure:
            raise MeasureMismatch("the stages count in different measures", produced=losses[0], expected=loss)
    if measure.name not in ADAPTIVE:
        raise InvalidParameter(f"losses in {measure} cannot be fixed beforehand here: use ApproxDP or ZCDP")
    can_lift(measure, space, "adaptive composition")
    parameters = {
        "losses": tuple(_carried(loss) for loss in losses),
        "space": space,
        "source": space.metric,
        "choices": tuple(user_function(choose, "a stage") for _, choose in stages),
        "budgets": tuple(losses),
    }
    derivation = Derivation(ADAPTIVE[measure.name], parameters)
    return Measurement(space, measure, derivation, Call(adaptive, (space, Stages(tuple(stages)))), MADE)


@final
@dataclass(frozen=True, slots=True, repr=False)
class Stages(Placed):
    """What they choose has a space of its own, so they cannot be moved to another."""

    stages: tuple[tuple[Loss, Callable[..., object]], ...]

    def contents(self, space: SomeSpace) -> Contents:
        names = ", ".join(map(_name, self.stages))
        return Contents(unforeseen=f"what the stages {names} of an adaptive composition choose")

    def moved(self, before: SomeSpace, space: SomeSpace, values: Values) -> object:
        if space != before:
            raise InvalidParameter("the stages of an adaptive composition choose measurements on a space of their own")
        return self.stages

    def __repr__(self) -> str:
        return f"[{', '.join(f'({stage[0]!r}, {_name(stage)})' for stage in self.stages)}]"


def _name(stage: tuple[Loss, Callable[..., object]]) -> str:
    return getattr(stage[1], "__qualname__", "...")


def _carried(loss: Loss) -> Fraction | tuple[Fraction, ...]:
    numbers = [part.exact for part in loss.parts]
    known = tuple(n for n in numbers if n is not None)
    if len(known) != len(numbers):
        raise InvalidParameter("Expected a loss of exact numbers for every stage", produced=loss)
    return known[0] if len(known) == 1 else known
