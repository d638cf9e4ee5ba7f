"""What a function of the user is known by: a digest of its code and of the values that it holds.

Of a plain function that is its code, its defaults, and what its closure holds: plain values, lists of them and functions
as what they are, every other object by its state, as below. Where that cannot be read, it is its type, and the
certificate says beside the name of the function that it is not known; so it says of a function that is met too deep
alone. What was set on a function is read too, and how it takes its arguments, where that is more than some by place. Of
an object of a class that is made of a builtin one the contents are read by the builtin one's own methods, and the rest
is its state. What a function calls by a name of its module is known by that name, and its author's word is about that
too.

Of a callable that is itself an object (an instance with `__call__`, a bound method, a partial) it is the code of its class
and its state, all of it: what is in its `__dict__` and slots, in lists, arrays and objects there, and so on. State that
cannot be read is refused, since two such objects would have one digest. No address and no order of a set enters, so that
equal state gives an equal digest in every process. A dict is told from one in another order, which a function can see.
Only a logger and a time zone are what they are called: what is done with messages is no part of what a function returns,
and the rules of zones are those of the system.

The values are those of the moment: what changes afterwards is not seen.
"""

from __future__ import annotations

import datetime
import functools
import gc
import operator
import re
import sys
from abc import ABCMeta
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import partial
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_ITERABLE_COROUTINE, CO_VARARGS, CO_VARKEYWORDS
from pathlib import PosixPath, PurePath, PurePosixPath, PureWindowsPath, WindowsPath
from types import (
    BuiltinFunctionType,
    ClassMethodDescriptorType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MappingProxyType,
    MemberDescriptorType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from dpcore.errors import DPError, InvalidParameter, is_callable, looked_at

PLAIN: Final = (type(None), bool, int, float, complex, str, bytes, Fraction)
SPOKEN: Final = (
    *(Decimal, range, slice, bytearray, type(...), type(NotImplemented)),
    *(datetime.date, datetime.timedelta, datetime.timezone),
)
"""What says all of itself where it is printed."""
NAMED: Final = (MethodDescriptorType, WrapperDescriptorType, ClassMethodDescriptorType)
DEEP: Final = 20
"""Deeper, a function that holds itself would not come to an end."""
MANY: Final = 1 << 20
"""An object that holds more values than these is refused: parts that share parts would not come to an end either."""
LONG: Final = 1 << 11
"""So many bits are printed whatever limit is set to that, which is 640 digits at least."""
ADDRESS: Final = re.compile(" at 0x[0-9a-f]")
POINTER: Final = object.__basicsize__ // 2
MANAGED_WEAKREF, MANAGED_DICT, HEAP = 1 << 3, 1 << 4, 1 << 9
"""Flags of types: where the pointers to a dict and to weak references are, and whether it was made while running."""

SPECIAL: Final = CO_VARARGS | CO_VARKEYWORDS | CO_COROUTINE | CO_ITERABLE_COROUTINE | CO_ASYNC_GENERATOR
BASES: Final[tuple[Any, ...]] = (list, tuple, OrderedDict, dict, set, frozenset, partial)
EXACT: Final = (list, tuple, dict, set, frozenset)
"""What holds nothing beside its contents, unless a class is made of it."""
METACLASSES: Final = (type, ABCMeta, type(Enum), type(Protocol))
OF_PYTHON: Final = frozenset(
    [
        *("__module__", "__qualname__", "__doc__", "__dict__", "__weakref__", "__slots__"),
        *("__annotations__", "__annotations_cache__", "__annotate__", "__conditional_annotations__"),
        *("__firstlineno__", "__static_attributes__", "__match_args__", "__dataclass_fields__"),
        *("__dataclass_params__", "__abstractmethods__", "__orig_bases__", "__parameters__"),
        *("__type_params__", "__final__", "__protocol_attrs__", "__non_callable_proto_members__"),
        *("__callable_proto_members_only__", "__classdictcell__", "__new_member__"),
    ]
)
"""What Python keeps in a class for itself."""
OF_WRAPPERS: Final = frozenset([*functools.WRAPPER_ASSIGNMENTS, "__annotate__", "__wrapped__", "cache_parameters"])

MOST_FUNCTIONS: Final = 1 << 12
"""After so many a function that was met before is its name: those that hold one another would not come to an end."""

CACHED: Final = functools._lru_cache_wrapper


@functools.lru_cache
def _kept() -> None: ...


CALLED_AT: Final = [each is _kept.__wrapped__ for each in reversed(gc.get_referents(_kept))]
"""How far from the last of what such a function refers to the one stands that it calls, after whatever values it keeps: True
there. Nowhere, in a Python that does not tell."""


class _Named(NamedTuple):
    field: None


OF_NAMED: Final = type(vars(_Named)["field"])
"""The type of what reads a field of a named tuple."""


class Known(NamedTuple):
    """What a function is known by."""

    digest: str
    """64 hexadecimal digits."""

    unknown: tuple[str, ...]
    """The types of what it holds and nobody can read."""


def known_by(function: object) -> Known:
    is_plain = type(function) is FunctionType or not is_callable(function)
    state = State()
    text = held(function, 0, state) if is_plain else state.of(function, 0, "")
    return Known(_sha(text), tuple(sorted(state.unknown | state.never_read())))


def digest_of(function: object) -> str:
    """64 hexadecimal digits."""
    return known_by(function).digest


def _sha(text: str) -> str:
    return _sha_of(text.encode("utf-8", "surrogatepass"))


def _sha_of(data: bytes) -> str:
    import hashlib

    return hashlib.sha256(data).hexdigest()


# ---- what a plain function holds -----------------------------------------------------------------------------------------


def held(x: object, depth: int, state: State, *, valued: bool = False) -> str:
    """A value that a plain function holds. Where it is `valued`, in a closure or a default, objects are their state."""
    if type(x) in PLAIN:
        return _plain(x)
    if type(x) is FunctionType:
        return state.function(x, depth)
    parts = _parts(x)
    if parts is None or depth >= DEEP:
        cut = parts is not None and not valued
        return state.cut(x) if cut else " ".join([_named(x), *(state.beside(x, depth) if valued else ())])
    if not valued:
        state.begin(x)
    inside = [held(part, depth + 1, state, valued=valued) for part in parts]
    if type(x) is CodeType:
        inside += _arguments(x)
    elif valued and type(x) not in EXACT:
        inside += state.added(x, depth + 1)
    return f"{type(x).__qualname__}({', '.join(inside)})"


def _plain(x: object) -> str:
    """As it is printed; of a number that Python refuses to print, for its length, in hexadecimal."""
    if type(x) is int and x.bit_length() > LONG:
        return hex(x)
    if type(x) is Fraction and max(x.numerator.bit_length(), x.denominator.bit_length()) > LONG:
        return f"{hex(x.numerator)}/{hex(x.denominator)}"
    return repr(x)


def _named(x: object) -> str:
    return f"{getattr(x, '__qualname__', '')} {type(x).__qualname__}"


def _parts(x: Any) -> list[object] | None:
    """What it is made of, in an order of its own, as the builtin type has it, whatever a class made of that says; None of
    what cannot be looked into."""
    kind = type(x)
    if kind is CodeType:
        return [x.co_code, *x.co_names, *x.co_consts]
    if kind is MethodType:
        return [x.__func__, type(x.__self__).__qualname__]
    base = _base(kind)
    if base is partial:
        return _of_partial(x)
    if base in (tuple, list):
        return [*base.__iter__(x)]
    if base in (dict, OrderedDict):
        return [*base.items(x)]
    if base in (set, frozenset):
        return [*sorted(base.__iter__(x), key=repr)]
    return None


def _base(kind: type) -> Any:
    """The builtin type that this one is made of."""
    return kind if kind in BASES else next((base for base in BASES if issubclass(kind, base)), None)


def _of_partial(x: object) -> list[object]:
    kind: Any = partial
    return [each.__get__(x) for each in (kind.func, kind.args, kind.keywords)]


def _arguments(x: CodeType) -> list[str]:
    """How it takes its arguments, where its instructions do not say; and whether it is awaited."""
    special = x.co_flags & SPECIAL
    if not special and not x.co_posonlyargcount and not x.co_kwonlyargcount:
        return []
    return [f"arguments({special}, {x.co_argcount}, {x.co_posonlyargcount}, {x.co_kwonlyargcount})"]


def _in_cell(cell: object) -> object:
    """What a closure holds in a cell, which may be empty still."""
    return getattr(cell, "cell_contents", None)


# ---- what an object holds ------------------------------------------------------------------------------------------------


class State:
    """The text of one callable object. Nothing of it is run: types are asked, and not what an object says of itself."""

    def __init__(self) -> None:
        self.left, self.functions_left = MANY, MOST_FUNCTIONS
        self.classes: dict[type, str] = {}
        self.met: dict[int, tuple[int, object]] = {}
        self.begun: set[int] = set()
        self.inside: list[FunctionType] = []
        self.unknown: set[str] = set()

    def function(self, x: FunctionType, depth: int) -> str:
        """A plain function: its code, its defaults, what its closure holds, and its attributes."""
        self.functions_left -= 1
        if depth >= DEEP or (self.functions_left < 0 and id(x) in self.begun):
            return self.cut(x)
        self.begin(x)
        self.inside.append(x)
        cells = [_in_cell(cell) for cell in x.__closure__ or ()]
        values = [held(each, depth + 1, self, valued=True) for each in (x.__defaults__, x.__kwdefaults__, *cells)]
        text = ", ".join([held(x.__code__, depth + 1, self), *values, *self.attributes(x, cells, depth)])
        self.inside.pop()
        return f"function({text})"

    def attributes(self, x: FunctionType, cells: list[object], depth: int) -> list[str]:
        """What was set on a function. What its closure holds too is not said twice: decorators would double it each time."""
        is_as_written = x.__doc__ is None or x.__doc__ in x.__code__.co_consts
        if is_as_written and not x.__dict__:
            return []
        found = {str(name): value for name, value in sorted(x.__dict__.items(), key=lambda each: str(each[0]))}
        if not is_as_written:
            found["__doc__"] = x.__doc__
        places = {id(cell): i for i, cell in reversed([*enumerate(cells)])}
        return [
            f"{name!r}: cell {places[id(value)]}"
            if id(value) in places
            else f"{name!r}: {held(value, depth + 1, self, valued=True)}"
            for name, value in found.items()
        ]

    def begin(self, x: object) -> None:
        """From here on it is looked into, so that it need not be, once more, elsewhere."""
        self.met.setdefault(id(x), (len(self.met), x))
        self.begun.add(id(x))

    def cut(self, x: object) -> str:
        """A function, or a part of its code, that is not looked into here: its name, and as how manyeth it was met.

        A function that calls itself is told by its name: no other stands where it is its own, innermost one.
        """
        place, _ = self.met.setdefault(id(x), (len(self.met), x))
        innermost = [*self.inside, x] if type(x) is FunctionType else self.inside
        by_itself = len(innermost) > 1 and innermost[-1] is innermost[-2]
        return _named(x) if by_itself else f"{_named(x)} {place}"

    def never_read(self) -> set[str]:
        """The types of what was met too deep alone."""
        return {type(x).__qualname__ for _, x in self.met.values() if id(x) not in self.begun}

    def added(self, x: Any, depth: int) -> list[str]:
        """What is known of a method's object, and of what a class adds to the builtin one, where that can be read."""
        kind = type(x)
        if kind is MethodType:
            return self.beside(x.__self__, depth)
        text = looked_at(lambda: _more(self, x, depth))
        if text is None:
            self.unknown.add(kind.__qualname__)
        return [_sha(text)] if text else []

    def beside(self, x: object, depth: int) -> list[str]:
        """What an object says beside its type: a digest of its state, where that can be read."""
        text = looked_at(lambda: self.of(x, depth, ""))
        if text is None:
            self.unknown.add(type(x).__qualname__)
        return [] if text in (None, _named(x)) else [_sha(str(text))]

    def of(self, x: object, depth: int, where: str) -> str:
        """All that it is, or a refusal. Plain functions within it are what they are by themselves."""
        self.left -= 1
        if self.left < 0:
            raise _refused(f"more than {MANY} values", where)
        kind: Any = type(x)
        if kind in PLAIN:
            return _plain(x)
        if kind in SPOKEN:
            return f"{kind.__qualname__} {x!r}"
        if kind in (FunctionType, CodeType):
            return held(x, depth, self)
        if depth >= DEEP:
            raise _refused(f"values within values, {DEEP} deep,", where)
        numpy: Any = sys.modules.get("numpy")
        if numpy is not None and issubclass(kind, (numpy.ndarray, numpy.generic)):
            return _array(self, x, depth, where)
        if numpy is not None and issubclass(kind, numpy.dtype):
            return f"dtype {_dtype(x)}"
        name = _called(x)
        if name is not None:
            return name
        for types, read in _READERS:
            if issubclass(kind, types):
                found = read(self, x, depth, where)
                if found is not None:
                    return found
        return self.instance(x, object, depth, where)

    def all(self, word: str, parts: Iterable[object], depth: int, where: str) -> str:
        return f"{word}({', '.join([self.of(part, depth + 1, f'{where}[{i}]') for i, part in enumerate(parts)])})"

    def instance(self, x: object, base: type, depth: int, where: str) -> str:
        """The code of its class, and its slots and `__dict__` by name, if that is all that it has beside the base."""
        kind = type(x)
        if _is_of_dpcore(x):
            return _of_dpcore(self, x, depth)
        if _hides(kind, base) or _lies(kind):
            if is_callable(x) and _is_global(x):
                return f"{_named(x)} {x.__module__}"
            raise _refused(f"a {kind.__qualname__}", where)
        state: list[tuple[str, str, object]] = []
        for part in kind.__mro__:
            state += [(part.__qualname__, each.__name__, value) for each in _slots(part) for value in _in_slot(each, x)]
        own: Any = looked_at(lambda: object.__getattribute__(x, "__dict__"))
        if own is not None:
            if type(own) is not dict:
                raise _refused(f"a {type(own).__qualname__} as its __dict__", where)
            state += [("", str(name), value) for name, value in own.items()]
        state.sort(key=lambda each: each[:2])
        entries = [f"{of}.{name!r}: {self.of(value, depth + 1, f'{where}.{name}')}" for of, name, value in state]
        return f"{self.code(kind)}({', '.join(entries)})"

    def code(self, kind: type) -> str:
        """The classes that it is made of, from the first on: of each the functions, and the values beside them."""
        if kind not in self.classes:
            self.classes[kind] = kind.__qualname__  # which is what it is within itself
            parts = [f"{each.__qualname__}({', '.join(self.members(each))})" for each in kind.__mro__]
            parts += [f"of {self.code(type(kind))}"] if type(kind) not in METACLASSES else []
            self.classes[kind] = f"{kind.__qualname__} {_sha(' '.join(parts))}"
        return self.classes[kind]

    def members(self, kind: type) -> list[str]:
        if not kind.__flags__ & HEAP:
            return []
        return [
            f"{name}: {text}" for name, each in sorted(vars(kind).items()) if (text := self.member(name, each, kind))
        ]

    def member(self, name: str, x: Any, of: type) -> str | None:
        kind = type(x)
        if kind in (staticmethod, classmethod):
            x = x.__func__
            kind = type(x)
        if kind is property:
            return ", ".join([held(each, 1, self, valued=True) for each in (x.fget, x.fset, x.fdel)])
        if kind is functools.cached_property:
            return held(x.func, 1, self, valued=True)
        if kind is FunctionType:
            return held(x, 1, self)
        if _is_of_python(name, x, of) or kind is MemberDescriptorType:
            return None
        try:
            return self.of(x, 1, "")
        except DPError:
            return held(x, 1, self, valued=kind is not GetSetDescriptorType and name != "_abc_impl")


def _refused(what: str, where: str) -> InvalidParameter:
    found = f"one that holds at {where} {what}" if where else what
    return InvalidParameter(
        f"Expected a function whose state can be read but got {found}",
        bridge="plain values, lists, numpy arrays and functions as its state; or a function that calls it, lambda x: f(x),"
        " of which certificates say that what it calls is not known",
    )


# ---- how each kind of value is read --------------------------------------------------------------------------------------


def _class(state: State, x: Any, depth: int, where: str) -> str:
    return f"{_named(x)} {state.code(x)}" if x.__flags__ & HEAP else _named(x)


def _method(state: State, x: Any, depth: int, where: str) -> str:
    function, bound = (state.of(x.__func__, depth + 1, where), state.of(x.__self__, depth + 1, f"{where}.__self__"))
    return f"method({function}, {bound})"


def _of_c(state: State, x: Any, depth: int, where: str) -> str:
    """A function that is not written in Python, with what it is bound to."""
    of = getattr(x, "__self__", None)
    if of is None or isinstance(of, ModuleType):
        return _named(x)
    return f"{_named(x)}({state.of(of, depth + 1, f'{where}.__self__')})"


def _partial(state: State, x: Any, depth: int, where: str) -> str | None:
    if type(x) is not partial:
        return None
    func, args, keywords = _of_partial(x)
    parts = {"func": func, "args": args, "keywords": keywords, **({"__dict__": x.__dict__} if x.__dict__ else {})}
    return f"partial({', '.join([state.of(part, depth + 1, f'{where}.{name}') for name, part in parts.items()])})"


def _sequence(base: type[Any]) -> Reader:
    def read(state: State, x: Any, depth: int, where: str) -> str:
        return state.all(base.__qualname__, base.__iter__(x), depth, where) + _beyond(state, x, base, depth, where)

    return read


def _mapping(base: type[Any]) -> Reader:
    def read(state: State, x: Any, depth: int, where: str) -> str:
        return state.all(base.__qualname__, base.items(x), depth, where) + _beyond(state, x, base, depth, where)

    return read


def _unordered(base: type[Any]) -> Reader:
    def read(state: State, x: Any, depth: int, where: str) -> str:
        inside = sorted([state.of(each, depth + 1, where) for each in base.__iter__(x)])
        return f"{base.__qualname__}({', '.join(inside)})" + _beyond(state, x, base, depth, where)

    return read


def _number(state: State, x: Any, depth: int, where: str) -> str:
    return _plain(int.__pos__(x)) + _beyond(state, x, int, depth, where)


def _printed(base: Any) -> Reader:
    def read(state: State, x: Any, depth: int, where: str) -> str:
        return str(base.__repr__(x)) + _beyond(state, x, base, depth, where)

    return read


def _beyond(state: State, x: Any, base: type, depth: int, where: str) -> str:
    """What a class adds to the builtin one, or was set on an object of that."""
    kind: Any = type(x)
    if kind is base:
        own = looked_at(lambda: x.__dict__)
        return f" {state.of(own, depth + 1, where)}" if own else ""
    if base is tuple and looked_at(lambda: kind.n_fields != kind.n_sequence_fields):
        raise _refused(f"a {kind.__qualname__}, which has more fields than it shows", where)
    return f" {state.instance(x, base, depth, where)}"


def _more(state: State, x: Any, depth: int) -> str:
    """What contents do not say of a dict with a default, or of an object of a class made of a builtin one."""
    if type(x) is defaultdict:
        return state.of(x.default_factory, depth + 1, "")
    return _beyond(state, x, _base(type(x)), depth, "")


def _cached(state: State, x: Any, depth: int, where: str) -> str:
    """A function whose values are kept: the one that it calls, which is not always the one that it names."""
    own: dict[str, Any] = object.__getattribute__(x, "__dict__")
    inner = own.get("__wrapped__")
    if not any(at and each is inner for at, each in zip(CALLED_AT, reversed(gc.get_referents(x)), strict=False)):
        raise _refused("a cache of another function than it names", where)
    beside = looked_at(lambda: dict(vars(inner))) or {}
    more = {name: value for name, value in own.items() if name not in OF_WRAPPERS and beside.get(name) is not value}
    text = state.all("cached", [inner], depth, where) + (f" {state.of(more, depth + 1, where)}" if more else "")
    return text if type(x) is CACHED else text + _beyond(state, x, CACHED, depth, where)


def _static(state: State, x: Any, depth: int, where: str) -> str:
    text = state.all("static", [x.__func__], depth, where)
    kind = next(each for each in (staticmethod, classmethod) if isinstance(x, each))
    return text if type(x) is kind else text + _beyond(state, x, kind, depth, where)


def _proxy(state: State, x: Any, depth: int, where: str) -> str:
    inner = gc.get_referents(x)
    if len(inner) == 1 and type(inner[0]) is not dict:
        return state.all("mappingproxy of", inner, depth, where)
    return state.all("mappingproxy", x.items(), depth, where)


def _module(state: State, x: Any, depth: int, where: str) -> str:
    name = str(x.__name__)
    if sys.modules.get(name) is not x:
        raise _refused("a module that is not found by its name", where)
    return f"module {name}"


def _path(state: State, x: Any, depth: int, where: str) -> str | None:
    kind: Any = type(x)
    is_of_python = kind in (PurePosixPath, PureWindowsPath, PosixPath, WindowsPath)
    return f"{kind.__qualname__} {str(x)!r}" if is_of_python else None


def _reduced(state: State, x: Any, depth: int, where: str) -> str:
    return state.all(type(x).__qualname__, operator.methodcaller("__reduce__")(x), depth, where)


def _deque(state: State, x: Any, depth: int, where: str) -> str | None:
    return state.all("deque", [x.maxlen, *x], depth, where) if type(x) is deque else None


def _default(state: State, x: Any, depth: int, where: str) -> str | None:
    parts = [x.default_factory, *x.items()]
    return state.all("defaultdict", parts, depth, where) if type(x) is defaultdict else None


def _moment(state: State, x: Any, depth: int, where: str) -> str | None:
    of_pandas: Any = getattr(sys.modules.get("pandas"), "Timestamp", None)
    if type(x) not in (datetime.datetime, datetime.time, of_pandas):
        return None
    if x.tzinfo is None or type(x.tzinfo) is datetime.timezone:
        return repr(x)
    if type(x) is of_pandas:
        return None
    return f"{x.replace(tzinfo=None)!r} in {state.of(x.tzinfo, depth + 1, f'{where}.tzinfo')}"


def _called(x: object) -> str | None:
    """The name of a logger or of a time zone, neither of which is imported to find out."""
    kind: Any = type(x)
    if kind in [getattr(sys.modules.get("logging"), name, None) for name in ("Logger", "RootLogger")]:
        return f"{kind.__qualname__} {vars(x)['name']!r}"
    if kind is getattr(sys.modules.get("zoneinfo"), "ZoneInfo", None):
        # One that was read from a file of somebody's cannot be reduced.
        found: Any = looked_at(lambda: operator.methodcaller("__reduce__")(x))
        return None if found is None else f"ZoneInfo {found[1][0]!r}"
    return None


def _array(state: State, x: Any, depth: int, where: str) -> str:
    """Its type, its shape and its bytes; of objects, each."""
    numpy: Any = sys.modules["numpy"]
    if not isinstance(x, numpy.ndarray) and type(x).__flags__ & HEAP:
        raise _refused(f"a {type(x).__qualname__}", where)
    plain = numpy.asarray(x)
    about = f"{type(x).__qualname__} {_dtype(plain.dtype)} {plain.shape}"
    if plain.dtype.hasobject:
        if plain.dtype.names is not None:
            raise _refused("an array of records of objects", where)
        inside = state.all(about, plain.ravel().tolist(), depth, where)
    else:
        inside = f"{about} {_sha_of(numpy.ascontiguousarray(plain).tobytes())}"
    return inside + (_beyond(state, x, numpy.ndarray, depth, where) if isinstance(x, numpy.ndarray) else "")


def _dtype(x: Any) -> str:
    return repr(x.descr) if x.names is not None else str(x.str)


def _is_of_dpcore(x: object) -> bool:
    """A value of dpcore that says all of itself where it is printed, as those do that have no `__dict__` and no < before."""
    kind = type(x)
    if not str(kind.__module__).startswith("dpcore.") or kind.__dictoffset__ or not _is_global(kind):
        return False
    return not repr(x).startswith("<") and ADDRESS.search(repr(x)) is None


def _of_dpcore(state: State, x: object, depth: int) -> str:
    """As it is printed; of a function of the user that is a name, so the digests of all in it stand beside."""
    return f"{type(x).__qualname__} {x!r} {' '.join(_digests_in(state, x, {}, depth))}"


def _digests_in(state: State, x: Any, met: dict[int, object], depth: int) -> list[str]:
    """Those of the user's functions that an arrow, a step, a metric or the like is made of, each met once."""
    if id(x) in met or type(x) in PLAIN:
        return []
    met[id(x)] = x
    if isinstance(x, (tuple, list)):
        return [each for part in x for each in _digests_in(state, part, met, depth)]
    if isinstance(x, Mapping):
        return [each for part in x.values() for each in _digests_in(state, part, met, depth)]
    if type(x).__module__.startswith("dpcore."):
        return _of_fields(state, x, met, depth)
    is_of_dpcore = str(getattr(x, "__module__", "")).startswith("dpcore.") and _is_global(x)
    is_of_user = is_callable(x) and not isinstance(x, type) and not is_of_dpcore
    return [_sha(state.of(x, depth + 1, ""))] if is_of_user else []


def _of_fields(state: State, x: Any, met: dict[int, object], depth: int) -> list[str]:
    """Of a function of the user its digest, unless that is somebody's claim; of other values those in their fields."""
    digest = looked_at(lambda: x.digest)
    if isinstance(digest, str) and looked_at(lambda: x.is_ours) is not False:
        state.unknown.update(looked_at(lambda: x.unknown) or ())
        return [digest]
    names = [name for name in getattr(x, "__dataclass_fields__", ()) if not name.startswith("_")]
    return [each for name in names for each in _digests_in(state, getattr(x, name, None), met, depth)]


# ---- what can be seen of an object ---------------------------------------------------------------------------------------


def _slots(kind: type) -> list[MemberDescriptorType]:
    """Those of a class that was written in Python; a structure of C may hold more than it shows."""
    if "__slots__" not in vars(kind):
        return []
    return [each for each in vars(kind).values() if isinstance(each, MemberDescriptorType)]


def _in_slot(slot: MemberDescriptorType, x: object) -> list[object]:
    try:
        return [slot.__get__(x)]
    except AttributeError:
        return []  # empty


def _hides(kind: type, base: type) -> bool:
    """Whether instances are larger than their slots, `__dict__` and weak references beside the base: then they hold more."""
    added = sum(len(_slots(part)) for part in kind.__mro__ if part not in base.__mro__)
    added += _has_pointer(kind, "__dictoffset__", MANAGED_DICT) and not base.__dictoffset__
    added += _has_pointer(kind, "__weakrefoffset__", MANAGED_WEAKREF) and not base.__weakrefoffset__
    return kind.__basicsize__ > base.__basicsize__ + POINTER * added or kind.__itemsize__ > base.__itemsize__


def _is_of_python(name: str, x: object, of: type) -> bool:
    """Whether Python put it into this class: what it keeps there for itself, and methods that are written in C."""
    if name in OF_PYTHON:
        return True
    if not (name.startswith("__") and name.endswith("__")):
        return False
    where = "__self__" if type(x) is BuiltinFunctionType else "__objclass__"
    return x is None or (type(x) in (BuiltinFunctionType, *NAMED) and getattr(x, where, None) is of)


def _lies(kind: type) -> bool:
    """Whether a class gives out something of its own for the `__dict__` of its objects."""
    written = [vars(part) for part in kind.__mro__ if part.__flags__ & HEAP]
    return any("__dict__" in each and type(each["__dict__"]) is not GetSetDescriptorType for each in written)


def _has_pointer(kind: type, offset: str, managed: int) -> bool:
    return getattr(kind, offset) != 0 and not kind.__flags__ & managed


def _is_global(x: Any) -> bool:
    """Whether it is found by its name, as functions are that are not written in Python."""
    found: Any = sys.modules.get(str(getattr(x, "__module__", "")))
    for name in str(getattr(x, "__qualname__", getattr(x, "__name__", ""))).split("."):
        found = looked_at(partial(getattr, found, name, None))
    return found is x


Reader: TypeAlias = Callable[[State, Any, int, str], str | None]

_READERS: Final[list[tuple[tuple[type, ...], Reader]]] = [
    ((ModuleType,), _module),
    ((type,), _class),
    ((MethodType,), _method),
    ((BuiltinFunctionType, MethodWrapperType), _of_c),
    (NAMED, lambda state, x, depth, where: _named(x)),
    ((partial,), _partial),
    ((operator.itemgetter, operator.attrgetter, operator.methodcaller, OF_NAMED), _reduced),
    ((CACHED,), _cached),
    ((staticmethod, classmethod), _static),
    ((re.Pattern,), lambda state, x, depth, where: f"Pattern {x.pattern!r} {x.flags}"),
    ((MappingProxyType,), _proxy),
    ((PurePath,), _path),
    ((deque,), _deque),
    ((defaultdict,), _default),
    ((datetime.datetime, datetime.time), _moment),
    ((OrderedDict,), _mapping(OrderedDict)),
    ((list,), _sequence(list)),
    ((tuple,), _sequence(tuple)),
    ((dict,), _mapping(dict)),
    ((set,), _unordered(set)),
    ((frozenset,), _unordered(frozenset)),
    ((int,), _number),
    *[((base,), _printed(base)) for base in (str, bytes, float, complex)],
]
