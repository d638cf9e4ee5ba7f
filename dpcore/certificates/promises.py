"""What a user's own map promises, as a certificate can say it: a table of the distances that were asked about.

The map is a Python function, of which an auditor sees a name and a digest. What it gave at a distance holds at every
smaller one, since maps are monotone; so a few rows of the table are all that a bound needs, and they are printed as an
assumption. L2 distances and mu of Gaussian privacy stand in it as their squares.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeAlias, cast

from dpcore.certificates.encoding import number
from dpcore.certificates.refusals import NotCertifiable
from dpcore.certificates.rounding import lower, upper
from dpcore.certificates.searches import Asked, Found
from dpcore.derivation import Curve, Derivation, Raw
from dpcore.maps import Number, ends, is_rational, numeral
from dpcore.measures import Measure, Tradeoff

Row: TypeAlias = tuple[Fraction, ...]
"""A distance, of a curve a point, and the figures promised there."""


def written(x: Number) -> Number:
    """The distance as it stands in the table: rounded up, where it is not rational and short."""
    return numeral(upper(x))


def promised(derivation: Derivation, asked: list[Asked]) -> Found:
    """The table of what the map gives at the distances that were asked about, and the map that reads it."""
    measure = cast("Measure | None", derivation.parameters.get("measure"))
    safe = lower if isinstance(measure, Tradeoff) else upper
    reading, rows = derivation.numbers(), set[Row]()
    for each in asked:
        d = upper(each.d)
        rows |= {
            (d, *map(_exactly, points), *map(safe, figures)) for points, figures in _figures(reading(numeral(d)), each)
        }
    table = sorted(rows)
    return {"promised": [[number(x) for x in row] for row in table]}, reader(table, measure)


def _figures(raw: Raw, asked: Asked) -> list[tuple[list[Number], list[Number]]]:
    if callable(raw):
        return [([x], [raw(x)]) for x in asked.points]
    return [([], [*raw] if isinstance(raw, tuple) else [raw])]


def _exactly(x: Number) -> Fraction:
    if not is_rational(x):
        raise NotCertifiable("a curve that is claimed is asked for at a point that is no rational", produced=x)
    return ends(x)[0]


def reader(table: Sequence[Row], measure: Measure | None) -> Callable[..., Raw]:
    """The map that the table is: the best of what is promised at that distance or a larger one."""

    def read(d: Number) -> Raw:
        rows = [row[1:] for row in table if row[0] >= ends(d)[1]]
        if not rows:
            raise NotCertifiable("nothing is promised at this distance", produced=d)
        if measure is not None and measure.variable is not None:
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
