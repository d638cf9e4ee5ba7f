"""Steps: what a constructor such as `clamp(0, 120)` returns. A value, called with a space to make the arrow out of it.

A step checks its parameters in `__post_init__`, not in its constructor alone: a symbol that is bound makes the step again
without the constructor, and a number that it would refuse must be refused there too. `tests/laws/test_binding.py` tries.
What depends on the space is checked when the step is called with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, fields, replace
from typing import TYPE_CHECKING, ClassVar, NoReturn, TypeAlias

from dpcore.calculus import free_in
from dpcore.domains import Domain
from dpcore.errors import Closed, InvalidParameter
from dpcore.maps import Exact, argument, is_formula, substitute

if TYPE_CHECKING:
    from typing import Self

Values: TypeAlias = Mapping[str, Exact]


class Step(Closed):
    """A frozen dataclass whose fields are what was typed. It prints as the call that makes it."""

    __slots__ = ()

    __dataclass_fields__: ClassVar[dict[str, Field[object]]]
    __match_args__: ClassVar[tuple[str, ...]]

    word: ClassVar[str]
    """The constructor's name."""

    positional: ClassVar[int] = 0
    """How many of the fields are printed without their names."""

    defaults: ClassVar[Mapping[str, object]] = {}
    """What need not be printed, since the constructor assumes it."""

    def bind(self, values: Values) -> Self:
        """The same step with numbers in the place of symbols; its checks are made again."""
        new = {f.name: bound(getattr(self, f.name), values) for f in fields(self)}
        return replace(self, **new)

    if not TYPE_CHECKING:

        def __rshift__(self, other: object) -> NoReturn:
            raise InvalidParameter(
                "a pipeline starts with a space, not with a step", left=self, bridge=f"rows(...) >> {self!r} >> ..."
            )

    def symbols(self) -> frozenset[str]:
        """The names of the symbols that are free in it."""
        return free_in([getattr(self, name) for name in self.__match_args__])

    def printed(self, value: object) -> str:
        """A field's value as the code that is typed for it: of several, a list."""
        return f"[{', '.join(map(self.printed, value))}]" if isinstance(value, tuple) else argument(value)

    def __repr__(self) -> str:
        shown = []
        for i, f in enumerate(fields(self)):
            value = getattr(self, f.name)
            if f.name not in self.defaults or value != self.defaults[f.name]:
                text = value.__name__ if isinstance(value, type) else self.printed(value)
                shown.append(text if i < self.positional else f"{f.name}={text}")
        return f"{self.word}({', '.join(shown)})"


def bound(option: object, values: Values) -> object:
    """A parameter with numbers in the place of symbols."""
    if is_formula(option):
        return substitute(option, dict(values))
    if isinstance(option, (Domain, Step)):
        return option.bind(dict(values))
    if isinstance(option, tuple):
        return tuple(bound(x, values) for x in option)
    return option
