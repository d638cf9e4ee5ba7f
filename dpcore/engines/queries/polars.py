"""The dialect of polars, and its lazy frames as the engine."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from fractions import Fraction
from functools import cached_property, reduce
from inspect import signature
from typing import Final, final

import polars as pl

from dpcore.engines.frames.polars_columns import Frame, shares_of
from dpcore.engines.frames.polars_series import given
from dpcore.engines.numpy.coded import Given
from dpcore.engines.numpy.columns import Mask
from dpcore.engines.queries.asking import Engine, Groups, Held
from dpcore.engines.queries.dialect import Dialect, Figure, NoWord, Plain
from dpcore.engines.queries.membership import Column
from dpcore.engines.queries.words import COUNTS, DAYS, FLOATS, SINGLES, TEXTS, TRUTHS

Expr = pl.Expr

FEW: Final = 8
"""Up to here, comparing with each value is faster than looking it up."""

MADE: Final = "dpcore made this "

DIGITS: Final = 38
"""Of a decimal whose precision is not told."""

UNSCALED: Final = pl.Series([], dtype=pl.Decimal(2, 1)).to_physical().dtype == pl.Int128
"""Whether this polars hands out decimals as multiples of their last place."""

BEYOND: Final = 6_585_443
"""The number of a day that Python does not have, 20000-01-01, for moments that are no midnight."""

A_DAY: Final[Mapping[str, int]] = {"ms": 86_400_000, "us": 86_400_000_000, "ns": 86_400_000_000_000}

ROUNDING: Final = 3.0 * 2**51
"""Added to a number below 2**51 in size, it leaves no room for a fraction."""

BITS: Final = 0x4338000000000000
"""Its own."""

BY_BITS: Final = "dtype" in signature(pl.Expr.reinterpret).parameters
"""Whether this polars lets the bits of a double be read as a whole number."""

WHOLE: Final[dict[type[pl.DataType], tuple[int, int]]] = {
    pl.Int8: (-(1 << 7), (1 << 7) - 1),
    pl.Int16: (-(1 << 15), (1 << 15) - 1),
    pl.Int32: (-(1 << 31), (1 << 31) - 1),
    pl.Int64: (-(1 << 63), (1 << 63) - 1),
    pl.UInt8: (0, (1 << 8) - 1),
    pl.UInt16: (0, (1 << 16) - 1),
    pl.UInt32: (0, (1 << 32) - 1),
}


@final
class PolarsDialect(Dialect[Expr]):
    """What is used more than once becomes a column, in the order in which it was made."""

    def __init__(self) -> None:
        self._made: list[Expr] = []
        # An expression is kept beside what is known of it, so that no other is ever found under its identity.
        self._held: dict[int, tuple[Expr, str]] = {}
        self._told: dict[int, tuple[Expr, Callable[[pl.DataFrame], int]]] = {}

    def holding(self, x: Expr, place: str) -> Expr:
        """An expression that is null where the column at that place is."""
        self._held[id(x)] = x, place
        return x

    def told(self, figures: Sequence[Expr], frame: pl.DataFrame) -> Sequence[Figure] | None:
        """What stands written beside the columns of a frame: how many rows there are, and how many nulls in a column. None
        where anything else is asked."""
        known = [self._told.get(id(figure)) for figure in figures]
        return None if None in known else [tell(frame) for _, tell in filter(None, known)]

    def _telling(self, figure: Expr, tell: Callable[[pl.DataFrame], int]) -> Expr:
        self._told[id(figure)] = figure, tell
        return figure

    def let(self, x: Expr) -> Expr:
        self._made.append(x)
        return pl.col(f"{MADE}{len(self._made) - 1}")

    def with_made(self, frame: pl.LazyFrame) -> pl.LazyFrame:
        """The frame with those columns; the optimizer leaves out what is not asked for."""
        for place, made in enumerate(self._made):
            frame = frame.with_columns(made.alias(f"{MADE}{place}"))
        return frame

    def literal(self, value: Plain | None, like: Plain) -> Expr:
        return pl.lit(value, dtype=_type_of(like))

    def plus(self, x: Expr, y: Expr) -> Expr:
        return x + y

    def minus(self, x: Expr, y: Expr) -> Expr:
        return x - y

    def times(self, x: Expr, y: Expr) -> Expr:
        return x * y

    def floor_divided(self, x: Expr, by: int) -> Expr:
        return x // pl.lit(by, dtype=pl.Int64)

    def is_odd(self, x: Expr) -> Expr:
        return (x & pl.lit(1, dtype=pl.Int64)) == 1

    def one_if(self, x: Expr) -> Expr:
        return x.cast(pl.Int64)

    def as_real(self, x: Expr) -> Expr:
        return x.cast(pl.Float64)

    def real_times(self, x: Expr, by: float) -> Expr:
        return x * _real(by)

    def real_over(self, x: Expr, by: float) -> Expr:
        # By one number polars multiplies with its inverse, which rounds twice; by a column it divides.
        return x / (x * _real(0.0) + _real(by))

    def floored(self, x: Expr) -> Expr:
        return x.floor().cast(pl.Int64, strict=False)  # what is no member is thrown away, and must not raise

    def nearest_single(self, x: Expr) -> Expr:
        return x.cast(pl.Float32).cast(pl.Float64)

    def in_steps(self, x: Expr, p: int, q: int, *, single: bool) -> Expr | None:
        """In doubles, without the casts, which take longer than all else.

        Let b be `floor(x/step)` and g the float next to the middle between b and b + 1 steps, both as there. Since
        `b + 1/2` and p times it are exact, so is the quotient of which g is the rounding. The sign of x - g is exact, as
        differences of doubles are 0 for equal ones alone. Then `b + 1/2 + sign/4` is exact, and its nearest whole number is
        b below the middle, b + 1 above it and the even one of both on it. Added to 3 * 2**51, which is even, it is rounded
        to that number, and stands in the last bits of the sum.
        """
        if not BY_BITS:
            return None
        middle = self.let((x * _real(q / p)).floor() + _real(0.5))
        between = self.real_over(middle if p == 1 else middle * _real(p), q)
        between = self.nearest_single(between) if single else between
        above = middle + (x - between).sign() * _real(0.25) + _real(ROUNDING)
        return self.let(above.reinterpret(dtype=pl.Int64) - pl.lit(BITS, dtype=pl.Int64))

    def is_nan(self, x: Expr) -> Expr:
        return x.is_nan()

    def less(self, x: Expr, y: Expr) -> Expr:
        return x < y

    def equal(self, x: Expr, y: Expr) -> Expr:
        return x == y

    def among(self, x: Expr, values: Sequence[Plain]) -> Expr:
        if len(values) <= FEW:
            return reduce(operator.or_, [x == pl.lit(value, dtype=_type_of(value)) for value in values])
        return x.is_in(pl.Series(values, dtype=_type_of(values[0])).implode())

    def within(self, x: Expr, low: int, high: int) -> Expr:
        # Read as if it had no sign, a number below 0 is above all others; so from 0 on one comparison is enough.
        if low:
            return super().within(x, low, high)
        unsigned = x.reinterpret(dtype=pl.UInt64) if BY_BITS else x.reinterpret(signed=False)
        return unsigned <= pl.lit(high, dtype=pl.UInt64)

    def both(self, x: Expr, y: Expr) -> Expr:
        return x & y

    def either(self, x: Expr, y: Expr) -> Expr:
        return x | y

    def negation(self, x: Expr) -> Expr:
        return x.not_()

    def is_null(self, x: Expr) -> Expr:
        return x.is_null()

    def choose(self, condition: Expr, then: Expr, otherwise: Expr) -> Expr:
        return pl.when(condition).then(then).otherwise(otherwise)

    def day_part(self, part: str, x: Expr) -> Expr:
        if part == "weekday":
            return x.dt.weekday().cast(pl.Int64) - 1
        parts = {"year": x.dt.year, "month": x.dt.month, "day": x.dt.day}
        return parts[part]().cast(pl.Int64)

    def day_number(self, x: Expr) -> Expr:
        return x.to_physical().cast(pl.Int64)

    def length(self, x: Expr) -> Expr:
        return x.str.len_chars().cast(pl.Int64)

    def starts_with(self, x: Expr, start: str) -> Expr:
        return x.str.starts_with(start)

    def contains(self, x: Expr, part: str) -> Expr:
        return x.str.contains(part, literal=True)

    def rows(self) -> Expr:
        return self._telling(pl.len(), lambda frame: frame.height)

    def how_often(self, x: Expr) -> Expr:
        return x.sum()

    def misses(self, x: Expr) -> Expr:
        return pl.len() - x.sum()

    def nulls(self, x: Expr) -> Expr:
        if id(x) not in self._held:
            return x.null_count()
        _, place = self._held[id(x)]
        return self._telling(pl.col(place).null_count(), lambda frame: frame.to_series(int(place)).null_count())

    def sum(self, x: Expr) -> Expr:
        return x.sum()


def _real(value: float) -> Expr:
    return pl.lit(value, dtype=pl.Float64)


def _type_of(value: Plain) -> type[pl.DataType]:
    kinds: dict[type, type[pl.DataType]] = {bool: pl.Boolean, int: pl.Int64, float: pl.Float64, str: pl.String}
    return kinds.get(type(value), pl.Date)


@final
class PolarsEngine(Engine[Expr]):
    """A frame. The streaming engine of polars holds no more than it needs."""

    def __init__(self, frame: Frame, *, borrowed: bool = False, tables: Mapping[str, pl.Enum] | None = None) -> None:
        """`tables` has the texts of columns that hold the places of texts in them."""
        self.dialect = self._words = PolarsDialect()
        self.steady, self.borrowed = isinstance(frame, pl.DataFrame), borrowed
        self._schema = frame.collect_schema()
        # By places: a name may be a pattern to polars, or one that is made here.
        self._places = {name: str(place) for place, name in enumerate(self._schema.names())}
        self._given = frame
        self._named: dict[str, None] = {}
        self._tables = tables or {}
        self._texts: dict[int, tuple[Expr, Sequence[str]]] = {}

    def column(self, name: str | None) -> Column[Expr]:
        its_name = self._schema.names()[0] if name is None else name
        its, kind = self._places[its_name], self._schema[its_name]
        self._named[its] = None
        if its_name in self._tables:
            return self._of_places(its, self._tables[its_name])
        for type_, (low, high) in WHOLE.items():
            if isinstance(kind, type_):
                return Column(self._words.holding(pl.col(its).cast(pl.Int64), its), COUNTS, low, high)
        if isinstance(kind, (pl.Categorical, pl.Enum)):
            known = frozenset(kind.categories.to_list()) if isinstance(kind, pl.Enum) else None
            texts = self._words.holding(pl.col(its).cast(pl.String), its)
            return Column(texts, TEXTS, code=pl.col(its), among=known)
        if isinstance(kind, pl.Decimal) and UNSCALED:
            most = 10 ** (kind.precision or DIGITS) - 1
            counts = pl.col(its).to_physical().cast(pl.Int64)  # which raises beyond 64 bits
            return Column(self._words.let(counts), COUNTS, -most, most, Fraction(1, 10**kind.scale))
        if isinstance(kind, pl.Datetime) and kind.time_zone is None:
            return Column(self._words.let(_midnight(pl.col(its), kind)), DAYS)
        if isinstance(kind, pl.Float32):
            return Column(self._words.let(pl.col(its).cast(pl.Float64)), SINGLES)
        layouts = ((pl.Float64, FLOATS), (pl.Boolean, TRUTHS), (pl.Date, DAYS), (pl.String, TEXTS))
        for type_, layout in layouts:
            if isinstance(kind, type_):
                return Column(self._words.holding(pl.col(its), its), layout)
        raise NoWord

    def _of_places(self, its: str, kind: pl.Enum) -> Column[Expr]:
        """Rows are grouped by the places, and the groups named afterwards. Texts are made where more is asked of them."""
        places, table = pl.col(its), kind.categories.to_list()
        self._texts[id(places)] = places, table
        texts = self._words.holding(self._words.let(as_enum(places, kind).cast(pl.String)), its)
        return Column(texts, TEXTS, code=places, among=frozenset(table))

    def ask(self, figures: Sequence[Expr]) -> Sequence[Figure]:
        told = self._words.told(figures, self._given) if isinstance(self._given, pl.DataFrame) else None
        if told is not None:
            return told
        return self._all().select(_numbered(figures)).collect(engine="streaming").row(0)

    def ask_by(self, group: Expr, figures: Sequence[Expr], of_all: Sequence[Expr]) -> tuple[Groups, Sequence[Figure]]:
        (parts,), whole = self.ask_all([(group, figures)], of_all)
        return parts, whole

    def ask_all(
        self, groups: Sequence[tuple[Expr, Sequence[Expr]]], of_all: Sequence[Expr]
    ) -> tuple[Sequence[Groups], Sequence[Figure]]:
        """In memory, all rows are asked beside the groups. Each branch of a query may read a file for itself: there, what is
        asked of all rows is added up over the groups of each branch, which have to agree."""
        if not groups:
            return [], self.ask(of_all)
        return self._beside(groups, of_all) if self.steady else self._of_one_reading(groups, of_all)

    def _beside(
        self, groups: Sequence[tuple[Expr, Sequence[Expr]]], of_all: Sequence[Expr]
    ) -> tuple[Sequence[Groups], Sequence[Figure]]:
        of_rows = [self._all().select(_numbered(of_all))] if of_all else []
        found = pl.collect_all([*self._by_key(groups, []), *of_rows], engine="streaming")
        return self._named_groups(groups, found), found[-1].row(0) if of_all else ()

    def _of_one_reading(
        self, groups: Sequence[tuple[Expr, Sequence[Expr]]], of_all: Sequence[Expr]
    ) -> tuple[Sequence[Groups], Sequence[Figure]]:
        found = pl.collect_all(self._by_key(groups, of_all), engine="streaming")
        wholes = [_added_up(part, part.width - len(of_all)) if of_all else () for part in found]
        if any(whole != wholes[0] for whole in wholes):
            raise NoWord  # other rows in each; alone, each question has one branch
        return self._named_groups(
            groups, [part.select(pl.nth(range(part.width - len(of_all)))) for part in found]
        ), wholes[0]

    def _named_groups(
        self, groups: Sequence[tuple[Expr, Sequence[Expr]]], found: Sequence[pl.DataFrame]
    ) -> Sequence[Groups]:
        named: list[Groups] = []
        for (group, _), part in zip(groups, found[: len(groups)], strict=True):
            values, *columns = (column.to_list() for column in part.iter_columns())
            if id(group) in self._texts:
                table = self._texts[id(group)][1]
                values = [None if place is None else table[place] for place in values]
            named.append(Groups(values, columns))
        return named

    def _by_key(self, groups: Sequence[tuple[Expr, Sequence[Expr]]], more: Sequence[Expr]) -> list[pl.LazyFrame]:
        frame = self._all()
        return [frame.group_by(group.alias("group")).agg(_numbered([*some, *more])) for group, some in groups]

    def in_memory(self) -> PolarsEngine | None:
        if self.steady:
            return self
        if shares_of(self._frame) > 1:
            return None
        found = copy(self)
        found._frame, found.steady = self._frame.collect(engine="streaming").lazy(), True
        return found

    def held(self, fields: Sequence[Expr], condition: Expr | None) -> PolarsHeld:
        frame = self._all() if condition is None else self._all().filter(condition)
        return PolarsHeld(frame.select(_numbered(fields)).collect())

    @cached_property
    def _frame(self) -> pl.LazyFrame:
        """The columns that were named, by their places; all where none was, for a frame of no columns has no rows."""
        places = self._named or self._places.values()
        return self._given.lazy().select(pl.nth(int(place)).alias(place) for place in places)

    def _all(self) -> pl.LazyFrame:
        return self._words.with_made(self._frame)


@final
class PolarsHeld(Held[Expr]):
    def __init__(self, frame: pl.DataFrame) -> None:
        self._frame = frame

    def columns(self) -> Sequence[Given]:
        return list(map(given, self._frame.iter_columns()))

    def kept(self, rows: Mask) -> tuple[PolarsEngine, Sequence[Expr]]:
        frame = self._frame.filter(pl.Series(rows))
        return PolarsEngine(frame), [pl.col(name) for name in frame.columns]


def _midnight(moment: Expr, kind: pl.Datetime) -> Expr:
    """The day that begins with the moment, else one that Python does not have. By whole numbers: polars fails, and says so
    itself, where it makes a day of a moment that is too far off."""
    ticks, a_day = moment.to_physical(), A_DAY[kind.time_unit]
    days = ticks // a_day
    proper = (ticks % a_day == 0) & days.is_between(-BEYOND, BEYOND)
    far = pl.lit(BEYOND, dtype=pl.Int32).cast(pl.Date)
    return pl.when(~proper).then(far).otherwise(days.cast(pl.Int32, strict=False).cast(pl.Date))


def as_enum(places: Expr, kind: pl.Enum) -> Expr:
    """Texts by their places in a table."""
    return places.cat.to(kind) if hasattr(places.cat, "to") else places.cast(kind)


def _added_up(groups: pl.DataFrame, first: int) -> Sequence[Figure]:
    """The figures from this column on, of all groups."""
    return groups.select(pl.nth(range(first, groups.width)).cast(pl.Int64).sum()).row(0)


def _numbered(figures: Sequence[Expr]) -> list[Expr]:
    return [figure.alias(str(i)) for i, figure in enumerate(figures)]
