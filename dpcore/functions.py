"""A function that the user wrote: accepted where an expression goes, and carried as what it is, an assumption.

Nobody can look inside it, so it is known by its name and by a digest of its code and of the values it holds
(`dpcore.digests`). The same text with the same values gives the same digest on the same Python; two functions that differ
in what they call by a name of their module, or in another language, have one digest, and so have two that hold objects
whose state cannot be read, which is said beside their names. What it raises and
what it returns are kept from view: an exception that depends on a row would be a release.

While it is given data it may not release, nor ask, begin or append to anything that answers about data, its own or others:
how often it did, and with what, would depend on rows that no loss accounts for. A mechanism of the user's own is made of
releases, so it may release, and ask what it began itself. That is seen in the thread that the function is run in; what it
does in another thread or process is its author's word, like all else of it.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, TypeAlias, TypeGuard, TypeVar, final

from dpcore.errors import DPError, Interruption, InvalidParameter, UserFunctionFailed, is_callable, looked_at
from dpcore.kinds import is_everybodys, kind_of, place_of

__all__ = [
    "Condition",
    "RowFunction",
    "UserFunction",
    "Written",
    "digest_of",
    "guarded",
    "is_hashable",
    "known_as",
    "looked_at",
    "reading",
    "user_function",
]

# Types cannot say what a row of a given domain is to a function that is written apart from it; the domain says it.
RowFunction: TypeAlias = Callable[[Any], object]
Condition: TypeAlias = Callable[[Any], bool]

T = TypeVar("T")

FEW: Final = 3
"""So many types of what is not known are named."""

ASKS: Final = "a function that is given data may not ask a curator"
APPENDS: Final = "a function that is given data may not append rows to any"
BEGINS: Final = "a function that is given data may not begin what answers about data"
RELEASES: Final = "a function that is given data may not release"
MEDDLING: Final = frozenset({ASKS, APPENDS, BEGINS, RELEASES})
"""Refusals that tell nothing of a row, and are seen where a function ran into them."""

DATA: Final = object()


class _Here(threading.local):
    """What is run in this thread: nothing of the user's, a function of his that is given data, or a mechanism."""

    within: object = None


HERE: Final = _Here()


def running() -> object:
    """What of the user's is run in this thread, and is given data."""
    return HERE.within


def expect_no_data(refusal: str, begun: object = DATA) -> None:
    """Refuse what a function does that is given data. A mechanism of the user's own may, or with what `begun` in it."""
    within = HERE.within
    if within is DATA or (within is not None and begun is not DATA and within is not begun):
        raise InvalidParameter(refusal, bridge="a function of the row alone; questions before or after it, not within")


@final
@dataclass(frozen=True, slots=True, eq=False)
class UserFunction:
    """A Python callable with its name and digest. Equal to another of the same callable."""

    function: Callable[[object], object]
    name: str
    digest: str
    unknown: tuple[str, ...] = ()
    """The types of what it holds and its digest knows nothing of."""

    is_ours: bool = field(init=False, default=False, repr=False)
    """Whether dpcore says by what it is known. Of one that somebody made, name and digest are somebody's claim."""

    def __init_subclass__(cls) -> None:
        raise TypeError("UserFunction has no subclasses: what it guards would run unguarded")

    @property
    def told(self) -> str:
        """The name, with what is not known, as certificates have it."""
        if not self.unknown:
            return self.name
        *first, last = map(_with_article, self.unknown[:FEW])
        more = f"{', '.join([*first, last])} and more" if len(self.unknown) > FEW else " and ".join([*first, last])
        return f"{self.name}, with {more} not known"

    def __eq__(self, other: object) -> bool:
        """The same callable. What a callable says of its own equality decides nothing."""
        return isinstance(other, UserFunction) and self.function is other.function

    def __hash__(self) -> int:
        return id(self.function)

    def __repr__(self) -> str:
        return self.name

    def __call__(self, x: object) -> object:
        return guarded(self.function, self, x, end=NOTHING)

    def of_release(self, x: object) -> object:
        """What it makes of a release, which is no data: it may ask, and release, what it likes."""
        return guarded(self.function, self, x, end=NOTHING, within=HERE.within)

    def as_mechanism(self, x: object) -> object:
        """What it releases of data, as a mechanism of the user's own."""
        return guarded(self.function, self, x, end=NOTHING, within=object())

    def guarded(self, run: Callable[[], T]) -> T:
        """What the function does, also later, as a generator; whatever it raises, its kind alone is said."""
        return guarded(run, self, end=NOTHING)

    def returned(self, value: object, what: str, expected: object = None) -> UserFunctionFailed:
        """The refusal of what it returned, of which no more is said than the kind."""
        return UserFunctionFailed(
            f"the function {self.name} returned {a_kind_of(value)} {what}; no release was returned",
            left=self,
            expected=expected,
        )

    def truth(self, x: object) -> bool:
        """The value of a condition, which must be a truth value; to be asked for within `reading`."""
        value = self(x)
        if value is True or value is False:
            return value
        import numpy as np

        if type(value) is not np.bool_:
            raise UserFunctionFailed(
                f"Expected the condition {self.name} to give a truth value but got {a_kind_of(value)}; "
                "no release was returned",
                left=self,
            )
        return bool(value)


