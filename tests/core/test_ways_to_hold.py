"""However a function holds a value: with another value it has another digest, or its certificate says what is not known.

A way is given a value and makes a function that returns something else for another one.
"""

from __future__ import annotations

import functools
import hashlib
import operator
import random
import types
from collections import OrderedDict, defaultdict, namedtuple
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpcore as dp
from dpcore.digests import State, digest_of, held, known_by
from dpcore.errors import InvalidParameter
from dpcore.functions import UserFunction, Written, user_function

Way = Callable[[Any], Any]

# ---- by what Python has for it ---------------------------------------------------------------------------------------


def closure(v: Any) -> Any:
    return lambda x: v


def default(v: Any) -> Any:
    return lambda x, v=v: v


def keyword_default(v: Any) -> Any:
    def f(x: object, *, v: Any = v) -> object:
        return v

    return f


def constant(v: Any) -> Any:
    return eval(f"lambda x: {v!r}")


def second(v: Any, x: object = None) -> object:
    return v


def first(x: object, v: Any) -> object:
    return v


def argument(v: Any) -> Any:
    return partial(second, v)


def keyword(v: Any) -> Any:
    return partial(first, v=v)


def nested(v: Any) -> Any:
    return lambda x: (lambda y: v)(x)


def among_others(v: Any) -> Any:
    held = {"a": [(0, {v})]}
    return lambda x: held


def attribute(v: Any) -> Any:
    def f(x: object) -> object:
        return vars(f)["v"]

    vars(f)["v"] = v
    return f


def documented(v: Any) -> Any:
    def f(x: object) -> object:
        return f.__doc__

    f.__doc__ = str(v)
    return f


def wrapped(v: Any) -> Any:
    @functools.wraps(closure(v))
    def f(x: object) -> object:
        return vars(f)["__wrapped__"](x)

    return f


def decorated(times: int) -> Way:
    def way(v: Any) -> Any:
        f = closure(v)
        for _ in range(times):
            f = through(f)
        return f

    return way


def through(f: Any) -> Any:
    return lambda x: f(x)


def ends_elsewhere(v: Any) -> Any:
    """At the end of a chain too long to be followed stands one of two functions, each of which is seen before."""
    ends = [closure(1), closure(2)]
    f = ends[v - 1]
    for _ in range(19):
        f = through(f)
    return lambda x: (ends, f(x))[1]


def arguments(v: Any) -> Any:
    return [lambda *x: len(x), lambda x: len(x)][v - 1]


def inner_arguments(v: Any) -> Any:
    return [lambda x: (lambda *y: y)(x), lambda x: (lambda y: y)(x)][v - 1]


def named_arguments(v: Any) -> Any:
    inner: Any = [lambda **y: y, lambda y: y][v - 1]
    return lambda x: inner(y=x)


def awaited(v: Any) -> Any:
    made: dict[str, Any] = {}
    exec(["async def f(x):\n  return 1", "def f(x):\n  return 1\n  yield"][v - 1], made)
    f = made["f"]

    def kind(x: object) -> str:
        found = f(x)
        found.close()
        return type(found).__name__

    return kind


# ---- in objects ------------------------------------------------------------------------------------------------------


class Plain:
    def __init__(self, v: Any) -> None:
        self.v = v

    def __call__(self, x: object) -> object:
        return self.v

    def by(self, x: object) -> object:
        return self.v

    def __getitem__(self, i: Any) -> Any:
        return i


def in_a_closure(way: Way) -> Way:
    """What the object says of a row, asked by a plain function."""

    def way_of(v: Any) -> Any:
        f = way(v)
        return lambda x: f(x)

    return way_of


def method(v: Any) -> Any:
    return Plain(v).by


def cached(v: Any) -> Any:
    return functools.lru_cache(Plain(v).by)


def cached_beside(v: Any) -> Any:
    """It names another function than the one that it calls."""
    f: Any = functools.lru_cache(closure(v))
    f.__wrapped__ = closure(0)
    return f


def cached_beside_a_kept(v: Any) -> Any:
    """The other function that it names is one that it keeps."""
    other = closure(0)
    f: Any = functools.lru_cache(lambda x: v if x else other)
    f.__wrapped__ = f(0)
    return f


def attribute_of_cached(v: Any) -> Any:
    f: Any = functools.lru_cache(closure(0))
    f.v = v
    return lambda x: f.v


def attribute_of_partial(v: Any) -> Any:
    f: Any = partial(second, 0)
    f.v = v
    return lambda x: f.v


class Lists(list[Any]): ...


class Dicts(dict[Any, Any]): ...


class Tuples(tuple[Any, ...]): ...


