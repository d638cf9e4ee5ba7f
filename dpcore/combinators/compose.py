"""Composition: all releases on the same data. `m & n` comes here too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from dpcore.calculus import Derivation, Premises, Raw, Reading, Release, Rule, Run, by_identity, rule
from dpcore.conversions import CONVERSIONS
from dpcore.core import Measurement
from dpcore.core.checks import a_measurement
from dpcore.core.origins import MADE, Arrow, Call
from dpcore.core.typing import DI, ME, MI, T
from dpcore.errors import DomainMismatch, MeasureMismatch, MetricMismatch, NoConversion, a_list
from dpcore.maps import Number
from dpcore.measures import MEASURES, ApproxDP, CurveMeasure, Measure


def each_release(data: object, *parts: Run) -> tuple[object, ...]:
    return tuple([part(data) for part in parts])


def each_once(d: Number, losses: Sequence[Reading]) -> list[tuple[Raw, int]]:
    """The losses at a distance, and how many parts have each: equal losses are one function, which is asked once."""
    if losses.count(losses[0]) == len(losses):  # as most often, and faster to see
        return [(losses[0](d), len(losses))]
    return [(loss(d), times) for loss, times in Counter(losses).items()]


def _composition(measure: Measure) -> Rule:
    def compose(d: Number, *losses: Reading) -> Raw:
        different = dict.fromkeys(losses)  # equal losses are one function, which is asked once
        if len(different) == len(losses):
            return measure.compose([loss(d) for loss in losses])
        at = {loss: loss(d) for loss in different}
        return measure.compose([at[loss] for loss in losses])

    compose.__doc__ = (
        f"One release costs what it costs; of several, {type(measure).__name__} curves do not add up here."
        if type(measure).compose is CurveMeasure.compose
        else f"{measure.added}: the loss of all releases together."
    )
    enter = rule(
        run=each_release, name=f"compose_{measure.name}", writes=(), release=Release.TOGETHER, premises=Premises.AT_D
    )
    return enter(compose)


COMPOSE: dict[str, Rule] = {measure.name: _composition(measure) for measure in MEASURES}
"""Composition, one rule for each measure, by the measure's name."""


def compose(measurements: Sequence[Measurement[DI, MI, ME, T]]) -> Measurement[DI, MI, ME, tuple[T, ...]]:
    """All releases on the same data, as a tuple. The losses add up as their measure says."""
    a_list(measurements, "measurements")
    first = measurements[0]
    for part in by_identity(measurements).values():
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
        raise NoConversion(f"dpcore cannot compose losses in {first.measure}: convert to ApproxDP first", left=first)
    derivation = Derivation(COMPOSE[first.measure.name], {}, tuple([part.derivation for part in measurements]))
    return Measurement(first.input, first.measure, derivation, Call(compose, (tuple(measurements),)), MADE)


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
