"""Subset queries: how many of these people have the secret bit? As a matrix, a row for each query."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dpcore.core.checks import number_of
from dpcore.errors import InvalidParameter
from dpcore.functions import looked_at
from dpcore.maps import counted

MOST_CELLS: Final = 1 << 28

Floats: TypeAlias = NDArray[np.float64]
Subsets: TypeAlias = Sequence[Collection[int]]
Answers: TypeAlias = "Sequence[float] | NDArray[np.int64] | Floats"


def matrix(queries: Subsets, people: int) -> Floats:
    """1 where the query counts the person."""
    asked = listed(queries, "queries")
    people = number_of(people, "people", 1)
    if people * len(asked) > MOST_CELLS:
        raise InvalidParameter(f"Expected people times queries to be at most {MOST_CELLS}", produced=people)
    found = np.zeros((len(asked), people))
    for number, members in enumerate(asked):
        for person in listed(members, f"query {number}", least=0):
            place = counted(person)
            if place is None or not 0 <= place < people:
                raise InvalidParameter(
                    f"query {number} counts a person who is none of 0 to {people - 1}", produced=person
                )
            found[number, place] = 1.0
    return found


def answered(answers: Answers, queries: int) -> Floats:
    """One answer for each query."""
    found = finite(answers, "answers")
    if len(found) != queries:
        raise InvalidParameter(f"Expected {queries} answers but got {len(found)}", produced=len(found))
    return found


def listed(x: object, name: str, least: int = 1) -> list[Any]:
    """What is in a collection, in its order; refused of anything else, and of a text, which is one of letters."""
    given: Any = x
    found = None if isinstance(x, (str, bytes, Mapping)) else looked_at(lambda: list(given))
    if found is None:
        raise InvalidParameter(f"Expected a list for {name} but got a {type(x).__name__}", produced=type(x))
    if len(found) < least:
        raise InvalidParameter(f"Expected at least one entry for {name} but got none", produced=type(x))
    return found


def finite(x: object, name: str) -> Floats:
    """One number after another, as floats."""
    found = looked_at(lambda: np.asarray([float(each) for each in listed(x, name)]))
    if found is None or found.ndim != 1 or not np.isfinite(found).all():
        raise InvalidParameter(f"Expected a list of finite numbers for {name}", produced=type(x))
    return found


def bits_of(x: object, many: int) -> Floats:
    """So many bits of a secret."""
    found = finite(x, "secret")
    if len(found) != many:
        raise InvalidParameter(f"Expected {many} bits for secret but got {len(found)}", produced=len(found))
    return found


def real(x: object, name: str) -> float:
    """A number, which may be any but NaN."""
    given: Any = x
    found = None if isinstance(x, (str, bytes)) else looked_at(lambda: float(given))
    if found is None or found != found:
        raise InvalidParameter(f"Expected a number for {name} but got a {type(x).__name__}", produced=type(x))
    return found
