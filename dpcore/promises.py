"""What a user's own map promises, as a certificate can say it: a table of the distances that were asked about.

The map is a Python function, of which an auditor sees a name and a digest. What it gave at a distance holds at every
smaller one, since maps are monotone; so a few rows of the table are all that a bound needs, and they are printed as an
assumption. L2 distances and mu of Gaussian privacy stand in it as their squares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Final, TypeAlias, cast, final

from dpcore.claims import ClaimedMap
from dpcore.derivation import Asked, Assumes, Curve, Followed, Parameters, Raw, Witness
from dpcore.errors import NotCertifiable
from dpcore.maps import Number, ends, is_rational, known, numeral
from dpcore.measures import Measure, Tradeoff
from dpcore.parameters import ROWS_OF_FIGURES, Data, Json, Kind, Parameter, Schema, fields, lower, upper
from dpcore.parameters.kind import a
from dpcore.written import FUNCTION, described_step, named, table_in_words

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


def _promised(map: Callable[..., Raw], parameters: Parameters, asked: Sequence[Asked]) -> Followed:
    """The table of what the map gives at the distances that were asked about, and the map that reads it."""
    safe = lower if isinstance(parameters.get("measure"), Tradeoff) else upper
    rows = set[Row]()
    for each in asked:
        d = upper(each.d)
        for points, figures in _figures(map(numeral(d), **parameters), each):
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
        return cast(Raw, tuple(figures) if len(figures) > 1 else figures[0])

    return read


def _curve(rows: Sequence[Row], best: Callable[[Sequence[Fraction]], Fraction]) -> Curve:
    def curve(x: Number) -> Number:
        found = [y for at, y in rows if at == ends(x)[0]]
        if not found:
            raise NotCertifiable("nothing is promised at this point of the curve", produced=x)
        return numeral(best(found))

    return curve


OfMeasurement: Final = Witness(
    Parameter("promised", ROWS_OF_FIGURES), _promised, last=True, heard=_written, read_back=_read_back
)
OfTransformation: Final = OfMeasurement._replace(told=lambda raw: _written(cast(Number, raw)))
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
