"""Maps that a user claims. They are evaluated like any other, and what no distance or loss can be is refused."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast, final

from dpcore.derivation import Curve, Raw
from dpcore.domains import Domain, Parts, Rows
from dpcore.engines import hand_out, table
from dpcore.errors import DPError, InvalidParameter, MetricMismatch, UserFunctionFailed
from dpcore.functions import UserFunction, looked_at
from dpcore.maps import (
    ZERO,
    Number,
    Overlap,
    WithFractions,
    at_least,
    ends,
    exact,
    is_number,
    is_rational,
    is_symbolic,
    numeral,
    without_fractions,
)
from dpcore.measures import GaussianDP, Measure
from dpcore.metrics import ChangeOneDistance, Metric, SymmetricDistance
from dpcore.origins import Placed, SomeSpace
from dpcore.steps import Values


@final
@dataclass(frozen=True, slots=True, repr=False)
class ClaimedMap(Placed):
    """A function from distances to distances or losses, on numbers of any kind; a second one for rows that are replaced."""

    function: UserFunction
    replaced: UserFunction | None = None

    def __repr__(self) -> str:
        return repr(self.function)

    def __call__(self, d: Number) -> object:
        return self.asked(self.function.function, d)

    def moved(self, before: SomeSpace, space: SomeSpace, values: Values) -> ClaimedMap:
        """A claim is about the metric it was made for: refuse to carry it over to another."""
        mine, other = before.metric, space.metric
        both = self.replaced is not None and all(
            isinstance(m, (SymmetricDistance, ChangeOneDistance)) for m in (mine, other)
        )
        if mine != other and not both:
            raise MetricMismatch(f"{self!r} was claimed under another metric", left=self, produced=mine, expected=other)
        return self

    def under(self, metric: Metric) -> ClaimedMap:
        """The map that was claimed under this metric."""
        of_replaced = self.replaced is not None and isinstance(metric, ChangeOneDistance)
        return ClaimedMap(self.replaced) if of_replaced and self.replaced is not None else self

    def both(self) -> UserFunction:
        """By what a certificate knows it: one name and digest of all that was claimed, whichever of it is asked."""
        if self.replaced is None:
            return self.function
        digest = hashlib.sha256(f"{self.function.digest} {self.replaced.digest}".encode()).hexdigest()
        return UserFunction(self.function.function, f"{self.function.name} and {self.replaced.name}", digest)

    def asked(self, function: Callable[[Number], object], x: Number) -> object:
        """The map, or the curve that it gave, at a number."""
        try:
            return _on_plain(function, x)
        except (DPError, Overlap):
            raise
        except Exception as error:
            # Distances are no data, so what went wrong may be seen.
            raise UserFunctionFailed(f"the map {self!r} raised {type(error).__name__}", left=self) from error


def _on_plain(function: Callable[[Number], object], x: Number) -> object:
    """The function on the number; where it computes with numbers that do not know ours, on one that knows fractions."""
    try:
        return without_fractions(function(x))
    except TypeError:
        if is_symbolic(x):
            raise
        found = without_fractions(function(cast(Number, ends(x)[0] if is_rational(x) else WithFractions(x))))
        if isinstance(found, float):
            raise InvalidParameter(
                "the map computes with floats: write d / 2 or Fraction(1, 2) * d, not 0.5 * d"
            ) from None
        return found


def checked(map: ClaimedMap, d: Number) -> Number:
    """The claimed number at d; refuses what is negative or no number."""
    return _number(map, map(d), d)


def checked_raw(map: ClaimedMap, d: Number, measure: Measure) -> Raw:
    """The claimed loss at d in the form in which the measure carries it."""
    claimed = map(d)
    if measure.variable is not None:
        if not callable(claimed):
            raise InvalidParameter(f"Expected {map!r} to give a function of {measure.variable}", left=map)
        curve = cast("Callable[[Number], object]", claimed)
        made: Curve = lambda at: _number(map, map.asked(curve, at), at)  # noqa: E731
        return made
    if len(measure.figures) == 2:
        if not isinstance(claimed, tuple) or len(claimed) != 2:
            raise InvalidParameter(f"Expected {map!r} to give a pair ({', '.join(measure.figures)})", left=map)
        return _number(map, claimed[0], d), _number(map, claimed[1], d)
    value = _number(map, claimed, d)
    return value * value if isinstance(measure, GaussianDP) else value


def _number(map: ClaimedMap, value: object, d: Number) -> Number:
    found = value if is_number(value) else numeral(exact(value, f"the value of {map!r}"))
    if is_symbolic(found) and not is_symbolic(d):
        raise InvalidParameter(f"Expected {map!r} to give a number but got a formula", left=map)
    if not is_symbolic(found) and not at_least(found, ZERO):
        raise InvalidParameter(f"Expected {map!r} to give at least 0 but got a negative number", left=map)
    return found


def plain(data: object) -> object:
    """Data as a user's function is given them: rows as a list, never the library's own table."""
    return hand_out(data)


def inside(value: object, domain: Domain, function: UserFunction) -> object:
    """The value of a user's function in the form in which arrows compute with it; refuses what is outside the domain."""
    if looked_at(lambda: domain.member(value)) is not True:
        raise function.returned(value, "outside the domain it declared", domain)
    return function.guarded(lambda: _taken(value, domain))


def _taken(value: object, domain: Domain) -> object:
    if isinstance(domain, Rows):
        return table(value, domain)
    if isinstance(domain, Parts):
        parts = cast("dict[object, object]", value)
        return {key: table(parts[key], Rows(domain.of)) for key in domain.keys}
    return domain.canonical(value)
