"""How far a guess is off, of one number or coordinate by coordinate: `|x - c|`. None moves further than it did.

Argument. `| |a - c| - |b - c| | <= |a - b|` for all numbers, so of two vectors no coordinate of the errors differs by more
than that of the vectors. Each of the norms L1, L2 and LInf grows with every coordinate, so the errors are no further apart
than the vectors were. Of RangeDistance that is not so: where all coordinates rise by d, a guess between them makes some
errors fall and others rise, 2d apart in the range. The guess is the same for both data sets: it is public, or was worked
out from releases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar, final, overload

from dpcore.calculus import rule
from dpcore.calculus.parameters import FIGURES, Parameter
from dpcore.core import Space, Transformation, transformation_of
from dpcore.core.checks import expect
from dpcore.core.spaces import Named
from dpcore.core.steps import Step
from dpcore.core.typing import DI, MI
from dpcore.domains import Domain, Integers, NumberDomain, Numbers, Vector, on_a_grid
from dpcore.errors import DomainMismatch, InvalidParameter, MetricMismatch, a_list
from dpcore.maps import Number, Numeric, exact, known
from dpcore.metrics import AbsoluteDistance, L1Distance, L2Distance, LInfDistance

M = TypeVar("M", L1Distance, L2Distance, LInfDistance)


def _errors(
    values: Sequence[int | Fraction] | int | Fraction, *, guess: tuple[int | Fraction, ...]
) -> list[int | Fraction] | int | Fraction:
    if isinstance(values, (int, Fraction)):
        return _apart(values, guess[0])
    return [_apart(value, guessed) for value, guessed in zip(values, guess, strict=True)]


def _apart(value: int | Fraction, guessed: int | Fraction) -> int | Fraction:
    return value - guessed if value >= guessed else guessed - value


@rule(run=_errors, name="absolute_errors", writes=(Parameter("guess", FIGURES),))
def errors_of_guess(d: Number) -> Number:
    """`|| |x - c| - |y - c| || <= ||x - y||` of numbers, in L1, L2 (carried as squares) and LInf: none moves further."""
    return d


@final
@dataclass(frozen=True, slots=True, repr=False)
class AbsoluteErrors(Step):
    """See `absolute_errors`."""

    guess: tuple[int | Fraction, ...] | int | Fraction

    word = "absolute_errors"
    positional = 1

    @overload
    def __call__(
        self, space: Space[Vector[Integers], M]
    ) -> Transformation[Vector[Integers], M, Vector[Integers], M]: ...
    @overload
    def __call__(self, space: Space[Vector[Numbers], M]) -> Transformation[Vector[Numbers], M, Vector[Numbers], M]: ...
    @overload
    def __call__(
        self, space: Space[Integers, AbsoluteDistance]
    ) -> Transformation[Integers, AbsoluteDistance, Integers, AbsoluteDistance]: ...
    @overload
    def __call__(
        self, space: Space[Numbers, AbsoluteDistance]
    ) -> Transformation[Numbers, AbsoluteDistance, Numbers, AbsoluteDistance]: ...
    def __call__(self, space: Space[DI, MI]) -> object:
        return self._of_many(space) if isinstance(self.guess, tuple) else self._of_one(space, self.guess)

    def _of_many(self, space: Space[DI, MI]) -> object:
        assert isinstance(self.guess, tuple)
        expect(self, space.domain, "a vector of numbers on a grid", _is_vector)
        assert isinstance(space.domain, Vector)
        if not isinstance(space.metric, (L1Distance, L2Distance, LInfDistance)):
            raise MetricMismatch(
                "cannot chain: errors follow their values in L1, L2 and LInf, and in no other metric",
                right=self,
                produced=space.metric,
                expected=Named("L1Distance, L2Distance or LInfDistance"),
                bridge="to_metric(LInfDistance)",
            )
        if len(self.guess) != space.domain.size:
            raise DomainMismatch(
                "cannot chain: the guess is of another size than the vector",
                right=self,
                produced=len(self.guess),
                expected=space.domain.size,
            )
        guess, errors = self._on_grid_of(space.domain.of, self.guess)
        output = Space(Vector(errors, space.domain.size), space.metric)
        return transformation_of(self, space, output, errors_of_guess, {"guess": guess})

    def _of_one(self, space: Space[DI, MI], guessed: int | Fraction) -> object:
        expect(self, space.domain, "a number on a grid, as one number was guessed", on_a_grid)
        if not isinstance(space.metric, AbsoluteDistance):
            raise MetricMismatch(
                "cannot chain: the error of one number follows it in AbsoluteDistance, and in no other metric",
                right=self,
                produced=space.metric,
                expected=AbsoluteDistance(),
                bridge="value(integers(), AbsoluteDistance)",
            )
        guess, errors = self._on_grid_of(space.domain, (guessed,))
        return transformation_of(self, space, Space(errors, space.metric), errors_of_guess, {"guess": guess})

    def _on_grid_of(
        self, of: Domain, guess: tuple[int | Fraction, ...]
    ) -> tuple[tuple[int | Fraction, ...], NumberDomain]:
        """The guess in the form of the values, and where errors lie: on their grid, and not below 0."""
        assert isinstance(of, NumberDomain)
        step = Fraction(1 if of.grid is None else known(of.grid, "step"))
        if any(Fraction(c) % step for c in guess):
            raise InvalidParameter(
                "the guess does not lie on the grid of the values",
                right=self,
                expected=step,
                bridge="a guess rounded to multiples of the step",
            )
        if isinstance(of, Integers):
            return tuple(map(int, guess)), Integers(0)  # 1 of type Fraction is no integer
        return guess, Numbers(0, None, step)


def _is_vector(domain: object) -> bool:
    return isinstance(domain, Vector) and on_a_grid(domain.of)


def absolute_errors(guess: Sequence[Numeric] | Numeric) -> AbsoluteErrors:
    """How far each entry of a vector lies from what was guessed for it, `absolute_errors([10, 20])`: `|x - c|`.

    Of one number, `absolute_errors(10)`. The guess is public, or made from releases; it lies on the grid of the values.
    """
    if isinstance(guess, Sequence) and not isinstance(guess, str):
        a_list(guess, "guess")
        return AbsoluteErrors(tuple([known(exact(c, "guess"), "guess") for c in guess]))
    return AbsoluteErrors(known(exact(guess, "guess"), "guess"))
