"""The constructors of domains. They check what was typed; the classes hold it."""

from __future__ import annotations

import datetime
import warnings
from collections.abc import Hashable, Sequence
from typing import TypeVar, overload

from dpcore.domains.domain import NORMS, Domain, Norm, Normed, a_domain
from dpcore.domains.structures import Graphs, Optional, Vector
from dpcore.domains.typed import plainly
from dpcore.domains.values import Booleans, Categories, Dates, Integers, Numbers, Text
from dpcore.errors import InvalidParameter, printed
from dpcore.maps import Numeric, exact, integer, is_formula

D = TypeVar("D", bound="Domain")
H = TypeVar("H", bound=Hashable)


def filled_in(**given: object) -> None:
    """Refuse what `record.suggest` left open, and nobody has filled in."""
    for name, value in given.items():
        if value is ...:
            raise InvalidParameter(
                f"Expected {name} but got `...`, to be filled in from what is known beforehand: from the data, it would not "
                "be private"
            )


def integers(low: Numeric | None = None, high: Numeric | None = None) -> Integers:
    """Whole numbers, `integers(0, 120)`; a missing bound is no bound."""
    filled_in(low=low, high=high)
    return Integers(None if low is None else integer(low, "low"), None if high is None else integer(high, "high"))


def numbers(low: Numeric | None = None, high: Numeric | None = None, step: Numeric | None = None) -> Numbers:
    """Numbers on a grid, `numbers(0, 10, "0.01")`. Without a step: any finite numbers, to be rounded before a sum."""
    filled_in(low=low, high=high, step=step)
    return Numbers(
        None if low is None else exact(low, "low"),
        None if high is None else exact(high, "high"),
        None if step is None else exact(step, "step"),
    )


def booleans() -> Booleans:
    """True and False."""
    return Booleans()


@overload
def categories(values: list[H], /) -> Categories[H]: ...
@overload
def categories(*values: H) -> Categories[H]: ...
def categories(*values: object) -> object:
    """A few values that are known beforehand, `categories("N", "E", "S", "W")` or `categories(["N", "E", "S", "W"])`."""
    # A tuple may be a category itself.
    given = values if values and isinstance(values[0], tuple) else listed(values)
    filled_in(categories=... if any(value is ... for value in given) else None)
    return Categories(tuple(map(plainly, given)))


def listed(values: Sequence[object]) -> Sequence[object]:
    """What was given one by one, or as one list or array."""
    if len(values) == 1 and isinstance(values[0], (list, tuple, range)):
        return values[0]
    import numpy as np

    if len(values) == 1 and isinstance(values[0], np.ndarray) and values[0].ndim == 1:
        entries: list[object] = values[0].tolist()
        return entries
    return values


def a_text(x: object) -> bool:
    return isinstance(x, str)


def text() -> Text:
    """Any text."""
    return Text()


def date(low: str | datetime.date | None = None, high: str | datetime.date | None = None) -> Dates:
    """Days, `date("2020-01-01", "2020-12-31")`; a missing bound is no bound."""
    filled_in(low=low, high=high)
    first, last = _day(low, "low"), _day(high, "high")
    if first is not None and last is not None and first > last:
        raise InvalidParameter(f"Expected low <= high but got low={first}, high={last}")
    return Dates(first, last)


def _day(x: str | datetime.date | None, name: str) -> datetime.date | None:
    if x is None or type(x) is datetime.date:
        return x
    try:
        return datetime.date.fromisoformat(str(x))
    except ValueError:
        raise InvalidParameter(f"Expected a date such as '2020-01-31' but got {name}={x!r}", produced=x) from None


def optional(domain: D) -> Optional[D]:
    """A member of the domain, or None."""
    a_domain(domain, "domain")
    if isinstance(domain, Optional):
        raise InvalidParameter("a domain that is optional already cannot be made so again", produced=domain)
    if domain.member(None):
        raise InvalidParameter("a domain that holds None cannot be made optional", produced=domain)
    return Optional(domain)


def vector(
    domain: D, size: int, norm: Normed | type[Normed] | Norm | None = None, bound: Numeric | None = None
) -> Vector[D]:
    """Vectors of a size, `vector(integers(), 3)`; of bounded norm, `vector(integers(), 3, L2Distance, 10)`."""
    a_domain(domain, "domain")
    length = integer(size, "size")
    if is_formula(length) or length < 1:
        raise InvalidParameter(f"Expected a size of at least 1 but got size={printed(size)}", produced=size)
    if (norm is None) != (bound is None):
        raise InvalidParameter("Expected norm and bound together but got only one of them", produced=(norm, bound))
    if norm is None or bound is None:
        return Vector(domain, length)
    return Vector(domain, length, _norm(norm), exact(bound, "bound"))


def _norm(given: object) -> Norm:
    """The norm that L2Distance measures; RangeDistance measures none."""
    kind = given if isinstance(given, type) else type(given)
    for norm in NORMS:
        if a_text(given) and given == norm:
            said = f"norm={norm!r} is now norm={norm}Distance; texts go with the next release"
            warnings.warn(said, DeprecationWarning, 3)
            return norm
        if kind.__name__ == f"{norm}Distance" and issubclass(kind, Normed):
            return norm
    raise InvalidParameter(
        f"Expected L1Distance, L2Distance or LInfDistance but got norm={printed(given)}", produced=given
    )


def graphs(nodes: int) -> Graphs:
    """Undirected graphs on so many nodes."""
    n = integer(nodes, "nodes")
    if is_formula(n) or n < 1:
        raise InvalidParameter(f"Expected at least one node but got nodes={printed(nodes)}", produced=nodes)
    return Graphs(n)
