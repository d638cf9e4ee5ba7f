"""Group privacy: the loss at distance k, from the loss at distance 1 alone."""

from __future__ import annotations

from dpcore.calculus import Derivation, Premises, Raw, Reading, Release, Rule, Run, rule
from dpcore.core import Measurement
from dpcore.core.checks import a_measurement
from dpcore.core.origins import MADE, Call, SomeSpace
from dpcore.core.typing import DI, ME, MI, T
from dpcore.domains import Rows
from dpcore.errors import InvalidParameter, NoFiniteLoss
from dpcore.maps import Number, one_like
from dpcore.measures import MEASURES, Measure
from dpcore.metrics import PathGranularity


def _same(data: object, release: Run) -> object:
    return release(data)


def _group(measure: Measure) -> Rule:
    def group(d: Number, loss: Reading) -> Raw:
        return measure.group(d, loss(one_like(d)))

    group.__doc__ = f"{measure.grouped}: inputs k apart are joined by k steps of 1."
    return rule(run=_same, name=f"group_{measure.name}", writes=(), release=Release.SAME, premises=Premises.AT_1)(group)


GROUP: dict[str, Rule] = {measure.name: _group(measure) for measure in MEASURES if measure.groups}


def counts_steps(space: SomeSpace, what: str) -> None:
    """Refuse where a loss at distance 1 says nothing of larger distances, or where distance 1 is empty."""
    if not space.metric.whole:
        raise InvalidParameter(f"{what} counts steps of 1, which {space.metric} does not have", produced=space.metric)
    space.metric.check(1, space.domain)
    if isinstance(space.metric, PathGranularity) and isinstance(space.domain, Rows) and space.domain.size is not None:
        raise InvalidParameter(
            f"{what} counts steps of {space.metric}, which may lead through data of more or fewer than"
            f" {space.domain.size} rows",
            produced=space.metric,
            bridge="rows without a size",
        )


def can_lift(measure: Measure, space: SomeSpace, what: str) -> None:
    """Refuse also where the loss is a curve that is asked at each step for itself: only `group_privacy` does that.

    Where there is no group rule, what is made of parts holds at distance 1, and its map says so at any other.
    """
    if not measure.lifts and measure.groups:
        raise NoFiniteLoss(
            f"{what} does not lift losses in {measure}", produced=measure, bridge=".to(ApproxDP, ...) first"
        )
    counts_steps(space, what)


def group_privacy(measurement: Measurement[DI, MI, ME, T]) -> Measurement[DI, MI, ME, T]:
    """The same release, its loss at `d_in=k` taken from that at 1 by the group rule of its measure.

    The maps of dpcore's own mechanisms are as good or better; a map that is known at distance 1 only needs this.
    """
    measure = a_measurement(measurement).measure
    counts_steps(measurement.input, "group privacy")
    if measure.name not in GROUP:
        raise NoFiniteLoss(
            f"a loss in {measure} at distance 1 says nothing of larger distances: what is as rare as delta after one step"
            " may be far more frequent after two",
            left=measurement,
            produced=measure,
            bridge=".to(ApproxDP, slack=...) first",
        )
    derivation = Derivation(GROUP[measure.name], {}, (measurement.derivation,))
    return Measurement(measurement.input, measurement.measure, derivation, Call(group_privacy, (measurement,)), MADE)
