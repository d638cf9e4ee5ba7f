"""What a function returned runs code of its author's too: when it is looked at, when it is gone through, and when nobody
holds it any more. That is refused what the function itself is refused, in each place where a function gives something."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest

import dpcore as dp
from dpcore.errors import DPError, InvalidParameter
from dpcore.functions import HERE

d: Any = dp
S: Any = dp.rows(dp.integers(0, 9))
COUNT: Any = S >> d.count() >> d.laplace(scale=1)
DID: list[str] = []
OTHER: dict[str, Any] = {}


def meddle() -> None:
    """Release, and ask somebody else's curator; what came of it is noted, and nothing is raised."""
    doings: list[Callable[[], object]] = [lambda: COUNT.release([1]), lambda: OTHER["curator"].ask(COUNT)]
    for does in doings:
        try:
            does()
        except InvalidParameter as error:
            DID.append(error.headline)
        else:
            DID.append("done")


class Listed(list[Any]):
    def __len__(self) -> int:
        meddle()
        return super().__len__()

    def __iter__(self) -> Iterator[Any]:
        meddle()
        return super().__iter__()

    def __del__(self) -> None:
        meddle()


class Pair(Sequence[int]):
    def __len__(self) -> int:
        meddle()
        return 2

    def __getitem__(self, place: Any) -> Any:
        meddle()
        if place > 1:
            raise IndexError
        return 1

    def __del__(self) -> None:
        meddle()


class Fields(Mapping[str, int]):
    def __len__(self) -> int:
        meddle()
        return 1

    def __iter__(self) -> Iterator[str]:
        meddle()
        return iter(["a"])

    def __getitem__(self, name: str) -> int:
        meddle()
        return 1


class Fractional(Fraction):
    @property
    def numerator(self) -> int:
        meddle()
        return 1

    def __del__(self) -> None:
        meddle()


class Odd:
    def __bool__(self) -> bool:
        meddle()
        return True

    def __hash__(self) -> int:
        meddle()
        return 1

    def __del__(self) -> None:
        meddle()


def a_class(x: object) -> type:
    meddle()
    return bool


Pretends: Any = type("Pretends", (Odd,), {"__class__": property(a_class)})


class Rows:
    def __iter__(self) -> Iterator[int]:
        meddle()
        yield 1
        yield 2


def at_last(x: object) -> Iterator[int]:
    try:
        yield 1
        yield 2
    finally:
        meddle()


class Kind(type):
    """Its classes are asked for their names."""

    @property
    def __name__(cls) -> str:  # type: ignore[override]
        meddle()
        return "a name"


class Called(metaclass=Kind):
    def __del__(self) -> None:
        meddle()


PAIR = d.vector(dp.integers(0, 9), 2)
NUMBER = d.value(d.numbers(0, 9), d.AbsoluteDistance)
RETURNS: dict[str, Callable[[], object]] = {
    "list": lambda: Listed([1, 2]),
    "list of such": lambda: [Listed([1, 2])],
    "sequence": Pair,
    "mapping": Fields,
    "fraction": lambda: Fractional(1),
    "pretends": Pretends,
    "rows": Rows,
    "generator": lambda: at_last(1),
    "called": Called,
}
PLACES: dict[str, Callable[[Callable[[], object]], object]] = {
    "row_map": lambda make: (S >> d.row_map(lambda x: make(), PAIR))([1, 2]),
    "row_map to records": lambda make: (S >> d.row_map(lambda x: make(), d.record(a=d.integers())))([1, 2]),
    "row_map to numbers": lambda make: (S >> d.row_map(lambda x: make(), d.numbers()))([1, 2]),
    "row_map to categories": lambda make: (S >> d.row_map(lambda x: make(), d.categories(1, 2)))([1, 2]),
    "flat_map": lambda make: (S >> d.flat_map(lambda x: make(), d.integers(), 1))([1, 2]),
    "flat_map of such": lambda make: (S >> d.flat_map(lambda x: [make(), make()], PAIR, 2))([1, 2]),
    "filter": lambda make: (S >> d.filter(lambda x: make()) >> d.count())([1, 2]),
    "partition": lambda make: (S >> d.partition([1, 2], lambda x: make()))([1, 2]),
    "histogram": lambda make: (S >> d.histogram(lambda x: make(), bins=[1, 2]))([1, 2]),
    "threshold_release": lambda make: (S >> d.threshold_release(lambda x: make(), scale=1, threshold=3)).release([1]),
    "transformation": lambda make: d.transformation(lambda x: make(), S, S, lambda k: k)([1, 2]),
    "transformation to a value": lambda make: d.transformation(lambda x: make(), S, NUMBER, lambda k: k)([1, 2]),
    "distance": lambda make: d.granularity("a week", lambda x, y: make()).distance([1], [2]),
}
PLACES["row_map of a curator"] = lambda make: dp.curator(S, [7], budget=d.pure(1)).ask(
    S >> d.row_map(lambda x: make(), PAIR) >> d.count() >> d.laplace(scale=1)
)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("returned", RETURNS)
def test_what_is_returned_meddles_with_nothing(returned: str, place: str) -> None:
    DID.clear()
    OTHER["curator"] = dp.curator(S, [1, 2], budget=d.pure(100))
    before = OTHER["curator"].spent
    with suppress(DPError):
        PLACES[place](RETURNS[returned])
    gc.collect()
    assert "done" not in DID
    assert OTHER["curator"].spent == before
    assert HERE.within is None
    meddle()
    assert DID[-2:] == ["done", "done"]


@pytest.mark.parametrize(
    ("returned", "place"),
    [
        *[("sequence", "row_map"), ("mapping", "row_map to records"), ("generator", "flat_map"), ("rows", "flat_map")],
        *[("list", "flat_map"), ("fraction", "partition"), ("pretends", "filter"), ("list of such", "transformation")],
    ],
)
def test_such_code_does_run(returned: str, place: str) -> None:
    """Otherwise nothing would be tested above."""
    DID.clear()
    OTHER["curator"] = dp.curator(S, [1, 2], budget=d.pure(100))
    with suppress(DPError):
        PLACES[place](RETURNS[returned])
    assert DID


def test_what_a_generator_raises_when_it_is_cut_off_is_kept_from_view() -> None:
    def rows(x: int) -> Iterator[int]:
        try:
            yield x
            yield x
        finally:
            raise ValueError(f"row {x}")

    with pytest.raises(dp.errors.UserFunctionFailed, match="raised ValueError;") as failure:
        (S >> d.flat_map(rows, d.integers(), 1))([7])
    assert "7" not in str(failure.value)
