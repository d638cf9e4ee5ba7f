"""Functions that do different things for plain values that they hold have different digests."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from operator import gt, lt
from types import SimpleNamespace

import pytest

from dpcore.functions import digest_of


def _above(least: object) -> Callable[[object], object]:
    return lambda x: (x, least)


def _by_default(x: object, step: int = 1) -> object:
    return x, step


def _by_default_too(x: object, step: int = 2) -> object:
    return x, step


def _by_name(x: object, *, step: int = 1) -> object:
    return x, step


class _Scaled:
    def by(self, x: object) -> object:
        return x


@pytest.mark.parametrize(
    "value", [3, 3.0, True, None, "3", b"3", Fraction(1, 3), (1, 2), [1, 2], {"a": 1}, {"a", "b"}, _above(1)]
)
def test_the_same_text_and_values_have_one_digest(value: object) -> None:
    assert digest_of(_above(value)) == digest_of(_above(value))
    assert digest_of(partial(_by_name, value)) == digest_of(partial(_by_name, value))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (_above(18), _above(65)),
        (_above((1, 2)), _above((1, 3))),
        (_above({"a": 1}), _above({"a": 2})),
        (_above(_above(1)), _above(_above(2))),
        (_above(1), _above(True)),
        (_by_default, _by_default_too),
        (_by_default, _by_name),
        (partial(lt, 18), partial(gt, 18)),
        (partial(lt, 18), partial(lt, 65)),
        (partial(_by_name, step=2), partial(_by_name, step=3)),
        (_Scaled().by, SimpleNamespace().__repr__),
    ],
)
def test_other_values_have_another(one: object, other: object) -> None:
    assert digest_of(one) != digest_of(other)


def test_a_function_that_holds_itself_comes_to_an_end() -> None:
    def again(x: int) -> int:
        return again(x - 1) if x else 0

    assert digest_of(again) == digest_of(again)


def test_what_cannot_be_looked_into_is_known_by_its_type() -> None:
    assert digest_of(_above(object())) == digest_of(_above(object()))
