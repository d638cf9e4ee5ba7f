"""Numbers in a counterexample, brought as near to 0 as it stays one: hypothesis keeps constants that it was given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from dpcore.domains import Domain

Pair: TypeAlias = tuple[object, object]


def with_smaller_numbers(pair: Pair, domain: Domain, fails: Callable[[Pair], bool]) -> Pair:
    """The pair with every whole number replaced, wherever it stands, by one nearer to 0 that still fails."""
    for number in sorted(set(_numbers(pair)), key=abs, reverse=True):
        pair = _bisected(pair, number, domain, fails)
    return pair


def _bisected(pair: Pair, number: int, domain: Domain, fails: Callable[[Pair], bool]) -> Pair:
    sign = 1 if number > 0 else -1
    passing, failing, best = -1, abs(number), pair
    while failing - passing > 1:
        middle = (passing + failing) // 2
        tried = _replaced(pair[0], number, sign * middle), _replaced(pair[1], number, sign * middle)
        if all(map(domain.member, tried)) and fails(tried):
            failing, best = middle, tried
        else:
            passing = middle
    return best


def _numbers(x: object) -> Iterator[int]:
    if type(x) is int and x:
        yield x
    elif isinstance(x, (list, tuple)):
        for part in x:
            yield from _numbers(part)
    elif isinstance(x, dict):
        for part in x.values():
            yield from _numbers(part)


def _replaced(x: object, number: int, by: int) -> object:
    if type(x) is int:
        return by if x == number else x
    if isinstance(x, (list, tuple)):
        return type(x)(_replaced(part, number, by) for part in x)
    if isinstance(x, dict):
        return {key: _replaced(part, number, by) for key, part in x.items()}
    return x
