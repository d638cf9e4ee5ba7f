"""What is wrong with an arrow on one pair of data sets: the checks that a search applies to pair after pair."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Hashable
from typing import Final, final

from dpcore.assurance.arrows import (
    AnyMeasurement,
    AnyTransformation,
    Steps,
    as_shown,
    parts_of,
    promised,
    seeds,
    turned,
)
from dpcore.assurance.carriers import differing, with_a_huge_row
from dpcore.assurance.comparisons import Comparison, claims_at
from dpcore.assurance.divergences import aligned
from dpcore.assurance.findings import Finding, Kind
from dpcore.assurance.shape import UNASKED
from dpcore.assurance.watched import SEED, run_watched
from dpcore.distributions import Distribution, settled
from dpcore.domains import Domain, Graphs, Parts, Rows, key
from dpcore.errors import DPError, UserFunctionFailed
from dpcore.maps.bounds import Bound
from dpcore.metrics import edges, multiset
from dpcore.noise.bits import SeededBits

CALLS: Final = 16


@final
class OnMoves:
    """Of a transformation: how it behaves on x, then how far apart it moves x and y, and x and x in another order."""

    def __init__(self, f: AnyTransformation, domain: Domain | None = None) -> None:
        self.f = f
        self.domain = domain or f.input.domain  # of the data that reach it
        self.promises: dict[Steps, Bound] = {}

    def __call__(self, pair: tuple[object, object]) -> Finding | None:
        return next((found for seed in seeds(self.f) if (found := self._under(seed, pair)) is not None), None)

    def _under(self, seed: int, pair: tuple[object, object]) -> Finding | None:
        """Under one key."""
        f, (x, y) = self.f, pair
        kept = copy.deepcopy(x)
        try:
            image = f(x, bits=SeededBits(seed))
            again, changed = run_watched(f, x, seed)
            images = [(other, f(other, bits=SeededBits(seed))) for other in (turned(x, f.input), y)]
            carried = self._on_carriers(seed, x, image) or self._beside_a_huge_row(seed, x)
        except UserFunctionFailed as error:
            outside = error.expected is not None
            return Finding("output outside its domain" if outside else "fails", x, y, note=error.headline)
        if settled(x) != settled(kept) or changed is not None:
            return Finding("changes its input", kept, y, note=changed or "")
        if (place := f.output.domain.offence(image)) is not None:
            return Finding("output outside its domain", x, note=f"{place or 'the output'}, which is {image!r}")
        if content(image, f.output.domain) != content(again, f.output.domain):
            return Finding("two calls disagree", x, note=f"{image!r}, then {again!r}")
        if carried is not None:
            return carried
        for other, moved in images:
            found = self._moved(x, other, image, moved)
            if found is not None:
                return self._unsteady(seed, x, image) or self._unsteady(seed, other, moved) or found
        return None

    def _beside_a_huge_row(self, seed: int, x: object) -> Finding | None:
        more = with_a_huge_row(x, self.domain)
        return None if more is None else self._on_carriers(seed, more, self._run(seed)(more))

    def _on_carriers(self, seed: int, x: object, image: object) -> Finding | None:
        """Whether the same rows, held in another way, lead elsewhere."""
        output = self.f.output.domain
        if not output.member(image):
            return None

        def same(other: object) -> bool:
            return output.member(other) and content(other, output) == content(image, output)

        note = differing(x, self.domain, image, self._run(seed), same)
        return (
            None if note is None else self._unsteady(seed, x, image) or Finding("depends on the carrier", x, note=note)
        )

    def _run(self, seed: int) -> Callable[[object], object]:
        """The function under one key."""
        return lambda x: self.f(x, bits=SeededBits(seed))

    def _unsteady(self, seed: int, x: object, image: object) -> Finding | None:
        """A function with coins may have been moved by them, and not by the data."""
        for _ in range(CALLS):
            again = self.f(x, bits=SeededBits(seed))
            if content(again, self.f.output.domain) != content(image, self.f.output.domain):
                return Finding("two calls disagree", x, note=f"{image!r}, then {again!r}")
        return None

    def _moved(self, x: object, y: object, image: object, other: object) -> Finding | None:
        f = self.f
        d = f.input.metric.carried(x, y)
        if isinstance(d, float):
            return None
        moved = f.output.metric.carried(image, other)
        try:
            if d not in self.promises:
                self.promises[d] = promised(f, d)
        except UNASKED:
            return None
        except DPError as error:
            return Finding("map fails", x, y, as_shown(d, f.input.metric), note=error.headline)
        if not isinstance(moved, float) and moved <= self.promises[d].upper:
            return None
        same = content(x, f.input.domain) == content(y, f.input.domain)
        shown = math.inf if isinstance(moved, float) else as_shown(moved, f.output.metric)
        allowed = as_shown(self.promises[d].upper, f.output.metric)
        kind: Kind = "depends on the order of rows" if same else "unstable"
        return Finding(kind, x, y, as_shown(d, f.input.metric), shown, allowed)


MOST_OUTCOMES: Final = 100_000


@final
class OnReleases:
    """Of a measurement: whether the distributions of its releases on x and y are as near as the loss says.

    So many outcomes are written out in all; pairs that come later are not looked at.
    """

    def __init__(self, m: AnyMeasurement) -> None:
        self.m = m
        self.claims: dict[Steps, list[Comparison]] = {}
        self.known: dict[Hashable, Distribution] = {}
        self.looked_at, self.outcomes = 0, 0

    def __call__(self, pair: tuple[object, object]) -> Finding | None:
        m, (x, y) = self.m, pair
        d = m.input.metric.carried(x, y)
        if isinstance(d, float) or self.outcomes > MOST_OUTCOMES:
            return None
        self.looked_at += 1
        kept = copy.deepcopy(x)
        try:
            _, changed = run_watched(m, x)
            p, q = self._distribution(x), self._distribution(y)
        except UserFunctionFailed as error:
            return Finding("fails", x, y, note=error.headline)
        if settled(x) != settled(kept) or changed is not None:
            return Finding("changes its input", kept, y, note=changed or "")
        if (carried := self._on_carriers(x)) is not None:
            return carried
        if d not in self.claims:
            self.claims[d] = claims_at(m, d)
        masses = aligned(p, q)
        for claim in self.claims[d]:
            about = claim.quick(*masses, float(p.left_out), float(q.left_out))
            if about < float(claim.claimed):
                continue
            true = claim.true(p, q)
            if isinstance(true, float) or true.lower > claim.claimed.upper:
                shown = as_shown(d, m.input.metric)
                return Finding("too lossy", x, y, shown, true, claim.claimed, f"the {claim.figure}")
        return None

    def _on_carriers(self, x: object) -> Finding | None:
        """Whether the same rows, held in another way, are released as something else by the same noise."""
        released = [self.m.release(x, bits=SeededBits(SEED)) for _ in range(2)]
        if settled(released[0]) != settled(released[1]):  # a function of the user has coins of its own
            return None

        def run(held: object) -> object:
            return self.m.release(held, bits=SeededBits(SEED))

        def same(other: object) -> bool:
            return settled(other) == settled(released[0])

        note = differing(x, self.m.input.domain, released[0], run, same)
        return None if note is None else Finding("depends on the carrier", x, note=note)

    def _distribution(self, x: object) -> Distribution:
        key = settled(x)
        if key not in self.known:
            self.known[key] = self.m.distribution(x)
            self.outcomes += len(self.known[key])
        return self.known[key]


def content(x: object, domain: Domain) -> object:
    """What data are, without the order of rows."""
    if isinstance(domain, Rows):
        return multiset(x)
    if isinstance(domain, Parts):
        return {key: multiset(rows) for key, rows in parts_of(x).items()}
    return edges(x) if isinstance(domain, Graphs) else key(x)
