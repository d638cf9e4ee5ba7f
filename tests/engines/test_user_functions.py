"""Functions of the user: what they return is checked, and what fails says nothing of the rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

import numpy as np
import pytest

from dpcore.domains import Domain, Rows, integers, numbers, record, text
from dpcore.engines import Table
from dpcore.engines.doors import table
from dpcore.engines.python_rows import PythonRows
from dpcore.errors import UserFunctionFailed

SECRET = 424242


def tables() -> list[Table]:
    return [table([1, SECRET], Rows(integers())), table(np.array([1, SECRET]), Rows(integers()))]


def double(x: object) -> object:
    assert isinstance(x, int)
    return 2 * x


def test_map_and_flat_map() -> None:
    for rows in tables():
        doubled = rows.map_rows(double, integers())
        assert isinstance(doubled, PythonRows)
        assert doubled.in_memory() == [2, 2 * SECRET]
        assert doubled.domain == integers()
        assert rows.flat_map(lambda x: [x, x, x], integers(), 2).in_memory() == [1, 1, SECRET, SECRET]
        assert rows.flat_map(lambda x: count(), integers(), 3).in_memory() == [0, 1, 2, 0, 1, 2]
        assert rows.flat_map(lambda x: (), integers(), 3).in_memory() == []
        assert rows.map_rows(lambda x: 0.5, numbers(0, 1, 0.5)).total() == 1


def fails(x: object) -> object:
    raise ValueError(f"what about {x}")


def fails_late(x: object) -> Iterator[object]:
    yield 1
    raise KeyError(x)


class Odd:
    def __eq__(self, other: object) -> bool:
        raise RuntimeError(f"compared with {other}")

    __hash__ = None  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("run", "parts"),
    [
        (lambda t: t.map_rows(fails, integers()), ["fails", "ValueError"]),
        (lambda t: t.map_rows(lambda x: str(x), integers()), ["<lambda>", "str"]),
        (lambda t: t.map_rows(lambda x: x, integers(0, 5)), ["int outside the domain"]),
        (lambda t: t.map_rows(lambda x: None, text()), ["NoneType"]),
        (lambda t: t.map_rows(lambda x: Odd(), integers()), ["an object outside"]),
        (lambda t: t.flat_map(fails, integers(), 1), ["fails", "ValueError"]),
        (lambda t: t.flat_map(fails_late, integers(), 2), ["fails_late", "KeyError"]),
        (lambda t: t.flat_map(lambda x: x, integers(), 2), ["int where rows were expected"]),
        (lambda t: t.flat_map(lambda x: str(x), text(), 2), ["str where rows were expected"]),
    ],
)
def test_failures_say_type_and_function_only(run: Callable[[Table], Table], parts: list[str]) -> None:
    for rows in tables():
        with pytest.raises(UserFunctionFailed) as failure:
            run(rows)
        message = str(failure.value)
        assert all(part in message for part in parts)
        assert str(SECRET) not in message
        assert "row 0" not in message
        assert "row 1" not in message
        assert failure.value.__context__ is None
        assert failure.value.__cause__ is None


def test_a_function_cannot_change_the_rows() -> None:
    domain: Domain = record(n=integers())

    def spoil(x: object) -> object:
        assert isinstance(x, dict)
        x["n"] = 7
        return x

    for data in ([{"n": 1}], {"n": np.array([1])}):
        rows = table(data, Rows(record(n=integers())))
        assert rows.map_rows(spoil, domain).in_memory() == [{"n": 7}]
        assert rows.in_memory() == [{"n": 1}]