class Sets(set[Any]): ...


class Frozen(frozenset[Any]): ...


class Partial(partial[Any]): ...


class Ordered(OrderedDict[Any, Any]): ...


class Texts(str):
    __slots__ = ("__dict__",)


class Numbers(int): ...


class Floats(np.float64): ...


class Moment(datetime): ...


def attribute_of(make: Callable[[], Any]) -> Way:
    def way(v: Any) -> Any:
        x = make()
        x.v = v
        return lambda _: x.v

    return way


def code_of_subclass(v: Any) -> Any:
    class Says(list[Any]):
        def __call__(self, x: object) -> object:
            return v

    says = Says()
    return lambda x: says(x)


class Silent(list[Any]):
    def __iter__(self) -> Any:
        return iter([])


class Empty(dict[Any, Any]):
    def items(self) -> Any:
        return {}.items()


class Hidden(set[Any]):
    def __iter__(self) -> Any:
        return iter(())


class NoItems(tuple[Any, ...]):
    def __iter__(self) -> Any:
        return iter(())


class Other(partial[Any]):
    args: Any = property(lambda self: ())


def hidden(make: Callable[[Any], Any], see: Callable[[Any], object]) -> Way:
    def way(v: Any) -> Any:
        x = make(v)
        return lambda _: see(x)

    return way


def lying(v: Any) -> Any:
    """What it has is not in what it gives out as its `__dict__`."""
    bare: Any = type("Bare", (), {})
    liar: Any = type("Liar", (bare,), {"__dict__": property(lambda self: {})})()
    liar.v = v
    return lambda x: liar.v


def proxied(v: Any) -> Any:
    proxy = types.MappingProxyType(Empty(a=v))
    return lambda x: proxy["a"]


def factory(v: Any) -> Any:
    kept: Any = defaultdict([int, list][v - 1])
    return lambda x: kept[x]


def factory_of_the_value(v: Any) -> Any:
    kept: Any = defaultdict(lambda: v)
    return lambda x: kept[x]


class Defaults(defaultdict[Any, Any]): ...


def factory_of_a_subclass(v: Any) -> Any:
    kept: Any = Defaults(lambda: v)
    return lambda x: kept[x]


def named(v: Any) -> Any:
    made: Any = namedtuple
    held = made("pair", ["a b", "b a"][v - 1])(1, 2)
    return lambda x: held.a


# ---- in classes ------------------------------------------------------------------------------------------------------


def in_class(name: str, made: Callable[[Any], Any], see: Callable[[Any], object]) -> Way:
    """A class with this member, and what an object of it shows."""

    def way(v: Any) -> Any:
        x = type("K", (Plain,), {name: made(v)})(0)
        return lambda _: see(x)

    return way


def own_call(v: Any) -> Any:
    class K:
        __call__ = partial(second, v)

    return K()


def metaclass(v: Any) -> Any:
    held: Any = type("M", (type,), {"v": v})("K", (), {})
    return lambda x: held.v


def unread(v: Any) -> Any:
    kept = random.Random(v)
    return lambda x: kept.getstate()[1][1]


def module(v: Any) -> Any:
    made: Any = types.ModuleType("operator")
    made.v = v
    return lambda x: made.v


# ---- in values of dpcore ---------------------------------------------------------------------------------------------


def granularity(v: Any) -> Any:
    relation = dp.granularity("a week", lambda a, b: v)
    return lambda x: relation.carried(x, x)


def steps(v: Any) -> Any:
    relation = dp.granularity("a week", partial(of_two, v), path=True)
    return lambda x: relation.carried(x, x)


def of_two(v: Any, a: object, b: object) -> Any:
    return v


def space(v: Any) -> Any:
    held: Any = dp.rows(dp.integers(0, 9), dp.granularity("a week", lambda a, b: v))
    return lambda x: held.metric.carried(x, x)


def step(v: Any) -> Any:
    held = dp.row_map(lambda x: v, dp.integers(0, 9))
    return lambda x: (dp.rows(dp.integers(0, 9)) >> held)([x])


def unknown_step(v: Any) -> Any:
    kept = random.Random(v)
    held = dp.row_map(lambda x: random.Random(str(kept.getstate())).randrange(1 << 60), dp.integers())
    return lambda x: (dp.rows(dp.integers(0, 9)) >> held)([x])


def forged(v: Any) -> Any:
    return UserFunction(lambda x: v, "f", "0" * 64)


def forged_step(v: Any) -> Any:
    held = dp.row_map(forged(v), dp.integers(0, 9))
    return lambda x: (dp.rows(dp.integers(0, 9)) >> held)([x])


