"""Callables that are objects: with other state they have another digest, with equal state the same, in every process."""

from __future__ import annotations

import functools
import hashlib
import io
import logging
import operator
import os
import random
import struct
import subprocess
import sys
import threading
from collections import OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum, IntFlag
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpcore as dp
from dpcore.digests import DEEP, MANY, State, digest_of, held, known_by
from dpcore.errors import InvalidParameter
from dpcore.functions import user_function
from tests.certificates.tools import checker


class InDict:
    def __init__(self, state: object) -> None:
        self.state = state

    def __call__(self, x: object) -> object:
        return x, self.state

    def by(self, x: object) -> object:
        return x, self.state


class InSlots:
    __slots__ = ("empty", "state")
    empty: object

    def __init__(self, state: object) -> None:
        self.state = state

    def __call__(self, x: object) -> object:
        return x, self.state


class Inherited(InSlots):
    """Slots below, and a `__dict__` beside them."""


@dataclass(frozen=True, slots=True)
class Frozen:
    state: object

    def __call__(self, x: object) -> object:
        return x, self.state


class InList(list[Any]):
    def __call__(self, x: object) -> object:
        return x, self


def pair(x: object, state: object) -> object:
    return x, state


def reversed_pair(x: object, state: object) -> object:
    return state, x


WAYS: list[Callable[[Any], Any]] = [
    InDict,
    InSlots,
    Inherited,
    Frozen,
    lambda state: InList([state]),
    lambda state: InDict(state).by,
    lambda state: partial(pair, state=state),
    lambda state: partial(pair, state),
    lambda state: InDict([{"deeper": Frozen((state,))}]),
    lambda state: functools.lru_cache(InDict(state).by),
    lambda state: np.vectorize(partial(pair, state=state)),
]
"""Of a value the callables that have it as their state."""

Pair = namedtuple("Pair", "a b")


class Colour(Enum):
    RED = 1
    GREEN = 2


class Flags(IntFlag):
    A = 1
    B = 2


class Text(str):
    pass


VALUES: list[Callable[[], object]] = [
    *[lambda: None, lambda: True, lambda: 1, lambda: 1.0, lambda: 2, lambda: "1", lambda: b"1", lambda: Fraction(1, 3)],
    *[
        lambda: 10**5000,
        lambda: 10**5000 + 1,
        lambda: Fraction(1, 10**5000),
        lambda: Decimal("1.0"),
        lambda: Decimal("1.00"),
    ],
    *[lambda: (1, 2), lambda: [1, 2], lambda: {1, 2}, lambda: frozenset({1, 2}), lambda: {1: 2}, lambda: {2: 1}],
    *[lambda: {"a", "b", "c"}, lambda: {frozenset({"a", "b"}), frozenset({"c"})}, lambda: {("a", "b"), ("c", "d")}],
    *[lambda: deque([1, 2]), lambda: deque([1, 2], 5), lambda: defaultdict(int), lambda: defaultdict(list)],
    *[lambda: OrderedDict(a=1, b=2), lambda: OrderedDict(b=2, a=1), lambda: Pair(1, 2), lambda: Pair(1, 3)],
    *[
        lambda: date(2020, 1, 1),
        lambda: datetime(2020, 1, 1),
        lambda: datetime(2020, 1, 1, tzinfo=UTC),
        lambda: range(3),
    ],
    *[lambda: Colour.RED, lambda: Colour.GREEN, lambda: Flags.A, lambda: Flags.B, lambda: Text("1"), lambda: Text("2")],
    *[lambda: np.arange(3), lambda: np.arange(3.0), lambda: np.arange(3).reshape(3, 1), lambda: np.array([0, 1, 3])],
    *[
        lambda: np.array([1, "a"], object),
        lambda: np.array([1, "b"], object),
        lambda: np.float64(1),
        lambda: np.float32(1),
    ],
    *[
        lambda: np.ma.array([1, 2], mask=[False, True]),
        lambda: np.ma.array([1, 2], mask=[True, True]),
        lambda: np.dtype("f4"),
    ],
    *[lambda: np.zeros(2, "i4,f4"), lambda: np.zeros(2, "i4,i4"), lambda: np.exp, lambda: np.log, lambda: np.mean],
    *[lambda: operator.itemgetter(1), lambda: operator.itemgetter(2), lambda: operator.methodcaller("a", b=1)],
    *[lambda: operator.methodcaller("a", b=2), lambda: len, lambda: max, lambda: {1: 2}.get, lambda: {1: 3}.get],
    *[lambda: pair, lambda: reversed_pair, lambda: InDict, lambda: InSlots, lambda: Path("a"), lambda: Path("b")],
    *[lambda: dp.pure(1), lambda: dp.pure(2), lambda: dp.field("a") > 1, lambda: dp.field("a") > 2, lambda: int],
    *[lambda: InDict(1), lambda: InDict(2), lambda: Frozen(1), lambda: Frozen(2), lambda: np, lambda: operator],
]


