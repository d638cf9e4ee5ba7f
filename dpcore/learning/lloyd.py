"""Private k-means (Blum, Dwork, McSherry, Nissim 2005): rounds of counts and sums, each of the rows nearest to a centre.

A round is made of steps that are here already:

    rows >> partition(by=nearest centre) >> parallel((count >> noise) & (sum >> noise))

so its loss is derived, under each metric of rows: where a row more or less makes the difference it is in one part, of
which it moves the count by 1 and the sum by its norm. Half of a round's loss goes to the counts, half to the sums. Which
centre is nearest is an expression of the row; the centres are those of the round before, which were released. The rounds
are stages of `adaptive`, each of an equal share of the loss: five of two fifths cost two, exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Generic, TypeAlias, TypeVar, final, overload

from dpcore.combinators.adaptive import adaptive
from dpcore.combinators.parallel import parallel
from dpcore.core import Measurement, Space, made_of
from dpcore.core.checks import number_of
from dpcore.core.spaces import row_domain
from dpcore.core.steps import Step
from dpcore.core.typing import D
from dpcore.domains import Array, Domain, Rows, Vector
from dpcore.errors import DomainMismatch, InvalidParameter, a_list
from dpcore.expressions import Expr, literal, minimum, row, when
from dpcore.expressions.expr import Value
from dpcore.learning.rounds import (
    MOST_ROUNDS,
    InRounds,
    Point,
    Release,
    noisy,
    onto,
    point,
    scale_costing,
    typed,
)
from dpcore.maps import Numeric, show
from dpcore.measures import ZCDP, Measure, PureDP
from dpcore.measures.losses import Loss, PureLoss, ZCDPLoss
from dpcore.metrics import RowMetric, SymmetricDistance
from dpcore.transformations.count import count
from dpcore.transformations.partition import partition
from dpcore.transformations.sum import sum as vector_sum

M = TypeVar("M", bound=RowMetric)
ME = TypeVar("ME", bound=Measure)

Tallies: TypeAlias = Mapping[int, tuple[int, Sequence[Fraction]]]
"""Of each centre how many rows are nearest to it, and their sum, both with noise."""


def nearest(centres: Sequence[Point]) -> Expr[int]:
    """The place of the centre nearest to the row, the first of several: of `|x - c|^2 - |x|^2`, which is affine in x."""
    scores = [_score(centre) for centre in centres]
    place, least = literal(len(centres) - 1), scores[-1]
    for j in range(len(centres) - 2, -1, -1):
        place = when(scores[j] <= least).then(j).otherwise(place)
        least = minimum(scores[j], least)
    return place


def _score(centre: Point) -> Expr[Value]:
    found = row()[0] * (-2 * centre[0])
    for i, c in enumerate(centre[1:], start=1):
        found = found + row()[i] * (-2 * c)
    return found + sum((c * c for c in centre), Fraction(0))


def moved(centres: Sequence[Point], tallies: Tallies, of: Vector[Domain]) -> list[Point]:
    """Each centre where the mean of its rows is said to be; where less than one row is left of the noise, as it was."""
    return [
        onto([Fraction(v) / tally for v in total], of) if tally >= 1 else centre
        for j, centre in enumerate(centres)
        for tally, total in [tallies[j]]
    ]


@final
@dataclass(frozen=True, slots=True, repr=False)
class Lloyd(Step, InRounds, Generic[ME]):
    """See `lloyd`."""

    k: int
    rounds: int
    loss: Loss
    start: tuple[Point, ...]

    word = "lloyd"
    positional = 2

    def __post_init__(self) -> None:
        number_of(self.k, "k", 1)
        number_of(self.rounds, "rounds", 1, MOST_ROUNDS)
        noisy(self.loss, self.word)
        if len(self.start) != self.k:
            raise InvalidParameter(
                f"Expected a centre to start with for each of the {show(self.k)} clusters but got {len(self.start)}",
                produced=self.start,
            )
        if len(set(self.start)) != self.k:
            raise InvalidParameter(
                "Expected different centres to start with: of two that are one, one is never nearest"
            )

    def __call__(self, space: Space[Rows[D], M]) -> Measurement[Rows[D], M, ME, list[list[Fraction]]]:
        of = self._checked(space)
        start, share = self.start, self.loss.scaled(Fraction(1, self.rounds))
        one_round = self._rounds(space, share)

        def centres_after(seen: Sequence[Tallies]) -> list[Point]:
            centres = list(start)
            for tallies in seen:
                centres = moved(centres, tallies, of)
            return centres

        def next_round(seen: Sequence[Tallies]) -> Release:
            return one_round(centres_after(seen))

        def found(seen: Sequence[Tallies]) -> list[list[Fraction]]:
            return [list(centre) for centre in centres_after(seen)]

        stages: Any = [(share, next_round)] * self.rounds
        whole: Release = adaptive(space, stages).then(found)
        return made_of(self, space, whole)

    def _checked(self, space: Space[Rows[D], M]) -> Vector[Domain]:
        of = row_domain(self, space)
        whole: Any = space
        vector_sum(norm=noisy(self.loss, self.word).norm)(whole)  # which says what it needs of the rows
        assert isinstance(of, Vector)
        for centre in self.start:
            if len(centre) != of.size or not of.member(typed(centre, of)):
                raise DomainMismatch(
                    "a centre to start with is not where rows can be",
                    right=self,
                    produced=self.printed(centre),
                    expected=of,
                )
        return of

    def round(self, space: Space[Rows[D], M], centres: Sequence[Sequence[Numeric]] | None = None) -> Release:
        """One round alone, with its whole derivation: counts and sums of the rows nearest to each centre."""
        if centres is not None:
            a_list(centres, "centres")
        at = self if centres is None else replace(self, start=tuple([point(centre, "a centre") for centre in centres]))
        at._checked(space)
        return at._rounds(space, self.loss.scaled(Fraction(1, self.rounds)))(at.start)

    def _rounds(self, space: Space[Any, Any], share: Loss) -> Callable[[Sequence[Point]], Release]:
        """What makes a round of its centres. No scale depends on them."""
        how, half = noisy(self.loss, self.word), share.scaled(Fraction(1, 2))
        cell: Space[Any, Any] = Space(Rows(space.domain.of), SymmetricDistance())

        counted: Any = cell >> count()
        added: Any = cell >> vector_sum(norm=how.norm)

        def tally(scale: Fraction) -> Release:
            found: Release = counted >> how.noise(scale)
            return found

        def total(scale: Fraction) -> Release:
            found: Release = added >> how.noise(scale)
            return found

        def in_parts(each: Release, centres: Sequence[Point]) -> Release:
            released: Release = space >> partition(range(len(centres)), nearest(centres)) >> parallel(each)
            return released

        first = scale_costing(lambda scale: in_parts(tally(scale), self.start), half)
        second = scale_costing(lambda scale: in_parts(total(scale), self.start), half)

        def both(scale: Fraction) -> Release:
            return tally(first * scale) & total(second * scale)

        # Where rows are replaced, what is worst for the counts is not worst for the sums, and less noise will do.
        each = both(scale_costing(lambda scale: in_parts(both(scale), self.start), share))
        return lambda centres: in_parts(each, centres)


@overload
def lloyd(k: int, rounds: int, loss: PureLoss, start: Sequence[Sequence[Numeric]] | Array) -> Lloyd[PureDP]: ...
@overload
def lloyd(k: int, rounds: int, loss: ZCDPLoss, start: Sequence[Sequence[Numeric]] | Array) -> Lloyd[ZCDP]: ...
def lloyd(k: int, rounds: int, loss: Loss, start: Sequence[Sequence[Numeric]] | Array) -> object:
    """The centres of k clusters of vectors after so many rounds, `lloyd(2, 5, pure(2), start=[[-1, 0], [1, 0]])`.

    Rows are vectors on a grid with a bound on their norm, as `clip_norm(1, norm=L1Distance, step="0.001")` makes them: in
    L1 for a loss in PureDP, which buys Laplace noise, in L2 for one in ZCDP, which buys Gaussian noise. The loss is that
    of all rounds together. The centres to start with are different members of the domain, chosen without the data.
    """
    given = start.tolist() if hasattr(start, "tolist") else start
    a_list(given, "start")
    many, times = number_of(k, "k", 1), number_of(rounds, "rounds", 1, MOST_ROUNDS)
    return Lloyd(many, times, loss, tuple([point(centre, "a centre to start with") for centre in given]))
