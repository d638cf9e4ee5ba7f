"""Cells: several keys of a row as one whole number, of which a histogram over several fields is made. See `histogram`.

The places of a row's keys, each among the values of its own, are the digits of the number; the last key moves fastest, as
in `itertools.product`. A row of which a key has none of these values has no number, and is in no bin. The number is a row
expression: so every engine counts whole numbers, and the rules and the checkers meet nothing that is new.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import product
from math import prod
from typing import Final, TypeAlias, TypeVar

from dpcore.core.labels import Cells
from dpcore.core.steps import Step
from dpcore.domains import Domain, Integers, key
from dpcore.errors import InvalidParameter
from dpcore.expressions import Expression, when
from dpcore.expressions.expr import Expr, Value, apply
from dpcore.expressions.node import Field, literal_node
from dpcore.expressions.shapes import shape_of

MOST: Final = 100_000
"""So many cells are listed without being asked for one by one."""

N = TypeVar("N", int, Expr[Value])

ValuesOf: TypeAlias = Callable[[Expression, "tuple[Hashable, ...] | None"], tuple[Hashable, ...]]
"""The values of one key: those given, or all that it can take. Refuses what no row can have."""


def cells_of(
    step: Step, of: Domain, by: Sequence[Expression], bins: Sequence[tuple[Hashable, ...]] | None, values_of: ValuesOf
) -> tuple[Expression, tuple[int, ...], Cells]:
    """The number of a row's cell, the numbers of the bins, and what they are called."""
    by = [each.on(of) for each in by]
    given = [None] * len(by) if bins is None else [_each_once(column) for column in zip(*bins, strict=True)]
    values = [values_of(each, some) for each, some in zip(by, given, strict=True)]
    sizes = list(map(len, values))
    if bins is None and prod(sizes) > MOST:
        raise InvalidParameter(
            f"{step.word} would have {prod(sizes)} bins, and at most {MOST} are listed without being named",
            right=step,
            produced=tuple(sizes),
            bridge=f"{step.word}(..., bins=[...]), or wider ranges, field(...) // width",
        )
    digits = [place(each, some, of, all_of_them=bins is None) for each, some in zip(by, values, strict=True)]
    chosen = [*product(*map(range, sizes))] if bins is None else _places(bins, given)
    keys = tuple([tuple([some[i] for some, i in zip(values, places, strict=True)]) for places in chosen])
    return (
        _number(digits, sizes).structure(),
        tuple([_number(places, sizes) for places in chosen]),
        Cells(_names(by), keys),
    )


def _each_once(values: Sequence[Hashable]) -> tuple[Hashable, ...]:
    return tuple({key(v): v for v in values}.values())


def _places(
    bins: Sequence[tuple[Hashable, ...]], given: Sequence[tuple[Hashable, ...] | None]
) -> list[tuple[int, ...]]:
    places = [{key(v): i for i, v in enumerate(column or ())} for column in given]
    return [tuple([at[key(its)] for at, its in zip(places, b, strict=True)]) for b in bins]


def _number(digits: Sequence[N], sizes: Sequence[int]) -> N:
    found = digits[0]
    for digit, size in zip(digits[1:], sizes[1:], strict=True):
        found = found * size + digit
    return found


def _names(by: Sequence[Expression]) -> tuple[str, ...]:
    """A field is the name of its column; what is computed has none of its own, and gets one that no other has."""
    fields = [each.node.name if isinstance(each.node, Field) else None for each in by]
    names: list[str] = []
    for i, name in enumerate(fields):
        if name is None or name in names:
            name = f"key_{i}"
            while name in fields or name in names:
                name += "_"
        names.append(name)
    return tuple(names)


# ---- the place of a key among its values ----------------------------------------------------------------------------------


def place(by: Expression, values: Sequence[Hashable], of: Domain, *, all_of_them: bool) -> Expr[Value]:
    """From 0 on; null where it has none of them, unless these are all that it can have."""
    x: Expr[Value] = Expr(by.node)
    proper = [(i, v) for i, v in enumerate(values) if v is not None]
    found: Expr[Value] = Expr(literal_node(None))
    if proper:
        start = _start(proper) if isinstance(shape_of(by.domain(of)).values, Integers) else None
        found = _halved(x, proper) if start is None else x - start
        if not all_of_them:
            found = when(_among(x, proper, start)).then(found).otherwise(None)
    for i, v in enumerate(values):
        if v is None:
            found = Expr(apply("when", x.is_null(), i, found))
    return found


def _start(proper: Sequence[tuple[int, Hashable]]) -> int | None:
    """What to take from whole numbers that follow one another, for their places; None where they do not, or where a null
    has a place between them."""
    starts = {v - i if type(v) is int else None for i, v in proper}
    between = proper[-1][0] - proper[0][0] > len(proper) - 1
    return None if between or len(starts) > 1 else next(iter(starts))


def _among(x: Expr[Value], proper: Sequence[tuple[int, Hashable]], start: int | None) -> Expr[bool]:
    if start is not None:
        return x.between(start + proper[0][0], start + proper[-1][0])
    return Expr(apply("isin", x, *(v for _, v in proper)))


def _halved(x: Expr[Value], proper: Sequence[tuple[int, Hashable]]) -> Expr[Value]:
    """By questions of which each leaves half of the values: as deep as their logarithm, and no deeper."""
    if len(proper) == 1:
        return Expr(literal_node(proper[0][0]))
    half = proper[: len(proper) // 2]
    return when(_among(x, half, None)).then(_halved(x, half)).otherwise(_halved(x, proper[len(half) :]))