@pytest.mark.parametrize("way", WAYS)
def test_objects_of_other_state_have_other_digests(way: Callable[[Any], Any]) -> None:
    digests = [digest_of(way(value())) for value in VALUES]
    assert len(set(digests)) == len(VALUES)
    assert [digest_of(way(value())) for value in VALUES] == digests


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.fractions(),
    lambda inside: (
        st.lists(inside, max_size=3)
        | st.dictionaries(st.text(max_size=2), inside, max_size=3)
        | st.tuples(inside, inside)
        | st.sets(st.text(max_size=2) | st.integers(), max_size=4)
    ),
    max_leaves=8,
)


def shown(x: object) -> str:
    """Told apart where they are told apart by type or value, with sets in an order."""
    if isinstance(x, (list, tuple)):
        return f"{type(x)}{[shown(each) for each in x]}"
    if isinstance(x, dict):
        return f"{[(key, shown(value)) for key, value in x.items()]}"
    if isinstance(x, set):
        return f"{{{sorted(map(shown, x))}}}"
    return f"{type(x)}{x!r}"


@given(st.sampled_from(WAYS), plain, plain)
def test_digests_are_equal_where_state_is(way: Callable[[Any], Any], one: object, other: object) -> None:
    assert (digest_of(way(one)) == digest_of(way(other))) == (shown(one) == shown(other))


def test_the_order_in_which_state_was_set_is_none() -> None:
    one, other = InDict(0), InDict(0)
    one.__dict__.update(a=1, b=2)
    other.__dict__.update(b=2, a=1)
    assert digest_of(one) == digest_of(other)


def test_an_empty_slot_is_not_none() -> None:
    one, other = InSlots(1), InSlots(1)
    other.empty = None
    assert digest_of(one) != digest_of(other)


def test_the_code_of_the_class_and_its_values_enter() -> None:
    def made(least: int, with_more: bool) -> object:
        class Above:
            at_least = least

            def __call__(self, x: int) -> bool:
                return x > self.at_least + 1 if with_more else x > self.at_least

        class Same(Above):
            pass

        return Same()

    digests = {digest_of(made(least, more)) for least in (1, 2) for more in (False, True)}
    assert len(digests) == 4
    assert digest_of(made(1, True)) == digest_of(made(1, True))


PROCESS = """
import functools, operator, numpy as np
from dpcore.functions import digest_of
class Above:
    kinds = {"x", "y", "z"}
    def __init__(self): self.names, self.at = {"a", "b", "c", ("d", frozenset({"e", "f"}))}, np.arange(3)
    def __call__(self, x): return x in self.names
print(digest_of(Above()), digest_of(functools.partial(Above, Above())), digest_of(Above().__call__))
"""


def test_digests_are_those_of_every_process() -> None:
    found = {
        subprocess.run(
            [sys.executable, "-c", PROCESS],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "7")
    }
    assert len(found) == 1


