"""Every error dpcore raises: what was met, what was expected, the two pieces, and the bridge when one exists.

All of them are `DPError`s and carry `.left`, `.right`, `.produced`, `.expected` and `.bridge` (None where it does not
apply). No message ever contains a value of the data: rows are named by their index and field only.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import wraps
from inspect import signature
from typing import Final, ParamSpec, TypeGuard, TypeVar, cast


class Closed:
    """What is said to be final is final when it runs, too: what holds of a class need not hold of what is made of it."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for base in cls.__bases__:
            if "__final__" in vars(base):
                raise TypeError(f"no class is made of {base.__name__}, which is final")


class Given(Closed):
    """A metric or a measure: where one is asked for, its class does as well, if it has no parameters."""

    __slots__ = ()

    def __str__(self) -> str:
        """As it is written where it is asked for: the class, if it has no parameters."""
        return repr(self).removesuffix("()")


class DPError(Exception):
    """The base of all errors of dpcore."""

    def __init__(
        self,
        headline: str,
        *,
        left: object = None,
        right: object = None,
        produced: object = None,
        expected: object = None,
        bridge: str | None = None,
    ) -> None:
        super().__init__(headline)
        self.headline = headline
        self.left, self.right = left, right
        self.produced, self.expected = produced, expected
        self.bridge = bridge

    def add(self, remark: str) -> None:
        """Say something more, that was not known where the error was made."""
        self.headline = f"{self.headline}; {remark}"
        self.args = (self.headline,)

    def __str__(self) -> str:
        lines = [self.headline]
        pieces = (("left", self.left, "produces", self.produced), ("right", self.right, "expects", self.expected))
        for name, piece, verb, what in pieces:
            if piece is not None:
                shown = str(what) if isinstance(what, Given) else repr(what)
                met = "" if what is None else f"{verb:<9} {shown}"
                lines.append(f"  {name:<6} {_ending(repr(piece)):<36} {met}".rstrip())
        if self.bridge is not None:
            lines.append(f"  use    {self.bridge}")
        return "\n".join(lines)


class Interruption(BaseException):
    """A run is stopped from outside, to be run again: no fault of what is running, and not to be caught there."""


class Mismatch(DPError, TypeError):
    """Two pieces do not meet."""


class DomainMismatch(Mismatch):
    """The data that the left piece produces are not all accepted by the right one."""


class MetricMismatch(Mismatch):
    """The left piece measures distances in another way than the right one."""


class MeasureMismatch(Mismatch):
    """Two measurements count their losses in different measures."""


class InvalidParameter(DPError, ValueError):
    """A parameter that no mechanism can be built from."""


class InvalidExpression(InvalidParameter):
    """A row expression that does not fit the rows it is to read."""


class InvalidDistance(InvalidParameter):
    """A `d_in` that the input metric cannot take."""


class InvalidData(DPError, ValueError):
    """Data that are no member of the input domain: nothing was computed from them and nothing was released."""


class UserFunctionFailed(DPError, RuntimeError):
    """A function given by the user raised, or returned a value outside the domain it declared. No release was returned.

    What a function that chooses has been shown before counts as released; the message says so.
    """


class NoConversion(DPError, TypeError):
    """No rule leads from the one measure or metric to the other, for a reason that the message gives."""


class NoFiniteLoss(DPError, ValueError):
    """No finite loss can be promised, so none is stated."""


class Vacuous(DPError, ValueError):
    """A statement that would hold of anything: no two data sets are neighbours at that distance."""


class Undecided(DPError, ArithmeticError):
    """Two numbers were not told apart within the limit of precision; the safe answer is a refusal."""


class FreeSymbols(DPError, ValueError):
    """A symbol stands where a number is needed: bind it first."""


class NoDistribution(DPError, ValueError):
    """The distribution of a release cannot be written out: it is too wide, or a function draws coins of its own."""


class MissingExtra(DPError, ImportError):
    """A package that this part of dpcore needs is not installed. The bridge is the command that installs it."""


class BudgetExceeded(DPError, ValueError):
    """A measurement would cost more than the loss that was fixed beforehand. It was not run."""


class LedgerRefused(DPError, ValueError):
    """A ledger is not the one that was asked for, or not as it was left: of another space, edited, a copy."""


class LedgerUnavailable(DPError, OSError):
    """A ledger cannot be read or written now. What was not said to be charged is not to be answered."""


class NotCertifiable(DPError, ValueError):
    """The measurement is sound as far as dpcore knows, but no certificate can say so."""


LONGEST = 100
"""How much of one step is printed."""


