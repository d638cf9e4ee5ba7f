"""Subset queries: how many of these people have the secret bit? As a matrix, a row for each query."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dpcore.errors import InvalidParameter

Floats: TypeAlias = NDArray[np.float64]
Subsets: TypeAlias = Sequence[Collection[int]]
Answers: TypeAlias = "Sequence[float] | NDArray[np.int64] | Floats"


def matrix(queries: Subsets, people: int) -> Floats:
    """1 where the query counts the person."""
    if people < 1 or not len(queries):
        raise InvalidParameter("Expected at least one person and one query", produced=people)
    found = np.zeros((len(queries), people))
    for number, members in enumerate(queries):
        for person in members:
            if not 0 <= person < people:
                raise InvalidParameter(
                    f"query {number} counts a person who is none of 0 to {people - 1}", produced=person
                )
            found[number, person] = 1.0
    return found


def answered(answers: Answers, queries: int) -> Floats:
    """One answer for each query."""
    found = np.asarray([float(a) for a in answers])
    if len(found) != queries or not np.isfinite(found).all():
        raise InvalidParameter(f"Expected {queries} finite answers but got {len(found)}", produced=len(found))
    return found