def test_plain_functions_are_known_as_they_were() -> None:
    """By their code and closure in full, and partials of them: certificates name these digests."""
    state = 3

    def calls(x: object, y: object = (1, "a")) -> object:
        return pair(x, state), y

    code = calls.__code__
    parts = [repr(each) for each in (code.co_code, *code.co_names, *code.co_consts)]
    text = f"function(code({', '.join(parts)}), tuple(tuple(1, 'a')), None, 3)"
    assert digest_of(calls) == hashlib.sha256(text.encode()).hexdigest()
    for value in (1, [1, {"a": (2,)}], {"a", "b"}, pair):
        kept = partial(pair, value, state=value)
        assert digest_of(kept) == hashlib.sha256(held(kept, 0, State()).encode()).hexdigest()
    assert digest_of("as it is written")[:12] == "8a7724048cab"


# ---- what a plain function closes over ------------------------------------------------------------------------------------


def closing(state: Any) -> Callable[[object], object]:
    return lambda x: state(x)


def by_default(state: Any) -> Callable[..., object]:
    return lambda x, state=state: state(x)


def by_keyword(state: Any) -> Callable[..., object]:
    def calls(x: object, *, state: Any = state) -> object:
        return state(x)

    return calls


def deeper(state: Any) -> Callable[[object], object]:
    inner = closing(state)
    return lambda x: inner(x)


HOLDING: list[Callable[[Any], Any]] = [
    *[closing, by_default, by_keyword, deeper],
    lambda state: closing([{"a": state}]),
    lambda state: closing(InDict(closing(state))),
    lambda state: closing(InDict(state).by),
    lambda state: partial(closing(state)),
    lambda state: InDict(closing(state)),
]


@pytest.mark.parametrize("way", HOLDING)
def test_functions_that_hold_other_objects_have_other_digests(way: Callable[[Any], Any]) -> None:
    """`lambda x: model(x)` had one digest for two models."""
    for inner in WAYS:
        digests = [digest_of(way(inner(value()))) for value in VALUES[::3]]
        assert len(set(digests)) == len(digests)
        assert [digest_of(way(inner(value()))) for value in VALUES[::3]] == digests
        assert known_by(way(inner(1))).unknown == ()


@pytest.mark.parametrize("way", HOLDING)
def test_what_a_function_holds_and_nobody_can_read_is_said_in_its_certificate(way: Callable[[Any], Any]) -> None:
    function: Any = way(random.Random(1))
    known = known_by(function)
    assert known == known_by(way(random.Random(2)))
    assert known.unknown
    assert {*known.unknown} <= {"Random", "InDict"}
    m: Any = dp.rows(dp.integers(0, 9)) >> dp.row_map(function, dp.integers(0, 9)) >> dp.count() >> dp.laplace(scale=1)
    certificate = dp.certify(m)
    assert f"a {known.unknown[0]} not known" in certificate.written.replace("an ", "a ")
    checker.verify(certificate.text())
    assert "not known" not in repr(m)


def test_arrows_of_other_functions_are_told_apart() -> None:
    """They print alike: a function is a name there."""

    def plus(k: int) -> Any:
        return dp.row_map(lambda x: x + k, dp.integers(0, 99))

    def arrow(k: int) -> Any:
        rows: Any = dp.rows(dp.integers(0, 9))
        return rows >> plus(k) >> dp.count() >> dp.laplace(scale=1)

    for made in (plus, arrow, lambda k: dp.compose([arrow(k), arrow(3)]), lambda k: arrow(k).then(lambda r: r + k)):
        assert repr(made(1)) == repr(made(2))
        assert digest_of(closing(made(1))) == digest_of(closing(made(1)))
        assert digest_of(closing(made(1))) != digest_of(closing(made(2)))


def test_a_few_of_what_is_not_known_are_named() -> None:
    many: Any = [threading.Lock(), iter([1]), random.Random(1), np.random.default_rng(1), (x for x in "ab")]
    assert user_function(closing(many)).told.endswith(", with a Generator, a Random, a generator and more not known")
    assert user_function(closing(many[2:4])).told.endswith(", with a Generator and a Random not known")
    assert user_function(closing(many[2:3])).told.endswith(", with a Random not known")


def test_no_address_enters() -> None:
    curator: Any = dp.curator(dp.rows(dp.integers()), [1], budget=dp.pure(1))
    assert known_by(closing(curator)).unknown == ("Curator",)
    assert known_by(closing(curator._study)).unknown == ("Study",)