def _ending(text: str, width: int = 36) -> str:
    """The end of a long pipeline, which is where it fails to chain."""
    steps = text.split(" >> ")
    whole = len(steps)
    while len(steps) > 1 and len(" >> ".join(["...", *steps])) > width:
        steps = steps[1:]
    shown = " >> ".join(steps)
    if len(shown) > LONGEST:
        shown = f"{shown[:LONGEST]}...)"
    return shown if len(steps) == whole else f"... >> {shown}"


_QUANTILE: Final = "quantile_scores(candidates, level) >> permute_and_flip(scale), which releases an index"

HINTS: Final = {
    "Session": "curator(space, data, budget=...)",
    "col": "field(name)",
    "count_distinct": "bound_contributions(1) >> count() for persons, histogram(...) for values that are known",
    "group_by": "partition(by=field(name)) >> parallel(measurement), or histogram(field(name))",
    "join": "when(...).then(...).otherwise(...) in select(...), or row_map(f, domain) with a public table in f",
    "mean": "sum() and count(), each with its noise, then .then(lambda r: r[0] / max(1, r[1]))",
    "median": _QUANTILE,
    "quantile": _QUANTILE,
    "read_csv": "polars.scan_csv(path), pandas.read_csv(path) or duckdb.read_csv(path): release(...) takes what they give",
    "read_parquet": "polars.scan_parquet(path), or duckdb.read_parquet(path): release(...) takes what they give",
    "suggest_record": "record.suggest(frame), which is printed",
    "variance": "sum() of select(row() * row()), sum() and count(), each with its noise, then .then(...)",
}


def not_found(name: str) -> AttributeError:
    """The refusal of a name, with what to use where that is known."""
    said = f"module 'dpcore' has no attribute {name!r}"
    return AttributeError(f"{said}\n  use    {HINTS[name]}" if name in HINTS else said)


P = ParamSpec("P")
R = TypeVar("R")


def is_a(x: object, kind: type[object]) -> bool:
    """`isinstance` for what types promise and a caller without a type checker may break."""
    return isinstance(x, kind)


def all_are(xs: Sequence[object], kind: type[R]) -> TypeGuard[Sequence[R]]:
    """Whether there are some, and each is of this very type: no subclass, so that True is no int."""
    return set(map(type, xs)) == {kind}


def made(x: R | type[R]) -> R:
    """What was given as a class, where it has no parameters, as the value that it makes; anything else as it is.

    A base class, of which there are no values, is left for the caller to refuse.
    """
    if not isinstance(x, type):
        return x
    if not getattr(x, "__final__", False):
        return cast(R, x)
    needed = [p.name for p in signature(x).parameters.values() if p.default is p.empty]
    if needed:
        called = f"{x.__name__}({', '.join(needed)})"
        raise InvalidParameter(f"{x.__name__} has parameters", produced=x.__name__, bridge=called)
    return x()


def class_of(x: object, among: Collection[type[R]], name: str) -> type[R]:
    """The class of what was given as a class or as a value, which must be one of these."""
    found = x if isinstance(x, type) else type(x)
    for each in among:
        if each is found:
            return each
    *first, last = [each.__name__ for each in among]
    met = x.__name__ if isinstance(x, type) else repr(x)
    raise InvalidParameter(f"Expected {', '.join(first)} or {last} but got {name}={met}", produced=x)


def looked_at(look: Callable[[], R]) -> R | None:
    """What is seen of a value of somebody else's type; None where it fails to be looked at, for whatever reason."""
    try:
        return look()
    except (KeyboardInterrupt, Interruption):
        raise
    except BaseException:
        return None


def printed(x: object) -> str:
    """As it prints itself; its type alone where it does not: Python prints no number of more than 4,300 digits."""
    try:
        return repr(x)
    except Exception:
        return f"<{type(x).__name__}>"


def is_callable(x: object) -> TypeGuard[Callable[..., object]]:
    return callable(x)


def a_list(x: object, name: str) -> None:
    """Refuse what is no list, or an empty one, where a caller without a type checker may hand over anything."""
    if isinstance(x, (str, bytes)) or not isinstance(x, Sequence):
        raise InvalidParameter(f"Expected a list for {name} but got a {type(x).__name__}", produced=x)
    if not x:
        raise InvalidParameter(f"Expected at least one entry for {name} but got none", produced=x)


def refuses(rows: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Say what to use where a constructor is given by position what it is of, as others take it.

    Types refuse such a call where it stands; this is for whoever has no type checker.
    """

    def decorate(constructor: Callable[P, R]) -> Callable[P, R]:
        word = constructor.__name__

        @wraps(constructor)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            if args:
                met = type(args[0]).__name__
                raise InvalidParameter(f"{word} is not told of what, but got a {met}", produced=met, bridge=rows)
            return constructor(*args, **kwargs)

        return checked

    return decorate
