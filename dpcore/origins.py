"""How an arrow was made: the step on its space, the links of a chain, the parts of a combinator.

An origin prints the arrow as the code that makes it, compares it with others by structure, and makes it again, from
another space or with numbers in the place of symbols. So binding a symbol repeats every check of construction. It also
knows the arrows that this one is made of, and which data reach each of them: whoever looks for something in an arrow
follows `parts`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Protocol, cast, final, runtime_checkable

from dpcore.derivation import Derivation
from dpcore.domains import Domain
from dpcore.maps import argument
from dpcore.metrics import Metric
from dpcore.steps import Step, Values, bound


class SomeSpace(Protocol):
    """Any `Space`."""

    @property
    def domain(self) -> Domain: ...
    @property
    def metric(self) -> Metric: ...


class Arrow(Protocol):
    """Any transformation or measurement."""

    @property
    def input(self) -> SomeSpace: ...
    @property
    def derivation(self) -> Derivation: ...
    @property
    def origin(self) -> Origin: ...


@final
@dataclass(frozen=True, slots=True)
class Part:
    """An arrow inside another, and the data that reach it there.

    They are measured as the arrow's own input is, and may be fewer than it would take.
    """

    arrow: Arrow
    space: SomeSpace


class Origin(ABC):
    """How an arrow was made."""

    __slots__ = ()

    @abstractmethod
    def rebuilt(self, space: SomeSpace, values: Values) -> Arrow:
        """The arrow made again on this space, with numbers in the place of symbols."""

    @abstractmethod
    def shown(self) -> str:
        """The code that makes the arrow."""

    @abstractmethod
    def parts(self, space: SomeSpace) -> tuple[Part, ...]:
        """The arrows that the arrow is made of, where the data of `space` reach it."""

    def unforeseen(self) -> str:
        """The arrows that it also runs but that nobody knows before, in words; mostly there are none."""
        return ""

    def links(self) -> tuple[Origin, ...]:
        """The origins of the links of a chain; of anything else, itself alone."""
        return (self,)

    def releases(self) -> Arrow | tuple[Arrow, ...] | Mapping[Hashable, Arrow] | None:
        """Whose releases the release is: that of one arrow, of several in order, of parts by key. None if of no other."""
        return None


@runtime_checkable
class ByKey(Protocol):
    """A step whose release is that of a measurement for each key, as `parallel(...)` is."""

    def by_key(self, space: SomeSpace) -> Mapping[Hashable, Arrow]: ...


@runtime_checkable
class MadeOfArrows(Protocol):
    """A step that holds arrows, as `parallel(...)` does."""

    def parts(self, space: SomeSpace) -> tuple[Part, ...]:
        """Those that the arrow which the step makes is made of: see `Origin.parts`."""
        ...


@final
@dataclass(frozen=True, slots=True)
class Applied(Origin):
    """A step, called with a space."""

    step: Step
    space: SomeSpace

    def rebuilt(self, space: SomeSpace, values: Values) -> Arrow:
        return cast("Callable[[SomeSpace], Arrow]", self.step.bind(values))(space)

    def shown(self) -> str:
        return f"{self.space!r} >> {self.step!r}"

    def parts(self, space: SomeSpace) -> tuple[Part, ...]:
        return self.step.parts(space) if isinstance(self.step, MadeOfArrows) else ()

    def releases(self) -> Mapping[Hashable, Arrow] | None:
        return self.step.by_key(self.space) if isinstance(self.step, ByKey) else None


@final
@dataclass(frozen=True, slots=True)
class Chained(Origin):
    """Arrows one after another, none of them a chain itself, so that chaining is associative."""

    arrows: tuple[Arrow, ...]

    def rebuilt(self, space: SomeSpace, values: Values) -> Arrow:
        made = self.arrows[0].origin.rebuilt(space, values)
        for before, arrow in zip(self.arrows, self.arrows[1:], strict=False):
            # What stood on the space before it stands on the new one; an arrow with a space of its own keeps that.
            start = cast(_Onward, made).output if _fits(before, arrow) else cast(_Bindable, arrow.input).bind(values)
            made = cast(_Onward, made) >> arrow.origin.rebuilt(start, values)
        return made

    def shown(self) -> str:
        text = self.arrows[0].origin.shown()
        for before, arrow in zip(self.arrows, self.arrows[1:], strict=False):
            origin = arrow.origin
            applied = isinstance(origin, Applied) and _fits(before, arrow)
            text += f" >> {cast(Applied, origin).step!r}" if applied else f" >> ({origin.shown()})"
        return text

    def parts(self, space: SomeSpace) -> tuple[Part, ...]:
        reaching = (space, *(cast(_Onward, before).output for before in self.arrows[:-1]))
        return tuple(map(Part, self.arrows, reaching))

    def links(self) -> tuple[Origin, ...]:
        return tuple(arrow.origin for arrow in self.arrows)


@final
@dataclass(frozen=True, slots=True)
class Called(Origin):
    """A combinator, called with an arrow, or with several that share their input space, and with options."""

    function: Callable[..., Arrow]
    arrows: Arrow | tuple[Arrow, ...]
    options: tuple[tuple[str, object], ...] = ()

    def rebuilt(self, space: SomeSpace, values: Values) -> Arrow:
        options = {name: bound(option, values) for name, option in self.options}
        if not isinstance(self.arrows, tuple):
            return self.function(self.arrows.origin.rebuilt(space, values), **options)
        again = {id(arrow): arrow for arrow in self.arrows}  # one that is used a thousand times is made once
        made = {key: arrow.origin.rebuilt(space, values) for key, arrow in again.items()}
        return self.function([made[id(arrow)] for arrow in self.arrows], **options)

    def shown(self) -> str:
        options = "".join(f", {name}={argument(option)}" for name, option in self.options)
        if not isinstance(self.arrows, tuple):
            return f"{self.function.__name__}({self.arrows.origin.shown()}{options})"
        return f"{self.function.__name__}([{', '.join(arrow.origin.shown() for arrow in self.arrows)}]{options})"

    def parts(self, space: SomeSpace) -> tuple[Part, ...]:
        arrows = self.arrows if isinstance(self.arrows, tuple) else (self.arrows,)
        return tuple([Part(arrow, space) for arrow in arrows])

    def releases(self) -> tuple[Arrow, ...] | None:
        return self.arrows if isinstance(self.arrows, tuple) else None


@final
@dataclass(frozen=True, slots=True)
class Derived(Origin):
    """A method called on an arrow: `measurement.then(f)`, `measurement.to(ZCDP)`."""

    arrow: Arrow
    method: str
    arguments: tuple[object, ...] = ()
    options: tuple[tuple[str, object], ...] = ()

    def rebuilt(self, space: SomeSpace, values: Values) -> Arrow:
        again = self.arrow.origin.rebuilt(space, values)
        options = {name: bound(option, values) for name, option in self.options}
        return cast(Arrow, getattr(again, self.method)(*self.arguments, **options))

    def shown(self) -> str:
        shown = [a.__name__ if isinstance(a, type) else repr(a) for a in self.arguments]
        shown += [f"{name}={argument(option)}" for name, option in self.options]
        return f"({self.arrow.origin.shown()}).{self.method}({', '.join(shown)})"

    def parts(self, space: SomeSpace) -> tuple[Part, ...]:
        return (Part(self.arrow, space),)

    def links(self) -> tuple[Origin, ...]:
        return self.arrow.origin.links() if self.method == "to" else (self,)


class _Onward(Arrow, Protocol):
    """A transformation, seen from here."""

    @property
    def output(self) -> SomeSpace: ...
    def __rshift__(self, arrow: Arrow, /) -> Arrow: ...


def _fits(before: Arrow, arrow: Arrow) -> bool:
    return cast(_Onward, before).output == arrow.input


class _Bindable(Protocol):
    def bind(self, values: Values) -> SomeSpace: ...
