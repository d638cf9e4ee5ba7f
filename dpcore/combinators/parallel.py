"""One measurement for each part of the data. What a change costs depends on which parts it can touch.

Under SymmetricDistance a row more or less touches one part. Under ChangeOneDistance a replaced row changes inside one
part, or leaves one and enters another, so two parts are touched; the bounds differ, and the second one needs each part
to be private when a row is added or removed. A part that is private only while its size is fixed has no such loss.

One measurement for all parts, `parallel(m)`, is the one premise of a rule of its own, `parallel_alike_*`: a derivation of
65,536 parts is as short as that of two. Its bound is that of `parallel_*` with the premise as often as there are parts, two
at least. Of a single part it would say more than is lost (no row moves from it to another), so that has `parallel_*`.

In RenyiDP all this holds at each order, of one step; d steps are lifted as by `group_renyi`, which asks the largest loss of
a part at the orders of its steps. It would be too little to take the part whose own d steps cost most: of two steps in two
parts the first may cost much at one order and the second at another.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar, final

from dpcore.calculus import Derivation, Premises, Raw, Reading, Release, Rule, Run, by_identity, chain, on_each, rule
from dpcore.combinators.group import can_lift, counts_steps
from dpcore.core import Measurement, Space, measurement_of
from dpcore.core.keyed import ByKey
from dpcore.core.origins import Arrow, Contents, Part, Placed, SomeSpace, rebuilt
from dpcore.core.spaces import Named
from dpcore.core.steps import Step, Values
from dpcore.core.typing import ME, D, T
from dpcore.domains import Parts, Rows
from dpcore.engines import parts_of
from dpcore.errors import DomainMismatch, DPError, InvalidParameter, MeasureMismatch, MetricMismatch, is_a
from dpcore.maps import Number, one_like
from dpcore.measures import MEASURES, Measure
from dpcore.metrics import ChangeOneDistance, PartDistance, SymmetricDistance
from dpcore.transformations.to_metric import ToMetric, change_one_to_symmetric
from dpcore.written.shared import Keys

P = TypeVar("P", SymmetricDistance, ChangeOneDistance)
H = TypeVar("H", bound=Hashable)  # a mapping is invariant in its keys


def _each_part(parts: Mapping[Hashable, object], *releases: Run, keys: tuple[Hashable, ...]) -> dict[Hashable, object]:
    """Noise is drawn at once for all parts that have one measurement. Of a longer list, those when a row is replaced do
    the same."""
    alike: dict[int, list[Hashable]] = {}
    measured = by_identity(releases[: len(keys)])
    if len(measured) > 1:
        for key, release in zip(keys, releases, strict=False):
            alike.setdefault(id(release), []).append(key)
    released: dict[Hashable, object] = {}
    for place, release in measured.items():
        its = alike.get(place, keys)
        released.update(zip(its, on_each(release, parts_of(parts, its)), strict=True))
    return {key: released[key] for key in keys} if alike else released


def _every_part(
    parts: Mapping[Hashable, object], release: Run, *replaced: Run, keys: tuple[Hashable, ...]
) -> dict[Hashable, object]:
    """Noise is drawn at once for all parts. A second premise, that when a row is replaced, does the same."""
    return dict(zip(keys, on_each(release, parts_of(parts, keys)), strict=True))


def _by_part(name: str) -> Callable[[Callable[..., Raw]], Rule]:
    return rule(run=_each_part, name=name, writes=(Keys,), release=Release.BY_PART, premises=Premises.AT_1)


def _on_every_part(name: str) -> Callable[[Callable[..., Raw]], Rule]:
    return rule(run=_every_part, name=name, writes=(), release=Release.ON_EVERY_PART, premises=Premises.AT_1)


def _lifted(measure: Measure) -> str:
    return "lifted to d by group privacy" if measure.groups else "at distance 1"


def _symmetric(measure: Measure) -> Rule:
    def parallel(d: Number, *losses: Reading) -> Raw:
        return measure.group(d, measure.largest([loss(one_like(d)) for loss in losses]))

    parallel.__doc__ = f"`max_i loss_i(1)`, {_lifted(measure)}: each row more or less touches one part."
    return _by_part(f"parallel_symmetric_{measure.name}")(parallel)


def _change_one(measure: Measure) -> Rule:
    def parallel(d: Number, *losses: Reading) -> Raw:
        one, n = one_like(d), len(losses) // 2
        moved = [loss(one) for loss in losses[:n]]
        changed = [loss(one) for loss in losses[n:]]
        return measure.group(d, measure.largest([*changed, *moved, measure.worst_pair(moved)]))

    parallel.__doc__ = """`max( max_i change_i, max_i loss_i(1), max_{i != j} loss_i(1) + loss_j(1) )`, lifted to d.

    The premises are the n losses when a row is added or removed, then the n losses when a row is replaced. A row that
    leaves part i may also enter no part at all, where the parts do not cover everything; hence the second term.
    """
    return _by_part(f"parallel_change_one_{measure.name}")(parallel)


def _alike_symmetric(measure: Measure) -> Rule:
    def parallel(d: Number, loss: Reading) -> Raw:
        return measure.group(d, loss(one_like(d)))

    parallel.__doc__ = (
        f"`loss(1)`, {_lifted(measure)}: the same on every part, of which a row more or less touches one."
    )
    return _on_every_part(f"parallel_alike_symmetric_{measure.name}")(parallel)


def _alike_change_one(measure: Measure) -> Rule:
    def parallel(d: Number, loss: Reading, change: Reading) -> Raw:
        one = one_like(d)
        moved = loss(one)
        return measure.group(d, measure.largest([change(one), measure.compose([moved, moved])]))

    parallel.__doc__ = """`max( change, 2 loss(1) )`, lifted to d: the same measurement on every part.

    The premises are its loss when a row is added or removed, then that when a row is replaced. A replaced row changes inside
    one part, or leaves one and enters another.
    """
    return _on_every_part(f"parallel_alike_change_one_{measure.name}")(parallel)


_MOVED = [measure for measure in MEASURES if measure.lifts or measure.composes]
_REPLACED = [measure for measure in MEASURES if measure.groups and measure.composes]

PARALLEL_SYMMETRIC = {measure.name: _symmetric(measure) for measure in _MOVED}
PARALLEL_CHANGE_ONE = {measure.name: _change_one(measure) for measure in _REPLACED}
ALIKE_SYMMETRIC = {measure.name: _alike_symmetric(measure) for measure in _MOVED}
ALIKE_CHANGE_ONE = {measure.name: _alike_change_one(measure) for measure in _REPLACED}


@final
@dataclass(frozen=True, slots=True, repr=False)
class Parallel(Step, Placed, Generic[D, ME, T]):
    """See `parallel`."""

    measurements: tuple[tuple[Hashable, Measurement[Rows[D], SymmetricDistance, ME, T]], ...]
    for_all: Measurement[Rows[D], SymmetricDistance, ME, T] | None = None

    word = "parallel"

    def __call__(self, space: Space[Parts[D], PartDistance[P]]) -> Measurement[Parts[D], PartDistance[P], ME, ByKey[T]]:
        if not isinstance(space.domain, Parts):
            raise DomainMismatch(
                "cannot chain: rows kept apart by key are needed",
                right=self,
                produced=space.domain,
                expected=Parts,
                bridge="partition(keys, by) first",
            )
        parts = self._parts(space.domain)
        measure = parts[0].measure
        if measure.name in PARALLEL_SYMMETRIC:
            counts_steps(space, "parallel composition")
        else:
            can_lift(measure, space, "parallel composition")
        alike = self.for_all is not None and len(parts) > 1
        parts = parts[:1] if alike else parts
        derivations = [part.derivation for part in parts]
        if isinstance(space.metric.of, SymmetricDistance):
            found = (ALIKE_SYMMETRIC if alike else PARALLEL_SYMMETRIC)[measure.name]
        else:
            if measure.name not in PARALLEL_CHANGE_ONE:
                raise InvalidParameter(f"two parts are touched at once, and losses in {measure} are not added up here")
            found = (ALIKE_CHANGE_ONE if alike else PARALLEL_CHANGE_ONE)[measure.name]
            changed = {place: _when_replaced(part) for place, part in by_identity(parts).items()}
            derivations += [changed[id(part)] for part in parts]
        return measurement_of(self, space, measure, found, {"keys": space.domain.keys}, tuple(derivations))

    def _parts(self, domain: Parts[D]) -> list[Measurement[Rows[D], SymmetricDistance, ME, T]]:
        """The measurement of each part, in the order of the keys, after every check."""
        given = dict(self.measurements) if self.for_all is None else dict.fromkeys(domain.keys, self.for_all)
        if set(given) != set(domain.keys):
            raise InvalidParameter(
                "Expected a measurement for every key and no other",
                right=self,
                produced=tuple(given),
                expected=domain.keys,
            )
        parts = [given[key] for key in domain.keys]
        rows = Rows(domain.of)
        for part in parts:
            if part.measure != parts[0].measure:
                raise MeasureMismatch(
                    "cannot compose: the measures differ",
                    left=parts[0],
                    right=part,
                    produced=parts[0].measure,
                    expected=part.measure,
                )
            if not isinstance(part.input.metric, SymmetricDistance):
                raise MetricMismatch(
                    "a part must be private when a row enters or leaves it: under another metric its loss is not bounded",
                    right=part,
                    produced=part.input.metric,
                    expected=SymmetricDistance(),
                    bridge="the same measurement on rows(..., metric=SymmetricDistance)",
                )
            if not part.input.domain.includes(rows):
                raise DomainMismatch(
                    "cannot chain: a part can hold what its measurement does not accept",
                    right=part,
                    produced=rows,
                    expected=part.input.domain,
                )
        return parts

    def bind(self, values: Values) -> Parallel[D, ME, T]:
        return Parallel(
            tuple((key, _bound(m, values)) for key, m in self.measurements),
            None if self.for_all is None else _bound(self.for_all, values),
        )

    def contents(self, space: SomeSpace) -> Contents:
        """The measurement of each part, and under ChangeOneDistance also as it is when a row is replaced."""
        domain, metric = space.domain, space.metric
        assert isinstance(domain, Parts)
        assert isinstance(metric, PartDistance)
        rows, keys = Rows(domain.of), domain.keys
        by_key = dict(self.measurements) if self.for_all is None else dict.fromkeys(keys, self.for_all)
        different = {id(m): m for m in by_key.values()}.values()
        parts = [Part(m, Space(rows, SymmetricDistance())) for m in different]
        if isinstance(metric.of, ChangeOneDistance):
            replaced = Space(rows, ChangeOneDistance())
            onto = replaced >> ToMetric(SymmetricDistance())
            parts += [Part(_on_replaced(m) or onto >> m, replaced) for m in different]
        return Contents(tuple(parts), {key: by_key[key] for key in keys})

    def __repr__(self) -> str:
        if self.for_all is not None:
            return f"parallel({self.for_all!r})"
        return f"parallel({{{', '.join(f'{key!r}: {m!r}' for key, m in self.measurements)}}})"


def _bound(
    measurement: Measurement[Rows[D], SymmetricDistance, ME, T], values: Values
) -> Measurement[Rows[D], SymmetricDistance, ME, T]:
    given = {name: value for name, value in values.items() if name in measurement.symbols}
    return measurement.bind(**given) if given else measurement


def _when_replaced(part: Measurement[Rows[D], SymmetricDistance, ME, T]) -> Derivation:
    """The loss when one row is replaced: of the same steps under ChangeOneDistance if they run alike, else of two steps."""
    arrow = _on_replaced(part)
    if arrow is not None:
        return arrow.derivation
    return Derivation(chain, {}, (Derivation(change_one_to_symmetric), part.derivation))


def _on_replaced(part: Measurement[Rows[D], SymmetricDistance, ME, T]) -> Arrow | None:
    """The same steps under ChangeOneDistance, if they can stand there and run alike."""
    try:
        arrow = rebuilt(part, Space(part.input.domain, ChangeOneDistance()), {})
    except DPError:
        return None
    return arrow if arrow.derivation.runs_like(part.derivation) else None


def parallel(
    measurements: Measurement[Rows[D], SymmetricDistance, ME, T]
    | Mapping[H, Measurement[Rows[D], SymmetricDistance, ME, T]],
) -> Parallel[D, ME, T]:
    """A measurement for each part: one for all, `parallel(m)`, or one for each key, `parallel({"N": m, "S": n})`."""
    if isinstance(measurements, Measurement):
        return Parallel((), measurements)
    if not is_a(measurements, Mapping) or not all(is_a(m, Measurement) for m in measurements.values()):
        raise InvalidParameter(
            "Expected a measurement, or measurements by key",
            produced=type(measurements),
            expected=Named("Measurement, or a mapping from keys to measurements"),
        )
    return Parallel(tuple(measurements.items()))