def test_functions_that_hold_one_another_come_to_an_end() -> None:
    """They are expanded along every way from one to another, of which there were 3^20."""

    def made(last: int) -> Callable[[object], object]:
        def a(x: object) -> object:
            return b(x), c(x)

        def b(x: object) -> object:
            return a(x), c(x)

        def c(x: object) -> object:
            return a(x), b(x), last

        return a

    assert digest_of(made(1)) == digest_of(made(1))
    assert digest_of(made(1)) != digest_of(made(2))


class Hidden(np.random.Generator):
    """More than its `__dict__` shows."""


@pytest.mark.parametrize(
    "state",
    [
        threading.Lock(),
        iter([1]),
        (x for x in "ab"),
        random.Random(1),
        np.random.default_rng(1),
        Hidden(np.random.PCG64(1)),
        memoryview(b"a"),
        np.frompyfunc(len, 1, 1),
        np.array([threading.Lock()]),
        {"key": [threading.Lock()]},
    ],
    ids=lambda x: type(x).__name__,
)
@pytest.mark.parametrize("way", WAYS)
def test_what_cannot_be_read_is_refused_with_what_to_do(way: Callable[[Any], Any], state: object) -> None:
    with pytest.raises(InvalidParameter, match="whose state can be read") as refused:
        dp.rows(dp.integers()) >> dp.row_map(way(state), dp.vector(dp.integers(), 1))
    assert refused.value.bridge is not None
    assert "lambda x: f(x)" in refused.value.bridge
    f = way(state)
    assert digest_of(lambda x: f(x)) != ""


def nested(times: int, width: int = 1) -> object:
    found: object = 1
    for _ in range(times):
        found = [found] * width
    return found


@pytest.mark.parametrize("way", WAYS)
def test_loggers_and_time_zones_are_what_they_are_called(way: Callable[[Any], Any]) -> None:
    try:
        berlin, utc = ZoneInfo("Europe/Berlin"), ZoneInfo("UTC")
    except ZoneInfoNotFoundError:
        pytest.skip("this system has no time zones")
    states: list[object] = [logging.getLogger("a"), logging.getLogger("b"), logging.getLogger(), berlin, utc]
    states += [datetime(2020, 1, 1, tzinfo=berlin), datetime(2020, 1, 1, tzinfo=utc), datetime(2020, 1, 2, tzinfo=utc)]
    digests = [digest_of(way(state)) for state in states]
    assert len(set(digests)) == len(states)
    assert digest_of(way(ZoneInfo.no_cache("UTC"))) == digest_of(way(utc))
    rules = b"TZif" + bytes(16) + struct.pack(">6l", 0, 0, 0, 0, 1, 4) + bytes(6) + b"UTC\0"
    mine = ZoneInfo.from_file(io.BytesIO(rules), key="UTC")
    with pytest.raises(InvalidParameter, match="a ZoneInfo"):
        digest_of(way(mine))


def test_state_without_an_end_is_refused() -> None:
    itself = InDict(0)
    itself.state = itself
    loop: list[object] = []
    loop += [loop] * 10
    assert digest_of(InDict(nested(DEEP - 2)))
    for each in (itself, itself.by, InDict(nested(DEEP)), InDict(nested(5000)), InDict(loop)):
        with pytest.raises(InvalidParameter, match=f"values within values, {DEEP} deep"):
            digest_of(each)
    with pytest.raises(InvalidParameter, match=f"more than {MANY} values"):
        digest_of(InDict(nested(DEEP - 3, 10)))


def test_nothing_of_the_object_is_run() -> None:
    class Loud:
        def __init__(self) -> None:
            object.__setattr__(self, "state", 1)

        def __getattr__(self, name: str) -> object:
            raise ZeroDivisionError(name)

        def __repr__(self) -> str:
            raise ZeroDivisionError

        __hash__ = None  # type: ignore[assignment]

        def __call__(self, x: object) -> object:
            return x

    found = dp.rows(dp.integers()) >> dp.row_map(Loud(), dp.integers())
    assert found([1]) == [1]
    assert digest_of(Loud()) == digest_of(Loud())