NOTHING: Final = "; no release was returned"


class Written(ABC):
    """A function of a release that dpcore gives out, such as an estimator: known by how it is written."""

    __slots__ = ()

    @abstractmethod
    def __call__(self, released: Any, /) -> object: ...  # what is released is another type for each

    @abstractmethod
    def on(self, arrow: object, /) -> Written:
        """Itself after this measurement; refused where it is made for other releases."""


def user_function(function: object, name: str = "function", bridge: str | None = None) -> UserFunction:
    """Wrap a callable; refuse anything else by name, and with what to use."""
    if isinstance(function, UserFunction):
        return function if function.is_ours else user_function(function.function, name, bridge)
    if isinstance(function, Written) and _is_of_dpcore(function):
        return _written(function, repr(function))
    if not is_callable(function):
        met = type(function).__name__
        raise InvalidParameter(f"Expected a function for {name} but got a {met}", produced=function, bridge=bridge)
    shown = str(looked_at(lambda: getattr(function, "__qualname__", None)) or type(function).__qualname__)
    from dpcore import digests

    return known_as(function, shown, *digests.known_by(function))


def known_as(function: Callable[[Any], object], name: str, digest: str, unknown: tuple[str, ...] = ()) -> UserFunction:
    """A function that is known by what dpcore says, which knows more of it than its code tells."""
    made = UserFunction(function, name, digest, unknown)
    object.__setattr__(made, "is_ours", True)
    return made


def _is_of_dpcore(x: object) -> bool:
    """Whether its class is found in dpcore, whatever it says of where it was written."""
    return is_everybodys(type(x)) and place_of(x).startswith("dpcore.")


def digest_of(function: object) -> str:
    """64 hexadecimal digits. What finds them is loaded with the first function of a user."""
    from dpcore import digests

    return digests.digest_of(function)


@lru_cache(maxsize=1 << 10)
def _written(function: Written, text: str) -> UserFunction:
    """Those that are written alike become one object, so that what was made of them is equal too. 1 is not True."""
    return known_as(function, text, digest_of(text))


def is_hashable(x: object) -> TypeGuard[Hashable]:
    """Whether it can be put into a set: a tuple cannot that holds a list, whatever its type says."""
    return looked_at(lambda: hash(x)) is not None


def guarded(
    run: Callable[..., T],
    left: object,
    *given: object,
    what: str = "the function {}",
    end: str = "",
    within: object = DATA,
) -> T:
    """What somebody else's code gives. Of what it raises nobody sees more than the kind: the rest may hold data."""
    before, HERE.within = HERE.within, within
    try:
        return run(*given)
    except (KeyboardInterrupt, Interruption):
        raise
    except BaseException as error:  # also SystemExit, which carries a value out
        kind = _kind(error)
    finally:
        HERE.within = before
    # Outside the handler, so that the exception, which may hold data, is not carried along as the context.
    raise UserFunctionFailed(f"{what.format(left)} raised {kind}{end}", left=left)


def reading(run: Callable[[], T]) -> T:
    """What is made of what functions of the user returned for data. An object of a class of theirs runs code of theirs when
    it is looked at, and when nobody holds it any more, so that all of it is done in here."""
    before, HERE.within = HERE.within, DATA
    try:
        return run()
    except DPError as error:
        error.__traceback__ = None  # whose frames would hold it longer
        raise
    finally:
        HERE.within = before


def a_kind_of(value: object) -> str:
    """The kind of what was returned, with its article."""
    return _with_article(kind_of(value))


def _with_article(kind: str) -> str:
    return f"{'an' if kind[:1] in 'AEIOUaeio' else 'a'} {kind}"


def _kind(error: BaseException) -> str:
    """The kind of what was raised; and the words, of a refusal that always has the same ones. Both may be made up."""
    kind = kind_of(error)
    said: object = error.headline if type(error) is InvalidParameter else None
    return f"{kind}, as {said}" if type(said) is str and said in MEDDLING else kind