def impostor(v: Any) -> Any:
    """A class that says that dpcore has it, and prints itself as it likes."""

    def init(self: Any, v: Any) -> None:
        self.v = v

    members = {"__slots__": ("v",), "__init__": init, "__repr__": lambda self: "pure", "__module__": "dpcore.measures"}
    held: Any = type("Pure", (), members)(v)
    return lambda x: held.v


def cached_property_of(v: Any) -> Any:
    found: Any = functools.cached_property(operator.itemgetter(v))
    found.__set_name__(Plain, "p")
    return found


def with_attribute(x: Any, v: Any) -> Any:
    x.v = v
    return x


def forged_function(v: Any) -> Any:
    """Known by its callable in a closure too."""
    made = forged(v)
    return lambda x: made(x)


def ends_of_chains(v: Any) -> Any:
    """What is 30 deep is nowhere else."""
    return decorated(30)(v)


# ---- around another function -----------------------------------------------------------------------------------------


def closure_of(f: Any) -> Any:
    return lambda x: f(x)


def default_of(f: Any) -> Any:
    return lambda x, f=f: f(x)


def keyword_of(f: Any) -> Any:
    def g(x: object, *, f: Any = f) -> object:
        return f(x)

    return g


def attribute_holding(f: Any) -> Any:
    def g() -> None: ...

    vars(g)["f"] = f
    return lambda x: vars(g)["f"](x)


def called(f: Any, x: object) -> object:
    return f(x)


def partial_of(f: Any) -> Any:
    return partial(called, f)


class Calls:
    def __init__(self, f: Any) -> None:
        self.f = f

    def __call__(self, x: object) -> object:
        return self.f(x)


def method_of(f: Any) -> Any:
    return Calls(f).__call__


def in_a_list(f: Any) -> Any:
    held = Lists([f])
    return lambda x: held[0](x)


def in_a_class(f: Any) -> Any:
    return type("K", (), {"__call__": staticmethod(f)})()


def wrapping(f: Any) -> Any:
    return functools.wraps(f)(lambda *x: f(*x))


def in_a_factory(f: Any) -> Any:
    held: Any = defaultdict(lambda: f)
    return lambda x: held[0](x)


READABLE: dict[str, Way] = {
    **{f.__name__: f for f in (closure, default, keyword_default, constant, argument, keyword, nested, among_others)},
    **{f.__name__: f for f in (attribute, documented, wrapped, arguments, inner_arguments, named_arguments, awaited)},
    **{f.__name__: f for f in (Plain, method, cached, attribute_of_cached, attribute_of_partial, code_of_subclass)},
    **{f.__name__: f for f in (factory, factory_of_the_value, named, metaclass, own_call, proxied)},
    **{f.__name__: f for f in (granularity, steps, space, step, forged, forged_step, impostor, forged_function)},
    **{
        f"attribute of {make.__name__}": attribute_of(make)
        for make in (Lists, Dicts, Tuples, Sets, Frozen, Ordered, OrderedDict, Texts, Numbers)
    },
    "attribute of a partial of a class": attribute_of(lambda: Partial(second)),
    "a list that hides": hidden(lambda v: Silent([v]), lambda x: x[0]),
    "a dict that hides": hidden(lambda v: Empty(a=v), lambda x: x["a"]),
    "a set that hides": hidden(lambda v: Hidden([v]), lambda x: x.copy().pop()),
    "a tuple that hides": hidden(lambda v: NoItems([v]), lambda x: x[0]),
    "a partial that hides": hidden(lambda v: Other(second, v), lambda x: x()),
    "a property": in_class("p", lambda v: property(operator.itemgetter(v)), lambda x: x.p),
    "a cached property": in_class("p", cached_property_of, lambda x: x.p),
    "an item by a method caller": in_class("__getitem__", lambda v: partial(second, v), lambda x: x[0]),
    "a number in a class": in_class("p", lambda v: v, lambda x: x.p),
    "a number between underscores": in_class("__p__", lambda v: v, lambda x: x.__p__),
    "a static partial": in_class("p", lambda v: staticmethod(partial(second, v)), lambda x: x.p()),
    "a list of a class in a class": in_class("p", lambda v: with_attribute(Lists(), v), lambda x: x.p.v),
    "five decorators": decorated(5),
}
UNREADABLE: dict[str, Way] = {
    **{f.__name__: f for f in (cached_beside, factory_of_a_subclass, module, unread, unknown_step, ends_of_chains)},
    **{f.__name__: f for f in (lying, cached_beside_a_kept)},
    "25 decorators": decorated(25),
    "a generator of numbers in a class": in_class("p", random.Random, lambda x: x.p.getstate()[1][1]),
    "attribute of a float of numpy": attribute_of(Floats),
    "attribute of a moment": attribute_of(lambda: Moment(2020, 1, 1)),
}
"""Where a certificate says what is not known, or the function is refused."""
WAYS = {**READABLE, **UNREADABLE}

