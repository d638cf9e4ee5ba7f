"""The search itself: hypothesis makes pairs, a check says what is wrong with one, hypothesis makes the pair small."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeAlias, final

from hypothesis import Phase, find, settings
from hypothesis.errors import Flaky, NoSuchExample

from dpcore.assurance.arrows import AnyMeasurement, AnyTransformation
from dpcore.assurance.constants import constants
from dpcore.assurance.findings import Finding
from dpcore.assurance.neighbours import Pair, Pairs, neighbours
from dpcore.assurance.on_pairs import OnMoves, OnReleases
from dpcore.assurance.shrinking import with_smaller_numbers
from dpcore.assurance.strategies import MOST_ROWS
from dpcore.core.origins import SomeSpace
from dpcore.domains import Domain

Check: TypeAlias = Callable[[Pair], Finding | None]

FEW_ROWS = 3
"""In the data of a release, whose outcomes are all written out."""


@final
class Search:
    """A search with a budget of pairs, from a seed."""

    def __init__(self, examples: int, seed: int) -> None:
        self.examples, self.seed, self.tried = examples, seed, 0

    def of_moves(self, f: AnyTransformation, space: SomeSpace, examples: int) -> list[Finding]:
        """What is wrong with a transformation on data of the space, which may be fewer than it would take."""
        pairs = neighbours(space, constants(f.derivation), MOST_ROWS)
        return self._smallest(pairs, OnMoves(f, space.domain), examples, space.domain)

    def of_releases(self, m: AnyMeasurement, examples: int) -> list[Finding]:
        """What is wrong with the releases of a measurement on small data."""
        pairs = neighbours(m.input, constants(m.derivation), FEW_ROWS)
        check = OnReleases(m)
        before = self.tried
        found = self._smallest(pairs, check, examples, m.input.domain)
        self.tried = before + check.looked_at
        return found

    def _smallest(self, pairs: Pairs, check: Check, examples: int, domain: Domain) -> list[Finding]:
        """The smallest pair on which something is wrong; always the same thing, once it was seen."""
        last: list[Finding] = []

        def wrong(pair: Pair) -> bool:
            self.tried += 1
            found = check(pair)
            if found is None or (last and found.kind != last[0].kind):
                return False
            last[:] = [found]
            return True

        limits = settings(
            max_examples=examples,
            derandomize=False,
            database=None,
            deadline=None,
            phases=(Phase.generate, Phase.shrink),
            print_blob=False,
        )
        try:
            small = find(pairs, wrong, settings=limits, random=Random(self.seed))
            return [check(with_smaller_numbers(small, domain, wrong)) or last[0]]
        except NoSuchExample:
            return []
        except Flaky:
            return last  # of a function that disagrees with itself no smallest example can be told
