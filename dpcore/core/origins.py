"""How an arrow was made: the call that was written, kept as data.

    rows(integers()) >> count()        Call(count(), (rows(integers()),))      a step, called with its space
    compose([m, n])                    Call(compose, ((m, n),))
    m.to(ApproxDP, delta=0)            Call(Measurement.to, (m, ApproxDP), (("delta", 0),))
    space >> step >> step              Chain of the two arrows

What an arrow prints as, which others it equals, what it is when symbols are bound or on another space, and what it is
made of are folds over this call, written here once. Binding repeats the call, so every check of construction is made
again. An argument that leads data to arrows in a way of its own, or that holds for one space only, is `Placed`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import Field, dataclass, fields
from functools import cached_property
from itertools import pairwise
from typing import ClassVar, NoReturn, Protocol, TypeAlias, TypeGuard, TypeVar, cast, final

from dpcore.calculus import Derivation, by_identity
from dpcore.core.steps import Step, Values, bound
from dpcore.domains import Domain
from dpcore.errors import Closed, FreeSymbols, InvalidParameter
from dpcore.maps import Numeric, argument, exact
from dpcore.metrics import Metric


class SomeSpace(Protocol):
    """Any `Space`."""

    @property
    def domain(self) -> Domain: ...
    @property
    def metric(self) -> Metric: ...
    @cached_property
    def free(self) -> frozenset[str]: ...
    def bind(self, values: Values) -> SomeSpace: ...


class Arrow(Protocol):
    """Any transformation or measurement."""

    @property
    def input(self) -> SomeSpace: ...
    @property
    def derivation(self) -> Derivation: ...
    @property
    def origin(self) -> Origin: ...


class Onward(Arrow, Protocol):
    """Any transformation."""

    @property
    def output(self) -> SomeSpace: ...


A = TypeVar("A", bound=Arrow)


# ---- what an arrow is made of ----------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True)
class Part:
    """An arrow inside another, and the data that reach it there.

    They are measured as the arrow's own input is, and may be fewer than it would take.
    """

    arrow: Arrow
    space: SomeSpace


Releases: TypeAlias = Arrow | tuple["Releases", ...] | Mapping[Hashable, Arrow] | None


@final
@dataclass(frozen=True, slots=True)
class Contents:
    """The arrows in an argument, or in a whole arrow."""

    parts: tuple[Part, ...] = ()
    releases: Releases = None
    """Whose releases are released: those of one arrow, of several in order, of parts by key. None if of no other."""
    unforeseen: str = ""
    """What is also run but not known before, in words."""


class Placed:
    """What a call depends on otherwise than by its value: what leads data to arrows, or holds for one space only."""

    __slots__ = ()

    def contents(self, space: SomeSpace) -> Contents:
        """The arrows in it, where the call stands on this space."""
        return Contents()

    def moved(self, before: SomeSpace, space: SomeSpace, values: Values) -> object:
        """What is given in its place when the call that stood on `before` is made again on `space`.

        Refused where it does not hold there.
        """
        return bound(self, values)


def _contents(x: object, space: SomeSpace) -> Contents:
    if isinstance(x, Placed):
        return x.contents(space)
    if _is_arrow(x):
        return Contents((Part(x, space),), x)
    each = [_contents(y, space) for y in x] if type(x) is tuple else []
    released = any(inner.parts for inner in each)
    return _together(each, tuple([inner.releases for inner in each]) if released else None)


def _together(each: Sequence[Contents], releases: Releases) -> Contents:
    parts = tuple([part for inner in each for part in inner.parts])
    return Contents(parts, releases, ", ".join([inner.unforeseen for inner in each if inner.unforeseen]))


# ---- the call --------------------------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True)
class Call:
    """A step called with a space, a combinator with arrows, a method with its arrow in front."""

    function: Step | Callable[..., Arrow]
    arguments: tuple[object, ...]
    options: tuple[tuple[str, object], ...] = ()

    @property
    def word(self) -> str:
        """The name of what was called, such as `laplace`, `compose`, `to`."""
        return self.function.word if isinstance(self.function, Step) else self.function.__name__

    def rebuilt(self, before: SomeSpace, space: SomeSpace, values: Values) -> Arrow:
        if isinstance(self.function, Step):  # which is called with the space alone
            step = self.function.bind(values)
            assert callable(step)
            made: Arrow = step(space)
            return made
        again = _Again(before, space, values)
        arguments = [again.of(x) for x in self.arguments]
        return self.function(*arguments, **{name: again.of(x) for name, x in self.options})

    def shown(self) -> str:
        if isinstance(self.function, Step):
            return f"{self.arguments[0]!r} >> {self.function!r}"
        texts = [*map(_text, self.arguments), *(f"{name}={_text(x)}" for name, x in self.options)]
        if "." in self.function.__qualname__:
            return f"({texts[0]}).{self.word}({', '.join(texts[1:])})"
        return f"{self.word}({', '.join(texts)})"

    def contents(self, space: SomeSpace) -> Contents:
        """The arrows that the arrow is made of, where the data of `space` reach it."""
        each = [_contents(x, space) for x in (self.function, *self.arguments)]
        return _together(each, next((inner.releases for inner in each if inner.releases is not None), None))


def _text(x: object) -> str:
    if type(x) is tuple:
        return f"[{', '.join(map(_text, x))}]"
    return x.__name__ if isinstance(x, type) else argument(x)


class _Again:
    """The arguments of a call, made for another space and with numbers in the place of symbols."""

    def __init__(self, before: SomeSpace, space: SomeSpace, values: Values) -> None:
        self.before, self.space, self.values = before, space, values
        self.placed = False  # the first space is where the call stands; another keeps its place
        self.made: dict[int, Arrow] = {}  # an arrow that is used a thousand times is made once

    def of(self, x: object) -> object:
        if type(x) is tuple:
            made = {place: self.of(y) for place, y in by_identity(x).items()}
            return tuple(map(made.__getitem__, map(id, x)))
        if isinstance(x, Placed):
            return x.moved(self.before, self.space, self.values)
        if _is_arrow(x):
            if id(x) not in self.made:
                self.made[id(x)] = rebuilt(x, self.space, self.values)
            return self.made[id(x)]
        if not _is_space(x):
            return bound(x, self.values)
        first, self.placed = not self.placed, True
        return self.space if first else x.bind(self.values)


@final
@dataclass(frozen=True, slots=True)
class Chain:
    """Arrows one after another, none of them a chain itself, so that chaining is associative."""

    arrows: tuple[Arrow, ...]

    def rebuilt(self, before: SomeSpace, space: SomeSpace, values: Values) -> Arrow:
        made = rebuilt(self.arrows[0], space, values)
        for previous, arrow in pairwise(self.arrows):
            # What stood on the space before it stands on the new one; an arrow with a space of its own keeps that.
            start = onward(made).output if _fits(previous, arrow) else arrow.input.bind(values)
            made = onward(made) >> rebuilt(arrow, start, values)
        return made

    def shown(self) -> str:
        text = self.arrows[0].origin.shown()
        for previous, arrow in pairwise(self.arrows):
            step = arrow.origin.function if isinstance(arrow.origin, Call) else None
            applied = isinstance(step, Step) and _fits(previous, arrow)
            text += f" >> {step!r}" if applied else f" >> ({arrow.origin.shown()})"
        return text

    def contents(self, space: SomeSpace) -> Contents:
        """The links of the chain, of which the last makes what is released."""
        reaching = (space, *(onward(previous).output for previous in self.arrows[:-1]))
        return Contents(tuple(map(Part, self.arrows, reaching)), self.arrows[-1])


Origin: TypeAlias = Call | Chain


class _Link(Onward, Protocol):
    def __rshift__(self, arrow: Arrow, /) -> Arrow: ...


def onward(arrow: Arrow) -> _Link:
    """The arrow, of which it is known from its place that another comes after it: it is a transformation."""
    return cast(_Link, arrow)


def _fits(before: Arrow, arrow: Arrow) -> bool:
    return onward(before).output == arrow.input


def rebuilt(arrow: Arrow, space: SomeSpace, values: Values) -> Arrow:
    """The arrow made again on this space, with numbers in the place of symbols."""
    return arrow.origin.rebuilt(arrow.input, space, values)


# ---- what both kinds of arrow share ----------------------------------------------------------------------------------


MADE = object()
"""What arrows are made with where every rule is checked, and nowhere else."""


def made_by_hand() -> NoReturn:
    """The refusal of an arrow that was not made with `MADE`."""
    raise InvalidParameter(
        "an arrow is made by a step on a space, which checks it",
        bridge="space >> step; transformation(...) or measurement(...) for a claim of your own",
    )


class Recorded(Closed):
    """An arrow, as far as it is a recorded call: see `dpcore.core` for its two kinds. Each asks for `MADE` by itself."""

    __slots__ = ()

    __dataclass_fields__: ClassVar[dict[str, Field[object]]]

    def __reduce__(self) -> tuple[object, ...]:
        kept = fields(self)
        return _unpickled, (type(self), *[getattr(self, f.name) for f in kept if f.init])

    @property
    def symbols(self: Arrow) -> frozenset[str]:
        """The symbols that still stand for numbers."""
        return symbols_in(self)

    def bind(self: A, **values: Numeric) -> A:
        """The same arrow with numbers in the place of symbols, checked anew."""
        unknown = sorted(set(values) - symbols_in(self))
        if unknown:
            free = ", ".join(sorted(symbols_in(self))) or "none"
            raise InvalidParameter(f"no symbol is named {unknown[0]!r}; the free ones are: {free}", left=self)
        given = {name: exact(value, name) for name, value in values.items()}
        made = rebuilt(self, self.input.bind(given), given)
        assert isinstance(made, type(self))
        return made

    def __eq__(self: Arrow, other: object) -> bool:
        return isinstance(other, type(self)) and self.input == other.input and self.origin == other.origin

    def __hash__(self: Arrow) -> int:
        return hash((self.input, self.derivation.rule.name))

    def __repr__(self: Arrow) -> str:
        return self.origin.shown()


def _unpickled(kind: Callable[..., object], *parts: object) -> object:
    return kind(*parts, MADE)


def _is_arrow(x: object) -> TypeGuard[Arrow]:
    return isinstance(x, Recorded)


def _is_space(x: object) -> TypeGuard[SomeSpace]:
    return hasattr(x, "domain") and hasattr(x, "metric")  # asked for each argument, and a protocol is slow to ask


def symbols_in(arrow: Arrow) -> frozenset[str]:
    """The symbols that still stand for numbers, in the arrow and in the data it takes."""
    return arrow.derivation.symbols | arrow.input.free


def require_known(arrow: Arrow) -> None:
    free = symbols_in(arrow)
    if free:
        name = min(free)
        raise FreeSymbols(
            f"the symbol {name} stands where a number is needed", left=arrow, bridge=f".bind({name}=...) first"
        )