AROUND: list[Way] = [
    *(
        closure_of,
        default_of,
        keyword_of,
        attribute_holding,
        partial_of,
        Calls,
        method_of,
        in_a_list,
        in_a_class,
        wrapping,
    ),
    *(functools.lru_cache, lambda f: with_attribute(lambda x: f(x), 0), in_a_factory, lambda f: lambda *x: f(*x)),
]
"""Functions that call the one that they are given, which each holds in another way."""


def shown(f: Any) -> str:
    """What it makes of a row; where it fails, how."""
    try:
        return repr(f(3))
    except TypeError as error:
        return type(error).__name__


def said(f: Any) -> tuple[str, bool]:
    """The digest, and whether more is said not to be known."""
    try:
        known = known_by(f)
    except InvalidParameter:
        return "", True
    return known.digest, bool(known.unknown)


@pytest.mark.filterwarnings("ignore:functools.partial will be a method")  # from 3.13 on, of members that are partials
@pytest.mark.parametrize("name", WAYS)
def test_each_way_shows_its_value(name: str) -> None:
    """Else the tests below would ask nothing."""
    assert shown(WAYS[name](1)) != shown(WAYS[name](2))
    for around in AROUND:
        assert shown(around(WAYS[name](1))) == shown(WAYS[name](1))


@pytest.mark.parametrize("name", READABLE)
def test_what_can_be_read_is_in_the_digest(name: str) -> None:
    one, again, two = (user_function(WAYS[name](v)) for v in (1, 1, 2))
    assert one.unknown == two.unknown == ()
    assert one.digest == again.digest != two.digest


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_is_said(name: str) -> None:
    assert said(WAYS[name](1))[1]
    assert said(WAYS[name](2))[1]
    assert said(WAYS[name](1)) == said(WAYS[name](1))


@given(st.sampled_from(sorted(WAYS)), st.lists(st.sampled_from(AROUND), max_size=4))
def test_another_value_is_another_digest_or_is_said_not_to_be_known(name: str, around: list[Way]) -> None:
    one, two = (functools.reduce(lambda f, way: way(f), around, WAYS[name](v)) for v in (1, 2))
    (digest, is_told), (other, is_told_too) = said(one), said(two)
    assert digest != other or (is_told and is_told_too)
    if name in READABLE:
        assert digest != other
        assert not is_told


# ---- what stays ------------------------------------------------------------------------------------------------------


def test_a_function_that_calls_itself_is_known_as_it_was() -> None:
    """It is looked into 20 deep, and is its own name there; its own code is known."""

    def made(v: Any) -> Any:
        def f(x: int) -> object:
            return f(x - 1) if x else v

        return f

    f = made(1)
    assert known_by(f).unknown == ()
    code = held(f.__code__, 1, State())
    text = f"{f.__qualname__} function"
    for depth in reversed(range(20)):
        inner = code if depth < 19 else " code"
        text = f"function({inner}, None, None, {text}, 1)"
    assert digest_of(f) == hashlib.sha256(text.encode()).hexdigest()
    assert digest_of(made(1)) != digest_of(made(2))


def test_one_that_is_met_too_deep_is_told_from_another_of_its_name() -> None:
    """Both are seen before, where they are not too deep, and stand 20 deep under one name."""
    assert digest_of(ends_elsewhere(1)) != digest_of(ends_elsewhere(2))
    assert known_by(ends_elsewhere(1)).unknown == ()


def test_a_user_function_has_no_subclasses() -> None:
    with pytest.raises(TypeError, match="no subclasses"):
        type("Mine", (UserFunction,), {})


def test_a_digest_that_somebody_gave_is_not_taken() -> None:
    """Nor is one that is left of another function, nor what is written of an estimator of somebody's own."""

    def honest(x: object) -> object:
        return x

    known = user_function(honest)
    assert user_function(known) is known
    for made in (forged(1), replace(known, function=forged(1).function), replace(forged(1), digest=known.digest)):
        found = user_function(made)
        assert found.digest == digest_of(forged(1).function) != known.digest
        assert found.name == forged(1).function.__qualname__

    class Mine(Written):
        def __init__(self, v: object) -> None:
            self.v = v

        def __repr__(self) -> str:
            return "estimator()"

        def __call__(self, released: object) -> object:
            return self.v

        def on(self, arrow: object) -> Written:
            return self

    assert user_function(Mine(1)).digest != user_function(Mine(2)).digest
