"""What every domain is: a set that decides membership and inclusion, and says where a value is no member.

numpy is imported by the functions that may meet what is its own: with data, and not for whoever only asks for a loss.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Final, Literal, NoReturn, Protocol, TypeAlias, TypeVar

from dpcore.domains.bridges import bridge_for
from dpcore.domains.frames import Frame, Streamed
from dpcore.errors import Closed, InvalidData, InvalidParameter
from dpcore.maps import Exact, argument

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T_co = TypeVar("T_co", covariant=True)


class Takes(Protocol[T_co]):
    """What Python type a domain's members may be given in. For type checkers only."""

    def _takes(self) -> T_co: ...


class Gives(Protocol[T_co]):
    """What Python type a domain's members are computed in. For type checkers only."""

    def _gives(self) -> T_co: ...


def phantom() -> NoReturn:
    raise TypeError("this method only speaks to type checkers")


class Of(Protocol[T_co]):
    @property
    def of(self) -> T_co: ...


class Domain(Closed):
    """A set of values."""

    __slots__ = ()

    @abstractmethod
    def offence(self, x: object) -> str | None:
        """None for a member; otherwise the place inside `x` that is none, "" for `x` itself."""

    @abstractmethod
    def includes(self, other: Domain) -> bool:
        """Whether every member of `other` is a member of this domain."""

    def member(self, x: object) -> bool:
        return self.offence(x) is None

    def check(self, x: object, what: str = "the data") -> None:
        """Refuse what is no member, naming the place and the type, never the value."""
        place = self.offence(x)
        if place is not None:
            raise InvalidData(
                f"{what} are not in the input domain{': ' + place if place else ''}",
                expected=self,
                bridge=bridge_for(place),
            )

    def canonical(self, x: object) -> object:
        """A member in the one form that is computed with."""
        return x

    def given_out(self, x: object) -> object:
        """A member in canonical form as it is handed to whoever asked for it: a category as it was typed."""
        return x

    def gives_as_it_holds(self) -> bool:
        """Whether all members are handed out in canonical form."""
        return all(domain.gives_as_it_holds() for domain in self.inner())

    def elements(self) -> tuple[Hashable, ...] | None:
        """All members, in order, where they are few and known."""
        return None

    def types(self) -> frozenset[type]:
        """The Python types that proper members are computed in; `object` where they are more than one value each."""
        return frozenset({object})

    def inner(self) -> tuple[Domain, ...]:
        """The domains that it is made of."""
        return ()

    def symbols(self) -> frozenset[str]:
        return frozenset().union(*(domain.symbols() for domain in self.inner()))

    def bind(self, values: dict[str, Exact]) -> Domain:
        """The domain with numbers in the place of symbols."""
        return self


FEW = 10_000
"""How many elements a domain may have to be listed without being asked."""


Real: TypeAlias = int | float | Fraction | Decimal
"""A number as data hold it. A float is read as its shortest decimal."""


Array: TypeAlias = "NDArray[np.generic]"


IntArray: TypeAlias = "NDArray[np.int64] | NDArray[np.object_]"
"""Whole numbers as numpy holds them: of 64 bits, or as Python integers where one of them is larger."""


Columns: TypeAlias = "Array | Mapping[str, Array | Streamed | Sequence[object]] | Frame"
"""Rows as columns: one for single values, one a field for records; or a table of another library."""


Norm: TypeAlias = Literal["L1", "L2", "LInf"]

NORMS: Final[tuple[Norm, ...]] = ("L1", "L2", "LInf")


class Normed:
    """A metric of vectors, such as L2Distance."""

    __slots__ = ()
    norm: ClassVar[Norm]


def join(place: str, inner: str) -> str:
    return f"{place}, {inner}" if inner else place


def expected_a(expected: str, x: object) -> str:
    return f"expected {expected} but got a {type(x).__name__}"


def a_domain(x: object, name: str) -> Domain:
    if not isinstance(x, Domain):
        raise InvalidParameter(f"Expected a domain for {name} but got a {type(x).__name__}", produced=x)
    return x


def as_call(name: str, *values: object) -> str:
    kept = list(values)
    while kept and kept[-1] is None:
        kept.pop()
    return f"{name}({', '.join(map(argument, kept))})"
