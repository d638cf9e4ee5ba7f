"""Reconstruction: secret bits from noisy answers to many subset queries (Dinur, Nissim 2003; Dwork, McSherry, Talwar 2007).

Some x in [0, 1]^people is sought whose answers come close to those given, and each entry is rounded. Close in squares, by
least squares; or in absolute differences, which is a linear programme and bears answers that are wrong altogether. That is
solved here without a solver, by primal and dual steps in turn (Chambolle and Pock 2011): with A the matrix of queries, a the
answers and `s t |A|^2 <= 1`,

    x <- x - t A'y, cut to [0, 1]        y <- y + s (A (2 x - x before) - a), cut to [-1, 1]

nears a saddle point of `y (A x - a)`, which over y is the sum of absolute differences. What comes out is a guess: nothing
rests on how near.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, final

import numpy as np

from dpcore.attacks.subsets import Answers, Floats, Subsets, answered, bits_of, matrix
from dpcore.errors import InvalidParameter, printed

Method: TypeAlias = Literal["least squares", "linear programme"]

STEPS: Final = 600


@final
@dataclass(frozen=True, slots=True)
class Reconstruction:
    """A guess at everybody's bit."""

    bits: tuple[int, ...]

    def right(self, secret: Sequence[int]) -> float:
        """The share of the bits that are right. Guessing gives a half."""
        return float(np.mean(bits_of(secret, len(self.bits)) == np.asarray(self.bits)))


def reconstruct(answers: Answers, queries: Subsets, people: int, method: Method = "least squares") -> Reconstruction:
    """Everybody's bit, guessed from answers to subset queries: `reconstruct(answers, queries, people=48)`."""
    asked = matrix(queries, people)
    given = answered(answers, len(asked))
    if not isinstance(method, str):
        raise InvalidParameter(f"Expected a text for method but got a {type(method).__name__}", produced=type(method))
    if method == "least squares":
        found = np.asarray(np.linalg.lstsq(asked, given, rcond=None)[0], dtype=np.float64)
    elif method == "linear programme":
        found = _closest(asked, given)
    else:
        raise InvalidParameter(
            f"Expected 'least squares' or 'linear programme' but got method={printed(method)}", produced=method
        )
    return Reconstruction(tuple(int(x > 0.5) for x in found))


def _closest(asked: Floats, given: Floats) -> Floats:
    """About an x in [0, 1]^people at which the sum of absolute differences is least: the mean of the later steps."""
    widest = float(asked.sum(axis=0).max() * asked.sum(axis=1).max())  # at least the square of |A|
    step = 1 / max(np.sqrt(widest), 1.0)
    x, y = np.full(asked.shape[1], 0.5), np.zeros(len(given))
    late = np.zeros_like(x)
    for number in range(STEPS):
        before, x = x, np.clip(x - step * (asked.T @ y), 0, 1)
        y = np.clip(y + step * (asked @ (2 * x - before) - given), -1, 1)
        late += x * (2 * number >= STEPS)
    return late / (STEPS / 2)
