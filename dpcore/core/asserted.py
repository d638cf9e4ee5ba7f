"""What users assert: maps of their own. They are evaluated like any other, and what no distance or loss can be is refused.

A certificate says what such a map promises as a table of the distances that were asked about. The map is a Python function,
of which an auditor sees a name and a digest. What it gave at a distance holds at every smaller one, since maps are monotone;
so a few rows of the table are all that a bound needs, and they are printed as an assumption. L2 distances and mu of Gaussian
privacy stand in it as their squares.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias, final

from dpcore.calculus import Asked, Assumes, Curve, Followed, Parameters, Raw, Witness, number_in
from dpcore.calculus.parameters import ROWS_OF_FIGURES, Data, Json, Kind, Parameter, Schema, fields, lower, upper
from dpcore.calculus.parameters.kind import a
from dpcore.core.origins import Placed, SomeSpace
from dpcore.core.steps import Values
from dpcore.domains import Domain
from dpcore.domains.reading import read_once
from dpcore.engines.doors import hand_out, receive
from dpcore.errors import DPError, InvalidParameter, MetricMismatch, NotCertifiable, UserFunctionFailed
from dpcore.functions import UserFunction, known_as, looked_at, user_function
from dpcore.maps import (
    PRECISION,
    ZERO,
    Number,
    Overlap,
    WithFractions,
    as_number,
    at_least,
    at_precision,
    ends,
    exact,
    is_number,
    is_rational,
    is_symbolic,
    known,
    numeral,
    without_fractions,
)
from dpcore.measures import GaussianDP, Measure, Tradeoff
from dpcore.metrics import ChangeOneDistance, Metric, SymmetricDistance
from dpcore.written import FUNCTION, described_step, named, table_in_words


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
        first = user_function(self.function)
        if self.replaced is None:
            return first
        replaced = user_function(self.replaced)
        digest = hashlib.sha256(f"{first.digest} {replaced.digest}".encode()).hexdigest()
        return known_as(first.function, f"{first.told} and {replaced.told}", digest)

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
        found = without_fractions(function(as_number(ends(x)[0] if is_rational(x) else WithFractions(x))))
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
        curve = claimed
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
    """The value of a user's function in the form in which arrows compute with it; refuses what is outside the domain.
    To be called within `reading`."""
    taken = looked_at(lambda: _taken(read_once(value, domain), domain))
    if taken is None:
        raise function.returned(value, "outside the domain it declared", domain)
    return taken[0]


def _taken(held: object, domain: Domain) -> tuple[object] | None:
    """A member as it is computed with, in a tuple, as null is a member of some domains."""
    return (receive(held, domain),) if domain.member(held) else None


Row: TypeAlias = tuple[Fraction, ...]
"""A distance, of a curve a point, and the figures promised there."""


@final
class ClaimedMapKind(Kind[ClaimedMap]):
    """A map that a user claims, by the name and digest of its function; read back, it cannot be asked."""

    def encode(self, value: object) -> Json:
        return FUNCTION.encode(a(ClaimedMap, value).both())

    def decode(self, written: Json) -> ClaimedMap:
        return ClaimedMap(FUNCTION.decode(written))

    def words(self, written: Json) -> str:
        return FUNCTION.words(written)

    def definition(self) -> Schema:
        return FUNCTION.definition()


Map: Final = Parameter("map", ClaimedMapKind(FUNCTION.name))


def _written(x: Number) -> Number:
    """The distance as it stands in the table: rounded up, where it is not rational and short."""
    return numeral(upper(x))


def _curve_as_written(raw: Raw, parameters: Parameters) -> Raw:
    """Of a trade-off curve, which a group asks again where it led, what the table will say of it."""
    if not isinstance(parameters.get("measure"), Tradeoff) or not callable(raw):
        return raw
    return lambda x: numeral(lower(at_precision(PRECISION, lambda: raw(x))))


def _promised(map: Callable[..., Raw], parameters: Parameters, asked: Sequence[Asked]) -> Followed:
    """The table of what the map gives at the distances that were asked about, and the map that reads it."""
    safe = lower if isinstance(parameters.get("measure"), Tradeoff) else upper
    rows = set[Row]()
    for each in asked:
        d = upper(each.d)
        for points, figures in _figures(_curve_as_written(map(numeral(d), **parameters), parameters), each):
            rows.add((d, *[_exactly(x) for x in points], *[safe(y) for y in figures]))
    table = tuple(sorted(rows))
    return table, _reader(table, parameters)


def _figures(raw: Raw, asked: Asked) -> list[tuple[list[Number], list[Number]]]:
    if callable(raw):
        return [([x], [raw(x)]) for x in asked.points]
    return [([], [*raw] if isinstance(raw, tuple) else [raw])]


def _exactly(x: Number) -> Fraction:
    if not is_rational(x):
        raise NotCertifiable("a curve that is claimed is asked for at a point that is no rational", produced=x)
    return ends(x)[0]


def _read_back(written: Json, parameters: Parameters) -> Callable[..., Raw]:
    return _reader([tuple([Fraction(known(x)) for x in row]) for row in ROWS_OF_FIGURES.decode(written)], parameters)


def _reader(table: Sequence[Row], parameters: Parameters) -> Callable[..., Raw]:
    """The map that the table is: the best of what is promised at that distance or a larger one."""
    measure = parameters.get("measure")

    def read(d: Number) -> Raw:
        rows = [row[1:] for row in table if row[0] >= ends(d)[1]]
        if not rows:
            raise NotCertifiable("nothing is promised at this distance", produced=d)
        if isinstance(measure, Measure) and measure.variable is not None:
            return _curve(rows, best=max if isinstance(measure, Tradeoff) else min)
        figures = [numeral(min(column)) for column in zip(*rows, strict=True)]
        return (figures[0], figures[1]) if len(figures) > 1 else figures[0]

    return read


def _curve(rows: Sequence[Row], best: Callable[[Sequence[Fraction]], Fraction]) -> Curve:
    def curve(x: Number) -> Number:
        found = [y for at, y in rows if at == ends(x)[0]]
        if not found:
            raise NotCertifiable("nothing is promised at this point of the curve", produced=x)
        return numeral(best(found))

    return curve


OfMeasurement: Final = Witness(
    Parameter("promised", ROWS_OF_FIGURES),
    _promised,
    last=True,
    heard=_written,
    told=_curve_as_written,
    read_back=_read_back,
)
OfTransformation: Final = OfMeasurement._replace(told=lambda raw, parameters: _written(number_in(raw)))
"""What comes after it is asked how far the table will say, not the map."""


def assumed(rule: str, of: Callable[[Data], str]) -> Assumes:
    """The word of the author: the table, of what `of` says."""

    def sentence(parameters: Data, witness: Data) -> Iterator[str]:
        function, map = named(parameters["function"]), named(parameters["map"])
        yield (
            f"{rule}: {function} by {map}: between data d apart (1 apart is: {described_step(parameters['source'])})"
            f" {of(parameters)} is 0 at d = 0, also to rows in another order, else at most (d, figures; L2 and mu as"
            f" squares): {table_in_words(fields(witness, 'promised')['promised'])}"
        )

    return sentence
