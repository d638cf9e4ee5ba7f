"""Two rules by which arrows are put together: composition and post-processing. The third, chaining, is in `derivation`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from dpcore.acts import Premises, Release
from dpcore.derivation import Raw, Reading, Rule, Run, rule
from dpcore.maps import Number
from dpcore.measures import MEASURES, CurveMeasure, Measure
from dpcore.written.shared import Function


def _each(data: object, *parts: Run) -> tuple[object, ...]:
    return tuple([part(data) for part in parts])


def each_once(d: Number, losses: Sequence[Reading]) -> list[tuple[Raw, int]]:
    """The losses at a distance, and how many parts have each: equal losses are one function, which is asked once."""
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
    return rule(run=_each, name=f"compose_{measure.name}", writes=(), release=Release.TOGETHER, premises=Premises.AT_D)(
        compose
    )


COMPOSE: dict[str, Rule] = {measure.name: _composition(measure) for measure in MEASURES}
"""Composition, one rule for each measure, by the measure's name."""


def _then(data: object, release: Run, *, function: Callable[[object], object]) -> object:
    return function(release(data))


@rule(run=_then, writes=(Function,), release=Release.THEN, premises=Premises.AT_D)
def post_process(d: Number, loss: Reading) -> Raw:
    """A function of the release alone, deterministic or with coins of its own, loses nothing more."""
    return loss(d)
